//! Compiles programs with words of the command line, each in a process of its own, and counts what was made: bytes,
//! time, memory of the compiler, spills and restores.
//!
//! A program that was compiled with the same words before is not compiled again.

use crate::child::{self, ChildArgs, LIMIT, Measured};
use crate::cpu;
use crate::input::Program;
use crate::process;
use crate::study::codesize;
use anyhow::{Context, Result, bail};
use clap::Parser;
use cleave::cli::args::{Cli, Command};
use cleave::cli::commands;
use cleave::cli::emit::EmitKind;
use cleave::driver::native;
use cleave::driver::output::{self, Destination};
use cleave::driver::pipeline::{self, Stop};
use cleave::driver::session::{ErrorReported, Options, Roots, Session, Target};
use cleave::languages;
use cleave_diag::code;
use cleave_ir::{Module, Opcode};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Status of a child that was asked for something that the compiler does not offer.
const REFUSED: i32 = 3;

/// Why there is no program, or no sample.
#[derive(Clone, Debug)]
pub enum Problem {
    /// The compiler or the runtime does not offer it.
    Unavailable(String),
    ErrorReported(String),
}

/// A compiled program.
#[derive(Clone, Debug)]
pub struct Built {
    pub file: PathBuf,
    pub measured: Measured,
}

/// Everything that was compiled so far.
pub struct Builds {
    folder: PathBuf,
    known: BTreeMap<(String, Vec<String>), Result<Built, Problem>>,
}

impl Builds {
    pub fn new(folder: &Path) -> Builds {
        Builds { folder: folder.to_path_buf(), known: BTreeMap::new() }
    }

    /// The program, compiled with these words.
    pub fn get(&mut self, program: &Program, words: &[String]) -> Result<Built, Problem> {
        let key = (program.name.clone(), words.to_vec());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let built = self.again(program, words);
        self.known.insert(key, built.clone());
        built
    }

    /// Compiles it, whether it is known or not.
    pub fn again(&mut self, program: &Program, words: &[String]) -> Result<Built, Problem> {
        let file = self.folder.join(format!("{}-{}", program.name, words.join("")));
        let failed = |error: anyhow::Error| Problem::ErrorReported(first_line(&format!("{error:#}")));
        let mut command = child::command(child::Task::Build, &program.abc, &[]).map_err(failed)?;
        command.arg("-o").arg(&file).arg("--").args(words);
        let ended = process::run(&mut command, LIMIT).map_err(failed)?;
        match ended.status {
            Some(0) => {
                let mut measured = Measured::of(&ended.stderr);
                measured.set("process_s", ended.total_s);
                Ok(Built { file, measured })
            }
            Some(REFUSED) => Err(Problem::Unavailable(first_line(&ended.stderr))),
            _ => Err(Problem::ErrorReported(format!(
                "the compiler ended with {}: {}",
                ended.end(),
                first_line(&ended.stderr)
            ))),
        }
    }
}

/// The first line that says something, with the next one if it ends with a colon.
pub fn first_line(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines.next().unwrap_or("no message");
    let more = lines.next().filter(|_| line.ends_with(':')).map_or(String::new(), |more| format!(" {more}"));
    format!("{}{more}", line.trim_start_matches("Error: ").trim_start_matches("error: "))
}

