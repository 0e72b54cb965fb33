//! The verifier: what must hold of a function in each phase, checked without changing anything. It runs after every
//! pass in debug builds, so it allocates little and makes texts only for errors.
//!
//! `structure` checks the graph (blocks, edges, dominance, phases), `types` the operands against the opcode table and
//! the signatures, `gc` that no reference crosses a safepoint in rooted code, and no address of an object in any. Each
//! relies on the ones before it: the first that finds errors is the last to run.
//!
//! A function that was taken out of its module (`std::mem::take`) may be verified against that module: a call of the
//! empty function that was left there is taken for a call of itself.

pub mod counts;
pub mod declarations;
mod elements;
pub mod gc;
pub mod holes;
mod interface;
mod meant;
mod peeks;
mod report;
pub mod shapes;
mod structure;
pub mod translation;
mod types;

use crate::cfg::Cfg;
use crate::entity::{FuncId, Static, Table};
use crate::func::{Func, Phase};
use crate::heap::PerHeap;
use crate::layout::{DescriptorKind, SMALL_INT_MAX, SMALL_INT_MIN};
use crate::module::{DescData, Module, StaticData, StaticField, StaticNode, TableRole, ThunkKind};
use crate::opcode::Opcode;
use crate::raises;
use crate::strategy::RootStrategy;
use crate::types::{Signature, Type};
use crate::written_fields::WrittenFields;
use cleave_abi::Effects;
use rustc_hash::{FxHashMap, FxHashSet};

pub use report::{Item, Location, NO_IMMEDIATES, VerifyError, is_safepoint};
use report::{MAX_ERRORS, Sink};
pub(crate) use report::{callee, type_list};

/// Parameters of a function from outside: what C promises, and less than engines take.
const MAX_OUTSIDE: usize = 127;

/// What each heap demands of the references of a function that is structurally correct and well typed.
const FUNC_RULES: PerHeap<fn(&Module, &Func, &Cfg) -> Result<(), Vec<VerifyError>>> = [traced, counted];
/// What each heap demands beyond single functions.
const MODULE_RULES: PerHeap<fn(&Module) -> Vec<(FuncId, &'static str)>> = [|_| Vec::new(), conventions];

/// No reference crosses a safepoint but in a slot of the frame. Lowered, only frames of the machine have values to look
/// at.
fn traced(module: &Module, func: &Func, cfg: &Cfg) -> Result<(), Vec<VerifyError>> {
    match func.phase != Phase::Low || func.roots == Some(RootStrategy::Stackmap) {
        true => gc::check_with(module, func, cfg),
        false => Ok(()),
    }
}

/// Each owned reference is consumed exactly once on every path.
fn counted(module: &Module, func: &Func, cfg: &Cfg) -> Result<(), Vec<VerifyError>> {
    if func.phase == Phase::Rooted { counts::check_with(module, func, cfg) } else { Ok(()) }
}

/// Checks one function against the rules of its phase.
pub fn verify_func(module: &Module, func: &Func) -> Result<(), Vec<VerifyError>> {
    let cfg = structure::check(module, func)?;
    types::check(module, func)?;
    FUNC_RULES[module.heap as usize](module, func, &cfg)
}

/// Checks all functions, and the other items of the module.
pub fn verify_module(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    verify_items(module, &mut errors);
    errors.extend(declarations::externs(module, &[]));
    let is_contiguous = module.descs.values().any(|desc| desc.contiguous);
    let indirects = module.thunk_infos.values().any(|entry| entry.kind == ThunkKind::Indirection);
    for func in module.funcs.values() {
        match verify_func(module, func) {
            Err(more) => errors.extend(more),
            Ok(()) => {
                if is_contiguous {
                    errors.extend(copies_of_cells(module, func));
                }
                if module.blackhole_info.is_none() || !indirects {
                    errors.extend(cells_without_entry(module, func, indirects));
                }
            }
        }
        if errors.len() >= MAX_ERRORS {
            break;
        }
    }
    if errors.is_empty() {
        errors = holes::check(module);
        errors.extend(raising_thunks(module));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Evaluation raises nothing.
fn raising_thunks(module: &Module) -> impl Iterator<Item = VerifyError> {
    raises::thunks(module).into_iter().map(|(id, code, what)| {
        let (label, name) = (&module.thunk_infos[id].label, &module.funcs[code].name);
        let message = format!("&{label}: @{name} may {what}: handle it there");
        VerifyError { func: String::new(), at: Location::Item(Item::ThunkInfo(id)), inst: String::new(), message }
    })
}

/// Whoever copies a cell over another does not know what it holds: perhaps a node that does not fit.
fn copies_of_cells(module: &Module, func: &Func) -> Vec<VerifyError> {
    let mut sink = Sink::new(module, func);
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            if func.insts[inst].op == Opcode::FillCopy || func.insts[inst].op.is_update() {
                let message = "copies any node over a cell, in a module with contiguous descriptors";
                sink.push(Location::Inst(block, inst), message.into());
            }
        }
    }
    sink.errors
}

/// Marked cells have the entry that the module names for them, indirections the one of their kind: who makes such
/// cells must have it.
fn cells_without_entry(module: &Module, func: &Func, indirects: bool) -> Vec<VerifyError> {
    let mut sink = Sink::new(module, func);
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            let (op, at) = (func.insts[inst].op, Location::Inst(block, inst));
            if (op == Opcode::Blackhole || op == Opcode::BuildDummy) && module.blackhole_info.is_none() {
                sink.push(at, "the module does not say which info blackholes have (`blackhole &thunk`)".into());
            }
            if op == Opcode::MakeIndirection && !indirects {
                sink.push(at, "the module has no thunk of kind `indirection`".into());
            }
        }
    }
    sink.errors
}

