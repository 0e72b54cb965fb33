//! The runtime, compiled from `rt`: what the targets put into every program. `rt/build.sh` makes the files anew.
//!
//! A crate of its own, so that the targets can be packaged: a package holds no files from outside of its folder.

#![no_std]
#![warn(missing_docs)]

/// A WebAssembly module. Of its custom sections, one says which data each function uses, others where code and data
/// hold addresses; targets drop what a program does not reach.
pub static WASM: &[u8] = include_bytes!("rt.wasm");

/// An object file for x86-64 under Linux, which needs nothing but the C library.
pub static X86_64_LINUX: &[u8] = include_bytes!("rt-x86_64-linux.o");
