//! Walks the frames of compiled code on the machine stack. Only in programs that were compiled so.
//!
//! Compiled functions have frame pointers: at rbp is the caller's rbp, above it the return address. The runtime has
//! none. So the way outwards is in pieces, one for each time that the runtime has called compiled code:
//! ```text
//! LAST_FRAME ──▶ frame of the function that waits for the runtime ──rbp──▶ … ──rbp──▶ frame of the entry
//! LAST_STACK ──▶ lower end of that frame, the return address is below it
//! ENTRY ───────▶ thunk info: { the three cells as they were outside, rbp of the entry }
//! ```
//! At the rbp of an entry the way goes on where its record says. The cells are those of the compiler's
//! `address_space.rs`. Nothing here trusts the stack: a frame lies in it, above the one before.

use super::address_space::START;
use core::ops::Range;

/// The cells, and the fields of an thunk info.
const CELLS: u64 = START as u64;
const LAST_FRAME: u64 = 0;
const LAST_STACK: u64 = 8;
const ENTRY: u64 = 16;
const FRAME: u64 = 24;
const RECORD: u64 = 32;

/// `push rbp` has this length; it is the first instruction of every function.
const PUSH: u64 = 1;

/// Where the program was interrupted.
#[derive(Clone, Copy)]
pub struct Registers {
    pub code: u64,
    pub stack: u64,
    pub frame: u64,
}

fn word(address: u64) -> u64 {
    // SAFETY: the callers have compared the address with the bounds of the stack, or it is one of the two cells.
    unsafe { (address as *const u64).read() }
}

/// An active function: where it will go on, and its frame.
#[derive(Clone, Copy)]
pub struct Active {
    pub code: u64,
    pub frame: u64,
}

/// The way outwards.
pub struct Walk {
    stack: Range<u64>,
    /// The innermost active function that has not been left.
    next: Option<Active>,
    /// The innermost entry outside of it.
    entry: u64,
}

impl Walk {
    /// From the call of the runtime outwards, on this stack. A program must be running.
    pub fn from_runtime(stack: Range<u64>) -> Walk {
        Walk::from_cells(stack, [LAST_FRAME, LAST_STACK, ENTRY].map(|cell| word(CELLS + cell)))
    }

    pub fn from_cells(stack: Range<u64>, [frame, lower_end, entry]: [u64; 3]) -> Walk {
        let mut walk = Walk { stack, next: None, entry };
        walk.next = walk.waiting(frame, lower_end);
        walk
    }

    /// From a function that a fault has interrupted at `code`, which has its frame unless it `starts` there or an
    /// instruction before.
    pub fn from_fault(stack: Range<u64>, registers: Registers, start: u64) -> Walk {
        let Registers { code, stack: top, frame } = registers;
        let mut walk = Walk { stack, next: None, entry: word(CELLS + ENTRY) };
        // Before it has a frame the return address is on top of the stack, or below the rbp that it has saved.
        let at = match code - start {
            0 => Some(top),
            PUSH => Some(top + 8),
            _ => None,
        };
        if walk.holds(frame, 16) {
            walk.next = match at {
                Some(at) => walk.holds(at, 8).then(|| Active { code: word(at), frame }),
                None => walk.caller(Active { code, frame }),
            };
        }
        walk
    }

    /// True for addresses of so many bytes in the stack.
    fn holds(&self, address: u64, bytes: u64) -> bool {
        address.is_multiple_of(8) && self.stack.start <= address && address <= self.stack.end - bytes
    }

    /// The function with this frame that waits for the runtime.
    fn waiting(&self, frame: u64, stack: u64) -> Option<Active> {
        let at = stack.wrapping_sub(8);
        (self.holds(at, 8) && stack <= frame && self.holds(frame, 16)).then(|| Active { code: word(at), frame })
    }

    /// The caller of a function.
    fn caller(&mut self, of: Active) -> Option<Active> {
        let (frame, code) = (word(of.frame), word(of.frame + 8));
        if self.holds(self.entry, RECORD) && frame == word(self.entry + FRAME) {
            let record = self.entry;
            let outer = word(record + ENTRY);
            // Everything outside is older, hence above: the way has an end.
            self.entry = if outer > record { outer } else { 0 };
            let stack = word(record + LAST_STACK);
            return if stack > record { self.waiting(word(record + LAST_FRAME), stack) } else { None };
        }
        (frame > of.frame && self.holds(frame, 16)).then_some(Active { code, frame })
    }
}

impl Iterator for Walk {
    type Item = Active;
    fn next(&mut self) -> Option<Active> {
        let active = self.next?;
        self.next = self.caller(active);
        Some(active)
    }
}