/// A static node has the fields of its descriptor, and refers only to nodes and strings before it.
fn static_node(module: &Module, id: Static, node: &StaticNode) -> Result<(), String> {
    if !module.descs.is_valid(node.desc) {
        return Err(format!("{} does not exist", node.desc));
    }
    use DescriptorKind::{Array, Foreign, String};
    if matches!(module.descs[node.desc].kind, String | Array | Foreign) {
        return Err("strings, arrays and objects of the host are no static nodes".into());
    }
    let (ptrs, nptrs) = module.payload(node.desc, node.applied_args);
    if node.applied_args > module.descs[node.desc].arity {
        return Err(format!("the descriptor does not hold {} arguments", node.applied_args));
    }
    if (node.ptrs.len(), node.nptrs.len()) != (ptrs as usize, nptrs as usize) {
        return Err(format!("the descriptor has {ptrs} references and {nptrs} words"));
    }
    for &field in &node.ptrs {
        match field {
            StaticField::Object(object) => match module.statics.get(object) {
                Some(StaticData::String(_) | StaticData::Node(_)) if object < id => {}
                _ => return Err(format!("{object} is no node or string before it")),
            },
            StaticField::Node(desc) if !module.descs.is_valid(desc) => return Err(format!("{desc} does not exist")),
            StaticField::Node(desc) if module.payload(desc, 0) != (0, 0) => {
                return Err(format!("{desc} has no static node"));
            }
            StaticField::Int(n) if !(SMALL_INT_MIN..=SMALL_INT_MAX).contains(&n) => {
                return Err(format!("{n} is no small integer"));
            }
            StaticField::Int(_) | StaticField::Char(_) | StaticField::Bool(_) if module.heap.counts() => {
                return Err("boxed values have no count of references".into());
            }
            StaticField::Node(_) | StaticField::Int(_) | StaticField::Char(_) | StaticField::Bool(_) => {}
        }
    }
    Ok(())
}

