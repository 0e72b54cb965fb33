//! Many mutants, by number: mutant `n` of a seed is always the same, whatever ran before it.

use crate::mutate::{Choices, Seed, Seeds, Verdict, bytes, lines, oracle};
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

/// What is fuzzed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    Parser,
    WholePath,
}

/// Longer than this is a finding, too: the largest programs of the corpus take a hundredth of it.
const SLOW: Duration = Duration::from_secs(5);

/// A mutant that something went wrong with.
#[derive(Clone, Debug)]
pub struct Finding {
    pub number: u64,
    pub program: Seed,
    /// Where it happened; equal for the same mistake of ours.
    pub place: String,
    pub message: String,
}

/// How many executions ended how, in the order of [`Verdict`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub verdicts: [u64; 4],
    pub slowest: Duration,
    pub slowest_number: u64,
}

impl Counts {
    pub fn executions(&self) -> u64 {
        self.verdicts.iter().sum()
    }
    pub fn of(&self, verdict: Verdict) -> u64 {
        self.verdicts[verdict as usize]
    }
}

/// A mutant of a program, or for the parser of a piece of one.
pub fn mutant(target: Target, seeds: &Seeds, seed: u64, number: u64) -> Seed {
    let mut choices = Choices::of_seed(seed ^ number.wrapping_mul(0xD134_2543_DE82_EF95));
    make(target, seeds, &mut choices)
}

/// The mutant that the choices make.
pub fn make(target: Target, seeds: &Seeds, choices: &mut Choices) -> Seed {
    if target == Target::WholePath {
        let program = seeds.choose(choices);
        return lines::mutate(program, seeds, choices);
    }
    let text = if choices.chance(1) { seeds.choose_text(choices).to_vec() } else { seeds.piece(choices) };
    let mut piece = Seed { modules: vec![crate::mutate::seeds::Source { name: "main".to_string(), text }] };
    if choices.chance(50) {
        piece = lines::mutate(&piece, seeds, choices);
    } else {
        bytes::mutate(&mut piece.modules[0].text, choices);
    }
    piece
}

thread_local! {
    static LAST_PANIC: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
}

/// Panics are kept, not printed.
pub fn catch_panics() {
    panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("?");
        let place = info.location().map_or_else(String::new, ToString::to_string);
        LAST_PANIC.with_borrow_mut(|last| *last = Some((place, text.to_string())));
    }));
}

/// Place and message of the last panic of this thread.
pub fn last_panic() -> (String, String) {
    LAST_PANIC.with_borrow_mut(Option::take).unwrap_or_default()
}

/// One execution. An error is the place and the message of what went wrong. [`catch_panics`] has been called.
pub fn execute(target: Target, program: &Seed, verify: bool) -> Result<Verdict, (String, String)> {
    let begin = Instant::now();
    let result = panic::catch_unwind(AssertUnwindSafe(|| match target {
        Target::Parser => oracle::parse(&program.modules[0].text),
        Target::WholePath => oracle::compile(program, verify),
    }));
    let time = begin.elapsed();
    match result {
        Ok(_) if time > SLOW => Err(("slow".to_string(), format!("{:.1} s", time.as_secs_f64()))),
        Ok(verdict) => Ok(verdict),
        Err(_) => Err(last_panic()),
    }
}

/// What stays the same of a finding while it is reduced: the place and the first words of the message.
pub fn same_place(place: &str, message: &str) -> String {
    let words = message.lines().take(2).flat_map(|line| line.split_whitespace().take(6));
    let words = words.filter(|word| !word.contains(|c: char| c.is_ascii_digit())).collect::<Vec<_>>().join(" ");
    format!("{place} {words}")
}

/// Runs the mutants of a range and returns findings, one for each place.
pub fn run(
    target: Target,
    seeds: &Seeds,
    seed: u64,
    numbers: std::ops::Range<u64>,
    counts: &mut Counts,
    findings: &mut Vec<Finding>,
) {
    for number in numbers {
        let program = mutant(target, seeds, seed, number);
        let begin = Instant::now();
        // Verifying after each pass finds mistakes that WebAssembly does not show; it costs as much as compiling.
        match execute(target, &program, number.is_multiple_of(4)) {
            Ok(verdict) => counts.verdicts[verdict as usize] += 1,
            Err((place, message)) => {
                let place = same_place(&place, &message);
                if !findings.iter().any(|finding| finding.place == place) {
                    findings.push(Finding { number, program, place, message });
                }
            }
        }
        let time = begin.elapsed();
        if time > counts.slowest {
            counts.slowest = time;
            counts.slowest_number = number;
        }
    }
}
