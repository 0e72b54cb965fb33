//! Inlining over the whole program: functions with a single call site move into it, small functions are copied.
//!
//! Order: functions are visited callees first (strongly connected components of the direct call graph). A *single*
//! function (one call site, referenced from nowhere else) waits until its caller is visited and is copied with the
//! call sites in it still untouched, which are then visited as part of the caller: so every single function is copied
//! exactly once, however long the chains are. A *small* function is copied as its own visit left it, and its call
//! sites are not visited again: so there is no chain of growth, and the cost is linear in the result.
//!
//! Recursion: a function of a cycle may be inlined into another of its cycle once, unless something of the cycle was
//! inlined into it before (`breaker`); a function that calls itself is never inlined.
//!
//! At a non-tail call, a tail call in the callee becomes a call followed by a jump to the rest. The stack does not
//! grow: where there were the frames of caller and called function there are the same two now, the one between them had
//! been given up before. Values of the caller that live across the call live across it still.
//!
//! What is no longer referenced stays until `global-dce`; entry blocks and jumps left after are merged by
//! `simplify-cfg`.

use crate::analysis::direct_calls::calls;
use crate::memory;
use cleave_ir::{
    Block, Edge, EntityRef, Func, FuncId, Inst, InstData, Location, Module, Opcode, SecondaryMap, Type, Value,
    ValueList,
};
use smallvec::SmallVec;

/// Weight (instructions except constants and jumps) of a function that is small on all targets.
pub(crate) const SMALL: u32 = 12;
/// About what a call itself weighs: copies up to this are free.
const CALL_WEIGHT: u32 = 2;
/// Largest function that inlining may make; keeps the later passes (and the engines) out of superlinear costs.
const MAX_FUNCTION: usize = 1000;
/// Blocks of such a function, and of a small one: copies of functions that do nothing weigh nothing, but each adds
/// blocks and jumps, twice as many in each function that calls the one before twice.
const MAX_BLOCKS: usize = 4 * MAX_FUNCTION;
const SMALL_BLOCKS: u32 = 128;

/// How much is copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Weight (instructions except constants and jumps) up to which a function is small.
    pub small: u32,
    /// By how much the copies of small functions may let the module grow, in percent.
    pub growth: usize,
}

impl Limits {
    /// For targets on which each call checks the stack and saves registers that its caller does not need:
    /// WebAssembly in today's engines.
    pub const DEAR_CALLS: Limits = Limits { small: 32, growth: 60 };
}

impl Default for Limits {
    /// For machine code.
    fn default() -> Self {
        Limits { small: SMALL, growth: 30 }
    }
}

/// What is known about a function during inlining.
#[derive(Clone, Default)]
struct Info {
    /// Direct calls and tail calls of it in the module.
    calls: u32,
    /// Reached from tables, node entries or the start as well.
    shared: bool,
    /// Calls itself directly.
    recursive: bool,
    /// Its component of the call graph, if that has more than one function.
    cycle: Option<u32>,
    /// A function of its own cycle was inlined into it.
    breaker: bool,
    /// It is small, and its only call is a tail call of this function (`partial-inline` makes such functions).
    rest: Option<FuncId>,
    /// Instructions except constants and jumps, as it is now.
    weight: u32,
    /// The same without blocks that end the program: what a call costs that goes well.
    usual: u32,
    /// Blocks, as it is now.
    blocks: u32,
    visited: bool,
    /// It was moved into its only caller.
    gone: bool,
}

impl Info {
    fn is_single(&self) -> bool {
        self.calls == 1 && !self.shared && !self.recursive
    }

    /// Takes the size of the function as it is now.
    fn measure(&mut self, func: &Func) {
        self.weight = weight(func) as u32;
        self.blocks = func.layout.len() as u32;
        let ends =
            |&block: &Block| func.terminator(block).is_some_and(|inst| func.insts[inst].op == Opcode::Unreachable);
        let rare: usize = func.layout.iter().copied().filter(ends).map(|block| weight_of_block(func, block)).sum();
        self.usual = self.weight - rare as u32;
    }
}

