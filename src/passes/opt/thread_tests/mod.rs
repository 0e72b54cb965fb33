//! Jump threading of tests that read memory: where the outcome of a test is certain on some way to it, that way passes
//! it by.
//!
//! ```text
//!   x = build $Some y        x = node $None            x = build $Some y        x = node $None
//!          └──────▶ test(x) ◀─────┘            ─▶             │                      │
//!                  │      │                                   ▼                      ▼
//!               $Some   other                               $Some                  other
//! ```
//! Two kinds of tests: of stored words, as those for exceptions (`words.rs`), and of the constructor of a node
//! (`constructors.rs`). Both become certain where functions are copied into their callers (`inline`,
//! `unroll-recursion`): a caller asks what the function has just found out. Then `gvn` reads the fields of the node
//! from where it was built, and nobody needs the node any more.
//!
//! An edge is led past a block that does nothing but the test. The instructions of that block are copied to the edge,
//! but for the branch. What is used below of the block has two definitions then (`ssa_repair`). Blocks that are headers
//! of loops stay. (Mueller and Whalley, "Avoiding conditional branches by code replication", 1995.)

mod constructors;
mod words;

use crate::analysis::values::Scratch;
use crate::opt::{simplify_cfg, ssa_repair};
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::{Block, Edge, EntitySet, Func, Inst, Opcode, Value, ValueList};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Instructions of a test without constants, with the branch, and with all.
const MAX_TEST: (usize, usize) = (5, 20);
/// Tests per function that are passed by: dominators are computed for each.
const MAX_TESTS: usize = 64;
/// Blocks of a function.
const MAX_BLOCKS: usize = 1000;

/// Threads the tests of a function; true if something changed.
pub fn run(func: &mut Func, writes_words: bool, scratch: &mut Scratch) -> bool {
    let words = words::tested(func);
    if func.layout.len() > MAX_BLOCKS || words.is_empty() && !constructors::has_tests(func) {
        return false;
    }
    let (mut tried, mut changed) = (EntitySet::new(), false);
    for _ in 0..MAX_TESTS {
        scratch.defs.compute(func);
        let cfg = Cfg::compute(func);
        let plan = words::plan(func, &cfg, &scratch.defs, &words, writes_words, &mut tried);
        match plan.or_else(|| constructors::plan(func, &cfg, &scratch.defs, writes_words, &mut tried)) {
            Some(Plan::Fold(block, taken)) => fold(func, block, taken),
            Some(Plan::Thread(thread)) => thread.carry_out(func),
            None => break,
        }
        simplify_cfg::run(func, scratch);
        changed = true;
    }
    if changed && !words.is_empty() {
        words::forward_stores(func, scratch);
    }
    changed
}

enum Plan {
    /// Every way to a test tells its outcome: the edge of the branch that is taken.
    Fold(Block, usize),
    Thread(Thread),
}

/// What is to be done with one test.
struct Thread {
    block: Block,
    /// Edges that lead past it: their block, their number there, and the edge of the test that is taken.
    edges: SmallVec<[(Block, usize, usize); 4]>,
    ways: [ssa_repair::Way; 2],
}

impl Thread {
    /// Threads what leads to a test, if `outcome` knows of any edge which way it goes. `tried` are blocks for which that
    /// was impossible.
    fn plan(
        func: &Func,
        cfg: &Cfg,
        dominators: &mut Option<DomTree>,
        tried: &mut EntitySet<Block>,
        block: Block,
        outcome: impl Fn(Block, usize) -> Option<usize>,
    ) -> Option<Plan> {
        let mut edges: SmallVec<[(Block, usize, usize); 4]> = SmallVec::new();
        for &from in &cfg.preds[block] {
            for number in 0..func.blocks[from].edges.len() {
                if func.blocks[from].edges[number].block == block
                    && let Some(taken) = outcome(from, number)
                    && !edges.contains(&(from, number, taken))
                {
                    edges.push((from, number, taken));
                }
            }
        }
        if edges.is_empty() || !tried.insert(block) {
            return None;
        }
        let ways = ways(func, cfg, dominators.get_or_insert_with(|| DomTree::compute(cfg)), block)?;
        tried.remove(block);
        Some(Plan::Thread(Thread { block, edges, ways }))
    }

    fn carry_out(self, func: &mut Func) {
        let block = self.block;
        let targets = [0, 1].map(|way| {
            let target = func.blocks[block].edges[way].block;
            let between = self.ways[way].lead_through(func, block, way);
            func.blocks[between].is_cold = func.blocks[target].is_cold;
            between
        });
        let insts = func.blocks[block].insts.clone();
        for &(from, number, taken) in &self.edges {
            let to = func.new_block();
            func.blocks[to].is_cold = func.blocks[targets[taken]].is_cold;
            let given: SmallVec<[Value; 8]> = func.edge_args(&func.blocks[from].edges[number]).into();
            let mut renamed: FxHashMap<Value, Value> = func.params(block).iter().copied().zip(given).collect();
            func.blocks[from].edges[number] = Edge { block: to, args: ValueList::new() };
            ssa_repair::copy(func, &insts[..insts.len() - 1], to, &mut renamed);
            let used = self.ways[taken].used.iter();
            let args: SmallVec<[Value; 4]> = used.map(|value| *renamed.get(value).unwrap_or(value)).collect();
            func.append(to, Opcode::Jump, 0, 0, &[], &[]);
            func.add_edge(to, targets[taken], &args);
        }
    }
}

/// Could edges be led past this block: does it nothing but read with `load` and test?
fn only_tests(func: &Func, cfg: &Cfg, block: Block, load: Opcode) -> bool {
    let insts = &func.blocks[block].insts;
    let is_harmless = |&inst: &Inst| func.insts[inst].op == load || func.insts[inst].op.is_pure();
    let edges = &func.blocks[block].edges;
    block != func.entry_block()
        && !cfg.is_loop_header(block)
        && insts.len() <= MAX_TEST.1
        && insts.iter().filter(|&&inst| !func.insts[inst].op.is_constant()).count() <= MAX_TEST.0
        && insts[..insts.len() - 1].iter().all(is_harmless)
        && edges[0].block != edges[1].block
}

/// Both ways out of a test.
fn ways(func: &Func, cfg: &Cfg, dominators: &DomTree, block: Block) -> Option<[ssa_repair::Way; 2]> {
    let results = func.blocks[block].insts.iter().flat_map(|&inst| func.results(inst));
    let own: SmallVec<[Value; 8]> = func.params(block).iter().chain(results).copied().collect();
    ssa_repair::of(func, cfg, dominators, block, &own, |_| false)
}

/// Every way leads to one edge of a branch.
fn fold(func: &mut Func, block: Block, taken: usize) {
    let Some(branch) = func.terminator(block) else { return };
    let data = &mut func.insts[branch];
    (data.op, data.args) = (Opcode::Jump, ValueList::new());
    let edges = &mut func.blocks[block].edges;
    edges.swap(0, taken);
    edges.truncate(1);
}
