//! Executables: the object of the program and that of the runtime, linked by the system's `cc`.
//!
//! The linker works in a folder of its own among the temporary files; what it made is read back, and written under its
//! final name as every other result is: whole or not at all.

use crate::driver::crash;
use crate::driver::native::foreign::{self, Needs};
use crate::driver::output::reason;
use crate::driver::session::{Outcome, Session};
use cleave_abc::ForeignCall;
use cleave_diag::{Diagnostic, code};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The runtime, built from `rt`.
static RUNTIME: &[u8] = include_bytes!("../../../rt/prebuilt/rt-x86_64-linux.o");

/// Looks for the linker before anything is compiled: the program named by the variable CC, or `cc`.
pub fn find_linker(session: &mut Session) -> Outcome<PathBuf> {
    let named = std::env::var_os("CC").filter(|name| !name.is_empty());
    let name = PathBuf::from(named.unwrap_or_else(|| "cc".into()));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = match name.components().count() {
        1 => std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|file| file.is_file()),
        _ => Some(name.clone()).filter(|file| file.is_file()),
    };
    found.ok_or_else(|| {
        let message = format!("there is no `{}` to link the executable with", name.display());
        let help = "install a C compiler (gcc or clang), or name one with CC=…; `run --target native` needs none";
        session.fail(Diagnostic::error(code::NO_LINKER, message).help(help))
    })
}

/// A folder that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> std::io::Result<Scratch> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("cleave-{}-{number}", std::process::id()));
        fs::create_dir(&folder)?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The bytes of the executable for an object file; `calls` are the C functions of the program.
pub fn link(session: &mut Session, linker: &Path, object: &[u8], calls: &[ForeignCall]) -> Outcome<Vec<u8>> {
    crash::set_stage("linking");
    let begin = std::time::Instant::now();
    let needs = foreign::needs(session, calls);
    let result = link_in_scratch(linker, object, session.options.strip, &needs);
    session.timing.add("link", begin.elapsed());
    result.map_err(|diagnostic| session.fail(*diagnostic))
}

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
    // Names without folders: the executable must not depend on where it was linked.
    let mut command = Command::new(linker);
    command.current_dir(&scratch.0).args(["-o", "program", "program.o", "runtime.o", "-Wl,--gc-sections"]);
    command.args(&needs.arguments);
    if strip {
        command.arg("-s");
    }
    let shown = format!("{command:?}").replace('"', "");
    let shown = shown.split_once(" && ").map_or(shown.as_str(), |parts| parts.1).to_string();
    let output = command.output().map_err(|error| failed(&format!("`{shown}` cannot be run"), reason(&error)))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        if let Some(diagnostic) = needs.explain(&text) {
            return Err(Box::new(diagnostic));
        }
        return Err(failed(&format!("`{shown}` failed"), text.trim_end().to_string()));
    }
    fs::read(scratch.0.join("program")).map_err(|error| failed("the linked program cannot be read", reason(&error)))
}
