//! The root checker: proves on a rooted function alone that no reference crosses a safepoint in a value. It shares no
//! code with the passes that place spills and restores, and believes nothing that they computed.
//!
//! One forward dataflow over the control-flow graph, with three sets per point:
//! * *fresh*: the moving values that were defined after the last safepoint on every path. A safepoint empties it.
//! * *valid*: the frame slots that hold a reference on every path. `spill` adds its slot; a safepoint with frame `k`
//!   demands that the slots `0..k` are valid or empty (the collector reads and updates them) and removes all others.
//! * *written*: the valid ones, and those that `clear` has emptied. Only valid ones may be restored.
//!
//! They only shrink towards the fixpoint: they start full and are intersected where paths meet. A value that is used
//! must be fresh, as an operand and as an argument of an edge; a block parameter is then fresh where it is defined.
//!
//! *Moving* values are all references but those of static nodes, and the numbers computed from the address of a moving
//! one (`ref_addr`): sums and conversions, but neither comparisons nor masks, which are not used as addresses.
//!
//! In a function with the strategy `stackmap` references survive safepoints as values, because the back end tells the
//! collector where they are. Numbers computed from addresses do not, also in the low phase, where they are more: the
//! address of an overflow block, loaded from its node, is one. Such a function has neither slots nor frames.
//!
//! In the high phase, too, references survive and numbers computed from addresses do not. Whatever allocates counts as
//! a safepoint there, because it is not yet known where memory is reserved.
//!
//! What it cannot see is *which* reference a slot should hold; `check_translation` compares with the original function.

pub use super::translation::{check_space, check_translation};

use super::report::{Location, Sink, VerifyError, is_safepoint};
use crate::cfg::Cfg;
use crate::entity::{Block, Inst, Value};
use crate::func::{Func, Phase};
use crate::layout::OVERFLOW;
use crate::module::Module;
use crate::opcode::{Flags, Opcode, Root};
use crate::strategy::RootStrategy;
use crate::types::Type;
use cranelift_entity::{EntityRef, EntitySet};

/// Frames beyond this are a mistake, and would make the sets huge.
const MAX_SLOTS: usize = 1 << 16;

/// Checks a function of the high or rooted phase that is structurally correct.
pub fn check(module: &Module, func: &Func) -> Result<(), Vec<VerifyError>> {
    check_with(module, func, &Cfg::compute(func))
}

pub(super) fn check_with(module: &Module, func: &Func, cfg: &Cfg) -> Result<(), Vec<VerifyError>> {
    let mut sink = Sink::new(module, func);
    let high = func.phase == Phase::High;
    let keeps = high || func.roots == Some(RootStrategy::Stackmap);
    let mut slots = 0;
    let mut quiet = true;
    for &block in &cfg.order {
        for &inst in &func.blocks[block].insts {
            let data = &func.insts[inst];
            if high {
                quiet &= data.op != Opcode::RefAddr;
                continue;
            }
            let count = match Root::of(data.op) {
                Some(Root::Spill | Root::Restore | Root::ClearSlot) => data.imm as usize + 1,
                Some(Root::Collect) | None if data.op.any(Flags::SAFEPOINT) => data.aux as usize,
                Some(Root::Collect) | None => continue,
            };
            quiet = false;
            if keeps && count > 0 {
                let message = "a function of the strategy stackmap has no slots".into();
                sink.push(Location::Inst(block, inst), message);
            }
            slots = slots.max(count);
            if count > MAX_SLOTS {
                sink.push(Location::Inst(block, inst), format!("more than {MAX_SLOTS} slots"));
            }
        }
    }
    if quiet || !sink.errors.is_empty() {
        return sink.finish();
    }
    let moving = moving_values(func, cfg);
    let fresh_words = func.values.len().div_ceil(64);
    let mut surviving = vec![0; fresh_words];
    if keeps {
        for value in func.values.keys().filter(|&value| func.values[value] == Type::Ref) {
            add(&mut surviving, value.index());
        }
    }
    let mut checker = Checker { module, func, sink, moving, fresh_words, high, surviving, slots };
    checker.run(cfg);
    checker.sink.finish()
}

