//! The commands of the command line: from parsed flags to calls of the driver.

use crate::cli::args::{BuildArgs, Cli, Collector, Command, CompileArgs, InterpretedPhase, RunArgs};
use crate::cli::args::{Global, TimeFormat};
use crate::cli::emit::{self, EmitKind};
use crate::cli::exit_code::{FAILURE, written};
use crate::cli::memory::Fip;
use crate::cli::program::compile;
use crate::cli::{
    c_library, cache, checking, complete, doctor, emit_c, explain, format, ir_commands, javascript, limit, main_module,
    man, new, reduce, refused, repl, report, sandbox, step, testing, wasm_input, wat, watch, wit,
};
use crate::driver::output::{self, Destination, write_stderr, write_stdout};
use crate::driver::pipeline::Stop;
use crate::driver::session::{ErrorReported, Level, LinkInputs, Options, Outcome, Session, Target};
use crate::driver::{c_objects, interpret, native, panic_hook, run};
use crate::languages::frontend::Names;
use crate::languages::{self, clean};
use cleave_diag::{Diagnostic, code};
use cleave_run::Error;
use std::path::Path;

/// Runs a command and returns the exit code.
pub fn run(cli: Cli) -> i32 {
    let global = &cli.global;
    match cli.command {
        Command::Build(mut args) => in_session(options(&args.compile), global, |session| {
            #[cfg(all(feature = "mimalloc", not(target_family = "wasm")))]
            crate::allocator::Allocator::keep_longer();
            args.main = main_module::of(session, &args.main)?;
            emit::take_output(&mut args.emit, &mut args.output);
            if !emit_c::build(session, &args, global)? {
                build(session, &args, global)?;
            }
            Ok(0)
        }),
        Command::Run(args) if args.watch => watch::run(std::slice::from_ref(&args.main), global.quiet),
        Command::Run(mut args) => {
            let found = in_session(Options::default(), global, |session| {
                args.main = main_module::of(session, &args.main)?;
                Ok(0)
            });
            if found == 0 { run_command(&args, global) } else { found }
        }
        Command::Check(args) => checking::run(&args, global),
        Command::Wit(args) => in_session(options(&args.compile), global, |session| wit::run(session, &args)),
        Command::Opt(args) => ir_commands::opt(&args, global),
        Command::Interp(args) => in_session(Options::default(), global, |session| ir_commands::interp(session, &args)),
        Command::Step(args) => in_session(step::options(&args), global, |session| step::run(session, &args)),
        Command::Fmt(args) => in_session(Options::default(), global, |session| format::run(session, &args)),
        #[cfg(not(target_family = "wasm"))]
        Command::Lsp { .. } => super::lsp::run(),
        Command::Test(args) if args.watch => watch::run(&args.files, global.quiet),
        Command::Test(args) => in_session(Options::default(), global, |session| {
            testing::run(session, &args, report::is_coloured_stdout(global.color))
        }),
        Command::Repl(args) => in_session(Options::default(), global, |session| repl::run(session, &args)),
        Command::New(args) => in_session(Options::default(), global, |session| new::run(session, &args)),
        Command::Reduce(args) => in_session(Options::default(), global, |session| reduce::run(session, &args, global)),
        Command::Explain { code } => explain::run(code.as_deref()),
        Command::Cache { action } => in_session(Options::default(), global, |session| cache::run(session, action)),
        Command::Header => written(write_stdout(cleave_clean::ccall::HEADER.as_bytes())),
        Command::Completions { shell } => written(write_stdout(&complete::script(shell))),
        Command::Man { subject } => {
            in_session(Options::default(), global, |session| man::run(session, subject.as_deref()))
        }
        Command::Doctor(args) => doctor::run(&args),
        Command::Playground(args) => in_session(Options::default(), global, |s| super::playground::run(s, &args)),
    }
}

