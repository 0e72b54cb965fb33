//! Random programs of today's samlang beside the language's own compiler: what they print, and what is refused.
//!
//! ```text
//! CLEAVE_SAMLANG_OWN=FILE cargo test -p cleave-tests --test samlang_own                      a handful
//! CLEAVE_SAMLANG_OWN=FILE cargo test -p cleave-tests --test samlang_own -- --campaign 20000   so many, with progress
//! CLEAVE_SAMLANG_OWN=FILE cargo test -p cleave-tests --test samlang_own -- --mutants 20000    so many mutants
//!        --first N   the first number [default: where the last campaign ended]
//! cargo test -p cleave-tests --test samlang_own -- --print N                                  shows a program
//! ```
//! `CLEAVE_SAMLANG_OWN` names that compiler, `samlang`, and `CLEAVE_NODE` a node that runs WebAssembly with GC types,
//! of version 22 or later; without the first all is skipped. What our interpreter prints must be what an evaluator
//! says; of programs on which the own compiler fails, or of which it makes something else, the number is said.
//!
//! A *mutant* is a program with one word left out, doubled, exchanged with its neighbour or replaced by another of its
//! words; with `CLEAVE_SAMLANG`, which names a checkout of that compiler, its test programs have mutants, too. It is
//! counted whether both compilers accept them; those that only one of them accepts are left in
//! `target/tmp/samlang-own/findings`.

use cleave_diag::{Severity, Sink, SourceMap, code};
use cleave_ir::Heap;
use cleave_samlang::Files;
use cleave_tests::counted;
use cleave_tests::process::AS_COMPILER;
use cleave_tests::random_samlang::{Program, Random, evaluate, generate_for};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs that are compiled together.
const BATCH: u64 = 100;
/// Mutants of each program.
const MUTANTS: usize = 8;
/// Longer texts have no mutants.
const LARGEST: usize = 12_000;
/// Programs of an ordinary test run.
const SMOKE: u64 = 100;

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
    let number = |name: &str| value(name).and_then(|text| text.parse::<u64>().ok());
    if let Some(seed) = number("--print") {
        return print!("{}", program(seed).0.today());
    }
    let own = std::env::var_os("CLEAVE_SAMLANG_OWN").filter(|value| !value.is_empty()).map(PathBuf::from);
    for (mode, word) in [(Mode::Programs, "--campaign"), (Mode::Mutants, "--mutants")] {
        if let (Some(count), Some(own)) = (number(word), &own) {
            let failed = campaign(own, mode, number("--first"), count).unwrap_or_else(|problem| {
                eprintln!("{problem}");
                1
            });
            std::process::exit(i32::from(failed > 0));
        }
    }
    if own.is_none() && !args.iter().any(|arg| arg == "--list") {
        println!("skipped: CLEAVE_SAMLANG_OWN does not name the language's own compiler");
    }
    let test = |mode: Mode| {
        let own = own.clone();
        move || -> Result<(), Failed> {
            let own = own.expect("it is there");
            match batch(&own, mode, 1..1 + SMOKE)? {
                found if found.failed.is_empty() => Ok(()),
                found => Err(found.failed[0].clone().into()),
            }
        }
    };
    let trials = vec![
        Trial::test("programs", test(Mode::Programs)).with_ignored_flag(own.is_none()),
        Trial::test("mutants", test(Mode::Mutants)).with_ignored_flag(own.is_none()),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Programs,
    Mutants,
}

#[derive(Default)]
struct Found {
    compared: usize,
    /// Programs with the same output, and mutants that both accept.
    both: usize,
    /// Programs that the own compiler cannot compile, and mutants that it alone accepts.
    theirs: usize,
    /// Programs that it compiles to something else, and mutants that ours alone accepts.
    ours: usize,
    failed: Vec<String>,
}

/// The program of a number, with the generator after it.
fn program(seed: u64) -> (Program, Random) {
    let mut random = Random::new(seed);
    (generate_for(&mut random, true), random)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("samlang-own")
}

/// Runs batch after batch, and notes how far it came; how many findings there are.
fn campaign(own: &Path, mode: Mode, first: Option<u64>, count: u64) -> Result<usize, String> {
    let kind = if mode == Mode::Programs { "programs" } else { "mutants" };
    let state = folder().join(format!("{kind}.next"));
    fs::create_dir_all(folder()).map_err(|error| error.to_string())?;
    let noted = || fs::read_to_string(&state).ok()?.trim().parse().ok();
    let first: u64 = first.or_else(noted).unwrap_or(1);
    let is_programs = mode == Mode::Programs;
    let (theirs, ours) = match is_programs {
        true => ("that the own compiler fails on", "that it makes something else of"),
        false => ("accepted by the own compiler alone", "accepted by ours alone"),
    };
    let mut total = Found::default();
    let mut next = first;
    while (total.compared as u64) < count {
        let found = batch(own, mode, next..next + BATCH)?;
        next += BATCH;
        total.compared += found.compared;
        (total.both, total.theirs, total.ours) =
            (total.both + found.both, total.theirs + found.theirs, total.ours + found.ours);
        for failure in found.failed {
            println!("{failure}");
            total.failed.push(String::new());
        }
        fs::write(&state, next.to_string()).map_err(|error| error.to_string())?;
        println!(
            "{kind} up to {next}: {} compared, {} alike, {} {theirs}, {} {ours}, {} findings",
            total.compared,
            total.both,
            total.theirs,
            total.ours,
            total.failed.len()
        );
    }
    Ok(total.failed.len())
}

