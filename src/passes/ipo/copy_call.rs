//! Copies of a call, with what comes before it in its block, for ways into that block which know more than others.

use cleave_ir::{Block, Edge, Func, Opcode, SecondaryMap, Type, Value, ValueList};
use smallvec::SmallVec;

/// A way into a block: the block that it comes from, and the number of the edge.
pub(crate) type Way = (Block, usize);

/// Splits a block after a call. What is defined up to there has new names in it; the old ones are parameters of the
/// rest, which is given back, so that others may lead there: nothing comes after a tail call.
pub(crate) fn split(func: &mut Func, block: Block, call: usize) -> Option<Block> {
    if func.insts[func.blocks[block].insts[call]].op == Opcode::TailCall {
        return None;
    }
    let rest = func.blocks.push(Default::default());
    func.layout.push(rest);
    func.blocks[rest].is_cold = func.blocks[block].is_cold;
    func.blocks[rest].insts = func.blocks[block].insts.split_off(call + 1);
    func.blocks[rest].edges = std::mem::take(&mut func.blocks[block].edges);
    let mut renamed: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    let mut defined: SmallVec<[Value; 16]> = func.params(block).into();
    for &inst in &func.blocks[block].insts {
        defined.extend_from_slice(func.results(inst));
    }
    for &value in &defined {
        let ty = func.values[value];
        renamed[value] = Some(func.new_value(ty));
    }
    // Nobody hands on what nobody uses.
    let mut is_used: SecondaryMap<Value, bool> = SecondaryMap::new();
    for &other in func.layout.iter().filter(|&&other| other != block) {
        func.blocks[other].insts.iter().flat_map(|&inst| func.args(inst)).for_each(|&arg| is_used[arg] = true);
        func.blocks[other].edges.iter().flat_map(|edge| func.edge_args(edge)).for_each(|&arg| is_used[arg] = true);
    }
    defined.retain(|value| is_used[*value]);
    let fresh: SmallVec<[Value; 16]> = defined.iter().filter_map(|&value| renamed[value]).collect();
    let name = |value: Value| renamed[value].unwrap_or(value);
    let list = |func: &mut Func, list: &ValueList| {
        let values: SmallVec<[Value; 8]> = list.as_slice(&func.pool).iter().map(|&value| name(value)).collect();
        ValueList::from_slice(&values, &mut func.pool)
    };
    let params = std::mem::take(&mut func.blocks[block].params);
    func.blocks[block].params = list(func, &params);
    for number in 0..=call {
        let inst = func.blocks[block].insts[number];
        let data = &mut func.insts[inst];
        let (args, results) = (std::mem::take(&mut data.args), std::mem::take(&mut data.results));
        (func.insts[inst].args, func.insts[inst].results) = (list(func, &args), list(func, &results));
    }
    func.blocks[rest].params = ValueList::from_slice(&defined, &mut func.pool);
    func.append(block, Opcode::Jump, 0, 0, &[], &[]);
    func.add_edge(block, rest, &fresh);
    Some(rest)
}

/// Gives a way into a block a copy of the block's call, and of what comes before it.
pub(crate) fn copy_call(func: &mut Func, block: Block, call: usize, rest: Option<Block>, (from, edge): Way) {
    let copy = func.blocks.push(Default::default());
    func.layout.push(copy);
    let args: SmallVec<[Value; 8]> = func.edge_args(&func.blocks[from].edges[edge]).into();
    let mut names: SmallVec<[(Value, Value); 16]> = func.params(block).iter().copied().zip(args).collect();
    let name = |names: &[(Value, Value)], value: Value| {
        names.iter().find(|known| known.0 == value).map_or(value, |known| known.1)
    };
    for number in 0..=call {
        let inst = func.blocks[block].insts[number];
        let args: SmallVec<[Value; 8]> = func.args(inst).iter().map(|&arg| name(&names, arg)).collect();
        let results: SmallVec<[Value; 4]> = func.results(inst).into();
        let types: SmallVec<[Type; 4]> = results.iter().map(|&result| func.values[result]).collect();
        let (op, imm, aux) = (func.insts[inst].op, func.insts[inst].imm, func.insts[inst].aux);
        func.set_location_of(inst);
        let made = func.append(copy, op, imm, aux, &args, &types);
        names.extend(results.into_iter().zip(func.results(made).iter().copied()));
    }
    func.set_location(cleave_ir::Location::NONE);
    if let Some(rest) = rest {
        let given: SmallVec<[Value; 16]> = func.edge_args(&func.blocks[block].edges[0]).into();
        let given: SmallVec<[Value; 16]> = given.iter().map(|&value| name(&names, value)).collect();
        func.append(copy, Opcode::Jump, 0, 0, &[], &[]);
        func.add_edge(copy, rest, &given);
    }
    func.blocks[from].edges[edge] = Edge { block: copy, args: ValueList::new() };
}
