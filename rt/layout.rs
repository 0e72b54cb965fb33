//! The memory image as the runtime sees it: the numbers of the compiler's `ir/layout.rs`, repeated.
//!
//! The runtime depends on no crate of the compiler, so the constants stand here a second time; a test of the compiler
//! compares the two lists. The drawings of objects are in `ir/layout.rs`. What is derived from a number (the size of a
//! rest block, where a field is) is computed here, at run time, from the info word that a header leads to.

pub const SLOT: u32 = 4;
pub const MIN_CELL: u32 = 12;
pub const INLINE_SLOTS: u32 = 2;

pub const SHADOW_STACK_TOP: u32 = RUNTIME_STACK_TOP - RUNTIME_STACK_SIZE;
pub const RUNTIME_STACK_SIZE: u32 = 64 * 1024;
pub const RUNTIME_STACK_TOP: u32 = 32 * 1024 * 1024;

pub const TAG_HNF: u32 = 1;
pub const TAG_FORWARDED: u32 = 2;
/// Both tag bits of a header.
pub const TAG_MASK: u32 = 3;

pub const KIND_INLINE: u32 = 0;
pub const KIND_SPLIT: u32 = 1;
pub const KIND_ARRAY: u32 = 2;
pub const KIND_STRING: u32 = 3;
pub const KIND_THUNK: u32 = 4;
pub const KIND_INDIRECTION: u32 = 5;
pub const KIND_SELECT_REF: u32 = 6;
pub const KIND_SELECT_WORD: u32 = 7;
pub const KIND_SOLID: u32 = 8;
pub const KIND_MASK: u32 = 15;

pub const MAX_SLOTS: u32 = (1 << 14) - 1;

pub const ENTRY_RECORD_SIZE: u32 = 16;
pub const ENTRY_INFO: u32 = 0;
pub const ENTRY_UPDATE: u32 = 4;
pub const ENTRY_DESCRIPTOR: u32 = 8;
pub const ENTRY_SELECTOR: u32 = 12;

pub const ROW_SIZE: u32 = 20;
pub const ROW_INFO: u32 = 0;
pub const ROW_DESCRIPTOR: u32 = 4;
pub const ROW_HELD: u32 = 8;
pub const ROW_MISSING: u32 = 10;

pub const DESCRIPTOR_KIND: u32 = 0;
pub const DESCRIPTOR_ARITY: u32 = 2;
pub const DESCRIPTOR_NAME: u32 = 4;
pub const DESCRIPTOR_MODULE: u32 = 8;
pub const DESCRIPTOR_TYPES: u32 = 12;
pub const DESCRIPTOR_SIZES: u32 = 16;
pub const DESCRIPTOR_NESTED: u32 = 20;

/// `DescriptorKind` of the compiler, as numbers.
pub mod descriptor {
    pub const CONSTRUCTOR: u32 = 0;
    pub const INT: u32 = 1;
    pub const CHAR: u32 = 2;
    pub const BOOL: u32 = 3;
    pub const REAL: u32 = 4;
    pub const FILE: u32 = 5;
    pub const STRING: u32 = 6;
    pub const ARRAY: u32 = 7;
    pub const BOXED_ARRAY: u32 = 8;
    pub const EMPTY: u32 = 9;
    pub const LIST_CELL: u32 = 10;
    pub const TUPLE: u32 = 11;
    pub const RECORD: u32 = 12;
    pub const UNBOXED_LIST_CELL: u32 = 13;
    pub const LAST: u32 = UNBOXED_LIST_CELL;
}

pub const ARRAY_SIZE: u32 = 4;
pub const ARRAY_ELEMENT: u32 = 8;
pub const ARRAY_DATA: u32 = 12;
pub const STRING_LENGTH: u32 = 4;
pub const STRING_DATA: u32 = 8;

/// `ElementKind` of the compiler, as numbers; a larger kind word is the DescriptorInfo of an unboxed record.
pub mod element {
    pub const REF: u32 = 0;
    pub const INT: u32 = 1;
    pub const REAL: u32 = 2;
    pub const BOOL: u32 = 3;
    pub const INT32: u32 = 4;
    pub const REAL32: u32 = 5;
    pub const CHAR: u32 = 6;
}

pub const SMALL_INT_MIN: i64 = -128;
pub const SMALL_INT_MAX: i64 = 255;
/// Number of Ints with a static node.
pub const SMALL_INTS: u64 = (SMALL_INT_MAX - SMALL_INT_MIN + 1) as u64;
pub const STATIC_NODE_SIZE: u32 = MIN_CELL;

