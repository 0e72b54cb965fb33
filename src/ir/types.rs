//! Value types and signatures.

use smallvec::SmallVec;
use std::fmt;

/// Type of an SSA value. Raw words of the B stack are `I64` or `F64`; conditions and addresses are `I32`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Type {
    I32,
    I64,
    F64,
    /// Reference to a heap or static object; the only type that the collector cares about.
    Ref,
}

impl Type {
    pub const ALL: [Type; 4] = [Type::I32, Type::I64, Type::F64, Type::Ref];
    pub const fn name(self) -> &'static str {
        match self {
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::F64 => "f64",
            Type::Ref => "ref",
        }
    }
    pub fn from_name(name: &str) -> Option<Type> {
        Type::ALL.into_iter().find(|t| t.name() == name)
    }
    /// Bytes in memory.
    pub const fn bytes(self) -> u32 {
        match self {
            Type::I32 | Type::Ref => 4,
            Type::I64 | Type::F64 => 8,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Parameter and result types of a function, without the implicit shadow-stack pointer.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Default, PartialOrd, Ord)]
pub struct Signature {
    pub params: SmallVec<[Type; 8]>,
    pub results: SmallVec<[Type; 4]>,
}

impl Signature {
    pub fn new(params: &[Type], results: &[Type]) -> Self {
        Signature { params: params.into(), results: results.into() }
    }
    /// References to one reference: thunk entries, closures, update functions.
    pub fn refs(count: u32) -> Self {
        Signature { params: SmallVec::from_elem(Type::Ref, count as usize), results: SmallVec::from_elem(Type::Ref, 1) }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |types: &[Type]| types.iter().map(|t| t.name()).collect::<Vec<_>>().join(", ");
        write!(f, "({}) -> ({})", list(&self.params), list(&self.results))
    }
}
