//! Marking the old objects, in portions: part of the incremental collector (`incremental.rs`).
//!
//! Between two portions the program runs. Old objects lose references then, and get others. What they get is marked
//! (E. Dijkstra and others, *On-the-fly garbage collection*, 1978): the barrier stands behind the store, so it knows
//! the new reference and no longer the old one, and lazy programs drop references with every thunk that they evaluate
//! but seldom store one into an old object. References on the stack and in young objects are looked at last.
//!
//! The mark of an object is the bit of its header. In each further line that it reaches into, a bit is set that is
//! not that of a header, so that a line without bits holds nothing alive. An overflow block need not follow its cell,
//! so its lines get such bits, too.
//!
//! Objects that are marked but have not been looked through lie on a stack, which is a chain of segments that are
//! taken like large objects and left behind after the marking. An array is looked through in steps: two words, its
//! address with bit 0 and where to go on. If there is no memory for a segment, marking is given up.
//!
//! References to indirections become references to what they lead to, and references to selectors of evaluated nodes
//! references to the field, as when objects are copied.

use crate::gc::Context;
use crate::gc::object::*;
use crate::gc::roots;
use crate::gc::state::LINE;
use crate::layout::*;

/// Bytes of a segment of the stack; its first word is the segment before.
const SEGMENT: u32 = 16 << 10;
/// Elements of an array that are looked at in one step.
const STEP: u32 = 256;
/// Bit of a word on the stack: it is an array, and where to go on in it lies below.
const PARTLY: u32 = 1;
/// Indirections and selectors that are followed from one reference.
const LONGEST_CHAIN: u32 = 16;

/// Slots that wait while what they refer to is fetched.
const AHEAD: usize = 16;

/// What is needed often, of the state.
pub struct Marker {
    /// Objects from here on, less than `span` beyond it, are marked.
    start: u32,
    span: u32,
    bits: u32,
    /// The end of the stack, and that of its last segment.
    top: u32,
    top_end: u32,
    /// What has been done: slots looked at, and twice the objects.
    pub work: u32,
    /// Bytes of the objects that were marked.
    bytes: u64,
    /// Slots that wait, in a ring; 0 for none.
    waiting: [u32; AHEAD],
    next: usize,
}

impl Marker {
    pub fn new<C: Context>(c: &C) -> Marker {
        let state = &c.gc().heap.incremental;
        Marker {
            start: state.start,
            span: state.limit - state.start,
            bits: state.bits,
            top: state.stack_top,
            top_end: state.stack_end,
            work: 0,
            bytes: state.marked,
            waiting: [0; AHEAD],
            next: 0,
        }
    }

    /// Writes back what has changed.
    pub fn store<C: Context>(&self, c: &mut C) {
        let state = &mut c.gc_mut().heap.incremental;
        (state.stack_top, state.stack_end, state.marked) = (self.top, self.top_end, self.bytes);
    }

    /// Is it a reference to an object that may have to be marked?
    #[inline(always)]
    fn is_subject(&self, reference: u32) -> bool {
        reference.rotate_right(1).wrapping_sub(self.start / 2) < self.span / 2
    }

    /// Sets the bit of an address; was it set?
    #[inline(always)]
    fn set_bit<C: Context>(&self, c: &mut C, address: u32) -> bool {
        let index = (address - self.start) / SLOT;
        let (place, bit) = (self.bits + index / 32 * 4, 1 << (index % 32));
        let bits = c.load_u32(place);
        c.store_u32(place, bits | bit);
        bits & bit != 0
    }

    #[inline(always)]
    pub fn is_marked<C: Context>(&self, c: &C, object: u32) -> bool {
        let index = (object - self.start) / SLOT;
        c.load_u32(self.bits + index / 32 * 4) & 1 << (index % 32) != 0
    }

    /// An object that is alive as far as this marking knows.
    pub fn is_kept<C: Context>(&self, c: &C, object: u32) -> bool {
        !self.is_subject(object) || self.is_marked(c, object)
    }

    /// Marks the lines that bytes from an address on reach into, but for the first one.
    #[inline(always)]
    fn mark_lines<C: Context>(&self, c: &mut C, address: u32, bytes: u32) {
        let mut line = (address & !(LINE - 1)) + LINE;
        while line < address + bytes {
            self.set_bit(c, line);
            line += LINE;
        }
    }

    /// Marks what a slot refers to, soon: most objects and marks are not in the cache of the processor (C. Cher,
    /// A. Hosking, T. Vijaykumar, *Software prefetching for mark-sweep garbage collection*, 2004).
    #[inline(always)]
    fn mark_soon<C: Context>(&mut self, c: &mut C, slot: u32) {
        self.work += 1;
        let object = c.load_u32(slot);
        if !self.is_subject(object) {
            return;
        }
        c.prefetch(object);
        c.prefetch(self.bits + (object - self.start) / SLOT / 32 * 4);
        if let Some(place) = self.waiting.get_mut(self.next % AHEAD) {
            let before = core::mem::replace(place, slot);
            self.next = self.next.wrapping_add(1);
            if before != 0 {
                self.mark_slot(c, before);
            }
        }
    }

