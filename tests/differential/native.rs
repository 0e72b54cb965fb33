//! Machine code in differential tests: a process of its own compiles the module and runs its programs one after the
//! other, so that a crash of generated code ends that process, is seen, and is a disagreement like any other.
//!
//! The process is this test, started with `CHILD` set. It takes the module as text and then one line per run from a
//! connection, and answers with the status. Its stdin, stdout and stderr are files: the programs have them to
//! themselves. Every other module is compiled without the optimisations of the code generator, and verified; which one
//! follows from its round.

use cleave::driver::session::Target;
use cleave_ir::text::{parse_module, print_module};
use cleave_native::address_space;
use cleave_tests::differential::link::{Linked, choice};
use cleave_tests::differential::oracle::{End, Engine, Observed, STDIN, data_section_options};
use cleave_tests::differential::ways::Way;
use cleave_tests::lowering;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Set for the process that runs programs: the port at which it is expected.
pub const CHILD: &str = "CLEAVE_DIFFERENTIAL_CHILD";
const STACK: u64 = 64 << 20;
/// For a run, and for compiling a module.
const RUN_LIMIT: Duration = Duration::from_secs(20);
const LOAD_LIMIT: Duration = Duration::from_secs(300);

/// Machine code.
pub struct Native {
    files: Files,
    module: String,
    /// Which of the ways to compile.
    way: u64,
    process: Option<Process>,
}

/// The channels of the programs. What they write is read as it comes: to cut the files would take longer than a run.
struct Files {
    folder: PathBuf,
    stdin: File,
    stdout: Output,
    stderr: Output,
}

/// A file that grows, and the same file for reading what is new.
struct Output {
    write: File,
    read: File,
}

impl Output {
    fn new(path: &Path) -> io::Result<Output> {
        let write = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Output { write, read: File::open(path)? })
    }

    /// What has been written since the last call.
    fn take(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self.read.read_to_end(&mut bytes) {
            Ok(_) => bytes,
            Err(error) => error.to_string().into_bytes(),
        }
    }
}

