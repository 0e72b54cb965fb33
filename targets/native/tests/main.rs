//! Tests of the parts of the target that need no program.

mod align;
mod cache;
mod peephole;
mod resolve;
mod split_live_ranges;
mod symbols;
