//! Cases of the table test: small pieces of ABC code with what they must print, put together to programs.
//!
//! ```text
//! == subI                          instructions that the case is about; more after commas
//! | comment
//! a: 10 20                         boxed integers on the A stack, top first
//! b: i 5 ; r 0.5 ; c 'x' ; b 1     words on the B stack, top first; a real may be 0x and its bits
//! declare:                         what stands outside the function of the case
//! .desc d _hnf _hnf 0 0 "d"
//! code:                            may be left out if there is no `declare:`
//!     subI
//! prints: x                        lines that the code itself prints, ` ; ` between them
//! out: i -15                       what is left: nodes (a), then words, each top first, with what is printed for it
//! ```
//! All cases of a file are one program. Each is in it twice: with constants as input, and with values that depend on
//! what the program reads, so that no optimisation sees through them. `@` in the code stands for a suffix that makes
//! labels unique. A case with `stdout:`, `stderr:` or `status:` is a program alone; one with `error: CODE text` does
//! not compile.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A value on the B stack.
#[derive(Clone, Debug)]
pub struct Word {
    pub kind: char,
    pub text: String,
}

/// One case.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The instructions that it is about.
    pub names: Vec<String>,
    pub line: usize,
    nodes: Vec<i64>,
    words: Vec<Word>,
    declarations: String,
    code: String,
    prints: Vec<String>,
    outputs: Vec<(char, String)>,
    pub stdout: Option<String>,
    pub stderr: Option<String>,
    pub status: Option<i32>,
    pub error: Option<(String, String)>,
}

impl Case {
    /// True if the case needs a program of its own.
    pub fn is_alone(&self) -> bool {
        self.stdout.is_some() || self.stderr.is_some() || self.status.is_some() || self.error.is_some()
    }

    /// What the case prints in a program with others.
    pub fn expected(&self) -> Vec<String> {
        self.prints.iter().chain(self.outputs.iter().map(|output| &output.1)).cloned().collect()
    }
}

/// Reads a file of cases.
pub fn parse(text: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    let mut declares = false;
    for (index, line) in text.lines().enumerate() {
        let wrong = |what: &str| format!("line {}: {what}: `{line}`", index + 1);
        if let Some(names) = line.strip_prefix("== ") {
            let names = names.split(',').map(|name| name.trim().to_string()).collect();
            cases.push(Case { names, line: index + 1, ..Case::default() });
            declares = false;
            continue;
        }
        if line.starts_with('|') || line.is_empty() {
            continue;
        }
        let case = cases.last_mut().ok_or_else(|| wrong("no case yet"))?;
        let (key, value) = line.split_once(':').map_or(("", ""), |(key, value)| (key, value.trim()));
        let unescape = |text: &str| text.replace("\\n", "\n");
        match key {
            "a" => {
                let numbers = value.split_whitespace().map(str::parse);
                case.nodes = numbers.collect::<Result<_, _>>().map_err(|_| wrong("not integers"))?;
            }
            "b" => {
                let words = pairs(value).ok_or_else(|| wrong("no kind"))?;
                case.words = words.into_iter().map(|(kind, text)| Word { kind, text }).collect();
            }
            "prints" => case.prints = value.split(" ; ").map(str::to_string).collect(),
            "out" => case.outputs = pairs(value).ok_or_else(|| wrong("no kind"))?,
            "stdout" => case.stdout = Some(unescape(value)),
            "stderr" => case.stderr = Some(unescape(value)),
            "status" => case.status = Some(value.parse().map_err(|_| wrong("no number"))?),
            "error" => {
                let (code, text) = value.split_once(' ').ok_or_else(|| wrong("no text"))?;
                case.error = Some((code.to_string(), text.to_string()));
            }
            "declare" => declares = true,
            "code" => declares = false,
            _ => {
                let place = if declares { &mut case.declarations } else { &mut case.code };
                place.push_str(line);
                place.push('\n');
            }
        }
    }
    Ok(cases)
}

/// `i 5 ; r 0.5`
fn pairs(text: &str) -> Option<Vec<(char, String)>> {
    let parts = text.split(" ; ").map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (kind, rest) = part.split_once(' ').unwrap_or((part, ""));
            let mut letters = kind.chars();
            Some((letters.next().filter(|_| letters.next().is_none())?, rest.to_string()))
        })
        .collect()
}

/// How the input of a case is made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Variant {
    /// Constants.
    Folded,
    /// Constants plus what the program has read, which is 0.
    Opaque,
}

pub const VARIANTS: [Variant; 2] = [Variant::Folded, Variant::Opaque];

const HEADER: &str =
    ".comp 920 01011101001\n.start __m_Start\n.depend \"_system\"\n.endinfo\n.module m_m \"m\"\n.export __m_Start\n";