/// Inlines calls in the whole module; true if something changed.
pub fn run(module: &mut Module, limits: Limits) -> bool {
    let limits = if memory::of(module.heap).inlines_for_targets() { limits } else { Limits::default() };
    let (mut infos, order, total) = analyse(module);
    let mut pass = Inline {
        infos: &mut infos,
        small: limits.small,
        budget: total * limits.growth / 100 + 200,
        sites: Vec::new(),
        changed: false,
    };
    // Functions whose only call site turned out not to take them are visited after all.
    let mut late = Vec::new();
    // Those that stay where they are, for a wrapper is copied in their place.
    let mut rests: SecondaryMap<FuncId, bool> = SecondaryMap::new();
    for id in module.funcs.keys() {
        if let Some(rest) = pass.infos[id].rest.filter(|&rest| pass.is_wrapper(id, rest)) {
            rests[rest] = true;
        }
    }
    for &id in &order {
        if pass.infos[id].is_single() && !rests[id] {
            late.push(id);
        } else {
            pass.visit(module, id);
        }
    }
    for &id in late.iter().rev() {
        if !pass.infos[id].gone && !pass.infos[id].visited {
            pass.visit(module, id);
        }
    }
    pass.changed
}

/// Calls per function, components of the call graph, functions with callees first, number of instructions.
fn analyse(module: &Module) -> (SecondaryMap<FuncId, Info>, Vec<FuncId>, usize) {
    let mut infos: SecondaryMap<FuncId, Info> = SecondaryMap::new();
    infos.resize(module.funcs.len());
    let mut total = 0;
    // Callees of all functions in one vector, with the start of each function's part.
    let (mut callees, mut starts) = (Vec::new(), Vec::with_capacity(module.funcs.len() + 1));
    for (id, func) in module.funcs.iter() {
        starts.push(callees.len() as u32);
        for (callee, _) in calls(func, &func.layout) {
            infos[callee].calls += 1;
            infos[callee].recursive |= callee == id;
            callees.push(callee);
        }
        infos[id].measure(func);
        infos[id].rest =
            rest(func, &callees[starts[starts.len() - 1] as usize..]).filter(|_| infos[id].weight <= SMALL);
        total += infos[id].weight as usize;
    }
    starts.push(callees.len() as u32);
    // Of two that only call each other neither is the wrapper.
    for id in module.funcs.keys() {
        if let Some(rest) = infos[id].rest.filter(|&rest| infos[rest].rest == Some(id)) {
            infos[id].rest = None;
            infos[rest].rest = None;
        }
    }
    for func in module.dispatched_funcs() {
        infos[func].shared = true;
    }
    if let Some(start) = module.start {
        infos[start].shared = true;
    }
    let order = components(&callees, &starts, &mut infos);
    (infos, order, total)
}

/// The function that is tail-called, if that is the only call.
fn rest(func: &Func, callees: &[FuncId]) -> Option<FuncId> {
    let &[callee] = callees else { return None };
    let is_tail_call =
        |&block: &Block| func.terminator(block).is_some_and(|inst| func.insts[inst].op == Opcode::TailCall);
    func.layout.iter().any(is_tail_call).then_some(callee)
}

/// Tarjan's algorithm with an explicit stack: fills in `cycle`, returns the functions with callees before callers.
fn components(callees: &[FuncId], starts: &[u32], infos: &mut SecondaryMap<FuncId, Info>) -> Vec<FuncId> {
    let count = starts.len() - 1;
    let mut order = Vec::with_capacity(count);
    let mut number = vec![0u32; count];
    let mut low = vec![0u32; count];
    let mut open: Vec<u32> = Vec::new();
    let mut is_open = vec![false; count];
    let mut path: Vec<(u32, u32)> = Vec::new();
    let (mut next, mut cycles) = (0, 0);
    for root in 0..count {
        if number[root] != 0 {
            continue;
        }
        path.push((root as u32, starts[root]));
        while let Some(top) = path.last_mut() {
            let at = top.0 as usize;
            if number[at] == 0 {
                next += 1;
                number[at] = next;
                low[at] = next;
                open.push(at as u32);
                is_open[at] = true;
            }
            if top.1 < starts[at + 1] {
                let callee = callees[top.1 as usize].index();
                top.1 += 1;
                if number[callee] == 0 {
                    path.push((callee as u32, starts[callee]));
                } else if is_open[callee] {
                    low[at] = low[at].min(number[callee]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[at]);
            }
            if low[at] == number[at] {
                let alone = open.last() == Some(&(at as u32));
                cycles += 1;
                while let Some(member) = open.pop() {
                    is_open[member as usize] = false;
                    let id = FuncId::from_u32(member);
                    infos[id].cycle = (!alone).then_some(cycles);
                    order.push(id);
                    if member as usize == at {
                        break;
                    }
                }
            }
        }
    }
    order
}

struct Inline<'a> {
    infos: &'a mut SecondaryMap<FuncId, Info>,
    /// Weight of a small function.
    small: u32,
    /// Instructions that copies of small functions may still add.
    budget: usize,
    /// Call sites of one block.
    sites: Vec<u32>,
    changed: bool,
}

