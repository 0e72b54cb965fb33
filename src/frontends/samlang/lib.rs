//! Front end for samlang: classes, generics, closures, strings.
//!
//! ```text
//! text ─ lex ─▶ tokens ─ parse ─▶ syntax tree (modules: what is imported; dialect: of 2021, or today's)
//!      ─ collect_items: classes, members ─▶ program ─ check: bodies ─▶ hir, generic ─ recursion
//!      ─ monomorphize: what `Main.main` needs ─▶ core IR (cleave-strict) ─▶ IR
//! ```
//! All errors of a program are reported at once. Where the syntax of a member has an error nothing else is said of
//! it, and nothing of names that it may define; the others are checked. Errors are collected in a sink; there is a
//! program only if there are none.

mod analyze;
mod built_in;
mod check;
mod collect_items;
mod counts;
mod declared;
mod dialect;
mod did_you_mean;
mod format;
mod hir;
mod imports;
mod interface_check;
pub mod lex;
mod library_variants;
mod lints;
mod modules;
mod monomorphize;
pub mod parse;
mod program;
mod recursion;
mod resolve;
pub mod syntax;
mod typed_program;
mod types;
mod upgrade;

pub use analyze::analyze;
pub use format::format;
pub use modules::Files;
pub use typed_program::TypedProgram;
pub use upgrade::upgrade;

use check::notes::Notes;
use cleave_diag::{Diagnostic, FileId, Sink, SourceMap, Span, code};
use cleave_ir::{Builder, Func, Heap, Module, Signature};
use cleave_strict::core_ir;
use cleave_strict::ide::Query;
use cleave_strict::imports::ImportedClass;
use cleave_strict::{Exports, Translated};
use hir::Hir;
use lex::{Name, Names};
use program::{MemberId, Program};
use rustc_hash::FxHashSet;
use types::Ty;

/// Reads a program: the file `main` of `sources`, a module of this name, and what it imports from `files`.
pub fn check(
    name: &str,
    main: FileId,
    files: &mut dyn Files,
    sources: &mut SourceMap,
    sink: &mut Sink,
) -> Option<TypedProgram> {
    check_exporting(&Exports::None, name, main, files, sources, sink)
}

/// The same for a module from which others call functions: it needs no main function.
pub fn check_exporting(
    exports: &Exports,
    name: &str,
    main: FileId,
    files: &mut dyn Files,
    sources: &mut SourceMap,
    sink: &mut Sink,
) -> Option<TypedProgram> {
    let mut names = Names::default();
    let modules = modules::load((name, main), files, sources, &mut names, sink);
    let program = collect_items::collect_items(modules, exports.is_library(), &mut names, sink);
    let mut typed = bodies(program, (names, sources), sink, None, None);
    if sink.has_errors() {
        return None;
    }
    recursion::check(&typed, sink);
    typed.exports = monomorphize::exports::find(&typed, exports, main, sink);
    if typed.program.main.is_none() && !exports.is_library() && !sink.has_errors() {
        let start = Span::new(main, 0, 0);
        sink.report_in(main, || {
            let help = "a program is `class Main { function main(): unit = … }`";
            let message = "there is no function `Main.main`, so this is no program; nothing else is wrong with it";
            Diagnostic::error(code::MISSING_MAIN, message).at(start, "").help(help)
        });
    }
    if sink.has_errors() {
        return None;
    }
    lints::check(&typed, None, sources, sink);
    Some(typed)
}

/// Functions of these classes come from the host: it has them in place of their bodies, and is not given them.
pub fn import(typed: &mut TypedProgram, classes: &[ImportedClass], main: FileId, sink: &mut Sink) {
    let imports = monomorphize::exports::imported(typed, classes, main, sink);
    typed.exports.retain(|id| !imports.iter().any(|import| import.0 == *id));
    typed.imports = imports;
}

/// What checking bodies adds to.
struct State {
    sink: Sink,
    unmet: FxHashSet<(Ty, Ty)>,
    reported: FxHashSet<(FileId, Name)>,
    misplaced: FxHashSet<MemberId>,
    doubted: FxHashSet<MemberId>,
}

