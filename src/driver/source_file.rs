//! The main module of a language whose programs are named by files: GOOPEA, samlang.

use crate::driver::input;
use crate::driver::session::{Outcome, Session};
use cleave_diag::FileId;
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
    let bytes = input::read(path).map_err(|error| session.fail(input::unreadable(path, &error)))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok((session.sources.add(shown, bytes), name))
}
