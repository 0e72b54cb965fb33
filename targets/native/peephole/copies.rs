//! Copy propagation between registers: values are read where they lie.
//!
//! ```text
//! mov rax, r8                          mov ecx, [r8]
//! mov ecx, [rax]                ─▶     test cl, 1
//! test ecx, 1                          je …
//! je …                                 …
//! …                                    mov rax, [rcx - 16]
//! mov eax, [rsi]   (rsi is r8)
//! mov rax, [rax - 16]
//! ```
//! Forwards through each block, and into blocks with one before them, it is known which registers hold the value of
//! another one, a constant, or what a place in memory holds. Operands are replaced by where the value was first; a load
//! of what is there becomes a copy. Backwards, instructions go that only write registers which nobody reads.

use super::code::{Code, Item, Kind};
use super::effects::{Effects, Registers, bit};
use super::flow::Flow;
use super::fuse;
use super::loads::{Load, load_of};
use iced_x86::{Code as Form, Instruction, OpAccess, OpKind, Register};

/// Loads that are remembered.
const LOADS: usize = 6;

/// What a register holds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Held {
    #[default]
    Unknown,
    /// The same as this register, by number; `true`: in its upper half, too.
    Copy(u8, bool),
    Constant(u32),
}

#[derive(Clone, Default)]
struct State {
    held: [Held; 16],
    loads: Vec<Load>,
}

/// Improves a function.
pub fn run(code: &mut Code, registers: &mut Registers, flow: &Flow) {
    forwards(code, registers, flow);
    let after = flow.live_after(code, registers);
    for (block, &live) in flow.blocks.iter().zip(&after).filter(|(block, _)| block.is_reachable) {
        backwards(&mut code.items[block.items.clone()], registers, live);
    }
}

fn forwards(code: &mut Code, registers: &mut Registers, flow: &Flow) {
    let mut ends: Vec<Option<State>> = vec![None; flow.blocks.len()];
    for (number, block) in flow.blocks.iter().enumerate().filter(|(_, block)| block.is_reachable) {
        let mut state = block.before.and_then(|before| ends[before as usize].clone()).unwrap_or_default();
        for item in &mut code.items[block.items.clone()] {
            state.step(item, registers);
        }
        if !block.next.is_empty() {
            ends[number] = Some(state);
        }
    }
}

fn wide(number: u8) -> Register {
    Register::RAX + u32::from(number)
}

fn narrow(number: u8) -> Register {
    Register::EAX + u32::from(number)
}

impl State {
    fn step(&mut self, item: &mut Item, registers: &mut Registers) {
        if item.kind == Kind::Plain {
            self.replace(item, registers);
            if !item.is_call() {
                self.simplify(item);
            }
        }
        let effects = registers.of(item);
        let new = (item.kind == Kind::Plain).then(|| self.result(&item.what)).flatten();
        self.forget(effects);
        let Some((register, held)) = new else {
            if item.kind == Kind::Plain
                && let Some(load) = load_of(&item.what)
                && load.base != load.register
                && self.loads.len() < LOADS
            {
                self.loads.push(load);
            }
            return;
        };
        if held != Held::Copy(register, true) && held != Held::Copy(register, false) {
            self.held[usize::from(register)] = held;
        }
    }

    /// What a register holds after an instruction.
    fn result(&self, what: &Instruction) -> Option<(u8, Held)> {
        let to = what.op0_register().full_register();
        let is_frame = |register: Register| matches!(register.full_register(), Register::RSP | Register::RBP);
        if is_frame(to) || is_frame(what.op1_register()) {
            return None;
        }
        let number = |register: Register| register.full_register().number() as u8;
        let from_register = what.op_count() == 2 && what.op1_kind() == OpKind::Register;
        match what.code() {
            Form::Mov_r64_rm64 | Form::Mov_rm64_r64 if from_register && to.is_gpr64() => {
                Some((number(to), Held::Copy(number(what.op1_register()), true)))
            }
            Form::Mov_r32_rm32 | Form::Mov_rm32_r32 if from_register && to.is_gpr64() => {
                Some((number(to), Held::Copy(number(what.op1_register()), false)))
            }
            Form::Mov_r32_imm32 => Some((number(to), Held::Constant(what.immediate32()))),
            _ => None,
        }
    }

    /// Forgets what an instruction makes untrue.
    fn forget(&mut self, effects: Effects) {
        if effects.writes_memory {
            self.loads.clear();
        }
        if effects.touches == 0 {
            return;
        }
        self.loads.retain(|load| effects.touches & (bit(load.base) | bit(load.register)) == 0);
        for (number, held) in self.held.iter_mut().enumerate() {
            let source = if let Held::Copy(from, _) = *held { 1 << from } else { 0 };
            if effects.touches & (1 << number | source) != 0 {
                *held = Held::Unknown;
            }
        }
    }

