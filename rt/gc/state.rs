//! State of the heap and its collectors. All of it starts as zero bytes.

use crate::gc::foreign_lists::Foreign;
use crate::gc::pauses::Pauses;
use crate::layout::*;
use cleave_abi::rc_stats::RcStats;

/// Statistics, readable by an embedder at the address that `rt_statistics` returns: eight-byte counters in this order.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Statistics {
    /// Collections so far.
    pub collections: u64,
    /// Bytes that the program and the libcalls have taken from the heap.
    pub allocated_bytes: u64,
    /// Bytes that collections have copied.
    pub copied_bytes: u64,
    /// Nanoseconds spent collecting; counted only when an option asks for times or statistics.
    pub gc_ns: u64,
    /// Bytes alive after the last collection.
    pub live_after_last: u64,
    /// Highest number of bytes between the start of the heap and the last byte in use, during collections too.
    pub heap_peak: u64,
    /// Calls of `rt_collect` and reservations by libcalls: under stress, all reservations.
    pub reservations: u64,
    /// Collections that left the old objects alone.
    pub minor_collections: u64,
    /// Nanoseconds of the longest and of the shortest collection, of the processor's time where the host can tell it;
    /// counted together with `gc_ns`.
    pub longest_ns: u64,
    pub shortest_ns: u64,
    /// Nanoseconds that 99 of 100 collections did not exceed.
    pub percentile_99_ns: u64,
}

/// Byte offsets of the statistics for embedders.
pub const STATISTICS_COLLECTIONS: u32 = 0;
pub const STATISTICS_ALLOCATED_BYTES: u32 = 8;
pub const STATISTICS_COPIED_BYTES: u32 = 16;
pub const STATISTICS_GC_NS: u32 = 24;
pub const STATISTICS_LIVE_AFTER_LAST: u32 = 32;
pub const STATISTICS_HEAP_PEAK: u32 = 40;
pub const STATISTICS_RESERVATIONS: u32 = 48;
pub const STATISTICS_MINOR_COLLECTIONS: u32 = 56;
pub const STATISTICS_LONGEST_NS: u32 = 64;
pub const STATISTICS_SHORTEST_NS: u32 = 72;
pub const STATISTICS_PERCENTILE_99_NS: u32 = 80;
pub const STATISTICS_SIZE: u32 = 88;
const _: () = assert!(size_of::<Statistics>() == STATISTICS_SIZE as usize);

/// What the reference-counted heap of a program with cycles is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CycleWork {
    /// To free so many dead objects.
    Free(u32),
    /// To look for cycles, if it is time.
    CollectIfDue,
    /// To look for cycles.
    Collect,
}

/// How the heap is to behave, after build-time defaults, environment and arguments.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Hard limit of the heap in bytes, 0 for the default.
    pub heap_limit: u64,
    /// First size of the allocation area, 0 for the default.
    pub initial_heap: u64,
    /// Collect at every n-th reservation; 0 for no stress.
    pub gc_stress: u32,
    /// Show what each collection has left.
    pub show_gc: bool,
    /// Overwrite memory that has become free.
    pub poison: bool,
    /// The reference-counted heap: the program says at the end what it did.
    pub count_cells: bool,
    /// Its objects may be parts of cycles.
    pub cycles: bool,
    /// Measure the time of collections.
    pub measure: bool,
    /// Every collection copies everything: there is no nursery.
    pub copying: bool,
    /// Old objects are marked in portions.
    pub incremental: bool,
    /// Bytes of the nursery, 0 for the default.
    pub nursery: u64,
}

/// Eden, and the two places for aged objects.
pub const SPACES: u32 = 3;

