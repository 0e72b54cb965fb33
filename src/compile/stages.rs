//! The stages of compilation, from high IR to the low IR that a target takes, for callers that look at the IR in
//! between.
//!
//! ```
//! use cleave_compile::{Options, Quiet, Source, Target, Wasm, ir};
//!
//! let module = ir::text::parse_module("start @main\nfunc @main() {\nblock0:\n  ret\n}\n")?;
//! let (target, options) = (Wasm::default(), Options::default());
//! let optimised = Source::new(module, &options, &mut Quiet)?.optimise(&options, &mut Quiet);
//! println!("{}", ir::text::print_module(optimised.module()));
//! let lowered = optimised.root(&target, &options, &mut Quiet)?.lower(&options, &mut Quiet);
//! let program = target.emit(lowered)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! Rooted IR takes the same way: its first steps then do nothing.

use crate::error::Error;
use crate::observe::{Observer, Step, Verifying};
use crate::options::{Level, Options, Verify};
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::verify;
use cleave_ir::{Builder, Func, Libcall, Lowered, Module, Phase, Signature, Target};
use cleave_passes::context::Context;
use cleave_passes::table::{self, Pass};
use cleave_passes::{insert_checks, manager, memory, roots};
use std::time::Instant;

/// A module as a front end made it.
#[derive(Debug)]
pub struct Source(Module);

/// After the optimisations of the level.
#[derive(Debug)]
pub struct Optimised(Module);

/// Roots are placed: no reference lives across a safepoint outside of the frame.
#[derive(Debug)]
pub struct Rooted<'t, T> {
    module: Module,
    target: &'t T,
    /// If the target has laid it out already.
    data_section: Option<StaticDataSection>,
}

impl Source {
    /// Takes a module of one phase, high or rooted, that keeps the rules.
    pub fn new(mut module: Module, options: &Options, observer: &mut dyn Observer) -> Result<Source, Error> {
        let mut funcs = module.funcs.values();
        if let Some(first) = funcs.next() {
            if let Some(other) = funcs.find(|func| func.phase != first.phase) {
                return Err(Error::MixedPhases(first.name.clone(), other.name.clone()));
            }
            if first.phase == Phase::Low {
                return Err(Error::AlreadyLow);
            }
        }
        module.suit_externs_to_heap();
        if options.verify != Verify::Never {
            observer.before(Step::Verification(None));
            verify::verify_module(&module).map_err(Error::Invalid)?;
        }
        memory::of(module.heap).check(&module).map_err(Error::NotRefcounted)?;
        cleave_interface::adapt(&mut module, options.abi);
        Ok(Source(module))
    }

    /// The module, for those who go no further.
    pub fn into_module(self) -> Module {
        self.0
    }

    /// Runs the optimisations of the level.
    pub fn optimise(self, options: &Options, observer: &mut dyn Observer) -> Optimised {
        let mut module = self.0;
        if options.checked {
            insert_checks::run(&mut module);
        }
        if module.phase() == Phase::High {
            // No optimisation asks for addresses.
            let lay_out = |_: &Module| unreachable!("the data section belongs to the lowering");
            let mut context = options.context(&lay_out);
            let memory = memory::of(module.heap);
            let names: Vec<_> = options.level.passes().iter().copied().filter(|name| memory.suits(name)).collect();
            run(&mut module, &options.wanted(&names), &mut context, options.verify, observer);
        }
        Optimised(module)
    }
}

impl Optimised {
    /// The module, as `--emit ir` shows it.
    pub fn module(&self) -> &Module {
        &self.0
    }

    /// The module, for those who go no further.
    pub fn into_module(self) -> Module {
        self.0
    }

    /// A library gets a start function that ends the program at once: so that its code can be made and checked.
    pub fn with_start(self) -> Optimised {
        let mut module = self.0;
        if module.start.is_none() {
            let mut func = Func::new("library", Signature::new(&[], &[]));
            let block = func.new_block();
            let mut builder = Builder::new(&mut func, block);
            match module.entries.is_empty() {
                true => {
                    builder.call_rt(Libcall::Halt, &[]);
                    builder.unreachable();
                }
                // It has got ready for being called.
                false => builder.ret(&[]),
            }
            func.phase = module.phase();
            module.start = Some(module.funcs.push(func));
        }
        Optimised(module)
    }

    /// Places the roots for the collector. An error if they are to stay where the target cannot find them.
    pub fn root<'t, T: Target>(
        self,
        target: &'t T,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<Rooted<'t, T>, Error> {
        let mut module = self.0;
        if !target.has_frames() && roots::needs_machine(&module, options.roots) {
            return Err(Error::NeedsFrames(target.name()));
        }
        let lay_out = |module: &Module| target.lay_out(module);
        let mut context = options.context(&lay_out);
        context.osr_loops = target.wants_osr_loops() && options.level != Level::O0;
        let mut passes = Vec::new();
        if module.phase() == Phase::High {
            passes = options.wanted(memory::of(module.heap).rooting());
        }
        let whole = passes.iter().position(|pass| pass.name == table::LOWER_EVAL).unwrap_or(passes.len());
        run(&mut module, &passes[..whole], &mut context, options.verify, observer);
        // The static data says whether the program counts, and may be laid out here. In rooted IR nothing does so yet.
        module.keeps_rc_stats = options.count_cells;
        let data_section = target.recall(&mut module);
        module.keeps_rc_stats = false;
        run(&mut module, &passes[whole..], &mut context, options.verify, observer);
        Ok(Rooted { module, target, data_section })
    }
}

impl<T: Target> Rooted<'_, T> {
    /// The module.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The module, for those who go no further.
    pub fn into_module(self) -> Module {
        self.module
    }

    /// Gives static data its addresses and turns nodes and frames into loads and stores.
    pub fn lower(mut self, options: &Options, observer: &mut dyn Observer) -> Lowered {
        let target = self.target;
        self.module.keeps_rc_stats = options.count_cells;
        let lay_out = |module: &Module| -> StaticDataSection { target.lay_out(module) };
        let mut context = options.context(&lay_out);
        context.deep_recursion = target.has_small_stack();
        context.stackless_copies = options.level == Level::O2;
        context.traces = target.traces();
        context.data_section = self.data_section;
        run(&mut self.module, &options.wanted(table::LOWERING), &mut context, options.verify, observer);
        let data_section = context.data_section.unwrap_or_else(|| panic!("the passes of the lowering make an image"));
        Lowered::new(self.module, data_section, target)
    }
}

/// Runs passes and reports them. No stage: for tools that run passes one by one, as `cleave opt`. The module must be in
/// the phase that each of them starts from.
pub(crate) fn run(
    module: &mut Module,
    passes: &[&'static Pass],
    context: &mut Context,
    verify: Verify,
    observer: &mut dyn Observer,
) {
    let begin = Instant::now();
    let reports = manager::run(module, passes, context, &mut Verifying { observer, verify });
    if !reports.is_empty() {
        observer.finished(begin.elapsed(), &reports, &context.counts);
    }
    context.counts.clear();
}
