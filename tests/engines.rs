//! Programs in engines as users have them, with default settings: what was printed is there after a fault, errors have
//! Clean's words, recursion is deep, a closed pipe ends a program, files are found, and the corpus prints what Clean's
//! native code prints.
//!
//! An engine is found on PATH, or by a variable that names its program: CLEAVE_WASMTIME, CLEAVE_NODE, CLEAVE_DENO,
//! CLEAVE_BUN; wasmtime also as its package for Python (`engines/stock_wasmtime.py`). Tests of those that are missing
//! are ignored, and it is said why. Each engine for JavaScript runs both forms of a program: the `.mjs`, and the
//! `.wasm` by its own WASI (`engines/wasi.mjs`).

use cleave_tests::expected::Expected;
use cleave_tests::process::{self, AS_COMPILER, HAS_NATIVE, clean, compiler, difference, run};
use cleave_tests::samples::{self, Sample};
use cleave_tests::selection::is_thorough;
use libtest_mimic::{Failed, Trial};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(120);

/// Errors of programs whose words no engine may swallow.
const ERRORS: &[&str] = &["div_zero", "div_overflow", "rem_zero", "nomatch_case", "abort_message", "string_index"];

/// Engines that run the corpus here; the others do elsewhere.
const CORPUS: [&str; 3] = ["wasmtime", "deno", "bun"];

/// In what form a program is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// A file of WASI, by an engine that knows nothing of us.
    Wasi,
    /// A module with our loader.
    Module,
    /// An executable, or `cleave run`.
    Own,
}

/// A way to run programs.
#[derive(Clone, Debug)]
struct Engine {
    name: &'static str,
    form: Form,
    /// The program and its first arguments; empty if it is missing. Own programs need none.
    command: Vec<String>,
}

impl Engine {
    fn is_there(&self) -> bool {
        match self.name {
            "native" => HAS_NATIVE,
            "run" => true,
            _ => !self.command.is_empty(),
        }
    }

    /// The command that runs the ABC file of a program, which is compiled for it into a folder.
    fn command(&self, source: &Path, folder: &Path) -> Result<Command, String> {
        self.command_with(&[], source, folder)
    }

    /// The same with options of the compiler, which `cleave run` and executables do not get.
    fn command_with(&self, options: &[&str], source: &Path, folder: &Path) -> Result<Command, String> {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let build = |file: &Path, options: &[&str]| {
            run(compiler().arg("build").args(options).arg(source).arg("-o").arg(file), Vec::new(), LIMIT)?
                .expect(0, b"")
        };
        let mut command = match self.name {
            "run" => {
                let mut command = compiler();
                command.arg("run").arg(source);
                command
            }
            "native" => {
                let file = folder.join(&stem);
                build(&file, &["--target=native"])?;
                clean(Command::new(file))
            }
            _ => {
                let file = folder.join(stem + if self.form == Form::Module { ".mjs" } else { ".wasm" });
                build(&file, options)?;
                let mut command = clean(Command::new(&self.command[0]));
                command.args(&self.command[1..]).arg(file);
                command
            }
        };
        command.current_dir(folder);
        Ok(command)
    }
}

/// The program of an engine that a variable or its name leads to, if it starts.
fn program(variable: &str, name: &str) -> Option<String> {
    starts(&std::env::var(variable).unwrap_or(name.to_string()))
}

fn starts(program: &str) -> Option<String> {
    let version = Command::new(program).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&version.stdout).into_owned();
    let major = text.trim_start_matches('v').split('.').next().and_then(|text| text.parse::<u32>().ok());
    // Node alone puts a `v` before it; older ones know no tail calls.
    let is_old = text.starts_with('v') && major.is_none_or(|major| major < 20);
    (version.status.success() && !is_old).then(|| program.to_string())
}