/// The heap: a block of old objects and an area where the program allocates, anywhere in `base .. limit_end`.
#[derive(Clone, Copy, Debug)]
pub struct Heap {
    pub base: u32,
    /// Nothing is ever stored from here on.
    pub limit_end: u64,
    /// What the last collection left, object after object; with a nursery also what has become old since then.
    pub live_start: u32,
    pub live_end: u32,
    /// Bytes that were alive when an outermost call of the host began, or fewer; `outermost.rs`.
    pub kept: u32,
    /// Collections (the lower bits of their number) before the last such call.
    pub before_call: u32,
    /// Where the program allocates: `eden_start .. heap pointer` is used, up to `eden_end` may be.
    pub eden_start: u32,
    pub eden_end: u32,
    /// Bytes of each space of the nursery, at the base of the heap, of which eden is one; 0 while there is none.
    pub nursery: u32,
    /// How large eden is to be in it.
    pub sizing: Sizing,
    /// Young objects that have survived one collection.
    pub survivor_start: u32,
    pub survivor_end: u32,
    /// Old objects may take the bytes up to here.
    pub old_end: u32,
    /// Old places that may refer to young objects.
    pub remembered: Remembered,
    /// Most of what was young has survived the last collection.
    pub dense: bool,
    /// Collections since there is a nursery.
    pub rounds: u32,
    /// Collections of everything before it may come back, and what they are counted from next time.
    pub waits: u32,
    pub backoff: u32,
    /// What the nursery has cost since it was laid.
    pub cost: Cost,
    /// Bytes to be copied by collections of everything before a nursery that did not pay is tried again.
    pub copy_debt: u64,
    /// What the incremental collector knows.
    pub incremental: Incremental,
    /// Where the marks of the heap checks lie; 0 before the first check.
    pub marks: u32,
    /// Reservations since the last collection under stress.
    pub stress_count: u32,
    /// Bytes allocated before the last collection.
    pub allocated_before: u64,
}

impl Heap {
    /// Is a reference one to a young object? Immediates are none: of them the lowest bit becomes the highest one.
    #[inline(always)]
    pub fn is_young(&self, reference: u32) -> bool {
        reference.rotate_right(1).wrapping_sub(self.base / 2) < (SPACES * self.nursery).div_ceil(2)
    }
}

/// What decides how large eden is (`size.rs`).
#[derive(Clone, Copy, Debug)]
pub struct Sizing {
    /// Bytes that eden should have; 0 for the first size.
    pub size: u32,
    /// Bytes allocated since it was last judged, and what collections of the nursery have cost meanwhile.
    pub allocated: u64,
    pub cost: u64,
    /// The spaces of the nursery are smaller than that.
    pub short: bool,
    /// Rate of cost before eden was doubled for a trial; 0 if it was not.
    pub tried: u64,
    /// Windows before the next trial, and how many it will be after a trial in vain.
    pub waits: u32,
    pub backoff: u32,
}

impl Sizing {
    pub const NOTHING: Sizing = Sizing { size: 0, allocated: 0, cost: 0, short: false, tried: 0, waits: 0, backoff: 0 };
}

/// Counters at the end of the collection of everything after which the nursery was laid.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// There was a nursery since then.
    pub counts: bool,
    /// Bytes that had been allocated and copied then.
    pub allocated: u64,
    pub copied: u64,
    /// Remembered places that were visited since.
    pub places: u64,
}

impl Cost {
    pub const NOTHING: Cost = Cost { counts: false, allocated: 0, copied: 0, places: 0 };
}

/// Slots of a block.
pub const BLOCK_SLOTS: u32 = 64;
/// Bytes of a word of bits.
pub const WORD: u32 = 8;
/// Entries of the list under stress, so that it is full now and then.
const STRESS_ENTRIES: u32 = 6;

/// What is remembered, beside the list and the bits themselves.
#[derive(Clone, Copy, Debug)]
pub struct Remembered {
    /// The list: `start .. top`, at most up to `end`.
    pub start: u32,
    pub top: u32,
    pub end: u32,
    /// Address of the bits; 0 while the list is enough.
    pub bits: u32,
    pub summary: u32,
    /// The first bit is that of the slot at this address.
    pub covered: u32,
    /// Blocks with marks lie in this range.
    pub first_block: u32,
    pub last_block: u32,
    /// Marked places, and how many of them are objects.
    pub marked: u32,
    pub marked_objects: u32,
    /// Not everything could be remembered.
    pub forgotten: bool,
}

impl Remembered {
    pub const NOTHING: Remembered = Remembered {
        start: 0,
        top: 0,
        end: 0,
        bits: 0,
        summary: 0,
        covered: 0,
        first_block: 0,
        last_block: 0,
        marked: 0,
        marked_objects: 0,
        forgotten: false,
    };

