//! Links with the linker of our own (`targets/native/link`): finds the files that it is given, and says what is
//! missing.
//!
//! A program that calls no C function by its symbol takes nothing from this machine: the same bytes everywhere. For
//! others the C library and that of its mathematics are read, so that a missing function is found now, and each is
//! bound to the version that a C compiler would choose.

use crate::driver::input;
use crate::driver::native::ffi::{Asker, Input, Needs, system_file};
use crate::driver::output::reason;
use cleave_diag::{Diagnostic, code};
use cleave_native::RUNTIME;
use cleave_native::link::{self, Error, File};
use std::path::Path;

/// Why there is no executable.
pub enum Refused {
    /// The options say that another linker shall do it.
    NotAsked,
    /// A full linker could do it: what we cannot.
    TooHard(String),
    /// No linker can.
    Wrong(Box<Diagnostic>),
}

/// Libraries that every program may use.
const SYSTEM: [(&str, &str); 2] = [("c", "libc.so.6"), ("m", "libm.so.6")];

/// The bytes of the executable.
pub fn link(object: &[u8], strip: bool, needs: &mut Needs) -> Result<Vec<u8>, Refused> {
    let Files { objects, archives, libraries } = Files::read(needs)?;
    let mut inputs = vec![File { name: "program.o", bytes: object }, File { name: "runtime.o", bytes: RUNTIME }];
    inputs.extend(objects.iter().map(Read::file));
    let archives: Vec<File> = archives.iter().map(Read::file).collect();
    let libraries: Vec<File> = libraries.iter().map(Read::file).collect();
    let inputs = link::Inputs { objects: &inputs, archives: &archives, libraries: &libraries, exports: &[] };
    link::link(&inputs, strip).map_err(|error| match &error {
        Error::Unsupported { .. } => Refused::TooHard(format!("{error}, which our own linker does not know")),
        Error::Undefined(names) => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            Refused::Wrong(Box::new(needs.missing_functions(&names).unwrap_or_else(|| failed(&error.to_string()))))
        }
        Error::Malformed { .. } | Error::Duplicate { .. } => Refused::Wrong(Box::new(failed(&error.to_string()))),
    })
}

fn failed(what: &str) -> Diagnostic {
    let message = format!("the program cannot be linked: {what}");
    Diagnostic::error(code::LINK_FAILED, message).help("nothing has been written; an older file is unchanged")
}

/// A file that was read.
struct Read {
    name: String,
    bytes: Vec<u8>,
}

impl Read {
    fn new(path: &Path) -> Result<Read, Refused> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = input::read(path)
            .map_err(|error| Refused::Wrong(Box::new(failed(&format!("`{name}`: {}", reason(&error))))))?;
        Ok(Read { name, bytes })
    }

    fn file(&self) -> File<'_> {
        File { name: &self.name, bytes: &self.bytes }
    }
}

/// What the program needs.
#[derive(Default)]
struct Files {
    objects: Vec<Read>,
    archives: Vec<Read>,
    libraries: Vec<Read>,
}

impl Files {
    fn read(needs: &mut Needs) -> Result<Files, Refused> {
        let mut files = Files::default();
        if !needs.has_functions() {
            return Ok(files);
        }
        for (input, asker) in needs.inputs.clone() {
            match input {
                Input::File(path) => {
                    let read = Read::new(&path)?;
                    if let Some(read) = files.add(read) {
                        return Err(Refused::TooHard(format!("`{}` is no object, library or archive", read.name)));
                    }
                }
                Input::Library(name) if SYSTEM.iter().any(|library| library.0 == name) => {}
                Input::Library(name) => {
                    // A library may be there under the name of its file for programs alone, or be a script for linkers.
                    let names = [format!("lib{name}.so"), format!("lib{name}.a")];
                    let mut unused = true;
                    for path in names.iter().filter_map(|name| system_file(name)) {
                        unused = unused && files.add(Read::new(&path)?).is_some();
                    }
                    match asker {
                        _ if !unused => {}
                        Asker::CommandLine => {
                            return Err(Refused::TooHard(format!(
                                "library `{name}` (-l {name}): our own linker does not find it"
                            )));
                        }
                        Asker::Module(module) => needs.lack(&name, &module),
                    }
                }
            }
        }
        for (_, file) in SYSTEM {
            let path = system_file(file).ok_or_else(|| Refused::TooHard(format!("`{file}` is not on this machine")))?;
            files.libraries.push(Read::new(&path)?);
        }
        Ok(files)
    }

    /// Gives a file back that is none of these.
    fn add(&mut self, read: Read) -> Option<Read> {
        match kind(&read.bytes) {
            Some(InputKind::Object) => self.objects.push(read),
            Some(InputKind::Archive) => self.archives.push(read),
            Some(InputKind::Library) => self.libraries.push(read),
            None => return Some(read),
        }
        None
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum InputKind {
    Object,
    Archive,
    Library,
}

/// The kind of a file by its first bytes.
fn kind(bytes: &[u8]) -> Option<InputKind> {
    if bytes.starts_with(b"!<arch>\n") || bytes.starts_with(b"!<thin>\n") {
        return Some(InputKind::Archive);
    }
    match (bytes.starts_with(b"\x7fELF"), bytes.get(16)) {
        (true, Some(1)) => Some(InputKind::Object),
        (true, Some(3)) => Some(InputKind::Library),
        _ => None,
    }
}
