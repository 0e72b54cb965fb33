//! The state that the translation of a body simulates: the two stacks, and the registers of machine code.

use cleave_ir::Value;

/// Both stacks; the top is the last element.
#[derive(Clone, Default, Debug)]
pub(crate) struct Stacks {
    pub a: Vec<Value>,
    pub b: Vec<Value>,
}

/// Registers of reals.
pub(super) const REALS: usize = 8;
/// What registers hold.
#[derive(Clone, Default)]
pub(crate) struct Registers {
    pub nptrs: [Option<Value>; 16],
    pub reals: [Option<Value>; REALS],
    /// Short reals, as the reals that they were.
    pub is_short: [bool; REALS],
}
