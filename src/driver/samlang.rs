//! samlang: a program is a module with those that it imports, which lie beside it or in the library.

use crate::driver::ffi::{Need, Symbols};
use crate::driver::frontend::{self, Formatter, Frontend, Loaded, Translated, Workspace};
use crate::driver::input;
use crate::driver::output::reason;
use crate::driver::pipeline::BUILD;
use crate::driver::session::{ErrorReported, Outcome, Session};
use crate::driver::source_file;
use crate::driver::source_names::Names;
use cleave_diag::{FileId, Sink, SourceMap};
use cleave_passes::rc_insertion::Reuse;
use cleave_samlang::Files;
use cleave_strict::core_ir::Program;
use cleave_strict::ide::{Places, Query};
use std::io::ErrorKind;
use std::path::Path;

/// The ending of sources.
const EXTENSION: &str = "sam";

/// The language.
pub struct Samlang;

/// A program without errors.
struct Checked {
    program: Program,
    modules: usize,
}

/// The files of a folder, and of those around it up to the root of a workspace.
struct Folder<'f> {
    path: &'f Path,
    workspace: Workspace<'f>,
}

impl Files for Folder<'_> {
    fn read(&mut self, path: &Path) -> Result<Option<(String, Vec<u8>)>, String> {
        let is_inside = |folder: &&Path| self.workspace.root.is_some_and(|root| folder.starts_with(root));
        let around = self.path.ancestors().skip(1).take_while(is_inside);
        for folder in std::iter::once(self.path).chain(around) {
            let path = folder.join(path);
            match (self.workspace.read)(&path) {
                Ok(bytes) => return Ok(Some((path.display().to_string(), bytes))),
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
                Err(error) => return Err(reason(&error)),
            }
        }
        Ok(None)
    }
}

/// The folder of a main module.
fn folder(main: &Path) -> &Path {
    main.parent().unwrap_or(Path::new(""))
}

impl Frontend for Samlang {
    fn extensions(&self) -> &'static [&'static str] {
        &[EXTENSION]
    }

    fn is_there(&self, _: &Session, main: &Path) -> bool {
        source_file::path_of(main, EXTENSION).is_file()
    }

    fn load(&self, session: &mut Session, main: &Path) -> Outcome<Box<dyn Loaded>> {
        let path = source_file::path_of(main, EXTENSION);
        let (file, name) = source_file::read(session, &path)?;
        let workspace = Workspace { read: &|path| input::read(path), root: None };
        let mut files = Folder { path: folder(&path), workspace };
        let Session { sources, sink, .. } = session;
        let before = sources.files().len();
        let checked = cleave_samlang::check(&name, file, &mut files, sources, sink);
        let modules = 1 + sources.files().len() - before;
        let program = checked.and_then(|checked| cleave_samlang::instantiate(&name, &checked, sink));
        sink.sort();
        Ok(Box::new(Checked { program: program.ok_or(ErrorReported)?, modules }))
    }

    fn look(
        &self,
        &Workspace { read, root }: &Workspace<'_>,
        (main, path): (FileId, &Path),
        sources: &mut SourceMap,
        sink: &mut Sink,
        question: Query,
    ) -> Option<Places> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut files = Folder { path: folder(path), workspace: Workspace { read, root } };
        Some(cleave_samlang::look(&name, main, &mut files, sources, sink, question))
    }

    fn formatter(&self) -> Option<Formatter> {
        Some(cleave_samlang::format)
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
        let names = options.trace.then(|| Box::new(Names::of(&self.program, sources)) as Box<dyn frontend::Names>);
        let sources = options.locations.then_some(&*sources);
        let module = timing.time(BUILD, || cleave_samlang::translate(&self.program, heap, sources));
        Ok(Translated { module, calls: Vec::new(), names })
    }
}
