//! The server and editors that do not behave: torn messages, the wrong order, questions that nobody waits for any more,
//! files that change under it.

use super::client::read;
use cleave::driver::json::{Value, object};
use cleave_tests::process::{clean, compiler};
use cleave_tests::selection::size;
use std::fs;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

pub struct Server {
    process: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    folder: PathBuf,
}

impl Server {
    pub fn start(name: &str) -> Result<Server, String> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("protocol").join(name);
        let _ = fs::remove_dir_all(&folder);
        // The project of its files ends here: without this it would be ours, with all programs of the tests.
        fs::create_dir_all(folder.join(".git")).map_err(|error| error.to_string())?;
        let mut command = match std::env::var_os("EDITOR_SERVER") {
            Some(server) => clean(Command::new(server)),
            None => compiler(),
        };
        command.env("CLEAVE_CACHE", "").args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|error| error.to_string())?;
        let mut output = BufReader::new(process.stdout.take().ok_or("no stdout")?);
        let (sender, messages) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut output)
                && sender.send(message).is_ok()
            {}
        });
        let input = process.stdin.take();
        Ok(Server { process, input, messages, folder })
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), String> {
        let input = self.input.as_mut().ok_or("stdin is closed")?;
        input.write_all(bytes).and_then(|()| input.flush()).map_err(|error| error.to_string())
    }

    fn send(&mut self, text: &str) -> Result<(), String> {
        self.bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes())
    }

    pub fn request(&mut self, id: u32, method: &str, params: &str) -> Result<(), String> {
        self.send(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{params}}}"))
    }

    pub fn notify(&mut self, method: &str, params: &str) -> Result<(), String> {
        self.send(&format!("{{\"jsonrpc\":\"2.0\",\"method\":\"{method}\",\"params\":{params}}}"))
    }

    pub fn receive(&self) -> Result<Value, String> {
        self.messages.recv_timeout(PATIENCE).map_err(|error| format!("no message: {error}"))
    }

    /// The next answer: its number, and its error or `ok`.
    fn answer(&self) -> Result<String, String> {
        loop {
            let message = self.receive()?;
            let Some(id) = message.get(&["id"]) else { continue };
            let error = message.get(&["error", "code"]).map_or("ok".to_string(), Value::to_string);
            return Ok(format!("{id} {error}"));
        }
    }

    fn expect(&self, wanted: &str) -> Result<(), String> {
        let found = self.answer()?;
        if found == wanted { Ok(()) } else { Err(format!("wanted {wanted}, found {found}")) }
    }

    pub fn initialize(&mut self) -> Result<(), String> {
        self.request(1, "initialize", "{\"capabilities\":{}}")?;
        self.expect("1 ok")?;
        self.notify("initialized", "{}")
    }

    pub fn uri(&self, name: &str) -> String {
        format!("file://{}", self.folder.join(name).display())
    }

    pub fn open(&mut self, name: &str, text: &str) -> Result<(), String> {
        let document = object([
            ("uri", self.uri(name).as_str().into()),
            ("languageId", "any".into()),
            ("version", 1.into()),
            ("text", text.into()),
        ]);
        self.notify("textDocument/didOpen", &object([("textDocument", document)]).to_string())
    }

    /// The messages of the next diagnostics.
    fn errors(&self) -> Result<Vec<String>, String> {
        loop {
            let message = self.receive()?;
            if let Some(found) = message.get(&["params", "diagnostics"]) {
                let text =
                    |found: &Value| found.get(&["message"]).and_then(Value::as_text).unwrap_or_default().to_string();
                return Ok(found.as_list().iter().map(text).collect());
            }
        }
    }

    /// Says goodbye, and expects it to go with status 0.
    pub fn end(mut self) -> Result<(), String> {
        self.request(90, "shutdown", "null")?;
        self.expect("90 ok")?;
        self.request(91, "textDocument/hover", "{}")?;
        self.expect("91 -32600")?;
        self.notify("exit", "null")?;
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Some(status) = self.process.try_wait().map_err(|error| error.to_string())? {
                return if status.code() == Some(0) { Ok(()) } else { Err(format!("it ended with {status}")) };
            }
            thread::sleep(Duration::from_millis(5));
        }
        Err("it does not end".into())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What is no message gets an error, and the next one its answer.
pub fn malformed() -> Result<(), String> {
    let mut server = Server::start("malformed")?;
    server.initialize()?;
    for torn in [
        &b"Content-Length: 9\r\n\r\n{\"id\": 1]"[..],
        b"Content-Length: 3\r\n\r\n\xff\xfe\xfd",
        b"no length at all\r\n\r\n",
        b"Content-Length: many\r\n\r\n",
    ] {
        server.bytes(torn)?;
        server.expect("null -32700")?;
    }
    // Values of JSON that are no messages.
    for text in ["17", "[]", "{\"jsonrpc\":\"2.0\",\"params\":{}}"] {
        server.send(text)?;
        server.expect("null -32600")?;
    }
    server.send("{\"jsonrpc\":\"2.0\",\"id\":7}")?;
    server.expect("7 -32600")?;
    server.request(8, "nobody/knows", "{}")?;
    server.expect("8 -32601")?;
    // An answer to nothing is nothing.
    server.send("{\"jsonrpc\":\"2.0\",\"id\":\"watch\",\"result\":null}")?;
    server.open("a.goo", "(): Int\nmain = wrong;\n")?;
    let errors = server.errors()?;
    if errors != ["there is no variable `wrong`"] {
        return Err(format!("it is confused: {errors:?}"));
    }
    server.end()
}

