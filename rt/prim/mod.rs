//! The services, by family.

pub mod array;
pub mod bignum;
pub mod closure;
pub mod console;
pub mod decimal;
pub mod error;
pub mod fields;
pub mod file;
pub mod input;
pub mod kernels;
pub mod math;
pub mod parse;
pub mod print;
pub mod shared;
pub mod stream;
pub mod string;
pub mod value;
