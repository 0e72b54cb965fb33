//! Frame pointer elimination, where a function uses it for nothing but to restore the stack pointer.
//!
//! ```text
//! push rbp                                      sub rsp, n + 8
//! mov rbp, rsp                       ─▶         …
//! sub rsp, n                                    add rsp, n + 8
//! …                                             ret
//! add rsp, n
//! mov rsp, rbp
//! pop rbp
//! ret
//! ```
//! The stack pointer must be a multiple of 16 at calls, and is 8 beside one at the entry. Without slots (n = 0) it is
//! moved around each call, so that paths that call nothing do nothing.

use super::code::{Code, Item, Kind};
use super::effects::{Registers, bit};
use iced_x86::{Code as Form, Instruction, Register};

/// Reserves and releases room on the stack.
pub const RESERVE: [Form; 2] = [Form::Sub_rm64_imm8, Form::Sub_rm64_imm32];
pub const RELEASE: [Form; 2] = [Form::Add_rm64_imm8, Form::Add_rm64_imm32];
/// What a call needs beside a multiple of 16.
const PAD: u32 = 8;

/// Lets a function do without, if it can.
pub fn drop_pointer(code: &mut Code, registers: &mut Registers) {
    let items = &code.items;
    let [push, enter, ..] = &items[..] else { return };
    if !is_one(push, Form::Push_r64) || !is_move(enter, Register::RBP, Register::RSP) {
        return;
    }
    let slots = items.get(2).and_then(|item| distance(item, RESERVE));
    let body = if slots.is_some() { 3 } else { 2 };
    let Some(ends) = epilogues(&items[body..], registers, slots) else { return };
    for item in &mut code.items[..2] {
        item.kind = Kind::Gone;
    }
    code.frame = Some(slots.map_or(0, |bytes| bytes + PAD));
    match slots {
        Some(bytes) => code.items[body - 1].change(moved(Form::Sub_rm64_imm32, bytes + PAD)),
        None => code.items.iter_mut().filter(|item| item.is_call()).for_each(|item| item.aligns = true),
    }
    for end in ends {
        let (restore, pop) = (body + end, body + end + 1);
        code.items[restore].kind = Kind::Gone;
        code.items[pop].kind = Kind::Gone;
        if let Some(bytes) = slots {
            code.items[restore - 1].change(moved(Form::Add_rm64_imm32, bytes + PAD));
        }
    }
}

/// `push rbp` or `pop rbp`.
fn is_one(item: &Item, form: Form) -> bool {
    item.what.code() == form && item.what.op0_register() == Register::RBP
}

fn is_move(item: &Item, to: Register, from: Register) -> bool {
    matches!(item.what.code(), Form::Mov_r64_rm64 | Form::Mov_rm64_r64)
        && item.what.op0_register() == to
        && item.what.op1_register() == from
}

/// By how much an instruction moves the stack pointer.
pub fn distance(item: &Item, forms: [Form; 2]) -> Option<u32> {
    let is_move = forms.contains(&item.what.code()) && item.what.op0_register() == Register::RSP;
    is_move.then(|| item.what.immediate(1) as u32)
}

fn moved(form: Form, bytes: u32) -> Instruction {
    Instruction::with2(form, Register::RSP, bytes as i32).expect("a form with these operands")
}

/// Where `mov rsp, rbp; pop rbp` is, behind `add rsp, slots` where there are slots; `None` if both pointers serve
/// anything else, or if the function is left in another way.
fn epilogues(items: &[Item], registers: &mut Registers, slots: Option<u32>) -> Option<Vec<usize>> {
    const POINTER: u16 = 1 << 4;
    let mut ends = Vec::new();
    let mut at = 0;
    while at < items.len() {
        let item = &items[at];
        if slots.is_some() && slots == distance(item, RELEASE) {
            at += 1;
        }
        if items.get(at).is_some_and(|item| is_move(item, Register::RSP, Register::RBP)) {
            let is_whole = items.get(at + 1).is_some_and(|item| is_one(item, Form::Pop_r64))
                && items.get(at + 2).is_some_and(leaves)
                && slots.is_none_or(|_| at > 0 && distance(&items[at - 1], RELEASE) == slots);
            if !is_whole {
                return None;
            }
            ends.push(at);
            at += 3;
            continue;
        }
        let item = items.get(at)?;
        if leaves(item) || registers.named(item) & bit(Register::RBP) != 0 {
            return None;
        }
        if !item.is_call() && item.kind != Kind::Gone && registers.named(item) & POINTER != 0 {
            let is_slot = item.what.memory_base() == Register::RSP && item.what.memory_index() == Register::None;
            let is_operand = (0..item.what.op_count()).any(|at| {
                item.what.op_kind(at) == iced_x86::OpKind::Register && item.what.op_register(at) == Register::RSP
            });
            if slots.is_none() || !is_slot || is_operand || registers.of(item).touches & POINTER != 0 {
                return None;
            }
        }
        at += 1;
    }
    Some(ends)
}

/// Ends the function, by its return or by a call in its place.
fn leaves(item: &Item) -> bool {
    matches!(item.what.code(), Form::Retnq) || item.is_tail_call()
}
