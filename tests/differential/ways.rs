//! Which ways a program goes: how it is compiled, by which collector and under which pressure it is run.
//!
//! A *way* is a level, a strategy of roots, and at most one pass or step of the strategy that is left out; `all` lists
//! those that differ. Each compiled program runs three times in each engine: under stress with either collector, of
//! which one run captures functions, and in one of `SETTINGS`. Which way and which setting follows from a counter
//! alone: number of the program × ways of each program + number of the way. Its digits in a mixed radix are the way,
//! the setting, and what is done more rarely; all but the first are shifted by the way, so that short runs see some of
//! everything. Thus every combination comes as often as every other one, whatever the number of ways (`tests` counts
//! them).

use cleave::driver::session::{Level, Roots};
use cleave_passes::ipo::outline;
use cleave_passes::roots::{LATE_OPTIONS, LateOption, LateOptions, Limits};
use cleave_passes::table;
use std::fmt;

/// What is left out of the compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Removal {
    Nothing,
    /// A pass, by its name.
    Pass(&'static str),
    /// A step of the strategy `late`, and its name.
    LateOption(LateOption, &'static str),
    /// Nothing, but roots are placed as in large functions.
    Far,
    /// Nothing, but functions are cut into parts as giant ones are.
    Parts,
}

/// How a program is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    pub level: Level,
    pub roots: Roots,
    pub removal: Removal,
}

impl Way {
    /// False if the command line cannot ask for it.
    pub fn has_flags(self) -> bool {
        !matches!(self.removal, Removal::Far | Removal::Parts)
    }
    /// Passes that are left out.
    pub fn disabled(self) -> Vec<&'static str> {
        if let Removal::Pass(name) = self.removal { vec![name] } else { Vec::new() }
    }
    /// Steps of the strategy that are not left out.
    pub fn steps(self) -> LateOptions {
        if let Removal::LateOption(step, _) = self.removal {
            LateOptions::default().without(step)
        } else {
            LateOptions::default()
        }
    }
    /// Where roots are placed by the rule for large functions.
    pub fn limits(self) -> Limits {
        if self.removal == Removal::Far { Limits { work: 0, far: 0 } } else { Limits::default() }
    }
    /// Which functions are cut: nearly all, into parts of few instructions that take few values.
    pub fn parts(self) -> outline::Limits {
        let tiny = outline::Limits { oversized: 3, part: 3, live: 2, spill_record: 3 };
        if self.removal == Removal::Parts { tiny } else { outline::Limits::default() }
    }
    /// Only machine code keeps references in its own frames.
    pub fn needs_machine(self) -> bool {
        self.roots == Roots::Stackmap
    }
    /// For the table of a campaign: the level, or what is left out of the highest.
    fn removal_name(self) -> String {
        match self.removal {
            Removal::Nothing => format!("{:?}", self.level),
            Removal::Pass(name) => format!("no-{name}"),
            Removal::LateOption(_, name) => format!("no-root-{name}"),
            Removal::Far => "far-values".into(),
            Removal::Parts => "parts".into(),
        }
    }
}

/// The options of the command.
impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "-{:?} --roots={}", self.level, self.roots.strategy().word().replace('_', "-"))?;
        if self.removal == Removal::Nothing { Ok(()) } else { write!(f, " --{}", self.removal_name()) }
    }
}

/// All strategies, machine code's own one last.
pub fn strategies() -> Vec<Roots> {
    let mut all = Roots::all();
    all.push(Roots::Stackmap);
    all
}

/// Every level under every strategy, with nothing left out.
pub fn plain() -> Vec<Way> {
    let levels = [Level::O0, Level::O1, Level::O2];
    let of = |roots| levels.map(|level| Way { level, roots, removal: Removal::Nothing });
    strategies().into_iter().flat_map(of).collect()
}

