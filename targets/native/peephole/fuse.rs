//! Fuses two instructions of a block into one.
//!
//! ```text
//! lea r8, [r15 + 12]; mov r15, r8          ─▶  lea r15, [r15 + 12]       if nobody reads r8
//! mov rsi, r15; add esi, 12; cmp esi, …    ─▶  lea esi, [r15 + 12]; cmp esi, …
//! mov ecx, [rdi + 4]; cmp eax, ecx         ─▶  cmp eax, [rdi + 4]        if nobody reads ecx
//! ```
//! What stands between the two must not touch what is moved across it.

use super::code::{Item, Kind};
use super::effects::{Registers, bit};
use super::loads::load_of;
use iced_x86::{Code as Form, Instruction, MemoryOperand, OpAccess, OpKind, Register};

/// How far from each other the two may be.
const DISTANCE: usize = 6;

/// Fuses what can be; `after`: the registers that are read after each instruction.
pub fn run(items: &mut [Item], registers: &mut Registers, after: &mut [u16]) {
    for at in 0..items.len() {
        place(items, registers, after, at);
    }
    for at in 0..items.len() {
        compare(items, registers, after, at);
    }
    for at in 0..items.len() {
        add(items, at);
    }
}

/// The registers of a copy between general registers, `to` and `from`.
fn copy(item: &Item) -> Option<(Register, Register)> {
    let what = &item.what;
    let is_copy = item.kind == Kind::Plain
        && matches!(what.code(), Form::Mov_r64_rm64 | Form::Mov_rm64_r64)
        && what.op0_kind() == OpKind::Register
        && what.op1_kind() == OpKind::Register;
    is_copy.then(|| (what.op0_register(), what.op1_register()))
}

/// `… x …; …; mov y, x`, where that writes `x`, writes `y` at once if `x` is not read later.
fn place(items: &mut [Item], registers: &mut Registers, after: &mut [u16], at: usize) {
    let Some((to, from)) = copy(&items[at]).filter(|&(_, from)| after[at] & bit(from) == 0) else { return };
    let both = bit(to) | bit(from);
    for earlier in (at.saturating_sub(DISTANCE)..at).rev() {
        let item = &items[earlier];
        if item.kind == Kind::Gone {
            continue;
        }
        if item.kind != Kind::Plain || item.is_call() || item.is_end() {
            return;
        }
        if registers.named(item) & both == 0 {
            continue;
        }
        let mut what = item.what;
        // `xor x, x` reads nothing, but names the register twice.
        let is_named_once = (1..what.op_count()).all(|operand| {
            what.op_kind(operand) != OpKind::Register || what.op_register(operand).full_register() != from
        });
        let is_result = is_named_once
            && what.op_count() > 0
            && what.op0_kind() == OpKind::Register
            && what.op0_register().full_register() == from
            && what.op0_register().size() >= 4
            && registers.access(item, 0) == OpAccess::Write
            && registers.of(item).touches & both == bit(from);
        if !is_result {
            return;
        }
        what.set_op0_register(if what.op0_register().size() == 8 { to } else { to.full_register32() });
        items[earlier].change(what);
        items[at].kind = Kind::Gone;
        after[earlier..at].iter_mut().for_each(|live| *live = *live & !bit(from) | bit(to));
        return;
    }
}

/// `mov a, b; add a, constant` with four bytes is an address, if the flags are written again at once.
fn add(items: &mut [Item], at: usize) {
    let Some((to, from)) = copy(&items[at]) else { return };
    let mut next = (at + 1..items.len()).filter(|&next| items[next].kind != Kind::Gone);
    let (Some(sum), Some(compare)) = (next.next(), next.next()) else { return };
    let what = items[sum].what;
    let is_sum = matches!(what.code(), Form::Add_rm32_imm32 | Form::Add_rm32_imm8)
        && items[sum].kind == Kind::Plain
        && what.op0_kind() == OpKind::Register
        && what.op0_register() == to.full_register32();
    let writes_flags = matches!(items[compare].what.code(), Form::Cmp_r32_rm32 | Form::Cmp_rm32_r32);
    if is_sum && writes_flags && from != Register::RSP {
        let memory = MemoryOperand::with_base_displ(from, i64::from(what.immediate(1) as i32));
        let address = Instruction::with2(Form::Lea_r32_m, to.full_register32(), memory);
        items[sum].change(address.expect("a form with these operands"));
        items[at].kind = Kind::Gone;
    }
}

/// `mov r, [m]; …; cmp r, s` becomes `cmp [m], s` if that is all that `r` is for.
fn compare(items: &mut [Item], registers: &mut Registers, after: &[u16], at: usize) {
    let Some(load) = load_of(&items[at].what).filter(|load| !load.is_wide && items[at].kind == Kind::Plain) else {
        return;
    };
    let (mine, place) = (bit(load.register), bit(load.base));
    for next in at + 1..items.len().min(at + 1 + DISTANCE) {
        let item = &items[next];
        if item.kind == Kind::Gone {
            continue;
        }
        let effects = registers.of(item);
        if registers.named(item) & mine == 0 {
            if effects.writes_memory || effects.touches & (mine | place) != 0 || item.kind != Kind::Plain {
                return;
            }
            continue;
        }
        let what = item.what;
        let is_compare = matches!(what.code(), Form::Cmp_r32_rm32 | Form::Cmp_rm32_r32)
            && item.kind == Kind::Plain
            && what.op0_kind() == OpKind::Register
            && what.op1_kind() == OpKind::Register
            && what.op0_register() != what.op1_register()
            && after[next] & mine == 0;
        if !is_compare {
            return;
        }
        let from = items[at].what;
        let memory = MemoryOperand::new(
            from.memory_base(),
            Register::None,
            1,
            from.memory_displacement64() as i64,
            from.memory_displ_size(),
            false,
            Register::None,
        );
        let new = if bit(what.op0_register()) == mine {
            Instruction::with2(Form::Cmp_rm32_r32, memory, what.op1_register())
        } else {
            Instruction::with2(Form::Cmp_r32_rm32, what.op0_register(), memory)
        };
        items[next].change(new.expect("a form with these operands"));
        items[at].kind = Kind::Gone;
        return;
    }
}
