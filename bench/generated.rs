//! Large programs in the strict languages: many copies of one block of definitions, each with a number in its names,
//! and a main function that calls the last function of every copy.
//!
//! The blocks are `generated/*.txt`, with `@` for the number. They have what programs of these languages have:
//! data with matches, recursion, generic lists with closures, and functions in place.

use crate::input::{Large, line_count};
use anyhow::Result;
use clap::ValueEnum;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The language of a large input.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Language {
    Clean,
    Goopea,
    Samlang,
}

impl Language {
    /// What the compiler reads.
    pub fn text(self) -> &'static str {
        match self {
            Language::Clean => "ABC text",
            Language::Goopea => "GOOPEA",
            Language::Samlang => "samlang",
        }
    }
}

/// Writes a program of about `lines` lines.
pub fn make_goopea(folder: &Path, lines: usize) -> Result<Large> {
    let block = include_str!("generated/block.goo.txt");
    // A line of the main function belongs to each copy.
    let copies = lines.div_ceil(line_count(block.as_bytes()) + 1);
    let mut text = copied(block, copies);
    text.push_str("\n(): Int\nmain = 0");
    for number in 0..copies {
        write!(text, "\n    + run{number} {}", number % 30 + 1)?;
    }
    text.push_str(";\n");
    save(folder, "large.goo", &text)
}

/// The same in samlang.
pub fn make_samlang(folder: &Path, lines: usize) -> Result<Large> {
    let block = include_str!("generated/block.sam.txt");
    let copies = lines.div_ceil(line_count(block.as_bytes()) + 1);
    let mut text = "import { List } from std.list\nimport { Comparable } from std.interfaces\n".to_string();
    text.push_str(&copied(block, copies));
    text.push_str("\nclass Main {\n  function main(): unit = {\n");
    for number in 0..copies {
        writeln!(text, "    Builtins.println(Builtins.intToString(Work{number}.run({})));", number % 20 + 1)?;
    }
    text.push_str("  }\n}\n");
    save(folder, "Main.sam", &text)
}

/// A module in today's samlang, without a main function: for what one types.
pub fn make_typed_samlang(folder: &Path, lines: usize) -> Result<Large> {
    let block = include_str!("generated/typed.sam.txt");
    let mut text = "import { List } from std.list;\nimport { Comparable } from std.interfaces;\n\n".to_string();
    text.push_str(&copied(block, lines.div_ceil(line_count(block.as_bytes()))));
    save(folder, "Typed.sam", &text)
}

fn copied(block: &str, copies: usize) -> String {
    (0..copies).map(|number| block.replace('@', &number.to_string())).collect()
}

fn save(folder: &Path, name: &str, text: &str) -> Result<Large> {
    fs::create_dir_all(folder)?;
    let main = folder.join(name);
    fs::write(&main, text)?;
    Ok(Large { main, lines: line_count(text.as_bytes()), modules: 1 })
}