fn verify_items(module: &Module, errors: &mut Vec<VerifyError>) {
    let mut error = |item: Item, message: String| {
        errors.push(VerifyError { func: String::new(), at: Location::Item(item), inst: String::new(), message })
    };
    let mut seen: FxHashMap<(char, &str), ()> = FxHashMap::default();
    let funcs = module.funcs.iter().map(|(id, func)| (Item::Func(id), '@', &func.name));
    let names = funcs
        .chain(module.descs.iter().map(|(id, desc)| (Item::Desc(id), '$', &desc.label)))
        .chain(module.thunk_infos.iter().map(|(id, entry)| (Item::ThunkInfo(id), '&', &entry.label)))
        .chain(module.cafs.iter().map(|(id, caf)| (Item::Caf(id), '^', &caf.label)))
        .chain(module.tables.iter().map(|(id, table)| (Item::Table(id), '%', &table.label)));
    for (item, sigil, name) in names {
        if seen.insert((sigil, name), ()).is_some() {
            error(item, format!("{sigil}{name} is defined twice"));
        }
    }
    for (id, desc) in &module.descs {
        if !declarations::is_last_none(desc)
            && let Err(message) = dispatched(module, desc)
        {
            let help = declarations::other_places(module, desc);
            error(Item::Desc(id), format!("${}: {message}{help}", desc.label));
        }
        if desc.kind == DescriptorKind::Record && desc.record.is_none() {
            error(Item::Desc(id), format!("${}: a record has `fields`", desc.label));
        }
        if let Some(message) = declarations::descriptor(module, desc) {
            error(Item::Desc(id), format!("${}: {message}", desc.label));
        }
        if desc.contiguous && desc.callable {
            error(
                Item::Desc(id),
                format!("${}: a closure grows by copies of other shapes: it cannot be contiguous", desc.label),
            );
        }
        let mut nested = desc.record.iter().flat_map(|r| &r.nested);
        if let Some(unknown) = nested.find(|&&d| !module.descs.is_valid(d)) {
            error(Item::Desc(id), format!("${}: nested {unknown} does not exist", desc.label));
        }
    }
    for (func, message) in MODULE_RULES[module.heap as usize](module) {
        error(Item::Func(func), format!("@{}: {message}", module.funcs[func].name));
    }
    for (id, data) in &module.statics {
        if let StaticData::Node(node) = data
            && let Err(message) = static_node(module, id, node)
        {
            error(Item::Static(id), format!("{id}: {message}"));
        }
    }
    for (id, data) in module.externs.iter().filter(|(_, data)| data.from.is_some()) {
        // Who calls entries meanwhile may collect.
        let calls_back = if module.entries.is_empty() { Effects::PURE } else { Effects::MAY_GC };
        let permitted = Effects::EFFECT.and(Effects::NORETURN).and(calls_back);
        if data.effects.0 & !permitted.0 != 0 {
            let message = "a function from outside is `pure`, or has `effect` or `noreturn`";
            error(Item::Extern(id), format!("extern {}: {message}", data.name));
        }
        if data.results.len() > 1 || data.params.iter().chain(&*data.results).any(|&ty| ty == Type::Ref) {
            let message = "a function from outside takes numbers, and returns one or nothing";
            error(Item::Extern(id), format!("extern {}: {message}", data.name));
        }
        if data.params.len() > MAX_OUTSIDE {
            let message = format!("a function from outside takes {MAX_OUTSIDE} numbers at most");
            error(Item::Extern(id), format!("extern {}: {message}", data.name));
        }
    }
    if let Some(id) = module.blackhole_info
        && let Some(entry) = module.thunk_infos.get(id)
        && (entry.kind != ThunkKind::Plain || (entry.ptrs, entry.nptrs) != (0, 0))
    {
        let message = "blackholes are plain and hold nothing: what their cells held is gone";
        error(Item::ThunkInfo(id), format!("&{}: {message}", entry.label));
    }
    let eval = Module::eval_signature();
    for (id, entry) in &module.thunk_infos {
        match module.funcs.get(entry.code) {
            None => error(Item::ThunkInfo(id), format!("&{}: {} does not exist", entry.label, entry.code)),
            Some(code) if code.signature != eval => {
                error(
                    Item::ThunkInfo(id),
                    format!("&{}: @{} has the signature {}, not {eval}", entry.label, code.name, code.signature),
                );
            }
            Some(code) if !code.takes_stack_pointer => {
                error(Item::ThunkInfo(id), format!("&{}: @{} is a gc_leaf", entry.label, code.name))
            }
            Some(_) => {}
        }
        if let Some(update) = entry.update
            && let Err(message) = has_signature(module, update, &Signature::ptrs(2))
        {
            error(Item::ThunkInfo(id), format!("&{}: {message}", entry.label));
        }
        if entry.kind != ThunkKind::Plain && (entry.ptrs, entry.nptrs) != (1, 0) {
            let message = "the collector takes its one reference: it holds that, and no words";
            error(Item::ThunkInfo(id), format!("&{}: {message}", entry.label));
        }
        if entry.desc.is_some_and(|d| !module.descs.is_valid(d)) {
            error(Item::ThunkInfo(id), format!("&{}: its descriptor does not exist", entry.label));
        }
    }
    for (id, table) in &module.tables {
        let wanted = match table.role {
            TableRole::Apply(missing) => Some(Signature::ptrs(missing + 1)),
            TableRole::Update => Some(Signature::ptrs(2)),
            TableRole::Method | TableRole::Plain => None,
        };
        if let Some(wanted) = wanted
            && table.signature != wanted
        {
            error(Item::Table(id), format!("%{}: its signature is {}, not {wanted}", table.label, table.signature));
        }
        for &func in &table.funcs {
            match module.funcs.get(func) {
                None => error(Item::Table(id), format!("%{}: {func} does not exist", table.label)),
                Some(f) if f.signature != table.signature => error(
                    Item::Table(id),
                    format!("%{}: @{} has the signature {}, not {}", table.label, f.name, f.signature, table.signature),
                ),
                Some(f) if !f.takes_stack_pointer => {
                    error(Item::Table(id), format!("%{}: @{} is a gc_leaf", table.label, f.name))
                }
                Some(_) => {}
            }
        }
    }
    if let Some(start) = module.start {
        match module.funcs.get(start) {
            None => error(Item::Start, format!("start: {start} does not exist")),
            Some(f) if f.signature != Default::default() => error(
                Item::Start,
                format!("the start function takes and returns nothing: @{} has the signature {}", f.name, f.signature),
            ),
            Some(_) => {}
        }
    }
    interface::interface(module, &mut error);
    if module.blackhole_info.is_some_and(|e| !module.thunk_infos.is_valid(e)) {
        error(Item::Cycle, "blackhole: its thunk info does not exist".into());
    }
}

