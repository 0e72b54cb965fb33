//! The source languages that there are, and which of them a main module belongs to.
//!
//! `frontend` says what a language is · `clean`, `goopea` and `samlang` are three, each with all that the compiler, the
//! command line and editors know of it · `prompt` is what it says to `cleave repl` · `source_file` reads what
//! languages begin with whose programs are named by files, `source_names` are their names in traces. Outside of this
//! folder a language is an element of `ALL`.

pub mod clean;
pub mod frontend;
mod goopea;
pub mod prompt;
mod samlang;
mod source_file;
mod source_names;

use crate::driver::input::STDIN;
use crate::driver::session::{Outcome, Session};
use crate::languages::clean::Clean;
use crate::languages::frontend::{Formatter, Frontend, Loaded};
use crate::languages::goopea::Goopea;
use crate::languages::samlang::Samlang;
use cleave_diag::{Diagnostic, code};
use cleave_ir::LibcallSignature;
use std::path::Path;

/// The languages. What no other takes is for the first.
pub const ALL: &[&dyn Frontend] = &[&Clean, &Goopea, &Samlang];

/// The language of a main module: by the ending of its name, or that which knows a module of this name.
pub fn of(session: &Session, main: &Path) -> &'static dyn Frontend {
    let extension = main.extension().and_then(|extension| extension.to_str());
    let by_extension = || ALL.iter().find(|frontend| frontend.extensions().iter().any(|e| extension == Some(e)));
    let by_name = || ALL.iter().find(|frontend| frontend.is_there(session, main));
    if main == Path::new(STDIN) {
        let language = session.options.language.as_deref();
        return language.and_then(self::by_extension).unwrap_or(ALL[0]);
    }
    // To ask them costs system calls: only where there is a choice.
    if ALL.len() == 1 { ALL[0] } else { *by_extension().or_else(by_name).unwrap_or(&ALL[0]) }
}

/// The language of files with this ending.
pub fn by_extension(extension: &str) -> Option<&'static dyn Frontend> {
    ALL.iter().find(|language| language.extensions().contains(&extension)).copied()
}

/// The language of a file, by the ending of its name.
pub fn by_path(path: &Path) -> Option<&'static dyn Frontend> {
    by_extension(path.extension()?.to_str()?)
}

/// The language that editors call by this name.
pub fn by_editor_name(name: &str) -> Option<&'static dyn Frontend> {
    ALL.iter().find(|language| language.editor_name() == name).copied()
}

/// How programs end, for help: `.goo` (GOOPEA) …
pub fn endings(wanted: impl Fn(&dyn Frontend) -> bool) -> String {
    let one = |language: &&dyn Frontend| {
        let endings: Vec<String> = language.extensions().iter().map(|ending| format!("`.{ending}`")).collect();
        format!("{} ({})", endings.join(" and "), language.name())
    };
    ALL.iter().filter(|language| wanted(**language)).map(one).collect::<Vec<_>>().join(", ")
}

/// The formatter for files with this ending.
pub fn formatter(extension: &str) -> Option<Formatter> {
    by_extension(extension)?.formatter()
}

/// What writes files with this ending in a newer language.
pub fn upgrader(extension: &str) -> Option<Formatter> {
    by_extension(extension)?.upgrader()
}

/// Functions of the runtime that only some languages have.
pub fn runtime() -> Vec<&'static LibcallSignature> {
    ALL.iter().flat_map(|language| language.runtime()).copied().collect()
}

/// Endings of the files that have a form.
pub fn formatted() -> impl Iterator<Item = &'static str> {
    let languages = ALL.iter().filter(|language| language.formatter().is_some());
    languages.flat_map(|language| language.extensions().iter().copied())
}

/// Some language finds a main module of this name.
pub fn is_there(session: &Session, main: &Path) -> bool {
    ALL.iter().any(|frontend| frontend.is_there(session, main))
}

/// Reads the program with this main module, in whichever language it is.
pub fn load(session: &mut Session, main: &Path) -> Outcome<Box<dyn Loaded>> {
    let language = of(session, main);
    if session.options.exports.is_library() && !language.has_exports() {
        let message = format!("functions of {} cannot be exported in this version", language.name());
        let help = format!("languages whose functions can: {}", endings(|language| language.has_exports()));
        return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)));
    }
    if session.options.imports.iter().any(|import| !import.is_of_world()) && !language.has_imports() {
        let message = format!("functions of {} cannot come from the host in this version", language.name());
        let help = format!("languages whose functions can: {}", endings(|language| language.has_imports()));
        return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)));
    }
    session.is_program = Some(|path| by_path(path).is_some() || path.extension().is_some_and(|ending| ending == "ir"));
    language.load(session, main)
}
