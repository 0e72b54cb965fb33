//! Memory layout: where everything lives and what every object looks like, byte for byte, on every target.
//!
//! This file is the contract between the compiler (passes, which emit loads and stores, the static data section, the
//! interpreter) and the runtime (collector and libcalls). Nothing else may know a byte offset of a heap object.
//!
//! ```text
//! 0                      SHADOW_STACK_TOP      RUNTIME_STACK_TOP = RUNTIME_DATA_BASE          image_base        heap_base
//! | shadow stack (grows ←) |  runtime's own stack ← | statics of rt | program image | heap →                  2 GiB |
//! ```
//! The shadow stack grows towards address 0, so an overflow becomes an access outside the address space and traps.
//! A reference is the 32-bit address of a header. References below `heap_base` are static: never moved, never scanned.
//!
//! # Header word (slot 0 of every object)
//! ```text
//! bit 0 = 1              head normal form: address of a node info | 1
//! bits 1..0 = 00         thunk: address of a thunk info (16-byte aligned)
//! bits 1..0 = 10         forwarded (only during a collection): new address | 2
//! ```
//! The first word of a row and of a thunk info is the *info word* that the collector reads through either kind of
//! header: `load(header & !1)`.
//!
//! # Info word
//! ```text
//! bits 0..3   kind (KIND_*)
//! bits 4..17  number of references among the payload slots (they come first)
//! bits 18..31 number of payload slots: references + 2 × raw words
//! ```
//!
//! # Cells
//! ```text
//! inline node (≤ 2 payload slots)      split node (> 2 payload slots)
//! | header | slot 0 | slot 1 |         | header | slot 0 | rest ──▶ | slot 1 | slot 2 | … |     (≥ 1 reference)
//!                                      | header |   0    | rest ──▶ | slot 0 | slot 1 | … |     (no reference)
//! thunk (all payload inline, at least 2 slots reserved)      contiguous node (> 2 payload slots)
//! | thunk info | slot 0 | slot 1 | slot 2 | …             | header | slot 0 | slot 1 | slot 2 | …
//! array object                                    string object
//! | header | size | kind word | elements … |      | header | length in bytes | bytes, padded to 4 |
//! ```
//! A block named by `rest` has no header; it belongs to its cell alone except after `fill_copy`, when two cells may
//! name the same block. Every cell is at least 12 bytes, so that any thunk can be overwritten by any node. The cells of
//! a *contiguous* descriptor never take the place of another object, and no other object takes theirs: nothing is
//! split. Raw words are 8 bytes (i64 or f64) at 4-byte alignment.

/// Bytes of a slot: a reference or half a raw word.
pub const SLOT: u32 = 4;
/// Bytes of the smallest cell: header and two payload slots.
pub const MIN_OBJECT: u32 = 12;
/// Payload slots that every cell has.
pub const INLINE_SLOTS: u32 = 2;

/// The shadow stack occupies `0 .. SHADOW_STACK_TOP` and starts empty at its top (or lower, with a smaller `-s`).
pub const SHADOW_STACK_TOP: u32 = RUNTIME_STACK_TOP - RUNTIME_STACK_SIZE;
/// Bytes reserved for the machine stack of the compiled runtime (its frames that need memory).
pub const RUNTIME_STACK_SIZE: u32 = 64 * 1024;
/// The runtime's stack starts here, and its static data follow.
pub const RUNTIME_STACK_TOP: u32 = 32 * 1024 * 1024;

/// Bytes of a frame of the engine that one byte on the shadow stack stands for, where functions can be captured.
pub const STACKLESS_ENGINE_BYTES: u32 = 48;

/// Bytes that remain free between captured frames and the shadow stack: for one capture, and all that functions and
/// the runtime put on the shadow stack before the next one.
pub const STACKLESS_RESERVE: u32 = 4 << 20;

