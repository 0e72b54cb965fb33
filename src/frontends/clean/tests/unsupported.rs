//! What is refused by name.

use cleave_clean::instr::Opcode;
use cleave_clean::unsupported::*;

#[test]
fn classes_give_their_reason() {
    assert_eq!(refusal(Opcode::push_a), None);
    assert_eq!(refusal(Opcode::push_jsr_eval), None);
    assert!(refusal(Opcode::suspend).is_some_and(|refusal| refusal.reason.contains("parallel")));
    assert!(refusal(Opcode::cmpS).is_some_and(|refusal| refusal.reason.contains("obsolete")));
}
