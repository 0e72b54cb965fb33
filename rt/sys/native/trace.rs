//! The list of active functions under the message of an error, from the table that the compiler has made
//! (`trace_table.rs`). Programs without the table list nothing.

use super::frames::{Registers, Walk};
use super::running::{RUN, stacks};
use super::trace_table::TraceTable;
use crate::base::console::{self, STDERR};
use crate::base::decimal::Number as Text;
use crate::platform::Host;

/// Functions that a trace looks at, and its lines: as many as with the embedded engine for WebAssembly.
const FUNCTIONS: usize = 200;
const LINES: usize = 20;

/// The table of the program; `None` if it has none.
fn table() -> Option<TraceTable> {
    // SAFETY: `run` has put a program there, or none; the compiler has made its table.
    unsafe {
        let program = (*RUN.program.get()).as_ref()?;
        TraceTable::new(program.traces, program.code as u64, program.code_length)
    }
}

/// Lists the innermost functions on standard error, if the program has names: from where it was
/// interrupted, or from the call of the runtime.
#[cold]
#[inline(never)]
pub fn print(c: &mut impl Host, interrupted: Option<Registers>) {
    let (Some(table), Some(stacks)) = (table(), stacks()) else { return };
    let mut lines = Lines { table, current: (0, 0), count: 0, written: 0 };
    let mut left = FUNCTIONS;
    let stack = stacks.machine();
    let place = interrupted.and_then(|registers| Some((registers, table.place(registers.code)?)));
    let walk = match place {
        Some((registers, place)) => {
            lines.add(c, (place.name, place.line));
            left -= 1;
            Walk::from_fault(stack, registers, place.start, Some(&table))
        }
        None => Walk::from_runtime(stack, Some(&table)),
    };
    for active in walk {
        let Some(place) = table.place(active.code.wrapping_sub(1)).filter(|_| left > 0) else { break };
        left -= usize::from(place.name != 0);
        lines.add(c, (place.name, place.line));
    }
    lines.end(c);
}

/// Equal functions in sequence are one line.
struct Lines {
    table: TraceTable,
    /// Numbers of a name and a line.
    current: (u64, u64),
    count: u64,
    written: usize,
}

impl Lines {
    fn add(&mut self, c: &mut impl Host, place: (u64, u64)) {
        if place.0 == 0 {
            return;
        }
        if place != self.current {
            self.end(c);
            (self.current, self.count) = (place, 0);
        }
        self.count += 1;
    }

    /// Writes the line that is complete.
    fn end(&mut self, c: &mut impl Host) {
        let ((name, line), count) = (self.current, self.count);
        if name == 0 || self.written == LINES {
            return;
        }
        let start: &[u8] = if self.written == 0 { b"Stack trace:\n  " } else { b"  " };
        self.written += 1;
        let (name, file) = self.table.name(name);
        let (place, more): (&[u8], &[u8]) =
            (if line != 0 { b":" } else { b"" }, if count > 1 { b"], " } else { b"]\n" });
        let texts = [start, name, b" [module: ", file, place];
        let (mut digits, mut times) = (Text::new(), Text::new());
        if line != 0 {
            digits.push_unsigned(line);
        }
        if count > 1 {
            times.push_unsigned(count);
        }
        let end: &[u8] = if count > 1 { b" times\n" } else { b"" };
        for part in texts.into_iter().chain([digits.bytes(), more, times.bytes(), end]) {
            console::write_all(c, STDERR, part);
        }
    }
}
