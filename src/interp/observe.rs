//! Events for the debugger, collected before each instruction when a program is watched: where it is in the source,
//! what the instruction before did to the heap, and whether that is what the watcher waits for (`watch.rs`).

use crate::code::FuncCode;
use crate::machine::Machine;
use crate::value::Trap;
use crate::watch::{Aim, Before, Event, EventKind, Step, Visit, Watch};
use cleave_ir::layout::TAG_HNF;
use cleave_ir::{Flags, Location, Opcode, Phase};

impl Machine<'_> {
    /// Called before each instruction of a run that is observed.
    #[inline]
    pub(crate) fn observe(&mut self, code: &FuncCode) -> Result<(), Trap> {
        if let Some(count) = self.executed.get_mut(code.ops[self.pc as usize].op as usize) {
            *count += 1;
        }
        let Some(watch) = &mut self.watch else { return Ok(()) };
        let now = watch.clock;
        if now >= watch.wake {
            let mut watch = self.watch.take().expect("looked at above");
            let stops = self.look(code, &mut watch);
            self.watch = Some(watch);
            if stops {
                return Err(Trap::Paused);
            }
        }
        if let Some(watch) = &mut self.watch {
            watch.clock += 1;
        }
        Ok(())
    }

    /// Whether the run is to stop before the instruction at `pc`.
    #[inline(never)]
    fn look(&mut self, code: &FuncCode, watch: &mut Watch) -> bool {
        let now = watch.clock;
        if let Some(before) = watch.before {
            watch.events.clear();
            self.compare(before, &mut watch.events);
        }
        watch.before = Some(self.before(code));
        let is_new = self.visit(code, watch);
        if let Aim::Time(time) = watch.aim {
            return now >= time;
        }
        if now <= watch.origin.time {
            return false;
        }
        watch.breakpoint = if watch.breakpoints.is_empty() { None } else { self.breakpoint(watch) };
        let reached = |step| self.has_reached(step, watch, is_new) || watch.breakpoint.is_some();
        match watch.aim {
            Aim::Backward(_, time) if now >= time => true,
            Aim::Backward(step, _) => {
                if reached(step) {
                    watch.found = Some(watch.point());
                }
                false
            }
            Aim::Forward(step) => reached(step) || now >= watch.limit,
            Aim::Time(_) => false,
        }
    }

    fn has_reached(&self, step: Step, watch: &Watch, is_new: bool) -> bool {
        let depth = self.frames.len();
        match step {
            Step::Instruction => true,
            Step::Into => is_new,
            Step::Over => is_new && depth <= watch.depth,
            Step::Line => is_new && depth <= watch.depth && self.is_other_line(watch),
            Step::Out => depth < watch.depth,
            Step::End => false,
            step => watch.events.iter().any(|event| event.kind.is_wanted(step)),
        }
    }

    fn is_other_line(&self, watch: &Watch) -> bool {
        let line = |at: Location| (at.file, at.line);
        match (watch.visit, watch.place) {
            (Some(visit), Some((func, at))) => {
                visit.depth < watch.depth || visit.func != func || line(visit.at) != line(at)
            }
            _ => true,
        }
    }

    /// Keeps the visit up to date; true if a new one begins here.
    fn visit(&self, code: &FuncCode, watch: &mut Watch) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        let at = self.program.func(frame.func).location(code.origin[self.pc as usize].1);
        // A constant is part of what it is for.
        if !at.is_known() || code.ops[self.pc as usize].op.any(Flags::CONSTANT) {
            return false;
        }
        let visit = Visit { depth: self.frames.len(), func: frame.func, at, pc: self.pc };
        let last = watch.visit.replace(visit);
        // Instructions of one visit lie in ascending order; a loop visits a place again.
        match last {
            Some(last) => (last.depth, last.func, last.at) != (visit.depth, visit.func, at) || last.pc >= self.pc,
            // In the middle of a run it may have begun before one began to look.
            None => watch.origin.time == 0,
        }
    }

    /// The first breakpoint that is here.
    fn breakpoint(&self, watch: &Watch) -> Option<usize> {
        let here = (self.frames.last()?.func, self.pc);
        watch.breakpoints.iter().find(|&&(_, func, pc)| (func, pc) == here).map(|breakpoint| breakpoint.0)
    }

    fn before(&self, code: &FuncCode) -> Before {
        let op = code.ops[self.pc as usize];
        let counters = &self.counters;
        let operand = self.regs.get(self.base + op.b as usize).copied().unwrap_or(0);
        let begins_cell = code.phase == Phase::Low
            && matches!(op.op, Opcode::StoreI32 | Opcode::StoreI64)
            && op.imm == 0
            && self.program.module.heap.counts()
            && operand as u32 >= self.program.data_section.heap_base;
        Before {
            op: op.op,
            operand,
            result: self.base + op.a as usize,
            heap_pointer: self.heap_pointer,
            epoch: self.epoch,
            counts: [counters.allocations, counters.reuses, counters.frees, counters.retains, counters.releases],
            first_word: if begins_cell { self.memory.load32(operand as u32).ok() } else { None },
        }
    }

    /// What happened to the heap since.
    fn compare(&self, before: Before, events: &mut Vec<Event>) {
        use EventKind::*;
        use Opcode::*;
        let result = || self.regs.get(before.result).map(|&bits| bits as u32);
        let operand = Some(before.operand as u32);
        let mut add = |kind, object| events.push(Event { kind, object });
        let is_collected = before.epoch != self.epoch;
        if is_collected {
            add(Collected, None);
        }
        let counters = &self.counters;
        let counts = [counters.allocations, counters.reuses, counters.frees, counters.retains, counters.releases];
        let makes = matches!(before.op, BuildNode | BuildThunk | BuildDummy | BoxInt | Alloc | Reuse | ResetOrAlloc);
        let object = || if makes { result() } else { None };
        for (kind, (old, new)) in
            [Allocated, Reused, Freed, Retained, Released].into_iter().zip(before.counts.into_iter().zip(counts))
        {
            if old != new {
                add(kind, if matches!(kind, Allocated | Reused) { object() } else { operand });
            }
        }
        if before.counts == counts && makes && (is_collected || before.heap_pointer != self.heap_pointer) {
            add(Allocated, object());
        }
        // Low code has no instruction that takes a cell or gives it back: a living cell begins with its header, and a
        // free one with the way to the next.
        if let (Some(old), Ok(new)) = (before.first_word, self.memory.load32(before.operand as u32)) {
            match (self.is_header(old), self.is_header(new)) {
                (false, true) => return add(Allocated, operand),
                (true, false) => return add(Freed, operand),
                _ => {}
            }
        }
        match before.op {
            SetRef | ExchangeRef | SetI64 | SetF64 | SetNodeInfo | FillNode | FillThunk | FillCopy
            | MakeIndirection | Blackhole | SetElemRef | SetElemI64 | SetElemF64 | SetElemU8 | SetElemI32
            | SetElemF32 | ArraySet => {
                add(Wrote, operand.filter(|_| !is_collected));
            }
            StoreI32 | StoreI64 | StoreF64 | StoreRef | StoreU8 | StoreF32
                if before.operand as u32 >= self.program.data_section.heap_base =>
            {
                add(Wrote, operand);
            }
            _ => {}
        }
    }
    fn is_header(&self, word: u32) -> bool {
        word & TAG_HNF != 0 && self.program.row_at(word).is_some()
    }
}
