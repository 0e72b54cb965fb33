//! THE order of everything between parsed modules and bytes of WebAssembly, or machine code.
//!
//! ```text
//! modules ─ build ─▶ high ─ optimisations of the level ─▶ high ─ expand, leaf, roots ─▶ rooted ─ lower ─▶ low ─ emit ─▶
//!                                                                              image ──────┴────────────────┘
//! ```
//! After each pass the IR can be verified, printed, or kept for `--emit ir:PASS`; the pass manager is given a hook only
//! then, because without one it keeps each function in the cache over several passes.

use crate::driver::crash;
use crate::driver::modules::Loaded;
use crate::driver::session::{Failed, Level, Options, Outcome, Session, Target};
use crate::driver::watch::Watch;
use crate::driver::{native, trace};
use cleave_abc::BuildOptions;
use cleave_diag::{Diagnostic, code};
use cleave_ir::image::{Image, ImageOptions};
use cleave_ir::{Builder, Func, Module, Service, Signature};
use cleave_passes::{expand, leaf, lower, manager, merge, reenter, roots};
use std::time::Instant;

/// Name of the point before the first pass.
pub const BUILD: &str = "build";
/// Name of the point after all optimisations: what `--emit ir` shows. Not a pass.
pub const OPTIMISED: &str = "";

/// Optimisations of each level, in order.
fn optimisations(level: Level) -> &'static [&'static str] {
    match level {
        Level::O0 => &[],
        Level::O1 => manager::BASIC,
        Level::O2 => manager::FULL,
    }
}

/// The pass after the optimisations that is for one target only.
pub const REENTER: (&str, &str) =
    ("reenter", "loops of functions that run once are entered anew now and then (WebAssembly)");

/// The passes that every program needs, in order, after all of those.
const LOWERING: &[(&str, &str)] = &[
    ("leaf", "which functions never collect"),
    ("merge", "results of calls that are arguments take their place"),
    ("expand", "evaluation becomes a test and a call; heap checks"),
    ("roots", "references are spilled and restored around safepoints"),
    ("lower", "nodes and frames become loads and stores"),
];

/// All passes with their descriptions, those that every program needs last.
pub fn passes() -> impl Iterator<Item = (&'static str, &'static str)> {
    optional_passes().chain(LOWERING.iter().copied())
}

/// Passes that can be left out.
pub fn optional_passes() -> impl Iterator<Item = (&'static str, &'static str)> {
    manager::PASSES.iter().map(|pass| (pass.name, pass.description)).chain([REENTER])
}

/// How far a program is compiled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stop {
    High,
    Rooted,
    Low,
    /// Code for the target of the session.
    Code,
}

/// A compiled program.
pub struct Compiled {
    pub module: Module,
    /// Empty unless compiled up to `Stop::Code` for WebAssembly.
    pub wasm: Vec<u8>,
    /// There if compiled up to `Stop::Code` for this machine.
    pub native: Option<native::Program>,
    /// The text of the IR at the points that were asked for, in their order.
    pub snapshots: Vec<(String, String)>,
    /// The C functions that the program calls.
    pub foreign_calls: Vec<cleave_abc::ForeignCall>,
    /// Objects and libraries of machine code that its modules name.
    pub needs: Vec<cleave_abc::Need>,
    /// It has no start: everything was compiled, but there is nothing to run.
    pub is_library: bool,
}

impl Compiled {
    /// Without code.
    fn of(module: Module, snapshots: Vec<(String, String)>) -> Compiled {
        Compiled {
            module,
            snapshots,
            wasm: Vec::new(),
            native: None,
            foreign_calls: Vec::new(),
            needs: Vec::new(),
            is_library: false,
        }
    }
}

/// Compiles a program. `points` are passes, `BUILD` or `OPTIMISED`, whose IR is wanted as text.
pub fn compile(session: &mut Session, program: Loaded, stop: Stop, points: &[String]) -> Outcome<Compiled> {
    session.counts.set("modules", program.modules.len());
    let sources = session.sources.files();
    let bytes = sources.map(|(_, file)| file.bytes.len()).sum();
    session.counts.set("source bytes", bytes);
    crash::set_stage("build");
    let Loaded { modules, indexes, main } = program;
    let options = BuildOptions {
        check_indices: session.options.check_indices,
        keep_all: session.options.keep_all,
        library: session.options.library,
        c_symbols: session.options.target == Target::Native,
    };
    let names = session.options.trace.then(|| trace::Names::of(&modules));
    let Session { timing, sink, .. } = session;
    let built = timing.time("build", || cleave_abc::build(modules, indexes, main, options, sink));
    let cleave_abc::Built { module, foreign_calls, needs } = built.ok_or(Failed)?;
    session.check()?;
    session.counts.set("functions built", module.funcs.len());

    Ok(Compiled { foreign_calls, needs, ..finish(session, module, names, stop, points)? })
}

