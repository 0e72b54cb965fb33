//! Random programs agree: interpreter on high, rooted and low IR, WebAssembly in two engines and machine code, compiled
//! at every level, for every strategy of roots, without each pass and step, run by either collector with stress and
//! without; and they cover every opcode.
//!
//! ```text
//! cargo test -p cleave-tests --test differential                            some hundred programs
//! cargo test -p cleave-tests --test differential -- --campaign 100000       that many, with progress
//!        --first N     the first number         --minutes M  stop after that time     --print N  show a program
//!        --ways N      each program is compiled in so many ways [default: 1]          --threads N  [default: all]
//!        --no-node     without node
//! cargo test -p cleave-tests --test differential -- --compare FILE…         programs of one's own: .abc or IR
//! cargo test -p cleave-tests --test differential -- --mutants 30000         mutants (`mutants`)
//! ```
//! Ways and settings of the collector change from program to program (`ways`); a campaign says at its end how many
//! programs went which way. A disagreement names the number of the program and how it can be seen again.

mod engine;
mod mutants;
mod native;
mod node;

use cleave::driver::interpret;
use cleave::driver::pipeline::{self, Stop};
use cleave::driver::session::{Level, Options, Session};
use cleave::languages;
use cleave_ir::text::{parse_module, print_module};
use cleave_ir::verify::verify_module;
use cleave_ir::{Flags, Heap, Memory, Module, Opcode};
use cleave_tests::differential::census::Table;
use cleave_tests::differential::counted;
use cleave_tests::differential::generate::program;
use cleave_tests::differential::oracle::{self, Checked, Coverage, End, Engine, Observed};
use cleave_tests::differential::ways::{self, Tally, Turn, Way};
use cleave_tests::mutate::ir::Seeds;
use cleave_tests::process::{HAS_NATIVE, announce_missing, has_node};
use cleave_tests::selection::size;
use engine::{STACK, Shared, Wasm};
use libtest_mimic::{Arguments, Failed, Trial};
use native::Native;
use node::Node;
use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Its speed is part of what a campaign costs.
#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

/// Programs of an ordinary test run.
const SMOKE: u64 = 240;
/// Programs that are looked at for what they have.
const CENSUS: u64 = 960;
/// Ways of each program in an ordinary test run, and in a thorough one.
const SMOKE_WAYS: u64 = 2;
const MORE_WAYS: u64 = 4;
/// Mutants of an ordinary test run, and of a thorough one.
const MUTANTS: u64 = 130;
const MORE_MUTANTS: u64 = 260;
/// Programs of which they are.
const MUTATED: usize = 100;
/// Instructions that a program of one's own may take.
const STEPS: u64 = 1 << 32;
/// Compiled programs in one module.
const BATCH: u64 = 240;
/// Programs of the smoke run that contain an opcode, and executions of it, at least.
const LEAST: u64 = 5;
/// Programs of the smoke run that have anything that there is in the IR, at least.
const LEAST_OF_A_KIND: u64 = 2;
/// Opcodes that are never executed: reaching one is a mistake.
const NOT_EXECUTED: [Opcode; 1] = [Opcode::Unreachable];

