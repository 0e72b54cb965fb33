//! All small mistakes in a rooted function that we can think of, one at a time.

use super::oracle::slot_count;
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::verify::is_safepoint;
use cleave_ir::{Block, Func, Inst, Module, Opcode, Type, Value};

/// A function with one mistake (or none, if what was changed does not matter).
pub struct Mutant {
    pub kind: &'static str,
    /// What was changed, for messages.
    pub detail: String,
    pub func: Func,
}

struct Mutator<'a> {
    module: &'a Module,
    func: &'a Func,
    dom: DomTree,
    mutants: Vec<Mutant>,
}

/// Every mutant of a rooted function.
pub fn mutants(module: &Module, func: &Func) -> Vec<Mutant> {
    let dom = DomTree::compute(&Cfg::compute(func));
    let mut mutator = Mutator { module, func, dom, mutants: Vec::new() };
    for &block in &func.layout {
        for at in 0..func.blocks[block].insts.len() {
            let inst = func.blocks[block].insts[at];
            match func.insts[inst].op {
                Opcode::Spill => mutator.of_spill(block, at, inst),
                Opcode::Restore => mutator.of_restore(block, at, inst),
                Opcode::ClearSlot => mutator.of_clear(block, at, inst),
                _ => mutator.of_other(block, inst),
            }
        }
        mutator.of_edges(block);
    }
    mutator.mutants
}

