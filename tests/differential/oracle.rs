//! What must hold of any program in high IR that ends: it does the same in the interpreter in every phase, at every
//! level of optimisation, for every strategy of roots, with collections at every safepoint and without, and in every
//! engine.
//!
//! The interpreter on the IR as it came says what is right. `LEVELS` and `placements` span what is compiled; an
//! `Engine` runs what was compiled: WebAssembly and machine code, others join by an implementation of that trait. A new strategy
//! joins by being a value of `Roots`.

use super::link::Linked;
use cleave::driver::pipeline::{self, Stop};
use cleave::driver::session::{Level, Options, Roots, Session, Target};
use cleave_interp::{Options as Limits, Program, Trap};
use cleave_ir::image::Image;
use cleave_ir::{Module, Opcode};
use cleave_passes::lower;
use cleave_passes::roots::{self, Steps};

pub const LEVELS: [Level; 3] = [Level::O0, Level::O1, Level::O2];

/// How roots are placed in a program: by two strategies that change from program to program; `late` in every other one
/// without some of its steps.
fn placements(number: u64) -> Vec<(Roots, Steps)> {
    let all = Roots::all();
    let off = roots::STEPS.iter().enumerate().filter(|(at, _)| number % 2 == 1 && number >> (at % 7 + 1) & 1 != 0);
    let steps = off.fold(Steps::default(), |steps, (_, row)| steps.without(row.0));
    vec![(all[number as usize % all.len()], Steps::default()), (Roots::Late, steps)]
}

/// How many ways of compiling each program goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Breadth {
    /// Every level, with two placements of roots each.
    All,
    /// One of them, which changes from program to program.
    One,
}

/// What everybody can read on stdin.
pub const STDIN: &[u8] = b"12 -7 abc\n3.5\nlast line without end";
/// Bytes of heap: enough for all that is generated.
pub const HEAP: u32 = 16 << 20;
/// Generated programs that take longer are left out: they would cost more than they tell.
pub const STEPS: u64 = 150_000;
/// Optimised and lowered programs take other numbers of steps, but not endlessly many times more.
const MORE_STEPS: u64 = 40;
const REGISTERS: usize = 4 << 20;
/// One in so many programs is verified after every optimisation of a level (in release builds).
const VERIFIED: usize = 8;

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
struct Seen {
    occurs: Vec<bool>,
    executed: Vec<u64>,
}

impl Seen {
    fn module(&mut self, module: &Module) {
        self.occurs.resize(Opcode::ALL.len(), false);
        for func in module.funcs.values() {
            for &block in &func.layout {
                func.blocks[block].insts.iter().for_each(|&i| self.occurs[func.insts[i].op as usize] = true);
            }
        }
    }
    fn run(&mut self, executed: &[u64]) {
        self.executed.resize(Opcode::ALL.len(), 0);
        self.executed.iter_mut().zip(executed).for_each(|(sum, n)| *sum += n);
    }
}

/// What makes an engine collect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pressure {
    /// Nothing but the program itself.
    None,
    /// Every reservation.
    Stress,
    /// A small heap to begin with: some collections, at other places than under stress.
    SmallHeap,
}

impl Pressure {
    pub const ALL: [Pressure; 3] = [Pressure::None, Pressure::Stress, Pressure::SmallHeap];

    /// Options for our runtime.
    pub fn options(self) -> &'static str {
        match self {
            Pressure::None => "",
            Pressure::Stress => "--gc-stress=1 --poison",
            Pressure::SmallHeap => "-gci 2k --poison",
        }
    }
}

/// Runs compiled programs.
pub trait Engine {
    fn name(&self) -> &'static str;
    /// Prepares a module, which is rooted and holds several programs, for `run`.
    fn load(&mut self, linked: Linked) -> Result<(), String>;
    /// Runs a program of the loaded module.
    fn run(&mut self, number: usize, pressure: Pressure) -> Observed;
    /// What this engine makes of what the interpreter has observed.
    fn shows(&self, expected: &Observed) -> Observed {
        expected.clone()
    }
}

/// Runs a module in the interpreter. `image` is what a low module was lowered for.
pub fn interpret(
    module: &Module,
    image: Option<Image>,
    stress: Option<u32>,
    max_steps: u64,
    executed: &mut Vec<u64>,
) -> Observed {
    let limits = Limits {
        heap_limit: HEAP,
        stress,
        stdin: STDIN.to_vec(),
        max_steps,
        max_registers: REGISTERS,
        count_opcodes: true,
        ..Limits::default()
    };
    let image =
        image.unwrap_or_else(|| pipeline::build_image(module, Target::Wasm, cleave_interp::image_options(&limits)));
    let program = Program::with_image(module, image);
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
        Some(trap @ Trap::Internal(_)) => End::Broken(trap.to_string()),
    };
    Observed { stdout: outcome.stdout, stderr: outcome.stderr, end }
}

