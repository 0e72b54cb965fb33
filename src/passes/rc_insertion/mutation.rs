//! What is written over, and what is boxed: made instructions of the reference-counted heap, before anything is
//! counted.
//!
//! ```text
//! set.ref v0, v1 (1, 0) 0      ─▶   v9 = exchange.ref v0, v1 (1, 0) 0        v9 is released
//! v2 = get.ref v0 (1, 0) 0     ─▶   v2 = get_retained.ref v0 (1, 0) 0
//! v3 = box.int v4              ─▶   v3 = build $INT/0 v4
//! v5 = build $None/0           ─▶   v5 = node $None                           if it holds nothing
//! ```
//! A reference that was read from a field is kept alive by its node only as long as nobody overwrites the field. So
//! what is read from a field that the program overwrites somewhere is one more reference, unless it is a peek
//! (`peeks.rs`). What is read from an array always is one more, unless it is a peek.
//!
//! Needs and leaves: high IR, with these two instructions besides.

use super::peeks::Peeks;
use cleave_ir::opcode::Boxed;
use cleave_ir::{
    Block, Func, Inst, InstData, Module, Opcode, ReferenceWriters, Type, ValueList, WellKnownDesc, WrittenFields,
};

/// Rewrites all functions; gives what they overwrite. Without `peeks`, whatever is read from such fields is one more
/// reference.
pub fn run(module: &mut Module, peeks: bool) -> WrittenFields {
    let written = WrittenFields::of(module);
    let writers = if peeks { ReferenceWriters::of(module) } else { ReferenceWriters::default() };
    let mut funcs = std::mem::take(&mut module.funcs);
    let cx = Peeks { module, written: &written, writers: &writers };
    let is_atom = |data: &InstData| {
        data.op == Opcode::BuildNode && data.aux == 0 && cx.module.descs[data.desc()].payload(0) == (0, 0)
    };
    for func in funcs.values_mut() {
        // All nodes that hold nothing are the static one of their constructor: nobody counts them.
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            let data = &mut func.insts[inst];
            if is_atom(data) {
                data.op = Opcode::NodeRef;
            }
            if !peeks && data.op == Opcode::GetRef && written.may_change(data) {
                data.op = Opcode::GetRetained;
            }
        }
        if peeks {
            cx.run(func);
        }
        for at in 0..func.layout.len() {
            let block = func.layout[at];
            unbox(func, block);
            writes(func, block);
        }
    }
    module.funcs = funcs;
    written
}

/// Boxed values are new nodes.
fn unbox(func: &mut Func, block: Block) {
    let boxed = |func: &Func, inst: Inst| {
        Some(match Boxed::of(func.insts[inst].op)? {
            Boxed::BoxInt | Boxed::SmallInt => (WellKnownDesc::Int, None),
            Boxed::BoxChar => (WellKnownDesc::Char, Some(0xff)),
            Boxed::BoxBool => (WellKnownDesc::Bool, Some(1)),
            Boxed::IntRef | Boxed::RefInt | Boxed::IsInt | Boxed::FitsInt => return None,
        })
    };
    if !func.blocks[block].insts.iter().any(|&inst| boxed(func, inst).is_some()) {
        return;
    }
    for inst in std::mem::take(&mut func.blocks[block].insts) {
        if let Some((desc, mask)) = boxed(func, inst) {
            func.set_location_of(inst);
            let bits = func.insts[inst].imm;
            let constant = |func: &mut Func, bits: u64| {
                let constant = func.append(block, Opcode::Iconst64, bits, 0, &[], &[Type::I64]);
                func.result(constant)
            };
            let given = func.args(inst).first().copied();
            let mut value = given.unwrap_or_else(|| constant(func, bits));
            if let Some(mask) = mask {
                let mask = constant(func, mask);
                let masked = func.append(block, Opcode::And, 0, 0, &[value, mask], &[Type::I64]);
                value = func.result(masked);
            }
            func.set_args(inst, &[value]);
            let data = &mut func.insts[inst];
            (data.op, data.imm, data.aux) = (Opcode::BuildNode, u64::from(desc.desc().as_u32()), 0);
        }
        func.blocks[block].insts.push(inst);
    }
    func.set_location(cleave_ir::Location::NONE);
}

/// Who overwrites a reference gets what was there.
fn writes(func: &mut Func, block: Block) {
    for at in 0..func.blocks[block].insts.len() {
        let inst = func.blocks[block].insts[at];
        if func.insts[inst].op == Opcode::SetRef {
            let old = func.new_value(Type::Ref);
            func.insts[inst].op = Opcode::ExchangeRef;
            func.insts[inst].results = ValueList::from_slice(&[old], &mut func.pool);
        }
    }
}