/// What the child does.
pub fn main(args: &ChildArgs) -> Result<Measured> {
    let file = args.output.as_deref().context("where to?")?;
    let line = ["cleave".as_ref(), "build".as_ref(), args.file.as_os_str()];
    let line = line.into_iter().map(ToOwned::to_owned).chain(args.words.iter().map(Into::into));
    let command = match Cli::try_parse_from(line) {
        Ok(cli) => cli.command,
        Err(error) => refuse(&error.to_string()),
    };
    let Command::Build(build) = command else { bail!("these words belong to another command") };
    let mut options = commands::options(&build.compile);
    // As after the loader that the words ask for.
    options.osr_loops = build.emit.iter().any(|emit| emit.kind == EmitKind::Js);
    let mut session = Session::new(options.clone());
    let (begin, cpu) = (Instant::now(), cpu::own());
    let Ok(Made { bytes, link_s, functions }) = compile(&mut session, &args.file) else { fail(&session) };
    let mut measured = Measured::default();
    measured.set("all_s", begin.elapsed().as_secs_f64());
    if let (Some(begin), Some(end)) = (cpu, cpu::own()) {
        measured.set("compile_cpu_s", end - begin);
    }
    measured.set("compile_s", session.timing.compile_seconds());
    measured.set("link_s", link_s);
    for phase in child::PHASES {
        measured.set(&format!("{phase}_s"), session.timing.seconds(phase));
    }
    measured.set("bytes", bytes.len() as f64);
    measured.set("code_bytes", codesize::of(&bytes).unwrap_or(0) as f64);
    if let Some(code) = codesize::of_functions(&bytes, functions).filter(|_| session.options.target == Target::Wasm) {
        measured.set("program_code_bytes", code as f64);
    }
    for (name, value) in &session.counts.rows {
        let name = name.replace(' ', "_");
        if name == "code_bytes" {
            // Machine code without the runtime.
            measured.set("program_code_bytes", *value as f64);
        } else if measured.find(&name).is_none() {
            measured.set(&name, *value as f64);
        }
    }
    let destination = Destination::File(file.to_path_buf());
    if output::write_all(&mut session, &[(destination, &bytes)]).is_err() {
        fail(&session);
    }
    if let Some(peak) = crate::machine::peak_memory() {
        measured.set("compiler_bytes", peak as f64);
    }
    count_roots(options, &args.file, &mut measured)?;
    Ok(measured)
}

/// The file of a program for the target of the session.
struct Made {
    bytes: Vec<u8>,
    link_s: f64,
    /// Of the program; the runtime has more.
    functions: usize,
}

fn compile(session: &mut Session, main: &Path) -> Result<Made, ErrorReported> {
    let begin = Instant::now();
    let loaded = languages::load(session, main);
    session.timing.add("parse", begin.elapsed());
    let compiled = pipeline::compile(session, loaded?, Stop::Code, &[])?;
    let functions = compiled.functions;
    let Some(program) = compiled.native.as_ref().filter(|_| session.options.target == Target::Native) else {
        return Ok(Made { bytes: compiled.wasm, link_s: 0.0, functions });
    };
    let begin = Instant::now();
    let linker = native::find_linker(session)?;
    let object = native::object(session, program);
    let bytes = native::link(session, &linker, &object, &compiled.foreign_calls, &compiled.needs)?;
    Ok(Made { bytes, link_s: begin.elapsed().as_secs_f64(), functions })
}

/// Counts instructions of the rooted IR: how often the program says that a reference is kept, in its text.
/// With stack maps it does not: references stay in frames of the machine, and the compiler shows no rooted IR.
fn count_roots(options: Options, main: &Path, measured: &mut Measured) -> Result<()> {
    if options.roots == Roots::Stackmap {
        return Ok(());
    }
    let mut session = Session::new(options);
    let rooted = languages::load(&mut session, main)
        .and_then(|loaded| pipeline::compile(&mut session, loaded, Stop::Rooted, &[]));
    let Ok(rooted) = rooted else { fail(&session) };
    for (name, count) in counts(&rooted.into_ir()) {
        measured.set(name, count as f64);
    }
    Ok(())
}

fn counts(module: &Module) -> [(&'static str, u64); 4] {
    let [mut spills, mut restores, mut frames, mut instructions] = [0; 4];
    for func in module.funcs.values() {
        let before = spills;
        for &block in &func.layout {
            instructions += func.blocks[block].insts.len() as u64;
            for &inst in &func.blocks[block].insts {
                match func.insts[inst].op {
                    Opcode::Spill => spills += 1,
                    Opcode::Restore => restores += 1,
                    _ => {}
                }
            }
        }
        frames += u64::from(spills > before);
    }
    [
        ("rooted_spills", spills),
        ("rooted_restores", restores),
        ("rooted_frames", frames),
        ("rooted_instructions", instructions),
    ]
}

fn refuse(message: &str) -> ! {
    eprintln!("{}", first_line(message));
    std::process::exit(REFUSED)
}

/// Ends the child with the messages of the compiler.
fn fail(session: &Session) -> ! {
    let messages = session.sink.diagnostics();
    let texts: Vec<String> = messages.iter().map(|message| cleave_diag::short(message, &session.sources)).collect();
    if messages.iter().any(|message| message.code == code::NOT_BUILT_IN) {
        refuse(&texts.join("\n"));
    }
    eprintln!("{}", texts.join("\n"));
    std::process::exit(1)
}
