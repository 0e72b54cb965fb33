//! Removes the evaluation of nodes that are known to be in head normal form, from facts along the dominator tree.
//!
//! A node is known to be in head normal form
//! * by its definition: result of `eval`, `build`, `box.*`, of a libcall; static node; block parameter that receives
//!   nothing else;
//! * on the paths below an `eval` of it, a read or write of one of its fields, a `fill` of it, or a branch that
//!   compared its header with a node info.
//!
//! Once evaluated, a node stays so, unless it is overwritten by a thunk: values that are the target of `fill_thunk`,
//! `make_indirection`, `blackhole` or plain stores anywhere in the function give no facts.
//!
//! Below `w = eval v` uses of `v` become `w`: it is the same node, and `v` need not be kept alive.

use crate::analysis::domwalk::{DomWalk, Step};
use crate::analysis::identity_uses::Classes;
use crate::analysis::values::{Defs, Scratch};
use crate::ipo::cheap_eagerness::Recipes;
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{Flags, Func, Inst, Opcode, SecondaryMap, Type, Value};

/// Rounds over the edges to find parameters that only receive evaluated nodes.
const PARAMETER_ROUNDS: usize = 8;

/// Removes evaluations; true if there were any to remove.
pub fn run(func: &mut Func, scratch: &mut Scratch) -> bool {
    let evaluates = |&inst: &Inst| matches!(func.insts[inst].op, Opcode::Eval | Opcode::TailEval);
    func.layout.iter().any(|&b| func.blocks[b].insts.iter().any(evaluates)) && walk(func, scratch, None)
}

/// The same, and computes cheap thunks that are no cells where what they need is evaluated (`cheap_eagerness.rs`).
pub(crate) fn run_eagerly(func: &mut Func, scratch: &mut Scratch, recipes: &Recipes, cells: &mut Classes) -> bool {
    walk(func, scratch, Some((recipes, cells)))
}

fn walk(func: &mut Func, scratch: &mut Scratch, eager: Option<(&Recipes, &mut Classes)>) -> bool {
    scratch.defs.compute(func);
    let facts = Facts::new(func, &scratch.defs);
    let mut pass = EvalElim { facts, defs: &scratch.defs, marks: Vec::new(), eager, made: Vec::new(), changed: false };
    let mut walk = DomWalk::new(func);
    let mut buffer = std::mem::take(&mut scratch.insts);
    while let Some(step) = walk.step() {
        match step {
            Step::Enter(block) => {
                pass.marks.push(pass.facts.log.len());
                if let Some((branch, truth)) = walk.condition(func, block) {
                    pass.learn_from_branch(func, branch, truth);
                }
                buffer.clear();
                buffer.append(&mut func.blocks[block].insts);
                let mut kept = std::mem::take(&mut func.blocks[block].insts);
                for &inst in &buffer {
                    let keep = pass.inst(func, inst);
                    kept.append(&mut pass.made);
                    kept.extend(keep.then_some(inst));
                }
                func.blocks[block].insts = kept;
                for edge in &mut func.blocks[block].edges {
                    for arg in edge.args.as_mut_slice(&mut func.pool) {
                        *arg = pass.facts.current(*arg);
                    }
                }
            }
            Step::Leave(_) => pass.facts.undo(pass.marks.pop().unwrap_or(0)),
        }
    }
    scratch.insts = buffer;
    pass.changed
}

struct EvalElim<'a> {
    facts: Facts,
    defs: &'a Defs,
    /// Length of the log at the entries of the blocks on the path.
    marks: Vec<usize>,
    eager: Option<(&'a Recipes, &'a mut Classes)>,
    /// Instructions that come before the one that is looked at.
    made: Vec<Inst>,
    changed: bool,
}

impl EvalElim<'_> {
    /// Rewrites one instruction and learns from it; false if it is to be removed.
    fn inst(&mut self, func: &mut Func, inst: Inst) -> bool {
        for arg in func.insts[inst].args.as_mut_slice(&mut func.pool) {
            *arg = self.facts.current(*arg);
        }
        let op = func.insts[inst].op;
        if op == Opcode::BuildThunk {
            return self.thunk(func, inst);
        }
        if op == Opcode::Eval {
            let (node, result) = (func.args(inst)[0], func.result(inst));
            if self.facts.is_hnf(node) {
                // The result is used only below this, so this need not be undone.
                self.facts.to[result] = node.into();
                self.changed = true;
                return false;
            }
            self.facts.rename(node, result);
        }
        if op == Opcode::TailEval && self.facts.is_hnf(func.args(inst)[0]) {
            func.insts[inst].op = Opcode::Return;
            self.changed = true;
        }
        if op.any(Flags::FIRST_EVALUATED) {
            self.facts.learn(func.args(inst)[0]);
        }
        if op == Opcode::FillCopy {
            self.facts.learn(func.args(inst)[1]);
        }
        true
    }

    /// Computes a thunk now, if that is cheap; false if nothing is to be built.
    fn thunk(&mut self, func: &mut Func, inst: Inst) -> bool {
        let Some((recipes, cells)) = &mut self.eager else { return true };
        let thunk = func.result(inst);
        if self.facts.unstable[thunk] || cells.is_marked(thunk) {
            return true;
        }
        let facts = &self.facts;
        let Some(value) = recipes.apply(func, inst, |value| facts.is_hnf(value), &mut self.made) else { return true };
        self.changed = true;
        // They are used only below this, so none of it need be undone.
        self.facts.hnf[value] = true;
        if value == thunk {
            return true;
        }
        self.facts.to[thunk] = value.into();
        false
    }

    fn learn_from_branch(&mut self, func: &Func, branch: Inst, truth: bool) {
        let Some(test) = self.defs.get(func.args(branch)[0]) else { return };
        let args = func.args(test);
        let op = func.insts[test].op;
        if op == Opcode::IsHnf && truth {
            return self.facts.learn(args[0]);
        }
        if op.edge_of_equality() != Some(usize::from(!truth)) {
            return;
        }
        for [a, b] in [[args[0], args[1]], [args[1], args[0]]] {
            if let Some(read) = self.defs.with_op(func, a, Opcode::Header)
                && self.defs.op(func, b) == Some(Opcode::NodeInfoAddr)
            {
                let node = self.facts.current(func.args(read)[0]);
                self.facts.learn(node);
            }
        }
    }
}

