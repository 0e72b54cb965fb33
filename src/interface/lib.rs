//! Functions of a module that others call, with data.
//!
//! ```text
//! exports, with types ─ adapt ─▶ entries, which take numbers, and the buffer in which data are exchanged
//! ```
//! One mechanism serves all hosts: the canonical ABI of the Component Model. An entry reads its arguments from the
//! buffer, builds the data of the module, calls the function, and writes the result into the buffer. The host allocates
//! there by `cabi_realloc`, and says by `cabi_post_NAME` that it has read a result. `wit` and `javascript` write what
//! hosts want to know.

#![warn(missing_docs)]

mod adapters;
mod buffer;
#[cfg(feature = "component")]
pub mod component;
pub mod javascript;
pub mod layout;
pub mod names;
mod numbers;
mod utf8;
pub mod wit;

pub use adapters::adapt;
