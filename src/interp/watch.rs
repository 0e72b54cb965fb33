//! Stop conditions of the debugger: what it waits for while a program runs. Time is the number of instructions executed
//! so far: since a run is the same whenever it is repeated, a time names a state.
//!
//! A *visit* is what one sees as one place of the source: instructions of one activation that come from one location,
//! executed one after the other. Stepping goes from the start of a visit to that of the next one.

use cleave_ir::{FuncId, Location, Opcode};

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// To the next instruction of the IR.
    Instruction,
    /// To the next place of the source, in whatever function it is.
    Into,
    /// The same, but calls on the way are one step.
    Over,
    /// To the next line; calls on the way are one step.
    Line,
    /// Until the function has returned.
    Out,
    /// Until a cell was taken from the heap.
    Allocation,
    /// Until a reference was given up, or a cell.
    Release,
    /// Until a cell was overwritten.
    Write,
    /// Until the graph of cells is another one: a cell is new, gone, used again or overwritten.
    Change,
    /// Until garbage was collected.
    Collection,
    /// To the end of the program.
    End,
}

impl Step {
    /// In the order of their numbers.
    pub const ALL: [Step; 11] = [
        Step::Instruction,
        Step::Into,
        Step::Over,
        Step::Line,
        Step::Out,
        Step::Allocation,
        Step::Release,
        Step::Write,
        Step::Change,
        Step::Collection,
        Step::End,
    ];
}

/// What happened to the heap, with the cell that it happened to where that is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// What it was.
    pub kind: EventKind,
    /// Its address after the event.
    pub object: Option<u32>,
}

/// What happens to cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventKind {
    /// A cell was taken from the heap.
    Allocated,
    /// A node was written over a dead one.
    Reused,
    /// A cell went back to the heap.
    Freed,
    /// There is one reference more.
    Retained,
    /// There is one reference less.
    Released,
    /// A cell was overwritten.
    Wrote,
    /// Garbage was collected: all cells have other addresses.
    Collected,
}

impl EventKind {
    /// In the order of their numbers.
    pub const ALL: [EventKind; 7] = [
        EventKind::Allocated,
        EventKind::Reused,
        EventKind::Freed,
        EventKind::Retained,
        EventKind::Released,
        EventKind::Wrote,
        EventKind::Collected,
    ];
    /// The word that tools show.
    pub const fn word(self) -> &'static str {
        match self {
            EventKind::Allocated => "allocated",
            EventKind::Reused => "reused",
            EventKind::Freed => "freed",
            EventKind::Retained => "retained",
            EventKind::Released => "released",
            EventKind::Wrote => "wrote",
            EventKind::Collected => "collected",
        }
    }
    /// Whether a step waits for this.
    pub(crate) fn is_wanted(self, step: Step) -> bool {
        use EventKind::*;
        match step {
            Step::Allocation => matches!(self, Allocated | Reused),
            Step::Release => matches!(self, Released | Freed),
            Step::Write => matches!(self, Wrote | Reused),
            Step::Change => matches!(self, Allocated | Reused | Freed | Wrote | Collected),
            Step::Collection => matches!(self, Collected),
            _ => false,
        }
    }
}

/// One place of the source while it is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// How many functions wait for this one.
    pub depth: usize,
    /// The function that is executed.
    pub func: FuncId,
    /// The place.
    pub at: Location,
    /// The last instruction of it.
    pub pc: u32,
}

/// Counters of the machine before an instruction, and that instruction: what has changed afterwards is its doing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    pub op: Opcode,
    /// Its first operand.
    pub operand: u64,
    /// Where its result goes.
    pub result: usize,
    pub heap_pointer: u32,
    pub epoch: u32,
    pub counts: [u64; 5],
    /// Low code of the reference-counted heap stores to the beginning of a cell: what stood there.
    pub first_word: Option<u32>,
}

/// What a run is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Aim {
    /// Stop at this time.
    Time(u64),
    /// Stop after the origin where the step ends, or at a breakpoint.
    Forward(Step),
    /// Note the last time before this one that ends such a step, and stop at this time.
    Backward(Step, u64),
}

/// A state to which one can return.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub time: u64,
    /// The place that was visited there.
    pub visit: Option<Visit>,
    /// What the instruction before has done.
    pub events: Vec<Event>,
    /// The breakpoint at which the program stopped there.
    pub breakpoint: Option<usize>,
}

/// Instructions that are looked at before a time that one goes to.
const LEAD: u64 = 64;

#[derive(Debug)]
pub(crate) struct Watch {
    /// Instructions executed so far.
    pub clock: u64,
    /// Nothing is looked at before this time.
    pub wake: u64,
    /// Where the step began.
    pub origin: Point,
    /// Depth and place there.
    pub depth: usize,
    pub place: Option<(FuncId, Location)>,
    pub aim: Aim,
    /// Numbers of the breakpoints, and where each stops.
    pub breakpoints: Vec<(usize, FuncId, u32)>,
    /// At most so long.
    pub limit: u64,
    pub visit: Option<Visit>,
    pub before: Option<Before>,
    pub events: Vec<Event>,
    /// Of `Aim::Backward`.
    pub found: Option<Point>,
    /// The breakpoint at which the program stands.
    pub breakpoint: Option<usize>,
}

impl Watch {
    /// For a run that begins at `clock` and is looked at from `origin` on. `depth` and `place` are those of the state
    /// that one steps from.
    pub fn new(clock: u64, origin: Point, depth: usize, place: Option<(FuncId, Location)>, aim: Aim) -> Watch {
        let wake = match aim {
            // Enough to know what the instruction before did, and mostly which place is visited.
            Aim::Time(time) => time.saturating_sub(LEAD),
            _ => origin.time,
        };
        Watch {
            clock,
            wake,
            visit: origin.visit,
            events: origin.events.clone(),
            origin,
            depth,
            place,
            aim,
            breakpoints: Vec::new(),
            limit: u64::MAX,
            before: None,
            found: None,
            breakpoint: None,
        }
    }

    /// The state at the time of the clock.
    pub fn point(&self) -> Point {
        Point { time: self.clock, visit: self.visit, events: self.events.clone(), breakpoint: self.breakpoint }
    }
}
