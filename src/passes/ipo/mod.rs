//! Optimisations that look at the whole program: calls, thunks, closures and tables of all functions; on high IR.

mod arguments;
pub mod cheap_eagerness;
pub mod trmc;
pub mod inline;
pub mod outline;
pub mod propagate;
pub mod global_dce;
pub mod specialise;
pub mod partial_inline;
pub mod promote_constants;
