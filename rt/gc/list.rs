//! Lists of numbers, while they are copied: part of the copying collector (`copy.rs`).

use crate::gc::Context;
use crate::gc::copy::{Copier, copy_object, is_small_object};
use crate::gc::object::info_of;
use crate::layout::*;

impl<const HOLES: bool> Copier<HOLES> {
    /// Copies the list that begins with the copy of a cell, as long as its elements have no references: element, cell,
    /// element, as programs read them. Cheney's order mixes the cells of lists that are reached at the same time.
    #[inline(never)]
    pub fn copy_list<C: Context>(&mut self, c: &mut C, mut copy: u32, mut free: u32) -> u32 {
        loop {
            let element = c.load_u32(copy + 4);
            let mut header = 0;
            if !is_immediate(element) {
                header = c.load_u32(element);
                if header & TAG_FORWARDED != 0 {
                    return free;
                }
                let info = info_of(c, header);
                if info_ptrs(info) != 0 || !is_small_object(info) {
                    return free;
                }
            }
            if !self.is_final(element) {
                let mut new = self.static_node(c, element, header);
                if new == 0 {
                    (new, free) = self.take(c, element, MIN_OBJECT, free);
                    copy_object(c, element, header, new);
                } else {
                    c.store_u32(element, new | TAG_FORWARDED);
                }
                c.store_u32(copy + 4, new);
            }
            let rest = c.load_u32(copy + 8);
            if self.is_final(rest) || c.load_u32(rest) != self.list_header {
                return free;
            }
            let new;
            (new, free) = self.take(c, rest, MIN_OBJECT, free);
            copy_object(c, rest, self.list_header, new);
            c.store_u32(copy + 8, new);
            copy = new;
        }
    }
}
