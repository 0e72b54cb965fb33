//! From linked modules to one IR module: builds what is reachable from `Start`, one IR function per function label.
//!
//! Place in the pipeline: after `link`, before the passes. A work list of function labels; building a body requests
//! the functions, descriptors, entries, CAFs and strings that it names. The files:
//! `symbols` (labels → entities) · `function` (control flow of one body) · `stacks` (the simulated A and B stacks, in
//! `state`) · `instructions`, `integers`, `nodes`, `reuse`, `arrays`, `calls`, `foreign`, `machine` (one instruction
//! each) · `binary` (machine code that has a meaning) · `apply` (application of closures, update entries) ·
//! `keep` (what `Start` does not reach) · `exports` (what others call, in place of `Start`).
//!
//! Invariant established: high IR that passes the verifier, or diagnostics.

mod apply;
mod arrays;
mod calls;
mod exports;
mod ffi;
mod function;
mod instructions;
#[doc(hidden)]
pub mod integers;
mod keep_all;
mod line_table;
mod low_level;
mod nodes;
mod reuse;
mod stacks;
mod state;
mod symbols;
mod x86_translate;

use crate::ast::{ParsedModule, Symbol};
use crate::ccall::ForeignCall;
use crate::declarations::Exports;
use crate::index::{ModuleIndex, span_of};
use crate::link::{Meaning, ModuleId, Program};
use crate::return_types::{LabelResults, Shape};
use apply::ApplyState;
use cleave_diag::{Diagnostic, FileId, Severity, Sink, SourceMap, code};
use cleave_ir::source::ModuleSource;
use cleave_ir::{Builder, Caf, Desc, Func, FuncId, Module, Signature, Static, ThunkInfo, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why a body was given up: the diagnostic has been reported.
pub(crate) struct Stop;
pub(crate) type Step<T = ()> = Result<T, Stop>;

/// A function label as an IR function. `extra` is the variant with one more node below its declared frame: the cell for
/// the result, when a node entry runs into the label (`docs/abc.md#a-missing-cell-under-the-arguments`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FunctionKey {
    pub module: ModuleId,
    pub index: u32,
    pub extra: bool,
}

/// Which C functions are called by their symbols, instead of being functions of the runtime.
#[derive(Clone, Copy, Debug, Default)]
pub enum Symbols<'o> {
    #[default]
    None,
    /// Machine code has all that the runtime does not have for Clean's own libraries.
    Machine,
    /// Objects that are merged with the program have these.
    Objects(&'o FxHashSet<String>),
}

/// Options of the front end.
#[derive(Clone, Copy, Debug, Default)]
pub struct TranslateOptions<'o> {
    /// Check array indices, with Clean's message (`-ci`).
    pub check_indices: bool,
    /// Build every function label, not only what `Start` reaches.
    pub keep_all: bool,
    /// With `keep_all`: a main module without Start is compiled, too; the IR then has no start.
    pub library: bool,
    pub c_symbols: Symbols<'o>,
    /// The program is a library of these functions: there is no `Start`.
    pub exports: Option<&'o Exports>,
    /// The files of the modules, if the IR is to say where it came from.
    pub sources: Option<&'o SourceMap>,
}

/// State of the translation of a program.
pub(crate) struct ProgramBuilder<'s> {
    pub program: Program,
    pub ir: Module,
    pub sink: &'s mut Sink,
    pub options: TranslateOptions<'s>,
    results: LabelResults,
    /// IR functions of labels, with their results where those are open.
    functions: FxHashMap<(FunctionKey, Option<Shape>), FuncId>,
    /// Labels that have an IR function.
    requested: FxHashSet<(ModuleId, u32)>,
    worklist: Vec<(FunctionKey, FuncId)>,
    /// What is built is not reachable: hand-written code with a wrong stack is left out.
    is_lenient: bool,
    descriptors: FxHashMap<(ModuleId, u32), Desc>,
    thunk_infos: FxHashMap<(ModuleId, u32), ThunkInfo>,
    cafs: FxHashMap<(ModuleId, u32), Caf>,
    texts: FxHashMap<(ModuleId, u32), Static>,
    /// The list of finalizers (`push_finalizers`), once it is used.
    finalizers: Option<Caf>,
    /// Empty cells of more than two slots, by size.
    large_cells: FxHashMap<u32, ThunkInfo>,
    apply: ApplyState,
    foreign_calls: Vec<ForeignCall>,
}

/// What `translate` makes.
pub struct Translated {
    pub module: Module,
    /// The C functions that the program calls, sorted, each call of a module once.
    pub foreign_calls: Vec<ForeignCall>,
}

/// Builds the program whose main module is `main` (its number in `modules`); module 0 is our system module.
/// Returns `None` if anything was reported as an error.
pub fn translate<'s>(
    modules: Vec<ParsedModule>,
    indexes: Vec<ModuleIndex>,
    main: ModuleId,
    options: TranslateOptions<'s>,
    sink: &'s mut Sink,
) -> Option<Translated> {
    let name = modules[main as usize].name.clone();
    let mut program = Program::link(modules, indexes, sink);
    let results = LabelResults::infer(&mut program);
    let mut builder = ProgramBuilder {
        program,
        ir: Module { source: options.sources.map(|sources| Box::new(ModuleSource::new(sources))), ..Module::new(name) },
        sink,
        options,
        results,
        functions: FxHashMap::default(),
        requested: FxHashSet::default(),
        worklist: Vec::new(),
        is_lenient: false,
        descriptors: FxHashMap::default(),
        thunk_infos: FxHashMap::default(),
        cafs: FxHashMap::default(),
        texts: FxHashMap::default(),
        finalizers: None,
        large_cells: FxHashMap::default(),
        apply: ApplyState::default(),
        foreign_calls: Vec::new(),
    };
    crate::externs::Runtime::declare(&mut builder.ir);
    builder.known_descriptors();
    let cycle = builder.cycle_function();
    builder.ir.blackhole_info = Some(builder.plain_entry("_cycle_in_spine", 0, 0, cycle));
    match options.exports {
        Some(exports) => builder.exports(main, exports),
        None => builder.start(main),
    }
    builder.run();
    if options.keep_all {
        builder.rest();
    }
    builder.finish_instances();
    let mut foreign_calls = std::mem::take(&mut builder.foreign_calls);
    foreign_calls.sort();
    foreign_calls.dedup();
    (!builder.sink.has_errors()).then_some(Translated { module: builder.ir, foreign_calls })
}

