//! Functions of the runtime that evaluate thunks, as functions of the program: the runtime would need the stack of the
//! engine while it waits.
//!
//! ```text
//! walk.eval_to_nf: v                     b: s, n
//!    s, n, m = walk_eval_to_nf(sp, v)       x = enter n, below s
//!    jump a(s, n)                           s2, n2 = walk_next(s, x, m)
//! a: br_if n, b, end                        jump a(s2, n2)
//! ```
//! What such a function has still to do is on the shadow stack, and `s` its end. Across the evaluation it keeps how far
//! below its own pointer that is: a capture moves the shadow stack.

use super::helpers::low;
use cleave_ir::{Builder, Callee, Extern, FuncId, Module, Opcode, Type};

/// For a function of the runtime with one reference, `walk_` and its name is the first step.
const FIRST: &str = "walk_";
const NEXT: &str = "walk_next";

/// Replaces the calls.
pub fn run(module: &mut Module) {
    let find = |name: &str| module.externs.iter().find(|(_, data)| data.name == name).map(|(id, _)| id);
    let Some(next) = find(NEXT) else { return };
    let firsts: Vec<Option<Extern>> =
        module.externs.values().map(|data| find(&format!("{FIRST}{}", data.name))).collect();
    let called = module.called_externs();
    let mut walks: Vec<(Extern, FuncId)> = Vec::new();
    for id in called {
        if let Some(first) = firsts[id.number() as usize] {
            let walk = walk(&module.externs[id].name, module.callee(first), module.callee(next));
            walks.push((id, module.funcs.push(walk)));
        }
    }
    for func in module.funcs.values_mut() {
        for block in func.layout.clone() {
            for &inst in &func.blocks[block].insts {
                let data = &mut func.insts[inst];
                if data.op == Opcode::CallRt
                    && let Some(&(_, walk)) = walks.iter().find(|walk| walk.0 == data.external().0)
                {
                    (data.op, data.imm) = (Opcode::Call, u64::from(walk.as_u32()));
                }
            }
        }
    }
}

fn walk(name: &str, first: Callee, next: Callee) -> cleave_ir::Func {
    let (mut func, params) = low(format!("{FIRST}{name}"), &[Type::Ref], &[]);
    func.is_outlined = false;
    let entry = func.entry_block();
    let (round, evaluation, end) = (func.new_block(), func.new_block(), func.new_block());
    let (bottom, thunk) = (func.add_param(round, Type::I32), func.add_param(round, Type::Ref));
    let mut builder = Builder::new(&mut func, entry);
    let pointer = builder.op(Opcode::ShadowPointer, &[]);
    let begun = builder.call_extern(first, &[pointer, params[0]]);
    let [from, node, mode] = builder.func.results(begun)[..] else { panic!("`{FIRST}{name}` has three results") };
    builder.jump(round, &[from, node]);
    builder.switch_to(round);
    let address = builder.op(Opcode::RefAddr, &[thunk]);
    builder.br_if(address, (evaluation, &[]), (end, &[]));
    builder.switch_to(evaluation);
    let header = builder.value(Opcode::LoadI32, 0, 0, &[thunk]);
    let pointer = builder.op(Opcode::ShadowPointer, &[]);
    let bytes = builder.op(Opcode::Isub, &[pointer, bottom]);
    let value = builder.op(Opcode::EnterCode, &[bottom, thunk, header]);
    let pointer = builder.op(Opcode::ShadowPointer, &[]);
    let bottom = builder.op(Opcode::Isub, &[pointer, bytes]);
    let gone_on = builder.call_extern(next, &[bottom, value, mode]);
    let [from, node] = builder.func.results(gone_on)[..] else { panic!("`{NEXT}` has two results") };
    builder.jump(round, &[from, node]);
    builder.switch_to(end);
    builder.ret(&[]);
    func
}
