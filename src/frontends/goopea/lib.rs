//! Front end for GOOPEA, a strict first-order functional language whose programs can ask for updates in place.
//!
//! ```text
//! text ─ preprocess ─▶ lines of all files ─ lex ─▶ tokens ─ parse, expressions ─▶ syntax tree
//!      ─ collect_items, typeck, match_check ─▶ core IR (cleave-strict) ─▶ IR, with a start function (print_main)
//! ```
//! All errors of a program are reported at once. Of a definition that cannot be read only that is said, and nothing of
//! what others take from it. Errors are collected in a sink; there is a program only if there are none.

mod analyze;
mod arguments;
mod collect_items;
mod declared;
mod exports;
mod expressions;
mod foreign;
mod format;
mod given;
mod heads;
mod ide_index;
mod lex;
mod lexemes;
mod lints;
mod match_check;
mod misfits;
mod misplaced;
mod mistakes;
mod parse;
mod patterns;
mod preprocess;
mod print_main;
mod renamed;
mod slips;
mod syntax;
mod typeck;
mod wrong;

pub use analyze::analyze;
pub use format::format;
pub use lexemes::lexemes;
pub use preprocess::Files;
pub use print_main::Print;

use cleave_diag::{FileId, Sink, SourceMap, Span};
use cleave_ir::{EntityRef, Module, PrimaryMap};
use cleave_strict::Exports;
use cleave_strict::core_ir::{self, DataType, FunctionId, Program, TypeId};
use lex::{Names, Token, TokenKind};
use std::path::Path;

/// Reads a program: the file `main` of `sources`, which came from `path`, and what it includes.
pub fn read(
    name: &str,
    main: FileId,
    path: &Path,
    files: &mut dyn Files,
    sources: &mut SourceMap,
    sink: &mut Sink,
) -> Option<Program> {
    read_exporting(&Exports::None, name, main, path, files, sources, sink)
}

/// The same for a file from which others call functions: it needs no main function.
pub fn read_exporting(
    exports: &Exports,
    name: &str,
    main: FileId,
    path: &Path,
    files: &mut dyn Files,
    sources: &mut SourceMap,
    sink: &mut Sink,
) -> Option<Program> {
    let mut names = Names::default();
    let built_in = collect_items::BuiltIn::new(&mut names);
    let tree = parsed(main, path, files, sources, &mut names, sink);
    if !tree.is_whole {
        return None;
    }
    let is_library = exports.is_library();
    let all = collect_items::Definitions::collect(&tree, &names, &built_in, is_library, sink);
    let mut checker = typeck::Checker::new(&tree, &all, sources, sink, None);
    let (functions, found) = checked(&mut checker, &tree, |_| true);
    if sink.has_errors() {
        return None;
    }
    sink.merge(found);
    let start = all.function(built_in.main).filter(|_| !is_library);
    let types: PrimaryMap<TypeId, DataType> = all.data_types().collect();
    let interface = exports::interface(exports, &tree, &all, &functions, &types, main, sink);
    if sink.has_errors() {
        return None;
    }
    // A library may be a program as well.
    let called = interface.exports.iter().map(|export| export.function).chain(all.function(built_in.main));
    lints::functions(&functions, &tree, called, main, sink);
    let functions = functions.into_iter().collect();
    Some(Program {
        name: name.to_string(),
        int_bits: INT_BITS,
        types,
        bool_type: collect_items::TRUTH,
        functions,
        closures: PrimaryMap::new(),
        texts: PrimaryMap::new(),
        main: start,
        interface,
    })
}

/// Checks those functions that are wanted, and looks for what may not be meant in them. What is declared wrong is said
/// there, and nothing of what uses it.
fn checked(
    checker: &mut typeck::Checker,
    tree: &syntax::Tree,
    is_wanted: impl Fn(Span) -> bool,
) -> (Vec<core_ir::Function>, Sink) {
    let before = checker.sink.clone();
    let found = check_twice(checker, tree, &is_wanted);
    let is_whole = tree.functions.iter().all(|function| is_wanted(function.span));
    let errors = checker.sink.error_count() - before.error_count();
    if is_whole
        && (errors > 1 || errors == 1 && declared::has_wrong_number(tree, checker.all))
        && let Some((all, mut said)) = declared::find(tree, checker.all, checker.sources, &before)
    {
        check_twice(&mut typeck::Checker::new(tree, &all, checker.sources, &mut said, None), tree, is_wanted);
        *checker.sink = said;
    }
    found
}

/// Where a function gives something else than its type says, all are checked once more: nothing is said of who calls
/// it.
fn check_twice(
    checker: &mut typeck::Checker,
    tree: &syntax::Tree,
    is_wanted: impl Fn(Span) -> bool,
) -> (Vec<core_ir::Function>, Sink) {
    let before = checker.sink.clone();
    let found = check_once(checker, tree, &is_wanted);
    checker.wrong = [Vec::new(), std::mem::take(&mut checker.wrong[0])];
    checker.doubted = [Vec::new(), std::mem::take(&mut checker.doubted[0])];
    if checker.wrong[1].is_empty() && checker.doubted[1].is_empty() {
        return found;
    }
    *checker.sink = before;
    let notes = checker.notes.take();
    let found = check_once(checker, tree, &is_wanted);
    checker.notes = notes;
    found
}

fn check_once(
    checker: &mut typeck::Checker,
    tree: &syntax::Tree,
    is_wanted: impl Fn(Span) -> bool,
) -> (Vec<core_ir::Function>, Sink) {
    let mut found = Sink::new();
    let functions = tree.functions.iter().enumerate().filter(|(_, source)| is_wanted(source.span));
    let functions = functions.map(|(number, source)| {
        let errors = checker.sink.has_errors();
        let function = checker.function(FunctionId::new(number), source);
        if !errors && !checker.sink.has_errors() {
            lints::function(&function, &checker.places, &mut found);
        }
        function
    });
    (functions.collect(), found)
}

/// Reads the words of a program and its syntax.
fn parsed(
    main: FileId,
    path: &Path,
    files: &mut dyn Files,
    sources: &mut SourceMap,
    names: &mut Names,
    sink: &mut Sink,
) -> syntax::Tree {
    let pieces = preprocess::expand(main, path, files, sources, sink);
    // Without a file that is included hardly a name is known.
    let is_whole = !sink.has_errors();
    let mut tokens = Vec::new();
    for piece in &pieces {
        lex::lex(piece.file, &sources.file(piece.file).bytes, piece.start, piece.end, names, &mut tokens, sink);
    }
    let length = sources.file(main).bytes.len() as u32;
    tokens.push(Token { kind: TokenKind::End, span: Span::new(main, length, length), starts_line: true, indent: 0 });
    syntax::Tree { is_whole, ..parse::parse(&tokens, names, sink) }
}

/// Bits of an integer.
const INT_BITS: u32 = 63;

/// The IR of a program: it prints the value of `main`, unless it is a library. Its references are counted: what `fip`
/// asks for has a meaning there only.
///
/// With the files that it came from, the IR says where its instructions come from.
pub fn translate(program: &Program, print: Print, sources: Option<&SourceMap>) -> Module {
    let mut translated = cleave_strict::translate(program, cleave_strict::HEAP, sources);
    if let Some(main) = program.main {
        print_main::start(program, main, &mut translated, print);
    }
    translated.module
}
