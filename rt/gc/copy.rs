//! The copying collector: Cheney's scan, no recursion, no mark stack.
//!
//! Source of the algorithm: C. J. Cheney, *A nonrecursive list compacting algorithm*, CACM 13(11), 1970. On top of it:
//! - Lists of numbers are copied one after the other (`copy_list`), and so are lists of split nodes (`copy_split`).
//! - Indirections and selectors disappear while copying (`selector.rs`).
//! - Small Ints, Chars, Booleans and ends of lists become their static nodes.
//! - An overflow block is copied directly after its cell. Two cells that share a block (`fill_copy`) share it
//!   afterwards: a block whose first slot is a reference is marked there with tag 2 and its new address; a block of raw
//!   words only has no spare bit, so a bitmap (one bit per 8 bytes, made when the first such block is met) says whether
//!   its first word already is the new address.
//!
//! Invariant that lets the copying go unchecked: no object grows, hence `free - to_start` never exceeds the bytes used
//! in from-space, and the caller has provided that much plus the bitmap (`required_bytes`). For a collection of the
//! nursery a cell for each remembered object comes on top (`scan_remembered`).
//!
//! A forwarding word leads to to-space, to a static node, or (only from a removed indirection or selector) to another
//! object of from-space.
//!
//! `free` is passed around by value to keep it in a register.

use crate::gc::Context;
use crate::gc::holes;
use crate::gc::object::{array_bytes, info_of, record_sizes};
use crate::gc::place::FromSpace;
use crate::gc::remembered::{REMEMBERED_SLOT, each_marked, refers_to_young};
use crate::layout::*;

/// Slots of the stack that are told at a time.
const GROUP: usize = 16;

/// What the inner loops need beside memory.
pub struct Copier<const HOLES: bool> {
    /// Only what lies less than `span` beyond `base` moves: everything, or what is young.
    base: u32,
    span: u32,
    pub to_start: u32,
    /// Bytes of to-space that can hold objects.
    to_size: u32,
    /// What lies less than `first_span` beyond `first` survives for the first time, and goes to to-space. The rest
    /// becomes old, at `old_free`.
    first: u32,
    first_span: u32,
    pub old_free: u32,
    /// What becomes old may take the bytes up to here; then there is another place (`holes.rs`).
    pub old_end: u32,
    pub in_holes: bool,
    /// Where there is room for the bitmap.
    pub bitmap_place: u32,
    int_header: u32,
    char_header: u32,
    bool_header: u32,
    nil_header: u32,
    pub list_header: u32,
    small_ints: u32,
    empty: u32,
    pub entries_start: u32,
    pub entries_end: u32,
    pub from: FromSpace,
    /// The bitmap of raw blocks, 0 while it is not needed.
    pub bitmap: u32,
}

/// An object's new place and the new end of to-space, in one number: a function of WebAssembly returns two through
/// memory.
#[derive(Clone, Copy)]
pub struct Copied(u64);

