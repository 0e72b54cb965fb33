//! Compiles a loaded program to WebAssembly or machine code: front end, passes and back end, with the options and
//! messages of an invocation.
//!
//! ```text
//! modules ─ front end ─▶ high IR ─ cleave-compile ─▶ artifact
//! ```
//! THE order of everything after the front end is in `src/compile/stages.rs`. Here are objects of C, messages, timing
//! and statistics, and the texts of the IR for `--emit ir:PASS` (`watch`).

pub use crate::driver::compiled::Compiled;
use crate::driver::ffi::{CType, Call, CallPlace, Symbols};
use crate::driver::panic_hook;
use crate::driver::pass_observer::PassObserver;
use crate::driver::session::{ErrorReported, Outcome, Roots, Session, Target};
use crate::driver::{c_objects, exports, native, rc_report, trace};
use crate::languages::frontend::{Loaded, Names, Translated};
use cleave_compile::stages::Optimised;
use cleave_compile::{Error, Lowered, Observer, Source, Step, Verify, Wasm};
use cleave_diag::{Diagnostic, code};
use cleave_interface::{Abi, component};
use cleave_ir::data_section::{DataSectionOptions, StaticDataSection};
use cleave_ir::{ExternData, Module, Phase, Type, verify};
use cleave_passes::context::Context;
use cleave_passes::ipo::inline;
use cleave_passes::rc_insertion::Unsupported;
use cleave_passes::table::STACKLESS;
use cleave_passes::{roots, table};
use cleave_wasm::c::Object;

/// Name of the point before the first pass.
pub const BUILD: &str = "build";
/// Name of the point before the IR: the typed tree of a strict language. Not a pass.
pub const CORE: &str = "core";
/// The call graph, as text and for Graphviz. Not passes.
pub const CALLS: &str = "calls";
pub const CALLS_DOT: &str = "calls.dot";
/// Name of the point after all optimisations: what `--emit ir` shows. Not a pass.
pub const OPTIMISED: &str = "";

/// How far a program is compiled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stop {
    /// What the front end made, verified.
    Built,
    High,
    /// What a debugger shows: on the garbage-collected heap as after the optimisations, on the counted one with its
    /// counting.
    Shown,
    Rooted,
    Low,
    /// Code for the target of the session.
    Code,
}

/// Compiles a program. `points` are passes, `BUILD` or `OPTIMISED`, whose IR is wanted as text, or `CORE`.
pub fn compile(
    session: &mut Session,
    program: Box<dyn Loaded>,
    stop: Stop,
    dump_points: &[String],
) -> Outcome<Compiled> {
    session.counts.set("modules", program.module_count());
    let sources = session.sources.files();
    let bytes = sources.map(|(_, file)| file.bytes.len()).sum();
    session.counts.set("source bytes", bytes);
    panic_hook::set_stage(BUILD);
    let needs = program.needs(session);
    let files = match session.options.target {
        Target::Wasm | Target::Component => c_objects::find(session, &needs)?,
        Target::Native => Vec::new(),
    };
    let objects = c_objects::parse(session, &files)?;
    let c_names = c_objects::function_names(&objects);
    let c_functions = match session.options.target {
        Target::Native => Symbols::Machine,
        _ if c_names.is_empty() => Symbols::None,
        Target::Wasm | Target::Component => Symbols::Objects(&c_names),
    };
    let sources = session.options.locations.then_some(&session.sources);
    let core = dump_points.iter().any(|point| point == CORE).then(|| program.core(sources)).flatten();
    let Translated { mut module, calls, names } = program.translate(session, c_functions)?;
    session.check()?;
    if module.source.is_some() {
        // Functions that the source does not have, too: what they inline has places.
        module.funcs.values_mut().for_each(|func| _ = func.source.get_or_insert_default());
    }
    session.counts.set("functions built", module.funcs.len());

    c_objects::check_types(session, &objects, &calls)?;
    let c_files = c_objects::files_of(&objects, &calls);
    let mut finished = finish(session, module, names.as_deref(), &objects, stop, dump_points)?;
    finished.snapshots.extend(core.map(|text| (CORE.to_string(), text)));
    Ok(Compiled { foreign_calls: calls, needs, c_files, names, ..finished })
}

