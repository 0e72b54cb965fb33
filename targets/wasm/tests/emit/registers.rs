//! Which parameters travel as reals.

use cleave_ir::Type;
use cleave_ir::lowered_signature::LoweredSignature;
use cleave_wasm::registers::moved;

#[test]
fn integers_that_find_no_register_travel_as_reals() {
    use Type::{F64, I32, I64, Ref};
    let moved =
        |params: &[Type], takes_stack_pointer| moved(LoweredSignature { params, results: &[], takes_stack_pointer });
    assert_eq!(moved(&[Ref; 3], true), []);
    assert_eq!(moved(&[Ref; 4], false), []);
    assert_eq!(moved(&[F64, Ref, Ref, Ref, F64], true), []);
    assert_eq!(moved(&[Ref; 4], true), [false, false, false, true]);
    assert_eq!(moved(&[Ref, Ref, Ref, I64, F64, I32], true), [false, false, false, true, false, true]);
    // Reals come first.
    let many = [&[Ref; 6][..], &[F64; 7]].concat();
    assert_eq!(moved(&many, false)[..6], [false, false, false, false, true, false]);
}
