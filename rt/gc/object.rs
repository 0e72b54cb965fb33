//! Reading objects: headers, fields, descriptors, arrays, strings, boxed values.

use crate::gc::Context;
use crate::layout::*;
use crate::platform::Memory;

/// Info word after a header that is not forwarded.
#[inline(always)]
pub fn info_of<M: Memory>(m: &M, header: u32) -> u32 {
    m.load_u32(header & !TAG_HNF)
}

#[inline(always)]
pub fn is_hnf<M: Memory>(m: &M, node: u32) -> bool {
    m.load_u32(node) & TAG_HNF != 0
}

/// Address of payload slot `slot` of a node in head normal form with this info word.
#[inline]
pub fn slot_address<M: Memory>(m: &M, node: u32, info: u32, slot: u32) -> u32 {
    if info_kind(info) != KIND_SPLIT {
        return node + SLOT + SLOT * slot;
    }
    let rest = m.load_u32(node + 8);
    if info_ptrs(info) == 0 {
        rest + SLOT * slot
    } else if slot == 0 {
        node + SLOT
    } else {
        rest + SLOT * (slot - 1)
    }
}

/// Address of raw word `word` of a node in head normal form.
#[inline]
pub fn word_address<M: Memory>(m: &M, node: u32, info: u32, word: u32) -> u32 {
    slot_address(m, node, info, info_ptrs(info) + 2 * word)
}

/// DescriptorInfo of a header in head normal form.
#[inline]
pub fn descriptor_of<M: Memory>(m: &M, header: u32) -> u32 {
    m.load_u32((header & !TAG_HNF) + NODE_INFO_DESCRIPTOR)
}

#[inline]
pub fn descriptor_kind<M: Memory>(m: &M, descriptor: u32) -> u32 {
    m.load_u8(descriptor + DESCRIPTOR_KIND)
}

/// References and raw words of one element of a record array, or of a record.
#[inline]
pub fn record_sizes<M: Memory>(m: &M, descriptor: u32) -> (u32, u32) {
    (m.load_u16(descriptor + DESCRIPTOR_SIZES), m.load_u16(descriptor + DESCRIPTOR_SIZES + 2))
}

/// Bytes of an array element, for the kind word of the array.
#[inline]
pub fn element_bytes<M: Memory>(m: &M, kind: u32) -> u32 {
    match kind {
        element::REF | element::INT32 | element::REAL32 => 4,
        element::INT | element::REAL => 8,
        element::BOOL | element::CHAR => 1,
        record => {
            let (ptrs, nptrs) = record_sizes(m, record);
            ptrs * SLOT + nptrs * 8
        }
    }
}

/// Bytes of an array object.
#[inline]
pub fn array_bytes<M: Memory>(m: &M, array: u32) -> u32 {
    let size = m.load_u32(array + ARRAY_SIZE);
    let data = size.wrapping_mul(element_bytes(m, m.load_u32(array + ARRAY_ELEMENT)));
    ARRAY_DATA + (data.wrapping_add(3) & !3)
}

/// Where an object has its references: one alone, perhaps, then rows of as many each.
pub struct References {
    /// A slot before the rows, or 0.
    first: u32,
    rows: u32,
    /// Address of the first row, references of a row, bytes from one row to the next.
    start: u32,
    ptrs: u32,
    stride: u32,
    /// Bytes of the object.
    pub bytes: u32,
}

