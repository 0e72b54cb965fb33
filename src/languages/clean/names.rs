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
fn split_label(label: &str) -> Option<(&str, &str, &str)> {
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
fn from_label(name: &str) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        assert_eq!(split_label("life.d12"), Some(("life", "life.", "12")));
        assert_eq!(split_label("Data.Map.d7"), Some(("Data.Map", "Data.Map.", "7")));
        assert_eq!(split_label("life.e_life_dstep"), Some(("life", "e_life_", "step")));
        assert_eq!(split_label("Data.Map.e_Data.Map_dput;3"), Some(("Data.Map", "e_Data.Map_", "put;3")));
        assert_eq!(split_label("life.rR"), None);
        assert_eq!(from_label("e_life_sstep").as_deref(), Some("step [module: life]"));
        assert_eq!(from_label("__life_Start").as_deref(), Some("Start [module: life]"));
        assert_eq!(from_label("stackless.save.lr.r"), None);
        assert_eq!(from_label("stackless.s12").as_deref(), Some("s12 [module: stackless]"));
        assert_eq!(from_label("life.s12").as_deref(), Some("s12 [module: life]"));
    }
}
