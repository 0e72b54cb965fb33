//! The command `wit`: what others call of a program.

use crate::cli::args::WitArgs;
use crate::cli::exit_code::{FAILURE, written};
use crate::cli::library::LibraryArgs;
use crate::cli::{check, emit, lints, main_module};
use crate::driver::exports;
use crate::driver::ffi::Symbols;
use crate::driver::output::write_stdout;
use crate::driver::pipeline::Stop;
use crate::driver::session::{Outcome, Session};
use crate::languages;
use cleave_diag::{Diagnostic, Span, code};
use cleave_interface::wit_check;
use cleave_ir::Module;
use cleave_ir::interface::Interface;
use std::path::Path;

/// The command `wit`.
pub fn run(session: &mut Session, args: &WitArgs) -> Outcome<i32> {
    session.options.imports = args.imports.clone();
    session.options.exports =
        LibraryArgs { lib: true, exports: args.exports.clone(), ..LibraryArgs::default() }.exports();
    let main = main_module::of(session, &args.main)?;
    let module = read(session, &main)?;
    exports::check(session, &module)?;
    if let Some(file) = &args.check {
        return compare(session, (&module.name, &module.interface), file, args.world.as_deref()).map(|()| 0);
    }
    let text = cleave_interface::wit::world(&module.name, &module.interface);
    Ok(if written(write_stdout(text.as_bytes())) == 0 { 0 } else { FAILURE })
}

/// A library fits the world that its flags name.
pub fn fits(session: &mut Session, args: &LibraryArgs, program: &str, interface: &Interface) -> Outcome {
    let compared = args.wit.as_ref().map(|file| compare(session, (program, interface), file, None));
    compared.unwrap_or(Ok(()))
}

/// All places of a world that the program does not fit.
fn compare(
    session: &mut Session,
    (program, interface): (&str, &Interface),
    path: &Path,
    world: Option<&str>,
) -> Outcome {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| {
        let message = format!("`{name}` cannot be read: {error}");
        session.fail(Diagnostic::error(code::FILE_NOT_FOUND, message))
    })?;
    let text = String::from_utf8(bytes.clone())
        .map_err(|_| session.fail(Diagnostic::error(code::WRONG_WORLD, format!("`{name}` is no text in UTF-8"))))?;
    let file = session.sources.add(name, bytes);
    let (wrong, help) = match wit_check::check(program, interface, &text, world) {
        Ok(wrong) => (wrong, "`cleave wit` without --check prints what the program has"),
        Err(error) => (vec![error], "the file holds a world in WIT, with the interfaces that it refers to"),
    };
    for error in wrong {
        let at = error.at.min(text.len()) as u32;
        let diagnostic = Diagnostic::error(code::WRONG_WORLD, error.message);
        session.fail(diagnostic.at(Span::new(file, at, at), "").help(help));
    }
    session.check()
}

fn read(session: &mut Session, main: &Path) -> Outcome<Module> {
    if emit::is_ir(main) {
        let mut module = check::read_ir(session, main, Stop::Built)?;
        exports::restrict(session, &mut module)?;
        return Ok(module);
    }
    let loaded = languages::load(session, main)?;
    lints::apply(session)?;
    Ok(loaded.translate(session, Symbols::None)?.module)
}
