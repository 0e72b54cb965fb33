//! What may be a part of a cycle of references, on the reference-counted heap.

use crate::entity::Desc;

/// Which nodes, and whether arrays of references may. `rc-insertion` finds out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cycles {
    descs: Vec<Desc>,
    /// Arrays of references may be, too.
    pub arrays: bool,
}

impl Cycles {
    /// Nodes of a descriptor may be.
    pub fn insert(&mut self, desc: Desc) {
        if let Err(place) = self.descs.binary_search(&desc) {
            self.descs.insert(place, desc);
        }
    }

    /// May nodes of a descriptor be?
    pub fn contains(&self, desc: Desc) -> bool {
        self.descs.binary_search(&desc).is_ok()
    }

    /// Of which descriptors they may be, in order.
    pub fn descs(&self) -> &[Desc] {
        &self.descs
    }

    /// True if nothing may be.
    pub fn is_empty(&self) -> bool {
        self.descs.is_empty() && !self.arrays
    }
}
