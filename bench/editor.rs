//! The language server with a long file: how long it takes from a key to the diagnostics of its text, and from a
//! question to what may be typed.
//!
//! Keys are typed behind expressions all over the file, a few at each place, and taken back by one edit. The server is
//! this binary, started again, or that of another `cleave`. Times are of the whole way: from before a message is
//! written until its answer was read.

use crate::args::OutputArgs;
use crate::generated::{Language, make_goopea, make_typed_samlang};
use crate::input::Scratch;
use crate::json::Json;
use crate::machine::Machine;
use crate::report::{Table, publish};
use crate::runner::progress;
use crate::stats::{Summary, median, percentile};
use anyhow::{Context, Result, bail};
use clap::Args;
use cleave::cli::lsp::transport::{self, Incoming};
use cleave::driver::json::{Value, object};
use std::cell::Cell;
use std::fs;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The name of the hidden command that is the server.
pub const SERVER: &str = "editor-server";

#[derive(Args, Clone, Debug)]
pub struct EditorArgs {
    /// Lines of the files
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub lines: usize,
    /// Places of each file at which something is typed
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub places: usize,
    /// The languages of the files
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', default_values = ["samlang", "goopea"])]
    pub languages: Vec<Language>,
    /// Measure the server of this `cleave`, not of this binary
    #[arg(long, value_name = "FILE")]
    pub cleave: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What is typed at each place, key by key.
const KEYS: [&str; 4] = [" ", "+", " ", "n"];
const PATIENCE: Duration = Duration::from_secs(60);

/// What is measured.
const NAMES: [&str; 3] = ["key → diagnostics", "completion", "key and completion at once"];

/// A file that is typed in: its name, what editors call its language, its text, and where one types.
struct Typed {
    name: &'static str,
    language: &'static str,
    text: String,
    places: Vec<(usize, usize)>,
}

struct Server {
    child: Child,
    input: ChildStdin,
    messages: Receiver<(Value, Instant)>,
    next: u32,
    version: u32,
    /// The text of which was said last what is wrong with it.
    diagnosed: Cell<Option<usize>>,
    uri: String,
}

pub fn main(args: &EditorArgs) -> Result<()> {
    let mut machine = Machine::new(false);
    let scratch = Scratch::new()?;
    let mut tables = Vec::new();
    let mut all = Vec::new();
    for &language in &args.languages {
        let file = typed(language, &scratch.path, args)?;
        progress(file.name);
        let times = measure(&file, &scratch.path, args.cleave.as_deref())?;
        let title = format!("{}, {} lines, milliseconds", language.text(), file.text.lines().count());
        let mut table = Table::new(title, &["", "median", "99 of 100", "most", "samples"]);
        for (name, times) in NAMES.iter().zip(&times) {
            let most = Summary::of(times).max;
            let shown = [median(times), percentile(times, 99), most].map(|time| format!("{:.1}", 1e3 * time));
            table.rows.push([name.to_string()].into_iter().chain(shown).chain([times.len().to_string()]).collect());
        }
        tables.push(table);
        let samples = NAMES
            .iter()
            .zip(&times)
            .map(|(name, times)| Json::object([("what", Json::text(*name)), ("seconds", Json::numbers(times))]));
        all.push(Json::object([
            ("language", Json::text(language.text())),
            ("lines", Json::Integer(file.text.lines().count() as u64)),
            ("samples", Json::List(samples.collect())),
        ]));
    }
    progress("");
    machine.end();
    let json = Json::object([
        ("version", Json::Integer(1)),
        ("kind", Json::text("editor")),
        ("machine", machine.json()),
        ("files", Json::List(all)),
    ]);
    publish("Language server", &machine.line(), &tables, &json, &args.output)
}

/// The file of a language, and the ends of expressions in it, evenly spread.
fn typed(language: Language, folder: &Path, args: &EditorArgs) -> Result<Typed> {
    let (name, id, large, behind) = match language {
        Language::Goopea => ("large.goo", "goopea", make_goopea(folder, args.lines)?, " in"),
        Language::Samlang => ("Typed.sam", "samlang", make_typed_samlang(folder, args.lines)?, ";"),
        Language::Clean => bail!("nobody types ABC text"),
    };
    let text = fs::read_to_string(&large.main)?;
    let ends = text.lines().enumerate().filter_map(|(line, text)| {
        let binds = text.trim_start().starts_with("let ");
        Some((line, text.strip_suffix(behind).filter(|_| binds)?.len()))
    });
    let ends: Vec<(usize, usize)> = ends.collect();
    if ends.is_empty() {
        bail!("{name} has no place at which one could type");
    }
    let places = (0..args.places).map(|number| ends[number * 7919 % ends.len()]).collect();
    Ok(Typed { name, language: id, text, places })
}

/// The times of all three things, in seconds.
fn measure(file: &Typed, folder: &Path, cleave: Option<&Path>) -> Result<[Vec<f64>; 3]> {
    let mut server = Server::start(folder, file, cleave)?;
    let mut times = [const { Vec::new() }; 3];
    for &(line, column) in &file.places {
        let mut at = column;
        for key in KEYS {
            let begin = Instant::now();
            server.change(line, at..at, key)?;
            times[0].push(server.diagnosed()?.duration_since(begin).as_secs_f64());
            at += key.len();
        }
        let begin = Instant::now();
        times[1].push(server.completed(line, at)?.duration_since(begin).as_secs_f64());
        let begin = Instant::now();
        server.change(line, at..at, "o")?;
        times[2].push(server.completed(line, at + 1)?.duration_since(begin).as_secs_f64());
        // It may have been said before the answer.
        if server.diagnosed.get() != Some(server.version as usize) {
            server.diagnosed()?;
        }
        server.change(line, column..at + 1, "")?;
        server.diagnosed()?;
    }
    server.end()?;
    Ok(times)
}

fn position(line: usize, column: usize) -> Value {
    object([("line", (line as u32).into()), ("character", (column as u32).into())])
}

impl Server {
    /// A server that has opened the file and said what is wrong with it.
    fn start(folder: &Path, file: &Typed, cleave: Option<&Path>) -> Result<Server> {
        let (program, word) = match cleave {
            Some(cleave) => (cleave.canonicalize()?, "lsp"),
            None => (std::env::current_exe()?, SERVER),
        };
        let mut command = Command::new(program);
        command.arg(word).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("the server does not start")?;
        let input = child.stdin.take().context("no stdin")?;
        let mut output = BufReader::new(child.stdout.take().context("no stdout")?);
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(incoming) = transport::read(&mut output) {
                let now = Instant::now();
                if let Incoming::Message(message) = incoming
                    && sender.send((message, now)).is_err()
                {
                    return;
                }
            }
        });
        let uri = format!("file://{}", folder.join(file.name).display());
        let mut server = Server { child, input, messages, next: 0, version: 1, diagnosed: Cell::new(None), uri };
        let root = Value::Text(format!("file://{}", folder.display()));
        server.ask("initialize", object([("rootUri", root), ("capabilities", object([]))]))?;
        server.tell("initialized", object([]))?;
        let document = object([
            ("uri", server.uri.as_str().into()),
            ("languageId", file.language.into()),
            ("version", server.version.into()),
            ("text", file.text.as_str().into()),
        ]);
        server.tell("textDocument/didOpen", object([("textDocument", document)]))?;
        server.diagnosed()?;
        Ok(server)
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        Ok(self.input.flush()?)
    }

    fn tell(&mut self, method: &str, params: Value) -> Result<()> {
        self.send(&object([("jsonrpc", "2.0".into()), ("method", method.into()), ("params", params)]))
    }

    /// Asks, and waits for the answer; when it came.
    fn ask(&mut self, method: &str, params: Value) -> Result<Instant> {
        self.next += 1;
        let id = Value::from(self.next);
        let message = [("jsonrpc", "2.0".into()), ("id", id.clone()), ("method", method.into()), ("params", params)];
        self.send(&object(message))?;
        self.wait(|message| message.get(&["id"]) == Some(&id) && message.get(&["method"]).is_none())
    }

    fn wait(&self, is_it: impl Fn(&Value) -> bool) -> Result<Instant> {
        loop {
            let (message, time) = self.messages.recv_timeout(PATIENCE).context("the server is silent")?;
            if message.get(&["error"]).is_some() {
                bail!("the server refuses: {message}");
            }
            if let Some(version) = message.get(&["params", "version"]).and_then(Value::as_index) {
                self.diagnosed.set(Some(version));
            }
            if is_it(&message) {
                return Ok(time);
            }
        }
    }

    fn change(&mut self, line: usize, columns: std::ops::Range<usize>, text: &str) -> Result<()> {
        self.version += 1;
        let range = object([("start", position(line, columns.start)), ("end", position(line, columns.end))]);
        let change = object([("range", range), ("text", text.into())]);
        let document = object([("uri", self.uri.as_str().into()), ("version", self.version.into())]);
        let params = object([("textDocument", document), ("contentChanges", Value::List(vec![change]))]);
        self.tell("textDocument/didChange", params)
    }

    /// Waits for what is said of the last text.
    fn diagnosed(&self) -> Result<Instant> {
        let version = Value::from(self.version);
        self.wait(|message| message.get(&["params", "version"]) == Some(&version))
    }

    fn completed(&mut self, line: usize, column: usize) -> Result<Instant> {
        let document = object([("uri", self.uri.as_str().into())]);
        let params = object([("textDocument", document), ("position", position(line, column))]);
        self.ask("textDocument/completion", params)
    }

    fn end(mut self) -> Result<()> {
        self.ask("shutdown", Value::Null)?;
        self.tell("exit", Value::Null)?;
        match self.child.wait()?.success() {
            true => Ok(()),
            false => bail!("the server ended badly"),
        }
    }
}

/// The server itself.
pub fn serve() -> ! {
    std::process::exit(cleave::cli::lsp::run())
}
