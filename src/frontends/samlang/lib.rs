//! Front end for samlang: classes, generics, closures, strings.
//!
//! ```text
//! text ─ lex ─▶ words ─ parse ─▶ syntax tree (modules: what is imported) ─ declare: classes, members ─▶ world
//!      ─ check: bodies ─▶ hir, generic ─ recursion ─ instances: what `Main.main` needs ─▶ typed tree (cleave-strict) ─▶ IR
//! ```
//! All errors of a program are reported at once: those of its words and its syntax, or else those of its names and
//! types. Errors are collected in a sink; there is a program only if there are none.

mod built_in;
mod check;
mod checked;
mod conform;
mod declare;
mod format;
mod hir;
mod instances;
pub mod lex;
mod look;
mod modules;
pub mod parse;
mod recursion;
pub mod syntax;
mod types;
mod unknown;
mod world;

pub use checked::Checked;
pub use format::format;
pub use look::look;
pub use modules::Files;

use check::notes::Notes;
use cleave_diag::{FileId, Sink, SourceMap};
use cleave_ir::{Builder, Func, Heap, Module, Signature};
use cleave_strict::Translated;
use cleave_strict::core_ir::Program;
use lex::Names;
use world::World;

/// Reads a program: the file `main` of `sources`, a module of this name, and what it imports from `files`.
pub fn check(
    name: &str,
    main: FileId,
    files: &mut dyn Files,
    sources: &mut SourceMap,
    sink: &mut Sink,
) -> Option<Checked> {
    let mut names = Names::default();
    let modules = modules::load((name, main), files, sources, &mut names, sink);
    if sink.has_errors() {
        return None;
    }
    let world = declare::declare(modules, &mut names, sink);
    let checked = bodies(world, names, sink, None);
    if sink.has_errors() {
        return None;
    }
    recursion::check(&checked, sink);
    if sink.has_errors() { None } else { Some(checked) }
}

/// Checks all bodies.
fn bodies(mut world: World, names: Names, sink: &mut Sink, mut notes: Option<&mut Notes>) -> Checked {
    let ids = (0..world.members.len() as u32).map(world::MemberId);
    let mut bodies = Vec::with_capacity(world.members.len());
    for id in ids {
        // The tree stays as it is; only what is known of types grows.
        let modules = std::mem::take(&mut world.modules);
        let member = world.member(id);
        let (module, class) = world.class(member.class).source;
        let syntax = modules.get(module).and_then(|module| module.classes[class].members.get(member.source));
        let body = syntax.and_then(|member| Some((member, member.body.as_ref()?)));
        let checked = body.map(|(member, body)| {
            let head = (&member.params[..], member.result.span);
            check::check(&mut world, &names, sink, body, head, id, notes.as_deref_mut())
        });
        bodies.push(checked);
        world.modules = modules;
    }
    Checked { names, world, bodies }
}

/// What the program needs, for the types with which it needs it.
pub fn instantiate(name: &str, checked: &Checked, sink: &mut Sink) -> Option<Program> {
    instances::program(name, checked, sink)
}

/// The IR of a program: it calls `Main.main`.
///
/// With the files that it came from, the IR says where its instructions come from.
pub fn translate(program: &Program, heap: Heap, sources: Option<&SourceMap>) -> Module {
    let Translated { mut module, data, functions } = cleave_strict::translate(program, heap, sources);
    let mut func = Func::new(".start", Signature::default());
    let entry = func.new_block();
    let mut b = Builder::new(&mut func, entry);
    let results = data.ir_types(&program.functions[program.main].results);
    b.call(functions[program.main], &[], &results);
    b.ret(&[]);
    module.start = Some(module.funcs.push(func));
    module
}
