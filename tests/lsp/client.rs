//! An editor: it reads a script, talks with `cleave lsp`, and writes down what it is told.

use cleave::driver::json::{Value, object};
use cleave_tests::process::compiler;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use std::{fs, thread};

const PATIENCE: Duration = Duration::from_secs(120);

struct Client {
    input: ChildStdin,
    messages: Receiver<Value>,
    /// What was said of files, and nobody has asked for yet.
    told: Vec<Value>,
    next: u32,
    /// The number of the last text of each file.
    versions: BTreeMap<String, u32>,
    folder: PathBuf,
}

/// Follows a script, and compares what the server says.
pub fn converse(script: &Path) -> Result<(), String> {
    let text = fs::read_to_string(script).map_err(|error| error.to_string())?;
    let name = script.file_stem().unwrap_or_default().display();
    // The path has a blank and a letter beyond ASCII.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lsp/ü {name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut server = compiler();
    server.env("CLEAVE_CACHE", folder.join("cache"));
    // Editors start the server anywhere, here in a folder around the project.
    server.current_dir(folder.parent().unwrap_or(&folder));
    server.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = server.spawn().map_err(|error| error.to_string())?;
    let (sender, messages) = channel();
    let mut output = BufReader::new(server.stdout.take().ok_or("no stdout")?);
    thread::spawn(move || {
        while let Some(message) = read(&mut output)
            && sender.send(message).is_ok()
        {}
    });
    let input = server.stdin.take().ok_or("no stdin")?;
    let mut client = Client { input, messages, told: Vec::new(), next: 0, versions: BTreeMap::new(), folder };
    let said = client.follow(&text);
    if said.is_err() {
        let _ = server.kill();
    }
    drop(client);
    let status = server.wait().map_err(|error| error.to_string())?;
    let said = said?;
    if status.code() != Some(0) {
        return Err(format!("the server ended with {status}, after\n{said}"));
    }
    let expectation = script.with_extension("expected");
    if std::env::var_os("BLESS").is_some() {
        return fs::write(expectation, said).map_err(|error| error.to_string());
    }
    let expected = fs::read_to_string(expectation).map_err(|error| error.to_string())?;
    if said == expected { Ok(()) } else { Err(format!("expected:\n{expected}\nfound:\n{said}")) }
}

/// A message, as strict as an editor may be.
pub fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut line = String::new();
    output.read_line(&mut line).ok()?;
    let length = line.strip_prefix("Content-Length: ")?.strip_suffix("\r\n")?.parse().ok()?;
    line.clear();
    output.read_line(&mut line).ok().filter(|_| line == "\r\n")?;
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).ok()?;
    Value::parse(&String::from_utf8(bytes).ok()?)
}

/// The numbers of colours: line, column and length of each word, and what it is.
fn coloured(answer: &Value) -> String {
    let numbers: Vec<usize> =
        answer.get(&["data"]).map_or(&[][..], Value::as_list).iter().filter_map(Value::as_index).collect();
    let (mut line, mut column) = (0, 0);
    let word = |word: &[usize]| {
        column = if word[0] == 0 { column + word[1] } else { word[1] };
        line += word[0];
        format!("{line}:{column}+{} {}", word[2], word[3])
    };
    numbers.chunks_exact(5).map(word).collect::<Vec<_>>().join("  ")
}

/// `3:12`
fn position(text: &str) -> Result<Value, String> {
    let (line, column) = text.split_once(':').ok_or_else(|| format!("no position: {text}"))?;
    let number = |text: &str| text.parse::<u32>().map(Value::from).map_err(|error| error.to_string());
    Ok(object([("line", number(line)?), ("character", number(column)?)]))
}

