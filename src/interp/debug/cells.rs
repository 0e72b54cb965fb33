//! Cells that live though no variable leads to them, for the debugger: results on their way, what a call still needs
//! under no name, and what the program leaves when it ends.
//!
//! On the reference-counted heap every cell lives that was taken and not given back. The heap keeps no list of them,
//! but its memory has no gaps: between its base and the memory that was never used lie free cells, which are in the
//! free lists, and others, which say how large they are. So it is walked from one to the next. Of the others those are
//! dead that wait to be freed, and what only these hold.
//!
//! On the garbage-collected heap nothing tells a dead cell from a living one before the next collection. There the
//! cells live that calls still need.
//!
//! Weakness: a large heap is not walked, for a state is to be shown at once. In low IR a cell that was taken and not
//! written yet cannot be told from others; the walk ends there.

use super::data::{ObjectKind, Shown};
use super::debugger::Debugger;
use crate::machine::Machine;
use cleave_ir::layout::{PROGRAM_FLAG_CYCLES, PROGRAM_FLAGS, SLOT, TAG_HNF, is_immediate};
use cleave_ir::rc::*;
use cleave_rt::rc::{each_free, object_bytes, references};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a heap that is walked.
const LARGEST_HEAP: u32 = 8 << 20;

impl Debugger<'_> {
    /// Living cells that are not among those seen: first those that no other one of them refers to. True if there are
    /// more than the number that is asked for.
    pub(super) fn nameless(&self, seen: &BTreeSet<u32>, calls: usize, most: usize) -> (Vec<u32>, bool) {
        let mut found: Vec<u32> = self.events().iter().filter_map(|event| event.object).collect();
        found.retain(|&cell| self.object(cell).is_some_and(|cell| !cell.is_static && cell.kind != ObjectKind::Free));
        let mut is_cut = false;
        match self.program().module.heap.counts() {
            true => is_cut = self.machine().counted_cells(&mut found, seen, most),
            false => found.extend((0..self.depth().min(calls)).flat_map(|number| self.needed(number))),
        }
        found.retain(|address| !seen.contains(address));
        let fields = found.iter().filter_map(|&address| self.object(address)).flat_map(|object| object.fields);
        let inner: BTreeSet<u32> =
            fields.filter_map(|field| if let Shown::Object(address) = field { Some(address) } else { None }).collect();
        let (mut cells, inner): (Vec<u32>, Vec<u32>) = found.into_iter().partition(|cell| !inner.contains(cell));
        cells.extend(inner);
        (cells, is_cut)
    }
}

impl Machine<'_> {
    /// Adds living cells of the reference-counted heap that are not among those seen. True if there are more.
    fn counted_cells(&self, found: &mut Vec<u32>, seen: &BTreeSet<u32>, most: usize) -> bool {
        let fresh = self.heap_word(FRESH);
        let base = (self.state.gc.heap.base + 7) & !7;
        if fresh <= base {
            return false;
        }
        if fresh - base > LARGEST_HEAP {
            return true;
        }
        // Of low IR that looks for cycles: where it notes their possible roots.
        let looks = self.heap_word(PROGRAM_FLAGS) & PROGRAM_FLAG_CYCLES != 0;
        let (roots, root_bytes) = if looks { (self.heap_word(ROOTS), self.heap_word(ROOT_BYTES)) } else { (0, 0) };
        let (free, dead) = (self.free_cells(base, fresh), self.dead_cells(base, fresh));
        let mut cell = base;
        while cell < fresh {
            let bytes = match free.get(((cell - base) / SLOT) as usize) {
                Some(&bytes) if bytes > 0 => bytes,
                _ if cell == roots => root_bytes,
                _ => {
                    let Some(bytes) = self.bytes_of_cell(cell) else { break };
                    if !seen.contains(&cell) && !dead.contains(&cell) {
                        if found.len() >= most {
                            return true;
                        }
                        found.push(cell);
                    }
                    bytes
                }
            };
            cell = cell.saturating_add(bytes);
        }
        false
    }

    /// The bytes of each free cell, by its place.
    fn free_cells(&self, base: u32, fresh: u32) -> Vec<u32> {
        let mut free = vec![0; ((fresh - base) / SLOT) as usize];
        each_free(self, |cell, bytes| match free.get_mut((cell.wrapping_sub(base) / SLOT) as usize) {
            Some(place) if *place == 0 => {
                *place = bytes.max(SLOT);
                true
            }
            _ => false,
        });
        free
    }

    /// Objects that have died and wait to be freed, and what nothing else than these refers to.
    fn dead_cells(&self, base: u32, fresh: u32) -> BTreeSet<u32> {
        let inside = |object: u32| (base..fresh).contains(&object) && object.is_multiple_of(SLOT);
        let mut dead = BTreeSet::new();
        let mut waiting = self.heap_word(DEAD);
        while inside(waiting) && dead.insert(waiting) {
            waiting = self.memory.load32(waiting + COUNT).unwrap_or(0);
        }
        let mut work: Vec<u32> = dead.iter().copied().collect();
        let mut counts = BTreeMap::new();
        while let Some(object) = work.pop() {
            let Some(info) = self.info_of_cell(object) else { continue };
            let (first, count) = references(self, object, info);
            for slot in 0..count.min((fresh - object) / SLOT) {
                let field = self.memory.load32(first + slot * SLOT).unwrap_or(0);
                if is_immediate(field) || !inside(field) {
                    continue;
                }
                let count = counts.entry(field).or_insert_with(|| self.memory.load32(field + COUNT).unwrap_or(0));
                *count = count.saturating_sub(1);
                if *count == 0 && dead.insert(field) {
                    work.push(field);
                }
            }
        }
        dead
    }

    fn heap_word(&self, offset: u32) -> u32 {
        self.memory.load32(self.program.data_section.program + offset).unwrap_or(0)
    }

    /// The bytes of the memory that a living cell has; nothing if none is there.
    fn bytes_of_cell(&self, cell: u32) -> Option<u32> {
        let bytes = object_bytes(self, cell, self.info_of_cell(cell)?);
        Some(if bytes > LARGEST_OBJECT { bytes } else { class_bytes(class_of(bytes)) })
    }

    /// What its info table says of a cell; nothing if none is there.
    fn info_of_cell(&self, cell: u32) -> Option<u32> {
        let header = self.memory.load32(cell).ok().filter(|header| header & TAG_HNF != 0)?;
        self.program.row_at(header)?;
        self.memory.load32(header & !TAG_HNF).ok()
    }
}
