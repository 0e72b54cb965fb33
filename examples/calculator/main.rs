//! A small strict language, compiled to WebAssembly and to machine code by `cleave-compile`.
//!
//! `cargo run --example calculator -- FILE [wasm|native]`. The language has numbers, lists of numbers, functions,
//! `let`, `if`, `case` on lists, and recursion:
//!
//! ```text
//! fun upto(n: int, m: int): list = if m < n then [] else n :: upto(n + 1, m)
//! fun sum(l: list, total: int): int = case l of [] -> total | head :: tail -> sum(tail, total + head)
//! print sum(upto(1, 100), 0)
//! ```
//! - `syntax.rs`: text to expressions.
//! - `code.rs`: expressions to IR, with a check of types on the way.
//! - This file: IR to a program, which is run.
//!
//! What is *not* here: where references are when the collector moves objects, how a call in tail position leaves no
//! frame, how numbers are printed, what a heap that is full says. That is what the back end is for.

mod code;
mod syntax;

use cleave::driver::native;
use cleave::driver::run::{self, RunOptions};
use cleave_compile::{Native, Options, Wasm, compile};
use std::error::Error;

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: calculator FILE [wasm|native]")?;
    let module = code::module(&syntax::parse(&std::fs::read_to_string(file)?)?)?;
    let (options, how, mut timing) = (Options::default(), RunOptions::default(), Default::default());
    let ended = match arguments.next().as_deref() {
        Some("native") => native::run(&compile(module, &Native::default(), &options)?, &how, &mut timing),
        _ => run::run(compile(module, &Wasm::default(), &options)?.bytes, &how, &mut timing),
    };
    std::process::exit(ended.map_err(|error| format!("{error:?}"))?.status)
}
