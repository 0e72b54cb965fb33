//! Optimisations that look at the whole program: calls, thunks, closures and tables of all functions; on high IR.

mod arguments;
pub mod eager;
pub mod holes;
pub mod inline;
pub mod parts;
pub mod propagate;
pub mod prune;
pub mod specialise;
pub mod split;
pub mod statics;
