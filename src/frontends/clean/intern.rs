//! String interner: names of one module as small numbers, and the buffer that holds byte strings.
//!
//! Every name that the parser reads passes through here, so both are flat: all bytes in one vector, no allocation per
//! name. Numbers are given in the order of first occurrence, so they do not depend on hashing.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// An interned name of one module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub u32);

impl Symbol {
    /// An operand that the line left out.
    pub const ABSENT: Symbol = Symbol(0);
    /// `_`: no label.
    pub const NONE: Symbol = Symbol(1);
    pub const HNF: Symbol = Symbol(2);
    pub const ADD_ARG: Symbol = Symbol(3);
    pub const CYCLE_IN_SPINE: Symbol = Symbol(4);
    pub const RESERVE: Symbol = Symbol(5);
    pub const MATCH_ERROR: Symbol = Symbol(6);

    /// True for `_` and for an operand that was left out.
    pub fn is_none(self) -> bool {
        self.0 <= 1
    }
}

/// Spellings of the symbols that every module has, in the order of the constants above.
const WELL_KNOWN: [&[u8]; 7] = [b"", b"_", b"_hnf", b"_add_arg", b"_cycle_in_spine", b"_reserve", b"_match_error"];

/// Byte strings one after the other in one buffer.
#[derive(Clone, Debug, Default)]
pub struct BytePool {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl BytePool {
    /// Adds a string and returns its number.
    pub fn push(&mut self, text: &[u8]) -> u32 {
        self.bytes.extend_from_slice(text);
        self.close()
    }

    /// Adds one byte to the string that the next [`BytePool::close`] ends.
    pub(crate) fn push_byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Ends the string made of all bytes since the last end.
    pub(crate) fn close(&mut self) -> u32 {
        self.ends.push(self.bytes.len() as u32);
        self.ends.len() as u32 - 1
    }

    /// Drops the bytes since the last end.
    pub(crate) fn abandon(&mut self) {
        self.bytes.truncate(self.ends.last().copied().unwrap_or(0) as usize);
    }

    #[inline]
    pub fn get(&self, index: u32) -> &[u8] {
        let index = index as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.bytes[start..self.ends[index] as usize]
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// Names of one module as small numbers. Open addressing; the hash is kept beside each entry so that growing never
/// reads the names again.
#[derive(Clone, Debug)]
pub struct Interner {
    names: BytePool,
    hashes: Vec<u32>,
    slots: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl Default for Interner {
    fn default() -> Self {
        Interner::new()
    }
}

impl Interner {
    /// An interner without any name.
    pub(crate) fn empty() -> Interner {
        Interner { names: BytePool::default(), hashes: Vec::new(), slots: vec![FREE; 256] }
    }

    /// An interner that knows the symbols named by constants of [`Symbol`].
    pub fn new() -> Interner {
        let mut interner = Interner::empty();
        for name in WELL_KNOWN {
            interner.intern(name);
        }
        interner
    }

    fn hash(name: &[u8]) -> u32 {
        let mut hasher = FxHasher::default();
        hasher.write(name);
        let hash = hasher.finish();
        (hash ^ (hash >> 32)) as u32
    }

    /// The symbol of a name, new if the name is.
    #[inline]
    pub fn intern(&mut self, name: &[u8]) -> Symbol {
        let hash = Self::hash(name);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == FREE {
                return self.insert(name, hash, slot);
            }
            if self.hashes[entry as usize] == hash && self.names.get(entry) == name {
                return Symbol(entry);
            }
            slot = (slot + 1) & mask;
        }
    }

    fn insert(&mut self, name: &[u8], hash: u32, slot: usize) -> Symbol {
        let entry = self.names.push(name);
        self.hashes.push(hash);
        self.slots[slot] = entry;
        if self.hashes.len() * 2 > self.slots.len() {
            self.grow();
        }
        Symbol(entry)
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots.clear();
        self.slots.resize(mask + 1, FREE);
        for (entry, &hash) in self.hashes.iter().enumerate() {
            let mut slot = hash as usize & mask;
            while self.slots[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = entry as u32;
        }
    }

    /// The symbol of a name that was seen before.
    pub fn find(&self, name: &[u8]) -> Option<Symbol> {
        let hash = Self::hash(name);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != FREE {
            let entry = self.slots[slot];
            if self.hashes[entry as usize] == hash && self.names.get(entry) == name {
                return Some(Symbol(entry));
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    /// The spelling of a symbol.
    #[inline]
    pub fn name(&self, symbol: Symbol) -> &[u8] {
        self.names.get(symbol.0)
    }

    /// The spelling as text, for messages.
    pub fn text(&self, symbol: Symbol) -> String {
        String::from_utf8_lossy(self.name(symbol)).into_owned()
    }

    /// Number of symbols; they are `Symbol(0)..Symbol(len)`, so a table by symbol is a vector of this length.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
