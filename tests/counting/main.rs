//! The reference-counted heap: programs in all ways against each other, random programs, and mistakes that the
//! certifier finds.

mod cells;
mod generate;
mod mutate;

use cleave_interp::{Options, Program, RcStats, Session, Trap, Val, data_section_options};
use cleave_ir::data_section::{DataSectionOptions, StaticDataSection};
use cleave_ir::layout::RUNTIME_STACK_TOP;
use cleave_ir::verify::{counts, verify_module};
use cleave_ir::{Heap, Module};
use cleave_passes::context::Context;
use cleave_passes::rc_insertion::{RcInsertion, Reuse};
use cleave_passes::{manager, table};
use cleave_tests::process::{AS_COMPILER, announce_missing, compiler, is_there, run};
use cleave_tests::selection::size;
use generate::Rng;
use libtest_mimic::{Arguments, Failed, Trial};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(240);
const STEPS: u64 = 2_000_000;

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let mut trials = vec![
        Trial::test("random_programs", || random_programs().map_err(Failed::from)),
        Trial::test("cells", || cells::programs().map_err(Failed::from)),
        Trial::test("mistakes_are_found", || mistakes().map_err(Failed::from)),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("counting/programs");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).map_or(Vec::new(), |entries| entries.flatten().map(|entry| entry.path()).collect());
    files.sort();
    for target in ["wasm", "native"] {
        for file in files.clone() {
            let name = format!("{target}/{}", file.file_stem().unwrap_or_default().to_string_lossy());
            let option = format!("--target={target}");
            let is_there = is_there(&[&option]);
            let test = Trial::test(name, move || program(&file, &option).map_err(Failed::from));
            trials.push(test.with_ignored_flag(!is_there));
        }
    }
    announce_missing();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// What a file says that its program prints.
fn expected(text: &str) -> Result<&str, String> {
    text.lines().find_map(|line| line.strip_prefix("; prints: ")).ok_or("no line `; prints: …`".into())
}

/// Runs a program at all levels, on both heaps, with all kinds of reuse.
fn program(file: &Path, target: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let wanted = expected(&text)?;
    for level in ["-O0", "-O1", "-O2"] {
        for memory in ["--reuse=fip", "--reuse=all", "--reuse=none", "--rc-insertion=scoped", "--memory=gc"] {
            let mut command = compiler();
            command.args(["run", target, level, memory]).arg(file);
            run(&mut command, Vec::new(), LIMIT)?
                .expect(0, wanted.as_bytes())
                .map_err(|error| format!("{level} {memory}: {error}"))?;
        }
    }
    Ok(())
}