/// What compiled code and the runtime tell each other about captured frames is near the end of the shadow stack, which
/// nothing else reaches. Here: where the next record goes.
pub const CAPTURE_TOP: u32 = 64;
/// The shadow-stack pointer of the function that goes on.
pub const CAPTURE_POINTER: u32 = 68;
/// Where the next word of a record is that has not been restored.
pub const CAPTURE_READ: u32 = 72;
/// The number that the record of the function that goes on begins with.
pub const CAPTURE_ID: u32 = 76;
/// The shadow-stack pointer below which functions are captured next.
pub const CAPTURE_LIMIT: u32 = 80;
/// The innermost captured frames that wait: where their records begin.
pub const CAPTURE_START: u32 = 84;
/// Their end.
pub const CAPTURE_END: u32 = 88;
/// How far below the pointer of a function that goes on the limit is.
pub const CAPTURE_BUDGET: u32 = 92;
/// Results of the function that has returned, 8 bytes for each.
pub const CAPTURE_RESULTS: u32 = 96;
/// Bytes before the records of one capture: start, end and next record of those before.
pub const CAPTURE_HEADER: u32 = 28;

/// A reference with this bit is an *immediate*: no address, but an integer, shifted to the left by one. Objects, the
/// static ones too, lie at multiples of `SLOT`. Only programs with `PROGRAM_FLAG_IMMEDIATES` have immediates.
pub const IMMEDIATE: u32 = 1;
/// The least integer of an immediate.
pub const IMMEDIATE_MIN: i64 = -1 << 30;
/// The largest one.
pub const IMMEDIATE_MAX: i64 = (1 << 30) - 1;

/// Is a reference an integer?
#[inline(always)]
pub const fn is_immediate(reference: u32) -> bool {
    reference & IMMEDIATE != 0
}
/// The integer of an immediate.
#[inline(always)]
pub const fn immediate_value(reference: u32) -> i64 {
    (reference as i32 >> 1) as i64
}
/// The reference that is an integer, if the integer fits; else that of its lowest bits.
#[inline(always)]
pub const fn immediate(value: i64) -> u32 {
    (value as u32) << 1 | IMMEDIATE
}

/// Header tag of a head normal form.
pub const TAG_HNF: u32 = 1;
/// Header tag of a forwarded object.
pub const TAG_FORWARDED: u32 = 2;

/// Node whose payload fits in the cell.
pub const KIND_INLINE: u32 = 0;
/// Node with a `rest` block.
pub const KIND_SPLIT: u32 = 1;
/// Array object `_ARRAY_`.
pub const KIND_ARRAY: u32 = 2;
/// String object `_STRING_`.
pub const KIND_STRING: u32 = 3;
/// Ordinary thunk.
pub const KIND_THUNK: u32 = 4;
/// Indirection: slot 0 is the target.
pub const KIND_INDIRECTION: u32 = 5;
/// Selector thunk whose result is reference field `n` (record word 3) of the node in slot 0.
pub const KIND_SELECT_REF: u32 = 6;
/// Selector thunk whose result is field `n` of the record in slot 0, a raw word (fields count references first), boxed.
pub const KIND_SELECT_WORD: u32 = 7;
/// Node of more than two slots in one block.
pub const KIND_CONTIGUOUS: u32 = 8;
/// Node of the reference-counted heap (`rc.rs`): the payload, in one block, begins after the count.
pub const KIND_RC: u32 = 9;
/// Cell that stands for an object of the host (`DescriptorKind::Foreign`), on either heap: it has no references.
pub const KIND_FOREIGN: u32 = 10;
/// Payload slots of such a cell: the runtime's word, then the number that the host knows the object by.
pub const FOREIGN_SLOTS: u32 = 4;

/// The bits of an info word that are the kind.
pub const INFO_KIND: u32 = 15;
/// Packs an info word. `slots` counts payload slots, `refs` of which are references.
pub const fn info_word(kind: u32, ptrs: u32, slots: u32) -> u32 {
    assert!(kind < 16 && ptrs <= MAX_SLOTS && slots <= MAX_SLOTS);
    kind | ptrs << 4 | slots << 18
}
/// The most payload slots a node can have.
pub const MAX_SLOTS: u32 = (1 << 14) - 1;

