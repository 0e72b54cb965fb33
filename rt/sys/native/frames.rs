//! Walks the frames of compiled code on the machine stack, after the fact: code does nothing for it.
//!
//! A compiled function has a frame pointer, so that at rbp is the caller's rbp and above it the return address; or it
//! has none, leaves rbp as it is, and a table says how far above the stack pointer its frame ends
//! (`trace_table.rs`). The runtime has neither. So the way outwards is in pieces, one for each time that the runtime
//! has called compiled code:
//! ```text
//! LAST_FRAME ──▶ rbp of the function that waits for the runtime
//! LAST_STACK ──▶ its return address; its frame is above
//! ENTRY ───────▶ record of the innermost entry: { the three cells as they were outside, rbp of the entry }
//! ```
//! Both cells are written on the way to those functions of the runtime that may want to know
//! (`targets/native/announce.rs`). At an entry, which has a frame pointer, the way goes on where its record says. The
//! cells are those of the compiler's `address_space.rs`. Nothing here trusts the stack: a frame lies in it, above the
//! one before.

use super::address_space::START;
use super::trace_table::TraceTable;
use core::ops::Range;

/// The cells, and the fields of a record.
const CELLS: u64 = START as u64;
const LAST_FRAME: u64 = 0;
const LAST_STACK: u64 = 8;
const ENTRY: u64 = 16;
const FRAME: u64 = 24;
const RECORD: u64 = 32;

/// `push rbp` has this length; it is the first instruction of every function with a frame pointer.
const PUSH: u64 = 1;

/// Where the program was interrupted.
#[derive(Clone, Copy)]
pub struct Registers {
    pub code: u64,
    pub stack: u64,
    pub frame: u64,
}

fn word(address: u64) -> u64 {
    // SAFETY: the callers have compared the address with the bounds of the stack, or it is one of the cells.
    unsafe { (address as *const u64).read() }
}

/// An active function: where it will go on, its rbp, and its stack pointer there.
#[derive(Clone, Copy)]
pub struct Active {
    pub code: u64,
    pub frame: u64,
    stack: u64,
}

/// The way outwards.
pub struct Walk<'t> {
    stack: Range<u64>,
    /// What is known of functions without frame pointers, if there are any.
    table: Option<&'t TraceTable>,
    /// The innermost active function that has not been left.
    next: Option<Active>,
    /// The innermost entry outside of it.
    entry: u64,
}

impl<'t> Walk<'t> {
    /// From the call of the runtime outwards, on this stack. A program must be running.
    pub fn from_runtime(stack: Range<u64>, table: Option<&'t TraceTable>) -> Walk<'t> {
        Walk::from_cells(stack, [LAST_FRAME, LAST_STACK, ENTRY].map(|cell| word(CELLS + cell)), table)
    }

    #[inline(never)]
    pub fn from_cells(stack: Range<u64>, [frame, place, entry]: [u64; 3], table: Option<&'t TraceTable>) -> Walk<'t> {
        let mut walk = Walk { stack, table, next: None, entry };
        walk.next = walk.waiting(frame, place);
        walk
    }

    /// From a function that a fault has interrupted. The function `starts` there or before.
    pub fn from_fault(stack: Range<u64>, registers: Registers, start: u64, table: Option<&'t TraceTable>) -> Walk<'t> {
        let Registers { code, stack: top, frame } = registers;
        let mut walk = Walk { stack, table, next: None, entry: word(CELLS + ENTRY) };
        // Before it has a frame the return address is on top of the stack, or below the rbp that it has saved.
        let size = table.and_then(|table| table.frame_size(code, false));
        let at = match (size, code - start) {
            (None, 0) => Some(top),
            (None, PUSH) => Some(top + 8),
            _ => None,
        };
        walk.next = match at {
            Some(at) => walk.waiting(frame, at),
            None => walk.caller(Active { code, frame, stack: top }, size),
        };
        walk
    }

    /// How far above the stack pointer a frame without frame pointer ends, in a function that waits for a call.
    fn size(&self, code: u64) -> Option<u64> {
        self.table?.frame_size(code.wrapping_sub(1), true)
    }

    /// True for addresses of so many bytes in the stack.
    fn holds(&self, address: u64, bytes: u64) -> bool {
        address.is_multiple_of(8) && self.stack.start <= address && address <= self.stack.end - bytes
    }

    /// The function with this rbp whose return address is there.
    #[inline(never)]
    fn waiting(&self, frame: u64, at: u64) -> Option<Active> {
        let active = self.holds(at, 8).then(|| Active { code: word(at), frame, stack: at + 8 })?;
        let is_whole = self.size(active.code).is_some() || frame > at && self.holds(frame, 16);
        is_whole.then_some(active)
    }

    /// The caller of a function with a frame of this size, or with a frame pointer.
    fn caller(&mut self, of: Active, size: Option<u64>) -> Option<Active> {
        let caller = match size {
            Some(size) => {
                let at = of.stack.checked_add(size)?.checked_sub(8)?;
                self.holds(at, 8).then(|| Active { code: word(at), frame: of.frame, stack: at + 8 })?
            }
            None => {
                let frame = self.holds(of.frame, 16).then_some(of.frame)?;
                Active { code: word(frame + 8), frame: word(frame), stack: frame + 16 }
            }
        };
        if caller.stack <= of.stack {
            return None;
        }
        let has_pointer = self.size(caller.code).is_none();
        if has_pointer && self.holds(self.entry, RECORD) && caller.frame == word(self.entry + FRAME) {
            let record = self.entry;
            let outer = word(record + ENTRY);
            // Everything outside is older, hence above: the way has an end.
            self.entry = if outer > record { outer } else { 0 };
            let place = word(record + LAST_STACK);
            return if place > record { self.waiting(word(record + LAST_FRAME), place) } else { None };
        }
        // The frame of another function is not below where this one goes on.
        (!has_pointer || caller.frame >= caller.stack && self.holds(caller.frame, 16)).then_some(caller)
    }
}

impl Iterator for Walk<'_> {
    type Item = Active;
    #[inline(never)]
    fn next(&mut self) -> Option<Active> {
        let active = self.next?;
        self.next = self.caller(active, self.size(active.code));
        Some(active)
    }
}
