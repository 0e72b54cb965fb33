//! What must hold between the columns of a row.

use cleave_ir::opcode::{Flags, ImmKind, Memory, OperandRule, Phases, ResultRule, table};
use cleave_ir::types::Type;

#[test]
fn columns_agree() {
    for (op, row) in table() {
        let name = row.name;
        let operands: Vec<_> = row.operands().collect();
        let first = operands.first().map(|operand| operand.rule);
        let has = |flag| row.flags.any(flag);
        assert!(!row.phases.is_empty(), "{name}: in no phase");
        assert!(!row.doc.is_empty() && !row.doc.ends_with('.'), "{name}: a phrase without a full stop");
        if has(Flags::CONSTANT) {
            assert!(op.is_pure() && operands.is_empty() && row.result != ResultRule::None, "{name}: no constant");
        }
        if has(Flags::BOOLEAN) {
            assert_eq!(row.result, ResultRule::One(Type::I32), "{name}");
        }
        if has(Flags::STATIC) || has(Flags::FRESH) {
            assert_eq!(row.result, ResultRule::One(Type::Ref), "{name}");
        }
        if has(Flags::USES_IDENTITY) || has(Flags::FIRST_EVALUATED) {
            let is_address = first == Some(OperandRule::Addr);
            assert!(is_address || first == Some(OperandRule::Is(Type::Ref)), "{name}: its first operand is no node");
        }
        if has(Flags::FILLS) {
            assert!(has(Flags::USES_IDENTITY) && row.writes == Memory::NODES, "{name}: it does not fill a cell");
        }
        if has(Flags::COMMUTATIVE) {
            assert_eq!(operands.len(), 2, "{name}");
        }
        if op.only_writes_cell() {
            assert!(has(Flags::USES_IDENTITY), "{name}: it writes a cell that it does not name");
        }
        if has(Flags::SAFEPOINT) || has(Flags::CALL) {
            let everything = row.reads == Memory::ALL && row.writes == Memory::ALL;
            assert!(has(Flags::CALL) && everything, "{name}: other code runs and does anything");
        }
        assert!(!has(Flags::BRANCH) || has(Flags::TERMINATOR), "{name}: a branch inside of a block");
        // What reads nodes by their fields is gone where nodes are bytes.
        let by_field = matches!(row.imm, ImmKind::Field | ImmKind::Element);
        assert!(!by_field || row.phases.within(Phases::GRAPH), "{name}: a field in low IR");
        let rest = operands.iter().position(|operand| operand.rule == OperandRule::Rest);
        assert!(rest.is_none_or(|at| at + 1 == operands.len()), "{name}: further operands are the last");
    }
}

#[test]
fn rows_are_written_like_instructions() {
    let syntax = |name| table().find(|(_, row)| row.name == name).map(|(_, row)| row.syntax());
    for (name, text) in [
        ("iadd", "RESULT = iadd int, same"),
        ("iconst.i32", "RESULT = iconst.i32 NUMBER"),
        ("fill", "fill $DESCRIPTOR/ARGUMENTS cell: ref, fields..."),
        ("get.ref", "RESULT = get.ref node: ref [contiguous] (PTRS, NPTRS) FIELD"),
        ("call_table", "RESULTS = call_table %TABLE(index: i32, arguments...) [frame DEPTH]"),
        ("try_call", "RESULTS, EXCEPTION = try_call @FUNCTION(arguments...), TARGETS"),
        ("try_apply", "RESULTS, EXCEPTION = try_apply closure: ref, argument: ref, arguments..., TARGETS"),
        ("spill", "spill SLOT, value: ref"),
        ("restore", "RESULT = restore SLOT"),
        ("collect", "collect BYTES [frame DEPTH]"),
        ("br_if", "br_if condition: i32, TARGETS"),
        ("jump", "jump TARGET"),
        ("unreachable", "unreachable"),
    ] {
        assert_eq!(syntax(name).as_deref(), Some(text));
    }
}

#[test]
fn effects_are_told() {
    let effects = |name| table().find(|(_, row)| row.name == name).map(|(_, row)| row.effects());
    for (name, text) in [
        ("iadd", ""),
        ("sdiv", "traps"),
        ("get.i64", "reads words"),
        ("fill", "allocates, writes cells"),
        ("eval", "safepoint, call, reads everything, writes everything"),
        ("store.i32", "writes objects"),
        ("heap_full", "reads heap limit"),
    ] {
        assert_eq!(effects(name).as_deref(), Some(text));
    }
}
