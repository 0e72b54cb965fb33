//! Reduces IR: bodies of functions, items and functions, branches, instructions, parameters, constants. Every candidate
//! is accepted by the verifier before it is tried.
//!
//! What is left out is replaced by constants of its type (a reference by the empty node), so that the rest stays
//! correct. Works in every phase; merging of blocks by the pass `simplify-cfg` only on high IR.

use super::leave_out;
use cleave_ir::cfg::Cfg;
use cleave_ir::text::{parse_module, print_module};
use cleave_ir::verify::verify_module;
use cleave_ir::{
    Block, Edge, Func, FuncId, Inst, Module, Opcode, Phase, SecondaryMap, Type, Value, ValueList, WellKnownDesc,
};
use cleave_passes::manager;

/// The smallest module found for which `test` holds, as it does for `module`.
pub fn reduce(module: &Module, test: impl FnMut(&Module) -> bool) -> Module {
    let mut reducer = Reducer { best: module.clone(), size: size(module), test };
    loop {
        let before = reducer.size;
        reducer.bodies();
        reducer.items();
        reducer.branches();
        reducer.instructions();
        reducer.block_parameters();
        reducer.function_parameters();
        reducer.constants();
        reducer.merge_blocks();
        if reducer.size >= before {
            return reducer.best;
        }
    }
}

/// What shrinks with every step: instructions that are no constants, then the text.
pub fn size(module: &Module) -> (usize, usize) {
    let count = |func: &Func| {
        let insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
        insts.filter(|&&inst| !is_constant(func.insts[inst].op)).count()
    };
    (module.funcs.values().map(count).sum(), print_module(module).len())
}

fn is_constant(op: Opcode) -> bool {
    matches!(op, Opcode::Iconst32 | Opcode::Iconst64 | Opcode::Fconst | Opcode::NodeRef)
}

struct Reducer<T> {
    best: Module,
    size: (usize, usize),
    test: T,
}

impl<T: FnMut(&Module) -> bool> Reducer<T> {
    /// Keeps a candidate if it is smaller, correct and interesting.
    fn accept(&mut self, candidate: Module) -> bool {
        let size = size(&candidate);
        let keeps = size < self.size && verify_module(&candidate).is_ok() && (self.test)(&candidate);
        if keeps {
            (self.best, self.size) = (candidate, size);
        }
        keeps
    }

    /// The same for a change of one function.
    fn change(&mut self, id: FuncId, change: impl FnOnce(&mut Func)) -> bool {
        let mut candidate = self.best.clone();
        change(&mut candidate.funcs[id]);
        self.accept(candidate)
    }

    fn ids(&self) -> Vec<FuncId> {
        self.best.funcs.keys().collect()
    }

    /// Functions that return constants at once.
    fn bodies(&mut self) {
        let original = self.best.clone();
        let mut full = self.ids();
        leave_out(&mut full, |rest| {
            let mut candidate = original.clone();
            for (id, func) in candidate.funcs.iter_mut().filter(|(id, _)| !rest.contains(id)) {
                *func = empty_body(&original.funcs[id]);
            }
            self.accept(candidate)
        });
    }

    /// Everything that nothing else names.
    fn items(&mut self) {
        let mut items = pieces(&print_module(&self.best));
        leave_out(&mut items, |rest| parse_module(&rest.concat()).is_ok_and(|candidate| self.accept(candidate)));
    }

    /// Branches go one way, or the function ends there.
    fn branches(&mut self) {
        for id in self.ids() {
            for block in self.best.funcs[id].layout.clone() {
                let edges = self.best.funcs[id].blocks[block].edges.len();
                if edges == 0 || !self.best.funcs[id].layout.contains(&block) {
                    continue;
                }
                let ended = self.change(id, |func| {
                    let (types, edges) = (func.signature.results.clone(), &mut func.blocks[block].edges);
                    edges.clear();
                    func.blocks[block].insts.pop();
                    let values: Vec<Value> = types.iter().map(|&ty| append_constant(func, block, ty)).collect();
                    func.append(block, Opcode::Return, 0, 0, &values, &[]);
                    remove_unreachable(func);
                });
                if ended || edges < 2 {
                    continue;
                }
                for edge in 0..edges {
                    let only = self.change(id, |func| {
                        let kept = func.blocks[block].edges[edge].clone();
                        func.blocks[block].edges = [kept].into_iter().collect();
                        func.blocks[block].insts.pop();
                        func.append(block, Opcode::Jump, 0, 0, &[], &[]);
                        remove_unreachable(func);
                    });
                    if only {
                        break;
                    }
                }
            }
        }
    }

    /// Instructions become constants, and constants that nobody uses go.
    fn instructions(&mut self) {
        for id in self.ids() {
            let func = &self.best.funcs[id];
            let original = func.clone();
            let all = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
            let mut insts: Vec<Inst> = all.copied().filter(|&i| !func.insts[i].op.is_terminator()).collect();
            leave_out(&mut insts, |rest| self.change(id, |func| *func = without(&original, rest)));
        }
    }

    fn block_parameters(&mut self) {
        for id in self.ids() {
            for block in self.best.funcs[id].layout.clone().into_iter().skip(1) {
                for index in (0..self.best.funcs[id].params(block).len()).rev() {
                    self.change(id, |func| {
                        remove_parameter(func, block, index);
                        for from in func.layout.clone() {
                            let Func { blocks, pool, .. } = &mut *func;
                            for edge in blocks[from].edges.iter_mut().filter(|edge| edge.block == block) {
                                edge.args.remove(index, pool);
                            }
                        }
                    });
                }
            }
        }
    }

