//! Cache of compiled functions of earlier builds, by the fingerprint of what they were compiled from.
//!
//! The key of a function is a hash of its IR (`fingerprint.rs`) before references are placed, so that of one that is
//! found no more is done (`cache_lookup.rs`). What becomes of it depends on the compiler: a pack names the version that
//! wrote it, and is empty to others.
//!
//! ```text
//! pack:      MAGIC | SHA-256 of the version and of what follows | u32 count | count * { key: 2 u64, u32 length } | functions
//! function:  u32 alignment | u32 phase | u32 bytes of code | u32 relocations | u32 rows | u32 maps | u32 lines
//!            | code
//!            | relocations: u32 offset, u32 number of the symbol (`fingerprint.rs`), i32 addend
//!            | rows: u32 offset, u32 distance of the frame address
//!            | maps: u32 return address, u32 bytes of the frame, u32 count, count * u32 offset in the frame
//!            | lines: u32 offset, u32 number of the file or `NO_FILE`, u32 lines behind the first one of the function
//! ```
//! Numbers are little-endian. A pack holds the functions of one build. What does not begin with `MAGIC`, or has another
//! hash or version, is an empty pack.

use crate::{Function, Line, Relocation, Symbol, Trampoline};
use cleave_ir::{EntityRef, Extern, FuncId, Libcall};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use std::ops::Range;
use std::sync::Mutex;

/// Changes with the format.
const MAGIC: &[u8; 16] = b"cleave-code 0007";
/// Bytes before the functions: for the whole and for each.
const HEAD: usize = 16 + 32 + 4;
const ROW: usize = 20;

/// Numbers of what relocations refer to, where it is no function or extern that the IR names: from here on libcalls,
/// which lowering calls, and generated functions.
const LIBCALLS: u32 = 1 << 30;
const GLUE: u32 = 1 << 31;

/// In the place of a file, where no line is known.
const NO_FILE: u32 = u32::MAX;

/// What a function was compiled from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key(pub [u64; 2]);

/// The functions of an earlier build.
#[derive(Debug, Default)]
pub struct CacheFile {
    bytes: Vec<u8>,
    found: FxHashMap<Key, Range<usize>>,
}

/// The functions of an earlier build for the next one, which takes what it finds before roots are placed and compiles
/// the rest when all is lowered. For one build.
#[derive(Debug)]
pub struct Cache {
    pub(crate) cache_file: CacheFile,
    pub(crate) words: String,
    pub(crate) recalled: Mutex<Option<Recalled>>,
}

impl Cache {
    /// `words` say what becomes of functions on the way to low IR, besides what is in the module: the settings of the
    /// passes.
    pub fn new(cache_file: CacheFile, words: String) -> Cache {
        Cache { cache_file, words, recalled: Mutex::new(None) }
    }

    /// What the earlier build has left of a function; nothing if it is not there.
    pub fn bytes(&self, key: Key) -> &[u8] {
        self.cache_file.bytes(key)
    }
}

/// What the cache knows of the functions of a build.
#[derive(Debug, Default)]
pub struct Recalled {
    /// Those that are there.
    pub found: FxHashMap<FuncId, Function>,
    /// The key of each other one, and what it refers to.
    pub missing: FxHashMap<FuncId, (Key, Box<[Symbol]>)>,
}

/// A function as a pack has it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stored {
    /// Of the function, in bytes.
    pub align: u32,
    /// Offset within that alignment.
    pub phase: u32,
    /// Machine code.
    pub code: Vec<u8>,
    /// Offset, number of the symbol in CLIF, addend.
    pub relocations: Vec<(u32, u32, i32)>,
    /// As in `Function`.
    pub frame: Vec<(u32, u32)>,
    /// Return address, size of the frame, and offsets of references in it.
    pub maps: Vec<(u32, u32, Vec<u32>)>,
    /// As in `Function`, counted from the first line of the function.
    pub lines: Vec<(u32, Option<Line>)>,
}

/// What a number stands for in a function that names these.
pub fn resolve(symbols: &[Symbol], number: u32) -> Option<Symbol> {
    match number {
        GLUE.. => Trampoline::ALL.get((number - GLUE) as usize).copied().map(Symbol::Trampoline),
        LIBCALLS.. => {
            let id = Extern::new((number - LIBCALLS) as usize);
            Libcall::from_extern(id).map(|_| Symbol::Extern(id))
        }
        _ => symbols.get(number as usize).copied(),
    }
}

/// The number of a symbol in a function that names these.
fn number(symbols: &[Symbol], symbol: Symbol) -> Option<u32> {
    match symbol {
        Symbol::Trampoline(trampolines) => {
            Trampoline::ALL.iter().position(|&other| other == trampolines).map(|place| GLUE + place as u32)
        }
        Symbol::Extern(id) if Libcall::from_extern(id).is_some() => Some(LIBCALLS + id.index() as u32),
        _ => symbols.iter().position(|&other| other == symbol).map(|place| place as u32),
    }
}

impl Recalled {
    /// What a pack is to have of a function that was compiled; nothing if there is no cache, or if it refers to
    /// something that its IR does not name.
    pub fn stored(
        &self,
        id: FuncId,
        (align, phase): (u32, u32),
        code: &[u8],
        frame: &[(u32, u32)],
        maps: &[(u32, u32, Vec<u32>)],
        relocations: &[Relocation],
        lines: Vec<(u32, Option<Line>)>,
    ) -> Option<(Key, Vec<u8>)> {
        let (key, symbols) = self.missing.get(&id)?;
        let number = |at: &Relocation| Some((at.offset, number(symbols, at.symbol)?, at.addend));
        let relocations = relocations.iter().map(number).collect::<Option<Vec<_>>>()?;
        Some((
            *key,
            Stored {
                align,
                phase,
                code: code.to_vec(),
                relocations,
                frame: frame.to_vec(),
                maps: maps.to_vec(),
                lines,
            }
            .write(),
        ))
    }
}

