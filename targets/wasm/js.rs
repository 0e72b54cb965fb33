//! The loader for JavaScript: an ES module and its declarations for TypeScript, written beside a program.
//!
//! Both are templates in `js/`. The module must stay below 10 KiB, so what only its readers need is left out of the
//! written file: comments, blanks beside punctuation, and the length of the names in `PRIVATE`; without `--trace`
//! also the code for traces, and one of the two ways to run as a script. The template must therefore keep some rules,
//! which tests check: comments have their own lines, statements end with semicolons, regular expressions have no
//! blanks beside punctuation and contain no private names.

use rustc_hash::FxHashMap;

/// The module as it is written here.
pub const MODULE: &str = include_str!("js/loader.mjs");
const DECLARATIONS: &str = include_str!("js/loader.d.ts");

/// Names of the template that nobody outside of it sees: neither a property of an object of others, nor an option.
pub const PRIVATE: &[&str] = &[
    "alive",
    "answer",
    "append",
    "begin",
    "Bytes",
    "bytes",
    "bytesOf",
    "calls",
    "changed",
    "channels",
    "chunk",
    "chunks",
    "compiled",
    "content",
    "cookie",
    "count",
    "create",
    "creation",
    "descriptors",
    "device",
    "directly",
    "ending",
    "error",
    "ERRORS",
    "exit",
    "fail",
    "fails",
    "fault",
    "file",
    "fileOfNode",
    "filesInMemory",
    "filesOfNode",
    "find",
    "flag",
    "folder",
    "follow",
    "from",
    "gather",
    "given",
    "host",
    "importsOf",
    "initial",
    "input",
    "instance",
    "isScript",
    "isV8",
    "joined",
    "known",
    "larger",
    "last",
    "linear",
    "lines",
    "list",
    "long",
    "meaning",
    "method",
    "names",
    "normal",
    "number",
    "offset",
    "open",
    "opened",
    "output",
    "own",
    "part",
    "parts",
    "path",
    "pathOf",
    "patiently",
    "perform",
    "pieces",
    "place",
    "position",
    "post",
    "preopen",
    "PROGRAM",
    "qualified",
    "queue",
    "real",
    "receive",
    "record",
    "recordOf",
    "rename",
    "rest",
    "result",
    "room",
    "script",
    "seek",
    "shared",
    "sink",
    "source",
    "start",
    "stat",
    "state",
    "storage",
    "streams",
    "strings",
    "table",
    "take",
    "target",
    "task",
    "text",
    "textOf",
    "thread",
    "traced",
    "transfer",
    "treat",
    "used",
    "view",
    "whence",
    "whole",
    "word",
    "worker",
    "world",
    "writer",
];

/// What the loader needs to know of its program.
#[derive(Clone, Debug)]
pub struct Loader<'a> {
    /// The program's own name, without ending.
    pub name: &'a str,
    /// The file name of the `.wasm`, in the same folder as the loader.
    pub wasm: &'a str,
    /// List the innermost functions under the message of a run-time error. The name is that of the Wasm module, with
    /// which V8 qualifies those of functions.
    pub trace: Option<&'a str>,
    /// The program says how to find captured functions, too (`Options::traces`).
    pub frames: bool,
    /// Functions that recurse can be captured (the pass `stackless`), so any stack is large enough.
    pub captures: bool,
}

impl Loader<'_> {
    /// The ES module.
    pub fn module(&self) -> String {
        let template = shrunk(&wanted(MODULE, self));
        let text = template
            .replace("{{NAME}}", &quoted(self.name))
            .replace("{{WASM}}", &quoted(&url(self.wasm)))
            .replace("{{TRACE}}", &quoted(self.trace.unwrap_or_default()));
        format!("// Runs {} in node 20 and later and in browsers. Written by Cleave.\n{text}\n", one_line(self.wasm))
    }

    /// Its declarations.
    pub fn declarations(&self) -> String {
        DECLARATIONS.replace("{{NAME}}", &one_line(self.name))
    }
}

