//! The shortest forms: constants of one byte, returns in place of jumps to returns.

use super::code::{Code, Kind};
use iced_x86::{Code as Form, OpKind, Register};

/// Arithmetic on a constant of four bytes, and the same with one byte, which is extended.
const FORMS: [(Form, Form); 16] = [
    (Form::Add_rm32_imm32, Form::Add_rm32_imm8),
    (Form::Add_rm64_imm32, Form::Add_rm64_imm8),
    (Form::Or_rm32_imm32, Form::Or_rm32_imm8),
    (Form::Or_rm64_imm32, Form::Or_rm64_imm8),
    (Form::Adc_rm32_imm32, Form::Adc_rm32_imm8),
    (Form::Adc_rm64_imm32, Form::Adc_rm64_imm8),
    (Form::Sbb_rm32_imm32, Form::Sbb_rm32_imm8),
    (Form::Sbb_rm64_imm32, Form::Sbb_rm64_imm8),
    (Form::And_rm32_imm32, Form::And_rm32_imm8),
    (Form::And_rm64_imm32, Form::And_rm64_imm8),
    (Form::Sub_rm32_imm32, Form::Sub_rm32_imm8),
    (Form::Sub_rm64_imm32, Form::Sub_rm64_imm8),
    (Form::Xor_rm32_imm32, Form::Xor_rm32_imm8),
    (Form::Xor_rm64_imm32, Form::Xor_rm64_imm8),
    (Form::Cmp_rm32_imm32, Form::Cmp_rm32_imm8),
    (Form::Cmp_rm64_imm32, Form::Cmp_rm64_imm8),
];

/// The low bytes of the general registers.
const LOW: [Register; 16] = [
    Register::AL,
    Register::CL,
    Register::DL,
    Register::BL,
    Register::SPL,
    Register::BPL,
    Register::SIL,
    Register::DIL,
    Register::R8L,
    Register::R9L,
    Register::R10L,
    Register::R11L,
    Register::R12L,
    Register::R13L,
    Register::R14L,
    Register::R15L,
];

/// Shortens constants.
pub fn constants(code: &mut Code) {
    for item in code.items.iter_mut().filter(|item| item.kind == Kind::Plain) {
        let mut what = item.what;
        if let Some(&(_, short)) = FORMS.iter().find(|(long, _)| *long == what.code()) {
            let constant = what.immediate(1) as i32;
            if let Ok(constant) = i8::try_from(constant) {
                what.set_code(short);
                what.set_op1_kind(if is_wide(short) { OpKind::Immediate8to64 } else { OpKind::Immediate8to32 });
                what.set_immediate_i32(1, i32::from(constant));
                item.change(what);
            }
        } else if what.code() == Form::Test_rm32_imm32
            && what.immediate32() < 0x80
            && what.op0_kind() == OpKind::Register
        {
            // The sign of the result is 0 in either width, and no bit of it lies higher.
            let constant = what.immediate32() as u8;
            what.set_code(Form::Test_rm8_imm8);
            what.set_op0_register(LOW[what.op0_register().full_register().number()]);
            what.set_op1_kind(OpKind::Immediate8);
            what.set_immediate8(constant);
            item.change(what);
        }
    }
}

/// Every second one works on eight bytes.
fn is_wide(form: Form) -> bool {
    FORMS.iter().skip(1).step_by(2).any(|(_, short)| *short == form)
}

/// Lets jumps to a return, or to a call in place of this function, be that themselves.
pub fn returns(code: &mut Code) {
    for at in 0..code.items.len() {
        let Kind::Jump(target) = code.items[at].kind else { continue };
        let mut there = target as usize;
        while code.items.get(there).is_some_and(|item| item.kind == Kind::Gone) {
            there += 1;
        }
        let Some(item) = code.items.get(there) else { continue };
        if item.what.code() == Form::Retnq || item.is_tail_call() && matches!(item.kind, Kind::Symbol(_)) {
            code.items[at] = item.clone();
        }
    }
}
