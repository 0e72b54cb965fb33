//! Tests of the Wasm back end: low IR in text form, emitted, run under an engine, compared with values computed by
//! hand; and the shape of the code for the patterns that matter.

mod abi;
mod c;
mod calls;
mod control;
mod harness;
mod heap;
mod js;
mod numbers;
mod order;
mod random;
mod registers;
mod shape;
