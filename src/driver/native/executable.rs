//! Runs a program with C functions of objects or archives: links an executable into a folder of its own, runs it as
//! another process, and removes it. The JIT itself takes shared libraries only: objects want a linker.

use crate::driver::ffi::{Call, Need};
use crate::driver::native::ffi::{self, Input};
use crate::driver::native::link::{find_linker, link};
use crate::driver::output::reason;
use crate::driver::session::{Outcome, Session};
use crate::driver::temporary;
use cleave_run::{Ended, Error, Options, runtime_options};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The executable of a program, whose object file `object` makes, if the JIT cannot load its C functions; nothing if it
/// can load them all.
pub fn link_for_run(
    session: &mut Session,
    object: impl FnOnce(&mut Session) -> Vec<u8>,
    calls: &[Call],
    named: &[Need],
) -> Outcome<Option<Vec<u8>>> {
    let inputs = ffi::needs(session, calls, named)?.inputs;
    let is_static = |(input, _): &(Input, _)| match input {
        Input::File(path) => !is_shared(path),
        Input::Library(_) => false,
    };
    if !inputs.iter().any(is_static) {
        return Ok(None);
    }
    let linker = find_linker(session)?;
    let object = object(session);
    link(session, &linker, &object, calls, named).map(Some)
}

/// Is a file a library that can be loaded? The type of an ELF file is the 16-bit word at 16.
fn is_shared(path: &Path) -> bool {
    const SHARED: [u8; 2] = [3, 0];
    let mut start = [0; 18];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start.starts_with(b"\x7fELF") && start[16..] == SHARED
}

/// A folder that is removed at the end.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs an executable; its channels are ours. Nobody counts its collections.
pub fn run_executable(bytes: &[u8], options: &Options) -> Result<Ended, Error> {
    let system = |error: std::io::Error| Error::System(format!("the linked program cannot be run: {}", reason(&error)));
    let scratch = Scratch(temporary::folder().map_err(system)?);
    let path = scratch.0.join("program");
    // Closed before it is run: a file that somebody writes to is none that the system runs.
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o700).open(&path).map_err(system)?;
    file.write_all(bytes).map_err(system)?;
    drop(file);
    let mut command = Command::new(&path);
    if let Some((name, arguments)) = options.args.split_first() {
        command.arg0(name).args(arguments);
    }
    let own = runtime_options(options);
    match own.is_empty() {
        true => command.env_remove("CLEAVE_RTS"),
        false => command.env("CLEAVE_RTS", own),
    };
    let begin = Instant::now();
    let status = command.status().map_err(system)?;
    let phases = vec![("run", begin.elapsed())];
    let status = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    Ok(Ended { status: status.unwrap_or(1), statistics: None, refused: None, lost: None, phases })
}
