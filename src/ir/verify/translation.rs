//! Translation validation of root placement: compares a rooted function with the function it was made from.
//!
//! `gc::check` proves that every reference that is used is a valid one; here we prove that it is the *meant* one. Both
//! functions are walked in lock-step. The rooted one may have more instructions (`spill`, `restore`, `clear`), more
//! block parameters and edge arguments (after the original ones), other names for references, and frames. Every other
//! difference is an error.
//!
//! What a slot or a new value holds is described by the set of original values that it *equals* at that point. Slots
//! are followed by a forward dataflow: `spill` copies the set of its operand, `clear` marks it, `restore` hands the set
//! of the slot to its result, a safepoint empties the slots after its frame, and where paths meet sets are
//! intersected. An edge that passes `a` for parameter `p` adds `p` to every set that has `a`. An original value only
//! stays in a set as long as its definition properly dominates the block: elsewhere it may have been defined anew (in a
//! loop) or not at all. A value of the rooted function is never assigned twice, so its set is one for the whole
//! function: where the value is known, no original value in its set can have changed since.

use super::report::{Location, Sink, VerifyError, is_safepoint};
use crate::cfg::Cfg;
use crate::dom::DomTree;
use crate::entity::{Block, Inst, Value};
use crate::func::{Edge, Func};
use crate::liveness::Liveness;
use crate::module::Module;
use crate::opcode::{ImmKind, Opcode, Root};
use crate::types::Type;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use smallvec::SmallVec;

/// What an emptied slot holds, among the original values.
fn empty() -> Value {
    Value::from_u32(u32::MAX - 1)
}

/// Sorted original values. `None` where nothing is known yet: everything, until the first path arrives.
type Meaning = Option<SmallVec<[Value; 2]>>;

/// Checks that `rooted` does what `original` does, as far as references are concerned. `original` must be a correct
/// function of the high phase; `rooted` is verified here.
pub fn check_translation(module: &Module, original: &Func, rooted: &Func) -> Result<(), Vec<VerifyError>> {
    check(module, original, rooted, false)
}

/// Checks the same, and that no frame keeps objects alive that the original does not need any more: every slot that the
/// collector sees is empty, or holds a reference that is live after the safepoint.
pub fn check_space(module: &Module, original: &Func, rooted: &Func) -> Result<(), Vec<VerifyError>> {
    check(module, original, rooted, true)
}

fn check(module: &Module, original: &Func, rooted: &Func, space: bool) -> Result<(), Vec<VerifyError>> {
    super::verify_func(module, rooted)?;
    let cfg = Cfg::compute(original);
    let dom = DomTree::compute(&cfg);
    let mut home = SecondaryMap::new();
    for &block in &cfg.order {
        let results = original.blocks[block].insts.iter().flat_map(|&i| original.results(i));
        for &value in original.params(block).iter().chain(results) {
            home[value] = PackedOption::from(block);
        }
    }
    let sink = Sink::new(module, rooted);
    let needed = if space { needed_behind(module, original, &cfg) } else { SecondaryMap::new() };
    let meanings = SecondaryMap::new();
    let mut checker = Checker { module, original, rooted, dom, home, sink, meanings, space, needed };
    if checker.same_shape(&cfg) {
        checker.run(&cfg);
    }
    checker.sink.finish()
}

/// References that are live after each safepoint of the original, which its results are not yet.
fn needed_behind(module: &Module, original: &Func, cfg: &Cfg) -> SecondaryMap<Inst, Vec<Value>> {
    let mut needed: SecondaryMap<Inst, Vec<Value>> = SecondaryMap::new();
    let live = Liveness::compute(original, cfg, |v| original.values[v] == Type::Ref);
    for &block in &cfg.order {
        let mut set = live.live_out(block).to_vec();
        for &inst in original.blocks[block].insts.iter().rev() {
            if is_safepoint(module, original, inst) {
                needed[inst] = live.values(&set).filter(|v| !original.results(inst).contains(v)).collect();
                needed[inst].sort_unstable();
            }
            live.step_back(original, inst, &mut set);
        }
    }
    needed
}

struct Checker<'a> {
    module: &'a Module,
    original: &'a Func,
    rooted: &'a Func,
    dom: DomTree,
    /// Block of the definition of each original value.
    home: SecondaryMap<Value, PackedOption<Block>>,
    sink: Sink<'a>,
    /// Of the values that the original does not have.
    meanings: SecondaryMap<Value, Meaning>,
    /// Slots with values that are not needed are errors.
    space: bool,
    needed: SecondaryMap<Inst, Vec<Value>>,
}

