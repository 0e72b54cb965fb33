//! What a library exports: something at all, and of a file of IR what the command line names.

use crate::driver::session::{Outcome, Session, Target};
use cleave_diag::{Diagnostic, code};
use cleave_interface::component;
use cleave_ir::Module;
use cleave_ir::interface::{Import, Interface};
use cleave_strict::Exports;

/// A library exports something, and is for a target that has libraries.
pub fn check(session: &mut Session, module: &Module) -> Outcome {
    check_imports(session, module)?;
    let is_program = module.start.is_some() || module.interface.exports.is_empty();
    let has_c = || !session.options.natives.files.is_empty() || module.externs.values().any(|it| it.from.is_some());
    if session.options.component && (module.start.is_some() || has_c()) {
        let message = "a component is a library, without a start function and functions from outside";
        let help = "use --lib or --export NAME, or the target wasm";
        return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)));
    }
    if !session.options.exports.is_library() && is_program {
        return Ok(());
    }
    let is_native = session.options.target == Target::Native;
    if is_native && has_c() {
        let message = "a library of machine code cannot call functions of C";
        let help = "make an executable of it, or a module of WebAssembly: --target wasm";
        return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)));
    }
    if module.interface.exports.is_empty() {
        let message = "there is nothing to export: the main module has no public function";
        let help = "functions that others call are public, and stand in the main module";
        return Err(session.fail(Diagnostic::error(code::CANNOT_EXPORT, message).help(help)));
    }
    let is_taken = |name: &str| {
        matches!(name, "memory" | "_start" | "_initialize") || name.starts_with("cabi_") || name.starts_with("rt_")
    };
    let parts = component::parts(&module.interface);
    if session.options.component && parts >= component::MOST_PARTS {
        let message = format!(
            "the types of what is exported are too large for a component: written out they have {parts} parts, and \
             hosts take fewer than {}",
            component::MOST_PARTS
        );
        let help = "export fewer functions: --export NAME; or make functions for JavaScript: -o NAME.mjs";
        return Err(session.fail(Diagnostic::error(code::CANNOT_CROSS, message).help(help)));
    }
    let mut exports = module.interface.exports.iter();
    if let Some(taken) = exports.find(|export| is_taken(&export.name)).filter(|_| !is_native) {
        let message =
            format!("`{}` cannot be exported: modules of WebAssembly export something else by this name", taken.name);
        let help = "give the function another name, or export others: --export NAME";
        return Err(session.fail(Diagnostic::error(code::CANNOT_EXPORT, message).help(help)));
    }
    Ok(())
}

/// What waits for functions of JavaScript is called by JavaScript. What a component calls knows no functions of it.
fn check_imports(session: &mut Session, module: &Module) -> Outcome {
    if session.options.component {
        fits_component(session, &module.interface)?;
    }
    if module.start.is_some() && session.options.imports.iter().any(|import| !import.is_of_world()) {
        let message = "functions come from the host in libraries alone: here the bodies of the program run";
        let help = "make a library: --lib or --export NAME; or leave out --import";
        return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)));
    }
    let waits = |import: &&Import| import.effect().is_some();
    let Some(import) = module.interface.imports.iter().find(waits) else { return Ok(()) };
    let is_other = session.options.target == Target::Native || session.options.component;
    if !is_other && module.start.is_none() {
        return Ok(());
    }
    let message = format!("`{}` gives a promise, which is there in libraries for JavaScript alone", import.name);
    let help = "make a library for JavaScript: --lib -o NAME.mjs; or use --sync, if nothing has to wait";
    Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)))
}

/// Worlds in WIT can say what is imported.
pub fn fits_component(session: &mut Session, interface: &Interface) -> Outcome {
    let Some((name, why)) = component::cannot_import(interface) else { return Ok(()) };
    let message = format!("`{name}` cannot be imported by a component: {why}");
    let help = "functions of JavaScript and of C take functions, and give them in data; that of a component may give one, as \
                its whole result";
    Err(session.fail(Diagnostic::error(code::CANNOT_CROSS, message).help(help)))
}

/// Passes would take the code of a function for what the host does in its place.
pub fn keep_imports(session: &mut Session, module: &Module) -> Outcome {
    let Some(import) = module.interface.imports.iter().find(|import| import.func().is_some()) else { return Ok(()) };
    let message = format!("passes cannot run on a module that imports functions, as `{}`", import.name);
    let help = "`cleave build --emit ir:PASS` puts the functions of the host in their places first";
    Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)))
}

/// Leaves those exports of a module of IR that are wanted.
pub fn restrict(session: &mut Session, module: &mut Module) -> Outcome {
    let Exports::Named(names) = &session.options.exports else { return Ok(()) };
    let exports = &mut module.interface.exports;
    if let Some(unknown) = names.iter().find(|name| !exports.iter().any(|export| export.name == **name)) {
        let message = format!("the module has no export \"{unknown}\"");
        let known: Vec<&str> = exports.iter().map(|export| &*export.name).collect();
        let help = format!("it has: {}", known.join(", "));
        return Err(session.fail(Diagnostic::error(code::CANNOT_EXPORT, message).help(help)));
    }
    exports.retain(|export| names.contains(&export.name));
    Ok(())
}
