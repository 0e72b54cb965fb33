//! `cleave lsp`: a language server for editors, on stdin and stdout.
//!
//! Questions are answered by checking the program, anew if anything has changed that it depends on (`looks`). What the
//! front ends tell is in `cleave_strict::ide`, what is told of IR and ABC in `listing`; `answers` brings it into the
//! form of the protocol, `navigate`, `rename`, `hierarchy` and `links` what is asked of several files, `colours`,
//! `hints`, `structure` and `actions` the rest; `imports` completes them; `comments` reads what stands above
//! definitions; `closed` says what is wrong with files that are not open. `documents` counts as editors do, `transport`
//! reads and writes messages. Pages ask single questions (`answer`). A panic is answered as an error, and the server
//! goes on.

mod abc;
mod actions;
mod answers;
mod closed;
mod colours;
mod comments;
#[doc(hidden)]
pub mod documents;
#[doc(hidden)]
pub mod edits;
mod hierarchy;
mod hints;
mod imports;
mod ir;
mod links;
mod listing;
mod looks;
mod navigate;
mod palette;
mod rename;
#[doc(hidden)]
pub mod structure;
#[doc(hidden)]
pub mod transport;

use crate::cli::exit_code::FAILURE;
use crate::driver::json::{Value, object};
use crate::languages;
use answers::{Files, diagnostics};
use closed::Closed;
use documents::{Document, path_of};
use hierarchy::Direction;
use looks::Looked;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::mpsc::channel;
use std::time::Duration;
use transport::{Incoming, Next, Queue};

/// Numbers of the protocol.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INTERNAL_ERROR: i32 = -32603;
const SERVER_NOT_INITIALIZED: i32 = -32002;
const REQUEST_CANCELLED: i32 = -32800;
const REQUEST_FAILED: i32 = -32803;

/// So often it is looked whether files have changed that nobody has opened, where the editor does not watch them.
const LOOK: Duration = Duration::from_millis(500);

/// Answers until the editor says that it is done, or is gone. To end without being told to shut down is a failure.
pub fn run() -> i32 {
    let (sender, receiver) = channel();
    // A thread of its own, so that it is known whether more is to come.
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        while let Some(message) = transport::read(&mut input)
            && sender.send(message).is_ok()
        {}
    });
    let mut server = Server {
        files: Files::default(),
        closed: Closed::default(),
        told: BTreeMap::new(),
        state: State::Fresh,
        watches: false,
    };
    match server.serve(&mut Queue::new(receiver)) {
        Ok(()) if server.state == State::ShutDown => 0,
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
    let open = text.into_iter().map(|text| Document::new(&uri, "", text, Value::Null));
    let files = Files::with(open.collect());
    let mut server =
        Server { files, closed: Closed::default(), told: BTreeMap::new(), state: State::Ready, watches: false };
    server.answer(method, params).ok().flatten().unwrap_or(Value::Null).to_string()
}

/// What this server can do.
fn abilities() -> Value {
    const INCREMENTAL: u32 = 2;
    let sync = object([("openClose", Value::Bool(true)), ("change", INCREMENTAL.into())]);
    let kinds = std::iter::once(actions::QUICK_FIX).chain(actions::SOURCE.map(|kind| kind.0));
    let abilities = object([
        ("positionEncoding", "utf-16".into()),
        ("textDocumentSync", sync),
        ("hoverProvider", Value::Bool(true)),
        ("definitionProvider", Value::Bool(true)),
        ("declarationProvider", Value::Bool(true)),
        ("typeDefinitionProvider", Value::Bool(true)),
        ("implementationProvider", Value::Bool(true)),
        ("callHierarchyProvider", Value::Bool(true)),
        ("typeHierarchyProvider", Value::Bool(true)),
        ("documentLinkProvider", object([("resolveProvider", Value::Bool(false))])),
        ("workspace", object([("fileOperations", object([("willRename", renamed_files())]))])),
        ("completionProvider", object([("triggerCharacters", Value::List([".", "@", "$"].map(Value::from).into()))])),
        ("documentFormattingProvider", Value::Bool(true)),
        ("documentRangeFormattingProvider", Value::Bool(true)),
        ("documentSymbolProvider", Value::Bool(true)),
        ("referencesProvider", Value::Bool(true)),
        ("documentHighlightProvider", Value::Bool(true)),
        ("renameProvider", object([("prepareProvider", Value::Bool(true))])),
        ("signatureHelpProvider", object([("triggerCharacters", Value::List(["(", ","].map(Value::from).into()))])),
        ("workspaceSymbolProvider", Value::Bool(true)),
        ("foldingRangeProvider", Value::Bool(true)),
        ("selectionRangeProvider", Value::Bool(true)),
        ("inlayHintProvider", Value::Bool(true)),
        ("codeActionProvider", object([("codeActionKinds", Value::List(kinds.map(Value::from).collect()))])),
        ("semanticTokensProvider", colours::abilities()),
    ]);
    object([("capabilities", abilities), ("serverInfo", object([("name", "cleave".into())]))])
}