    /// Marks what the slots that wait refer to.
    fn mark_waiting<C: Context>(&mut self, c: &mut C) {
        for index in 0..AHEAD {
            let place = self.waiting.get_mut((self.next + index) % AHEAD);
            let slot = place.map_or(0, core::mem::take);
            if slot != 0 {
                self.mark_slot(c, slot);
            }
        }
    }

    /// Marks what a slot refers to.
    #[inline(never)]
    pub fn mark_slot<C: Context>(&mut self, c: &mut C, slot: u32) {
        let mut object = c.load_u32(slot);
        if !self.is_subject(object) || self.is_marked(c, object) {
            return;
        }
        let mut header = c.load_u32(object);
        if header & TAG_HNF == 0 && info_kind(info_of(c, header)) > KIND_THUNK {
            object = self.follow(c, object);
            c.store_u32(slot, object);
            if !self.is_subject(object) || self.is_marked(c, object) {
                return;
            }
            header = c.load_u32(object);
        }
        self.mark(c, object, header);
    }

    /// Marks an object that has no mark.
    pub fn mark<C: Context>(&mut self, c: &mut C, object: u32, header: u32) {
        self.set_bit(c, object);
        self.work += 2;
        let info = info_of(c, header);
        let bytes = match info_kind(info) {
            KIND_INLINE => MIN_OBJECT,
            KIND_SPLIT => {
                let (rest, bytes) = (c.load_u32(object + 8), rest_bytes(info_ptrs(info), info_slots(info)));
                self.bytes += u64::from(bytes);
                // With references it is marked when they are looked at.
                if info_ptrs(info) == 0 {
                    self.mark_block(c, rest, bytes);
                }
                MIN_OBJECT
            }
            KIND_STRING => string_bytes(c.load_u32(object + STRING_LENGTH)),
            KIND_ARRAY => {
                let bytes = array_bytes(c, object);
                let kind = c.load_u32(object + ARRAY_ELEMENT);
                if kind == element::REF || kind > element::CHAR && record_sizes(c, kind).0 != 0 {
                    self.push(c, 0);
                    self.push(c, object | PARTLY);
                }
                bytes
            }
            _ => thunk_bytes(info_slots(info)),
        };
        self.bytes += u64::from(bytes);
        self.mark_lines(c, object, bytes);
        if info_ptrs(info) != 0 && info_kind(info) != KIND_ARRAY {
            self.push(c, object);
        }
    }

    /// The lines of an overflow block, which is no object.
    fn mark_block<C: Context>(&self, c: &mut C, block: u32, bytes: u32) {
        if self.is_subject(block) {
            self.set_bit(c, block);
            self.mark_lines(c, block, bytes);
        }
    }

    /// What an indirection or a selector leads to, as far as that is old or static; otherwise the thunk itself.
    #[cold]
    fn follow<C: Context>(&self, c: &C, thunk: u32) -> u32 {
        let mut object = thunk;
        for _ in 0..LONGEST_CHAIN {
            let header = c.load_u32(object);
            if header & TAG_HNF != 0 {
                break;
            }
            let target = c.load_u32(object + SLOT);
            let next = match info_kind(info_of(c, header)) {
                KIND_INDIRECTION => target,
                KIND_SELECT_REF => {
                    let node = c.load_u32(target);
                    let field = c.load_u32(header + THUNK_INFO_SELECTOR) & 0xffff;
                    if node & TAG_HNF == 0 || field >= info_ptrs(info_of(c, node)) {
                        break;
                    }
                    let slot = slot_address(c, target, info_of(c, node), field);
                    c.load_u32(slot)
                }
                _ => break,
            };
            // No thunk becomes an immediate, and nobody would remember that an old slot leads to a young object.
            if is_immediate(next) || c.gc().heap.is_young(next) {
                break;
            }
            object = next;
        }
        object
    }

    /// Marks what an object refers to.
    fn scan<C: Context>(&mut self, c: &mut C, object: u32) {
        let info = info_of(c, c.load_u32(object));
        let ptrs = info_ptrs(info);
        match info_kind(info) {
            KIND_STRING => {}
            KIND_ARRAY => {
                self.push(c, 0);
                self.push(c, object | PARTLY);
            }
            KIND_SPLIT => {
                let rest = c.load_u32(object + 8);
                self.mark_block(c, rest, rest_bytes(ptrs, info_slots(info)));
                if ptrs != 0 {
                    self.mark_slots(c, rest, ptrs - 1);
                    self.mark_soon(c, object + SLOT);
                }
            }
            // The last slot first: the end of a list waits while its element is looked through.
            _ => self.mark_slots(c, object + SLOT, ptrs),
        }
    }

    #[inline(always)]
    fn mark_slots<C: Context>(&mut self, c: &mut C, first: u32, count: u32) {
        let mut slot = first + count * SLOT;
        while slot > first {
            slot -= SLOT;
            self.mark_soon(c, slot);
        }
    }

