//! The innermost functions of a program under the message of a run-time error: with `--trace`, or always in languages
//! that have no messages of their own to keep.
//!
//! For WebAssembly no code is added. Functions get the names of their language in the name section (`frontend::Names`),
//! and the engine says which of them were active: the embedded one directly, node by the stack of an error. Machine
//! code gets a table of names and lines, and the runtime lists the functions (`rt/sys/native/trace.rs`) in the form
//! and to the length of `cleave_run::trace`. The interpreter knows where it is. Callers that have left by a tail call
//! are not there.

use crate::languages::frontend::{self, Names};
use cleave_interp::{Active, MOST_ACTIVE, Trap};
use cleave_ir::{Location, Module};
use cleave_run::trace::{self, MARK};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The names of all functions, empty for those that traces leave out.
pub fn list(names: &dyn Names, module: &Module) -> Vec<String> {
    module.funcs.values().map(|func| names.find(&func.name).unwrap_or_default()).collect()
}

/// What traces call the code from some bytes of WebAssembly on: by the lines that it came from.
pub fn wasm_lines(names: &dyn Names, places: &[(usize, Location)]) -> Vec<(usize, Option<String>)> {
    let mut known = FxHashMap::default();
    let mut lines: Vec<(usize, Option<String>)> = Vec::new();
    for &(start, place) in places {
        let line: &Option<String> = known
            .entry((place.file, place.line))
            .or_insert_with(|| Some(place).filter(|place| place.is_known()).and_then(|place| names.at(place)));
        if lines.last().is_none_or(|last| last.1 != *line) {
            lines.push((start, line.clone()));
        }
    }
    lines
}

/// The section in which WebAssembly for loaders says the same: a line of rows with commas between them, a line of files
/// with tabs between them, then functions, a line for each, with a tab and the number of their file. A row has numbers
/// in base 36: how far behind the one before it begins, the line in its file, or 0 if code is called by its function;
/// and the number of the function, if it is another one.
pub const LINES_SECTION: &str = "cleave.lines";

/// Adds the section to a module, if there is something to be said.
pub fn append_lines(wasm: &mut Vec<u8>, lines: &[(usize, Option<String>)]) {
    let needed = needed(lines, &cleave_wasm::places_of_frames(wasm));
    if needed.is_empty() {
        return;
    }
    let text = lines_text(&needed);
    let mut content = Vec::new();
    leb(&mut content, LINES_SECTION.len());
    content.extend_from_slice(LINES_SECTION.as_bytes());
    content.extend_from_slice(text.as_bytes());
    wasm.push(0);
    leb(wasm, content.len());
    wasm.extend(content);
}

/// What the code is called at some places, and where that changes between them.
fn needed<'l>(lines: &'l [(usize, Option<String>)], places: &[usize]) -> Vec<(usize, Option<&'l str>)> {
    let mut needed: Vec<(usize, Option<&str>)> = Vec::new();
    for &place in places {
        let after = lines.partition_point(|line| line.0 <= place);
        let name = after.checked_sub(1).and_then(|last| lines[last].1.as_deref());
        if needed.last().map_or(name.is_some(), |last| last.1 != name) {
            needed.push((place, name));
        }
    }
    needed
}

/// The text of the section.
fn lines_text(lines: &[(usize, Option<&str>)]) -> String {
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let (mut rows, mut names, mut last, mut last_name) = (Vec::new(), String::new(), 0, 0);
    let mut files: Vec<&str> = Vec::new();
    for &(start, name) in lines {
        let parts = name.and_then(|name| name.strip_suffix(']')?.rsplit_once(':'));
        let (name, line) = parts.unwrap_or_default();
        let line: usize = line.parse().unwrap_or_default();
        let mut row = format!("{} {}", base_36(start - last), base_36(line));
        if line > 0 {
            let next = numbers.len();
            let number = *numbers.entry(name).or_insert(next);
            if number == next {
                let (function, file) = name.split_once(MARK).unwrap_or((name, ""));
                let known = files.iter().position(|known| *known == file);
                let file = known.unwrap_or_else(|| {
                    files.push(file);
                    files.len() - 1
                });
                names += &format!("\n{function}\t{}", base_36(file));
            }
            if number != last_name {
                row += &format!(" {}", base_36(number));
            }
            last_name = number;
        }
        rows.push(row);
        last = start;
    }
    rows.join(",") + "\n" + &files.join("\t") + &names
}

fn base_36(number: usize) -> String {
    let mut digits: Vec<char> = Vec::new();
    let mut rest = number;
    while rest > 0 || digits.is_empty() {
        digits.extend(char::from_digit((rest % 36) as u32, 36));
        rest /= 36;
    }
    digits.into_iter().rev().collect()
}

fn leb(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The text under the message of an interpreted program that has ended with an error of its own.
pub fn of_interpreted(names: Option<&dyn Names>, active: &[Active]) -> String {
    let Some(names) = names else { return String::new() };
    let name = |one: &Active| names.at(one.at).or_else(|| names.find(&one.function)).unwrap_or_default();
    trace::text(active.iter().map(|one| Cow::Owned(name(one))), active.len() == MOST_ACTIVE)
}

/// The program has ended with an error that traces are for.
pub fn is_error(trap: Option<&Trap>, status: i32) -> bool {
    match trap {
        None | Some(Trap::Exit(_)) => status == FAILED,
        Some(trap) => matches!(trap, Trap::DivideByZero | Trap::IntegerOverflow | Trap::StackOverflow),
    }
}

/// The status after an error.
const FAILED: i32 = 255;

/// What traces call the functions of a file of IR: `f [module: x.ir:3]`, by the lines of the file.
struct IrNames {
    functions: FxHashMap<String, String>,
    /// First lines and names, in the order of the file.
    starts: Vec<(u32, String)>,
    file: String,
}

/// The names for a module of IR that knows its lines (`LineMap::locate`).
pub fn ir_names(module: &Module) -> Option<Box<dyn Names>> {
    let file = module.source.as_ref()?.files.first()?.clone();
    let line = |func: &cleave_ir::Func| func.source.as_ref().map_or(0, |source| source.start.line);
    let mut starts: Vec<(u32, String)> = module.funcs.values().map(|func| (line(func), func.name.clone())).collect();
    starts.sort();
    let functions = starts.iter().map(|(line, name)| (name.clone(), shown(name, &file, *line))).collect();
    Some(Box::new(IrNames { functions, starts, file }))
}

fn shown(name: &str, file: &str, line: u32) -> String {
    format!("{name}{MARK}{file}:{line}]")
}

impl Names for IrNames {
    fn find(&self, function: &str) -> Option<String> {
        frontend::of_part(&self.functions, function).cloned()
    }

    fn at(&self, place: Location) -> Option<String> {
        let after = self.starts.partition_point(|start| start.0 <= place.line);
        let (_, name) = self.starts.get(after.checked_sub(1)?)?;
        place.is_known().then(|| shown(name, &self.file, place.line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_webassembly() {
        let name = |text: &str| Some(text.to_string());
        let lines = [
            (40, name("f [module: x:1]")),
            (45, None),
            (1341, name("g [module: x:37]")),
            (1342, name("f [module: x:1]")),
        ];
        let found = needed(&lines, &[30, 41, 44, 46, 1341, 1350]);
        let (f, g) = (Some("f [module: x:1]"), Some("g [module: x:37]"));
        assert_eq!(found, [(41, f), (46, None), (1341, g), (1350, f)]);
        assert_eq!(lines_text(&found), "15 1,5 0,zz 11 1,9 1 0\nx\nf\t0\ng\t0");
    }
}
