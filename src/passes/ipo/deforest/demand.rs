//! Demand: which parameters of functions and which arguments of thunks are evaluated or taken apart, and which of their
//! fields are; and which parameters are cells that are filled, of which nothing is read. Found backwards, from values
//! to the parameters that they come from, for the whole program.

use crate::analysis::direct_calls::calls;
use cleave_ir::opcode::Cell;
use cleave_ir::{EntityRef, Func, FuncId, Inst, Module, Opcode, SecondaryMap, ThunkInfo, Type, Value, pack};
use smallvec::{SmallVec, smallvec};

/// How often a function is looked at for one summary: through so many blocks back demand is followed.
const ROUNDS: usize = 4;

/// Parameters of blocks that one cell is followed to.
const MAX_NAMES: usize = 16;

/// What is done with a reference.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Demand(u32);

impl Demand {
    /// Nothing that is known.
    pub const NONE: Demand = Demand(0);
    /// It is evaluated, or it is asked which node it is.
    pub const USED: Demand = Demand(1 << 31);
    const FIELDS: u32 = 31;

    pub fn is_used(self) -> bool {
        self != Demand::NONE
    }
    /// Is a field of it used?
    pub fn has_fields(self) -> bool {
        self.0 & !Demand::USED.0 != 0
    }
    /// What is done with one of its fields.
    pub fn field(self, number: usize) -> Demand {
        let is_used = number < Demand::FIELDS as usize && self.0 >> number & 1 != 0;
        if is_used { Demand::USED } else { Demand::NONE }
    }
    /// It is used because a field of it is read, with which this is done.
    fn of_field(number: u32, field: Demand) -> Demand {
        let bit = if field.is_used() && number < Demand::FIELDS { 1 << number } else { 0 };
        Demand(Demand::USED.0 | bit)
    }
}

impl std::ops::BitOrAssign for Demand {
    fn bitor_assign(&mut self, other: Demand) {
        self.0 |= other.0;
    }
}

/// What is known of a function.
#[derive(Clone, Default, PartialEq)]
pub struct Summary {
    /// By parameter.
    pub params: SmallVec<[Demand; 4]>,
    /// By parameter: is it more than a cell that is filled and given back?
    pub reads: SmallVec<[bool; 4]>,
    /// It fills a cell that it got with a node, or builds the node that it returns.
    pub is_producer: bool,
}

/// The demand on all functions and thunks of a program.
#[derive(Default)]
pub struct Demands {
    pub funcs: SecondaryMap<FuncId, Summary>,
    /// By argument, references first.
    pub thunks: SecondaryMap<ThunkInfo, SmallVec<[Demand; 4]>>,
    /// The thunks that a function is the code of.
    infos: SecondaryMap<FuncId, SmallVec<[ThunkInfo; 1]>>,
    values: SecondaryMap<Value, Demand>,
}

impl Demands {
    /// Of a whole program, whose functions are in these components of its call graph.
    pub fn find(module: &Module, component: &[u32]) -> Demands {
        let mut demands = Demands::default();
        for (info, data) in &module.thunk_infos {
            demands.infos[data.code].push(info);
        }
        let mut callers: SecondaryMap<FuncId, Vec<FuncId>> = SecondaryMap::new();
        for (id, func) in &module.funcs {
            calls(func, &func.layout).for_each(|(callee, _)| callers[callee].push(id));
            // As long as nothing else is known; of functions that are made later, the worst is.
            demands.funcs[id].reads = smallvec![false; func.signature.params.len()];
        }
        // Callees before their callers.
        let mut work: Vec<FuncId> = module.funcs.keys().collect();
        work.sort_by_key(|&id| std::cmp::Reverse((component[id.index()], id)));
        let mut is_queued: SecondaryMap<FuncId, bool> = SecondaryMap::with_default(true);
        while let Some(id) = work.pop() {
            is_queued[id] = false;
            if demands.add(module, id, &module.funcs[id]) {
                let again = callers[id].iter().filter(|&&caller| !std::mem::replace(&mut is_queued[caller], true));
                work.extend(again);
            }
        }
        demands
    }

