//! Options and statistics of root placement.

use super::late_options::LateOptions;
use cleave_ir::RootStrategy;

/// How roots are placed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// For functions that ask for none themselves.
    pub strategy: RootStrategy,
    /// Which of them `late` takes.
    pub steps: LateOptions,
    /// Where large functions are placed by a simpler rule.
    pub limits: Limits,
}

/// What was placed, for `--stats`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Where a collection may happen.
    pub safepoints: u64,
    /// Stores of references to slots.
    pub spills: u64,
    /// Loads of references from slots.
    pub restores: u64,
    /// Functions that need a frame.
    pub frames: u64,
    /// Slots of the deepest frame of each function, together.
    pub slots: u64,
    /// Slots that are emptied before a safepoint.
    pub clears: u64,
}

/// Where placement turns to the simple rule.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Blocks of the ranges of far values, together. Below, no value is far.
    pub work: u64,
    /// Blocks of the range of a value.
    pub far: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { work: 1 << 22, far: 256 }
    }
}
