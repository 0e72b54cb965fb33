//! What `raise` and calls with a handler mean: the frames above the innermost such call are gone, and it goes on at its
//! second target.

use crate::calls::Next;
use crate::code::{FuncCode, Op};
use crate::machine::{Frame, Machine};
use crate::value::Trap;
use cleave_ir::expand_exceptions::UNCAUGHT_IMMEDIATE;
use cleave_ir::layout::{TAG_HNF, is_immediate};
use cleave_rt::base::{console, error};
use cleave_rt::platform::Host;

impl<'p> Machine<'p> {
    /// A call with a handler has returned: goes to its first target.
    pub(crate) fn return_normally(&mut self, code: &FuncCode, op: Op) -> Result<usize, Trap> {
        self.go(&code.targets[(op.imm >> 32) as usize])
    }

    /// `raise`: nobody below `floor` may handle it, since others wait in between, who do not know of exceptions.
    pub(crate) fn raise(&mut self, op: Op, floor: usize) -> Result<Next<'p>, Trap> {
        let program = self.program;
        let exception = self.reference(op.b)?;
        let handles = |frame: &Frame| program.code(frame.func).ops[frame.pc as usize].op.handled_call().is_some();
        let waiting = &self.frames[floor..self.frames.len() - 1];
        let Some(at) = waiting.iter().rposition(handles) else {
            if is_immediate(exception) {
                console::flush(self);
                error::fail_with(self, UNCAUGHT_IMMEDIATE.as_bytes())?;
            }
            let exception = self.value_of(exception)?;
            let header = self.memory.load32(exception)?;
            let name = program.row_at(header).map_or(0, |(desc, _)| program.data_section.name(desc));
            error::uncaught(self, name)?;
            return Err(Trap::wrong("the runtime went on after an uncaught exception"));
        };
        self.frames.truncate(floor + at + 1);
        let frame = *self.top();
        self.base = frame.base;
        if self.spilled >= self.frames.len() {
            self.unspill_top()?;
        }
        let code = program.code(frame.func);
        let call = code.ops[frame.pc as usize];
        self.pc = frame.pc;
        let site = &code.sites[call.imm as u32 as usize];
        if let Some(&reg) = site.results.last() {
            self.set_ref(reg, exception);
        }
        let pc = self.go(&code.targets[(call.imm >> 32) as usize + 1])?;
        Ok((code, pc))
    }

    /// The value of a reference, which may be a thunk.
    fn value_of(&mut self, reference: u32) -> Result<u32, Trap> {
        if self.memory.load32(reference)? & TAG_HNF != 0 {
            return Ok(reference);
        }
        self.top().pc = self.pc;
        let sp = self.spill_frames()?;
        self.heap_to_record()?;
        let value = self.eval(sp, reference)?;
        self.heap_from_record()?;
        Ok(value)
    }
}