/// A program that has agreed with itself in the interpreter.
pub struct Checked {
    pub expected: Observed,
    /// Rooted, ready for engines, with a name each.
    pub compiled: Vec<(String, Module)>,
}

/// Compares all phases in the interpreter. Nothing if the program takes more than so many steps. `number` chooses what
/// is tried at one level only, so that others try it at the others.
pub fn check(
    module: &Module,
    number: u64,
    steps: u64,
    breadth: Breadth,
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
    let mut compare = |module: &Module, image: Option<Image>, stress: Option<u32>, way: String, seen: &mut Seen| {
        let found = interpret(module, image, stress, steps.saturating_mul(MORE_STEPS), &mut executed);
        seen.run(&executed);
        if found == expected { Ok(()) } else { Err(broken(way, found, &expected)) }
    };
    compare(module, None, Some(1), "interpreter, as it came, stress".into(), &mut seen)?;
    let mut compiled = Vec::new();
    for (at, level) in LEVELS.into_iter().enumerate() {
        if breadth == Breadth::One && number as usize % LEVELS.len() != at {
            continue;
        }
        // After every pass where that is cheap enough: what is wrong in between shows at the end, too.
        let verify_each = number as usize % VERIFIED == at;
        let high = compile(module, level, (Roots::default(), Steps::default()), Stop::High, verify_each);
        if level != Level::O0 {
            compare(&high, None, None, format!("interpreter, high, {level:?}"), &mut seen)?;
        }
        let mut placements = placements(number + at as u64);
        if breadth == Breadth::One {
            placements.swap_remove((number / LEVELS.len() as u64 % 2) as usize);
        }
        for roots in placements {
            let rooted = compile(&high, Level::O0, roots, Stop::Rooted, true);
            seen.module(&rooted);
            let way = format!("{level:?}, {:?}, {:?}", roots.0, roots.1);
            compare(&rooted, None, Some(1), format!("interpreter, rooted, {way}, stress"), &mut seen)?;
            if number as usize % LEVELS.len() == at {
                let (low, image) = lowered(&rooted);
                seen.module(&low);
                compare(&low, Some(image), Some(1), format!("interpreter, low, {way}, stress"), &mut seen)?;
            }
            compiled.push((way, rooted));
        }
    }
    for (opcode, occurs) in seen.occurs.iter().enumerate() {
        coverage.programs[opcode] += u64::from(*occurs);
    }
    coverage.executed.iter_mut().zip(&seen.executed).for_each(|(sum, n)| *sum += n);
    Ok(Some(Checked { expected, compiled }))
}

/// Compiles as the driver does.
fn compile(module: &Module, level: Level, placement: (Roots, Steps), stop: Stop, verify_each: bool) -> Module {
    let (roots, steps) = placement;
    let mut session = Session::new(Options { level, roots, steps, verify_each, ..Options::default() });
    match pipeline::compile_ir(&mut session, module.clone(), stop, &[]) {
        Ok(compiled) => compiled.module,
        Err(_) => panic!("a correct module is not compiled: {:?}", session.sink.diagnostics()),
    }
}

/// The last pass before a back end, and the addresses that it has used.
pub fn lowered(rooted: &Module) -> (Module, Image) {
    let mut low = rooted.clone();
    let options = cleave_ir::image::ImageOptions { heap_max: HEAP, ..Default::default() };
    let image = pipeline::build_image(&low, Target::Wasm, options);
    lower::run(&mut low, &image);
    (low, image)
}

/// Runs programs that were checked in an engine, all at once; gives the numbers of those that disagree.
pub fn check_engine(engine: &mut dyn Engine, programs: &[Checked]) -> Vec<(usize, Disagreement)> {
    let mut linked = Linked::default();
    let mut runs = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        for (way, module) in &program.compiled {
            runs.push((number, way, linked.add(module)));
        }
    }
    let mut found = Vec::new();
    if let Err(message) = engine.load(linked) {
        let expected = Observed::broken("a module");
        let way = format!("{}: loading", engine.name());
        return vec![(0, Disagreement { way, expected, found: Observed::broken(message) })];
    }
    for (number, way, run) in runs {
        for pressure in Pressure::ALL {
            let observed = engine.run(run, pressure);
            let expected = engine.shows(&programs[number].expected);
            if observed != expected {
                let way = format!("{}, {way}, {pressure:?}", engine.name());
                found.push((number, Disagreement { way, expected, found: observed }));
            }
        }
    }
    found
}