/// The modules of a checkout, if there is one.
struct Checkout(Option<PathBuf>);

impl Checkout {
    fn new() -> Checkout {
        Checkout(std::env::var_os("CLEAVE_SAMLANG").map(PathBuf::from))
    }

    /// Texts of the test programs.
    fn tests(&self) -> Vec<String> {
        let folder = self.0.as_ref().and_then(|checkout| fs::read_dir(checkout.join("tests")).ok());
        let mut paths: Vec<PathBuf> = folder.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let texts = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "sam"));
        texts
            .filter_map(|path| fs::read_to_string(path).ok())
            .filter(|text| text.len() < LARGEST && !text.contains("std.set"))
            .collect()
    }
}

impl Files for Checkout {
    fn read(&mut self, path: &Path) -> Result<Option<(String, Vec<u8>)>, String> {
        let path = self.0.as_ref().map(|checkout| checkout.join(path));
        Ok(path.and_then(|path| Some((path.display().to_string(), fs::read(&path).ok()?))))
    }
    fn shadows_library(&self) -> bool {
        false
    }
}

/// What our interpreter prints, or the errors.
fn ours(text: &str, runs: bool) -> Result<Vec<u8>, String> {
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let main = sources.add("Main.sam", text.as_bytes().to_vec());
    let checked = cleave_samlang::check("Main", main, &mut Checkout::new(), &mut sources, &mut sink);
    let program = checked.and_then(|checked| cleave_samlang::instantiate("Main", &checked, &mut sink));
    let errors = || sink.diagnostics().iter().map(|error| cleave_diag::human(error, &sources, false)).collect();
    // A module need not be a program.
    if !runs && sink.diagnostics().iter().all(|it| it.code == code::MISSING_MAIN || it.severity == Severity::Warning) {
        return Ok(Vec::new());
    }
    let program = program.ok_or_else(|| -> String { errors() })?;
    if !runs {
        return Ok(Vec::new());
    }
    counted::interpret(&cleave_samlang::translate(&program, Heap::Rc, None)).map(|found| found.0)
}

fn batch(own: &Path, mode: Mode, seeds: std::ops::Range<u64>) -> Result<Found, String> {
    let folder = folder().join(format!("batch-{}", std::process::id()));
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut found = Found::default();
    match mode {
        Mode::Programs => programs(own, &folder, seeds, &mut found)?,
        Mode::Mutants => mutants(own, &folder, seeds, &mut found)?,
    }
    _ = fs::remove_dir_all(&folder);
    Ok(found)
}

/// Writes modules with a project around them, and compiles them; the modules with errors, or nothing if the compiler
/// itself fails.
fn compile(own: &Path, folder: &Path, modules: &[(String, String)]) -> Result<Option<BTreeSet<String>>, String> {
    let names: Vec<String> = modules.iter().map(|module| format!("\"{}\"", module.0)).collect();
    let project = format!("{{\"entryPoints\": [{}]}}", names.join(", "));
    fs::write(folder.join("sconfig.json"), project).map_err(|error| error.to_string())?;
    for (name, text) in modules {
        fs::write(folder.join(format!("{name}.sam")), text).map_err(|error| error.to_string())?;
    }
    let output = Command::new(own).arg("compile").current_dir(folder).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let places = text.lines().filter_map(|line| line.strip_prefix("Error ")?.split_once(".sam:"));
    let wrong: BTreeSet<String> = places.map(|place| place.0.trim_start_matches(['-', ' ']).to_string()).collect();
    Ok((output.status.success() || !wrong.is_empty()).then_some(wrong))
}

