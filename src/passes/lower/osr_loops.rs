//! On-stack replacement by hand: long loops get a chance to continue in better code. For WebAssembly only.
//!
//! An engine with two compilers translates a function quickly at first and well later. Only new calls use the better
//! code: a call that is running stays in the slow code to its end, because V8 cannot replace the code of a running
//! function (it has no on-stack replacement for WebAssembly). A program whose start contains the main loop would stay
//! in slow code for ever. So the loop becomes a function of its own, which calls itself anew after some rounds.
//!
//! ```text
//! f: a                        f: a                       f.loop(v, live):
//!    jump h(v)                   tail_call f.loop(v, …)     jump h(v, rounds)
//! h(v): …          ─▶                                    h(v, n): …
//!    jump h(w)                                              jump l(w)
//!                                                        l(x): n = 0 ? tail_call f.loop(x, …) : jump h(x, n − 1)
//! ```
//! Which functions: those that run only a few times, see `few`. Others are called again, but may all be running by
//! then: evaluation of a chain of thunks enters a function once for each before the first comes to its loop. So loops
//! of other functions become functions, too, where an evaluation or a call comes before them, but are entered after
//! some rounds only: short ones stay where they are.
//!
//! Which loops: in a nest of loops the innermost ones that call something or contain a loop, because counting their
//! rounds costs little beside what a round does; and simple loops that are in no other loop. The new function gets the
//! loop and the code after it, up to the next loop that is cut out. Blocks that two new functions need are copied.
//!
//! Runs on high IR after all optimisations. Weakness: a simple loop inside another one is slow in its first run.

use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::liveness::Liveness;
use cleave_ir::{
    Block, Edge, EntityRef, EntitySet, Flags, Func, FuncId, ImmKind, Inst, Module, Opcode, SecondaryMap, Signature,
    TableRole, ThunkInfo, Type, Value, ValueList,
};

/// After this many rounds, a loop that calls or contains a loop is entered again.
const ROUNDS: u64 = 64;
/// The same for simple loops.
const SIMPLE_ROUNDS: u64 = 1024;
/// So many rounds of a loop stay in a function that runs often.
const FIRST_ROUNDS: u64 = 16;
/// A loop that is entered once only.
const FOREVER: u64 = 0;
/// Instructions of a function that is worth it.
const MAX_SIZE: usize = 4000;
/// The same for one that runs often.
const MAX_OFTEN: usize = 1000;
/// Factor by which its code may grow.
const MAX_GROWTH: usize = 3;

/// Cuts the loops of the whole module; true if something changed.
pub fn run(module: &mut Module) -> bool {
    let count = module.funcs.len();
    let mut is_rare: SecondaryMap<FuncId, bool> = SecondaryMap::new();
    few(module).into_iter().for_each(|id| is_rare[id] = true);
    for id in (0..count).map(FuncId::new) {
        let func = &module.funcs[id];
        if func.inst_count() > if is_rare[id] { MAX_SIZE } else { MAX_OFTEN } {
            continue;
        }
        let cfg = Cfg::compute(func);
        let loops = find_loops(func, &cfg);
        let outer = choose(&loops, |other, this| this.is_inside(other));
        // What would grow too much is cut in fewer places: nests of loops alone; or is entered at once.
        let ways = if is_rare[id] {
            let inner = choose(&loops, |other, this| other.is_inside(this));
            let nests = outer.iter().copied().filter(|(header, _)| is_nest(&loops, *header)).collect();
            vec![(inner, true), (outer, true), (nests, true)]
        } else {
            let cuts = delayed(func, &cfg, &loops, outer);
            vec![(cuts.clone(), false), (cuts, true)]
        };
        let first = module.funcs.len();
        let cut = ways.into_iter().find_map(|(cuts, at_once)| Cutter::new(func, &cfg, cuts, first).run(at_once));
        if let Some((func, others)) = cut {
            module.funcs[id] = func;
            others.into_iter().for_each(|func| _ = module.funcs.push(func));
        }
    }
    module.funcs.len() > count
}

