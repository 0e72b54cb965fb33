//! Long live ranges in large functions: spills and restores without a look at each block of the range.
//!
//! The ranges of all values together can grow with the square of a function (n values that live through n blocks).
//! Where they would be larger than `Limits::work`, values that are live in more than `Limits::far` blocks are placed by
//! another rule, whose work is that of their uses:
//! - a value is spilled right after its definition, and restored in each block where it is used, again after each
//!   safepoint;
//! - its slot, after those of all other values, is given out along the dominator tree: what is below the number of
//!   slots in use at a block (`Floor`) was written by a dominator, so the frames of safepoints have all of these;
//! - a slot is free after the interval in which its value is live (`cleave_ir::extents`), and emptied at the last use
//!   where that is certain.
//!
//! Weakness: on a branch that does not need a value any more its slot keeps the value alive until it is used again or
//! the function returns.

use super::cfg_info::Flow;
use super::edits::{Edits, Order};
use super::entity::{RpoIndex, Web};
use super::ranges::{Ranges, Reach, UseSite, Values};
use super::settings::Limits;
use cleave_ir::live_intervals::{Extent, Extents};
use cleave_ir::{EntityRef, Func, Opcode, PrimaryMap, SecondaryMap, Type, Value};

/// The far values, by their definitions in the order of blocks and instructions.
pub fn find(values: &Values, ranges: &mut Ranges, flow: &Flow, count: usize, limits: Limits) -> Vec<Value> {
    let blocks = flow.preds.len() as u64;
    let tracked = || (0..count).map(Value::new).filter(|&value| values.def(value).is_some());
    if blocks <= limits.far as u64 || blocks * tracked().count() as u64 <= limits.work {
        return Vec::new();
    }
    let mut far: Vec<Value> =
        tracked().filter(|&value| ranges.reach(flow, values, value, limits.far) == Reach::Far).collect();
    if blocks * far.len() as u64 <= limits.work {
        return Vec::new();
    }
    far.sort_by_key(|&value| (values.def(value), value));
    far
}

/// How many slots of far values are written for certain.
#[derive(Default)]
pub struct Floor {
    /// At the start of each block.
    pub at_start: PrimaryMap<RpoIndex, u32>,
    /// Before an instruction of a block: block, instruction, slots. In rising order.
    pub steps: Vec<(RpoIndex, u32, u32)>,
}

/// Places far values. There are no webs yet: these are the first.
pub fn place(func: &mut Func, flow: &Flow, values: &Values, far: &[Value], edits: &mut Edits) {
    let extents = Extents::compute(&flow.cfg);
    let mut slots = Slots::new(far.len());
    let mut base_frame_size =
        Floor { at_start: flow.ranks().map(|_| 0).collect(), steps: vec![(RpoIndex::ENTRY, 0, 0); far.len()] };
    edits.reserve_far(far.len());
    // Depth first along the dominator tree; what a block does to the slots is undone after it.
    let mut children: SecondaryMap<RpoIndex, Vec<RpoIndex>> = SecondaryMap::new();
    for (block, idom) in flow.idom.iter() {
        if let Some(idom) = idom.expand() {
            children[idom].push(block);
        }
    }
    let defined_in = |block: RpoIndex| {
        let begin = far.partition_point(|&value| values.def(value) < Some((block, 0)));
        let end = far.partition_point(|&value| values.def(value) < Some((block.next(), 0)));
        begin..end
    };
    let mut stack = vec![(RpoIndex::ENTRY, None)];
    while let Some((block, undo)) = stack.pop() {
        if let Some(undo) = undo {
            slots.undo(undo);
            continue;
        }
        let mark = slots.mark();
        stack.push((block, Some(mark)));
        base_frame_size.at_start[block] = slots.count;
        for n in defined_in(block) {
            let last = values.uses(far[n]).last().map_or(block, |last| last.block);
            let extent = extents.of(block.as_u32(), last.as_u32());
            let slot = slots.take(block.as_u32(), extent.last + 1);
            edits.set_far_web(Web::new(n), slot);
            let (block, defined) = values.def(far[n]).expect("a value that may need a root");
            base_frame_size.steps[n] = (block, defined, slots.count);
        }
        stack.extend(children[block].iter().rev().map(|&child| (child, None)));
    }
    edits.set_base_frame_size(base_frame_size);
    for (n, &value) in far.iter().enumerate() {
        spill_and_restore(func, flow, values, value, Web::new(n), &extents, edits);
    }
}

