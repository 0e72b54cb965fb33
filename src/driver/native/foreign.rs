//! C functions of executables: the objects and libraries that modules name (`.impobj`, `.implib`), as files and as
//! arguments of a linker, and what its complaints mean to the programmer.
//!
//! Objects are looked for beside the module, in its `Clean System Files`, and in the folders of the command line. One
//! that is not found is no error by itself: its functions may be in the C library, or in the runtime (ArgEnv). Needs of
//! modules that call no machine code are left out.

use crate::driver::folders::SYSTEM_FILES;
use crate::driver::session::{SearchStep, Session};
use cleave_abc::{ForeignCall, Library, Place};
use cleave_diag::{Diagnostic, code};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Something that a linker is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// An object or a library, by its absolute path.
    File(PathBuf),
    /// A library of the system, by its name without `lib`.
    Library(String),
}

/// What the linker is given for C functions.
#[derive(Default)]
pub struct Needs {
    /// Behind the objects of the program, each with the module that asks for it.
    pub inputs: Vec<(Input, String)>,
    /// Name of each function, and the module that calls it.
    functions: Vec<(String, String)>,
    /// Objects that are nowhere, and the module that asks for them.
    absent: Vec<(String, String)>,
}

/// The folders in which the objects of a module may be.
fn folders(session: &Session, call: &ForeignCall) -> Vec<PathBuf> {
    let module = Path::new(&session.sources.file(call.file).name);
    let own = module.parent().unwrap_or(Path::new("")).to_path_buf();
    let above = own.parent().filter(|_| own.ends_with(SYSTEM_FILES)).map(Path::to_path_buf);
    let mut folders = vec![own];
    folders.extend(above);
    for step in &session.options.search {
        match step {
            SearchStep::Folder(folder) => folders.push(folder.clone()),
            SearchStep::Replace(list) => folders.extend(list.iter().cloned()),
            SearchStep::Library(name) => {
                folders.extend(session.options.clean.home.as_ref().map(|home| home.join("lib").join(name)));
            }
        }
    }
    folders.iter().flat_map(|folder| [folder.join(SYSTEM_FILES), folder.clone()]).collect()
}

/// The file of an object or library, as an absolute path: the linker works in another folder.
fn file(library: &Library, folders: &[PathBuf]) -> Option<PathBuf> {
    let Library { name, is_library } = library;
    let names = if *is_library {
        vec![name.clone(), format!("{name}.a"), format!("lib{name}.a"), format!("{name}.so"), format!("lib{name}.so")]
    } else {
        vec![name.clone(), format!("{name}.o")]
    };
    let mut files = folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name)));
    files.find(|file| file.is_file()).and_then(|file| std::path::absolute(file).ok())
}

/// The needs of a program.
pub fn needs(session: &Session, calls: &[ForeignCall]) -> Needs {
    let mut needs = Needs::default();
    for call in calls.iter().filter(|call| call.place == Place::Symbol) {
        needs.functions.push((call.name.clone(), call.module.clone()));
        let folders = folders(session, call);
        for library in &call.libraries {
            let input = match file(library, &folders) {
                Some(file) => Input::File(file),
                None if library.is_library => {
                    let name = library.name.strip_prefix("lib").unwrap_or(&library.name);
                    Input::Library(name.trim_end_matches(".so").trim_end_matches(".a").into())
                }
                None => {
                    let absent = (library.name.clone(), call.module.clone());
                    if !needs.absent.contains(&absent) {
                        needs.absent.push(absent);
                    }
                    continue;
                }
            };
            if !needs.inputs.iter().any(|known| known.0 == input) {
                needs.inputs.push((input, call.module.clone()));
            }
        }
    }
    needs
}

/// The shared libraries of a program, as the system's loader takes them. Objects and archives are for executables only.
pub fn libraries(session: &Session, calls: &[ForeignCall]) -> Vec<OsString> {
    let inputs = needs(session, calls).inputs.into_iter();
    inputs
        .map(|(input, _)| match input {
            Input::File(file) => file.into_os_string(),
            Input::Library(name) => format!("lib{name}.so").into(),
        })
        .collect()
}

