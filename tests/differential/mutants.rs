//! Mutants of valid modules on all engines: what `docs/trust.md` promises (`cleave_tests::mutate::checked`).
//!
//! ```text
//! cargo test --release -p cleave-tests --test differential -- --mutants 30000 [--seed 1] [--first 0] [--minutes 60]
//! ```
//! Mutant `n` of a seed is always the same as long as the programs that it is made of are: the text of a finding is
//! kept. A campaign goes on with `--first` where it has ended.

use crate::engine::Shared;
use crate::{caught, engines};
use cleave_ir::text::{parse_module, print_func, print_module};
use cleave_ir::{Heap, Module};
use cleave_tests::differential::link::Linked;
use cleave_tests::differential::oracle::{Engine, Observed, shows};
use cleave_tests::mutate::checked::{Judgement, judge};
use cleave_tests::mutate::ir::Seeds;
use cleave_tests::process::has_node;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Mutants whose modules are put together for the engines.
const BATCH: u64 = 150;
/// One of so many has mistakes in its text, which the parser refuses mostly.
const COARSE: u64 = 16;

/// What became of the mutants.
#[derive(Debug, Default)]
pub struct Counts {
    parser: u64,
    verifier: u64,
    not_judged: u64,
    endless: u64,
    same: u64,
    wrong: u64,
    pub findings: u64,
}

impl Counts {
    /// That is worth the time: most mutants are accepted, or refused by the verifier.
    pub fn tests_something(&self) -> bool {
        let all = self.parser + self.verifier + self.not_judged + self.endless + self.same + self.wrong;
        self.same > all / 4 && self.wrong > all / 50 && self.verifier > all / 50 && self.parser < all / 10
    }
}

/// A compiled mutant.
struct Compiled {
    number: u64,
    text: String,
    module: Module,
    expected: Observed,
}

/// Mutants by number, until one is over or the time is.
pub fn campaign(seeds: &Seeds, seed: u64, first: u64, count: u64, limit: Option<Duration>, node: bool) -> Counts {
    let (shared, begin) = (Shared::new(), Instant::now());
    let mut engines = engines(&shared, if node && has_node() { usize::MAX } else { 0 });
    let mut counts = Counts::default();
    let mut at = first;
    std::panic::set_hook(Box::new(|_| {}));
    while at < first + count && limit.is_none_or(|limit| begin.elapsed() < limit) {
        let end = (at + BATCH).min(first + count);
        let mut batches: Vec<Vec<Compiled>> = Vec::new();
        for number in at..end {
            let mut text = String::new();
            let result = caught(|| attempt(seeds, seed, number, &mut counts, &mut text));
            match result {
                Ok(compiled) => compiled.into_iter().for_each(|(module, expected)| {
                    let compiled = Compiled { number, text: text.clone(), module, expected };
                    match batches.iter_mut().find(|batch| are_linked(&batch[0].module, &compiled.module)) {
                        Some(batch) => batch.push(compiled),
                        None => batches.push(vec![compiled]),
                    }
                }),
                Err(message) => report(&mut counts, seed, number, &message, &text),
            }
        }
        for batch in batches {
            for engine in &mut engines {
                run(&mut **engine, &batch, seed, at / BATCH, &mut counts);
            }
        }
        at = end;
        if count > 10 * BATCH {
            println!("up to {at}, {:.0} s: {counts:?}", begin.elapsed().as_secs_f64());
        }
    }
    let _ = std::panic::take_hook();
    counts
}

/// Can two modules be put together? They have the same heap, with cells of the same sizes, which their checks compare;
/// and the same is done where a cycle is found.
fn are_linked(one: &Module, other: &Module) -> bool {
    let cycle = |module: &Module| {
        let code = &module.funcs[module.thunk_infos[module.blackhole_info?].code];
        let text = print_func(module, code);
        Some(text.split_once('{').map_or(String::new(), |(_, body)| body.to_string()))
    };
    one.heap == other.heap && one.cell_sizes == other.cell_sizes && cycle(one) == cycle(other)
}

fn report(counts: &mut Counts, seed: u64, number: u64, message: &str, text: &str) {
    counts.findings += 1;
    println!("mutant {number} of seed {seed}: {message}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    let file = folder.join(format!("{seed}-{number}.ir"));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&file, text));
    println!("  {}", written.map_or_else(|error| error.to_string(), |()| file.display().to_string()));
}

/// What is to be run of a mutant.
fn attempt(
    seeds: &Seeds,
    seed: u64,
    number: u64,
    counts: &mut Counts,
    text: &mut String,
) -> Result<Vec<(Module, Observed)>, String> {
    let module = if number.is_multiple_of(COARSE) {
        *text = seeds.mutant(seed, number);
        let Ok(module) = parse_module(text) else {
            counts.parser += 1;
            return Ok(Vec::new());
        };
        module
    } else {
        let module = seeds.fine_mutant(seed, number);
        *text = print_module(&module);
        // What the parser refuses, a front end that calls the library may still say.
        match parse_module(text) {
            Ok(parsed) => parsed,
            Err(error) => {
                if cleave_ir::verify::verify_module(&module).is_ok() {
                    return Err(format!("what is printed is not read: {error}"));
                }
                counts.parser += 1;
                return Ok(Vec::new());
            }
        }
    };
    match judge(&module, number)? {
        Judgement::Refused => counts.verifier += 1,
        Judgement::NotJudged => counts.not_judged += 1,
        Judgement::Endless => counts.endless += 1,
        Judgement::Judged(judged) => {
            *(if judged.is_wrong { &mut counts.wrong } else { &mut counts.same }) += 1;
            return Ok(judged.compiled);
        }
    }
    Ok(Vec::new())
}

/// Runs a batch in an engine, calmly and under stress.
fn run(engine: &mut dyn Engine, batch: &[Compiled], seed: u64, round: u64, counts: &mut Counts) {
    let mut linked = Linked::default();
    let runs: Vec<(usize, &Compiled)> = batch.iter().map(|compiled| (linked.add(&compiled.module), compiled)).collect();
    let loaded = caught(|| engine.load(linked, round));
    if let Err(message) = loaded {
        let first = batch[0].number;
        return report(
            counts,
            seed,
            first,
            &format!("{}: loading it and following: {message}", engine.name()),
            &batch[0].text,
        );
    }
    for (number, compiled) in runs {
        let stress = match (compiled.module.heap, compiled.number % 3) {
            (Heap::Rc, _) | (_, 0) => "",
            // A selector in such a text may do something else than the collector.
            _ if compiled.number.is_multiple_of(COARSE) => "",
            (_, 1) => "--gc=generational --nursery=16k --gc-stress=1 --poison",
            _ => "--gc=copying --gc-stress=3 --poison",
        };
        let (found, expected) = (engine.run(number, stress), shows(&compiled.expected));
        if found != expected {
            let message = format!("{} {stress}: expected {expected}\nfound {found}", engine.name());
            report(counts, seed, compiled.number, &message, &compiled.text);
        }
    }
}
