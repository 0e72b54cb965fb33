//! The memory image as the runtime sees it. The numbers and the drawings of objects are in the contract with the
//! compiler (`rt/abi/layout.rs`). What is derived from a number (the size of an overflow block, where a field is) is
//! computed here, at run time, from the info word that a header leads to.

pub use cleave_abi::layout::*;

/// Both tag bits of a header.
pub const TAG_MASK: u32 = 3;
/// The bits of an info word that are the kind.
pub const KIND_MASK: u32 = INFO_KIND;

/// `DescriptorKind` as numbers.
pub mod descriptor {
    use cleave_abi::layout::DescriptorKind;

    pub const CONSTRUCTOR: u32 = DescriptorKind::Constructor as u32;
    pub const INT: u32 = DescriptorKind::Int as u32;
    pub const CHAR: u32 = DescriptorKind::Char as u32;
    pub const BOOL: u32 = DescriptorKind::Bool as u32;
    pub const REAL: u32 = DescriptorKind::Real as u32;
    pub const FILE: u32 = DescriptorKind::File as u32;
    pub const STRING: u32 = DescriptorKind::String as u32;
    pub const ARRAY: u32 = DescriptorKind::Array as u32;
    pub const BOXED_ARRAY: u32 = DescriptorKind::BoxedArray as u32;
    pub const EMPTY: u32 = DescriptorKind::Empty as u32;
    pub const LIST_CELL: u32 = DescriptorKind::ListCell as u32;
    pub const TUPLE: u32 = DescriptorKind::Tuple as u32;
    pub const RECORD: u32 = DescriptorKind::Record as u32;
    pub const UNBOXED_LIST_CELL: u32 = DescriptorKind::UnboxedListCell as u32;
    pub const FOREIGN: u32 = DescriptorKind::Foreign as u32;
    pub const LAST: u32 = FOREIGN;
}

/// `ElementKind` as numbers; a larger kind word is the DescriptorInfo of an unboxed record.
pub mod element {
    use cleave_abi::layout::ElementKind;

    pub const REF: u32 = ElementKind::Ref as u32;
    pub const INT: u32 = ElementKind::Int as u32;
    pub const REAL: u32 = ElementKind::Real as u32;
    pub const BOOL: u32 = ElementKind::Bool as u32;
    pub const INT32: u32 = ElementKind::Int32 as u32;
    pub const REAL32: u32 = ElementKind::Real32 as u32;
    pub const CHAR: u32 = ElementKind::Char as u32;
}

/// Number of Ints with a static node.
pub const SMALL_INTS: u64 = (SMALL_INT_MAX - SMALL_INT_MIN + 1) as u64;

pub const fn info_word(kind: u32, ptrs: u32, slots: u32) -> u32 {
    kind | ptrs << 4 | slots << 18
}
pub const fn info_kind(info: u32) -> u32 {
    info & KIND_MASK
}
pub const fn info_ptrs(info: u32) -> u32 {
    info >> 4 & MAX_SLOTS
}
pub const fn info_slots(info: u32) -> u32 {
    info >> 18
}
/// Info word of a node with this payload.
pub const fn node_info(ptrs: u32, nptrs: u32) -> u32 {
    let slots = ptrs + 2 * nptrs;
    info_word(if slots > INLINE_SLOTS { KIND_SPLIT } else { KIND_INLINE }, ptrs, slots)
}
/// The same for a node whose descriptor is contiguous: one block, however large.
pub const fn contiguous_info(ptrs: u32, nptrs: u32) -> u32 {
    let slots = ptrs + 2 * nptrs;
    info_word(if slots > INLINE_SLOTS { KIND_CONTIGUOUS } else { KIND_INLINE }, ptrs, slots)
}
/// Bytes of the overflow block of a split node.
pub const fn rest_bytes(ptrs: u32, slots: u32) -> u32 {
    SLOT * if ptrs > 0 { slots - 1 } else { slots }
}
/// Bytes of a thunk or contiguous node: the whole payload is in the cell.
pub const fn thunk_bytes(slots: u32) -> u32 {
    SLOT + SLOT * if slots < INLINE_SLOTS { INLINE_SLOTS } else { slots }
}
/// Bytes of a string object.
pub const fn string_bytes(length: u32) -> u32 {
    STRING_DATA + (length.wrapping_add(3) & !3)
}

const _: () = {
    assert!(SHADOW_STACK_TOP.is_multiple_of(SLOT));
    assert!(info_slots(node_info(3, 2)) == 7 && info_ptrs(node_info(3, 2)) == 3);
    assert!(info_kind(node_info(0, 1)) == KIND_INLINE && info_kind(node_info(1, 1)) == KIND_SPLIT);
    // A contiguous node lies in memory as a thunk of the same slots does.
    assert!(info_kind(contiguous_info(1, 1)) == KIND_CONTIGUOUS && thunk_bytes(3) == SLOT + 3 * SLOT);
    assert!(rest_bytes(0, 4) == 16 && rest_bytes(1, 3) == 8 && thunk_bytes(1) == MIN_OBJECT);
    assert!(PROGRAM_SIZE == PROGRAM_OLD_START + SLOT);
};