/// Reads numbers; `None` at the end.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }
    fn word(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().expect("four bytes")))
    }
    fn long(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().expect("eight bytes")))
    }
}

impl Stored {
    /// As it is in a file.
    pub fn write(&self) -> Vec<u8> {
        let counts = [self.code.len(), self.relocations.len(), self.frame.len(), self.maps.len(), self.lines.len()];
        let counts = counts.map(|count| count as u32);
        let mut words = vec![self.align, self.phase];
        words.extend(counts);
        let mut out: Vec<u8> = words.drain(..).flat_map(u32::to_le_bytes).collect();
        out.extend_from_slice(&self.code);
        self.relocations.iter().for_each(|&(offset, symbol, addend)| words.extend([offset, symbol, addend as u32]));
        self.frame.iter().for_each(|&(offset, distance)| words.extend([offset, distance]));
        for (address, frame, offsets) in &self.maps {
            words.extend([*address, *frame, offsets.len() as u32]);
            words.extend(offsets);
        }
        for &(offset, line) in &self.lines {
            let (file, line) = line.map_or((NO_FILE, 0), |Line { file, line }| (file.into(), line));
            words.extend([offset, file, line]);
        }
        out.extend(words.into_iter().flat_map(u32::to_le_bytes));
        out
    }

    fn read(bytes: &[u8]) -> Option<Stored> {
        let mut reader = Reader(bytes);
        let (align, phase, length) = (reader.word()?, reader.word()?, reader.word()? as usize);
        let (relocations, rows, maps, lines) = (reader.word()?, reader.word()?, reader.word()?, reader.word()?);
        let code = reader.take(length)?.to_vec();
        let relocation = |_| Some((reader.word()?, reader.word()?, reader.word()? as i32));
        let relocations = (0..relocations).map(relocation).collect::<Option<Vec<_>>>()?;
        let frame = (0..rows).map(|_| Some((reader.word()?, reader.word()?))).collect::<Option<Vec<_>>>()?;
        let map = |_| {
            let (address, frame, count) = (reader.word()?, reader.word()?, reader.word()?);
            Some((address, frame, (0..count).map(|_| reader.word()).collect::<Option<Vec<u32>>>()?))
        };
        let maps = (0..maps).map(map).collect::<Option<Vec<_>>>()?;
        let line = |_| {
            let (offset, file, line) = (reader.word()?, reader.word()?, reader.word()?);
            Some((offset, u16::try_from(file).ok().map(|file| Line { file, line })))
        };
        let lines = (0..lines).map(line).collect::<Option<Vec<_>>>()?;
        Some(Stored { align, phase, code, relocations, frame, maps, lines })
    }
}

fn hash(version: &str, rest: &[u8]) -> [u8; 32] {
    let length = (version.len() as u64).to_le_bytes();
    Sha256::new().chain_update(length).chain_update(version).chain_update(rest).finalize().into()
}

impl CacheFile {
    /// Reads a file that a compiler has written; one that is damaged, or of another version, is empty. `version` must
    /// differ between compilers that differ in anything.
    pub fn read(bytes: Vec<u8>, version: &str) -> CacheFile {
        let found = CacheFile::index(&bytes, version).unwrap_or_default();
        CacheFile { bytes, found }
    }

    fn index(bytes: &[u8], version: &str) -> Option<FxHashMap<Key, Range<usize>>> {
        let mut reader = Reader(bytes);
        if reader.take(MAGIC.len())? != MAGIC || reader.take(32)? != hash(version, reader.0) {
            return None;
        }
        let count = reader.word()?;
        let mut at = HEAD + ROW * count as usize;
        let mut found = FxHashMap::default();
        for _ in 0..count {
            let key = Key([reader.long()?, reader.long()?]);
            let length = reader.word()? as usize;
            found.insert(key, at..at + length);
            at += length;
        }
        (at == bytes.len()).then_some(found)
    }

    /// The function with this key, unless it is damaged.
    pub fn get(&self, key: Key) -> Option<Stored> {
        Stored::read(self.bytes(key))
    }

    /// What the pack has of a function: nothing if it is not there.
    pub fn bytes(&self, key: Key) -> &[u8] {
        self.found.get(&key).and_then(|range| self.bytes.get(range.clone())).unwrap_or_default()
    }

    /// The file with these functions, in rising order of their keys: the same for the same functions.
    pub fn write<'a>(functions: impl Iterator<Item = (Key, &'a [u8])>, version: &str) -> Vec<u8> {
        let mut all: Vec<(Key, &[u8])> = functions.collect();
        all.sort_by_key(|(key, _)| key.0);
        all.dedup_by_key(|(key, _)| *key);
        let bytes: usize = all.iter().map(|(_, function)| ROW + function.len()).sum();
        let mut out = Vec::with_capacity(HEAD + bytes);
        out.extend_from_slice(MAGIC);
        out.extend([0; 32]);
        out.extend((all.len() as u32).to_le_bytes());
        for (key, function) in &all {
            key.0.iter().for_each(|half| out.extend(half.to_le_bytes()));
            out.extend((function.len() as u32).to_le_bytes());
        }
        all.iter().for_each(|(_, function)| out.extend_from_slice(function));
        let sum = hash(version, &out[MAGIC.len() + 32..]);
        out[MAGIC.len()..][..32].copy_from_slice(&sum);
        out
    }
}
