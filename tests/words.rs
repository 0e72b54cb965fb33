//! Words of one language: outside of its folders, nothing may speak of Clean.
//!
//! The core and what is around it serve every language. What belongs to one stands in its front end, its part of the
//! driver and its part of the runtime; tests, documents and the command line, which tells users of all, may name it.

use super::files;

/// Folders and files in which the words may stand.
const ROOMS: &[&str] = &[
    "src/frontends/clean/",
    "src/languages/clean/",
    "src/cli/",
    "rt/clean/",
    "bench/",
    "docs/",
    "examples/",
    "tests/",
    // The page names all languages to its visitors.
    "playground/",
    // What the command line tells users, as text.
    "src/diag/code.rs",
    // `cleave reduce` for the text of Clean's modules.
    "src/reduce/abc.rs",
];

/// Names of languages, of their tools and files, and of their libraries and data, as whole words or parts of names.
const WORDS: &[&str] = &[
    "Clean", "clean", "CLEAN", "Nil", "NIL", "Cons", "CONS", "ABC", "ArgEnv", "StdEnv", "Platform", "iTasks", "clm",
    "cocl", "icl", "dcl", "ccall", "impobj", "implib",
];

/// The same for what is not one word.
const PHRASES: &[&str] =
    &[".abc", "cycle in spine", "cycle_in_spine", "rule Start", "`Start`", "Start node", "what Start", "that Start"];

/// Lines outside of the rooms that have a word: the file, what the line says, and the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("src/languages/mod.rs", "lean", "the list of languages"),
    ("src/driver/session.rs", "lean", "a language's own options, in the options of an invocation"),
    ("src/driver/native/ffi.rs", ".impobj", "help that says how a module names an object"),
    ("src/ir/module.rs", "Nil", "label and name of a known descriptor, which IR text and programs show"),
    ("src/ir/module.rs", "Cons", "label and name of a known descriptor, which IR text and programs show"),
    ("src/frontends/goopea/print_main.rs", "Cons(1, Nil)", "constructors of another language, as an example"),
    ("src/languages/goopea/templates.rs", "Nil", "constructors of another language"),
    ("src/languages/goopea/templates.rs", "Cons", "constructors of another language"),
    ("src/frontends/samlang/parse/foreign.rs", "Nil -> …, Cons(x, rest)", "variants of the list of samlang"),
    ("rt/lib.rs", "clean", "the list of rooms"),
    ("rt/libcalls.rs", "crate::clean::libcalls", "the rooms that add libcalls"),
    ("rt/state.rs", "clean", "the parts of the state and who may ask for which"),
    ("rt/platform/mod.rs", "clean::Context", "the list of the traits of rooms"),
    ("rt/sys/wasm.rs", "crate::clean", "the status that C code chose, for the program"),
    ("rt/sys/native/mod.rs", "crate::clean", "the status that C code chose, for the program"),
    ("rt/sys/native/variables.rs", "lean", "variables of Clean's runtime under the names that its C code knows"),
];

/// The words of a name: `PROGRAM_NIL` has two, and so has `UnboxedCons`.
fn parts(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let bytes = line.as_bytes();
    for at in 0..=bytes.len() {
        let here = bytes.get(at).copied().unwrap_or(b' ');
        let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
        let hump = before.is_ascii_lowercase() && here.is_ascii_uppercase();
        if !here.is_ascii_alphabetic() || hump {
            if start < at {
                parts.push(&line[start..at]);
            }
            start = if hump { at } else { at + 1 };
        }
    }
    parts
}

/// The first word of the list that a line has.
fn word_in(line: &str) -> Option<&'static str> {
    // Labels of IR text in drawings, and a system call.
    let line = line.replace("$_Nil", "").replace("$_Cons", "");
    let parts = parts(&line);
    // `ArgEnv` has a hump.
    let is_here =
        |word: &str| parts.contains(&word) || parts.windows(2).any(|two| word.strip_prefix(two[0]) == Some(two[1]));
    WORDS.iter().find(|word| is_here(word)).or_else(|| PHRASES.iter().find(|phrase| line.contains(*phrase))).copied()
}

#[test]
fn only_rooms_of_a_language_speak_of_it() {
    let mut used = vec![false; EXCEPTIONS.len()];
    let mut wrong = Vec::new();
    for (file, text) in files(&["rs", "mjs", "ts", "sh"]) {
        let is_test = file.contains("/tests/") || file.ends_with("/tests.rs");
        if is_test || ROOMS.iter().any(|room| file.starts_with(room)) {
            continue;
        }
        // Tests inside of files may name whatever they need.
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (number, line) in (1..).zip(text.lines()) {
            let Some(word) = word_in(line) else { continue };
            match EXCEPTIONS.iter().position(|row| row.0 == file && line.contains(row.1)) {
                Some(row) => used[row] = true,
                None => wrong.push(format!("{file}:{number}: `{word}`: {}", line.trim())),
            }
        }
    }
    for (row, _) in EXCEPTIONS.iter().zip(used).filter(|row| !row.1) {
        wrong.push(format!("{}: the exception for `{}` is not needed any more", row.0, row.1));
    }
    assert!(wrong.is_empty(), "words of one language outside of its folders:\n{}", wrong.join("\n"));
}

#[test]
fn words_are_found_in_names() {
    for line in ["PROGRAM_NIL", "Known::Cons", "UnboxedCons", "as in Clean's", "ArgEnv", "x.abc", "what Start reaches"]
    {
        assert!(word_in(line).is_some(), "{line}");
    }
    for line in ["CONSOLE", "Constant", "cleaned", "Start of the list", "0x9abc", "fill $_Cons/2", "fabcd"] {
        assert_eq!(word_in(line), None, "{line}");
    }
}
