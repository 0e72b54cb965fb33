//! Entry point of the `cleave` binary.
fn main() {}