/// The program with all cases that are not alone; it reads a zero.
pub fn program(common: &str, cases: &[Case]) -> String {
    let mut out = HEADER.to_string();
    out.push_str(common);
    start(&mut out);
    let together = || cases.iter().enumerate().filter(|(_, case)| !case.is_alone());
    for (index, _) in together() {
        for variant in VARIANTS {
            let _ = write!(out, "\tpush_b 0\n.d 0 1 i\n\tjsr case{}\n.o 0 0\n", suffix(index, variant));
        }
    }
    out.push_str("\tpop_b 1\n.d 0 0\n\trtn\n");
    for (index, case) in together() {
        out.push_str(&case.declarations);
        for variant in VARIANTS {
            function(&mut out, case, index, variant);
        }
    }
    out
}

/// The program with one case.
pub fn alone(common: &str, case: &Case, variant: Variant) -> String {
    let mut out = HEADER.to_string();
    out.push_str(common);
    start(&mut out);
    let _ = write!(out, ".d 0 1 i\n\tjsr case{}\n.o 0 0\n.d 0 0\n\trtn\n", suffix(0, variant));
    out.push_str(&case.declarations);
    function(&mut out, case, 0, variant);
    out
}

/// Reads an integer from stdin and leaves it on B.
fn start(out: &mut String) {
    out.push_str(".o 0 0\n__m_Start\n.d 0 0\n\tjsr stdioF\n.o 0 2 f\n.d 0 2 f\n\tjsr readFI\n.o 0 4 bif\n");
    out.push_str("\tpop_b 1\n\tupdatepop_b 0 2\n");
}

fn suffix(index: usize, variant: Variant) -> String {
    format!("{index}{}", if variant == Variant::Folded { "f" } else { "o" })
}

/// The function of a case: (n) -> (), prints its mark and what is left on the stacks.
fn function(out: &mut String, case: &Case, index: usize, variant: Variant) {
    let suffix = suffix(index, variant);
    let _ = write!(out, ".o 0 1 i\ncase{suffix}\n");
    if !case.is_alone() {
        let _ = writeln!(out, "\tprint \"@{suffix}\\n\"");
    }
    if variant == Variant::Folded {
        out.push_str("\tpop_b 1\n");
    }
    for node in case.nodes.iter().rev() {
        let _ = match variant {
            Variant::Folded => writeln!(out, "\tbuildI {node}"),
            Variant::Opaque => writeln!(out, "\tpushI {node}\n\tpush_b 1\n\taddI\n\tbuildI_b 0\n\tpop_b 1"),
        };
    }
    for (depth, word) in case.words.iter().rev().enumerate() {
        let (text, bits) = (&word.text, bits(word));
        let _ = match (variant, word.kind) {
            (Variant::Opaque, _) => writeln!(out, "\tpushI {bits}\n\tpush_b {}\n\taddI", depth + 1),
            (_, 'r') if !text.starts_with("0x") => writeln!(out, "\tpushR {text}"),
            (_, 'c') => writeln!(out, "\tpushC {text}"),
            (_, 'b') => writeln!(out, "\tpushB {}", if bits == 1 { "TRUE" } else { "FALSE" }),
            _ => writeln!(out, "\tpushI {bits}"),
        };
    }
    out.push_str(&case.code.replace('@', &format!(".{suffix}")));
    for (kind, _) in &case.outputs {
        out.push_str(match kind {
            'a' => ".d 1 0\n\tjsr _print_graph\n.o 0 0\n",
            'r' => "\tprint_real\n\tprint \"\\n\"\n",
            'c' => "\tprint_char\n\tprint \"\\n\"\n",
            _ => "\tprint_int\n\tprint \"\\n\"\n",
        });
    }
    if variant == Variant::Opaque {
        out.push_str("\tpop_b 1\n");
    }
    out.push_str(".d 0 0\n\trtn\n");
}

/// A word as an integer.
fn bits(word: &Word) -> i64 {
    let text = &word.text;
    let hex = || text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let value = match word.kind {
        'r' => hex().or_else(|| Some(text.parse::<f64>().ok()?.to_bits())),
        'c' => text.trim_matches('\'').bytes().next().map(u64::from),
        _ => hex().or_else(|| Some(text.parse::<i64>().ok()? as u64)),
    };
    value.unwrap_or_else(|| panic!("`{text}` is no value of kind {}", word.kind)) as i64
}

/// What each function of a program has printed, by its mark.
pub fn split(output: &str) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut mark = String::new();
    for line in output.lines() {
        match line.strip_prefix('@') {
            Some(next) => mark = next.to_string(),
            None => found.entry(mark.clone()).or_default().push(line.to_string()),
        }
        found.entry(mark.clone()).or_default();
    }
    found
}

/// The mark of a case in its program.
pub fn mark(index: usize, variant: Variant) -> String {
    suffix(index, variant)
}
