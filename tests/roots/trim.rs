//! Removes from a rooted function what has no effect on the objects that are used: restores whose result is not used,
//! added parameters that are not, and spills to a slot that is overwritten or lost before it is read. Two
//! functions that are equal after this differ in dead code only (and in how long objects are kept alive).

use cleave_ir::cfg::Cfg;
use cleave_ir::text::print_func;
use cleave_ir::verify::is_safepoint;
use cleave_ir::{Block, EntitySet, Func, Module, Opcode, SecondaryMap, Value, ValueList};

/// Text of the function without dead spills, restores and parameters, and without frames and emptied slots. The
/// parameters that `original` has stay.
pub fn trimmed(module: &Module, original: &Func, rooted: &Func) -> String {
    let mut func = rooted.clone();
    for block in func.layout.clone() {
        let Func { blocks, insts, .. } = &mut func;
        blocks[block].insts.retain(|&i| insts[i].op != Opcode::ClearSlot);
    }
    loop {
        let used = used_values(&func, original);
        let mut changed = false;
        for block in func.layout.clone() {
            let Func { blocks, insts, pool, .. } = &mut func;
            let before = blocks[block].insts.len();
            blocks[block]
                .insts
                .retain(|&i| insts[i].op != Opcode::Restore || used.contains(insts[i].results.as_slice(pool)[0]));
            changed |= blocks[block].insts.len() != before;
        }
        changed |= drop_params(&mut func, original, &used);
        changed |= drop_spills(module, &mut func);
        if !changed {
            break;
        }
    }
    for inst in func.insts.keys().collect::<Vec<_>>() {
        if is_safepoint(module, &func, inst) {
            func.insts[inst].aux = 0;
        }
    }
    print_func(module, &func)
}

/// Operands of instructions, arguments of original parameters, and arguments of added ones that are used.
fn used_values(func: &Func, original: &Func) -> EntitySet<Value> {
    let mut used = EntitySet::new();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            used.extend(func.args(inst).iter().copied());
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &func.layout {
            for edge in &func.blocks[block].edges {
                let fixed = original.params(edge.block).len();
                for (i, (&arg, &param)) in func.edge_args(edge).iter().zip(func.params(edge.block)).enumerate() {
                    changed |= (i < fixed || used.contains(param)) && used.insert(arg);
                }
            }
        }
    }
    used
}

fn drop_params(func: &mut Func, original: &Func, used: &EntitySet<Value>) -> bool {
    let mut changed = false;
    for target in func.layout.clone() {
        let fixed = original.params(target).len();
        let keep: Vec<bool> =
            func.params(target).iter().enumerate().map(|(i, &p)| i < fixed || used.contains(p)).collect();
        if keep.iter().all(|&k| k) {
            continue;
        }
        changed = true;
        let kept =
            |list: &[Value]| -> Vec<Value> { list.iter().zip(&keep).filter(|(_, k)| **k).map(|(&v, _)| v).collect() };
        let params = kept(func.params(target));
        func.blocks[target].params = ValueList::from_slice(&params, &mut func.pool);
        for block in func.layout.clone() {
            for edge in 0..func.blocks[block].edges.len() {
                if func.blocks[block].edges[edge].block == target {
                    let args = kept(func.edge_args(&func.blocks[block].edges[edge]));
                    func.blocks[block].edges[edge].args = ValueList::from_slice(&args, &mut func.pool);
                }
            }
        }
    }
    changed
}

/// Backward dataflow: which slots are read before they are written again or lost.
fn drop_spills(module: &Module, func: &mut Func) -> bool {
    let cfg = Cfg::compute(func);
    let mut live_in: SecondaryMap<Block, Vec<u64>> = SecondaryMap::new();
    let mut dead = EntitySet::new();
    let mut again = true;
    while again {
        again = false;
        dead.clear();
        for &block in cfg.order.iter().rev() {
            let mut live: Vec<u64> = func.successors(block).flat_map(|b| live_in[b].clone()).collect();
            for &inst in func.blocks[block].insts.iter().rev() {
                let data = &func.insts[inst];
                match data.op {
                    Opcode::Restore => live.push(data.imm),
                    Opcode::Spill => {
                        if !live.contains(&data.imm) {
                            dead.insert(inst);
                        }
                        live.retain(|&s| s != data.imm);
                    }
                    _ if is_safepoint(module, func, inst) => live.retain(|&s| s < u64::from(data.aux)),
                    _ => {}
                }
            }
            live.sort_unstable();
            live.dedup();
            if live_in[block] != live {
                live_in[block] = live;
                again = true;
            }
        }
    }
    let mut changed = false;
    for block in func.layout.clone() {
        let before = func.blocks[block].insts.len();
        func.blocks[block].insts.retain(|&i| !dead.contains(i));
        changed |= func.blocks[block].insts.len() != before;
    }
    changed
}
