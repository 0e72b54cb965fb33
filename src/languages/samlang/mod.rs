//! samlang: a program is a module with those that it imports, which lie beside it or in the library.

mod lexemes;
mod prompt;
mod sconfig;
mod templates;

use crate::driver::ffi::{Need, Symbols};
use crate::driver::input;
use crate::driver::output::reason;
use crate::driver::pipeline::BUILD;
use crate::driver::session::{ErrorReported, Outcome, Session};
use crate::languages::frontend::{self, Formatter, Frontend, Loaded, Template, TestProgram, Translated, Workspace};
use crate::languages::prompt::Prompt;
use crate::languages::source_file;
use crate::languages::source_names::Names;
use cleave_diag::{Diagnostic, FileId, Sink, SourceMap, code};
use cleave_passes::rc_insertion::Reuse;
use cleave_samlang::Files;
use cleave_strict::core_ir::Program;
use cleave_strict::ide::{LazyPlaces, Query, Symbol};
use cleave_strict::lexemes::Lexemes;
use sconfig::Project;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The ending of sources.
const EXTENSION: &str = "sam";

/// The language.
pub struct Samlang;

/// A program without errors.
struct Checked {
    program: Program,
    modules: usize,
}

/// The files of a project, or else of a folder and of those around it.
struct Folder<'f> {
    path: &'f Path,
    project: Option<Project>,
    workspace: Workspace<'f>,
}

impl Folder<'_> {
    /// A file that is perhaps there.
    fn file(&self, path: &Path) -> Result<Option<(String, Vec<u8>)>, String> {
        match (self.workspace.read)(path) {
            Ok(bytes) => Ok(Some((path.display().to_string(), bytes))),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(reason(&error)),
        }
    }

    /// Folders around the main module: those that have the folder `a` in which it lies, if it imports `a.Other`.
    fn roots(&self, path: &Path) -> Vec<PathBuf> {
        let Some(first) = path.components().next().filter(|_| path.components().count() > 1) else { return Vec::new() };
        let Some(whole) = sconfig::whole(self.path) else { return Vec::new() };
        let named = whole.ancestors().filter(|folder| folder.file_name() == Some(first.as_os_str()));
        let roots = named.filter_map(Path::parent).map(Path::to_path_buf);
        if self.path.is_absolute() { roots.collect() } else { roots.map(sconfig::near).collect() }
    }
}

