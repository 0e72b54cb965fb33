//! The bytes choose a program of the corpus and the mistakes in it; it becomes WebAssembly or has errors.

#![no_main]

use cleave_tests::mutate::campaign::{Target, make};
use cleave_tests::mutate::{self, Choices, Seeds};
use std::sync::LazyLock;

static SEEDS: LazyLock<Seeds> = LazyLock::new(Seeds::corpus);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let program = make(Target::WholePath, &SEEDS, &mut Choices::of_bytes(bytes));
    mutate::compile(&program, true);
});
