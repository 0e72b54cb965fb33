//! `cleave lsp`: a language server for editors, on stdin and stdout.
//!
//! Each question is answered by checking the program anew: that takes milliseconds, and nothing can be stale. What the
//! front ends tell is in `cleave_strict::places`, what is told of IR and ABC in `listing`; `answers` brings it into the
//! form of the protocol, `documents` counts as editors do, `json` reads and writes messages. Pages ask single questions
//! (`answer`). A panic is answered as an error, and the server goes on.

mod abc;
mod answers;
mod documents;
mod ir;
pub mod json;
mod listing;

use crate::cli::exit_code::FAILURE;
use answers::Files;
use documents::{Document, path_of};
use json::{Value, object};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// Messages are as long as files; what is longer is none.
const LONGEST: usize = 256 << 20;

/// Numbers of the protocol.
const METHOD_NOT_FOUND: i32 = -32601;
const INTERNAL_ERROR: i32 = -32603;

/// Answers until the editor says that it is done, or is gone. To end without being told to shut down is a failure.
pub fn run() -> i32 {
    let (sender, receiver) = channel();
    // A thread of its own, so that it is known whether more is to come.
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        while let Some(message) = read(&mut input)
            && sender.send(message).is_ok()
        {}
    });
    let mut server = Server { files: Files { open: Vec::new(), root: None }, is_shut_down: false };
    match server.serve(&receiver) {
        Ok(()) if server.is_shut_down => 0,
        _ => FAILURE,
    }
}

