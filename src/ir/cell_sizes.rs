//! Size classes of the reference-counted heap whose cells are made larger than their nodes are, in one program.
//!
//! A node may take the memory of a dead one of another size only if that stays the size of the cell: what frees a cell
//! knows its class from the shape of the node, or from the row that its header names. So the whole class is *widened*:
//! all cells of, say, 24 bytes have 32 in this program. Why not cut the larger cell, and give its rest back? Because
//! rests are never joined again: a loop that makes large cells and cuts them would always need new memory.

use crate::rc;
use cleave_abi::layout::SLOT;

/// Cells become at most so many times as large as their nodes are.
const MOST: u32 = 2;

/// Widened classes, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellSizes {
    widened: Vec<(u32, u32)>,
    is_fixed: bool,
}

impl CellSizes {
    /// The class of cells for nodes with this payload.
    pub fn class(&self, ptrs: u32, nptrs: u32) -> u32 {
        self.of(rc::class(ptrs, nptrs))
    }

    /// Widens what another program widens, as where two become one.
    pub fn join(&mut self, other: &CellSizes) {
        other.widened.iter().for_each(|&(class, to)| self.widen(class, to));
        self.is_fixed |= other.is_fixed;
    }

    /// What a class has become.
    fn of(&self, class: u32) -> u32 {
        self.widened.iter().find(|widened| widened.0 == class).map_or(class, |widened| widened.1)
    }

    /// Slots that a node with this payload leaves unused at the end of its cell.
    pub fn padding(&self, ptrs: u32, nptrs: u32) -> u32 {
        let class = rc::class(ptrs, nptrs);
        (rc::class_bytes(self.of(class)) - rc::class_bytes(class)) / SLOT
    }

    /// From here on no class is widened: the program compares sizes.
    pub fn fix(&mut self) {
        self.is_fixed = true;
    }

    /// True if no class may be widened any more.
    pub fn is_fixed(&self) -> bool {
        self.is_fixed
    }

    /// May nodes of a class take the memory of larger ones of another, if cells of that class are widened? Up to twice
    /// the size that they need: all nodes of these sizes pay for it.
    pub fn can_take(&self, class: u32, larger: u32) -> bool {
        let (class, to) = (self.of(class), rc::class_bytes(self.of(larger)));
        let mut widened =
            self.widened.iter().filter(|widened| widened.1 == class).map(|widened| widened.0).chain([class]);
        let fits = |bytes: u32| CellSizes::can_widen(bytes, to) && to <= MOST * bytes;
        !self.is_fixed && widened.all(|class| fits(rc::class_bytes(class)))
    }

    /// Makes cells of a class as large as those of another.
    pub fn widen(&mut self, class: u32, to: u32) {
        let (class, to) = (self.of(class), self.of(to));
        if class < to {
            self.widened.iter_mut().filter(|widened| widened.1 == class).for_each(|widened| widened.1 = to);
            self.widened.push((class, to));
            self.widened.sort_unstable();
        }
    }

    /// Bytes of the cells of each class that is widened, without and with that.
    pub fn bytes(&self) -> impl Iterator<Item = (u32, u32)> {
        self.widened.iter().map(|&(class, to)| (rc::class_bytes(class), rc::class_bytes(to)))
    }

    /// May cells of so many bytes have so many others instead? Only small cells, of which each size is a class.
    pub fn can_widen(bytes: u32, to: u32) -> bool {
        let is_size = |bytes: u32| bytes.is_multiple_of(SLOT) && bytes > rc::FIELDS && bytes <= rc::SMALL_OBJECT;
        is_size(bytes) && is_size(to) && bytes < to
    }
}
