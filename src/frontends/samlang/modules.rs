//! Which modules a program has: the main one, and what is imported from there on. `path.to.Module` is the file
//! `path/to/Module.sam` in the folder of the main module, or else a module of the library.

use crate::dialect::Dialect;
use crate::lex::{Names, lex};
use crate::parse::parse;
use crate::syntax::Module;
use cleave_diag::{Diagnostic, FileId, MAX_FILE_BYTES, Sink, SourceMap, code, nearest};
use cleave_samlang_library::{MODULES, MODULES_OF_2021, TEXT, VEC};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// The names of modules of every program, which nobody can import: functions on strings, and the class `Vec`.
pub const HIDDEN: [&str; 2] = ["built-in text", "built-in vec"];

/// After the names of the library's modules for programs of 2021.
const OF_2021: &str = " of 2021";

/// Modules of the library that samlang's own compiler does not have begin with this.
const OWN: &str = "cleave.";

/// The module with the classes of tuples.
pub const TUPLES: &str = "std.tuples";

/// The name of a module as programs write it.
pub fn shown(name: &str) -> &str {
    name.strip_suffix(OF_2021).unwrap_or(name)
}

/// The name of a module of the library for programs of 2021.
pub fn of_2021(name: &str) -> String {
    format!("{name}{OF_2021}")
}

/// The library's modules for a dialect.
pub fn library(dialect: Dialect) -> &'static [(&'static str, &'static str)] {
    match dialect {
        Dialect::Of2021 => &MODULES_OF_2021,
        Dialect::Today => &MODULES,
    }
}

/// Where modules come from.
pub trait Files {
    /// A module by its path in the folder of the main module, and the name that messages show. Nothing if there is no
    /// such file, a reason if it cannot be read.
    fn read(&mut self, path: &Path) -> Result<Option<(String, Vec<u8>)>, String>;

    /// The folder of all modules, if it need not be that of the main module.
    fn root(&self) -> Option<&Path> {
        None
    }

    /// A file goes before a module of the library that has the same name.
    fn shadows_library(&self) -> bool {
        true
    }
}

struct Loader<'l> {
    files: &'l mut dyn Files,
    sources: &'l mut SourceMap,
    names: &'l mut Names,
    sink: &'l mut Sink,
    modules: Vec<Module>,
    /// What was asked for, and the name of the module that it is.
    asked: FxHashMap<(String, Dialect), Option<String>>,
}

/// Reads the main module and all that it imports, directly or not.
pub fn load(
    (name, main): (&str, FileId),
    files: &mut dyn Files,
    sources: &mut SourceMap,
    names: &mut Names,
    sink: &mut Sink,
) -> Vec<Module> {
    let modules = vec![read(name, main, sources, names, sink)];
    let mut loader = Loader { files, sources, names, sink, modules, asked: FxHashMap::default() };
    for dialect in [Dialect::Of2021, Dialect::Today] {
        loader.asked.insert((name.to_string(), dialect), Some(name.to_string()));
    }
    let mut next = 0;
    loop {
        while next < loader.modules.len() {
            loader.imports(next);
            next += 1;
        }
        let needs_tuples = loader.modules.iter().any(Module::is_today);
        if !needs_tuples || loader.asked.contains_key(&(TUPLES.to_string(), Dialect::Today)) {
            break;
        }
        if loader.find(TUPLES, Dialect::Today).is_err() {
            break;
        }
    }
    let is_today = loader.modules.iter().any(Module::is_today);
    let Loader { sources, names, sink, mut modules, .. } = loader;
    for (at, (file, text)) in [("<library>/text.sam", TEXT), ("<library>/vec.sam", VEC)].into_iter().enumerate() {
        if at == 0 || is_today {
            let file = sources.add(file, text.as_bytes().to_vec());
            let module = read(HIDDEN[at], file, sources, names, sink);
            modules.push(Module { is_library: true, ..module });
        }
    }
    modules
}

