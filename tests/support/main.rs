//! Tests of what other tests share: which programs an ordinary run leaves out, the ways to compile, the list of public
//! programs.

mod selection;
mod students;
mod ways;
