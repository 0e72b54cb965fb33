//! THE order of everything between parsed modules and bytes of WebAssembly, or machine code.
//!
//! ```text
//! modules ─ build ─▶ high ─ optimisations of the level ─▶ high ─ rooting ─▶ rooted ─ image, lower ─▶ low ─ emit ─▶
//! ```
//! The passes and their order are in the table of `cleave-passes`. After each the IR can be verified, printed, or kept
//! for `--emit ir:PASS` (`watch`).

use crate::driver::crash;
use crate::driver::modules::Loaded;
use crate::driver::session::{Failed, Level, Outcome, Session, Target};
use crate::driver::watch::Watch;
use crate::driver::{c_objects, native, trace};
use cleave_clean::{Symbols, TranslateOptions};
use cleave_diag::{Diagnostic, code};
use cleave_ir::image::{Image, ImageOptions};
use cleave_ir::{Builder, Func, Module, Service, Signature};
use cleave_passes::context::Context;
use cleave_passes::table::{self, Group, Pass};
use cleave_passes::{manager, roots};
use cleave_wasm::c::{Linked, Object};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// Name of the point before the first pass.
pub const BUILD: &str = "build";
/// Name of the point after all optimisations: what `--emit ir` shows. Not a pass.
pub const OPTIMISED: &str = "";

/// Optimisations of each level, in order.
fn optimisations(level: Level) -> &'static [&'static str] {
    match level {
        Level::O0 => table::NONE,
        Level::O1 => table::BASIC,
        Level::O2 => table::FULL,
    }
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
    pub foreign_calls: Vec<cleave_clean::ForeignCall>,
    /// Objects and libraries of machine code that its modules name.
    pub needs: Vec<cleave_clean::Need>,
    /// For those functions that are in objects merged with the program: the file.
    pub c_files: FxHashMap<String, String>,
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
            c_files: FxHashMap::default(),
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
    crash::set_stage(BUILD);
    let Loaded { modules, indexes, main } = program;
    let files = match session.options.target {
        Target::Wasm => c_objects::find(session, &modules)?,
        Target::Native => Vec::new(),
    };
    let objects = c_objects::parse(session, &files)?;
    let c_names = c_objects::function_names(&objects);
    let options = TranslateOptions {
        check_indices: session.options.check_indices,
        keep_all: session.options.keep_all,
        library: session.options.library,
        c_symbols: match session.options.target {
            Target::Native => Symbols::Machine,
            Target::Wasm if c_names.is_empty() => Symbols::None,
            Target::Wasm => Symbols::Objects(&c_names),
        },
    };
    let names = session.options.trace.then(|| trace::Names::of(&modules));
    let Session { timing, sink, .. } = session;
    let translated = timing.time(BUILD, || cleave_clean::translate(modules, indexes, main, options, sink));
    let cleave_clean::Translated { module, foreign_calls, needs } = translated.ok_or(Failed)?;
    session.check()?;
    session.counts.set("functions built", module.funcs.len());

    c_objects::check_types(session, &objects, &foreign_calls)?;
    let c_files = c_objects::files_of(&objects, &foreign_calls);
    let finished = finish(session, module, names, &objects, stop, points)?;
    Ok(Compiled { foreign_calls, needs, c_files, ..finished })
}

/// The part behind the front end: from high IR to where `stop` says.
pub fn compile_ir(session: &mut Session, module: Module, stop: Stop, points: &[String]) -> Outcome<Compiled> {
    finish(session, module, None, &[], stop, points)
}

/// The same; the functions get `names` before code is made of them.
fn finish(
    session: &mut Session,
    mut module: Module,
    names: Option<trace::Names>,
    objects: &[Object],
    stop: Stop,
    points: &[String],
) -> Outcome<Compiled> {
    check_roots(session, &module, stop)?;
    if stop == Stop::Code {
        check_externs(session, &module)?;
    }
    let is_library = module.start.is_none();
    let mut watch = Watch::new(&session.options, points);
    watch.built(&module);
    optimise(session, &mut module, &mut watch);
    watch.keep(OPTIMISED, &module);
    count(session, &module);
    if stop == Stop::High {
        return Ok(Compiled { is_library, ..Compiled::of(module, watch.snapshots) });
    }
    if is_library {
        add_start(&mut module);
    }
    let linked = match stop {
        Stop::Code => c_objects::link(session, objects, &module)?,
        _ => None,
    };
    let image = lower_to(session, &mut module, &mut watch, linked.as_ref(), stop);
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
            wasm = emit(session, &mut module, &image, linked.as_ref())?;
            session.counts.set("wasm bytes", wasm.len());
        }
    }
    Ok(Compiled { wasm, native, is_library, ..Compiled::of(module, watch.snapshots) })
}

/// Fails if the runtime lacks what the module calls: the interpreter has the same functions as all targets.
pub fn check_externs(session: &mut Session, module: &Module) -> Outcome {
    let Some(missing) = cleave_interp::missing_extern(module) else { return Ok(()) };
    let message = format!("the runtime has no function `{}`", missing.export_name());
    let help = format!("the program calls the extern {}{missing}, which only a runtime with it can run", missing.name);
    Err(session.fail(Diagnostic::error(code::MISSING_EXTERN, message).help(help)))
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
    let keep_all = session.options.keep_all;
    let names = optimisations(session.options.level).iter().filter(|&&name| !(keep_all && name == table::PRUNE));
    run(session, module, &wanted(session, names), &mut context(session, &lay_out_for_wasm), watch);
}

