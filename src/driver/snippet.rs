//! A text that stands for a file: it is looked at, or compiled and interpreted, and what it prints is kept. For tests
//! of functions, and for the interactive command.

use crate::driver::input;
use crate::driver::interpret;
use crate::driver::pipeline::{self, Compiled, Stop};
use crate::driver::session::{Outcome, Session};
use crate::driver::trace;
use crate::languages;
use crate::languages::frontend::{Names, Workspace};
use cleave_diag::{Sink, SourceMap};
use cleave_ir::Module;
use cleave_strict::ide::{LazyPlaces, Query};
use std::path::Path;

/// What may have to stand after a name that one types, so that the rest can be read.
pub const BEHIND: [&str; 5] = ["", ";", " -> 0", ")", ");"];

/// What a program did.
#[derive(Debug)]
pub struct Ran {
    /// What it wrote to stdout.
    pub output: String,
    /// What it wrote to stderr, and why it was stopped.
    pub message: String,
    pub status: i32,
}

/// The names of a text, as editors ask for them, and what is wrong with it. `typed` is the name that somebody types.
pub fn look(path: &Path, text: &str, typed: Option<&'static str>) -> Option<(LazyPlaces, SourceMap, Sink)> {
    let language = languages::by_path(path)?;
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let file = sources.add(path.display().to_string(), text.as_bytes().to_vec());
    let workspace = Workspace { read: &|path| input::read(path) };
    let question = Query { file, typed, near: None };
    let places = language.look(&workspace, (file, path), &mut sources, &mut sink, question)?;
    Some((places, sources, sink))
}

/// Compiles a text as if it stood in the file; `points` name stages whose text is wanted.
pub fn compile(session: &mut Session, path: &Path, text: &str, stop: Stop, points: &[String]) -> Outcome<Compiled> {
    session.replaced = Some((path.to_path_buf(), text.as_bytes().to_vec()));
    let loaded = languages::load(session, path)?;
    pipeline::compile(session, loaded, stop, points)
}

/// The same, and interprets it.
pub fn run(session: &mut Session, path: &Path, text: &str) -> Outcome<Ran> {
    session.options.print = cleave_goopea::Print::Constructors;
    session.options.error_lines = true;
    let mut compiled = compile(session, path, text, Stop::High, &[])?;
    let names = compiled.names.take();
    Ok(interpreted(&compiled.into_ir(), names.as_deref()))
}

/// Interprets a program, and keeps what it prints; `names` are for its errors.
pub fn interpreted(module: &Module, names: Option<&dyn Names>) -> Ran {
    let outcome = interpret::captured(module);
    let mut message = String::from_utf8_lossy(&outcome.stderr).into_owned();
    if let Some(trap) = &outcome.trap {
        message += &interpret::describe(trap);
        message.push('\n');
    }
    let status = interpret::status_of(outcome.trap.as_ref(), outcome.status);
    if trace::is_error(outcome.trap.as_ref(), status) {
        message += &trace::of_interpreted(names, &outcome.active);
    }
    Ran { output: String::from_utf8_lossy(&outcome.stdout).into_owned(), message, status }
}

/// The text at a point of the pipeline.
pub fn snapshot(compiled: &Compiled, point: &str) -> Result<String, String> {
    let found = compiled.snapshots.iter().find(|snapshot| snapshot.0 == point);
    found.map(|snapshot| snapshot.1.clone()).ok_or_else(|| "this pass did nothing, or the language has no tree".into())
}
