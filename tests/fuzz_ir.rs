//! Files of IR with mistakes in them: each is refused with a message, or it becomes WebAssembly.
//!
//! ```text
//! IR_MUTANTS=100000 [IR_SEED=7] [IR_FIRST=0] cargo test -p cleave-tests --test fuzz_smoke -- ir --nocapture
//! ```

use cleave::languages;
use cleave_compile::{Level, Options, Quiet, Source, Target, Verify, Wasm};
use cleave_ir::text::{parse_module, print_module};
use cleave_ir::{Module, verify};
use cleave_tests::mutate::campaign;
use cleave_tests::mutate::ir::Seeds;
use cleave_tests::selection::size;
use std::panic::{self, AssertUnwindSafe};
use std::time::Instant;

/// How many mutants got how far.
#[derive(Debug, Default)]
struct Counts {
    refused_by_parser: u64,
    refused_by_verifier: u64,
    refused_by_compiler: u64,
    compiled: u64,
}

fn compile<T: Target>(module: Module, target: &T, options: &Options) -> Result<(), String> {
    let message = |error: cleave_compile::Error| error.to_string();
    let optimised = Source::new(module, options, &mut Quiet).map_err(message)?.optimise(options, &mut Quiet);
    let rooted = optimised.with_start().root(target, options, &mut Quiet).map_err(message)?;
    target.emit(rooted.lower(options, &mut Quiet)).map(drop).map_err(|error| error.to_string())
}

fn attempt(text: &str, number: u64, counts: &mut Counts) {
    let Ok(module) = parse_module(text) else { return counts.refused_by_parser += 1 };
    if verify::verify_module(&module).is_err() {
        counts.refused_by_verifier += 1;
        // Who compiles without asking first gets an error, too.
        assert!(compile(module, &Wasm::default(), &Options::default()).is_err(), "wrong IR is compiled");
        return;
    }
    // Functions that a language brings are known to the driver, which asks this.
    if !verify::declarations::externs(&module, &languages::runtime()).is_empty() {
        return counts.refused_by_verifier += 1;
    }
    let printed = print_module(&module);
    let again = parse_module(&printed).unwrap_or_else(|error| panic!("own output: {error}"));
    assert_eq!(print_module(&again), printed, "own output changes");
    let level = [Level::O0, Level::O1, Level::O2][(number % 3) as usize];
    let verify = if number.is_multiple_of(2) { Verify::EachPass } else { Verify::Input };
    let options = Options { level, verify, ..Options::default() };
    let result = compile(module, &Wasm::default(), &options);
    match result {
        Ok(()) => counts.compiled += 1,
        Err(_) => counts.refused_by_compiler += 1,
    }
}

pub(crate) fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap_or_else(|_| panic!("{name} is no number: {value}")))
}

#[test]
fn ir() {
    let usual = size(1_000, 2_000);
    let (seed, first) = (variable("IR_SEED").unwrap_or(1), variable("IR_FIRST").unwrap_or(0));
    let count = variable("IR_MUTANTS").unwrap_or(usual);
    let seeds = Seeds::all();
    let mut counts = Counts::default();
    let mut findings: Vec<(String, u64)> = Vec::new();
    campaign::catch_panics();
    let begin = Instant::now();
    for number in first..first + count {
        let text = seeds.mutant(seed, number);
        if panic::catch_unwind(AssertUnwindSafe(|| attempt(&text, number, &mut counts))).is_err() {
            let (place, message) = campaign::last_panic();
            let place = campaign::same_place(&place, &message);
            if !findings.iter().any(|known| known.0 == place) {
                eprintln!("mutant {number} of seed {seed}: {place}\n{message}\n{text}");
                findings.push((place, number));
            }
        }
    }
    let time = begin.elapsed().as_secs_f64();
    eprintln!("{counts:?}, {} findings, {time:.1} s", findings.len());
    assert!(findings.is_empty());
    let far = counts.compiled.min(counts.refused_by_verifier).min(counts.refused_by_parser);
    assert!(count < usual || far > count / 20, "the mistakes are too coarse or too fine: {counts:?}");
}
