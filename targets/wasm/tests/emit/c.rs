//! Objects of C that others damaged: refused, or linked to a valid module, and never a panic.

use crate::harness::parse;
use cleave_ir::{Lowered, Target};
use cleave_wasm::Wasm;
use cleave_wasm::c::{Linked, Object};

/// Every function of the object, so that all of it is linked.
const FUNCTIONS: [&str; 12] = [
    "apply",
    "array_i",
    "array_r",
    "constructed",
    "deep",
    "grows",
    "is_absent",
    "many",
    "mixed",
    "reverse",
    "two",
    "words",
];

/// Links the object and emits a program with it.
fn link(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let object = Object::parse("helper.wasm", bytes).map_err(|e| e.to_string())?;
    let objects = [object];
    let linked = Linked::new(&objects, FUNCTIONS, cleave_wasm::runtime_base()).map_err(|e| e.to_string())?;
    let module = parse("func @nothing() phase=low {\nblock0:\n  ret\n}\n");
    let target = Wasm { c: Some(&linked), ..Wasm::default() };
    let data_section = target.lay_out(&module);
    target.emit(Lowered::new(module, data_section, &target)).map(|artifact| artifact.bytes).map_err(|e| e.to_string())
}

#[test]
fn damaged_objects() {
    const ROUNDS: u64 = 6000;
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cli/wasm-c/helper.wasm");
    let mut bytes = std::fs::read(path).expect("the object is checked in");
    assert_eq!(link(&bytes), link(&bytes), "the same bytes each time");
    link(&bytes).expect("it can be linked");
    let mut state = 1u64;
    let mut random = |bound: usize| {
        // Knuth's linear congruence; the upper bits are the random ones.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut refused = 0;
    for round in 0..ROUNDS {
        let at = random(bytes.len());
        let before = std::mem::replace(&mut bytes[at], random(256) as u8);
        let outcome = std::panic::catch_unwind(|| link(&bytes));
        let result = outcome.unwrap_or_else(|_| panic!("round {round}: another byte at {at}"));
        refused += u64::from(result.is_err());
        bytes[at] = before;
    }
    assert!(refused > ROUNDS / 10, "hardly any damage was found");
}
