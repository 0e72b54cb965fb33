//! Functions of a module that others call, with data.
//!
//! ```text
//! exports, with types ─ adapt ─▶ entries, which take numbers, and the buffer in which data are exchanged
//! ```
//! One mechanism serves all hosts: the canonical ABI of the Component Model. An entry reads its arguments from the
//! buffer, builds the data of the module, calls the function, and writes the result into the buffer. The host allocates
//! there by `cabi_realloc`, and says by `cabi_post_NAME` that it has read a result. Machine code has the same for hosts
//! in C, with addresses of theirs (`layout::Abi`). `wit`, `javascript` and `c` write what hosts want to know.

#![warn(missing_docs)]

mod adapters;
mod buffer;
pub mod c;
mod c_checks;
mod c_functions;
mod callbacks;
#[cfg(feature = "component")]
pub mod component;
#[cfg(feature = "component")]
mod component_api;
#[cfg(feature = "component")]
mod component_imports;
#[cfg(feature = "component")]
mod component_system;
#[cfg(feature = "component")]
mod component_types;
mod flat;
mod foreign;
mod handles;
mod import_groups;
mod imports;
pub mod javascript;
mod javascript_imports;
mod javascript_waiting;
pub mod javascript_worker;
pub mod layout;
mod lists;
pub mod names;
mod numbers;
mod outside;
mod places;
mod resources;
mod spelled;
mod typescript;
mod utf8;
mod waiting;
mod waiting_table;
pub mod wit;
pub mod wit_check;
mod wit_read;
mod wit_words;
mod wrong;

pub use adapters::adapt;
pub use layout::Abi;
pub use wit_read::WitError;
