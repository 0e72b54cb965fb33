//! Random ABC programs do what Clean's own native code does: output, status and files, at random settings.
//!
//! ```text
//! CLEAVE_CLEAN=DIR cargo test -p cleave-tests --test random_abc                             a handful
//! CLEAVE_CLEAN=DIR cargo test -p cleave-tests --test random_abc -- --campaign 10000         that many, with progress
//!        --first N   the first number      --threads N   [default: 1]      --folder DIR   where findings are written
//! cargo test -p cleave-tests --test random_abc -- --print N                                 shows a program
//! CLEAVE_CLEAN=DIR … -- --check N 'OPTIONS' FILE    status 0 if FILE, as program N, differs with the options of `run`
//! ```
//! `CLEAVE_CLEAN` names a Linux installation of Clean's back end (see `random_abc::clean`); without it the comparison
//! is skipped with a message. Where Clean says what we say once jumps on constants are replaced by what they do, Clean
//! contradicts itself (`random_abc::constant`), which is counted and no finding. Every finding leaves the program and a
//! command for `cleave reduce`. A campaign says at its end which instructions its programs contain.

use cleave_tests::process::{AS_COMPILER, Output, compiler, run};
use cleave_tests::random_abc::clean::{CG_FAILS, Clean};
use cleave_tests::random_abc::constant::without_constant_jumps;
use cleave_tests::random_abc::{name, program};
use cleave_tests::roots::Rng;
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Programs of an ordinary test run, and in one executable.
const SMOKE: u64 = 24;
const BATCH: u64 = 40;
/// Clean's program may take so long; ours take longer under stress, and are compiled first.
const LIMIT: Duration = Duration::from_secs(2);
const OUR_LIMIT: Duration = Duration::from_secs(60);
/// Programs that print more are left out: the time goes into other ones.
const LARGEST: usize = 4 << 20;

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
    let number = |name: &str| value(name).map(|text| text.parse::<u64>().unwrap_or_else(|_| usage()));
    if let Some(number) = number("--print") {
        print!("{}", program(number));
        return;
    }
    let clean = std::env::var_os("CLEAVE_CLEAN").filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(number) = number("--check") {
        let (Some(home), [.., options, file]) = (clean, args.as_slice()) else { usage() };
        let text = fs::read_to_string(file).expect("the program can be read");
        std::process::exit(i32::from(!check_one(&home, number, options, &text).unwrap_or(false)));
    }
    if let Some(count) = number("--campaign") {
        let Some(home) = clean else { usage() };
        let folder = value("--folder").map_or_else(|| scratch("findings"), PathBuf::from);
        let settings = Campaign {
            first: number("--first").unwrap_or(0),
            count,
            threads: number("--threads").unwrap_or(1),
            folder,
        };
        let report = campaign(&home, &settings);
        println!("{}", report.summary());
        println!("{}", report.coverage());
        std::process::exit(i32::from(!report.findings.is_empty()));
    }
    if clean.is_none() && !args.iter().any(|arg| arg == "--list") {
        println!("skipped: CLEAVE_CLEAN does not name an installation of Clean's back end");
    }
    let smoke = Trial::test("agree-with-clean", {
        let clean = clean.clone();
        move || smoke(&clean.expect("it is there")).map_err(Failed::from)
    });
    let compiled = Trial::test("are-compiled", || all_compile().map_err(Failed::from));
    libtest_mimic::run(&Arguments::from_args(), vec![smoke.with_ignored_flag(clean.is_none()), compiled]).exit();
}

fn usage() -> ! {
    eprintln!(
        "usage: CLEAVE_CLEAN=DIR random_abc [--campaign COUNT [--first N] [--threads N] [--folder DIR] | --print N | \
         --check N OPTIONS FILE]"
    );
    std::process::exit(2);
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("random-abc").join(name)
}

