//! Fused sequences of ABC instructions.

use cleave_clean::instr::{ALL, Class, Operand};
use cleave_clean::superinstructions::*;

#[test]
fn every_fused_instruction_has_an_expansion_and_no_other() {
    for &op in ALL {
        assert_eq!(expansion(op).is_some(), op.info().class == Class::Fused, "{}", op.name());
    }
}

/// Operands keep their kind, or an offset becomes one on the same stack.
#[test]
fn operands_of_expansions_have_the_kinds_of_the_plain_instructions() {
    for &op in ALL {
        for plain in expansion(op).into_iter().flatten() {
            assert_ne!(plain.op.info().class, Class::Fused, "{}", op.name());
            let wanted = plain.op.info().operands;
            assert_eq!(plain.operands.len(), wanted.len(), "{} in {}", plain.op.name(), op.name());
            for (part, &wanted) in plain.operands.iter().zip(wanted) {
                if let Part::Operand { number, plus } = *part {
                    let kind = op.info().operands[number];
                    let count = |kind| matches!(kind, Operand::N | Operand::Depth);
                    assert!(kind == wanted || count(kind) && count(wanted), "{} in {}", plain.op.name(), op.name());
                    assert!(plus == 0 || matches!(kind, Operand::A | Operand::B), "{}", op.name());
                }
            }
        }
    }
}
