//! The bytes are the number of a generated program, which must do the same in the interpreter in every phase. Engines
//! are tried by the test `differential`, many programs at a time.

#![no_main]

use cleave_tests::differential::check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let seed = bytes.iter().fold(0u64, |seed, &byte| seed.rotate_left(8) ^ u64::from(byte));
    if let Err(disagreement) = check(seed) {
        panic!("program {seed}: {disagreement}");
    }
});
