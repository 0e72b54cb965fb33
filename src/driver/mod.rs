//! What the commands do: sessions, module search, the pipeline, running.
//!
//! `session` holds options, sources and messages · `frontend` says what a language is, `languages` which there are,
//! `clean` and `goopea` are two: from files to IR · `foreign` are C functions, `c_objects` links them in
//! WebAssembly · `pipeline` is THE order of the steps · `cache` keeps compiled functions for the next build ·
//! `output` writes files whole or not at all, `temporary` makes those that go again · `run` (with `files` and
//! `words`), `native` and `interpret` execute · `timing` measures · `watch` looks at the IR between passes ·
//! `crash` is the panic hook, `version` and `built_in` say what this cleave is.

pub mod built_in;
pub mod c_objects;
pub mod cache;
pub mod clean;
pub mod crash;
#[cfg(all(feature = "engine", unix))]
mod files;
pub mod foreign;
pub mod frontend;
pub mod goopea;
pub mod interpret;
pub mod languages;
pub mod native;
pub mod output;
pub mod pipeline;
pub mod run;
pub mod session;
pub mod temporary;
pub mod timing;
pub mod trace;
pub mod version;
pub mod watch;
#[cfg(feature = "engine")]
mod words;
