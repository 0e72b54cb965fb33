//! A program of GOOPEA, and its form: any bytes are right or have errors.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    cleave_tests::mutate::surfaces::find("goopea")(bytes);
});
