//! Translates inline x86-64 machine code (`instruction`): what it does with words and memory becomes IR.
//!
//! Clean's code generator keeps words in registers where a block of code begins, the deepest one in the first register
//! of this list, and reals likewise in theirs. Machine code is put after that beginning at once; what other
//! instructions do to the stack is done at the end of the block, with what registers hold then:
//!
//! ```text
//! f (0 2 ii)                  rbx: b[0], rax: b[1]
//!     pop_b 1                 b[0] is what rax holds
//!     mov rax, [rbx+rax]      (four times `instruction`)
//!     rtn                     b[0] is what rax holds: the word that was loaded
//! ```
//! So code has a meaning if between the start of its function and it there are only instructions that move words about.
//! Registers that hold no word of a block keep what they held. Code that writes where Clean keeps nodes or its stack
//! pointers, or that reads what is not known, stops the program when it is reached, as all other machine code.

use super::Step;
use super::function::FunctionBuilder;
use super::low_level::Piece;
use super::state::{REALS, Registers};
use crate::instr::{Class, Opcode as Abc};
use crate::x86::{Action, Address, Register, Width, decode};
use cleave_ir::{Opcode, Type, Value};

/// Registers of words, from the deepest word on: rax, rbx, r10 to r14.
const WORDS: [Register; 7] = [0, 3, 10, 11, 12, 13, 14];
/// The first register of nodes, free if there are none: rcx.
const FREE: Register = 1;

impl FunctionBuilder<'_, '_> {
    /// A block of Clean's code generator begins.
    pub fn begin_registers(&mut self) {
        if !self.has_machine_code() {
            return;
        }
        let (mut nptrs, mut reals) = (Vec::new(), Vec::new());
        for &value in &self.stacks.b {
            if self.func.values[value] == Type::F64 { reals.push(value) } else { nptrs.push(value) }
        }
        let registers = &mut self.registers;
        if !nptrs.is_empty() {
            registers.nptrs = [None; 16];
            for (value, register) in nptrs.into_iter().zip(WORDS) {
                registers.nptrs[register as usize] = Some(value);
            }
        }
        if !reals.is_empty() {
            registers.reals = [None; REALS];
            for (place, value) in registers.reals.iter_mut().zip(reals) {
                *place = Some(value);
            }
        }
        registers.is_short = [false; REALS];
    }

    /// The current `instruction` and those that follow it.
    pub fn machine_code(&mut self) -> Step {
        let items = &self.module.items;
        let count = items[self.item..].iter().take_while(|item| item.op == Abc::instruction).count();
        let bytes = (self.item..self.item + count).map(|item| u8::try_from(self.module.line(item).int(0)).ok());
        let bytes: Option<Vec<u8>> = bytes.collect();
        let actions = bytes.and_then(|bytes| decode(&bytes)).filter(|_| self.only_moves());
        self.item += count - 1;
        let before = self.registers.clone();
        match actions {
            Some(actions) if actions.iter().all(|&action| self.act(action).is_some()) && self.follow(&before) => {}
            _ => self.unavailable("machine code (`instruction`)"),
        }
        Ok(())
    }

    /// True if all instructions from the start of the function on only move words about.
    fn only_moves(&self) -> bool {
        use Abc::*;
        let moves = |op| {
            matches!(
                op,
                label
                    | push_b
                    | pop_b
                    | update_b
                    | updatepop_b
                    | pop_a
                    | updatepop_a
                    | pushR
                    | pushI
                    | pushLc
                    | pushL
                    | jmp
                    | instruction
            )
        };
        let items = &self.module.items[self.first_item() + 1..self.item];
        items.iter().all(|item| item.op.info().class == Class::Directive || moves(item.op))
    }

    fn word(&self, register: Register) -> Option<Value> {
        self.registers.nptrs[register as usize]
    }
    fn real(&self, register: Register, is_short: bool) -> Option<Value> {
        let at = register as usize;
        let real = *self.registers.reals.get(at)?;
        real.filter(|_| self.registers.is_short[at] == is_short)
    }

    fn set_word(&mut self, register: Register, value: Value) -> Option<()> {
        if !WORDS.contains(&register) && (register != FREE || !self.stacks.a.is_empty()) {
            return None;
        }
        self.registers.nptrs[register as usize] = Some(value);
        Some(())
    }
    fn set_real(&mut self, register: Register, value: Value, is_short: bool) -> Option<()> {
        let at = register as usize;
        *self.registers.reals.get_mut(at)? = Some(value);
        self.registers.is_short[at] = is_short;
        Some(())
    }

