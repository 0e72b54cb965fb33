//! Dynamic linking information for the loader of the system: imported names, the libraries and versions they are bound
//! to, and how many places it has to write.
//!
//! The sizes of all tables are known before anything has an address, and the contents of all but two: the relocations,
//! and `.dynamic` itself.

use super::input::{How, Relocation};
use super::library::Library;
use super::resolve::{Linked, live_relocations};
use object::elf;
use std::collections::BTreeMap;

/// Looked for if no library is given.
const C_LIBRARY: &[u8] = b"libc.so.6";
/// Bytes of a symbol, a relocation, an entry of `.dynamic`.
pub const SYMBOL: u64 = 24;
pub const RELOCATION: u64 = 24;
const ENTRY: u64 = 16;

/// The tables.
#[derive(Debug, Default)]
pub struct Tables {
    /// `.dynsym`, `.dynstr`, `.hash`.
    pub symbols: Vec<u8>,
    pub strings: Vec<u8>,
    pub hash: Vec<u8>,
    /// `.gnu.version` and `.gnu.version_r`, empty if nothing has a version.
    pub versions: Vec<u8>,
    pub needs: Vec<u8>,
    /// Number of libraries in `needs`.
    pub need_count: u64,
    /// Offsets of the names of the libraries.
    libraries: Vec<u64>,
    /// How many relocations only add where the program lies, and how many there are in all.
    pub relative: u64,
    pub relocations: u64,
    /// The program has a place of its own.
    has_place: bool,
    is_library: bool,
}

/// Addresses that `.dynamic` tells.
#[derive(Clone, Copy, Debug)]
pub struct Addresses {
    pub hash: u64,
    pub strings: u64,
    pub symbols: u64,
    pub relocations: u64,
    pub versions: u64,
    pub needs: u64,
}

impl Tables {
    pub fn build(linked: &Linked, libraries: &[Library]) -> Tables {
        let (has_place, is_library) = (linked.has_place, linked.main.is_none());
        let mut tables = Tables { strings: vec![0], has_place, is_library, ..Tables::default() };
        let used = |number: usize| linked.imports.iter().any(|import| import.library == Some(number));
        let names: Vec<&[u8]> = match libraries {
            [] => vec![C_LIBRARY],
            _ => (0..libraries.len()).filter(|&number| used(number)).map(|number| libraries[number].name).collect(),
        };
        for name in names {
            let offset = tables.string(name);
            tables.libraries.push(offset.into());
        }
        tables.imports(linked, libraries);
        // One chain, of variables that are copied and of exports: nobody looks for anything else.
        let imports = linked.imports.len();
        let count = imports + linked.exports.len() + 1;
        let mut words = vec![0u32; 3 + count];
        (words[0], words[1]) = (1, count as u32);
        let mut last = 2;
        let is_found = |number: &usize| *number > imports || linked.imports[number - 1].copy.is_some();
        for number in (1..count).filter(is_found) {
            words[last] = number as u32;
            last = 3 + number;
        }
        tables.hash = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let places = live_relocations(linked).filter(|&(object, section, Relocation { how, .. })| {
            how == How::Address && !linked.is_fixed(object, section, how)
        });
        let places = places.filter_map(|(object, _, relocation)| linked.target(object, relocation.symbol));
        tables.relocations = linked.copies.len() as u64;
        for target in places.chain(linked.slots.iter().copied()) {
            tables.relative += u64::from(linked.moves(target));
            tables.relocations += u64::from(linked.is_loaded(target));
        }
        tables
    }

    fn string(&mut self, text: &[u8]) -> u32 {
        let offset = self.strings.len() as u32;
        self.strings.extend_from_slice(text);
        self.strings.push(0);
        offset
    }

