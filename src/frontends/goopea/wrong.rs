//! What was found wrong last, which may have to do with the next message.

use crate::syntax::Id;
use cleave_strict::core_ir::{Type, Var};

/// A call with another number of arguments than it takes, of which the last message is.
#[derive(Clone, Copy)]
pub struct Miscount {
    pub id: Id,
    pub wanted: usize,
    pub found: usize,
    /// So many messages were there before it.
    pub messages: usize,
}

/// A variable that was used as if it had another type, of which the last message is.
#[derive(Clone, Copy)]
pub struct Misused {
    pub var: Var,
    pub wanted: Type,
    pub messages: usize,
}
