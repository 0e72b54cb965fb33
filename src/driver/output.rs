//! Writes results: files whole or not at all, and stdout.
//!
//! A file is written under another name in its folder and then renamed, so that a full disk or a killed process
//! leaves the old file as it was. What exists and is no regular file (a pipe, a device) is written in place. All files
//! of one invocation are prepared before the first one is renamed; stdout comes last.

use crate::driver::session::{Outcome, Session};
use crate::driver::temporary;
use cleave_diag::{Diagnostic, code};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

pub use cleave_run::reason;

/// Where a result goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Destination {
    Stdout,
    File(PathBuf),
}

impl Destination {
    /// `-` is stdout.
    pub fn parse(text: &std::ffi::OsStr) -> Destination {
        if text == "-" { Destination::Stdout } else { Destination::File(PathBuf::from(text)) }
    }

    /// A file for Graphviz.
    pub fn is_dot(&self) -> bool {
        matches!(self, Destination::File(path) if path.extension().is_some_and(|ending| ending == "dot"))
    }
}

/// A file written under its temporary name; removed unless it is committed.
struct Prepared {
    temporary: PathBuf,
    target: PathBuf,
    done: bool,
}

impl Drop for Prepared {
    fn drop(&mut self) {
        if !self.done {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Writes all results. Fails with a message if one of them cannot be written; then no file has changed, except by
/// those renames that succeeded before one failed.
pub fn write_all(session: &mut Session, results: &[(Destination, &[u8])]) -> Outcome {
    let mut prepared = Vec::new();
    for (destination, bytes) in results {
        let Destination::File(path) = destination else { continue };
        if is_input(session, path) {
            let message = format!("the output `{}` is one of the input files", path.display());
            return Err(session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message).help("choose another -o")));
        }
        let target = target(path);
        if prepared.iter().any(|other: &Prepared| other.target == target) {
            let message = format!("two results would be written to `{}`", path.display());
            return Err(session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message).help("name another file")));
        }
        match prepare(target, bytes) {
            Ok(file) => prepared.extend(file),
            Err(error) => return Err(session.fail(unwritable(path, &error))),
        }
    }
    for file in &mut prepared {
        match fs::rename(&file.temporary, &file.target) {
            Ok(()) => file.done = true,
            Err(error) => return Err(session.fail(unwritable(&file.target, &error))),
        }
    }
    for (_, bytes) in results.iter().filter(|result| result.0 == Destination::Stdout) {
        if let Err(error) = write_stdout(bytes) {
            let message = format!("stdout cannot be written: {}", reason(&error));
            return Err(session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message)));
        }
    }
    Ok(())
}

/// Writes to stdout. A closed pipe is no error: nobody wants the rest.
pub fn write_stdout(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes to stderr; there is nobody to tell if that fails.
pub fn write_stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

fn is_input(session: &Session, path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    session.sources.files().any(|(_, file)| Path::new(&file.name).canonicalize().is_ok_and(|input| input == path))
}

/// Where a file is really written, whether it exists or not: links are followed, so that a link stays a link and the
/// file that it leads to is replaced.
fn target(path: &Path) -> PathBuf {
    let new = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(new).unwrap_or_else(|| path.to_path_buf())
}

/// Writes the bytes beside their destination, readable for those who may read the file that is replaced; or in place if
/// it is no regular file.
fn prepare(target: PathBuf, bytes: &[u8]) -> io::Result<Option<Prepared>> {
    let old = match fs::metadata(&target) {
        Ok(data) if data.is_dir() => return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder")),
        Ok(data) if !data.is_file() => {
            let mut file = OpenOptions::new().write(true).open(&target)?;
            return match file.write_all(bytes) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(None),
                other => other.map(|()| None),
            };
        }
        Ok(data) if data.permissions().readonly() => {
            return Err(io::Error::new(ErrorKind::PermissionDenied, "the file is read-only"));
        }
        data => data.ok(),
    };
    if target.file_name().is_none() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it names no file"));
    }
    let (mut file, temporary) = temporary::file_beside(&target)?;
    let prepared = Prepared { temporary, target, done: false };
    if let Some(data) = old {
        file.set_permissions(permissions_of(&data))?;
    }
    file.write_all(bytes)?;
    if is_executable(bytes) {
        make_executable(&file)?;
    }
    Ok(Some(prepared))
}

/// The permissions of the file that is replaced, without set-user-ID and set-group-ID: the new contents must not run
/// with the rights of the owner.
#[cfg(unix)]
fn permissions_of(data: &fs::Metadata) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::Permissions::from_mode(data.permissions().mode() & 0o777)
}
#[cfg(not(unix))]
fn permissions_of(data: &fs::Metadata) -> fs::Permissions {
    data.permissions()
}

/// True for ELF files that are no objects.
fn is_executable(bytes: &[u8]) -> bool {
    const TYPE: usize = 16;
    const OBJECT: u8 = 1;
    bytes.starts_with(b"\x7fELF") && bytes.get(TYPE).is_some_and(|&kind| kind != OBJECT)
}

/// Whoever may read it may execute it.
#[cfg(unix)]
fn make_executable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut permissions = file.metadata()?.permissions();
    let mode = permissions.mode();
    permissions.set_mode(mode | (mode & 0o444) >> 2);
    file.set_permissions(permissions)
}
#[cfg(not(unix))]
fn make_executable(_: &File) -> io::Result<()> {
    Ok(())
}

fn unwritable(path: &Path, error: &io::Error) -> Diagnostic {
    let message = format!("`{}` cannot be written: {}", path.display(), reason(error));
    let diagnostic = Diagnostic::error(code::OUTPUT_UNWRITABLE, message);
    match error.kind() {
        ErrorKind::NotFound if !path.parent().is_some_and(Path::exists) => {
            diagnostic.help("the folder does not exist; create it first")
        }
        ErrorKind::IsADirectory => diagnostic.help("name a file"),
        _ => diagnostic.help("nothing has been written; an older file is unchanged"),
    }
}
