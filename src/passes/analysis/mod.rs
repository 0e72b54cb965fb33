//! What passes ask about code: nothing here changes it.

pub mod domwalk;
pub mod identity_uses;
pub mod lattice;
pub mod safepoints;
pub mod values;
