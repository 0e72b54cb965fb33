//! Optimisations that look at the whole program: calls, thunks, closures and tables of all functions; on high IR.

mod arguments;
pub mod cheap_eagerness;
mod copy_call;
pub mod deforest;
pub mod global_dce;
pub mod hoist_borrows;
pub mod inline;
pub mod outline;
pub mod partial_inline;
pub mod promote_constants;
pub mod propagate;
pub mod specialise;
pub mod trmc;
pub mod unbox_immediates;
