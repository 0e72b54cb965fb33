//! Nodes that continue in a block, while they are copied: part of the copying collector (`copy.rs`).

use crate::gc::Context;
use crate::gc::copy::{Copied, Copier, copy_object, copy_words};
use crate::layout::*;

impl<const HOLES: bool> Copier<HOLES> {
    /// Copies a node that continues in a block, and with it a list of such nodes, in the order in which it is read.
    pub fn copy_split<C: Context>(&mut self, c: &mut C, cell: u32, header: u32, info: u32, free: u32) -> Copied {
        let (first, mut free) = self.copy_split_node(c, cell, header, info, free);
        let mut copy = first;
        while info_ptrs(info) == 1 {
            let next = c.load_u32(copy + 4);
            if self.is_final(next) || c.load_u32(next) != header {
                break;
            }
            let new;
            (new, free) = self.copy_split_node(c, next, header, info, free);
            c.store_u32(copy + 4, new);
            copy = new;
        }
        Copied::new(first, free)
    }

    #[inline(always)]
    fn copy_split_node<C: Context>(&mut self, c: &mut C, cell: u32, header: u32, info: u32, free: u32) -> (u32, u32) {
        let (ptrs, slots) = (info_ptrs(info), info_slots(info));
        let rest = c.load_u32(cell + 8);
        // Both lie side by side.
        self.provide(c, cell, MIN_OBJECT + rest_bytes(ptrs, slots));
        let (copy, free) = self.take(c, cell, MIN_OBJECT, free);
        copy_object(c, cell, header, copy);
        // A block in the static data section or an old one stays where it is.
        if self.is_final(rest) {
            return (copy, free);
        }
        let first = c.load_u32(rest);
        let moved = if ptrs > 1 { first & TAG_MASK == TAG_FORWARDED } else { self.mark_raw_block(c, rest) };
        if moved {
            c.store_u32(copy + 8, first & !TAG_MASK);
            return (copy, free);
        }
        let bytes = rest_bytes(ptrs, slots);
        let (block, free) = self.take(c, cell, bytes, free);
        copy_words(c, rest, block, bytes);
        c.store_u32(copy + 8, block);
        c.store_u32(rest, block | if ptrs > 1 { TAG_FORWARDED } else { 0 });
        (copy, free)
    }

    /// Has this block of raw words been copied already? From now on it has.
    fn mark_raw_block<C: Context>(&mut self, c: &mut C, block: u32) -> bool {
        if self.bitmap == 0 {
            self.bitmap = self.bitmap_place;
            c.fill(self.bitmap, 0, self.from.used() / 64 + 2);
        }
        let (byte, bit) = self.raw_block_place(block);
        let bits = c.load_u8(byte);
        c.store_u8(byte, bits | bit);
        bits & bit != 0
    }

    /// Where the bitmap (which must exist) keeps the bit of a block.
    fn raw_block_place(&self, block: u32) -> (u32, u32) {
        let from = &self.from;
        let mut index = 0;
        for (start, end) in [(from.eden_start, from.eden_end), (from.survivor_start, from.survivor_end)] {
            if block.wrapping_sub(start) < end - start {
                index += (block - start) / 8;
                return (self.bitmap + index / 8, 1 << (index & 7));
            }
            index += (end - start) / 8 + 1;
        }
        index += block.wrapping_sub(from.live_start) / 8;
        (self.bitmap + index / 8, 1 << (index & 7))
    }

    pub fn raw_block_bit<C: Context>(&self, c: &C, block: u32) -> bool {
        let (byte, bit) = self.raw_block_place(block);
        c.load_u8(byte) & bit != 0
    }
}
