//! Control transfer between functions: calls, tail calls, evaluation, libcalls, returns. Nothing here recurses over
//! the program's calls; only a libcall that evaluates a node starts a nested loop.

use crate::code::{CallSite, Callee, FuncCode, NARROW, Op};
use crate::machine::Machine;
use crate::value::Trap;
use cleave_ir::layout::{CAPTURE_RESULTS, TAG_HNF};
use cleave_ir::{EntityRef, Extern, FuncId, Libcall, Opcode, Phase, Type};

/// What stress writes to dead slots: no object is there.
const POISONED_SLOT: u32 = 0xdead_deac;

/// Where execution goes on.
pub(crate) type Next<'p> = (&'p FuncCode, usize);

impl<'p> Machine<'p> {
    fn check_refs(&self, code: &FuncCode, site: &CallSite) -> Result<(), Trap> {
        if code.phase != Phase::High {
            for &reg in &site.ref_args {
                self.reference(reg)?;
            }
        }
        Ok(())
    }

    /// Shadow-stack pointer for a callee: below the slots that the collector shall see.
    fn callee_sp(&mut self, site: &CallSite) -> Result<u32, Trap> {
        match site.stack_pointer {
            Some(reg) => Ok(self.get(reg) as u32),
            None => self.top().sp.checked_sub(4 * site.depth).ok_or(Trap::StackOverflow),
        }
    }

    /// The function to call; an extern is nothing of this kind.
    fn callee(&self, site: &CallSite) -> Result<FuncId, Trap> {
        match &site.callee {
            Callee::Func(func) => Ok(*func),
            Callee::Table(funcs, index) => {
                let index = self.get(*index) as u32;
                funcs.get(index as usize).copied().ok_or_else(|| {
                    Trap::wrong(format!("index {index} in a dispatch table of {} functions", funcs.len()))
                })
            }
            Callee::Entry => self.entry_code(self.memory.load32(self.reference(site.args[0])?)?),
            Callee::Apply | Callee::Update | Callee::Instance(_) => {
                self.dispatched(site)?.ok_or_else(|| Trap::wrong("an argument is added without a call"))
            }
            Callee::Extern(_) => unreachable!("externs are not called as functions"),
        }
    }