/// The part after the front end, as for a file of IR: from high or rooted IR to where `stop` says.
pub fn compile_ir(session: &mut Session, module: Module, stop: Stop, dump_points: &[String]) -> Outcome<Compiled> {
    let calls = outside(&module);
    if let Some(file) = session.options.natives.files.first().filter(|_| session.options.target == Target::Wasm) {
        let message = format!("`{}` cannot be linked: what IR takes from outside are imports", file.display());
        let help = "the host gives them; or use --target native and an object of machine code";
        return Err(session.fail(Diagnostic::error(code::C_OBJECT, message).help(help)));
    }
    let has_names = session.options.trace || session.options.error_lines;
    let names = if has_names { trace::ir_names(&module) } else { None };
    let finished = finish(session, module, names.as_deref(), &[], stop, dump_points)?;
    Ok(Compiled { foreign_calls: calls, names, ..finished })
}

/// The functions from outside that a module of IR calls: whoever links it supplies them.
fn outside(module: &Module) -> Vec<Call> {
    let called = module.called_externs().into_iter().map(|id| &module.externs[id]).filter(|data| data.from.is_some());
    let c_type = |ty: &Type| if *ty == Type::F64 { CType::Double } else { CType::Word };
    let call = |data: &ExternData| Call {
        name: data.symbol(),
        signature: data.to_string(),
        takes: data.params.iter().map(c_type).collect(),
        demands: None,
        returns: data.results.first().map(c_type),
        module: module.name.clone(),
        libraries: Vec::new(),
        place: CallPlace::Symbol,
    };
    called.map(call).collect()
}

/// The same; the functions get `names` before code is made of them.
fn finish(
    session: &mut Session,
    module: Module,
    names: Option<&dyn Names>,
    objects: &[Object],
    stop: Stop,
    dump_points: &[String],
) -> Outcome<Compiled> {
    check_roots(session, &module, stop)?;
    exports::check(session, &module)?;
    if stop == Stop::Code {
        check_externs(session, &module)?;
    }
    let is_library = module.start.is_none() && module.entries.is_empty() && module.interface.exports.is_empty();
    let compiled = Compiled::of(&module);
    let mut watch = PassObserver::new(&session.options, dump_points);
    let settings = settings(session);
    let source = source(session, module, &settings, &mut watch)?;
    if stop == Stop::Built {
        let module = source.into_module();
        return Ok(Compiled { ir: Some(module), is_library, snapshots: watch.snapshots, ..compiled });
    }
    let optimised = source.optimise(&settings, &mut watch);
    watch.tell(session);
    watch.keep(OPTIMISED, optimised.module());
    if !optimised.module().heap.collects() {
        watch.keep_calls(optimised.module());
    }
    count(session, optimised.module());
    let mut compiled = Compiled { functions: optimised.module().funcs.len(), ..compiled };
    match (stop, session.options.target) {
        (Stop::High, _) => compiled.ir = Some(optimised.into_module()),
        (Stop::Shown, _) if optimised.module().heap.collects() => {
            compiled.ir = Some(optimised.into_module());
        }
        (Stop::Shown, _) => compiled.ir = Some(lower(session, optimised, &mut watch, Stop::Rooted)),
        (Stop::Built | Stop::Rooted | Stop::Low, _) => {
            compiled.ir = Some(lower(session, optimised.with_start(), &mut watch, stop));
        }
        (Stop::Code, Target::Wasm | Target::Component) => {
            let optimised = optimised.with_start();
            let linked = c_objects::link(session, objects, optimised.module())?;
            let strip = session.options.strip;
            let (traces, incremental) = (session.options.trace, session.options.incremental);
            let options = cleave_wasm::Options {
                names: !strip,
                traces,
                strip,
                incremental,
                runtime_options: !session.options.no_runtime_options,
                ..cleave_wasm::Options::default()
            };
            let osr_loops = session.options.osr_loops;
            // With a chain of frames nothing is captured: they hold addresses of others.
            let deep_recursion =
                session.options.roots != Roots::Chain && !session.options.disabled.contains(&STACKLESS);
            let target = Wasm { options, c: linked.as_ref(), osr_loops, deep_recursion, ..Wasm::default() };
            let mut lowered = lower_for(session, optimised, &target, &mut watch);
            // Their lines say all of them.
            if let Some(names) = names
                && !session.options.lines_section
            {
                lowered.rename(|name| names.find(name));
            }
            let program = emit(session, lowered, &target)?;
            compiled.wasm_lines = names.map(|names| trace::wasm_lines(names, &program.places)).unwrap_or_default();
            (compiled.wasm, compiled.wasm_places) = (program.bytes, program.places);
            compiled.captures = program.captures;
            if (traces || session.options.lines_section) && !session.options.component {
                trace::append_lines(&mut compiled.wasm, &compiled.wasm_lines);
            }
            if session.options.component {
                let wrapped = component::wrap(&compiled.wasm, &compiled.name, &compiled.interface);
                compiled.wasm =
                    wrapped.unwrap_or_else(|error| panic!("a module that was made cannot be read: {error}"));
            }
            session.counts.set("wasm bytes", compiled.wasm.len());
        }
        (Stop::Code, Target::Native) => {
            let is_watched = !dump_points.is_empty() || !session.options.print_after.is_empty();
            let target = native::target(session, optimised.module(), is_watched);
            let lowered = lower_for(session, optimised.with_start(), &target, &mut watch);
            compiled.native = Some(native::compile(session, lowered, target, names)?);
        }
    }
    Ok(Compiled { is_library, snapshots: watch.snapshots, ..compiled })
}

