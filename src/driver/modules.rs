//! From the name of a main module to all modules of its program, parsed and indexed.
//!
//! Modules are loaded in waves: the modules that the last wave names for the first time are read and parsed in
//! parallel, then taken in the order in which they were named. So numbers of modules, numbers of files and the order of
//! messages do not depend on the number of threads. Modules may import each other in cycles. Module 0 is our own
//! `_system`, module 1 the main module; the user's `_system` is never read.

use crate::driver::folders::{Folders, SYSTEM_FILES};
use crate::driver::output::reason;
use crate::driver::session::{Failed, Outcome, Session};
use cleave_abc::ast::ParsedModule;
use cleave_abc::instr::Opcode;
use cleave_abc::{ModuleIndex, system};
use cleave_diag::{Code, Diagnostic, FileId, MAX_FILE_BYTES, Sink, Span, code};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The name of the module that is ours.
const SYSTEM: &str = "_system";

/// All modules of a program.
pub struct Loaded {
    pub modules: Vec<ParsedModule>,
    pub indexes: Vec<ModuleIndex>,
    pub main: u32,
}

/// A module that is to be read.
struct Request {
    name: String,
    path: PathBuf,
    /// Where it is named; the main module is named on the command line.
    import: Option<Span>,
}

/// A module as the parallel part leaves it.
struct Parsed {
    module: Option<(ParsedModule, ModuleIndex)>,
    sink: Sink,
}

/// What a file turned out to be that cannot be read.
struct Unreadable {
    code: Code,
    message: String,
    help: Option<String>,
}

/// Reads the program whose main module is named by `main`: a path with or without `.abc`, or a module name.
pub fn load(session: &mut Session, main: &Path) -> Outcome<Loaded> {
    let mut folders = search_folders(session);
    let path = find_main(session, &folders, main)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut loader = Loader { session, loaded: Vec::new(), known: FxHashMap::default(), searched_said: false };
    loader.system();
    let wave = loader.wave(vec![Request { name, path: path.clone(), import: None }]);
    let Some(main) = loader.loaded.get(1) else { return Err(Failed) };
    folders.add_main(&path, &main.0.name.clone());
    let mut wave = wave;
    while !wave.is_empty() {
        let requests = loader.requests(&folders, &wave);
        wave = loader.wave(requests);
    }
    let (modules, indexes) = std::mem::take(&mut loader.loaded).into_iter().unzip();
    session.check()?;
    Ok(Loaded { modules, indexes, main: 1 })
}

/// The folders of the options. That of the main module is added once it is known.
fn search_folders(session: &mut Session) -> Folders {
    let mut folders = Folders::default();
    for folder in session.options.folders.clone() {
        if !folder.is_dir() {
            let message = format!("the folder `{}` given with -L does not exist", folder.display());
            session.sink.report(Diagnostic::warning(code::FILE_NOT_FOUND, message));
        }
        folders.add(&folder);
    }
    if let Some(home) = session.options.clean_home.clone()
        && !folders.add_clean_home(&home)
    {
        let message = format!("`{}` is no Clean installation: it has no libraries in `lib`", home.display());
        let help = "--clean-home or the variable CLEAN_HOME names the folder that holds `lib`";
        session.sink.report(Diagnostic::warning(code::FILE_NOT_FOUND, message).help(help));
    }
    folders
}

/// The file of the main module.
fn find_main(session: &mut Session, folders: &Folders, main: &Path) -> Outcome<PathBuf> {
    let with_extension = {
        let mut name = main.as_os_str().to_os_string();
        name.push(".abc");
        PathBuf::from(name)
    };
    if main.extension().is_some_and(|extension| extension == "abc") && !main.is_dir() && main.exists() {
        return Ok(main.to_path_buf());
    }
    if with_extension.is_file() {
        return Ok(with_extension);
    }
    let is_source = main.extension().is_some_and(|extension| extension == "icl" || extension == "dcl");
    if main.exists() && !main.is_dir() && !is_source {
        return Ok(main.to_path_buf());
    }
    // Beside its source, and by name in all folders.
    let folder = main.parent().unwrap_or(Path::new(""));
    let stem = match main.extension() {
        Some(extension) if is_source || extension == "abc" => main.file_stem().unwrap_or_default(),
        _ => main.file_name().unwrap_or_default(),
    };
    let mut near = Folders::default();
    near.add(folder);
    let name = stem.to_string_lossy();
    if let Some(path) = near.find(&name) {
        return Ok(path);
    }
    if folder.as_os_str().is_empty()
        && let Some(path) = folders.find(&name)
    {
        return Ok(path);
    }
    if is_source && main.is_file() {
        let message = format!("`{}` is Clean source, and there is no .abc file for it", main.display());
        let help = "compile it with Clean's compiler (clm or cocl), which writes the .abc file";
        return Err(session.fail(Diagnostic::error(code::FILE_NOT_ABC, message).help(help)));
    }
    if main.is_dir() {
        let message = format!("`{}` is a folder", main.display());
        let help = "name the .abc file of the main module; -L names the folders of other modules";
        return Err(session.fail(Diagnostic::error(code::FILE_IS_DIRECTORY, message).help(help)));
    }
    let mut diagnostic = Diagnostic::error(code::FILE_NOT_FOUND, format!("there is no file `{}`", main.display()));
    if let Some(similar) = near.nearest(&name).or_else(|| folders.nearest(&name)) {
        diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
    } else if !folder.as_os_str().is_empty() && !folder.is_dir() {
        diagnostic = diagnostic.help(format!("the folder `{}` does not exist", folder.display()));
    }
    Err(session.fail(diagnostic))
}

