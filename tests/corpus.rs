//! The corpus on every engine, one named test per program and engine: exact bytes of stdout, exit status 0.
//!
//! ```text
//! wasm/adts          compiled and run in the embedded engine; also variants/…, bench/…
//! jit/adts           compiled to machine code and run in the compiler's process
//! native/adts        an executable of its own, linked by our linker; native-cc/adts for every eighth by the system's
//! wasm-stress/adts   the same, collecting at every N-th reservation; also jit-stress, and for every third program
//!                    native-stress, which is the same code. The number of collections is asserted
//! wasm-stackless/adts     the same, with recursive functions captured at each call; for every third program also
//!                    wasm-stackless-stress, and for every fifth interp-stackless, in the IR interpreter
//! jit-lazy/adts      the same with another root strategy; also jit-each-call, jit-chain, wasm-chain: every third program
//!                    with each, all of them with the variable CLEAVE_ALL_STRESS
//! stackmap/adts      as jit/adts, with the root strategy that keeps references in frames of the machine; also
//!                    stackmap-native/… for a third, stackmap-stress/… for a fifth of the programs
//! wasm-ways/adts     compiled at another level, with another root strategy, or without a pass or step, and run under stress by
//!                    either collector; jit-ways/… for the other half of the programs, with errors/…: in a way that
//!                    rotates, all of them in N ways with the variable CLEAVE_WAYS=N
//! node/adts          the loader for JavaScript in node
//! interp-high/adts   the IR interpreter before the roots pass, interp-rooted/… after it
//! errors/div_zero    programs that end in a run-time error; also errors-jit, errors-native, and with -stress
//! ```
//! Every list of programs runs on every engine, but for what the messages at the start say. An ordinary run takes a
//! part of that (`share`), all of it runs with CLEAVE_THOROUGH. With the variable CLEAVE_ALL_STRESS whatever is tried
//! on a part of the programs is tried on all.
//!
//! `corpus/collections.txt` says N and the numbers of collections; `BLESS=1` rewrites them. Every program runs
//! in a process of its own: this one, started as the compiler. Tests of node, of machine code and of executables are
//! reported as ignored where there is no node, no x86-64 Linux, or no `cc`.

use cleave_tests::differential::ways::{self, Way};
use cleave_tests::expected::{Expected, HEAP};
use cleave_tests::process::{AS_COMPILER, HAS_NATIVE, Output, clean, compiler, difference, has_node, run};
use cleave_tests::samples::{self, Sample};
use cleave_tests::selection;
use cleave_tests::stress::{Code, Stress, Table};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// No program takes nearly as long, unless something is wrong: on the slowest machine either.
const LIMIT: Duration = Duration::from_secs(240);

/// Programs that are too slow for the interpreter, with the reason.
const NOT_INTERPRETED: &[(&str, &str)] =
    &[("loop8", "a loop of 10^8 steps: the interpreter needs about 8 s in the profile of the tests")];

/// Heavy programs that are not stressed, with the reason.
const NOT_STRESSED: &[(&str, &str)] =
    &[("bench/biglive", "under stress every collection checks 160 MB twice: minutes")];

/// Recursive functions are captured at each call.
const CAPTURED: &str = "--force-stackless";

