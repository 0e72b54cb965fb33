//! The command `fmt`: files in the form of their language.

use crate::cli::args::FmtArgs;
use crate::cli::below;
use crate::cli::exit_code::FAILURE;
use crate::driver::input;
use crate::driver::output::{reason, write_stdout};
use crate::driver::session::{Outcome, Session};
use crate::languages;
use cleave_diag::{Diagnostic, code};
use std::path::Path;

pub fn run(session: &mut Session, args: &FmtArgs) -> Outcome<i32> {
    let mut status = 0;
    let endings: Vec<&str> = languages::formatted().collect();
    for path in below::files(session, &args.files, &endings)? {
        match one(session, &path, args) {
            Ok(true) => {}
            Ok(false) | Err(_) => status = FAILURE,
        }
    }
    Ok(status)
}

/// True if the lines of a text end as on Windows: the first one does.
pub fn has_crlf(text: &[u8]) -> bool {
    text.iter().position(|&byte| byte == b'\n').is_some_and(|at| at > 0 && text[at - 1] == b'\r')
}

/// A text with the ends of lines of Windows.
pub fn with_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// Formats a file; false if only to say that it is not formatted.
fn one(session: &mut Session, path: &Path, args: &FmtArgs) -> Outcome<bool> {
    let is_stdin = path == Path::new("-");
    let shown = if is_stdin { "<stdin>".into() } else { path.display().to_string() };
    let extension = path.extension().and_then(|extension| extension.to_str());
    let extension = if is_stdin { Some(args.language.as_str()) } else { extension };
    let formatter = if args.upgrade { languages::upgrader } else { languages::formatter };
    let Some(format) = extension.and_then(formatter) else {
        let message = format!("`{shown}` has no form that is known");
        let known: Vec<String> = languages::formatted().map(|ending| format!("`.{ending}`")).collect();
        let help = format!("these are formatted: {}", known.join(", "));
        return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)));
    };
    let bytes = input::read_given(path).map_err(|error| session.fail(input::unreadable(path, &error)))?;
    let file = session.sources.add(shown.clone(), bytes);
    let Session { sources, sink, .. } = session;
    let Some(text) = format(file, sources, sink) else { return Ok(false) };
    let bytes = &sources.file(file).bytes;
    // A file keeps the ends of its lines.
    let text = if has_crlf(bytes) { with_crlf(&text) } else { text };
    let is_formatted = text.as_bytes() == *bytes;
    let written = match (args.check, is_stdin) {
        (true, _) if is_formatted => return Ok(true),
        (true, _) => write_stdout(format!("{shown}\n").as_bytes()),
        (false, true) => write_stdout(text.as_bytes()),
        (false, false) if is_formatted => return Ok(true),
        (false, false) => std::fs::write(path, text),
    };
    written.map_err(|error| {
        let message = format!("`{shown}` cannot be written: {}", reason(&error));
        session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message))
    })?;
    Ok(!args.check)
}