    /// The address that an operand means.
    fn effective(&mut self, address: Address) -> Option<Value> {
        let mut sum = self.word(address.base)?;
        if let Some((index, scale)) = address.index {
            let mut index = self.word(index)?;
            if scale > 0 {
                let scale = self.iconst(scale.into());
                index = self.op(Opcode::Shl, &[index, scale]);
            }
            sum = self.op(Opcode::Iadd, &[sum, index]);
        }
        if address.offset != 0 {
            let offset = self.iconst(address.offset.into());
            sum = self.op(Opcode::Iadd, &[sum, offset]);
        }
        Some(sum)
    }

    /// Does what an instruction does; `None` if that is not known.
    fn act(&mut self, action: Action) -> Option<()> {
        match action {
            Action::Copy { to, from, width } => {
                let mut value = self.word(from)?;
                if width != Width::Eight {
                    let low = self.op(Opcode::Wrap, &[value]);
                    value = self.zero_extended(low);
                }
                self.set_word(to, value)
            }
            Action::Load { to, from, width, signed, to_half } => {
                let address = self.effective(from)?;
                let piece = match (width, signed) {
                    (Width::One, false) => Piece::Unsigned8,
                    (Width::One, true) => Piece::Signed8,
                    (Width::Two, false) => Piece::Unsigned16,
                    (Width::Two, true) => Piece::Signed16,
                    (Width::Four, false) => Piece::Unsigned32,
                    (Width::Four, true) => Piece::Signed32,
                    (Width::Eight, _) => Piece::Word,
                };
                let mut value = self.load_piece(address, piece);
                if to_half {
                    let low = self.op(Opcode::Wrap, &[value]);
                    value = self.zero_extended(low);
                }
                self.set_word(to, value)
            }
            Action::Store { to, from, width } => {
                let (address, value) = (self.effective(to)?, self.word(from)?);
                self.store_piece(address, value, width);
                Some(())
            }
            Action::LoadReal { to, from } | Action::LoadWidened { to, from } => {
                let is_whole = matches!(action, Action::LoadReal { .. });
                let address = self.effective(from)?;
                let op = if is_whole { Opcode::LoadF64 } else { Opcode::LoadF32 };
                let value = self.builder().value(op, 0, 0, &[address]);
                self.set_real(to, value, false)
            }
            Action::Narrow { to, from } => {
                let value = self.real(from, false)?;
                self.set_real(to, value, true)
            }
            Action::StoreReal { to, from } | Action::StoreNarrow { to, from } => {
                let is_short = matches!(action, Action::StoreNarrow { .. });
                let (address, value) = (self.effective(to)?, self.real(from, is_short)?);
                let op = if is_short { Opcode::StoreF32 } else { Opcode::StoreF64 };
                self.effect(op, &[address, value]);
                Some(())
            }
        }
    }

    /// Stores the lowest bytes of a word.
    fn store_piece(&mut self, address: Value, value: Value, width: Width) {
        if width == Width::Eight {
            self.effect(Opcode::StoreI64, &[address, value]);
            return;
        }
        let low = self.op(Opcode::Wrap, &[value]);
        match width {
            Width::Four => self.effect(Opcode::StoreI32, &[address, low]),
            _ => self.effect(Opcode::StoreU8, &[address, low]),
        }
        if width == Width::Two {
            let (eight, one) = (self.builder().iconst32(8), self.iconst(1));
            let high = self.op(Opcode::Ushr, &[low, eight]);
            let next = self.op(Opcode::Iadd, &[address, one]);
            self.effect(Opcode::StoreU8, &[next, high]);
        }
    }

    /// The words of the stack are what their registers hold now; false if that is not known of one.
    fn follow(&mut self, before: &Registers) -> bool {
        let mut stack = std::mem::take(&mut self.stacks.b);
        let now = &self.registers;
        let known = stack.iter_mut().all(|slot| {
            let old = *slot;
            let nptrs = before.nptrs.iter().zip(&now.nptrs).map(|(&old, &new)| (old, new));
            let reals = before.reals.iter().zip(&now.reals).zip(&now.is_short);
            let reals = reals.map(|((&old, &new), &is_short)| (old, new.filter(|_| !is_short)));
            let mut holders =
                nptrs.chain(reals).filter(|&(applied_args, _)| applied_args == Some(old)).map(|(_, new)| new);
            let Some(first) = holders.next() else { return true };
            // A word in two registers, one of which has changed, may be either.
            let is_clear = holders.all(|other| other == first);
            *slot = first.unwrap_or(old);
            first.is_some() && is_clear
        });
        self.stacks.b = stack;
        known
    }
}