    /// Calls a function: `call`, `call_table`, `enter`, and `eval` of a thunk.
    #[inline]
    pub(crate) fn call(&mut self, code: &'p FuncCode, site: &'p CallSite) -> Result<Next<'p>, Trap> {
        self.check_refs(code, site)?;
        let callee = self.callee(site)?;
        self.top().pc = self.pc;
        let base = self.base;
        let mut sp = self.callee_sp(site)?;
        let entered = self.program.code(callee);
        if code.phase == Phase::High && entered.phase != Phase::High {
            // The callee uses the shadow stack at once, so ours cannot be spilled later.
            sp = self.spill_frames()?;
        }
        self.push_frame(callee, entered, base + code.regs, sp)?;
        for (i, &reg) in site.args.iter().enumerate() {
            self.regs[base + code.regs + i] = self.regs[base + reg as usize];
        }
        Ok((entered, 0))
    }

    /// Replaces the running activation: `tail_call`, `tail_call_table`, `tail_enter`, and `tail_eval` of a thunk.
    #[inline]
    pub(crate) fn tail_call(&mut self, code: &'p FuncCode, site: &'p CallSite) -> Result<Next<'p>, Trap> {
        self.check_refs(code, site)?;
        let callee = self.callee(site)?;
        let entered = self.program.code(callee);
        if code.phase == Phase::High && entered.phase != Phase::High {
            self.top().pc = self.pc;
            self.spill_frames()?;
        }
        if let Some(reg) = site.stack_pointer {
            self.top().sp = self.get(reg) as u32;
        }
        self.results.clear();
        for &reg in &site.args {
            self.results.push(self.regs[self.base + reg as usize]);
        }
        let frame = *self.top();
        self.frames.pop();
        self.spilled = self.spilled.min(self.frames.len());
        self.push_frame(callee, entered, frame.base, frame.sp)?;
        for (i, &bits) in self.results.iter().enumerate() {
            self.regs[frame.base + i] = bits;
        }
        Ok((entered, 0))
    }

    /// True if the node is in head normal form.
    #[inline]
    pub(crate) fn is_hnf(&self, node: u32) -> Result<bool, Trap> {
        Ok(self.memory.load32(node)? & TAG_HNF != 0)
    }

    /// `ret`: delivers the operands to the waiting call; nothing if the activation at `floor` has ended, whose results
    /// are then in `results`.
    #[inline]
    pub(crate) fn ret(&mut self, code: &'p FuncCode, op: &Op, floor: usize) -> Result<Option<Next<'p>>, Trap> {
        self.results.clear();
        for &(reg, is_ref) in &code.lists[op.imm as usize] {
            if is_ref {
                self.reference(reg)?;
            }
            self.results.push(self.regs[self.base + reg as usize]);
        }
        if code.phase == Phase::High
            && let Some(frame) = self.frames.last()
            && self.program.evaluates.get(frame.func.index()) == Some(&true)
        {
            self.check_evaluated(self.results[0] as u32)?;
        }
        self.leave(floor)
    }

    /// Ends the running activation with the values in `results`.
    pub(crate) fn leave(&mut self, floor: usize) -> Result<Option<Next<'p>>, Trap> {
        let Some(left) = self.frames.pop() else { return Err(Trap::wrong("return without a call")) };
        if self.frames.len() == floor {
            self.spilled = self.spilled.min(floor);
            return Ok(None);
        }
        let caller = *self.top();
        self.base = caller.base;
        if self.spilled >= self.frames.len() {
            self.unspill_top()?;
        }
        let code = self.program.code(caller.func);
        let op = code.ops[caller.pc as usize];
        let site = &code.sites[op.imm as u32 as usize];
        self.pc = caller.pc;
        if matches!(op.op, Opcode::Eval | Opcode::Enter | Opcode::Apply | Opcode::TryApply | Opcode::Update) {
            let value = self.results[0] as u32;
            self.check_evaluated(value)?;
        }
        self.safepoint(code, site, left.sp)?;
        self.deliver(site);
        if op.op.handled_call().is_some() {
            return Ok(Some((code, self.return_normally(code, op)?)));
        }
        Ok(Some((code, caller.pc as usize + 1)))
    }

    fn deliver(&mut self, site: &CallSite) {
        // A call with a handler has one result more: the exception.
        for (&reg, &bits) in site.results.iter().zip(&self.results) {
            self.regs[self.base + reg as usize] = bits;
        }
    }

    /// Under stress, collects at the end of a safepoint of rooted or low code, as the callee might have done. The
    /// results in `results` survive; nothing else in registers does.
    fn safepoint(&mut self, code: &FuncCode, site: &CallSite, mut sp: u32) -> Result<(), Trap> {
        if self.stress == 0 || code.phase == Phase::High || !site.collects || !self.is_stressed() {
            return Ok(());
        }
        let ptrs = || site.ref_results.iter().enumerate().filter(|r| *r.1).map(|r| r.0);
        for i in ptrs() {
            sp = sp.checked_sub(4).ok_or(Trap::StackOverflow)?;
            self.memory.store_any(sp, (self.results[i] as u32).to_le_bytes())?;
        }
        self.force_collection(sp)?;
        let mut slots = ptrs().collect::<Vec<_>>();
        slots.reverse();
        for i in slots {
            self.results[i] = self.tagged(u32::from_le_bytes(self.memory.load_any(sp)?));
            sp += 4;
        }
        self.poison_below(sp)
    }

    /// Counts a safepoint; true for every `stress`-th.
    fn is_stressed(&mut self) -> bool {
        self.safepoints += 1;
        self.stress != 0 && self.safepoints.is_multiple_of(self.stress)
    }

    /// `call_rt`.
    pub(crate) fn call_extern(&mut self, code: &'p FuncCode, site: &'p CallSite, id: Extern) -> Result<(), Trap> {
        self.check_refs(code, site)?;
        let mut args = [0; 8];
        for (arg, &reg) in args.iter_mut().zip(&site.args) {
            *arg = self.get(reg);
        }
        let mut sp = 0;
        if site.collects {
            self.top().pc = self.pc;
            sp = self.callee_sp(site)?;
            let low = self.spill_frames()?;
            if code.phase == Phase::High {
                sp = low;
            }
        }
        for &(operand, kind) in self.program.operands[id.index()] {
            self.check_kind(args[operand] as u32, kind)?;
        }
        self.check_demands(self.program.demands[id.index()], &args)?;
        let reserves = id == Libcall::Collect.id();
        if reserves && code.phase != Phase::High && self.is_stressed() {
            self.prepare_forced();
        }
        let mut results = std::mem::take(&mut self.results);
        results.clear();
        self.external(id, sp, &args[..site.args.len()], &mut results)?;
        self.results = results;
        self.base = self.top().base;
        if site.collects {
            self.unspill_top()?;
            if reserves {
                // Nothing may collect between the reservation and what it is for.
                self.grant(code, sp, args[0] as u32)?;
            } else {
                self.safepoint(code, site, sp)?;
            }
        }
        self.deliver(site);
        Ok(())
    }

    /// After a reservation: what may be allocated, and what is no longer on the shadow stack.
    fn grant(&mut self, code: &FuncCode, sp: u32, bytes: u32) -> Result<(), Trap> {
        self.granted = self.heap_pointer.saturating_add(bytes);
        if self.stress != 0 && code.phase != Phase::High { self.poison_below(sp) } else { Ok(()) }
    }

    /// Overwrites the shadow stack beyond the frames, as callees might have done: a slot that the safepoint did not
    /// name must not be restored.
    fn poison_below(&mut self, sp: u32) -> Result<(), Trap> {
        const BYTES: u32 = 256;
        let bytes = sp.min(BYTES);
        for slot in self.memory.slice_mut(sp - bytes, bytes)?.chunks_exact_mut(4) {
            slot.copy_from_slice(&POISONED_SLOT.to_le_bytes());
        }
        Ok(())
    }

    /// `collect` in any phase. The roots end at the frame depth of rooted code, at the operand of low code.
    pub(crate) fn collect_op(&mut self, code: &FuncCode, op: Op) -> Result<(), Trap> {
        let (bytes, depth) = (op.imm as u32, (op.imm >> 32) as u32);
        let sp = match op.flags & NARROW {
            0 => self.top().sp.checked_sub(4 * depth).ok_or(Trap::StackOverflow)?,
            _ => self.get(op.b) as u32,
        };
        if code.phase == Phase::High {
            self.collect_high(bytes)?;
        } else {
            self.top().pc = self.pc;
            self.spill_frames()?;
            self.spilled = self.frames.len() - 1;
            if self.is_stressed() {
                self.prepare_forced();
            }
            self.collect(sp, bytes)?;
        }
        self.grant(code, sp, bytes)
    }

    /// Runs a function to its end from outside of compiled code; the results are in `results`.
    pub(crate) fn invoke(&mut self, func: FuncId, args: &[u64], sp: u32) -> Result<(), Trap> {
        self.invoke_once(func, args, sp)?;
        let module = self.program.module;
        let Some(captures) = module.captures.as_ref() else { return Ok(()) };
        let is_flagged = captures.flagged.contains(&func);
        if self.stack_limit != 0 {
            self.results.truncate(self.results.len() - usize::from(is_flagged));
            return Ok(());
        }
        self.invoke_once(captures.trampoline, &[], sp)?;
        self.results.clear();
        for (&ty, address) in module.funcs[func].signature.results.iter().zip((CAPTURE_RESULTS..).step_by(8)) {
            let bits = match ty {
                Type::I32 => i32::from_le_bytes(self.memory.load_any(address)?) as i64 as u64,
                Type::Ref => self.tagged(u32::from_le_bytes(self.memory.load_any(address)?)),
                Type::I64 | Type::F64 => u64::from_le_bytes(self.memory.load_any(address)?),
            };
            self.results.push(bits);
        }
        self.results.truncate(self.results.len() - usize::from(is_flagged));
        Ok(())
    }

    /// The same as far as it goes before it is captured.
    fn invoke_once(&mut self, func: FuncId, args: &[u64], sp: u32) -> Result<(), Trap> {
        let floor = self.frames.len();
        let base = match self.frames.last() {
            Some(frame) => frame.base + self.program.code(frame.func).regs,
            None => 0,
        };
        let (waiting_pc, waiting_base) = (self.pc, self.base);
        let ended = self.push_frame(func, self.program.code(func), base, sp).and_then(|_| {
            self.regs[base..base + args.len()].copy_from_slice(args);
            self.run(floor)
        });
        if ended.is_ok() {
            (self.pc, self.base) = (waiting_pc, waiting_base);
        }
        ended
    }
}
