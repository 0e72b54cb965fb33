//! What objects of the reference-counted heap look like, and where their memory comes from, byte for byte, on every
//! target. Beside `layout.rs` the second half of what `rt/rc`, the passes and the interpreter agree on.
//!
//! ```text
//! cell      | header | count | reference 0 | … | word 0 | …          at 4-byte alignment
//! string    | header | count | length | bytes … |
//! free cell |  link  |   ?   | …
//! ```
//! The *header* is that of the garbage-collected heap: a node info and its tag. The *count* is the number of references
//! to the cell, from 1 on. It cannot overflow: a reference takes four bytes of a memory of 4 GiB, or of the stack.
//! Static nodes count from `STATIC_COUNT` on, so that nothing ever frees them, and code need not ask whether a node is
//! static before it counts.
//!
//! # Free cells
//! Cells of one *size class* have the same number of bytes. The free ones of a class form a list; its first is in the
//! table of lists, after the program record. The *link* of a free cell is the address of the next one, minus the end
//! of this cell: memory of zeros is a list of adjacent cells. So a fresh block of memory needs no preparation but for
//! its last cell, and taking a cell is the same for fresh memory and for memory that was used before. After the last
//! cell of a list comes address 0.
//!
//! Strings take cells of fewer sizes, so that one that grows byte by byte does not use a class for each length. Those
//! that no class is large enough for take *large blocks*, in units of their own. The free ones form one list, in the
//! order of their addresses, without neighbours: | next | 0 | bytes |.
//!
//! # Cycles
//! An object that may be part of a cycle of references (`Module::cycles` says which may) has `CYCLIC` in its count.
//! What has released it, and finds that less than `WATCHED` is left, calls `release_cyclic`. So code that counts need
//! not know what it counts, and objects that cannot be part of a cycle cost one comparison more.

use crate::layout::{PROGRAM_SIZE, SLOT};

/// Byte offset of the count.
pub const COUNT: u32 = 4;
/// Byte offset of the first field.
pub const FIELDS: u32 = 8;
/// Count of a node that nothing but the program text refers to.
pub const STATIC_COUNT: u32 = 1 << 30;

/// In the count of an object that may be part of a cycle.
pub const CYCLIC: u32 = 1 << 31;
/// The same, for one that is among the possible roots of cycles.
pub const BUFFERED: u32 = CYCLIC | 1 << 30;
/// The count of a new object that may be part of a cycle.
pub const FIRST_CYCLIC: u32 = CYCLIC + 1;
/// What a count with one reference less must be at most, as a signed number, for `release_cyclic` to be called: that of
/// an object that may be part of a cycle and is no possible root yet, or of a possible root without references.
pub const WATCHED: i32 = BUFFERED as i32;

/// Cells of at most so many bytes have a class for each multiple of four bytes; larger ones one for each KiB.
pub const SMALL_OBJECT: u32 = 1020;
/// Unit of the sizes of larger cells.
pub const LARGE_UNIT: u32 = 1024;
/// Number of the first class of larger cells.
pub const FIRST_LARGE: u32 = SMALL_OBJECT / SLOT + 1;
/// Number of classes: the largest cell has `MAX_SLOTS` slots.
pub const CLASSES: u32 = FIRST_LARGE + 65;
/// The table of free lists, a word for each class: its offset from the program record. Only programs with a counted
/// heap have it.
pub const FREE_LISTS: u32 = PROGRAM_SIZE;
/// After that table: where memory is that was never used, and where it ends at present; 0 before the first cell.
pub const FRESH: u32 = FREE_LISTS + CLASSES * SLOT;
/// The word that holds the end of that memory.
pub const FRESH_END: u32 = FRESH + SLOT;
/// The first free large block, or 0.
pub const LARGE_BLOCKS: u32 = FRESH_END + SLOT;
/// The first of the dead objects that are not freed yet, or 0.
pub const DEAD: u32 = LARGE_BLOCKS + SLOT;
/// Bytes of table and words together.
pub const RECORD_SIZE: u32 = DEAD + SLOT - FREE_LISTS;
/// Of programs that may make cycles, after that: the block with the possible roots of cycles, or 0.
pub const ROOTS: u32 = FREE_LISTS + RECORD_SIZE;
/// How many there are.
pub const ROOT_COUNT: u32 = ROOTS + SLOT;
/// Bytes of the block.
pub const ROOT_BYTES: u32 = ROOT_COUNT + SLOT;
/// With so many possible roots cycles are looked for.
pub const ROOT_LIMIT: u32 = ROOT_BYTES + SLOT;
/// Before memory from this address on is used, too.
pub const CYCLES_DUE: u32 = ROOT_LIMIT + SLOT;
/// Bytes of these words.
pub const CYCLE_RECORD_SIZE: u32 = CYCLES_DUE + SLOT - ROOTS;

