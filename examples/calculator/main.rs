//! A small strict language, compiled to WebAssembly and to machine code by `cleave-compile`, and run.
//!
//! `cargo run --example calculator -- FILE [wasm|native]`. The language has numbers, lists of numbers, and functions:
//!
//! ```text
//! program = { (fun NAME ((NAME TYPE) …) TYPE expr) }            TYPE = int | list; prints what `main` gives
//! expr    = NUMBER | NAME | () | (:: expr expr) | (NAME expr …) | (SIGN expr expr)         SIGN = + - * / < =
//!         | (let NAME expr expr) | (if expr expr expr) | (case LIST IF-EMPTY HEAD TAIL OTHERWISE)
//! ```
//! `syntax.rs` makes trees of text, `code.rs` IR of trees, with a check of types on the way, and this file programs of
//! IR. What is *not* here: where references are when the collector moves objects, how a call in tail position leaves
//! no frame, how numbers are printed, what a heap that is full says. That is what the back end is for.

mod code;
mod syntax;

use cleave_compile::{Native, Options, Wasm, compile};
use std::error::Error;

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let source = std::fs::read_to_string(arguments.next().ok_or("usage: calculator FILE [wasm|native]")?)?;
    let module = code::module(&syntax::read(&source)?)?;
    let (options, how) = (Options::default(), cleave_run::Options::default());
    let ended = match arguments.next().as_deref() {
        Some("native") => cleave_run::native(&compile(module, &Native::default(), &options)?, &how)?,
        _ => cleave_run::wasm(&compile(module, &Wasm::default(), &options)?.bytes, &how)?,
    };
    std::process::exit(ended.status)
}