/// Each alone, as one that the own compiler cannot compile ends it.
fn programs(own: &Path, folder: &Path, seeds: std::ops::Range<u64>, found: &mut Found) -> Result<(), String> {
    let node = std::env::var_os("CLEAVE_NODE").unwrap_or_else(|| "node".into());
    for seed in seeds {
        let (program, _) = program(seed);
        let Some(output) = evaluate(&program) else { continue };
        let text = program.today();
        found.compared += 1;
        let expected = String::from_utf8_lossy(&output);
        match ours(&text, true) {
            Ok(here) if here == output => {}
            Ok(here) => {
                let here = String::from_utf8_lossy(&here).into_owned();
                found.failed.push(format!("program {seed}: expected {expected}, ours prints {here}"));
            }
            Err(problem) => found.failed.push(format!("program {seed}: {problem}")),
        }
        _ = fs::remove_dir_all(folder.join("out"));
        let wrong = compile(own, folder, &[("Main".to_string(), text)])?;
        let Some(wrong) = wrong else {
            found.theirs += 1;
            continue;
        };
        if !wrong.is_empty() {
            found.failed.push(format!("program {seed}: the own compiler refuses it"));
            continue;
        }
        let output = Command::new(&node).arg(folder.join("out/Main.wasm.js")).output();
        let theirs = output.map_err(|error| error.to_string())?.stdout;
        // The evaluator is right; of what the own compiler does otherwise only the number is said.
        match theirs == expected.as_bytes() {
            true => found.both += 1,
            false => found.ours += 1,
        }
    }
    Ok(())
}

/// The words of a text, with what stands before them.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(first) = chars.next() {
        let mut word = String::from(first);
        if first == '"' {
            for next in chars.by_ref() {
                word.push(next);
                if next == '"' {
                    break;
                }
            }
        } else if first.is_alphanumeric() || first.is_whitespace() {
            let is_same = |next: &char| {
                if first.is_whitespace() { next.is_whitespace() } else { next.is_alphanumeric() }
            };
            while let Some(next) = chars.next_if(is_same) {
                word.push(next);
            }
        } else if let Some(next) = chars.next_if(|&next| {
            matches!(
                (first, next),
                (':', ':') | ('-', '>') | ('=', '=') | ('<' | '>' | '!', '=') | ('&', '&') | ('|', '|')
            )
        }) {
            word.push(next);
        }
        words.push(word);
    }
    words
}

fn mutate(words: &[String], random: &mut Random) -> String {
    let contiguous: Vec<usize> = (0..words.len()).filter(|&at| !words[at].starts_with(char::is_whitespace)).collect();
    let mut words = words.to_vec();
    let at = random.below(contiguous.len());
    let place = contiguous[at];
    let kind = |at: usize| {
        words[at].chars().next().map_or(0, |first| match first {
            '0'..='9' => 1,
            'a'..='z' => 2,
            'A'..='Z' => 3,
            '"' => 4,
            _ => 5,
        })
    };
    let alike: Vec<usize> = contiguous.iter().copied().filter(|&other| kind(other) == kind(place)).collect();
    match random.below(12) {
        0 => words[place].clear(),
        1 => words[place] = format!("{0} {0}", words[place]),
        2 => words.swap(place, contiguous[(at + 1) % contiguous.len()]),
        3 => words[place] = words[contiguous[random.below(contiguous.len())]].clone(),
        _ => words[place] = words[alike[random.below(alike.len())]].clone(),
    }
    words.concat()
}

fn copy(source: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(source)?.flatten() {
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

fn mutants(own: &Path, folder: &Path, seeds: std::ops::Range<u64>, found: &mut Found) -> Result<(), String> {
    let mut modules = Vec::new();
    let tests = Checkout::new().tests();
    for seed in seeds {
        let (program, mut random) = program(seed);
        let text = program.today();
        let own_test = (!tests.is_empty()).then(|| tests[random.below(tests.len())].clone());
        for (kind, text) in [("M", Some(text)), ("T", own_test)] {
            let words = words(&text.filter(|text| text.len() < LARGEST).unwrap_or_default());
            for number in 0..if words.is_empty() { 0 } else { MUTANTS } {
                modules.push((format!("{kind}{seed}x{number}"), mutate(&words, &mut random)));
            }
        }
    }
    if let Some(checkout) = &Checkout::new().0 {
        copy(&checkout.join("tests"), &folder.join("tests")).map_err(|error| error.to_string())?;
    }
    let Some(wrong) = compile(own, folder, &modules)? else { return Ok(()) };
    let kept = self::folder().join("findings");
    fs::create_dir_all(&kept).map_err(|error| error.to_string())?;
    for (name, text) in &modules {
        found.compared += 1;
        let here = ours(text, false);
        match (here, wrong.contains(name)) {
            (Ok(_), false) => found.both += 1,
            (Err(_), true) => {}
            (Ok(_), true) => {
                found.ours += 1;
                fs::write(kept.join(format!("ours-{name}.sam")), text).map_err(|error| error.to_string())?;
            }
            (Err(problem), false) => {
                found.theirs += 1;
                fs::write(kept.join(format!("theirs-{name}.sam")), text).map_err(|error| error.to_string())?;
                found.failed.push(format!("mutant {name} is refused by ours alone: {problem}"));
            }
        }
    }
    Ok(())
}
