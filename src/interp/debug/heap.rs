//! The reachable part of the heap, for the debugger.

use super::data::{Heap, Root, Shown};
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

    /// The cells that can be reached from the roots, at most so many.
    pub fn heap(&self, most: usize) -> Heap {
        let roots = self.roots();
        // In the order of the roots, not of addresses: the picture stays the same from step to step.
        let mut seen = BTreeSet::new();
        let mut open: VecDeque<u32> =
            roots.iter().map(|root| root.object).filter(|&object| seen.insert(object)).collect();
        let mut heap = Heap { roots, objects: Vec::new(), is_cut: false };
        while let Some(address) = open.pop_front() {
            let Some(object) = self.object(address) else { continue };
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
        heap
    }
}
