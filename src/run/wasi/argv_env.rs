//! WASI arguments and environment variables of a program, byte for byte: they need not be Unicode.

use super::guest::{Guest, Wasi};

/// Words as C has them, one after the other, each with a NUL at its end.
pub struct Words {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Words {
    pub fn new(words: Vec<Vec<u8>>) -> Words {
        let mut list = Words { bytes: Vec::new(), ends: Vec::new() };
        for word in words {
            list.bytes.extend(word);
            list.bytes.push(0);
            list.ends.push(list.bytes.len() as u32);
        }
        list
    }

    fn get(&self, guest: &mut Guest, table: u32, to: u32) -> Wasi<()> {
        let starts = std::iter::once(&0).chain(&self.ends).take(self.ends.len());
        let addresses: Vec<u8> = starts.flat_map(|start| to.wrapping_add(*start).to_le_bytes()).collect();
        guest.store(table, &addresses)?;
        guest.store(to, &self.bytes)
    }

    fn sizes_get(&self, guest: &mut Guest, count: u32, length: u32) -> Wasi<()> {
        guest.store_word(count, self.ends.len() as u32)?;
        guest.store_word(length, self.bytes.len() as u32)
    }

    pub fn args_get(&self, guest: &mut Guest, table: u32, to: u32) -> Wasi<()> {
        self.get(guest, table, to)
    }
    pub fn args_sizes_get(&self, guest: &mut Guest, count: u32, length: u32) -> Wasi<()> {
        self.sizes_get(guest, count, length)
    }
    pub fn environ_get(&self, guest: &mut Guest, table: u32, to: u32) -> Wasi<()> {
        self.get(guest, table, to)
    }
    pub fn environ_sizes_get(&self, guest: &mut Guest, count: u32, length: u32) -> Wasi<()> {
        self.sizes_get(guest, count, length)
    }
}