/// The references of the object at `object`, whose overflow block, if it owns one, follows directly. In WebAssembly,
/// where size counts, there is one copy of it.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn references<M: Memory>(m: &M, object: u32) -> References {
    let info = info_of(m, m.load_u32(object));
    let (ptrs, slots) = (info_ptrs(info), info_slots(info));
    let one_row = |start: u32, ptrs: u32, bytes: u32| References { first: 0, rows: 1, start, ptrs, stride: 0, bytes };
    match info_kind(info) {
        KIND_INLINE => one_row(object + SLOT, ptrs, MIN_OBJECT),
        KIND_SPLIT => {
            let first = if ptrs > 0 { object + SLOT } else { 0 };
            let rest = object + MIN_OBJECT;
            if m.load_u32(object + 8) != rest {
                return References { first, ..one_row(0, 0, MIN_OBJECT) };
            }
            References { first, ..one_row(rest, ptrs.saturating_sub(1), MIN_OBJECT + rest_bytes(ptrs, slots)) }
        }
        KIND_STRING => one_row(0, 0, string_bytes(m.load_u32(object + STRING_LENGTH))),
        KIND_ARRAY => {
            let (kind, size) = (m.load_u32(object + ARRAY_ELEMENT), m.load_u32(object + ARRAY_SIZE));
            let (start, bytes) = (object + ARRAY_DATA, array_bytes(m, object));
            if kind == element::REF {
                return one_row(start, size, bytes);
            }
            let (ptrs, nptrs) = if kind > element::CHAR { record_sizes(m, kind) } else { (0, 0) };
            let rows = if ptrs > 0 { size } else { 0 };
            References { first: 0, rows, start, ptrs, stride: ptrs * SLOT + nptrs * 8, bytes }
        }
        _ => one_row(object + SLOT, ptrs, thunk_bytes(slots)),
    }
}

/// Calls `visit` with the address of every reference slot of the object at `object`, whose overflow block, if it owns
/// one, follows directly. Returns the bytes of object and block: this is how a block of survivors is walked.
#[inline]
pub fn each_reference<M: Memory>(m: &mut M, object: u32, mut visit: impl FnMut(&mut M, u32)) -> u32 {
    let references = references(m, object);
    // One loop for all, so that `visit` stands here once.
    let (mut slot, mut left) =
        if references.first != 0 { (references.first, 1) } else { (references.start, references.ptrs) };
    let (mut row, mut rows) = (references.start, references.rows + u32::from(references.first != 0));
    let mut next = if references.first != 0 { 0 } else { references.stride };
    while rows > 0 {
        while left > 0 {
            visit(m, slot);
            slot += SLOT;
            left -= 1;
        }
        row += next;
        next = references.stride;
        (slot, left) = (row, references.ptrs);
        rows -= 1;
    }
    references.bytes
}

/// The static node of a small value, if it has one: `header` is that of Int, Char or Bool, `value` its raw word.
#[inline]
pub fn static_value<C: Context>(c: &C, header: u32, value: u64) -> Option<u32> {
    let index = value.wrapping_sub(SMALL_INT_MIN as u64);
    if header == c.program(PROGRAM_INT_HEADER) {
        (index < SMALL_INTS).then(|| c.program(PROGRAM_SMALL_INTS) + index as u32 * STATIC_NODE_SIZE)
    } else if header == c.program(PROGRAM_CHAR_HEADER) {
        Some(c.program(PROGRAM_CHARS) + (value as u32 & 255) * STATIC_NODE_SIZE)
    } else if header == c.program(PROGRAM_BOOL_HEADER) {
        Some(c.program(PROGRAM_BOOLS) + (value as u32 & 1) * STATIC_NODE_SIZE)
    } else {
        None
    }
}

/// Header of a boxed basic value with one raw word, by descriptor kind.
#[inline]
pub fn basic_header<C: Context>(c: &C, kind: u32) -> Option<u32> {
    Some(c.program(match kind {
        descriptor::INT => PROGRAM_INT_HEADER,
        descriptor::CHAR => PROGRAM_CHAR_HEADER,
        descriptor::BOOL => PROGRAM_BOOL_HEADER,
        descriptor::REAL => PROGRAM_REAL_HEADER,
        _ => return None,
    }))
}

/// Address of the characters of a string object or the elements of an array object.
pub fn data_of<C: Context>(c: &C, object: u32) -> u32 {
    let string = c.load_u32(object) == c.program(PROGRAM_STRING_HEADER);
    object + if string { STRING_DATA } else { ARRAY_DATA }
}
