//! What a module says of functions that can be captured: those that leave a record of themselves and return when the
//! stack of the engine is nearly used up.

use crate::FuncId;

/// How functions go on that have left a record of themselves and returned.
#[derive(Clone, Debug)]
pub struct Captures {
    /// Runs them, one by one, until the last of them has returned; its results are at `CAPTURE_RESULTS` then. Called
    /// when the limit of the shadow stack is 0 after a call.
    pub trampoline: FuncId,
    /// Functions that can be captured. The number of a record is that of the function in this list, shifted by `bits`,
    /// and where it goes on.
    pub funcs: Vec<FuncId>,
    /// How many bits of the number of a record say where the function goes on.
    pub bits: u32,
    /// Functions whose last result says whether they have been done, for who calls them from outside.
    pub flagged: Vec<FuncId>,
    /// The first of the functions that write records and read them, which are the last ones of the module: they run
    /// rarely.
    pub first_helper: FuncId,
}
