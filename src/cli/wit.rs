//! The command `wit`: what others call of a program.

use crate::cli::args::WitArgs;
use crate::cli::exit_code::{FAILURE, written};
use crate::cli::library::{ImportArgs, LibraryArgs, module_of};
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
use cleave_strict::imports::{Imported, ImportedClass};
use std::path::Path;

/// The command `wit`.
pub fn run(session: &mut Session, args: &WitArgs) -> Outcome<i32> {
    let main = main_module::of(session, &args.main)?;
    let world = (args.check.as_deref(), args.world.as_deref());
    session.options.imports = of_flags_and_world(session, &main, &args.imports, world)?;
    session.options.exports =
        LibraryArgs { lib: true, exports: args.exports.clone(), ..LibraryArgs::default() }.exports();
    let module = read(session, &main)?;
    exports::check(session, &module)?;
    exports::fits_component(session, &module.interface)?;
    if let Some(file) = &args.check {
        return compare(session, (&module.name, &module.interface), file, args.world.as_deref()).map(|()| 0);
    }
    let text = cleave_interface::wit::world(&module.name, &module.interface);
    Ok(if written(write_stdout(text.as_bytes())) == 0 { 0 } else { FAILURE })
}

/// What comes from the host: as the flags say it, then as a world does.
pub fn imports(session: &mut Session, main: &Path, args: &LibraryArgs) -> Outcome<Vec<ImportedClass>> {
    of_flags_and_world(session, main, &args.imports, (args.wit.as_deref(), None))
}

/// The same; the world is that of a name in a file, or the only one there.
fn of_flags_and_world(
    session: &mut Session,
    main: &Path,
    args: &ImportArgs,
    (world, name): (Option<&Path>, Option<&str>),
) -> Outcome<Vec<ImportedClass>> {
    let has_classes = !emit::is_ir(main) && languages::of(session, main).imports_classes();
    if let Some((class, _)) = args.imports.first().filter(|_| !has_classes) {
        let message =
            format!("`--import {class}` names a class, and `{}` has none that a host could bring", main.display());
        let help = "classes of samlang are imported so; IR has `import @f as \"name\" from \"module\"`";
        return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)));
    }
    let mut all = args.classes(session.options.target, session.options.component);
    let Some(path) = world else { return Ok(all) };
    let (text, _) = read_world(session, path)?;
    // What is wrong with it is said when the program is compared with it.
    for (interface, functions) in wit_check::imports(&text, name).unwrap_or_default() {
        let from = module_of(&interface);
        all.push(ImportedClass { class: interface, from, functions: Imported::OfWorld(functions) });
    }
    Ok(all)
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
    exports::fits_component(session, interface)?;
    let (text, bytes) = read_world(session, path)?;
    let file = session.sources.add(path.display().to_string(), bytes);
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

fn read_world(session: &mut Session, path: &Path) -> Outcome<(String, Vec<u8>)> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| {
        let message = format!("`{name}` cannot be read: {error}");
        session.fail(Diagnostic::error(code::FILE_NOT_FOUND, message))
    })?;
    let text = String::from_utf8(bytes.clone())
        .map_err(|_| session.fail(Diagnostic::error(code::WRONG_WORLD, format!("`{name}` is no text in UTF-8"))))?;
    Ok((text, bytes))
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
