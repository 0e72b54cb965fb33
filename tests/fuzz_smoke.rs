//! A small part of the fuzzing on every test run: always the same mutants. `fuzz-campaign` runs more of them.
//!
//! ```text
//! export SURFACE_MUTANTS=100000 SURFACE=samlang          and SURFACE_FIRST to go on
//! cargo test -p cleave-tests --release --test fuzz_smoke -- surfaces --nocapture
//! ```

#![allow(clippy::duplicate_mod, reason = "a module that three targets share")]

use cleave_tests::mutate::campaign::{self, Counts, Target};
use cleave_tests::mutate::surfaces::{SURFACES, mutant};
use cleave_tests::mutate::{Seeds, Verdict};
use cleave_tests::selection::size;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::thread;

extern crate self as libfuzzer_sys;

mod fuzz_ir;
#[path = "fuzz/linker.rs"]
mod linker;

/// The targets of `cargo fuzz`, compiled without its library, whose build takes longer than all of them.
#[allow(unused_attributes, reason = "as programs they have no `main`")]
#[path = "fuzz"]
mod targets {
    pub mod abc_to_wasm;
    pub mod goopea;
    pub mod json;
    pub mod link_archive;
    pub mod link_library;
    pub mod link_object;
    pub mod messages;
    pub mod parse_abc;
    pub mod parse_ir;
    pub mod programs;
    pub mod samlang;
    pub mod server;
}

/// What the macro of `libfuzzer-sys` is for the targets: a function that takes the bytes.
#[macro_export]
macro_rules! fuzz_target {
    (|$bytes:ident: &[u8]| $body:block) => {
        pub fn run($bytes: &[u8]) {
            $body
        }
    };
}

type Run = fn(&[u8]);

const TARGETS: [(&str, Run); 12] = [
    ("abc_to_wasm", targets::abc_to_wasm::run),
    ("goopea", targets::goopea::run),
    ("json", targets::json::run),
    ("link_archive", targets::link_archive::run),
    ("link_library", targets::link_library::run),
    ("link_object", targets::link_object::run),
    ("messages", targets::messages::run),
    ("parse_abc", targets::parse_abc::run),
    ("parse_ir", targets::parse_ir::run),
    ("programs", targets::programs::run),
    ("samlang", targets::samlang::run),
    ("server", targets::server::run),
];

/// Each target of `cargo fuzz` takes bytes, and its manifest lists it.
#[test]
fn targets_take_bytes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("it is checked in");
    let files = std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let mut sources: Vec<_> = files.filter(|file| file.extension().is_some_and(|ending| ending == "rs")).collect();
    sources.retain(|file| !file.ends_with("linker.rs"));
    assert_eq!(sources.len(), TARGETS.len());
    for (name, run) in TARGETS {
        assert!(sources.iter().any(|file| file.ends_with(format!("{name}.rs"))), "{name}");
        assert!(manifest.contains(&format!("[[bin]]\nname = \"{name}\"\npath = \"{name}.rs\"\n")), "{name}");
        for bytes in [&b""[..], b"\0\x01\x7f\xff", b"main\n"] {
            run(bytes);
        }
    }
}

fn run(target: Target, count: u64) -> Counts {
    campaign::catch_panics();
    let seeds = Seeds::corpus();
    let (mut counts, mut findings) = (Counts::default(), Vec::new());
    // On all processors, for the longest of these tests is the last one.
    let threads = thread::available_parallelism().map_or(1, |count| count.get() as u64);
    thread::scope(|scope| {
        let part = |thread| {
            let (mut counts, mut findings) = (Counts::default(), Vec::new());
            let numbers = count * thread / threads..count * (thread + 1) / threads;
            campaign::run(target, &seeds, 1, numbers, &mut counts, &mut findings);
            (counts, findings)
        };
        let workers: Vec<_> = (0..threads).map(|thread| scope.spawn(move || part(thread))).collect();
        for worker in workers {
            let (its_counts, its_findings) = worker.join().expect("panics of the compiler are caught");
            counts.verdicts.iter_mut().zip(its_counts.verdicts).for_each(|(all, its)| *all += its);
            findings.extend(its_findings);
        }
    });
    let found: Vec<String> = findings
        .iter()
        .map(|finding| format!("mutant {}: {}\n{}", finding.number, finding.place, finding.message))
        .collect();
    // The hook keeps panics quiet, also that of a failing test.
    if !found.is_empty() {
        eprintln!("{}", found.join("\n"));
    }
    assert!(found.is_empty());
    counts
}

