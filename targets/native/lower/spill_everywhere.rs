//! Spill-everywhere for very large functions: values that live across blocks are kept in the frame, and loaded in each
//! block that uses them.
//!
//! The work of a register allocator grows with the number of blocks times that of live values: with the square of such
//! a function. With this scheme it sees only values that live within one block. Values whose intervals
//! (`cleave_ir::extents`) are disjoint share a place. Constants are made where they are used, as always. In functions
//! whose frames the collector reads, references stay where it expects them.

use super::clif::clif_type;
use super::state::{Forms, Lower};
use cleave_ir::cfg::Cfg;
use cleave_ir::live_intervals::Extents;
use cleave_ir::{Block, EntityRef, Inst, Type, Value};
use cranelift_codegen::ir::{self, InstBuilder, StackSlotData, StackSlotKind, types};

/// Bytes of a place, as a power of two.
const PLACE_SHIFT: u8 = 3;
/// No block.
const NOWHERE: u32 = u32::MAX;

/// Where a value lives.
#[derive(Clone, Copy, Default)]
struct FrameSlot {
    /// Number of the last block of its interval.
    last: u32,
    place: Option<ir::StackSlot>,
    /// Number of the block in which it was defined or loaded last.
    at_hand: u32,
}

/// The places of one function.
#[derive(Default)]
pub struct FrameSlots {
    /// By value; those that live in one block have none.
    frame_slots: Vec<Option<FrameSlot>>,
    free: Vec<ir::StackSlot>,
    /// Places that are free after each block.
    ending: Vec<Vec<ir::StackSlot>>,
    /// Number of the block at hand.
    block: u32,
}

impl Lower<'_, '_, '_, '_> {
    /// Finds the values that need places.
    pub(super) fn plan_frame_slots(&mut self, cfg: &Cfg) {
        let func = self.func;
        let mut def = vec![NOWHERE; func.values.len()];
        for (n, &block) in (0..).zip(&cfg.order) {
            let results = func.blocks[block].insts.iter().flat_map(|&inst| func.results(inst));
            func.params(block).iter().chain(results).for_each(|value| def[value.index()] = n);
        }
        let mut used = vec![NOWHERE; func.values.len()];
        for (n, &block) in (0..).zip(&cfg.order) {
            let data = &func.blocks[block];
            let args = data.insts.iter().flat_map(|&inst| func.args(inst));
            let passed = data.edges.iter().flat_map(|edge| func.edge_args(edge));
            // Blocks are visited in rising order.
            args.chain(passed).for_each(|value| used[value.index()] = n);
        }
        let extents = Extents::compute(cfg);
        let home = |value: Value| {
            let (def, used) = (def[value.index()], used[value.index()]);
            let stays = self.keeps && func.values[value] == Type::Ref;
            let crosses = def != NOWHERE && used != NOWHERE && def != used;
            let is_needed = crosses && !stays && self.constant(value).is_none();
            is_needed.then(|| FrameSlot { last: extents.of(def, used).last, place: None, at_hand: NOWHERE })
        };
        self.frame_slots.frame_slots = func.values.keys().map(home).collect();
        self.frame_slots.ending = vec![Vec::new(); cfg.order.len()];
    }

    /// At the start of a block: stores its parameters.
    pub(super) fn enter_block(&mut self, block: Block, number: u32) {
        self.frame_slots.block = number;
        for &param in self.func.params(block) {
            self.store_home(param);
        }
    }

    /// Behind an instruction: stores its results.
    pub(super) fn store_results(&mut self, inst: Inst) {
        for &result in self.func.results(inst) {
            self.store_home(result);
        }
    }

    /// At the end of a block: what is not alive after it leaves its place.
    pub(super) fn leave_block(&mut self) {
        let FrameSlots { free, ending, block, .. } = &mut self.frame_slots;
        if let Some(ended) = ending.get_mut(*block as usize) {
            free.append(ended);
        }
    }

    fn store_home(&mut self, value: Value) {
        let Some(Some(home)) = self.frame_slots.frame_slots.get(value.index()).copied() else { return };
        let place = match self.frame_slots.free.pop() {
            Some(place) => place,
            None => {
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 1 << PLACE_SHIFT, PLACE_SHIFT);
                self.clif.builder.create_sized_stack_slot(data)
            }
        };
        self.frame_slots.ending[home.last as usize].push(place);
        self.frame_slots.frame_slots[value.index()] =
            Some(FrameSlot { place: Some(place), at_hand: self.frame_slots.block, ..home });
        let word = self.word(value);
        self.clif.builder.ins().stack_store(types::I64, word, place, 0);
    }

    /// Loads a value from its place if it was not in this block yet.
    pub(super) fn reload_frame_slot(&mut self, value: Value) {
        let block = self.frame_slots.block;
        if let Some(Some(home)) = self.frame_slots.frame_slots.get_mut(value.index())
            && let Some(place) = home.place
            && home.at_hand != block
        {
            home.at_hand = block;
            let ty = clif_type(self.func.values[value]);
            let word = self.clif.builder.ins().stack_load(types::I64, ty, place, 0);
            let forms = &mut self.forms[value.index()];
            *forms = Forms { word: word.into(), is_address: forms.is_address, ..Forms::default() };
        }
    }
}
