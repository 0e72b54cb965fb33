//! The list of active functions under the message of an error, from the table of names that the compiler has made
//! (`targets/native/frames.rs`). Programs without the table list nothing.

use super::frames::{Registers, Walk};
use super::running::{RUN, stacks};
use crate::base::console::{self, STDERR};
use crate::platform::Host;

/// Functions that a trace looks at, and its lines: as many as with the embedded engine for WebAssembly.
const FUNCTIONS: usize = 200;
const LINES: usize = 20;

/// Marks the place of a name in the first row of a function.
const BEGINS: u32 = 1 << 31;

/// The table of names.
#[derive(Clone, Copy)]
struct Names {
    table: *const u8,
    code: u64,
    length: u64,
}

impl Names {
    /// `None` if the program has none.
    fn find() -> Option<Names> {
        // SAFETY: `run` has put a program there, or none.
        let program = unsafe { (*RUN.program.get()).as_ref() }?;
        let names = Names { table: program.names, code: program.code as u64, length: program.code_length };
        (!names.table.is_null()).then_some(names)
    }

    fn number(self, at: u32) -> u32 {
        // SAFETY: the compiler has made the table; `at` is in it.
        unsafe { self.table.add(at as usize).cast::<u32>().read_unaligned() }
    }

    /// The start of the function that an address is in, and the place of the name with the line there; `None` for other
    /// code.
    fn function(self, address: u64) -> Option<(u64, u32)> {
        let offset = address.wrapping_sub(self.code);
        if offset >= self.length {
            return None;
        }
        // The last row that does not start after the address.
        let (mut first, mut end) = (0, self.number(0));
        while end - first > 1 {
            let middle = first.midpoint(end);
            if u64::from(self.number(4 + middle * 8)) <= offset { first = middle } else { end = middle }
        }
        let name = self.number(4 + first * 8 + 4) & !BEGINS;
        // The lines of a function are behind its first row.
        while first > 0 && self.number(4 + first * 8 + 4) & BEGINS == 0 {
            first -= 1;
        }
        Some((self.code + u64::from(self.number(4 + first * 8)), name))
    }

    fn text(self, place: u32) -> &'static [u8] {
        // SAFETY: as above; the table stays as long as the program runs.
        unsafe { core::slice::from_raw_parts(self.table.add(place as usize + 4), self.number(place) as usize) }
    }
}

/// Lists the innermost functions on standard error, if the program has names: from where it was
/// interrupted, or from the call of the runtime.
#[cold]
#[inline(never)]
pub fn print(c: &mut impl Host, interrupted: Option<Registers>) {
    let (Some(names), Some(stacks)) = (Names::find(), stacks()) else { return };
    let mut lines = Lines { names, current: 0, count: 0, written: 0 };
    let mut left = FUNCTIONS;
    let stack = stacks.machine();
    let place = interrupted.and_then(|registers| Some((registers, names.function(registers.code)?)));
    let walk = match place {
        Some((registers, (start, name))) => {
            lines.add(c, name);
            left -= 1;
            Walk::from_fault(stack, registers, start)
        }
        None => Walk::from_runtime(stack),
    };
    for active in walk {
        let Some((_, name)) = names.function(active.code.wrapping_sub(1)).filter(|_| left > 0) else { break };
        left -= usize::from(name != 0);
        lines.add(c, name);
    }
    lines.end(c);
}

/// Equal functions in sequence are one line.
struct Lines {
    names: Names,
    current: u32,
    count: u32,
    written: usize,
}

impl Lines {
    fn add(&mut self, c: &mut impl Host, name: u32) {
        if name == 0 {
            return;
        }
        if name != self.current {
            self.end(c);
            (self.current, self.count) = (name, 0);
        }
        self.count += 1;
    }

    /// Writes the line that is complete.
    fn end(&mut self, c: &mut impl Host) {
        if self.current == 0 || self.written == LINES {
            return;
        }
        let start: &[u8] = if self.written == 0 { b"Stack trace:\n  " } else { b"  " };
        self.written += 1;
        console::write_all(c, STDERR, start);
        console::write_all(c, STDERR, self.names.text(self.current));
        if self.count > 1 {
            let mut digits = [0; 10];
            let mut at = digits.len();
            let mut rest = self.count;
            while rest > 0
                && let Some(place) = digits.get_mut(at - 1)
            {
                *place = b'0' + (rest % 10) as u8;
                rest /= 10;
                at -= 1;
            }
            console::write_all(c, STDERR, b", ");
            console::write_all(c, STDERR, digits.get(at..).unwrap_or_default());
            console::write_all(c, STDERR, b" times");
        }
        console::write_all(c, STDERR, b"\n");
    }
}
