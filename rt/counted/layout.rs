//! Cells of the counted heap, as the runtime sees them: the numbers of the compiler's `ir/counted.rs`, repeated, where
//! the drawings are.

use crate::layout::{PROGRAM_SIZE, SLOT};

pub const COUNT: u32 = 4;
pub const FIELDS: u32 = 8;
pub const STATIC_COUNT: u32 = 1 << 30;
pub const SMALL_CELL: u32 = 1020;
pub const LARGE_UNIT: u32 = 1024;
pub const FIRST_LARGE: u32 = SMALL_CELL / SLOT + 1;
pub const CLASSES: u32 = FIRST_LARGE + 65;
pub const FREE_LISTS: u32 = PROGRAM_SIZE;
pub const FRESH: u32 = FREE_LISTS + CLASSES * SLOT;
pub const FRESH_END: u32 = FRESH + SLOT;

/// The size class of cells with so many payload slots.
pub const fn class_of_slots(slots: u32) -> u32 {
    let bytes = FIELDS + slots * SLOT;
    if bytes <= SMALL_CELL { bytes / SLOT } else { FIRST_LARGE + (bytes - 1) / LARGE_UNIT }
}
/// Bytes of the cells of a class.
pub const fn class_bytes(class: u32) -> u32 {
    if class < FIRST_LARGE { class * SLOT } else { (class - FIRST_LARGE + 1) * LARGE_UNIT }
}