/// Before `initialize` there are no answers, and `initialize` comes once.
pub fn order() -> Result<(), String> {
    let mut server = Server::start("order")?;
    server.request(5, "textDocument/hover", "{}")?;
    server.expect("5 -32002")?;
    server.request(6, "shutdown", "null")?;
    server.expect("6 -32002")?;
    server.initialize()?;
    server.request(7, "initialize", "{}")?;
    server.expect("7 -32600")?;
    server.end()
}

/// A large program: so many functions that its errors take a while.
fn large() -> String {
    let mut text = String::from("enum List = Nil, Cons(Int, List);\n");
    for number in 0..2_000 {
        text += &format!("Int: Int\nf{number}(n) = match n {{ 0: 1, other: other + f{number}(n - 1) }};\n");
    }
    text + "(): Int\nmain = f1 1;\n"
}

/// Questions that were taken back while they waited.
pub fn cancelled() -> Result<(), String> {
    let mut server = Server::start("cancelled")?;
    server.initialize()?;
    server.open("a.goo", &large())?;
    let uri = server.uri("a.goo");
    let params = format!("{{\"textDocument\":{{\"uri\":\"{uri}\"}},\"position\":{{\"line\":2,\"character\":9}}}}");
    let mut all = Vec::new();
    let message = |text: String| format!("Content-Length: {}\r\n\r\n{text}", text.len());
    for id in 10..30 {
        let method = "textDocument/completion";
        all.push(message(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{params}}}")));
    }
    for id in 10..29 {
        let method = "$/cancelRequest";
        all.push(message(format!("{{\"jsonrpc\":\"2.0\",\"method\":\"{method}\",\"params\":{{\"id\":{id}}}}}")));
    }
    server.bytes(all.concat().as_bytes())?;
    let mut found = Vec::new();
    for _ in 10..30 {
        found.push(server.answer()?);
    }
    let cancelled = found.iter().filter(|answer| answer.ends_with(" -32800")).count();
    // The first may have been on its way.
    if cancelled < 15 || found.last().map(String::as_str) != Some("29 ok") {
        return Err(format!("{cancelled} are cancelled: {found:?}"));
    }
    server.end()
}

/// A file that is not open is included, and changes: what is said of the open one changes by itself.
pub fn changes() -> Result<(), String> {
    let mut server = Server::start("changes")?;
    let other = server.folder.join("list.goo");
    fs::write(&other, "enum List = Nil, Cons(Int, Lits);\n").map_err(|error| error.to_string())?;
    server.initialize()?;
    server.open("a.goo", "#include list.goo\n(): List\nmain = Nil;\n")?;
    let errors = server.errors()?;
    if errors != ["there is no type `Lits`\nhelp: did you mean `List`?"] {
        return Err(format!("first: {errors:?}"));
    }
    // Nothing is sent from here on.
    thread::sleep(Duration::from_millis(30));
    fs::write(&other, "enum List = Nil, Cons(Int, List);\n").map_err(|error| error.to_string())?;
    let errors = server.errors()?;
    if !errors.is_empty() {
        return Err(format!("then: {errors:?}"));
    }
    server.end()
}

/// A formatted file with the ends of lines of Windows has no edits, and keeps them where it has.
pub fn crlf() -> Result<(), String> {
    let mut server = Server::start("crlf")?;
    server.initialize()?;
    for (name, text, wanted) in
        [("a.goo", "(): Int\r\nmain = 1;\r\n", Some("[]")), ("b.goo", "(): Int main=1;\r\n", None)]
    {
        server.open(name, text)?;
        let uri = server.uri(name);
        server.request(3, "textDocument/formatting", &format!("{{\"textDocument\":{{\"uri\":\"{uri}\"}}}}"))?;
        let answer = loop {
            let message = server.receive()?;
            if let Some(result) = message.get(&["result"]) {
                break result.clone();
            }
        };
        let new = answer.as_list().first().and_then(|edit| edit.get(&["newText"])).and_then(Value::as_text);
        let is_right = match wanted {
            Some(wanted) => answer.to_string() == wanted,
            None => new == Some("(): Int\r\nmain = 1;\r\n"),
        };
        if !is_right {
            return Err(format!("{name}: {answer}"));
        }
    }
    server.end()
}