/// The strategy of `Engine::Stackmap`.
const STACKMAP: &str = "--roots=stackmap";

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let arguments = Arguments::from_args();
    if !arguments.list {
        for (name, reason) in samples::LEFT_OUT {
            println!("left out: {name}: {reason}");
        }
        for (name, reason) in NOT_INTERPRETED {
            println!("not interpreted: {name}: {reason}");
        }
        for (name, reason) in NOT_STRESSED {
            println!("not stressed: {name}: {reason}");
        }
        println!("native-cc: every eighth program: the other linker makes executables of the same code");
    }
    let table = Arc::new(Mutex::new(Table::read()));
    let mut trials = Vec::new();
    let all = std::env::var_os("CLEAVE_ALL_STRESS").is_some();
    for engine in Engine::ALL {
        let name = engine.name();
        let ignored = !engine.is_there();
        if ignored && !arguments.list {
            println!("{name}: not on this machine: its tests are ignored");
        }
        for sample in [samples::flat(), samples::variants(), samples::bench()].concat() {
            trials.push(trial(name, &sample, move |sample| exact(engine, sample, &[])).with_ignored_flag(ignored));
        }
        for (i, sample) in [samples::flat(), samples::variants(), samples::bench()].concat().into_iter().enumerate() {
            let is_left_out = engine == Engine::Native && !all && i % 3 != 0;
            if is_left_out || NOT_STRESSED.iter().any(|program| program.0 == sample.name) {
                continue;
            }
            let table = Arc::clone(&table);
            let test = trial(&format!("{name}-stress"), &sample, move |sample| stressed(engine, sample, &[], &table));
            trials.push(test.with_ignored_flag(ignored));
        }
        // Each program with one of them; with all under CLEAVE_ALL_STRESS.
        let others = strategies(engine);
        for (i, sample) in [samples::flat(), samples::variants()].concat().iter().enumerate() {
            for (_, strategy) in others.iter().enumerate().filter(|(k, _)| all || i % 3 == *k) {
                let (table, roots) = (Arc::clone(&table), format!("--roots={strategy}"));
                let run = move |sample: &Sample| stressed(engine, sample, &[&roots], &table);
                trials.push(trial(&format!("{name}-{strategy}"), sample, run).with_ignored_flag(ignored));
            }
        }
        if engine != Engine::Native {
            trials.extend(ways(engine, &table).map(|test| test.with_ignored_flag(ignored)));
        }
        let named = |sample: &Sample, stress: &str| {
            let engine = if engine == Engine::Wasm { String::new() } else { format!("-{name}") };
            sample.name.replacen("errors/", &format!("errors{engine}{stress}/"), 1)
        };
        for sample in samples::errors() {
            for (stress, test) in [("", error as Test), ("-stress", stressed_error)] {
                let (name, sample) = (named(&sample, stress), sample.clone());
                let test = Trial::test(name, move || test(engine, &sample, &[]).map_err(Failed::from));
                trials.push(test.with_ignored_flag(ignored));
            }
        }
    }
    for (i, sample) in samples::all().into_iter().enumerate() {
        let test = match sample.name.starts_with("errors/") {
            true => trial("wasm-stackless", &sample, |sample| error(Engine::Wasm, sample, &[CAPTURED])),
            false => trial("wasm-stackless", &sample, |sample| exact(Engine::Wasm, sample, &[CAPTURED])),
        };
        trials.push(test);
        if sample.name.starts_with("errors/") || NOT_STRESSED.iter().any(|program| program.0 == sample.name) {
            continue;
        }
        if all || i % 3 == 1 {
            let table = Arc::clone(&table);
            let run = move |sample: &Sample| stressed(Engine::Wasm, sample, &[CAPTURED], &table);
            trials.push(trial("wasm-stackless-stress", &sample, run));
        }
        if i % 5 == 0 && !NOT_INTERPRETED.iter().any(|program| program.0 == sample.name) && !sample.name.contains('/') {
            let run = |sample: &Sample| exact(Engine::Wasm, sample, &["--interp=low", CAPTURED]);
            trials.push(trial("interp-stackless", &sample, run));
        }
    }
    for (i, sample) in [samples::flat(), samples::variants(), samples::bench()].concat().into_iter().enumerate() {
        for engine in [Engine::Stackmap, Engine::StackmapNative] {
            if engine == Engine::StackmapNative && !all && i % 3 != 2 {
                continue;
            }
            let test = trial(engine.name(), &sample, move |sample| exact(engine, sample, &[]));
            trials.push(test.with_ignored_flag(!engine.is_there()));
        }
    }
    let mut stressed_samples = [samples::flat(), samples::variants(), samples::bench()].concat();
    stressed_samples.retain(|sample| !NOT_STRESSED.iter().any(|program| program.0 == sample.name));
    for (_, sample) in stressed_samples.iter().enumerate().filter(|(i, _)| all || i % 5 == 0) {
        let table = Arc::clone(&table);
        let test = trial("stackmap-stress", sample, move |sample| stressed(Engine::Stackmap, sample, &[], &table));
        trials.push(test.with_ignored_flag(!Engine::Stackmap.is_there()));
    }
    for sample in samples::flat() {
        if !NOT_INTERPRETED.iter().any(|program| program.0 == sample.name) {
            trials.push(trial("interp-high", &sample, |sample| exact(Engine::Wasm, sample, &["--interp=high"])));
            trials.push(trial("interp-rooted", &sample, |sample| exact(Engine::Wasm, sample, &["--interp=rooted"])));
        }
    }
    let no_cc = !HAS_NATIVE || Command::new("cc").arg("--version").output().is_err();
    if no_cc && !arguments.list {
        println!("cc: not on this machine: the tests of native-cc are ignored");
    }
    for sample in samples::all().iter().step_by(8) {
        trials.push(trial("native-cc", sample, linked_by_cc).with_ignored_flag(no_cc));
    }
    let node = has_node();
    if !node && !arguments.list {
        println!("node is not installed, or older than version 20: its tests are ignored");
    }
    for sample in [samples::flat(), samples::variants(), samples::bench(), samples::errors()].concat() {
        trials.push(trial("node", &sample, under_node).with_ignored_flag(!node));
    }
    let trials = selection::thinned(&arguments, trials, share);
    let conclusion = libtest_mimic::run(&arguments, trials);
    if std::env::var_os("BLESS").is_some_and(|value| value == "1")
        && let Ok(table) = table.lock()
    {
        table.write();
    }
    conclusion.exit();
}

