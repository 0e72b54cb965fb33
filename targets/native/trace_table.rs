//! The table by which the runtime lists active functions under the message of an error: which line an address of the
//! code is in, and how long frames without frame pointer are. The code is the same with and without it.
//!
//! ```text
//! u32 bytes of the table | u32 functions | u32 place of the names | u32 place of the files | functions | names | files
//! function:  start - start of the one before, frame, rows, rows * { offset - offset before, what, … }
//!            frame: 0: rbp, else eighths of the bytes from the stack pointer to its end; 1: 8 bytes, 16 at calls
//!            what: bit 0 clear: ± line - line before
//!                  bit 0 set:   ± name - name before, ± line - line before as another number
//! name:      length, bytes, number of the file          file: length, bytes
//! ```
//! Numbers have seven bits in each byte, the lowest first; those with ± have their sign in the lowest bit. Name 0 is
//! none: traces leave such code out. A row holds up to the next one. Only where a call waits or a fault may happen
//! anybody asks, so that there are rows for such places only. Lines and names go on from function to function.

use crate::jit_code::{Layout, symbol_of};
use crate::unwind::frame_of;
use crate::{Function, Program};
use rustc_hash::FxHashMap;

/// Bytes of the head.
const HEAD: usize = 16;
/// What is between a name and its file (`cleave_run::trace::MARK`).
const MARK: &str = " [module: ";

/// A name as traces show it, in its parts; name 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Shown {
    name: u32,
    line: u32,
}

/// Names and files, each once.
#[derive(Default)]
struct Texts<'p> {
    names: Vec<(&'p str, u32)>,
    files: Vec<&'p str>,
    name_numbers: FxHashMap<(&'p str, u32), u32>,
    file_numbers: FxHashMap<&'p str, u32>,
}

impl<'p> Texts<'p> {
    /// `f [module: file:3]` in its parts.
    fn shown(&mut self, text: &'p str) -> Shown {
        let (name, place) = text.split_once(MARK).unwrap_or((text, ""));
        let place = place.strip_suffix(']').unwrap_or(place);
        let line = place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        let (file, line) = line.unwrap_or((place, 0));
        let file = *self.file_numbers.entry(file).or_insert_with(|| {
            self.files.push(file);
            self.files.len() as u32 - 1
        });
        let name = *self.name_numbers.entry((name, file)).or_insert_with(|| {
            self.names.push((name, file));
            self.names.len() as u32
        });
        Shown { name, line }
    }
}

/// The table, or nothing if the program was compiled without traces.
pub fn write(program: &Program, layout: &Layout) -> Vec<u8> {
    if program.trace.is_empty() {
        return Vec::new();
    }
    let mut texts = Texts::default();
    let mut rows = Vec::new();
    let (mut last_start, mut last) = (0, Shown::default());
    for (i, function) in program.functions.iter().enumerate() {
        let start = layout.offset(symbol_of(program, i)).expect("a compiled function");
        number(&mut rows, u64::from(start - last_start));
        last_start = start;
        number(&mut rows, u64::from(frame_of(function)));
        let all = rows_of(program, function, program.trace.get(i), &mut texts);
        number(&mut rows, all.len() as u64);
        let mut last_offset = 0;
        for (offset, shown) in all {
            number(&mut rows, u64::from(offset - last_offset));
            last_offset = offset;
            let line = difference(last.line, shown.line);
            if shown.name == last.name {
                number(&mut rows, line << 1);
            } else {
                number(&mut rows, difference(last.name, shown.name) << 1 | 1);
                number(&mut rows, line);
            }
            last = shown;
        }
    }
    let names = HEAD + rows.len();
    let mut bytes = vec![0; HEAD];
    bytes.extend(rows);
    for (name, file) in texts.names {
        text(&mut bytes, name);
        number(&mut bytes, file.into());
    }
    let files = bytes.len();
    texts.files.into_iter().for_each(|file| text(&mut bytes, file));
    let head = [bytes.len(), program.functions.len(), names, files].map(|word| (word as u32).to_le_bytes());
    bytes[..HEAD].copy_from_slice(head.as_flattened());
    bytes
}

/// What is shown from which offsets of a function on.
fn rows_of<'p>(
    program: &'p Program,
    function: &'p Function,
    name: Option<&'p String>,
    texts: &mut Texts<'p>,
) -> Vec<(u32, Shown)> {
    let name = name.filter(|name| !name.is_empty());
    let mut shown = |line: Option<crate::lines::Line>| {
        let text = line.and_then(|line| program.lines.get(&line)).or(name);
        text.map_or(Shown::default(), |text| texts.shown(text))
    };
    let mut rows: Vec<(u32, Shown)> = Vec::new();
    let begins = (0, None);
    for &(offset, line) in std::iter::once(&begins).chain(&function.lines) {
        let shown = shown(line);
        match rows.last_mut() {
            Some(last) if last.1 == shown => {}
            // The function begins with the row that is there.
            Some(last) if last.0 == offset => last.1 = shown,
            // Without a row there is no name.
            None if shown.name == 0 => {}
            _ => rows.push((offset, shown)),
        }
    }
    rows
}

fn number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// With its sign in the lowest bit.
fn difference(from: u32, to: u32) -> u64 {
    let difference = i64::from(to) - i64::from(from);
    (difference << 1 ^ difference >> 63) as u64
}

fn text(bytes: &mut Vec<u8>, text: &str) {
    number(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}
