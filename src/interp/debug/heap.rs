//! The living part of the heap, for the debugger.

use super::data::{Heap, ObjectKind, Root, Shown};
use super::debugger::Debugger;
use cleave_ir::layout::is_immediate;
use std::collections::{BTreeSet, VecDeque};

/// Calls whose variables are roots; deeper ones are left out.
const MOST_CALLS: usize = 100;

impl Debugger<'_> {
    /// Variables that hold cells, of the innermost calls, slots of the shadow stack, and constants that have been
    /// evaluated.
    pub fn roots(&self) -> Vec<Root> {
        let mut roots = Vec::new();
        for number in 0..self.depth().min(MOST_CALLS) {
            for variable in self.variables(number) {
                if let Shown::Object(object) = variable.value {
                    roots.push(Root { name: variable.name, activation: Some(number), object });
                }
            }
            for (slot, object) in self.slots(number) {
                roots.push(Root { name: format!("slot {slot}"), activation: Some(number), object });
            }
        }
        let (program, machine) = (self.program(), self.machine());
        for (id, data) in &program.module.cafs {
            let is_done = machine.memory.load32(program.data_section.caf(id)).is_ok_and(|state| state != 0);
            for index in 0..if is_done { data.ptrs } else { 0 } {
                let stored = machine.memory.load32(program.data_section.caf_ref(id, index));
                if let Some(object) = stored.ok().filter(|&stored| !is_immediate(stored)) {
                    roots.push(Root { name: data.label.clone(), activation: None, object });
                }
            }
        }
        roots
    }

    /// The cells that live, at most so many: those that can be reached from the roots, and then those that no variable
    /// leads to.
    pub fn heap(&self, most: usize) -> Heap {
        let mut heap = Heap { roots: self.roots(), objects: Vec::new(), named: 0, is_cut: false };
        let mut seen = BTreeSet::new();
        let held = heap.roots.iter().map(|root| root.object).collect();
        self.reach(held, most, &mut seen, &mut heap);
        heap.named = heap.objects.len();
        if !heap.is_cut {
            let (cells, is_cut) = self.nameless(&seen, MOST_CALLS, most - heap.named);
            self.reach(cells, most, &mut seen, &mut heap);
            heap.is_cut |= is_cut;
        }
        heap
    }

    /// Adds cells and what they refer to, in the order in which they are given, not of addresses: the picture stays the
    /// same from step to step.
    fn reach(&self, cells: Vec<u32>, most: usize, seen: &mut BTreeSet<u32>, heap: &mut Heap) {
        let mut open: VecDeque<u32> = cells.into_iter().filter(|&cell| seen.insert(cell)).collect();
        while let Some(address) = open.pop_front() {
            // The fields of a cell that is about to be used again may lead to cells that were given back.
            let Some(object) = self.object(address).filter(|object| object.kind != ObjectKind::Free) else { continue };
            if heap.objects.len() == most {
                heap.is_cut = true;
                break;
            }
            for field in &object.fields {
                if let Shown::Object(field) = *field
                    && seen.insert(field)
                {
                    open.push_back(field);
                }
            }
            if !object.is_static || object.fields.iter().any(|field| matches!(field, Shown::Object(_))) {
                heap.objects.push(object);
            }
        }
    }
}
