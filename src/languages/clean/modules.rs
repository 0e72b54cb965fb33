//! From the name of a main module to all modules of its program, parsed and indexed.
//!
//! Modules are loaded in waves: the modules that the last wave names for the first time are read and parsed in
//! parallel, then taken in the order in which they were named. So numbers of modules, numbers of files and the order of
//! messages do not depend on the number of threads. Modules may import each other in cycles. Module 0 is our own
//! `_system`, module 1 the main module; the user's `_system` is never read. The imports of a module with errors are
//! loaded, too, so that one invocation shows what is wrong with all of them.

use crate::driver::input::{self, STDIN, shown};
use crate::driver::output::reason;
use crate::driver::session::{ErrorReported, Outcome, Session};
use crate::languages::clean::folders::{Folders, FoundModule};
use crate::languages::clean::main_module;
use crate::languages::clean::missing::{self, Missing};
use crate::languages::clean::options::SearchStep;
use crate::languages::clean::sources::{self, Cocl};
use cleave_clean::ast::{Depend, ParsedModule};
use cleave_clean::instr::Opcode;
use cleave_clean::{ModuleIndex, system};
use cleave_diag::{Code, Diagnostic, FileId, Sink, Span, code};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The name of the module that is ours.
const SYSTEM: &str = "_system";

/// All modules of a program.
pub struct Modules {
    pub modules: Vec<ParsedModule>,
    pub indexes: Vec<ModuleIndex>,
    pub main: u32,
    /// The folders in which they were searched, in order.
    pub searched: Vec<PathBuf>,
}

/// A module that is to be read.
struct Request {
    name: String,
    path: PathBuf,
    /// Where it is named; the main module is named on the command line.
    import: Option<Span>,
}

/// A module as the parallel part leaves it: with an index, or what it imports if there are errors.
struct Parsed {
    module: Result<(ParsedModule, ModuleIndex), Vec<Depend>>,
    sink: Sink,
}

/// A module that another one names.
struct Import {
    name: String,
    importer: String,
    span: Span,
    /// Named by `.depend`, not only by `.impmod`, which compilers also write for modules of which nothing is used.
    needed: bool,
}

/// What a file turned out to be that cannot be read.
struct Unreadable {
    code: Code,
    message: String,
    help: Option<String>,
}

/// Reads the program whose main module is named by `main`: a path with or without `.abc` or `.icl`, or a module name.
pub fn load(session: &mut Session, main: &Path) -> Outcome<Modules> {
    check_folders(session);
    let mut folders = Folders::of(&session.options.clean);
    let cocl = Cocl::find(&session.options.clean);
    let found = main_module::find(session, &folders, main, cocl.is_some())?;
    let mut loader = Loader {
        session,
        cocl,
        loaded: Vec::new(),
        known: FxHashMap::default(),
        stale: Vec::new(),
        missing: Missing::default(),
    };
    loader.system();
    let place = match &found.place {
        FoundModule::Abc(path) => path,
        FoundModule::Source(source) => &source.icl,
    };
    folders.add_main(place, &found.name);
    let Some(path) = loader.ready(&folders, &found.name, found.place, None) else { return Err(ErrorReported) };
    let mut wave = loader.wave(vec![Request { name: found.name, path: path.clone(), import: None }]);
    if let Some(main) = loader.loaded.get(1) {
        folders.add_main(&path, &main.0.name.clone());
    }
    while !wave.is_empty() {
        let requests = loader.requests(&folders, wave);
        wave = loader.wave(requests);
    }
    let missing = loader.missing.rest(&folders);
    missing.into_iter().for_each(|diagnostic| loader.session.sink.report(diagnostic));
    loader.remarks(&folders);
    loader.require_start(&path);
    let (modules, indexes) = std::mem::take(&mut loader.loaded).into_iter().unzip();
    session.check()?;
    Ok(Modules { modules, indexes, main: 1, searched: folders.roots().to_vec() })
}

