//! Every command and flag, each defined once: its sentence in `-h` is the first line of its comment, its paragraph in
//! `--help` the whole comment.

use crate::cli::emit::EmitArg;
use crate::cli::library::{ImportArgs, LibraryArgs};
use crate::cli::lints::LintArgs;
use crate::cli::memory::MemoryArgs;
use crate::cli::passes::{LateSwitches, PassSwitches};
use crate::cli::sandbox::FolderArgs;
use crate::cli::search::SearchArgs;
use crate::driver::pipeline::Stop;
use crate::driver::session::{LinkInputs, LinkerChoice, Roots, Target};
use crate::driver::version;
use crate::languages;
use crate::languages::frontend::Frontend;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// Compiles functional programs (Clean, GOOPEA, samlang, IR) to WebAssembly and machine code, and runs them.
///
/// `cleave MAIN` is short for `cleave build MAIN`. The result is a WASI command (wasm32-wasip1) that uses tail
/// calls, multi-value and bulk memory; it runs under wasmtime and node as it is.
///
/// Exit codes: 0 success, 1 errors in the input, 2 wrong usage, 101 a bug of cleave; `run` passes on the status of the
/// program.
#[derive(Debug, Parser)]
#[command(name = "cleave", version = version::VERSION, long_version = crate::driver::build_info::long(), arg_required_else_help = true, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub global: Global,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compile a program
    ///
    /// A .wasm file runs in every engine that has WASI preview 1 and tail calls, and recurses as deep as memory allows.
    Build(Box<BuildArgs>),
    /// Compile a program and run it, or run a .wasm file
    Run(Box<RunArgs>),
    /// Say what is wrong with a program, and write nothing
    Check(Box<crate::cli::check::CheckArgs>),
    /// Print what others call of a program, in WIT
    Wit(Box<WitArgs>),
    /// Run passes over a file of IR and print the result
    Opt(OptArgs),
    /// Interpret a file of IR
    Interp(InterpArgs),
    /// Run a program step by step, forwards and backwards
    Step(Box<StepArgs>),
    /// Bring source files into the form of their language
    Fmt(FmtArgs),
    /// Serve editors: errors while one types, types, definitions, completion
    ///
    /// A server of the language server protocol on stdin and stdout, which editors start themselves, for GOOPEA (.goo),
    /// samlang (.sam) and IR (.ir).
    #[cfg(not(target_family = "wasm"))]
    Lsp {
        /// Talk on stdin and stdout, as always: some editors say so
        #[arg(long)]
        stdio: bool,
    },
    /// Run tests: programs with what they print beside them, and functions whose names begin with `test`
    Test(crate::cli::testing::TestArgs),
    /// Try definitions and expressions, line by line
    Repl(crate::cli::repl::ReplArgs),
    /// Make a folder with a program that runs
    New(crate::cli::new::NewArgs),
    /// Make a program smaller that shows something
    Reduce(ReduceArgs),
    /// Explain an error code or a lint
    ///
    /// Prints what the code of a message means and what its usual causes are. Without a code all codes are listed.
    Explain {
        /// The code, as E0203 or 203, or the name of a lint, as unused-variable
        code: Option<String>,
    },
    /// Show or clear the folder of compiled code
    ///
    /// A second build of a program for this machine takes the functions that are the same as before from there, and a
    /// second run what the engine has made of its WebAssembly. It is the folder CLEAVE_CACHE, or `cleave` in
    /// XDG_CACHE_HOME or in ~/.cache; its files take 512 MiB at most.
    Cache {
        /// What to do
        #[arg(default_value = "dir")]
        action: crate::cli::cache::CacheAction,
    },
    /// Write Clean.h, for parts of Clean programs in C, to stdout
    ///
    /// It has the names of Clean's own header, and is right for WebAssembly, too.
    Header,
    /// Write completions for a shell to stdout
    Completions { shell: clap_complete::Shell },
    /// Write pages of the manual
    ///
    /// To stdout that of cleave or of one command, for `cleave man build | man -l -`; to a folder those of all
    /// commands, as cleave.1, cleave-build.1 and so on.
    Man {
        /// The command, or the folder; a folder with the name of a command is written ./NAME
        #[arg(value_name = "COMMAND|DIR", value_hint = ValueHint::DirPath)]
        subject: Option<PathBuf>,
    },
    /// Say what is found on this machine: Clean, its libraries and compiler, engines
    Doctor(DoctorArgs),
    /// Serve a page on which programs are edited, run and looked into
    Playground(crate::cli::playground::PlaygroundArgs),
}