fn optimise(module: &mut Module, names: &[&'static str], reuse: Reuse) -> Option<StaticDataSection> {
    change(module, names, RcInsertion::Precise, reuse)
}

fn change(
    module: &mut Module,
    names: &[&'static str],
    rc_insertion: RcInsertion,
    reuse: Reuse,
) -> Option<StaticDataSection> {
    let passes = table::list(names.iter().copied()).expect("names of the table");
    let lay_out = |module: &Module| StaticDataSection::build(module, RUNTIME_STACK_TOP, DataSectionOptions::default());
    let mut context = Context { rc_insertion, reuse, ..Context::new(&lay_out) };
    manager::run(module, &passes, &mut context, &mut ());
    context.data_section
}

type Ended = (Result<Vec<Val>, Trap>, RcStats);

fn call(module: &Module, data_section: Option<StaticDataSection>) -> Result<Ended, String> {
    let options = Options { heap_limit: 64 << 20, max_steps: STEPS, ..Options::default() };
    let program = match data_section {
        Some(data_section) => Program::with_data_section(module, data_section),
        None => Program::new(module, data_section_options(&options)),
    };
    let mut session = Session::new(&program, options).map_err(|trap| trap.to_string())?;
    let result = session.call("test", &[]);
    Ok((result, session.counters()))
}

/// One random program in all ways; nothing if it takes too long.
fn random_program(text: &str, report: &mut Totals) -> Result<(), String> {
    let original = cleave_ir::text::parse_module(text).map_err(|error| error.to_string())?;
    verify_module(&original).map_err(|errors| format!("the generator is wrong: {}", errors[0]))?;
    let (oracle, _) = call(&original, None)?;
    if matches!(oracle, Err(Trap::StepLimit)) {
        return Ok(());
    }
    for level in [table::NONE, table::BASIC, table::FULL] {
        let mut optimised = original.clone();
        optimised.heap = Heap::Rc;
        // Nothing starts the module: what is reachable from nowhere stays.
        let level: Vec<&'static str> = level.iter().copied().filter(|&name| name != table::GLOBAL_DCE).collect();
        optimise(&mut optimised, &level, Reuse::None);
        let precise = Reuse::ALL.map(|reuse| (RcInsertion::Precise, reuse));
        for (rc_insertion, reuse) in precise.into_iter().chain([(RcInsertion::Scoped, Reuse::None)]) {
            let way = format!("{} passes, {}, reuse {}", level.len(), rc_insertion.word(), reuse.word());
            let mut rooted = optimised.clone();
            change(&mut rooted, &[table::RC_INSERTION], rc_insertion, reuse);
            verify_module(&rooted).map_err(|errors| format!("{way}: {}", errors[0]))?;
            let (found, counters) = call(&rooted, None)?;
            if found != oracle {
                return Err(format!("{way}: {found:?}, not {oracle:?}"));
            }
            if counters.alive() != 0 {
                return Err(format!("{way}: {} cells are alive at the end", counters.alive()));
            }
            report.reuses += counters.reuses;
            report.failed += counters.failed_reuses;
            report.allocations += counters.allocations;
            let data_section = optimise(&mut rooted, table::LOWERING, reuse);
            verify_module(&rooted).map_err(|errors| format!("{way}, lowered: {}", errors[0]))?;
            let (found, _) = call(&rooted, data_section)?;
            if found != oracle {
                return Err(format!("{way}, lowered: {found:?}, not {oracle:?}"));
            }
        }
    }
    report.programs += 1;
    Ok(())
}

#[derive(Default)]
struct Totals {
    programs: usize,
    allocations: u64,
    reuses: u64,
    failed: u64,
}

impl Totals {
    fn and(self, other: &Totals) -> Totals {
        Totals {
            programs: self.programs + other.programs,
            allocations: self.allocations + other.allocations,
            reuses: self.reuses + other.reuses,
            failed: self.failed + other.failed,
        }
    }
}

fn count(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// `COUNTING_PROGRAMS=N` makes more of them, `COUNTING_SEED=N` begins elsewhere.
fn random_programs() -> Result<(), String> {
    let (first, many) = (count("COUNTING_SEED", 1), count("COUNTING_PROGRAMS", size(200, 400)));
    let one = |seed: u64| {
        let mut rng = Rng::new(seed);
        let functions = 1 + rng.below(4);
        let text = generate::module(&mut rng, functions);
        let mut totals = Totals::default();
        random_program(&text, &mut totals).map_err(|error| format!("seed {seed}: {error}\n{text}"))?;
        Ok::<_, String>(totals)
    };
    let totals = (first..first + many).into_par_iter().map(one).try_reduce(Totals::default, |a, b| Ok(a.and(&b)))?;
    // The tests would be worth nothing if the programs did not do what they are for.
    let Totals { programs, allocations, reuses, failed } = totals;
    if (programs as u64) < many / 2 || allocations < 10 * many || reuses < many || failed < many / 10 {
        return Err(format!("{programs} programs, {allocations} cells, {reuses} reuses, {failed} not possible"));
    }
    Ok(())
}

/// A program with what the generator does not make: closures in data, called through tables, and strings.
const CLOSURES: &str = "
class Steps(End, Step((string) -> string, Steps)) {
  method run(text: string): string = match this {
    End -> text,
    Step(f, rest) -> rest.run(f(text) :: \"/\" :: f(\"x\"))
  }
}
class Main {
  function pair(a: string, b: (string) -> string): (string) -> string = (c) -> a :: b(c)
  function last(f: (string) -> string, n: int): string = if n < 1 then f(\"end\") else Main.last((s) -> f(s :: \"+\"), n - 1)
  function test(): int = {
    val three = \"3\" :: \"3\";
    val steps = Steps.Step((s) -> s :: three, Steps.Step(Main.pair(three, (s) -> s), Steps.End));
    val both = steps.run(\"a\") :: steps.run(three);
    Builtins.stringLength(both :: Main.last(Main.pair(both, (s) -> three), 3))
  }
  function main(): unit = Builtins.println(Builtins.intToString(Main.test()))
}
";

fn closures() -> Result<Module, String> {
    struct NoFiles;
    impl cleave_samlang::Files for NoFiles {
        fn read(&mut self, _: &Path) -> Result<Option<(String, Vec<u8>)>, String> {
            Ok(None)
        }
    }
    let (mut sources, mut sink) = (cleave_diag::SourceMap::new(), cleave_diag::Sink::new());
    let main = sources.add("Main.sam".to_string(), CLOSURES.as_bytes().to_vec());
    let checked = cleave_samlang::check("Main", main, &mut NoFiles, &mut sources, &mut sink);
    let program = checked.and_then(|checked| cleave_samlang::instantiate("Main", &checked, &mut sink));
    let mut module = cleave_samlang::translate(&program.ok_or("it has errors")?, Heap::Rc, None);
    let test = module.funcs.values_mut().find(|func| func.name == "Main.test").ok_or("no function to call")?;
    test.name = "test".into();
    optimise(&mut module, &["lower-apply"], Reuse::All);
    Ok(module)
}

/// Every mistake is found by the certifier, or makes no difference when the program runs.
fn mistakes() -> Result<(), String> {
    let (mut killed, mut harmless) = (0, 0);
    for seed in 0..=12 {
        let (mut module, text) = match seed {
            0 => (closures()?, CLOSURES.to_string()),
            seed => {
                let mut rng = Rng::new(seed * 1_000_003);
                let text = generate::module(&mut rng, 2);
                (cleave_ir::text::parse_module(&text).map_err(|error| error.to_string())?, text)
            }
        };
        module.heap = Heap::Rc;
        optimise(&mut module, &[table::RC_INSERTION], Reuse::All);
        let (oracle, _) = call(&module, None)?;
        if seed == 0 && oracle.is_err() {
            return Err(format!("{oracle:?}"));
        }
        for id in module.funcs.keys().collect::<Vec<_>>() {
            for mutant in mutate::mutants(&module.funcs[id]) {
                let detail = format!("seed {seed}, @{}, {}: {}", mutant.func.name, mutant.kind, mutant.detail);
                let mut changed = module.clone();
                changed.funcs[id] = mutant.func;
                // Other rules may be broken as well; callers see who owns the parameters.
                let found = changed.funcs.values().any(|func| counts::check(&changed, func).is_err())
                    || verify_module(&changed).is_err();
                if found {
                    killed += 1;
                    continue;
                }
                let (result, counters) = call(&changed, None)?;
                if result != oracle || counters.alive() != 0 {
                    return Err(format!(
                        "{detail}: not found, but {result:?}, {} cells alive\n{text}",
                        counters.alive()
                    ));
                }
                harmless += 1;
            }
        }
    }
    if killed < 500 || harmless > killed {
        return Err(format!("{killed} mistakes found, {harmless} made no difference"));
    }
    Ok(())
}
