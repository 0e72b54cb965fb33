//! Names of functions in traces (`--trace`) of Clean programs, as Clean's own tracing has them: `f [module: m]`.
//!
//! Names of local functions come from their descriptors; those that the compiler has given none appear under their
//! label.

use crate::languages::frontend;
use cleave_clean::ast::ParsedModule;
use cleave_clean::instr::Opcode;
use cleave_run::trace::MARK;
use rustc_hash::FxHashMap;

/// Prefixes of the labels that belong to one function.
const PREFIXES: [&str; 7] = ["s", "n", "ea", "l", "a", "i", "eu"];

/// Clean's names by function names.
#[derive(Debug, Default)]
pub struct Names(FxHashMap<String, String>);

impl Names {
    /// Takes the names from the descriptors of all modules.
    pub fn of(modules: &[ParsedModule]) -> Names {
        let mut names = FxHashMap::default();
        for module in modules {
            let lines = (0..module.items.len()).map(|item| module.line(item));
            for line in lines {
                let name = match line.op {
                    Opcode::dot_desc | Opcode::dot_descexp => line.string(5),
                    Opcode::dot_descn => line.string(4),
                    _ => continue,
                };
                let label = format!("{}.{}", module.name, module.text_of(line.symbol(0)));
                let Some((owner, prefix, rest)) = split_label(&label) else { continue };
                for letter in PREFIXES {
                    names.insert(format!("{prefix}{letter}{rest}"), shown(&String::from_utf8_lossy(name), owner));
                }
            }
        }
        Names(names)
    }
}

impl frontend::Names for Names {
    /// The name of a function; entries with more arguments add to names as passes do.
    fn find(&self, name: &str) -> Option<String> {
        if let Some(found) = frontend::of_part(&self.0, name) {
            return Some(found.clone());
        }
        // For WebAssembly `osr-loops` makes functions of loops.
        from_label(name.strip_suffix(".loop").unwrap_or(name))
    }
}

fn shown(name: &str, module: &str) -> String {
    format!("{name}{MARK}{module}]")
}

/// Splits `M.d12` into module, `M.` and `12`, and `M.e_M_df` into module, `e_M_` and `f`.
pub fn split_label(label: &str) -> Option<(&str, &str, &str)> {
    // Module names may have dots, labels of descriptors begin after the last one that fits.
    if let Some((owner, exported)) = label.split_once(".e_")
        && let Some(rest) = exported.strip_prefix(owner).and_then(|rest| rest.strip_prefix("_d"))
    {
        let start = owner.len() + 1;
        return Some((owner, &label[start..label.len() - rest.len() - 1], rest));
    }
    let at = label.rfind(".d")?;
    let rest = &label[at + 2..];
    rest.starts_with(|c: char| c.is_ascii_digit()).then_some((&label[..at], &label[..=at], rest))
}

/// What `stackless` makes for all functions together. A module of that name has labels with numbers.
const OF_STACKLESS: [&str; 6] = [
    "stackless.begin.",
    "stackless.save.",
    "stackless.more.",
    "stackless.restore.",
    "stackless.point",
    "stackless.trampoline",
];

/// What the label alone tells: `e_M_sf` and `__M_Start` hold names, `M.s12` only a number.
pub fn from_label(name: &str) -> Option<String> {
    if let Some(rest) = name.strip_prefix("__") {
        let (owner, function) = rest.rsplit_once('_')?;
        return Some(shown(function, owner));
    }
    if let Some(rest) = name.strip_prefix("e_") {
        let (owner, function) = rest.split_once('_')?;
        let letters = ["ea", "eu", "s", "n", "l", "a", "i"];
        let function = letters.iter().find_map(|letter| function.strip_prefix(letter))?;
        return Some(shown(function, owner));
    }
    if OF_STACKLESS.iter().any(|made| name.starts_with(made)) || name.ends_with(".go_on") {
        return None;
    }
    let (owner, label) = name.split_once('.')?;
    Some(shown(label, owner))
}
