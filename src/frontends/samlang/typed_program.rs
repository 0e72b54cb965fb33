//! A program whose names and types are known, still generic.

use crate::hir::Hir;
use crate::lex::Names;
use crate::program::{MemberId, Program};
use cleave_strict::interface::Origin;

/// A program whose bodies are checked.
#[derive(Debug)]
pub struct TypedProgram {
    pub(crate) names: Names,
    pub(crate) program: Program,
    /// The body of each member that has one.
    pub(crate) bodies: Vec<Option<Hir>>,
    /// What others call.
    pub(crate) exports: Vec<MemberId>,
    /// What the host has, and the module of JavaScript where it has it.
    pub(crate) imports: Vec<(MemberId, Origin)>,
}
