//! State of the base library between two libcalls. All of it starts as zero bytes; buffers are arrays in place, because
//! the runtime has no allocator.

use crate::platform::FileIdentity;
use crate::platform::path::Path;

/// How the program is to run, after build-time defaults, environment and arguments. What concerns the heap is in
/// `gc::state::Options`.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Bytes of the shadow stack, 0 for all there are.
    pub stack_size: u64,
    pub basic_values: bool,
    pub no_result: bool,
    pub ignore_options: bool,
    pub show_times: bool,
    pub show_stacks: bool,
    /// Bytes of the stack of the engine that functions may use, 0 for what every engine has.
    pub engine_stack: u64,
    /// Recursive functions are captured at each call.
    pub force_stackless: bool,
    /// One line of statistics on stderr at the end.
    pub statistics: bool,
    /// When the console writes.
    pub flush: Flush,
}

/// When the console writes what is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flush {
    /// By lines as far as they could be lost, see `base/console.rs`.
    Usual = 0,
    /// Each line.
    Line,
    /// By lines on a terminal only: the embedder flushes after a fault.
    Block,
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
    /// Arguments to skip, program name not counted: they were options of the runtime.
    pub own_arguments: u32,
    pub start_ns: u64,
    /// The same of the processor's time.
    pub start_processor_ns: u64,
    pub options: Options,
    pub stdout: OutputBuffer,
    pub stdio_open: bool,
    pub files: [File; MAX_FILES],
    /// Files from this number on have never been opened.
    pub files_used: usize,
}

impl State {
    pub const EMPTY: State = State {
        own_arguments: 0,
        start_ns: 0,
        start_processor_ns: 0,
        options: Options {
            stack_size: 0,
            basic_values: false,
            no_result: false,
            ignore_options: false,
            show_times: false,
            show_stacks: false,
            engine_stack: 0,
            force_stackless: false,
            statistics: false,
            flush: Flush::Usual,
        },
        stdout: OutputBuffer { used: 0, failed: false, keeps_lines: false, line_credit: 0, bytes: [0; STDOUT_BUFFER] },
        stdio_open: false,
        files: [File::EMPTY; MAX_FILES],
        files_used: 0,
    };
}
