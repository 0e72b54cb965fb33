//! Mistakes in items: descriptors, thunk infos, tables, static objects, flags.

use super::insts::integer;
use crate::mutate::Choices;
use cleave_ir::entity::{Desc, FuncId, Static};
use cleave_ir::layout::DescriptorKind;
use cleave_ir::module::StaticField;
use cleave_ir::{EntityRef, Heap, Module, Phase, StaticData, ThunkKind, WellKnownDesc, libcalls};

/// A number below `count`, if there is one.
fn below(count: usize, choices: &mut Choices) -> Option<usize> {
    (count > 0).then(|| choices.below(count))
}

/// A descriptor of the program's own.
fn own_desc(module: &Module, choices: &mut Choices) -> Option<Desc> {
    let known = WellKnownDesc::ALL.len();
    below(module.descs.len() - known, choices).map(|number| Desc::new(known + number))
}

pub(super) fn descriptor_flag(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(desc) = own_desc(module, choices) else { return false };
    let data = &mut module.descs[desc];
    match choices.below(5) {
        0 | 1 => data.contiguous = !data.contiguous,
        2 => data.callable = !data.callable,
        3 => {
            use DescriptorKind::*;
            data.kind =
                choices.pick(&[Constructor, Record, Int, Char, Bool, Real, String, Array, Empty, ListCell, Tuple]);
        }
        // That no program can tell two of its nodes apart is the front end's duty.
        _ => return std::mem::replace(&mut data.immutable, false),
    }
    true
}

pub(super) fn descriptor_number(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(desc) = own_desc(module, choices) else { return false };
    let data = &mut module.descs[desc];
    let number = choices.pick(&[0, 1, 2, 3, 4, 7, 32]);
    match (choices.below(3), &mut data.record) {
        (0, _) => std::mem::replace(&mut data.tag, number) != number,
        (1, None) => std::mem::replace(&mut data.arity, number) != number,
        (1, Some(record)) => std::mem::replace(&mut record.ptrs, number) != number,
        (_, Some(record)) => std::mem::replace(&mut record.nptrs, number) != number,
        (_, None) => false,
    }
}

/// Code of a closure, or a method, becomes other code of the same signature.
pub(super) fn row(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(desc) = own_desc(module, choices) else { return false };
    let alike = |old: FuncId| {
        let signature = &module.funcs[old].signature;
        module.funcs.iter().filter(|(_, func)| func.signature == *signature).map(|(id, _)| id).collect::<Vec<_>>()
    };
    let data = &module.descs[desc];
    if let (Some((table, old)), true) = (data.method, choices.chance(50)) {
        let new = choices.pick(&alike(old));
        let tables: Vec<_> = module.tables.keys().collect();
        let table = if choices.chance(20) { choices.pick(&tables) } else { table };
        module.descs[desc].method = if choices.chance(20) { None } else { Some((table, new)) };
        return true;
    }
    let Some(number) = below(data.apply.len(), choices) else { return false };
    let new = match data.apply[number] {
        Some(old) if !choices.chance(30) => Some(choices.pick(&alike(old))),
        _ => None,
    };
    std::mem::replace(&mut module.descs[desc].apply[number], new) != new
}

pub(super) fn thunk_info(module: &mut Module, choices: &mut Choices) -> bool {
    let infos: Vec<_> = module.thunk_infos.keys().collect();
    let Some(number) = below(infos.len(), choices) else { return false };
    let descs: Vec<Desc> = module.descs.keys().collect();
    let funcs: Vec<FuncId> = module.funcs.keys().collect();
    let same = |old: FuncId, funcs: &Module| {
        let signature = &funcs.funcs[old].signature;
        funcs.funcs.iter().filter(|(_, func)| func.signature == *signature).map(|(id, _)| id).collect::<Vec<_>>()
    };
    let alike = same(module.thunk_infos[infos[number]].code, module);
    let updates = module.thunk_infos[infos[number]].update.map(|old| same(old, module));
    let info = &mut module.thunk_infos[infos[number]];
    if info.kind != ThunkKind::Plain {
        return false;
    }
    match choices.below(5) {
        0 | 1 => info.code = choices.pick(&alike),
        2 => info.update = updates.map(|updates| choices.pick(&updates)).filter(|_| !choices.chance(50)),
        3 => info.desc = if choices.chance(50) { None } else { Some(choices.pick(&descs)) },
        4 => info.ptrs = choices.below(4) as u32,
        _ => info.code = choices.pick(&funcs),
    }
    true
}