/// Nothing of what is listed is needed to compile .abc files. The status is 1 if something that a flag or a variable
/// names is not there.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// The folder of Clean, with its libraries in `lib` [default: $CLEAN_HOME]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub clean_home: Option<PathBuf>,
    /// Clean's compiler [default: the first found]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub cocl: Option<PathBuf>,
}

/// How messages look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum MessageFormat {
    /// With the line of the file
    #[default]
    Human,
    /// One line per message
    Short,
    /// One JSON object per line, a stable interface; level `note`: more errors of a file, left out
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb; with CLICOLOR_FORCE always
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Messages")]
pub struct Global {
    /// How messages are written to stderr [default: human]
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human", hide_default_value = true)]
    pub message_format: MessageFormat,
    /// When messages are coloured [default: auto]
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub color: Colour,
    /// No warnings
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say what was done: modules, functions, bytes, time; twice: also which files were read
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub verbose: u8,
}

/// What `build` and `run` share: where modules are and how they are compiled.
#[derive(Debug, Args)]
pub struct CompileArgs {
    /// What to generate code for [default: wasm]
    ///
    /// A cleave that was built without its engine for WebAssembly runs machine code by default.
    #[arg(long, value_name = "TARGET")]
    pub target: Option<Target>,
    /// How much to optimise: 0 nothing, 1 what is quick, 2 everything [default: 2]
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = 2, hide_default_value = true, value_parser = parse_level)]
    pub optimise: u8,
    /// The language of stdin
    #[arg(long, value_name = "LANGUAGE", value_parser = language())]
    pub language: Option<String>,
    #[command(flatten)]
    pub lints: LintArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    /// The folder of Clean, with its libraries in `lib` [default: $CLEAN_HOME]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Modules")]
    pub clean_home: Option<PathBuf>,
    /// Clean's compiler, for sources newer than their .abc files or without one [default: the first found]
    ///
    /// Without this flag it is looked for as `cocl` in the folder of the variable CLEANLIB, in `lib/exe` of the folder
    /// of Clean and in PATH. Sources are compiled as clm does: the main module first, then what it imports. Messages of
    /// the compiler go to stderr.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, help_heading = "Modules")]
    pub cocl: Option<PathBuf>,
    /// Compile no sources, and say nothing of newer ones: the .abc files are used as they are
    #[arg(long, conflicts_with = "cocl", help_heading = "Modules")]
    pub no_cocl: bool,
    /// Check array indices, with Clean's message; also -ci, as for clm
    ///
    /// An index outside of its array ends the program with `Run Time Error: index out of range` and status 255. Without
    /// the checks such an access reads or writes something else, as in Clean.
    #[arg(long)]
    pub check_indices: bool,
    /// Compile every function of every module, not only what Start reaches
    ///
    /// Nothing is dropped, so that everything is checked and verified. `build` then also takes a module without a rule
    /// Start, a library: all of it is compiled, and no program is written.
    #[arg(long)]
    pub keep_all: bool,
    /// Write no names of functions
    ///
    /// By default the result has a name section, or symbols, with Clean's names, so that stack traces and profiles can
    /// be read.
    #[arg(long)]
    pub strip: bool,
    /// List the innermost functions under the message of a run-time error
    ///
    /// With their lines in GOOPEA, samlang and IR, for which `run` and machine code do so anyway. The file holds the
    /// names of functions, and `run` shows those that are active; native programs do so themselves. Functions that have
    /// made a tail call have ended.
    #[arg(long, conflicts_with = "strip")]
    pub trace: bool,
    /// How the value of a GOOPEA program is printed [default: values]
    ///
    /// `constructors` prints what the program would write: `Cons(1, Nil)`. With `values` that is `[1]`.
    #[arg(long, value_name = "FORM")]
    pub print: Option<PrintForm>,
    /// Print how long each phase took, to stderr; `json`: as the last line there
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "table")]
    pub time: Option<TimeFormat>,
    /// Compile everything to machine code anew, and keep nothing for the next build or run
    ///
    /// Otherwise functions that are the same as in the last build of this program for this machine are taken from a
    /// folder, and so is what the engine of `run` makes of its WebAssembly, as long as that is the same. The folder is
    /// CLEAVE_CACHE, or `cleave` in XDG_CACHE_HOME or in ~/.cache. The result is the same. `cleave cache` shows and
    /// clears it; an empty CLEAVE_CACHE is like this flag.
    #[arg(long)]
    pub no_cache: bool,
    /// Number of threads [default: one per processor]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub natives: NativeArgs,
    #[command(flatten)]
    pub roots: RootArgs,
    #[command(flatten)]
    pub debug: DebugArgs,
}