/// The functions that run a bounded number of times, callers first.
///
/// The start function runs once. A function that is only mentioned in such a function, and there outside of all loops,
/// runs at most once for each mention. A thunk that is built counts as a mention of its code, and of the code that
/// updates another node in its place: one of them runs. `left` counts for each function the mentions that have not been
/// found harmless yet; at 0 the function is one of those that we look for.
fn few(module: &Module) -> Vec<FuncId> {
    // A function in a table keeps the mention by the table for ever: nobody knows how often it is called. Codes that
    // update are called for thunks only.
    let mut left: SecondaryMap<FuncId, u32> = SecondaryMap::new();
    left.resize(module.funcs.len());
    let others = module.tables.values().filter(|table| table.role != TableRole::Update);
    others.flat_map(|table| &table.funcs).for_each(|&func| left[func] += 1);
    if let Some(entry) = module.blackhole_info {
        left[module.thunk_infos[entry].code] += 1;
    }
    for func in module.funcs.values() {
        func.layout.iter().for_each(|&block| references(module, func, block, |target| left[target] += 1));
    }
    let mut found: Vec<FuncId> = module.start.into_iter().filter(|&start| left[start] == 0).collect();
    let mut next = 0;
    while let Some(&id) = found.get(next) {
        next += 1;
        let func = &module.funcs[id];
        let loops = find_loops(func, &Cfg::compute(func));
        for &block in func.layout.iter().filter(|&&block| loops.iter().all(|l| !l.blocks[block])) {
            references(module, func, block, |target| {
                left[target] -= 1;
                if left[target] == 0 {
                    found.push(target);
                }
            });
        }
    }
    found
}

/// Reports the functions that a block refers to.
fn references(module: &Module, func: &Func, block: Block, mut report: impl FnMut(FuncId)) {
    for &inst in &func.blocks[block].insts {
        let data = &func.insts[inst];
        match data.op.info().imm {
            ImmKind::Func => report(FuncId::from_u32(data.imm as u32)),
            ImmKind::ThunkInfo => {
                let entry = &module.thunk_infos[ThunkInfo::from_u32(data.imm as u32)];
                report(entry.code);
                entry.update.into_iter().for_each(&mut report);
            }
            _ => {}
        }
    }
}

/// A natural loop.
struct Loop {
    header: Block,
    blocks: SecondaryMap<Block, bool>,
    /// It calls, allocates or contains a loop.
    is_heavy: bool,
}

impl Loop {
    fn is_inside(&self, other: &Loop) -> bool {
        self.header != other.header && other.blocks[self.header]
    }
}

/// The loops of a function, one per header.
fn find_loops(func: &Func, cfg: &Cfg) -> Vec<Loop> {
    const HEAVY: Flags = Flags::CALL.union(Flags::SAFEPOINT).union(Flags::ALLOCATES);
    let mut loops = Vec::new();
    for &header in cfg.order.iter().filter(|&&block| cfg.is_loop_header(block)) {
        let mut found = Loop { header, blocks: SecondaryMap::new(), is_heavy: false };
        found.blocks[header] = true;
        let mut work: Vec<Block> =
            cfg.preds[header].iter().copied().filter(|&pred| cfg.is_back_edge(pred, header)).collect();
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut found.blocks[block], true) {
                work.extend(cfg.preds[block].iter().copied().filter(|&pred| cfg.is_reachable(pred)));
            }
        }
        found.is_heavy = cfg.order.iter().filter(|&&block| found.blocks[block]).any(|&block| {
            let insts = &func.blocks[block].insts;
            (block != header && cfg.is_loop_header(block)) || insts.iter().any(|&inst| func.insts[inst].op.any(HEAVY))
        });
        loops.push(found);
    }
    loops
}

/// Headers and rounds of the loops to cut: of heavy loops those that no other one `beats`, and simple loops outside of
/// others.
fn choose(loops: &[Loop], beats: impl Fn(&Loop, &Loop) -> bool) -> Vec<(Block, u64)> {
    let heavy = || loops.iter().filter(|l| l.is_heavy);
    let simple = loops.iter().filter(|l| !l.is_heavy && loops.iter().all(|other| !l.is_inside(other)));
    let best = heavy().filter(|l| heavy().all(|other| !beats(other, l)));
    best.map(|l| (l.header, ROUNDS)).chain(simple.map(|l| (l.header, SIMPLE_ROUNDS))).collect()
}

