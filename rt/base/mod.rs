//! Libcalls that any language needs: start and options, the console, numbers, strings and arrays, errors.

pub mod array;
pub mod bignum;
pub mod closure;
pub mod console;
pub mod context;
pub mod decimal;
pub mod double_double;
pub mod error;
pub mod input;
pub mod math;
pub mod options;
pub mod parse;
pub mod rc_string;
pub mod report;
pub mod stackless;
pub mod start;
pub mod state;
pub mod stream;
pub mod string;
pub mod system;
pub mod transcendental;
pub mod value;

pub use context::Context;
