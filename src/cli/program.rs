//! Loads and compiles the program that a command names.

use crate::cli::{check, emit, lints};
use crate::driver::exports;
use crate::driver::input::{self, STDIN};
use crate::driver::panic_hook;
use crate::driver::pipeline::{self, Compiled, Stop};
use crate::driver::session::{Outcome, Session};
use crate::languages;
use cleave_diag::{Diagnostic, code};
use std::path::Path;

/// Reads what is given on stdin, unless that was done, and says so if nobody knows its language.
fn read_stdin(session: &mut Session) -> Outcome {
    let given = session.given.take().map_or_else(input::read_stdin, Ok);
    let bytes = given.map_err(|error| session.fail(input::unreadable(Path::new(STDIN), &error)))?;
    if bytes.is_empty() {
        let help = "the text of a program: `cleave run - --language goo <x.goo`";
        return Err(session.fail(Diagnostic::error(code::FILE_EMPTY, "nothing came from stdin").help(help)));
    }
    // ABC begins with a directive or a comment.
    let first = bytes.trim_ascii_start().first().copied().unwrap_or(b'.');
    let is_unknown = session.options.language.is_none() && !matches!(first, b'.' | b'|');
    if is_unknown && std::str::from_utf8(&bytes).is_ok() {
        let message = "the text on stdin is no ABC, and nobody says in which language it is";
        let help = "`--language goo`, `--language sam` and `--language ir` do";
        return Err(session.fail(Diagnostic::error(code::FILE_NOT_ABC, message).help(help)));
    }
    session.given = Some(bytes);
    Ok(())
}

/// Reads and compiles the program: in a language that there is a front end for, or a file of IR.
pub fn compile(session: &mut Session, main: &Path, stop: Stop, points: &[String]) -> Outcome<Compiled> {
    panic_hook::set_stage("parse");
    let begin = std::time::Instant::now();
    if main == Path::new(STDIN) {
        read_stdin(session)?;
    }
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
