//! Passes over the IR: optimisations on high IR, placement of roots, lowering.

// Optimisations and their manager.
mod algebra;
mod arguments;
pub mod blackhole;
mod cells;
pub mod compact;
pub mod dce;
pub mod destination;
pub mod domwalk;
pub mod eager;
pub mod evalelim;
mod facts;
pub mod flow;
pub mod fold;
pub mod gvn;
pub mod inline;
pub mod manager;
pub mod merge;
pub mod parallel;
pub mod propagate;
pub mod prune;
pub mod simplify;
pub mod specialise;
pub mod split;
pub mod statics;
pub mod tail;
pub mod thread;
pub mod values;

// From evaluation to explicit roots and memory.
pub mod expand;
pub mod leaf;
pub mod lower;
pub mod reenter;
pub mod roots;
