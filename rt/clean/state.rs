//! State of the Clean library between two libcalls: all of it belongs to C functions (`ffi`), and starts as zeros.

use crate::layout::*;
use crate::platform::path::Path;
use crate::platform::{Arguments, FileStatus};

/// Registers for integers and for reals.
pub const WORDS: usize = C_ARGUMENT_WORDS as usize;
pub const REALS: usize = C_ARGUMENT_REALS as usize;
/// Arguments on the stack.
pub const STACK: usize = C_ARGUMENT_STACK as usize;
/// Numbers of the variables: the compiler's `src/frontends/clean/ccall.rs`, repeated.
pub const RETURN_CODE: usize = 0;
pub const ARGUMENT_COUNT: usize = 1;
pub const ARGUMENTS: usize = 2;
/// How many there are.
pub const VARIABLES: usize = 3;

/// Classes of block sizes: 2^4 to 2^23 bytes.
pub const CLASSES: usize = 20;

/// The C memory (`ffi::memory`).
pub struct Arena {
    /// End of the part in use; 0 before the first allocation.
    pub next: u32,
    pub free: [u32; CLASSES],
}

impl Arena {
    pub const EMPTY: Arena = Arena { next: 0, free: [0; CLASSES] };
}

/// The environment (`ffi::environment`).
pub struct Table {
    /// Address of the table; 0 when not loaded.
    pub address: u32,
    pub count: u32,
    pub room: u32,
}

impl Table {
    pub const EMPTY: Table = Table { address: 0, count: 0, room: 0 };
}

/// A search in a folder (`ffi::finder`).
pub struct Finder {
    /// The open folder; 0 for none.
    pub folder: u32,
    /// Its path.
    pub path: Path,
    /// The C value of the name found: a 64-bit length and characters.
    pub name: u32,
    pub status: FileStatus,
}

impl Finder {
    pub const EMPTY: Finder = Finder { folder: 0, path: Path::EMPTY, name: 0, status: FileStatus::EMPTY };
}

/// Why an argument cannot be given to C.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    None,
    NoArray,
    NoString,
    References,
}

/// A string or an array that C gets (`ffi::lent`).
#[derive(Clone, Copy)]
pub struct Lent {
    pub object: u32,
    /// Which of the words of C it is.
    pub place: usize,
    /// C gets the address of the length.
    pub with_length: bool,
    /// The same object has been lent for an argument before.
    pub is_again: bool,
    pub is_string: bool,
    pub problem: Problem,
    /// Characters or elements, and their bytes.
    pub size: u32,
    pub bytes: u32,
    /// What lay where C has the size.
    pub saved: u64,
    /// What lay after a string, where C has room.
    pub slack: u32,
    /// Address of the copy that C gets, or 0.
    pub copy: i64,
}

impl Lent {
    pub const EMPTY: Lent = Lent {
        object: 0,
        place: 0,
        with_length: false,
        is_again: false,
        is_string: false,
        problem: Problem::None,
        size: 0,
        bytes: 0,
        saved: 0,
        slack: 0,
        copy: 0,
    };
}

/// The copy of something that C has returned, and the block in which it is.
#[derive(Clone, Copy)]
pub struct Kept {
    pub address: i64,
    pub block: i64,
}

impl Kept {
    pub const EMPTY: Kept = Kept { address: 0, block: 0 };
}

/// A call in the making, and what C has been lent.
pub struct Call {
    pub arguments: Arguments,
    pub words: usize,
    pub reals: usize,
    pub stack: usize,
    pub pointers: usize,
    pub lent: [Lent; STACK],
    pub lent_count: usize,
    /// One at most for each result, the function's own and those through pointers.
    pub kept: [Kept; RESULTS + 1],
    pub kept_count: usize,
    /// Address of the text that begins messages about the function.
    pub function: u32,
}

impl Call {
    pub const EMPTY: Call = Call {
        arguments: Arguments { words: [0; WORDS], reals: [0.0; REALS], stack: [0; STACK] },
        words: 0,
        reals: 0,
        stack: 0,
        pointers: 0,
        lent: [Lent::EMPTY; STACK],
        lent_count: 0,
        kept: [Kept::EMPTY; RESULTS + 1],
        kept_count: 0,
        function: 0,
    };
}

/// Results that a C function returns through pointers: at most.
pub const RESULTS: usize = 16;

pub struct State {
    pub results: [i64; RESULTS],
    pub errno: u32,
    /// Addresses in the C memory of what C libraries keep in statics; 0 when not made yet.
    pub errno_cell: u32,
    pub message: u32,
    pub broken_down: u32,
    pub time_text: u32,
    pub arguments: u32,
    pub environment: Table,
    pub memory: Arena,
    pub finder: Finder,
    /// The current folder as a path from where the program started: empty at first.
    pub folder: Path,
    /// Addresses of the variables in the C memory.
    pub variables: [u32; VARIABLES],
    pub call: Call,
}

impl State {
    pub const EMPTY: State = State {
        results: [0; RESULTS],
        errno: 0,
        errno_cell: 0,
        message: 0,
        broken_down: 0,
        time_text: 0,
        arguments: 0,
        environment: Table::EMPTY,
        memory: Arena::EMPTY,
        finder: Finder::EMPTY,
        folder: Path::EMPTY,
        variables: [0; VARIABLES],
        call: Call::EMPTY,
    };
}
