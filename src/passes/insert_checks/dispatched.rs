//! Checks that depend on the descriptors and texts of a module.

use super::Checks;
use cleave_ir::layout::Shape;
use cleave_ir::{
    Builder, Desc, Func, FuncId, Module, Opcode, Signature, Static, StaticData, Table, Type, Value, libcalls, memory,
};

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
    func.may_gc = false;
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
        let is_static = || matches!(module.statics[Static::from_u32(data.imm as u32)], StaticData::Text(_));
        let names_text = data.op == Opcode::NameAddr || data.op == Opcode::TextAddr && is_static();
        names_text && func.results(inst).contains(&operand)
    })
}

/// Bytes of the address before the text of a symbol.
const SYMBOL_ADDRESS: i32 = 8;

/// The check that a number is the address of a text of the program.
pub(super) fn text(checks: &mut Checks, module: &mut Module) -> String {
    let name = "check.text";
    if !checks.funcs.contains_key(name) {
        checks.named(module, "check.evaluated");
        let statics = module.statics.iter().take(checks.statics);
        let statics = statics.filter_map(|(id, data)| match data {
            StaticData::Text(_) => Some((Opcode::TextAddr, id.as_u32(), 0)),
            StaticData::Symbol { .. } => Some((Opcode::TextAddr, id.as_u32(), SYMBOL_ADDRESS)),
            StaticData::String(_) | StaticData::Node(_) => None,
        });
        let names = module.descs.keys().map(|desc| (Opcode::NameAddr, desc.as_u32(), 0));
        let texts: Vec<(Opcode, u32, i32)> = statics.chain(names).collect();
        let address = |b: &mut Builder<'_>, &(op, of, offset): &(Opcode, u32, i32)| {
            let start = b.value(op, u64::from(of), 0, &[]);
            let offset = b.iconst32(offset);
            b.op(Opcode::Iadd, &[start, offset])
        };
        let id = membership(module, name, Type::I32, |_, address| address, &texts, address, true);
        checks.funcs.insert(name.into(), id);
    }
    name.into()
}

/// The check that a node of this shape may be changed, if there are some that may not.
pub(super) fn changeable(checks: &mut Checks, module: &mut Module, shape: Shape) -> Option<String> {
    let rows = module.descs.iter().flat_map(|(desc, data)| (0..=data.arity).map(move |held| (desc, held)));
    // Small contiguous nodes look like others.
    let info = |shape| memory::of(module.heap).info(module, shape);
    let fixed = rows
        .filter(|&(desc, held)| module.descs[desc].is_immutable(held) && info(module.shape(desc, held)) == info(shape));
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
