//! Matches over opcodes that have a wildcard: a new instruction falls into it without a word of the compiler. They may
//! become fewer, never more. Better are a match over a group (`Opcode::group`), which names all of it, a question to
//! the table (`Flags`, `Memory`), or `CallTarget`.

use super::files;
use cleave_ir::Opcode;
use std::collections::BTreeMap;

const PATTERN: &str = "it rewrites what it recognises, and all else stays as it is";
const FACT: &str = "it learns from what it recognises, and nothing from all else";
const OPEN: &str = "nobody has looked for a better form yet";

/// Files or folders with the number of such matches that are allowed in them, and why. The first row that fits counts.
const WILDCARDS: &[(&str, usize, &str)] = &[
    ("src/ir/opcode.rs", 6, "questions about one opcode, for all to ask"),
    ("src/ir/call_target.rs", 1, "what calls nothing"),
    ("src/passes/opt/", 29, PATTERN),
    ("targets/wasm/isel.rs", 7, PATTERN),
    ("targets/native/lower/address.rs", 6, PATTERN),
    ("src/passes/analysis/", 8, FACT),
    ("src/passes/", 62, OPEN),
    ("src/ir/", 31, OPEN),
    ("targets/", 27, OPEN),
];

/// The text with blanks in place of comments, strings and characters.
fn code_of(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let is_raw = (rest.starts_with("r\"") || rest.starts_with("r#")) && !is_word(bytes, at.wrapping_sub(1));
        let length = match bytes[at] {
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'"' => 1 + quoted(&bytes[at + 1..], b'"'),
            b'r' if is_raw => {
                let hashes = bytes[at + 1..].iter().take_while(|&&byte| byte == b'#').count();
                let end = format!("\"{}", "#".repeat(hashes));
                rest[hashes + 2..].find(&end).map_or(rest.len(), |found| hashes + 2 + found + end.len())
            }
            // Not a lifetime.
            b'\'' if rest[1..].starts_with('\\') || rest.chars().nth(2) == Some('\'') => {
                1 + quoted(&bytes[at + 1..], b'\'')
            }
            _ => 0,
        };
        code[at..at + length].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at += length.max(rest.chars().next().map_or(1, char::len_utf8));
    }
    String::from_utf8_lossy(&code).into_owned()
}

/// Length of what is quoted, with the quote behind it.
fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

fn is_word(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Where what stands before a place outside of all brackets, from `at` on, is followed by one of these, or the end.
fn until(code: &[u8], mut at: usize, ends: impl Fn(&[u8]) -> bool) -> usize {
    let mut depth = 0;
    while at < code.len() && (depth > 0 || !ends(&code[at..])) {
        match code[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return at,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    at
}

/// The patterns of the arms of a match whose body begins here.
fn patterns(code: &str, mut at: usize) -> Vec<&str> {
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    loop {
        let arrow = until(bytes, at, |rest| rest.starts_with(b"=>"));
        if !code[arrow..].starts_with("=>") {
            return found;
        }
        found.push(code[at..arrow].trim());
        let body = arrow + 2 + code[arrow + 2..].find(|c: char| !c.is_whitespace()).unwrap_or(0);
        at = match bytes[body] {
            b'{' => until(bytes, body + 1, |_| false) + 1,
            _ => until(bytes, body, |rest| rest[0] == b','),
        };
        at += code[at..].find(|c: char| !c.is_whitespace() && c != ',').unwrap_or(0);
    }
}

/// A wildcard, or a mere name, or a tuple of wildcards.
fn is_wildcard(pattern: &str) -> bool {
    let parts = pattern.trim_start_matches('(').trim_end_matches(')').split(',').map(str::trim);
    let is_tuple = pattern.starts_with('(');
    parts.filter(|part| !part.is_empty()).all(|part| {
        part == "_"
            || !is_tuple && part.starts_with(|c: char| c.is_lowercase()) && part.bytes().all(|c| is_word(&[c], 0))
    })
}

/// Lines of the matches with a wildcard that name an opcode.
fn wildcards(text: &str) -> Vec<usize> {
    let code = code_of(text);
    let is_bare = code.contains("Opcode::*");
    let names: Vec<String> = Opcode::ALL.iter().map(|op| format!("{op:?}")).collect();
    let names_opcode = |pattern: &str| {
        let words = pattern.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        words.into_iter().any(|word| match word.strip_prefix("Opcode::") {
            Some(name) => names.iter().any(|known| known == name),
            None => is_bare && names.iter().any(|known| known == word),
        })
    };
    let starts = code.match_indices("match ").filter(|&(at, _)| !is_word(code.as_bytes(), at.wrapping_sub(1)));
    let mut found = Vec::new();
    for (at, _) in starts {
        let open = until(code.as_bytes(), at, |rest| rest[0] == b'{');
        let patterns = patterns(&code, open + 1);
        if patterns.iter().any(|pattern| names_opcode(pattern)) && patterns.iter().any(|pattern| is_wildcard(pattern)) {
            found.push(1 + code[..at].matches('\n').count());
        }
    }
    found
}

#[test]
fn matches_over_opcodes_name_them_all() {
    assert_eq!(wildcards("match op {\n    Opcode::Iadd => '\"',\n    _ => 'a',\n}"), [1]);
    assert_eq!(wildcards("match op.group() { Group::Real(_) => 1, Group::Integer(_) => 2 }"), []);
    let is_source = |file: &str| !file.contains("/tests/") && !file.ends_with("/tests.rs");
    let mut counts = BTreeMap::<&str, Vec<String>>::new();
    for (file, text) in files(&["rs"]).iter().filter(|(file, _)| is_source(file)) {
        if let Some(row) = WILDCARDS.iter().find(|row| file.starts_with(row.0)) {
            let places = wildcards(text).into_iter().map(|line| format!("{file}:{line}"));
            counts.entry(row.0).or_default().extend(places);
        }
    }
    let wrong: Vec<String> = WILDCARDS
        .iter()
        .filter_map(|&(part, limit, _)| {
            let places = counts.get(part).map_or(&[][..], Vec::as_slice);
            let count = places.len();
            (count != limit).then(|| format!("{part}: {count} matches, the table has {limit}: {places:#?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
