//! Driver and command line of the Cleave compiler.