    /// Of functions that are only called by name.
    fn function_parameters(&mut self) {
        for id in self.ids() {
            for index in (0..self.best.funcs[id].signature.params.len()).rev() {
                let mut candidate = self.best.clone();
                let callee = &mut candidate.funcs[id];
                callee.signature.params.remove(index);
                let entry = callee.entry_block();
                remove_parameter(callee, entry, index);
                let hidden = if callee.phase == Phase::Low { callee.lowered_signature().hidden() } else { 0 };
                for func in candidate.funcs.values_mut() {
                    let Func { insts, pool, .. } = func;
                    for data in insts.values_mut() {
                        let is_call = matches!(data.op, Opcode::Call | Opcode::TailCall);
                        if is_call && data.imm as u32 == id.as_u32() && data.args.len(pool) > index + hidden {
                            data.args.remove(index + hidden, pool);
                        }
                    }
                }
                self.accept(candidate);
            }
        }
    }

    /// Numbers become 0, or half as large.
    fn constants(&mut self) {
        for id in self.ids() {
            let func = &self.best.funcs[id];
            let all = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
            let numbers = |op| matches!(op, Opcode::Iconst32 | Opcode::Iconst64 | Opcode::Fconst);
            for inst in all.copied().filter(|&i| numbers(func.insts[i].op)).collect::<Vec<_>>() {
                let number = self.best.funcs[id].insts[inst].imm;
                let half = match self.best.funcs[id].insts[inst].op {
                    Opcode::Fconst => 1f64.to_bits(),
                    _ => (number as i64 / 2) as u64,
                };
                if number == 0 || self.change(id, |func| func.insts[inst].imm = 0) {
                    continue;
                }
                self.change(id, |func| func.insts[inst].imm = half);
            }
        }
    }

    fn merge_blocks(&mut self) {
        if self.best.funcs.values().any(|func| func.phase != Phase::High) {
            return;
        }
        let mut candidate = self.best.clone();
        manager::optimise(&mut candidate, &["simplify-cfg", "renumber"]);
        self.accept(candidate);
    }
}

/// A module's text in pieces that may be left out: lines, and functions with the comments before them.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        inside |= line.starts_with("func ");
        if let Some(last) = pieces.last_mut() {
            last.push_str(line);
        }
        if !inside || line.starts_with('}') {
            inside = false;
            pieces.push(String::new());
        }
    }
    pieces
}

/// The same signature, and constants as results.
fn empty_body(func: &Func) -> Func {
    let mut empty = Func::new(func.name.clone(), func.signature.clone());
    empty.phase = func.phase;
    (empty.may_gc, empty.takes_stack_pointer) = (func.may_gc, func.takes_stack_pointer);
    let block = empty.new_block();
    let entry = func.entry_block();
    for &param in func.params(entry) {
        empty.add_param(block, func.values[param]);
    }
    let types = func.signature.results.clone();
    let values: Vec<Value> = types.iter().map(|&ty| append_constant(&mut empty, block, ty)).collect();
    empty.append(block, Opcode::Return, 0, 0, &values, &[]);
    empty
}

fn append_constant(func: &mut Func, block: Block, ty: Type) -> Value {
    let inst = constant(func, ty);
    func.blocks[block].insts.push(inst);
    func.result(inst)
}

/// A constant that is in no block yet.
fn constant(func: &mut Func, ty: Type) -> Inst {
    let (op, imm) = match ty {
        Type::I32 => (Opcode::Iconst32, 0),
        Type::I64 => (Opcode::Iconst64, 0),
        Type::F64 => (Opcode::Fconst, 0),
        Type::Ref => (Opcode::NodeRef, u64::from(WellKnownDesc::Empty.desc().as_u32())),
    };
    func.make_inst(op, imm, 0, &[], &[ty])
}

/// A constant that defines a value which something else defined before.
fn redefine(func: &mut Func, value: Value) -> Inst {
    let inst = constant(func, func.values[value]);
    func.insts[inst].results = ValueList::from_slice(&[value], &mut func.pool);
    inst
}

/// The function with only these of its instructions, and the terminators.
fn without(original: &Func, kept: &[Inst]) -> Func {
    let mut func = original.clone();
    let mut keeps: SecondaryMap<Inst, bool> = SecondaryMap::new();
    kept.iter().for_each(|&inst| keeps[inst] = true);
    let mut used: SecondaryMap<Value, bool> = SecondaryMap::new();
    for &block in &original.layout {
        let data = &original.blocks[block];
        for &inst in data.insts.iter().filter(|&&inst| keeps[inst] || original.insts[inst].op.is_terminator()) {
            original.args(inst).iter().for_each(|&arg| used[arg] = true);
        }
        let args = |edge: &Edge| original.edge_args(edge).to_vec();
        data.edges.iter().flat_map(args).for_each(|arg| used[arg] = true);
    }
    for &block in &original.layout {
        let mut insts = Vec::new();
        for &inst in &original.blocks[block].insts {
            if keeps[inst] || original.insts[inst].op.is_terminator() {
                insts.push(inst);
                continue;
            }
            for &result in original.results(inst).iter().filter(|&&result| used[result]) {
                insts.push(redefine(&mut func, result));
            }
        }
        func.blocks[block].insts = insts;
    }
    func
}

fn remove_parameter(func: &mut Func, block: Block, index: usize) {
    let value = func.params(block)[index];
    let Func { blocks, pool, .. } = &mut *func;
    blocks[block].params.remove(index, pool);
    let inst = redefine(func, value);
    func.blocks[block].insts.insert(0, inst);
}

fn remove_unreachable(func: &mut Func) {
    let cfg = Cfg::compute(func);
    func.layout.retain(|&block| cfg.is_reachable(block));
}
