//! WebAssembly that `run` is given: a file, or stdin.

use crate::cli::args::{CompileArgs, RunArgs};
use crate::driver::frontend::STDIN;
use crate::driver::languages;
use crate::driver::output;
use crate::driver::run::MAGIC;
use crate::driver::session::{Outcome, Session, Target};
use cleave_diag::{Diagnostic, MAX_FILE_BYTES, code};
use std::io::Read;
use std::path::Path;

/// The WebAssembly that is to be run as it is: a file, unless there is a module of that name, or stdin. What stdin has
/// otherwise is kept for the parser.
pub fn wasm(session: &mut Session, args: &RunArgs) -> Outcome<Option<Vec<u8>>> {
    let main = &args.main;
    let unreadable = |error: std::io::Error| {
        let message = format!("`{}` cannot be read: {}", main.display(), output::reason(&error));
        Diagnostic::error(code::FILE_UNREADABLE, message)
    };
    let wasm = if main == Path::new(STDIN) {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|error| session.fail(unreadable(error)))?;
        if !bytes.starts_with(MAGIC) {
            session.given = Some(bytes);
            return Ok(None);
        }
        bytes
    } else {
        let mut first = [0; MAGIC.len()];
        let Ok(mut file) = std::fs::File::open(main) else { return Ok(None) };
        let is_wasm = main.is_file() && file.read_exact(&mut first).is_ok() && first == *MAGIC;
        let has_ending = main.extension().is_some_and(|extension| extension == "wasm");
        if has_ending && !is_wasm && main.is_file() {
            let message = format!("`{}` is not WebAssembly, as its name says", main.display());
            let help = "it does not begin with a NUL and `asm`; `cleave build` makes it from the .abc file";
            return Err(session.fail(Diagnostic::error(code::NOT_A_PROGRAM, message).help(help)));
        }
        if !is_wasm || !has_ending && languages::is_there(session, main) {
            return Ok(None);
        }
        let mut bytes = first.to_vec();
        file.read_to_end(&mut bytes).map_err(|error| session.fail(unreadable(error)))?;
        bytes
    };
    let refused = match args {
        RunArgs { interp: Some(_), .. } => "--interp",
        RunArgs { compile: CompileArgs { target: Some(Target::Native), .. }, .. } => "--target native",
        _ => return Ok(Some(wasm)),
    };
    let message = format!("`{}` is WebAssembly, and {refused} needs a program in ABC form", main.display());
    let help = format!("name the .abc file, or leave out {refused}");
    Err(session.fail(Diagnostic::error(code::FILE_NOT_ABC, message).help(help)))
}
