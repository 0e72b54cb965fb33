//! Calls of the runtime that say where they came from: on the way, two registers are stored for a runtime that walks
//! frames (`rt/sys/native/frames.rs`).
//!
//! ```text
//! call ─▶ mov [LAST_STACK], rsp; mov [LAST_FRAME], rbp; jmp ─▶ function of the runtime
//! ```
//! There is one such stub for each function of the runtime, so that calls are as short as without. Functions that
//! neither end the program nor collect are called directly.

use crate::address_space;
use cleave_ir::{Effects, Extern, ExternData, Libcall, Module};

/// Who walks the frames of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walkers {
    /// The runtime lists the active functions under the message of an error.
    pub traces: bool,
    /// Collections look for references.
    pub collections: bool,
}

impl Walkers {
    pub fn any(self) -> bool {
        self.traces || self.collections
    }

    pub fn word(self) -> u64 {
        u64::from(self.traces) | u64::from(self.collections) << 1
    }
}

/// Bytes of the two stores, which a jump follows.
pub const STORES: usize = 16;

/// `mov [LAST_STACK], rsp; mov [LAST_FRAME], rbp`, with absolute addresses.
pub fn stores() -> [u8; STORES] {
    let mut bytes = [0x48, 0x89, 0x24, 0x25, 0, 0, 0, 0, 0x48, 0x89, 0x2c, 0x25, 0, 0, 0, 0];
    bytes[4..8].copy_from_slice(&address_space::LAST_STACK.to_le_bytes());
    bytes[12..].copy_from_slice(&address_space::LAST_FRAME.to_le_bytes());
    bytes
}

/// The functions of the runtime that are called so.
pub fn all(module: &Module, walkers: Walkers) -> Vec<bool> {
    let is_announced = |(id, data): (Extern, &ExternData)| {
        let never_ends = Libcall::from_extern(id).is_some() && NEVER_END.contains(&&*data.name);
        let may_end = data.effects.all(Effects::EFFECT) && !never_ends;
        walkers.traces && may_end || walkers.any() && data.effects.may_gc()
    };
    module.externs.iter().map(is_announced).collect()
}

/// Libcalls with effects that return always. Some are called so often that the stores would show.
const NEVER_END: &[&str] = &[
    "remember",
    "remember_slot",
    "release_last",
    "release_cyclic",
    "count_cells",
    "put_string",
    "rc_put_string",
    "copy_elements",
    "rc_copy_elements",
    "replicate",
    "rc_repeat",
    "rc_element",
    "rc_exchange",
    "rc_word",
    "rc_set_word",
    "rc_inner_element",
    "rc_inner_exchange",
    "rc_inner_word",
    "rc_set_inner_word",
    "capture_begin",
    "capture_end",
    "capture_next",
];