/// Every way of running is one of these, chosen by the number of the program.
fn options(number: u64) -> Vec<String> {
    let mut rng = Rng::new(number ^ 0x00b7_10e5);
    let mut options = vec!["--heap".to_string(), rng.pick(&["256m", "300m", "1g"]).to_string()];
    let interpreter = rng.chance(12);
    let native = !interpreter && rng.chance(50);
    if interpreter {
        options.push(format!("--interp={}", rng.pick(&["high", "rooted", "low"])));
    } else if native {
        options.push("--target=native".into());
    }
    options.push(rng.pick(&["-O0", "-O1", "-O2", "-O2"]).into());
    let mut roots = vec!["late", "late", "lazy", "each-call", "chain"];
    roots.extend(native.then_some("stackmap"));
    options.push(format!("--roots={}", rng.pick(&roots)));
    if !interpreter {
        options.push(format!("--gc={}", rng.pick(&["generational", "copying", "incremental"])));
    }
    match if interpreter { 3 } else { rng.below(4) } {
        0 => options.push(format!("--gc-stress={}", rng.pick(&[1, 2, 7, 31]))),
        1 => options.push(format!("--nursery={}", rng.pick(&["64k", "256k", "4m"]))),
        _ => {}
    }
    if rng.chance(10) {
        options.push("--verify-each".into());
    }
    if rng.chance(10) {
        options.push("--keep-all".into());
    }
    options
}

/// What a run left: a fault is a signal natively.
#[derive(PartialEq, Eq, Debug)]
struct Observed {
    status: Option<i32>,
    stdout: Vec<u8>,
    files: BTreeMap<String, Vec<u8>>,
}

impl Observed {
    fn of(output: Output, folder: &Path) -> Result<Observed, String> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(folder).map_err(|error| error.to_string())?.flatten() {
            let bytes = fs::read(entry.path()).map_err(|error| error.to_string())?;
            files.insert(entry.file_name().to_string_lossy().into_owned(), bytes);
        }
        Ok(Observed { status: output.status, stdout: output.stdout, files })
    }

    fn shown(&self) -> String {
        let text = String::from_utf8_lossy(&self.stdout[self.stdout.len().saturating_sub(300)..]).into_owned();
        format!("status {:?}, {} bytes, files {:?}: …{text}", self.status, self.stdout.len(), self.files.keys())
    }
}

/// An empty folder.
fn empty(folder: &Path) -> Result<(), String> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn ours(file: &Path, options: &[String], folder: &Path) -> Result<(Observed, Vec<u8>), String> {
    empty(folder)?;
    let mut command = compiler();
    command.args(["run", "--no-cocl", "-q", "--threads=1"]).args(options).arg(file).current_dir(folder);
    let output = run(&mut command, Vec::new(), OUR_LIMIT)?;
    let stderr = output.stderr.clone();
    Ok((Observed::of(output, folder)?, stderr))
}

#[derive(Default)]
struct Report {
    agreed: u64,
    /// Programs that take too long, print too much or end with a signal.
    left_out: u64,
    /// Programs of which Clean says something else after a change that means nothing.
    contradicted: u64,
    stopped: u64,
    printed: u64,
    findings: Vec<String>,
    /// Programs that contain an instruction.
    instructions: BTreeMap<String, u64>,
    ways: BTreeMap<String, u64>,
    time: Duration,
}

impl Report {
    fn summary(&self) -> String {
        format!(
            "{} programs agree with Clean's native code ({} of them end with an error), {} left out, \
             Clean contradicts itself in {}, {} findings; {} bytes of output, {:.0} s",
            self.agreed,
            self.stopped,
            self.left_out,
            self.contradicted,
            self.findings.len(),
            self.printed,
            self.time.as_secs_f64()
        )
    }
    fn coverage(&self) -> String {
        let list = |map: &BTreeMap<String, u64>| {
            let items: Vec<String> = map.iter().map(|(name, count)| format!("{name} {count}")).collect();
            items.join(", ")
        };
        format!(
            "{} instructions, and programs with them: {}\nways: {}",
            self.instructions.len(),
            list(&self.instructions),
            list(&self.ways)
        )
    }
}

struct Campaign {
    first: u64,
    count: u64,
    threads: u64,
    folder: PathBuf,
}