/// Does the loop with this header contain another one?
fn is_nest(loops: &[Loop], header: Block) -> bool {
    loops.iter().filter(|l| l.header == header).any(|this| loops.iter().any(|other| other.is_inside(this)))
}

/// Of the cuts of a function those that some way reaches after an evaluation or a call in no loop.
fn delayed(func: &Func, cfg: &Cfg, loops: &[Loop], cuts: Vec<(Block, u64)>) -> Vec<(Block, u64)> {
    if cuts.is_empty() {
        return cuts;
    }
    let calls =
        |inst: &Inst| matches!(func.insts[*inst].op, Opcode::Eval | Opcode::Apply | Opcode::Call | Opcode::CallTable);
    let mut behind: SecondaryMap<Block, bool> = SecondaryMap::new();
    for &block in &cfg.order {
        let is_behind =
            behind[block] || loops.iter().all(|l| !l.blocks[block]) && func.blocks[block].insts.iter().any(calls);
        func.successors(block).filter(|_| is_behind).for_each(|to| behind[to] = true);
    }
    let rounds = |rounds| if rounds == SIMPLE_ROUNDS { FOREVER } else { rounds };
    cuts.into_iter().filter(|&(header, _)| behind[header]).map(|(header, n)| (header, rounds(n))).collect()
}

/// A loop that becomes a function.
struct Cut {
    header: Block,
    rounds: u64,
    /// Position among the cuts of the function.
    number: usize,
    id: FuncId,
    /// Values from in front of the loop that it or what follows needs.
    live: Vec<Value>,
    /// Those that are constants are made again.
    constants: Vec<Inst>,
}

struct Cutter<'f> {
    func: &'f Func,
    cfg: &'f Cfg,
    liveness: Liveness,
    cuts: Vec<Cut>,
}

