//! Loads of whole words from a distance to a register: those that can be done without, or become part of a comparison.

use iced_x86::{Code as Form, Instruction, OpKind, Register};

/// A register holds what is in memory, at a distance from a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    pub base: Register,
    pub distance: u64,
    pub is_wide: bool,
    pub register: Register,
}

/// A load of four or eight bytes from a distance to a register.
pub fn load_of(what: &Instruction) -> Option<Load> {
    let is_wide = match what.code() {
        Form::Mov_r32_rm32 => false,
        Form::Mov_r64_rm64 => true,
        _ => return None,
    };
    let is_plain = what.op1_kind() == OpKind::Memory
        && what.memory_index() == Register::None
        && what.segment_prefix() == Register::None
        && (what.memory_base() == Register::None || what.memory_base().is_gpr64());
    is_plain.then(|| Load {
        base: what.memory_base(),
        distance: what.memory_displacement64(),
        is_wide,
        register: what.op0_register().full_register(),
    })
}
