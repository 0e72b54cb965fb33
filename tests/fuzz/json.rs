//! JSON, as the language server reads it: any bytes are right or have errors.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    cleave_tests::mutate::surfaces::find("json")(bytes);
});
