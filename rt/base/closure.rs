//! Libcalls for closures of unknown shape.

use crate::base::Context;
use crate::gc::allocate::{allocate, reserve};
use crate::gc::object::*;
use crate::layout::*;
use crate::platform::Outcome;

/// A copy of a closure that holds one more argument: its header is the next row of the same descriptor.
pub fn add_argument<C: Context>(c: &mut C, sp: u32, closure: u32, argument: u32) -> Outcome<u32, C> {
    let header = c.load_u32(closure);
    let (old, new) = (info_of(c, header), info_of(c, header + NODE_INFO_SIZE));
    let (held, slots) = (info_ptrs(old), info_slots(new));
    let split = slots > INLINE_SLOTS;
    let bytes = MIN_OBJECT + if split { rest_bytes(held + 1, slots) } else { 0 };
    let sp = c.push(sp, closure);
    let sp = c.push(sp, argument);
    reserve(c, sp, bytes)?;
    let (argument, closure) = (c.load_u32(sp), c.load_u32(sp + 4));
    let node = allocate(c, bytes);
    c.store_u32(node, header + NODE_INFO_SIZE);
    c.store_u32(node + 8, if split { node + MIN_OBJECT } else { 0 });
    for index in 0..held {
        let value = c.load_u32(slot_address(c, closure, old, index));
        let place = slot_address(c, node, new, index);
        c.store_u32(place, value);
    }
    let place = slot_address(c, node, new, held);
    c.store_u32(place, argument);
    Ok(node)
}
