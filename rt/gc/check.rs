//! Checks under stress: poison in dead memory, a walk over the heap before and after each collection. A large heap is
//! walked less often (`is_due`).
//!
//! Before: everything reachable from the roots is visited, with a mark bit per four bytes and a stack of addresses in
//! the memory beyond the heap, and every header must name a plausible node info or thunk info. After: the survivors are
//! walked in address order, and every reference must lead to the start of one of them. The first violation ends the
//! program with a message; it is a defect of the compiler or of this runtime.

use crate::gc::Context;
use crate::gc::object::*;
use crate::gc::remembered::{REMEMBERED_SLOT, is_remembered};
use crate::gc::roots;
use crate::layout::*;
use crate::platform::{Memory, Outcome};

/// What dead memory is filled with. As a reference it points far outside and is no immediate, as a header it is a
/// forwarding mark to nowhere.
pub const POISON: u8 = 0xda;

/// A heap of fewer bytes is walked at each collection.
const SMALL: u64 = 64 << 10;

/// Is a walk due at this collection? What walks take in the end grows with the number of collections, not with that
/// times the size of the heap.
pub fn is_due<C: Context>(c: &C) -> bool {
    let heap = &c.gc().heap;
    let parts = [
        (heap.live_start, heap.live_end),
        (heap.eden_start, c.heap_pointer()),
        (heap.survivor_start, heap.survivor_end),
    ];
    let bytes: u64 = parts.iter().map(|(start, end)| u64::from(end.saturating_sub(*start))).sum();
    c.gc().options.gc_stress != 0 && c.gc().statistics.collections.is_multiple_of(1 + bytes / SMALL)
}

pub fn poison<C: Context>(c: &mut C, start: u32, end: u32) {
    c.fill(start, POISON, end - start);
}

/// Does the header word name a row or a thunk info that can be one?
fn valid_header<C: Context>(c: &C, header: u32) -> bool {
    let base = c.gc().heap.base;
    let address = header & !TAG_HNF;
    if address & 3 != 0 || address == 0 || address >= base {
        return false;
    }
    let info = c.load_u32(address);
    let (kind, ptrs, slots) = (info_kind(info), info_ptrs(info), info_slots(info));
    let whole = ptrs <= slots && (slots - ptrs).is_multiple_of(2);
    if header & TAG_HNF == 0 {
        let (start, end) = (c.program(PROGRAM_THUNK_INFOS_START), c.program(PROGRAM_THUNK_INFOS_END));
        let place = address.wrapping_sub(start);
        return address >= start
            && address < end
            && place.is_multiple_of(THUNK_INFO_SIZE)
            && (KIND_THUNK..=KIND_SELECT_WORD).contains(&kind)
            && ptrs <= slots;
    }
    let descriptor = c.load_u32(address + NODE_INFO_DESCRIPTOR);
    if descriptor >= base || descriptor_kind(c, descriptor) > descriptor::LAST {
        return false;
    }
    match kind {
        KIND_INLINE => slots <= INLINE_SLOTS && whole,
        KIND_SPLIT | KIND_CONTIGUOUS => slots > INLINE_SLOTS && whole,
        KIND_ARRAY | KIND_STRING => true,
        KIND_FOREIGN => (ptrs, slots) == (0, FOREIGN_SLOTS),
        _ => false,
    }
}

/// Is it an integer in a program that has such references?
fn is_immediate_here<C: Context>(c: &C, reference: u32) -> bool {
    is_immediate(reference) && c.program(PROGRAM_FLAGS) & PROGRAM_FLAG_IMMEDIATES != 0
}

/// Addresses from the first on, before the second.
type Space = (u32, u32);

/// Mark bits and a stack in memory beyond the heap.
struct Marks {
    base: u32,
    /// The bits of one follow those of the other: between spaces there may be far more memory than in them.
    spaces: [Space; 3],
    bits: u32,
    stack: u32,
    depth: u32,
}

