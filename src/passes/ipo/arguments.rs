//! Interprocedural argument analysis: a `Fact` about every parameter of a function and every argument of a thunk, the
//! join of what all call sites and all instructions that build such a thunk pass there. All start as "never passed" and
//! go up until nothing changes, each function being looked at again when something about its parameters did. Used by
//! `specialise` and `propagate`.
//!
//! Not known: parameters of functions in tables (the runtime calls them, too) and of modules without a start; arguments
//! of thunks whose code or header is used in any other way than by evaluation; anything about nodes that the function
//! overwrites. As for `evalelim`, a node once evaluated stays so for everybody but its owner, who gets it back under
//! another name when it has been overwritten.

use crate::analysis::lattice::{Constant, Fact, transfer};
use crate::ipo::promote_constants;
use cleave_ir::opcode::{Cell, Evaluation, Field, Store};
use cleave_ir::{
    Func, FuncId, Group, ImmKind, Inst, Module, Opcode, SecondaryMap, Static, StaticNode, ThunkInfo, ThunkKind, Value,
    pack,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// The thunk that the first parameter of a function is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Thunk {
    #[default]
    None,
    Of(ThunkInfo),
    /// Of several, or of one we cannot tell.
    Unknown,
}

/// How much the function that is looked at may change a node.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Stability {
    #[default]
    Stable,
    /// It gets another descriptor, or is filled.
    Evaluated,
    /// It may be overwritten by a thunk.
    Overwritten,
}

/// Facts about the program and, while one function is looked at, about its values.
pub(crate) struct ProgramFacts {
    /// Of parameters and arguments of thunks, from `of_func` and `of_entry` on.
    pub passed: Vec<Fact>,
    pub of_func: SecondaryMap<FuncId, u32>,
    pub of_entry: SecondaryMap<ThunkInfo, u32>,
    thunk: SecondaryMap<FuncId, Thunk>,
    /// Functions that read the arguments of thunks of an entry.
    readers: SecondaryMap<ThunkInfo, SmallVec<[FuncId; 2]>>,
    queue: VecDeque<FuncId>,
    is_queued: SecondaryMap<FuncId, bool>,
    pub values: SecondaryMap<Value, Fact>,
    stability: SecondaryMap<Value, Stability>,
    /// Its entry block is jumped to.
    entry_is_loop: bool,
    /// Static nodes by their contents.
    statics: FxHashMap<StaticNode, Static>,
}

impl ProgramFacts {
    /// Nothing is known to be passed, except to functions that are reached from elsewhere.
    pub fn new(module: &Module) -> ProgramFacts {
        let mut known = ProgramFacts {
            passed: Vec::new(),
            of_func: SecondaryMap::new(),
            of_entry: SecondaryMap::new(),
            thunk: SecondaryMap::new(),
            readers: SecondaryMap::new(),
            queue: module.funcs.keys().collect(),
            is_queued: SecondaryMap::with_default(true),
            values: SecondaryMap::new(),
            stability: SecondaryMap::new(),
            entry_is_loop: false,
            statics: promote_constants::known(module),
        };
        let at_first = if module.is_closed() { Fact::Unseen } else { Fact::Any };
        for (id, func) in module.funcs.iter() {
            known.of_func[id] = known.passed.len() as u32;
            known.passed.resize(known.passed.len() + func.signature.params.len(), at_first);
        }
        for (entry, data) in module.thunk_infos.iter() {
            known.of_entry[entry] = known.passed.len() as u32;
            let fact = if data.kind == ThunkKind::Plain { Fact::Unseen } else { Fact::Any };
            known.passed.resize(known.passed.len() + (data.ptrs + data.nptrs) as usize, fact);
            known.read_by(entry, data.code);
        }
        for (entry, data) in module.thunk_infos.iter() {
            if let Some(update) = data.update {
                known.read_by(entry, update);
            }
        }
        for func in module.dispatched_funcs() {
            known.reached_from_elsewhere(module, func);
        }
        for (_, func) in module.funcs.iter() {
            for (callee, _) in crate::analysis::direct_calls::calls(func, &func.layout) {
                if known.thunk[callee] != Thunk::None {
                    known.thunk[callee] = Thunk::Unknown;
                }
            }
        }
        known
    }