impl Inline<'_> {
    /// Inlines into one function.
    fn visit(&mut self, module: &mut Module, id: FuncId) {
        // Taken out of the module while others are copied into it; calls of itself are never inlined.
        let mut func = std::mem::take(&mut module.funcs[id]);
        self.infos[id].visited = true;
        let mut size = self.infos[id].weight as usize;
        let mut work: Vec<Block> = func.layout.iter().rev().copied().collect();
        while let Some(block) = work.pop() {
            // Last site first: each instruction is moved to a new block at most once.
            self.sites.clear();
            for (index, &inst) in func.blocks[block].insts.iter().enumerate() {
                if matches!(func.insts[inst].op, Opcode::Call | Opcode::TailCall) {
                    self.sites.push(index as u32);
                }
            }
            while let Some(site) = self.sites.pop() {
                let inst = func.blocks[block].insts[site as usize];
                let callee = FuncId::from_u32(func.insts[inst].imm as u32);
                if callee == id || size + self.infos[callee].weight as usize > MAX_FUNCTION {
                    continue;
                }
                if func.layout.len() + self.infos[callee].blocks as usize > MAX_BLOCKS {
                    continue;
                }
                let single = self.infos[callee].is_single() && !self.infos[callee].visited;
                if single && self.is_wrapper(id, callee) {
                    continue;
                }
                if !single && !self.takes_small(id, callee) {
                    continue;
                }
                let first = func.layout.len();
                copy_into(&mut func, block, site as usize, &module.funcs[callee]);
                size += self.infos[callee].weight as usize;
                self.changed = true;
                if single {
                    self.infos[callee].gone = true;
                    work.extend(func.layout[first..].iter().rev());
                } else {
                    self.copied(&func, first, id, callee);
                }
            }
        }
        let info = &mut self.infos[id];
        info.recursive = calls(&func, &func.layout).any(|(callee, _)| callee == id);
        info.measure(&func);
        module.funcs[id] = func;
    }

    /// Accounts for a copy of a small function, whose blocks start at `first` in the layout.
    fn copied(&mut self, func: &Func, first: usize, caller: FuncId, callee: FuncId) {
        for (called, _) in calls(func, &func.layout[first..]) {
            self.infos[called].calls += 1;
        }
        let info = &mut self.infos[callee];
        info.calls -= 1;
        self.budget = self.budget.saturating_sub(info.weight.saturating_sub(CALL_WEIGHT) as usize);
        let cycle = info.cycle;
        self.infos[caller].breaker |= cycle.is_some() && cycle == self.infos[caller].cycle;
    }

    /// True if `caller` is worth more without its only call, which is one of `callee`: it will be copied instead.
    fn is_wrapper(&self, caller: FuncId, callee: FuncId) -> bool {
        let (outer, inner) = (&self.infos[caller], &self.infos[callee]);
        let same_cycle = inner.cycle.is_some() && inner.cycle == outer.cycle;
        outer.rest == Some(callee)
            && outer.calls + u32::from(outer.shared) > 1
            && (same_cycle || outer.weight + inner.weight > self.small)
    }

    /// True if `callee` is small enough to be copied into `caller`. In a cycle a wrapper goes into its rest, not the
    /// other way round.
    fn takes_small(&self, caller: FuncId, callee: FuncId) -> bool {
        let info = &self.infos[callee];
        let same_cycle = info.cycle.is_some() && info.cycle == self.infos[caller].cycle;
        !info.recursive
            && info.usual <= self.small
            && info.blocks <= SMALL_BLOCKS
            && info.weight as usize <= self.budget + CALL_WEIGHT as usize
            && (!same_cycle || !info.breaker && self.infos[caller].rest != Some(callee))
    }
}

/// Instructions except constants and jumps; an element of 32 bits and what makes it narrow are one.
pub(crate) fn weight(func: &Func) -> usize {
    func.layout.iter().map(|&block| weight_of_block(func, block)).sum()
}

fn weight_of_block(func: &Func, block: Block) -> usize {
    let insts = &func.blocks[block].insts;
    let op = |inst: Inst| func.insts[inst].op;
    let counted = insts.iter().filter(|&&inst| !op(inst).is_constant() && op(inst) != Opcode::Jump).count();
    let narrowed =
        insts.windows(2).filter(|pair| (op(pair[0]), op(pair[1])) == (Opcode::ElemI32, Opcode::Wrap)).count();
    counted - narrowed
}

