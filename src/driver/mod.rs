//! The driver: sessions, module search, the pipeline, running; what the commands call.
//!
//! `session` holds options, sources and messages · `frontend` says what a language is, `languages` which there are,
//! `clean`, `goopea` and `samlang` are three: from files to IR, `source_file` reads what the last two begin with,
//! `source_names` are their names in traces, `lexemes` colours one · `foreign` are C functions, `c_objects` links them
//! in WebAssembly · `pipeline` is THE order of the steps · `cache` keeps compiled code for the next build or run ·
//! `output` writes files whole or not at all, `temporary` makes those that go again · `run`, `native` and `interpret`
//! execute · `timing` measures · `watch` looks at the IR between passes · `crash` is the panic hook, `version` and
//! `built_in` say what this cleave is.

pub mod build_info;
pub mod c_objects;
pub mod cache;
pub mod clean;
pub mod ffi;
pub mod frontend;
pub mod goopea;
pub mod input;
pub mod interpret;
pub mod json;
pub mod languages;
mod lexemes;
pub mod native;
pub mod output;
pub mod panic_hook;
pub mod pass_observer;
pub mod pipeline;
pub mod rc_report;
pub mod run;
pub mod samlang;
pub mod sconfig;
pub mod session;
pub mod snippet;
mod source_file;
mod source_names;
pub mod temporary;
pub mod timing;
pub mod trace;
pub mod version;