    fn read_by(&mut self, entry: ThunkInfo, func: FuncId) {
        let thunk = &mut self.thunk[func];
        *thunk = if *thunk == Thunk::None { Thunk::Of(entry) } else { Thunk::Unknown };
        self.readers[entry].push(func);
    }

    fn reached_from_elsewhere(&mut self, module: &Module, func: FuncId) {
        let first = self.of_func[func] as usize;
        self.passed[first..first + module.funcs[func].signature.params.len()].fill(Fact::Any);
    }

    // -- copies ------------------------------------------------------------------------------------------------------

    /// The function that alone takes apart the thunks of an entry (but for an update function).
    pub fn code_of(&self, module: &Module, entry: ThunkInfo) -> Option<FuncId> {
        let code = module.thunk_infos[entry].code;
        (self.thunk[code] == Thunk::Of(entry)).then_some(code)
    }

    /// A new function, to which nothing has been passed yet; `is_code` if it is that of an entry.
    pub fn add_func(&mut self, module: &Module, func: FuncId, is_code: bool) {
        let at_first = if is_code { Fact::Any } else { Fact::Unseen };
        self.of_func[func] = self.passed.len() as u32;
        self.passed.resize(self.passed.len() + module.funcs[func].signature.params.len(), at_first);
        self.is_queued[func] = false;
        self.again(func);
    }

    /// A new entry with its own code, a copy of another one.
    pub fn add_entry(&mut self, module: &Module, original: ThunkInfo, entry: ThunkInfo) {
        let data = &module.thunk_infos[entry];
        self.of_entry[entry] = self.passed.len() as u32;
        self.passed.resize(self.passed.len() + (data.ptrs + data.nptrs) as usize, Fact::Unseen);
        self.read_by(entry, data.code);
        // The update function now gets thunks of both.
        for index in 0..self.readers[original].len() {
            let reader = self.readers[original][index];
            if reader != module.thunk_infos[original].code && self.thunk[reader] != Thunk::Unknown {
                self.thunk[reader] = Thunk::Unknown;
                self.again(reader);
            }
        }
    }

    // -- the fixed point ---------------------------------------------------------------------------------------------

