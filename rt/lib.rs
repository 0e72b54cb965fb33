//! The runtime of compiled programs: heap, collector, printing, strings, arrays, numbers, files.
//!
//! One source, three uses. Compiled to `wasm32` it becomes a module whose functions `rt_<libcall>` are merged into each
//! program. On the host its tests run it over a byte vector. The compiler's IR interpreter links it as a library. It is
//! `no_std`, allocates nothing for itself, and never recurses over the program's data.
//!
//! Where to look: `layout` (what objects look like), `platform` (memory and host, which a target provides), `gc` (who
//! moves objects, when, and where to), `rc` (the heap whose objects count their references), `base` (libcalls that
//! any language needs), `clean` (those of Clean, with the C functions of its libraries), `libcalls` (their table),
//! `state` (what all modules remember, and what they ask of each other), `sys` (targets). Each uses those before it:
//! layout and platform ← gc ← rc ← base ← clean ← state and libcalls ← sys.

#![cfg_attr(not(feature = "std"), no_std)]

pub mod base;
pub mod clean;
pub mod gc;
pub mod layout;
pub mod libcalls;
pub mod platform;
pub mod prebuilt;
pub mod rc;
pub mod state;
pub mod sys;

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use libcalls::{call as call_libcall, call_index as call_libcall_index};
pub use platform::{Host, Memory, Outcome};
pub use state::{Context, State};
