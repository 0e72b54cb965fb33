//! Any bytes are a module or have errors that can be shown. The files of `tests/corpus` are good first inputs.

#![no_main]

use cleave_tests::mutate;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    mutate::parse(text);
});