    /// An empty list between two addresses.
    pub fn in_list(start: u32, end: u32, stress: bool) -> Remembered {
        let end = if stress { end.min(start + STRESS_ENTRIES * SLOT) } else { end };
        Remembered { start, top: start, end, ..Remembered::NOTHING }
    }

    /// Objects that may be remembered, at most.
    pub fn objects(&self) -> u32 {
        (self.top - self.start) / SLOT + self.marked_objects
    }

    /// Places that a collection will visit, at most.
    pub fn places(&self) -> u32 {
        (self.top - self.start) / SLOT + self.marked
    }

    /// Was the list ever full since everything was collected?
    pub fn is_marked(&self) -> bool {
        self.bits != 0
    }

    /// End of all that is used for it.
    pub fn memory_end(&self) -> u32 {
        self.end.max(if self.bits == 0 {
            0
        } else {
            self.summary + (self.summary - self.bits).div_ceil(BLOCK_SLOTS) + WORD
        })
    }
}

/// Where functions go on that were captured (`base/stackless.rs`).
#[derive(Clone, Copy, Debug)]
pub struct Stackless {
    /// The memory of records and of the shadow stack there; `end` is 0 before the first use.
    pub start: u32,
    pub end: u32,
    /// While captured frames wait or go on: the shadow-stack pointer of who has called the first one. Otherwise 0.
    pub outer: u32,
    /// The shadow-stack pointer of the function that was captured last, where it was.
    pub innermost: u32,
}

/// Bytes of a line of `holes.rs`: the slots for which a word of marks has bits.
pub const LINE: u32 = 32 * SLOT;

/// What the incremental collector is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Idle,
    Clearing,
    Marking,
}

/// What is known of the old objects; nothing while `bits` is 0.
#[derive(Clone, Copy, Debug)]
pub struct Incremental {
    pub phase: Phase,
    /// Where the log of `holes.rs` is, and the pieces in it.
    pub log: u32,
    pub pieces: u32,
    /// Where the bits are. The first one is that of the slot at `start`.
    pub bits: u32,
    pub start: u32,
    /// End of all tables.
    pub tables_end: u32,
    /// First address of an old object.
    pub first: u32,
    /// What lies from here on is alive.
    pub limit: u32,
    /// Bits up to this address have been erased.
    pub cleared: u32,
    /// Where the search for holes goes on, and what is left of the last one.
    pub cursor: u32,
    pub hole: u32,
    pub hole_end: u32,
    /// Holes for large objects are searched from here downwards.
    pub high: u32,
    /// The stack of `mark.rs`, and segments that are not used.
    pub stack_top: u32,
    pub stack_end: u32,
    pub spare_segment: u32,
    /// There was no memory for the stack.
    pub failed: bool,
    /// Bytes of the objects that were marked in this cycle.
    pub marked: u64,
    /// Bytes that have become old since the last cycle, and how many there may be before the next one.
    pub promoted: u64,
    /// Those of large objects since the last collection.
    pub large: u64,
    pub pace: u64,
    /// Cycles that have ended.
    pub cycles: u32,
}

/// What the incremental collector is asked for: it is a part of the runtime that takes and gives nothing
/// (`Context::incremental`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request {
    Begin,
    Lay,
    MakeRoom,
    TakeLarge,
    Large,
    Portion,
    ObjectWritten,
    SlotsWritten,
    Copy,
}

impl Incremental {
    pub const NOTHING: Incremental = Incremental {
        phase: Phase::Idle,
        log: 0,
        pieces: 0,
        bits: 0,
        start: 0,
        tables_end: 0,
        first: 0,
        limit: 0,
        cleared: 0,
        cursor: 0,
        hole: 0,
        hole_end: 0,
        high: 0,
        stack_top: 0,
        stack_end: 0,
        spare_segment: 0,
        failed: false,
        marked: 0,
        promoted: 0,
        large: 0,
        pace: 0,
        cycles: 0,
    };

    /// The first whole line of old objects.
    pub fn first_line(&self) -> u32 {
        (self.first + LINE - 1) & !(LINE - 1)
    }
}

