//! Loop peeling: the first round of a small loop that reads again and again what nothing in it writes is copied in
//! front of it. What that round has read is known in the others (`gvn`), so the loop keeps what changes.
//!
//! ```text
//!       │                                        │
//!   header(x) ── false ──▶ exit              header'(x) ── false ──┐
//!    │ true    ▲                                 │ true            │
//!   body(loads) │                ─▶          body'(loads)          ▼
//!    ⋮ ─────────┘                                ▼              exit(x')
//!                                            header(x) ── false ──▲
//!                                             │ true   ▲
//!                                            body ─────┘
//! ```
//! Nothing is executed that was not before, so no load has to be safe where it was not. Values of the loop that are
//! used behind it have two definitions now: the blocks that the exits lead to get them as parameters.
//!
//! Done for loops without others in them, of few instructions, of which some only read: fields, elements and sizes
//! whose class is not written in the loop, of objects from outside of it. Needs and leaves: high IR. (Muchnick,
//! "Advanced Compiler Design and Implementation", section 17.4.)

use crate::analysis::values::Scratch;
use crate::opt::memory_classes::{CLASSES, Class, Written, class_of_load};
use crate::opt::{gvn, simplify_cfg, ssa_repair};
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::{Block, Edge, EntityRef, EntitySet, Func, Opcode, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Blocks of a loop, and instructions in it without constants and jumps.
const MAX_LOOP: (usize, usize) = (16, 60);
/// Instructions that may be copied for each load that leaves the loop.
const MAX_FOR_EACH: usize = 12;
/// Loads that have to leave it.
const MIN_LOADS: usize = 2;
/// Loops per function: dominators are computed for each.
const MAX_LOOPS: usize = 8;
/// Blocks of a function.
const MAX_BLOCKS: usize = 1000;

/// Peels loops of a function; true if something changed.
pub fn run(func: &mut Func, writes_words: bool, scratch: &mut Scratch) -> bool {
    if func.layout.len() > MAX_BLOCKS {
        return false;
    }
    let mut done = vec![false; func.blocks.len()];
    let mut changed = false;
    for _ in 0..MAX_LOOPS {
        let cfg = Cfg::compute(func);
        if !cfg.order.iter().any(|&block| cfg.is_loop_header(block) && !done[block.index()]) {
            break;
        }
        let dominators = DomTree::compute(&cfg);
        let mut plan = None;
        for &block in cfg.order.iter().rev().filter(|&&block| cfg.is_loop_header(block)) {
            if !std::mem::replace(&mut done[block.index()], true) {
                plan = Plan::of(func, &cfg, &dominators, block, writes_words);
                if plan.is_some() {
                    break;
                }
            }
        }
        let Some(plan) = plan else { break };
        plan.carry_out(func, &cfg);
        done.resize(func.blocks.len(), false);
        changed = true;
    }
    if changed {
        simplify_cfg::run(func, scratch);
        gvn::run(func, writes_words, scratch);
    }
    changed
}

/// What is to be done with one loop.
struct Plan {
    header: Block,
    /// Its blocks in reverse postorder; the header is first.
    body: Vec<Block>,
    /// Blocks behind the loop, what they use of it, and the blocks that they dominate.
    exits: Vec<Exit>,
}

struct Exit {
    target: Block,
    used: SmallVec<[Value; 4]>,
    blocks: Vec<Block>,
}

impl Plan {
    fn of(func: &Func, cfg: &Cfg, dominators: &DomTree, header: Block, writes_words: bool) -> Option<Plan> {
        if header == func.entry_block() || func.is_cold(header) {
            return None;
        }
        let body = body(cfg, dominators, header)?;
        let mut is_inside: EntitySet<Block> = EntitySet::new();
        body.iter().for_each(|&block| _ = is_inside.insert(block));
        if !is_worthwhile(func, &body, writes_words) {
            return None;
        }
        let exits = exits(func, cfg, dominators, &body, &is_inside)?;
        Some(Plan { header, body, exits })
    }

    fn carry_out(self, func: &mut Func, cfg: &Cfg) {
        for exit in &self.exits {
            exit.take_parameters(func, cfg);
        }
        let mut renamed: FxHashMap<Value, Value> = FxHashMap::default();
        let mut copies: FxHashMap<Block, Block> = FxHashMap::default();
        for &block in &self.body {
            let copy = func.new_block();
            copies.insert(block, copy);
            for param in func.params(block).to_vec() {
                let ty = func.values[param];
                renamed.insert(param, func.add_param(copy, ty));
            }
        }
        // From outside the first round is entered.
        let first = copies[&self.header];
        for &before in cfg.preds[self.header].iter().filter(|before| !copies.contains_key(before)) {
            for edge in func.blocks[before].edges.iter_mut().filter(|edge| edge.block == self.header) {
                edge.block = first;
            }
        }
        for &block in &self.body {
            let copy = copies[&block];
            let insts = func.blocks[block].insts.clone();
            ssa_repair::copy(func, &insts, copy, &mut renamed);
            for at in 0..func.blocks[block].edges.len() {
                let Edge { block: target, .. } = func.blocks[block].edges[at];
                let args: SmallVec<[Value; 4]> = func.edge_args(&func.blocks[block].edges[at]).into();
                let args: SmallVec<[Value; 4]> = args.iter().map(|arg| *renamed.get(arg).unwrap_or(arg)).collect();
                // The copy of what closes the loop goes on with the loop itself.
                let target = if target == self.header { target } else { *copies.get(&target).unwrap_or(&target) };
                func.add_edge(copy, target, &args);
            }
        }
    }
}

impl Exit {
    /// The target gets what is used of the loop as parameters.
    fn take_parameters(&self, func: &mut Func, cfg: &Cfg) {
        let mut before: EntitySet<Block> = EntitySet::new();
        cfg.preds[self.target].iter().for_each(|&from| _ = before.insert(from));
        for &value in &self.used {
            let ty = func.values[value];
            let param = func.add_param(self.target, ty);
            let renamed = FxHashMap::from_iter([(value, param)]);
            self.blocks.iter().for_each(|&block| ssa_repair::rename(func, block, &renamed));
            for from in before.iter() {
                let arg = if self.blocks.contains(&from) { param } else { value };
                for at in 0..func.blocks[from].edges.len() {
                    if func.blocks[from].edges[at].block == self.target {
                        func.blocks[from].edges[at].args.push(arg, &mut func.pool);
                    }
                }
            }
        }
    }
}

/// The blocks of a loop, in reverse postorder; `None` if it is large, entered elsewhere, or has another one in it.
fn body(cfg: &Cfg, dominators: &DomTree, header: Block) -> Option<Vec<Block>> {
    let mut body = vec![header];
    let mut open: Vec<Block> = Vec::new();
    for &latch in cfg.preds[header].iter().filter(|&&latch| cfg.is_back_edge(latch, header)) {
        if !dominators.dominates(header, latch) {
            return None;
        }
        open.push(latch);
    }
    while let Some(block) = open.pop() {
        if !body.contains(&block) {
            if cfg.is_loop_header(block) || body.len() == MAX_LOOP.0 {
                return None;
            }
            body.push(block);
            open.extend(&cfg.preds[block]);
        }
    }
    body.sort_unstable_by_key(|&block| cfg.number[block]);
    Some(body)
}

/// Is the loop small for what leaves it?
fn is_worthwhile(func: &Func, body: &[Block], writes_words: bool) -> bool {
    let insts = || body.iter().flat_map(|&block| func.blocks[block].insts.iter().copied());
    let weight = insts().filter(|&inst| !func.insts[inst].op.is_constant()).count();
    if weight > MAX_LOOP.1 {
        return false;
    }
    // What is defined in the loop, but for what leaves it.
    let mut changing: EntitySet<Value> = EntitySet::new();
    for &block in body {
        func.params(block).iter().for_each(|&param| _ = changing.insert(param));
        let insts = func.blocks[block].insts.iter().filter(|&&inst| !func.insts[inst].op.is_constant());
        insts.flat_map(|&inst| func.results(inst)).for_each(|&result| _ = changing.insert(result));
    }
    let mut is_written = [false; CLASSES];
    insts().flat_map(|inst| Written::by(func, inst, writes_words).classes()).for_each(|class| is_written[class] = true);
    let mut loads = 0;
    for inst in insts() {
        let op = func.insts[inst].op;
        let is_load = class_of_load(func, inst).is_some_and(|class| !is_written[class as usize]);
        let is_fixed = is_load || op.is_pure() && op != Opcode::RefAddr && !is_written[Class::Short as usize];
        if is_fixed && func.args(inst).iter().all(|&arg| !changing.contains(arg)) {
            func.results(inst).iter().for_each(|&result| _ = changing.remove(result));
            loads += usize::from(is_load);
        }
    }
    loads >= MIN_LOADS && weight <= MAX_FOR_EACH * loads
}

/// Where a loop leads to, with what is used there of it; `None` if that is used where several ways join.
fn exits(
    func: &Func,
    cfg: &Cfg,
    dominators: &DomTree,
    body: &[Block],
    is_inside: &EntitySet<Block>,
) -> Option<Vec<Exit>> {
    let mut is_own: EntitySet<Value> = EntitySet::new();
    for &block in body {
        let results = func.blocks[block].insts.iter().flat_map(|&inst| func.results(inst));
        func.params(block).iter().chain(results).for_each(|&value| _ = is_own.insert(value));
    }
    let mut exits: Vec<Exit> = Vec::new();
    for edge in body.iter().flat_map(|&block| &func.blocks[block].edges) {
        let target = edge.block;
        if is_inside.contains(target) || exits.iter().any(|exit| exit.target == target) {
            continue;
        }
        // It has blocks of its own if it is reached from the loop only.
        let is_only_way = |&from: &Block| is_inside.contains(from) || dominators.dominates(target, from);
        if !dominators.dominates(target, body[0]) && cfg.preds[target].iter().all(is_only_way) {
            exits.push(Exit { target, used: SmallVec::new(), blocks: Vec::new() });
        }
    }
    for &block in cfg.order.iter().filter(|&&block| !is_inside.contains(block)) {
        let mut exit = exits.iter_mut().find(|exit| dominators.dominates(exit.target, block));
        if let Some(exit) = &mut exit {
            exit.blocks.push(block);
        }
        let args = func.blocks[block].insts.iter().flat_map(|&inst| func.args(inst));
        let passed = func.blocks[block].edges.iter().flat_map(|edge| func.edge_args(edge));
        for &value in args.chain(passed).filter(|&&value| is_own.contains(value)) {
            let used = &mut exit.as_mut()?.used;
            if !used.contains(&value) {
                used.push(value);
            }
        }
    }
    Some(exits)
}