fn main() {
    if let Ok(port) = std::env::var(native::CHILD) {
        return native::child(&port).expect("the connection holds");
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        Some(args.get(at + 1).and_then(|text| text.parse::<u64>().ok()).unwrap_or_else(|| usage()))
    };
    announce_missing();
    if let Some(seed) = number("--print") {
        print!("{}", print_module(&program(seed)));
    } else if args.first().is_some_and(|arg| arg == "--compare") {
        let wrong = args[1..].iter().filter(|file| !compare(Path::new(file))).count();
        std::process::exit(i32::from(wrong > 0));
    } else if let Some(count) = number("--mutants") {
        let limit = number("--minutes").map(|minutes| Duration::from_secs(60 * minutes));
        let node = !args.iter().any(|arg| arg == "--no-node");
        let (seed, first) = (number("--seed").unwrap_or(1), number("--first").unwrap_or(0));
        let counts = with_stack(|| mutants::campaign(&Seeds::programs(), seed, first, count, limit, node));
        println!("{counts:?}");
        std::process::exit(i32::from(counts.findings > 0));
    } else if let Some(count) = number("--campaign") {
        let settings = Campaign {
            first: number("--first").unwrap_or(0),
            count,
            limit: number("--minutes").map(|minutes| Duration::from_secs(60 * minutes)),
            progress: true,
            ways: number("--ways").unwrap_or(1).max(1),
            threads: number("--threads").map(|count| count.max(1) as usize),
            in_node: if has_node() && !args.iter().any(|arg| arg == "--no-node") { usize::MAX } else { 0 },
        };
        let report = campaign(&settings);
        println!("{}\n{}", report.summary(), report.tally);
        std::process::exit(i32::from(!report.findings.is_empty()));
    } else {
        let smoke = Trial::test("smoke", || smoke().map_err(Failed::from));
        let crash = Trial::test("a-crash-is-seen", || crash().map_err(Failed::from)).with_ignored_flag(!HAS_NATIVE);
        let old = Trial::test("an-old-node-is-overwritten", || {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("differential/programs/old-node.ir");
            if compare(&file) { Ok(()) } else { Err("some runs disagree".into()) }
        });
        let mutants = Trial::test("mutants", || mutants().map_err(Failed::from));
        let census = Trial::test("the-programs-have-all-of-the-ir", || census().map_err(Failed::from));
        libtest_mimic::run(&Arguments::from_args(), vec![smoke, crash, old, mutants, census]).exit();
    }
}

fn usage() -> ! {
    eprintln!(
        "usage: differential [--campaign COUNT [--first N] [--minutes M] [--ways N] [--threads N] [--no-node] | \
         --mutants COUNT [--seed N] [--first N] [--minutes M] [--no-node] | --print N | \
         --compare FILE…]"
    );
    std::process::exit(2);
}

/// Work on a thread with a stack for programs.
fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK + (16 << 20)).spawn_scoped(scope, work);
        thread.expect("a thread can be started").join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Some mutants; always the same as long as the generator is.
fn mutants() -> Result<(), String> {
    let (count, seeds) = (size(MUTANTS, MORE_MUTANTS), Seeds::generated(MUTATED));
    let counts = with_stack(|| mutants::campaign(&seeds, 1, 0, count, None, false));
    match (counts.findings, counts.tests_something()) {
        (0, true) => Ok(()),
        (0, false) => Err(format!("the mistakes are too coarse or too fine: {counts:?}")),
        _ => Err(format!("{counts:?}")),
    }
}

/// Everything that runs compiled programs on this machine; node for so many ways of each.
fn engines(shared: &Shared, in_node: usize) -> Vec<Box<dyn Engine>> {
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Wasm::new(shared))];
    if HAS_NATIVE {
        engines.push(Box::new(Native::new()));
    }
    if in_node > 0 {
        engines.push(Box::new(Node::new(in_node)));
    }
    engines
}

/// Compares all runs of a program of one's own; true if they agree.
fn compare(file: &Path) -> bool {
    let name = file.display();
    let Some(module) = read(file) else {
        println!("{name}: cannot be compiled");
        return false;
    };
    let result = std::thread::scope(|scope| {
        let work = || {
            let ways = ways::plain();
            let turns = Turn::of_program(&ways, 0, ways.len() as u64);
            let checked = oracle::check(&module, &turns, STEPS, &mut Coverage::default()).map_err(|d| d.to_string())?;
            let checked = checked.ok_or("it takes too long, or too much stack")?;
            for mut engine in engines(&Shared::new(), if has_node() { usize::MAX } else { 0 }) {
                let found = oracle::check_engine(&mut *engine, std::slice::from_ref(&checked), 0);
                found.first().map_or(Ok(()), |found| Err(found.1.to_string()))?;
            }
            Ok::<(), String>(())
        };
        let thread = std::thread::Builder::new().stack_size(STACK + (16 << 20)).spawn_scoped(scope, work);
        thread.expect("a thread can be started").join().unwrap_or_else(|_| Err("a panic".into()))
    });
    match result {
        Ok(()) => println!("{name}: all runs agree"),
        Err(ref message) => println!("{name}: {message}"),
    }
    result.is_ok()
}

