//! Changes one function step by step, until nothing that is built for a call alone is passed to it.

use super::pattern::Site;
use super::{Deforest, MAX_INLINED, MAX_STEPS, MAX_WEIGHT, copy_call, eager};
use crate::analysis::direct_calls::calls;
use crate::analysis::values::{Defs, Scratch};
use crate::ipo::copy_call::Way;
use crate::ipo::inline::{copy_into, weight};
use crate::opt::{dce, evalelim, gvn, instcombine, simplify_cfg, sink_allocation, tail_recursion_elim, thread_tests};
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::{Block, Func, FuncId, Inst, Module, Opcode, SecondaryMap, Type, Value};
use smallvec::SmallVec;

/// Ways into a block that get a call of their own.
const MAX_WAYS: usize = 4;
/// Instructions before a call that are copied with it.
const MAX_BEFORE: usize = 12;

impl Deforest {
    /// Changes a function; with how often something was gained by it.
    pub(super) fn drive(
        &mut self,
        module: &mut Module,
        id: FuncId,
        mut func: Func,
        depth: usize,
        scratch: &mut Scratch,
    ) -> (Func, usize) {
        let mut gained = 0;
        let mut inlined: Vec<FuncId> = Vec::new();
        // As it was before what has been prepared and not been of use yet.
        let mut before: Option<Func> = None;
        for _ in 0..MAX_STEPS {
            self.simplify(module, &mut func, scratch);
            if weight(&func) > MAX_WEIGHT {
                break;
            }
            if self.evaluate(module, &mut func, scratch) {
                gained += 1;
                before = None;
                continue;
            }
            let is_first = before.is_none();
            if is_first {
                before = Some(func.clone());
            }
            let is_prepared = self.inline(module, id, &mut func, &mut inlined, scratch)
                || self.split(&mut func, scratch)
                || self.produce(module, id, &mut func, &mut inlined, scratch);
            if is_prepared {
                continue;
            }
            let Some(copy) = self.specialise(module, &mut func, depth, scratch) else {
                if is_first {
                    before = None;
                }
                break;
            };
            // A function is not better for calling itself.
            gained += usize::from(copy != id);
            before = None;
        }
        (before.unwrap_or(func), gained)
    }

    fn simplify(&self, module: &Module, func: &mut Func, scratch: &mut Scratch) {
        let cx = self.context(module);
        simplify_cfg::run(func, scratch);
        instcombine::run(func, &cx, scratch);
        sink_allocation::run(func);
        evalelim::run(func, scratch);
        thread_tests::run(func, self.writes_words, scratch);
        gvn::run(func, self.writes_words, scratch);
        instcombine::run(func, &cx, scratch);
        simplify_cfg::run(func, scratch);
        dce::run(func, scratch);
        sink_builds(func);
    }

    /// Takes over the code of a thunk that is evaluated where it was built.
    fn evaluate(&mut self, module: &Module, func: &mut Func, scratch: &mut Scratch) -> bool {
        scratch.defs.compute(func);
        let mut dominators: Option<(Cfg, DomTree)> = None;
        for &block in &func.layout {
            for (site, &inst) in func.blocks[block].insts.iter().enumerate() {
                let op = func.insts[inst].op;
                let is_update = op == Opcode::Update || op == Opcode::TailUpdate;
                let is_tail = op == Opcode::TailEval || op == Opcode::TailUpdate;
                if op != Opcode::Eval && !is_update && !is_tail {
                    continue;
                }
                let thunk = func.args(inst)[0];
                let Some(made) = scratch.defs.with_op(func, thunk, Opcode::BuildThunk) else { continue };
                let (cfg, dom) = dominators.get_or_insert_with(|| {
                    let cfg = Cfg::compute(func);
                    let dom = DomTree::compute(&cfg);
                    (cfg, dom)
                });
                if !is_first_use(func, dom, thunk, (block, site)) || is_repeated(func, cfg, made, block) {
                    continue;
                }
                let info = func.insts[made].thunk_info();
                let mut args: SmallVec<[Value; 8]> = func.args(made).into();
                let types: SmallVec<[Type; 8]> = args.iter().map(|&arg| func.values[arg]).collect();
                let Some(code) = eager::code_of(module, &self.demands, info, &types) else { continue };
                let size = weight(&code);
                if size > self.budget {
                    continue;
                }
                self.budget -= size;
                // A cell to be filled, unless one is at hand.
                let mut site = site;
                if is_update {
                    args.push(func.args(inst)[1]);
                } else {
                    let cell = func.make_inst(Opcode::BuildDummy, 0, 0, &[], &[Type::Ref]);
                    func.blocks[block].insts.insert(site, cell);
                    site += 1;
                    args.push(func.result(cell));
                }
                let result = func.results(inst).first().copied();
                func.set_args(inst, &args);
                let data = &mut func.insts[inst];
                (data.op, data.imm, data.aux) = (if is_tail { Opcode::TailCall } else { Opcode::Call }, 0, 0);
                copy_into(func, block, site, &code);
                if let Some(result) = result {
                    scratch.rename.start(func);
                    scratch.rename.set(thunk, result);
                    scratch.rename.apply(func);
                }
                return true;
            }
        }
        false
    }

