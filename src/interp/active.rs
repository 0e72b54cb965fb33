//! The functions that had begun and not ended when a program stopped, for messages about its errors.

use crate::machine::{Frame, Machine};
use crate::session::Session;
use cleave_ir::{FuncId, Location};

/// As many are looked at as in compiled programs.
pub const MOST_ACTIVE: usize = 200;

/// A function that had begun and not ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Active {
    /// Its name in the module.
    pub function: String,
    /// Where it was in the source, as far as that is known.
    pub at: Location,
}

impl Session<'_> {
    /// After an error: the functions that were active, innermost first, at most `MOST_ACTIVE`.
    pub fn active(&self) -> Vec<Active> {
        self.machine.active()
    }

    /// What the program has written, unless it went out at once.
    pub fn take_output(&mut self) -> Vec<u8> {
        self.machine.flush_output();
        let mut output = std::mem::take(&mut self.machine.host_env.stdout);
        output.append(&mut self.machine.host_env.stderr);
        output
    }
}

impl Machine<'_> {
    pub(crate) fn active(&self) -> Vec<Active> {
        let one = |number| {
            let (frame, pc) = self.frame(number)?;
            let (function, at) = (self.program.func(frame.func).name.clone(), self.location(frame.func, pc));
            Some(Active { function, at })
        };
        (0..MOST_ACTIVE).map_while(one).collect()
    }

    /// A frame, counted from the innermost one, and where it is.
    pub(crate) fn frame(&self, number: usize) -> Option<(Frame, usize)> {
        let index = self.frames.len().checked_sub(number + 1)?;
        let frame = self.frames[index];
        Some((frame, if number == 0 { self.pc } else { frame.pc } as usize))
    }

    /// Where an instruction came from, or one before it in its block, or else its function.
    fn location(&self, func: FuncId, pc: usize) -> Location {
        let start = |func: &cleave_ir::Func| func.source.as_ref().map_or(Location::NONE, |source| source.start);
        let (data, code) = (self.program.func(func), self.program.code(func));
        let Some(&(block, inst)) = code.origin.get(pc) else { return start(data) };
        let before = data.blocks[block].insts.iter().rev().skip_while(|&&other| other != inst);
        before.map(|&inst| data.location(inst)).find(|at| at.is_known()).unwrap_or_else(|| start(data))
    }
}