/// Byte offset of the length of a string.
pub const STRING_LENGTH: u32 = FIELDS;
/// Byte offset of its first byte.
pub const STRING_DATA: u32 = STRING_LENGTH + SLOT;
/// Unit of the sizes of large blocks.
pub const BLOCK_UNIT: u32 = 4096;
/// Bytes of the largest cell that is no large block.
pub const LARGEST_OBJECT: u32 = class_bytes(CLASSES - 1);
/// Longer strings cannot exist: their end would be outside the address space.
pub const MAX_STRING: u32 = 0xf000_0000;

/// What the code of a program with `PROGRAM_FLAG_COUNT_CELLS` tells the libcall `count_cells`: a cell of so many bytes
/// was taken from the heap.
pub const EVENT_NEW: u32 = 0;
/// A cell of so many bytes was given back.
pub const EVENT_FREE: u32 = 1;
/// A node was built in the memory of another.
pub const EVENT_REUSE: u32 = 2;
/// A node was to be, but something else referred to that memory.
pub const EVENT_FAILED_REUSE: u32 = 3;
/// One reference more.
pub const EVENT_RETAIN: u32 = 4;
/// One reference less.
pub const EVENT_RELEASE: u32 = 5;

/// Byte offset of reference field `index`.
pub const fn reference(index: u32) -> u32 {
    FIELDS + index * SLOT
}
/// Byte offset of raw word `index` of a node with `refs` references.
pub const fn word(ptrs: u32, index: u32) -> u32 {
    FIELDS + (ptrs + 2 * index) * SLOT
}
/// Bytes of a node with this payload, without rounding.
pub const fn payload_end(ptrs: u32, nptrs: u32) -> u32 {
    FIELDS + (ptrs + 2 * nptrs) * SLOT
}
/// The size class of nodes with this payload.
pub const fn class(ptrs: u32, nptrs: u32) -> u32 {
    class_of(payload_end(ptrs, nptrs))
}
/// The size class of cells of so many bytes, a multiple of `SLOT`.
pub const fn class_of(bytes: u32) -> u32 {
    if bytes <= SMALL_OBJECT { bytes / SLOT } else { FIRST_LARGE + (bytes - 1) / LARGE_UNIT }
}
/// Bytes of the cells of a class.
pub const fn class_bytes(class: u32) -> u32 {
    if class < FIRST_LARGE { class * SLOT } else { (class - FIRST_LARGE + 1) * LARGE_UNIT }
}
/// Bytes of the cell of a node with this payload.
pub const fn node_bytes(ptrs: u32, nptrs: u32) -> u32 {
    class_bytes(class(ptrs, nptrs))
}
/// Bytes of the cell or large block of a string: a multiple of a quarter of the power of two below it, at least of 16;
/// of large blocks, of a sixteenth. So a string that grows byte by byte is seldom copied.
pub const fn string_bytes(length: u32) -> u32 {
    let bytes = STRING_DATA + length;
    if bytes > LARGEST_OBJECT {
        let step = 1 << (bytes - 1).ilog2() >> 4;
        return bytes.next_multiple_of(if step > BLOCK_UNIT { step } else { BLOCK_UNIT });
    }
    let step = 1 << (bytes - 1).ilog2() >> 2;
    let bytes = bytes.next_multiple_of(if step > 16 { step } else { 16 });
    if bytes > LARGEST_OBJECT { LARGEST_OBJECT } else { class_bytes(class_of(bytes)) }
}
