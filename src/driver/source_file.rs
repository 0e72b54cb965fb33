//! The main module of a language whose programs are named by files: GOOPEA, samlang.

use crate::driver::output::reason;
use crate::driver::session::{Outcome, Session};
use cleave_diag::{Diagnostic, FileId, code};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file that is meant: it may be named without its ending.
pub fn path_of(main: &Path, extension: &str) -> PathBuf {
    if main.extension().is_some_and(|found| found == extension) {
        return main.to_path_buf();
    }
    let mut name = main.as_os_str().to_os_string();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Reads it; gives the number of the source, and the name of the program: that of the file without its ending.
pub fn read(session: &mut Session, path: &Path) -> Outcome<(FileId, String)> {
    let shown = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| {
        session.fail(match error.kind() {
            ErrorKind::NotFound => Diagnostic::error(code::FILE_NOT_FOUND, format!("there is no file `{shown}`")),
            ErrorKind::IsADirectory => Diagnostic::error(code::FILE_IS_DIRECTORY, format!("`{shown}` is a folder")),
            _ => Diagnostic::error(code::FILE_UNREADABLE, format!("`{shown}` cannot be read: {}", reason(&error))),
        })
    })?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok((session.sources.add(shown, bytes), name))
}
