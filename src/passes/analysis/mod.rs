//! Analyses that passes share. Nothing here changes code.

pub mod call_graph;
pub mod components;
pub(crate) mod direct_calls;
pub mod domwalk;
pub mod identity_uses;
pub mod lattice;
pub mod safepoints;
pub mod values;