/// Text inside of a string literal of JavaScript.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            // Control characters, and what old engines take for the end of a line.
            _ if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            _ => out.push(c),
        }
    }
    out
}

/// Text inside of a comment.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '*') { '_' } else { c }).collect()
}

/// A file name as a relative URL.
fn url(name: &str) -> String {
    let mut out = String::from("./");
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// The template without the code that this program does not need: lines after a comment that says who needs them.
fn wanted(template: &str, loader: &Loader) -> String {
    let mut is_wanted = true;
    let lines = template.lines().filter(|line| {
        match line.trim() {
            "// With traces:" => is_wanted = loader.trace.is_some(),
            "// With frames:" => is_wanted = loader.trace.is_some() && loader.frames,
            "// With captures:" => is_wanted = loader.captures,
            "// Without captures:" => is_wanted = !loader.captures,
            "// In any case:" => is_wanted = true,
            _ => {}
        }
        is_wanted
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The template without what only readers need.
fn shrunk(template: &str) -> String {
    let code = template.lines().map(str::trim).filter(|line| !line.is_empty() && !is_comment(line));
    let code = code.collect::<Vec<_>>().join("\n");
    let names = short_names(&code);
    let mut out = String::new();
    let mut chars = code.char_indices().peekable();
    let mut quote = None;
    while let Some((at, c)) = chars.next() {
        if is_name(c) && quote != Some('"') {
            let end = code[at..].find(|c| !is_name(c)).map_or(code.len(), |length| at + length);
            let word = &code[at..end];
            out.push_str(names.get(word).map_or(word, String::as_str));
            while chars.next_if(|next| next.0 < end).is_some() {}
        } else if c == '\\' {
            out.push(c);
            out.extend(chars.next().map(|next| next.1));
        } else if matches!(c, '"' | '`') && quote.is_none_or(|open| open == c) {
            quote = if quote.is_none() { Some(c) } else { None };
            out.push(c);
        } else if c.is_whitespace() && quote.is_none() {
            let next = chars.peek().map_or(';', |next| next.1);
            if out.chars().next_back().is_some_and(is_name) && is_name(next) {
                out.push(c);
            }
        } else if c == '(' && quote.is_none() && !out.ends_with("async") {
            // A single parameter needs no parentheses.
            let rest = &code[at + 1..];
            let word = &rest[..rest.find(|c| !is_name(c)).unwrap_or(0)];
            if !word.is_empty() && rest[word.len()..].starts_with(") =>") {
                out.push_str(names.get(word).map_or(word, String::as_str));
                let end = at + 1 + word.len() + 1;
                while chars.next_if(|next| next.0 < end).is_some() {}
            } else {
                out.push(c);
            }
        } else {
            let last = out.chars().next_back();
            let is_spare = last == Some(';') && c == '}' && !out.ends_with(";;") || last == Some(',');
            if matches!(c, '}' | ']') && quote.is_none() && is_spare {
                out.pop();
            }
            out.push(c);
        }
    }
    out
}

fn is_comment(line: &str) -> bool {
    line.starts_with("//") || (line.starts_with("/**") && line.ends_with("*/"))
}

/// Whether names of JavaScript have this character.
pub fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// A short name for each private one, none of which occurs in the template already. (And `let` does for `const`.)
fn short_names(code: &str) -> FxHashMap<&'static str, String> {
    let words: rustc_hash::FxHashSet<&str> = code.split(|c| !is_name(c)).collect();
    let letters = || ('a'..='z').chain('A'..='Z');
    let one = letters().map(String::from);
    let two = letters().flat_map(|first| letters().map(move |second| format!("{first}{second}")));
    let mut free = one.chain(two).filter(|name| !words.contains(name.as_str()));
    // The most frequent names become the shortest.
    let mut private: Vec<_> = PRIVATE.iter().map(|name| (code.matches(name).count(), *name)).collect();
    private.sort_by(|a, b| b.cmp(a));
    let names = private.into_iter().filter_map(|(_, name)| Some((name, free.next()?)));
    names.chain([("const", "let".to_string())]).collect()
}