impl Needs {
    /// True if the program calls C functions by their symbols.
    pub fn has_functions(&self) -> bool {
        !self.functions.is_empty()
    }

    /// Arguments for a C compiler, behind the objects of the program.
    pub fn arguments(&self) -> Vec<OsString> {
        let argument = |(input, _): &(Input, String)| match input {
            Input::File(file) => file.clone().into_os_string(),
            Input::Library(name) => format!("-l{name}").into(),
        };
        let mut arguments: Vec<OsString> = self.inputs.iter().map(argument).collect();
        if self.has_functions() {
            arguments.extend(["-Wl,--as-needed", "-lm"].map(OsString::from));
        }
        arguments
    }

    /// What the complaint of a linker is about: functions that are undefined, or a library that is nowhere. Nothing if it
    /// is something else.
    pub fn explain(&self, complaint: &str) -> Option<Diagnostic> {
        let undefined: Vec<&str> = complaint.lines().filter_map(undefined_symbol).collect();
        let libraries: Vec<&str> = complaint.lines().filter_map(missing_library).collect();
        self.missing_functions(&undefined).or_else(|| libraries.iter().find_map(|name| self.missing_library(name)))
    }

    /// The message for a library that is nowhere, if a module names it.
    pub fn missing_library(&self, name: &str) -> Option<Diagnostic> {
        let (_, module) = self.inputs.iter().find(|(input, _)| *input == Input::Library(name.into()))?;
        let message = format!("library `{name}`, which module `{module}` names, was not found");
        Some(Diagnostic::error(code::LINK_FAILED, message).help(WHERE))
    }

    /// The message for functions that no object and no library has; nothing if the program calls none of them.
    pub fn missing_functions(&self, undefined: &[&str]) -> Option<Diagnostic> {
        let missing = self.functions.iter().filter(|(name, _)| undefined.contains(&name.as_str()));
        let mut shown: Vec<String> = Vec::new();
        for (name, module) in missing {
            let text = format!("C function `{name}`, which module `{module}` calls, ");
            if !shown.contains(&text) {
                shown.push(text);
            }
        }
        let message = shown.first()?.clone() + "is in no object or library that the linker was given";
        let mut diagnostic = Diagnostic::error(code::MISSING_SYMBOL, message);
        for other in &shown[1..] {
            diagnostic = diagnostic.help(format!("{other}is missing, too"));
        }
        for (object, module) in &self.absent {
            diagnostic = diagnostic.help(format!("`{object}`, which module `{module}` needs, was not found"));
        }
        Some(diagnostic.help(WHERE))
    }
}

const WHERE: &str =
    "objects (.impobj) and libraries (.implib) are looked for beside the module and in the folders of -L";

/// The library that a line of a linker does not find, as in `cannot find -lx: No such file or directory`.
fn missing_library(line: &str) -> Option<&str> {
    let (_, tail) = line.split_once("find -l").or_else(|| line.split_once("find library -l"))?;
    tail.split([':', ' ']).next().filter(|name| !name.is_empty())
}

/// The symbol that a line of a linker calls undefined: its last word, as in ``undefined reference to `f'``.
fn undefined_symbol(line: &str) -> Option<&str> {
    let (_, tail) = line.split_once("undefined ")?;
    tail.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').rfind(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{missing_library, undefined_symbol};

    #[test]
    fn complaints_of_linkers() {
        let found = |line| undefined_symbol(line);
        assert_eq!(found("/usr/bin/ld: program.o:(.data+0x18): undefined reference to `nosuch'"), Some("nosuch"));
        assert_eq!(found("ld.lld: error: undefined symbol: nosuch"), Some("nosuch"));
        assert_eq!(found("x.c:(.text+0x5): in function `f': undefined reference to `g'"), Some("g"));
        assert_eq!(found("collect2: error: ld returned 1 exit status"), None);
        assert_eq!(missing_library("/usr/bin/ld: cannot find -lx: No such file or directory"), Some("x"));
        assert_eq!(missing_library("ld: cannot find -lx"), Some("x"));
        assert_eq!(missing_library("ld.lld: error: unable to find library -lx"), Some("x"));
        assert_eq!(missing_library("collect2: error: ld returned 1 exit status"), None);
    }
}
