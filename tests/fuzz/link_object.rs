//! The bytes are an object that is linked.

#![no_main]

#[path = "linker.rs"]
mod linker;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    linker::run(linker::Role::Object, bytes);
});