/// One program of so many runs in an ordinary run.
fn share(kind: &str) -> usize {
    match kind {
        "wasm" | "jit" => 5,
        "wasm-stress" | "jit-stress" | "wasm-stackless" | "stackmap" | "interp-high" | "interp-rooted" => 8,
        "native" | "node" => 12,
        "errors" | "errors-stress" | "errors-jit" | "errors-jit-stress" => 4,
        _ => 16,
    }
}

/// Each program in ways that rotate: one way in one of two engines, or `CLEAVE_WAYS` ways in each.
fn ways(engine: Engine, table: &Arc<Mutex<Table>>) -> impl Iterator<Item = Trial> {
    let wanted = std::env::var("CLEAVE_WAYS").ok().map(|n| n.parse().expect("CLEAVE_WAYS is a number"));
    let ways: Vec<Way> = ways::all().into_iter().filter(|way| way.has_flags() && engine.takes(*way)).collect();
    let count = wanted.unwrap_or(1usize).min(ways.len());
    let mut samples = samples::all();
    samples.retain(|sample| !NOT_STRESSED.iter().any(|program| program.0 == sample.name));
    let first = usize::from(wanted.is_none() && engine != Engine::Wasm);
    let step = if wanted.is_none() { 2 } else { 1 };
    let table = Arc::clone(table);
    samples.into_iter().enumerate().skip(first).step_by(step).flat_map(move |(i, sample)| {
        let chosen: Vec<Way> = ways.iter().copied().cycle().skip(i * count % ways.len()).take(count).collect();
        let table = Arc::clone(&table);
        chosen.into_iter().map(move |way| {
            let table = Arc::clone(&table);
            let run = move |sample: &Sample| one_way(engine, sample, way, &table);
            trial(&format!("{}-ways", engine.name()), &sample, run).with_kind(way.to_string())
        })
    })
}

fn trial(engine: &str, sample: &Sample, test: impl FnOnce(&Sample) -> Result<(), String> + Send + 'static) -> Trial {
    let sample = sample.clone();
    Trial::test(format!("{engine}/{}", sample.name), move || test(&sample).map_err(Failed::from))
}

type Test = fn(Engine, &Sample, &[&str]) -> Result<(), String>;

/// What runs a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Engine {
    Wasm,
    Jit,
    Native,
    /// These two with the root strategy `stackmap`.
    Stackmap,
    StackmapNative,
}

impl Engine {
    const ALL: [Engine; 3] = [Engine::Wasm, Engine::Jit, Engine::Native];

