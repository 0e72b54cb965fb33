//! What the commands do: sessions, module search, the pipeline, running.
//!
//! `session` holds options, sources and messages · `modules` loads the modules of a program; `main_module`, `folders`,
//! `sources` and `missing` find them, compile them and say what is missing · `c_objects` links C functions in
//! WebAssembly · `pipeline` is THE pass order · `cache` keeps compiled functions for the next build · `output` writes
//! files whole or not at all, `temporary` makes those that go again · `run` (with `files` and `words`), `native` and
//! `interpret` execute · `timing` measures · `watch` looks at the IR between passes · `crash` is the panic hook,
//! `version` and `built_in` say what this cleave is.

pub mod built_in;
pub mod c_objects;
pub mod cache;
pub mod crash;
#[cfg(all(feature = "engine", unix))]
mod files;
pub mod folders;
pub mod interpret;
pub mod main_module;
pub mod missing;
pub mod modules;
pub mod native;
pub mod output;
pub mod pipeline;
pub mod run;
pub mod session;
pub mod sources;
pub mod temporary;
pub mod timing;
pub mod trace;
pub mod version;
pub mod watch;
#[cfg(feature = "engine")]
mod words;
