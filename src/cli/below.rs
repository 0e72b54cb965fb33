//! Files that a command is given by the folders they are in.

use crate::driver::input;
use crate::driver::session::{Outcome, Session};
use cleave_diag::{Diagnostic, code};
use std::path::{Path, PathBuf};

/// Folders that hold nothing that anybody wrote.
const SKIPPED: [&str; 2] = ["target", "node_modules"];

/// The files that are named, and those with one of these endings in the folders that are named, in their order. A
/// folder without such a file is an error, for it was named for something.
pub fn files(session: &mut Session, given: &[PathBuf], endings: &[&str]) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in given {
        if path.as_os_str() != input::STDIN
            && let Err(error) = path.metadata()
        {
            return Err(session.fail(input::unreadable(path, &error)));
        }
        if !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let before = found.len();
        let mut folders = vec![path.clone()];
        while let Some(folder) = folders.pop() {
            let mut entries = entries(session, &folder)?;
            entries.sort();
            let (inner, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|path| path.is_dir());
            // What is in the folder at hand is named without it.
            let named = |path: PathBuf| path.strip_prefix(".").map_or_else(|_| path.clone(), Path::to_path_buf);
            found.extend(files.into_iter().filter(|path| ends(path, endings)).map(named));
            let is_ours = |path: &PathBuf| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                !name.starts_with('.') && !SKIPPED.contains(&name.as_ref()) && !path.is_symlink()
            };
            folders.extend(inner.into_iter().rev().filter(is_ours));
        }
        if found.len() == before {
            let endings: Vec<String> = endings.iter().map(|ending| format!("`.{ending}`")).collect();
            let message = format!("the folder `{}` has no file that ends with {}", path.display(), endings.join(", "));
            return Err(session.fail(Diagnostic::error(code::FILE_NOT_FOUND, message)));
        }
    }
    Ok(found)
}

/// There is a file with one of these endings directly in a folder.
pub fn has_file(folder: &Path, endings: &[&str]) -> bool {
    let mut files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    files.any(|path| ends(&path, endings))
}

/// The name of a file has one of these endings.
pub fn ends(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known))
}

fn entries(session: &mut Session, folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()).collect());
    entries.map_err(|error| session.fail(input::unreadable(folder, &error)))
}
