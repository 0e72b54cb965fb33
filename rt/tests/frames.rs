//! The walk over frames of machine code, also over damaged ones.

use cleave_rt::sys::native::frames::Walk;
use cleave_rt::sys::native::trace_table::TraceTable;
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
        Walk::from_cells(self.range(), cells, None).map(|active| active.code).collect()
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
    // b: frame at 40, its stack ends at 36, below is its place in the code.
    let words = [p(&s, 50), 1];
    s.set(40, &words);
    s.set(35, &[2]);
    // The entry within: frame at 30, record at 26.
    let words = [p(&s, 40), p(&s, 35), p(&s, 56), p(&s, 30)];
    s.set(26, &words);
    // c: frame at 20, its stack ends at 18.
    let words = [p(&s, 30), 7];
    s.set(20, &words);
    s.set(17, &[3]);
    let cells = [p(&s, 20), p(&s, 17), p(&s, 26)];
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

/// A table of two functions: one at 16 without frame pointer, whose frame ends 32 bytes above its stack pointer and
/// which is in line 7 from its byte 4 on; one at 48 with a frame pointer, in line 9.
fn table() -> Vec<u8> {
    let functions = [
        // Start, frame, rows; offset, another name by 1, another line by 5; offset, another line by 2.
        &[16, 4, 2, 0, 1 << 2 | 1, 5 << 1, 4, 2 << 2][..],
        &[32, 0, 1, 0, 2 << 2],
    ]
    .concat();
    let names = [&[1][..], b"f", &[0]].concat();
    let files = [&[4][..], b"x.ir"].concat();
    let place = 16 + functions.len();
    let end = place + names.len();
    let head = [end + files.len(), 2, place, end].map(|word| (word as u32).to_le_bytes());
    [head.as_flattened(), &functions, &names, &files].concat()
}

#[test]
fn lines_are_found_in_the_table() {
    let bytes = table();
    // SAFETY: the table has its length.
    let table = unsafe { TraceTable::new(bytes.as_ptr(), 1000, 100) }.expect("a table");
    let line = |address| table.place(address).map(|place| (place.start, place.name, place.line));
    assert_eq!(line(999), None);
    assert_eq!(line(1015), None);
    assert_eq!(line(1016), Some((1016, 1, 5)));
    assert_eq!(line(1020), Some((1016, 1, 7)));
    assert_eq!(line(1047), Some((1016, 1, 7)));
    assert_eq!(line(1048), Some((1048, 1, 9)));
    assert_eq!(line(1100), None);
    assert_eq!(table.name(1), (&b"f"[..], &b"x.ir"[..]));
    assert_eq!((table.frame_size(1020, true), table.frame_size(1050, true)), (Some(32), None));
}

#[test]
fn frames_without_pointers_are_passed_by_their_size() {
    let bytes = table();
    // SAFETY: as above.
    let table = unsafe { TraceTable::new(bytes.as_ptr(), 1000, 100) }.expect("a table");
    // The entry has its frame at 60; it called the function with a frame pointer, with its frame at 50, and that the
    // other one, twice: the stack pointer of each is 32 bytes below the end of its frame.
    let mut stack = Stack(vec![0; 64]);
    let record = [0, 0, 0, stack.place(60)];
    stack.set(56, &record);
    let frame = [stack.place(60), 1090];
    stack.set(50, &frame);
    stack.set(40, &[1050]);
    stack.set(36, &[1024]);
    stack.set(32, &[1022]);
    let cells = [stack.place(50), stack.place(32), stack.place(56)];
    let walk = Walk::from_cells(stack.range(), cells, Some(&table));
    assert_eq!(walk.map(|active| active.code).collect::<Vec<_>>(), [1022, 1024, 1050]);
}
