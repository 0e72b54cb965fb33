//! What the runtime knows of the objects of the host that a program keeps.

/// Cells that stand for objects of the host (`foreign.rs`): the first of each list. Young ones, then old ones.
#[derive(Clone, Copy, Debug)]
pub struct Foreign {
    /// Those that the last collection found alive, and new ones.
    pub alive: [u32; 2],
    /// Those that it found dead, and of which the host has not been told.
    pub dead: [u32; 2],
    /// While a collection copies: everything is copied; where to-space ends.
    pub copied: (bool, u32),
}

impl Foreign {
    pub const NOTHING: Foreign = Foreign { alive: [0; 2], dead: [0; 2], copied: (false, 0) };
}