/// Those and the highest level without each pass alone, without each step of the strategy that has steps, with roots
/// placed as in large functions where a strategy does that, and with functions in parts. A strategy without steps knows
/// leaves; two passes are there for WebAssembly alone.
pub fn all() -> Vec<Way> {
    let mut ways = plain();
    for roots in strategies() {
        let passes = table::optional().map(|pass| pass.name);
        let wasm_alone = [table::OSR_LOOPS, table::STACKLESS];
        let passes = passes.filter(|name| !wasm_alone.contains(name) || roots != Roots::Stackmap);
        let steps = LATE_OPTIONS.iter().filter(|row| roots == Roots::Late || row.0 == LateOption::GcLeaf);
        let removals = passes.map(Removal::Pass).chain(steps.map(|row| Removal::LateOption(row.0, row.1)));
        let far = matches!(roots, Roots::Late | Roots::Lazy).then_some(Removal::Far);
        let parts = (roots != Roots::Stackmap).then_some(Removal::Parts);
        let removals = removals.chain(far).chain(parts);
        ways.extend(removals.map(|removal| Way { level: Level::O2, roots, removal }));
    }
    ways
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Collector {
    Generational,
    Copying,
}

/// What makes an engine collect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pressure {
    /// Nothing but the program itself.
    None,
    /// Every reservation.
    Stress,
    /// Every reservation of this number: objects become old at other places, and are overwritten when they are.
    Sparse(u32),
    /// A small heap, or nursery, to begin with.
    Small,
}

/// How a compiled program is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    pub collector: Collector,
    pub pressure: Pressure,
    /// Functions that recurse are captured at each call.
    pub is_captured: bool,
}

impl Setting {
    /// Options for our runtime. The smallest nursery that there is: large objects are old from the start.
    pub fn options(self) -> String {
        let collector = match (self.collector, self.pressure) {
            (Collector::Copying, Pressure::Small) => "--gc=copying -gci 2k",
            (Collector::Copying, _) => "--gc=copying",
            (Collector::Generational, Pressure::None) => "--gc=generational",
            (Collector::Generational, _) => "--gc=generational --nursery=16k",
        };
        let pressure = match self.pressure {
            Pressure::None => String::new(),
            Pressure::Small => " --poison".into(),
            Pressure::Stress => " --gc-stress=1 --poison".into(),
            Pressure::Sparse(interval) => format!(" --gc-stress={interval} --poison"),
        };
        collector.to_string() + &pressure + if self.is_captured { " --force-stackless" } else { "" }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CLEAVE_RTS=\"{}\"", self.options())
    }
}

const fn calm(collector: Collector, pressure: Pressure) -> Setting {
    Setting { collector, pressure, is_captured: false }
}

/// Settings beside stress; the interval stands for any.
pub const SETTINGS: [Setting; 6] = [
    calm(Collector::Generational, Pressure::Sparse(0)),
    calm(Collector::Copying, Pressure::Small),
    calm(Collector::Generational, Pressure::Small),
    calm(Collector::Copying, Pressure::Sparse(0)),
    calm(Collector::Generational, Pressure::None),
    calm(Collector::Copying, Pressure::None),
];
/// One in so many compiled programs is also interpreted as low IR.
pub const LOW: u64 = 3;
/// One in so many is verified after every optimisation (in release builds).
pub const VERIFIED: u64 = 8;
/// Intervals of `Pressure::Sparse`: from two on, so many.
const INTERVALS: u64 = 13;

/// What becomes of a program once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    pub way: Way,
    /// Number of the way, and of the setting.
    pub place: (usize, usize),
    pub setting: Setting,
    pub interprets_low: bool,
    pub verifies_each: bool,
    /// Which of the runs capture functions: one of the two under stress.
    stackless_first: bool,
}