fn meet(into: &mut Meaning, other: &Meaning) -> bool {
    match (into.as_mut(), other) {
        (_, None) => false,
        (None, Some(_)) => {
            into.clone_from(other);
            true
        }
        (Some(set), Some(other)) => {
            let before = set.len();
            set.retain(|v| other.binary_search(v).is_ok());
            set.len() != before
        }
    }
}

fn has(meaning: &Meaning, value: Value) -> bool {
    meaning.as_ref().is_none_or(|set| set.binary_search(&value).is_ok())
}

fn only(value: Value) -> Meaning {
    Some(SmallVec::from_slice(&[value]))
}

impl Checker<'_> {
    fn error(&mut self, at: Location, message: impl Into<String>) {
        self.sink.push(at, message.into());
    }

    /// Compares everything but the instructions; false if nothing more can be said.
    fn same_shape(&mut self, cfg: &Cfg) -> bool {
        let (original, rooted) = (self.original, self.rooted);
        if original.signature != rooted.signature || original.may_gc != rooted.may_gc {
            self.error(Location::Func, "the signature differs from the original");
        }
        // Blocks that cannot be reached may be gone.
        let reachable = original.layout.iter().filter(|&&b| cfg.is_reachable(b));
        if original.entry != rooted.entry || original.layout != rooted.layout && !reachable.eq(&rooted.layout) {
            self.error(Location::Func, "the blocks differ from the original");
            return false;
        }
        let mut of_original = EntitySet::with_capacity(original.values.len());
        for &block in &original.layout {
            of_original.extend(original.params(block).iter().copied());
            of_original.extend(original.blocks[block].insts.iter().flat_map(|&i| original.results(i)).copied());
        }
        for &block in &rooted.layout {
            let (old, new) = (original.params(block), rooted.params(block));
            let more = new.get(old.len()..).unwrap_or(&[]);
            if !new.starts_with(old) || old.iter().any(|&v| original.values[v] != rooted.values[v]) {
                self.error(Location::Block(block), "the parameters differ from the original");
            } else if more.iter().any(|&v| rooted.values[v] != Type::Ref || of_original.contains(v)) {
                self.error(Location::Block(block), "a new parameter is no new reference");
            }
            let (from, to) = (&original.blocks[block].edges, &rooted.blocks[block].edges);
            if !from.iter().map(|e| e.block).eq(to.iter().map(|e| e.block)) {
                self.error(Location::Block(block), "the targets differ from the original");
                return false;
            }
            for &inst in &rooted.blocks[block].insts {
                if rooted.insts[inst].op == Opcode::Restore && of_original.contains(rooted.result(inst)) {
                    self.error(Location::Inst(block, inst), "the result is a value of the original");
                }
            }
        }
        self.sink.errors.is_empty()
    }

    fn run(&mut self, cfg: &Cfg) {
        let slots = 1 + self.max_slot();
        let mut states: Vec<Vec<Meaning>> = vec![vec![None; slots]; cfg.order.len()];
        states[0] = vec![Some(SmallVec::new()); slots];
        let mut again = true;
        while again {
            again = false;
            for (n, &block) in cfg.order.iter().enumerate() {
                let mut state = states[n].clone();
                again |= self.block(block, &mut state, false);
                for i in 0..self.rooted.blocks[block].edges.len() {
                    let (edge, old) = (&self.rooted.blocks[block].edges[i], &self.original.blocks[block].edges[i]);
                    let to = &mut states[cfg.number[edge.block] as usize];
                    for (slot, meaning) in state.iter().enumerate() {
                        again |= meet(&mut to[slot], &self.across(old, meaning));
                    }
                    let first = self.original.params(edge.block).len();
                    let fresh = self.rooted.params(edge.block)[first..].iter();
                    for (&param, &arg) in fresh.zip(&self.rooted.edge_args(edge)[first..]) {
                        let meaning = self.across(old, &self.meaning(arg));
                        again |= meet(&mut self.meanings[param], &meaning);
                    }
                }
            }
        }
        for (n, &block) in cfg.order.iter().enumerate() {
            let mut state = states[n].clone();
            self.block(block, &mut state, true);
        }
    }

    fn max_slot(&self) -> usize {
        let insts = self.rooted.layout.iter().flat_map(|&b| &self.rooted.blocks[b].insts);
        let of_slots = insts.map(|&i| &self.rooted.insts[i]).filter(|d| d.op.info().imm == ImmKind::Slot);
        of_slots.map(|d| d.imm as usize).max().unwrap_or(0)
    }

    /// What a value of the rooted function stands for.
    fn meaning(&self, value: Value) -> Meaning {
        if self.home[value].is_some() { only(value) } else { self.meanings[value].clone() }
    }

    /// A set after an edge of the original.
    fn across(&self, edge: &Edge, meaning: &Meaning) -> Meaning {
        let set = meaning.as_ref()?;
        let target = edge.block;
        let stays = |v: Value| {
            v == empty() || self.home[v].expand().is_some_and(|h| h != target && self.dom.dominates(h, target))
        };
        let mut out: SmallVec<[Value; 2]> = set.iter().copied().filter(|&v| stays(v)).collect();
        for (arg, &param) in self.original.edge_args(edge).iter().zip(self.original.params(target)) {
            if set.binary_search(arg).is_ok() {
                out.push(param);
            }
        }
        out.sort_unstable();
        out.dedup();
        Some(out)
    }

    /// Walks a block of both functions. Returns true if the meaning of a value has changed.
    fn block(&mut self, block: Block, state: &mut [Meaning], report: bool) -> bool {
        let (original, rooted) = (self.original, self.rooted);
        let mut changed = false;
        let mut originals = original.blocks[block].insts.iter();
        for &inst in &rooted.blocks[block].insts {
            let data = &rooted.insts[inst];
            match Root::of(data.op) {
                Some(Root::Spill) => {
                    state[data.imm as usize] = self.meaning(rooted.args(inst)[0]);
                    continue;
                }
                Some(Root::ClearSlot) => {
                    state[data.imm as usize] = only(empty());
                    continue;
                }
                Some(Root::Restore) => {
                    changed |= meet(&mut self.meanings[rooted.result(inst)], &state[data.imm as usize]);
                    continue;
                }
                Some(Root::Collect) | None => {}
            }
            let Some(&old) = originals.next() else {
                if report {
                    self.error(Location::Inst(block, inst), "the original has no such instruction");
                }
                continue;
            };
            if report {
                self.compare(block, old, inst);
            }
            if is_safepoint(self.module, rooted, inst) {
                let kept = state.len().min(data.aux as usize);
                if report && self.space {
                    self.no_garbage(block, inst, &state[..kept], old);
                }
                state[kept..].fill(Some(SmallVec::new()));
            }
        }
        if report {
            if originals.next().is_some() {
                self.error(Location::Block(block), "an instruction of the original is missing");
            }
            let terminator = *rooted.blocks[block].insts.last().expect("terminator");
            for (old, new) in original.blocks[block].edges.iter().zip(&rooted.blocks[block].edges) {
                let at = Location::Inst(block, terminator);
                for (&meant, &used) in original.edge_args(old).iter().zip(rooted.edge_args(new)) {
                    self.same(at, meant, used);
                }
            }
        }
        changed
    }

    /// Every slot of a frame is empty or needed.
    fn no_garbage(&mut self, block: Block, inst: Inst, frame: &[Meaning], old: Inst) {
        for (slot, meaning) in frame.iter().enumerate() {
            let mut applied_args = meaning.iter().flatten();
            if !applied_args.any(|v| *v == empty() || self.needed[old].binary_search(v).is_ok()) {
                self.error(Location::Inst(block, inst), format!("slot s{slot} holds what is not needed any more"));
            }
        }
    }

    /// The same instruction, apart from names of references and frames.
    fn compare(&mut self, block: Block, old: Inst, new: Inst) {
        let (original, rooted) = (self.original, self.rooted);
        let at = Location::Inst(block, new);
        let (a, b) = (&original.insts[old], &rooted.insts[new]);
        let same = a.op == b.op
            && a.imm == b.imm
            && (a.aux == b.aux || is_safepoint(self.module, rooted, new))
            && original.results(old) == rooted.results(new)
            && original.args(old).len() == rooted.args(new).len();
        if !same {
            return self.error(at, "the instruction differs from the original");
        }
        for (&meant, &used) in original.args(old).iter().zip(rooted.args(new)) {
            self.same(at, meant, used);
        }
    }

    fn same(&mut self, at: Location, meant: Value, used: Value) {
        if meant == used {
            return;
        }
        // A value that the original defines elsewhere is another value, whatever it holds.
        let known = meant.index() < self.original.values.len() && self.original.values[meant] == Type::Ref;
        if !known || self.home[used].is_some() || !has(&self.meanings[used], meant) {
            self.error(at, format!("{used} is not {meant} of the original on every path"));
        }
    }
}