#[test]
fn parser() {
    let counts = run(Target::Parser, size(10_000, 20_000));
    assert!(counts.of(Verdict::Accepted) > 1_000, "the mistakes are too coarse: {counts:?}");
    assert!(counts.of(Verdict::RefusedByParser) > 1_000, "the mistakes are too fine: {counts:?}");
}

#[test]
fn whole_path() {
    let counts = run(Target::WholePath, size(1_500, 3_000));
    assert!(counts.of(Verdict::Accepted) > 150, "the mistakes are too coarse: {counts:?}");
    assert!(counts.of(Verdict::RefusedByBuilder) > 150, "the front end is not reached: {counts:?}");
}

/// Mutants of a surface by number; how many were right, and how many there were.
fn surface(name: &str, seeds: &[Vec<u8>], usual: u64, run: &dyn Fn(&[u8]) -> bool) -> (u64, u64) {
    let first = fuzz_ir::variable("SURFACE_FIRST").unwrap_or(0);
    let count = fuzz_ir::variable("SURFACE_MUTANTS").unwrap_or(usual);
    let mut right = 0;
    for number in first..first + count {
        let bytes = mutant(seeds, number);
        match catch_unwind(AssertUnwindSafe(|| run(&bytes))) {
            Ok(is_right) => right += u64::from(is_right),
            Err(_) => {
                let (place, message) = campaign::last_panic();
                let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{number}"));
                let _ = std::fs::write(&file, &bytes);
                eprintln!("{name}, mutant {number}: {place}: {message}; {}", file.display());
                panic!("a finding");
            }
        }
    }
    (right, count)
}

#[test]
fn surfaces() {
    campaign::catch_panics();
    let wanted = std::env::var("SURFACE").ok();
    let mut found = Vec::new();
    for one in SURFACES.iter().filter(|one| wanted.as_deref().is_none_or(|wanted| wanted == one.name)) {
        found.push((one.name, surface(one.name, &(one.seeds)(), size(300, 600), &one.run)));
    }
    eprintln!("{found:?}");
    assert!(found.iter().all(|&(_, (right, count))| right > 0 && right < count), "all are the same: {found:?}");
}

#[test]
fn linker() {
    let usual = size(200, 400);
    campaign::catch_panics();
    let read = |file: &str| std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("it is checked in");
    let object = read("../rt/prebuilt/rt-x86_64-linux.o");
    let mut archive = b"!<arch>\n".to_vec();
    archive.extend(format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", "runtime.o/", 0, 0, 0, 644, object.len()).bytes());
    archive.extend_from_slice(&object);
    for (name, role, seed) in [("object", linker::Role::Object, object), ("archive", linker::Role::Archive, archive)] {
        let found = surface(name, &[seed], usual, &|bytes| linker::run(role, bytes));
        assert!(found.0 > 0 && found.0 < found.1, "all are the same: {name}, {found:?}");
    }
    // A library of this machine, if there is one where it usually is.
    let library =
        ["/lib/x86_64-linux-gnu/libm.so.6", "/lib64/libm.so.6"].iter().find_map(|path| std::fs::read(path).ok());
    if let Some(library) = library {
        surface("library", &[library], usual, &|bytes| linker::run(linker::Role::Library, bytes));
    }
}