/// High IR of a program: from IR in text form, or as the front end makes it.
fn read(file: &Path) -> Option<Module> {
    let mut session = Session::new(Options { level: Level::O0, ..Options::default() });
    if file.extension().is_some_and(|extension| extension == "ir") {
        return interpret::read_ir(&mut session, file).ok();
    }
    let loaded = languages::load(&mut session, file).ok()?;
    Some(pipeline::compile(&mut session, loaded, Stop::High, &[]).ok()?.into_ir())
}

fn smoke() -> Result<(), String> {
    let settings = Campaign {
        first: 0,
        count: SMOKE,
        limit: None,
        progress: false,
        ways: size(SMOKE_WAYS, MORE_WAYS),
        threads: None,
        in_node: if has_node() { size(1, MORE_WAYS) as usize } else { 0 },
    };
    let report = campaign(&settings);
    if let Some(finding) = report.findings.first() {
        return Err(format!("{} programs disagree; the first: {finding}", report.findings.len()));
    }
    // Functions become able to be captured after what is interpreted here.
    // Storage that one instruction sets is rare in random programs: `rc_insertion/peeks.ir` has it.
    let late = [Opcode::StackLimit, Opcode::SetStackLimit, Opcode::SetShadowPointer, Opcode::PeekCafRef];
    let is_made = |opcode: &Opcode| !late.contains(opcode);
    let opcodes = Opcode::ALL.iter().copied().filter(is_made);
    let wrong: Vec<String> = opcodes
        .filter_map(|opcode| {
            let is_rc = opcode.writes().any(Memory::COUNTS) && !opcode.any(Flags::CALL);
            let coverage = if is_rc { &report.counted } else { &report.coverage };
            let (programs, executed) = (coverage.programs[opcode as usize], coverage.executed[opcode as usize]);
            // They are expanded before they are executed, and no table has what they call.
            let fine = match opcode {
                Opcode::HandleCallTable => true,
                _ if opcode.is_of_effects() => programs >= LEAST_OF_A_KIND,
                _ => programs >= LEAST && (executed >= LEAST || NOT_EXECUTED.contains(&opcode)),
            };
            (!fine).then(|| format!("{}: in {programs} programs, executed {executed} times", opcode.name()))
        })
        .collect();
    if !wrong.is_empty() {
        return Err(format!("the programs do not cover all opcodes:\n{}", wrong.join("\n")));
    }
    // The generator must not have become trivial.
    if report.agreed < SMOKE * 8 / 10 || report.printed < 50 * SMOKE || report.stopped == 0 {
        return Err(report.summary());
    }
    Ok(())
}

