//! The shadow stack stands for the stack of the engine, which nobody can ask how full it is. A byte of the one is worth
//! `STACKLESS_ENGINE_BYTES` of the other: a recursive call passes a pointer that is as much lower as the frame of the
//! function is worth. Most frames on the shadow stack are large enough as they are. What is added is emptied, because
//! the collector looks at it. Functions that never collect have frames of that kind only, which nobody looks at: they
//! get the pointer just for this.

use super::frames::{cheap, depth, pointer_place};
use super::graph::{Callee, Graph, callee};
use cleave_ir::cfg::Cfg;
use cleave_ir::layout::{SLOT, STACKLESS_ENGINE_BYTES};
use cleave_ir::liveness::Liveness;
use cleave_ir::lowered_signature::stack_pointer_operand;
use cleave_ir::{Builder, Func, FuncId, Inst, Module, Opcode, SecondaryMap, Type};

/// Bytes of a frame of the engine beside its variables, in the quick compilers of V8 and JavaScriptCore.
const FIXED: u32 = 72;
/// Variables of a function in WebAssembly beside those that live at once: operands, and variables that could not be
/// shared.
const MORE_VARIABLES: u32 = 6;

/// Functions that never collect, and below which something recurses, take a shadow-stack pointer, too. Tells which.
pub fn give_pointers(module: &mut Module, graph: &Graph) -> SecondaryMap<FuncId, bool> {
    let mut is_new: SecondaryMap<FuncId, bool> = SecondaryMap::new();
    for (id, func) in module.funcs.iter_mut() {
        if !func.takes_stack_pointer && graph.reaches(Callee::Func(id)) {
            (func.takes_stack_pointer, is_new[id]) = (true, true);
        }
    }
    for func in module.funcs.values_mut() {
        for at in 0..func.layout.len() {
            let block = func.layout[at];
            let needs = |func: &Func, inst: Inst| {
                let data = &func.insts[inst];
                matches!(data.op, Opcode::Call | Opcode::TailCall)
                    && stack_pointer_operand(data, |id| is_new[id]).is_some()
            };
            if !func.blocks[block].insts.iter().any(|&inst| needs(func, inst)) {
                continue;
            }
            for inst in std::mem::take(&mut func.blocks[block].insts) {
                if needs(func, inst) {
                    let pointer = func.append(block, Opcode::ShadowPointer, 0, 0, &[], &[Type::I32]);
                    let args = [&[func.result(pointer)], func.args(inst)].concat();
                    func.set_args(inst, &args);
                }
                func.blocks[block].insts.push(inst);
            }
        }
    }
    is_new
}

/// Makes recursive calls pass pointers that are low enough. `never_collects` are those of `give_pointers`.
pub fn charge_all(module: &mut Module, graph: &Graph, deep: &[FuncId], never_collects: &SecondaryMap<FuncId, bool>) {
    let (mut cfg, mut liveness) = (Cfg::default(), Liveness::default());
    for &id in deep.iter().filter(|&&id| graph.is_growing(id)) {
        let func = &mut module.funcs[id];
        let least = worth(func, &mut cfg, &mut liveness);
        charge(func, least, !never_collects[id], |callee| graph.is_recursive(id, callee));
    }
}

/// Makes the recursive calls of a function pass pointers that are low enough. `is_seen`: the collector may look at its
/// frames.
fn charge(func: &mut Func, least: u32, is_seen: bool, is_recursive: impl Fn(Callee) -> bool) {
    let is_charged = |func: &Func, inst: Inst| {
        callee(&func.insts[inst]).is_some_and(|(callee, returns)| returns && is_recursive(callee))
    };
    let again = cheap(func);
    for at in 0..func.layout.len() {
        let block = func.layout[at];
        if !func.blocks[block].insts.iter().any(|&inst| is_charged(func, inst)) {
            continue;
        }
        for inst in std::mem::take(&mut func.blocks[block].insts) {
            if is_charged(func, inst) {
                let place = pointer_place(func, inst);
                // A pointer that is computed is that of a walk, whose frames are large.
                if let Some(depth) = depth(func, &again, func.args(inst)[place])
                    && depth < least
                {
                    let mut builder = Builder::new(func, block);
                    let pointer = builder.op(Opcode::ShadowPointer, &[]);
                    let bytes = builder.iconst32(least as i32);
                    let lower = builder.op(Opcode::Isub, &[pointer, bytes]);
                    if is_seen {
                        let empty = builder.iconst32(0);
                        for slot in (0..least - depth).step_by(SLOT as usize) {
                            builder.inst(Opcode::StoreI32, u64::from(slot), 0, &[lower, empty]);
                        }
                    }
                    let mut args = func.args(inst).to_vec();
                    args[place] = lower;
                    func.set_args(inst, &args);
                }
            }
            func.blocks[block].insts.push(inst);
        }
    }
}

/// Bytes on the shadow stack that the frame of the engine is worth. Computes `cfg` and `liveness`.
pub fn worth(func: &Func, cfg: &mut Cfg, liveness: &mut Liveness) -> u32 {
    cfg.recompute(func);
    liveness.recompute(func, cfg, |_| true);
    let count = |set: &[u64]| set.iter().map(|word| word.count_ones()).sum::<u32>();
    let (mut most, mut live) = (0, Vec::new());
    for &block in &cfg.order {
        live.clear();
        live.extend_from_slice(liveness.live_out(block));
        most = most.max(count(&live));
        for &inst in func.blocks[block].insts.iter().rev() {
            liveness.step_back(func, inst, &mut live);
            most = most.max(count(&live));
        }
    }
    let variables = most + most / 2 + MORE_VARIABLES + func.signature.results.len() as u32;
    (FIXED + 8 * variables).div_ceil(STACKLESS_ENGINE_BYTES).next_multiple_of(SLOT)
}
