//! Traits of the platform: what the runtime needs of memory and of the host.
//!
//! Every algorithm of this crate is a function generic over a context. Compiled to Wasm, the context is a type without
//! size whose memory operations are single instructions and whose `Exit` has no values, so that every `Result` costs
//! nothing. On the host a context owns a byte vector (tests) or is the interpreter of the compiler. What a context
//! is beside memory and host, each room says for itself (`gc::Context`, `base::Context`, `clean::Context`), and
//! `state.rs` puts the parts together.
//!
//! A context, not a runtime object, owns everything because evaluation re-enters: a libcall evaluates a thunk, whose
//! code calls libcalls. All of them get the same `&mut C`.

pub mod errno;
pub mod path;

use crate::layout::{C_ARGUMENT_REALS, C_ARGUMENT_STACK, C_ARGUMENT_WORDS};
use errno::ENOSYS;

/// A 32-bit little-endian address space. Addresses need no alignment. An access outside the memory is a defect of the
/// compiled program or of the runtime: it traps or panics.
pub trait Memory {
    fn load_u8(&self, address: u32) -> u32;
    fn load_u16(&self, address: u32) -> u32;
    fn load_u32(&self, address: u32) -> u32;
    fn load_u64(&self, address: u32) -> u64;
    /// Words that follow each other, none of which lies beyond address 2³² - 1.
    #[inline(always)]
    fn load_words<const N: usize>(&self, address: u32) -> [u32; N] {
        core::array::from_fn(|index| self.load_u32(address + 4 * index as u32))
    }
    fn store_u8(&mut self, address: u32, value: u32);
    fn store_u32(&mut self, address: u32, value: u32);
    fn store_u64(&mut self, address: u32, value: u64);
    /// What lies there will be read soon.
    #[inline(always)]
    fn prefetch(&self, _address: u32) {}
    /// Copies bytes; the ranges may overlap.
    fn copy_within(&mut self, from: u32, to: u32, bytes: u32);
    fn fill(&mut self, address: u32, value: u8, bytes: u32);
    /// Reads into a buffer of the runtime.
    fn read_bytes(&self, address: u32, bytes: &mut [u8]);
    /// Writes from a buffer of the runtime.
    fn write_bytes(&mut self, address: u32, bytes: &[u8]);
    /// Copies from an address that C gave, which need not lie in this address space.
    fn copy_from_c(&mut self, from: i64, to: u32, bytes: u32) {
        self.copy_within(from as u32, to, bytes);
    }
    /// Copies between two addresses of C. The ranges do not overlap.
    fn copy_in_c(&mut self, from: i64, to: i64, bytes: u64) {
        self.copy_within(from as u32, to as u32, bytes as u32);
    }
    /// The word at an address that C gave.
    fn load_from_c(&self, address: i64) -> u64 {
        self.load_u64(address as u32)
    }
    /// Overwrites the word at an address that C gave.
    fn store_to_c(&mut self, address: i64, value: u64) {
        self.store_u64(address as u32, value);
    }
    /// Length of the text at an address that C gave; 0 for a null pointer.
    fn length_of_c(&self, address: i64) -> u32 {
        let mut length = 0;
        while address != 0 && self.load_u8(address as u32 + length) != 0 {
            length += 1;
        }
        length
    }
    /// Bytes of memory at present.
    fn size(&self) -> u64;
    /// Makes the memory at least `bytes` large; false if that is impossible.
    fn grow_to(&mut self, bytes: u64) -> bool;
    /// The bytes from `start` to `end` hold nothing any more: a host that can, takes their pages back. What is read
    /// there afterwards is unspecified.
    #[inline(always)]
    fn discard(&mut self, _start: u64, _end: u64) {}
}

/// Result of an operation on a file: a count or position, or nothing when it failed.
pub type Io<T> = Result<T, ()>;

/// How a file is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenMode {
    Read,
    /// Created or emptied.
    Write,
    /// Must exist; read and write, nothing is lost.
    Update,
}

