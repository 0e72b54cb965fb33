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

    fn from_cells(stack: Range<u64>, [frame, lower_end, entry]: [u64; 3]) -> Walk {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A stack of some words, which grows towards the first.
    struct Stack(Vec<u64>);

    impl Stack {
        fn range(&self) -> Range<u64> {
            self.place(0)..self.place(self.0.len())
        }
        fn place(&self, index: usize) -> u64 {
            self.0.as_ptr() as u64 + index as u64 * 8
        }
        fn set(&mut self, index: usize, words: &[u64]) {
            self.0[index..index + words.len()].copy_from_slice(words);
        }
        fn codes(&self, cells: [u64; 3]) -> Vec<u64> {
            Walk::from_cells(self.range(), cells).map(|active| active.code).collect()
        }
    }

    /// `a` called `b`, `b` the runtime, that an entry, this `c`, and `c` the runtime: codes 1, 2, 3, entries 7, 8.
    fn nested() -> (Stack, [u64; 3]) {
        let mut s = Stack(vec![0; 64]);
        let p = |s: &Stack, index| s.place(index);
        // Outermost entry: frame at 60, record at 56.
        let words = [0, 0, 0, p(&s, 60)];
        s.set(56, &words);
        // a: frame at 50.
        let words = [p(&s, 60), 8];
        s.set(50, &words);
        // b: frame at 40, its stack ends at 36, where its place in the code is below.
        let words = [p(&s, 50), 1];
        s.set(40, &words);
        s.set(35, &[2]);
        // The entry within: frame at 30, record at 26.
        let words = [p(&s, 40), p(&s, 36), p(&s, 56), p(&s, 30)];
        s.set(26, &words);
        // c: frame at 20, its stack ends at 18.
        let words = [p(&s, 30), 7];
        s.set(20, &words);
        s.set(17, &[3]);
        let cells = [p(&s, 20), p(&s, 18), p(&s, 26)];
        (s, cells)
    }

    #[test]
    fn the_way_leads_over_entries() {
        let (stack, cells) = nested();
        assert_eq!(stack.codes(cells), [3, 2, 1]);
    }

    #[test]
    fn damaged_frames_end_it() {
        let (whole, cells) = nested();
        // Whatever a word is replaced by, the way ends, and reads nothing outside of the stack.
        for index in 0..whole.0.len() {
            for bad in [0, 1, 12, whole.place(20), whole.place(30), whole.place(63), whole.place(64), u64::MAX - 7] {
                let mut stack = Stack(whole.0.clone());
                let (old, new) = (whole.range(), stack.range());
                let moved = |word: u64| if old.contains(&word) { word - old.start + new.start } else { word };
                for word in &mut stack.0 {
                    *word = moved(*word);
                }
                stack.0[index] = if bad == old.end { new.end } else { moved(bad) };
                assert!(stack.codes(cells.map(moved)).len() <= stack.0.len());
            }
        }
        for bad in [0, 5, whole.place(64), u64::MAX - 7] {
            for cell in 0..2 {
                let mut cells = cells;
                cells[cell] = bad;
                assert_eq!(whole.codes(cells), [0; 0]);
            }
        }
    }
}
