//! What must hold of any program in high IR that ends: it does the same in the interpreter in every phase and in every
//! engine, whatever way it is compiled and however it is run.
//!
//! The interpreter on the IR as it came says what is right. `ways` says how a program is compiled and run; an `Engine`
//! runs what was compiled: WebAssembly and machine code, others join by an implementation of that trait. References in
//! frames of the machine are for machine code alone: such a program is not interpreted after its high phase.

use super::link::Linked;
use super::ways::{Pressure, Setting, Turn, Way};
use crate::lowering;
use cleave::driver::pipeline::{self, Stop};
use cleave::driver::session::{Level, Options, Session, Target};
use cleave_interp::{Options as Limits, Program, RcStats, Trap};
use cleave_ir::data_section::{DataSectionOptions, StaticDataSection};
use cleave_ir::verify::verify_module;
use cleave_ir::{Module, Opcode, RootStrategy};
use cleave_passes::lower::osr_loops;
use cleave_passes::{roots, table};
use std::process::Child;

/// What everybody can read on stdin.
pub const STDIN: &[u8] = b"12 -7 abc\n3.5\nlast line without end";
/// Bytes of heap: enough for all that is generated.
pub const HEAP: u32 = 16 << 20;
/// Generated programs that take longer are left out: they would cost more than they tell.
pub const STEPS: u64 = 150_000;
/// Optimised and lowered programs take other numbers of steps, but not endlessly many times more.
pub const MORE_STEPS: u64 = 40;
const REGISTERS: usize = 4 << 20;
/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    Status(i32),
    DivideByZero,
    Overflow,
    StackOverflow,
    /// Took too long.
    Endless,
    /// Something that must never happen.
    Broken(String),
}

impl End {
    /// Of a process that should have answered.
    pub fn of_child(child: &mut Child) -> End {
        let status = child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        End::Broken(format!("the process ended: {status}"))
    }
}

/// All that can be seen of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub end: End,
}

impl Observed {
    pub fn broken(message: impl Into<String>) -> Observed {
        Observed { stdout: Vec::new(), stderr: Vec::new(), end: End::Broken(message.into()) }
    }
}

impl std::fmt::Display for Observed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}, stdout \"{}\"", self.end, self.stdout.escape_ascii())?;
        if self.stderr.is_empty() { Ok(()) } else { write!(f, ", stderr \"{}\"", self.stderr.escape_ascii()) }
    }
}

/// A run that did something else than the reference.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// Phase, level, strategy, engine, stress.
    pub way: String,
    pub expected: Observed,
    pub found: Observed,
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:\n  expected {}\n  found    {}", self.way, self.expected, self.found)
    }
}

/// How often each opcode occurred and was executed, over many programs.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// Programs that contain the opcode, in some phase.
    pub programs: Vec<u64>,
    pub executed: Vec<u64>,
}

impl Default for Coverage {
    fn default() -> Coverage {
        Coverage { programs: vec![0; Opcode::ALL.len()], executed: vec![0; Opcode::ALL.len()] }
    }
}

