//! Effects of machine instructions, what they read and write: general registers as a set of bits by their numbers, and
//! memory.
//!
//! Calls read the heap pointer and the registers in which they may pass arguments, and leave those undefined that the
//! convention does not save. The trampolines for slow paths saves all.

use super::code::{Item, Kind};
use crate::{Relocation, Symbol};
use iced_x86::{FlowControl, InstructionInfoFactory, OpAccess, Register};

/// What a function and those that it calls take and give in general registers.
pub struct Conventions<'a> {
    /// Results of the function in general registers, the shadow-stack pointer among them.
    pub results: usize,
    /// Arguments in general registers of a function that is called by its name, at most.
    pub arguments: Box<dyn Fn(Symbol) -> usize + 'a>,
}

/// General registers by number, in the order of arguments: rdi, rsi, rdx, rcx, r8, r9.
const ARGUMENTS: [u16; 6] = [1 << 7, 1 << 6, 1 << 2, 1 << 1, 1 << 8, 1 << 9];
/// In the order of results: rax, rcx, rdx, rsi, rdi, r8, r9, r10.
const RESULTS: [u16; 8] = [1 << 0, 1 << 1, 1 << 2, 1 << 6, 1 << 7, 1 << 8, 1 << 9, 1 << 10];
/// rbx, rsp, rbp, r12 to r15: what functions give back as they found it, and the heap pointer.
const KEPT: u16 = 1 << 3 | 1 << 4 | 1 << 5 | 0xf << 12;

/// r15.
const HEAP_POINTER: u16 = 1 << 15;

/// What one instruction does.
#[derive(Clone, Copy, Default, Debug)]
pub struct Effects {
    pub reads: u16,
    /// Registers of which nothing is left.
    pub writes: u16,
    /// Registers that may have another value.
    pub touches: u16,
    pub writes_memory: bool,
}

/// Finds effects.
pub struct Registers<'a> {
    factory: InstructionInfoFactory,
    conventions: &'a Conventions<'a>,
    relocations: &'a [Relocation],
}

/// The bit of a general register, or none.
pub fn bit(register: Register) -> u16 {
    let full = register.full_register();
    if full.is_gpr64() { 1 << full.number() } else { 0 }
}

fn first(of: &[u16], count: usize) -> u16 {
    of.iter().take(count).fold(0, |all, bit| all | bit)
}

impl<'a> Registers<'a> {
    pub fn new(conventions: &'a Conventions<'a>, relocations: &'a [Relocation]) -> Registers<'a> {
        Registers { factory: InstructionInfoFactory::new(), conventions, relocations }
    }

    /// The function that an instruction names.
    fn callee(&self, item: &Item) -> Option<Symbol> {
        match item.kind {
            Kind::Symbol(number) => Some(self.relocations[number as usize].symbol),
            _ => None,
        }
    }

    pub fn of(&mut self, item: &Item) -> Effects {
        let mut effects = Effects::default();
        if item.kind == Kind::Gone {
            return effects;
        }
        let info = self.factory.info(&item.what);
        for used in info.used_registers() {
            let bit = bit(used.register());
            // Writing four bytes clears the others.
            let is_whole = used.register().size() >= 4;
            match used.access() {
                OpAccess::Read | OpAccess::CondRead => effects.reads |= bit,
                OpAccess::Write if is_whole => effects.writes |= bit,
                OpAccess::ReadWrite if is_whole => {
                    effects.reads |= bit;
                    effects.writes |= bit;
                }
                OpAccess::None | OpAccess::NoMemAccess => {}
                _ => {
                    effects.reads |= bit;
                    effects.touches |= bit;
                }
            }
        }
        let is_write = |access| !matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess);
        effects.writes_memory = info.used_memory().iter().any(|used| is_write(used.access()));
        match item.what.flow_control() {
            FlowControl::Call | FlowControl::IndirectCall => {
                let callee = self.callee(item);
                // What is called allocates from the heap pointer on, also where this function never returns.
                effects.reads |= HEAP_POINTER | self.arguments(callee);
                if !matches!(callee, Some(Symbol::Trampoline(_))) {
                    effects.writes |= !KEPT;
                }
                effects.touches = !0;
                effects.writes_memory = true;
            }
            FlowControl::Return => effects.reads |= KEPT | first(&RESULTS, self.conventions.results),
            _ if item.is_tail_call() => effects.reads |= KEPT | self.arguments(self.callee(item)),
            _ => {}
        }
        effects.touches |= effects.writes;
        effects
    }

    fn arguments(&self, callee: Option<Symbol>) -> u16 {
        let count = callee.map_or(ARGUMENTS.len(), |callee| (self.conventions.arguments)(callee));
        first(&ARGUMENTS, count)
    }

    /// What an instruction does with an operand.
    pub fn access(&mut self, item: &Item, operand: u32) -> OpAccess {
        self.factory.info(&item.what).op_access(operand)
    }

    /// General registers that an instruction names, in its operands or without saying so.
    pub fn named(&mut self, item: &Item) -> u16 {
        self.factory.info(&item.what).used_registers().iter().fold(0, |all, used| all | bit(used.register()))
    }
}
