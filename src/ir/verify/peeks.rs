//! The reference-counted heap: what is read from an element of an array, from a field that the program overwrites
//! somewhere, or from static storage, without being counted, is kept alive by that place alone. So it is gone when
//! anything may have been written since, on any path. To release or take apart what has been retained meanwhile is no
//! use of that place.

use crate::cfg::Cfg;
use crate::entity::{Block, Inst, Value};
use crate::func::{Func, InstData};
use crate::module::Module;
use crate::opcode::{Flags, Opcode};
use crate::ownership::ResultOwner;
use crate::reference_writers::ReferenceWriters;
use crate::written_fields::WrittenFields;
use cranelift_entity::{EntitySet, SecondaryMap};

/// What a module may overwrite.
pub struct Writes {
    written: WrittenFields,
    writers: ReferenceWriters,
}

impl Writes {
    /// Of a module.
    pub fn of(module: &Module) -> Writes {
        Writes { written: WrittenFields::of(module), writers: ReferenceWriters::of(module) }
    }

    /// True if a rooted function uses such a value after a write.
    pub fn is_stale(&self, module: &Module, func: &Func) -> bool {
        let is_unstable = |data: &InstData| data.op == Opcode::PeekCafRef && !self.writers.is_set_once(data);
        let mut insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
        if insts.any(|&inst| is_unstable(&func.insts[inst])) {
            return true;
        }
        let read = self.read(func);
        if read.is_empty() {
            return false;
        }
        let cfg = Cfg::compute(func);
        // What has not been overwritten since it was read; unknown as long as no way leads to the block.
        let mut fresh: SecondaryMap<Block, Option<EntitySet<Value>>> = SecondaryMap::new();
        fresh[cfg.order[0]] = Some(EntitySet::new());
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in &cfg.order {
                let Some(mut now) = fresh[block].clone() else { continue };
                for &inst in &func.blocks[block].insts {
                    self.pass(module, func, inst, &read, &mut now);
                }
                for edge in &func.blocks[block].edges {
                    let mut arrived = now.clone();
                    for (&arg, &param) in func.edge_args(edge).iter().zip(func.params(edge.block)) {
                        let holds = !read.contains(arg) || now.contains(arg);
                        if holds {
                            arrived.insert(param)
                        } else {
                            arrived.remove(param)
                        };
                    }
                    match &mut fresh[edge.block] {
                        Some(known) => {
                            let gone: Vec<Value> = known.iter().filter(|&value| !arrived.contains(value)).collect();
                            changed |= !gone.is_empty();
                            gone.into_iter().for_each(|value| _ = known.remove(value));
                        }
                        unknown => (*unknown, changed) = (Some(arrived), true),
                    }
                }
            }
        }
        cfg.order.iter().any(|&block| {
            let mut now = fresh[block].take().unwrap_or_default();
            for &inst in &func.blocks[block].insts {
                if self.is_used(module, func, inst, &read, &now) {
                    return true;
                }
                self.pass(module, func, inst, &read, &mut now);
            }
            let passed = func.blocks[block].edges.iter().flat_map(|edge| func.edge_args(edge));
            passed.into_iter().any(|&arg| read.contains(arg) && !now.contains(arg))
        })
    }

    /// Does an instruction use something that is gone, or is it used while something is written?
    fn is_used(
        &self,
        module: &Module,
        func: &Func,
        inst: Inst,
        read: &EntitySet<Value>,
        now: &EntitySet<Value>,
    ) -> bool {
        let data = &func.insts[inst];
        let releases = data.op.is_release();
        let is_outside = data.op == Opcode::CallRt && module.externs[data.external().0].from.is_some();
        let is_call = data.op.any(Flags::CALL) && (data.op != Opcode::CallRt || is_outside);
        let writes = is_call && self.writers.may_write(module, data);
        let looked_at = func.args(inst).get(usize::from(releases)..).unwrap_or_default();
        looked_at.iter().any(|&arg| read.contains(arg) && (writes || !now.contains(arg)))
    }

    /// What is fresh after an instruction.
    fn pass(&self, module: &Module, func: &Func, inst: Inst, read: &EntitySet<Value>, now: &mut EntitySet<Value>) {
        if self.writers.may_write(module, &func.insts[inst]) {
            now.clear();
        }
        func.results(inst).iter().filter(|&&result| read.contains(result)).for_each(|&result| _ = now.insert(result));
    }

    /// What is read from such places, and what is read from that.
    fn read(&self, func: &Func) -> EntitySet<Value> {
        let mut read: EntitySet<Value> = EntitySet::new();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in &func.layout {
                for &inst in &func.blocks[block].insts {
                    let data = &func.insts[inst];
                    let is_read = match data.op.result_owner() {
                        ResultOwner::Inside => {
                            data.op == Opcode::ElemRef
                                || self.written.may_change(data)
                                || func.args(inst).first().is_some_and(|&from| read.contains(from))
                        }
                        ResultOwner::Storage => true,
                        ResultOwner::Choice => func.args(inst).iter().skip(1).any(|&arg| read.contains(arg)),
                        ResultOwner::Own | ResultOwner::Static => false,
                    };
                    changed |= is_read && read.insert(func.result(inst));
                }
                // Other parameters own what they are given.
                for edge in &func.blocks[block].edges {
                    for (&arg, &param) in func.edge_args(edge).iter().zip(func.params(edge.block)) {
                        let is_lent = read.contains(arg) && func.borrowed.iter().any(|lent| lent.0 == param);
                        changed |= is_lent && read.insert(param);
                    }
                }
            }
        }
        read
    }
}
