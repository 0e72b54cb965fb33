//! The runtime of compiled programs: heap, collector, printing, strings, arrays, numbers, files.
//!
//! One source, three uses. Compiled to `wasm32` it becomes a module whose functions `rt_<service>` are merged into each
//! program. On the host its tests run it over a byte vector. The compiler's IR interpreter links it as a library. It is
//! `no_std`, allocates nothing for itself, and never recurses over the program's data.
//!
//! Where to look: `layout` (what objects look like), `system` (what a target must provide), `heap`, `nursery`, `place` and
//! `copy` (who moves objects, when, and where to), `prim` (services), `foreign` (C functions), `services` (their table), `sys`
//! (targets).

#![cfg_attr(not(any(test, feature = "std")), no_std)]

pub mod check;
pub mod copy;
pub mod foreign;
pub mod heap;
pub mod layout;
mod list;
pub mod nursery;
pub mod object;
pub mod options;
pub mod place;
pub mod prebuilt;
pub mod prim;
pub mod report;
pub mod roots;
pub mod selector;
pub mod services;
pub mod slide;
pub mod start;
pub mod state;
pub mod sys;
pub mod system;

#[cfg(not(target_arch = "wasm32"))]
pub use services::{call as call_service, call_index as call_service_index};
pub use state::State;
pub use system::{Context, Host, Memory, Outcome};

#[cfg(test)]
mod tests_collector;
#[cfg(test)]
mod tests_files;
#[cfg(test)]
mod tests_heap;
#[cfg(test)]
mod tests_kernels;
#[cfg(test)]
mod tests_numbers;
#[cfg(test)]
mod tests_nursery;
#[cfg(test)]
mod tests_print;
#[cfg(test)]
mod tests_strings;
#[cfg(test)]
mod tests_support;
