//! Which parameters are widened.

use cleave_ir::Type;
use cleave_wasm::abi::widened;

#[test]
fn only_narrow_integers_behind_the_second_are_widened() {
    use Type::{F64, I32, I64, Ref};
    assert_eq!(widened(&[Ref, Ref]), [0usize; 0]);
    assert_eq!(widened(&[Ref, F64, Ref, F64]), [0usize; 0]);
    assert_eq!(widened(&[Ref, I64, Ref]), [2]);
    assert_eq!(widened(&[Ref, Ref, F64, I64, I32, Ref]), [4, 5]);
}
