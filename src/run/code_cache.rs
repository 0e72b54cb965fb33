//! The interface of a code cache between runs, which the embedder implements.

use std::fmt;

/// A place for what the embedded engine makes of one module: with it, a second run compiles nothing.
///
/// It holds machine code. Whoever can write there decides what a run does.
pub trait CodeCache: fmt::Debug + Send + Sync {
    /// What was written last. With anything else, or nothing, the module is compiled, and written.
    fn read(&self) -> Vec<u8>;
    /// Keeps these bytes, if possible.
    fn write(&self, bytes: &[u8]);
}
