//! The first path that the host has refused, because it is in no folder that the program was given.
//!
//! To the program such a file does not exist. Whoever runs it can ask afterwards, and say what would have helped.

use crate::platform::path::MAX_PATH;
use core::cell::UnsafeCell;

/// How a path outside is refused by hosts: "operation not permitted", "not capable".
const REFUSALS: [u32; 2] = [63, 76];

/// The length, 0 if nothing was refused, and the bytes.
#[repr(C)]
struct Refused {
    length: u32,
    path: [u8; MAX_PATH],
}

struct Cell(UnsafeCell<Refused>);
// SAFETY: a Wasm instance has one thread.
unsafe impl Sync for Cell {}
static REFUSED: Cell = Cell(UnsafeCell::new(Refused { length: 0, path: [0; MAX_PATH] }));

/// Remembers a path that no folder holds, if it is the first.
#[inline(never)]
pub fn note(path: &[u8]) {
    // SAFETY: one thread, and no reference to it is kept.
    let refused = unsafe { &mut *REFUSED.0.get() };
    if refused.length == 0 {
        for (to, from) in refused.path.iter_mut().zip(path) {
            *to = *from;
            refused.length += 1;
        }
    }
}

/// The same if that is what a failure of the host means.
pub fn note_failure(number: u32, path: &[u8]) {
    if REFUSALS.contains(&number) {
        note(path);
    }
}

/// Address of the length and the bytes of the first path that was refused: for embedders, after the end.
#[unsafe(no_mangle)]
pub extern "C" fn rt_refused() -> u32 {
    REFUSED.0.get() as u32
}