/// Does something in a new session and reports what went wrong.
pub fn in_session(options: Options, global: &Global, work: impl FnOnce(&mut Session) -> Outcome<i32>) -> i32 {
    let mut session = Session::new(options);
    let result = work(&mut session);
    report::diagnostics(&session, global);
    result.unwrap_or(FAILURE)
}

/// More threads would only take time to start.
const MAX_THREADS: usize = 256;

/// The options of a compilation as flags say them.
pub fn options(args: &CompileArgs) -> Options {
    if let Some(threads) = args.threads {
        // Fails only if the pool exists already; this is the first use.
        let threads = usize::from(threads).min(MAX_THREADS);
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    }
    let mut clean = clean::Options::from_environment(args.clean_home.clone(), args.cocl.clone());
    clean.no_sources = args.no_cocl;
    clean.search.clone_from(&args.search.steps);
    Options {
        target: args.target.unwrap_or_default().of_code(),
        component: args.target == Some(Target::Component),
        level: [Level::O0, Level::O1, Level::O2][usize::from(args.optimise)],
        roots: args.roots.roots,
        steps: args.roots.steps.steps,
        memory: args.roots.memory.memory,
        rc_insertion: args.roots.memory.rc_insertion,
        reuse: args.roots.memory.reuse,
        count_cells: args.roots.memory.count_cells,
        fip: args.roots.memory.fip == Fip::Checked,
        disabled: args.debug.passes.disabled.clone(),
        keep_all: args.keep_all,
        check_indices: args.check_indices,
        strip: args.strip,
        natives: args.natives.natives(),
        trace: args.trace,
        checked: args.debug.checked,
        verify_each: args.debug.verify_each,
        print_after: args.debug.print_after.clone(),
        locations: args.debug.locations || args.roots.memory.fip == Fip::Checked,
        print: args.print.unwrap_or_default().print(),
        language: args.language.clone(),
        lints: args.lints.levels(),
        folders: clean.folders(),
        clean,
        ..Options::default()
    }
}

pub fn check_target(session: &mut Session) -> Outcome {
    if session.options.target == Target::Native && !native::IS_AVAILABLE {
        let message = "the target `native` is not built into this version";
        return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help("use --target wasm")));
    }
    Ok(())
}

/// Objects and libraries of C are there, and for programs that can have them.
fn check_natives(session: &mut Session) -> Outcome {
    let LinkInputs { files, libraries, .. } = &session.options.natives;
    let is_native = session.options.target == Target::Native;
    let suits = |file: &Path| is_native != file.extension().is_some_and(|ending| ending == c_objects::ENDING);
    let file = files.iter().find(|file| !suits(file)).map(|file| file.display().to_string());
    let library = || libraries.first().filter(|_| !is_native).map(|name| format!("-l {name}"));
    if let Some(first) = file.or_else(library) {
        let (what, other, flag) = if is_native {
            ("WebAssembly", "an executable", "wasm")
        } else {
            ("machine code", "a program for WebAssembly", "native")
        };
        let message = format!("`{first}` is {what}, which {other} cannot have");
        let help = format!("use --target {flag}");
        return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)));
    }
    if let Some(absent) = files.iter().find(|file| !file.is_file()) {
        let message = format!("there is no file `{}`", absent.display());
        return Err(session.fail(Diagnostic::error(code::FILE_NOT_FOUND, message)));
    }
    Ok(())
}