/// The part behind the front end: from high IR to where `stop` says.
pub fn compile_ir(session: &mut Session, module: Module, stop: Stop, points: &[String]) -> Outcome<Compiled> {
    finish(session, module, None, stop, points)
}

/// The same; the functions get `names` before code is made of them.
fn finish(
    session: &mut Session,
    mut module: Module,
    names: Option<trace::Names>,
    stop: Stop,
    points: &[String],
) -> Outcome<Compiled> {
    check_roots(session, &module, stop)?;
    let is_library = module.start.is_none();
    let mut watch = Watch::new(&session.options, points);
    watch.after(BUILD, &module);
    optimise(session, &mut module, &mut watch);
    watch.keep(OPTIMISED, &module);
    count(session, &module);
    if stop == Stop::High {
        return Ok(Compiled { is_library, ..Compiled::of(module, watch.snapshots) });
    }
    if is_library {
        add_start(&mut module);
    }
    let image = lower_to(session, &mut module, &mut watch, stop);
    let (mut wasm, mut native) = (Vec::new(), None);
    if let (Some(image), Stop::Code) = (image, stop) {
        session.counts.set("image bytes", image.bytes.len());
        if session.options.target == Target::Native {
            let trace = names.map(|names| names.list(&module)).unwrap_or_default();
            native = Some(native::compile(session, &module, &image, trace)?);
        } else {
            if let Some(names) = names {
                names.apply(&mut module);
            }
            wasm = emit(session, &mut module, &image)?;
            session.counts.set("wasm bytes", wasm.len());
        }
    }
    Ok(Compiled { wasm, native, is_library, ..Compiled::of(module, watch.snapshots) })
}

/// A start for a module that has none: what is made of it is checked, but never run.
fn add_start(module: &mut Module) {
    let mut func = Func::new("library", Signature::new(&[], &[]));
    let block = func.new_block();
    let mut builder = Builder::new(&mut func, block);
    builder.call_rt(Service::Halt, &[]);
    builder.unreachable();
    module.start = Some(module.funcs.push(func));
}

/// Runs the optimisations of the session's level.
fn optimise(session: &mut Session, module: &mut Module, watch: &mut Watch) {
    let Options { disabled, keep_all, .. } = &session.options;
    let dropped = |name: &str| *keep_all && name == manager::PRUNE;
    let all = optimisations(session.options.level).iter();
    let names = all.filter(|name| !disabled.contains(name) && !dropped(name));
    let list = manager::list(names.copied()).unwrap_or_else(|name| panic!("no pass `{name}`"));
    run_optimisations(session, module, &list, watch);
}

fn run_optimisations(session: &mut Session, module: &mut Module, list: &[&'static manager::Pass], watch: &mut Watch) {
    crash::set_stage("optimisation passes");
    let begin = Instant::now();
    let reports = if watch.is_active() {
        manager::run(module, list, Some(&mut |pass, module| watch.after(pass, module)))
    } else {
        manager::run(module, list, None)
    };
    session.timing.add("passes", begin.elapsed());
    for report in reports {
        session.timing.add_inner(report.name, report.time);
        session.counts.add_changed(report.name, report.changed);
    }
}

/// The passes of `LOWERING`, as far as `stop` asks.
fn lower_to(session: &mut Session, module: &mut Module, watch: &mut Watch, stop: Stop) -> Option<Image> {
    // IR alone is for the interpreter, whose memory is that of Wasm.
    let target = if stop == Stop::Code { session.options.target } else { Target::Wasm };
    let Options { level, disabled, .. } = &session.options;
    if target == Target::Wasm && *level != Level::O0 && !disabled.contains(&REENTER.0) {
        step(session, "reenter", || reenter::run(module));
        watch.after("reenter", module);
    }
    let options = root_options(session);
    if options.steps.has(roots::Step::Leaf) {
        step(session, "leaf", || leaf::run(module));
    }
    watch.after("leaf", module);
    if options.strategy == roots::Strategy::Late && options.steps.has(roots::Step::Merge) {
        let merged = step(session, "merge", || merge::run(module));
        session.counts.set("arguments merged with results", merged as usize);
        watch.after("merge", module);
    }
    step(session, "expand", || expand::run(module));
    watch.after("expand", module);
    let placed = step(session, "roots", || roots::run(module, options));
    session.counts.set("safepoints", placed.safepoints as usize);
    session.counts.set("spills", placed.spills as usize);
    session.counts.set("restores", placed.restores as usize);
    session.counts.set("slots emptied", placed.clears as usize);
    session.counts.set("functions with frames", placed.frames as usize);
    session.counts.set("slots of frames", placed.slots as usize);
    watch.after("roots", module);
    if stop == Stop::Rooted {
        return None;
    }
    let image = session.timing.time("image", || build_image(module, target, ImageOptions::default()));
    step(session, "lower", || lower::run(module, &image));
    watch.after("lower", module);
    Some(image)
}

fn root_options(session: &Session) -> roots::Options {
    roots::Options { strategy: session.options.roots.strategy(), steps: session.options.steps }
}

/// Fails if references are to stay in frames of the machine where there are none: in WebAssembly and in the interpreter.
fn check_roots(session: &mut Session, module: &Module, stop: Stop) -> Outcome {
    let (on_machine, is_code) = (session.options.target == Target::Native, stop == Stop::Code || stop == Stop::High);
    if on_machine && is_code || !roots::needs_machine(module, root_options(session)) {
        return Ok(());
    }
    let why = if on_machine { "the interpreter has no frames of the machine" } else { "WebAssembly hides its frames" };
    let message = format!("the root strategy `stackmap` works in machine code only: {why}");
    let help = "add --target native, without --interp; or use another strategy, as --roots=each-call";
    Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)))
}

