//! Optimisations of one function at a time, on high IR.

mod algebra;
pub mod blackhole;
pub mod compact;
pub mod dce;
pub mod destination;
pub mod evalelim;
pub mod expect;
pub mod flow;
pub mod fold;
pub mod gvn;
pub mod rotate;
pub mod simplify;
pub mod tail;
pub mod thread;
pub mod unroll;
mod ways;
