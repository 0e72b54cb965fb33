//! What reads bytes that others have written: each surface takes any bytes, and gives a result or an error, never a
//! panic. The targets in `fuzz/` and the test `fuzz_smoke` run the same functions; those of the linker are in
//! `fuzz/linker.rs`, because this library knows no machine.

use super::{Choices, bytes, ir, text};
use crate::random_goopea::Random;
use cleave::cli::lsp::{self, transport};
use cleave::driver::json::Value;
use cleave_diag::{Sink, SourceMap};
use cleave_ir::text::{parse_module_with_errors, print_module};
use cleave_ir::verify::verify_module;
use std::fs;
use std::path::{Path, PathBuf};

pub struct Surface {
    pub name: &'static str,
    /// Bytes that are right.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// True if the bytes are right.
    pub run: fn(&[u8]) -> bool,
}

pub const SURFACES: [Surface; 7] = [
    Surface { name: "ir", seeds: ir_seeds, run: ir },
    Surface { name: "abc", seeds: || files("tests/corpus", "abc"), run: abc },
    Surface { name: "goopea", seeds: || files("tests/goopea", "goo"), run: goopea },
    Surface { name: "samlang", seeds: samlang_seeds, run: samlang },
    Surface { name: "json", seeds: json_seeds, run: json },
    Surface { name: "messages", seeds: message_seeds, run: messages },
    Surface { name: "server", seeds: server_seeds, run: server },
];

/// The function of a surface.
pub fn find(name: &str) -> fn(&[u8]) -> bool {
    let found = SURFACES.iter().find(|surface| surface.name == name);
    found.unwrap_or_else(|| panic!("there is no surface {name}")).run
}

/// Mutant `number` of the seeds of a surface.
pub fn mutant(seeds: &[Vec<u8>], number: u64) -> Vec<u8> {
    let mut choices = Choices::of_seed(number.wrapping_mul(0xD134_2543_DE82_EF95));
    let mut found = seeds[choices.below(seeds.len())].clone();
    match number % 3 {
        0 => {}
        1 => bytes::mutate(&mut found, &mut choices),
        _ => {
            let mut random = Random::new(number);
            const WORDS: [&str; 12] = ["(", ")", "{", "}", "\"", "0", "-1", ",", ":", "\n", "v0", "99999999999"];
            text::change(&mut found, seeds, &WORDS, &mut random);
        }
    }
    found
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests is a folder of the workspace")
}

/// The files of an ending in a folder, in their order; not the largest.
pub fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let read = fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut paths: Vec<PathBuf> = read.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    paths.sort();
    let mut found: Vec<Vec<u8>> = paths.iter().filter_map(|path| fs::read(path).ok()).collect();
    found.retain(|bytes| bytes.len() < 20_000);
    assert!(!found.is_empty(), "{folder} has no files of {ending}");
    found
}

fn ir_seeds() -> Vec<Vec<u8>> {
    ir::Seeds::all().texts().map(String::into_bytes).collect()
}

/// Text of IR, with its interface: what is read is printed so that it is read again.
fn ir(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok((module, lines)) = parse_module_with_errors(text) else { return false };
    if let Err(errors) = verify_module(&module) {
        for error in &errors {
            let func = module.funcs.iter().find(|(_, func)| func.name == error.func).map(|(id, _)| id);
            drop((lines.of_error(func, error), error.to_string()));
        }
        return false;
    }
    let printed = print_module(&module);
    let again = parse_module_with_errors(&printed).unwrap_or_else(|errors| panic!("own output: {}", errors[0]));
    assert_eq!(print_module(&again.0), printed, "own output changes");
    true
}

fn abc(bytes: &[u8]) -> bool {
    super::parse(bytes) == super::Verdict::Accepted
}

/// No file but one's own.
pub struct Alone;

impl cleave_samlang::Files for Alone {
    fn read(&mut self, _: &Path) -> Result<Option<(String, Vec<u8>)>, String> {
        Ok(None)
    }
}

impl cleave_goopea::Files for Alone {
    fn read(&mut self, _: &Path) -> Result<Vec<u8>, String> {
        Err("no other file".into())
    }
}

/// The form, which formatting does not change, and the program.
fn goopea(bytes: &[u8]) -> bool {
    let form = |bytes: &[u8]| {
        let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
        let main = sources.add("x.goo", bytes.to_vec());
        cleave_goopea::format(main, &sources, &mut sink)
    };
    if let Some(once) = form(bytes) {
        assert_eq!(form(once.as_bytes()).as_ref(), Some(&once), "formatting again changes it");
    }
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let main = sources.add("x.goo", bytes.to_vec());
    let found = cleave_goopea::read("x", main, Path::new("x.goo"), &mut Alone, &mut sources, &mut sink);
    assert!(found.is_some() || sink.has_errors(), "neither a program nor an error");
    found.is_some()
}

