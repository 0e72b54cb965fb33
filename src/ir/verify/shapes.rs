//! Shapes of nodes and thunks that fit nothing of the module: only the text form asks, whose authors write them down
//! by hand. Which node a value is cannot be known in general; that no node at all has a shape can.

use super::report::{Item, Location, Sink, VerifyError};
use crate::entity::{FuncId, Inst, ThunkInfo};
use crate::func::{Func, Phase};
use crate::module::{DescData, Module, WellKnownDesc};
use crate::opcode::{Field, Opcode};
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// References, then words.
type Payload = (u32, u32);

/// What the text form says of shapes, and nothing in the module fits.
pub fn check(module: &Module) -> Vec<VerifyError> {
    let mut errors = thunks(module);
    errors.extend(uncallable(module));
    let shapes = shapes_of_nodes(module);
    for func in module.funcs.values().filter(|func| func.phase != Phase::Low) {
        let mut sink = Sink::new(module, func);
        for (at, inst) in instructions(func) {
            if let Some(message) = accessed(func, inst, &shapes) {
                sink.push(at, message);
            }
        }
        errors.extend(sink.errors);
    }
    errors
}

/// Descriptors with functions for `apply` that are never called, as nothing is applied to their nodes.
fn uncallable(module: &Module) -> impl Iterator<Item = VerifyError> {
    let is_it = |desc: &DescData| !desc.callable && desc.apply.iter().any(Option::is_some);
    module.descs.iter().filter(move |(_, desc)| is_it(desc)).map(|(id, desc)| {
        let message =
            format!("${}: `apply` needs the word `callable` before it: no other nodes are applied", desc.label);
        VerifyError { func: String::new(), at: Location::Item(Item::Desc(id)), inst: String::new(), message }
    })
}

/// Descriptors whose nodes have a shape.
#[derive(Default)]
struct Known<'m> {
    contiguous: Option<&'m str>,
    /// One that is not contiguous; and such a one that is none of those that every module has.
    split: Option<&'m str>,
    own: Option<&'m str>,
}

fn shapes_of_nodes(module: &Module) -> FxHashMap<Payload, Known<'_>> {
    let mut shapes: FxHashMap<Payload, Known> = FxHashMap::default();
    let is_own = |desc: &DescData| WellKnownDesc::ALL.iter().all(|known| known.label() != desc.label);
    for desc in module.descs.values() {
        // Fewer arguments than there are have closures alone, which are not contiguous.
        let first = if desc.contiguous || desc.record.is_some() { desc.arity } else { 0 };
        for applied_args in first..=desc.arity {
            let known = shapes.entry(desc.payload(applied_args)).or_default();
            let place = if desc.contiguous { &mut known.contiguous } else { &mut known.split };
            place.get_or_insert(&desc.label);
            known.own = known.own.or((!desc.contiguous && is_own(desc)).then_some(&desc.label));
        }
    }
    shapes
}

/// What is wrong with the shape that an access of a field names.
fn accessed(func: &Func, inst: Inst, shapes: &FxHashMap<Payload, Known>) -> Option<String> {
    let data = &func.insts[inst];
    if Field::of(data.op)?.is_of_thunk() {
        return None;
    }
    let shape = data.field_shape();
    let known = shapes.get(&(shape.ptrs, shape.nptrs))?;
    let written = format!("({}, {})", shape.ptrs, shape.nptrs);
    match (shape.contiguous, known.contiguous, if shape.contiguous { known.own } else { known.split }) {
        (false, Some(label), None) => {
            let message = format!("nodes of the shape `{written}` are those of `${label}` alone, which are contiguous");
            Some(format!("{message}: did you mean `contiguous {written}`?"))
        }
        (true, None, Some(label)) => {
            let message =
                format!("the shape `contiguous {written}` has no node: those of `${label}` are not contiguous");
            Some(format!("{message}: did you mean `{written}`?"))
        }
        _ => None,
    }
}

