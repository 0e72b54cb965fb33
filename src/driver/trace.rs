//! `--trace`: the innermost functions of a program under the message of a run-time error.
//!
//! For WebAssembly no code is added. Functions get the names of their language in the name section (`frontend::Names`),
//! and the engine says which of them were active: the embedded one directly, node by the stack of an error. Machine
//! code gets a table of the names, and the runtime lists the functions (`rt/sys/native/trace.rs`) in the form and to
//! the length of `text` below. Callers that have left by a tail call are not there.

use crate::driver::frontend::Names;
use cleave_ir::Module;

/// What tells a name of a program from those of the runtime.
pub const MARK: &str = " [module: ";

/// The names of all functions, empty for those that traces leave out.
pub fn list(names: &dyn Names, module: &Module) -> Vec<String> {
    module.funcs.values().map(|func| names.find(&func.name).unwrap_or_default()).collect()
}

/// Lines at most.
#[cfg_attr(not(feature = "engine"), allow(dead_code))]
const LINES: usize = 20;

/// The text for the active functions of the engine, innermost first; empty if none is of the program.
#[cfg_attr(not(feature = "engine"), allow(dead_code))]
pub fn text<'n>(active: impl Iterator<Item = &'n str>) -> String {
    let mut lines: Vec<(&str, usize)> = Vec::new();
    for name in active.filter(|name| name.contains(MARK)) {
        match lines.last_mut() {
            Some((last, count)) if *last == name => *count += 1,
            _ => lines.push((name, 1)),
        }
    }
    let mut text = String::new();
    for (name, count) in lines.into_iter().take(LINES) {
        text += &match count {
            1 => format!("  {name}\n"),
            _ => format!("  {name}, {count} times\n"),
        };
    }
    if text.is_empty() { text } else { format!("Stack trace:\n{text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let active = ["rt_halt", "f [module: m]", "f [module: m]", "cleave.enter", "f [module: m]", "g [module: m]"];
        assert_eq!(text(active.into_iter()), "Stack trace:\n  f [module: m], 3 times\n  g [module: m]\n");
        assert_eq!(text(["_start"].into_iter()), "");
    }
}
