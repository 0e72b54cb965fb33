//! Names in the symbol table: those of the program text, which a front end may have escaped for assemblers.
//!
//! A character that assemblers or debuggers do not accept becomes `_` and two hexadecimal digits. Names that occur
//! twice get a number. All are local symbols, so a function `main` or `read` of the program is not mixed up with that
//! of the C library.

use crate::{Function, Symbol};
use cleave_ir::Module;
use rustc_hash::FxHashMap;

/// A label as assemblers take it.
pub fn escape(label: &str) -> String {
    let mut out = String::with_capacity(label.len());
    for byte in label.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'$' => out.push(byte.into()),
            _ => out.push_str(&format!("_{byte:02x}")),
        }
    }
    out
}

/// Names of the functions, each once.
pub fn names(module: &Module, functions: &[Function]) -> Vec<String> {
    let mut used: FxHashMap<String, u32> = FxHashMap::default();
    let mut names = Vec::with_capacity(functions.len());
    for function in functions {
        let name = match function.symbol {
            Symbol::Func(func) => escape(&module.funcs[func].name),
            Symbol::Trampoline(trampolines) => trampolines.name().to_string(),
            Symbol::Entry(number) => format!("cleave_entry.{}", escape(&module.entries[number as usize].name)),
            Symbol::Extern(id) => module.externs[id].symbol(),
        };
        let mut unique = name.clone();
        loop {
            let count = used.entry(unique.clone()).or_insert(0);
            *count += 1;
            if *count == 1 {
                break;
            }
            unique = format!("{name}.{count}");
        }
        names.push(unique);
    }
    names
}
