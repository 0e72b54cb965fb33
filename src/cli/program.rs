//! Loads and compiles the program that a command names.

use crate::cli::{check, emit, lints};
use crate::driver::exports;
use crate::driver::input::STDIN;
use crate::driver::panic_hook;
use crate::driver::pipeline::{self, Compiled, Stop};
use crate::driver::session::{Outcome, Session};
use crate::languages;
use std::path::Path;

/// Reads and compiles the program: in a language that there is a front end for, or a file of IR.
pub fn compile(session: &mut Session, main: &Path, stop: Stop, points: &[String]) -> Outcome<Compiled> {
    panic_hook::set_stage("parse");
    let begin = std::time::Instant::now();
    let is_ir_of_stdin = main == Path::new(STDIN) && session.options.language.as_deref() == Some("ir");
    if emit::is_ir(main) || is_ir_of_stdin {
        let mut module = check::read_ir(session, main, stop)?;
        exports::restrict(session, &mut module)?;
        return pipeline::compile_ir(session, module, stop, points);
    }
    let loaded = languages::load(session, main);
    session.timing.add("parse", begin.elapsed());
    let loaded = loaded?;
    lints::apply(session)?;
    pipeline::compile(session, loaded, stop, points)
}
