//! GOOPEA: a program is one file, with those that it includes.

mod prompt;
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
use cleave_diag::{FileId, Sink, SourceMap};
use cleave_goopea::Files;
use cleave_strict::core_ir::Program;
use cleave_strict::ide::{LazyPlaces, Query, Symbol};
use cleave_strict::lexemes::Lexemes;
use std::path::Path;

/// The ending of sources.
const EXTENSION: &str = "goo";

/// The language.
pub struct Goopea;

/// A program without errors.
struct Checked(Program);

/// The files that a program includes.
struct Included<'i>(&'i dyn Fn(&Path) -> std::io::Result<Vec<u8>>);

impl Files for Included<'_> {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        (self.0)(path).map_err(|error| reason(&error))
    }
}

impl Frontend for Goopea {
    fn name(&self) -> &'static str {
        "GOOPEA"
    }

    fn editor_name(&self) -> &'static str {
        "goopea"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[EXTENSION]
    }

    fn is_there(&self, _: &Session, main: &Path) -> bool {
        source_file::path_of(main, EXTENSION).is_file()
    }

    fn load(&self, session: &mut Session, main: &Path) -> Outcome<Box<dyn Loaded>> {
        let path = source_file::path_of(main, EXTENSION);
        let (file, name) = source_file::read(session, &path)?;
        let Session { sources, sink, options, .. } = session;
        let mut files = Included(&|path| input::read(path));
        let exports = &options.exports;
        let program = cleave_goopea::read_exporting(exports, &name, file, &path, &mut files, sources, sink);
        sink.sort();
        Ok(Box::new(Checked(program.ok_or(ErrorReported)?)))
    }

    fn look(
        &self,
        workspace: &Workspace<'_>,
        (main, path): (FileId, &Path),
        sources: &mut SourceMap,
        sink: &mut Sink,
        question: Query,
    ) -> Option<LazyPlaces> {
        let places = cleave_goopea::analyze(main, path, &mut Included(workspace.read), sources, sink, question);
        Some(LazyPlaces::new(Box::new(|| places)))
    }

    fn lexemes(&self, text: &[u8]) -> Option<Lexemes> {
        Some(cleave_goopea::lexemes(text))
    }

    fn takes_arguments(&self) -> bool {
        false
    }

    fn formatter(&self) -> Option<Formatter> {
        Some(cleave_goopea::format)
    }

    fn template(&self) -> Option<Template> {
        Some(templates::TEMPLATE)
    }

    fn test_program(&self, file: &str, symbols: &[Symbol], test: &Symbol, name: &str) -> TestProgram {
        templates::test_program(file, symbols, test, name)
    }

    fn prompt(&self) -> Option<&'static dyn Prompt> {
        Some(&prompt::GoopeaPrompt)
    }

    fn has_exports(&self) -> bool {
        true
    }

    fn named_by<'l>(&self, line: &'l str) -> Option<&'l str> {
        Some(line.trim().strip_prefix("#include")?.trim())
    }

    fn has_signature_lines(&self) -> bool {
        true
    }
}

impl Loaded for Checked {
    fn module_count(&self) -> usize {
        1
    }

    fn needs(&self, _: &Session) -> Vec<Need> {
        Vec::new()
    }

    fn core(&self, sources: Option<&SourceMap>) -> Option<String> {
        Some(cleave_strict::pretty::program(&self.0, sources))
    }

    fn translate(self: Box<Self>, session: &mut Session, _: Symbols<'_>) -> Outcome<Translated> {
        let Session { timing, options, sources, .. } = session;
        let has_names = options.trace || options.error_lines;
        let names = has_names.then(|| Box::new(Names::of(&self.0, sources)) as Box<dyn frontend::Names>);
        let sources = (options.locations || has_names).then_some(&*sources);
        let module = timing.time(BUILD, || cleave_goopea::translate(&self.0, options.print, sources));
        Ok(Translated { module, calls: Vec::new(), names })
    }
}
