//! Executables: the object of the program and that of the runtime, linked by our own linker, or by the system's `cc`.
//!
//! Ours is the first choice: it needs nothing else on the machine, is faster, and what it writes depends on the program
//! alone. `cc` links what needs a full linker: objects with constructors, with thread-local variables, or of another
//! language. It works in a temporary folder. Its result is read back and then written as every result is: whole or not
//! at all.

use crate::driver::ffi::{Call, Need};
use crate::driver::native::embedded::{self, Refused};
use crate::driver::native::ffi::{self, Needs};
use crate::driver::output::reason;
use crate::driver::panic_hook;
use crate::driver::session::{LinkerChoice, Outcome, Session};
use crate::driver::temporary;
use cleave_diag::{Diagnostic, code};
use cleave_native::RUNTIME;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What links.
pub struct Linker {
    /// Our own is tried first.
    embedded: bool,
    /// The C compiler of the system, if there is one.
    command: Option<PathBuf>,
}

/// The name of the C compiler: the variable CC, or `cc`.
fn command_name() -> PathBuf {
    let named = std::env::var_os("CC").filter(|name| !name.is_empty());
    named.unwrap_or_else(|| "cc".into()).into()
}

/// The C compiler, if there is one.
pub fn c_compiler() -> Option<PathBuf> {
    let name = command_name();
    let path = std::env::var_os("PATH").unwrap_or_default();
    match name.components().count() {
        1 => std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|file| file.is_file()),
        _ => Some(name).filter(|file| file.is_file()),
    }
}

/// Looks for what the options ask for, before anything is compiled.
pub fn find_linker(session: &mut Session) -> Outcome<Linker> {
    let choice = session.options.linker;
    let (name, command) = (command_name(), c_compiler());
    match choice {
        LinkerChoice::Auto => Ok(Linker { embedded: true, command }),
        LinkerChoice::Embedded => Ok(Linker { embedded: true, command: None }),
        LinkerChoice::Cc if command.is_some() => Ok(Linker { embedded: false, command }),
        LinkerChoice::Cc => {
            let message = format!("there is no `{}` to link the executable with", name.display());
            let help = "install a C compiler (gcc or clang), or name one with CC=…; --linker=embedded needs none";
            Err(session.fail(Diagnostic::error(code::NO_LINKER, message).help(help)))
        }
    }
}

/// A folder that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> std::io::Result<Scratch> {
        temporary::folder().map(Scratch)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The bytes of the executable for an object file; `calls` are the C functions of the program.
pub fn link(session: &mut Session, linker: &Linker, object: &[u8], calls: &[Call], named: &[Need]) -> Outcome<Vec<u8>> {
    panic_hook::set_stage("linking");
    let begin = std::time::Instant::now();
    let mut needs = ffi::needs(session, calls, named)?;
    let strip = session.options.strip;
    let refused = match linker.embedded {
        true => embedded::link(object, strip, &mut needs),
        false => Err(Refused::NotAsked),
    };
    let result = match (refused, &linker.command) {
        (Ok(bytes), _) => Ok(bytes),
        (Err(Refused::Wrong(diagnostic)), _) => Err(diagnostic),
        (Err(_), Some(command)) => link_in_scratch(command, object, strip, &needs),
        (Err(Refused::TooHard(what)), None) => {
            let help = if session.options.linker == LinkerChoice::Embedded {
                "--linker=cc links it with a C compiler (gcc or clang)".to_string()
            } else {
                format!("a C compiler links it: install gcc or clang; there is no `{}`", command_name().display())
            };
            Err(Box::new(Diagnostic::error(code::NO_LINKER, what).help(help)))
        }
        (Err(Refused::NotAsked), None) => unreachable!("`find_linker` has found one"),
    };
    session.timing.add("link", begin.elapsed());
    result.map_err(|diagnostic| session.fail(*diagnostic))
}

/// What linkers say of objects with addresses of 32 bits, which want to know where the program lies.
const NEEDS_PLACE: &str = "recompile with -fPI";
/// Such a program lies in the upper part of what is the heap of others: its own then has 1.5 GiB.
const AT_A_PLACE: [&str; 2] = ["-no-pie", "-Wl,-Ttext-segment=0x70000000"];

fn link_in_scratch(linker: &Path, object: &[u8], strip: bool, needs: &Needs) -> Result<Vec<u8>, Box<Diagnostic>> {
    let failed = |what: &str, why: String| {
        let help = "nothing has been written; an older file is unchanged";
        Box::new(Diagnostic::error(code::LINK_FAILED, format!("{what}: {why}")).help(help))
    };
    let system = |error: std::io::Error| failed("the temporary files of the linker cannot be written", reason(&error));
    let scratch = Scratch::new().map_err(system)?;
    for (name, bytes) in [("program.o", object), ("runtime.o", RUNTIME)] {
        fs::write(scratch.0.join(name), bytes).map_err(system)?;
    }
    let arguments = needs.arguments(linker);
    let mut place: &[&str] = &[];
    loop {
        // Names without folders: the executable must not depend on where it was linked.
        let mut command = Command::new(linker);
        command.current_dir(&scratch.0).args(["-o", "program", "program.o", "runtime.o", "-Wl,--gc-sections"]);
        command.args(place).args(&arguments);
        if strip {
            command.arg("-s");
        }
        let shown = format!("{command:?}").replace('"', "");
        let shown = shown.split_once(" && ").map_or(shown.as_str(), |parts| parts.1).to_string();
        let output = command.output().map_err(|error| failed(&format!("`{shown}` cannot be run"), reason(&error)))?;
        if output.status.success() {
            break;
        }
        let text = String::from_utf8_lossy(&output.stderr);
        if place.is_empty() && text.contains(NEEDS_PLACE) {
            place = &AT_A_PLACE;
            continue;
        }
        return Err(match needs.explain(&text) {
            Some(diagnostic) => Box::new(diagnostic),
            None => failed(&format!("`{shown}` failed"), text.trim_end().to_string()),
        });
    }
    fs::read(scratch.0.join("program")).map_err(|error| failed("the linked program cannot be read", reason(&error)))
}
