//! Services that any language needs: start and options, the console, numbers, strings and arrays, errors.

pub mod array;
pub mod bignum;
pub mod closure;
pub mod console;
pub mod context;
pub mod counted;
pub mod decimal;
pub mod error;
pub mod input;
pub mod kernels;
pub mod math;
pub mod options;
pub mod parse;
pub mod report;
pub mod start;
pub mod state;
pub mod stream;
pub mod string;
pub mod twin;
pub mod value;
pub mod wide;

pub use context::Context;
