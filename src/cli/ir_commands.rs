//! Commands on files of IR: passes on them, and the interpreter.

use crate::cli::args::{Global, InterpArgs, OptArgs};
use crate::cli::commands::in_session;
use crate::cli::exit_code::{FAILURE, written};
use crate::driver::output::{self, Destination, write_stderr, write_stdout};
use crate::driver::session::{Options, Outcome, Session};
use crate::driver::{exports, interpret, pipeline, trace};
use cleave_diag::{Diagnostic, code};
use std::time::Instant;

/// `cleave opt`: runs passes on a file of IR.
pub fn opt(args: &OptArgs, global: &Global) -> i32 {
    let options = Options {
        verify_each: true,
        print_after: args.print_after.clone(),
        roots: args.roots.roots,
        steps: args.roots.steps.steps,
        memory: args.roots.memory.memory,
        rc_insertion: args.roots.memory.rc_insertion,
        reuse: args.roots.memory.reuse,
        ..Options::default()
    };
    in_session(options, global, |session| {
        let mut module = interpret::read_ir(session, &args.file)?;
        if !args.passes.is_empty() {
            exports::keep_imports(session, &module)?;
        }
        pipeline::run_passes(session, &mut module, &args.passes)?;
        let text = cleave_ir::text::print_file(&module);
        output::write_all(session, &[(Destination::parse(&args.output), text.as_bytes())])?;
        Ok(0)
    })
}

/// `cleave interp`: interprets a file of IR.
pub fn interp(session: &mut Session, args: &InterpArgs) -> Outcome<i32> {
    session.options.error_lines = true;
    let module = interpret::read_ir(session, &args.file)?;
    let names = trace::ir_names(&module);
    pipeline::check_interpretable(session, &module)?;
    if let Some(name) = &args.call {
        return match interpret::call(&module, name, &args.arguments, names.as_deref()) {
            Ok(results) => Ok(written(write_stdout(format!("{}\n", results.join(", ")).as_bytes()))),
            Err(message) => {
                write_stderr(&format!("cleave: {message}\n"));
                Ok(FAILURE)
            }
        };
    }
    if module.start.is_none() {
        let message = format!("`{}` has no start function", args.file.display());
        let help = "--call NAME calls a function, with arguments after `--`";
        return Err(session.fail(Diagnostic::error(code::NO_START, message).help(help)));
    }
    let options = cleave_interp::Options {
        heap_limit: args.heap.map_or(256 << 20, |size| size.min(u32::MAX.into()) as u32),
        stress: args.gc_stress,
        args: args.arguments.iter().map(|arg| arg.clone().into_bytes()).collect(),
        environment: cleave_run::environment(),
        ..cleave_interp::Options::default()
    };
    let begin = Instant::now();
    let ended = interpret::run(&module, options, names.as_deref());
    let seconds = begin.elapsed().as_secs_f64();
    if let Some(message) = ended.message {
        write_stderr(&format!("{message}\n"));
    }
    write_stderr(&ended.trace);
    if args.gc_stress.is_some() {
        write_stderr(&format!("cleave: {} collections\n", ended.collections));
    }
    if args.time {
        let rate = ended.steps as f64 / seconds.max(1e-9);
        write_stderr(&format!("cleave: {} instructions in {seconds:.3} s, {rate:.2e} per second\n", ended.steps));
    }
    Ok(ended.status)
}