fn instructions(func: &Func) -> impl Iterator<Item = (Location, Inst)> + '_ {
    let of_block = move |&block| func.blocks[block].insts.iter().map(move |&inst| (Location::Inst(block, inst), inst));
    func.layout.iter().flat_map(of_block)
}

/// The code of a thunk, which nothing else calls, reads other arguments than its thunks have.
fn thunks(module: &Module) -> Vec<VerifyError> {
    let mut infos: FxHashMap<FuncId, Vec<ThunkInfo>> = FxHashMap::default();
    for (id, info) in &module.thunk_infos {
        infos.entry(info.code).or_default().push(id);
    }
    if infos.is_empty() {
        return Vec::new();
    }
    let mut called: FxHashSet<FuncId> = module.listed_funcs().collect();
    let calls = module.funcs.values().flat_map(|func| func.insts.values().filter_map(|data| data.called_func()));
    called.extend(calls);
    let mut errors = Vec::new();
    for (id, func) in module.funcs.iter().filter(|(id, func)| !called.contains(id) && func.phase != Phase::Low) {
        let Some([info]) = infos.get(&id).map(|infos| &infos[..]) else { continue };
        let data = &module.thunk_infos[*info];
        let (declared, label) = ((data.ptrs, data.nptrs), &data.label);
        let Some(&thunk) = func.entry.and_then(|entry| func.params(entry).first()) else { continue };
        let is_read = |inst: &Inst| {
            let is_argument = Field::of(func.insts[*inst].op).is_some_and(Field::is_of_thunk);
            is_argument && func.args(*inst).first() == Some(&thunk)
        };
        let shape = |inst: Inst| (func.insts[inst].field_shape().ptrs, func.insts[inst].field_shape().nptrs);
        let reads: Vec<(Location, Inst)> = instructions(func).filter(|(_, inst)| is_read(inst)).collect();
        let wrong: Vec<(Location, Inst)> = reads.iter().copied().filter(|&(_, inst)| shape(inst) != declared).collect();
        let Some(&(_, first)) = wrong.first() else { continue };
        let (ptrs, nptrs) = shape(first);
        let is_same = wrong.len() == reads.len() && wrong.iter().all(|&(_, inst)| shape(inst) == (ptrs, nptrs));
        // Whoever makes such thunks says which of the two is meant.
        if is_same && made(module, *info, (ptrs, nptrs)) && !made(module, *info, declared) {
            let message = format!(
                "&{label}: it is declared with `ptrs {} nptrs {}`, but its thunks are made, and read, with `ptrs {ptrs} \
                 nptrs {nptrs}`",
                declared.0, declared.1
            );
            let at = Location::Item(Item::ThunkInfo(*info));
            errors.push(VerifyError { func: String::new(), at, inst: String::new(), message });
            continue;
        }
        let mut sink = Sink::new(module, func);
        for (at, inst) in wrong {
            let (ptrs, nptrs) = shape(inst);
            let fit = format!("`({}, {})`", declared.0, declared.1);
            let message = format!("the thunk is `&{label}`, whose shape is {fit}, not `({ptrs}, {nptrs})`");
            sink.push(at, format!("{message}: did you mean {fit}?"));
        }
        errors.extend(sink.errors);
    }
    errors
}

/// Some instruction makes a thunk with such arguments.
fn made(module: &Module, info: ThunkInfo, (ptrs, nptrs): Payload) -> bool {
    let fits = |func: &Func, inst: Inst| {
        let data = &func.insts[inst];
        let Some((_, first)) = data.built_thunk().filter(|built| built.0 == info) else { return false };
        let args = func.args(inst).get(first..).unwrap_or_default();
        let types = || args.iter().filter_map(|&arg| func.values.get(arg).copied());
        let references = types().take_while(|&ty| ty == Type::Ref).count();
        (references, args.len() - references) == (ptrs as usize, nptrs as usize)
    };
    module.funcs.values().any(|func| {
        func.insts
            .iter()
            .any(|(inst, data)| matches!(data.op, Opcode::BuildThunk | Opcode::FillThunk) && fits(func, inst))
    })
}