/// Fails if the runtime lacks what the module calls: the interpreter has the same functions as all targets. Functions
/// that come from elsewhere are not looked for: whoever runs the program gives them.
pub fn check_externs(session: &mut Session, module: &Module) -> Outcome {
    match cleave_interp::missing_externs(module).find(|data| data.from.is_none()) {
        Some(missing) => Err(missing_extern(session, missing)),
        None => Ok(()),
    }
}

/// Fails if a module calls what the interpreter does not have.
pub fn check_interpretable(session: &mut Session, module: &Module) -> Outcome {
    if let Err(what) = cleave_passes::memory::of(module.heap).check(module) {
        return Err(not_refcounted(session, &what));
    }
    match cleave_interp::missing_externs(module).next() {
        Some(missing) => Err(missing_extern(session, missing)),
        None => Ok(()),
    }
}

fn not_refcounted(session: &mut Session, what: &Unsupported) -> ErrorReported {
    let diagnostic = match session.ir_functions.get(&what.func) {
        Some(&span) => rc_report::refused(what).at(span, ""),
        None => rc_report::refused(what),
    };
    session.fail(diagnostic)
}

fn missing_extern(session: &mut Session, missing: &ExternData) -> ErrorReported {
    let message = match missing.from {
        Some(_) => format!("the interpreter has no function `{}`: it comes from outside", missing.name),
        None => format!("the runtime has no function `{}`", missing.symbol()),
    };
    let help = match missing.from {
        Some(_) => "machine code can call it: cleave run --target native -l LIBRARY".to_string(),
        None => format!(
            "the program calls the extern {}{missing}, which only a runtime with it can run; `from \"MODULE\"` behind \
             it says that it comes from outside",
            missing.name
        ),
    };
    session.fail(Diagnostic::error(code::MISSING_EXTERN, message).help(help))
}

