//! Typed indices of root placement: blocks in reverse postorder, values, webs, safepoints.

use cranelift_entity::entity_impl;

/// A block, by its number in the reverse postorder: dominators come first, and the source of a back edge is not lower
/// than its target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RpoIndex(u32);
entity_impl!(RpoIndex, "rank");

impl RpoIndex {
    /// The block where the function begins.
    pub const ENTRY: RpoIndex = RpoIndex(0);

    /// The block before this one in the order, which is not the first.
    pub fn before(self) -> RpoIndex {
        RpoIndex(self.0 - 1)
    }

    /// The next block in the order.
    pub fn next(self) -> RpoIndex {
        RpoIndex(self.0 + 1)
    }
}

/// A spill and everything that it dominates where its value is live.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Web(u32);
entity_impl!(Web, "web");

/// A value that is live across some safepoint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Crossing(u32);
entity_impl!(Crossing, "crossing");