struct Loader<'s> {
    session: &'s mut Session,
    loaded: Vec<(ParsedModule, ModuleIndex)>,
    /// Names that have been requested or loaded, with the number of the module if it was loaded.
    known: FxHashMap<String, Option<usize>>,
    /// A message has listed the folders.
    searched_said: bool,
}

impl Loader<'_> {
    fn system(&mut self) {
        let bytes = system::SOURCE.as_bytes().to_vec();
        let file = self.session.sources.add(system::FILE_NAME, bytes);
        let parsed = parse_one(file, SYSTEM, system::SOURCE.as_bytes());
        let Some(module) = parsed.module else {
            panic!("our own {} is wrong: {:?}", system::FILE_NAME, parsed.sink.diagnostics());
        };
        self.known.insert(SYSTEM.to_string(), Some(0));
        self.loaded.push(module);
    }

    /// Reads and parses modules; returns the numbers of those that are without error.
    fn wave(&mut self, requests: Vec<Request>) -> Vec<usize> {
        let contents: Vec<Result<Vec<u8>, Unreadable>> =
            requests.par_iter().map(|request| read(&request.path)).collect();
        let mut files: Vec<(FileId, Request)> = Vec::new();
        for (request, content) in requests.into_iter().zip(contents) {
            match content {
                Ok(bytes) => files.push((self.session.sources.add(shown(&request.path), bytes), request)),
                Err(unreadable) => self.session.sink.report(unreadable.diagnostic(request.import)),
            }
        }
        let sources = &self.session.sources;
        let parsed: Vec<Parsed> = files
            .par_iter()
            .map(|(file, request)| parse_one(*file, &request.name, &sources.file(*file).bytes))
            .collect();
        let mut wave = Vec::new();
        for ((_, request), parsed) in files.into_iter().zip(parsed) {
            self.session.sink.merge(parsed.sink);
            if let Some(module) = parsed.module
                && self.accept(&request, &module.0)
            {
                self.known.insert(module.0.name.clone(), Some(self.loaded.len()));
                wave.push(self.loaded.len());
                self.loaded.push(module);
            }
        }
        wave
    }

    /// Checks that the module is the one that was asked for, and the only one of its name.
    fn accept(&mut self, request: &Request, module: &ParsedModule) -> bool {
        let name = &module.name;
        let Some(import) = request.import else {
            if name == SYSTEM {
                let message = format!("`{}` is the run-time module of Clean, not a program", request.path.display());
                self.session.sink.report(Diagnostic::error(code::NO_START, message).help("name the main module"));
            }
            return name != SYSTEM;
        };
        if *name == request.name {
            return true;
        }
        let path = shown(&request.path);
        let diagnostic = match self.known.get(name) {
            Some(&Some(other)) => {
                let other = self.session.sources.file(self.loaded[other].0.file).name.clone();
                Diagnostic::error(code::MODULE_TWICE, format!("two files hold a module named `{name}`"))
                    .at(import, format!("found in `{path}`"))
                    .help(format!("the other one is `{other}`; rename one of them, or leave it out"))
            }
            _ => Diagnostic::error(code::MODULE_WRONG_NAME, format!("`{path}` holds module `{name}`"))
                .at(import, "imported here")
                .help("a module is found by the name of its file: rename the file, or compile the module again"),
        };
        self.session.sink.report(diagnostic);
        false
    }

    /// The modules that the modules of the last wave name for the first time.
    fn requests(&mut self, folders: &Folders, wave: &[usize]) -> Vec<Request> {
        let mut requests = Vec::new();
        for &number in wave {
            for (name, import, needed) in imports(&self.loaded[number].0) {
                if self.known.contains_key(&name) {
                    continue;
                }
                match folders.find(&name) {
                    Some(path) => {
                        self.known.insert(name.clone(), None);
                        requests.push(Request { name, path, import: Some(import) });
                    }
                    None if needed => {
                        // Where was searched is said once.
                        let first = !std::mem::replace(&mut self.searched_said, true);
                        self.session.sink.report(not_found(folders, &name, import, first));
                        self.known.insert(name, None);
                    }
                    None => {}
                }
            }
        }
        requests
    }
}

