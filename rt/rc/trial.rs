//! Trial deletion: which objects are held by cycles alone (D. F. Bacon and V. T. Rajan, *Concurrent cycle collection in
//! reference counted systems*, ECOOP 2001; the synchronous algorithm).
//!
//! 1. `mark`: what a possible root leads to loses the references that come from there.
//! 2. `scan`: what has references left is alive, and so is all that it leads to: that gets its references back.
//! 3. `gather`: the others are garbage.
//!
//! Only objects that may be parts of cycles are looked at. A reference from anything else counts as one from outside.
//!
//! The first two steps walk graphs as deep as the data without a stack: the way back is in the references that were
//! followed (H. Schorr and W. M. Waite, *An efficient machine-independent procedure for garbage collection in various
//! list structures*, CACM 10(8), 1967). Which one of a node that is, its lowest bits say. Of an array, which may be
//! long, the header does: that is the same for all of them.
//!
//! Colours are the lowest bits of headers, and each object is black before and after.

use super::cells::{references, word};
use crate::gc::Context;
use crate::layout::{
    INFO_KIND, KIND_ARRAY, PROGRAM_ARRAY_HEADER, PROGRAM_HEAP_BASE, SLOT, TAG_HNF, TAG_MASK, is_immediate,
};
use cleave_abi::rc::*;

/// In use, or not looked at.
const BLACK: u32 = TAG_HNF;
/// Has lost the references from those that are looked at.
const GRAY: u32 = 3;
/// Seems to be garbage, and all is looked at that it leads to.
const WHITE: u32 = 2;
/// The same, where some is not looked at yet. With `FOUND` in its count it has been found alive meanwhile.
const OPEN: u32 = 0;
/// No object is in the buffer while colours are.
const FOUND: u32 = BUFFERED ^ CYCLIC;
/// In a reference that was followed: it holds the way back.
const WAY: u32 = 2;

fn colour<C: Context>(c: &C, object: u32) -> u32 {
    c.load_u32(object) & TAG_MASK
}

fn paint<C: Context>(c: &mut C, object: u32, colour: u32) {
    let header = c.load_u32(object);
    c.store_u32(object, header & !TAG_MASK | colour);
}

fn add<C: Context>(c: &mut C, object: u32, references: u32) {
    let count = c.load_u32(object + COUNT);
    c.store_u32(object + COUNT, count.wrapping_add(references));
}

/// How many references it has.
fn count<C: Context>(c: &C, object: u32) -> u32 {
    c.load_u32(object + COUNT) & !BUFFERED
}

/// The info word of an object of any colour.
pub fn info_of<C: Context>(c: &C, object: u32) -> u32 {
    c.load_u32(c.load_u32(object) & !TAG_MASK)
}

/// Is what a field holds an object that may be a part of a cycle?
fn is_cyclic<C: Context>(c: &C, base: u32, field: u32) -> bool {
    !is_immediate(field) && field >= base && c.load_u32(field + COUNT) & CYCLIC != 0
}

/// Where a walk is: at a reference of an object.
struct Walk {
    base: u32,
    object: u32,
    /// The object before, or 0.
    before: u32,
    slot: u32,
    end: u32,
}

impl Walk {
    fn new<C: Context>(c: &C, root: u32) -> Walk {
        let base = c.program(PROGRAM_HEAP_BASE);
        let mut walk = Walk { base, object: root, before: 0, slot: 0, end: 0 };
        walk.restart(c);
        walk
    }

    /// Back to the first reference of the object.
    fn restart<C: Context>(&mut self, c: &C) {
        let (first, count) = references(c, self.object, info_of(c, self.object));
        (self.slot, self.end) = (first, first + count * SLOT);
    }

    /// The next object that this one leads to.
    fn next<C: Context>(&mut self, c: &C) -> Option<u32> {
        while self.slot != self.end {
            let field = c.load_u32(self.slot);
            if is_cyclic(c, self.base, field) {
                return Some(field);
            }
            self.slot += SLOT;
        }
        None
    }

    fn skip(&mut self) {
        self.slot += SLOT;
    }

    /// Goes on in the object that `next` has given.
    fn enter<C: Context>(&mut self, c: &mut C, object: u32) {
        c.store_u32(self.slot, self.before | WAY);
        if info_of(c, self.object) & INFO_KIND == KIND_ARRAY {
            let colour = colour(c, self.object);
            c.store_u32(self.object, self.slot | colour);
        }
        (self.before, self.object) = (self.object, object);
        self.restart(c);
    }