    /// Symbols of the imports, and their versions.
    fn imports(&mut self, linked: &Linked, libraries: &[Library]) {
        self.symbols = vec![0; SYMBOL as usize];
        let mut numbers: BTreeMap<(usize, &[u8]), u16> = BTreeMap::new();
        for import in &linked.imports {
            if let (Some(library), Some(version)) = (import.library, import.version) {
                numbers.insert((library, version), 0);
            }
        }
        for (next, number) in numbers.values_mut().enumerate() {
            // 0 and 1 mean no version.
            *number = next as u16 + 2;
        }
        let mut versions = vec![0u16];
        for import in &linked.imports {
            let name = self.string(import.name);
            let binding = if import.is_weak { elf::STB_WEAK } else { elf::STB_GLOBAL };
            self.symbols.extend_from_slice(&name.to_le_bytes());
            // Of a variable that is copied the number of its section and its address are not known yet.
            let (kind, size) = import.copy.map_or((0, 0), |copy| (elf::STT_OBJECT, linked.copies[copy].size));
            self.symbols.extend_from_slice(&[binding << 4 | kind, 0, 0, 0]);
            self.symbols.extend_from_slice(&[0; 8]);
            self.symbols.extend_from_slice(&size.to_le_bytes());
            let number = import.library.zip(import.version).and_then(|key| numbers.get(&key));
            versions.push(number.copied().unwrap_or(1));
        }
        for (name, _) in &linked.exports {
            let name = self.string(name);
            self.symbols.extend_from_slice(&name.to_le_bytes());
            // Section and address are not known yet.
            self.symbols.extend_from_slice(&[elf::STB_GLOBAL << 4 | elf::STT_FUNC, 0, 0, 0]);
            self.symbols.extend_from_slice(&[0; 16]);
            versions.push(1);
        }
        if numbers.is_empty() {
            return;
        }
        self.versions = versions.iter().flat_map(|number| number.to_le_bytes()).collect();
        let mut of_library: Vec<(usize, Vec<(&[u8], u16)>)> = Vec::new();
        for (&(library, version), &number) in &numbers {
            match of_library.last_mut() {
                Some((last, list)) if *last == library => list.push((version, number)),
                _ => of_library.push((library, vec![(version, number)])),
            }
        }
        self.need_count = of_library.len() as u64;
        for (i, (library, list)) in of_library.iter().enumerate() {
            let is_last = i + 1 == of_library.len();
            let file = self.string(libraries[*library].name);
            let next = if is_last { 0 } else { 16 * (1 + list.len() as u32) };
            self.needs.extend_from_slice(&1u16.to_le_bytes());
            self.needs.extend_from_slice(&(list.len() as u16).to_le_bytes());
            for word in [file, 16, next] {
                self.needs.extend_from_slice(&word.to_le_bytes());
            }
            for (k, (version, number)) in list.iter().enumerate() {
                let name = self.string(version);
                let next = if k + 1 == list.len() { 0 } else { 16u32 };
                self.needs.extend_from_slice(&elf::hash(version).to_le_bytes());
                self.needs.extend_from_slice(&0u16.to_le_bytes());
                self.needs.extend_from_slice(&number.to_le_bytes());
                self.needs.extend_from_slice(&name.to_le_bytes());
                self.needs.extend_from_slice(&next.to_le_bytes());
            }
        }
    }

    /// Bytes of `.dynamic`.
    pub fn dynamic_size(&self) -> u64 {
        let anywhere = Addresses { hash: 0, strings: 0, symbols: 0, relocations: 0, versions: 0, needs: 0 };
        self.dynamic(&anywhere).len() as u64
    }

    /// `.dynamic`.
    pub fn dynamic(&self, addresses: &Addresses) -> Vec<u8> {
        let kind = match (self.is_library, self.has_place) {
            // Its memory is never given back.
            (true, _) => elf::DF_1_NODELETE,
            (false, true) => 0,
            (false, false) => elf::DF_1_PIE,
        };
        let mut entries: Vec<(i64, u64)> = self.libraries.iter().map(|&name| (elf::DT_NEEDED, name)).collect();
        entries.extend([
            (elf::DT_HASH, addresses.hash),
            (elf::DT_STRTAB, addresses.strings),
            (elf::DT_SYMTAB, addresses.symbols),
            (elf::DT_STRSZ, self.strings.len() as u64),
            (elf::DT_SYMENT, SYMBOL),
            (elf::DT_RELA, addresses.relocations),
            (elf::DT_RELASZ, self.relocations * RELOCATION),
            (elf::DT_RELAENT, RELOCATION),
            (elf::DT_RELACOUNT, self.relative),
            (elf::DT_FLAGS, elf::DF_BIND_NOW.into()),
            (elf::DT_FLAGS_1, u64::from(elf::DF_1_NOW | kind)),
        ]);
        if !self.is_library {
            // The loader writes its own table there, for debuggers.
            entries.push((elf::DT_DEBUG, 0));
        }
        if self.need_count > 0 {
            entries.extend([
                (elf::DT_VERSYM, addresses.versions),
                (elf::DT_VERNEED, addresses.needs),
                (elf::DT_VERNEEDNUM, self.need_count),
            ]);
        }
        entries.push((elf::DT_NULL, 0));
        let bytes: Vec<u8> =
            entries.iter().flat_map(|&(tag, value)| [tag as u64, value]).flat_map(u64::to_le_bytes).collect();
        debug_assert_eq!(bytes.len() as u64 % ENTRY, 0);
        bytes
    }
}