impl State {
    fn of(sink: &Sink, program: &Program) -> State {
        State {
            sink: sink.clone(),
            unmet: program.unmet.clone(),
            reported: program.reported.clone(),
            misplaced: program.misplaced.clone(),
            doubted: program.doubted.clone(),
        }
    }

    /// As it was then, but for the messages.
    fn restore(&self, program: &mut Program) {
        program.unmet.clone_from(&self.unmet);
        program.reported.clone_from(&self.reported);
        program.misplaced.clone_from(&self.misplaced);
        program.doubted.clone_from(&self.doubted);
        program.mismatches.clear();
        program.counts.clear();
    }
}

/// Checks all bodies, or those that a question asks for. What is declared wrong is said there. Where a body gives
/// something else than its type says, its callers are looked at once more, so that nothing is said that only follows
/// from it.
fn bodies(
    mut program: Program,
    (names, sources): (Names, &SourceMap),
    sink: &mut Sink,
    notes: Option<&mut Notes>,
    question: Option<Query>,
) -> TypedProgram {
    let bounds = question.map(|question| (question, question.bounds(program.members.iter().filter_map(|it| it.span))));
    let is_wanted = |span: Span| bounds.as_ref().is_none_or(|(question, bounds)| question.wants(bounds, span));
    program.find_half_read();
    let mut before = State::of(sink, &program);
    let mut bodies = each_body(&mut program, (&names, sources), sink, notes, is_wanted);
    let is_whole = question.is_none_or(|question| question.near.is_none());
    let declared =
        if is_whole { declared::find(&mut program, (&names, sources), sink, &mut before) } else { Vec::new() };
    if program.doubted.is_empty() {
        // Of a body with errors nobody knows what it should give.
        if let Some(unseen) = program.unseen_result.clone().filter(|_| !sink.has_errors()) {
            sink.report(unseen);
        }
    } else {
        let doubted = std::mem::take(&mut program.doubted);
        before.restore(&mut program);
        program.doubted = doubted;
        *sink = before.sink;
        bodies = each_body(&mut program, (&names, sources), sink, None, is_wanted);
    }
    declared::restore(&mut program, declared);
    TypedProgram { names, program, bodies, exports: Vec::new(), imports: Vec::new() }
}

fn each_body(
    program: &mut Program,
    (names, sources): (&Names, &SourceMap),
    sink: &mut Sink,
    mut notes: Option<&mut Notes>,
    is_wanted: impl Fn(Span) -> bool,
) -> Vec<Option<Hir>> {
    let ids = (0..program.members.len() as u32).map(MemberId);
    let mut bodies = Vec::with_capacity(program.members.len());
    // The tree stays as it is; only what is known of types grows.
    let modules = std::mem::take(&mut program.modules);
    for id in ids {
        let member = program.member(id);
        let (module, class) = program.class(member.class).source;
        let syntax = modules.get(module).and_then(|module| module.classes[class].members.get(member.source));
        let syntax = syntax.filter(|it| member.span.is_some_and(&is_wanted) && !program.is_unreadable(it.span));
        let body = syntax.and_then(|member| Some((member, member.body.as_ref()?)));
        let typed = body.map(|(member, body)| {
            let head = (&member.params[..], member.result.span);
            check::check(program, (names, sources), sink, body, head, id, notes.as_deref_mut())
        });
        bodies.push(typed);
    }
    program.modules = modules;
    bodies
}

/// What the program needs, for the types with which it needs it.
pub fn instantiate(name: &str, typed: &TypedProgram, sink: &mut Sink) -> Option<core_ir::Program> {
    monomorphize::program(name, typed, sink)
}

/// The IR of a program: it calls `Main.main`, unless it is a library.
///
/// With the files that it came from, the IR says where its instructions come from.
pub fn translate(program: &core_ir::Program, heap: Heap, sources: Option<&SourceMap>) -> Module {
    let Translated { mut module, data, functions } = cleave_strict::translate(program, heap, sources);
    let Some(main) = program.main else { return module };
    let mut func = Func::new(".start", Signature::default());
    let entry = func.new_block();
    let mut b = Builder::new(&mut func, entry);
    let results = data.ir_types(&program.functions[main].results);
    b.call(functions[main], &[], &results);
    b.ret(&[]);
    module.start = Some(module.funcs.push(func));
    module
}
