//! What was found wrong with calls and tuples, of which one message is made later.

use crate::types::Ty;
use cleave_diag::Span;

/// An argument, or a part of a tuple, whose type is another one than its place wants.
#[derive(Clone, Copy)]
pub struct Refused {
    pub index: usize,
    pub wanted: Ty,
    pub found: Ty,
}

/// The last call with another number of arguments than it takes.
#[derive(Clone, Copy)]
pub struct Miscount {
    pub span: Span,
    pub wanted: usize,
    pub found: usize,
}
