//! Holes in high IR (`open_hole`, `move_hole`, `fill_hole`): each is a field of a new node that nobody else knows, and
//! is filled exactly once on every path. In rooted IR `counts` proves the same, beside all else about references.
//!
//! Holes are numbers to the types. Which parameters of functions are holes follows from what is done with them, as it
//! does where references are counted: a parameter that is filled, or passed on to such a one, is a hole.

use super::report::{Location, Sink, VerifyError};
use crate::cfg::Cfg;
use crate::entity::{Block, FuncId, Inst, Value};
use crate::func::{Func, InstData, Phase, pack};
use crate::module::{Module, TableRole};
use crate::opcode::{Flags, Opcode};
use crate::types::Type;
use cranelift_entity::{EntityRef, SecondaryMap};
use smallvec::SmallVec;
use std::collections::BTreeSet;

type Numbers = SmallVec<[u32; 2]>;

/// What is wrong with the holes of a module in high IR whose functions are right otherwise.
pub(super) fn check(module: &Module) -> Vec<VerifyError> {
    if !module.heap.counts() || module.phase() != Phase::High || !module.funcs.values().any(has_holes) {
        return Vec::new();
    }
    let params = params(module);
    let mut errors = Vec::new();
    for (id, func) in &module.funcs {
        let own = &params[id.index()];
        if own.is_empty() && !is_concerned(func, &params) {
            continue;
        }
        let mut checker = Checker { module, func, params: &params, sink: Sink::new(module, func) };
        if let Some(&number) = own.first().filter(|_| is_called_unnamed(module, id)) {
            let message = format!("parameter {number} is a hole: the function is called by its name alone");
            checker.sink.push(Location::Func, message);
        }
        checker.function(own);
        errors.append(&mut checker.sink.errors);
    }
    errors
}

fn insts(func: &Func) -> impl Iterator<Item = (Block, Inst)> {
    func.layout.iter().flat_map(|&block| func.blocks[block].insts.iter().map(move |&inst| (block, inst)))
}

fn has_holes(func: &Func) -> bool {
    insts(func).any(|(_, inst)| func.insts[inst].op.is_of_holes())
}

/// Is the function in a table, the code of a descriptor, or where the program starts?
fn is_called_unnamed(module: &Module, id: FuncId) -> bool {
    let of_desc = module
        .descs
        .values()
        .any(|desc| desc.method.is_some_and(|(_, method)| method == id) || desc.apply.contains(&Some(id)));
    let of_table = module.tables.values().any(|table| {
        table.funcs.contains(&id) && matches!(table.role, TableRole::Plain | TableRole::Apply(_) | TableRole::Update)
    });
    of_desc || of_table || module.start == Some(id)
}

/// The parameters of each function that are holes, by number.
pub fn params(module: &Module) -> Vec<SmallVec<[u32; 2]>> {
    let mut found = vec![Numbers::new(); module.funcs.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (id, func) in module.funcs.iter().filter(|(_, func)| func.entry.is_some()) {
            if !is_concerned(func, &found) {
                continue;
            }
            let holes = filled(func, &found);
            let params = func.params(func.entry_block()).iter().enumerate();
            let numbers: Numbers = params.filter(|&(_, &param)| holes[param]).map(|(i, _)| i as u32).collect();
            if numbers != found[id.index()] {
                (found[id.index()], changed) = (numbers, true);
            }
        }
    }
    found
}

/// Does the function fill a hole, or call one that is known to?
fn is_concerned(func: &Func, others: &[Numbers]) -> bool {
    insts(func).any(|(_, inst)| {
        let data = &func.insts[inst];
        data.op.is_of_holes() || data.called_func().is_some_and(|callee| !others[callee.index()].is_empty())
    })
}

/// What is filled in a function, as far as the holes of others are known.
fn filled(func: &Func, others: &[Numbers]) -> SecondaryMap<Value, bool> {
    let mut holes = SecondaryMap::new();
    for (_, inst) in insts(func) {
        consumed(func, inst, others).into_iter().for_each(|hole| holes[hole] = true);
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for edge in func.layout.iter().flat_map(|&block| &func.blocks[block].edges) {
            for (&arg, &param) in func.edge_args(edge).iter().zip(func.params(edge.block)) {
                if holes[param] && !holes[arg] {
                    (holes[arg], changed) = (true, true);
                }
            }
        }
    }
    holes
}

/// The holes that an instruction fills, or gives to who does.
fn consumed(func: &Func, inst: Inst, others: &[Numbers]) -> SmallVec<[Value; 2]> {
    let args = func.args(inst);
    let data = &func.insts[inst];
    if data.op.is_of_holes() {
        return args.iter().copied().take(usize::from(data.op != Opcode::OpenHole)).collect();
    }
    let numbers = data.called_func().into_iter().flat_map(|callee| &others[callee.index()]);
    numbers.map(|&number| args[number as usize]).collect()
}

struct Checker<'a> {
    module: &'a Module,
    func: &'a Func,
    params: &'a [Numbers],
    sink: Sink<'a>,
}