/// The values that a collection makes useless: least fixpoint over the values that depend on others.
fn moving_values(func: &Func, cfg: &Cfg) -> EntitySet<Value> {
    let mut moving = EntitySet::with_capacity(func.values.len());
    for &param in func.params(func.entry_block()) {
        if func.values[param] == Type::Ref {
            moving.insert(param);
        }
    }
    // Numbers that memory is accessed by.
    let mut bases: EntitySet<Value> = EntitySet::with_capacity(func.values.len());
    for &inst in cfg.order.iter().flat_map(|&block| &func.blocks[block].insts) {
        if func.insts[inst].op.is_access()
            && let Some(&base) = func.args(inst).first()
        {
            bases.insert(base);
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &cfg.order {
            for &inst in &func.blocks[block].insts {
                let args = func.args(inst);
                let data = &func.insts[inst];
                let reads_address = || {
                    let of_rest = data.op == Opcode::LoadI32 && data.imm == u64::from(OVERFLOW);
                    of_rest && bases.contains(func.result(inst))
                };
                if data.op == Opcode::Select || data.op.any(Flags::CARRIES_ADDRESS) || reads_address() {
                    let of = &args[usize::from(data.op == Opcode::Select)..];
                    changed |= of.iter().any(|&v| moving.contains(v)) && moving.insert(func.result(inst));
                } else if !data.op.is_static_ref() {
                    for &result in func.results(inst) {
                        changed |= func.values[result] == Type::Ref && moving.insert(result);
                    }
                }
            }
            for edge in &func.blocks[block].edges {
                for (&arg, &param) in func.edge_args(edge).iter().zip(func.params(edge.block)) {
                    changed |= moving.contains(arg) && moving.insert(param);
                }
            }
        }
    }
    moving
}

struct Checker<'a> {
    module: &'a Module,
    func: &'a Func,
    sink: Sink<'a>,
    moving: EntitySet<Value>,
    /// Words of the first set; the rest of a state is the others, of equal size.
    fresh_words: usize,
    /// The function is of the high phase.
    high: bool,
    /// What of the first set a safepoint leaves.
    surviving: Vec<u64>,
    slots: usize,
}

/// The sets at one point, as bits.
type State = [u64];

fn has(bits: &State, n: usize) -> bool {
    bits[n / 64] >> (n % 64) & 1 != 0
}
fn add(bits: &mut State, n: usize) {
    bits[n / 64] |= 1 << (n % 64);
}
fn remove(bits: &mut State, n: usize) {
    bits[n / 64] &= !(1 << (n % 64));
}

