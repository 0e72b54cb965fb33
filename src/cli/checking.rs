//! The command `check`: files and folders, each file as a program of its own, or as a part of one.

use crate::cli::args::{Global, MessageFormat};
use crate::cli::below;
use crate::cli::check::CheckArgs;
use crate::cli::commands::{check_target, in_session, options};
use crate::cli::exit_code::written;
use crate::cli::fix;
use crate::cli::main_module;
use crate::cli::program::compile;
use crate::cli::report;
use crate::cli::watch;
use crate::driver::input::STDIN;
use crate::driver::output::{write_stderr, write_stdout};
use crate::driver::pipeline::Stop;
use crate::driver::rc_report;
use crate::driver::session::{ErrorReported, Outcome, Session};
use crate::languages;
use cleave_diag::{Diagnostic, Severity, code};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Checks each program by itself.
pub fn run(args: &CheckArgs, global: &Global) -> i32 {
    if args.watch {
        return watch::run(&args.mains, global.quiet);
    }
    let mut mains = Vec::new();
    let found = in_session(options(&args.compile), global, |session| {
        mains = files(session, args)?;
        Ok(0)
    });
    if args.fix {
        // Who reads JSON reads nothing else.
        let is_quiet = global.quiet || matches!(global.message_format, MessageFormat::Json);
        // What is on stdin is in no file.
        mains.iter().filter(|main| **main != Path::new(STDIN)).for_each(|main| mend(main, args, is_quiet));
    }
    let own: BTreeSet<PathBuf> = mains.iter().filter_map(|main| main.canonicalize().ok()).collect();
    let one = |main: &PathBuf| {
        in_session(options(&args.compile), global, |session| {
            let checked = one(session, main, args, global);
            // What is wrong with a file that is checked by itself is told then.
            without_others(session, main, &own);
            checked
        })
    };
    mains.iter().map(one).fold(found, i32::max)
}

/// Leaves out what is wrong with other files than the main module, if they are among those that are checked.
fn without_others(session: &mut Session, main: &Path, own: &BTreeSet<PathBuf>) {
    let main = main.canonicalize().ok();
    let sources = &session.sources;
    let is_told = |one: &Diagnostic| {
        let path =
            one.primary.as_ref().and_then(|label| Path::new(&sources.file(label.span.file).name).canonicalize().ok());
        path.is_some_and(|path| Some(&path) != main.as_ref() && own.contains(&path))
    };
    session.sink = std::mem::take(&mut session.sink).mapped(|one| (!is_told(&one)).then_some(one));
}

/// Makes the edits that are proposed for a program, and those that are proposed then, and tells them.
fn mend(main: &Path, args: &CheckArgs, is_quiet: bool) {
    const ROUNDS: usize = 10;
    let mut changes = Vec::new();
    for _ in 0..ROUNDS {
        let mut session = Session::new(options(&args.compile));
        // What is wrong is told in the end.
        let _ = compile(&mut session, main, Stop::Built, &[]);
        match fix::apply(&mut session) {
            Ok(more) if !more.is_empty() => changes.extend(more),
            _ => break,
        }
    }
    if !changes.is_empty() && !is_quiet {
        let count = if changes.len() == 1 { "1 change".to_string() } else { format!("{} changes", changes.len()) };
        write_stderr(&format!("{}\n{count}\n", changes.join("\n")));
    }
}

/// Reads a program, translates it and verifies its IR.
fn one(session: &mut Session, main: &Path, args: &CheckArgs, global: &Global) -> Outcome<i32> {
    check_target(session)?;
    let main = &main_module::of(session, main)?;
    session.options.verify_each = true;
    session.options.library = args.compile.keep_all;
    session.options.locations |= args.memory_report;
    let compiled = match compile(session, main, Stop::Built, &[]) {
        Ok(compiled) => compiled,
        Err(_) if is_part(session) => return Ok(0),
        Err(failed) => return Err(failed),
    };
    if let Some(module) = compiled.ir.filter(|_| args.memory_report) {
        let report = rc_report::report(session, &module, &main.to_string_lossy())?;
        if written(write_stdout(report.as_bytes())) != 0 {
            return Err(ErrorReported);
        }
    }
    report::after_compilation(session, &args.compile, global);
    if let Some(format) = args.compile.time {
        report::times(session, format, &[], &[]);
    }
    Ok(0)
}

/// The files that are meant.
fn files(session: &mut Session, args: &CheckArgs) -> Outcome<Vec<PathBuf>> {
    let endings: Vec<&str> = languages::formatted().collect();
    let mut found = Vec::new();
    for main in &args.mains {
        // The name of a module, which `build` takes, too. A file of that name may be what was built.
        if main.extension().is_none() && !main.is_dir() && languages::is_there(session, main) {
            found.push(main.clone());
            continue;
        }
        // IR may be what was made of the others.
        let holds = |endings: &[&str]| below::has_file(main, endings);
        let endings = if !holds(&endings) && holds(&["ir"]) { &["ir"] } else { &endings[..] };
        found.extend(below::files(session, std::slice::from_ref(main), endings)?);
    }
    Ok(found)
}

/// True if nothing is wrong with a file but that it has no `main`: it is a part of a program. Then nothing is said of
/// it but warnings: that another function is perhaps meant to be `main`, too.
fn is_part(session: &mut Session) -> bool {
    let is_error = |one: &&Diagnostic| one.severity == Severity::Error;
    let mut errors = session.sink.diagnostics().iter().filter(is_error).peekable();
    if errors.peek().is_none() || errors.any(|error| error.code != code::MISSING_MAIN) {
        return false;
    }
    let all = std::mem::take(&mut session.sink);
    // A class `Main` that is there is meant to have it.
    let has_class = |one: &Diagnostic| one.primary.as_ref().is_some_and(|label| label.span.start > 0);
    for one in all.diagnostics().iter().filter(|one| !is_error(one) || !one.fixes.is_empty() || has_class(one)) {
        session.sink.report(Diagnostic { severity: Severity::Warning, ..one.clone() });
    }
    true
}