impl Mutator<'_> {
    fn push(&mut self, kind: &'static str, detail: String, change: impl FnOnce(&mut Func)) {
        let mut func = self.func.clone();
        change(&mut func);
        self.mutants.push(Mutant { kind, detail, func });
    }

    fn insts(&self, block: Block) -> &[Inst] {
        &self.func.blocks[block].insts
    }
    fn op(&self, inst: Inst) -> Opcode {
        self.func.insts[inst].op
    }
    fn slot(&self, inst: Inst) -> u64 {
        self.func.insts[inst].imm
    }
    fn safepoint(&self, inst: Inst) -> bool {
        is_safepoint(self.module, self.func, inst)
    }
    fn entry_refs(&self) -> Vec<Value> {
        let params = self.func.params(self.func.entry_block()).iter();
        params.copied().filter(|&v| self.func.values[v] == Type::Ref).collect()
    }
    /// The next instruction of the same kind in the block, with no safepoint in between.
    fn neighbour(&self, block: Block, at: usize) -> Option<Inst> {
        let op = self.op(self.insts(block)[at]);
        let rest = self.insts(block)[at + 1..].iter().copied();
        rest.take_while(|&i| !self.safepoint(i)).find(|&i| self.op(i) == op)
    }

    fn of_spill(&mut self, block: Block, at: usize, inst: Inst) {
        let (slot, value) = (self.slot(inst), self.func.args(inst)[0]);
        let what = format!("{block}: spill s{slot}, {value}");
        self.push("drop spill", what.clone(), |f| {
            f.blocks[block].insts.remove(at);
        });
        if let Some(other) = self.neighbour(block, at) {
            let (there, theirs) = (self.slot(other), self.func.args(other)[0]);
            self.push("swap slots of spills", format!("{what} with s{there}"), |f| {
                f.insts[inst].imm = there;
                f.insts[other].imm = slot;
            });
            self.push("spill another value", format!("{what}: {theirs}"), |f| f.set_args(inst, &[theirs]));
        }
        for other in self.entry_refs() {
            if other != value {
                self.push("spill another value", format!("{what}: {other}"), |f| f.set_args(inst, &[other]));
            }
        }
        let next = self.insts(block)[at..].iter().position(|&i| self.safepoint(i));
        if let Some(distance) = next {
            self.push("move spill behind safepoint", what.clone(), |f| {
                let inst = f.blocks[block].insts.remove(at);
                f.blocks[block].insts.insert(at + distance, inst);
            });
        }
        for other in self.other_slots(slot) {
            self.push("change slot of spill", format!("{what}: s{other}"), |f| f.insts[inst].imm = other);
        }
    }

    fn of_clear(&mut self, block: Block, at: usize, inst: Inst) {
        let slot = self.slot(inst);
        let what = format!("{block}: clear s{slot}");
        self.push("drop clear", what.clone(), |f| {
            f.blocks[block].insts.remove(at);
        });
        for other in self.other_slots(slot) {
            self.push("change slot of clear", format!("{what}: s{other}"), |f| f.insts[inst].imm = other);
        }
    }

    fn other_slots(&self, slot: u64) -> Vec<u64> {
        let count = slot_count(self.func) as u64;
        let candidates = [slot.wrapping_sub(1), slot + 1, 0, count];
        let mut slots: Vec<u64> = candidates.into_iter().filter(|&s| s <= count && s != slot).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// What an earlier spill to the slot stored, where it can be named.
    fn stored_before(&self, block: Block, at: usize) -> Option<Value> {
        let slot = self.slot(self.insts(block)[at]);
        let spilled = |insts: &[Inst]| {
            let mut spills = insts.iter().rev().filter(|&&i| self.op(i) == Opcode::Spill);
            spills.find(|&&i| self.slot(i) == slot).map(|&i| self.func.args(i)[0])
        };
        if let Some(value) = spilled(&self.insts(block)[..at]) {
            return Some(value);
        }
        let mut up = self.dom.idom(block);
        while let Some(dominator) = up {
            if let Some(value) = spilled(self.insts(dominator)) {
                return Some(value);
            }
            up = self.dom.idom(dominator);
        }
        None
    }

    fn of_restore(&mut self, block: Block, at: usize, inst: Inst) {
        let (slot, value) = (self.slot(inst), self.func.result(inst));
        let what = format!("{block}: {value} = restore s{slot}");
        if let Some(stored) = self.stored_before(block, at) {
            self.push("drop restore", format!("{what}, use {stored}"), |f| {
                f.blocks[block].insts.remove(at);
                replace(f, value, stored);
            });
        }
        if let Some(other) = self.neighbour(block, at) {
            let there = self.slot(other);
            if there != slot {
                self.push("swap slots of restores", format!("{what} with s{there}"), |f| {
                    f.insts[inst].imm = there;
                    f.insts[other].imm = slot;
                });
            }
        }
        if let Some(before) = self.insts(block)[..at].iter().rposition(|&i| self.safepoint(i)) {
            self.push("move restore before safepoint", what.clone(), |f| {
                let inst = f.blocks[block].insts.remove(at);
                f.blocks[block].insts.insert(before, inst);
            });
        }
        for other in self.other_slots(slot) {
            self.push("change slot of restore", format!("{what}: s{other}"), |f| f.insts[inst].imm = other);
        }
    }

    /// Frames of safepoints, and operands of instructions that the original has.
    fn of_other(&mut self, block: Block, inst: Inst) {
        let name = self.op(inst).name();
        if self.safepoint(inst) {
            let frame = self.func.insts[inst].aux;
            for other in [frame.wrapping_sub(1), frame + 1, 0] {
                if other != frame && other != u32::MAX {
                    let what = format!("{block}: {name}: frame {other} for {frame}");
                    self.push("change frame", what, |f| f.insts[inst].aux = other);
                }
            }
        }
        let args = self.func.args(inst).to_vec();
        let ptrs: Vec<usize> = (0..args.len()).filter(|&i| self.func.values[args[i]] == Type::Ref).collect();
        for (n, &i) in ptrs.iter().enumerate() {
            for &j in ptrs[n + 1..].iter().filter(|&&j| args[i] != args[j]) {
                self.push("swap operands", format!("{block}: {name}: {} and {}", args[i], args[j]), |f| {
                    let mut args = args.clone();
                    args.swap(i, j);
                    f.set_args(inst, &args);
                });
            }
            for other in self.stale_names(args[i]) {
                self.push("use old name", format!("{block}: {name}: {other} for {}", args[i]), |f| {
                    let mut args = args.clone();
                    args[i] = other;
                    f.set_args(inst, &args);
                });
            }
        }
    }

    /// Values that may be used in place of a restored one by mistake: what was spilled, and the function's arguments.
    fn stale_names(&self, value: Value) -> Vec<Value> {
        let mut names = Vec::new();
        for &block in &self.func.layout {
            for (at, &inst) in self.insts(block).iter().enumerate() {
                if self.op(inst) == Opcode::Restore && self.func.result(inst) == value {
                    names.extend(self.stored_before(block, at));
                    names.extend(self.entry_refs());
                }
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    fn of_edges(&mut self, block: Block) {
        for edge in 0..self.func.blocks[block].edges.len() {
            let args = self.func.edge_args(&self.func.blocks[block].edges[edge]).to_vec();
            let ptrs: Vec<usize> = (0..args.len()).filter(|&i| self.func.values[args[i]] == Type::Ref).collect();
            for (n, &i) in ptrs.iter().enumerate() {
                for &j in ptrs[n + 1..].iter().filter(|&&j| args[i] != args[j]) {
                    self.push("swap edge arguments", format!("{block}: {} and {}", args[i], args[j]), |f| {
                        f.blocks[block].edges[edge].args.as_mut_slice(&mut f.pool).swap(i, j);
                    });
                }
                for other in self.stale_names(args[i]) {
                    self.push("pass old name", format!("{block}: {other} for {}", args[i]), |f| {
                        f.blocks[block].edges[edge].args.as_mut_slice(&mut f.pool)[i] = other;
                    });
                }
            }
        }
    }
}

/// Uses `new` for `old` everywhere.
fn replace(func: &mut Func, old: Value, new: Value) {
    let Func { layout, blocks, insts, pool, .. } = func;
    for &block in layout.iter() {
        let lists = blocks[block].edges.iter_mut().map(|e| &mut e.args);
        for list in lists {
            list.as_mut_slice(pool).iter_mut().filter(|v| **v == old).for_each(|v| *v = new);
        }
        for &inst in &blocks[block].insts {
            let args = insts[inst].args.as_mut_slice(pool);
            args.iter_mut().filter(|v| **v == old).for_each(|v| *v = new);
        }
    }
}