/// What the programs of the smoke run are made of.
fn census() -> Result<(), String> {
    let mut table = Table::default();
    (0..CENSUS).for_each(|seed| table.add(&program(seed)));
    let wrong = table.wrong(LEAST_OF_A_KIND);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Machine code that reads where nothing is mapped disagrees in every run, and the program after it does not.
fn crash() -> Result<(), String> {
    let turn = Turn::of(&ways::plain(), 0);
    let checked = |value: &str| {
        let text = format!(
            "start @main\nfunc @main() {{\nblock0:\n  v0 = iconst.i32 -65536\n  {value}\n  call_rt print_int(v1)\n  ret\n}}\n"
        );
        let module = parse_module(&text).map_err(|error| error.to_string())?;
        let mut session = Session::new(Options { level: Level::O0, ..Options::default() });
        let rooted = pipeline::compile_ir(&mut session, module, Stop::Rooted, &[]).map_err(|_| "it is not compiled")?;
        let expected = Observed { stdout: b"7".to_vec(), stderr: Vec::new(), end: End::Status(0) };
        Ok::<_, String>(Checked { expected, compiled: vec![(turn, rooted.into_ir())] })
    };
    let programs = [checked("v1 = load.i64 v0 +0")?, checked("v1 = iconst.i64 7")?];
    let found = oracle::check_engine(&mut Native::new(), &programs, 0);
    let ends: Vec<String> = found.iter().map(|(number, found)| format!("{number}: {:?}", found.found.end)).collect();
    let crashed = ends.iter().filter(|end| end.starts_with("0: Broken(\"the process ended: signal: 11"));
    if crashed.count() == turn.settings().len() && ends.len() == turn.settings().len() {
        return Ok(());
    }
    Err(format!("not {} crashes of the first program: {ends:?}", turn.settings().len()))
}

#[derive(Default)]
struct Report {
    /// Programs that were compared to the end.
    agreed: u64,
    /// Programs that take too long.
    left_out: u64,
    /// Programs that stopped with an error of their own.
    stopped: u64,
    /// Bytes of output.
    printed: u64,
    findings: Vec<String>,
    coverage: Coverage,
    /// The same of programs on the reference-counted heap.
    counted: Coverage,
    /// Ways of the programs that were compared.
    tally: Tally,
    time: Duration,
}

impl Report {
    fn summary(&self) -> String {
        format!(
            "{} programs agree ({} of them end with an error), {} left out, {} findings; {} bytes of output, {:.0} s",
            self.agreed,
            self.stopped,
            self.left_out,
            self.findings.len(),
            self.printed,
            self.time.as_secs_f64()
        )
    }
}

/// Which programs are checked, and how.
struct Campaign {
    first: u64,
    count: u64,
    limit: Option<Duration>,
    progress: bool,
    /// Ways of each program.
    ways: u64,
    threads: Option<usize>,
    /// Ways of each program that node runs, which compiles what the embedded engine has run, in more time.
    in_node: usize,
}

impl Campaign {
    /// Programs in one module.
    fn batch(&self) -> u64 {
        (BATCH / self.ways).max(1)
    }
}

/// Checks programs by number.
fn campaign(settings: &Campaign) -> Report {
    let begin = Instant::now();
    let (shared, ways, rc_ways) = (Shared::new(), ways::all(), counted::all());
    let next = AtomicU64::new(settings.first);
    let report = Mutex::new(Report { tally: Tally::new(&ways), ..Report::default() });
    let threads = settings.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let work = || worker(settings, &shared, (&ways, &rc_ways), &next, begin, &report);
            let builder = std::thread::Builder::new().stack_size(STACK + (16 << 20));
            builder.spawn_scoped(scope, work).expect("a thread can be started");
        }
    });
    let _ = std::panic::take_hook();
    let mut report = report.into_inner().expect("no thread has failed");
    report.time = begin.elapsed();
    report.findings.sort();
    report
}

/// Checked programs with their numbers, which go into one module.
struct Batch<T> {
    numbers: Vec<u64>,
    programs: Vec<T>,
}

impl<T> Default for Batch<T> {
    fn default() -> Self {
        Batch { numbers: Vec::new(), programs: Vec::new() }
    }
}

impl<T> Batch<T> {
    fn add(&mut self, number: u64, program: T) -> &T {
        self.numbers.push(number);
        self.programs.push(program);
        self.programs.last().expect("it has just been added")
    }
}