fn campaign(home: &Path, settings: &Campaign) -> Report {
    let begin = Instant::now();
    let next = AtomicU64::new(settings.first);
    let report = Mutex::new(Report::default());
    std::thread::scope(|scope| {
        for thread in 0..settings.threads {
            let (next, report) = (&next, &report);
            scope.spawn(move || {
                let folder = scratch(&format!("thread{thread}"));
                let clean = match Clean::prepare(home, &folder.join("shared")) {
                    Ok(clean) => clean,
                    Err(message) => return report.lock().expect("no panic").findings.push(message),
                };
                loop {
                    let start = next.fetch_add(BATCH, Ordering::Relaxed);
                    let end = (start + BATCH).min(settings.first + settings.count);
                    if start >= end {
                        return;
                    }
                    let mut own = Report::default();
                    if let Err(message) = batch(&clean, start..end, &folder, &settings.folder, &mut own) {
                        // One that Clean's code generator does not survive takes the others with it.
                        println!("programs {start} to {end}: {message}");
                        own = Report::default();
                        for number in start..end {
                            match batch(&clean, number..number + 1, &folder, &settings.folder, &mut own) {
                                Err(message) if message.starts_with(CG_FAILS) => own.left_out += 1,
                                Err(message) => own.findings.push(format!("program {number}: {message}")),
                                Ok(()) => {}
                            }
                        }
                    }
                    let mut all = report.lock().expect("no panic");
                    for finding in &own.findings {
                        println!("{finding}");
                    }
                    all.agreed += own.agreed;
                    all.left_out += own.left_out;
                    all.contradicted += own.contradicted;
                    all.stopped += own.stopped;
                    all.printed += own.printed;
                    all.findings.extend(own.findings);
                    own.instructions.into_iter().for_each(|(name, n)| *all.instructions.entry(name).or_default() += n);
                    own.ways.into_iter().for_each(|(name, n)| *all.ways.entry(name).or_default() += n);
                    all.time = begin.elapsed();
                    if (start / BATCH) % 10 == 9 {
                        println!("{}", all.summary());
                    }
                }
            });
        }
    });
    report.into_inner().expect("no panic")
}

fn batch(
    clean: &Clean,
    numbers: std::ops::Range<u64>,
    folder: &Path,
    findings: &Path,
    report: &mut Report,
) -> Result<(), String> {
    let (modules, place) = (folder.join("modules"), folder.join("run"));
    empty(&modules)?;
    let programs: Vec<(String, String)> = numbers.clone().map(|number| (name(number), program(number))).collect();
    let executable = clean.build(&programs, &folder.join("shared"), &modules)?;
    for (at, number) in numbers.enumerate() {
        let (name, text) = &programs[at];
        empty(&place)?;
        let Ok(output) = executable.run(at, &place, LIMIT) else {
            report.left_out += 1;
            continue;
        };
        if output.stdout.len() > LARGEST || !matches!(output.status, Some(0 | 255)) || exhausted(&output.stderr) {
            report.left_out += 1;
            continue;
        }
        let expected = Observed::of(output, &place)?;
        let file = modules.join(format!("{name}.abc"));
        fs::write(&file, text).map_err(|error| error.to_string())?;
        let options = options(number);
        count(text, &mut report.instructions);
        options.iter().for_each(|option| *report.ways.entry(option.clone()).or_default() += 1);
        let found = ours(&file, &options, &place);
        match found {
            Ok((found, _)) if found == expected => {
                report.agreed += 1;
                report.stopped += u64::from(expected.status != Some(0));
                report.printed += expected.stdout.len() as u64;
            }
            Ok((found, stderr)) if out_of_reach(&found, &stderr) => report.left_out += 1,
            Ok((found, _)) if contradicts_itself(clean, number, text, &folder.join("shared"), folder, &found) => {
                report.contradicted += 1;
            }
            Ok((found, stderr)) => {
                let stderr = String::from_utf8_lossy(&stderr).into_owned();
                let message = format!("expected {}\nfound {}\nstderr {stderr}", expected.shown(), found.shown());
                report.findings.push(write_finding(findings, number, &options, text, &message));
            }
            Err(message) => report.findings.push(write_finding(findings, number, &options, text, &message)),
        }
    }
    Ok(())
}