/// The settings of a compilation, as the session has them.
fn settings(session: &Session) -> cleave_compile::Options {
    let options = &session.options;
    let mut disabled = options.disabled.clone();
    disabled.extend(options.keep_all.then_some(table::GLOBAL_DCE));
    // Debug builds of the compiler verify unless they are measured.
    let verifies = options.verify_each || cfg!(debug_assertions) && !options.unverified;
    let verify = if verifies { Verify::EachPass } else { Verify::Never };
    cleave_compile::Options {
        level: options.level,
        roots: session.root_options(),
        rc_insertion: options.rc_insertion,
        reuse: options.reuse.unwrap_or_default(),
        count_cells: options.count_cells,
        // A trace names the functions of the same program on both targets.
        inline: Some(match options.target {
            Target::Wasm if !options.trace => inline::Limits::DEAR_CALLS,
            _ => inline::Limits::default(),
        }),
        outline: options.outline,
        disabled,
        verify,
        checked: options.checked,
        abi: match options.target {
            Target::Native => Abi::C,
            _ if options.component => Abi::Component,
            _ => Abi::Canonical,
        },
    }
}

/// A module of a front end, or of a file that was verified when it was read, at the beginning of its way.
fn source(
    session: &mut Session,
    mut module: Module,
    settings: &cleave_compile::Options,
    watch: &mut PassObserver,
) -> Outcome<Source> {
    if let Some(heap) = session.options.memory.filter(|&heap| heap != module.heap) {
        if module.phase() != Phase::High {
            let message = format!("the functions of the module are made for the heap `{}` already", module.heap.word());
            let help = "leave out --memory, or give high IR";
            return Err(session.fail(Diagnostic::error(code::BAD_PHASE, message).help(help)));
        }
        module.heap = heap;
        module.suit_externs_to_heap();
    }
    if session.options.fip {
        rc_report::check(session, &module)?;
    }
    if settings.verify == Verify::EachPass {
        watch.before(Step::Verification(None));
        if let Err(errors) = verify::verify_module(&module) {
            panic!("{}", cleave_compile::report(BUILD, &module, &errors));
        }
    }
    watch.built(&module);
    let verified = cleave_compile::Options { verify: Verify::Never, ..settings.clone() };
    Source::new(module, &verified, watch).map_err(|error| {
        let place_of = |name: &String| session.ir_functions.get(name).copied();
        let place = match &error {
            Error::MixedPhases(_, other) => place_of(other),
            _ => None,
        };
        let at = |diagnostic: Diagnostic| match place {
            Some(span) => diagnostic.at(span, ""),
            None => diagnostic,
        };
        let help = match error {
            Error::AlreadyLow => {
                "low IR has the addresses of one target: `cleave interp` runs it; compile what it was made of"
            }
            Error::MixedPhases(..) => {
                "all functions of a module are `phase=rooted`, or none: high IR becomes rooted as a whole"
            }
            Error::NotRefcounted(what) => {
                return not_refcounted(session, &what);
            }
            _ => panic!("{error}"),
        };
        session.fail(at(Diagnostic::error(code::BAD_PHASE, error.to_string())).help(help))
    })
}

/// From optimised IR to rooted or low IR, as far as `stop` asks: IR alone is for the interpreter, whose memory is that
/// of WebAssembly. Its stack is large, and it would take calls of functions that never collect for safepoints where
/// they take a pointer for the sake of deep recursion.
fn lower(session: &mut Session, optimised: Optimised, watch: &mut PassObserver, stop: Stop) -> Module {
    let target = Wasm {
        osr_loops: session.options.osr_loops,
        deep_recursion: session.options.force_stackless,
        ..Wasm::default()
    };
    let settings = settings(session);
    let rooted = optimised.root(&target, &settings, watch).unwrap_or_else(|error| panic!("{error}"));
    let module = match stop {
        Stop::Rooted => rooted.into_module(),
        _ => rooted.lower(&settings, watch).take(&target).0,
    };
    watch.tell(session);
    module
}

/// Low IR for a target.
fn lower_for<T: cleave_ir::Target>(
    session: &mut Session,
    optimised: Optimised,
    target: &T,
    watch: &mut PassObserver,
) -> Lowered {
    let settings = settings(session);
    let rooted = optimised.root(target, &settings, watch).unwrap_or_else(|error| panic!("{error}"));
    let lowered = rooted.lower(&settings, watch);
    watch.tell(session);
    session.counts.set("image bytes", lowered.data_section().bytes.len());
    lowered
}