impl Files for Folder<'_> {
    fn root(&self) -> Option<&Path> {
        self.project.as_ref().map(|project| &*project.root)
    }

    fn shadows_library(&self) -> bool {
        self.project.as_ref().is_none_or(|project| project.shadows)
    }

    fn read(&mut self, path: &Path) -> Result<Option<(String, Vec<u8>)>, String> {
        if let Some(project) = &self.project {
            let Some(file) = project.file(path) else {
                let is_there = project.root.join(path).is_file() && !is_of_library(path);
                return if is_there { Err(sconfig::IGNORED.to_string()) } else { Ok(None) };
            };
            return self.file(&file);
        }
        for folder in std::iter::once(self.path.to_path_buf()).chain(self.roots(path)) {
            let found = self.file(&folder.join(path))?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// The library has a module with this path.
fn is_of_library(path: &Path) -> bool {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let name = parts.join(".");
    cleave_samlang_library::MODULES.iter().any(|module| name.strip_suffix(".sam") == Some(module.0))
}

/// The folder of a main module.
fn folder(main: &Path) -> &Path {
    main.parent().unwrap_or(Path::new(""))
}

/// The file that is meant: it is named, or a module of the project around here, or the program of the project that a
/// folder belongs to.
fn locate(main: &Path) -> Result<PathBuf, String> {
    let path = source_file::path_of(main, EXTENSION);
    if path.is_file() {
        return Ok(path);
    }
    let name = main.to_str().unwrap_or_default();
    let found = if main.is_dir() {
        let Some(project) = Project::around(main)? else { return Ok(path) };
        let program = match &project.entry_points[..] {
            [program] => program,
            [] => return Err(Project::no_entry_points()),
            [first, ..] => {
                let names = project.entry_points.join("`, `");
                return Err(format!(
                    "the project has several programs, `{names}`: name one of them, as in `cleave run {first}`"
                ));
            }
        };
        let found = project.module(program);
        if found.as_ref().is_none_or(|found| !found.is_file()) {
            return Err(project.no_program(program));
        }
        found
    } else if name.contains(['/', '\\']) {
        None
    } else {
        Project::around(Path::new(""))?.and_then(|project| project.module(name))
    };
    Ok(found.filter(|found| found.is_file()).unwrap_or(path))
}

impl Frontend for Samlang {
    fn name(&self) -> &'static str {
        "samlang"
    }

    fn editor_name(&self) -> &'static str {
        "samlang"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[EXTENSION]
    }

    fn is_there(&self, _: &Session, main: &Path) -> bool {
        locate(main).map_or(true, |path| path.is_file())
    }

    fn load(&self, session: &mut Session, main: &Path) -> Outcome<Box<dyn Loaded>> {
        let wrong = |problem: String| Diagnostic::error(code::FILE_UNREADABLE, problem);
        let path = locate(main).map_err(|problem| session.fail(wrong(problem)))?;
        let project = Project::around(folder(&path)).map_err(|problem| session.fail(wrong(problem)))?;
        let (file, name) = source_file::read(session, &path)?;
        let workspace = Workspace { read: &|path| input::read(path) };
        let mut files = Folder { path: folder(&path), project, workspace };
        let Session { sources, sink, options, .. } = session;
        let before = sources.files().len();
        let checked = cleave_samlang::check_exporting(&options.exports, &name, file, &mut files, sources, sink);
        let modules = 1 + sources.files().len() - before;
        let program = checked.and_then(|mut checked| {
            cleave_samlang::import(&mut checked, &options.imports, file, sink);
            cleave_samlang::instantiate(&name, &checked, sink)
        });
        sink.sort();
        Ok(Box::new(Checked { program: program.ok_or(ErrorReported)?, modules }))
    }

    fn look(
        &self,
        &Workspace { read }: &Workspace<'_>,
        (main, path): (FileId, &Path),
        sources: &mut SourceMap,
        sink: &mut Sink,
        question: Query,
    ) -> Option<LazyPlaces> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let project = Project::around(folder(path)).ok().flatten();
        let mut files = Folder { path: folder(path), project, workspace: Workspace { read } };
        Some(cleave_samlang::analyze(&name, main, &mut files, sources, sink, question))
    }

    fn lexemes(&self, text: &[u8]) -> Option<Lexemes> {
        Some(lexemes::samlang(text))
    }

    fn imports_classes(&self) -> bool {
        true
    }

    fn takes_arguments(&self) -> bool {
        false
    }

    fn formatter(&self) -> Option<Formatter> {
        Some(cleave_samlang::format)
    }

    fn upgrader(&self) -> Option<Formatter> {
        Some(cleave_samlang::upgrade)
    }

    fn template(&self) -> Option<Template> {
        Some(templates::TEMPLATE)
    }

    fn test_program(&self, file: &str, symbols: &[Symbol], test: &Symbol, name: &str) -> TestProgram {
        templates::test_program(file, symbols, test, name)
    }

    fn prompt(&self) -> Option<&'static dyn Prompt> {
        Some(&prompt::SamlangPrompt)
    }

    fn library(&self) -> &'static [(&'static str, &'static str)] {
        &cleave_samlang_library::MODULES
    }

    fn has_exports(&self) -> bool {
        true
    }

    fn has_imports(&self) -> bool {
        true
    }

    fn named_by<'l>(&self, line: &'l str) -> Option<&'l str> {
        let (_, path) = line.trim().strip_prefix("import")?.rsplit_once(" from ")?;
        Some(path.trim().trim_end_matches(';'))
    }
}

impl Loaded for Checked {
    fn module_count(&self) -> usize {
        self.modules
    }

    fn needs(&self, _: &Session) -> Vec<Need> {
        Vec::new()
    }

    fn core(&self, sources: Option<&SourceMap>) -> Option<String> {
        Some(cleave_strict::pretty::program(&self.program, sources))
    }

    fn translate(self: Box<Self>, session: &mut Session, _: Symbols<'_>) -> Outcome<Translated> {
        let Session { timing, options, sources, .. } = session;
        // No word of the language asks for it.
        options.reuse.get_or_insert(Reuse::All);
        let heap = options.memory.unwrap_or(cleave_strict::HEAP);
        let has_names = options.trace || options.error_lines;
        let names = has_names.then(|| Box::new(Names::of(&self.program, sources)) as Box<dyn frontend::Names>);
        let sources = (options.locations || has_names).then_some(&*sources);
        let module = timing.time(BUILD, || cleave_samlang::translate(&self.program, heap, sources));
        Ok(Translated { module, calls: Vec::new(), names })
    }
}