impl Marks {
    fn new<C: Context>(c: &mut C, end: u32, spaces: [Space; 3]) -> Option<Marks> {
        let base = c.gc().heap.base;
        let bytes = spaces.iter().map(|&space| Marks::bits_of(space)).sum::<u32>() / 8 + 8;
        // After the memory of the heap; the place is kept, so that checks do not make the memory grow each time.
        let kept = c.gc().heap.marks;
        let size = u32::try_from(c.size()).ok().filter(|size| *size > end).unwrap_or(end);
        let bits = if kept >= end { kept } else { (size + 7) & !7 };
        c.gc_mut().heap.marks = bits;
        if !c.grow_to(u64::from(bits) + u64::from(bytes)) {
            return None;
        }
        c.fill(bits, 0, bytes);
        Some(Marks { base, spaces, bits, stack: (bits + bytes + 3) & !3, depth: 0 })
    }
    fn bits_of((start, end): Space) -> u32 {
        end.saturating_sub(start).div_ceil(4)
    }
    fn contains(&self, object: u32) -> bool {
        object & 3 == 0 && self.spaces.iter().any(|(start, end)| object >= *start && object < *end)
    }
    /// The byte and the bit of an object of one of the spaces.
    fn place(&self, object: u32) -> (u32, u32) {
        let mut index = 0;
        for space in self.spaces {
            if object >= space.0 && object < space.1 {
                index += (object - space.0) / 4;
                break;
            }
            index += Marks::bits_of(space);
        }
        (self.bits + index / 8, 1 << (index & 7))
    }
    fn is_set<M: Memory>(&self, m: &M, object: u32) -> bool {
        let (byte, bit) = self.place(object);
        m.load_u8(byte) & bit != 0
    }
    fn set<M: Memory>(&self, m: &mut M, object: u32) {
        let (byte, bit) = self.place(object);
        let bits = m.load_u8(byte);
        m.store_u8(byte, bits | bit);
    }
    fn push<M: Memory>(&mut self, m: &mut M, object: u32) -> bool {
        let place = u64::from(self.stack) + u64::from(self.depth) * 4;
        if !m.grow_to(place + 4) {
            return false;
        }
        m.store_u32(place as u32, object);
        self.depth += 1;
        true
    }
    fn pop<M: Memory>(&mut self, m: &M) -> Option<u32> {
        self.depth = self.depth.checked_sub(1)?;
        Some(m.load_u32(self.stack + self.depth * 4))
    }
}

/// Visits everything reachable before a collection.
pub fn before<C: Context>(c: &mut C, sp: u32) -> Outcome<(), C> {
    let heap = c.gc().heap;
    let pointer = c.heap_pointer();
    let end = heap.eden_end.max(heap.live_end).max(heap.remembered.memory_end()).max(pointer);
    if pointer > heap.eden_end || pointer < heap.eden_start {
        return c.heap_defect(b"heap pointer outside the allocation area", pointer, heap.eden_end);
    }
    // Without memory for the marks there is nothing to check with.
    let spaces =
        [(heap.live_start, heap.live_end), (heap.eden_start, pointer), (heap.survivor_start, heap.survivor_end)];
    let Some(mut marks) = Marks::new(c, end, spaces) else { return Ok(()) };
    for (start, stop) in roots::ranges(c, sp) {
        let mut slot = start;
        while slot < stop {
            note(c, &mut marks, slot, b"root outside the heap")?;
            slot += 4;
        }
    }
    while let Some(object) = marks.pop(c) {
        let header = c.load_u32(object);
        if !valid_header(c, header) {
            return c.heap_defect(b"bad header before collecting", object, header);
        }
        let mut outcome = Ok(());
        visit_any(c, object, |c, slot| {
            if outcome.is_ok() {
                outcome = note(c, &mut marks, slot, b"reference outside the heap");
            }
            if outcome.is_ok() && is_forgotten(c, object, slot) {
                outcome = c.heap_defect(b"an old object leads to a young one unnoticed", object, slot);
            }
        });
        outcome?;
        let rest = rest_of(c, object);
        if rest != 0 && is_forgotten(c, object, object + 8) {
            return c.heap_defect(b"an old object has a young block unnoticed", object, rest);
        }
    }
    Ok(())
}

