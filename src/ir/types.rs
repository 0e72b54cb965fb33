//! Value types and signatures.

pub use cleave_abi::Type;
use smallvec::SmallVec;
use std::fmt;

/// Parameter and result types of a function, without the implicit shadow-stack pointer.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Default, PartialOrd, Ord)]
pub struct Signature {
    /// In order.
    pub params: SmallVec<[Type; 8]>,
    /// In order; there may be any number.
    pub results: SmallVec<[Type; 4]>,
}

impl Signature {
    /// A signature of these types.
    pub fn new(params: &[Type], results: &[Type]) -> Self {
        Signature { params: SmallVec::from_slice(params), results: SmallVec::from_slice(results) }
    }
    /// References to one reference: thunk entries, closures, update functions.
    pub fn ptrs(count: u32) -> Self {
        Signature { params: SmallVec::from_elem(Type::Ref, count as usize), results: SmallVec::from_elem(Type::Ref, 1) }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |types: &[Type]| types.iter().map(|t| t.name()).collect::<Vec<_>>().join(", ");
        write!(f, "({}) -> ({})", list(&self.params), list(&self.results))
    }
}