    fn name(self) -> &'static str {
        match self {
            Engine::Wasm => "wasm",
            Engine::Jit => "jit",
            Engine::Native => "native",
            Engine::Stackmap => "stackmap",
            Engine::StackmapNative => "stackmap-native",
        }
    }

    /// Only machine code keeps references in its own frames.
    fn takes(self, way: Way) -> bool {
        self != Engine::Wasm || !way.needs_machine()
    }

    fn code(self) -> Code {
        if self == Engine::Wasm { Code::Wasm } else { Code::Machine }
    }

    fn is_there(self) -> bool {
        match self {
            Engine::Wasm => true,
            Engine::Jit | Engine::Native | Engine::Stackmap | Engine::StackmapNative => HAS_NATIVE,
        }
    }
}

/// The root strategies that are tried besides the default: all on machine code in the compiler's process, which is
/// quickest; linked frames in the embedded engine, too, because its addresses are others.
fn strategies(engine: Engine) -> &'static [&'static str] {
    match engine {
        Engine::Wasm => &["chain"],
        Engine::Jit => &["each-call", "lazy", "chain"],
        Engine::Native | Engine::Stackmap | Engine::StackmapNative => &[],
    }
}

/// Compiles and runs.
fn execute(engine: Engine, sample: &Sample, options: &[&str]) -> Result<Output, String> {
    match engine {
        Engine::Native => return execute_native(sample, options, &["--linker=embedded"]),
        Engine::StackmapNative => return execute_native(sample, options, &["--linker=embedded", STACKMAP]),
        _ => {}
    }
    let mut command = compiler();
    command.args(["run", "--no-cocl"]).args(options).arg(&sample.path);
    if engine != Engine::Wasm {
        command.args(["--target", "native"]);
    }
    if engine == Engine::Stackmap {
        command.arg(STACKMAP);
    }
    run(&mut command, sample.stdin(), LIMIT)
}

/// The options of `run` go to the runtime of an executable by a variable.
fn execute_native(sample: &Sample, options: &[&str], flags: &[&str]) -> Result<Output, String> {
    let exe = scratch(sample, "exe")?;
    let build = ["build", "--no-cocl", "--target", "native", "-o"];
    let built = run(compiler().args(build).arg(&exe).arg(&sample.path).args(flags), Vec::new(), LIMIT)?;
    built.expect(0, b"")?;
    quiet(&built)?;
    let mut words = options.join(" ");
    if words.contains("--gc-stress") {
        words.push_str(" --poison --stats");
    }
    let mut command = clean(Command::new(&exe));
    if !words.is_empty() {
        command.env("CLEAVE_RTS", words);
    }
    let output = run(&mut command, sample.stdin(), LIMIT)?;
    let _ = std::fs::remove_file(&exe);
    Ok(output)
}

/// A file for what was built, in a folder that exists.
fn scratch(sample: &Sample, ending: &str) -> Result<PathBuf, String> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus").join(format!("{}-{number}.{ending}", sample.name));
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(file)
}

fn exact(engine: Engine, sample: &Sample, options: &[&str]) -> Result<(), String> {
    let output = execute(engine, sample, options)?;
    output.expect(0, &sample.expected())?;
    quiet(&output)
}

fn quiet(output: &Output) -> Result<(), String> {
    difference("stderr", b"", &output.stderr).map_or(Ok(()), Err)
}

/// With the collector at work all the time. A stress switch that does nothing would pass every other test: hence the
/// exact number of collections.
fn stressed(engine: Engine, sample: &Sample, options: &[&str], table: &Mutex<Table>) -> Result<(), String> {
    let stress = stress_of(table, sample)?;
    let expected = stress.collections(engine.code());
    let count = collections(engine, sample, options, stress.interval)?;
    if matches!(engine, Engine::Wasm | Engine::Jit) {
        table.lock().map_err(|_| "a test panicked")?.found(&sample.name, engine.code(), count);
    }
    if std::env::var_os("BLESS").is_none() && expected != Some(count) {
        return Err(format!("{count} collections, not {expected:?} (BLESS=1 rewrites corpus/collections.txt)"));
    }
    Ok(())
}

fn stress_of(table: &Mutex<Table>, sample: &Sample) -> Result<Stress, String> {
    Ok(table.lock().map_err(|_| "a test panicked")?.get(&sample.name))
}