/// Bytes of a thunk info; records lie in one table, so that `(address - table) / 16` is the index of an entry.
///
/// ```text
/// +0 info word   +4 update entry: 1 + index in the table of update entries, or 0
/// +8 header word of the descriptor holding no arguments, or 0
/// +12 selectors of a reference: field number (from 0) | argument count as in `.n`, negative, << 24; of a word: field
///     number (references first) | kind of the box (DescriptorKind) << 16; others: argument count as in `.n` or `.nu`
/// ```
pub const THUNK_INFO_SIZE: u32 = 16;
/// Byte offset of the info word.
pub const THUNK_INFO_WORD: u32 = 0;
/// Byte offset of the word about the update entry.
pub const THUNK_INFO_UPDATE: u32 = 4;
/// Byte offset of the descriptor's header word.
pub const THUNK_INFO_DESCRIPTOR: u32 = 8;
/// Byte offset of the word about selectors and arguments.
pub const THUNK_INFO_SELECTOR: u32 = 12;

/// Bytes of a node info. The rows of one descriptor follow each other, for 0, 1, … arity applied arguments.
///
/// ```text
/// +0 info word   +4 address of the DescriptorInfo   +8 applied arguments (u16) | missing arguments (u16) << 16
/// +12 index of the full-application code in dispatch table `apply_<missing>` | 0xFFFF_FFFF when none
/// +16 index of the instance entry in its dispatch table | 0xFFFF_FFFF when none
/// +20 index of the code for application to one argument in dispatch table `apply_1`: that of +12 if one is missing
/// ```
pub const NODE_INFO_SIZE: u32 = 24;
/// Byte offset of the info word.
pub const NODE_INFO_WORD: u32 = 0;
/// Byte offset of the address of the DescriptorInfo.
pub const NODE_INFO_DESCRIPTOR: u32 = 4;
/// Byte offset of the number of applied arguments, two bytes.
pub const NODE_INFO_ARGS: u32 = 8;
/// Byte offset of the number of missing arguments, two bytes.
pub const NODE_INFO_REMAINING: u32 = 10;
/// Byte offset of the index of the code for full application.
pub const NODE_INFO_APPLY: u32 = 12;
/// Byte offset of the index of the instance entry.
pub const NODE_INFO_METHOD: u32 = 16;
/// Byte offset of the index of the code for application to one argument.
pub const NODE_INFO_APPLY_ONE: u32 = 20;
/// `NODE_INFO_APPLY` / `NODE_INFO_METHOD` / `NODE_INFO_APPLY_ONE` of a row that has no such code.
pub const NO_CODE: u32 = u32::MAX;
/// `NODE_INFO_REMAINING` of a row that cannot be applied at all (constructor complete, record, basic value).
pub const NOT_APPLICABLE: u16 = 0;

/// DescriptorInfo, shared by the rows of a descriptor (see `DescriptorKind`):
///
/// ```text
/// +0 kind (u8)  +1 flags (u8): 1 for functions that build a record lazily  +2 arity (u16)   +4 address of the name   +8 address of the module name or 0
/// +12 records: address of the field types, a text block; else constructor number
/// +16 records: references (u16) | raw words (u16) << 16
/// +20 records: number of nested descriptors (u32), then their DescriptorInfo addresses, in order of appearance
/// ```
/// Field types end with a zero byte that their length does not count. If a record has nested descriptors, their header
/// words follow, the last first, from the next multiple of 4 on (`push_r_arg_D` reads them).
/// A *text block* is a u32 length followed by the bytes (no terminator), padded to 4 bytes.
pub const DESCRIPTOR_KIND: u32 = 0;
/// Byte offset of the flags, one byte.
pub const DESCRIPTOR_FLAGS: u32 = 1;
/// Byte offset of the arity, two bytes.
pub const DESCRIPTOR_ARITY: u32 = 2;
/// Byte offset of the address of the name, a text block.
pub const DESCRIPTOR_NAME: u32 = 4;
/// Byte offset of the address of the module's name, a text block, or of 0.
pub const DESCRIPTOR_MODULE: u32 = 8;
/// Byte offset of the address of the field types, or of the constructor number.
pub const DESCRIPTOR_TYPES: u32 = 12;
/// Byte offset of the numbers of references and of raw words of a record.
pub const DESCRIPTOR_SIZES: u32 = 16;
/// Byte offset of the number of nested descriptors.
pub const DESCRIPTOR_NESTED: u32 = 20;

