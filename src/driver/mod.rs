//! The driver: sessions, module search, the pipeline, running; what the commands call.
//!
//! `session` holds options, sources and messages · `ffi` are C functions, `c_objects` links them in WebAssembly ·
//! `pipeline` is THE order of the steps, `compiled` what it gives · `exports` says what a library exports · `cache`
//! keeps compiled code for the next build or run · `output` writes files whole or not at all, `temporary` makes those
//! that go again · `run`, `native` and `interpret` execute, `snippet` does so with a text · `timing` measures ·
//! `pass_observer` looks at the IR between passes · `panic_hook` says what to do after a panic, `version` and
//! `build_info` say what this cleave is.
//! Source languages are in `src/languages`.

pub mod build_info;
pub mod c_objects;
pub mod cache;
pub mod compiled;
pub mod exports;
pub mod ffi;
pub mod input;
pub mod interpret;
mod ir_constants;
mod ir_declared;
mod ir_params;
mod ir_places;
pub mod json;
pub mod native;
pub mod output;
pub mod panic_hook;
pub mod pass_observer;
pub mod pipeline;
pub mod rc_report;
pub mod run;
pub mod session;
pub mod snippet;
pub mod temporary;
pub mod timing;
pub mod trace;
pub mod version;