/// Fails if references are to stay in frames of the machine where there are none: in WebAssembly and in the
/// interpreter.
fn check_roots(session: &mut Session, module: &Module, stop: Stop) -> Outcome {
    let (on_machine, is_code) =
        (session.options.target == Target::Native, matches!(stop, Stop::Built | Stop::High | Stop::Code));
    if on_machine && is_code || !roots::needs_machine(module, session.root_options()) {
        return Ok(());
    }
    let why = if on_machine { "the interpreter has no frames of the machine" } else { "WebAssembly hides its frames" };
    let message = format!("the root strategy `stackmap` works in machine code only: {why}");
    let help = "add --target native, without --interp; or use another strategy, as --roots=each-call";
    Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)))
}

/// The static data of a program, at its place in the memory of the target.
pub fn build_data_section(module: &Module, target: Target, options: DataSectionOptions) -> StaticDataSection {
    match target {
        Target::Wasm | Target::Component => StaticDataSection::build(module, cleave_wasm::runtime_base(), options),
        Target::Native => {
            let options = DataSectionOptions { is_spaced: native::is_spaced(module), ..options };
            StaticDataSection::build(module, native::data_section_base(module), options)
        }
    }
}

/// The bytes of WebAssembly.
fn emit(session: &mut Session, lowered: Lowered, target: &Wasm) -> Outcome<cleave_wasm::Artifact> {
    panic_hook::set_stage("emit");
    let emitted = session.timing.time("emit", || cleave_ir::Target::emit(target, lowered));
    emitted.map_err(|error| match error {
        cleave_wasm::Error::TooManyLocals(func) => {
            let message = format!("function `{func}` needs more variables than WebAssembly engines accept");
            session.fail(Diagnostic::error(code::TOO_MUCH, message).help("split the function"))
        }
        cleave_wasm::Error::TooLarge(func) => {
            let message = format!("function `{func}` is larger than WebAssembly engines accept");
            session.fail(Diagnostic::error(code::TOO_MUCH, message).help("split the function"))
        }
        cleave_wasm::Error::C(error) => c_objects::failed(session, &error),
        // The front end and the passes make none of these.
        other => panic!("{other}"),
    })
}

/// Runs passes on IR that was read from a file, in the order of the user. Fails if one of them needs IR of another
/// phase.
pub fn run_passes(session: &mut Session, module: &mut Module, names: &[String]) -> Outcome {
    let mut watch = PassObserver::new(&session.options, &[]);
    watch.built(module);
    let lay_out = |module: &Module| build_data_section(module, Target::Wasm, DataSectionOptions::default());
    let mut context = Context {
        roots: session.root_options(),
        outline: session.options.outline,
        rc_insertion: session.options.rc_insertion,
        reuse: session.options.reuse.unwrap_or_default(),
        osr_loops: true,
        deep_recursion: true,
        ..Context::new(&lay_out)
    };
    for name in names {
        let pass = table::find(name).unwrap_or_else(|| panic!("no pass `{name}`"));
        let phase = module.phase();
        if phase != pass.from && !module.funcs.is_empty() {
            let message = format!("the pass `{name}` works on {} IR, but this is {}", pass.from.word(), phase.word());
            let help = "high IR becomes rooted by `lower-eval` and `roots`, and rooted IR becomes low by `lower`";
            return Err(session.fail(Diagnostic::error(code::BAD_PHASE, message).help(help)));
        }
        let verify = Verify::EachPass;
        cleave_compile::run_passes(module, &[pass], &mut context, verify, &mut watch);
        watch.tell(session);
    }
    Ok(())
}

fn count(session: &mut Session, module: &Module) {
    session.counts.set("functions", module.funcs.len());
    let instructions =
        module.funcs.values().flat_map(|func| func.layout.iter().map(|&block| &func.blocks[block].insts));
    session.counts.set("instructions", instructions.map(Vec::len).sum());
    session.counts.set("descriptors", module.descs.len());
    session.counts.set("entries", module.thunk_infos.len());
}
