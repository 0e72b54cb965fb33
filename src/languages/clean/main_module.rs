//! From what the command line says to the file of the main module: an .abc file, its source, or a name.

use crate::driver::input::{self, STDIN};
use crate::driver::output::reason;
use crate::driver::session::{Outcome, Session};
use crate::languages::clean::folders::{Folders, FoundModule, Source};
use cleave_diag::{Diagnostic, code};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The main module.
pub struct Main {
    /// Its name as far as it is known before it is read.
    pub name: String,
    pub place: FoundModule,
}

/// Finds the main module: a path with or without `.abc` or `.icl`, a module name, or `-`. With `sources` it may be one
/// that is to be compiled first.
pub fn find(session: &mut Session, folders: &Folders, main: &Path, sources: bool) -> Outcome<Main> {
    let named = Named::of(main);
    if let Some(found) = named.locate(folders, sources) {
        return Ok(found);
    }
    // A file of that name was meant, whatever it contains: if it is no module, the parser says so. Only a program is
    // not taken for a module.
    if main.exists() && !main.is_dir() && !named.is_source {
        if let Some(what) = made_of_module(main) {
            let message = format!("`{}` is {what}, and there is no module `{}`", main.display(), named.name);
            let help = match main.extension().is_some_and(|extension| extension == "ir") {
                true => format!("`cleave interp {}` runs it", main.display()),
                false => "name the main module: its .abc or .icl file".to_string(),
            };
            return Err(session.fail(Diagnostic::error(code::FILE_NOT_ABC, message).help(help)));
        }
        return Ok(Main { name: stem_of(main), place: FoundModule::Abc(main.to_path_buf()) });
    }
    let near = Folders::only(named.folder);
    let source = near.find_source(&named.name).map(|Source { icl, .. }| icl);
    Err(session.fail(match source.or_else(|| Some(main.to_path_buf()).filter(|_| named.is_source && main.is_file())) {
        Some(source) => {
            let message = format!("`{}` is Clean source, and there is no .abc file for it", source.display());
            let help = "compile it with Clean's compiler: clm does that, or --cocl names it";
            Diagnostic::error(code::FILE_NOT_ABC, message).help(help)
        }
        None => {
            let similar = session.is_program.and_then(|is_program| input::similar(main, is_program));
            not_there(folders, &near, main, &named.name, similar)
        }
    }))
}

/// There is a module of this name, as `find` looks for it. Files without the ending of a module do not count.
pub fn is_there(folders: &Folders, main: &Path, sources: bool) -> bool {
    Named::of(main).locate(folders, sources).is_some()
}

/// What the command line says, taken apart.
struct Named<'m> {
    main: &'m Path,
    folder: &'m Path,
    name: String,
    is_source: bool,
    is_abc: bool,
}

impl Named<'_> {
    fn of(main: &Path) -> Named<'_> {
        let has_ending = |endings: &[&str]| main.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending));
        let (is_source, is_abc) = (has_ending(&["icl", "dcl"]), has_ending(&["abc"]));
        let name = match is_source || is_abc {
            true => stem_of(main),
            false => main.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        };
        Named { main, folder: main.parent().unwrap_or(Path::new("")), name, is_source, is_abc }
    }

    /// The module: as it is named, with its ending, beside its source, by name in all folders. Whatever else has the
    /// name (the program that was made of it) does not matter.
    fn locate(&self, folders: &Folders, sources: bool) -> Option<Main> {
        let main = self.main;
        let exactly = |path: PathBuf| Some(Main { name: stem_of(&path), place: FoundModule::Abc(path) });
        if main == Path::new(STDIN) {
            return Some(Main { name: "main".to_string(), place: FoundModule::Abc(main.to_path_buf()) });
        }
        if self.is_abc && main.exists() && !main.is_dir() {
            return exactly(main.to_path_buf());
        }
        let mut with_ending = main.as_os_str().to_os_string();
        with_ending.push(".abc");
        if Path::new(&with_ending).is_file() {
            return exactly(with_ending.into());
        }
        let near = || Folders::only(self.folder).find(&self.name, sources);
        let anywhere = || folders.find(&self.name, sources).filter(|_| self.folder.as_os_str().is_empty());
        let place = near().or_else(anywhere)?;
        Some(Main { name: self.name.clone(), place })
    }
}

/// What a file is that is no module but may have been made of one.
fn made_of_module(path: &Path) -> Option<&'static str> {
    use std::io::Read;
    if path.extension().is_some_and(|extension| extension == "ir") {
        return Some("IR in text form");
    }
    let mut head = [0; 4];
    if !path.is_file() || std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_err() {
        return None;
    }
    match &head {
        b"\x7fELF" => Some("machine code"),
        b"\0asm" => Some("WebAssembly"),
        _ => None,
    }
}

fn not_there(folders: &Folders, near: &Folders, main: &Path, name: &str, similar: Option<String>) -> Diagnostic {
    let folder = main.parent().unwrap_or(Path::new(""));
    if main.is_dir() {
        let message = format!("`{}` is a folder", main.display());
        let help = "name the .abc file of the main module; -L names the folders of other modules";
        return Diagnostic::error(code::FILE_IS_DIRECTORY, message).help(help);
    }
    let above = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if let Err(error) = std::fs::read_dir(above)
        && error.kind() == ErrorKind::PermissionDenied
    {
        let message = format!("the folder of `{}` cannot be read: {}", main.display(), reason(&error));
        return Diagnostic::error(code::FILE_UNREADABLE, message).help("modules are found by listing their folders");
    }
    let diagnostic = Diagnostic::error(code::FILE_NOT_FOUND, format!("there is no file `{}`", main.display()));
    let mut wasm = main.as_os_str().to_os_string();
    wasm.push(".wasm");
    if Path::new(&wasm).is_file() {
        let wasm = wasm.to_string_lossy();
        return diagnostic.help(format!("there is `{wasm}`, which `cleave run {wasm}` runs"));
    }
    match near.nearest(name).or_else(|| folders.nearest(name)) {
        Some(similar) => diagnostic.help(format!("did you mean `{similar}`?")),
        None if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            diagnostic.help(format!("the folder `{}` does not exist", folder.display()))
        }
        None => similar.into_iter().fold(diagnostic, |it, near| it.help(format!("did you mean `{near}`?"))),
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
