//! Which values the registers of a frame hold at an instruction. A value stays in its register after its last use
//! until another one takes the register: so one can still look at it.
//!
//! A forward analysis: a register holds a value where it does so on every way.

use crate::code::Reg;
use crate::registers::{self, Registers};
use cleave_ir::cfg::Cfg;
use cleave_ir::{Block, Func, Inst, SecondaryMap, Value};

pub(crate) struct Contents<'f> {
    func: &'f Func,
    regs: Registers,
    /// By register; nothing for blocks that are never reached.
    at_entry: SecondaryMap<Block, Option<Vec<Option<Value>>>>,
}

impl<'f> Contents<'f> {
    pub fn compute(func: &'f Func) -> Contents<'f> {
        let cfg = Cfg::compute(func);
        let regs = registers::assign(func, &cfg, |_| None);
        let mut contents = Contents { func, regs, at_entry: SecondaryMap::new() };
        let mut entry = vec![None; contents.regs.count];
        contents.set(&mut entry, func.params(func.entry_block()));
        contents.at_entry[func.entry_block()] = Some(entry);
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for &block in &cfg.order {
                let Some(mut applied_args) = contents.at_entry[block].clone() else { continue };
                for &inst in &func.blocks[block].insts {
                    contents.set(&mut applied_args, func.results(inst));
                }
                for edge in &func.blocks[block].edges {
                    let mut passed = applied_args.clone();
                    contents.set(&mut passed, func.params(edge.block));
                    is_changed |= contents.meet(edge.block, passed);
                }
            }
        }
        contents
    }

    fn set(&self, applied_args: &mut [Option<Value>], values: &[Value]) {
        for &value in values {
            if let Some(place) = applied_args.get_mut(self.regs.of[value] as usize) {
                *place = Some(value);
            }
        }
    }

    fn meet(&mut self, block: Block, new: Vec<Option<Value>>) -> bool {
        let Some(known) = &mut self.at_entry[block] else {
            self.at_entry[block] = Some(new);
            return true;
        };
        let mut is_changed = false;
        for (known, new) in known.iter_mut().zip(new) {
            if known.is_some() && *known != new {
                *known = None;
                is_changed = true;
            }
        }
        is_changed
    }

    /// The values that are there before an instruction, with their registers.
    pub fn at(&self, block: Block, inst: Inst) -> Vec<(Reg, Value)> {
        let Some(mut applied_args) = self.at_entry[block].clone() else { return Vec::new() };
        let before = self.func.blocks[block].insts.iter().take_while(|&&other| other != inst);
        for &inst in before {
            self.set(&mut applied_args, self.func.results(inst));
        }
        let applied_args = applied_args.into_iter().enumerate();
        applied_args.filter_map(|(reg, value)| Some((reg as Reg, value?))).collect()
    }
}
