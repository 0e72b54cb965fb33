//! Stack maps: finds and updates references in frames of compiled code (root strategy `stackmap`).
//!
//! The compiler says for each call that may collect where the frame holds references (`targets/native/frames.rs`):
//! ```text
//! u32 mask | (mask + 1) * { u32 offset of the return address in the code, 0: empty, u32 place of a list in this table }
//!          | lists: u32 count, count * u32 distance below rbp, in bytes
//! ```
//! A hash table with linear probing. A slot has eight bytes, the upper four of which are zero. For the collector, which
//! knows the shadow stack only, the references are pushed there, innermost frame first, and taken back afterwards, when
//! their objects are elsewhere. Frames do not change in between, so that both ways meet the same slots.

use super::address_space::MAP_MULTIPLIER;
use super::frames::Walk;
use super::running::{RUN, stacks};
use crate::layout::SLOT;
use crate::platform::Memory;

/// Bytes of a row, after the mask.
const ROW: usize = 8;

#[derive(Clone, Copy)]
struct Maps {
    table: *const u8,
    code: u64,
    mask: u32,
}

impl Maps {
    fn number(self, at: usize) -> u32 {
        // SAFETY: the compiler has made the table; the callers stay in it.
        unsafe { self.table.add(at).cast::<u32>().read_unaligned() }
    }

    /// Calls `with` for the places of all references in a frame.
    fn each(self, code: u64, frame: u64, with: &mut impl FnMut(*mut u64)) {
        let offset = code.wrapping_sub(self.code) as u32;
        let mut row = offset.wrapping_mul(MAP_MULTIPLIER) >> 7 & self.mask;
        loop {
            let at = 4 + row as usize * ROW;
            match self.number(at) {
                0 => return,
                found if found == offset => {
                    let list = self.number(at + 4) as usize;
                    for i in 1..=self.number(list) as usize {
                        with((frame - u64::from(self.number(list + i * 4))) as *mut u64);
                    }
                    return;
                }
                _ => row = (row + 1) & self.mask,
            }
        }
    }
}

/// Calls `with` for the places of all references in frames.
#[inline]
fn each(mut with: impl FnMut(*mut u64)) {
    // SAFETY: `run` has put a program there, or none.
    let Some(program) = (unsafe { (*RUN.program.get()).as_ref() }) else { return };
    let table = program.maps;
    if table.is_null() {
        return;
    }
    let Some(stacks) = stacks() else { return };
    let mut maps = Maps { table, code: program.code as u64, mask: 0 };
    maps.mask = maps.number(0);
    for active in Walk::from_runtime(stacks.machine(), None) {
        maps.each(active.code, active.frame, &mut with);
    }
}

pub fn lift(c: &mut impl Memory, sp: u32) -> u32 {
    let mut sp = sp;
    each(|place| {
        sp = sp.wrapping_sub(SLOT);
        // SAFETY: the table and the frames are those of the same code.
        c.store_u32(sp, unsafe { *place } as u32);
    });
    sp
}

pub fn lower(c: &mut impl Memory, lifted: u32, sp: u32) {
    if lifted == sp {
        return;
    }
    let mut from = sp;
    each(|place| {
        from -= SLOT;
        let reference = u64::from(c.load_u32(from));
        // SAFETY: as above.
        unsafe { *place = reference };
    });
    debug_assert_eq!(from, lifted, "the frames have changed");
}