    /// Takes over the code of a small function that is called with what was built for it.
    fn inline(
        &mut self,
        module: &Module,
        id: FuncId,
        func: &mut Func,
        inlined: &mut Vec<FuncId>,
        scratch: &mut Scratch,
    ) -> bool {
        let site = Site::of(func, scratch);
        for (block, number, inst, callee) in site.calls() {
            let asks =
                self.gets_node(&site, inst, callee) || site.pattern(&self.demands, block, inst, callee).is_some();
            if callee != id && asks && self.takes(callee, &module.funcs[callee], inlined) {
                copy_into(func, block, number, &module.funcs[callee]);
                return true;
            }
        }
        false
    }

    /// Lets a call that gets what was built for it call a copy of the function.
    fn specialise(
        &mut self,
        module: &mut Module,
        func: &mut Func,
        depth: usize,
        scratch: &mut Scratch,
    ) -> Option<FuncId> {
        let site = Site::of(func, scratch);
        let found = |(block, _, inst, callee)| Some((inst, callee, site.pattern(&self.demands, block, inst, callee)?));
        let found: Vec<_> = site.calls().into_iter().filter_map(found).collect();
        for (inst, callee, (pattern, leaves)) in found {
            if let Some(copy) = self.copy(module, callee, pattern, depth, scratch) {
                func.set_args(inst, &leaves);
                func.insts[inst].imm = u64::from(copy.as_u32());
                return Some(copy);
            }
        }
        None
    }

    /// Does a call pass a node that is known where the function asks which one it is?
    fn gets_node(&self, site: &Site, call: Inst, callee: FuncId) -> bool {
        site.func.args(call).iter().zip(&self.demands.funcs[callee].params).any(|(&arg, demand)| {
            let is_node = matches!(site.defs.op(site.func, arg), Some(Opcode::BuildNode | Opcode::NodeRef));
            demand.has_fields() && is_node
        })
    }

    /// May code that stands for a call of a function be inlined once more? Then it has been paid for.
    fn takes(&mut self, callee: FuncId, code: &Func, inlined: &mut Vec<FuncId>) -> bool {
        let size = weight(code);
        let times = inlined.iter().filter(|&&other| other == callee).count();
        if code.layout.is_empty()
            || size > MAX_INLINED.min(self.budget)
            || times >= self.most_copies(callee)
            || calls(code, &code.layout).any(|(called, _)| called == callee)
        {
            return false;
        }
        self.budget -= size;
        inlined.push(callee);
        true
    }

    /// Takes over the code that makes a node for a call, or for a test.
    fn produce(
        &mut self,
        module: &Module,
        id: FuncId,
        func: &mut Func,
        inlined: &mut Vec<FuncId>,
        scratch: &mut Scratch,
    ) -> bool {
        let site = Site::of(func, scratch);
        self.demands.of_values(func);
        for (block, number, inst, callee) in site.calls() {
            let (Opcode::Call, &[result]) = (func.insts[inst].op, func.results(inst)) else { continue };
            let is_wanted = self.demands.of_value(result).has_fields() && self.demands.funcs[callee].is_producer;
            let source = &module.funcs[callee];
            if !is_wanted || callee == id || source.layout.is_empty() || weight(source) > MAX_INLINED {
                continue;
            }
            // Those that only read the node are nothing any more once it is known.
            let reads = func.layout.iter().flat_map(|&block| &func.blocks[block].insts).filter(|&&inst| {
                matches!(func.insts[inst].op, Opcode::Header | Opcode::GetRef) && func.args(inst)[0] == result
            });
            if site.uses[result] as usize > reads.count() + 1 {
                continue;
            }
            let mut code = source.clone();
            tail_recursion_elim::run(&mut code, callee);
            if self.takes(callee, &code, inlined) {
                copy_into(func, block, number, &code);
                return true;
            }
        }
        false
    }