impl Client {
    fn send(&mut self, text: &str) -> Result<(), String> {
        let written = write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len());
        written.and_then(|()| self.input.flush()).map_err(|error| error.to_string())
    }

    fn notify(&mut self, method: &str, params: Value) -> Result<(), String> {
        let message = object([("jsonrpc", "2.0".into()), ("method", method.into()), ("params", params)]);
        self.send(&message.to_string())
    }

    /// Asks, and waits for the answer: its result, or its error.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.next += 1;
        let id = Value::from(self.next);
        let message = [("jsonrpc", "2.0".into()), ("id", id.clone()), ("method", method.into()), ("params", params)];
        self.send(&object(message).to_string())?;
        loop {
            let message = self.receive()?;
            if message.get(&["id"]) == Some(&id) {
                let error = message.get(&["error", "message"]).cloned();
                return message.get(&["result"]).cloned().or(error).ok_or("neither result nor error".into());
            }
            self.told.push(message);
        }
    }

    fn receive(&self) -> Result<Value, String> {
        self.messages.recv_timeout(PATIENCE).map_err(|error| format!("no message: {error}"))
    }

    /// Waits until something is said of the last text of a file; what was said of those before depends on the speed.
    fn errors(&mut self, uri: &str) -> Result<Value, String> {
        let version = self.versions.get(uri).map(|&version| Value::from(version));
        loop {
            let is_it = |message: &Value| message.get(&["params", "uri"]).and_then(Value::as_text) == Some(uri);
            if let Some(at) = self.told.iter().position(is_it) {
                let message = self.told.remove(at);
                if message.get(&["params", "version"]) != version.as_ref() {
                    continue;
                }
                return message.get(&["params", "diagnostics"]).cloned().ok_or("no diagnostics".into());
            }
            let message = self.receive()?;
            self.told.push(message);
        }
    }

    /// A number for a new text of a file.
    fn version(&mut self, uri: &str) -> u32 {
        let version = self.versions.entry(uri.to_string()).or_default();
        *version += 1;
        *version
    }

    fn uri(&self, name: &str) -> String {
        if name.contains(':') {
            return name.to_string();
        }
        let mut uri = String::from("file://");
        for letter in self.folder.join(name).to_string_lossy().chars() {
            match letter {
                ' ' => uri.push_str("%20"),
                'ü' => uri.push_str("%C3%BC"),
                letter => uri.push(letter),
            }
        }
        uri
    }

    /// Does what a script says; gives what is said.
    fn follow(&mut self, script: &str) -> Result<String, String> {
        let root = Value::Text(self.uri(""));
        self.ask("initialize", object([("rootUri", root), ("capabilities", object([]))]))?;
        self.notify("initialized", object([]))?;
        let mut said = String::new();
        let mut lines = script.lines();
        while let Some(line) = lines.next() {
            let mut words = line.splitn(4, ' ');
            let (Some(command), name) = (words.next(), words.next().unwrap_or_default()) else { continue };
            if command.is_empty() || command == "#" {
                continue;
            }
            let (place, rest) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let uri = self.uri(name);
            let mut text = || -> String {
                let lines = lines.by_ref().take_while(|line| *line != "---");
                lines.flat_map(|line| [line, "\n"]).collect()
            };
            let document = object([("uri", uri.as_str().into())]);
            let mut params = vec![("textDocument".to_string(), document.clone())];
            let method = match command {
                "file" => {
                    let path = self.folder.join(name);
                    let made = fs::create_dir_all(path.parent().unwrap_or(&self.folder));
                    made.and_then(|()| fs::write(path, text())).map_err(|error| error.to_string())?;
                    continue;
                }
                "open" => {
                    let document = object([
                        ("uri", uri.as_str().into()),
                        ("languageId", if place.is_empty() { "any" } else { place }.into()),
                        ("version", self.version(&uri).into()),
                        ("text", Value::Text(text())),
                    ]);
                    self.notify("textDocument/didOpen", object([("textDocument", document)]))?;
                    continue;
                }
                "close" => {
                    self.versions.remove(&uri);
                    self.notify("textDocument/didClose", Value::Object(params))?;
                    continue;
                }
                "change" => {
                    let (start, end) = place.split_once('-').ok_or("no range")?;
                    let range = object([("start", position(start)?), ("end", position(end)?)]);
                    let text = rest.replace("\\n", "\n");
                    let change = object([("range", range), ("text", Value::Text(text))]);
                    let version = self.version(&uri).into();
                    let document = object([("uri", uri.as_str().into()), ("version", version)]);
                    params = vec![("textDocument".into(), document)];
                    params.push(("contentChanges".into(), Value::List(vec![change])));
                    self.notify("textDocument/didChange", Value::Object(params))?;
                    continue;
                }
                "errors" => {
                    let found = self.errors(&uri)?;
                    self.say(line, &found, &mut said);
                    continue;
                }
                // `true` or `false`: whether hints say where memory is from.
                "memory" => {
                    let wanted = object([("memoryReport", Value::Bool(name == "true"))]);
                    self.notify(
                        "workspace/didChangeConfiguration",
                        object([("settings", object([("cleave", wanted)]))]),
                    )?;
                    continue;
                }
                "find" => {
                    let found = self.ask("workspace/symbol", object([("query", name.into())]))?;
                    self.say(line, &found, &mut said);
                    continue;
                }
                "colours" => {
                    let found = self.ask("textDocument/semanticTokens/full", Value::Object(params))?;
                    let _ = writeln!(said, "> {line}\n{}", coloured(&found));
                    continue;
                }
                "incoming" | "outgoing" | "supertypes" | "subtypes" => {
                    let hierarchy = if command.ends_with("types") { "Type" } else { "Call" };
                    params.push(("position".into(), position(place)?));
                    let prepare = format!("textDocument/prepare{hierarchy}Hierarchy");
                    let items = self.ask(&prepare, Value::Object(params))?;
                    let item = items.as_list().first().cloned().unwrap_or(Value::Null);
                    let method = match hierarchy {
                        "Type" => format!("typeHierarchy/{command}"),
                        _ => format!("callHierarchy/{command}Calls"),
                    };
                    let found = self.ask(&method, object([("item", item)]))?;
                    self.say(line, &found, &mut said);
                    continue;
                }
                "renameFile" => {
                    let new = Value::Text(self.uri(place));
                    let file = object([("oldUri", uri.as_str().into()), ("newUri", new)]);
                    let found = self.ask("workspace/willRenameFiles", object([("files", Value::List(vec![file]))]))?;
                    self.say(line, &found, &mut said);
                    continue;
                }
                "ask" => name.to_string(),
                "format" => "textDocument/formatting".into(),
                "formatRange" => "textDocument/rangeFormatting".into(),
                "symbols" => "textDocument/documentSymbol".into(),
                other => format!("textDocument/{other}"),
            };
            match command {
                "selectionRange" => params.push(("positions".into(), Value::List(vec![position(place)?]))),
                "formatRange" => {
                    let range = object([("start", position(place)?), ("end", position(rest)?)]);
                    params.push(("range".into(), range));
                }
                "codeAction" => {
                    let range = object([("start", position(place)?), ("end", position(place)?)]);
                    params.push(("range".into(), range));
                    let mut context = vec![("diagnostics".to_string(), Value::List(Vec::new()))];
                    if !rest.is_empty() {
                        context.push(("only".into(), Value::List(vec![rest.into()])));
                    }
                    params.push(("context".into(), Value::Object(context)));
                }
                _ if !place.is_empty() => params.push(("position".into(), position(place)?)),
                _ => {}
            }
            match command {
                "rename" => params.push(("newName".into(), rest.into())),
                "references" => {
                    params.push(("context".into(), object([("includeDeclaration", Value::Bool(rest != "uses"))])));
                }
                _ => {}
            }
            let mut found = self.ask(&method, Value::Object(params))?;
            if let (Value::List(items), false) =
                (&mut found, rest.is_empty() || ["references", "formatRange", "codeAction"].contains(&command))
            {
                let begins = |item: &Value| item.get(&["label"]).and_then(Value::as_text)?.strip_prefix(rest).map(drop);
                items.retain(|item| begins(item).is_some());
            }
            self.say(line, &found, &mut said);
        }
        self.ask("shutdown", Value::Null)?;
        self.notify("exit", Value::Null)?;
        Ok(said)
    }

    /// Writes an answer down: texts and places, each thing on a line of its own.
    fn say(&self, line: &str, answer: &Value, said: &mut String) {
        let _ = writeln!(said, "> {line}");
        self.show(answer, 0, said);
    }

    fn show(&self, value: &Value, depth: usize, said: &mut String) {
        let indent = "  ".repeat(depth);
        match value {
            Value::List(items) if items.is_empty() => _ = writeln!(said, "{indent}nothing"),
            Value::List(items) => items.iter().for_each(|item| self.show(item, depth, said)),
            Value::Object(fields) if fields.iter().all(|(name, _)| ["start", "end"].contains(&&name[..])) => {
                let _ = writeln!(said, "{indent}{}", self.plain(value));
            }
            Value::Object(fields) => {
                let text =
                    |name: &str| value.get(&[name]).map(|value| self.plain(value)).filter(|text| !text.is_empty());
                let names = [
                    "range",
                    "selectionRange",
                    "startLine",
                    "endLine",
                    "title",
                    "activeParameter",
                    "position",
                    "containerName",
                    "code",
                    "kind",
                    "name",
                    "label",
                    "detail",
                    "documentation",
                    "message",
                    "uri",
                    "target",
                ];
                let shown: Vec<String> = names.iter().filter_map(|name| text(name)).collect();
                let _ = writeln!(said, "{indent}{}", shown.join("  "));
                for (name, value) in fields {
                    match (name.as_str(), value) {
                        ("children" | "relatedInformation", Value::List(items)) if items.is_empty() => {}
                        (
                            "children"
                            | "relatedInformation"
                            | "contents"
                            | "location"
                            | "parent"
                            | "from"
                            | "to"
                            | "fromRanges"
                            | "signatures"
                            | "edit"
                            | "changes"
                            | "additionalTextEdits",
                            _,
                        ) => self.show(value, depth + 1, said),
                        (uri, Value::List(_)) if uri.contains(':') => {
                            let _ = writeln!(said, "{indent}{}", self.plain(&Value::Text(uri.to_string())));
                            self.show(value, depth + 1, said);
                        }
                        ("newText" | "value", _) => {
                            for line in self.plain(value).lines() {
                                let _ = writeln!(said, "{indent}  |{line}");
                            }
                        }
                        _ => {}
                    }
                }
            }
            other => _ = writeln!(said, "{indent}{}", self.plain(other)),
        }
    }

    /// A text, a number, or a range as `1:2-3:4`.
    fn plain(&self, value: &Value) -> String {
        let number = |path: &[&str]| value.get(path).and_then(Value::as_index).unwrap_or_default();
        match value {
            Value::Text(text) => {
                let folder = self.folder.display().to_string();
                text.replace(&self.uri(""), "FOLDER/").replace(&folder, "FOLDER").replace("FOLDER//", "FOLDER/")
            }
            Value::Object(fields) if fields.iter().any(|(name, _)| name == "line") => {
                format!("{}:{}", number(&["line"]), number(&["character"]))
            }
            Value::Object(_) => {
                let [a, b] = ["start", "end"].map(|end| (number(&[end, "line"]), number(&[end, "character"])));
                format!("{}:{}-{}:{}", a.0, a.1, b.0, b.1)
            }
            other => other.to_string(),
        }
    }
}