impl Checker<'_> {
    fn run(&mut self, cfg: &Cfg) {
        let func = self.func;
        let nptrs = self.fresh_words + 2 * self.slots.div_ceil(64);
        // State at the start of each reachable block, by its number in the reverse postorder.
        let mut states = vec![u64::MAX; nptrs * cfg.order.len()];
        states[..nptrs].fill(0);
        let mut state = vec![0; nptrs];
        let mut again = true;
        while again {
            again = false;
            for (n, &block) in cfg.order.iter().enumerate() {
                state.copy_from_slice(&states[n * nptrs..(n + 1) * nptrs]);
                self.block(block, &mut state, false);
                for edge in &func.blocks[block].edges {
                    let to = cfg.number[edge.block] as usize;
                    let target = &mut states[to * nptrs..(to + 1) * nptrs];
                    for (t, s) in target.iter_mut().zip(&state) {
                        let met = *t & s;
                        again |= met != *t && to <= n;
                        *t = met;
                    }
                }
            }
        }
        for (n, &block) in cfg.order.iter().enumerate() {
            state.copy_from_slice(&states[n * nptrs..(n + 1) * nptrs]);
            self.block(block, &mut state, true);
        }
    }

    /// Brings the state from the start of a block to its end.
    fn block(&mut self, block: Block, state: &mut State, report: bool) {
        let func = self.func;
        for &param in func.params(block) {
            add(state, param.index());
        }
        for &inst in &func.blocks[block].insts {
            if report {
                self.uses(block, inst, func.args(inst), state);
            }
            let data = &func.insts[inst];
            // The immediate is a slot only for spills and restores.
            let slot = (self.fresh_words * 64).wrapping_add(data.imm as usize);
            let written = slot.wrapping_add(self.slots.div_ceil(64) * 64);
            match Root::of(data.op) {
                Some(Root::Spill) => {
                    add(state, slot);
                    add(state, written);
                }
                Some(Root::ClearSlot) => {
                    remove(state, slot);
                    add(state, written);
                }
                Some(Root::Restore) => {
                    if report && !has(state, slot) && !self.sink.is_full() {
                        self.lost(block, inst, data.imm);
                    }
                }
                Some(Root::Collect) | None => {
                    let is_safepoint = data.op.any(Flags::SAFEPOINT) && is_safepoint(self.module, func, inst);
                    if is_safepoint || self.high && data.op.any(Flags::ALLOCATES) {
                        self.safepoint(block, inst, state, report);
                    }
                    let makes_reference = data.op == Opcode::AddrRef && report && self.is_mapped();
                    if makes_reference && self.moving.contains(func.args(inst)[0]) {
                        self.sink.push(Location::Inst(block, inst), "no object begins at this address".into());
                    }
                }
            }
            for &result in func.results(inst) {
                add(state, result.index());
            }
        }
        if report {
            for edge in &func.blocks[block].edges {
                let terminator = *func.blocks[block].insts.last().expect("terminator");
                self.uses(block, terminator, func.edge_args(edge), state);
            }
        }
    }

    /// The back end tells the collector where references are.
    fn is_mapped(&self) -> bool {
        self.func.roots == Some(RootStrategy::Stackmap)
    }

    fn uses(&mut self, block: Block, inst: Inst, values: &[Value], state: &State) {
        for &value in values {
            if self.moving.contains(value) && !has(state, value.index()) {
                let message = format!("{value} is stale: a collection may have moved its object");
                self.sink.push(Location::Inst(block, inst), message);
            }
        }
    }

    /// Says that a slot holds nothing when it is restored: at the safepoint of this block that loses it, if it was
    /// spilled before that in the same block.
    fn lost(&mut self, block: Block, restore: Inst, slot: u64) {
        let insts = &self.func.blocks[block].insts;
        let before = insts.iter().rev().skip_while(|&&inst| inst != restore).skip(1);
        let mut loses = None;
        for &inst in before {
            let data = &self.func.insts[inst];
            let root = Root::of(data.op);
            if matches!(root, Some(Root::Spill | Root::ClearSlot)) && data.imm == slot {
                loses = loses.filter(|_| root == Some(Root::Spill));
                let Some((call, frame)) = loses else { break };
                let message = format!(
                    "this may collect, and its frame keeps {frame} slots: s{slot} is restored below, and lost; write \
                     `frame {}`",
                    slot + 1
                );
                return self.sink.push(Location::Inst(block, call), message);
            }
            let keeps = u64::from(data.aux);
            if data.op.any(Flags::SAFEPOINT) && keeps <= slot && is_safepoint(self.module, self.func, inst) {
                loses = Some((inst, data.aux));
            }
        }
        self.sink.push(Location::Inst(block, restore), format!("slot s{slot} does not hold a reference on every path"));
    }

    fn safepoint(&mut self, block: Block, inst: Inst, state: &mut State, report: bool) {
        let frame = if self.high { 0 } else { self.func.insts[inst].aux as usize };
        let (fresh, slots) = state.split_at_mut(self.fresh_words);
        let (valid, written) = slots.split_at_mut(slots.len() / 2);
        for (word, kept) in fresh.iter_mut().zip(&self.surviving) {
            *word &= kept;
        }
        if report {
            for slot in (0..frame).filter(|&slot| !has(written, slot)) {
                let message = format!("slot s{slot} of the frame does not hold a reference on every path");
                self.sink.push(Location::Inst(block, inst), message);
            }
        }
        for nptrs in [valid, written] {
            for (w, word) in nptrs.iter_mut().enumerate() {
                let kept = frame.saturating_sub(w * 64).min(64);
                *word &= if kept == 64 { u64::MAX } else { (1 << kept) - 1 };
            }
        }
    }
}