pub(super) fn table(module: &mut Module, choices: &mut Choices) -> bool {
    let tables: Vec<_> = module.tables.keys().collect();
    let Some(number) = below(tables.len(), choices) else { return false };
    let signature = module.tables[tables[number]].signature.clone();
    let alike: Vec<FuncId> =
        module.funcs.iter().filter(|(_, func)| func.signature == signature).map(|(id, _)| id).collect();
    let funcs = &mut module.tables[tables[number]].funcs;
    let Some(at) = below(funcs.len(), choices) else { return false };
    match choices.below(3) {
        0 => drop(funcs.remove(at)),
        1 => funcs.push(funcs[at]),
        _ => {
            let Some(new) = below(alike.len(), choices) else { return false };
            funcs[at] = alike[new];
        }
    }
    true
}

pub(super) fn static_object(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(number) = below(module.statics.len(), choices) else { return false };
    let id = Static::new(number);
    let descs: Vec<Desc> = module.descs.keys().collect();
    match &mut module.statics[id] {
        StaticData::String(bytes) | StaticData::Text(bytes) => {
            *bytes = choices
                .pick(&[&b""[..], b"\0", b"a", b"\xff\xfe", b"a longer text than there was, with\na line"])
                .into();
        }
        StaticData::Node(node) => {
            let (ptrs, words) = (node.ptrs.len(), node.nptrs.len());
            match choices.below(ptrs + words + 1) {
                field if field < ptrs => {
                    node.ptrs[field] = match choices.below(5) {
                        0 => StaticField::Int(integer(choices)),
                        1 => StaticField::Char(choices.below(256) as u8),
                        2 => StaticField::Bool(choices.chance(50)),
                        3 => StaticField::Node(choices.pick(&descs)),
                        _ => StaticField::Object(Static::new(choices.below(number + 1))),
                    };
                }
                field if field < ptrs + words => node.nptrs[field - ptrs] = integer(choices) as u64,
                _ => node.desc = choices.pick(&descs),
            }
        }
        StaticData::Symbol { .. } => return false,
    }
    true
}

pub(super) fn function_flag(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(number) = below(module.funcs.len(), choices) else { return false };
    let func = &mut module.funcs[FuncId::new(number)];
    match choices.below(3) {
        0 => func.fip = !func.fip,
        1 => func.may_gc = !func.may_gc,
        _ => func.is_outlined = !func.is_outlined,
    }
    true
}

pub(super) fn module_flag(module: &mut Module, choices: &mut Choices) -> bool {
    match choices.below(5) {
        4 => module.immediates = !module.immediates,
        0 => module.observes_identity = !module.observes_identity,
        1 => module.heap = if module.heap == Heap::Gc { Heap::Rc } else { Heap::Gc },
        2 => {
            let infos: Vec<_> = module.thunk_infos.keys().collect();
            let Some(at) = below(infos.len(), choices) else { return false };
            module.blackhole_info = if choices.chance(50) { None } else { Some(infos[at]) };
        }
        _ => {
            let starts = module.funcs.iter().filter(|(_, func)| {
                func.phase == Phase::High && func.signature.params.is_empty() && func.signature.results.is_empty()
            });
            let starts: Vec<FuncId> = starts.map(|(id, _)| id).collect();
            let Some(at) = below(starts.len(), choices) else { return false };
            return module.start.replace(starts[at]) != Some(starts[at]);
        }
    }
    true
}

/// Effects are said with the declaration and with each call.
pub(super) fn extern_effects(module: &mut Module, choices: &mut Choices) -> bool {
    let ids: Vec<_> = module.externs.keys().collect();
    let Some(at) = below(ids.len(), choices) else { return false };
    module.externs[ids[at]].effects = choices.pick(libcalls::ALL).effects;
    let imm = module.callee(ids[at]).imm();
    for func in module.funcs.values_mut() {
        for data in func.insts.values_mut().filter(|data| data.op == cleave_ir::Opcode::CallRt) {
            if data.external().0 == ids[at] {
                data.imm = imm;
            }
        }
    }
    true
}

/// Two functions of one signature exchange their code.
pub(super) fn swapped_code(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(one) = below(module.funcs.len(), choices) else { return false };
    let one = FuncId::new(one);
    let signature = module.funcs[one].signature.clone();
    let alike: Vec<FuncId> =
        module.funcs.iter().filter(|(id, func)| *id != one && func.signature == signature).map(|(id, _)| id).collect();
    let Some(other) = below(alike.len(), choices) else { return false };
    if super::is_bound(module, one) || super::is_bound(module, alike[other]) {
        return false;
    }
    let (mut a, mut b) = (module.funcs[one].clone(), module.funcs[alike[other]].clone());
    std::mem::swap(&mut a.name, &mut b.name);
    (module.funcs[one], module.funcs[alike[other]]) = (b, a);
    true
}