/// Names of modules in `.depend`, which are needed, and in `.impmod`, which compilers also write for modules of which
/// nothing is used.
fn imports(module: &ParsedModule) -> Vec<(String, Span, bool)> {
    let depends = module.depends.iter();
    let mut found: Vec<(String, Span, bool)> =
        depends.map(|depend| (String::from_utf8_lossy(&depend.name).into_owned(), depend.span, true)).collect();
    for line in module.lines().filter(|line| line.op == Opcode::dot_impmod) {
        let name: String = module.text_of(line.symbol(0));
        if !found.iter().any(|import| import.0 == name) {
            found.push((name, Span::new(module.file, 0, 0), false));
        }
    }
    found
}

fn parse_one(file: FileId, name: &str, bytes: &[u8]) -> Parsed {
    let mut sink = Sink::new();
    let module = cleave_abc::parse(file, name, bytes, &mut sink);
    let module = module.map(|module| {
        let index = ModuleIndex::build(&module, &mut sink);
        (module, index)
    });
    Parsed { module, sink }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The bytes of a file: a regular one, or a pipe.
fn read(path: &Path) -> Result<Vec<u8>, Unreadable> {
    let name = shown(path);
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => Unreadable::new(code::FILE_NOT_FOUND, format!("there is no file `{name}`")),
        _ => Unreadable::new(code::FILE_UNREADABLE, format!("`{name}` cannot be read: {}", reason(&error))),
    };
    let data = fs::metadata(path).map_err(failed)?;
    if data.is_dir() {
        let mut unreadable = Unreadable::new(code::FILE_IS_DIRECTORY, format!("`{name}` is a folder"));
        unreadable.help = Some("name the .abc file of a module".to_string());
        return Err(unreadable);
    }
    if data.len() > MAX_FILE_BYTES as u64 {
        return Err(Unreadable::new(code::FILE_TOO_LARGE, format!("`{name}` is larger than 4 GiB")));
    }
    if is_endless(&data) {
        return Err(Unreadable::new(code::FILE_UNREADABLE, format!("`{name}` cannot be read: it is a device")));
    }
    let mut bytes = Vec::with_capacity(data.len() as usize);
    let file = fs::File::open(path).map_err(failed)?;
    file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// Devices may never end; the terminal is one, too.
#[cfg(unix)]
fn is_endless(data: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    data.file_type().is_char_device() || data.file_type().is_block_device()
}
#[cfg(not(unix))]
fn is_endless(_: &fs::Metadata) -> bool {
    false
}

impl Unreadable {
    fn new(code: Code, message: String) -> Unreadable {
        Unreadable { code, message, help: None }
    }

    fn diagnostic(self, import: Option<Span>) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(self.code, self.message);
        if let Some(import) = import {
            diagnostic = diagnostic.at(import, "imported here");
        }
        match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

/// Folders shown in a message at most.
const SHOWN_FOLDERS: usize = 12;

fn not_found(folders: &Folders, name: &str, import: Span, say_where: bool) -> Diagnostic {
    let mut diagnostic =
        Diagnostic::error(code::MODULE_NOT_FOUND, format!("module `{name}` is not found")).at(import, "imported here");
    if let Some(similar) = folders.nearest(name) {
        diagnostic = diagnostic.help(format!("there is a module `{similar}`"));
    }
    if !say_where {
        return diagnostic;
    }
    let roots = folders.roots();
    let mut list: Vec<String> = roots.iter().take(SHOWN_FOLDERS).map(|root| format!("`{}`", root.display())).collect();
    if roots.len() > SHOWN_FOLDERS {
        list.push(format!("{} more", roots.len() - SHOWN_FOLDERS));
    }
    let searched = format!("searched in {}, each also in `{SYSTEM_FILES}`", list.join(", "));
    diagnostic.help(searched).help("-L DIR adds a folder; --clean-home DIR or CLEAN_HOME adds Clean's libraries")
}
