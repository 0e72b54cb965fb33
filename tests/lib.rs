//! What the test drivers of this package share: the annotations of IR file tests, and for the root checker a generator
//! of random functions, mutants of rooted functions and an exhaustive oracle.

pub mod annotations;