    /// Gives ways that bring a new node to a call a call of their own.
    fn split(&mut self, func: &mut Func, scratch: &mut Scratch) -> bool {
        let site = Site::of(func, scratch);
        for (block, number, inst, callee) in site.calls().into_iter().filter(|call| call.1 < MAX_BEFORE) {
            let params: SmallVec<[usize; 4]> = func
                .args(inst)
                .iter()
                .zip(&self.demands.funcs[callee].params)
                .filter(|(arg, demand)| demand.has_fields() && site.uses[**arg] == 1)
                .filter_map(|(arg, _)| func.params(block).iter().position(|param| param == arg))
                .collect();
            let ways = ways(func, block, &params, site.defs);
            if ways.is_empty() || ways.len() > MAX_WAYS {
                continue;
            }
            let rest = copy_call::split(func, block, number);
            for way in ways {
                copy_call::copy_call(func, block, number, rest, way);
            }
            return true;
        }
        false
    }
}

/// The edges to a block that bring a new node for one of these parameters, if there are other edges, too.
fn ways(func: &Func, block: Block, params: &[usize], defs: &Defs) -> SmallVec<[Way; 4]> {
    let mut ways = SmallVec::new();
    for &from in &func.layout {
        for (number, edge) in func.blocks[from].edges.iter().enumerate().filter(|(_, edge)| edge.block == block) {
            let args = func.edge_args(edge);
            if params.iter().any(|&at| defs.with_op(func, args[at], Opcode::BuildNode).is_some()) {
                ways.push((from, number));
            }
        }
    }
    ways
}

/// Is the evaluation of a thunk, at this place, before all else that uses it?
fn is_first_use(func: &Func, dom: &DomTree, thunk: Value, (block, site): (Block, usize)) -> bool {
    let is_after = |other: Block, at: usize| if other == block { at > site } else { dom.dominates(block, other) };
    func.layout.iter().all(|&other| {
        let data = &func.blocks[other];
        let mut insts = data.insts.iter().enumerate();
        let mut edges = data.edges.iter();
        insts.all(|(at, &inst)| {
            (other, at) == (block, site) && func.args(inst)[1..].iter().all(|&arg| arg != thunk)
                || is_after(other, at)
                || !func.args(inst).contains(&thunk)
        }) && edges.all(|edge| is_after(other, data.insts.len()) || !func.edge_args(edge).contains(&thunk))
    })
}

/// May a block run more than once for each time that an instruction does? Blocks with one predecessor are followed.
fn is_repeated(func: &Func, cfg: &Cfg, made: Inst, mut block: Block) -> bool {
    loop {
        if func.blocks[block].insts.contains(&made) {
            return false;
        }
        let &[pred] = &cfg.preds[block][..] else { return true };
        block = pred;
    }
}

/// Builds nodes and thunks where they are used, if that is in one block.
fn sink_builds(func: &mut Func) {
    let cfg = Cfg::compute(func);
    // The only block that uses a value: none, one, several.
    let mut user: SecondaryMap<Value, Option<Option<Block>>> = SecondaryMap::new();
    let note = |user: &mut Option<Option<Block>>, block: Block| {
        *user = match *user {
            None => Some(Some(block)),
            Some(known) => Some(known.filter(|&known| known == block)),
        };
    };
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            func.args(inst).iter().for_each(|&arg| note(&mut user[arg], block));
        }
        for edge in &func.blocks[block].edges {
            func.edge_args(edge).iter().for_each(|&arg| note(&mut user[arg], block));
        }
    }
    for at in (0..func.layout.len()).rev() {
        let block = func.layout[at];
        for number in (0..func.blocks[block].insts.len()).rev() {
            let inst = func.blocks[block].insts[number];
            if !matches!(func.insts[inst].op, Opcode::BuildNode | Opcode::BuildThunk) {
                continue;
            }
            let value = func.result(inst);
            let Some(Some(to)) = user[value] else { continue };
            if to != block && is_repeated(func, &cfg, inst, to) {
                continue;
            }
            let start = if to == block { number + 1 } else { 0 };
            let uses = |&other: &Inst| func.args(other).contains(&value) || func.insts[other].op.is_terminator();
            let Some(first) = func.blocks[to].insts[start..].iter().position(uses) else { continue };
            if to == block && first == 0 {
                continue;
            }
            func.blocks[block].insts.remove(number);
            let index = if to == block { number + first } else { first };
            func.blocks[to].insts.insert(index, inst);
            if to != block {
                let args: SmallVec<[Value; 8]> = func.args(inst).into();
                for arg in args {
                    // It is used there now, and no longer here, as far as that is the only use.
                    let is_used_here = func.blocks[block].insts.iter().any(|&other| func.args(other).contains(&arg))
                        || func.blocks[block].edges.iter().any(|edge| func.edge_args(edge).contains(&arg));
                    user[arg] = match user[arg] {
                        Some(Some(only)) if only == block && !is_used_here => Some(Some(to)),
                        Some(Some(only)) if only == to => Some(Some(to)),
                        _ => Some(None),
                    };
                }
            }
        }
    }
}