/// How the value of a GOOPEA program is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum PrintForm {
    /// Constructors without fields as numbers, lists in brackets, all else as `[A: 1, 2]`
    #[default]
    Values,
    /// As the program would write it
    Constructors,
}

impl PrintForm {
    /// What the front end calls it.
    pub fn print(self) -> cleave_goopea::Print {
        match self {
            PrintForm::Values => cleave_goopea::Print::Values,
            PrintForm::Constructors => cleave_goopea::Print::Constructors,
        }
    }
}

/// C functions besides those that modules name.
#[derive(Debug, Args)]
#[command(next_help_heading = "C functions")]
pub struct NativeArgs {
    /// Take C functions of native programs from this library, too: libNAME.so or .a
    ///
    /// It is looked for in the folders of -L, then in those of the system. Modules name libraries with .implib, all of
    /// which count, too; one that is found nowhere is an error only if functions are missing.
    #[arg(short = 'l', long = "link", value_name = "NAME")]
    pub libraries: Vec<String>,
    /// Take C functions from this object, archive or shared library, too; or from a .wasm
    ///
    /// Modules name objects with .impobj; each is looked for beside its module, in the folders of -L and where modules
    /// are searched, in `Clean System Files` and outside, for WebAssembly with the ending .wasm. `run`
    /// links a native program that needs objects or archives, and runs the executable.
    #[arg(long = "object", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Let modules name objects and libraries by absolute paths, or by paths with `..`
    ///
    /// By default this is an error: an .abc file of a stranger should not choose files of this machine.
    #[arg(long)]
    pub allow_paths: bool,
}

impl NativeArgs {
    pub fn natives(&self) -> LinkInputs {
        let NativeArgs { libraries, files, allow_paths } = self;
        LinkInputs { files: files.clone(), libraries: libraries.clone(), allow_paths: *allow_paths }
    }
}