impl Checker<'_> {
    fn function(&mut self, own: &[u32]) {
        let func = self.func;
        // What is a hole: what was opened, and parameters that get holes or are filled.
        let filled = filled(func, self.params);
        let mut holes: SecondaryMap<Value, bool> = SecondaryMap::new();
        for (_, inst) in insts(func).filter(|&(_, inst)| func.insts[inst].op != Opcode::FillHole) {
            let opens = func.insts[inst].op.makes_hole();
            func.results(inst).iter().for_each(|&result| holes[result] = opens);
        }
        for &block in &func.layout[1..] {
            func.params(block).iter().for_each(|&param| holes[param] = filled[param]);
        }
        let entry = func.params(func.entry_block());
        own.iter().for_each(|&number| holes[entry[number as usize]] = true);
        let uses = self.uses();
        let cfg = Cfg::compute(func);
        let mut starts: SecondaryMap<Block, Option<BTreeSet<Value>>> = SecondaryMap::new();
        starts[func.entry_block()] = Some(own.iter().map(|&number| entry[number as usize]).collect());
        for &block in &cfg.order {
            // All blocks of the order have one before them.
            let Some(mut open) = starts[block].clone() else { continue };
            for &inst in &func.blocks[block].insts {
                self.inst((block, inst), &holes, &uses, &mut open);
            }
            let Some(&last) = func.blocks[block].insts.last() else { continue };
            let at = Location::Inst(block, last);
            if func.blocks[block].edges.is_empty() && func.insts[last].op != Opcode::Unreachable {
                open.iter().for_each(|hole| self.sink.push(at, format!("the hole {hole} is not filled")));
            }
            for edge in &func.blocks[block].edges {
                let mut after = open.clone();
                let pairs = func.edge_args(edge).iter().zip(func.params(edge.block));
                let pairs: SmallVec<[(Value, Value); 4]> = pairs.map(|(&arg, &param)| (arg, param)).collect();
                for &(arg, _) in pairs.iter().filter(|pair| holes[pair.1]) {
                    if !after.remove(&arg) {
                        self.sink.push(at, format!("{arg} is no hole that is still open"));
                    }
                }
                after.extend(pairs.iter().map(|pair| pair.1).filter(|&param| holes[param]));
                match &starts[edge.block] {
                    Some(known) if *known != after => {
                        self.sink.push(at, format!("another way to {} has other open holes", edge.block));
                    }
                    Some(_) => {}
                    None => starts[edge.block] = Some(after),
                }
            }
        }
    }

    /// How often each value is used.
    fn uses(&self) -> SecondaryMap<Value, u32> {
        let (func, mut uses) = (self.func, SecondaryMap::new());
        for (_, inst) in insts(func) {
            func.args(inst).iter().for_each(|&arg| uses[arg] += 1);
        }
        for edge in func.layout.iter().flat_map(|&block| &func.blocks[block].edges) {
            func.edge_args(edge).iter().for_each(|&arg| uses[arg] += 1);
        }
        uses
    }

    fn inst(
        &mut self,
        (block, inst): (Block, Inst),
        holes: &SecondaryMap<Value, bool>,
        uses: &SecondaryMap<Value, u32>,
        open: &mut BTreeSet<Value>,
    ) {
        let (func, at) = (self.func, Location::Inst(block, inst));
        let data = &func.insts[inst];
        let consumed = consumed(func, inst, self.params);
        for &hole in &consumed {
            if !open.remove(&hole) {
                self.sink.push(at, format!("{hole} is no hole that is still open"));
            }
        }
        let others = func.args(inst).iter().filter(|&&arg| holes[arg] && !consumed.contains(&arg));
        for arg in others.collect::<Vec<_>>() {
            self.sink.push(at, format!("the hole {arg} is given to nobody who fills it"));
        }
        if data.op.makes_hole() {
            let node = func.args(inst)[func.args(inst).len() - 1];
            if uses[node] != 1 || !self.has_hole(block, data, node) {
                let message =
                    format!("{node} has no such hole: it is not new, known elsewhere, or the field not static");
                self.sink.push(at, message);
            }
            open.extend(func.results(inst));
        }
    }

    /// Is a node built in this block, with a static node in the field that is to be the hole?
    fn has_hole(&self, block: Block, data: &InstData, node: Value) -> bool {
        let func = self.func;
        let insts = &func.blocks[block].insts;
        let Some(&built) = insts.iter().find(|&&inst| func.results(inst).first() == Some(&node)) else { return false };
        if func.insts[built].op != Opcode::BuildNode {
            return false;
        }
        let shape = self.module.shape(func.insts[built].desc(), func.insts[built].aux);
        let hole = data.field_shape();
        let same = pack(shape.ptrs, shape.nptrs) == pack(hole.ptrs, hole.nptrs);
        let field = func.args(built).get(data.aux as usize).copied();
        let is_static = |field: Value| {
            let mut all = self::insts(func).map(|(_, inst)| inst);
            all.any(|inst| func.results(inst).contains(&field) && func.insts[inst].op.any(Flags::STATIC))
        };
        same && field.is_some_and(|field| func.values[field] == Type::Ref && is_static(field))
    }
}