    pub fn solve(&mut self, module: &Module) {
        while let Some(id) = self.queue.pop_front() {
            self.is_queued[id] = false;
            let func = &module.funcs[id];
            self.look_at(module, id, func);
            for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
                let data = &func.insts[inst];
                let args = func.args(inst);
                if let Some(callee) = data.called_func() {
                    if self.pass(self.of_func[callee], args) {
                        self.again(callee);
                    }
                } else if let Some((info, first)) = data.built_thunk() {
                    self.build(info, &args[first..]);
                } else if data.op.info().imm == ImmKind::ThunkInfo {
                    self.named(module, data.thunk_info());
                }
            }
        }
    }

    /// Joins what is passed into the facts from `first` on; true if one changed.
    pub fn pass(&mut self, first: u32, args: &[Value]) -> bool {
        let mut changed = false;
        for (fact, &arg) in self.passed[first as usize..].iter_mut().zip(args) {
            let joined = fact.join(self.values[arg]);
            changed |= joined != *fact;
            *fact = joined;
        }
        changed
    }

    fn build(&mut self, entry: ThunkInfo, args: &[Value]) {
        if self.pass(self.of_entry[entry], args) {
            self.reread(entry);
        }
    }

    /// The header of the thunks of an entry is used as a number: anything may be built with it.
    fn named(&mut self, module: &Module, entry: ThunkInfo) {
        let (data, first) = (&module.thunk_infos[entry], self.of_entry[entry] as usize);
        let passed = &mut self.passed[first..first + (data.ptrs + data.nptrs) as usize];
        if passed.iter().any(|&fact| fact != Fact::Any) {
            passed.fill(Fact::Any);
            self.reread(entry);
        }
    }

    /// Looks again at the functions that take apart the thunks of an entry.
    pub fn reread(&mut self, entry: ThunkInfo) {
        for index in 0..self.readers[entry].len() {
            self.again(self.readers[entry][index]);
        }
    }

    /// Looks again at a function: something else is passed to it.
    pub fn again(&mut self, func: FuncId) {
        if !self.is_queued[func] {
            self.is_queued[func] = true;
            self.queue.push_back(func);
        }
    }

    // -- one function ------------------------------------------------------------------------------------------------

    /// Fills in `values` for a function, from what is known of its parameters now.
    pub fn look_at(&mut self, module: &Module, id: FuncId, func: &Func) {
        self.values.clear();
        self.values.resize(func.values.len());
        self.find_unstable(func);
        let entry = func.entry_block();
        for (index, &param) in func.params(entry).iter().enumerate() {
            self.define(param, self.passed[self.of_func[id] as usize + index]);
        }
        self.entry_is_loop = func.layout.iter().any(|&block| func.successors(block).any(|to| to == entry));
        let mut again = true;
        while again {
            again = false;
            for &block in &func.layout {
                for &inst in &func.blocks[block].insts {
                    let [result] = func.results(inst)[..] else {
                        // Results of a call of several.
                        func.results(inst).iter().for_each(|&result| self.values[result] = Fact::Any);
                        continue;
                    };
                    let op = func.insts[inst].op;
                    let is_unstable = || self.stability[func.args(inst)[0]] == Stability::Overwritten;
                    let fact = if let Some(Field::ArgRef | Field::ArgI64 | Field::ArgF64) = Field::of(op) {
                        self.argument(module, id, func, inst)
                    } else if op == Opcode::BuildNode {
                        self.node(module, func, inst)
                    } else if op == Opcode::Eval && is_unstable() {
                        Fact::Any
                    } else {
                        transfer(module, func, inst, |value| self.values[value])
                    };
                    self.define(result, fact);
                }
                for edge in &func.blocks[block].edges {
                    for (&param, &arg) in func.params(edge.block).iter().zip(func.edge_args(edge)) {
                        let (before, joined) = (self.values[param], self.values[param].join(self.values[arg]));
                        self.define(param, joined);
                        // Blocks that were done already have to see the change.
                        again |= self.values[param] != before;
                    }
                }
            }
        }
    }

    /// What is built: a static node, if there is one with these fields and nobody can tell. So an instance of a class
    /// that is taken apart and put together again is known to be the same.
    fn node(&self, module: &Module, func: &Func, inst: Inst) -> Fact {
        let data = &func.insts[inst];
        let (desc, applied_args) = (data.desc(), data.aux);
        let node_info = Fact::NodeInfo(desc, applied_args);
        if self.statics.is_empty() || !module.descs[desc].is_immutable(applied_args) {
            return node_info;
        }
        let args = func.args(inst);
        let count = module.payload(desc, applied_args).0 as usize;
        let mut ptrs = Vec::with_capacity(count);
        for &arg in &args[..count] {
            match self.values[arg].constant().and_then(Constant::field) {
                Some(field) => ptrs.push(field),
                None if self.values[arg] == Fact::Unseen => return Fact::Unseen,
                None => return node_info,
            }
        }
        let is_word = |constant: &Constant| constant.op == Opcode::Iconst64 || constant.op == Opcode::Fconst;
        let word = |arg: Value| self.values[arg].constant().filter(is_word).map(|constant| constant.imm);
        let nptrs = args[count..].iter().map(|&arg| word(arg));
        let Some(nptrs) = nptrs.collect() else { return node_info };
        let node = StaticNode { desc, applied_args, ptrs: ptrs.into(), nptrs };
        self.statics.get(&node).map_or(node_info, |&object| Fact::Node(object, desc, applied_args))
    }

    fn define(&mut self, value: Value, fact: Fact) {
        self.values[value] = match self.stability[value] {
            Stability::Stable => fact,
            Stability::Evaluated => fact.without_row(),
            Stability::Overwritten => Fact::Any,
        };
    }

    /// The entry and the number of the argument that `inst` reads, if that is of the thunk that the function is the
    /// code of.
    pub fn own_argument(&self, module: &Module, id: FuncId, func: &Func, inst: Inst) -> Option<(ThunkInfo, u32)> {
        let Thunk::Of(entry) = self.thunk[id] else { return None };
        let (data, layout) = (&func.insts[inst], &module.thunk_infos[entry]);
        let is_own = func.params(func.entry_block()).first() == func.args(inst).first();
        let first = if data.op == Opcode::ArgRef { 0 } else { layout.ptrs };
        (is_own && data.imm == pack(layout.ptrs, layout.nptrs))
            .then(|| (entry, self.of_entry[entry] + first + data.aux))
    }

    /// What is passed to the thunk that the function is the code of.
    fn argument(&self, module: &Module, id: FuncId, func: &Func, inst: Inst) -> Fact {
        let own = self.own_argument(module, id, func, inst).filter(|_| !self.entry_is_loop);
        let Some((_, at)) = own else { return Fact::Any };
        let fact = self.passed[at as usize];
        // Raw words may be built as the one type and read as the other.
        let other = if func.insts[inst].op == Opcode::ArgI64 { Opcode::Fconst } else { Opcode::Iconst64 };
        if matches!(fact, Fact::Const(constant) if constant.op == other) { Fact::Any } else { fact }
    }

    /// Nodes that the function overwrites, under all names that evaluation gave them.
    fn find_unstable(&mut self, func: &Func) {
        self.stability.clear();
        self.stability.resize(func.values.len());
        let mut any = false;
        let mut evals: SmallVec<[Inst; 16]> = SmallVec::new();
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            let op = func.insts[inst].op;
            if op == Opcode::Eval || op == Opcode::Enter {
                evals.push(inst);
            }
            let Some(stability) = stability_after(op) else { continue };
            let node = func.args(inst)[usize::from(op == Opcode::Update)];
            self.stability[node] = self.stability[node].max(stability);
            any = true;
        }
        // Up the chains of evaluations, then down: definitions come before uses in the layout, else more often.
        while std::mem::take(&mut any) {
            for &inst in evals.iter().rev().chain(&evals) {
                let (node, result) = (func.args(inst)[0], func.result(inst));
                let stability = self.stability[node].max(self.stability[result]);
                any |= self.stability[node] != stability || self.stability[result] != stability;
                self.stability[node] = stability;
                self.stability[result] = stability;
            }
        }
    }
}

