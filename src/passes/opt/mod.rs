//! Optimisations of one function at a time, on high IR.

mod algebra;
pub mod blackhole;
pub mod bounds_check_elim;
pub mod dce;
pub mod evalelim;
pub mod fold;
pub mod gvn;
mod immediates;
pub mod instcombine;
pub mod jump_threading;
pub mod loop_rotate;
mod memory_classes;
pub mod peel_loops;
pub mod promote_cells;
pub mod renumber;
pub mod simplify_cfg;
pub mod sink_allocation;
pub mod speculate_tag;
mod ssa_repair;
pub mod tail_recursion_elim;
pub mod thread_tests;
pub mod unroll_recursion;
