//! What others ask of the incremental collector (`incremental.rs`). It is a part of the runtime that a program may be
//! without, so requests and their arguments are put into the state, and answers are read there.

use crate::gc::Context;
use crate::gc::state::{Phase, Request};

/// Asks for something. A program that has it does that in `perform`; in others nothing happens.
#[inline(never)]
fn ask<C: Context>(c: &mut C, request: Request, arguments: [u32; 2]) -> [u32; 2] {
    c.gc_mut().request = (request, arguments);
    c.incremental();
    c.gc().request.1
}

/// Before the first collection: is this collector wanted, and there? Otherwise nothing else is asked for.
pub fn begin<C: Context>(c: &mut C) {
    let options = &mut c.gc_mut().options;
    if core::mem::take(&mut options.incremental) {
        ask(c, Request::Begin, [0; 2]);
    }
}

/// Begins anew after the nursery has been laid.
pub fn lay<C: Context>(c: &mut C) {
    if c.gc().options.incremental {
        ask(c, Request::Lay, [0; 2]);
    }
}

/// Lets old objects grow further, if that leaves room for copying everything.
pub fn make_room<C: Context>(c: &mut C, bytes: u32) {
    if c.gc().heap.incremental.bits != 0 {
        ask(c, Request::MakeRoom, [bytes, 0]);
    }
}

/// A hole for a large object.
pub fn take_large<C: Context>(c: &mut C, bytes: u32) -> Option<u32> {
    let state = &c.gc().heap.incremental;
    if state.bits == 0 || state.phase != Phase::Idle {
        return None;
    }
    let [hole, _] = ask(c, Request::TakeLarge, [bytes, 0]);
    (hole != 0).then_some(hole)
}

/// So many bytes are going to be taken for an object after all others: what it will refer to must be marked some day.
pub fn large<C: Context>(c: &mut C, bytes: u32) {
    if c.gc().heap.incremental.bits != 0 {
        ask(c, Request::Large, [bytes, 0]);
    }
}

/// After a collection of the nursery that has made so many bytes old.
pub fn portion<C: Context>(c: &mut C, sp: u32, promoted: u32) {
    ask(c, Request::Portion, [sp, promoted]);
}

/// The barrier: references have been written into an old object.
#[inline]
pub fn object_written<C: Context>(c: &mut C, object: u32) {
    if c.gc().heap.incremental.phase == Phase::Marking {
        ask(c, Request::ObjectWritten, [object, 0]);
    }
}

/// The same for slots that follow each other.
#[inline]
pub fn slots_written<C: Context>(c: &mut C, first: u32, count: u32) {
    if c.gc().heap.incremental.phase == Phase::Marking {
        ask(c, Request::SlotsWritten, [first, count]);
    }
}

/// Copies the young objects that are alive, as `nursery::copy` does, and what becomes old into holes.
pub fn copy<C: Context>(c: &mut C, sp: u32, dense: bool) -> (u32, u32) {
    let [to_end, made_old] = ask(c, Request::Copy, [sp, dense.into()]);
    (to_end, made_old)
}