fn samlang_seeds() -> Vec<Vec<u8>> {
    ["tests/samlang", "tests/samlang/today", "library/samlang"].iter().flat_map(|folder| files(folder, "sam")).collect()
}

fn samlang(bytes: &[u8]) -> bool {
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let main = sources.add("x.sam", bytes.to_vec());
    let checked = cleave_samlang::check("x", main, &mut Alone, &mut sources, &mut sink);
    let program = checked.and_then(|checked| cleave_samlang::instantiate("x", &checked, &mut sink));
    assert!(program.is_some() || sink.has_errors(), "neither a program nor an error");
    program.is_some()
}

fn json_seeds() -> Vec<Vec<u8>> {
    [
        "null",
        "[1, -2, 3e5, \"a\\u00e9\\n\", {\"b\": [true, false, null], \"\": {}}]",
        "\"\\ud83d\\ude00 \\\\\"",
        "{\"a\":{\"b\":[[[[]]]]}}",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect()
}

/// What is written is read as the same.
fn json(bytes: &[u8]) -> bool {
    let Some(value) = std::str::from_utf8(bytes).ok().and_then(Value::parse) else { return false };
    let text = value.to_string();
    let again = Value::parse(&text).unwrap_or_else(|| panic!("own output: {text}"));
    assert_eq!(again.to_string(), text, "own output changes");
    true
}

fn message_seeds() -> Vec<Vec<u8>> {
    let message = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
    let first = message("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}");
    let second = message("{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}");
    vec![first.clone().into_bytes(), (first + "Content-Type: x\r\n" + &second).into_bytes()]
}

/// Messages as the server takes them from its input.
fn messages(bytes: &[u8]) -> bool {
    let mut input = bytes;
    let (mut all, mut right) = (0, 0);
    while let Some(message) = transport::read(&mut input) {
        all += 1;
        right += usize::from(matches!(message, transport::Incoming::Message(_)));
    }
    all > 0 && all == right
}

const ENDINGS: [&str; 4] = ["goo", "sam", "ir", "abc"];
const METHODS: [&str; 12] = [
    "documentSymbol",
    "semanticTokens/full",
    "foldingRange",
    "formatting",
    "hover",
    "completion",
    "definition",
    "references",
    "documentHighlight",
    "selectionRange",
    "inlayHint",
    "codeAction",
];

/// Ending, method and place, then the file.
fn server_seeds() -> Vec<Vec<u8>> {
    let of = [files("tests/goopea", "goo"), samlang_seeds(), ir_seeds(), files("tests/corpus", "abc")];
    let mut seeds = Vec::new();
    for (ending, texts) in of.iter().enumerate() {
        for (number, text) in texts.iter().filter(|text| text.len() < 3000).take(24).enumerate() {
            let head = [ending as u8, (number % METHODS.len()) as u8, (number * 7 % 40) as u8, (number * 5 % 30) as u8];
            seeds.push([&head[..], text].concat());
        }
    }
    seeds
}

/// What an editor asks about a file.
fn server(bytes: &[u8]) -> bool {
    let [ending, method, line, column, text @ ..] = bytes else { return false };
    let ending = ENDINGS[usize::from(*ending) % ENDINGS.len()];
    let method = METHODS[usize::from(*method) % METHODS.len()];
    let folder = std::env::temp_dir().join(format!("cleave-fuzz-{}", std::process::id()));
    let file = folder.join(format!("x.{ending}"));
    fs::create_dir_all(&folder).and_then(|()| fs::write(&file, text)).expect("a file of our own");
    let place = format!("{{\"line\":{line},\"character\":{column}}}");
    let question = format!(
        "{{\"method\":\"textDocument/{method}\",\"params\":{{\"textDocument\":{{\"uri\":\"file://{}\"}},\"position\":{place},\
         \"positions\":[{place}],\"range\":{{\"start\":{place},\"end\":{place}}},\"context\":{{\"diagnostics\":[],\
         \"includeDeclaration\":true}},\"options\":{{\"tabSize\":4,\"insertSpaces\":true}}}}}}",
        file.display()
    );
    let answer = lsp::answer(&question);
    assert!(Value::parse(&answer).is_some(), "the answer is no JSON: {answer}");
    answer != "null"
}
