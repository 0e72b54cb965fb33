//! Everything the runtime remembers between two calls, in one structure.
//!
//! All of it starts as zero bytes: on Wasm the one static `State` then costs nothing in the file. Buffers are arrays in
//! place, because the runtime has no allocator.

use crate::base::options::Flush;
use crate::clean::foreign::ForeignState;
use crate::clean::foreign::path::Path;
use crate::gc::remembered::Remembered;
use crate::system::FileIdentity;

/// Statistics, readable by an embedder at the address that `rt_statistics` returns: eight-byte counters in this order.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Statistics {
    /// Collections so far.
    pub collections: u64,
    /// Bytes that the program and the services have taken from the heap.
    pub allocated_bytes: u64,
    /// Bytes that collections have copied.
    pub copied_bytes: u64,
    /// Nanoseconds spent collecting; counted only when an option asks for times or statistics.
    pub gc_ns: u64,
    /// Bytes alive after the last collection.
    pub live_after_last: u64,
    /// Highest number of bytes between the start of the heap and the last byte in use, during collections too.
    pub heap_peak: u64,
    /// Calls of `rt_collect` and reservations by services: under stress, all reservations.
    pub reservations: u64,
    /// Collections that left the old objects alone.
    pub minor_collections: u64,
    /// Nanoseconds of the longest and of the shortest collection, counted together with `gc_ns`.
    pub longest_ns: u64,
    pub shortest_ns: u64,
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
pub const STATISTICS_SIZE: u32 = 80;
const _: () = assert!(size_of::<Statistics>() == STATISTICS_SIZE as usize);

/// Options of a run, after build-time defaults, environment and arguments.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Hard limit of the heap in bytes, 0 for the default.
    pub heap_limit: u64,
    /// Bytes of the shadow stack, 0 for all there are.
    pub stack_size: u64,
    /// First size of the allocation area, 0 for the default.
    pub initial_heap: u64,
    /// Collect at every n-th reservation; 0 for no stress.
    pub gc_stress: u32,
    pub basic_values: bool,
    pub no_result: bool,
    pub ignore_options: bool,
    pub show_times: bool,
    pub show_gc: bool,
    pub show_stacks: bool,
    /// One line of statistics on stderr at the end.
    pub statistics: bool,
    /// Overwrite memory that has become free.
    pub poison: bool,
    /// Measure the time of collections without showing it.
    pub measure: bool,
    /// Every collection copies everything: there is no nursery.
    pub copying: bool,
    /// Bytes of the nursery, 0 for the default.
    pub nursery: u64,
    /// Status of a program that ends with a run-time error, for engines that refuse 255; 0 for that.
    pub failure_status: u32,
    /// When the console writes.
    pub flush: Flush,
}

/// The heap: a block of old objects and an area where the program allocates, anywhere in `base .. limit_end`.
#[derive(Clone, Copy, Debug)]
pub struct Heap {
    pub base: u32,
    /// Nothing is ever stored from here on.
    pub limit_end: u64,
    /// What the last collection left, object after object; with a nursery also what has become old since then.
    pub live_start: u32,
    pub live_end: u32,
    /// Where the program allocates: `eden_start .. heap pointer` is used, up to `eden_end` may be.
    pub eden_start: u32,
    pub eden_end: u32,
    /// Bytes of the nursery, which is eden then, at the base of the heap; 0 while there is none.
    pub nursery: u32,
    /// Young objects that have survived one collection.
    pub aged_start: u32,
    pub aged_end: u32,
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
    pub patience: u32,
    /// Where the marks of the heap checks lie; 0 before the first check.
    pub marks: u32,
    /// Reservations since the last collection under stress.
    pub stress_count: u32,
    /// Bytes allocated before the last collection.
    pub allocated_before: u64,
}

pub const STDOUT_BUFFER: usize = 16384;

/// Console output that has not been written yet.
pub struct OutputBuffer {
    pub used: usize,
    pub failed: bool,
    /// Are lines written when they are complete, and how many before the next collection?
    pub keeps_lines: bool,
    pub line_credit: u32,
    pub bytes: [u8; STDOUT_BUFFER],
}

/// Files that can be open at once; numbers 0 and 1 are stderr and the console. Entry 1 buffers standard input.
pub const MAX_FILES: usize = 20;
pub const FILE_BUFFER: usize = 16384;
pub const MAX_PATH: usize = 1024;

/// An open file with its buffer, which holds either input not yet consumed or output not yet written.
pub struct File {
    pub open: bool,
    pub unique: bool,
    pub failed: bool,
    /// Mode of `openF`, 0 to 5.
    pub mode: u32,
    pub descriptor: u32,
    pub identity: FileIdentity,
    /// Length when it was opened; shared files never grow.
    pub length: u64,
    /// Position after the last operation on a shared file.
    pub shared_position: i64,
    /// Position of a file at the moment it became shared, or -1.
    pub first_position: i64,
    /// Offset in the file of the first byte of the buffer.
    pub buffer_offset: u64,
    pub next: usize,
    pub end: usize,
    /// The buffer holds output: `bytes[0 .. next]`.
    pub writing: bool,
    /// To open it again.
    pub path: Path,
    pub bytes: [u8; FILE_BUFFER],
}

impl File {
    const EMPTY: File = File {
        open: false,
        unique: false,
        failed: false,
        mode: 0,
        descriptor: 0,
        identity: FileIdentity { device: 0, number: 0 },
        length: 0,
        shared_position: 0,
        first_position: 0,
        buffer_offset: 0,
        next: 0,
        end: 0,
        writing: false,
        path: Path::EMPTY,
        bytes: [0; FILE_BUFFER],
    };
}

pub struct State {
    /// Address of the program record.
    pub program: u32,
    /// The shadow stack is empty when its pointer is here.
    pub stack_base: u32,
    /// Arguments to skip, program name not counted: they were options of the runtime.
    pub own_arguments: u32,
    pub start_ns: u64,
    pub heap: Heap,
    pub options: Options,
    pub statistics: Statistics,
    pub stdout: OutputBuffer,
    pub stdio_open: bool,
    pub files: [File; MAX_FILES],
    pub foreign: ForeignState,
}

impl State {
    pub const fn new() -> State {
        State {
            program: 0,
            stack_base: 0,
            own_arguments: 0,
            start_ns: 0,
            heap: Heap {
                base: 0,
                limit_end: 0,
                live_start: 0,
                live_end: 0,
                eden_start: 0,
                eden_end: 0,
                nursery: 0,
                aged_start: 0,
                aged_end: 0,
                old_end: 0,
                remembered: Remembered::NOTHING,
                dense: false,
                rounds: 0,
                waits: 0,
                patience: 0,
                marks: 0,
                stress_count: 0,
                allocated_before: 0,
            },
            options: Options {
                heap_limit: 0,
                stack_size: 0,
                initial_heap: 0,
                gc_stress: 0,
                basic_values: false,
                no_result: false,
                ignore_options: false,
                show_times: false,
                show_gc: false,
                show_stacks: false,
                statistics: false,
                poison: false,
                measure: false,
                copying: false,
                nursery: 0,
                failure_status: 0,
                flush: Flush::Usual,
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
            },
            stdout: OutputBuffer {
                used: 0,
                failed: false,
                keeps_lines: false,
                line_credit: 0,
                bytes: [0; STDOUT_BUFFER],
            },
            stdio_open: false,
            files: [File::EMPTY; MAX_FILES],
            foreign: ForeignState::EMPTY,
        }
    }
}

impl Default for State {
    fn default() -> State {
        State::new()
    }
}