fn build(session: &mut Session, args: &BuildArgs, global: &Global) -> Outcome {
    check_target(session)?;
    (session.options.linker, session.options.no_runtime_options) = (args.linker, !args.rts_options);
    session.options.exports = args.library.exports();
    session.options.imports = wit::imports(session, &args.main, &args.library)?;
    session.options.natives.files.extend(args.objects.iter().cloned());
    check_natives(session)?;
    session.options.cache_file = cache::file(session, &args.compile, &args.main);
    let target = session.options.target;
    session.options.error_lines = target == Target::Native && !args.compile.strip;
    for emit in &args.emit {
        if let EmitKind::Missing(kind) = emit.kind {
            let message = format!("--emit {kind} is not built into this version");
            let help = format!("kinds of this version: {}", emit::KINDS);
            return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)));
        }
    }
    if args.list_ccalls {
        let compiled = compile(session, &args.main, Stop::High, &[])?;
        let list = report::foreign_calls(&compiled.foreign_calls, &compiled.c_files);
        return if written(write_stdout(list.as_bytes())) == 0 { Ok(()) } else { Err(ErrorReported) };
    }
    let mut dump_points = Vec::new();
    for emit in &args.emit {
        dump_points.extend(emit.kind.point().map(str::to_string));
        if let Some(needed) = emit.kind.target().filter(|needed| *needed != target) {
            let message = "this kind of output belongs to the other target";
            let help = if needed == Target::Native { "use --target native" } else { "use --target wasm" };
            return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)));
        }
    }
    if target == Target::Native && args.library.npm.is_some() {
        let message = "a package of npm holds WebAssembly, no machine code";
        return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help("use --target wasm")));
    }
    let plan = if target == Target::Wasm { javascript::plan(session, args)? } else { None };
    session.options.osr_loops = plan.is_some();
    let wants = |kind: EmitKind| args.emit.iter().any(|emit| emit.kind == kind);
    session.options.clif = wants(EmitKind::Clif);
    session.options.asm = wants(EmitKind::Asm);
    let wants_program = args.emit.is_empty() || args.output.is_some() || plan.is_some();
    let program_kind = if target == Target::Native { EmitKind::Exe } else { EmitKind::Wasm };
    let linker = match target {
        Target::Native if wants_program || wants(EmitKind::Exe) => Some(native::find_linker(session)?),
        _ => None,
    };
    let wants_code = wants_program || args.emit.iter().any(|emit| emit.kind.target().is_some());
    let stop = if wants_code { Stop::Code } else { Stop::Low };
    session.options.library =
        args.compile.keep_all && args.output.is_none() && !args.emit.iter().any(|emit| emit.kind.target().is_some());
    let compiled = compile(session, &args.main, stop, &dump_points)?;
    wit::fits(session, &args.library, &compiled.name, &compiled.interface)?;
    let wants_program = wants_program && !compiled.is_library;
    let is_for_c = c_library::is_asked(session, &compiled);
    let for_c = if is_for_c && wants_program { c_library::files(session, args, &compiled)? } else { Vec::new() };
    let wants_program = wants_program && !is_for_c;
    let linker = linker.filter(|_| !compiled.is_library && !is_for_c);
    let (mut object, mut executable) = (Vec::new(), Vec::new());
    if let Some(program) = compiled.native.as_ref().filter(|_| linker.is_some() || wants(EmitKind::Obj)) {
        object = native::object(session, program);
    }
    if let Some(linker) = linker {
        executable = native::link(session, &linker, &object, &compiled.foreign_calls, &compiled.needs)?;
    }
    let listing = |asm| compiled.native.as_ref().map_or_else(String::new, |program| native::listing(program, asm));
    let clif = if session.options.clif { listing(false) } else { String::new() };
    let asm = if session.options.asm { listing(true) } else { String::new() };
    let mut results: Vec<(Destination, &[u8])> = Vec::new();
    if wants_program {
        let default = || Destination::File(emit::default_name(&args.main, &program_kind));
        let named = || args.output.as_deref().map_or_else(default, Destination::parse);
        let destination = plan.as_ref().map_or_else(named, javascript::Plan::wasm);
        results.push((destination, if target == Target::Native { &executable } else { &compiled.wasm }));
    }
    let plan = plan.filter(|_| !compiled.is_library);
    results.extend(for_c.iter().map(|(destination, bytes)| (destination.clone(), &bytes[..])));
    let loader = plan.as_ref().map_or(Ok(Vec::new()), |plan| plan.files(session, &compiled))?;
    results.extend(loader.iter().map(|(destination, bytes)| (destination.clone(), &bytes[..])));
    let mut text = String::new();
    if wants(EmitKind::Wat) {
        panic_hook::set_stage("printing of WebAssembly text");
        let begin = std::time::Instant::now();
        text = wat::print(&compiled, &session.sources);
        session.timing.add("wat", begin.elapsed());
    }
    for emit in &args.emit {
        let bytes = match &emit.kind {
            EmitKind::Wat => text.as_bytes(),
            EmitKind::Wasm => &compiled.wasm,
            EmitKind::Clif => clif.as_bytes(),
            EmitKind::Asm => asm.as_bytes(),
            EmitKind::Obj => &object,
            EmitKind::Exe => &executable,
            EmitKind::Js | EmitKind::C | EmitKind::Missing(_) => continue,
            // A pass that did not run leaves nothing to show, and not every language has a tree.
            EmitKind::Core | EmitKind::Ir(_) | EmitKind::Calls { .. } => {
                let point = emit.kind.point().unwrap_or_default();
                let Some(snapshot) = compiled.snapshots.iter().find(|snapshot| snapshot.0 == point) else {
                    return Err(session.fail(emit.kind.nothing_to_show()));
                };
                snapshot.1.as_bytes()
            }
        };
        results.push((emit.destination(&args.main), bytes));
    }
    panic_hook::set_stage("writing of results");
    let begin = std::time::Instant::now();
    output::write_all(session, &results)?;
    session.timing.add("write", begin.elapsed());
    report::after_compilation(session, &args.compile, global);
    if let Some(format) = args.compile.time {
        report::times(session, format, &[], &[]);
    }
    Ok(())
}

