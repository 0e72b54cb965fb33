//! Applies a root placement: inserts spills and restores, assigns slots to webs, and sets the frames of safepoints.
//!
//! Webs are coloured along the reverse postorder, which visits dominators first: optimal for values in SSA form (Hack,
//! Grund, Goos, "Register allocation for programs in SSA-form"), and so for webs, which begin in one place that
//! dominates all the rest. The frame of a safepoint ends with the highest slot in use. A slot below that is in use by
//! no live value is emptied: what it held would stay alive with the frame, in a deep recursion for long.

use super::cfg_info::Flow;
use super::entity::{RpoIndex, Web};
use super::late_options::{LateOption, LateOptions};
use super::long_live_ranges::Floor;
use super::settings::Statistics;
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{Func, Inst, Opcode, PrimaryMap, SecondaryMap};

/// The end of a stretch that goes on in other blocks.
pub const LIVE_OUT: u32 = u32::MAX;
/// More webs than this share slots in any case.
const MOST_SLOTS: usize = 4096;

/// The order of changes that go before the same instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Order {
    Restore,
    Spill,
    Clear,
}

/// What is known of a web.
#[derive(Clone, Copy, Debug)]
struct WebData {
    /// How often its value crosses safepoints.
    weight: f32,
    slot: u32,
}

/// A web in one block.
#[derive(Clone, Copy, Debug)]
struct SlotInterval {
    block: RpoIndex,
    web: Web,
    /// Instruction before which the spill is, if it is in this block.
    start: Option<u32>,
    /// Instruction before which the slot is needed last.
    end: u32,
}

#[derive(Clone, Copy, Debug)]
struct Edit {
    block: RpoIndex,
    at: u32,
    order: Order,
    inst: Inst,
    /// None for a slot that no value is in: the instruction has its number.
    web: PackedOption<Web>,
}

/// Changes of one function, in any order.
#[derive(Default)]
pub struct Edits {
    webs: PrimaryMap<Web, WebData>,
    /// The first webs are those of far values, whose slots lie after the others.
    far: usize,
    base_frame_size: Floor,
    stays: Vec<SlotInterval>,
    edits: Vec<Edit>,
}

impl Edits {
    /// A web of a value that crosses safepoints so often.
    pub fn new_web(&mut self, weight: f32) -> Web {
        self.webs.push(WebData { weight, slot: 0 })
    }
    /// Makes webs for far values.
    pub fn reserve_far(&mut self, count: usize) {
        assert!(self.webs.is_empty(), "far values come first");
        (0..count).for_each(|_| _ = self.new_web(0.0));
        self.far = count;
    }
    /// The slot of a far value, among those of far values.
    pub fn set_far_web(&mut self, web: Web, slot: u32) {
        self.webs[web].slot = slot;
    }
    pub fn set_base_frame_size(&mut self, base_frame_size: Floor) {
        self.base_frame_size = base_frame_size;
    }
    /// A web has its slot in a block, from the instruction `start` on or from the beginning.
    pub fn occupy(&mut self, block: RpoIndex, web: Web, start: Option<u32>, end: u32) {
        self.stays.push(SlotInterval { block, web, start, end });
    }
    pub fn add(&mut self, block: RpoIndex, at: u32, order: Order, inst: Inst, web: Web) {
        self.edits.push(Edit { block, at, order, inst, web: web.into() });
    }

    /// Assigns slots and makes all changes. With `fixed` all safepoints have the same frame.
    pub fn apply(mut self, func: &mut Func, flow: &Flow, steps: LateOptions, fixed: bool, statistics: &mut Statistics) {
        if self.webs.is_empty() {
            return;
        }
        let count = self.assign_slots(steps);
        self.webs.values_mut().take(self.far).for_each(|web| web.slot += count as u32);
        let deepest = self.make_frames(func, flow, fixed.then_some(count), count);
        statistics.slots += deepest as u64;
        statistics.frames += 1;
        for edit in &self.edits {
            if let Some(web) = edit.web.expand() {
                func.insts[edit.inst].imm = u64::from(self.webs[web].slot);
            }
            match edit.order {
                Order::Restore => statistics.restores += 1,
                Order::Spill => statistics.spills += 1,
                Order::Clear => statistics.clears += 1,
            }
        }
        self.edits.sort_by_key(|edit| (edit.block, edit.at, edit.order));
        let mut next = 0;
        while next < self.edits.len() {
            let block = self.edits[next].block;
            let insts = &mut func.blocks[flow.block(block)].insts;
            let old = std::mem::take(insts);
            for (at, inst) in old.into_iter().enumerate() {
                while let Some(edit) = self.edits.get(next).filter(|e| e.block == block && e.at == at as u32) {
                    insts.push(edit.inst);
                    next += 1;
                }
                insts.push(inst);
            }
        }
    }

