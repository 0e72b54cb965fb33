//! Which modules a program has: the main one, and what is imported from there on. `path.to.Module` is the file
//! `path/to/Module.sam` in the folder of the main module, or else a module of the library.

use crate::lex::{Names, lex};
use crate::parse::parse;
use crate::syntax::Module;
use cleave_diag::{Diagnostic, FileId, MAX_FILE_BYTES, Sink, SourceMap, code, nearest};
use cleave_samlang_library::{MODULES, TEXT};
use std::path::{Path, PathBuf};

/// The name of a module of every program, which nobody can import.
pub const HIDDEN: &str = "built-in text";

/// Where modules come from.
pub trait Files {
    /// A module by its path in the folder of the main module, and the name that messages show. Nothing if there is no
    /// such file, a reason if it cannot be read.
    fn read(&mut self, path: &Path) -> Result<Option<(String, Vec<u8>)>, String>;
}

/// Reads the main module, which others import by `name`, and all that it needs. The main module comes first.
pub fn load(
    (name, main): (&str, FileId),
    files: &mut dyn Files,
    sources: &mut SourceMap,
    names: &mut Names,
    sink: &mut Sink,
) -> Vec<Module> {
    let mut modules = vec![read(name, main, sources, names, sink)];
    let mut asked: Vec<String> = vec![name.to_string()];
    let mut next = 0;
    while next < modules.len() {
        let imports: Vec<_> = modules[next].imports.iter().map(|import| (import.module.clone(), import.span)).collect();
        next += 1;
        for (name, span) in imports {
            if asked.contains(&name) {
                continue;
            }
            asked.push(name.clone());
            let path: PathBuf = name.split('.').collect();
            let path = path.with_extension("sam");
            let found = files.read(&path).map(|found| {
                let library = MODULES.iter().find(|module| module.0 == name);
                found.or(library.map(|(name, text)| (format!("<library>/{name}.sam"), text.as_bytes().to_vec())))
            });
            let problem = match found {
                Ok(Some((_, bytes))) if bytes.len() > MAX_FILE_BYTES => "the file is too large".to_string(),
                Ok(Some((shown, bytes))) => {
                    let file = sources.add(shown, bytes);
                    modules.push(read(&name, file, sources, names, sink));
                    continue;
                }
                Ok(None) => format!("there is no file `{}` beside the main module", path.display()),
                Err(reason) => format!("`{}` cannot be read: {reason}", path.display()),
            };
            sink.report_in(span.file, || {
                let message = format!("there is no module `{name}`");
                let near = nearest(name.as_bytes(), MODULES.iter().map(|module| module.0.as_bytes()));
                let near = near.map(|near| format!("did you mean `{}`?", String::from_utf8_lossy(near)));
                let diagnostic = Diagnostic::error(code::IMPORT_NOT_FOUND, message).at(span, "").help(problem);
                near.into_iter().fold(diagnostic, Diagnostic::help)
            });
        }
    }
    let file = sources.add("<library>/text.sam", TEXT.as_bytes().to_vec());
    modules.push(read(HIDDEN, file, sources, names, sink));
    modules
}

fn read(name: &str, file: FileId, sources: &SourceMap, names: &mut Names, sink: &mut Sink) -> Module {
    let bytes = &sources.file(file).bytes;
    let tokens = lex(file, bytes, names, None, sink);
    parse(name, bytes, file, &tokens, names, sink)
}