    /// Looks at one function; true if its callers can know more, or have to know worse.
    pub fn add(&mut self, module: &Module, id: FuncId, func: &Func) -> bool {
        let Some(entry) = func.entry else { return false };
        self.of_values(func);
        let own = func.params(entry);
        let summary = Summary {
            params: own.iter().map(|&param| self.values[param]).collect(),
            reads: own.iter().map(|&param| self.is_read(func, param)).collect(),
            is_producer: self.produces(func),
        };
        let changed = self.funcs[id] != summary;
        self.funcs[id] = summary;
        // The arguments of thunks, from code that reads them.
        let &[thunk] = func.params(entry) else { return changed };
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            let data = &func.insts[inst];
            if data.op != Opcode::ArgRef || func.args(inst)[0] != thunk {
                continue;
            }
            let demand = self.values[func.result(inst)];
            if demand.is_used() {
                self.argument(module, id, data.imm, data.aux as usize, demand);
            }
        }
        changed
    }

    /// A function uses an argument of the thunk that it is the code of.
    fn argument(&mut self, module: &Module, id: FuncId, shape: u64, number: usize, demand: Demand) {
        for at in 0..self.infos[id].len() {
            let info = self.infos[id][at];
            let data = &module.thunk_infos[info];
            if pack(data.ptrs, data.nptrs) != shape {
                continue;
            }
            let of_info = &mut self.thunks[info];
            if of_info.len() <= number {
                of_info.resize(number + 1, Demand::NONE);
            }
            of_info[number] |= demand;
        }
    }

    /// Does a function more with a cell than to fill it, to hand it to others that do not either, and to let others
    /// refer to it?
    pub fn is_read(&self, func: &Func, cell: Value) -> bool {
        if func.values[cell] != Type::Ref {
            return true;
        }
        let mut names: SmallVec<[Value; 4]> = SmallVec::from_slice(&[cell]);
        let mut at = 0;
        while let Some(&name) = names.get(at) {
            if at == MAX_NAMES {
                return true;
            }
            at += 1;
            for edge in func.layout.iter().flat_map(|&block| &func.blocks[block].edges) {
                for (&param, &arg) in func.params(edge.block).iter().zip(func.edge_args(edge)) {
                    if arg == name && !names.contains(&param) {
                        names.push(param);
                    }
                }
            }
        }
        let insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
        insts.into_iter().any(|&inst| {
            let (data, args) = (&func.insts[inst], func.args(inst));
            let reads = |number: usize| match Cell::of(data.op) {
                Some(Cell::BuildNode | Cell::BuildThunk | Cell::BuildDummy | Cell::FillNode | Cell::FillThunk) => false,
                Some(Cell::FillCopy | Cell::Blackhole) => number != 0,
                Some(Cell::MakeIndirection | Cell::SetNodeInfo) => true,
                None if data.op == Opcode::Return => false,
                None if data.op == Opcode::Update || data.op == Opcode::TailUpdate => number != 1,
                None => match data.called_func() {
                    Some(callee) => self.funcs[callee].reads.get(number).copied().unwrap_or(true),
                    None => true,
                },
            };
            args.iter().enumerate().any(|(number, arg)| names.contains(arg) && reads(number))
        })
    }

    /// What is done with an argument of a thunk.
    pub fn of_argument(&self, info: ThunkInfo, number: usize) -> Demand {
        self.thunks[info].get(number).copied().unwrap_or(Demand::NONE)
    }

    /// What is done with a value of the function that was looked at last.
    pub fn of_value(&self, value: Value) -> Demand {
        self.values[value]
    }

    /// Looks at the values of a function, uses before definitions.
    pub fn of_values(&mut self, func: &Func) {
        self.values.clear();
        self.values.resize(func.values.len());
        for _ in 0..ROUNDS {
            let mut changed = false;
            for &block in func.layout.iter().rev() {
                let data = &func.blocks[block];
                for edge in &data.edges {
                    for (&param, &arg) in func.params(edge.block).iter().zip(func.edge_args(edge)) {
                        changed |= self.add_to(arg, self.values[param]);
                    }
                }
                for &inst in data.insts.iter().rev() {
                    changed |= self.inst(func, inst);
                }
            }
            if !changed {
                break;
            }
        }
    }

    fn inst(&mut self, func: &Func, inst: Inst) -> bool {
        let (data, args) = (&func.insts[inst], func.args(inst));
        if let Some(callee) = data.called_func() {
            let mut changed = false;
            for (number, &arg) in args.iter().enumerate() {
                let demand = self.funcs[callee].params.get(number).copied().unwrap_or(Demand::NONE);
                changed |= self.add_to(arg, demand);
            }
            return changed;
        }
        let demand = match data.op {
            Opcode::Eval => self.values[func.result(inst)],
            Opcode::GetRef => Demand::of_field(data.aux, self.values[func.result(inst)]),
            Opcode::GetI64
            | Opcode::GetF64
            | Opcode::Header
            | Opcode::TailEval
            | Opcode::Update
            | Opcode::TailUpdate => Demand::USED,
            _ => return false,
        };
        self.add_to(args[0], Demand::USED) | self.add_to(args[0], demand)
    }

    fn add_to(&mut self, value: Value, demand: Demand) -> bool {
        let before = self.values[value];
        self.values[value] |= demand;
        before != self.values[value]
    }

    /// Does a function return a node that it makes itself, on some way?
    fn produces(&self, func: &Func) -> bool {
        func.layout.iter().any(|&block| {
            let Some(last) = func.terminator(block) else { return false };
            let data = &func.insts[last];
            if data.op == Opcode::TailCall {
                return data.called_func().is_some_and(|callee| self.funcs[callee].is_producer);
            }
            let Some(&result) = func.args(last).first() else { return false };
            data.op == Opcode::Return
                && func.blocks[block].insts.iter().any(|&inst| {
                    let (op, args) = (func.insts[inst].op, func.args(inst));
                    op == Opcode::FillNode && args[0] == result && args.len() > 1
                        || op == Opcode::BuildNode && func.result(inst) == result
                })
        })
    }
}