/// From high IR to rooted or low IR, as far as `stop` asks.
fn lower_to(
    session: &mut Session,
    module: &mut Module,
    watch: &mut Watch,
    linked: Option<&Linked>,
    stop: Stop,
) -> Option<Image> {
    // IR alone is for the interpreter, whose memory is that of Wasm.
    let target = if stop == Stop::Code { session.options.target } else { Target::Wasm };
    let lay_out = |module: &Module| match linked {
        Some(linked) => c_objects::build_image(module, linked),
        None => build_image(module, target, ImageOptions::default()),
    };
    let mut context = context(session, &lay_out);
    context.reenter = target == Target::Wasm && session.options.level != Level::O0;
    let further = if stop == Stop::Rooted { &[] } else { table::LOWERING };
    let passes = wanted(session, table::ROOTING.iter().chain(further));
    run(session, module, &passes, &mut context, watch);
    context.image
}

/// Those passes that the user has not left out.
fn wanted<'n>(session: &Session, names: impl Iterator<Item = &'n &'static str>) -> Vec<&'static Pass> {
    let names = names.copied().filter(|name| !session.options.disabled.contains(name));
    table::list(names).unwrap_or_else(|name| panic!("no pass `{name}`"))
}

fn context<'c>(session: &Session, lay_out: &'c dyn Fn(&Module) -> Image) -> Context<'c> {
    Context { roots: root_options(session), parts: session.options.parts, ..Context::new(lay_out) }
}

fn lay_out_for_wasm(module: &Module) -> Image {
    build_image(module, Target::Wasm, ImageOptions::default())
}

/// Runs passes and notes what they took and counted.
fn run(session: &mut Session, module: &mut Module, passes: &[&'static Pass], context: &mut Context, watch: &mut Watch) {
    let begin = Instant::now();
    let reports = manager::run(module, passes, context, watch);
    let Some(first) = reports.first() else { return };
    session.timing.add(first.group.title(), begin.elapsed());
    for report in reports {
        session.timing.add_inner(report.name, report.time);
        if report.group == Group::Optimisation {
            session.counts.add_changed(report.name, report.changed);
        }
    }
    for (name, count) in context.counts.drain(..) {
        session.counts.set(name, count);
    }
}

fn root_options(session: &Session) -> roots::Options {
    let options = &session.options;
    roots::Options { strategy: options.roots.strategy(), steps: options.steps, limits: options.limits }
}

/// Fails if references are to stay in frames of the machine where there are none: in WebAssembly and in the
/// interpreter.
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

/// The static data of a program, at its place in the memory of the target.
pub fn build_image(module: &Module, target: Target, options: ImageOptions) -> Image {
    match target {
        Target::Wasm => Image::build(module, cleave_wasm::runtime_base(), options),
        Target::Native => {
            let options = ImageOptions { is_spaced: native::is_spaced(module), ..options };
            Image::build(module, native::image_base(module), options)
        }
    }
}

/// The bytes of WebAssembly.
fn emit(session: &mut Session, module: &mut Module, image: &Image, linked: Option<&Linked>) -> Outcome<Vec<u8>> {
    crash::set_stage("emit");
    let strip = session.options.strip;
    let options = cleave_wasm::Options { names: !strip, strip, ..cleave_wasm::Options::default() };
    let emitted = session.timing.time("emit", || {
        cleave_wasm::abi::run(module);
        cleave_wasm::emit_with_c(module, image, &options, linked)
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
        cleave_wasm::Error::C(error) => c_objects::failed(session, &error),
        // The front end and the passes make none of these.
        other => panic!("{other}"),
    })
}

/// Runs passes on IR that was read from a file, in the order of the user. Fails if one of them needs IR of another
/// phase.
pub fn run_passes(session: &mut Session, module: &mut Module, names: &[String]) -> Outcome {
    let mut watch = Watch::new(&session.options, &[]);
    watch.built(module);
    let mut context = Context { reenter: true, ..context(session, &lay_out_for_wasm) };
    for name in names {
        let pass = table::find(name).unwrap_or_else(|| panic!("no pass `{name}`"));
        let phase = module.phase();
        if phase != pass.from && !module.funcs.is_empty() {
            let message = format!("the pass `{name}` works on {} IR, but this is {}", pass.from.word(), phase.word());
            let help = "high IR becomes rooted by `expand` and `roots`, and rooted IR becomes low by `lower`";
            return Err(session.fail(Diagnostic::error(code::BAD_PHASE, message).help(help)));
        }
        run(session, module, &[pass], &mut context, &mut watch);
    }
    Ok(())
}

fn count(session: &mut Session, module: &Module) {
    session.counts.set("functions", module.funcs.len());
    let instructions =
        module.funcs.values().flat_map(|func| func.layout.iter().map(|&block| &func.blocks[block].insts));
    session.counts.set("instructions", instructions.map(Vec::len).sum());
    session.counts.set("descriptors", module.descs.len());
    session.counts.set("entries", module.entries.len());
}