pub struct State {
    /// Address of the program record.
    pub program: u32,
    /// The shadow stack is empty when its pointer is here.
    pub stack_base: u32,
    pub stackless: Stackless,
    pub heap: Heap,
    /// What the incremental collector has last been asked for, with its arguments, or its answer.
    pub request: (Request, [u32; 2]),
    /// What the reference-counted heap is asked for, on a target where that is a part of the runtime.
    pub cycle_work: CycleWork,
    pub foreign: Foreign,
    pub options: Options,
    pub statistics: Statistics,
    pub pauses: Pauses,
    pub rc_stats: RcStats,
}

impl State {
    pub const EMPTY: State = State {
        program: 0,
        stack_base: 0,
        stackless: Stackless { start: 0, end: 0, outer: 0, innermost: 0 },
        heap: Heap {
            base: 0,
            limit_end: 0,
            live_start: 0,
            live_end: 0,
            kept: 0,
            before_call: 0,
            eden_start: 0,
            eden_end: 0,
            nursery: 0,
            sizing: Sizing::NOTHING,
            survivor_start: 0,
            survivor_end: 0,
            old_end: 0,
            remembered: Remembered::NOTHING,
            dense: false,
            rounds: 0,
            waits: 0,
            backoff: 0,
            cost: Cost::NOTHING,
            copy_debt: 0,
            incremental: Incremental::NOTHING,
            marks: 0,
            stress_count: 0,
            allocated_before: 0,
        },
        request: (Request::Begin, [0; 2]),
        cycle_work: CycleWork::Free(0),
        foreign: Foreign::NOTHING,
        options: Options {
            heap_limit: 0,
            initial_heap: 0,
            gc_stress: 0,
            show_gc: false,
            poison: false,
            count_cells: false,
            cycles: false,
            measure: false,
            copying: false,
            incremental: false,
            nursery: 0,
        },
        statistics: Statistics {
            collections: 0,
            allocated_bytes: 0,
            copied_bytes: 0,
            gc_ns: 0,
            live_after_last: 0,
            heap_peak: 0,
            reservations: 0,
            minor_collections: 0,
            longest_ns: 0,
            shortest_ns: 0,
            percentile_99_ns: 0,
        },
        pauses: Pauses::NONE,
        rc_stats: RcStats::NOTHING,
    };

    /// The pieces of the shadow stack when its pointer is `sp`.
    pub fn stack(&self, sp: u32) -> [(u32, u32); 2] {
        match self.stackless.outer {
            0 => [(sp, self.stack_base), (0, 0)],
            outer => [(sp, self.stackless.end), (outer, self.stack_base)],
        }
    }

    /// Bytes of the shadow stack when its pointer is `sp`.
    pub fn stack_bytes(&self, sp: u32) -> u32 {
        self.stack(sp).iter().map(|&(start, end)| end.saturating_sub(start)).sum()
    }

    /// Everything below this address has been in use, but for what eden leaves of the spaces of the nursery.
    pub fn note_peak(&mut self, end: u64) {
        let heap = &self.heap;
        let (spaces, bytes) = (SPACES * heap.nursery, end - u64::from(heap.base));
        let eden = heap.eden_end - heap.eden_start;
        let unused = if bytes >= spaces.into() { spaces.saturating_sub(SPACES * eden) } else { 0 };
        let unused = u64::from(unused) + self.unused_tables(bytes);
        let bytes = bytes.saturating_sub(unused);
        if bytes > self.statistics.heap_peak {
            self.statistics.heap_peak = bytes;
        }
    }

    /// What the incremental collector reserves of so many bytes from the base of the heap on, and does not use: of the
    /// spaces of the nursery before eden, and of tables for old objects that do not exist.
    fn unused_tables(&self, bytes: u64) -> u64 {
        let heap = &self.heap;
        if !self.options.incremental || heap.nursery == 0 {
            return 0;
        }
        let (spaces, eden) = (u64::from(SPACES * heap.nursery), u64::from(heap.eden_end - heap.eden_start));
        if bytes < spaces {
            return u64::from(heap.nursery).saturating_sub(eden);
        }
        let tables = u64::from(heap.live_start - heap.base).saturating_sub(spaces);
        tables.saturating_sub(u64::from(heap.live_end - heap.live_start) / 16)
    }
}