/// The overflow block of an object that is a split node, or 0.
fn rest_of<C: Context>(c: &C, object: u32) -> u32 {
    let header = c.load_u32(object);
    let split = header & TAG_HNF != 0 && info_kind(info_of(c, header)) == KIND_SPLIT;
    if split { c.load_u32(object + 8) } else { 0 }
}

/// Does an old object refer from a slot (its own, or of its overflow block) to a young one, and nobody has remembered
/// that?
fn is_forgotten<C: Context>(c: &mut C, object: u32, slot: u32) -> bool {
    let heap = &c.gc().heap;
    if heap.nursery == 0 || heap.remembered.forgotten || heap.is_young(object) || !heap.is_young(c.load_u32(slot)) {
        return false;
    }
    let rest = rest_of(c, object);
    !is_remembered(c, |c, place| {
        // A copy of a node shares its overflow block.
        let same_overflow =
            || rest != 0 && place & TAG_MASK == 0 && slot >= rest && slot != object + 4 && rest_of(c, place) == rest;
        place == object || place == slot | REMEMBERED_SLOT || same_overflow()
    })
}

fn note<C: Context>(c: &mut C, marks: &mut Marks, slot: u32, what: &[u8]) -> Outcome<(), C> {
    let object = c.load_u32(slot);
    if object < marks.base || is_immediate_here(c, object) {
        return Ok(());
    }
    if !marks.contains(object) {
        return c.heap_defect(what, slot, object);
    }
    if !marks.is_set(c, object) {
        marks.set(c, object);
        marks.push(c, object);
    }
    Ok(())
}

/// As `each_reference`, for an object whose overflow block may be anywhere.
fn visit_any<C: Context>(c: &mut C, object: u32, mut visit: impl FnMut(&mut C, u32)) {
    let info = info_of(c, c.load_u32(object));
    if info_kind(info) == KIND_SPLIT {
        for index in 0..info_ptrs(info) {
            let slot = slot_address(c, object, info, index);
            visit(c, slot);
        }
    } else {
        each_reference(c, object, visit);
    }
}

/// Walks what a collection has copied to `start`, in front of the end of the old objects.
pub fn after<C: Context>(c: &mut C, sp: u32, start: u32) -> Outcome<(), C> {
    let heap = c.gc().heap;
    let end = heap.live_end.max(heap.remembered.memory_end());
    let spaces = [(start, heap.live_end), (heap.survivor_start, heap.survivor_end), (0, 0)];
    let Some(marks) = Marks::new(c, end, spaces) else { return Ok(()) };
    for (start, end) in spaces {
        let mut object = start;
        while object < end {
            let header = c.load_u32(object);
            if !valid_header(c, header) {
                return c.heap_defect(b"bad header after collecting", object, header);
            }
            marks.set(c, object);
            object += references(c, object).bytes;
        }
        if object != end {
            return c.heap_defect(b"the last object is cut off", object, end);
        }
    }
    let leads_nowhere = |c: &C, slot: u32| {
        let target = c.load_u32(slot);
        let old = target >= heap.live_start && target < heap.live_end;
        let survivor = target >= heap.survivor_start && target < heap.survivor_end;
        target >= heap.base
            && !is_immediate_here(c, target)
            && (target & 3 != 0 || !old && !survivor || (survivor || target >= start) && !marks.is_set(c, target))
    };
    for (first, stop) in roots::ranges(c, sp) {
        let mut slot = first;
        while slot < stop {
            if leads_nowhere(c, slot) {
                let value = c.load_u32(slot);
                return c.heap_defect(b"root leads to no object", slot, value);
            }
            slot += 4;
        }
    }
    for (start, end) in spaces {
        let mut object = start;
        while object < end {
            let mut wrong = 0;
            object += each_reference(c, object, |c, slot| {
                if leads_nowhere(c, slot) {
                    wrong = slot;
                }
            });
            if wrong != 0 {
                let value = c.load_u32(wrong);
                return c.heap_defect(b"reference leads to no object", wrong, value);
            }
        }
    }
    Ok(())
}