/// Replaces the call at `site` of `block` by the body of `callee`. The new blocks come last in the layout.
pub(crate) fn copy_into(func: &mut Func, block: Block, site: usize, callee: &Func) {
    let call = func.blocks[block].insts[site];
    let is_tail = func.insts[call].op == Opcode::TailCall;
    let args = std::mem::take(&mut func.insts[call].args);
    // The rest of the block goes on with the results as its parameters.
    let rest = (!is_tail).then(|| {
        let rest = func.blocks.push(Default::default());
        func.blocks[rest].insts = func.blocks[block].insts.split_off(site + 1);
        func.blocks[rest].edges = std::mem::take(&mut func.blocks[block].edges);
        func.blocks[rest].params = std::mem::take(&mut func.insts[call].results);
        func.layout.push(rest);
        rest
    });
    let is_library = |func: &Func| func.source.as_ref().is_some_and(|source| source.is_library);
    let at_call = (is_library(callee) && !is_library(func)).then(|| func.location(call));
    let mut copy = Copy {
        at_call,
        first_value: func.values.len() as u32,
        first_block: func.blocks.len() as u32,
        result_types: rest.map_or(&[], |_| &callee.signature.results[..]),
        rest,
        func,
    };
    copy.body(callee);
    // What was to be in place in the callee still is.
    copy.func.fip |= callee.fip;
    let entry = copy.block(callee.entry_block());
    let data = &mut func.insts[call];
    *data = InstData { op: Opcode::Jump, aux: 0, imm: 0, args: ValueList::new(), results: ValueList::new() };
    func.blocks[block].edges.push(Edge { block: entry, args });
}

/// Copies a body. Values and blocks keep their order, so their new numbers are the old ones plus an offset.
struct Copy<'a> {
    func: &'a mut Func,
    first_value: u32,
    first_block: u32,
    /// Where returns go, for a call that is not a tail call, and what is passed there.
    rest: Option<Block>,
    result_types: &'a [Type],
    /// Where all that is copied comes from, for those who read traces.
    at_call: Option<Location>,
}

impl Copy<'_> {
    fn block(&self, block: Block) -> Block {
        Block::from_u32(self.first_block + block.as_u32())
    }
    fn list(&mut self, callee: &Func, list: &ValueList) -> ValueList {
        let first = self.first_value;
        let values = list.as_slice(&callee.pool).iter().map(|v| Value::from_u32(first + v.as_u32()));
        ValueList::from_iter(values, &mut self.func.pool)
    }

    fn body(&mut self, callee: &Func) {
        for &ty in callee.values.values() {
            self.func.values.push(ty);
        }
        for _ in 0..callee.blocks.len() {
            self.func.blocks.push(Default::default());
        }
        for &from in &callee.layout {
            let (to, data) = (self.block(from), &callee.blocks[from]);
            self.func.layout.push(to);
            self.func.blocks[to].params = self.list(callee, &data.params);
            let mut insts = Vec::with_capacity(data.insts.len() + 1);
            for &inst in &data.insts {
                let data = &callee.insts[inst];
                let (args, results) = (self.list(callee, &data.args), self.list(callee, &data.results));
                let copy = InstData { op: data.op, aux: data.aux, imm: data.imm, args, results };
                let copy = self.func.insts.push(copy);
                self.func.relocate(copy, self.at_call.unwrap_or_else(|| callee.location(inst)));
                insts.push(copy);
            }
            let edges: SmallVec<[Edge; 2]> = data
                .edges
                .iter()
                .map(|edge| Edge { block: self.block(edge.block), args: self.list(callee, &edge.args) })
                .collect();
            self.func.blocks[to].insts = insts;
            self.func.blocks[to].edges = edges;
            if let Some(rest) = self.rest {
                self.leave(to, rest);
            }
        }
    }

    /// Leads a block that left the callee to the rest of the caller.
    fn leave(&mut self, block: Block, rest: Block) {
        let Some(inst) = self.func.terminator(block) else { return };
        if self.func.insts[inst].op == Opcode::Return {
            let args = std::mem::take(&mut self.func.insts[inst].args);
            self.func.insts[inst].op = Opcode::Jump;
            self.func.blocks[block].edges.push(Edge { block: rest, args });
            return;
        }
        let Some(op) = self.func.insts[inst].op.without_tail() else { return };
        let mut results = ValueList::new();
        for &ty in self.result_types {
            let value = self.func.values.push(ty);
            results.push(value, &mut self.func.pool);
        }
        let args = results.deep_clone(&mut self.func.pool);
        let data = &mut self.func.insts[inst];
        data.op = op;
        data.results = results;
        self.func.append(block, Opcode::Jump, 0, 0, &[], &[]);
        self.func.blocks[block].edges.push(Edge { block: rest, args });
    }
}