fn spill_and_restore(
    func: &mut Func,
    flow: &Flow,
    values: &Values,
    value: Value,
    web: Web,
    extents: &Extents,
    edits: &mut Edits,
) {
    let (home, defined) = values.def(value).expect("a value that may need a root");
    let spill = func.make_inst(Opcode::Spill, 0, 0, &[value], &[]);
    edits.add(home, defined, Order::Spill, spill, web);
    // The block at hand, the name there, and the instruction from which on it holds.
    let mut known = (home, value, defined);
    for found in values.uses(value) {
        let safepoints = &flow.safepoints[found.block];
        let next = safepoints.get(safepoints.partition_point(|&s| s < known.2));
        let is_stale = known.0 != found.block || next.is_some_and(|&s| s < found.at);
        if is_stale {
            let restore = func.make_inst(Opcode::Restore, 0, 0, &[], &[Type::Ref]);
            edits.add(found.block, found.at, Order::Restore, restore, web);
            known = (found.block, func.result(restore), found.at);
        }
        if known.1 != value {
            let Func { insts, blocks, pool, .. } = &mut *func;
            let (list, n) = match found.place {
                UseSite::Operand(inst, n) => (&mut insts[inst].args, n),
                UseSite::Edge(block, edge, n) => (&mut blocks[block].edges[edge as usize].args, n),
            };
            list.as_mut_slice(pool)[n as usize] = known.1;
        }
    }
    let last = values.uses(value).last().expect("a far value is used");
    if extents.of(home.as_u32(), last.block.as_u32()) == (Extent { last: last.block.as_u32(), through: false }) {
        let clear = func.make_inst(Opcode::ClearSlot, 0, 0, &[], &[]);
        edits.add(last.block, last.at, Order::Clear, clear, web);
    }
}

/// The slots on the way from the entry to a block: from which block on each is free. A tree of minima finds the lowest
/// free one.
struct Slots {
    count: u32,
    size: usize,
    tree: Vec<u32>,
    /// What was there before: slot and block, or nothing for a new slot.
    changes: Vec<(u32, u32)>,
}

impl Slots {
    fn new(most: usize) -> Slots {
        let size = most.next_power_of_two();
        Slots { count: 0, size, tree: vec![u32::MAX; 2 * size], changes: Vec::new() }
    }

    fn set(&mut self, slot: u32, free_from: u32) -> u32 {
        let mut node = self.size + slot as usize;
        let before = std::mem::replace(&mut self.tree[node], free_from);
        while node > 1 {
            node /= 2;
            self.tree[node] = self.tree[2 * node].min(self.tree[2 * node + 1]);
        }
        before
    }

    /// The lowest slot that is free in `block`, in use up to block `free_from` now.
    fn take(&mut self, block: u32, free_from: u32) -> u32 {
        let slot = if self.tree[1] <= block {
            let mut node = 1;
            while node < self.size {
                node = 2 * node + usize::from(self.tree[2 * node] > block);
            }
            (node - self.size) as u32
        } else {
            self.count
        };
        self.count = self.count.max(slot + 1);
        let before = self.set(slot, free_from);
        self.changes.push((slot, before));
        slot
    }

    fn mark(&self) -> (u32, usize) {
        (self.count, self.changes.len())
    }

    fn undo(&mut self, (count, changes): (u32, usize)) {
        while self.changes.len() > changes {
            let (slot, before) = self.changes.pop().expect("longer than that");
            self.set(slot, before);
        }
        self.count = count;
    }
}