/// There is a module of this name for `load`.
pub fn is_there(session: &Session, main: &Path) -> bool {
    let sources = Cocl::find(&session.options.clean).is_some();
    main_module::is_there(&Folders::of(&session.options.clean), main, sources)
}

/// Warns of folders that do not exist: nothing is found there.
fn check_folders(session: &mut Session) {
    let clean = session.options.clean.clone();
    let mut missing = |message: String, help: &str| {
        session.sink.report(Diagnostic::warning(code::FILE_NOT_FOUND, message).help(help));
    };
    if let Some(home) = &clean.home
        && !home.join("lib").is_dir()
    {
        let message = format!("`{}` is no Clean installation: it has no libraries in `lib`", home.display());
        missing(message, "--clean-home or the variable CLEAN_HOME names the folder that holds `lib`");
    }
    let absent = |folder: &PathBuf| !folder.as_os_str().is_empty() && !folder.is_dir();
    for folder in clean.path.iter().flatten().filter(|folder| absent(folder)) {
        let message = format!("the folder `{}` of the variable CLEANPATH does not exist", folder.display());
        missing(message, "nothing is found there");
    }
    for step in clean.search.clone() {
        let (folders, flag) = match step {
            SearchStep::Folder(folder) => (vec![folder], "-L or -I"),
            SearchStep::Replace(folders) => (folders, "-P"),
            SearchStep::Library(library) => {
                let lib = clean.home.as_ref().map(|home| home.join("lib"));
                if !lib.as_ref().is_some_and(|lib| lib.join(&library).is_dir()) {
                    let message = format!("there is no library `{}` in the folder of Clean", library.display());
                    let help = match &lib {
                        Some(lib) => format!("searched as `{}`", lib.join(&library).display()),
                        None => "CLEAN_HOME or --clean-home DIR names the folder of Clean".to_string(),
                    };
                    session.sink.report(Diagnostic::warning(code::FILE_NOT_FOUND, message).help(help));
                }
                continue;
            }
        };
        for folder in folders.iter().filter(|folder| absent(folder)) {
            let message = format!("the folder `{}` given with {flag} does not exist", folder.display());
            session.sink.report(Diagnostic::warning(code::FILE_NOT_FOUND, message));
        }
        for folder in folders.iter().filter(|folder| folder.is_dir()) {
            if let Err(error) = fs::read_dir(folder) {
                let why = reason(&error);
                let message = format!("the folder `{}` given with {flag} cannot be read: {why}", folder.display());
                session.sink.report(Diagnostic::warning(code::FILE_UNREADABLE, message));
            }
        }
    }
}

struct Loader<'s> {
    session: &'s mut Session,
    cocl: Option<Cocl>,
    loaded: Vec<(ParsedModule, ModuleIndex)>,
    /// Names that have been requested or loaded, with the number of the module if it was loaded.
    known: FxHashMap<String, Option<usize>>,
    /// Modules whose sources are newer.
    stale: Vec<String>,
    missing: Missing,
}