/// What was agreed upon with the editor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// It has not introduced itself.
    Fresh,
    Ready,
    ShutDown,
}

struct Server {
    files: Files,
    closed: Closed,
    /// By the addresses of open files: what the diagnostics that the editor shows were made of.
    told: BTreeMap<String, Rc<Looked>>,
    state: State,
    /// The editor tells when files change.
    watches: bool,
}

/// Why there is no answer.
struct Refusal(i32, String);

impl Server {
    fn serve(&mut self, queue: &mut Queue) -> std::io::Result<()> {
        let mut is_changed = false;
        loop {
            queue.gather();
            // Who types fast is told of the last change only.
            if queue.is_empty() && std::mem::take(&mut is_changed) {
                self.publish()?;
            }
            let patience = match self.closed.is_busy() {
                true => Some(Duration::ZERO),
                false => (!self.files.open.is_empty() && self.state == State::Ready).then_some(LOOK),
            };
            let message = match queue.next(patience) {
                Next::Do(Incoming::Message(message)) => message,
                Next::Do(Incoming::Malformed(why)) => {
                    transport::refuse(&Value::Null, PARSE_ERROR, why)?;
                    continue;
                }
                Next::Idle => {
                    is_changed = !self.closed.is_busy() && self.files.have_changed();
                    if !is_changed {
                        for (uri, found) in self.closed.advance(&self.files) {
                            tell(&uri, &(Value::Null, found))?;
                        }
                    }
                    continue;
                }
                Next::End => return Ok(()),
            };
            let id = message.get(&["id"]);
            let Some(method) = message.get(&["method"]).and_then(Value::as_text) else {
                // An answer to what the server has asked has no method.
                if !["result", "error"].iter().any(|field| message.get(&[field]).is_some()) {
                    let why = "a request has a method";
                    transport::refuse(id.unwrap_or(&Value::Null), INVALID_REQUEST, why)?;
                }
                continue;
            };
            let params = message.get(&["params"]).unwrap_or(&Value::Null);
            match (id, self.state) {
                (Some(id), _) if queue.is_cancelled(id) => {
                    transport::refuse(id, REQUEST_CANCELLED, "nobody waits for it any more")?;
                }
                (Some(id), State::Fresh) if method != "initialize" => {
                    transport::refuse(id, SERVER_NOT_INITIALIZED, "`initialize` comes first")?;
                }
                (Some(id), State::ShutDown) => {
                    transport::refuse(id, INVALID_REQUEST, "behind `shutdown` there is only `exit`")?;
                }
                (Some(id), State::Ready) if method == "initialize" => {
                    transport::refuse(id, INVALID_REQUEST, "`initialize` comes once")?;
                }
                (Some(id), _) => self.request(id, method, params)?,
                (None, _) if method == "exit" => return Ok(()),
                (None, State::Ready) if method == "$/cancelRequest" => {
                    // It came too late, or what it cancels has been refused.
                    _ = params.get(&["id"]).is_some_and(|id| queue.is_cancelled(id));
                }
                (None, State::Ready) => {
                    self.notification(method, params)?;
                    is_changed = true;
                }
                (None, _) => {}
            }
        }
    }

    fn request(&mut self, id: &Value, method: &str, params: &Value) -> std::io::Result<()> {
        match catch_unwind(AssertUnwindSafe(|| self.answer(method, params))) {
            Ok(Ok(Some(value))) => transport::write([("id", id.clone()), ("result", value)]),
            Ok(Ok(None)) => transport::refuse(id, METHOD_NOT_FOUND, &format!("`{method}` is not known here")),
            Ok(Err(Refusal(code, why))) => transport::refuse(id, code, &why),
            Err(_) => transport::refuse(id, INTERNAL_ERROR, "a bug of cleave: the message is on stderr"),
        }
    }