/// What a descriptor describes; the runtime's printer decides by it.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum DescriptorKind {
    /// Constructor or function: printed as name and applied arguments.
    Constructor = 0,
    /// A boxed integer; its value is the raw word.
    Int = 1,
    /// A boxed character; its code is the raw word.
    Char = 2,
    /// A boxed truth value: 0 or 1 in the raw word.
    Bool = 3,
    /// A boxed real; its bits are the raw word.
    Real = 4,
    /// A boxed file: two raw words, its number and a position.
    File = 5,
    /// `_STRING_` object.
    String = 6,
    /// `_ARRAY_` object.
    Array = 7,
    /// `ARRAY`: box around an array or string object.
    BoxedArray = 8,
    /// The end of a list.
    Empty = 9,
    /// A list cell with head and tail as references.
    ListCell = 10,
    /// A tuple: printed in parentheses.
    Tuple = 11,
    /// Record or strict constructor: laid out and printed by its field types.
    Record = 12,
    /// Unboxed list cell (types start with `l`).
    UnboxedListCell = 13,
    /// A cell that stands for an object of the host. The runtime alone makes them, and looks into them.
    Foreign = 14,
}

// Array objects.
/// Byte offset of the number of elements.
pub const ARRAY_SIZE: u32 = 4;
/// Kind word of an array object: `ElementKind as u32`, or the address of a record's DescriptorInfo.
pub const ARRAY_ELEMENT: u32 = 8;
/// Byte offset of the first element.
pub const ARRAY_DATA: u32 = 12;
/// Byte offset of the number of bytes.
pub const STRING_LENGTH: u32 = 4;
/// Byte offset of the first byte.
pub const STRING_DATA: u32 = 8;

/// Element kinds of array objects; any larger kind word is the DescriptorInfo of an unboxed record, whose references
/// come first in each element, then its raw words.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum ElementKind {
    /// 4-byte references.
    Ref = 0,
    /// 8 bytes each.
    Int = 1,
    /// 8 bytes each.
    Real = 2,
    /// 1 byte each, 0 or 1.
    Bool = 3,
    /// 4 bytes each, widened on access.
    Int32 = 4,
    /// 4 bytes each, widened on access.
    Real32 = 5,
    /// 1 byte each. Only inside `create_array CHAR`, which makes a string object: never in a kind word.
    Char = 6,
}

/// Engines for WebAssembly refuse a status above 125, but those that know of this: they say so by letting a program
/// write nothing to a file of this number, which nobody opens.
pub const ANY_STATUS: u32 = 0x434c_4556;

/// Integers with a shared static node: `SMALL_INT_MIN ..= SMALL_INT_MAX`.
pub const SMALL_INT_MIN: i64 = -128;
/// The largest integer with a static node.
pub const SMALL_INT_MAX: i64 = 255;

/// Bytes reserved for each static node: header and two payload slots, so that copying a cell never reads past it.
pub const STATIC_NODE_SIZE: u32 = MIN_OBJECT;