/// Where a seek counts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whence {
    Start = 0,
    Current = 1,
    End = 2,
}

/// Identity of an open file, to notice that a file is opened twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FileIdentity {
    pub device: u64,
    pub number: u64,
}

/// Type of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    Other,
    Regular,
    Directory,
    Link,
    CharacterDevice,
    BlockDevice,
}

/// What is known of a file. Times are nanoseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileStatus {
    pub device: u64,
    pub number: u64,
    pub links: u64,
    pub kind: FileKind,
    pub size: u64,
    pub accessed_ns: u64,
    pub modified_ns: u64,
    pub changed_ns: u64,
}

impl FileStatus {
    pub const EMPTY: FileStatus = FileStatus {
        device: 0,
        number: 0,
        links: 0,
        kind: FileKind::Other,
        size: 0,
        accessed_ns: 0,
        modified_ns: 0,
        changed_ns: 0,
    };
}

/// An entry of a folder; its name has been written to a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DirectoryEntry {
    /// Where the next entry is found.
    pub next: u64,
    pub number: u64,
    pub kind: FileKind,
    pub length: usize,
}

/// How a descriptor is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenFlags {
    pub read: bool,
    pub write: bool,
    pub create: bool,
    pub exclusive: bool,
    pub truncate: bool,
    pub append: bool,
}

/// Arguments of a C function, as the System V convention for x86-64 wants them: integers and addresses, then reals,
/// each in registers as long as there are some, the rest in order on the stack.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Arguments {
    pub words: [i64; C_ARGUMENT_WORDS as usize],
    pub reals: [f64; C_ARGUMENT_REALS as usize],
    pub stack: [i64; C_ARGUMENT_STACK as usize],
}

/// Result of an operation whose failure a program can ask for: the `errno` of Linux.
pub type Posix<T> = Result<T, u32>;

/// The outside world. Why a file operation failed is never shown, hence `Io`. Everything but `exit`, `eval`, `write`
/// and `read` has a default that refuses.
#[allow(clippy::result_unit_err)]
pub trait Host {
    /// What ends the program: the error of nearly every libcall. A context may put its own reasons in it.
    type Exit;
    /// Can a fault end the program so that nobody writes what is buffered?
    const FAULTS_LOSE_OUTPUT: bool = false;

    /// The program is over with this status. Output has been flushed. Does not return on Wasm.
    fn exit(&mut self, status: u32) -> Self::Exit;
    /// Evaluates a node to head normal form and returns it, possibly moved. Shadow-stack slots from `sp` up are kept.
    /// The heap pointer is in the program record before and after.
    fn eval(&mut self, sp: u32, node: u32) -> Result<u32, Self::Exit>;
    /// The runtime has come to one more object of a walk over data, which may have no end. Whoever counts steps may stop it.
    #[inline(always)]
    fn visit(&mut self) -> Result<(), Self::Exit> {
        Ok(())
    }
    /// Writes some bytes (at least one) to an open file. To a pipe that nobody reads any more, it ends the program.
    fn write(&mut self, file: u32, bytes: &[u8]) -> Io<usize>;
    /// Reads some bytes; zero at the end.
    fn read(&mut self, file: u32, bytes: &mut [u8]) -> Io<usize>;

