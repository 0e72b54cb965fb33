//! Object layout: shapes, and where the fields of an object are, for the passes, the static data section and the
//! interpreter. The numbers and the drawings of all objects are in the ABI of the runtime (`rt/abi/layout.rs`).

pub use cleave_abi::layout::*;

/// Shape of a head normal form with `refs` reference fields followed by `words` raw words. `Module::shape` tells it of
/// a descriptor; `get` and `set` carry it as an immediate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Shape {
    /// Number of references, which come first.
    pub ptrs: u32,
    /// Number of raw words, of eight bytes each.
    pub nptrs: u32,
    /// Nodes of this shape are one block: they never take the place of another object (`DescData::contiguous`).
    pub contiguous: bool,
}

/// Where a field is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldOffset {
    /// At this byte offset of the cell.
    Cell(u32),
    /// At this byte offset of the block named by `OVERFLOW`.
    Overflow(u32),
}

/// Byte offset of the pointer to the overflow block in a split node.
pub const OVERFLOW: u32 = 8;
/// Bit of the number of references in a packed shape.
const CONTIGUOUS: u32 = 1 << 31;

impl Shape {
    /// The shape of nodes that may overwrite a thunk.
    pub const fn new(ptrs: u32, nptrs: u32) -> Self {
        Shape { ptrs, nptrs, contiguous: false }
    }
    /// The shape of nodes that stay what they are.
    pub const fn contiguous(ptrs: u32, nptrs: u32) -> Self {
        Shape { ptrs, nptrs, contiguous: true }
    }
    /// As an immediate of an instruction: references with `CONTIGUOUS`, then words.
    pub const fn pack(self) -> u64 {
        (self.ptrs | if self.contiguous { CONTIGUOUS } else { 0 }) as u64 | (self.nptrs as u64) << 32
    }
    /// What `pack` has packed.
    pub const fn unpack(imm: u64) -> Self {
        let low = imm as u32;
        Shape { ptrs: low & !CONTIGUOUS, nptrs: (imm >> 32) as u32, contiguous: low & CONTIGUOUS != 0 }
    }
    /// Payload slots: references and halves of raw words.
    pub const fn slots(self) -> u32 {
        self.ptrs + 2 * self.nptrs
    }
    /// True if some of the fields are in a block of their own.
    pub const fn is_split(self) -> bool {
        !self.contiguous && self.slots() > INLINE_SLOTS
    }
    /// Bytes of the overflow block, 0 for nodes without one.
    pub const fn rest_bytes(self) -> u32 {
        if !self.is_split() {
            0
        } else if self.ptrs > 0 {
            (self.slots() - 1) * SLOT
        } else {
            self.slots() * SLOT
        }
    }
    /// Bytes of the cell alone.
    pub const fn node_bytes(self) -> u32 {
        if self.contiguous && self.slots() > INLINE_SLOTS { SLOT + self.slots() * SLOT } else { MIN_OBJECT }
    }
    /// Bytes of heap for cell and overflow block together.
    pub const fn bytes(self) -> u32 {
        self.node_bytes() + self.rest_bytes()
    }
    /// Info word of rows with this shape.
    pub const fn info(self) -> u32 {
        let kind = match self.slots() > INLINE_SLOTS {
            true if self.contiguous => KIND_CONTIGUOUS,
            true => KIND_SPLIT,
            false => KIND_INLINE,
        };
        info_word(kind, self.ptrs, self.slots())
    }
    const fn place_of_slot(self, slot: u32) -> FieldOffset {
        if !self.is_split() {
            FieldOffset::Cell(SLOT + slot * SLOT)
        } else if self.ptrs == 0 {
            FieldOffset::Overflow(slot * SLOT)
        } else if slot == 0 {
            FieldOffset::Cell(SLOT)
        } else {
            FieldOffset::Overflow((slot - 1) * SLOT)
        }
    }
    /// Place of reference field `index` (from 0).
    pub const fn reference(self, index: u32) -> FieldOffset {
        assert!(index < self.ptrs);
        self.place_of_slot(index)
    }
    /// Place of raw word `index` (from 0).
    pub const fn word(self, index: u32) -> FieldOffset {
        assert!(index < self.nptrs);
        self.place_of_slot(self.ptrs + 2 * index)
    }
}

/// Bytes of a thunk with this payload.
pub const fn thunk_bytes(ptrs: u32, nptrs: u32) -> u32 {
    let slots = ptrs + 2 * nptrs;
    SLOT + SLOT * if slots < INLINE_SLOTS { INLINE_SLOTS } else { slots }
}
/// Byte offset of reference argument `index` of a thunk.
pub const fn thunk_reference(index: u32) -> u32 {
    SLOT + index * SLOT
}
/// Byte offset of raw argument `index` of a thunk with `refs` references.
pub const fn thunk_word(ptrs: u32, index: u32) -> u32 {
    SLOT + (ptrs + 2 * index) * SLOT
}
/// Bytes of a string object.
pub const fn string_bytes(length: u32) -> u32 {
    STRING_DATA + ((length + 3) & !3)
}