impl ProgramBuilder<'_> {
    pub fn module(&self, id: ModuleId) -> &ParsedModule {
        self.program.module(id)
    }

    pub fn report(&mut self, file: FileId, make: impl FnOnce() -> Diagnostic) -> Stop {
        self.sink.report_in(file, make);
        Stop
    }

    /// Reports something wrong in the code of a function. What `Start` does not reach may have a wrong stack, as hand-
    /// written code of libraries has: that is a warning.
    pub fn report_code(&mut self, file: FileId, make: impl FnOnce() -> Diagnostic) -> Stop {
        let is_lenient = self.is_lenient;
        self.report(file, || {
            let diagnostic = make();
            if !is_lenient || ![code::LAYOUT_CONFLICT, code::STACK_UNDERFLOW].contains(&diagnostic.code) {
                return diagnostic;
            }
            let help = "Start does not reach this function: it is left out";
            Diagnostic { severity: Severity::Warning, ..diagnostic.help(help) }
        })
    }

    /// The start label.
    fn start(&mut self, main: ModuleId) {
        let Some(start) = self.module(main).start else {
            if !self.options.library {
                self.no_start(main);
            }
            return;
        };
        match self.program.meaning(main, start) {
            Meaning::Defined(module, crate::index::Definition::Function(index)) => {
                let key = FunctionKey { module, index, extra: false };
                let func = self.function(key, &[]);
                let wanted = Signature::new(&[], &[]);
                self.expect_signature(module, index, func, &wanted, "the start label takes and returns nothing");
                self.ir.start = Some(func);
            }
            _ => {
                let module = self.module(main);
                let (span, text) = (module.start_span, module.text_of(start));
                self.report(span.file, || {
                    Diagnostic::error(code::UNDEFINED_LABEL, format!("the start label `{text}` is not defined"))
                        .at(span, "named here")
                        .help("the file may be truncated: compile the module again")
                });
            }
        }
    }

    fn no_start(&mut self, main: ModuleId) {
        let file = self.module(main).file;
        let name = self.module(main).name.clone();
        let with: Vec<String> =
            self.program.modules.iter().filter(|m| m.start.is_some()).map(|m| m.name.clone()).collect();
        self.report(file, || {
            let diagnostic = Diagnostic::error(code::NO_START, format!("module `{name}` has no rule Start"))
                .at(cleave_diag::Span::new(file, 0, 0), "this is the main module");
            match with.is_empty() {
                true => diagnostic.help("name the module of the program that defines Start"),
                false => diagnostic.help(format!("modules with a Start: {}", with.join(", "))),
            }
        });
    }

    /// Builds bodies until nothing new is requested.
    fn run(&mut self) {
        loop {
            while let Some((key, func)) = self.worklist.pop() {
                self.build_function(key, func);
            }
            if !self.finish_apply() {
                break;
            }
        }
    }

    /// An entry without arguments of its own kind, for cells under evaluation.
    fn plain_entry(&mut self, label: &str, ptrs: u32, nptrs: u32, code: FuncId) -> ThunkInfo {
        self.ir.thunk_infos.push(cleave_ir::ThunkInfoData {
            label: label.into(),
            kind: cleave_ir::ThunkKind::Plain,
            ptrs,
            nptrs,
            code,
            update: None,
            desc: None,
        })
    }

    /// The code of cells under evaluation: report the cycle and stop.
    fn cycle_function(&mut self) -> FuncId {
        let mut func = Func::new("_cycle_in_spine", Module::eval_signature());
        let block = func.new_block();
        func.add_param(block, Type::Ref);
        let mut builder = Builder::new(&mut func, block);
        builder.call_extern(crate::externs::Runtime::CycleInSpine.callee(), &[]);
        builder.unreachable();
        self.ir.funcs.push(func)
    }

    /// The entry of empty cells that have room for `slots` payload slots.
    pub fn large_cell(&mut self, slots: u32) -> ThunkInfo {
        if let Some(&entry) = self.large_cells.get(&slots) {
            return entry;
        }
        let cycle = self.ir.thunk_infos[self.ir.blackhole_info.expect("made first")].code;
        let entry = self.plain_entry(&format!("_c{slots}"), 0, slots, cycle);
        self.large_cells.insert(slots, entry);
        entry
    }

    /// Span of an item for messages.
    pub fn span(&self, module: ModuleId, item: usize) -> cleave_diag::Span {
        span_of(self.module(module), item)
    }

    pub fn label_text(&self, module: ModuleId, symbol: Symbol) -> String {
        self.module(module).text_of(symbol)
    }

    pub fn add_function(&mut self, name: String, signature: Signature) -> FuncId {
        self.ir.funcs.push(Func::new(name, signature))
    }
}
