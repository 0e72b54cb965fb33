//! Two correct ways to place roots, as different from each other as possible, to have something to break.
//!
//! - `per_call`: what is live across a safepoint is spilled before it, in random slots, and restored after it. Blocks
//!   take what is live as new parameters. Slots that still hold a value are not always written again.
//! - `memory`: a value that is live across any safepoint has a slot of its own or one that it shares with values that
//!   are never live at the same time. It is spilled where it is defined and restored before its uses. All slots are
//!   filled with the first argument at the entry.

use super::Rng;
use cleave_ir::cfg::Cfg;
use cleave_ir::liveness::Liveness;
use cleave_ir::verify::is_safepoint;
use cleave_ir::{Func, Inst, Module, Opcode, Phase, SecondaryMap, Type, Value};
use std::collections::BTreeMap;

/// Values live after each safepoint that the safepoint does not define.
fn live_across(module: &Module, func: &Func, cfg: &Cfg, live: &Liveness) -> BTreeMap<Inst, Vec<Value>> {
    let mut across = BTreeMap::new();
    for &block in &cfg.order {
        let mut set = live.live_out(block).to_vec();
        for &inst in func.blocks[block].insts.iter().rev() {
            if is_safepoint(module, func, inst) {
                let mut values: Vec<Value> = live.values(&set).collect();
                values.retain(|v| !func.results(inst).contains(v));
                across.insert(inst, values);
            }
            live.step_back(func, inst, &mut set);
        }
    }
    across
}

/// References; those of static nodes only sometimes: they need no slot but may have one.
fn tracked(func: &Func, rng: &mut Rng) -> SecondaryMap<Value, bool> {
    let with_static = rng.chance(50);
    let mut tracked = SecondaryMap::new();
    for (value, &ty) in &func.values {
        tracked[value] = ty == Type::Ref;
    }
    for data in func.insts.values().filter(|data| data.op == Opcode::NodeRef && !with_static) {
        tracked[data.results.as_slice(&func.pool)[0]] = false;
    }
    tracked
}

fn spill(out: &mut Func, insts: &mut Vec<Inst>, slot: usize, value: Value) {
    insts.push(out.make_inst(Opcode::Spill, slot as u64, 0, &[value], &[]));
}
fn restore(out: &mut Func, insts: &mut Vec<Inst>, slot: usize) -> Value {
    let inst = out.make_inst(Opcode::Restore, slot as u64, 0, &[], &[Type::Ref]);
    insts.push(inst);
    out.result(inst)
}

pub fn per_call(module: &Module, func: &Func, rng: &mut Rng) -> Func {
    let cfg = Cfg::compute(func);
    let tracked = tracked(func, rng);
    let live = Liveness::compute(func, &cfg, |v| tracked[v]);
    let across = live_across(module, func, &cfg, &live);
    let keep = rng.chance(60);
    let mut out = func.clone();
    out.phase = Phase::Rooted;
    let entry = func.entry_block();
    for &block in &cfg.order {
        // Today's name of each original value.
        let mut names: BTreeMap<Value, Value> = BTreeMap::new();
        if block != entry {
            for value in live.values(live.live_in(block)) {
                names.insert(value, out.add_param(block, Type::Ref));
            }
        }
        // Which original value each slot holds, if the frame has lived on.
        let mut applied_args: Vec<Option<Value>> = Vec::new();
        let mut insts = Vec::new();
        for &inst in &func.blocks[block].insts {
            let args: Vec<Value> = func.args(inst).iter().map(|v| *names.get(v).unwrap_or(v)).collect();
            out.set_args(inst, &args);
            let Some(values) = across.get(&inst) else {
                insts.push(inst);
                continue;
            };
            let mut values = values.clone();
            rng.shuffle(&mut values);
            let mut slots: Vec<Option<Value>> = vec![None; values.len()];
            if keep {
                for (slot, &holds) in slots.iter_mut().zip(&applied_args) {
                    *slot = holds.filter(|v| values.contains(v));
                }
            }
            for &value in values.iter().filter(|v| !slots.contains(&Some(**v))).collect::<Vec<_>>() {
                let slot = slots.iter().position(Option::is_none).expect("as many slots as values");
                slots[slot] = Some(value);
                spill(&mut out, &mut insts, slot, *names.get(&value).unwrap_or(&value));
            }
            out.insts[inst].aux = slots.len() as u32;
            insts.push(inst);
            for (slot, value) in slots.iter().enumerate() {
                let name = restore(&mut out, &mut insts, slot);
                names.insert(value.expect("all slots are used"), name);
            }
            applied_args = slots;
        }
        out.blocks[block].insts = insts;
        let edges = std::mem::take(&mut out.blocks[block].edges);
        for edge in &edges {
            let more = live.values(live.live_in(edge.block));
            let old: Vec<Value> = func.edge_args(edge).iter().copied().chain(more).collect();
            let args: Vec<Value> = old.iter().map(|v| *names.get(v).unwrap_or(v)).collect();
            out.add_edge(block, edge.block, &args);
        }
    }
    out
}

