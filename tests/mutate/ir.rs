//! Mistakes in files of IR: what a front end that is not finished writes. Mutant `n` is always the same.

use crate::differential::generate::program;
use crate::mutate::{Choices, bytes, checked, module};
use cleave_ir::text::{parse_module, print_module};
use cleave_ir::{Module, Opcode};
use std::fs;
use std::path::{Path, PathBuf};

/// Words that items and instructions are made of, and numbers at the edges of what operands may be.
const WORDS: &str = "0|1|2|3|7|8|31|32|63|64|255|256|65535|65536|2147483647|2147483648|4294967295|4294967296|9223372036854775807|\
    -1|-9223372036854775808|1e308|-0|i32|i64|f64|ref|none|gc_leaf|fip|contiguous|callable|apply|method|update|\
    phase=low|phase=rooted|roots=late|roots=chain|roots=stackmap|heap rc|observes_identity|borrows|record|\
    constructor|plain|indirection|select_ref 0|select_field 1|select_word 0|blackhole|frame|(0, 0)|(1, 1)|(2, 0)|\
    (0, 1)|(65535, 0)|v0|v1|v99|block0|block1|block9|$INT|$_Cons|$_Nil|$ARRAY|static0|static1|[]|[none]|\
    print_int|cat_string|collect|halt|s0|s1";

/// Programs as front ends make them, besides those that are there.
const GENERATED: usize = 150;

/// Texts with IR that is right, or nearly.
pub struct Seeds {
    texts: Vec<Vec<String>>,
}

impl Seeds {
    /// The file tests, the files of the command line's tests, and the examples in documents.
    pub fn all() -> Seeds {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests is a folder of the workspace");
        let mut folders = vec![root.join("tests/files"), root.join("tests/cli"), root.join("docs")];
        let mut paths: Vec<PathBuf> = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())).flatten() {
                if entry.path().is_dir() { folders.push(entry.path()) } else { paths.push(entry.path()) }
            }
        }
        paths.sort();
        let mut texts: Vec<Vec<String>> = Vec::new();
        for path in paths {
            let read = || fs::read_to_string(&path).unwrap_or_default();
            match path.extension().and_then(|ending| ending.to_str()) {
                Some("ir") => texts.push(code(&read())),
                Some("md") => {
                    let text = read();
                    let blocks = text.split("\n```ir\n").skip(1).filter_map(|rest| rest.split("\n```").next());
                    texts.extend(blocks.map(code));
                }
                _ => {}
            }
        }
        texts.retain(|text| !text.is_empty() && parse_module(&text.join("\n")).is_ok());
        Seeds { texts }
    }

    /// Those of them that are programs whose meaning is said, and some as front ends make them.
    pub fn programs() -> Seeds {
        let Seeds { mut texts } = Seeds::all();
        texts.retain(|text| parse_module(&text.join("\n")).is_ok_and(|module| checked::is_judged(&module)));
        texts.extend(Seeds::generated(GENERATED).texts);
        Seeds { texts }
    }

    /// Programs as front ends make them: the same whatever files there are. For each there are many that are not
    /// judged, so that it takes longer to make one than to break it.
    pub fn generated(count: usize) -> Seeds {
        let judged = (0..).map(program).filter(checked::is_judged).take(count);
        Seeds { texts: judged.map(|module| code(&print_module(&module))).collect() }
    }

    /// The texts themselves.
    pub fn texts(&self) -> impl Iterator<Item = String> + '_ {
        self.texts.iter().map(|lines| lines.join("\n") + "\n")
    }

    /// A mutant: up to five mistakes in one of the texts.
    pub fn mutant(&self, seed: u64, number: u64) -> String {
        let mut choices = Choices::of_seed(seed ^ number.wrapping_mul(0xD134_2543_DE82_EF95));
        let mut lines = self.texts[choices.below(self.texts.len())].clone();
        let most = choices.pick(&[1, 2, 5]);
        for _ in 0..1 + choices.below(most) {
            self.mistake(&mut lines, &mut choices);
        }
        let mut text = lines.join("\n").into_bytes();
        text.push(b'\n');
        if choices.chance(2) {
            bytes::mutate(&mut text, &mut choices);
        }
        String::from_utf8_lossy(&text).into_owned()
    }

    /// A mutant that is well formed: up to three mistakes in one of the programs (`module`).
    pub fn fine_mutant(&self, seed: u64, number: u64) -> Module {
        let mut choices = Choices::of_seed(seed ^ number.wrapping_mul(0xD134_2543_DE82_EF95));
        let text = self.texts[choices.below(self.texts.len())].join("\n");
        let mut module = parse_module(&text).unwrap_or_else(|error| panic!("a seed: {error}\n{text}"));
        let most = choices.pick(&[1, 1, 2, 3]);
        for _ in 0..1 + choices.below(most) {
            module::mistake(&mut module, &mut choices);
        }
        module
    }

    fn mistake(&self, lines: &mut Vec<String>, choices: &mut Choices) {
        if lines.is_empty() {
            return;
        }
        let (at, other) = (choices.below(lines.len()), choices.below(lines.len()));
        match choices.below(12) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(other, lines[at].clone()),
            2 => lines.swap(at, other),
            3 => {
                let text = &self.texts[choices.below(self.texts.len())];
                lines.insert(at, text[choices.below(text.len())].clone());
            }
            // An item of another text, as a whole.
            4 => {
                let text = &self.texts[choices.below(self.texts.len())];
                let from = choices.below(text.len());
                let item = text[from..].iter().position(|line| line.starts_with('}')).map_or(1, |length| length + 1);
                lines.extend_from_slice(&text[from..(from + item).min(text.len())]);
            }
            // Another opcode.
            5 | 6 => {
                let names = Opcode::ALL.iter().map(|op| op.name());
                let name = names.clone().nth(choices.below(names.len())).unwrap_or_default();
                let mut words: Vec<&str> = lines[at].split(' ').collect();
                if let Some(word) = words.iter_mut().find(|word| Opcode::ALL.iter().any(|op| op.name() == **word)) {
                    *word = name;
                }
                lines[at] = words.join(" ");
            }
            // Another word: one of the list, or one that stands elsewhere in the text.
            _ => {
                let spots = words(&lines[at]);
                if spots.is_empty() {
                    return;
                }
                let spot = choices.pick(&spots);
                let elsewhere = words(&lines[other]);
                let new = if elsewhere.is_empty() || choices.chance(40) {
                    choices.pick(&WORDS.split('|').collect::<Vec<_>>()).to_string()
                } else {
                    let (start, end) = choices.pick(&elsewhere);
                    lines[other][start..end].to_string()
                };
                lines[at].replace_range(spot.0..spot.1, &new);
            }
        }
    }
}

/// The lines of a text that are not comments.
fn code(text: &str) -> Vec<String> {
    let bare = |line: &str| line.split("; ").next().unwrap_or_default().trim_end().to_string();
    text.lines().map(bare).filter(|line| !line.is_empty() && !line.starts_with(';')).collect()
}

/// Where the words of a line start and end: names, numbers and types.
fn words(line: &str) -> Vec<(usize, usize)> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_.@$&%^-".contains(&byte);
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = bytes[at..].iter().position(|&byte| !is_word(byte)).map_or(bytes.len(), |length| at + length);
        if end > at {
            found.push((at, end));
        }
        at = end + 1;
    }
    found
}
