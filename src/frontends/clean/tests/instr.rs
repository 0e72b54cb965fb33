//! The table of ABC instructions.

use cleave_clean::instr::*;

#[test]
fn every_name_is_found_as_its_own_opcode() {
    for &opcode in ALL {
        let expected = (opcode != Opcode::label).then_some(opcode);
        assert_eq!(Opcode::find(opcode.name().as_bytes()), expected, "{}", opcode.name());
    }
}

#[test]
fn unknown_names_are_not_found() {
    for name in ["", "label", "push", "push_A", ".", ".D", "push_a ", "pushI_"] {
        assert_eq!(Opcode::find(name.as_bytes()), None, "{name:?}");
    }
}
