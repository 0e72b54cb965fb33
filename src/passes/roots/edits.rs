//! Which instructions are added where, which slot each web gets, and the frames of the safepoints.
//!
//! Webs are coloured along the reverse postorder, which visits dominators first: optimal for values in SSA form (Hack,
//! Grund, Goos, "Register allocation for programs in SSA-form"), and so for webs, which begin in one place that
//! dominates all the rest. The frame of a safepoint ends with the highest slot in use. A slot below that is in use by
//! no live value is emptied: what it held would stay alive with the frame, in a deep recursion for long.

use super::Statistics;
use super::flow::Flow;
use super::steps::{Step, Steps};
use cleave_ir::{Func, Inst, Opcode};

/// The end of a stretch that goes on in other blocks.
pub const LIVE_OUT: u32 = u32::MAX;
/// More webs than this share slots in any case.
const MOST_SLOTS: usize = 4096;

/// What comes first before the same instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Order {
    Restore,
    Spill,
    Clear,
}

/// A spill and everything that it dominates where its value is live.
#[derive(Clone, Copy, Debug)]
pub struct Web {
    /// How often its value crosses safepoints.
    pub weight: f32,
    pub slot: u32,
}

/// A web in one block.
#[derive(Clone, Copy, Debug)]
struct Stay {
    block: u32,
    web: u32,
    /// Instruction before which the spill is, if it is in this block.
    start: Option<u32>,
    /// Instruction before which the slot is needed last.
    end: u32,
}

#[derive(Clone, Copy, Debug)]
struct Edit {
    block: u32,
    at: u32,
    order: Order,
    inst: Inst,
    /// Or the slot of a clear.
    web: u32,
}

/// Changes of one function, in any order.
#[derive(Default)]
pub struct Edits {
    webs: Vec<Web>,
    stays: Vec<Stay>,
    edits: Vec<Edit>,
}

impl Edits {
    pub fn new_web(&mut self, web: Web) -> u32 {
        self.webs.push(web);
        self.webs.len() as u32 - 1
    }
    /// A web has its slot in a block, from the instruction `start` on or from the beginning.
    pub fn occupy(&mut self, block: u32, web: u32, start: Option<u32>, end: u32) {
        self.stays.push(Stay { block, web, start, end });
    }
    pub fn add(&mut self, block: u32, at: u32, order: Order, inst: Inst, web: u32) {
        self.edits.push(Edit { block, at, order, inst, web });
    }

    /// Assigns slots and makes all changes.
    pub fn apply(mut self, func: &mut Func, flow: &Flow, steps: Steps, statistics: &mut Statistics) {
        if self.webs.is_empty() {
            return;
        }
        self.assign_slots(func, flow, steps, statistics);
        for edit in &self.edits {
            let slot = if edit.order == Order::Clear { edit.web } else { self.webs[edit.web as usize].slot };
            func.insts[edit.inst].imm = u64::from(slot);
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
            let insts = &mut func.blocks[flow.cfg.order[block as usize]].insts;
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

    fn assign_slots(&mut self, func: &mut Func, flow: &Flow, steps: Steps, statistics: &mut Statistics) {
        let webs = &mut self.webs;
        let order = steps.has(Step::Order);
        self.stays.sort_by(|a, b| {
            let weight = |stay: &Stay| if order { webs[stay.web as usize].weight } else { 0.0 };
            (a.block, a.start).cmp(&(b.block, b.start)).then(weight(b).total_cmp(&weight(a)))
        });
        let shares = steps.has(Step::Colour) || webs.len() > MOST_SLOTS;
        let mut fresh = 0;
        // By slot: the instruction before which it becomes free in the block at hand; 0 for those not in use.
        let mut ends: Vec<u32> = Vec::new();
        // Slots known to be empty, in the block at hand and at the ends of all blocks with one successor at most.
        let mut empty: Vec<bool> = Vec::new();
        let mut empty_at_end: Vec<Option<Vec<bool>>> = vec![None; flow.preds.len()];
        let mut next = 0;
        let mut slots = 0;
        let mut deepest = 0;
        while next < self.stays.len() {
            let block = self.stays[next].block;
            ends.fill(0);
            empty.clear();
            if let [pred] = flow.preds[block as usize][..]
                && pred < block
                && let Some(before) = &empty_at_end[pred as usize]
            {
                empty.clone_from(before);
            }
            let safepoints = &flow.safepoints[block as usize];
            for &at in safepoints.iter().chain(std::iter::once(&LIVE_OUT)) {
                while let Some(stay) = self.stays.get(next).filter(|s| s.block == block && s.start <= Some(at)) {
                    next += 1;
                    let slot = match stay.start {
                        None => webs[stay.web as usize].slot,
                        Some(start) => {
                            let free = if shares { ends.iter().position(|&end| end <= start) } else { None };
                            let slot = free.map_or(if shares { ends.len() as u32 } else { fresh }, |n| n as u32);
                            fresh += 1;
                            webs[stay.web as usize].slot = slot;
                            slot
                        }
                    };
                    slots = slots.max(slot + 1);
                    if ends.len() < slots as usize {
                        ends.resize(slots as usize, 0);
                    }
                    ends[slot as usize] = stay.end;
                    if let Some(known) = empty.get_mut(slot as usize) {
                        *known = false;
                    }
                }
                if at == LIVE_OUT {
                    break;
                }
                let frame = ends.iter().rposition(|&end| end > at).map_or(0, |slot| slot + 1);
                empty.resize(frame, false);
                let holes = ends[..frame].iter().zip(&mut empty).enumerate();
                for (slot, (_, empty)) in holes.filter(|(_, (end, empty))| **end <= at && !**empty) {
                    *empty = true;
                    let inst = func.make_inst(Opcode::ClearSlot, 0, 0, &[], &[]);
                    self.edits.push(Edit { block, at, order: Order::Clear, inst, web: slot as u32 });
                }
                let inst = func.blocks[flow.cfg.order[block as usize]].insts[at as usize];
                func.insts[inst].aux = frame as u32;
                deepest = deepest.max(frame as u64);
            }
            if empty.contains(&true) {
                empty_at_end[block as usize] = Some(empty.clone());
            }
        }
        statistics.slots += deepest;
        statistics.frames += u64::from(deepest > 0);
    }
}
