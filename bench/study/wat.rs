//! Small programs of WebAssembly text in variants. A line that ends with `;;? NAME=VALUE|VALUE` belongs to those
//! variants only in which the choice NAME has one of these values.

use anyhow::{Context, Result};

const PRINT: &str = include_str!("wat/print.wat");

/// A program and what can be chosen in it; the first value of each choice is the one that variants of others have.
pub struct Source {
    pub name: &'static str,
    text: &'static str,
    pub choices: &'static [(&'static str, &'static [&'static str])],
    /// What it prints, by a choice on which that depends: from the formulas in the text.
    expected: &'static [(&'static str, &'static str, &'static str)],
}

pub const SOURCES: &[Source] = &[
    Source {
        name: "tree",
        text: include_str!("wat/tree.wat"),
        choices: &[("hp", &["global", "param", "memory"]), ("sp", &["param", "global", "memory"])],
        expected: &[("hp", "", "20480000\n")],
    },
    Source {
        name: "thunks",
        text: include_str!("wat/thunks.wat"),
        choices: &[("dispatch", &["indirect", "table", "compare"]), ("entries", &["8", "1"])],
        expected: &[("entries", "1", "32792576000\n"), ("entries", "8", "60492496896\n")],
    },
];

/// A choice for each name, in the order of the source.
pub type Variant = Vec<(&'static str, &'static str)>;

impl Source {
    /// All variants in which at most one choice is not the first of its values; for `thunks`, each with all numbers of
    /// entries, since these are no choice but two inputs.
    pub fn variants(&self) -> Vec<Variant> {
        let first: Variant = self.choices.iter().map(|(name, values)| (*name, values[0])).collect();
        let mut all = vec![first.clone()];
        for (index, (name, values)) in self.choices.iter().enumerate() {
            let is_input = *name == "entries";
            let bases = if is_input { all.clone() } else { vec![first.clone()] };
            for base in bases {
                for value in &values[1..] {
                    let mut variant = base.clone();
                    variant[index] = (name, value);
                    all.push(variant);
                }
            }
        }
        all
    }

    /// What the program has to print.
    pub fn expected(&self, variant: &Variant) -> &'static str {
        let is_of = |name: &str, value: &str| value.is_empty() || has(variant, name, value);
        let found = self.expected.iter().find(|(name, value, _)| is_of(name, value));
        found.map_or("", |found| found.2)
    }

    /// The bytes of a variant.
    pub fn assemble(&self, variant: &Variant) -> Result<Vec<u8>> {
        let text = format!("(module\n{PRINT}\n{})\n", select(self.text, variant));
        parse(&text).with_context(|| format!("{} {}", self.name, name(variant)))
    }
}

/// True if this value was chosen.
fn has(variant: &Variant, name: &str, value: &str) -> bool {
    variant.iter().any(|choice| choice.0 == name && choice.1 == value)
}

/// As `hp=global sp=param`.
pub fn name(variant: &Variant) -> String {
    variant.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<String>>().join(" ")
}

fn select(text: &str, variant: &Variant) -> String {
    let is_chosen = |condition: &str| {
        let (name, values) = condition.trim().split_once('=').unwrap_or((condition, ""));
        values.split('|').any(|value| has(variant, name, value))
    };
    let lines = text.lines().filter_map(|line| match line.split_once(";;?") {
        Some((code, condition)) => is_chosen(condition).then_some(code),
        None => Some(line),
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(feature = "conventions")]
fn parse(text: &str) -> Result<Vec<u8>> {
    Ok(wat::parse_str(text)?)
}

#[cfg(not(feature = "conventions"))]
fn parse(_: &str) -> Result<Vec<u8>> {
    anyhow::bail!(
        "built without the feature `conventions`: cargo run --release -p cleave-bench -F conventions -- study …"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "conventions")]
    fn every_variant_is_a_program_of_its_own() {
        let mut all = Vec::new();
        for source in SOURCES {
            for variant in source.variants() {
                let wasm = source.assemble(&variant).unwrap_or_else(|error| panic!("{error:#}"));
                assert!(!all.contains(&wasm), "{} {} is like another", source.name, name(&variant));
                assert!(source.expected(&variant).ends_with('\n'));
                all.push(wasm);
            }
        }
        assert_eq!(all.len(), 5 + 6);
    }

    #[test]
    fn lines_are_selected() {
        let text = "a\nb ;;? x=1\nc ;;? x=2|3\nd ;;? y=1";
        assert_eq!(select(text, &vec![("x", "3"), ("y", "2")]), "a\nc \n");
    }
}
