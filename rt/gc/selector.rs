//! Indirections and selectors disappear during a collection.
//!
//! A selector thunk whose argument is in head normal form is replaced by the field, so that a lazily selected component
//! does not keep the other components alive (P. Wadler, *Fixing some space leaks with a garbage collector*, 1987).
//! The argument may itself be a selector or an indirection, and so may the field: `resolve` follows such chains of any
//! length without recursion. The thunks that wait are a stack threaded through their second payload slot, which such
//! thunks do not use:
//!
//! ```text
//! | thunk info + 2 | argument | next waiting thunk + 1 if this one waits for the object itself |
//! ```
//! A header word below the heap with tag 2 that names a thunk info thus means *being resolved*; meeting one closes
//! a cycle. At the end each visited thunk is either forwarded (perhaps to another object of from-space, or to a static
//! node) or has been copied as it was: none is visited twice, so the work is linear. Selectors that lead to a value at
//! once, which are most, need none of that (`selected_value`).

use crate::gc::Context;
use crate::gc::copy::{Copied, Copier};
use crate::gc::object::{basic_header, info_of, slot_address, static_value};
use crate::layout::*;

const WAITS_FOR_OBJECT: u32 = 1;

impl<const HOLES: bool> Copier<HOLES> {
    /// What nearly all selectors lead to: a value in a small node, which is a value itself or has been forwarded.
    /// Otherwise 0.
    #[inline(always)]
    pub fn selected_value<C: Context>(&self, c: &C, selector: u32, entry: u32) -> u32 {
        let mut node = c.load_u32(selector + SLOT);
        let mut header = c.load_u32(node);
        if header & TAG_FORWARDED != 0 {
            node = header & !TAG_MASK;
            header = c.load_u32(node);
        }
        if header & TAG_MASK != TAG_HNF {
            return 0;
        }
        let info = info_of(c, header);
        let field = c.load_u16(entry + THUNK_INFO_SELECTOR);
        if info_kind(info) != KIND_INLINE || field >= info_ptrs(info) {
            return 0;
        }
        let value = c.load_u32(node + SLOT + SLOT * field);
        // No thunk becomes an immediate: no object can be told to be elsewhere that is none.
        if is_immediate(value) {
            return 0;
        }
        // A thunk may lead back to this selector.
        if self.stays(value) || c.load_u32(value) & TAG_MASK != 0 { value } else { 0 }
    }

    /// Finds what stands after an indirection or selector of from-space. The result is static, in to-space, or an
    /// object of from-space that is neither.
    pub fn resolve<C: Context>(&mut self, c: &mut C, thunk: u32, free: u32) -> Copied {
        let mut free = free;
        let mut top = 0;
        let mut current = thunk;
        loop {
            // Go down to an object that is not a removable thunk.
            let mut result = loop {
                if self.is_final(current) {
                    break current;
                }
                let header = c.load_u32(current);
                if header & TAG_FORWARDED != 0 {
                    let target = header & !TAG_MASK;
                    if self.is_entry(target) {
                        break current;
                    }
                    current = target;
                    continue;
                }
                if header & TAG_HNF != 0 {
                    break current;
                }
                let waits = match info_kind(info_of(c, header)) {
                    KIND_INDIRECTION => WAITS_FOR_OBJECT,
                    KIND_SELECT_REF | KIND_SELECT_WORD => 0,
                    _ => break current,
                };
                c.store_u32(current, header | TAG_FORWARDED);
                c.store_u32(current + 8, top | waits);
                top = current;
                current = c.load_u32(current + 4);
            };
            // Go up again, handing the result to those that wait, until a selected field must be followed.
            loop {
                if top == 0 {
                    return Copied::new(result, free);
                }
                let waiting = top;
                let link = c.load_u32(waiting + 8);
                let header = c.load_u32(waiting) & !TAG_MASK;
                top = link & !TAG_MASK;
                if link & WAITS_FOR_OBJECT != 0 && result != waiting {
                    c.store_u32(waiting, result | TAG_FORWARDED);
                    continue;
                }
                if link & WAITS_FOR_OBJECT == 0 {
                    if let Some(field) = self.selected_reference(c, header, result) {
                        c.store_u32(waiting + 8, top | WAITS_FOR_OBJECT);
                        top = waiting;
                        current = field;
                        break;
                    }
                    if let Some(boxed) = self.selected_word(c, waiting, header, result, &mut free) {
                        c.store_u32(waiting, boxed | TAG_FORWARDED);
                        result = boxed;
                        continue;
                    }
                }
                // It stays a thunk. All that wait above it need it, so it is alive.
                c.store_u32(waiting, header);
                let copied = self.copy_thunk(c, waiting, free);
                (result, free) = (copied.object(), copied.free());
            }
        }
    }

