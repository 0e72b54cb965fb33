//! Simplification of the control-flow graph: block parameters that are the same on every edge, jump threading,
//! conditional branches without a choice, merging of straight lines, removal of unreachable blocks. Leaves the blocks
//! in reverse postorder.
//!
//! Steps, each linear in the function:
//! 1. *parameters*: one sweep over the edges collects what each parameter receives; parameters that always receive one
//!    value (or equal constants, or themselves) are renamed to it. A few rounds, not a fixpoint.
//! 2. *threading* (`jump_threading.rs`): edges into empty blocks, into blocks that only test a constant argument, and
//!    into blocks that only leave the function are led past them.
//! 3. *choices*: a branch with one target becomes a jump, its differing arguments `select`s. Not if they are
//!    references: a search that goes down a tree would wait for each comparison, which a processor guesses if it is a
//!    branch.
//! 4. *merging*: a block whose only predecessor ends in a jump is appended to it.
//!
//! Endless loops stay: a block that jumps to itself is never threaded.

use crate::analysis::values::{Scratch, same_constant};
use crate::opt::jump_threading;
use cleave_ir::{Block, Func, Opcode, SecondaryMap, Type, Value, ValueList};

/// Rounds of parameter removal; what needs more is found by the next run.
const PARAMETER_ROUNDS: usize = 4;
/// Differing arguments of a branch with one target that become `select`s.
const MAX_SELECTS: usize = 2;

/// Simplifies the control flow of `func`; true if something changed.
pub fn run(func: &mut Func, scratch: &mut Scratch) -> bool {
    let mut changed = false;
    reach(func, scratch);
    changed |= lay_out(func, scratch);
    if func.layout.len() == 1 && func.blocks[func.entry_block()].edges.is_empty() {
        return changed;
    }
    changed |= merge_parameters(func, scratch);
    changed |= jump_threading::run(func, scratch);
    changed |= remove_choices(func);
    reach(func, scratch);
    changed |= merge_lines(func, scratch);
    changed |= lay_out(func, scratch);
    changed
}

/// Fills `scratch.blocks` with the reachable blocks in postorder and `scratch.marks` with the number of edges into each
/// (0 if unreachable; the entry has one from outside).
pub(crate) fn reach(func: &Func, scratch: &mut Scratch) {
    let Scratch { blocks: order, marks: preds, path, .. } = scratch;
    order.clear();
    preds.clear();
    preds.resize(func.blocks.len());
    let entry = func.entry_block();
    preds[entry] = 1;
    path.push((entry, 0));
    while let Some(top) = path.last_mut() {
        // The last edge first: in the layout a branch is followed by its first target.
        let block = top.0;
        let edges = &func.blocks[block].edges;
        top.1 += 1;
        match edges.len().checked_sub(top.1 as usize).map(|next| &edges[next]) {
            Some(edge) => {
                preds[edge.block] += 1;
                if preds[edge.block] == 1 {
                    path.push((edge.block, 0));
                }
            }
            None => {
                order.push(block);
                path.pop();
            }
        }
    }
}

/// Makes the layout the reverse of `scratch.blocks`, and empties the blocks that left it.
fn lay_out(func: &mut Func, scratch: &Scratch) -> bool {
    if func.layout.len() == scratch.blocks.len() && func.layout.iter().eq(scratch.blocks.iter().rev()) {
        return false;
    }
    for i in 0..func.layout.len() {
        let block = func.layout[i];
        if scratch.marks[block] == 0 {
            clear_block(func, block);
        }
    }
    func.layout.clear();
    func.layout.extend(scratch.blocks.iter().rev());
    true
}

fn clear_block(func: &mut Func, block: Block) {
    let data = &mut func.blocks[block];
    data.insts = Vec::new();
    data.edges.clear();
    data.params = ValueList::new();
}

/// What a parameter receives, seen over the edges so far.
#[derive(Clone, Copy, PartialEq, Default)]
enum Incoming {
    #[default]
    Nothing,
    One(Value),
    /// Different values that are the same constant.
    Constant(Value),
    Many,
}

/// Removes parameters that receive the same value on every edge.
fn merge_parameters(func: &mut Func, scratch: &mut Scratch) -> bool {
    let entry = func.entry_block();
    if func.layout.iter().all(|&b| b == entry || func.blocks[b].params.is_empty()) {
        return false;
    }
    let Scratch { defs, rename, .. } = scratch;
    defs.compute(func);
    rename.start(func);
    let mut incoming: SecondaryMap<Value, Incoming> = SecondaryMap::new();
    incoming.resize(func.values.len());
    let mut removed: SecondaryMap<Value, bool> = SecondaryMap::new();
    let mut any = false;
    for _ in 0..PARAMETER_ROUNDS {
        for &block in &func.layout {
            for edge in &func.blocks[block].edges {
                for (&param, &arg) in func.params(edge.block).iter().zip(func.edge_args(edge)) {
                    let arg = rename.resolve(arg);
                    if arg == param || removed[param] {
                        continue;
                    }
                    incoming[param] = match incoming[param] {
                        Incoming::Nothing => Incoming::One(arg),
                        Incoming::One(v) | Incoming::Constant(v) if v == arg => continue,
                        Incoming::One(v) | Incoming::Constant(v) => match (defs.get(v), defs.get(arg)) {
                            (Some(a), Some(b)) if same_constant(func, a, b) => Incoming::Constant(v),
                            _ => Incoming::Many,
                        },
                        Incoming::Many => continue,
                    };
                }
            }
        }
        let mut again = false;
        for i in 0..func.layout.len() {
            let block = func.layout[i];
            if block == entry {
                continue;
            }
            for p in 0..func.params(block).len() {
                let param = func.params(block)[p];
                let by = match std::mem::take(&mut incoming[param]) {
                    _ if removed[param] => continue,
                    Incoming::One(v) if rename.resolve(v) == param => continue,
                    Incoming::One(v) => v,
                    Incoming::Constant(v) => {
                        // Repeated here, since no single definition dominates.
                        let Some(def) = defs.get(v) else { continue };
                        let data = &func.insts[def];
                        debug_assert!(data.op.is_constant());
                        let (op, imm, aux, ty) = (data.op, data.imm, data.aux, func.values[v]);
                        let inst = func.make_inst(op, imm, aux, &[], &[ty]);
                        defs.record(func, inst);
                        func.blocks[block].insts.insert(0, inst);
                        func.result(inst)
                    }
                    _ => continue,
                };
                rename.set(param, by);
                removed[param] = true;
                again = true;
            }
        }
        any |= again;
        if !again {
            break;
        }
    }
    if any {
        remove_parameters(func, &removed);
        rename.apply(func);
    }
    any
}