/// A process that has compiled the module.
struct Process {
    child: Child,
    answers: BufReader<TcpStream>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Files {
    fn new() -> io::Result<Files> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("differential-{}-{number}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("stdin"), STDIN)?;
        let stdin = File::open(folder.join("stdin"))?;
        let output = |name: &str| Output::new(&folder.join(name));
        Ok(Files { stdin, stdout: output("stdout")?, stderr: output("stderr")?, folder })
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Native {
    pub fn new() -> Native {
        let files = Files::new().expect("the folder for temporary files can be written");
        Native { files, module: String::new(), way: 0, process: None }
    }

    /// Starts a process and lets it compile the module.
    fn start(&mut self) -> Result<Process, String> {
        let text = |error: io::Error| error.to_string();
        let listener = TcpListener::bind("127.0.0.1:0").map_err(text)?;
        let port = listener.local_addr().map_err(text)?.port();
        let files = &self.files;
        let mut command = Command::new("/proc/self/exe");
        // The other engines give programs no variables.
        command.env_clear().env(CHILD, port.to_string()).env("RUST_BACKTRACE", "0");
        command.stdin(files.stdin.try_clone().map_err(text)?);
        command.stdout(files.stdout.write.try_clone().map_err(text)?);
        command.stderr(files.stderr.write.try_clone().map_err(text)?);
        let mut child = command.spawn().map_err(text)?;
        let stream = accept(&listener, &mut child)?;
        let mut process = Process { child, answers: BufReader::new(stream) };
        let (bytes, way) = (self.module.len(), self.way);
        let order = format!("{bytes} {way}\n{}", self.module);
        match process.ask(&order, LOAD_LIMIT) {
            Ok(answer) if answer == "ready" => Ok(process),
            Ok(answer) => Err(answer),
            Err(end) => {
                let stderr = String::from_utf8_lossy(&self.files.stderr.take()).into_owned();
                Err(format!("{end:?}: {stderr}"))
            }
        }
    }
}

/// Waits for the process.
fn accept(listener: &TcpListener, child: &mut Child) -> Result<TcpStream, String> {
    listener.set_nonblocking(true).map_err(|error| error.to_string())?;
    let begin = Instant::now();
    while begin.elapsed() < LOAD_LIMIT {
        if let Ok((stream, _)) = listener.accept() {
            stream.set_nonblocking(false).and_then(|()| stream.set_nodelay(true)).map_err(|error| error.to_string())?;
            return Ok(stream);
        }
        if let Ok(Some(status)) = child.try_wait() {
            return Err(format!("the process ended at once: {status}"));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    let _ = child.wait();
    Err("the process does not start".into())
}

impl Process {
    /// Sends an order; gives the answer, or how the process ended without one.
    fn ask(&mut self, order: &str, limit: Duration) -> Result<String, End> {
        let stream = self.answers.get_mut();
        let sent = stream.set_read_timeout(Some(limit)).and_then(|()| stream.write_all(order.as_bytes()));
        let mut answer = String::new();
        match sent.and_then(|()| self.answers.read_line(&mut answer)) {
            Ok(length) if length > 0 => Ok(answer.trim_end().to_string()),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                Err(End::Endless)
            }
            _ => Err(End::of_child(&mut self.child)),
        }
    }
}

impl Engine for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn takes(&self, _: Way) -> bool {
        true
    }

    fn load(&mut self, linked: Linked, round: u64) -> Result<(), String> {
        let module = linked.finish();
        self.module = print_module(&module);
        self.way = round % 4;
        self.process = None;
        self.process = Some(self.start()?);
        Ok(())
    }

    fn run(&mut self, number: usize, options: &str) -> Observed {
        let mut process = match self.process.take().map_or_else(|| self.start(), Ok) {
            Ok(process) => process,
            Err(message) => return Observed::broken(message),
        };
        // The place in the input is shared with the process.
        if let Err(error) = self.files.stdin.rewind() {
            return Observed::broken(error.to_string());
        }
        let end = match process.ask(&format!("{number} {options}\n"), RUN_LIMIT) {
            Ok(answer) => {
                self.process = Some(process);
                answer.parse().map_or(End::Broken(answer), End::Status)
            }
            // Another one for the next run.
            Err(end) => end,
        };
        Observed { stdout: self.files.stdout.take(), stderr: self.files.stderr.take(), end }
    }
}

/// The process: compiles the module that it is sent, and runs its programs until the connection is closed.
pub fn child(port: &str) -> io::Result<()> {
    let port = port.parse().map_err(io::Error::other)?;
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_nodelay(true)?;
    let mut orders = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    orders.read_line(&mut line)?;
    let (bytes, way) = line.trim_end().split_once(' ').ok_or(io::ErrorKind::InvalidData)?;
    let mut text = vec![0; bytes.parse().map_err(io::Error::other)?];
    orders.read_exact(&mut text)?;
    let (mut program, choice) = compile(&String::from_utf8_lossy(&text), way);
    writeln!(stream, "ready")?;
    loop {
        line.clear();
        if orders.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let (number, options) = line.trim_end_matches('\n').split_once(' ').ok_or(io::ErrorKind::InvalidData)?;
        let number: u64 = number.parse().map_err(io::Error::other)?;
        program.low.bytes[choice..choice + 8].copy_from_slice(&number.to_le_bytes());
        let options = cleave_run::Options {
            args: vec!["program".into()],
            stack: Some(STACK),
            runtime: options.to_string(),
            ..cleave_run::Options::default()
        };
        match cleave_run::native(&program, &options) {
            Ok(ended) => writeln!(stream, "{}", ended.status)?,
            Err(error) => writeln!(stream, "{error:?}")?,
        }
    }
}

/// Machine code, and where in the low bytes the number of the program is.
fn compile(text: &str, way: &str) -> (cleave_native::Program, usize) {
    let mut module = parse_module(text).unwrap_or_else(|error| panic!("{error}"));
    let data_section = lowering::lower(&mut module, Target::Native, data_section_options());
    let mut options =
        cleave_native::Options { verify: way != "0", parallel: false, ..cleave_native::Options::default() };
    match way {
        "1" => options.effort = cleave_native::Effort::Least,
        "2" => options.effort = cleave_native::Effort::Some,
        // As if every function were very large.
        "3" => options.oversized = 0,
        _ => {}
    }
    let offset = (choice(&data_section) - address_space::START) as usize;
    let program = lowering::emit(module, data_section, &cleave_native::Native { options })
        .unwrap_or_else(|error| panic!("{error}"));
    (program, offset)
}
