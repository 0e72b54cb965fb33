//! Reads a finished WebAssembly module for `run`, from a file or stdin.

use crate::cli::args::{CompileArgs, RunArgs};
use crate::driver::input::{self, STDIN};
use crate::driver::run::MAGIC;
use crate::driver::session::{Outcome, Session, Target};
use crate::languages;
use cleave_diag::{Diagnostic, code};
use std::io::Read;
use std::path::Path;

/// The WebAssembly that is to be run as it is: a file, unless there is a module of that name, or stdin. What stdin has
/// otherwise is kept for the parser.
pub fn wasm(session: &mut Session, args: &RunArgs) -> Outcome<Option<Vec<u8>>> {
    let main = &args.main;
    let wasm = if main == Path::new(STDIN) {
        let bytes = input::read_stdin().map_err(|error| session.fail(input::unreadable(main, &error)))?;
        if !bytes.starts_with(MAGIC) {
            session.given = Some(bytes);
            return Ok(None);
        }
        bytes
    } else {
        let mut first = [0; MAGIC.len()];
        // A pipe would wait to be opened.
        let file = main.is_file().then(|| std::fs::File::open(main));
        let Some(Ok(mut file)) = file else { return Ok(None) };
        let is_wasm = file.read_exact(&mut first).is_ok() && first == *MAGIC;
        let has_ending = main.extension().is_some_and(|extension| extension == "wasm");
        if has_ending && !is_wasm {
            let message = format!("`{}` is not WebAssembly, as its name says", main.display());
            let help = "it does not begin with a NUL and `asm`; `cleave build` makes it from the .abc file";
            return Err(session.fail(Diagnostic::error(code::NOT_A_PROGRAM, message).help(help)));
        }
        if !is_wasm || !has_ending && languages::is_there(session, main) {
            return Ok(None);
        }
        input::read(main).map_err(|error| session.fail(input::unreadable(main, &error)))?
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