/// Removes marked parameters together with the arguments that edges pass for them.
pub(crate) fn remove_parameters(func: &mut Func, removed: &SecondaryMap<Value, bool>) {
    let Func { layout, blocks, pool, .. } = func;
    for &block in layout.iter() {
        for e in 0..blocks[block].edges.len() {
            let params = blocks[blocks[block].edges[e].block].params.clone();
            if !params.as_slice(pool).iter().any(|&p| removed[p]) {
                continue;
            }
            let args = &mut blocks[block].edges[e].args;
            let mut kept = 0;
            for i in 0..params.len(pool) {
                if !removed[params.as_slice(pool)[i]] {
                    let arg = args.as_slice(pool)[i];
                    args.as_mut_slice(pool)[kept] = arg;
                    kept += 1;
                }
            }
            args.truncate(kept, pool);
        }
    }
    for &block in layout.iter() {
        let params = &mut blocks[block].params;
        let mut kept = 0;
        for i in 0..params.len(pool) {
            let param = params.as_slice(pool)[i];
            if !removed[param] {
                params.as_mut_slice(pool)[kept] = param;
                kept += 1;
            }
        }
        params.truncate(kept, pool);
    }
}

/// Turns branches whose two edges go to one block into jumps.
fn remove_choices(func: &mut Func) -> bool {
    let mut changed = false;
    for i in 0..func.layout.len() {
        let block = func.layout[i];
        let edges = &func.blocks[block].edges;
        if edges.len() != 2 || edges[0].block != edges[1].block {
            continue;
        }
        let Some(branch) = func.terminator(block).filter(|&t| func.insts[t].op == Opcode::BrIf) else { continue };
        let (yes, no) = (edges[0].args.clone(), edges[1].args.clone());
        let count = yes.len(&func.pool);
        let differs = |&i: &usize| yes.get(i, &func.pool) != no.get(i, &func.pool);
        let is_reference = |i: usize| yes.get(i, &func.pool).is_some_and(|value| func.values[value] == Type::Ref);
        if (0..count).filter(differs).count() > MAX_SELECTS || (0..count).filter(differs).any(is_reference) {
            continue;
        }
        let condition = func.args(branch)[0];
        func.blocks[block].insts.pop();
        for i in 0..count {
            let (a, b) = (func.edge_args(&func.blocks[block].edges[0])[i], no.as_slice(&func.pool)[i]);
            if a != b {
                let ty = func.values[a];
                let choice = func.append(block, Opcode::Select, 0, 0, &[condition, a, b], &[ty]);
                let choice = func.result(choice);
                func.blocks[block].edges[0].args.as_mut_slice(&mut func.pool)[i] = choice;
            }
        }
        func.blocks[block].edges.truncate(1);
        func.insts[branch].op = Opcode::Jump;
        func.insts[branch].args = ValueList::new();
        func.blocks[block].insts.push(branch);
        changed = true;
    }
    changed
}

/// Appends blocks to their only predecessor. Needs `reach`; removes the merged blocks from its order.
fn merge_lines(func: &mut Func, scratch: &mut Scratch) -> bool {
    let entry = func.entry_block();
    scratch.rename.start(func);
    let mut merged = false;
    for i in (0..scratch.blocks.len()).rev() {
        let block = scratch.blocks[i];
        if scratch.marks[block] == 0 {
            continue;
        }
        while let [edge] = &func.blocks[block].edges[..]
            && scratch.marks[edge.block] == 1
            && edge.block != entry
            && edge.block != block
            && func.terminator(block).is_some_and(|t| func.insts[t].op == Opcode::Jump)
        {
            let next = edge.block;
            let args = edge.args.clone();
            for p in 0..func.params(next).len() {
                let (param, arg) = (func.params(next)[p], args.as_slice(&func.pool)[p]);
                scratch.rename.set(param, arg);
            }
            let mut tail = std::mem::take(&mut func.blocks[next]);
            let head = &mut func.blocks[block];
            head.insts.pop();
            head.insts.append(&mut tail.insts);
            head.edges = tail.edges;
            scratch.marks[next] = 0;
            merged = true;
        }
    }
    if merged {
        let marks = &scratch.marks;
        scratch.blocks.retain(|&b| marks[b] != 0);
        func.layout.clear();
        func.layout.extend(scratch.blocks.iter().rev());
        scratch.rename.apply(func);
    }
    merged
}
