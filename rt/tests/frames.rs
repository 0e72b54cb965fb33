//! The walk over frames of machine code, also over damaged ones.

use cleave_rt::sys::native::frames::Walk;
use std::ops::Range;

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