/// The answer to one question about a file as it is saved, for who has no conversation: an object with the method and
/// its parameters as in the protocol. Null if there is nothing to be told.
pub fn answer(question: &str) -> String {
    let question = Value::parse(question).unwrap_or(Value::Null);
    let method = question.get(&["method"]).and_then(Value::as_text).unwrap_or_default();
    let params = question.get(&["params"]).unwrap_or(&Value::Null);
    let uri = params.get(&["textDocument", "uri"]).and_then(Value::as_text).unwrap_or_default().to_string();
    let path = path_of(&uri);
    let text = std::fs::read(&path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let open = text.into_iter().map(|text| Document {
        uri: uri.clone(),
        path: path.clone(),
        text,
        version: Value::Null,
        shown: None,
    });
    let files = Files { open: open.collect(), root: None };
    let mut server = Server { files, is_shut_down: false };
    server.answer(method, params).unwrap_or(Value::Null).to_string()
}

/// Reads a message: lines that end with an empty one, then so many bytes. Nothing at the end, or if it is no message.
fn read(input: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let mut bytes = vec![0; length.filter(|&length| length <= LONGEST)?];
    input.read_exact(&mut bytes).ok()?;
    Value::parse(std::str::from_utf8(&bytes).ok()?)
}

fn write<const N: usize>(fields: [(&str, Value); N]) -> std::io::Result<()> {
    let Value::Object(mut fields) = object(fields) else { unreachable!("an object was made") };
    fields.insert(0, ("jsonrpc".into(), "2.0".into()));
    let text = Value::Object(fields).to_string();
    let mut out = std::io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

/// What this server can do.
fn abilities() -> Value {
    const INCREMENTAL: u32 = 2;
    let sync = object([("openClose", Value::Bool(true)), ("change", INCREMENTAL.into())]);
    let abilities = object([
        ("positionEncoding", "utf-16".into()),
        ("textDocumentSync", sync),
        ("hoverProvider", Value::Bool(true)),
        ("definitionProvider", Value::Bool(true)),
        ("completionProvider", object([("triggerCharacters", Value::List([".", "@", "$"].map(Value::from).into()))])),
        ("documentFormattingProvider", Value::Bool(true)),
        ("documentSymbolProvider", Value::Bool(true)),
    ]);
    object([("capabilities", abilities), ("serverInfo", object([("name", "cleave".into())]))])
}

struct Server {
    files: Files,
    is_shut_down: bool,
}

impl Server {
    fn serve(&mut self, messages: &Receiver<Value>) -> std::io::Result<()> {
        let mut is_changed = false;
        loop {
            // Who types fast is told of the last change only.
            let message = match messages.try_recv() {
                Ok(message) => message,
                Err(TryRecvError::Disconnected) => return Ok(()),
                Err(TryRecvError::Empty) => {
                    if std::mem::take(&mut is_changed) {
                        self.publish()?;
                    }
                    let Ok(message) = messages.recv() else { return Ok(()) };
                    message
                }
            };
            let Some(method) = message.get(&["method"]).and_then(Value::as_text) else { continue };
            let params = message.get(&["params"]).unwrap_or(&Value::Null);
            match message.get(&["id"]) {
                Some(id) => self.request(id, method, params)?,
                None if method == "exit" => return Ok(()),
                None => {
                    self.notification(method, params)?;
                    is_changed = true;
                }
            }
        }
    }

    fn request(&mut self, id: &Value, method: &str, params: &Value) -> std::io::Result<()> {
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(method, params)));
        let (code, message) = match answer {
            Ok(Some(value)) => return write([("id", id.clone()), ("result", value)]),
            Ok(None) => (METHOD_NOT_FOUND, format!("`{method}` is not known here")),
            Err(_) => (INTERNAL_ERROR, "a bug of cleave: the message is on stderr".to_string()),
        };
        let error = object([("code", Value::Number(code.into())), ("message", Value::Text(message))]);
        write([("id", id.clone()), ("error", error)])
    }

    /// The answer to a question; nothing if it is none that is known. Of files that are not open nothing is known.
    fn answer(&mut self, method: &str, params: &Value) -> Option<Value> {
        let uri = params.get(&["textDocument", "uri"]).and_then(Value::as_text);
        let files = &mut self.files;
        let document = uri.and_then(|uri| files.open.iter().find(|document| document.uri == uri));
        let at = document.and_then(|document| Some((document, document.offset(params.get(&["position"])?)?)));
        let answer = match method {
            "initialize" => {
                let folder =
                    params.get(&["workspaceFolders"]).and_then(|folders| folders.as_list().first()?.get(&["uri"]));
                let root = folder.or(params.get(&["rootUri"])).and_then(Value::as_text);
                files.root = root.map(path_of);
                Some(abilities())
            }
            "shutdown" => {
                self.is_shut_down = true;
                None
            }
            "textDocument/hover" => at.and_then(|(document, offset)| files.hover(document, offset)),
            "textDocument/definition" => at.and_then(|(document, offset)| files.definition(document, offset)),
            "textDocument/completion" => at.and_then(|(document, offset)| files.completion(document, offset)),
            "textDocument/formatting" => document.and_then(|document| files.formatting(document)),
            "textDocument/documentSymbol" => document.and_then(|document| files.symbols(document)),
            _ => return None,
        };
        Some(answer.unwrap_or(Value::Null))
    }

    fn notification(&mut self, method: &str, params: &Value) -> std::io::Result<()> {
        let Some(uri) = params.get(&["textDocument", "uri"]).and_then(Value::as_text) else { return Ok(()) };
        let version = params.get(&["textDocument", "version"]).cloned().unwrap_or(Value::Null);
        let open = &mut self.files.open;
        match method {
            "textDocument/didOpen" => {
                let text = params.get(&["textDocument", "text"]).and_then(Value::as_text).unwrap_or_default();
                open.retain(|other| other.uri != uri);
                let (uri, path, text) = (uri.to_string(), path_of(uri), text.to_string());
                open.push(Document { uri, path, text, version, shown: None });
            }
            "textDocument/didChange" => {
                let changes = params.get(&["contentChanges"]).map_or(&[][..], Value::as_list);
                if let Some(document) = open.iter_mut().find(|document| document.uri == uri) {
                    changes.iter().for_each(|change| document.change(change));
                    document.version = version;
                }
            }
            "textDocument/didClose" => {
                open.retain(|document| document.uri != uri);
                tell(uri, &(Value::Null, Value::List(Vec::new())))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Tells what is wrong with the open files, as far as that has changed: one file may be a part of others.
    fn publish(&mut self) -> std::io::Result<()> {
        for number in 0..self.files.open.len() {
            let document = &self.files.open[number];
            let found = catch_unwind(AssertUnwindSafe(|| self.files.diagnostics(document)));
            let found = (document.version.clone(), found.unwrap_or(Value::List(Vec::new())));
            if document.shown.as_ref() != Some(&found) {
                tell(&document.uri, &found)?;
                self.files.open[number].shown = Some(found);
            }
        }
        Ok(())
    }
}

/// Says what is wrong with a text of a file; without a number it is closed.
fn tell(uri: &str, (version, diagnostics): &(Value, Value)) -> std::io::Result<()> {
    let mut params = object([("uri", uri.into()), ("diagnostics", diagnostics.clone())]);
    if let (Value::Object(fields), Value::Number(_)) = (&mut params, version) {
        fields.push(("version".into(), version.clone()));
    }
    write([("method", "textDocument/publishDiagnostics".into()), ("params", params)])
}
