//! What passes ask about code: nothing here changes it.

pub mod cells;
pub mod domwalk;
pub mod facts;
pub mod safepoints;
pub mod values;