pub const PROGRAM_HEAP_BASE: u32 = 0;
pub const PROGRAM_INT_HEADER: u32 = 4;
pub const PROGRAM_CHAR_HEADER: u32 = 8;
pub const PROGRAM_BOOL_HEADER: u32 = 12;
pub const PROGRAM_REAL_HEADER: u32 = 16;
pub const PROGRAM_FILE_HEADER: u32 = 20;
pub const PROGRAM_STRING_HEADER: u32 = 24;
pub const PROGRAM_ARRAY_HEADER: u32 = 28;
pub const PROGRAM_BOXED_ARRAY_HEADER: u32 = 32;
pub const PROGRAM_EMPTY: u32 = 36;
pub const PROGRAM_SMALL_INTS: u32 = 40;
pub const PROGRAM_CHARS: u32 = 44;
pub const PROGRAM_BOOLS: u32 = 48;
pub const PROGRAM_CAF_START: u32 = 52;
pub const PROGRAM_CAF_END: u32 = 56;
pub const PROGRAM_CYCLE_ENTRY: u32 = 60;
pub const PROGRAM_ENTRIES_START: u32 = 64;
pub const PROGRAM_ENTRIES_END: u32 = 68;
pub const PROGRAM_RESULTS: u32 = 72;
pub const PROGRAM_HEAP_POINTER: u32 = 76;
pub const PROGRAM_HEAP_LIMIT: u32 = 80;
pub const PROGRAM_FLAGS: u32 = 84;
pub const PROGRAM_HEAP_MAX: u32 = 88;
pub const PROGRAM_LIST_HEADER: u32 = 92;
/// Start of the C memory, of `C_MEMORY` bytes; 0 if the program has none.
pub const PROGRAM_C_START: u32 = 96;
/// Objects from here on are old: who overwrites one tells the collector (`nursery`). No address reaches it while there
/// is no nursery.
pub const PROGRAM_OLD_START: u32 = 100;
pub const PROGRAM_SIZE: u32 = 104;
/// Bytes of the C memory.
pub const C_MEMORY: u32 = 8 << 20;
/// How arguments of C functions are handed on: places for integers and addresses, for reals, and for all that do not
/// fit there; a word each, in this order.
pub const C_ARGUMENT_WORDS: u32 = 6;
pub const C_ARGUMENT_REALS: u32 = 8;
pub const C_ARGUMENT_STACK: u32 = 32;
pub const RESULT_CELLS: u32 = 16;

/// Bits of `PROGRAM_FLAGS`: how the program behaves unless its options say otherwise.
pub const PROGRAM_FLAG_BASIC: u32 = 1;
pub const PROGRAM_FLAG_NO_RESULT: u32 = 2;
pub const PROGRAM_FLAG_NO_OPTIONS: u32 = 4;
pub const PROGRAM_FLAG_TIMES: u32 = 8;
pub const PROGRAM_FLAG_SHOW_GC: u32 = 16;

pub const fn info_word(kind: u32, refs: u32, slots: u32) -> u32 {
    kind | refs << 4 | slots << 18
}
pub const fn info_kind(info: u32) -> u32 {
    info & KIND_MASK
}
pub const fn info_refs(info: u32) -> u32 {
    info >> 4 & MAX_SLOTS
}
pub const fn info_slots(info: u32) -> u32 {
    info >> 18
}
/// Info word of a node with this payload.
pub const fn node_info(refs: u32, words: u32) -> u32 {
    let slots = refs + 2 * words;
    info_word(if slots > INLINE_SLOTS { KIND_SPLIT } else { KIND_INLINE }, refs, slots)
}
/// The same for a node whose descriptor is solid: one block, however large.
pub const fn solid_info(refs: u32, words: u32) -> u32 {
    let slots = refs + 2 * words;
    info_word(if slots > INLINE_SLOTS { KIND_SOLID } else { KIND_INLINE }, refs, slots)
}
/// Bytes of the rest block of a split node.
pub const fn rest_bytes(refs: u32, slots: u32) -> u32 {
    SLOT * if refs > 0 { slots - 1 } else { slots }
}
/// Bytes of a thunk or solid node: the whole payload is in the cell.
pub const fn thunk_bytes(slots: u32) -> u32 {
    SLOT + SLOT * if slots < INLINE_SLOTS { INLINE_SLOTS } else { slots }
}
/// Bytes of a string object.
pub const fn string_bytes(length: u32) -> u32 {
    STRING_DATA + (length.wrapping_add(3) & !3)
}

const _: () = {
    assert!(SHADOW_STACK_TOP.is_multiple_of(SLOT));
    assert!(info_slots(node_info(3, 2)) == 7 && info_refs(node_info(3, 2)) == 3);
    assert!(info_kind(node_info(0, 1)) == KIND_INLINE && info_kind(node_info(1, 1)) == KIND_SPLIT);
    // A solid node lies in memory as a thunk of the same slots does.
    assert!(info_kind(solid_info(1, 1)) == KIND_SOLID && thunk_bytes(3) == SLOT + 3 * SLOT);
    assert!(rest_bytes(0, 4) == 16 && rest_bytes(1, 3) == 8 && thunk_bytes(1) == MIN_CELL);
    assert!(PROGRAM_SIZE == PROGRAM_OLD_START + SLOT);
};
