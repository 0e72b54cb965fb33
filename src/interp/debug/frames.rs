//! Call stack and variables, for the debugger.

use super::contents::Contents;
use super::data::{Activation, Shown, Variable};
use super::debugger::Debugger;
use crate::code::Reg;
use crate::machine::{Frame, Machine};
use crate::registers;
use cleave_ir::cfg::Cfg;
use cleave_ir::layout::is_immediate;
use cleave_ir::source::DebugType;
use cleave_ir::{FuncId, Location, Phase, Type, Value};

impl Debugger<'_> {
    /// How many functions have begun and not ended.
    pub fn depth(&self) -> usize {
        self.machine().frames.len()
    }

    /// A function that has begun and not ended: 0 is the innermost one.
    pub fn activation(&self, number: usize) -> Option<Activation> {
        let (frame, pc) = self.machine().frame(number)?;
        let (program, func) = (self.program(), self.program().func(frame.func));
        let code = program.code(frame.func);
        let (block, inst) = code.origin[pc];
        let before = func.blocks[block].insts.iter().rev().skip_while(|&&other| other != inst);
        let known = before.map(|&inst| func.location(inst)).find(|at| at.is_known());
        let visited = || match self.here.visit {
            Some(visit) if number == 0 && visit.depth == self.depth() && visit.func == frame.func => Some(visit.at),
            _ => None,
        };
        let start = || func.source.as_ref().map_or(Location::NONE, |source| source.start);
        let at = known.or_else(visited).unwrap_or_else(start);
        Some(Activation { function: func.name.clone(), at, block, inst })
    }

    /// The innermost calls, at most so many, the innermost first.
    pub fn activations(&self, most: usize) -> Vec<Activation> {
        (0..most.min(self.depth())).filter_map(|number| self.activation(number)).collect()
    }

    /// Where the program is.
    pub fn location(&self) -> Location {
        self.activation(0).map_or(Location::NONE, |activation| activation.at)
    }

    /// The text of the next instruction of a call.
    pub fn instruction(&self, number: usize) -> Option<String> {
        let (frame, pc) = self.machine().frame(number)?;
        let (block, inst) = self.program().code(frame.func).origin[pc];
        let func = self.program().func(frame.func);
        Some(cleave_ir::text::InstDisplay::new(self.program().module, func, block, inst).to_string())
    }

    /// The variables of a call that are known there, in the order in which they were bound. Of several with one name
    /// the innermost one is listed.
    pub fn variables(&self, number: usize) -> Vec<Variable> {
        let Some((frame, pc)) = self.machine().frame(number) else { return Vec::new() };
        let func = self.program().func(frame.func);
        let applied_args = self.applied_args(&frame, pc);
        let names = func.source.as_ref().map_or(&[][..], |source| &source.names);
        if names.is_empty() && !self.has_names {
            let mut values = applied_args;
            values.sort_by_key(|&(_, value)| value);
            let show = |(reg, value): (Reg, Value)| Variable {
                name: value.to_string(),
                value: self.machine().variable(&frame, pc, number, reg, func.values[value], DebugType::Plain),
            };
            return values.into_iter().map(show).collect();
        }
        let mut variables: Vec<Variable> = Vec::new();
        for named in names {
            let Some(&(reg, _)) = applied_args.iter().find(|applied_args| applied_args.1 == named.value) else {
                continue;
            };
            let value = self.machine().variable(&frame, pc, number, reg, func.values[named.value], named.meaning);
            variables.retain(|other| other.name != *named.name);
            variables.push(Variable { name: named.name.to_string(), value });
        }
        variables
    }

    /// A variable, or a value of the IR by its name (`v7`), in a call.
    pub fn variable(&self, number: usize, name: &str) -> Option<Shown> {
        if let Some(found) = self.variables(number).into_iter().find(|variable| variable.name == name) {
            return Some(found.value);
        }
        let (frame, pc) = self.machine().frame(number)?;
        let func = self.program().func(frame.func);
        let applied_args = self.applied_args(&frame, pc);
        let &(reg, value) = applied_args.iter().find(|(_, value)| value.to_string() == name)?;
        Some(self.machine().variable(&frame, pc, number, reg, func.values[value], DebugType::Plain))
    }

    /// What a call of rooted IR has on the shadow stack while it waits for another one: slots with their cells.
    pub fn slots(&self, number: usize) -> Vec<(u32, u32)> {
        let machine = self.machine();
        let Some((frame, pc)) = machine.frame(number).filter(|_| number > 0) else { return Vec::new() };
        let code = self.program().code(frame.func);
        if code.phase != Phase::Rooted {
            return Vec::new();
        }
        let depth = code.sites[code.ops[pc].imm as usize].depth;
        let read = |slot: u32| {
            let at = frame.sp.wrapping_sub(4 * (slot + 1));
            let address = machine.memory.load_any(at).map_or(0, u32::from_le_bytes);
            (slot, machine.shown_reference(address))
        };
        let object = |(slot, shown)| if let Shown::Object(object) = shown { Some((slot, object)) } else { None };
        (0..depth).map(read).filter_map(object).collect()
    }

    /// The cells that a call still needs, whether they have a name or not.
    pub(super) fn needed(&self, number: usize) -> Vec<u32> {
        let Some((frame, pc)) = self.machine().frame(number) else { return Vec::new() };
        let func = self.program().func(frame.func);
        let inst = self.program().code(frame.func).origin[pc].1;
        // A call that waits for another one has passed its operands on.
        let waits = |other| (other == inst).then_some(number == 0);
        let regs = registers::assign(func, &Cfg::compute(func), waits);
        let value =
            |&value: &Value| self.machine().variable(&frame, pc, number, regs.of[value], Type::Ref, DebugType::Plain);
        let object = |shown| if let Shown::Object(object) = shown { Some(object) } else { None };
        regs.live_refs[inst].iter().map(value).filter_map(object).collect()
    }

    fn applied_args(&self, frame: &Frame, pc: usize) -> Vec<(Reg, Value)> {
        let (block, inst) = self.program().code(frame.func).origin[pc];
        Contents::compute(self.program().func(frame.func)).at(block, inst)
    }

    /// The function of a call.
    pub fn function(&self, number: usize) -> Option<FuncId> {
        Some(self.machine().frame(number)?.0.func)
    }
}

impl Machine<'_> {
    /// What a register of a frame holds.
    fn variable(&self, frame: &Frame, pc: usize, number: usize, reg: Reg, ty: Type, meaning: DebugType) -> Shown {
        let bits = self.regs[frame.base + reg as usize];
        if ty != Type::Ref {
            return Shown::of(self.program.module, ty, bits, meaning);
        }
        let code = self.program.code(frame.func);
        let index = self.frames.len() - 1 - number;
        let address = if index < self.spilled && code.phase == Phase::High {
            // The collector has it.
            let roots = code.roots_at(pc as u32);
            let Some(slot) = roots.iter().position(|&root| root == reg) else { return Shown::Gone };
            let at = frame.sp.wrapping_sub(4 * (slot as u32 + 1));
            self.memory.load_any(at).map_or(0, u32::from_le_bytes)
        } else if is_immediate(bits as u32)
            || (bits as u32) < self.program.data_section.heap_base
            || (bits >> 32) as u32 == self.epoch
        {
            bits as u32
        } else {
            return Shown::Gone;
        };
        self.shown_reference(address)
    }
}