impl Loader<'_> {
    fn system(&mut self) {
        let bytes = system::SOURCE.as_bytes().to_vec();
        let file = self.session.sources.add(system::FILE_NAME, bytes);
        let parsed = parse_one(file, SYSTEM, system::SOURCE.as_bytes());
        let Ok(module) = parsed.module else {
            panic!("our own {} is wrong: {:?}", system::FILE_NAME, parsed.sink.diagnostics());
        };
        self.known.insert(SYSTEM.to_string(), Some(0));
        self.loaded.push(module);
    }

    /// The .abc file of a module, compiled first if it has to be and can be.
    fn ready(&mut self, folders: &Folders, name: &str, place: FoundModule, import: Option<Span>) -> Option<PathBuf> {
        let source = match place {
            FoundModule::Source(source) => source,
            FoundModule::Abc(path) if self.session.options.clean.no_sources || path == Path::new(STDIN) => {
                return Some(path);
            }
            FoundModule::Abc(path) => match (sources::newer_source(&path), &self.cocl) {
                (Some(source), Some(_)) => source,
                (Some(_), None) => {
                    self.stale.push(name.to_string());
                    return Some(path);
                }
                (None, _) => return Some(path),
            },
        };
        let cocl = self.cocl.as_mut()?;
        cocl.compile(self.session, folders, name, &source, import).then_some(source.abc)
    }

    /// Reads and parses modules; returns what they import.
    fn wave(&mut self, requests: Vec<Request>) -> Vec<Import> {
        let given = self.session.given.take();
        let content = |request: &Request| match &given {
            Some(bytes) if request.path == Path::new(STDIN) => Ok(bytes.clone()),
            _ => read(&request.path),
        };
        let contents: Vec<Result<Vec<u8>, Unreadable>> = requests.par_iter().map(content).collect();
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
        for ((file, request), parsed) in files.into_iter().zip(parsed) {
            self.session.sink.merge(parsed.sink);
            match parsed.module {
                Ok(module) if self.accept(&request, &module.0) => {
                    wave.extend(imports(&module.0));
                    self.known.insert(module.0.name.clone(), Some(self.loaded.len()));
                    self.loaded.push(module);
                }
                Ok(_) => {}
                Err(depends) => {
                    let name = request.name;
                    self.known.insert(name.clone(), None);
                    wave.extend(depends.into_iter().map(|depend| Import::needed(depend, &name)));
                    debug_assert!(self.session.sink.has_errors(), "{file:?}");
                }
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

    /// The modules that the last wave names for the first time.
    fn requests(&mut self, folders: &Folders, wave: Vec<Import>) -> Vec<Request> {
        let mut requests = Vec::new();
        for Import { name, importer, span, needed } in wave {
            if self.known.contains_key(&name) {
                continue;
            }
            match folders.find(&name, self.cocl.is_some()) {
                Some(place) => {
                    self.known.insert(name.clone(), None);
                    if let Some(path) = self.ready(folders, &name, place, Some(span)) {
                        requests.push(Request { name, path, import: Some(span) });
                    }
                }
                None if needed => {
                    self.known.insert(name.clone(), None);
                    let message = self.missing.add(folders, missing::Import { name, importer, span });
                    message.into_iter().for_each(|diagnostic| self.session.sink.report(diagnostic));
                }
                None => {}
            }
        }
        requests
    }

    /// Warnings and notes about the modules as a whole.
    fn remarks(&mut self, folders: &Folders) {
        if let Some(diagnostic) = sources::stale(&self.stale) {
            self.session.sink.report(diagnostic);
        }
        self.hidden(folders);
        let is_profiled = |module: &&(ParsedModule, ModuleIndex)| {
            module.0.comp.options.as_bytes().get(DIGIT_PROFILING) == Some(&b'0')
        };
        for (module, _) in self.loaded.iter().skip(1).filter(is_profiled) {
            self.session.notes.push(format!(
                "module `{}` was compiled for profiling or stack tracing: the directives for them are ignored",
                module.name
            ));
        }
    }

    /// Warns of modules that are in several folders, once per pair of folders.
    fn hidden(&mut self, folders: &Folders) {
        let mut pairs: Vec<(PathBuf, PathBuf, Vec<String>)> = Vec::new();
        for (module, _) in self.loaded.iter().skip(2) {
            let all = folders.all(&module.name);
            let Some((used, others)) = all.split_first() else { continue };
            for other in others.iter().filter(|other| differ(used, other)) {
                let folder = |path: &Path| path.parent().unwrap_or(Path::new("")).to_path_buf();
                let (used, other) = (folder(used), folder(other));
                match pairs.iter_mut().find(|pair| pair.0 == used && pair.1 == other) {
                    Some(pair) => pair.2.push(module.name.clone()),
                    None => pairs.push((used, other, vec![module.name.clone()])),
                }
            }
        }
        for (used, other, names) in pairs {
            let more = if names.len() > 1 { format!(" and {} more", names.len() - 1) } else { String::new() };
            let message = format!("module `{}`{more} in two folders", names[0]);
            let used = format!("used: `{}`, the first; not used: `{}`", used.display(), other.display());
            let help = "the order of the search is that of clm: see --help of -L";
            self.session.sink.report(Diagnostic::warning(code::MODULE_HIDDEN, message).help(used).help(help));
        }
    }

    /// The main module must have a rule Start, unless a library is compiled for itself.
    fn require_start(&mut self, path: &Path) {
        let Some((main, _)) = self.loaded.get(1).filter(|main| main.0.start.is_none()) else { return };
        let is_library = self.session.options.library || self.session.options.exports.is_library();
        if self.session.sink.has_errors() || is_library {
            return;
        }
        let mut with: Vec<String> = Vec::new();
        let loaded = self.loaded.iter().skip(1).filter(|module| module.0.start.is_some());
        with.extend(loaded.map(|module| module.0.name.clone()));
        for name in main_module::neighbours(path) {
            if !with.contains(&name) {
                with.push(name);
            }
        }
        let shown: Vec<String> = with.iter().take(SHOWN_PROGRAMS).map(|name| format!("`{name}`")).collect();
        let more = with.len().saturating_sub(SHOWN_PROGRAMS);
        let help = match (with.len(), more) {
            (0, _) => "name the module of the program that defines Start".to_string(),
            (_, 0) => format!("modules with a rule Start: {}", shown.join(", ")),
            _ => format!("modules with a rule Start: {} and {more} more", shown.join(", ")),
        };
        let diagnostic = Diagnostic::error(code::NO_START, format!("module `{}` has no rule Start", main.name))
            .at(main.start_span, "this is the main module")
            .help(help);
        self.session.sink.report(diagnostic);
    }
}

/// Modules with a rule Start that a message lists at most.
const SHOWN_PROGRAMS: usize = 12;

/// The digit of the options in `.comp` that is 0 in modules compiled for profiling or stack tracing.
const DIGIT_PROFILING: usize = 5;

/// Two files, not one by two names, with different contents.
fn differ(one: &Path, other: &Path) -> bool {
    let same = matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other);
    !same && fs::read(one).ok() != fs::read(other).ok()
}

impl Import {
    fn needed(depend: Depend, importer: &str) -> Import {
        let name = String::from_utf8_lossy(&depend.name).into_owned();
        Import { name, importer: importer.to_string(), span: depend.span, needed: true }
    }
}

/// The modules that a module names.
fn imports(module: &ParsedModule) -> Vec<Import> {
    let depends = module.depends.iter().cloned();
    let mut found: Vec<Import> = depends.map(|depend| Import::needed(depend, &module.name)).collect();
    for line in module.lines().filter(|line| line.op == Opcode::dot_impmod) {
        let name: String = module.text_of(line.symbol(0));
        if !found.iter().any(|import| import.name == name) {
            let span = Span::new(module.file, 0, 0);
            found.push(Import { name, importer: module.name.clone(), span, needed: false });
        }
    }
    found
}

fn parse_one(file: FileId, name: &str, bytes: &[u8]) -> Parsed {
    let mut sink = Sink::new();
    let module = cleave_clean::parse_with_imports(file, name, bytes, &mut sink);
    let module = module.map(|module| {
        let index = ModuleIndex::build(&module, &mut sink);
        (module, index)
    });
    Parsed { module, sink }
}

/// The bytes of a file.
fn read(path: &Path) -> Result<Vec<u8>, Unreadable> {
    input::read_given(path).map_err(|error| {
        let Diagnostic { code, message, .. } = input::unreadable(path, &error);
        let mut unreadable = Unreadable::new(code, message);
        if error.kind() == ErrorKind::IsADirectory {
            unreadable.help = Some("name the .abc file of a module".to_string());
        }
        unreadable
    })
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