    /// The answer to a question; nothing if it is none that is known. Of files that are not open nothing is known.
    fn answer(&mut self, method: &str, params: &Value) -> Result<Option<Value>, Refusal> {
        let uri = params.get(&["textDocument", "uri"]).and_then(Value::as_text);
        let files = &mut self.files;
        if method == "initialize" {
            let folder = params.get(&["workspaceFolders"]).and_then(|folders| folders.as_list().first()?.get(&["uri"]));
            let root = folder.or(params.get(&["rootUri"])).and_then(Value::as_text);
            files.root = root.map(path_of);
            files.shows_memory = params.get(&["initializationOptions", "memoryReport"]) == Some(&Value::Bool(true));
            let watching = ["capabilities", "workspace", "didChangeWatchedFiles", "dynamicRegistration"];
            self.watches = params.get(&watching) == Some(&Value::Bool(true));
            self.state = State::Ready;
            return Ok(Some(abilities()));
        }
        let document = uri.and_then(|uri| files.open.iter().find(|document| document.uri == uri));
        let at = document.and_then(|document| Some((document, document.offset(params.get(&["position"])?)?)));
        let item = params.get(&["item"]);
        let answer = match method {
            "shutdown" => {
                self.state = State::ShutDown;
                None
            }
            "textDocument/hover" => at.and_then(|(document, offset)| files.hover(document, offset)),
            "textDocument/definition" | "textDocument/declaration" => {
                at.and_then(|(document, offset)| files.definition(document, offset))
            }
            "textDocument/typeDefinition" => at.and_then(|(document, offset)| files.type_definition(document, offset)),
            "textDocument/implementation" => at.and_then(|(document, offset)| files.implementations(document, offset)),
            "textDocument/documentLink" => document.map(|document| files.document_links(document)),
            "textDocument/prepareCallHierarchy" => {
                at.and_then(|(document, offset)| files.function_at(document, offset))
            }
            "callHierarchy/incomingCalls" => item.and_then(|item| files.calls(item, Direction::Incoming)),
            "callHierarchy/outgoingCalls" => item.and_then(|item| files.calls(item, Direction::Outgoing)),
            "textDocument/prepareTypeHierarchy" => at.and_then(|(document, offset)| files.class_at(document, offset)),
            "typeHierarchy/supertypes" => item.and_then(|item| files.related_classes(item, true)),
            "typeHierarchy/subtypes" => item.and_then(|item| files.related_classes(item, false)),
            "workspace/willRenameFiles" => {
                let renamed = params.get(&["files"]).map_or(&[][..], Value::as_list).iter();
                let path = |file: &Value, side: &str| Some(path_of(file.get(&[side])?.as_text()?));
                let paths = renamed.filter_map(|file| Some((path(file, "oldUri")?, path(file, "newUri")?)));
                Some(files.files_renamed(&paths.collect::<Vec<_>>()))
            }
            "textDocument/completion" => at.and_then(|(document, offset)| files.completion(document, offset)),
            "textDocument/signatureHelp" => at.and_then(|(document, offset)| files.signature(document, offset)),
            "textDocument/documentHighlight" => at.and_then(|(document, offset)| files.highlight(document, offset)),
            "textDocument/references" => {
                let with_definition = params.get(&["context", "includeDeclaration"]) != Some(&Value::Bool(false));
                at.and_then(|(document, offset)| files.references(document, offset, with_definition))
            }
            "textDocument/prepareRename" => {
                let (document, offset) = at.ok_or_else(|| Refusal(REQUEST_FAILED, "no name stands here".into()))?;
                Some(files.prepare_rename(document, offset).map_err(|why| Refusal(REQUEST_FAILED, why))?)
            }
            "textDocument/rename" => {
                let name = params.get(&["newName"]).and_then(Value::as_text).unwrap_or_default();
                let (document, offset) = at.ok_or_else(|| Refusal(REQUEST_FAILED, "no name stands here".into()))?;
                Some(files.rename(document, offset, name).map_err(|why| Refusal(REQUEST_FAILED, why))?)
            }
            "textDocument/formatting" => document.and_then(|document| files.formatting(document, None)),
            "textDocument/rangeFormatting" => {
                let part = document.and_then(|document| Some((document, document.range(params.get(&["range"]))?)));
                part.and_then(|(document, part)| files.formatting(document, Some(part)))
            }
            "textDocument/documentSymbol" => document.and_then(|document| files.symbols(document)),
            "textDocument/semanticTokens/full" => document.map(|document| files.colours(document, None)),
            "textDocument/semanticTokens/range" => {
                document.map(|document| files.colours(document, document.range(params.get(&["range"]))))
            }
            "textDocument/foldingRange" => document.map(|document| files.folds(document)),
            "textDocument/selectionRange" => {
                let positions = params.get(&["positions"]).map_or(&[][..], Value::as_list);
                document.map(|document| files.selections(document, positions))
            }
            "textDocument/codeAction" => {
                let (range, only) = (params.get(&["range"]), params.get(&["context", "only"]));
                document.map(|document| files.actions(document, range, only))
            }
            "textDocument/inlayHint" => {
                document.map(|document| files.hints(document, document.range(params.get(&["range"]))))
            }
            "workspace/symbol" => {
                Some(files.all_symbols(params.get(&["query"]).and_then(Value::as_text).unwrap_or_default()))
            }
            _ => return Ok(None),
        };
        Ok(Some(answer.unwrap_or(Value::Null)))
    }