impl Turn {
    /// The turn of a counter.
    pub fn of(ways: &[Way], counter: u64) -> Turn {
        let mut rest = counter;
        let mut digit = |radix: usize, shift: u64| {
            let digit = (rest + shift) % radix as u64;
            rest /= radix as u64;
            digit
        };
        let way = digit(ways.len(), 0);
        let setting = digit(SETTINGS.len(), way) as usize;
        let interprets_low = digit(LOW as usize, way) == 0;
        let verifies_each = digit(VERIFIED as usize, way) == 0;
        let stackless_first = digit(2, way) == 0;
        let mut chosen = SETTINGS[setting];
        if let Pressure::Sparse(interval) = &mut chosen.pressure {
            *interval = 2 + (counter % INTERVALS) as u32;
        }
        let place = (way as usize, setting);
        Turn { way: ways[way as usize], place, setting: chosen, interprets_low, verifies_each, stackless_first }
    }

    /// The turns of a program that goes `count` ways.
    pub fn of_program(ways: &[Way], number: u64, count: u64) -> Vec<Turn> {
        (0..count).map(|at| Turn::of(ways, number * count + at)).collect()
    }

    /// How the compiled program is run in each engine.
    pub fn settings(self) -> [Setting; 3] {
        let stress = |collector, is_captured| Setting { collector, pressure: Pressure::Stress, is_captured };
        let (first, second) = (self.stackless_first, !self.stackless_first);
        [
            stress(Collector::Generational, first),
            stress(Collector::Copying, second),
            Setting { is_captured: first, ..self.setting },
        ]
    }
}

/// How many programs took each turn.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    ways: Vec<Way>,
    counts: Vec<[u64; SETTINGS.len()]>,
}

impl Tally {
    pub fn new(ways: &[Way]) -> Tally {
        Tally { ways: ways.to_vec(), counts: vec![[0; SETTINGS.len()]; ways.len()] }
    }
    pub fn add(&mut self, turn: Turn) {
        self.counts[turn.place.0][turn.place.1] += 1;
    }
    pub fn merge(&mut self, other: &Tally) {
        let sums = self.counts.iter_mut().flatten();
        sums.zip(other.counts.iter().flatten()).for_each(|(sum, count)| *sum += count);
    }
    /// Fewest and most programs of any combination of way and setting.
    pub fn bounds(&self) -> (u64, u64) {
        let counts = || self.counts.iter().flatten().copied();
        (counts().min().unwrap_or(0), counts().max().unwrap_or(0))
    }

    /// Programs by a property of the way, in the order of their first one.
    fn by_way(&self, name: impl Fn(Way) -> String) -> Vec<(String, u64)> {
        let mut rows: Vec<(String, u64)> = Vec::new();
        for (way, counts) in self.ways.iter().zip(&self.counts) {
            let (name, count) = (name(*way), counts.iter().sum::<u64>());
            match rows.iter_mut().find(|row| row.0 == name) {
                Some(row) => row.1 += count,
                None => rows.push((name, count)),
            }
        }
        rows
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setting = |(at, setting): (usize, &Setting)| {
            let pressure = match setting.pressure {
                Pressure::Sparse(_) => "sparse".to_string(),
                pressure => format!("{pressure:?}").to_lowercase(),
            };
            let name = format!("{:?} {pressure}", setting.collector).to_lowercase();
            (name, self.counts.iter().map(|counts| counts[at]).sum())
        };
        let settings: Vec<(String, u64)> = SETTINGS.iter().enumerate().map(setting).collect();
        let strategies = self.by_way(|way| way.roots.strategy().word().to_string());
        let removals = self.by_way(Way::removal_name);
        for (title, rows) in [
            ("strategies", strategies),
            ("levels and removals", removals),
            ("beside stress with both collectors", settings),
        ] {
            let cells: Vec<String> = rows.iter().map(|(name, count)| format!("{name} {count}")).collect();
            writeln!(f, "{title}: {}", cells.join(", "))?;
        }
        let (least, most) = self.bounds();
        let combinations = self.counts.len() * SETTINGS.len();
        write!(f, "each of {combinations} combinations of strategy, removal and setting: {least} to {most} times")
    }
}