/// Runs a program that collects at every reservation of an interval; how often that was.
fn collections(engine: Engine, sample: &Sample, options: &[&str], interval: u32) -> Result<u64, String> {
    let stress = format!("--gc-stress={interval}");
    let output = execute(engine, sample, &[options, &[stress.as_str()]].concat())?;
    output.expect(0, &sample.expected())?;
    let text = String::from_utf8_lossy(&output.stderr);
    let number = text.strip_prefix("cleave: ").and_then(|rest| rest.split_once(" collections"));
    let count = number.and_then(|(number, _)| number.parse::<u64>().ok());
    let count = count.ok_or_else(|| format!("the number of collections is missing: {text:?}"))?;
    if count == 0 { Err("not a single collection".into()) } else { Ok(count) }
}

/// Compiled in one way, and run under stress by each collector.
fn one_way(engine: Engine, sample: &Sample, way: Way, table: &Mutex<Table>) -> Result<(), String> {
    let way = way.to_string();
    for collector in ["--gc=generational", "--gc=copying", "--gc=incremental"] {
        let options: Vec<&str> = way.split(' ').chain([collector]).collect();
        let result = match sample.name.starts_with("errors/") {
            true => stressed_error(engine, sample, &options),
            false => collections(engine, sample, &options, stress_of(table, sample)?.interval).map(drop),
        };
        result.map_err(|message| format!("{way} {collector}: {message}"))?;
    }
    Ok(())
}

/// The program and its loader as users start them. The small tiering budget makes V8 mix code of both its compilers
/// early, which once showed a fault in what they think of a third result.
fn under_node(sample: &Sample) -> Result<(), String> {
    let module = scratch(sample, "mjs")?;
    let folder = module.parent().unwrap_or(Path::new("."));
    let built =
        run(compiler().args(["build", "--no-cocl"]).arg(&sample.path).arg("-o").arg(&module), Vec::new(), LIMIT)?;
    built.expect(0, b"")?;
    let mut node = clean(Command::new("node"));
    node.arg("--wasm-tiering-budget=1000").arg(&module).current_dir(folder);
    if sample.name.starts_with("errors/") {
        node.env("CLEAVE_RTS", format!("{HEAP} --stack=16m"));
    }
    ended(&run(&mut node, sample.stdin(), LIMIT)?, sample)
}

/// An executable that the C compiler of the system has linked.
fn linked_by_cc(sample: &Sample) -> Result<(), String> {
    let options: &[&str] = if sample.name.starts_with("errors/") { &[HEAP, "--stack=16m"] } else { &[] };
    ended(&execute_native(sample, options, &["--linker=cc"])?, sample)
}

/// A program that ends in an error: as natively where that is defined, otherwise orderly.
fn error(engine: Engine, sample: &Sample, options: &[&str]) -> Result<(), String> {
    // The stack is made small so that it overflows soon.
    ended(&execute(engine, sample, &[options, &[HEAP, "--stack=16m"]].concat())?, sample)
}

/// Errors that come after much work: there stress would take very long if it were dense.
const LONG_ERRORS: [&str; 3] = ["heap_", "stack_", "cycle_caf"];

/// The same with the collector at work, which adds a line at the end.
fn stressed_error(engine: Engine, sample: &Sample, options: &[&str]) -> Result<(), String> {
    let name = sample.name.rsplit('/').next().unwrap_or_default();
    let interval = if LONG_ERRORS.iter().any(|long| name.starts_with(long)) { 200_000 } else { 1 };
    let stress = format!("--gc-stress={interval}");
    let mut output = execute(engine, sample, &[options, &[HEAP, "--stack=16m", &stress]].concat())?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let collections = text.lines().last().unwrap_or_default();
    if !(collections.starts_with("cleave: ") && collections.contains(" collections")) {
        return Err(format!("the number of collections is missing: {text:?}"));
    }
    output.stderr.truncate(output.stderr.len() - collections.len() - 1);
    ended(&output, sample)
}

/// Compares all that a program has left.
fn ended(output: &Output, sample: &Sample) -> Result<(), String> {
    let expected = Expected::of(sample)?;
    output.expect(expected.status, &expected.stdout)?;
    difference("stderr", &expected.stderr, &output.stderr).map_or(Ok(()), Err)
}