/// Does Clean say what was found once the program has no jumps on constants? If that cannot be told, it does not.
fn contradicts_itself(clean: &Clean, number: u64, text: &str, shared: &Path, scratch: &Path, found: &Observed) -> bool {
    let (modules, place) = (scratch.join("again"), scratch.join("run"));
    let observe = || {
        empty(&modules)?;
        empty(&place)?;
        let executable = clean.build(&[(name(number), without_constant_jumps(text))], shared, &modules)?;
        Observed::of(executable.run(0, &place, LIMIT)?, &place)
    };
    observe().is_ok_and(|observed| observed == *found)
}

/// Memory is another matter.
fn exhausted(stderr: &[u8]) -> bool {
    let text = String::from_utf8_lossy(stderr);
    text.contains("Heap full.") || text.contains("Stack overflow.")
}

/// The interpreter counts steps, and stacks have other sizes.
fn out_of_reach(found: &Observed, stderr: &[u8]) -> bool {
    found.status != Some(0) && exhausted(stderr)
}

/// Leaves the program; says how it can be seen and reduced.
fn write_finding(folder: &Path, number: u64, options: &[String], text: &str, message: &str) -> String {
    let file = folder.join(format!("{}.abc", name(number)));
    let _ = fs::create_dir_all(folder);
    let _ = fs::write(&file, text);
    let options = options.join(" ");
    let (file, exe) = (file.display(), std::env::current_exe().unwrap_or_default());
    format!(
        "program {number}: {message}\n  cleave run {options} {file}\n  cleave reduce {file} -- {} --check {number} '{options}'",
        exe.display()
    )
}

fn count(text: &str, instructions: &mut BTreeMap<String, u64>) {
    let mut names: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix('\t').and_then(|line| line.split(' ').next())).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().for_each(|name| *instructions.entry(name.to_string()).or_default() += 1);
}

/// Does a changed program still differ?
fn check_one(home: &Path, number: u64, options: &str, text: &str) -> Result<bool, String> {
    let folder = scratch(&format!("check{}", std::process::id()));
    let (shared, place) = (folder.join("shared"), folder.join("run"));
    let clean = Clean::prepare(home, &shared)?;
    let file = folder.join(format!("{}.abc", name(number)));
    let options: Vec<String> = options.split_whitespace().map(str::to_string).collect();
    let result = (|| {
        let executable = clean.build(&[(name(number), text.to_string())], &shared, &folder)?;
        empty(&place)?;
        let output = executable.run(0, &place, LIMIT)?;
        if !matches!(output.status, Some(0 | 255)) || exhausted(&output.stderr) {
            return Ok(false);
        }
        let expected = Observed::of(output, &place)?;
        fs::write(&file, text).map_err(|error| error.to_string())?;
        let (found, stderr) = ours(&file, &options, &place)?;
        // A refused program is another finding.
        let refused = String::from_utf8_lossy(&stderr).contains("error[");
        let differs = found != expected && !refused && !exhausted(&stderr);
        Ok(differs && !contradicts_itself(&clean, number, text, &shared, &folder, &found))
    })();
    let _ = fs::remove_dir_all(&folder);
    result
}

fn smoke(home: &Path) -> Result<(), String> {
    let report = campaign(home, &Campaign { first: 0, count: SMOKE, threads: 1, folder: scratch("findings") });
    if let Some(finding) = report.findings.first() {
        return Err(format!("{} findings; the first: {finding}", report.findings.len()));
    }
    // The generator must not have become trivial.
    if report.agreed < SMOKE * 8 / 10 || report.printed < 20 * SMOKE || report.instructions.len() < 80 {
        return Err(report.summary());
    }
    Ok(())
}

/// The programs are right as far as our front end can tell.
fn all_compile() -> Result<(), String> {
    let folder = scratch("compiled");
    empty(&folder)?;
    for number in 0..SMOKE {
        let file = folder.join(format!("{}.abc", name(number)));
        fs::write(&file, program(number)).map_err(|error| error.to_string())?;
        let mut command = compiler();
        command.args(["build", "-q", "-O0", "--verify-each", "-o"]).arg(folder.join("out.wasm")).arg(&file);
        run(&mut command, Vec::new(), OUR_LIMIT)?.expect(0, b"")?;
    }
    Ok(())
}
