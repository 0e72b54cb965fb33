//! The main module of a language whose programs are named by files: GOOPEA, samlang.

use crate::driver::input::{self, STDIN};
use crate::driver::session::{Outcome, Session};
use cleave_diag::{Diagnostic, FileId, code};
use std::path::{Path, PathBuf};

/// The file that is meant, which may be named without its ending; or stdin.
pub fn path_of(main: &Path, extension: &str) -> PathBuf {
    if main == Path::new(STDIN) || main.extension().is_some_and(|found| found == extension) {
        return main.to_path_buf();
    }
    let mut name = main.as_os_str().to_os_string();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Reads it; gives the number of the source, and the name of the program: that of the file without its ending.
pub fn read(session: &mut Session, path: &Path) -> Outcome<(FileId, String)> {
    let is_stdin = path == Path::new(STDIN);
    let given = session.given.take().filter(|_| is_stdin);
    let given = given.or_else(|| Some(session.replaced.take().filter(|(known, _)| known == path)?.1));
    let bytes = given.map_or_else(|| input::read_given(path), Ok);
    let bytes = bytes.map_err(|error| session.fail(input::unreadable(path, &error)))?;
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        let message = format!("`{}` is text in UTF-16", input::shown(path));
        let help = "save it in UTF-8, which all languages here are read in";
        return Err(session.fail(Diagnostic::error(code::FILE_UNREADABLE, message).help(help)));
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // As the output is called that is made of it.
    let name = if is_stdin { "main".to_string() } else { name };
    Ok((session.sources.add(input::shown(path), bytes), name))
}
