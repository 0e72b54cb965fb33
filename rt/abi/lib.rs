//! What compiled programs and the runtime agree on, written once: the functions of the runtime that any program may
//! call (`libcalls`), with their types and effects (`types`), what everything in memory looks like (`layout`, and `rc`
//! for the reference-counted heap, with its statistics in `rc_stats`), and what may be wrong with what a host in C
//! passes (`passed`).
//!
//! The compiler (`src/ir`) and the runtime (`rt`) both use this crate; it uses neither, nor `std`. A front end that
//! needs more than what is here writes signatures of its own in the same form (macro `libcalls!`) and implements them
//! beside the runtime.
//!
//! ```
//! use cleave_abi::{Effects, LibcallSignature, libcalls};
//!
//! let print_int = libcalls::find("print_int").expect("a function of the runtime");
//! assert_eq!(print_int.effects, Effects::EFFECT);
//!
//! /// What a language of your own brings along.
//! mod mine {
//!     cleave_abi::libcalls! {
//!         ROLL_DICE "roll_dice" (I64) -> (I64) [EFFECT] "a random number below another one";
//!     }
//! }
//! let mine: &[&LibcallSignature] = mine::ALL;
//! assert_eq!(mine[0].name, "roll_dice");
//! ```

#![no_std]
#![warn(missing_docs)]

pub mod layout;
pub mod libcalls;
pub mod passed;
pub mod rc;
pub mod rc_stats;
pub mod types;

pub use types::{Effects, LibcallSignature, Type};
