//! The symbols that a shared library offers, each with the version that new programs are bound to.

use super::Error;
use super::input::File;
use object::Endianness;
use object::elf::{self, FileHeader64};
use object::read::elf::{Dyn as _, FileHeader as _, ProgramHeader as _, Sym as _};
use rustc_hash::FxHashMap;

/// A symbol of a library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offered<'a> {
    /// Its version, if the library has versions.
    pub version: Option<&'a [u8]>,
    pub is_function: bool,
    /// Its address in the library, and its size.
    pub address: u64,
    pub size: u64,
}

#[derive(Debug)]
pub struct Library<'a> {
    /// The name by which the loader looks for it.
    pub name: &'a [u8],
    pub symbols: FxHashMap<&'a [u8], Offered<'a>>,
}

impl<'a> Library<'a> {
    /// The names of a variable, in order: some have several.
    pub fn names_of(&self, variable: Offered<'a>) -> Vec<&'a [u8]> {
        let same = |offered: &Offered| !offered.is_function && offered.address == variable.address;
        let mut names: Vec<&[u8]> =
            self.symbols.iter().filter(|(_, offered)| same(offered)).map(|(name, _)| *name).collect();
        names.sort_unstable();
        names
    }

    pub fn parse(file: &File<'a>) -> Result<Library<'a>, Error> {
        Library::read(file).map_err(|reason| Error::Malformed { file: file.name.into(), reason: reason.to_string() })
    }

    fn read(file: &File<'a>) -> object::read::Result<Library<'a>> {
        let data = file.bytes;
        let header = FileHeader64::<Endianness>::parse(data)?;
        let endian = header.endian()?;
        let sections = header.sections(endian, data)?;
        let table = sections.symbols(endian, data, elf::SHT_DYNSYM)?;
        let versions = sections.versions(endian, data)?;
        let mut symbols = FxHashMap::default();
        for (index, symbol) in table.enumerate() {
            if symbol.is_undefined(endian) || symbol.is_local() {
                continue;
            }
            let mut version = None;
            if let Some(versions) = &versions {
                let number = versions.version_index(endian, index);
                // Hidden ones are for programs that were linked long ago.
                if number.is_hidden() {
                    continue;
                }
                version = versions.version(number)?.map(|version| version.name());
            }
            let is_function = matches!(symbol.st_type(), elf::STT_FUNC | elf::STT_GNU_IFUNC);
            let (address, size) = (symbol.st_value(endian), symbol.st_size(endian));
            symbols.insert(symbol.name(endian, table.strings())?, Offered { version, is_function, address, size });
        }
        let mut name = None;
        for segment in header.program_headers(endian, data)? {
            for entry in segment.dynamic(endian, data)?.unwrap_or_default() {
                if entry.tag(endian) == elf::DT_SONAME {
                    name = Some(entry.string(endian, table.strings())?);
                }
            }
        }
        Ok(Library { name: name.unwrap_or(file.name.as_bytes()), symbols })
    }
}