/// What `run` has to execute.
enum Prepared {
    /// With what traces call its code.
    Wasm(Vec<u8>, Vec<(usize, Option<String>)>),
    /// With the shared libraries of its C functions.
    Native(Box<native::Program>, Vec<std::ffi::OsString>),
    /// With C functions of objects, which only a linker adds.
    Executable(Vec<u8>),
    /// With how traces call its functions.
    Ir(Box<cleave_ir::Module>, Option<Box<dyn Names>>),
}

fn run_command(args: &RunArgs, global: &Global) -> i32 {
    let mut session = Session::new(options(&args.compile));
    if args.compile.target.is_none() && args.interp.is_none() && !run::IS_AVAILABLE && native::IS_AVAILABLE {
        session.options.target = Target::Native;
    }
    session.options.count_cells |= args.compile.debug.stats;
    session.options.incremental = args.collects_incrementally();
    let target = session.options.target;
    session.options.error_lines = !args.no_trace && !args.compile.strip;
    session.options.cache_file = cache::file(&mut session, &args.compile, &args.main);
    let code_cache = session.options.cache_file.clone().filter(|_| target == Target::Wasm);
    // One warning is enough.
    let is_safe = session.sink.diagnostics().is_empty() && target == Target::Wasm;
    let functions = if is_safe { cache::functions(&mut session, &args.compile) } else { None };
    let prepared = prepare(&mut session, args, global);
    report::diagnostics(&session, global);
    // Of WebAssembly nobody knows what language it was.
    let is_ignored =
        matches!(prepared, Ok(Prepared::Wasm(..))) && is_wasm(&args.main) || ignores_lost_output(&session, args);
    // The program gets the memory: nothing of the compiler stays.
    let mut timing = std::mem::take(&mut session.timing);
    drop(session);
    let Ok(mut prepared) = prepared else { return FAILURE };
    panic_hook::set_stage("running of the program");
    if let Some(limit) = args.timeout {
        limit::end_after(limit, matches!(prepared, Prepared::Wasm(..)));
    }
    let mut is_rc = true;
    let lost;
    let (status, numbers, seconds) = match prepared {
        Prepared::Ir(module, names) => {
            let options = cleave_interp::Options {
                heap_limit: args.heap.map_or(1 << 30, |size| size.min(u32::MAX.into()) as u32),
                stress: args.gc_stress,
                force_stackless: args.force_stackless,
                args: args.arguments.iter().map(|arg| arg.as_encoded_bytes().to_vec()).collect(),
                environment: cleave_run::environment(),
                count_opcodes: args.compile.debug.stats,
                ..cleave_interp::Options::default()
            };
            let ended = timing.time("run", || interpret::run(&module, options, names.as_deref()));
            lost = ended.lost;
            if let Some(message) = ended.message {
                write_stderr(&format!("{message}\n"));
            }
            write_stderr(&ended.trace);
            for (name, count) in ended.executed {
                write_stderr(&format!("{count:>10}  executions of {name}\n"));
            }
            if let Some(cells) = ended.cells.filter(|_| args.compile.debug.stats) {
                report::cells(&cells);
            }
            (ended.status, vec![("collections", ended.collections)], Vec::new())
        }
        Prepared::Wasm(..) | Prepared::Native(..) | Prepared::Executable(_) => {
            let mut program = args.main.clone();
            program.set_extension("");
            let words = std::iter::once(program.into_os_string()).chain(args.arguments.iter().cloned()).collect();
            let (libraries, lines, module) = match &mut prepared {
                Prepared::Native(_, libraries) => (std::mem::take(libraries), Vec::new(), None),
                Prepared::Wasm(wasm, lines) => (Vec::new(), std::mem::take(lines), cache::module(args, wasm)),
                _ => Default::default(),
            };
            let options = cleave_run::Options {
                on_start: None,
                args: words,
                libraries,
                heap: args.heap,
                stack: args.stack,
                timeout: args.timeout,
                gc_stress: args.gc_stress,
                force_stackless: args.force_stackless,
                gc: args.gc.map(Collector::word),
                nursery: args.nursery,
                trace: args.compile.trace || !lines.is_empty(),
                lines,
                measure: args.compile.time.is_some(),
                folders: args.folders.list(),
                environment: args.folders.variables(),
                functions,
                code_cache: code_cache.or(module).map(cache::keep),
                runtime: String::new(),
            };
            let ended = match prepared {
                Prepared::Native(program, _) => native::run(&program, &options, &mut timing),
                Prepared::Executable(bytes) => run::timed(native::run_executable(&bytes, &options), &mut timing),
                Prepared::Wasm(wasm, _) => run::wasm(&wasm, &options, &mut timing),
                Prepared::Ir(..) => unreachable!("interpreted above"),
            };
            match ended {
                Ok(ended) => {
                    is_rc = ended.statistics.is_some();
                    lost = ended.lost;
                    if let Some(path) = &ended.refused {
                        let warning = sandbox::outside(path, options.folders.as_deref().unwrap_or_default());
                        in_session(Options::default(), global, |session| {
                            session.sink.report(warning);
                            Ok(0)
                        });
                    }
                    let s = ended.statistics.unwrap_or_default();
                    let numbers = vec![
                        ("collections", s.collections),
                        ("allocated_bytes", s.allocated_bytes),
                        ("copied_bytes", s.copied_bytes),
                        ("live_bytes", s.live_bytes),
                        ("heap_peak", s.heap_peak),
                        ("reservations", s.reservations),
                        ("minor_collections", s.minor_collections),
                    ];
                    let seconds = [
                        ("gc_s", s.gc_ns),
                        ("gc_longest_s", s.longest_ns),
                        ("gc_99_of_100_s", s.percentile_99_ns),
                        ("gc_shortest_s", s.shortest_ns),
                    ];
                    (ended.status, numbers, seconds.map(|(name, ns)| (name, ns as f64 / 1e9)).into())
                }
                Err(error) => return refused(error, args, global),
            }
        }
    };
    if args.gc_stress.is_some() && is_rc {
        write_stderr(&format!("cleave: {} collections\n", numbers[0].1));
    }
    if let Some(format) = args.compile.time {
        let session = Session { timing, ..Session::default() };
        let mut seconds = seconds;
        if format == TimeFormat::Json {
            for (name, phase) in [("engine_s", "engine compile"), ("instantiate_s", "instantiate"), ("run_s", "run")] {
                seconds.push((name, session.timing.seconds(phase)));
            }
        }
        report::times(&session, format, &numbers, &seconds);
    }
    match lost.filter(|_| status == 0 && !is_ignored) {
        Some(problem) => written(Err(std::io::Error::from_raw_os_error(problem))),
        None => status,
    }
}