/// A dictionary of what editors send, for the storm.
const METHODS: [&str; 24] = [
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/completion",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/rename",
    "textDocument/signatureHelp",
    "textDocument/semanticTokens/full",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/codeAction",
    "textDocument/documentSymbol",
    "textDocument/formatting",
    "textDocument/typeDefinition",
    "textDocument/implementation",
    "textDocument/documentLink",
    "textDocument/prepareCallHierarchy",
    "callHierarchy/incomingCalls",
    "callHierarchy/outgoingCalls",
    "typeHierarchy/subtypes",
    "workspace/willRenameFiles",
    "workspace/symbol",
    "$/unknown",
    "initialize",
];

/// Random messages, torn, wrong, cancelled: the server lives, and answers rightly afterwards. `EDITOR_MESSAGES=50000`
/// makes a campaign, of so many messages for each kind, and `EDITOR_SERVER=target/release/cleave` a quick one: the
/// server of a debug build takes too long.
pub fn storm(kind: u64) -> Result<(), String> {
    let count: u64 =
        std::env::var("EDITOR_MESSAGES").ok().and_then(|text| text.parse().ok()).unwrap_or(size(500, 1_500));
    let mut server = Server::start(&format!("storm-{kind}"))?;
    server.initialize()?;
    let mut random = cleave_tests::random_goopea::Random::new(count + kind);
    let texts =
        ["(): Int\nmain = f(1, 2);\n", "class Main { function main(): unit = {} }", "func @f() {\nblock0:\n  ret\n}\n"];
    let names = ["a.goo", "b.sam", "c.ir", "d.abc"];
    // Files of the project that nobody opens.
    for (text, name) in texts.iter().zip(names) {
        fs::write(server.folder.join(format!("beside-{name}")), text).map_err(|error| error.to_string())?;
    }
    let mut bytes = Vec::new();
    for number in 0..count {
        let uri = server.uri(names[random.below(4)]);
        let (line, character) = (random.below(4), random.below(20));
        let place = format!("{{\"line\":{line},\"character\":{character}}}");
        let document = format!("\"textDocument\":{{\"uri\":\"{uri}\",\"version\":{number},\"languageId\":\"goopea\"");
        let mut text = match random.below(12) {
            0 => format!(
                "{{\"method\":\"textDocument/didOpen\",\"params\":{{{document},\"text\":{}}}}}}}",
                Value::from(texts[random.below(3)])
            ),
            1 => format!(
                "{{\"method\":\"textDocument/didChange\",\"params\":{{{document}}},\"contentChanges\":[{{\"range\":\
                 {{\"start\":{place},\"end\":{place}}},\"text\":\"{}\"}}]}}}}",
                ["x", "(", "}", "\\n", "é"][random.below(5)]
            ),
            2 => format!("{{\"method\":\"$/cancelRequest\",\"params\":{{\"id\":{}}}}}", random.below(count as usize)),
            3 => format!("{{\"method\":\"textDocument/didClose\",\"params\":{{{document}}}}}}}"),
            _ => format!(
                "{{\"id\":{number},\"method\":\"{}\",\"params\":{{{document}}},\"position\":{place},\"positions\":[{place}],\
                 \"range\":{{\"start\":{place},\"end\":{place}}},\"newName\":\"y\",\"query\":\"m\",\"item\":{{\"name\":\"f\",\
                 \"data\":{{\"path\":\"{}\",\"start\":{character}}}}},\"files\":[{{\"oldUri\":\"{uri}\",\"newUri\":\"{uri}2\"}}]}}}}",
                METHODS[random.below(METHODS.len())],
                uri.trim_start_matches("file://")
            ),
        };
        // Torn: cut, or with other letters; the length says what is sent.
        if random.once_in(10) {
            let mut end = random.below(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
        }
        let length = if random.once_in(50) { "x".to_string() } else { text.len().to_string() };
        if length != "x" || random.once_in(2) {
            bytes.extend(format!("Content-Length: {length}\r\n\r\n").into_bytes());
        }
        if length != "x" {
            bytes.extend(text.into_bytes());
        }
        // Answers are read meanwhile, so that neither side waits for the other.
        if bytes.len() > 1 << 14 || number + 1 == count {
            server.bytes(&std::mem::take(&mut bytes))?;
            while server.messages.try_recv().is_ok() {}
        }
    }
    server.open("last.goo", "(): Int\nmain = nobody;\n")?;
    server.request(
        4_000_000,
        "textDocument/hover",
        &format!(
            "{{\"textDocument\":{{\"uri\":\"{}\"}},\"position\":{{\"line\":1,\"character\":1}}}}",
            server.uri("last.goo")
        ),
    )?;
    loop {
        let message = match server.messages.recv_timeout(PATIENCE) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => return Err("there is no answer any more".into()),
            Err(RecvTimeoutError::Disconnected) => return Err("it is gone".into()),
        };
        if message.get(&["error", "code"]).map(Value::to_string).as_deref() == Some("-32603") {
            return Err(format!("a bug of the server: {message}"));
        }
        if message.get(&["id"]) == Some(&Value::from(4_000_000)) {
            let shown = message.to_string();
            if !shown.contains("(): Int main") {
                return Err(format!("a wrong answer: {shown}"));
            }
            break;
        }
    }
    server.end()
}