    /// The next elements of an array; what is left is put back.
    fn scan_elements<C: Context>(&mut self, c: &mut C, array: u32, from: u32) {
        let (kind, size) = (c.load_u32(array + ARRAY_ELEMENT), c.load_u32(array + ARRAY_SIZE));
        let (ptrs, stride) = match kind {
            element::REF => (1, SLOT),
            record if record > element::CHAR => (record_sizes(c, kind).0, element_bytes(c, kind)),
            _ => return,
        };
        let end = size.min(from.saturating_add(STEP));
        if end < size {
            self.push(c, end);
            self.push(c, array | PARTLY);
        }
        for index in from..end {
            self.mark_slots(c, array + ARRAY_DATA + index * stride, ptrs);
        }
    }

    /// Goes on until so much has been done, or nothing is left. Is that so?
    pub fn drain<C: Context>(&mut self, c: &mut C, most: u32) -> bool {
        while self.work < most {
            let Some(object) = self.pop(c) else {
                self.mark_waiting(c);
                if self.top == 0 {
                    return true;
                }
                continue;
            };
            if c.gc().heap.incremental.failed {
                return true;
            }
            if object & PARTLY != 0 {
                let from = self.pop(c).unwrap_or(0);
                self.scan_elements(c, object & !PARTLY, from);
            } else {
                self.scan(c, object);
            }
        }
        self.mark_waiting(c);
        self.top == 0
    }

    /// Marks what the roots and young objects refer to, after a collection of the nursery.
    pub fn mark_roots<C: Context>(&mut self, c: &mut C, sp: u32) {
        for (start, end) in roots::ranges(c, sp) {
            let mut slot = start;
            while slot < end {
                self.mark_soon(c, slot);
                slot += SLOT;
            }
        }
        let (start, end) = (c.gc().heap.survivor_start, c.gc().heap.survivor_end);
        self.mark_from(c, start, end);
        self.mark_waiting(c);
    }

    /// Marks what the objects between two addresses refer to, which a collection has just copied there. They are not
    /// put on the stack: the next one may move them.
    pub fn mark_from<C: Context>(&mut self, c: &mut C, start: u32, end: u32) {
        let mut object = start;
        while object < end {
            let info = info_of(c, c.load_u32(object));
            let bytes = each_reference(c, object, |c, slot| self.mark_soon(c, slot));
            if info_kind(info) == KIND_SPLIT && bytes == MIN_OBJECT {
                self.scan(c, object);
            }
            object += bytes;
        }
    }

    /// The barrier: references have been written into an old object.
    pub fn object_written<C: Context>(&mut self, c: &mut C, object: u32) {
        if self.is_kept(c, object) {
            self.scan(c, object);
            self.mark_waiting(c);
        }
    }

    /// An object that will be made after all others, and looked through when it has been filled.
    pub fn push_large<C: Context>(&mut self, c: &mut C) {
        self.push(c, 0);
        // The stack may have been put there, first.
        let object = c.gc().heap.live_end;
        if !c.gc().heap.incremental.failed {
            c.store_u32(self.top - SLOT, object);
        }
    }

    fn push<C: Context>(&mut self, c: &mut C, word: u32) {
        if self.top == self.top_end && !self.add_segment(c) {
            return;
        }
        c.store_u32(self.top, word);
        self.top += SLOT;
    }

    #[inline(always)]
    fn pop<C: Context>(&mut self, c: &mut C) -> Option<u32> {
        if self.top == 0 {
            return None;
        }
        self.top -= SLOT;
        let (top, word) = (self.top, c.load_u32(self.top));
        let segment = self.top_end - SEGMENT;
        if top == segment + SLOT {
            self.drop_segment(c, segment);
        }
        Some(word)
    }

    /// The last segment is empty.
    #[cold]
    fn drop_segment<C: Context>(&mut self, c: &mut C, segment: u32) {
        let before = c.load_u32(segment);
        (self.top, self.top_end) = if before == 0 { (0, 0) } else { (before + SEGMENT, before + SEGMENT) };
        let state = &mut c.gc_mut().heap.incremental;
        let spare = state.spare_segment;
        state.spare_segment = segment;
        c.store_u32(segment, spare);
    }

    #[cold]
    fn add_segment<C: Context>(&mut self, c: &mut C) -> bool {
        let spare = c.gc().heap.incremental.spare_segment;
        let heap = &mut c.gc_mut().heap;
        let segment = if spare != 0 {
            spare
        } else if heap.live_end + SEGMENT <= heap.old_end && !heap.incremental.failed {
            heap.live_end += SEGMENT;
            heap.live_end - SEGMENT
        } else {
            heap.incremental.failed = true;
            return false;
        };
        if spare != 0 {
            let next = c.load_u32(spare);
            c.gc_mut().heap.incremental.spare_segment = next;
        }
        let before = if self.top_end == 0 { 0 } else { self.top_end - SEGMENT };
        c.store_u32(segment, before);
        (self.top, self.top_end) = (segment + SLOT, segment + SEGMENT);
        true
    }
}

/// For work between portions.
pub fn with_marker<C: Context>(c: &mut C, with: impl FnOnce(&mut C, &mut Marker)) {
    let mut marker = Marker::new(c);
    with(c, &mut marker);
    marker.store(c);
}