fn engines() -> Vec<Engine> {
    let wasi = Path::new(env!("CARGO_MANIFEST_DIR")).join("engines/wasi.mjs").to_string_lossy().into_owned();
    let mut all = Vec::new();
    let mut add = |name, form, program: &Option<String>, words: &[&str]| {
        let words = words.iter().map(|word| word.to_string());
        let command = program.iter().cloned().chain(words).take(if program.is_some() { usize::MAX } else { 0 });
        all.push(Engine { name, form, command: command.collect() });
    };
    let folders = ["run", "--dir=.", "--dir=/"];
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("engines/stock_wasmtime.py");
    let wasmtime = program("CLEAVE_WASMTIME", "wasmtime").or_else(|| starts(&package.to_string_lossy()));
    add("wasmtime", Form::Wasi, &wasmtime, &folders);
    let (node, deno, bun) =
        (program("CLEAVE_NODE", "node"), program("CLEAVE_DENO", "deno"), program("CLEAVE_BUN", "bun"));
    add("node", Form::Module, &node, &[]);
    add("deno", Form::Module, &deno, &["run", "--allow-all"]);
    add("bun", Form::Module, &bun, &[]);
    // The WASI of node 20 keeps the address of a memory that has grown since (docs/recursion.md).
    let is_20 = node.as_ref().is_some_and(|program| {
        let version = Command::new(program).arg("--version").output();
        version.is_ok_and(|output| output.stdout.starts_with(b"v20."))
    });
    let flags = [if is_20 { "--no-turbo-fast-api-calls" } else { "--no-warnings" }, "--no-warnings", &wasi];
    add("node-wasi", Form::Wasi, &node, &flags);
    add("deno-wasi", Form::Wasi, &deno, &["run", "--allow-all", &wasi]);
    add("bun-wasi", Form::Wasi, &bun, &[&wasi]);
    add("run", Form::Own, &None, &[]);
    add("native", Form::Own, &None, &[]);
    all
}

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let arguments = process::arguments(1.5);
    let mut trials = Vec::new();
    for engine in engines() {
        let is_there = engine.is_there();
        if !is_there && !arguments.list {
            println!("{} is not installed, or too old: its tests are ignored", engine.name);
        }
        let mut add = |test: &str, action: fn(&Engine, &Path) -> Result<(), String>| {
            let (name, engine) = (format!("{}/{test}", engine.name), engine.clone());
            let place = name.clone();
            let run = move || action(&engine, &folder(&place)?).map_err(Failed::from);
            trials.push(Trial::test(name, run).with_ignored_flag(!is_there));
        };
        add("lines", lines);
        add("errors", errors);
        add("deep", deep);
        add("files", files);
        if cfg!(target_os = "linux") {
            add("full", full);
        }
        // The WASI of deno says of every write that it was done, that of bun ends where no input is ready, that of
        // wasmtime writes a part, does not say how much, and gives up.
        if cfg!(unix) && !matches!(engine.name, "wasmtime" | "deno-wasi" | "bun-wasi") {
            add("slow", slow);
        }
        // Here too its WASI says that every write was done.
        if engine.name != "deno-wasi" {
            add("pipe", pipe);
        }
        if CORPUS.contains(&engine.name) {
            add("corpus", corpus);
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn folder(name: &str) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("engines").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Endless recursion loses nothing that was printed. Where it takes the stack of an engine that knows nothing of us,
/// because nothing is captured, it loses nothing that a newline has completed. An ordinary run has a smaller stack: to
/// fill the usual one takes more than a second.
fn lines(engine: &Engine, folder: &Path) -> Result<(), String> {
    let (program, complete) = (here("engines/lines.abc"), "first\nsecond\nthird\n");
    let mut command = engine.command(&program, folder)?;
    if !is_thorough() {
        command.env("CLEAVE_RTS", "--stack=64m");
    }
    let output = run(&mut command, Vec::new(), LIMIT)?;
    let status = if engine.form == Form::Wasi { 1 } else { 255 };
    output.expect(status, format!("{complete}never ended").as_bytes())?;
    let stderr = own_lines(&output.stderr);
    if stderr != "Stack overflow.\n" {
        return Err(format!("stderr: {stderr:?}"));
    }
    if engine.form == Form::Wasi {
        let output = run(&mut engine.command_with(&["--no-stackless"], &program, folder)?, Vec::new(), LIMIT)?;
        if output.status == Some(0) {
            return Err("ended without a fault".into());
        }
        return difference("stdout", complete.as_bytes(), &output.stdout).map_or(Ok(()), Err);
    }
    Ok(())
}

/// Ten million levels of recursion are nothing special: over a list, without references, through suspended calls. In an
/// ordinary run they are as many in one form of programs for an engine, and one million in the other one, which has the
/// same code, and a stack for fewer.
fn deep(engine: &Engine, folder: &Path) -> Result<(), String> {
    let n = if engine.form == Form::Wasi && !is_thorough() { 1_000_000_u64 } else { 10_000_000 };
    // `plus` leaves out one 77.
    let sum = n * (n + 1) / 2 - 77;
    let program = folder.join("levels.abc");
    let text = fs::read_to_string(here("engines/deep.abc")).map_err(|error| error.to_string())?;
    fs::write(&program, text.replace("10000000", &n.to_string())).map_err(|error| error.to_string())?;
    let mut command = engine.command(&program, folder)?;
    if engine.name == "native" {
        // Machine code has the stack that it is given.
        command.env("CLEAVE_RTS", "--stack=900m");
    }
    let output = run(&mut command, Vec::new(), LIMIT)?;
    output.expect(0, format!("({sum},{n},{sum})\n").as_bytes())
}

/// Without what engines say of themselves: that their WASI is new.
fn own_lines(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    text.split_inclusive('\n').filter(|line| !line.contains("ExperimentalWarning")).collect()
}

/// Messages of run-time errors are Clean's, also of divisions, which the engine could refuse in its own words.
fn errors(engine: &Engine, folder: &Path) -> Result<(), String> {
    for sample in samples::errors().iter().filter(|sample| is_one_of(sample, ERRORS)) {
        let expected = Expected::of(sample)?;
        // Engines that know nothing of us need not take a status above 125.
        let status = if engine.form == Form::Wasi { expected.status.min(1) } else { expected.status };
        let output = run(&mut engine.command(&sample.path, folder)?, Vec::new(), LIMIT)?;
        output.expect(status, &expected.stdout).map_err(|message| format!("{}: {message}", sample.name))?;
        let stderr = own_lines(&output.stderr);
        if stderr.as_bytes() != expected.stderr {
            return Err(format!("{}: stderr: {stderr:?}", sample.name));
        }
    }
    Ok(())
}

/// Relative and absolute paths reach files, by the folders that an engine grants.
fn files(engine: &Engine, folder: &Path) -> Result<(), String> {
    fs::write(folder.join("in.txt"), "one\n").map_err(|error| error.to_string())?;
    let program = here("cli/files-anywhere.abc");
    let absolute = folder.join("in.txt").to_string_lossy().into_owned();
    let cases = [("in.txt", "\"one\n\"\n"), ("./in.txt", "\"one\n\"\n"), (&absolute, "\"one\n\"\n")];
    for (path, expected) in cases.into_iter().chain([("nowhere", "\"missing\"\n")]) {
        let output = run(&mut engine.command(&program, folder)?, path.as_bytes().to_vec(), LIMIT)?;
        output.expect(0, expected.as_bytes()).map_err(|message| format!("{path}: {message}"))?;
    }
    Ok(())
}

/// Output that cannot be written is no error, as in Clean's own programs, which can ask for it.
fn full(engine: &Engine, folder: &Path) -> Result<(), String> {
    let device = File::options().write(true).open("/dev/full").map_err(|error| error.to_string())?;
    let mut command = engine.command(&here("cli/hello.abc"), folder)?;
    let status = command.stdin(Stdio::null()).stdout(device).status().map_err(|error| error.to_string())?;
    if status.code() == Some(0) { Ok(()) } else { Err(format!("ended with {status}")) }
}

/// Channels that never block, because whoever shares them has made them so: nothing that is printed gets lost when the
/// reader takes its time, and input that comes late is waited for.
#[cfg(unix)]
fn slow(engine: &Engine, folder: &Path) -> Result<(), String> {
    use std::io::Write;
    use std::os::{fd::OwnedFd, unix::net::UnixStream};
    let pair = || -> std::io::Result<_> {
        let (ours, theirs) = UnixStream::pair()?;
        theirs.set_nonblocking(true)?;
        Ok((ours, Stdio::from(OwnedFd::from(theirs))))
    };
    let talk = |mut command: Command, input: &str| -> std::io::Result<_> {
        let ((mut to, stdin), (mut from, stdout)) = (pair()?, pair()?);
        let mut child = command.stdin(stdin).stdout(stdout).spawn()?;
        // The command holds the other ends open.
        drop(command);
        // Long enough to start and to fill the channel: a program that has not would have it easier, no more.
        std::thread::sleep(Duration::from_millis(400));
        to.write_all(input.as_bytes())?;
        drop(to);
        let mut printed = String::new();
        from.read_to_string(&mut printed)?;
        Ok((child.wait()?.success(), printed))
    };
    let numbers = (1..=400_000).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    for (program, input, expected) in [
        ("engines/long.abc", "", format!("[{numbers}]\n")),
        ("cli/files-anywhere.abc", "nowhere", "\"missing\"\n".to_string()),
    ] {
        let (success, printed) =
            talk(engine.command(&here(program), folder)?, input).map_err(|error| error.to_string())?;
        if let Some(message) = difference(program, expected.as_bytes(), printed.as_bytes()) {
            return Err(message);
        }
        if !success {
            return Err(format!("{program}: failed"));
        }
    }
    Ok(())
}

/// A program that prints for ever ends when nobody reads, without a word: also if the signal for that is ignored.
fn pipe(engine: &Engine, folder: &Path) -> Result<(), String> {
    let command = engine.command(&here("cli/closed-pipe-run.abc"), folder)?;
    let statuses: &[Option<i32>] = match engine.form {
        Form::Wasi => &[Some(1)],
        Form::Module => &[Some(141)],
        Form::Own => &[None, Some(141)],
    };
    let mut deaf = Command::new("sh");
    // In the shell our own name would be that of the shell.
    let program = fs::canonicalize(command.get_program()).unwrap_or(command.get_program().into());
    deaf.args(["-c", "trap '' PIPE; exec \"$@\"", "sh"]).arg(program).args(command.get_args());
    deaf.current_dir(folder);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => deaf.env(name, value),
            None => deaf.env_remove(name),
        };
    }
    for mut command in [command, deaf] {
        let error = |error: std::io::Error| error.to_string();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(error)?;
        let mut first = [0; 3];
        child.stdout.take().ok_or("no pipe")?.read_exact(&mut first).map_err(error)?;
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().map_err(error)? {
                break status;
            }
            if begin.elapsed() > LIMIT {
                let _ = child.kill();
                let _ = child.wait();
                return Err("goes on though nobody reads".into());
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let mut stderr = String::new();
        child.stderr.take().ok_or("no pipe")?.read_to_string(&mut stderr).map_err(error)?;
        if !statuses.contains(&status.code()) || !stderr.is_empty() {
            return Err(format!("ended with {status}, stderr: {stderr:?}"));
        }
    }
    Ok(())
}

/// Each program in one of the engines; all of them in each with `CLEAVE_THOROUGH=1`.
fn corpus(engine: &Engine, folder: &Path) -> Result<(), String> {
    let mut wrong = Vec::new();
    let first = CORPUS.iter().position(|name| *name == engine.name).ok_or("runs no corpus")?;
    let (first, share) = if is_thorough() { (0, 1) } else { (first, CORPUS.len()) };
    for sample in samples::flat().iter().skip(first).step_by(share) {
        let output = run(&mut engine.command(&sample.path, folder)?, sample.stdin(), LIMIT)?;
        if let Err(message) = output.expect(0, &sample.expected()) {
            wrong.push(format!("{}: {message}", sample.name));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn is_one_of(sample: &Sample, names: &[&str]) -> bool {
    names.contains(&sample.name.rsplit('/').next().unwrap_or_default())
}
