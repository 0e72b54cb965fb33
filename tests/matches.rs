//! Matches over opcodes that have a wildcard: a new instruction falls into it without a word of the compiler. They may
//! become fewer, never more. Better are a match over a group (`Opcode::group`), which names all of it, a question to
//! the table (`Flags`, `Memory`), `CallTarget`, or what `src/ir/opcode.rs` and `src/ir/ownership.rs` say of all. A
//! `matches!` that lists opcodes is such a match, too.

use super::files;
use cleave_ir::{Group, Opcode};
use std::collections::BTreeMap;

const PATTERN: &str = "it rewrites what it recognises, and all else stays as it is";
const FACT: &str = "it learns from what it recognises, and nothing from all else";
const REFUSES: &str = "what it does not know it refuses";
const GUESS: &str = "what is faster, not what is right";

/// Files with the number of such matches that are allowed in them, and why. All others have none.
const WILDCARDS: &[(&str, usize, &str)] = &[
    ("src/ir/verify/types.rs", 1, "an instruction with further operands that is not there stops the verifier"),
    ("src/passes/analysis/lattice.rs", 1, FACT),
    (
        "src/passes/insert_checks/mod.rs",
        1,
        "it asks what it knows how to ask; `demands` names all that relies on something",
    ),
    ("src/passes/ipo/cheap_eagerness.rs", 1, REFUSES),
    ("src/passes/ipo/deforest/demand.rs", 1, FACT),
    ("src/passes/lower/osr_loops.rs", 1, GUESS),
    ("src/passes/opt/algebra.rs", 1, PATTERN),
    ("src/passes/opt/bounds_check_elim.rs", 1, FACT),
    ("src/passes/opt/gvn.rs", 1, FACT),
    ("src/passes/opt/instcombine.rs", 3, PATTERN),
    ("src/passes/rc_insertion/borrow_inference.rs", 1, GUESS),
    ("src/passes/rc_insertion/cycles/flow.rs", 1, REFUSES),
    ("src/passes/roots/cfg_info.rs", 1, GUESS),
    ("targets/c/expression.rs", 3, REFUSES),
    ("targets/c/statements.rs", 1, REFUSES),
    ("targets/wasm/isel.rs", 1, PATTERN),
];

/// Opcodes in a `matches!` from which on it counts.
const MANY: usize = 3;

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

/// The names that opcodes have: those of the enum of all, and of the groups.
struct Names {
    enums: Vec<String>,
    opcodes: Vec<String>,
}

impl Names {
    fn new() -> Names {
        // `Integer(Iadd)`
        let groups = Opcode::ALL.iter().map(|op| format!("{:?}", op.group()));
        let groups = groups.map(|text| text.split('(').next().unwrap_or_default().to_string());
        let mut enums: Vec<String> = groups.chain(["Opcode".into()]).collect();
        enums.dedup();
        Names { enums, opcodes: Opcode::ALL.iter().map(|op| format!("{op:?}")).collect() }
    }

    /// How many opcodes and groups are named. `is_bare` says that they may stand there without their enum.
    fn count(&self, text: &str, is_bare: bool) -> usize {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        let is_known = |names: &[String], word: &str| names.iter().any(|known| known == word);
        let is_name = |word: &&str| {
            let mut parts = word.rsplit("::");
            match (parts.next(), parts.next()) {
                (Some(group), Some("Group")) => is_known(&self.enums, group),
                (Some(opcode), Some(of)) => is_known(&self.enums, of) && is_known(&self.opcodes, opcode),
                (Some(opcode), None) => is_bare && is_known(&self.opcodes, opcode),
                (None, _) => false,
            }
        };
        words.filter(is_name).count()
    }
}

/// Lines of the matches with a wildcard that name an opcode.
fn wildcards(text: &str, names: &Names) -> Vec<usize> {
    let code = code_of(text);
    let is_bare = names.enums.iter().any(|name| code.contains(&format!("{name}::*")));
    let starts = |word: &'static str| {
        code.match_indices(word).map(|(at, _)| at).filter(|&at| !is_word(code.as_bytes(), at.wrapping_sub(1)))
    };
    let is_found = |&at: &usize| {
        let open = until(code.as_bytes(), at, |rest| rest[0] == b'{');
        let patterns = patterns(&code, open + 1);
        patterns.iter().any(|pattern| names.count(pattern, is_bare) > 0)
            && patterns.iter().any(|pattern| is_wildcard(pattern))
    };
    let lists_many = |&at: &usize| {
        let open = at + "matches!(".len();
        names.count(&code[open..until(code.as_bytes(), open, |_| false)], is_bare) >= MANY
    };
    let found = starts("match ").filter(is_found).chain(starts("matches!(").filter(lists_many));
    found.map(|at| 1 + code[..at].matches('\n').count()).collect()
}

#[test]
fn matches_over_opcodes_name_them_all() {
    let names = Names::new();
    assert_eq!(wildcards("match op {\n    Opcode::Iadd => '\"',\n    _ => 'a',\n}", &names), [1]);
    assert_eq!(wildcards("match op.group() { Group::Real(_) => 1, Group::Integer(_) => 2 }", &names), []);
    assert_eq!(wildcards("match op.group() { Group::Real(_) => 1, _ => 2 }", &names), [1]);
    assert_eq!(wildcards("\nmatch Integer::of(op) { Some(Integer::Iadd) => 1, _ => 2 }", &names), [2]);
    assert_eq!(wildcards("matches!(op, Opcode::Eq | Opcode::Ne | Opcode::Slt)", &names), [1]);
    assert_eq!(
        format!("{:?}", Opcode::Iadd.group()),
        format!("{:?}", Group::Integer(cleave_ir::opcode::Integer::Iadd))
    );
    let is_source = |file: &str| {
        let is_test = file.contains("/tests/") || file.ends_with("/tests.rs");
        !is_test && ["src/ir/", "src/passes/", "targets/"].iter().any(|folder| file.starts_with(folder))
    };
    let mut wrong = Vec::new();
    let mut allowed: BTreeMap<&str, usize> = WILDCARDS.iter().map(|row| (row.0, row.1)).collect();
    for (file, text) in files(&["rs"]).iter().filter(|(file, _)| is_source(file)) {
        let lines = wildcards(text, &names);
        let limit = allowed.remove(file.as_str()).unwrap_or_default();
        if lines.len() != limit {
            wrong.push(format!("{file}: the table has {limit} matches, the file these: {lines:?}"));
        }
    }
    assert!(wrong.is_empty() && allowed.is_empty(), "{}\n{allowed:?}", wrong.join("\n"));
    assert!(WILDCARDS.iter().map(|row| row.1).sum::<usize>() <= 20);
}
