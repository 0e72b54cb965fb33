//! Instructions by their words.

use super::cursor::perhaps;
use super::former_words::former_words;
use crate::opcode::Opcode;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// By their names, and by those that they had.
static OPCODES: LazyLock<FxHashMap<&'static str, Opcode>> = LazyLock::new(|| {
    let former = Opcode::ALL.iter().flat_map(|&op| former_words(op.name()).map(move |word| (word, op)));
    former.chain(Opcode::ALL.iter().map(|&op| (op.name(), op))).collect()
});

/// What other representations call instructions, and what they are called here.
const FOREIGN: &[(&str, &str)] = &[
    ("add", "iadd"),
    ("sub", "isub"),
    ("mul", "imul"),
    ("div", "sdiv"),
    ("rem", "srem"),
    ("mod", "srem"),
    ("const", "iconst.i64"),
    ("iconst", "iconst.i64"),
    ("br", "jump"),
    ("goto", "jump"),
    ("brif", "br_if"),
    ("return", "ret"),
    ("alloc", "build"),
    ("not", "eqz"),
];

pub(super) fn named(name: &str) -> Option<Opcode> {
    OPCODES.get(name).copied()
}

/// The end of the message for a word that is no instruction.
pub(super) fn perhaps_meant(name: &str) -> String {
    match FOREIGN.iter().find(|known| known.0 == name) {
        Some((_, ours)) => format!(": did you mean `{ours}`?"),
        None => perhaps("", name, Opcode::ALL.iter().map(|op| op.name().as_bytes())),
    }
}
