//! Every program of the corpus runs with at most twice the heap that Clean's native program needs (nodes have half its
//! size, but copying needs room for two heaps): `corpus/heaps.txt` holds the measured numbers. The output must be
//! exact.

use cleave_tests::process::{AS_COMPILER, announce_missing, clean, compiler, is_there, run};
use cleave_tests::samples::{self, Sample};
use cleave_tests::selection;
use libtest_mimic::{Arguments, Failed, Trial};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(240);

/// Name and options of each way to run a program.
const ENGINES: [(&str, &[&str]); 2] = [("wasm", &[]), ("jit", &["--target=native"])];

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let heaps = heaps();
    let samples = [samples::flat(), samples::variants(), samples::bench()].concat();
    let names: Vec<String> = samples.iter().map(|sample| sample.name.clone()).collect();
    let mut trials = Vec::new();
    for (engine, options) in ENGINES {
        for sample in samples.clone() {
            let kilobytes = find(&heaps, &sample.name);
            let name = format!("{engine}/{}", sample.name);
            let test = Trial::test(name, move || check(&sample, kilobytes, options).map_err(Failed::from));
            trials.push(test.with_ignored_flag(!is_there(options)));
        }
    }
    trials.push(Trial::test("every_row_has_a_program", move || {
        match heaps.iter().find(|row| !names.contains(&row.0)) {
            Some((name, _)) => Err(format!("{name} is in heaps.txt and not in the corpus").into()),
            None => Ok(()),
        }
    }));
    announce_missing();
    let arguments = Arguments::from_args();
    let trials = selection::thinned(&arguments, trials, |kind| if kind == "wasm" || kind == "jit" { 4 } else { 1 });
    libtest_mimic::run(&arguments, trials).exit();
}

/// Names of programs and kilobytes.
fn heaps() -> Vec<(String, u64)> {
    let text = std::fs::read_to_string(samples::folder().join("heaps.txt")).expect("corpus/heaps.txt can be read");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| {
        let (name, size) = line.split_once(' ').unwrap_or_else(|| panic!("heaps.txt: {line}"));
        (name.to_string(), size.parse().unwrap_or_else(|_| panic!("heaps.txt: {line}")))
    })
    .collect()
}

/// The row of a program; a variant has that of its namesake.
fn find(heaps: &[(String, u64)], name: &str) -> Option<u64> {
    let row = |name: &str| heaps.iter().find(|row| row.0 == name).map(|row| row.1);
    row(name).or_else(|| row(name.rsplit('/').next().unwrap_or_default()))
}

fn check(sample: &Sample, kilobytes: Option<u64>, options: &[&str]) -> Result<(), String> {
    let kilobytes = kilobytes.ok_or("it has no row in corpus/heaps.txt")?;
    let mut command = clean(compiler());
    command.arg("run").args(options).arg(&sample.path).arg(format!("--heap={}k", 2 * kilobytes));
    run(&mut command, sample.stdin(), LIMIT)?.expect(0, &sample.expected())
}