/// How references are kept and memory is managed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Memory")]
pub struct RootArgs {
    /// How references are kept for the collector [default: late]
    #[arg(long, value_name = "STRATEGY", default_value = "late", hide_default_value = true)]
    pub roots: Roots,
    #[command(flatten)]
    pub steps: LateSwitches,
    #[command(flatten)]
    pub memory: MemoryArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TimeFormat {
    Table,
    Json,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Debugging")]
pub struct DebugArgs {
    /// Check while the program runs what `cleave check` cannot know of its IR
    ///
    /// That nodes have the shapes that instructions say, that indices are within bounds, that nothing is read before it
    /// is set: a mistake stops the program with its place. For those who write a front end; the interpreter always
    /// checks. It takes up to twice the time.
    #[arg(long)]
    pub checked: bool,
    /// Verify the IR after each pass
    ///
    /// A violation is a bug of cleave: it is reported with the pass and the function. Debug builds of cleave always
    /// verify.
    #[arg(long)]
    pub verify_each: bool,
    /// Print the IR to stderr after this pass, or as the front end made it (`build`)
    #[arg(long, hide_possible_values = true, value_name = "PASS", value_delimiter = ',', value_parser = crate::cli::passes::dump_point_parser())]
    pub print_after: Vec<String>,
    /// Say in the IR that is printed which line it came from
    ///
    /// In comments, for --emit ir and --print-after: `; FILE:LINE:COLUMN`, where it is not the same as on the line
    /// before. The code that is made is the same.
    #[arg(long)]
    pub locations: bool,
    /// Print numbers about the program and the passes to stderr
    ///
    /// With `run` also what the program did: on the reference-counted heap as with --count-cells; with --interp how
    /// often spills and restores were executed.
    #[arg(long)]
    pub stats: bool,
    #[command(flatten)]
    pub passes: PassSwitches,
}

/// The folder at hand.
pub const HERE: &str = ".";

/// Languages by the endings of their files, or by their names; the ending is what counts.
fn language() -> impl TypedValueParser<Value = String> {
    let of = |language: &&'static dyn Frontend| {
        let (ending, others) = language.extensions().split_first()?;
        Some(PossibleValue::new(*ending).alias(language.editor_name()).aliases(others))
    };
    let values = languages::ALL.iter().filter_map(of).chain([PossibleValue::new("ir")]);
    PossibleValuesParser::new(values.collect::<Vec<_>>()).map(|word| {
        let language = languages::by_extension(&word).or_else(|| languages::by_editor_name(&word));
        language.and_then(|language| language.extensions().first()).map_or(word, |ending| ending.to_string())
    })
}

#[derive(Debug, Args)]
pub struct BuildArgs {
    /// The main module: its file, with or without the ending, or its name; a file of IR (.ir); a folder; `-` is stdin
    /// [default: .]
    ///
    /// A module is looked for first: a program that has its name, and may have been made of it, is not taken for it.
    #[arg(value_name = "MAIN", default_value = HERE, hide_default_value = true, value_hint = ValueHint::FilePath)]
    pub main: PathBuf,
    /// C functions for machine code, as for clm (.o, .a, .so), or for WebAssembly (.wasm)
    #[arg(value_name = "OBJECT", value_hint = ValueHint::FilePath, value_parser = parse_object)]
    pub objects: Vec<PathBuf>,
    /// Where to write the program; `-` is stdout [default: MAIN.wasm, or MAIN of machine code]
    ///
    /// For `-` MAIN is main. Under a name in .mjs or .js stands a loader for JavaScript, and the program beside it, as
    /// with --emit js. The endings .c, .ir and .wat choose that kind.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<OsString>,
    /// What to write: core, ir, ir:PASS, calls, c, wat, wasm, js; natively clif, asm, obj, exe
    ///
    /// May be given several times. PATH `-` is stdout; without PATH the name is MAIN with the ending of the kind, or
    /// that of -o if it has this ending. If only other kinds are named and no other -o, no .wasm is written. `core` is
    /// the typed program of GOOPEA or samlang, `c` is C99 of GOOPEA. `ir` is the IR after all optimisations, `ir:PASS`
    /// after a pass, `ir:build` before all passes. `calls` says who calls whom and may collect, for Graphviz if PATH
    /// ends in .dot. `js` is an ES module beside the .wasm, with declarations for TypeScript. `clif` is the code
    /// generator's IR, `asm` its listing.
    #[arg(long, value_name = "KIND[=PATH]")]
    pub emit: Vec<EmitArg>,
    /// List the C functions that the program calls, and write nothing
    ///
    /// One line per function and module that calls it: name, types, module, and `yes` if the function exists on the
    /// target. A program that reaches one that does not ends with a run-time error.
    #[arg(long, conflicts_with_all = ["emit", "output"])]
    pub list_ccalls: bool,
    /// What makes an executable for the target native [default: auto]
    ///
    /// Our own linker needs nothing else on the machine, and the file depends on the program alone. It takes objects,
    /// archives and shared libraries of C functions; objects that are more than functions and variables take a C
    /// compiler.
    #[arg(long, value_name = "LINKER", default_value = "auto", hide_default_value = true)]
    pub linker: LinkerChoice,
    /// Let WebAssembly with counted references take options of its run
    #[arg(long)]
    pub rts_options: bool,
    #[command(flatten)]
    pub library: LibraryArgs,
    #[command(flatten)]
    pub compile: CompileArgs,
}

/// Prints the functions of a program that others call, with their types, in WIT, the language of interfaces of
/// WebAssembly's Component Model.
#[derive(Debug, Args)]
pub struct WitArgs {
    /// The main module as for build, or a file of IR (.ir)
    #[arg(value_name = "MAIN", value_hint = ValueHint::FilePath)]
    pub main: PathBuf,
    /// Of these functions alone: NAME, or CLASS.NAME; of Clean perhaps with the type
    #[arg(long = "export", value_name = "NAME")]
    pub exports: Vec<String>,
    #[command(flatten)]
    pub imports: ImportArgs,
    /// Print nothing, and say where the program does not fit the world in this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub check: Option<PathBuf>,
    /// The world of that file, if it has several
    #[arg(long, value_name = "NAME", requires = "check")]
    pub world: Option<String>,
    #[command(flatten)]
    pub compile: CompileArgs,
}

/// IR that can be interpreted instead of running WebAssembly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum InterpretedPhase {
    /// After all optimisations
    High,
    /// After the roots pass: every object moves at every safepoint
    Rooted,
    /// As the target gets it
    Low,
}

