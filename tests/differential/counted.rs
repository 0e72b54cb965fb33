//! Differential testing of programs on the reference-counted heap: high, rooted and low IR in the interpreter, at every
//! level, without each pass, in all ways of counting and reuse; the certifier proves each, and nothing is alive at the
//! end. Then every engine prints the same.

use super::link::Linked;
use super::oracle::{Coverage, Disagreement, End, Engine, MORE_STEPS, Observed, Seen, compiled, data_section_options};
use super::oracle::{interpret_counting, shows};
use crate::lowering;
use cleave::driver::pipeline::Stop;
use cleave::driver::session::{Level, Options, Target};
use cleave_interp::RcStats;
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::verify::verify_module;
use cleave_ir::{Heap, Module};
use cleave_passes::ipo::outline;
use cleave_passes::rc_insertion::{RcInsertion, Reuse};
use cleave_passes::{memory, table};
use std::fmt;

/// How a program is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    level: Level,
    rc_insertion: RcInsertion,
    reuse: Reuse,
    /// A pass that is left out.
    without: Option<&'static str>,
    /// Functions are cut into parts as giant ones are.
    in_parts: bool,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "-{:?} --rc-insertion={} --reuse={}", self.level, self.rc_insertion.word(), self.reuse.word())?;
        if let Some(name) = self.without {
            write!(f, " --no-{name}")?;
        }
        if self.in_parts { f.write_str(" in parts") } else { Ok(()) }
    }
}

/// Every level in all ways of counting and reuse; the highest without each pass, and in parts.
pub fn all() -> Vec<Way> {
    let precise = Reuse::ALL.map(|reuse| (RcInsertion::Precise, reuse));
    let memory: Vec<(RcInsertion, Reuse)> = precise.into_iter().chain([(RcInsertion::Scoped, Reuse::None)]).collect();
    let passes = table::optional().map(|pass| pass.name);
    let passes =
        passes.filter(|name| memory::of(Heap::Rc).suits(name) && ![table::OSR_LOOPS, table::STACKLESS].contains(name));
    let removals = passes.map(|name| (Level::O2, Some(name), false));
    let levels = [Level::O0, Level::O1, Level::O2].map(|level| (level, None, false));
    let mut ways = Vec::new();
    for (level, without, in_parts) in levels.into_iter().chain(removals).chain([(Level::O2, None, true)]) {
        let way = |&(rc_insertion, reuse): &(RcInsertion, Reuse)| Way { level, rc_insertion, reuse, without, in_parts };
        ways.extend(memory.iter().map(way));
    }
    ways
}

/// The ways of a program that goes `count` of them. Neighbours are of other levels and other reuse.
pub fn of_program(ways: &[Way], number: u64, count: u64) -> Vec<Way> {
    (0..count).map(|at| ways[((number * count + at) % ways.len() as u64) as usize]).collect()
}

/// A program that has agreed with itself in the interpreter.
pub struct Checked {
    pub expected: Observed,
    compiled: Vec<(Way, Module)>,
}

/// Compares all phases in the interpreter. Nothing if the program takes more than so many steps.
pub fn check(
    module: &Module,
    ways: &[Way],
    steps: u64,
    coverage: &mut Coverage,
) -> Result<Option<Checked>, Box<Disagreement>> {
    let mut seen = Seen::default();
    seen.module(module);
    let mut executed = Vec::new();
    let (expected, _) = interpret_counting(module, None, None, steps, &mut executed);
    seen.run(&executed);
    let broken = |way: String, found: Observed| Box::new(Disagreement { way, expected: expected.clone(), found });
    match expected.end {
        End::Endless | End::StackOverflow => return Ok(None),
        End::Broken(_) => return Err(broken("interpreter, as it came".into(), expected.clone())),
        End::Status(_) | End::DivideByZero | End::Overflow => {}
    }
    let mut compare = |module: &Module, data_section: Option<StaticDataSection>, way: String, seen: &mut Seen| {
        let steps = steps.saturating_mul(MORE_STEPS);
        let (found, census) = interpret_counting(module, data_section, None, steps, &mut executed);
        seen.run(&executed);
        if found == expected { Ok(census) } else { Err(broken(format!("interpreter, {way}"), found)) }
    };
    let mut result = Vec::new();
    for &way in ways {
        let disabled: Vec<&'static str> = way.without.into_iter().collect();
        let options = Options { level: way.level, disabled, verify_each: true, ..Options::default() };
        let high = compiled(module.clone(), options, Stop::High);
        compare(&high, None, format!("high, {way}"), &mut seen)?;
        let tiny = outline::Limits { oversized: 3, part: 3, live: 2, spill_record: 3 };
        let options = Options {
            level: Level::O0,
            rc_insertion: way.rc_insertion,
            reuse: Some(way.reuse),
            outline: if way.in_parts { tiny } else { outline::Limits::default() },
            verify_each: true,
            ..Options::default()
        };
        let rooted = compiled(high, options, Stop::Rooted);
        verify_module(&rooted).unwrap_or_else(|errors| panic!("rooted, {way}: {}", errors[0]));
        seen.module(&rooted);
        let census: RcStats = compare(&rooted, None, format!("rooted, {way}"), &mut seen)?;
        if census.alive() != 0 && expected.end == End::Status(0) {
            let found = Observed::broken(format!("{} cells are alive at the end", census.alive()));
            return Err(broken(format!("interpreter, rooted, {way}"), found));
        }
        let mut low = rooted.clone();
        let data_section = lowering::lower(&mut low, Target::Wasm, data_section_options());
        seen.module(&low);
        compare(&low, Some(data_section), format!("low, {way}"), &mut seen)?;
        result.push((way, rooted));
    }
    seen.count(coverage);
    Ok(Some(Checked { expected, compiled: result }))
}

/// Runs programs that were checked in an engine, all at once; gives the numbers of those that disagree.
pub fn check_engine(engine: &mut dyn Engine, programs: &[Checked], round: u64) -> Vec<(usize, Disagreement)> {
    let mut found = Vec::new();
    let (mut linked, mut runs) = (Linked::default(), Vec::new());
    for (number, program) in programs.iter().enumerate() {
        for (way, module) in program.compiled.iter().take(engine.most_ways()) {
            runs.push((number, way, linked.add(module)));
        }
    }
    if runs.is_empty() {
        return found;
    }
    if let Err(message) = engine.load(linked, round) {
        let (way, expected) = (format!("{}: loading", engine.name()), Observed::broken("a module"));
        return vec![(0, Disagreement { way, expected, found: Observed::broken(message) })];
    }
    for (number, way, run) in runs {
        for options in ["", "--force-stackless"] {
            let observed = engine.run(run, options);
            let expected = shows(&programs[number].expected);
            if observed != expected {
                let way = format!("{}, {way} {options}", engine.name());
                found.push((number, Disagreement { way, expected, found: observed }));
            }
        }
    }
    found
}