impl Loader<'_> {
    /// Reads what a module imports.
    fn imports(&mut self, number: usize) {
        let dialect = self.modules[number].dialect;
        for at in 0..self.modules[number].imports.len() {
            let import = &self.modules[number].imports[at];
            let (name, span) = (import.module.clone(), import.span);
            match self.find(&name, dialect) {
                Ok(Some(found)) => self.modules[number].imports[at].module = found,
                Ok(None) => {}
                Err(problem) => {
                    let beside = self.beside(number, &name);
                    let module = &mut self.modules[number];
                    module.unread.extend(module.imports[at].names.iter().map(|name| name.name));
                    self.sink.report_in(span.file, || {
                        let message = format!("there is no module `{name}`");
                        let near = nearest(name.as_bytes(), library(dialect).iter().map(|module| module.0.as_bytes()));
                        let last = name.rsplit('.').next();
                        let same = library(dialect).iter().find(|module| module.0.rsplit('.').next() == last);
                        let near = near.or(same.map(|module| module.0.as_bytes()));
                        let near = near.map(|near| format!("did you mean `{}`?", String::from_utf8_lossy(near)));
                        let near = beside.map(|it| format!("did you mean `{it}`? names begin at the root")).or(near);
                        let diagnostic = Diagnostic::error(code::IMPORT_NOT_FOUND, message).at(span, "").help(problem);
                        near.into_iter().fold(diagnostic, Diagnostic::help)
                    })
                }
            }
        }
    }

    /// The name of the module that lies beside the importing one under this name.
    fn beside(&mut self, importing: usize, name: &str) -> Option<String> {
        let (folder, _) = self.modules[importing].name.rsplit_once('.')?;
        let whole = format!("{folder}.{name}");
        let path: PathBuf = whole.split('.').collect();
        matches!(self.files.read(&path.with_extension("sam")), Ok(Some(_))).then_some(whole)
    }

    /// The name of the module that a name means in this dialect, which is read now or was before; nothing if it was
    /// said that there is none.
    fn find(&mut self, name: &str, dialect: Dialect) -> Result<Option<String>, String> {
        let key = (name.to_string(), dialect);
        if let Some(found) = self.asked.get(&key) {
            return Ok(found.clone());
        }
        let path: PathBuf = name.split('.').collect();
        let path = path.with_extension("sam");
        let known = library(dialect).iter().find(|module| module.0 == name);
        let found = match known.is_some() && !self.files.shadows_library() {
            true => Ok(None),
            false => self.files.read(&path),
        };
        let is_library = matches!((&found, known), (Ok(None), Some(_)));
        let (own, shown, bytes) = match (found, known) {
            (Ok(Some((shown, bytes))), _) => (name.to_string(), shown, bytes),
            (Ok(None), Some((name, text))) => {
                let own = if dialect == Dialect::Today { name.to_string() } else { of_2021(name) };
                (own, format!("<library>/{name}.sam"), text.as_bytes().to_vec())
            }
            (Ok(None), None) => {
                self.asked.insert(key, None);
                let start = name.rfind('.').map_or(0, |dot| dot + 1);
                let (folder, own) = name.split_at(start);
                let large: String =
                    own.char_indices().map(|(at, c)| if at == 0 { c.to_ascii_uppercase() } else { c }).collect();
                let large = folder.to_string() + &large;
                let whole = name.strip_suffix(".sam").unwrap_or(name);
                let (one, many) = (name.strip_suffix('s').unwrap_or(name), format!("{name}s"));
                for other in [&large[..], whole, one, &many].into_iter().filter(|&other| other != name) {
                    let path: PathBuf = other.split('.').collect();
                    if matches!(self.files.read(&path.with_extension("sam")), Ok(Some(_))) {
                        return Err(format!("did you mean `{other}`?"));
                    }
                }
                return Err(match self.files.root() {
                    Some(root) => format!("there is no file `{}`", root.join(path).display()),
                    None => format!("there is no file `{}` beside the main module", path.display()),
                });
            }
            (Err(reason), _) => {
                self.asked.insert(key, None);
                return Err(format!("`{}` cannot be read: {reason}", path.display()));
            }
        };
        self.asked.insert(key, Some(own.clone()));
        if bytes.len() > MAX_FILE_BYTES {
            return Err("the file is too large".to_string());
        }
        if !self.modules.iter().any(|module| module.name == own) {
            let file = self.sources.add(shown, bytes);
            let mut module = read(&own, file, self.sources, self.names, self.sink);
            module.is_native = is_library && own.starts_with(OWN);
            module.is_library = is_library;
            self.modules.push(module);
        }
        Ok(Some(own))
    }
}

fn read(name: &str, file: FileId, sources: &SourceMap, names: &mut Names, sink: &mut Sink) -> Module {
    let bytes = &sources.file(file).bytes;
    let tokens = lex(file, bytes, names, None, sink);
    parse(name, bytes, file, &tokens, names, sink)
}
