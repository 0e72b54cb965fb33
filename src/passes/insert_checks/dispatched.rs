//! Checks that depend on the descriptors of a module, and which functions give values to those who rely on them.

use super::Checks;
use cleave_ir::layout::Shape;
use cleave_ir::{
    Builder, Desc, EntityRef, Func, FuncId, Module, Opcode, Signature, Static, StaticData, Table, Type, Value, libcalls,
};

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
    let header = |b: &mut Builder<'_>, node| b.value(Opcode::LoadI32, 0, 0, &[node]);
    membership(module, name, Type::Ref, header, rows, |b, &(desc, held)| b.node_info(desc, held), wanted)
}

/// A check that what `of` makes of the operand is one of these numbers, or that it is none of them.
fn membership<T>(
    module: &mut Module,
    name: &str,
    operand: Type,
    of: impl Fn(&mut Builder<'_>, Value) -> Value,
    members: &[T],
    number: impl Fn(&mut Builder<'_>, &T) -> Value,
    wanted: bool,
) -> FuncId {
    let fail = module.declare(&libcalls::UNAVAILABLE);
    let fail = module.callee(fail);
    let mut func = Func::new(name, Signature::new(&[operand, Type::I32], &[]));
    let entry = func.new_block();
    let [operand, text] = [operand, Type::I32].map(|ty| func.add_param(entry, ty));
    let [among, others] = [(); 2].map(|()| func.new_block());
    let mut b = Builder::new(&mut func, entry);
    let asked = of(&mut b, operand);
    for member in members {
        let member = number(&mut b, member);
        let is_member = b.op(Opcode::Eq, &[asked, member]);
        let next = b.func.new_block();
        b.br_if(is_member, (among, &[]), (next, &[]));
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

/// The operand is a text, at first sight.
pub(super) fn is_text(module: &Module, func: &Func, operand: Value) -> bool {
    let mut insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
    insts.any(|&inst| {
        let data = &func.insts[inst];
        data.op == Opcode::TextAddr
            && matches!(module.statics[Static::from_u32(data.imm as u32)], StaticData::Text(_))
            && func.results(inst).contains(&operand)
    })
}

/// The check that a number is the address of a text of the program.
pub(super) fn text(checks: &mut Checks, module: &mut Module) -> String {
    let name = "check.text";
    if !checks.funcs.contains_key(name) {
        checks.named(module, "check.evaluated");
        let texts = module.statics.iter().take(checks.statics);
        let texts: Vec<_> = texts.filter(|(_, data)| matches!(data, StaticData::Text(_))).map(|(id, _)| id).collect();
        let id = membership(module, name, Type::I32, |_, address| address, &texts, |b, &text| b.text(text), true);
        checks.funcs.insert(name.into(), id);
    }
    name.into()
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