impl Coverage {
    pub fn merge(&mut self, other: &Coverage) {
        let add = |to: &mut Vec<u64>, from: &[u64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        add(&mut self.programs, &other.programs);
        add(&mut self.executed, &other.executed);
    }
}

/// What one program showed.
#[derive(Default)]
pub struct Seen {
    occurs: Vec<bool>,
    executed: Vec<u64>,
}

impl Seen {
    /// What is in a module.
    pub fn module(&mut self, module: &Module) {
        self.occurs.resize(Opcode::ALL.len(), false);
        for func in module.funcs.values() {
            for &block in &func.layout {
                func.blocks[block].insts.iter().for_each(|&i| self.occurs[func.insts[i].op as usize] = true);
            }
        }
    }
    /// What a run has executed.
    pub fn run(&mut self, executed: &[u64]) {
        self.executed.resize(Opcode::ALL.len(), 0);
        self.executed.iter_mut().zip(executed).for_each(|(sum, n)| *sum += n);
    }
    /// Adds what the program showed to that of others.
    pub fn count(&self, coverage: &mut Coverage) {
        for (programs, &occurs) in coverage.programs.iter_mut().zip(&self.occurs) {
            *programs += u64::from(occurs);
        }
        coverage.executed.iter_mut().zip(&self.executed).for_each(|(sum, n)| *sum += n);
    }
}

/// Runs compiled programs.
pub trait Engine {
    fn name(&self) -> &'static str;
    /// Can it run what is compiled this way?
    fn takes(&self, way: Way) -> bool {
        !way.needs_machine()
    }
    /// How many ways of each program it runs.
    fn most_ways(&self) -> usize {
        usize::MAX
    }
    /// Prepares a module, which is rooted and holds several programs, for `run`. `round` is for what changes from
    /// module to module.
    fn load(&mut self, linked: Linked, round: u64) -> Result<(), String>;
    /// Runs a program of the loaded module with these options of our runtime.
    fn run(&mut self, number: usize, options: &str) -> Observed;
}

/// What compiled programs make of what the interpreter has observed: faulty divisions have become messages and a
/// status.
pub fn shows(expected: &Observed) -> Observed {
    let message: &[u8] = match expected.end {
        End::DivideByZero => b"Integer division by zero.\n",
        End::Overflow => b"Integer overflow in division.\n",
        _ => return expected.clone(),
    };
    let stderr = [&expected.stderr, message].concat();
    Observed { stdout: expected.stdout.clone(), stderr, end: End::Status(255) }
}

/// Runs a module in the interpreter, with collections as a setting says. `image` is what a low module was lowered for.
pub fn interpret(
    module: &Module,
    data_section: Option<StaticDataSection>,
    setting: Option<Setting>,
    max_steps: u64,
    executed: &mut Vec<u64>,
) -> Observed {
    interpret_counting(module, data_section, setting, max_steps, executed).0
}

/// The same, and what it did with its cells, if they count references.
pub fn interpret_counting(
    module: &Module,
    data_section: Option<StaticDataSection>,
    setting: Option<Setting>,
    max_steps: u64,
    executed: &mut Vec<u64>,
) -> (Observed, RcStats) {
    let module = &*cleave_interp::expanded(module);
    let options = setting.map(|setting| format!("CLEAVE_RTS={}", setting.options()).into_bytes());
    let stress = setting.and_then(|setting| match setting.pressure {
        Pressure::Stress => Some(1),
        Pressure::Sparse(interval) => Some(interval),
        Pressure::None | Pressure::Small => None,
    });
    let limits = Limits {
        heap_limit: HEAP,
        stress,
        stdin: STDIN.to_vec(),
        environment: options.into_iter().collect(),
        max_steps,
        max_registers: REGISTERS,
        count_opcodes: true,
        ..Limits::default()
    };
    let data_section = data_section.unwrap_or_else(|| {
        pipeline::build_data_section(module, Target::Wasm, cleave_interp::data_section_options(&limits))
    });
    let program = Program::with_data_section(module, data_section);
    let outcome = match cleave_interp::Session::new(&program, limits) {
        Ok(session) => session.run_program(),
        Err(trap) => cleave_interp::Outcome::not_started(trap),
    };
    *executed = outcome.executed;
    let end = match outcome.trap {
        None => End::Status(outcome.status),
        Some(Trap::Exit(status)) => End::Status(status),
        Some(Trap::DivideByZero) => End::DivideByZero,
        Some(Trap::IntegerOverflow) => End::Overflow,
        Some(Trap::StackOverflow) => End::StackOverflow,
        Some(Trap::StepLimit) => End::Endless,
        Some(trap @ (Trap::Wrong(_) | Trap::Paused)) => End::Broken(trap.to_string()),
    };
    (Observed { stdout: outcome.stdout, stderr: outcome.stderr, end }, outcome.counters)
}

/// A program that has agreed with itself in the interpreter.
pub struct Checked {
    pub expected: Observed,
    /// Rooted, ready for engines.
    pub compiled: Vec<(Turn, Module)>,
}

/// Compares all phases in the interpreter, for each turn. Nothing if the program takes more than so many steps.
pub fn check(
    module: &Module,
    turns: &[Turn],
    steps: u64,
    coverage: &mut Coverage,
) -> Result<Option<Checked>, Box<Disagreement>> {
    let mut seen = Seen::default();
    seen.module(module);
    let mut executed = Vec::new();
    let expected = interpret(module, None, None, steps, &mut executed);
    seen.run(&executed);
    let broken = |way: String, found: Observed, expected: &Observed| {
        Box::new(Disagreement { way, expected: expected.clone(), found })
    };
    match expected.end {
        End::Endless | End::StackOverflow => return Ok(None),
        End::Broken(_) => return Err(broken("interpreter, as it came".into(), expected.clone(), &expected)),
        End::Status(_) | End::DivideByZero | End::Overflow => {}
    }
    let mut compare = |module: &Module,
                       data_section: Option<StaticDataSection>,
                       setting: Option<Setting>,
                       way: &str,
                       seen: &mut Seen| {
        let found = interpret(module, data_section, setting, steps.saturating_mul(MORE_STEPS), &mut executed);
        seen.run(&executed);
        if found == expected {
            return Ok(());
        }
        let setting = setting.map_or(String::new(), |setting| format!(", {setting}"));
        Err(broken(format!("interpreter, {way}{setting}"), found, &expected))
    };
    if let Some(turn) = turns.first() {
        compare(module, None, Some(turn.setting), "as it came", &mut seen)?;
    }
    let mut compiled = Vec::new();
    for &turn in turns {
        let way = turn.way;
        let high = optimise(module, way, turn.verifies_each);
        if way.level != Level::O0 {
            compare(&high, None, None, &format!("high, {way}"), &mut seen)?;
        }
        let rooted = root(high, way);
        seen.module(&rooted);
        if !way.needs_machine() {
            // The collector changes with the setting.
            let stress = Setting { pressure: Pressure::Stress, ..turn.setting };
            compare(&rooted, None, Some(stress), &format!("rooted, {way}"), &mut seen)?;
            if turn.interprets_low {
                let mut low = rooted.clone();
                let data_section = lowering::lower(&mut low, Target::Wasm, data_section_options());
                seen.module(&low);
                compare(&low, Some(data_section), Some(stress), &format!("low, {way}"), &mut seen)?;
            }
        }
        compiled.push((turn, rooted));
    }
    seen.count(coverage);
    Ok(Some(Checked { expected, compiled }))
}

/// Of images in which generated programs run.
pub fn data_section_options() -> DataSectionOptions {
    DataSectionOptions { heap_max: HEAP, ..DataSectionOptions::default() }
}

/// Optimises as the driver does.
fn optimise(module: &Module, way: Way, verify_each: bool) -> Module {
    let options = Options { level: way.level, disabled: way.disabled(), verify_each, ..Options::default() };
    compiled(module.clone(), options, Stop::High)
}

/// Places the roots as the driver does, and verifies the result.
fn root(mut high: Module, way: Way) -> Module {
    if way.needs_machine() {
        lowering::root(
            &mut high,
            roots::Options { strategy: RootStrategy::Stackmap, steps: way.steps(), limits: way.limits() },
        );
        verify_module(&high).unwrap_or_else(|errors| panic!("rooted, {way}: {}", errors[0]));
        return high;
    }
    if way.level != Level::O0 && !way.disabled().contains(&table::OSR_LOOPS) {
        osr_loops::run(&mut high);
    }
    let options = Options {
        level: Level::O0,
        roots: way.roots,
        steps: way.steps(),
        limits: way.limits(),
        outline: way.parts(),
        verify_each: true,
        ..Options::default()
    };
    compiled(high, options, Stop::Rooted)
}

/// High IR on its way, as the driver takes it.
pub fn compiled(module: Module, options: Options, stop: Stop) -> Module {
    let mut session = Session::new(options);
    match pipeline::compile_ir(&mut session, module, stop, &[]) {
        Ok(compiled) => compiled.into_ir(),
        Err(_) => panic!("a correct module is not compiled: {:?}", session.sink.diagnostics()),
    }
}

/// Runs programs that were checked in an engine, all at once; gives the numbers of those that disagree. Programs whose
/// frames are linked are a module of their own: where one is, nothing is captured.
pub fn check_engine(engine: &mut dyn Engine, programs: &[Checked], round: u64) -> Vec<(usize, Disagreement)> {
    let mut found = Vec::new();
    for has_chains in [false, true] {
        let mut linked = Linked::default();
        let mut runs = Vec::new();
        for (number, program) in programs.iter().enumerate() {
            let suits = |way: Way| (way.roots.strategy() == RootStrategy::Chain) == has_chains && engine.takes(way);
            let compiled = program.compiled.iter().filter(|compiled| suits(compiled.0.way));
            for (turn, module) in compiled.take(engine.most_ways()) {
                runs.push((number, turn, linked.add(module)));
            }
        }
        if runs.is_empty() {
            continue;
        }
        if let Err(message) = engine.load(linked, round) {
            let expected = Observed::broken("a module");
            let way = format!("{}: loading", engine.name());
            found.push((0, Disagreement { way, expected, found: Observed::broken(message) }));
            continue;
        }
        for (number, turn, run) in runs {
            for setting in turn.settings() {
                let observed = engine.run(run, &setting.options());
                let expected = shows(&programs[number].expected);
                if observed != expected {
                    let way = format!("{}, {}, {setting}", engine.name(), turn.way);
                    found.push((number, Disagreement { way, expected, found: observed }));
                }
            }
        }
    }
    found
}
