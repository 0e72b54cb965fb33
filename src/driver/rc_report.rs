//! Reports on reference counting and reuse: `check --memory-report`, hints in editors, and the errors of
//! `--fip=checked`.

use crate::driver::session::{ErrorReported, Outcome, Session};
use cleave_diag::{Diagnostic, SourceMap, Span, code};
use cleave_ir::source::{Location, ModuleSource};
use cleave_ir::{Block, Func, Inst, Module, Value};
use cleave_passes::lower_apply;
use cleave_passes::rc_insertion::report::{Built, Memory, Summary, Why, summarise};
use cleave_passes::rc_insertion::{self, RcInsertion, Reuse, Unsupported};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What is said of something that the reference-counted heap refuses.
pub fn refused(what: &Unsupported) -> Diagnostic {
    Diagnostic::error(code::NOT_REFCOUNTED, format!("references cannot be counted: {what}"))
        .help("leave out --memory=rc, or `heap rc` in the IR: the copying collector can do it")
}

/// The functions of a program as their author wrote them, with its references counted.
fn counted(session: &mut Session, module: &Module, rc_insertion: RcInsertion, reuse: Reuse) -> Outcome<Module> {
    if let Err(what) = rc_insertion::check(module) {
        let message = format!("references cannot be counted: {what}");
        return Err(session.fail(Diagnostic::error(code::NOT_REFCOUNTED, message)));
    }
    let mut module = module.clone();
    module.heap = cleave_strict::HEAP;
    lower_apply::run(&mut module);
    rc_insertion::run(&mut module, rc_insertion, reuse);
    Ok(module)
}

/// Of each function what its constructors do, who owns its parameters, and what it releases. Places in other files than
/// the main one have the names of these.
pub fn report(session: &mut Session, module: &Module, main: &str) -> Outcome<String> {
    let reuse = session.options.reuse.unwrap_or_default();
    let module = counted(session, module, session.options.rc_insertion, reuse)?;
    let mut out = String::new();
    for summary in summarise(&module, |func| reuse.holds(func)) {
        function(&module, main, &summary, &mut out);
    }
    for (bytes, widened) in module.cell_sizes.bytes() {
        let _ = writeln!(out, "cells of {bytes} bytes have {widened}: they are written over larger ones");
    }
    Ok(out)
}

fn function(module: &Module, main: &str, summary: &Summary, out: &mut String) {
    let func = summary.func;
    let words = |owned: bool| {
        let params = summary.params.iter().filter(|param| param.1 == owned);
        params.map(|param| name(func, param.0)).collect::<Vec<_>>().join(", ")
    };
    let _ = write!(out, "{}", func.name);
    if func.fip {
        out.push_str(", fip");
    }
    for (what, names) in [("owns", words(true)), ("borrows", words(false))] {
        if !names.is_empty() {
            let _ = write!(out, ", {what} {names}");
        }
    }
    out.push('\n');
    let mut lines: Vec<(Location, String)> =
        summary.built.iter().map(|built| constructor(module, func, built)).collect();
    for released in &summary.released {
        let place = nearest(func, released.block, released.at);
        lines.push((place, format!("{} is released", name(func, released.value))));
    }
    for late in &summary.late {
        let before = shown(module, main, func.location(late.consumes));
        let value = name(func, late.value);
        let line = format!("{value} is only looked at: before {before} this would leave its cells to be used again");
        lines.push((func.location(late.looks), line));
    }
    lines.sort_by_key(|line| line.0);
    for (place, line) in lines {
        let place = shown(module, main, place);
        let _ = writeln!(out, "  {place:<7} {line}");
    }
}

/// A constructor's place, and where its memory is from.
fn constructor(module: &Module, func: &Func, built: &Built) -> (Location, String) {
    let name = String::from_utf8_lossy(&module.descs[func.insts[built.inst].desc()].name).into_owned();
    let constructor = name.rsplit('.').next().unwrap_or(&name);
    (func.location(built.inst), format!("{constructor} {}", becomes(func, built)))
}

