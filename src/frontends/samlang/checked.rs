//! A program whose names and types are known, still generic.

use crate::hir::Hir;
use crate::lex::Names;
use crate::world::World;

/// A program whose bodies are checked.
#[derive(Debug)]
pub struct Checked {
    pub(crate) names: Names,
    pub(crate) world: World,
    /// The body of each member that has one.
    pub(crate) bodies: Vec<Option<Hir>>,
}