impl InterpretedPhase {
    /// How far a program is compiled for it.
    pub fn stop(self) -> Stop {
        match self {
            InterpretedPhase::High => Stop::High,
            InterpretedPhase::Rooted => Stop::Rooted,
            InterpretedPhase::Low => Stop::Low,
        }
    }
}

/// Collectors of compiled programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Collector {
    /// New objects are collected apart, the rest only when it has grown
    Generational,
    /// Each collection copies everything that is alive
    Copying,
    /// As generational, but old objects are marked in portions, so that pauses are short
    Incremental,
}

impl Collector {
    /// As the runtime has it.
    pub fn word(self) -> &'static str {
        match self {
            Collector::Generational => "generational",
            Collector::Copying => "copying",
            Collector::Incremental => "incremental",
        }
    }
}

impl RunArgs {
    /// May the incremental collector be asked for?
    pub fn collects_incrementally(&self) -> bool {
        let asks = |words: String| words.contains("--gc=incremental");
        self.gc == Some(Collector::Incremental) || std::env::var("CLEAVE_RTS").is_ok_and(asks)
    }
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// The main module or file of IR as for build, or a .wasm file; the folder of a program; `-` is stdin [default: .]
    #[arg(value_name = "MAIN", default_value = HERE, hide_default_value = true, value_hint = ValueHint::FilePath)]
    pub main: PathBuf,
    /// Arguments of the program, the options of Clean's run-time system first: -h -s -b -sc -nr -t -gc …
    ///
    /// They begin with the first word after MAIN that is no flag of cleave, or behind `--`, which is needed if the
    /// first one begins with a dash: `cleave run prog in.txt -x`, `cleave run prog --heap 64m -- -nr in.txt`.
    #[arg(trailing_var_arg = true, value_name = "ARGUMENTS")]
    pub arguments: Vec<OsString>,
    /// No list of lines and functions under run-time errors of GOOPEA, samlang and IR
    #[arg(long, conflicts_with = "trace")]
    pub no_trace: bool,
    /// Run the program again whenever a source changes
    #[arg(long)]
    pub watch: bool,
    /// Limit of the heap, with k, m or g: the program ends with `Heap full.` beyond it [default: 2 GiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub heap: Option<u64>,
    /// Room for recursion, with k, m or g: the program ends with `Stack overflow.` beyond it
    ///
    /// Memory is only taken when it is used. Without this flag programs recurse as deep as memory allows in
    /// WebAssembly, first on a stack of 512m, which is quicker. Machine code has a stack of 512m; references that wait
    /// for the end of a call have at most 240 MiB there, and a program that asks for more than 512m is warned of that.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub stack: Option<u64>,
    /// Stop the program after this time, with ms, s, m or h: it ends with a message and status 124 [default: none]
    #[arg(long, value_name = "TIME", value_parser = crate::cli::limit::parse_duration)]
    pub timeout: Option<std::time::Duration>,
    /// Collect garbage at every N-th reservation of memory, and say how many collections there were
    ///
    /// Free memory is overwritten and the heap is checked before and after each collection, a large one less often.
    /// Without N at every reservation.
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub gc_stress: Option<u32>,
    /// Capture recursive functions at each call, as if the stack of the engine were full
    ///
    /// Usually they go on there when the stack of the engine may soon be used up. WebAssembly only.
    #[arg(long, alias = "stack-stress")]
    pub force_stackless: bool,
    /// How garbage is collected [default: generational]
    #[arg(long, value_name = "COLLECTOR", conflicts_with = "interp")]
    pub gc: Option<Collector>,
    /// Widen the range in which the size of the nursery is chosen, with k or m [default: 1m to 16m]
    ///
    /// New objects are made in the nursery. It begins small, so that it fits in a cache of the processor, and grows
    /// where objects live a little longer. It is smaller where --heap leaves little room, and larger while recursion is
    /// deep.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, conflicts_with = "interp")]
    pub nursery: Option<u64>,
    /// Interpret the IR of this phase
    #[arg(long, value_name = "PHASE")]
    pub interp: Option<InterpretedPhase>,
    #[command(flatten)]
    pub folders: FolderArgs,
    #[command(flatten)]
    pub compile: CompileArgs,
}