impl<'f> Cutter<'f> {
    /// `first` is the number that the first new function will have.
    fn new(func: &'f Func, cfg: &'f Cfg, headers: Vec<(Block, u64)>, first: usize) -> Self {
        let mut cuts = Vec::new();
        let mut liveness = Liveness::default();
        if !headers.is_empty() {
            let mut constant: SecondaryMap<Value, Option<Inst>> = SecondaryMap::new();
            for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
                if func.insts[inst].op.is_constant() {
                    constant[func.result(inst)] = Some(inst);
                }
            }
            liveness = Liveness::compute(func, cfg, |_| true);
            for (at, (header, rounds)) in headers.into_iter().enumerate() {
                let all = liveness.values(liveness.live_in(header));
                let (constants, live): (Vec<Value>, Vec<Value>) = all.partition(|&value| constant[value].is_some());
                let constants = constants.into_iter().filter_map(|value| constant[value]).collect();
                let id = FuncId::new(first + at);
                cuts.push(Cut { header, rounds, number: at, id, live, constants });
            }
        }
        Cutter { func, cfg, liveness, cuts }
    }

    /// The function without its cut loops, and those; nothing if there is none, or if it does not work out.
    /// Its loops are entered at once, or after some rounds.
    fn run(&self, at_once: bool) -> Option<(Func, Vec<Func>)> {
        if self.cuts.is_empty() {
            return None;
        }
        let mut rest = self.func.clone();
        if at_once {
            self.leave(&mut rest);
        } else {
            self.cuts.iter().for_each(|cut| self.stay(&mut rest, cut));
        }
        tidy(&mut rest)?;
        let others: Option<Vec<Func>> = self.cuts.iter().map(|cut| self.make(cut)).collect();
        let others = others?;
        let size = rest.inst_count() + others.iter().map(Func::inst_count).sum::<usize>();
        (size <= MAX_GROWTH * self.func.inst_count()).then_some((rest, others))
    }

    /// The function of a loop.
    fn make(&self, cut: &Cut) -> Option<Func> {
        let mut func = self.func.clone();
        func.name.push_str(".loop");
        if cut.number > 0 {
            func.name.push_str(&(cut.number + 1).to_string());
        }
        let types: Vec<Type> = func.params(cut.header).iter().map(|&param| func.values[param]).collect();
        if cut.rounds != FOREVER {
            // Entries from outside will be gone.
            self.count_rounds(&mut func, cut, &types, |_| true);
        }

        // The new entry. What is live keeps its name, unless it is also defined in the new function, where a loop
        // around this one begins the next round.
        self.leave_but(&mut func, Some(cut.header));
        let entry = func.new_entry();
        func.append(entry, Opcode::Jump, 0, 0, &[], &[]);
        func.add_edge(entry, cut.header, &[]);
        let cfg = Cfg::compute(&func);
        let mut definition: SecondaryMap<Value, Option<Block>> = SecondaryMap::new();
        for &block in &cfg.order {
            let params = func.params(block).iter();
            let results = func.blocks[block].insts.iter().flat_map(|&inst| func.results(inst));
            params.chain(results).for_each(|&value| definition[value] = Some(block));
        }
        let mut twice = Vec::new();
        for &value in &cut.live {
            let ty = func.values[value];
            let param = if definition[value].is_some() { func.new_value(ty) } else { value };
            func.blocks[entry].params.push(param, &mut func.pool);
            twice.extend(definition[value].map(|block| (value, block, param)));
        }
        let mut first: Vec<Value> = types.iter().map(|&ty| func.add_param(entry, ty)).collect();
        let mut insts = Vec::new();
        for &inst in &cut.constants {
            let value = func.result(inst);
            if let Some(block) = definition[value] {
                func.blocks[block].insts.retain(|other| *other != inst);
            }
            insts.push(func.insts.push(func.insts[inst].clone()));
        }
        if cut.rounds != FOREVER {
            let rounds = func.make_inst(Opcode::Iconst64, cut.rounds, 0, &[], &[Type::I64]);
            first.push(func.result(rounds));
            insts.push(rounds);
        }
        func.blocks[entry].insts.splice(0..0, insts);
        func.blocks[entry].edges[0].args = ValueList::from_slice(&first, &mut func.pool);
        let params: Vec<Type> = func.params(entry).iter().map(|&param| func.values[param]).collect();
        func.signature = Signature::new(&params, &self.func.signature.results);
        for (value, block, param) in twice {
            self.unite(&mut func, &cfg, value, block, param);
        }
        tidy(&mut func)?;
        Some(func)
    }

    /// Leaves a loop in its function for its first rounds.
    fn stay(&self, func: &mut Func, cut: &Cut) {
        let types: Vec<Type> = func.params(cut.header).iter().map(|&param| func.values[param]).collect();
        let is_back = |block: Block| self.cfg.is_back_edge(block, cut.header);
        self.count_rounds(func, cut, &types, is_back);
        // A block that comes there by two edges is one.
        let mut seen = EntitySet::new();
        let before = self.cfg.preds[cut.header].iter().copied();
        let outside: Vec<Block> = before.filter(|&block| !is_back(block) && seen.insert(block)).collect();
        for block in outside {
            let rounds = func.make_inst(Opcode::Iconst64, FIRST_ROUNDS, 0, &[], &[Type::I64]);
            let before = func.blocks[block].insts.len() - 1;
            func.blocks[block].insts.insert(before, rounds);
            let rounds = func.result(rounds);
            for at in 0..func.blocks[block].edges.len() {
                if func.blocks[block].edges[at].block == cut.header {
                    func.blocks[block].edges[at].args.push(rounds, &mut func.pool);
                }
            }
        }
    }

    /// Rounds, from the blocks that are `inside`, go through a latch that counts them.
    fn count_rounds(&self, func: &mut Func, cut: &Cut, types: &[Type], inside: impl Fn(Block) -> bool) {
        let latch = func.new_block();
        let round: Vec<Value> = types.iter().map(|&ty| func.add_param(latch, ty)).collect();
        for block in func.layout.clone().into_iter().filter(|&block| inside(block)) {
            func.blocks[block].edges.iter_mut().filter(|edge| edge.block == cut.header).for_each(|e| e.block = latch);
        }
        let count = func.add_param(cut.header, Type::I64);
        let one = func.append(latch, Opcode::Iconst64, 1, 0, &[], &[Type::I64]);
        let one = func.result(one);
        let left = func.append(latch, Opcode::Isub, 0, 0, &[count, one], &[Type::I64]);
        let left = func.result(left);
        let zero = func.append(latch, Opcode::Iconst64, 0, 0, &[], &[Type::I64]);
        let zero = func.result(zero);
        let is_last = func.append(latch, Opcode::Eq, 0, 0, &[left, zero], &[Type::I32]);
        let is_last = func.result(is_last);
        func.append(latch, Opcode::BrIf, 0, 0, &[is_last], &[]);
        let again = self.tail_call(func, cut, &round);
        func.add_edge(latch, again, &[]);
        let next: Vec<Value> = round.iter().copied().chain([left]).collect();
        func.add_edge(latch, cut.header, &next);
    }

    /// A value that two places define, `block` under its own name and the entry under another one: where both may
    /// arrive, blocks take it as a parameter.
    fn unite(&self, func: &mut Func, cfg: &Cfg, value: Value, block: Block, other: Value) {
        // Blocks that are new need everything.
        let is_live = |at: Block| {
            at != block
                && (at.index() >= self.func.blocks.len() || self.liveness.contains(self.liveness.live_in(at), value))
        };
        let mut name: SecondaryMap<Block, Option<Value>> = SecondaryMap::new();
        name[block] = Some(value);
        name[cfg.order[0]] = Some(other);
        let mut merged: SecondaryMap<Block, bool> = SecondaryMap::new();
        let live: Vec<Block> = cfg.order[1..].iter().copied().filter(|&at| is_live(at)).collect();
        // Names of predecessors pass on, in reverse postorder; the first block where two differ takes a parameter.
        loop {
            for &at in live.iter().filter(|&&at| !merged[at]) {
                name[at] = cfg.preds[at].iter().find(|&&pred| cfg.number[pred] < cfg.number[at]).and_then(|&p| name[p]);
            }
            let differ = |at: Block| cfg.preds[at].iter().any(|&pred| name[pred] != name[at]);
            let Some(&at) = live.iter().find(|&&at| !merged[at] && differ(at)) else { break };
            let ty = func.values[value];
            name[at] = Some(func.add_param(at, ty));
            merged[at] = true;
        }
        for &at in &cfg.order {
            let here = name[at].unwrap_or(value);
            let replace = |list: &mut ValueList, pool: &mut _| {
                list.as_mut_slice(pool).iter_mut().filter(|arg| **arg == value).for_each(|arg| *arg = here);
            };
            for k in 0..func.blocks[at].insts.len() {
                let inst = func.blocks[at].insts[k];
                replace(&mut func.insts[inst].args, &mut func.pool);
            }
            for k in 0..func.blocks[at].edges.len() {
                replace(&mut func.blocks[at].edges[k].args, &mut func.pool);
                if merged[func.blocks[at].edges[k].block] {
                    func.blocks[at].edges[k].args.push(here, &mut func.pool);
                }
            }
        }
    }

    fn leave(&self, func: &mut Func) {
        self.leave_but(func, None);
    }

    /// Edges to cut loops, except the one of the function itself, become tail calls.
    fn leave_but(&self, func: &mut Func, own: Option<Block>) {
        for block in func.layout.clone() {
            for at in 0..func.blocks[block].edges.len() {
                let to = func.blocks[block].edges[at].block;
                if Some(to) == own {
                    continue;
                }
                if let Some(cut) = self.cuts.iter().find(|cut| cut.header == to) {
                    let args = func.edge_args(&func.blocks[block].edges[at]).to_vec();
                    let call = self.tail_call(func, cut, &args);
                    func.blocks[block].edges[at] = Edge { block: call, args: ValueList::new() };
                }
            }
        }
    }

    /// A block that enters a cut loop with `args` for its parameters.
    fn tail_call(&self, func: &mut Func, cut: &Cut, args: &[Value]) -> Block {
        let block = func.new_block();
        let all: Vec<Value> = cut.live.iter().chain(args).copied().collect();
        func.append(block, Opcode::TailCall, u64::from(cut.id.as_u32()), 0, &all, &[]);
        block
    }
}

/// Lists the reachable blocks only; nothing if a loop has several entries.
fn tidy(func: &mut Func) -> Option<()> {
    let cfg = Cfg::compute(func);
    let dom = DomTree::compute(&cfg);
    let back = |from: Block, to: Block| cfg.is_back_edge(from, to) && !dom.dominates(to, from);
    if cfg.order.iter().any(|&block| func.successors(block).any(|to| back(block, to))) {
        return None;
    }
    func.layout = cfg.order;
    Some(())
}