/// A record in the program image that tells the runtime where things are. Its address is the argument of `rt_main`.
/// All fields are u32 addresses or counts, in this order (`PROGRAM_*` are byte offsets):
pub const PROGRAM_HEAP_BASE: u32 = 0;
/// Row addresses with the HNF tag (complete header words).
pub const PROGRAM_INT_HEADER: u32 = 4;
/// The same for characters.
pub const PROGRAM_CHAR_HEADER: u32 = 8;
/// The same for truth values.
pub const PROGRAM_BOOL_HEADER: u32 = 12;
/// The same for reals.
pub const PROGRAM_REAL_HEADER: u32 = 16;
/// The same for files.
pub const PROGRAM_FILE_HEADER: u32 = 20;
/// The same for string objects.
pub const PROGRAM_STRING_HEADER: u32 = 24;
/// The same for array objects.
pub const PROGRAM_ARRAY_HEADER: u32 = 28;
/// The same for boxes around array and string objects.
pub const PROGRAM_BOXED_ARRAY_HEADER: u32 = 32;
/// The static node for the end of lists, which is also what references are that nobody has set.
pub const PROGRAM_EMPTY: u32 = 36;
/// The node of `SMALL_INT_MIN`; each next one is `STATIC_NODE_SIZE` bytes later.
pub const PROGRAM_SMALL_INTS: u32 = 40;
/// The node of character 0; each next one is `STATIC_NODE_SIZE` bytes later.
pub const PROGRAM_CHARS: u32 = 44;
/// FALSE; TRUE follows STATIC_NODE_SIZE bytes later.
pub const PROGRAM_BOOLS: u32 = 48;
/// `start .. end` of the reference slots of all CAFs (0 while unset): roots of the collector.
pub const PROGRAM_CAF_START: u32 = 52;
/// The end of those slots.
pub const PROGRAM_CAF_END: u32 = 56;
/// Thunk info of a cell under evaluation.
pub const PROGRAM_BLACKHOLE_INFO: u32 = 60;
/// The table of thunk infos: first address, and the end.
pub const PROGRAM_THUNK_INFOS_START: u32 = 64;
/// The end of that table.
pub const PROGRAM_THUNK_INFOS_END: u32 = 68;
/// Cells of 8 bytes where libcalls leave their results when they have more than one.
pub const PROGRAM_RESULTS: u32 = 72;
/// The next free address of the heap, while the runtime is running (see `LibcallSignature`).
pub const PROGRAM_HEAP_POINTER: u32 = 76;
/// The first address that objects may not reach.
pub const PROGRAM_HEAP_LIMIT: u32 = 80;
/// Default options of the program, fixed when it was built (see `PROGRAM_FLAG_*`).
pub const PROGRAM_FLAGS: u32 = 84;
/// Bits of `PROGRAM_FLAGS`. This one: show basic values only.
pub const PROGRAM_FLAG_BASIC: u32 = 1;
/// Do not show the result.
pub const PROGRAM_FLAG_NO_RESULT: u32 = 2;
/// Ignore run-time options.
pub const PROGRAM_FLAG_NO_OPTIONS: u32 = 4;
/// Show times.
pub const PROGRAM_FLAG_TIMES: u32 = 8;
/// Show collections.
pub const PROGRAM_FLAG_SHOW_GC: u32 = 16;
/// References are counted: the heap is that of `rc.rs`.
pub const PROGRAM_FLAG_RC: u32 = 32;
/// Its code tells the runtime of each cell and reference that it counts (`rc.rs`), which says so at the end.
pub const PROGRAM_FLAG_COUNT_CELLS: u32 = 64;
/// References may be immediates (`IMMEDIATE`).
pub const PROGRAM_FLAG_IMMEDIATES: u32 = 128;
/// Some nodes of its reference-counted heap may be parts of cycles (`rc.rs`).
pub const PROGRAM_FLAG_CYCLES: u32 = 256;
/// Its arrays of references may be, too.
pub const PROGRAM_FLAG_CYCLIC_ARRAYS: u32 = 512;
/// Both of them.
pub const PROGRAM_FLAGS_OF_CYCLES: u32 = PROGRAM_FLAG_CYCLES | PROGRAM_FLAG_CYCLIC_ARRAYS;
/// Limit of the heap in bytes, 0 for the default.
pub const PROGRAM_HEAP_MAX: u32 = 88;
/// Row (with tag) of list cells with both of their fields: the collector copies lists in one sweep.
pub const PROGRAM_LIST_HEADER: u32 = 92;
/// Start of the C memory, of `C_MEMORY` bytes, between image and heap; 0 in a program that calls no C function.
pub const PROGRAM_C_START: u32 = 96;
/// Objects from this address on are old: overwriting a reference in one must be told to the runtime (`remember`). The
/// runtime sets it.
pub const PROGRAM_OLD_START: u32 = 100;
/// Bytes of the record.
pub const PROGRAM_SIZE: u32 = 104;
/// Bytes of the C memory: for structures and buffers of C functions.
pub const C_MEMORY: u32 = 8 << 20;
/// Bytes of a page of linear memory.
pub const PAGE: u32 = 64 * 1024;
/// How arguments of C functions are handed on, a word each, in this order. Places for integers and addresses.
pub const C_ARGUMENT_WORDS: u32 = 6;
/// Places for reals.
pub const C_ARGUMENT_REALS: u32 = 8;
/// Places for all that do not fit there.
pub const C_ARGUMENT_STACK: u32 = 32;
/// Number of 8-byte result cells.
pub const RESULT_CELLS: u32 = 16;
