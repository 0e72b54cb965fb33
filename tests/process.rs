//! Runs a command with input and a time limit, and compares what it wrote; the ways to run a program.

use libtest_mimic::Arguments;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Set for the test programs that are the compiler, too: they start themselves with it, so a test never runs an old
/// one.
pub const AS_COMPILER: &str = "CLEAVE_AS_COMPILER";

/// Can machine code run here?
pub const HAS_NATIVE: bool = cfg!(all(target_arch = "x86_64", target_os = "linux"));

/// Name and options of each way to run a program of one's own. The first one is the usual one.
pub const ENGINES: [(&str, &[&str]); 12] = [
    ("wasm", &[]),
    ("wasm-O0", &["-O0"]),
    ("wasm-stress", &["--gc-stress"]),
    ("wasm-copying", &["--gc=copying", "--gc-stress"]),
    ("jit", &["--target=native"]),
    ("jit-O0", &["--target=native", "-O0"]),
    ("jit-stress", &["--target=native", "--gc-stress"]),
    ("stackmap-stress", &["--target=native", "--roots=stackmap", "--gc-stress"]),
    ("interp-high", &["--interp=high"]),
    ("interp-rooted", &["--interp=rooted"]),
    ("interp-low", &["--interp=low"]),
    ("interp-low-O0", &["--interp=low", "-O0"]),
];

/// Are these options of `run` for an engine that this machine has? Tests for another one are reported as ignored.
pub fn is_there(options: &[&str]) -> bool {
    HAS_NATIVE || !options.contains(&"--target=native")
}

/// Says why tests are ignored, if some are.
pub fn announce_missing() {
    if !HAS_NATIVE {
        println!("this machine is no x86-64 Linux: tests of machine code are ignored");
    }
}

/// The arguments of a test program whose tests wait, for processes, for browsers, for time: `more` times as many as
/// there are processors run at once, unless somebody says how many.
pub fn arguments(more: f64) -> Arguments {
    let mut arguments = Arguments::from_args();
    let processors = thread::available_parallelism().map_or(1, usize::from);
    arguments.test_threads.get_or_insert((processors as f64 * more).ceil() as usize);
    arguments
}

/// Environment variables that change what the compiler or a program does.
const VARIABLES: [&str; 8] =
    ["CLEAN_HOME", "CLEANPATH", "CLEANLIB", "CLEAVE_RTS", "NO_COLOR", "RUST_BACKTRACE", "COLUMNS", "BLESS"];

/// Where the engine keeps machine code of functions: those of the runtime are the same in most programs of the tests.
pub const ENGINE_FUNCTIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/tmp/compiled/engine.code");
/// And what it has made of whole modules: the same ones run again and again, with other options, and in the next run.
pub const ENGINE_MODULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/tmp/compiled/modules");

/// What a process left.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// `None`: ended by a signal.
    pub status: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// The compiler, which is the running program.
pub fn compiler() -> Command {
    // Its name may be that of another file by now, if something is built while tests run.
    let exe = match cfg!(target_os = "linux") {
        true => "/proc/self/exe".into(),
        false => std::env::current_exe().unwrap_or_else(|error| panic!("our own path is unknown: {error}")),
    };
    let mut command = clean(Command::new(exe));
    // Functions of earlier runs would hide what is compiled now.
    command.env(AS_COMPILER, "1").env("CLEAVE_CACHE", "").env("CLEAVE_FUNCTIONS", ENGINE_FUNCTIONS);
    command.env("CLEAVE_MODULES", ENGINE_MODULES);
    command
}

/// Without the variables that change anything.
pub fn clean(mut command: Command) -> Command {
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command
}

/// Node of a version that knows tail calls.
pub fn has_node() -> bool {
    let output = Command::new("node").arg("--version").output();
    let Ok(output) = output else { return false };
    let version = String::from_utf8_lossy(&output.stdout);
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    major.is_some_and(|major| major >= 20)
}

/// Runs a command to its end; a process that takes longer than the limit is ended, which is an error.
pub fn run(command: &mut Command, stdin: Vec<u8>, limit: Duration) -> Result<Output, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("{}: {error}", command.get_program().to_string_lossy()))?;
    let input = child.stdin.take();
    let (open, closed) = mpsc::channel();
    let (stdout, stderr) = (collect(child.stdout.take(), open.clone()), collect(child.stderr.take(), open));
    let writer = thread::spawn(move || {
        // A program that does not read its input is no error.
        let _ = input.map(|mut pipe| pipe.write_all(&stdin));
    });
    let status = wait(&mut child, limit, &closed)?;
    let _ = writer.join();
    let bytes = |reader: thread::JoinHandle<Vec<u8>>| reader.join().unwrap_or_default();
    Ok(Output { status: status.code(), stdout: bytes(stdout), stderr: bytes(stderr) })
}

/// Reads a pipe to its end. `open` is dropped there.
fn collect(pipe: Option<impl Read + Send + 'static>, open: mpsc::Sender<()>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
        drop(open);
        bytes
    })
}

fn wait(child: &mut Child, limit: Duration, closed: &mpsc::Receiver<()>) -> Result<std::process::ExitStatus, String> {
    let begin = Instant::now();
    // Most processes end when their output does: asking again and again for that would be late by half of a pause, in
    // thousands of tests.
    let _ = closed.recv_timeout(limit);
    let mut pause = Duration::from_micros(100);
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(status);
        }
        if begin.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("not ready after {} seconds", limit.as_secs()));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

impl Output {
    /// Compares status and stdout; the error shows stderr, too.
    pub fn expect(&self, status: i32, stdout: &[u8]) -> Result<(), String> {
        let mut message = String::new();
        if self.status != Some(status) {
            let shown = self.status.map_or("a signal".to_string(), |status| format!("status {status}"));
            let _ = writeln!(message, "ended with {shown}, not {status}");
        }
        if let Some(difference) = difference("stdout", stdout, &self.stdout) {
            message.push_str(&difference);
        }
        if message.is_empty() {
            return Ok(());
        }
        if !self.stderr.is_empty() {
            let _ = writeln!(message, "stderr: {}", excerpt(&self.stderr, 0));
        }
        Err(message)
    }
}

/// Says where two texts differ.
pub fn difference(what: &str, expected: &[u8], actual: &[u8]) -> Option<String> {
    if expected == actual {
        return None;
    }
    let at = expected.iter().zip(actual).take_while(|(a, b)| a == b).count();
    let start = at.saturating_sub(60);
    Some(format!(
        "{what} differs at byte {at} (of {} expected, {} actual)\n  expected: {}\n  actual:   {}\n",
        expected.len(),
        actual.len(),
        excerpt(expected, start),
        excerpt(actual, start),
    ))
}

fn excerpt(bytes: &[u8], start: usize) -> String {
    const SHOWN: usize = 1500;
    let rest = &bytes[start.min(bytes.len())..];
    let more = if rest.len() > SHOWN { "…" } else { "" };
    format!("{}{more}", rest[..rest.len().min(SHOWN)].escape_ascii().to_string().replace("\\n", "\n    "))
}
