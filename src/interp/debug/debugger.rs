//! The debugger: runs a program in steps forwards and backwards.

use super::data::{Breakpoint, Ended, Stop};
use crate::Options;
use crate::machine::{Machine, Program};
use crate::session::Session;
use crate::value::Trap;
use crate::watch::{Aim, Event, Point, Step, Watch};
use cleave_ir::Location;
use cleave_ir::abi::rc_stats::RcStats;

/// A program that is being looked at.
pub struct Debugger<'p> {
    program: &'p Program<'p>,
    options: Options,
    session: Session<'p>,
    /// The session can go on from here.
    is_live: bool,
    pub(super) here: Point,
    /// The first place of the source, or the first instruction.
    first: Point,
    ended: Option<Ended>,
    pub(super) breakpoints: Vec<Option<Breakpoint>>,
    patience: u64,
    /// The program has variables with names.
    pub(super) has_names: bool,
}

/// Instructions that are looked at when one goes back, and by how many times more if that was not enough.
const WINDOW: u64 = 4096;
const WIDER: u64 = 16;
/// Bytes that a program may print: what it shows without an end has no place to stop at.
const MAX_OUTPUT: usize = 64 << 20;

impl<'p> Debugger<'p> {
    /// Starts a program and goes to the first place of its source. The options' `pass_through` and `count_opcodes` have
    /// no meaning here: output is collected.
    pub fn new(program: &'p Program<'p>, options: Options) -> Result<Debugger<'p>, Trap> {
        let max_output = options.max_output.min(MAX_OUTPUT);
        let options = Options { pass_through: false, count_opcodes: false, max_output, ..options };
        let here = Point { time: 0, visit: None, events: Vec::new(), breakpoint: None };
        let session = session(program, &options)?;
        let mut funcs = program.module.funcs.values();
        let mut debugger = Debugger {
            program,
            options,
            session,
            is_live: false,
            first: here.clone(),
            here,
            ended: None,
            breakpoints: Vec::new(),
            patience: u64::MAX,
            has_names: funcs.any(|func| func.source.as_ref().is_some_and(|source| !source.names.is_empty())),
        };
        debugger.run(debugger.here.clone(), Aim::Time(0))?;
        if program.module.source.is_some() {
            debugger.forward(Step::Into);
        }
        debugger.first = debugger.here.clone();
        Ok(debugger)
    }

    /// Goes on until the step is done.
    pub fn forward(&mut self, step: Step) -> Stop {
        if self.ended.is_some() {
            return Stop::Ended;
        }
        let origin = self.here.clone();
        let limit = origin.time.saturating_add(self.patience);
        if let Err(trap) = self.run(origin, Aim::Forward(step)) {
            self.ended = Some(Ended { status: trap.status(), trap: Some(trap) });
        }
        match (&self.ended, self.here.breakpoint) {
            (Some(_), _) => Stop::Ended,
            (_, Some(number)) => Stop::Breakpoint(number),
            _ if self.here.time >= limit => Stop::Limit,
            _ => Stop::Stepped,
        }
    }

    /// Goes back to where the last such step ended before. `Step::End` goes to a breakpoint, or to the beginning.
    pub fn backward(&mut self, step: Step) -> Stop {
        let now = self.here.time;
        let mut window = WINDOW;
        let found = loop {
            let start = now.saturating_sub(window).max(self.first.time);
            match self.last_before(step, start) {
                Ok(None) if start > self.first.time => window = window.saturating_mul(WIDER),
                found => break found.ok().flatten(),
            }
        };
        let stop = match found.as_ref().map(|point| point.breakpoint) {
            None => Stop::Beginning,
            Some(Some(number)) => Stop::Breakpoint(number),
            Some(None) => Stop::Stepped,
        };
        self.go_to(found.unwrap_or_else(|| self.first.clone()));
        stop
    }

    /// The last end of such a step from `start` on and before now.
    fn last_before(&mut self, step: Step, start: u64) -> Result<Option<Point>, Trap> {
        let (now, depth, place) = (self.here.time, self.depth_for_steps(), self.position());
        if step == Step::Instruction {
            let time = now.saturating_sub(1);
            let point = Point { time, visit: None, events: Vec::new(), breakpoint: None };
            return Ok((now > self.first.time).then_some(point));
        }
        let origin = if start <= self.first.time {
            self.first.clone()
        } else {
            Point { time: start, visit: None, events: Vec::new(), breakpoint: None }
        };
        let first = (start <= self.first.time).then(|| self.first.clone());
        let mut watch = Watch::new(0, origin, depth, place, Aim::Backward(step, now));
        watch.breakpoints = self.addresses();
        let mut session = session(self.program, &self.options)?;
        session.machine.watch = Some(Box::new(watch));
        // However it ends: it was only looked at.
        let _ = session.machine.run_all();
        let found = session.machine.watch.take().and_then(|watch| watch.found);
        let is_place = matches!(step, Step::Into | Step::Over);
        Ok(found.or_else(|| first.filter(|first| is_place && first.time < now)))
    }

    /// Goes to a time. Its state is what it was when that time was there before.
    pub fn go_to_time(&mut self, time: u64) -> Stop {
        self.go_to(Point { time, visit: None, events: Vec::new(), breakpoint: None });
        if self.ended.is_some() { Stop::Ended } else { Stop::Stepped }
    }

    fn go_to(&mut self, point: Point) {
        self.is_live &= point.time >= self.here.time;
        if self.run(point.clone(), Aim::Time(point.time)).is_ok() && self.ended.is_none() && point.visit.is_some() {
            self.here = point;
        }
    }

    /// Runs until the aim is reached: on from here, or again from the start.
    fn run(&mut self, origin: Point, aim: Aim) -> Result<(), Trap> {
        let (depth, place) = (self.depth_for_steps(), self.position());
        let clock = if self.is_live { self.here.time } else { 0 };
        let mut watch = Watch::new(clock, origin, depth, place, aim);
        if matches!(aim, Aim::Forward(_)) {
            watch.breakpoints = self.addresses();
            watch.limit = self.here.time.saturating_add(self.patience);
        }
        if !self.is_live {
            self.session = session(self.program, &self.options)?;
        }
        self.ended = None;
        let machine = &mut self.session.machine;
        machine.watch = Some(Box::new(watch));
        let ended = if self.is_live { machine.go_on() } else { machine.run_all() };
        let watch = machine.watch.take().expect("put there above");
        self.here = watch.point();
        self.is_live = matches!(ended, Err(Trap::Paused)) && machine.nesting == 0;
        if !matches!(ended, Err(Trap::Paused)) {
            let (status, trap) = machine.ended(ended);
            self.ended = Some(Ended { status, trap });
        }
        Ok(())
    }

    /// Depth of the calls, for steps that do not go into calls. A program that has ended has no calls that a step back
    /// could stay outside of.
    fn depth_for_steps(&self) -> usize {
        if self.ended.is_some() { usize::MAX } else { self.session.machine.frames.len() }
    }

    fn position(&self) -> Option<(cleave_ir::FuncId, Location)> {
        let visit = self.here.visit?;
        Some((visit.func, visit.at))
    }

    /// Instructions that `forward` runs at most; without it a program that never ends is never left.
    pub fn set_patience(&mut self, instructions: u64) {
        self.patience = instructions;
    }

    // -- the state ----------------------------------------------------------------------------------------------------

    /// The number of instructions before this state.
    pub fn time(&self) -> u64 {
        self.here.time
    }
    /// How the program ended, if it has.
    pub fn ended(&self) -> Option<&Ended> {
        self.ended.as_ref()
    }
    /// What the last instruction did to the heap.
    pub fn events(&self) -> &[Event] {
        &self.here.events
    }
    /// What happened on the reference-counted heap so far.
    pub fn counters(&self) -> RcStats {
        self.session.machine.counters
    }
    /// Collections so far: with each of them all cells of the garbage-collected heap have got other addresses.
    pub fn collections(&self) -> u64 {
        self.session.machine.state.gc.statistics.collections
    }
    /// What the program has written to stdout so far.
    pub fn stdout(&mut self) -> &[u8] {
        let machine = &mut self.session.machine;
        if self.ended.is_none() {
            // The runtime writes in pieces. It may do so earlier: no instruction sees that.
            machine.flush_output();
        }
        &machine.host_env.stdout
    }
    /// What the program has written to stderr so far.
    pub fn stderr(&self) -> &[u8] {
        &self.session.machine.host_env.stderr
    }
    /// What is being run.
    pub fn program(&self) -> &'p Program<'p> {
        self.program
    }

    pub(crate) fn machine(&self) -> &Machine<'p> {
        &self.session.machine
    }
}

/// A run that will be looked at.
fn session<'p>(program: &'p Program<'p>, options: &Options) -> Result<Session<'p>, Trap> {
    let mut session = Session::new(program, options.clone())?;
    session.machine.is_observed = true;
    session.machine.host_env.ticks = Some(0);
    Ok(session)
}
