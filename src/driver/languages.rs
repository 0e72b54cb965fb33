//! The source languages that there are, and which of them a main module belongs to.

use crate::driver::clean::Clean;
use crate::driver::frontend::{Formatter, Frontend, Loaded};
use crate::driver::goopea::Goopea;
use crate::driver::input::STDIN;
use crate::driver::samlang::Samlang;
use crate::driver::session::{Outcome, Session};
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
    of(session, main).load(session, main)
}
