//! The kinds of arrays that `array.new` and its like name, so that a front end knows neither strides nor offsets.

use crate::layout::{ElementKind, SLOT};
use crate::types::Type;

/// What the elements of an array are. All of them begin at `ARRAY_DATA`, on either heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum ArrayKind {
    /// References.
    Ref,
    /// Integers of 64 bits.
    I64,
    /// Reals of 64 bits.
    F64,
    /// Integers of 32 bits; elements are read as `i64`, with their sign, and lose their upper half when they are
    /// written.
    I32,
    /// Reals of 32 bits, which are read and written as `f64`.
    F32,
    /// Bytes, which are read and written as `i64`, from 0 to 255.
    U8,
}

impl ArrayKind {
    /// All of them in the order of their numbers.
    pub const ALL: [ArrayKind; 6] =
        [ArrayKind::Ref, ArrayKind::I64, ArrayKind::F64, ArrayKind::I32, ArrayKind::F32, ArrayKind::U8];

    /// The word of the text form.
    pub const fn word(self) -> &'static str {
        match self {
            ArrayKind::Ref => "ref",
            ArrayKind::I64 => "i64",
            ArrayKind::F64 => "f64",
            ArrayKind::I32 => "i32",
            ArrayKind::F32 => "f32",
            ArrayKind::U8 => "u8",
        }
    }
    /// The kind of that word.
    pub fn from_word(word: &str) -> Option<ArrayKind> {
        ArrayKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
    /// As an immediate of an instruction.
    pub const fn pack(self) -> u64 {
        self as u64
    }
    /// What `pack` has packed.
    pub fn unpack(imm: u64) -> ArrayKind {
        ArrayKind::ALL[imm as usize]
    }
    /// The type of an element as a value.
    pub const fn ty(self) -> Type {
        match self {
            ArrayKind::Ref => Type::Ref,
            ArrayKind::F64 | ArrayKind::F32 => Type::F64,
            _ => Type::I64,
        }
    }
    /// Bytes from one element to the next.
    pub const fn stride(self) -> u32 {
        match self {
            ArrayKind::Ref | ArrayKind::I32 | ArrayKind::F32 => SLOT,
            ArrayKind::I64 | ArrayKind::F64 => 2 * SLOT,
            ArrayKind::U8 => 1,
        }
    }
    /// What an array object of the garbage-collected heap says about itself.
    pub const fn element(self) -> ElementKind {
        match self {
            ArrayKind::Ref => ElementKind::Ref,
            ArrayKind::I64 => ElementKind::Int,
            ArrayKind::F64 => ElementKind::Real,
            ArrayKind::I32 => ElementKind::Int32,
            ArrayKind::F32 => ElementKind::Real32,
            ArrayKind::U8 => ElementKind::Bool,
        }
    }
}
