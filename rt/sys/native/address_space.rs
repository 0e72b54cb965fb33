//! The place of the program in memory: the compiler's `targets/native/address_space.rs`, repeated; and why a program
//! may find none.

/// Bytes below the shadow stack in which an access is an overflow: nothing is mapped there. No frame is larger.
pub const SHADOW_GUARD: u32 = 0x0080_0000;
pub const SHADOW_LOW: u32 = 0x0100_0000;
pub const START: u32 = 0x1000_0000;
pub const HEAP_END: u32 = 0xe000_0000;
/// The table of references in frames is a hash table: its multiplier.
pub const MAP_MULTIPLIER: u32 = 0x9e37_79b1;

/// Why a program could not be started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The addresses below four GiB are not to be had.
    Addresses,
    /// No stack of this many bytes.
    Stack(u64),
    /// A program is running already.
    Busy,
}