/// What a header is no more after an instruction that overwrites it: that of the first operand, of `update` that of the
/// second one.
fn stability_after(op: Opcode) -> Option<Stability> {
    match op.group() {
        Group::Cell(Cell::SetNodeInfo | Cell::FillNode | Cell::FillCopy) => Some(Stability::Evaluated),
        Group::Cell(Cell::FillThunk | Cell::MakeIndirection | Cell::Blackhole) => Some(Stability::Overwritten),
        Group::Cell(Cell::BuildNode | Cell::BuildThunk | Cell::BuildDummy) => None,
        Group::Evaluation(Evaluation::Update) => Some(Stability::Evaluated),
        // What others do with it they do with a node that is theirs to overwrite.
        Group::Evaluation(Evaluation::Eval | Evaluation::Enter | Evaluation::Apply | Evaluation::CallMethod) => None,
        Group::Evaluation(Evaluation::TailEval | Evaluation::TailEnter | Evaluation::TailUpdate) => None,
        Group::Evaluation(Evaluation::TailApply | Evaluation::TailCallMethod) => None,
        Group::Store(Store::StoreI32 | Store::StoreRef) => Some(Stability::Overwritten),
        // No header is so long or so short.
        Group::Store(Store::StoreI64 | Store::StoreF64 | Store::StoreU8 | Store::StoreF32) => None,
        Group::Field(_) | Group::Element(_) | Group::Count(_) | Group::Storage(_) | Group::Root(_) => None,
        Group::Constant(_) | Group::Integer(_) | Group::Comparison(_) | Group::Real(_) => None,
        Group::RealComparison(_) | Group::Boxed(_) | Group::Size(_) | Group::Load(_) | Group::Machine(_) => None,
        Group::Call(_) | Group::Handling(_) | Group::Array(_) | Group::Terminator(_) => None,
    }
}