    /// Gives each web a slot; returns the number of slots.
    fn assign_slots(&mut self, steps: LateOptions) -> usize {
        let webs = &mut self.webs;
        let near = webs.len() - self.far;
        let order = steps.has(LateOption::Order);
        self.stays.sort_by(|a, b| {
            let weight = |stay: &SlotInterval| if order { webs[stay.web].weight } else { 0.0 };
            (a.block, a.start).cmp(&(b.block, b.start)).then(weight(b).total_cmp(&weight(a)))
        });
        if !steps.has(LateOption::Colour) && near <= MOST_SLOTS {
            for (slot, web) in (0..).zip(webs.values_mut().skip(self.far)) {
                web.slot = slot;
            }
            return near;
        }
        let mut slots = Slots::default();
        let mut block = None;
        for stay in &self.stays {
            if block.replace(stay.block) != Some(stay.block) {
                slots.ends.fill(0);
            }
            let slot = match stay.start {
                None => webs[stay.web].slot as usize,
                Some(start) => slots.free(start),
            };
            webs[stay.web].slot = slot as u32;
            slots.take(slot, stay.end);
        }
        slots.ends.len()
    }

    /// Sets the frames of the safepoints, all of the same size if that is `fixed`, and empties slots in them that no
    /// live value is in; `near` slots belong to values that are not far. Returns the size of the deepest.
    fn make_frames(&mut self, func: &mut Func, flow: &Flow, fixed: Option<usize>, near: usize) -> usize {
        let mut steps = self.base_frame_size.steps.iter().peekable();
        let mut slots = Slots::default();
        // Slots known to be empty, in the block at hand and at the ends of blocks.
        let mut empty: Vec<bool> = Vec::new();
        let mut empty_at_end: SecondaryMap<RpoIndex, Option<Vec<bool>>> = SecondaryMap::new();
        let mut next = 0;
        let mut deepest = 0;
        for (block, safepoints) in flow.safepoints.iter() {
            slots.ends.fill(0);
            let mut base_frame_size = self.base_frame_size.at_start.get(block).copied().unwrap_or(0);
            empty.clear();
            if let [pred] = flow.preds[block][..]
                && pred < block
                && let Some(before) = &empty_at_end[pred]
            {
                empty.clone_from(before);
            }
            for &at in safepoints.iter().chain(std::iter::once(&LIVE_OUT)) {
                while let Some(stay) = self.stays.get(next).filter(|s| s.block == block && s.start <= Some(at)) {
                    next += 1;
                    let slot = self.webs[stay.web].slot as usize;
                    slots.take(slot, stay.end);
                    if let Some(known) = empty.get_mut(slot) {
                        *known = false;
                    }
                }
                if at == LIVE_OUT {
                    break;
                }
                let live = slots.ends.iter().rposition(|&end| end > at).map_or(0, |slot| slot + 1);
                while let Some(step) = steps.next_if(|step| (step.0, step.1) <= (block, at)) {
                    base_frame_size = base_frame_size.max(if step.0 == block { step.2 } else { 0 });
                }
                let live = if base_frame_size > 0 { near } else { live };
                empty.resize(fixed.unwrap_or(live), false);
                let frame = fixed.unwrap_or(live) + base_frame_size as usize;
                for (slot, empty) in empty.iter_mut().enumerate() {
                    let in_use = slots.ends.get(slot).is_some_and(|&end| end > at);
                    if !in_use && !std::mem::replace(empty, true) {
                        let inst = func.make_inst(Opcode::ClearSlot, slot as u64, 0, &[], &[]);
                        self.edits.push(Edit { block, at, order: Order::Clear, inst, web: None.into() });
                    }
                }
                let inst = func.blocks[flow.block(block)].insts[at as usize];
                func.insts[inst].aux = frame as u32;
                deepest = deepest.max(frame);
            }
            if empty.contains(&true) {
                empty_at_end[block] = Some(empty.clone());
            }
        }
        deepest
    }
}

/// The slots in one block.
#[derive(Default)]
struct Slots {
    /// The instruction before which each becomes free; 0 for those not in use.
    ends: Vec<u32>,
}

impl Slots {
    fn free(&self, at: u32) -> usize {
        self.ends.iter().position(|&end| end <= at).unwrap_or(self.ends.len())
    }
    fn take(&mut self, slot: usize, end: u32) {
        if self.ends.len() <= slot {
            self.ends.resize(slot + 1, 0);
        }
        self.ends[slot] = end;
    }
}
