//! Links with the linker of our own (`targets/native/link`): finds the files that it is given, and says what is missing.
//!
//! A program that calls no C function by its symbol takes nothing from this machine: the same bytes everywhere. For others
//! the C library and that of its mathematics are read, so that a missing function is found now, and each is bound to the
//! version that a C compiler would choose.

use crate::driver::native::foreign::{Input, Needs};
use crate::driver::native::link::RUNTIME;
use crate::driver::output::reason;
use cleave_diag::{Diagnostic, code};
use cleave_native::link::{self, Error, File};
use std::fs;
use std::path::{Path, PathBuf};

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

/// Where libraries are, besides the folder of the C library that we use ourselves.
const FOLDERS: [&str; 6] =
    ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"];

/// The bytes of the executable.
pub fn link(object: &[u8], strip: bool, needs: &Needs) -> Result<Vec<u8>, Refused> {
    let (objects, libraries) = files(needs)?;
    let mut inputs = vec![File { name: "program.o", bytes: object }, File { name: "runtime.o", bytes: RUNTIME }];
    inputs.extend(objects.iter().map(Read::file));
    let libraries: Vec<File> = libraries.iter().map(Read::file).collect();
    link::link(&inputs, &libraries, strip).map_err(|error| match &error {
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
        let bytes = fs::read(path)
            .map_err(|error| Refused::Wrong(Box::new(failed(&format!("`{name}`: {}", reason(&error))))))?;
        Ok(Read { name, bytes })
    }

    fn file(&self) -> File<'_> {
        File { name: &self.name, bytes: &self.bytes }
    }
}

/// Objects and shared libraries that the program needs.
fn files(needs: &Needs) -> Result<(Vec<Read>, Vec<Read>), Refused> {
    let (mut objects, mut libraries) = (Vec::new(), Vec::new());
    if !needs.has_functions() {
        return Ok((objects, libraries));
    }
    for (input, module) in &needs.inputs {
        match input {
            Input::File(path) => {
                let read = Read::new(path)?;
                match kind(&read.bytes) {
                    Some(Kind::Object) => objects.push(read),
                    Some(Kind::Library) => libraries.push(read),
                    None => {
                        return Err(Refused::TooHard(format!(
                            "`{}` is an archive, which our own linker does not know",
                            read.name
                        )));
                    }
                }
            }
            Input::Library(name) if SYSTEM.iter().any(|library| library.0 == name) => {}
            Input::Library(name) => {
                let read = find(&format!("lib{name}.so")).map(|path| Read::new(&path)).transpose()?;
                match read.filter(|read| kind(&read.bytes) == Some(Kind::Library)) {
                    Some(read) => libraries.push(read),
                    None => {
                        let what =
                            format!("library `{name}`, which module `{module}` names: our own linker does not find it");
                        return Err(Refused::TooHard(what));
                    }
                }
            }
        }
    }
    for (_, file) in SYSTEM {
        let path = find(file).ok_or_else(|| Refused::TooHard(format!("`{file}` is not on this machine")))?;
        libraries.push(Read::new(&path)?);
    }
    Ok((objects, libraries))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    Library,
}

/// The kind of an ELF file by the type in its header.
fn kind(bytes: &[u8]) -> Option<Kind> {
    match (bytes.starts_with(b"\x7fELF"), bytes.get(16)) {
        (true, Some(1)) => Some(Kind::Object),
        (true, Some(3)) => Some(Kind::Library),
        _ => None,
    }
}

/// A library of the system.
fn find(name: &str) -> Option<PathBuf> {
    let own = own_folder();
    let folders = own.iter().map(PathBuf::as_path).chain(FOLDERS.iter().map(Path::new));
    folders.map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The folder of the C library that this process uses.
fn own_folder() -> Option<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(|line| line.ends_with("/libc.so.6"))?;
    Path::new(&line[line.find('/')?..]).parent().map(Path::to_path_buf)
}
