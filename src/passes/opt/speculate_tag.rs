//! Speculates on constructor tags: compares the header of a node with the constructor that is looked for, before it is
//! known whether the node is evaluated.
//!
//! ```text
//!    w = eval v                          header(v) == cons ── true ──▶ between(v)
//!    header(w) == cons ─ true ─▶ …            │ false                    ▲   │
//!        │ false                 ─▶      w = eval v                      │   ▼
//!        ▼                               header(w) == cons ──── true ────┘   …
//!        …                                    │ false
//!                                             ▼
//! ```
//! The header of a node that is not evaluated is no row, so the first comparison holds only for evaluated ones. Where
//! it does, one test is enough, nothing is reloaded, and no way around a call has to be joined.
//!
//! Constructors without fields are rarer than the others. If one of them is looked for first, and another one where it
//! is not found, that is the one to compare with.
//!
//! Comes last: the passes before follow evaluated nodes by their one definition.

use crate::analysis::values::Scratch;
use crate::opt::simplify_cfg;
use crate::opt::ssa_repair::{self, Way};
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::{Block, Flags, Func, Inst, Opcode, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Evaluations per function: dominators are computed for each.
const MAX_EVALUATIONS: usize = 64;
/// Blocks of a function.
const MAX_BLOCKS: usize = 2000;
/// Instructions after an evaluation, with the branch.
const MAX_BEHIND: usize = 8;

/// Puts tests before the evaluations of a function; true if something changed.
pub fn run(func: &mut Func, scratch: &mut Scratch) -> bool {
    if func.layout.len() > MAX_BLOCKS {
        return false;
    }
    let mut done: FxHashSet<Inst> = FxHashSet::default();
    let mut changed = false;
    for _ in 0..MAX_EVALUATIONS {
        let tests: Vec<Test> = func.layout.iter().filter_map(|&block| Test::behind_eval(func, block)).collect();
        if !tests.iter().any(|test| !done.contains(&test.eval)) {
            break;
        }
        let cfg = Cfg::compute(func);
        let dominators = DomTree::compute(&cfg);
        let mut fresh = tests.into_iter().filter(|test| cfg.is_reachable(test.block) && done.insert(test.eval));
        let Some(plan) = fresh.find_map(|test| Plan::of(func, &cfg, &dominators, test)) else { break };
        plan.carry_out(func);
        changed = true;
    }
    if changed {
        simplify_cfg::run(func, scratch);
    }
    changed
}

/// A comparison with a row at the end of a block, after an evaluation.
struct Test {
    block: Block,
    eval: Inst,
    /// The header, the row, their comparison and the branch.
    insts: [Inst; 4],
    /// Fields of the constructor that is looked for.
    fields: u32,
}

impl Test {
    /// `w = eval v`, and after it nothing but `header w`, rows, their comparison and the branch, and what is computed
    /// from other values.
    fn behind_eval(func: &Func, block: Block) -> Option<Test> {
        let insts = &func.blocks[block].insts;
        let from = insts.len().saturating_sub(MAX_BEHIND + 1);
        let at = from + insts[from..].iter().rposition(|&inst| func.insts[inst].op == Opcode::Eval)?;
        let eval = insts[at];
        let test = Test::of(func, block, eval, func.result(eval), &insts[at + 1..])?;
        // The others come before the evaluation.
        let mut others = insts[at + 1..].iter().filter(|inst| !test.insts.contains(inst));
        let own = test.own(func);
        let depends = |&inst: &Inst| func.args(inst).iter().any(|arg| own.contains(arg));
        (!others.any(depends)).then_some(test)
    }

    /// A branch on whether the header of `node` is a row; between the two is only what has no effect.
    fn of(func: &Func, block: Block, eval: Inst, node: Value, insts: &[Inst]) -> Option<Test> {
        let defined = |value: Value| insts.iter().copied().find(|&inst| func.results(inst).contains(&value));
        let (&branch, rest) = insts.split_last()?;
        let is_pure = |&inst: &Inst| {
            let op = func.insts[inst].op;
            op == Opcode::Header || op.writes().is_empty() && op.reads().is_empty() && !op.any(Flags::EFFECTS)
        };
        if func.insts[branch].op != Opcode::BrIf || !rest.iter().all(is_pure) {
            return None;
        }
        let compare = defined(func.args(branch)[0]).filter(|&inst| func.insts[inst].op == Opcode::Eq)?;
        let sides = [0, 1].map(|side| defined(func.args(compare)[side]));
        let of_op = |op: Opcode| sides.into_iter().flatten().find(|&inst| func.insts[inst].op == op);
        let (header, node_info) = (of_op(Opcode::Header)?, of_op(Opcode::NodeInfoAddr)?);
        let is_header = func.args(header)[0] == node;
        let fields = func.insts[node_info].aux;
        is_header.then_some(Test { block, eval, insts: [header, node_info, compare, branch], fields })
    }

    /// The evaluated node.
    fn node(&self, func: &Func) -> Value {
        func.result(self.eval)
    }

    /// The node, and what the instructions of the test define.
    fn own(&self, func: &Func) -> Vec<Value> {
        std::iter::once(&self.eval).chain(&self.insts).flat_map(|&inst| func.results(inst)).copied().collect()
    }
}

/// What is to be done with one evaluation.
struct Plan {
    test: Test,
    /// The test whose way is taken at once: another one if the first is for a constructor without fields.
    second: Option<Test>,
    way: Way,
}

impl Plan {
    fn of(func: &Func, cfg: &Cfg, dominators: &DomTree, test: Test) -> Option<Plan> {
        let edges = &func.blocks[test.block].edges;
        let [found, other] = [0, 1].map(|number: usize| edges[number].block);
        if found == other {
            return None;
        }
        let mut own = test.own(func);
        if test.fields > 0 {
            let [way, _] = ssa_repair::of(func, cfg, dominators, test.block, &own, |_| false)?;
            return Some(Plan { test, second: None, way });
        }
        if cfg.preds[other] != [test.block] || !func.params(other).is_empty() {
            return None;
        }
        let second = Test::of(func, other, test.eval, test.node(func), &func.blocks[other].insts)?;
        if second.fields == 0 || second.insts.len() != func.blocks[other].insts.len() {
            return None;
        }
        own.extend(second.own(func));
        let is_owned = ssa_repair::is_owned(cfg, dominators, test.block, found);
        let apart = |block| block == test.block || is_owned && dominators.dominates(found, block);
        let [way, _] = ssa_repair::of(func, cfg, dominators, other, &own, apart)?;
        Some(Plan { test, second: Some(second), way })
    }

    fn carry_out(self, func: &mut Func) {
        let Plan { test, second, way } = self;
        let (first, node, value) = (test.block, func.args(test.eval)[0], test.node(func));
        let evaluates = func.new_block();
        func.blocks[first].insts.retain(|inst| *inst != test.eval && !test.insts.contains(inst));
        func.blocks[evaluates].insts.push(test.eval);
        func.blocks[evaluates].insts.extend(&test.insts);
        func.blocks[evaluates].edges = std::mem::take(&mut func.blocks[first].edges);
        let mut renamed: FxHashMap<Value, Value> = FxHashMap::from_iter([(value, node)]);
        let taken = match &second {
            None => {
                ssa_repair::copy(func, &test.insts, first, &mut renamed);
                evaluates
            }
            Some(second) => {
                // Of the first test, what is used after the second one.
                let is_used = |inst: &Inst| func.results(*inst).iter().any(|value| way.used.contains(value));
                if test.insts.iter().any(is_used) {
                    ssa_repair::copy(func, &test.insts[..test.insts.len() - 1], first, &mut renamed);
                }
                ssa_repair::copy(func, &second.insts, first, &mut renamed);
                second.block
            }
        };
        let between = way.lead_through(func, taken, 0);
        let args: SmallVec<[Value; 4]> = way.used.iter().map(|value| *renamed.get(value).unwrap_or(value)).collect();
        func.add_edge(first, between, &args);
        func.add_edge(first, evaluates, &[]);
    }
}