/// True if a program may end well although its output is lost.
fn ignores_lost_output(session: &Session, args: &RunArgs) -> bool {
    !emit::is_ir(&args.main) && languages::of(session, &args.main).ignores_lost_output()
}

/// The file is WebAssembly, by its name.
fn is_wasm(main: &Path) -> bool {
    main.extension().is_some_and(|ending| ending == "wasm")
}

/// What 32 bits address.
const WASM_MEMORY: u64 = 1 << 32;

/// Compiles what is to be run, unless it is WebAssembly already.
fn prepare(session: &mut Session, args: &RunArgs, global: &Global) -> Outcome<Prepared> {
    check_target(session)?;
    if session.options.target == Target::Native && args.folders.list().is_some() {
        let message = "machine code cannot be confined to folders";
        let help = "run it as WebAssembly, or without --sandbox and --dir";
        return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)));
    }
    check_natives(session)?;
    if session.options.target == Target::Native && args.heap.is_some_and(|bytes| bytes > native::HEAP_MAX) {
        let message = format!("a native program can have a heap of at most {}m", native::HEAP_MAX >> 20);
        let help = "references have 32 bits, and some of the addresses hold code and stacks";
        return Err(session.fail(Diagnostic::error(code::TOO_MUCH, message).help(help)));
    }
    for (folder, _) in args.folders.list().unwrap_or_default() {
        if let Err(error) = std::fs::read_dir(&folder) {
            let message =
                format!("the folder `{}` of --dir cannot be read: {}", folder.display(), output::reason(&error));
            return Err(session.fail(Diagnostic::error(code::FILE_UNREADABLE, message)));
        }
    }
    if session.options.target == Target::Wasm && args.heap.is_some_and(|bytes| bytes > WASM_MEMORY) {
        let message = "the memory of WebAssembly has 4096m in all, less than --heap allows";
        session.sink.report(Diagnostic::warning(code::TOO_MUCH, message));
    }
    if let Some(wasm) = wasm_input::wasm(session, args)? {
        return Ok(Prepared::Wasm(wasm, Vec::new()));
    }
    session.options.force_stackless = args.force_stackless;
    let stop = args.interp.map_or(Stop::Code, InterpretedPhase::stop);
    let mut compiled = compile(session, &args.main, stop, &[])?;
    main_module::check_run(session, args, &compiled)?;
    report::after_compilation(session, &args.compile, global);
    if args.interp.is_some() {
        let names = compiled.names.take();
        return Ok(Prepared::Ir(Box::new(compiled.into_ir()), names));
    }
    Ok(match compiled.native {
        Some(program) => {
            let (calls, needs) = (&compiled.foreign_calls, &compiled.needs);
            if let Some(executable) =
                native::link_for_run(session, |session| native::object(session, &program), calls, needs)?
            {
                return Ok(Prepared::Executable(executable));
            }
            let libraries = native::libraries(session, calls, needs)?;
            Prepared::Native(Box::new(program), libraries)
        }
        None => Prepared::Wasm(compiled.wasm, compiled.wasm_lines),
    })
}

/// Says why a program cannot be run, or was stopped; the status.
fn refused(error: Error, args: &RunArgs, global: &Global) -> i32 {
    match refused::of(error, &args.main) {
        Ok(why) => in_session(Options::default(), global, |session| Err(session.fail(why))),
        Err(trap) => {
            panic_hook::report(&format!("the compiled program failed:\n{trap}"), "running of the program", None);
            panic_hook::BUG
        }
    }
}
