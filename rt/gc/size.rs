//! Sizing of eden, the allocation space of the nursery, by the survival rate.
//!
//! A small eden stays in the cache of the processor, a large one gives objects more time to die. So each collection of
//! the nursery notes what it has cost: bytes copied, those that became old once more, since everything will be
//! collected some day, and remembered places. After some fillings of eden (`WINDOW`) that is compared with what was
//! allocated. Where it is much, eden is doubled for a trial. When the next window has cost clearly less, for each byte
//! allocated, it stays so, and may be doubled again. Otherwise what survives lives long, or is just being built, and a
//! larger eden would only miss the cache: it is halved again, and left alone for longer each time. An eden of which
//! nearly nothing survives shrinks.
//!
//! The spaces of the nursery are a few times larger than eden (`SPARE`), so that it can grow where it is. More than
//! that takes a collection of everything, which moves the old objects out of the way. When that costs less than eden
//! has cost meanwhile, it is not waited for.
//!
//! All of this counts bytes and never looks at a clock: a program is collected in the same way wherever it runs.

use crate::gc::Context;
use crate::gc::state::Sizing;

/// Eden begins with this size, and never grows beyond the second; the option `--nursery=SIZE` widens this range.
pub const START: u64 = 1024 * 1024;
pub const MOST: u64 = 16 * 1024 * 1024;
/// Bounds for the option, and for the nursery that goes with a deep stack.
const SMALLEST: u64 = 16 * 1024;
pub(crate) const LARGEST: u64 = 64 * 1024 * 1024;
/// Each space of the nursery has room for an eden that is so many times larger.
const SPARE: u64 = 4;
/// The nursery takes at most this part of a limited heap.
const LIMIT_PART: u64 = 32;
/// Fillings of eden that are judged together.
const WINDOW: u64 = 8;
/// Rates are costs of so many bytes allocated.
const RATE_BYTES: u64 = 1024;
/// From this rate on a larger eden is tried …
const MUCH: u64 = 64;
/// … and below this one a smaller eden is enough.
const LITTLE: u64 = 2;
/// A larger eden has won if its rate is at most these percents of that before.
const WON: u64 = 70;
/// After a trial in vain the next one waits for twice as many windows as the last time, but at most for these.
const MOST_WAITS: u32 = 63;
/// A collection of the nursery that has cost more takes too long for the incremental collector.
const LONG: u64 = 1 << 20;
/// Visiting a remembered place costs about as much as copying this many bytes.
pub(crate) const PLACE_COST: u64 = 16;

/// The greatest eden in this heap; 0 if it is too small for any.
fn allowed<C: Context>(c: &C) -> u64 {
    let heap = &c.gc().heap;
    let size = ((heap.limit_end - u64::from(heap.base)) / LIMIT_PART) & !63;
    if c.gc().options.copying || size < SMALLEST { 0 } else { size }
}

/// The least and the greatest size of eden that heap and options allow; 0 if there is no nursery.
fn range<C: Context>(c: &C) -> (u64, u64) {
    let (option, allowed) = (c.gc().options.nursery, allowed(c));
    let chosen = if option == 0 { START } else { option.clamp(SMALLEST, LARGEST) };
    // A larger one would take longer to collect.
    if c.gc().options.incremental {
        let most = if option == 0 { 2 * START } else { chosen };
        return ((START / 2).min(most).min(allowed), most.min(allowed));
    }
    (chosen.min(START).min(allowed), chosen.max(MOST).min(allowed))
}

/// What eden is to have now, if its spaces have room: as it was found, but more than twice the shadow stack.
pub(crate) fn eden<C: Context>(c: &C, sp: u32) -> u64 {
    let (least, most) = range(c);
    let stack = 2 * u64::from(c.gc().stack_bytes(sp));
    let size = u64::from(c.gc().heap.sizing.size).max(least).min(most);
    let size = if stack > size { stack.next_power_of_two().min(LARGEST) } else { size };
    size.min(allowed(c))
}

/// Bytes of each space of the nursery, if it were laid now; 0 if there is none.
pub(crate) fn space<C: Context>(c: &C, sp: u32) -> u64 {
    let (eden, (_, most)) = (eden(c, sp), range(c));
    if c.gc().options.incremental && c.gc().options.gc_stress == 0 {
        // The nursery is not laid anew when the stack grows.
        return eden.max(MOST).min(allowed(c));
    }
    let spare = if c.gc().options.gc_stress == 0 { SPARE } else { 1 };
    eden.max((eden * spare).min(most))
}

/// The nursery has been laid, with room for eden: what was counted while it was too small says nothing about it.
pub(crate) fn laid(sizing: &mut Sizing) {
    if sizing.short {
        begin(sizing);
    }
}

fn begin(sizing: &mut Sizing) {
    (sizing.allocated, sizing.cost, sizing.short) = (0, 0, false);
}

/// Are the spaces too small for the stack? Or for eden, and has that cost more by now than collecting everything would?
pub(crate) fn wants_more_room<C: Context>(c: &C, sp: u32) -> bool {
    let heap = &c.gc().heap;
    let for_stack = c.gc().stack_bytes(sp) > heap.nursery / 2;
    for_stack && space(c, sp) > heap.nursery.into()
        || heap.sizing.short && heap.sizing.cost >= u64::from(heap.live_end - heap.live_start)
}

/// Notes a collection of the nursery, after which `young` bytes have cost `cost`.
pub(crate) fn note<C: Context>(c: &mut C, young: u32, cost: u64) {
    let (least, most) = range(c);
    let (stress, incremental) = (c.gc().options.gc_stress != 0, c.gc().options.incremental);
    let heap = &mut c.gc_mut().heap;
    let (sizing, space) = (&mut heap.sizing, u64::from(heap.nursery));
    if incremental && cost > LONG && u64::from(sizing.size) > least {
        // That has taken long: not again.
        sizing.size = least as u32;
        (sizing.tried, sizing.backoff) = (0, (2 * sizing.backoff + 1).min(MOST_WAITS));
        sizing.waits = sizing.backoff;
        begin(sizing);
        return;
    }
    sizing.allocated += u64::from(young);
    sizing.cost += cost;
    let size = u64::from(sizing.size).max(least).min(most);
    sizing.short = size > space;
    if stress || sizing.short || sizing.allocated < WINDOW * size {
        return;
    }
    let rate = sizing.cost * RATE_BYTES / sizing.allocated.max(1);
    begin(sizing);
    let mut wanted = size;
    if sizing.tried != 0 && rate * 100 > sizing.tried * WON {
        wanted = size / 2;
        sizing.backoff = (2 * sizing.backoff + 1).min(MOST_WAITS);
        sizing.waits = sizing.backoff;
        sizing.tried = 0;
    } else {
        if sizing.tried != 0 {
            (sizing.tried, sizing.backoff) = (0, 0);
        }
        if sizing.waits != 0 {
            sizing.waits -= 1;
        } else if rate > MUCH && size < most {
            wanted = (2 * size).min(most);
            // What is smaller than usual needs no proof.
            sizing.tried = if size < START && !incremental { 0 } else { rate };
        } else if rate < LITTLE && size > START.min(most / 2) {
            wanted = size / 2;
        }
    }
    sizing.size = wanted.max(least).min(most) as u32;
}
