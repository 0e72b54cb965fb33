//! Loops lie within a line of the cache.

use cleave_native::align::*;

#[test]
fn loops_stay_within_a_line() {
    // 50 times `nop`, then `nop; jne` back to it in a loop of 40 bytes.
    let mut code = vec![0x90; 50 + 38];
    code.extend([0x75, (-40i8) as u8, 0xc3]);
    assert_eq!(innermost(jumps_back(&code)), [Loop { start: 50, end: 90, depth: 0 }]);
    let phase = of(&code).expect("a loop");
    assert_eq!((phase + 50) / LINE, (phase + 89) / LINE);
    assert_eq!(of(&[0x90, 0xc3]), None);
}
