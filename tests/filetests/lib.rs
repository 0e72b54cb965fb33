//! IR file tests: what a file may say, and what it asks for. A package of its own, which needs nothing but passes and
//! interpreter: who changes a pass waits for these.

pub mod annotations;
pub mod execute;
