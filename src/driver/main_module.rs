//! From what the command line says to the file of the main module: an .abc file, its source, or a name.

use crate::driver::folders::{Folders, Place, Source};
use crate::driver::session::{Outcome, Session};
use cleave_diag::{Diagnostic, code};
use std::path::{Path, PathBuf};

/// The main module.
pub struct Main {
    /// Its name as far as it is known before it is read.
    pub name: String,
    pub place: Place,
}

/// Finds the main module: a path with or without `.abc` or `.icl`, or a module name. With `sources` it may be one that
/// is to be compiled first.
pub fn find(session: &mut Session, folders: &Folders, main: &Path, sources: bool) -> Outcome<Main> {
    let has_ending = |endings: &[&str]| main.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending));
    let (is_source, is_abc) = (has_ending(&["icl", "dcl"]), has_ending(&["abc"]));
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let exactly = |path: PathBuf| Main { name: stem(&path), place: Place::Abc(path) };
    let with_ending = {
        let mut name = main.as_os_str().to_os_string();
        name.push(".abc");
        PathBuf::from(name)
    };
    if is_abc && !main.is_dir() && main.exists() {
        return Ok(exactly(main.to_path_buf()));
    }
    if with_ending.is_file() {
        return Ok(exactly(with_ending));
    }
    if main.exists() && !main.is_dir() && !is_source {
        return Ok(exactly(main.to_path_buf()));
    }
    // Beside its source, and by name in all folders.
    let folder = main.parent().unwrap_or(Path::new(""));
    let name = match is_source || is_abc {
        true => stem(main),
        false => main.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    };
    let near = Folders::only(folder);
    if let Some(place) = near.find(&name, sources) {
        return Ok(Main { name, place });
    }
    if folder.as_os_str().is_empty()
        && let Some(place) = folders.find(&name, sources)
    {
        return Ok(Main { name, place });
    }
    let source = near.find_source(&name).map(|Source { icl, .. }| icl);
    Err(session.fail(match source.or_else(|| Some(main.to_path_buf()).filter(|_| is_source && main.is_file())) {
        Some(source) => {
            let message = format!("`{}` is Clean source, and there is no .abc file for it", source.display());
            let help = "compile it with Clean's compiler: clm does that, or --cocl names it";
            Diagnostic::error(code::FILE_NOT_ABC, message).help(help)
        }
        None => not_there(folders, &near, main, &name),
    }))
}

fn not_there(folders: &Folders, near: &Folders, main: &Path, name: &str) -> Diagnostic {
    let folder = main.parent().unwrap_or(Path::new(""));
    if main.is_dir() {
        let message = format!("`{}` is a folder", main.display());
        let help = "name the .abc file of the main module; -L names the folders of other modules";
        return Diagnostic::error(code::FILE_IS_DIRECTORY, message).help(help);
    }
    let diagnostic = Diagnostic::error(code::FILE_NOT_FOUND, format!("there is no file `{}`", main.display()));
    match near.nearest(name).or_else(|| folders.nearest(name)) {
        Some(similar) => diagnostic.help(format!("did you mean `{similar}`?")),
        None if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            diagnostic.help(format!("the folder `{}` does not exist", folder.display()))
        }
        None => diagnostic,
    }
}

/// Programs beside a main module that has no Start: modules whose header names one.
pub fn neighbours(main: &Path) -> Vec<String> {
    const READ: usize = 200;
    let folder = main.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "abc")).collect();
    files.sort();
    files.truncate(READ);
    files.iter().filter(|path| path.as_path() != main && has_start(path)).map(|path| stem_of(path)).collect()
}

fn stem_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The header of the file has a start label.
fn has_start(abc: &Path) -> bool {
    use std::io::Read;
    let mut head = Vec::new();
    let read = std::fs::File::open(abc).and_then(|file| file.take(1024).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    let mut starts = head.lines().filter_map(|line| line.strip_prefix(".start "));
    read.is_ok() && starts.next().is_some_and(|label| label.trim() != "_nostart_")
}
