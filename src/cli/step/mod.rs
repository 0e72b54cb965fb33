//! The command `step`: a debugger in the terminal. What it can do is in `cleave_interp::debug`; here are the words for
//! it (`words`) and how it looks (`show`).
//!
//! With a pipe as input the commands are written into the output, so that a script leaves a transcript.

mod commands;
mod show;

use crate::cli::args::{InterpretedPhase, StepArgs};
use crate::cli::{main_module, program};
use crate::driver::input;
use crate::driver::pipeline::{self, Stop};
use crate::driver::session::{Level, Options, Outcome, Session, Target};
use crate::languages::clean;
use cleave_diag::{Diagnostic, code};
use cleave_interp::debug::Debugger;
use cleave_interp::{Program, data_section_options};
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::{Module, expand_exceptions, raises};
use std::io::IsTerminal;

/// The options of the compilation.
pub fn options(args: &StepArgs) -> Options {
    let mut clean = clean::Options::from_environment(args.clean_home.clone(), None);
    clean.no_sources = args.no_cocl;
    clean.search.clone_from(&args.search.steps);
    Options {
        level: [Level::O0, Level::O1, Level::O2][usize::from(args.optimise)],
        memory: args.memory.memory,
        reuse: args.memory.reuse,
        locations: true,
        print: args.print.unwrap_or_default().print(),
        folders: clean.folders(),
        clean,
        ..Options::default()
    }
}

/// Instructions after which a program that does not stop is interrupted: some seconds.
const PATIENCE: u64 = 200_000_000;
/// Without --heap.
const HEAP: u32 = 256 << 20;

/// The IR of the program, its static data, and how it is interpreted.
pub fn open(session: &mut Session, args: &StepArgs) -> Outcome<(Module, StaticDataSection, cleave_interp::Options)> {
    let stop = match args.phase {
        Some(InterpretedPhase::High) => Stop::High,
        Some(InterpretedPhase::Rooted) => Stop::Rooted,
        Some(InterpretedPhase::Low) => Stop::Low,
        None => Stop::Shown,
    };
    let stdin = match &args.input {
        None => Vec::new(),
        Some(path) => input::read(path).map_err(|error| session.fail(input::unreadable(path, &error)))?,
    };
    let main = main_module::of(session, &args.main)?;
    let mut module = program::compile(session, &main, stop, &[])?.into_ir();
    if raises::has_effects(&module) {
        expand_exceptions::run(&mut module);
    }
    pipeline::check_externs(session, &module)?;
    let options = cleave_interp::Options {
        heap_limit: args.heap.map_or(HEAP, |size| size.min(u32::MAX.into()) as u32),
        stdin,
        args: args.arguments.iter().map(|argument| argument.clone().into_bytes()).collect(),
        ..cleave_interp::Options::default()
    };
    let data_section = pipeline::build_data_section(&module, Target::Wasm, data_section_options(&options));
    Ok((module, data_section, options))
}

/// Starts the program.
pub fn debugger<'p>(
    session: &mut Session,
    program: &'p Program<'p>,
    options: cleave_interp::Options,
) -> Outcome<Debugger<'p>> {
    let mut debugger = Debugger::new(program, options).map_err(|trap| {
        session.fail(Diagnostic::error(code::TOO_MUCH, format!("the program cannot be started: {trap}")))
    })?;
    debugger.set_patience(PATIENCE);
    Ok(debugger)
}

pub fn run(session: &mut Session, args: &StepArgs) -> Outcome<i32> {
    let (module, data_section, options) = open(session, args)?;
    let program = Program::with_data_section(&module, data_section);
    let debugger = debugger(session, &program, options)?;
    let mut out = std::io::stdout().lock();
    let is_terminal = std::io::stdin().is_terminal();
    let mut terminal = commands::Terminal::new(debugger, &session.sources, &mut out, is_terminal);
    // A closed pipe is the end of the conversation, too.
    let _ = terminal.talk(&mut std::io::stdin().lock());
    Ok(0)
}