fn worker(
    settings: &Campaign,
    shared: &Shared,
    (ways, rc_ways): (&[Way], &[counted::Way]),
    next: &AtomicU64,
    begin: Instant,
    report: &Mutex<Report>,
) {
    let mut engines = engines(shared, settings.in_node);
    let (batch, last) = (settings.batch(), settings.first + settings.count);
    loop {
        let start = next.fetch_add(batch, Ordering::Relaxed);
        if start >= last || settings.limit.is_some_and(|limit| begin.elapsed() > limit) {
            return;
        }
        // In a test one finding is enough.
        if !settings.progress && !report.lock().expect("no thread has failed").findings.is_empty() {
            return;
        }
        let mut own = Report { tally: Tally::new(ways), ..Report::default() };
        let (mut traced, mut counted) = (Batch::default(), Batch::default());
        for seed in start..last.min(start + batch) {
            let turns = Turn::of_program(ways, seed, settings.ways);
            let on_rc = counted::of_program(rc_ways, seed / 4, settings.ways);
            let module = program(seed);
            let is_rc = module.heap == Heap::Rc;
            let result = caught(|| {
                verify_module(&module).map_err(|errors| format!("the generator makes wrong IR: {}", errors[0]))?;
                if is_rc {
                    let checked = counted::check(&module, &on_rc, oracle::STEPS, &mut own.counted);
                    let checked = checked.map_err(|disagreement| disagreement.to_string())?;
                    return Ok(checked.map(|program| (counted.add(seed, program)).expected.clone()));
                }
                let checked = oracle::check(&module, &turns, oracle::STEPS, &mut own.coverage);
                let checked = checked.map_err(|disagreement| disagreement.to_string())?;
                Ok(checked.map(|program| traced.add(seed, program).expected.clone()))
            });
            match result {
                Ok(None) => own.left_out += 1,
                Ok(Some(expected)) => {
                    own.printed += expected.stdout.len() as u64;
                    own.stopped += u64::from(expected.end != oracle::End::Status(0));
                    if !is_rc {
                        turns.into_iter().for_each(|turn| own.tally.add(turn));
                    }
                }
                Err(message) => {
                    // A panic does not say it.
                    let ways: Vec<String> = match is_rc {
                        true => on_rc.iter().map(ToString::to_string).collect(),
                        false => turns.iter().map(|turn| turn.way.to_string()).collect(),
                    };
                    own.findings.push(finding(seed, &format!("{message}\n  one of the ways {}", ways.join("; "))));
                }
            }
        }
        // Programs that disagree in some engine.
        let mut wrong = BTreeSet::new();
        for engine in &mut engines {
            let round = start / batch;
            let found = caught(|| Ok(oracle::check_engine(&mut **engine, &traced.programs, round)));
            let on_rc = caught(|| Ok(counted::check_engine(&mut **engine, &counted.programs, round)));
            for (numbers, found) in [(&traced.numbers, found), (&counted.numbers, on_rc)] {
                match found {
                    Ok(found) => {
                        for (at, disagreement) in found {
                            wrong.insert(numbers[at]);
                            own.findings.push(finding(numbers[at], &disagreement.to_string()));
                        }
                    }
                    Err(message) => own.findings.push(format!("programs {start} and following: {message}")),
                }
            }
        }
        own.agreed = (traced.numbers.len() + counted.numbers.len() - wrong.len()) as u64;
        let mut report = report.lock().expect("no thread has failed");
        own.findings.iter().filter(|_| settings.progress).for_each(|finding| println!("{finding}"));
        let before = report.agreed / 5000;
        report.agreed += own.agreed;
        report.left_out += own.left_out;
        report.stopped += own.stopped;
        report.printed += own.printed;
        report.findings.extend(own.findings);
        report.coverage.merge(&own.coverage);
        report.counted.merge(&own.counted);
        report.tally.merge(&own.tally);
        report.time = begin.elapsed();
        if settings.progress && report.agreed / 5000 > before {
            println!("up to {}: {}", start + batch, report.summary());
        }
    }
}

fn finding(seed: u64, message: &str) -> String {
    format!("program {seed:>6} (--print {seed}): {message}")
}

/// A panic is a finding, too.
fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_else(|| "a panic".into()))
    })
}
