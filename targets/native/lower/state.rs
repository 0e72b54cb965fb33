//! The state of the walk over a function: the forms of its values, and where it is.

use super::clif::Clif;
use super::spill_across_calls::Plan;
use super::spill_everywhere::FrameSlots;
use cleave_ir::{Block, Func, Inst};
use cranelift_codegen::entity::packed_option::PackedOption;
use cranelift_codegen::ir;
use cranelift_frontend::Variable;
use rustc_hash::FxHashMap;

/// Working memory, kept from function to function.
#[derive(Default)]
pub struct Scratch {
    pub(super) forms: Vec<Forms>,
    pub(super) defs: Vec<Option<Inst>>,
    pub(super) blocks: Vec<Option<ir::Block>>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Forms {
    pub(super) word: PackedOption<ir::Value>,
    pub(super) wide: PackedOption<ir::Value>,
    pub(super) flag: PackedOption<ir::Value>,
    /// Holds the word instead.
    pub(super) variable: PackedOption<Variable>,
    /// It is used as an address.
    pub(super) is_address: bool,
}

/// State of the walk over a function.
pub(super) struct Lower<'l, 'e, 'b, 'f> {
    pub(super) clif: Clif<'e, 'b, 'f>,
    pub(super) func: &'l Func,
    pub(super) forms: &'l mut [Forms],
    pub(super) defs: &'l [Option<Inst>],
    pub(super) blocks: &'l [Option<ir::Block>],
    /// Holds the shadow-stack pointer: each call gives it anew.
    pub(super) shadow_pointer: Option<Variable>,
    /// Where it waits for the end of calls that do not give it.
    pub(super) shadow_slot: Option<ir::StackSlot>,
    /// The stretch of allocations that is open: the old heap pointer, bytes so far.
    pub(super) open: Option<(ir::Value, u64)>,
    /// Instruction after the current one in its block, for looking ahead.
    pub(super) rest: &'l [Inst],
    /// In programs with traces: the place from which each block is entered, for instructions that have none.
    pub(super) entered_from: FxHashMap<Block, ir::SourceLoc>,
    /// As the function `keeps_references` says.
    pub(super) keeps: bool,
    /// There are reals in the function, whose registers trampolines need not save.
    pub(super) has_reals: bool,
    pub(super) plan: Plan,
    /// Empty unless the function is very large.
    pub(super) frame_slots: FrameSlots,
}
