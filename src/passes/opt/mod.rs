//! Optimisations of one function at a time, on high IR.

mod algebra;
pub mod blackhole;
pub mod renumber;
pub mod dce;
pub mod sink_allocation;
pub mod evalelim;
pub mod speculate_tag;
pub mod simplify_cfg;
pub mod fold;
pub mod gvn;
pub mod loop_rotate;
pub mod instcombine;
pub mod tail_recursion_elim;
pub mod jump_threading;
pub mod unroll_recursion;
mod ssa_repair;