pub fn memory(module: &Module, func: &Func, rng: &mut Rng) -> Func {
    let cfg = Cfg::compute(func);
    let tracked = tracked(func, rng);
    let live = Liveness::compute(func, &cfg, |v| tracked[v]);
    let across = live_across(module, func, &cfg, &live);
    let slots = colour(func, &cfg, &live, &across, rng);
    let count = slots.values().map(|s| s + 1).max().unwrap_or(0);
    let mut out = func.clone();
    out.phase = Phase::Rooted;
    let entry = func.entry_block();
    for &block in &cfg.order {
        let mut insts = Vec::new();
        if block == entry {
            for slot in 0..count {
                spill(&mut out, &mut insts, slot, func.params(entry)[0]);
            }
        }
        // Names of values with slots that are fresh.
        let mut fresh: BTreeMap<Value, Value> = BTreeMap::new();
        for &param in func.params(block) {
            define(&mut out, &mut insts, &slots, &mut fresh, param);
        }
        for &inst in &func.blocks[block].insts {
            let terminator = func.insts[inst].op.is_terminator();
            let mut name = |out: &mut Func, insts: &mut Vec<Inst>, value: Value, rng: &mut Rng| {
                let Some(&slot) = slots.get(&value) else { return value };
                match fresh.get(&value) {
                    Some(&name) if rng.chance(80) => name,
                    _ => {
                        let name = restore(out, insts, slot);
                        fresh.insert(value, name);
                        name
                    }
                }
            };
            let args: Vec<Value> = func.args(inst).iter().map(|&v| name(&mut out, &mut insts, v, rng)).collect();
            out.set_args(inst, &args);
            if terminator {
                let edges = std::mem::take(&mut out.blocks[block].edges);
                for edge in &edges {
                    let old = func.edge_args(edge).iter();
                    let args: Vec<Value> = old.map(|&v| name(&mut out, &mut insts, v, rng)).collect();
                    out.add_edge(block, edge.block, &args);
                }
            }
            insts.push(inst);
            if is_safepoint(module, func, inst) {
                out.insts[inst].aux = count as u32;
                fresh.clear();
            }
            for &result in func.results(inst) {
                define(&mut out, &mut insts, &slots, &mut fresh, result);
            }
        }
        out.blocks[block].insts = insts;
    }
    out
}

fn define(
    out: &mut Func,
    insts: &mut Vec<Inst>,
    slots: &BTreeMap<Value, usize>,
    fresh: &mut BTreeMap<Value, Value>,
    value: Value,
) {
    if let Some(&slot) = slots.get(&value) {
        spill(out, insts, slot, value);
        fresh.insert(value, value);
    }
}

/// Slots for the values that are live across safepoints: values that are live at the same time get different ones.
fn colour(
    func: &Func,
    cfg: &Cfg,
    live: &Liveness,
    across: &BTreeMap<Inst, Vec<Value>>,
    rng: &mut Rng,
) -> BTreeMap<Value, usize> {
    let mut values: Vec<Value> = across.values().flatten().copied().collect();
    values.sort_unstable();
    values.dedup();
    let mut conflicts: Vec<(Value, Value)> = Vec::new();
    // Values conflict if one is live where the other is defined.
    let mut meet = |defined: &[Value], set: &[u64]| {
        for &a in defined {
            conflicts.extend(live.values(set).chain(defined.iter().copied()).filter(|&b| a != b).map(|b| (a, b)));
        }
    };
    for &block in &cfg.order {
        let mut set = live.live_out(block).to_vec();
        for &inst in func.blocks[block].insts.iter().rev() {
            meet(func.results(inst), &set);
            live.step_back(func, inst, &mut set);
        }
        meet(func.params(block), &set);
    }
    rng.shuffle(&mut values);
    let mut slots: BTreeMap<Value, usize> = BTreeMap::new();
    for &value in &values {
        let others = conflicts.iter().filter_map(|&(a, b)| match (a == value, b == value) {
            (true, _) => slots.get(&b),
            (_, true) => slots.get(&a),
            _ => None,
        });
        let taken: Vec<usize> = others.copied().collect();
        slots.insert(value, (0..).find(|s| !taken.contains(s)).expect("a free slot"));
    }
    slots
}