    fn notification(&mut self, method: &str, params: &Value) -> std::io::Result<()> {
        if method == "initialized" && self.watches {
            return transport::write([
                ("id", "watch".into()),
                ("method", "client/registerCapability".into()),
                ("params", watched()),
            ]);
        }
        if method == "workspace/didChangeConfiguration" {
            let settings = params.get(&["settings"]).unwrap_or(&Value::Null);
            let setting = settings.get(&["cleave", "memoryReport"]).or_else(|| settings.get(&["memoryReport"]));
            if let Some(&Value::Bool(wanted)) = setting {
                self.files.shows_memory = wanted;
            }
        }
        let Some(uri) = params.get(&["textDocument", "uri"]).and_then(Value::as_text) else { return Ok(()) };
        let version = params.get(&["textDocument", "version"]).cloned().unwrap_or(Value::Null);
        let open = &mut self.files.open;
        match method {
            "textDocument/didOpen" => {
                let field =
                    |name: &str| params.get(&["textDocument", name]).and_then(Value::as_text).unwrap_or_default();
                open.retain(|other| other.uri != uri);
                open.push(Document::new(uri, field("languageId"), field("text").to_string(), version));
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
                self.told.remove(uri);
                tell(uri, &(Value::Null, Value::List(Vec::new())))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Tells what is wrong with the open files, as far as that has changed: one file may be a part of others.
    fn publish(&mut self) -> std::io::Result<()> {
        self.files.forget();
        self.closed.restart();
        for number in 0..self.files.open.len() {
            let document = &self.files.open[number];
            let checked = catch_unwind(AssertUnwindSafe(|| self.files.checked(document))).ok();
            let is_told =
                |looked: &Rc<Looked>| self.told.get(&document.uri).is_some_and(|told| Rc::ptr_eq(told, looked));
            let is_same = checked.as_ref().is_some_and(is_told);
            if is_same && document.shown.as_ref().is_some_and(|shown| shown.0 == document.version) {
                continue;
            }
            let found = checked.as_ref().map_or(Value::List(Vec::new()), |checked| diagnostics(checked));
            let found = (document.version.clone(), found);
            if document.shown.as_ref() != Some(&found) {
                tell(&document.uri, &found)?;
            }
            match checked {
                Some(checked) => _ = self.told.insert(document.uri.clone(), checked),
                None => _ = self.told.remove(&document.uri),
            }
            self.files.open[number].shown = Some(found);
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
    transport::write([("method", "textDocument/publishDiagnostics".into()), ("params", params)])
}

/// The files and folders whose new names other files should know.
fn renamed_files() -> Value {
    let filter = |pattern: &str| object([("pattern", object([("glob", pattern.into())]))]);
    let globs = languages::formatted().map(|ending| filter(&format!("**/*.{ending}")));
    object([("filters", Value::List(globs.chain([filter("**/")]).collect()))])
}

/// The files that the editor shall watch.
fn watched() -> Value {
    let watchers =
        ["goo", "sam", "ir", "abc"].map(|ending| object([("globPattern", format!("**/*.{ending}").as_str().into())]));
    let options = object([("watchers", Value::List(watchers.into()))]);
    let registration = object([
        ("id", "watch".into()),
        ("method", "workspace/didChangeWatchedFiles".into()),
        ("registerOptions", options),
    ]);
    object([("registrations", Value::List(vec![registration]))])
}
