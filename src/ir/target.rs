//! What a back end is to the rest of the compiler: the trait [`Target`], and [`Lowered`], what it is given.
//!
//! A target says where static data lies in its memory and makes an artifact of low IR. The order of everything before
//! is not its business, and not that of its callers: `cleave-compile` has it.

use crate::data_section::StaticDataSection;
use crate::{Module, Phase};

/// A back end.
pub trait Target {
    /// What it makes of a program.
    type Artifact;
    /// Why it can make nothing of one.
    type Error: std::error::Error;

    /// A word for messages.
    fn name(&self) -> &'static str;

    /// Lays out the static data of a module whose roots are placed, where this target has them.
    fn lay_out(&self, module: &Module) -> StaticDataSection;

    /// True if the collector can walk the frames of compiled code: what the root strategy `stackmap` needs.
    fn has_frames(&self) -> bool {
        false
    }

    /// True if a call costs more than what it passes: if each function checks the stack, or saves registers that its
    /// caller does not need. Larger functions are then copied to where they are called.
    fn expensive_calls(&self) -> bool {
        false
    }

    /// True if loops of functions that run once shall be entered anew now and then: for engines that never replace
    /// running code by better code.
    fn wants_osr_loops(&self) -> bool {
        false
    }

    /// True if the stack may be small, and nobody knows how small: recursive functions then can leave it when they
    /// must, and go on later.
    fn has_small_stack(&self) -> bool {
        false
    }

    /// True if the functions that are active at an error shall be found, wherever their frames are.
    fn traces(&self) -> bool {
        false
    }

    /// Leaves functions without their bodies whose code the target has from an earlier build, before references are
    /// placed and nodes become loads and stores: both work on one function at a time. Gives the static data if it had
    /// to be laid out for this; it is then that of the program.
    fn recall(&self, _: &mut Module) -> Option<StaticDataSection> {
        None
    }

    /// Makes the artifact. What it needs prepared in the IR for its own sake, it does here.
    fn emit(&self, lowered: Lowered) -> Result<Self::Artifact, Self::Error>;
}

/// A program of low IR with its static data: what `emit` takes.
///
/// Low IR contains the addresses of the data section, so both belong together, and to one target.
#[derive(Debug)]
pub struct Lowered {
    module: Module,
    data_section: StaticDataSection,
    target: &'static str,
}

impl Lowered {
    /// Puts together what was lowered for a target. `cleave-compile` does this; others are tests of back ends.
    ///
    /// # Panics
    /// If a function is not low.
    pub fn new<T: Target>(module: Module, data_section: StaticDataSection, target: &T) -> Lowered {
        let wrong = module.funcs.values().find(|func| func.phase != Phase::Low);
        assert!(wrong.is_none(), "@{} is not low", wrong.map_or("", |func| &func.name));
        Lowered { module, data_section, target: target.name() }
    }

    /// The program.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Its static data.
    pub fn data_section(&self) -> &StaticDataSection {
        &self.data_section
    }

    /// Gives functions other names, for listings and backtraces; `None` keeps a name.
    pub fn rename(&mut self, name: impl Fn(&str) -> Option<String>) {
        for func in self.module.funcs.values_mut() {
            if let Some(name) = name(&func.name) {
                func.name = name;
            }
        }
    }

    /// The parts, for the target that the program was lowered for.
    ///
    /// # Panics
    /// If that is another one: its addresses are others.
    pub fn take<T: Target>(self, target: &T) -> (Module, StaticDataSection) {
        assert_eq!(self.target, target.name(), "the program was lowered for another target");
        (self.module, self.data_section)
    }
}
