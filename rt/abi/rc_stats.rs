//! Statistics of a program on the reference-counted heap: in compiled code if it was built to count (`--count-cells`),
//! and always in the interpreter.

use crate::rc::*;

/// Numbers of cells and references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RcStats {
    /// Cells taken from the heap.
    pub allocations: u64,
    /// Cells given back to it.
    pub frees: u64,
    /// Nodes that were built in the memory of another.
    pub reuses: u64,
    /// Nodes that were to be, but something else referred to that memory.
    pub failed_reuses: u64,
    /// References that have become one more.
    pub retains: u64,
    /// References that have become one less.
    pub releases: u64,
    /// Bytes of the cells in use.
    pub bytes: u64,
    /// The most cells at one time.
    pub peak_objects: u64,
    /// The most bytes in cells at one time.
    pub peak_bytes: u64,
}

impl RcStats {
    /// Before the program.
    pub const NOTHING: RcStats = RcStats {
        allocations: 0,
        frees: 0,
        reuses: 0,
        failed_reuses: 0,
        retains: 0,
        releases: 0,
        bytes: 0,
        peak_objects: 0,
        peak_bytes: 0,
    };

    /// Cells in use.
    pub fn alive(&self) -> u64 {
        self.allocations - self.frees
    }

    /// One event, with the bytes of the cell.
    pub fn note(&mut self, event: u32, bytes: u32) {
        match event {
            EVENT_NEW => {
                self.allocations += 1;
                self.bytes += u64::from(bytes);
                self.peak_objects = self.peak_objects.max(self.alive());
                self.peak_bytes = self.peak_bytes.max(self.bytes);
            }
            EVENT_FREE => {
                self.frees += 1;
                self.bytes -= u64::from(bytes);
            }
            EVENT_REUSE => self.reuses += 1,
            EVENT_FAILED_REUSE => self.failed_reuses += 1,
            EVENT_RETAIN => self.retains += 1,
            _ => self.releases += 1,
        }
    }

    /// The table that is shown at the end: numbers and what they count.
    pub fn rows(&self) -> [(u64, &'static str); 9] {
        [
            (self.allocations, "cells allocated"),
            (self.reuses, "cells reused: nodes in the memory of dead ones"),
            (self.failed_reuses, "reuses that failed: something else referred to the node"),
            (self.frees, "cells freed"),
            (self.retains, "references retained"),
            (self.releases, "references released"),
            (self.peak_objects, "cells at most at one time"),
            (self.peak_bytes, "bytes in them at most"),
            (self.alive(), "cells alive at the end"),
        ]
    }
}

impl Default for RcStats {
    fn default() -> RcStats {
        RcStats::NOTHING
    }
}