impl Copied {
    #[inline(always)]
    pub fn new(object: u32, free: u32) -> Copied {
        Copied(u64::from(object) | u64::from(free) << 32)
    }
    #[inline(always)]
    pub fn object(self) -> u32 {
        self.0 as u32
    }
    #[inline(always)]
    pub fn free(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

impl<const HOLES: bool> Copier<HOLES> {
    /// A collection of the whole heap.
    pub fn new<C: Context>(c: &C, from: FromSpace, to_start: u32) -> Self {
        let base = c.gc().heap.base;
        let mut copier = Self::with(c, from, to_start, from.used());
        (copier.span, copier.first_span) = (base.wrapping_neg(), base.wrapping_neg());
        copier
    }

    /// A collection of what is young, eden and aged objects, which lie side by side. What becomes old goes to
    /// `old_free`, where `most` bytes suffice; what comes from eden to `to_start`.
    pub fn of_young<C: Context>(c: &C, from: FromSpace, to_start: u32, old_free: u32, most: u32) -> Self {
        let mut copier = Self::with(c, from, to_start, 0);
        copier.base = from.eden_start.min(from.survivor_start);
        copier.span = from.eden_end.max(from.survivor_end) - copier.base;
        (copier.first, copier.first_span) = (from.eden_start, from.eden_end - from.eden_start);
        copier.old_free = old_free;
        copier.bitmap_place = old_free + most;
        copier
    }

    /// What survives for the first time becomes old, too.
    pub fn make_old(&mut self) {
        self.first_span = 0;
    }

    fn with<C: Context>(c: &C, from: FromSpace, to_start: u32, most: u32) -> Self {
        let empty = c.program(PROGRAM_EMPTY);
        let base = c.gc().heap.base;
        Self {
            base,
            span: 0,
            to_start,
            to_size: most + 1,
            first: base,
            first_span: 0,
            old_free: 0,
            old_end: u32::MAX,
            in_holes: false,
            bitmap_place: to_start + most,
            int_header: c.program(PROGRAM_INT_HEADER),
            char_header: c.program(PROGRAM_CHAR_HEADER),
            bool_header: c.program(PROGRAM_BOOL_HEADER),
            nil_header: c.load_u32(empty),
            list_header: c.program(PROGRAM_LIST_HEADER),
            small_ints: c.program(PROGRAM_SMALL_INTS),
            empty,
            entries_start: c.program(PROGRAM_THUNK_INFOS_START),
            entries_end: c.program(PROGRAM_THUNK_INFOS_END),
            from,
            bitmap: 0,
        }
    }

    /// An immediate, static, or old or a copy while only young objects are collected.
    #[inline(always)]
    pub fn stays(&self, reference: u32) -> bool {
        self.distance(reference) >= self.span / 2
    }
    /// How far beyond `base` an object lies, in units of two bytes. Of an immediate the lowest bit becomes the highest
    /// one, so that it lies beyond all objects.
    #[inline(always)]
    fn distance(&self, reference: u32) -> u32 {
        reference.rotate_right(1).wrapping_sub(self.base / 2)
    }
    /// Outside of from-space.
    #[inline(always)]
    pub fn is_final(&self, address: u32) -> bool {
        self.stays(address) || address.wrapping_sub(self.to_start) < self.to_size
    }
    /// Takes bytes for the copy of an object: its place, and the new `free`.
    #[inline(always)]
    pub fn take<C: Context>(&mut self, c: &mut C, object: u32, bytes: u32, free: u32) -> (u32, u32) {
        if object.wrapping_sub(self.first) < self.first_span {
            return (free, free + bytes);
        }
        if HOLES && bytes > self.old_end - self.old_free {
            (self.old_free, self.old_end) = holes::next(c, (self.old_free, self.old_end), bytes);
        }
        let place = self.old_free;
        self.old_free = place + bytes;
        (place, free)
    }

    /// Should this object become old, so many bytes can be taken for it and others side by side.
    #[inline(always)]
    pub fn provide<C: Context>(&mut self, c: &mut C, object: u32, bytes: u32) {
        if HOLES && object.wrapping_sub(self.first) >= self.first_span && bytes > self.old_end - self.old_free {
            (self.old_free, self.old_end) = holes::next(c, (self.old_free, self.old_end), bytes);
        }
    }

    /// Copies everything reachable from the slots of the given ranges, from the places that are listed in a third one
    /// and from marked ones, and returns the end of to-space.
    pub fn run<C: Context>(&mut self, c: &mut C, roots: [(u32, u32); 3], list: (u32, u32)) -> u32 {
        let (mut free, old_start) = (self.to_start, self.old_free);
        let young = self.span != c.gc().heap.base.wrapping_neg();
        for (start, end) in roots {
            free = if young { self.scan_mostly_old(c, start, end, free) } else { self.scan_slots(c, start, end, free) };
        }
        let mut entry = list.0;
        while entry < list.1 {
            free = self.scan_remembered(c, c.load_u32(entry), free);
            entry += SLOT;
        }
        each_marked(c, |c, place| {
            free = if place & REMEMBERED_SLOT != 0 {
                self.forward_slot(c, place & !REMEMBERED_SLOT, free)
            } else {
                self.scan_remembered(c, place, free)
            };
            refers_to_young(c, place)
        });
        free = if HOLES && self.in_holes {
            self.scan_objects::<C, true>(c, old_start, free)
        } else {
            self.scan_objects::<C, false>(c, old_start, free)
        };
        c.gc_mut().foreign.copied = (!young, free);
        c.foreign_copied(self);
        c.gc().foreign.copied.1
    }

    /// Forwards what an old place refers to: a slot of an array (bit 0 is set), or all slots of an object.
    #[inline(never)]
    fn scan_remembered<C: Context>(&mut self, c: &mut C, place: u32, free: u32) -> u32 {
        if place & REMEMBERED_SLOT != 0 {
            return self.forward_slot(c, place & !REMEMBERED_SLOT, free);
        }
        let header = c.load_u32(place);
        let info = info_of(c, header);
        let ptrs = info_ptrs(info);
        match info_kind(info) {
            KIND_STRING => free,
            KIND_ARRAY => self.scan_array(c, place, free),
            KIND_SPLIT => {
                let free = self.scan_slots(c, place + SLOT, place + SLOT + ptrs.min(1) * SLOT, free);
                let rest = c.load_u32(place + 8);
                if self.is_final(rest) {
                    return if ptrs > 1 { self.scan_slots(c, rest, rest + (ptrs - 1) * SLOT, free) } else { free };
                }
                // Spaces are rows of objects: the block moves after a second copy of its cell, which nobody sees.
                let copied = self.copy_split(c, place, header, info, free);
                c.store_u32(place, header);
                c.store_u32(place + 8, c.load_u32(copied.object() + 8));
                copied.free()
            }
            _ => self.scan_slots(c, place + SLOT, place + SLOT + ptrs * SLOT, free),
        }
    }

    /// Forwards all slots of a range.
    #[inline(never)]
    fn scan_slots<C: Context>(&mut self, c: &mut C, start: u32, end: u32, mut free: u32) -> u32 {
        let mut slot = start;
        while slot < end {
            free = self.forward_slot(c, slot, free);
            slot += SLOT;
        }
        free
    }

    /// The same in a collection of the nursery, for a range of which most slots do not refer to young objects: those of
    /// frames that have been on the stack for long. `GROUP` slots are told at a time, without a branch for each.
    #[inline(never)]
    fn scan_mostly_old<C: Context>(&mut self, c: &mut C, start: u32, end: u32, mut free: u32) -> u32 {
        let mut slot = start;
        while end.saturating_sub(slot) >= GROUP as u32 * SLOT {
            let next = slot + GROUP as u32 * SLOT;
            if self.has_young(c.load_words::<GROUP>(slot)) {
                free = self.scan_slots(c, slot, next, free);
            }
            slot = next;
        }
        self.scan_slots(c, slot, end, free)
    }

    /// Does one of these slots refer to a young object?
    #[inline(always)]
    fn has_young<const N: usize>(&self, slots: [u32; N]) -> bool {
        // Negative for one that is: so a place that is not before `base` and is before the end has no comparison of its
        // own, and machine code looks at four at a time. The span of young objects is below 2³¹ bytes.
        let sign = slots.iter().fold(0, |sign, slot| {
            let place = self.distance(*slot);
            sign | !place & place.wrapping_sub(self.span / 2)
        });
        (sign as i32) < 0
    }

    #[inline(always)]
    fn scan_objects<C: Context, const PIECES: bool>(&mut self, c: &mut C, old_start: u32, mut free: u32) -> u32 {
        // To-space and what has become old take turns until nothing is left in either.
        let (mut scan, mut other, mut in_old) = (self.to_start, old_start, false);
        let mut piece = 0;
        loop {
            if PIECES && in_old {
                (scan, piece) = holes::next_scanned(c, scan, piece);
            }
            if scan == if in_old { self.old_free } else { free } {
                (scan, other, in_old) = (other, scan, !in_old);
                if PIECES && in_old {
                    (scan, piece) = holes::next_scanned(c, scan, piece);
                }
                if scan == if in_old { self.old_free } else { free } {
                    return free;
                }
            }
            let info = info_of(c, c.load_u32(scan));
            let ptrs = info_ptrs(info);
            if is_small_object(info) {
                if ptrs != 0 {
                    free = self.forward_slot(c, scan + 4, free);
                    if ptrs == 2 {
                        free = self.forward_slot(c, scan + 8, free);
                    }
                }
                scan += MIN_OBJECT;
                continue;
            }
            match info_kind(info) {
                KIND_SPLIT => {
                    if ptrs != 0 {
                        free = self.forward_slot(c, scan + 4, free);
                    }
                    let next = scan + MIN_OBJECT;
                    if c.load_u32(scan + 8) == next {
                        scan = next + rest_bytes(ptrs, info_slots(info));
                        if ptrs > 1 {
                            free = self.scan_slots(c, next, next + (ptrs - 1) * SLOT, free);
                        }
                    } else {
                        scan = next;
                    }
                }
                KIND_STRING => scan += string_bytes(c.load_u32(scan + STRING_LENGTH)),
                KIND_ARRAY => {
                    free = self.scan_array(c, scan, free);
                    scan += array_bytes(c, scan);
                }
                _ => {
                    free = self.scan_slots(c, scan + SLOT, scan + SLOT + ptrs * SLOT, free);
                    scan += thunk_bytes(info_slots(info));
                }
            }
        }
    }

    fn scan_array<C: Context>(&mut self, c: &mut C, array: u32, mut free: u32) -> u32 {
        let kind = c.load_u32(array + ARRAY_ELEMENT);
        let size = c.load_u32(array + ARRAY_SIZE);
        let data = array + ARRAY_DATA;
        if kind == element::REF {
            return self.scan_slots(c, data, data + size * SLOT, free);
        }
        if kind > element::CHAR {
            let (ptrs, nptrs) = record_sizes(c, kind);
            if ptrs != 0 {
                let mut element = data;
                for _ in 0..size {
                    free = self.scan_slots(c, element, element + ptrs * SLOT, free);
                    element += ptrs * SLOT + nptrs * 8;
                }
            }
        }
        free
    }

    /// Replaces the reference in a slot by that of the copy. What is not collected stays as it is, and what has been
    /// copied with its list.
    #[inline(always)]
    fn forward_slot<C: Context>(&mut self, c: &mut C, slot: u32, free: u32) -> u32 {
        let object = c.load_u32(slot);
        if self.is_final(object) {
            return free;
        }
        let header = c.load_u32(object);
        if header & TAG_FORWARDED != 0 {
            let target = header & !TAG_MASK;
            if self.is_final(target) {
                c.store_u32(slot, target);
                return free;
            }
        } else {
            let info = info_of(c, header);
            if is_small_object(info) {
                if header == self.int_header {
                    let index = c.load_u64(object + 4).wrapping_sub(SMALL_INT_MIN as u64);
                    if index < SMALL_INTS {
                        let node = self.small_ints + index as u32 * STATIC_NODE_SIZE;
                        c.store_u32(object, node | TAG_FORWARDED);
                        c.store_u32(slot, node);
                        return free;
                    }
                } else if info_ptrs(info) == 0 {
                    let node = self.static_node(c, object, header);
                    if node != 0 {
                        c.store_u32(object, node | TAG_FORWARDED);
                        c.store_u32(slot, node);
                        return free;
                    }
                }
                let (copy, free) = self.take(c, object, MIN_OBJECT, free);
                copy_object(c, object, header, copy);
                c.store_u32(slot, copy);
                return if header == self.list_header { self.copy_list(c, copy, free) } else { free };
            }
        }
        let copied = self.forward_other(c, object, free);
        c.store_u32(slot, copied.object());
        copied.free()
    }

    /// The static node that can stand for a cell without references, or 0.
    pub fn static_node<C: Context>(&self, c: &C, cell: u32, header: u32) -> u32 {
        if header == self.nil_header {
            self.empty
        } else if header == self.int_header || header == self.char_header || header == self.bool_header {
            crate::gc::object::static_value(c, header, c.load_u64(cell + 4)).unwrap_or(0)
        } else {
            0
        }
    }

    /// Forwards whatever is not a small cell of from-space: large objects, removed thunks.
    #[inline(never)]
    pub fn forward_other<C: Context>(&mut self, c: &mut C, mut object: u32, mut free: u32) -> Copied {
        loop {
            if self.is_final(object) {
                return Copied::new(object, free);
            }
            let header = c.load_u32(object);
            if header & TAG_FORWARDED != 0 {
                object = header & !TAG_MASK;
                continue;
            }
            let info = info_of(c, header);
            match info_kind(info) {
                KIND_INLINE => {
                    let node = if info_ptrs(info) == 0 { self.static_node(c, object, header) } else { 0 };
                    if node != 0 {
                        c.store_u32(object, node | TAG_FORWARDED);
                        return Copied::new(node, free);
                    }
                    let (copy, free) = self.take(c, object, MIN_OBJECT, free);
                    copy_object(c, object, header, copy);
                    return Copied::new(copy, free);
                }
                KIND_SPLIT => return self.copy_split(c, object, header, info, free),
                KIND_SELECT_REF => {
                    let selected = self.selected_value(c, object, header);
                    if selected != 0 {
                        c.store_u32(object, selected | TAG_FORWARDED);
                        object = selected;
                        continue;
                    }
                }
                KIND_INDIRECTION | KIND_SELECT_WORD => {}
                _ => return self.copy_object(c, object, info, free),
            }
            let resolved = self.resolve(c, object, free);
            (object, free) = (resolved.object(), resolved.free());
        }
    }

    /// Copies a string, an array or a thunk of from-space as it is.
    fn copy_object<C: Context>(&mut self, c: &mut C, object: u32, info: u32, free: u32) -> Copied {
        let bytes = match info_kind(info) {
            KIND_STRING => string_bytes(c.load_u32(object + STRING_LENGTH)),
            KIND_ARRAY => array_bytes(c, object),
            _ => thunk_bytes(info_slots(info)),
        };
        let (copy, free) = self.take(c, object, bytes, free);
        copy_words(c, object, copy, bytes);
        c.store_u32(object, copy | TAG_FORWARDED);
        Copied::new(copy, free)
    }

    /// Copies a thunk that could not be removed.
    pub fn copy_thunk<C: Context>(&mut self, c: &mut C, thunk: u32, free: u32) -> Copied {
        let header = c.load_u32(thunk);
        self.copy_object(c, thunk, info_of(c, header), free)
    }
}

/// A node or an ordinary thunk of three words: the kinds 0 and 4 with at most two slots.
#[inline(always)]
pub fn is_small_object(info: u32) -> bool {
    const OTHER_KINDS: u32 = KIND_MASK & !(KIND_INLINE | KIND_THUNK);
    info & OTHER_KINDS == 0 && info < (INLINE_SLOTS + 1) << 18
}

#[inline(always)]
pub fn copy_object<C: Context>(c: &mut C, cell: u32, header: u32, free: u32) {
    let payload = c.load_u64(cell + 4);
    c.store_u32(cell, free | TAG_FORWARDED);
    c.store_u32(free, header);
    c.store_u64(free + 4, payload);
}

/// Copies a multiple of four bytes between objects, which never overlap. Short ones are not worth a call.
#[inline]
pub fn copy_words<C: Context>(c: &mut C, from: u32, to: u32, bytes: u32) {
    if bytes > 128 {
        c.copy_within(from, to, bytes);
        return;
    }
    let mut offset = 0;
    while offset + 8 <= bytes {
        c.store_u64(to + offset, c.load_u64(from + offset));
        offset += 8;
    }
    if offset < bytes {
        c.store_u32(to + offset, c.load_u32(from + offset));
    }
}
