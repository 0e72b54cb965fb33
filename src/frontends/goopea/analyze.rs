//! Analysis of a program for editors: what its names refer to, what it defines, and completions. Errors do not stop it:
//! what can be read is checked as if the rest were not there. `notes` is what is written down.

use crate::collect_items::{BuiltIn, Definitions};
use crate::ide_index::Notes;
use crate::lex::Names;
use crate::lints;
use crate::preprocess::Files;
use crate::typeck::Checker;
use cleave_diag::{FileId, Sink, SourceMap};
use cleave_strict::ide::{Places, Query};
use std::path::Path;

/// Checks the program in the file `main` of `sources`, which came from `path`, and answers a question about it.
pub fn analyze(
    main: FileId,
    path: &Path,
    files: &mut dyn Files,
    sources: &mut SourceMap,
    sink: &mut Sink,
    question: Query,
) -> Places {
    let mut names = Names::default();
    let built_in = BuiltIn::new(&mut names);
    let tree = crate::parsed(main, path, files, sources, &mut names, sink);
    let typed = question.typed.map(|typed| names.name(typed));
    let mut notes = Notes { file: question.file, typed, places: Places::default() };
    // Nothing is said of what only follows from a file that is not there.
    let mut unheard = Sink::new();
    let sink = if tree.is_whole { sink } else { &mut unheard };
    let all = Definitions::collect(&tree, &names, &built_in, false, sink);
    let mut checker = Checker::new(&tree, &all, sources, sink, Some(&mut notes));
    let bounds = question.bounds(tree.functions.iter().map(|function| function.span));
    let (functions, found) = crate::checked(&mut checker, &tree, |span| question.wants(&bounds, span));
    if question.near.is_none()
        && !sink.has_errors()
        && let Some(start) = all.function(built_in.main)
    {
        sink.merge(found.mapped(|one| one.primary.iter().any(|label| label.span.file == main).then_some(one)));
        lints::functions(&functions, &tree, std::iter::once(start), main, sink);
    }
    if question.near.is_none() {
        notes.definitions(&tree, &all);
    }
    if typed.is_some() {
        notes.places.is_exact = !notes.places.candidates.is_empty();
        if !notes.places.is_exact {
            notes.offer_definitions(&all);
        }
        notes.places.sort();
    }
    notes.places
}