#[derive(Debug, Args)]
#[command(after_help = crate::cli::passes::list_of_passes())]
pub struct OptArgs {
    /// A file of IR in text form; `-` is stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Passes to run, in this order
    #[arg(long = "pass", value_name = "PASS,…", value_delimiter = ',', value_parser = crate::cli::passes::pass_parser())]
    pub passes: Vec<String>,
    /// Where to write the IR; `-` is stdout
    #[arg(short, long, value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub output: OsString,
    /// Print the IR to stderr after this pass
    #[arg(long, value_name = "PASS", value_delimiter = ',', value_parser = crate::cli::passes::dump_point_parser())]
    pub print_after: Vec<String>,
    #[command(flatten)]
    pub roots: RootArgs,
}

#[derive(Debug, Args)]
pub struct InterpArgs {
    /// A file of IR in text form; `-` is stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Call this function with the arguments after `--` and print its results, instead of running the program
    #[arg(long, value_name = "NAME")]
    pub call: Option<String>,
    /// Arguments of the program or function
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub arguments: Vec<String>,
    /// Limit of the heap, with k, m or g [default: 256m]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub heap: Option<u64>,
    /// Collect garbage at every N-th reservation of memory and every N-th safepoint
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub gc_stress: Option<u32>,
    /// Say on stderr at the end how many instructions of the IR ran, for how long, and how many that is per second
    #[arg(long, conflicts_with = "call")]
    pub time: bool,
}

/// Runs a program step by step, forwards and backwards, and shows where it is, its variables and its heap. `help` in it
/// lists the commands. Without a terminal they are read from stdin:
/// `printf 'break 12\nrun\nheap\n' | cleave step p.goo`.
///
/// The IR is interpreted. A state is never copied: to go back, the program runs again up to there. Its clock is a
/// counter, and it should not change files that it reads.
#[derive(Debug, Args)]
pub struct StepArgs {
    /// The program: a file of GOOPEA (.goo) or IR (.ir), or the main module of a Clean program
    #[arg(value_name = "MAIN", value_hint = ValueHint::FilePath)]
    pub main: PathBuf,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub arguments: Vec<String>,
    /// What the program reads from stdin [default: nothing]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub input: Option<PathBuf>,
    /// How much to optimise: 0 nothing, so that each step of the source is there
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = 0, value_parser = parse_level)]
    pub optimise: u8,
    /// Show the IR of this phase [default: high; on the reference-counted heap rooted, where references are counted]
    #[arg(long, value_name = "PHASE")]
    pub phase: Option<InterpretedPhase>,
    /// Limit of the heap, with k, m or g [default: 256m]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub heap: Option<u64>,
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// How the value of a GOOPEA program is printed [default: values]
    #[arg(long, value_name = "FORM")]
    pub print: Option<PrintForm>,
    #[command(flatten)]
    pub search: SearchArgs,
    /// The folder of Clean, with its libraries in `lib` [default: $CLEAN_HOME]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Modules")]
    pub clean_home: Option<PathBuf>,
    /// Compile no sources: the .abc files are used as they are
    #[arg(long, help_heading = "Modules")]
    pub no_cocl: bool,
}

