//! Checks that depend on the descriptors of a module, and which functions give values to those who rely on them.

use super::Checks;
use cleave_ir::layout::Shape;
use cleave_ir::{Builder, Desc, EntityRef, Func, FuncId, Module, Opcode, Signature, Table, Type, libcalls};

/// By function: its callers rely on an evaluated result. It is the code of thunks or closures, or is called last by
/// such a function.
pub(super) fn evaluating(module: &Module) -> Vec<bool> {
    let mut found = vec![false; module.funcs.len()];
    let rows = module.descs.values().flat_map(|desc| desc.apply.iter().copied().flatten());
    let infos = module.thunk_infos.values().flat_map(|info| [Some(info.code), info.update].into_iter().flatten());
    let mut open: Vec<FuncId> = rows.chain(infos).collect();
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut found[id.index()], true) {
            continue;
        }
        let func = &module.funcs[id];
        for &inst in func.layout.iter().filter_map(|&block| func.blocks[block].insts.last()) {
            let data = &func.insts[inst];
            match data.op {
                Opcode::TailCall => open.push(FuncId::from_u32(data.imm as u32)),
                Opcode::TailCallTable => open.extend(&module.tables[Table::from_u32(data.imm as u32)].funcs),
                Opcode::TailCallMethod => {
                    let table = Table::from_u32(data.imm as u32);
                    let methods = module.descs.values().filter_map(|desc| desc.method);
                    open.extend(methods.filter(|method| method.0 == table).map(|method| method.1));
                }
                _ => {}
            }
        }
    }
    found
}

/// A check that the header of a node is one of these, or that it is none of them.
fn header_check(module: &mut Module, name: &str, rows: &[(Desc, u32)], wanted: bool) -> FuncId {
    let fail = module.declare(&libcalls::UNAVAILABLE);
    let fail = module.callee(fail);
    let mut func = Func::new(name, Signature::new(&[Type::Ref, Type::I32], &[]));
    let entry = func.new_block();
    let [node, text] = [Type::Ref, Type::I32].map(|ty| func.add_param(entry, ty));
    let [among, others] = [(); 2].map(|()| func.new_block());
    let mut b = Builder::new(&mut func, entry);
    let header = b.value(Opcode::LoadI32, 0, 0, &[node]);
    for &(desc, held) in rows {
        let row = b.node_info(desc, held);
        let is_row = b.op(Opcode::Eq, &[header, row]);
        let next = b.func.new_block();
        b.br_if(is_row, (among, &[]), (next, &[]));
        b.switch_to(next);
    }
    b.jump(others, &[]);
    let (good, bad) = if wanted { (among, others) } else { (others, among) };
    b.switch_to(good);
    b.ret(&[]);
    b.switch_to(bad);
    b.call_extern(fail, &[text]);
    b.unreachable();
    module.funcs.push(func)
}

/// The check that a node has a method in this table.
pub(super) fn method(checks: &mut Checks, module: &mut Module, table: Table) -> String {
    let name = format!("check.method.{}", module.tables[table].label);
    if !checks.funcs.contains_key(&name) {
        checks.named(module, "check.evaluated");
        let descs = module.descs.iter().filter(|(_, data)| data.method.is_some_and(|method| method.0 == table));
        let rows: Vec<_> = descs.flat_map(|(desc, data)| (0..=data.arity).map(move |held| (desc, held))).collect();
        let id = header_check(module, &name, &rows, true);
        checks.funcs.insert(name.clone(), id);
    }
    name
}

/// The check that a node of this shape may be changed, if there are some that may not.
pub(super) fn changeable(checks: &mut Checks, module: &mut Module, shape: Shape) -> Option<String> {
    let rows = module.descs.iter().flat_map(|(desc, data)| (0..=data.arity).map(move |held| (desc, held)));
    let fixed = rows.filter(|&(desc, held)| module.descs[desc].is_immutable(held) && module.shape(desc, held) == shape);
    let fixed: Vec<_> = fixed.collect();
    if fixed.is_empty() {
        return None;
    }
    let Shape { ptrs, nptrs, contiguous } = shape;
    let name = format!("check.changeable.{ptrs}.{nptrs}{}", if contiguous { ".contiguous" } else { "" });
    if !checks.funcs.contains_key(&name) {
        checks.named(module, "check.evaluated");
        let id = header_check(module, &name, &fixed, false);
        checks.funcs.insert(name.clone(), id);
    }
    Some(name)
}
