//! Static objects, which are the same on both heaps but for a count that nothing brings to zero.

use super::Image;
use crate::counted;
use crate::heap::Heap;
use crate::module::{Known, StaticNode};

impl Image {
    /// A string object.
    pub(super) fn string(&mut self, bytes: &[u8], heap: Heap) -> u32 {
        let at = self.here();
        self.u32(self.row(Known::String.desc(), 0));
        if heap == Heap::Counted {
            self.u32(counted::STATIC_COUNT);
        }
        self.text(bytes);
        at
    }

    /// A node of the counted heap: its fields are in one block.
    pub(super) fn counted_node(&mut self, node: &StaticNode) -> u32 {
        let (refs, words) = (node.refs.len() as u32, node.words.len() as u32);
        let at = self.here();
        self.zeros(counted::payload_end(refs, words));
        self.patch(at, self.row(node.desc, node.held));
        self.patch(at + counted::COUNT, counted::STATIC_COUNT);
        self.static_fields(node, |index| at + counted::reference(index), |index| at + counted::word(refs, index));
        at
    }
}