/// Comments and lines of the preprocessor are kept, and what is broken into lines after its first word stays so: a
/// `match`, a `let`, a block. Formatting again changes nothing.
#[derive(Debug, Args)]
pub struct FmtArgs {
    /// Files of GOOPEA (.goo) and samlang (.sam), which are overwritten, or folders with such files; `-` is stdin, and
    /// the result goes to stdout
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, required = true)]
    pub files: Vec<PathBuf>,
    /// The language of stdin, by the ending of its files
    #[arg(long, value_name = "ENDING", default_value = "goo", value_parser = ["goo", "sam"])]
    pub language: String,
    /// Write no file, but the names of those that are not formatted; the status is 1 if there are any
    #[arg(long)]
    pub check: bool,
    /// Write programs in the samlang of 2021 in today's language; what has no counterpart is said, and left as it is
    #[arg(long)]
    pub upgrade: bool,
}

/// Leaves out and simplifies parts of a program as long as the command ends with status 0: functions, blocks,
/// instructions, numbers. The IR stays correct, ABC text stays readable for the parser; what goes wrong is for the
/// command to judge.
#[derive(Debug, Args)]
#[command(after_help = "Example: cleave reduce bad.ir -- sh -c 'cleave interp {} 2>&1 | grep -q stale'")]
pub struct ReduceArgs {
    /// A file of IR in text form, or the .abc file of a module
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Decides whether a program is interesting: status 0 says yes
    ///
    /// `{}` in its arguments is replaced by the path of a program to be judged, which has the name of FILE in a folder
    /// of its own; without `{}` the path is the last argument. A run that takes far longer than the one on FILE is
    /// ended, and says no.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
    /// Where to write the smallest program found; `-` is stdout [default: FILE with .reduced before its ending]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<OsString>,
    /// Stop after this many seconds with what has been found so far
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,
}

/// A level of optimisation.
fn parse_level(text: &str) -> Result<u8, String> {
    match text {
        "0" => Ok(0),
        "1" => Ok(1),
        "2" => Ok(2),
        "3" => Err("2 is the highest level".into()),
        "s" | "z" => Err("there is no level for size: 2 is also the smallest for most programs".into()),
        _ => Err("expected 0, 1 or 2".into()),
    }
}

/// The name of a file of machine code: with an ending that says so, since a second module is no argument.
fn parse_object(text: &str) -> Result<PathBuf, String> {
    let is_object = [".o", ".a", ".so", ".wasm"].iter().any(|end| text.ends_with(end)) || text.contains(".so.");
    let wrong = || {
        "one main module is compiled; expected an object, archive or shared library of C (.o, .a, .so, .wasm)".into()
    };
    is_object.then(|| PathBuf::from(text)).ok_or_else(wrong)
}

/// A number of bytes with an optional suffix k, m or g.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.as_bytes().last().map(u8::to_ascii_lowercase) {
        Some(b'k') => (&text[..text.len() - 1], 10),
        Some(b'm') => (&text[..text.len() - 1], 20),
        Some(b'g') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let wrong = || "expected a number of bytes, with k, m or g at its end if wanted, as in 64m".to_string();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).filter(|size| *size > 0).ok_or_else(wrong)
}
