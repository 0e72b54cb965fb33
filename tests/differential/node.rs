//! Node in differential tests: one process for many modules, which `node.mjs` compiles and runs one after the other.
//!
//! A thread reads what the process answers, so that a run that takes too long can be noticed; the process is then
//! ended, and the next run begins another one.

use crate::engine::emit;
use cleave_tests::differential::link::Linked;
use cleave_tests::differential::oracle::{End, Engine, Observed, STDIN};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

const SCRIPT: &str = include_str!("node.mjs");
/// For a run, and for compiling a module.
const LIMIT: Duration = Duration::from_secs(60);

/// WebAssembly in V8.
pub struct Node {
    most_ways: usize,
    folder: PathBuf,
    choice: u32,
    process: Option<Process>,
}

struct Process {
    child: Child,
    orders: ChildStdin,
    answers: Receiver<Answer>,
}

/// The line of an answer, and what follows it.
struct Answer {
    line: String,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.process = None;
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Node {
    /// It runs so many ways of each program.
    pub fn new(most_ways: usize) -> Node {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("differential-node-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        std::fs::write(folder.join("run.mjs"), SCRIPT).expect("the script can be written");
        Node { most_ways, folder, choice: 0, process: None }
    }

    fn module(&self) -> PathBuf {
        self.folder.join("module.wasm")
    }

    /// Starts a process that has compiled the module.
    fn start(&self) -> Result<Process, String> {
        let mut command = Command::new("node");
        command.args(["--no-warnings", "--expose-gc"]).arg(self.folder.join("run.mjs"));
        command.arg(String::from_utf8_lossy(STDIN).as_ref());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("node: {error}"))?;
        // It does not get ours: node makes it non-blocking, and what is ended does not take that back. What runs after
        // it could not write then while nobody reads.
        let mut stderr = child.stderr.take().expect("a pipe");
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::stderr()));
        let (orders, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let (send, answers) = channel();
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Some(answer) = read(&mut stdout) {
                if send.send(answer).is_err() {
                    return;
                }
            }
        });
        let mut process = Process { child, orders, answers };
        self.compile(&mut process)?;
        Ok(process)
    }

    fn compile(&self, process: &mut Process) -> Result<(), String> {
        let order = format!("load {} {}\n", self.module().display(), self.choice);
        match process.ask(&order) {
            Ok(answer) if answer.line == "ready" => Ok(()),
            Ok(answer) => Err(answer.line),
            Err(end) => Err(format!("{end:?}")),
        }
    }
}

fn read(stdout: &mut impl BufRead) -> Option<Answer> {
    let mut line = String::new();
    if stdout.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let line = line.trim_end().to_string();
    let lengths: Vec<usize> = line.split(' ').map_while(|word| word.parse().ok()).take(2).collect();
    let mut bytes = |at: usize| {
        let mut bytes = vec![0; lengths.get(at).copied().unwrap_or(0)];
        stdout.read_exact(&mut bytes).ok()?;
        Some(bytes)
    };
    Some(Answer { stdout: bytes(0)?, stderr: bytes(1)?, line })
}

impl Process {
    /// Sends an order; gives the answer, or how the process ended without one.
    fn ask(&mut self, order: &str) -> Result<Answer, End> {
        let sent = self.orders.write_all(order.as_bytes()).and_then(|()| self.orders.flush());
        match sent.map(|()| self.answers.recv_timeout(LIMIT)) {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(RecvTimeoutError::Timeout)) => Err(End::Endless),
            _ => Err(End::of_child(&mut self.child)),
        }
    }
}

impl Engine for Node {
    fn name(&self) -> &'static str {
        "node"
    }

    fn most_ways(&self) -> usize {
        self.most_ways
    }

    fn load(&mut self, linked: Linked, _: u64) -> Result<(), String> {
        let (wasm, choice) = emit(linked, 0)?;
        self.choice = choice;
        std::fs::write(self.module(), wasm).map_err(|error| error.to_string())?;
        match self.process.take() {
            Some(mut process) => {
                self.compile(&mut process)?;
                self.process = Some(process);
            }
            None => self.process = Some(self.start()?),
        }
        Ok(())
    }

    fn run(&mut self, number: usize, options: &str) -> Observed {
        let mut process = match self.process.take().map_or_else(|| self.start(), Ok) {
            Ok(process) => process,
            Err(message) => return Observed::broken(message),
        };
        let answer = match process.ask(&format!("run {number} {options}\n")) {
            Ok(answer) => answer,
            Err(end) => return Observed { stdout: Vec::new(), stderr: Vec::new(), end },
        };
        self.process = Some(process);
        let nptrs: Vec<&str> = answer.line.splitn(4, ' ').skip(2).collect();
        let end = match nptrs[..] {
            ["status", number] => number.parse().map_or(End::Broken(answer.line.clone()), End::Status),
            ["zero"] => End::DivideByZero,
            ["overflow"] => End::Overflow,
            ["stack"] => End::StackOverflow,
            _ => End::Broken(answer.line.clone()),
        };
        Observed { stdout: answer.stdout, stderr: answer.stderr, end }
    }
}
