//! Fuzzing without a fuzzer: runs mutants by number and writes down what goes wrong.
//!
//! ```text
//! cargo run --release -p cleave-tests --bin fuzz-campaign -- parse|compile SEED FIRST COUNT [FOLDER]
//! ```
//! Findings are reduced and written into FOLDER, one folder each. `ulimit -v` around it makes too much memory a crash.

use cleave_tests::mutate::campaign::{self, Counts, Finding, Target};
use cleave_tests::mutate::{Seeds, Verdict, reduce::reduce};
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Mutants between two lines of progress.
const CHUNK: u64 = 20_000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| args.get(index).and_then(|arg| arg.parse::<u64>().ok());
    let target = match args.first().map(String::as_str) {
        Some("parse") => Target::Parser,
        Some("compile") => Target::WholePath,
        _ => usage(),
    };
    let (Some(seed), Some(first), Some(count)) = (number(1), number(2), number(3)) else { usage() };
    let folder = args.get(4).cloned();
    // Everything on this thread: the work is too small to be shared.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    pool.install(|| run(target, seed, first, count, folder.as_deref().map(Path::new)));
}

fn usage() -> ! {
    eprintln!("usage: fuzz-campaign parse|compile SEED FIRST COUNT [FOLDER]");
    std::process::exit(2);
}

fn run(target: Target, seed: u64, first: u64, count: u64, folder: Option<&Path>) {
    campaign::catch_panics();
    let seeds = Seeds::corpus();
    let (mut counts, mut findings) = (Counts::default(), Vec::new());
    let begin = Instant::now();
    let end = first + count;
    let mut at = first;
    while at < end {
        let next = (at + CHUNK).min(end);
        let known = findings.len();
        campaign::run(target, &seeds, seed, at..next, &mut counts, &mut findings);
        for finding in &findings[known..] {
            report(target, finding, folder);
        }
        at = next;
        println!(
            "{} done, {:.0} s: {} refused by the parser, {} by the front end, {} by the target, {} accepted; \
             {} findings; slowest {:.0} ms ({}); peak {} MB",
            at - first,
            begin.elapsed().as_secs_f64(),
            counts.of(Verdict::RefusedByParser),
            counts.of(Verdict::RefusedByBuilder),
            counts.of(Verdict::RefusedByTarget),
            counts.of(Verdict::Accepted),
            findings.len(),
            counts.slowest.as_secs_f64() * 1e3,
            counts.slowest_number,
            peak_megabytes(),
        );
    }
}

fn report(target: Target, finding: &Finding, folder: Option<&Path>) {
    println!("finding {}: {}\n  {}", finding.number, finding.place, finding.message);
    let Some(folder) = folder else { return };
    let small = reduce(&finding.program, |program| {
        let result = campaign::execute(target, program, true);
        result.is_err_and(|(place, message)| campaign::same_place(&place, &message) == finding.place)
    });
    let folder = folder.join(finding.number.to_string());
    fs::create_dir_all(&folder).expect("the folder can be made");
    for module in small.modules {
        fs::write(folder.join(format!("{}.abc", module.name)), module.text).expect("files can be written");
    }
    fs::write(folder.join("message.txt"), format!("{}\n{}\n", finding.place, finding.message)).expect("written");
}

fn peak_megabytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0) / 1024
}