    fn held(&self, register: Register) -> Held {
        if register.full_register().is_gpr64() { self.held[register.full_register().number()] } else { Held::Unknown }
    }

    /// Lets an instruction read registers that were there first.
    fn replace(&self, item: &mut Item, registers: &mut Registers) {
        let what = item.what;
        let mut new = what;
        for at in 0..what.op_count() {
            let register = match what.op_kind(at) {
                OpKind::Register => what.op_register(at),
                _ => continue,
            };
            if registers.access(item, at) != OpAccess::Read {
                continue;
            }
            match (register.size(), self.held(register)) {
                (8, Held::Copy(from, true)) if register.is_gpr64() => new.set_op_register(at, wide(from)),
                (4, Held::Copy(from, _)) if register.is_gpr32() => new.set_op_register(at, narrow(from)),
                _ => {}
            }
        }
        let has_memory = (0..what.op_count()).any(|at| what.op_kind(at) == OpKind::Memory);
        if has_memory && what.segment_prefix() == Register::None {
            let (base, index) = (what.memory_base(), what.memory_index());
            if base.is_gpr64() {
                match self.held(base) {
                    Held::Copy(from, true) => new.set_memory_base(wide(from)),
                    // Addresses below 2 GiB need no register.
                    Held::Constant(address)
                        if what.memory_displacement64() as i64 >= 0
                            && u64::from(address) + what.memory_displacement64() < 1 << 31
                            && what.code() != Form::Lea_r64_m =>
                    {
                        let place = u64::from(address) + what.memory_displacement64();
                        new.set_memory_base(Register::None);
                        new.set_memory_displacement64(place);
                        new.set_memory_displ_size(8);
                    }
                    _ => {}
                }
            }
            if index.is_gpr64()
                && let Held::Copy(from, true) = self.held(index)
                && wide(from) != Register::RSP
            {
                new.set_memory_index(wide(from));
            }
        }
        if new != what {
            item.change(new);
        }
    }

    /// Makes copies of `lea r, [s]` and of loads of what is in a register already; drops copies onto themselves.
    fn simplify(&self, item: &mut Item) {
        let what = &item.what;
        let from = if what.code() == Form::Lea_r64_m
            && what.memory_index() == Register::None
            && what.memory_displacement64() == 0
            && what.memory_base().is_gpr64()
        {
            Some(what.memory_base())
        } else {
            load_of(what).and_then(|wanted| {
                let same = |load: &&Load| Load { register: wanted.register, ..**load } == wanted;
                // The register is clear above what was loaded.
                self.loads.iter().find(same).map(|load| load.register)
            })
        };
        if let Some(from) = from {
            let to = what.op0_register().full_register();
            item.change(Instruction::with2(Form::Mov_r64_rm64, to, from).expect("a form with these operands"));
        }
        let what = &item.what;
        if matches!(what.code(), Form::Mov_r64_rm64 | Form::Mov_rm64_r64)
            && what.op0_kind() == OpKind::Register
            && what.op1_kind() == OpKind::Register
            && what.op0_register() == what.op1_register()
        {
            item.kind = Kind::Gone;
        }
    }
}

/// Drops what writes registers that are not read, and fuses what is left.
fn backwards(items: &mut [Item], registers: &mut Registers, mut live: u16) {
    // After each instruction.
    let mut after = vec![0u16; items.len()];
    for at in (0..items.len()).rev() {
        after[at] = live;
        let effects = registers.of(&items[at]);
        if effects.writes != 0 && effects.writes & live == 0 && is_free(&items[at]) {
            items[at].kind = Kind::Gone;
            continue;
        }
        live = live & !effects.writes | effects.reads;
    }
    fuse::run(items, registers, &mut after);
}

/// Has no effect but on registers: a copy, a constant, an address.
fn is_free(item: &Item) -> bool {
    let what = &item.what;
    let is_register = |at: u32| what.op_kind(at) == OpKind::Register;
    item.kind == Kind::Plain
        && match what.code() {
            Form::Mov_r64_rm64 | Form::Mov_rm64_r64 | Form::Mov_r32_rm32 | Form::Mov_rm32_r32 => {
                is_register(0) && is_register(1)
            }
            Form::Mov_r32_imm32 | Form::Mov_r64_imm64 | Form::Mov_rm64_imm32 | Form::Mov_rm32_imm32 => is_register(0),
            Form::Lea_r64_m | Form::Lea_r32_m => true,
            _ => false,
        }
}