/// Of each constructor of a file that needs memory, by its place: where that is from. Of a function that is there for
/// several types each is told.
pub fn constructors(session: &mut Session, module: &Module, file: &str) -> Outcome<BTreeSet<(Location, String)>> {
    let reuse = session.options.reuse.unwrap_or_default();
    let rc_insertion = session.options.rc_insertion;
    let files = module.source.as_ref().map_or(&[][..], |source| &source.files);
    let is_here = |place: Location| place.is_known() && files.get(usize::from(place.file)).is_some_and(|at| at == file);
    let [asked, all] = [reuse, Reuse::All].map(|reuse| counted(session, module, rc_insertion, reuse));
    let (asked, all) = (asked?, all?);
    let mut found = BTreeSet::new();
    // Constructors are the same, in the same order.
    for (summary, other) in summarise(&asked, |func| reuse.holds(func)).iter().zip(summarise(&all, |_| true)) {
        for (built, possible) in summary.built.iter().zip(&other.built) {
            let (place, mut text) = constructor(&asked, summary.func, built);
            match (&built.memory, &possible.memory) {
                (Memory::Atom, _) => continue,
                (Memory::New(Why::NotAsked), Memory::Reused(node) | Memory::Larger(node)) => {
                    text += &format!(", and could take the memory of {} (--reuse=all)", name(other.func, *node));
                }
                (Memory::New(Why::NotAsked), Memory::New(why)) => text += &reason(other.func, why),
                _ => {}
            }
            if is_here(place) {
                found.insert((place, text));
            }
        }
    }
    Ok(found)
}

/// A place as line and column, behind the name of its file unless that is the main one.
fn shown(module: &Module, main: &str, place: Location) -> String {
    let files = module.source.as_ref().map_or(&[][..], |source| &source.files);
    match files.get(usize::from(place.file)).filter(|_| place.is_known()) {
        None if place.is_known() => format!("{}:{}", place.line, place.column),
        None => "-".into(),
        Some(file) if file == main => format!("{}:{}", place.line, place.column),
        Some(file) => format!("{file}:{}:{}", place.line, place.column),
    }
}

fn becomes(func: &Func, built: &Built) -> String {
    match &built.memory {
        Memory::Atom => "is an atom".into(),
        Memory::Reused(node) => format!("takes the memory of {}", name(func, *node)),
        Memory::Larger(node) => format!("takes the memory of {}, which is larger", name(func, *node)),
        Memory::New(why) => format!("is new{}", reason(func, why)),
    }
}

fn reason(func: &Func, why: &Why) -> String {
    match why {
        Why::NotAsked => String::new(),
        Why::Nothing => ": no cell is taken apart before".into(),
        Why::OtherSize(node) => format!(": {} has another size", name(func, *node)),
        Why::Taken(node) => format!(": another constructor takes the memory of {}", name(func, *node)),
        Why::Needed(node) => format!(": {} is still needed", name(func, *node)),
    }
}

/// The name of a value in the source.
fn name(func: &Func, value: Value) -> String {
    let names = func.source.iter().flat_map(|source| &source.names);
    names
        .rev()
        .find(|named| named.value == value)
        .map_or("a value without a name".into(), |named| format!("`{}`", named.name))
}

/// The place of an instruction, or of the nearest one in its block that has one.
fn nearest(func: &Func, block: Block, at: usize) -> Location {
    let place = |&inst: &Inst| Some(func.location(inst)).filter(|place| place.is_known());
    let (before, behind) = func.blocks[block].insts.split_at(at);
    before.iter().rev().find_map(place).or_else(|| behind.iter().find_map(place)).unwrap_or(Location::NONE)
}

/// Reports the constructors of functions marked `fip` that need new memory.
pub fn check(session: &mut Session, module: &Module) -> Outcome {
    let module = counted(session, module, RcInsertion::Precise, Reuse::Fip)?;
    let mut found = Vec::new();
    for Summary { func, built, .. } in summarise(&module, |func| func.fip).iter().filter(|summary| summary.func.fip) {
        for built in built {
            let Memory::New(why) = &built.memory else { continue };
            let message = format!("`{}` is marked fip, but this cell is new{}", func.name, reason(func, why));
            found.push((func.location(built.inst), message));
        }
    }
    found.sort_by_key(|found| found.0);
    let is_fine = found.is_empty();
    for (place, message) in found {
        let mut error = Diagnostic::error(code::NOT_IN_PLACE, message);
        if let Some(span) = module.source.as_deref().and_then(|source| span(&session.sources, source, place)) {
            error = error.at(span, "");
        }
        session.sink.report(error.help("leave out `fip`, or build as many cells as are taken apart"));
    }
    if is_fine { Ok(()) } else { Err(ErrorReported) }
}

/// The word at a place.
fn span(sources: &SourceMap, module: &ModuleSource, place: Location) -> Option<Span> {
    let name = module.files.get(usize::from(place.file)).filter(|_| place.is_known())?;
    let (id, file) = sources.files().find(|(_, file)| file.name == *name)?;
    let text = std::str::from_utf8(&file.bytes).ok()?;
    let before = text.split_inclusive('\n').take(place.line as usize - 1).map(str::len).sum::<usize>();
    let start = before + text[before..].char_indices().nth(usize::from(place.column) - 1)?.0;
    let word = text[start..].bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    Some(Span::new(id, start as u32, (start + word.max(1)) as u32))
}