/// The functions that rows of a descriptor lead to.
fn dispatched(module: &Module, desc: &DescData) -> Result<(), String> {
    for (applied_args, &func) in desc.apply.iter().enumerate() {
        let Some(func) = func else { continue };
        match desc.arity.checked_sub(applied_args as u32) {
            Some(missing) if missing > 0 => has_signature(module, func, &Signature::ptrs(missing + 1))?,
            _ => return Err(format!("nothing is missing where {applied_args} arguments are held")),
        }
    }
    let Some((table, func)) = desc.method else { return Ok(()) };
    let Some(data) = module.tables.get(table) else { return Err(format!("{table} does not exist")) };
    if data.role != TableRole::Method {
        return Err(format!("%{} is no table of instances", data.label));
    }
    has_signature(module, func, &data.signature)
}

/// Functions of the reference-counted heap that do not keep the convention of a table in which they stand: all of these
/// borrow the same parameters as the first one in its list, and fill no holes. Code of closures that no table lists
/// borrows nothing. Lowered, all of them only take words.
fn conventions(module: &Module) -> Vec<(FuncId, &'static str)> {
    let mut found = Vec::new();
    let listed = module.tables.iter().flat_map(|(table, data)| data.funcs.iter().map(move |&func| (table, func)));
    let listed: FxHashSet<(Table, FuncId)> = listed.collect();
    for (table, func) in listed.iter().copied().chain(module.descs.values().filter_map(|desc| desc.method)) {
        let Some(data) = module.funcs.get(func).filter(|data| data.phase != Phase::Low) else { continue };
        let list = module.tables.get(table).map_or(&[][..], |table| &table.funcs);
        let first = list.first().filter(|_| listed.contains(&(table, func)));
        let borrows = first.and_then(|&first| module.funcs.get(first)).map_or(&[][..], |first| &first.borrows);
        if data.borrows[..] != *borrows {
            found.push((func, "it borrows other parameters than what stands in a table with it"));
        }
        if !data.holes.is_empty() {
            found.push((func, "what is called through a table fills no hole"));
        }
    }
    let has_peeks =
        |func: &Func| func.insts.values().any(|data| matches!(data.op, Opcode::ElemRef | Opcode::PeekCafRef));
    let rooted = || module.funcs.iter().filter(|(_, func)| func.phase == Phase::Rooted);
    if !WrittenFields::of(module).has_no_references() || rooted().any(|(_, func)| has_peeks(func)) {
        let writes = peeks::Writes::of(module);
        let wrong = rooted().filter(|(_, func)| writes.is_stale(module, func));
        found.extend(wrong.map(|(id, _)| (id, "what it reads is used after it may have been overwritten")));
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn has_signature(module: &Module, func: FuncId, wanted: &Signature) -> Result<(), String> {
    match module.funcs.get(func) {
        None => Err(format!("{func} does not exist")),
        Some(data) if data.signature != *wanted => {
            Err(format!("@{} has the signature {}, not {wanted}", data.name, data.signature))
        }
        Some(_) => Ok(()),
    }
}