/// What is known on the current path.
struct Facts {
    /// In head normal form here.
    hnf: SecondaryMap<Value, bool>,
    /// The evaluated name of a node.
    to: SecondaryMap<Value, PackedOption<Value>>,
    /// Nodes that may be overwritten by thunks.
    unstable: SecondaryMap<Value, bool>,
    /// What to undo: facts (none) and renamings (some earlier one).
    log: Vec<(Value, Option<PackedOption<Value>>)>,
}

impl Facts {
    fn new(func: &Func, defs: &Defs) -> Facts {
        let mut facts =
            Facts { hnf: SecondaryMap::new(), to: SecondaryMap::new(), unstable: SecondaryMap::new(), log: Vec::new() };
        facts.hnf.resize(func.values.len());
        facts.to.resize(func.values.len());
        facts.mark_unstable(func, defs);
        facts.by_definition(func);
        facts
    }

    /// Targets of overwriting by thunks, under all of their names: `eval` gives a node a second one.
    fn mark_unstable(&mut self, func: &Func, defs: &Defs) {
        let mut any = false;
        for &inst in func.layout.iter().flat_map(|&b| &func.blocks[b].insts) {
            if func.insts[inst].op.may_unevaluate() {
                let mut value = func.args(inst)[0];
                any = true;
                while !self.unstable[value] {
                    self.unstable[value] = true;
                    match defs.with_op(func, value, Opcode::Eval) {
                        Some(eval) => value = func.args(eval)[0],
                        None => break,
                    }
                }
            }
        }
        // Results of evaluating such a node; definitions come before uses in reverse postorder, else twice.
        for _ in 0..2 {
            if !any {
                break;
            }
            for &inst in func.layout.iter().flat_map(|&b| &func.blocks[b].insts) {
                if func.insts[inst].op == Opcode::Eval && self.unstable[func.args(inst)[0]] {
                    self.unstable[func.result(inst)] = true;
                }
            }
        }
    }

    fn by_definition(&mut self, func: &Func) {
        for &inst in func.layout.iter().flat_map(|&b| &func.blocks[b].insts) {
            if func.insts[inst].op.any(Flags::RESULT_EVALUATED) {
                for &result in func.results(inst) {
                    self.hnf[result] = !self.unstable[result];
                }
            }
        }
        self.parameters(func);
    }

    /// Parameters that receive evaluated nodes on every edge: assumed of all, withdrawn where it fails.
    fn parameters(&mut self, func: &Func) {
        let entry = func.entry_block();
        let mut params: Vec<Value> = Vec::new();
        for &block in func.layout.iter().filter(|&&b| b != entry) {
            params.extend(func.params(block).iter().filter(|&&p| func.values[p] == Type::Ref && !self.unstable[p]));
        }
        if params.is_empty() {
            return;
        }
        params.iter().for_each(|&p| self.hnf[p] = true);
        for _ in 0..PARAMETER_ROUNDS {
            let mut again = false;
            for edge in func.layout.iter().flat_map(|&b| &func.blocks[b].edges) {
                for (&param, &arg) in func.params(edge.block).iter().zip(func.edge_args(edge)) {
                    if self.hnf[param] && !self.hnf[arg] {
                        self.hnf[param] = false;
                        again = true;
                    }
                }
            }
            if !again {
                return;
            }
        }
        params.iter().for_each(|&p| self.hnf[p] = false);
    }

    fn is_hnf(&self, node: Value) -> bool {
        self.hnf[node]
    }
    fn learn(&mut self, node: Value) {
        if !self.hnf[node] && !self.unstable[node] {
            self.hnf[node] = true;
            self.log.push((node, None));
        }
    }
    /// The name to use for a node here.
    fn current(&self, mut node: Value) -> Value {
        while let Some(to) = self.to[node].expand() {
            node = to;
        }
        node
    }
    fn rename(&mut self, from: Value, to: Value) {
        self.log.push((from, Some(self.to[from])));
        self.to[from] = to.into();
    }
    fn undo(&mut self, mark: usize) {
        while self.log.len() > mark {
            if let Some((value, before)) = self.log.pop() {
                match before {
                    None => self.hnf[value] = false,
                    Some(before) => self.to[value] = before,
                }
            }
        }
    }
}