    fn is_terminal(&mut self, _file: u32) -> bool {
        false
    }
    /// Nanoseconds of a clock that never goes back.
    fn clock_ns(&mut self) -> u64 {
        0
    }
    /// Nanoseconds for which the program has had a processor, where the host can tell, so that what others do on the
    /// machine is not taken for a pause.
    fn processor_ns(&mut self) -> u64 {
        self.clock_ns()
    }
    /// Number and total size, with a NUL after each, of the arguments, the first of which is the program's name.
    fn arguments_size(&mut self) -> (u32, u32) {
        (0, 0)
    }
    /// Writes one address per argument at `table` and the arguments themselves at `bytes`.
    fn load_arguments(&mut self, _table: u32, _bytes: u32) -> bool {
        false
    }
    /// The same for the environment (`NAME=value`).
    fn environment_size(&mut self) -> (u32, u32) {
        (0, 0)
    }
    fn load_environment(&mut self, _table: u32, _bytes: u32) -> bool {
        false
    }
    /// Opens the file whose path has these bytes.
    fn open(&mut self, _path: &[u8], _mode: OpenMode) -> Io<(u32, FileIdentity)> {
        Err(())
    }
    fn close(&mut self, _file: u32) -> Io<()> {
        Err(())
    }
    fn seek(&mut self, _file: u32, _offset: i64, _whence: Whence) -> Io<u64> {
        Err(())
    }

    /// `read` into the program's memory.
    fn read_to_memory(&mut self, file: u32, address: u32, length: u32) -> Io<u32>
    where
        Self: Memory,
    {
        let mut piece = [0; PIECE];
        let wanted = (length as usize).min(PIECE);
        let count = self.read(file, piece.get_mut(..wanted).unwrap_or_default())?;
        self.write_bytes(address, piece.get(..count).unwrap_or_default());
        Ok(count as u32)
    }
    /// `write` from the program's memory.
    fn write_from_memory(&mut self, file: u32, address: u32, length: u32) -> Io<u32>
    where
        Self: Memory,
    {
        let mut piece = [0; PIECE];
        let piece = piece.get_mut(..(length as usize).min(PIECE)).unwrap_or_default();
        self.read_bytes(address, piece);
        self.write(file, piece).map(|count| count as u32)
    }

    // What only C functions need. Closing, reading and writing are as above.

    /// Nanoseconds since 1970.
    fn wall_clock_ns(&mut self) -> u64 {
        0
    }
    /// Bytes of a word of C: of `long`, `size_t` and addresses.
    fn c_word(&self) -> u32 {
        8
    }
    /// A block of memory of C, or 0: where words of C have 8 bytes.
    fn allocate_for_c(&mut self, _bytes: u64) -> i64 {
        0
    }
    /// Gives it back.
    fn release_for_c(&mut self, _block: i64) {}
    /// Calls the C function at an address other than 0: what it leaves where integers and where reals are returned.
    fn call_c(&mut self, _address: u64, _arguments: &Arguments) -> (i64, f64) {
        (0, 0.0)
    }
    /// Address of a variable of C with this number; 0 if the runtime has to make it.
    fn c_variable(&mut self, _which: usize) -> i64 {
        0
    }
    fn file_status(&mut self, _path: &[u8], _follow_links: bool) -> Posix<FileStatus> {
        Err(ENOSYS)
    }
    fn create_directory(&mut self, _path: &[u8]) -> Posix<()> {
        Err(ENOSYS)
    }
    fn remove_directory(&mut self, _path: &[u8]) -> Posix<()> {
        Err(ENOSYS)
    }
    fn remove_file(&mut self, _path: &[u8]) -> Posix<()> {
        Err(ENOSYS)
    }
    fn rename(&mut self, _from: &[u8], _to: &[u8]) -> Posix<()> {
        Err(ENOSYS)
    }
    fn open_descriptor(&mut self, _path: &[u8], _flags: OpenFlags) -> Posix<u32> {
        Err(ENOSYS)
    }
    fn open_directory(&mut self, _path: &[u8]) -> Posix<u32> {
        Err(ENOSYS)
    }
    /// The entry at a cookie, 0 for the first; nothing at the end. Cuts names that are longer than the buffer.
    fn directory_entry(&mut self, _directory: u32, _cookie: u64, _name: &mut [u8]) -> Posix<Option<DirectoryEntry>> {
        Err(ENOSYS)
    }
}

/// Bytes moved at a time where the host's own buffers are needed between two places.
pub(crate) const PIECE: usize = 4096;

/// Result of a libcall.
pub type Outcome<T, C> = Result<T, <C as Host>::Exit>;