    /// Goes back to the object before, behind the reference that was followed; false at the end of the walk.
    fn leave<C: Context>(&mut self, c: &mut C) -> bool {
        if self.before == 0 {
            return false;
        }
        let header = c.load_u32(self.before);
        let slot = if header >= self.base {
            // An array: every address of the heap is above those of infos.
            c.store_u32(self.before, c.program(PROGRAM_ARRAY_HEADER) & !TAG_MASK | header & TAG_MASK);
            header & !TAG_MASK
        } else {
            let mut slot = self.before + FIELDS;
            while c.load_u32(slot) & TAG_MASK != WAY {
                slot += SLOT;
            }
            slot
        };
        let way = c.load_u32(slot);
        c.store_u32(slot, self.object);
        (self.object, self.before) = (self.before, way & !TAG_MASK);
        self.restart(c);
        self.slot = slot + SLOT;
        true
    }
}

/// What an object costs to visit: itself, and its references. A large array is one object.
pub fn work<C: Context>(c: &mut C, object: u32) -> u32 {
    1 + references(c, object, info_of(c, object)).1
}

/// The first step, for one of the possible roots; how much it has visited (see `work`).
pub fn mark<C: Context>(c: &mut C, root: u32) -> u32 {
    if colour(c, root) != BLACK {
        return 0;
    }
    paint(c, root, GRAY);
    let (mut walk, mut visited) = (Walk::new(c, root), work(c, root));
    loop {
        while let Some(object) = walk.next(c) {
            add(c, object, 1u32.wrapping_neg());
            match colour(c, object) {
                BLACK => {
                    paint(c, object, GRAY);
                    visited += work(c, object);
                    walk.enter(c, object);
                }
                _ => walk.skip(),
            }
        }
        if !walk.leave(c) {
            return visited;
        }
    }
}

/// The second step, for one of the possible roots.
pub fn scan<C: Context>(c: &mut C, root: u32) {
    if colour(c, root) != GRAY {
        return;
    }
    open(c, root);
    let mut walk = Walk::new(c, root);
    loop {
        while let Some(object) = walk.next(c) {
            if visit(c, walk.object, object) { walk.enter(c, object) } else { walk.skip() }
        }
        if colour(c, walk.object) == OPEN {
            paint(c, walk.object, WHITE);
        }
        if !walk.leave(c) {
            return;
        }
        let object = walk.object;
        if colour(c, object) == OPEN && c.load_u32(object + COUNT) & FOUND != 0 {
            // It is alive, and so is all that it leads to, from the first reference on.
            add(c, object, FOUND.wrapping_neg());
            paint(c, object, BLACK);
            walk.restart(c);
        }
    }
}

/// A gray object is visited for the first time: it is alive if something else refers to it.
fn open<C: Context>(c: &mut C, object: u32) {
    let colour = if count(c, object) > 0 { BLACK } else { OPEN };
    paint(c, object, colour);
}

/// The second step meets a reference from one object to another; true if that is to be visited.
fn visit<C: Context>(c: &mut C, from: u32, object: u32) -> bool {
    let colour = colour(c, object);
    if self::colour(c, from) != BLACK {
        if colour == GRAY {
            open(c, object);
        }
        return colour == GRAY;
    }
    add(c, object, 1);
    match colour {
        BLACK => false,
        OPEN => {
            let count = c.load_u32(object + COUNT);
            c.store_u32(object + COUNT, count | FOUND);
            false
        }
        _ => {
            paint(c, object, BLACK);
            true
        }
    }
}

/// The third step, for one of the possible roots: garbage is put before a chain, and is gray from then on. The counts,
/// which are of no use any more, hold the chain.
pub fn gather<C: Context>(c: &mut C, root: u32, mut chain: u32) -> u32 {
    if colour(c, root) != WHITE {
        return chain;
    }
    let base = c.program(PROGRAM_HEAP_BASE);
    paint(c, root, GRAY);
    c.store_u32(root + COUNT, 0);
    let mut open = root;
    while open != 0 {
        let object = open;
        open = c.load_u32(object + COUNT);
        c.store_u32(object + COUNT, chain);
        chain = object;
        let (first, count) = references(c, object, info_of(c, object));
        for index in 0..count {
            let field = c.load_u32(first + index * SLOT);
            if !is_immediate(field) && field >= base && colour(c, field) == WHITE {
                paint(c, field, GRAY);
                c.store_u32(field + COUNT, open);
                open = field;
            }
        }
    }
    chain
}

/// Of a field of garbage: is it garbage, too?
pub fn is_garbage<C: Context>(c: &C, object: u32) -> bool {
    colour(c, object) == GRAY
}

/// The possible roots.
pub fn each_root<C: Context>(c: &mut C, mut visit: impl FnMut(&mut C, u32)) {
    let (first, count) = (word(c, ROOTS), word(c, ROOT_COUNT));
    for index in 0..count {
        let root = c.load_u32(first + index * SLOT);
        visit(c, root);
    }
}