/// A pass of `LOWERING`: part of the phase "lower".
fn step<T>(session: &mut Session, name: &'static str, work: impl FnOnce() -> T) -> T {
    crash::set_stage(name);
    let begin = Instant::now();
    let result = work();
    session.timing.add("lowering", begin.elapsed());
    session.timing.add_inner(name, begin.elapsed());
    result
}

/// The static data of a program, at its place in the memory of the target.
pub fn build_image(module: &Module, target: Target, options: ImageOptions) -> Image {
    let base = match target {
        Target::Wasm => cleave_wasm::runtime_base(),
        Target::Native => native::image_base(module),
    };
    Image::build(module, base, options)
}

/// The bytes of WebAssembly.
fn emit(session: &mut Session, module: &mut Module, image: &Image) -> Outcome<Vec<u8>> {
    crash::set_stage("emit");
    let strip = session.options.strip;
    let options = cleave_wasm::Options { names: !strip, strip, ..cleave_wasm::Options::default() };
    let emitted = session.timing.time("emit", || {
        cleave_wasm::abi::run(module);
        cleave_wasm::emit(module, image, &options)
    });
    emitted.map_err(|error| match error {
        cleave_wasm::Error::TooManyLocals(func) => {
            let message = format!("function `{func}` needs more variables than WebAssembly engines accept");
            session.fail(Diagnostic::error(code::TOO_MUCH, message).help("split the function"))
        }
        cleave_wasm::Error::TooLarge(func) => {
            let message = format!("function `{func}` is larger than WebAssembly engines accept");
            session.fail(Diagnostic::error(code::TOO_MUCH, message).help("split the function"))
        }
        // The front end and the passes make none of these.
        other => panic!("{other}"),
    })
}

/// Runs passes on IR that was read from a file. The order is the user's; what a pass needs of the IR is not checked
/// here but by the verifier before and after it.
pub fn run_passes(session: &mut Session, module: &mut Module, names: &[String]) {
    let mut watch = Watch::new(&session.options, &[]);
    watch.after(BUILD, module);
    for name in names {
        crash::set_stage(name);
        match name.as_str() {
            "reenter" => drop(reenter::run(module)),
            "expand" => expand::run(module),
            "leaf" => leaf::run(module),
            "merge" => drop(merge::run(module)),
            "roots" => drop(roots::run(module, root_options(session))),
            "lower" => {
                let image = build_image(module, Target::Wasm, ImageOptions::default());
                lower::run(module, &image);
            }
            optimisation => {
                let pass = manager::find(optimisation).unwrap_or_else(|| panic!("no pass `{optimisation}`"));
                run_optimisations(session, module, &[pass], &mut watch);
                continue;
            }
        }
        watch.after(name, module);
    }
}

fn count(session: &mut Session, module: &Module) {
    session.counts.set("functions", module.funcs.len());
    let instructions =
        module.funcs.values().flat_map(|func| func.layout.iter().map(|&block| &func.blocks[block].insts));
    session.counts.set("instructions", instructions.map(Vec::len).sum());
    session.counts.set("descriptors", module.descs.len());
    session.counts.set("entries", module.entries.len());
}