    fn is_entry(&self, address: u32) -> bool {
        address >= self.entries_start && address < self.entries_end
    }

    /// The reference that a selector takes from a node, if it is such a selector and the node has been evaluated.
    fn selected_reference<C: Context>(&self, c: &C, entry: u32, node: u32) -> Option<u32> {
        if info_kind(c.load_u32(entry)) != KIND_SELECT_REF {
            return None;
        }
        let header = c.load_u32(node);
        if header & TAG_MASK != TAG_HNF {
            return None;
        }
        let (info, field) = (info_of(c, header), c.load_u32(entry + THUNK_INFO_SELECTOR) & 0xffff);
        let value = (field < info_ptrs(info)).then(|| c.load_u32(self.slot_during_copy(c, node, info, field)))?;
        (!is_immediate(value)).then_some(value)
    }

    /// The same for a raw word, boxed: a static node, or a new one where a copy of the thunk would be.
    fn selected_word<C: Context>(
        &mut self,
        c: &mut C,
        thunk: u32,
        entry: u32,
        node: u32,
        free: &mut u32,
    ) -> Option<u32> {
        let header = c.load_u32(node);
        if info_kind(c.load_u32(entry)) != KIND_SELECT_WORD || header & TAG_MASK != TAG_HNF {
            return None;
        }
        let selector = c.load_u32(entry + THUNK_INFO_SELECTOR);
        let info = info_of(c, header);
        // Fields are numbered through: references first.
        let word = (selector & 0xffff).checked_sub(info_ptrs(info))?;
        if 2 * word + 2 > info_slots(info) - info_ptrs(info) {
            return None;
        }
        // A File has two words and would not fit in the place of the thunk: it is left alone.
        let box_header = basic_header(c, selector >> 16)?;
        let value = c.load_u64(self.slot_during_copy(c, node, info, info_ptrs(info) + 2 * word));
        if let Some(node) = static_value(c, box_header, value) {
            return Some(node);
        }
        let boxed;
        (boxed, *free) = self.take(c, thunk, MIN_OBJECT, *free);
        c.store_u32(boxed, box_header);
        c.store_u64(boxed + 4, value);
        Some(boxed)
    }

    /// Address of a payload slot of a node that has not been copied, although its overflow block may have been.
    fn slot_during_copy<C: Context>(&self, c: &C, node: u32, info: u32, slot: u32) -> u32 {
        let address = slot_address(c, node, info, slot);
        if info_kind(info) != KIND_SPLIT {
            return address;
        }
        let rest = c.load_u32(node + 8);
        let offset = address.wrapping_sub(rest);
        if offset >= rest_bytes(info_ptrs(info), info_slots(info)) || self.is_final(rest) {
            return address;
        }
        let first = c.load_u32(rest);
        let moved = if info_ptrs(info) > 1 {
            first & TAG_MASK == TAG_FORWARDED
        } else {
            self.bitmap != 0 && self.raw_block_bit(c, rest)
        };
        if moved { (first & !TAG_MASK) + offset } else { address }
    }
}
