//! Reads an object: the sections that are loaded, all symbols, all relocations.

use super::Error;
use crate::frames;
use object::elf::{self, FileHeader64, Rela64};
use object::read::elf::{ElfFile, ElfFile64, SectionHeader as _};
use object::{
    Endianness, Object as _, ObjectSection as _, ObjectSymbol as _, RelocationFlags, RelocationTarget, SectionFlags,
    SymbolSection,
};

/// A file and its name for messages.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// What messages call it.
    pub name: &'a str,
    /// Its contents.
    pub bytes: &'a [u8],
}

/// Where a section goes, in the order of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SectionKind {
    /// Not loaded.
    None,
    ReadOnly,
    /// Read-only, and found by its name.
    StackMaps,
    Unwind,
    Text,
    /// Written by the loader only.
    Relocated,
    Data,
    Zero,
}

/// A section of an object.
#[derive(Debug)]
pub struct Section<'a> {
    pub kind: SectionKind,
    pub align: u64,
    pub size: u64,
    /// Empty if the section is all zero.
    pub bytes: &'a [u8],
    pub relocations: Vec<Relocation>,
}

/// How a place depends on a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// Its address, in eight bytes.
    Address,
    /// Its address, in four bytes: the program then has a place of its own.
    Short,
    /// The distance to it, in four bytes.
    Distance,
    /// The distance to code that reaches it, in four bytes.
    Call,
    /// The distance to a slot with its address, in four bytes.
    Slot,
}

#[derive(Clone, Copy, Debug)]
pub struct Relocation {
    pub offset: u64,
    pub how: How,
    /// Number of the symbol in its object.
    pub symbol: usize,
    pub addend: i64,
}

/// What a symbol of an object stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// An offset in a section.
    Place {
        section: usize,
        offset: u64,
    },
    Absolute(u64),
    Undefined,
    /// Of no interest: names of files and of sections that are not loaded.
    Nothing,
}

#[derive(Debug)]
pub struct Symbol<'a> {
    pub name: &'a [u8],
    pub meaning: Meaning,
    pub is_global: bool,
    pub is_weak: bool,
    /// It has room of its own, which it needs only if nobody else defines it.
    pub is_common: bool,
    /// Type and size, as in the file.
    pub kind: u8,
    pub size: u64,
}

/// An object.
#[derive(Debug)]
pub struct Object<'a> {
    pub file: &'a str,
    /// By their numbers in the file.
    pub sections: Vec<Section<'a>>,
    pub symbols: Vec<Symbol<'a>>,
}

/// The largest section or variable, and most bytes of all in one file, so that no sum of addresses overflows.
pub const LARGEST: u64 = 1 << 30;
/// The largest alignment: that of a page.
pub const PAGE: u64 = 4096;

impl<'a> Object<'a> {
    pub fn parse(input: &File<'a>) -> Result<Object<'a>, Error> {
        let file = input.name;
        let malformed =
            |reason: object::read::Error| Error::Malformed { file: file.into(), reason: reason.to_string() };
        let unsupported = |what: &str| Error::Unsupported { file: file.into(), what: what.into() };
        let elf: ElfFile64<Endianness> = ElfFile::<FileHeader64<Endianness>>::parse(input.bytes).map_err(malformed)?;
        if elf.kind() != object::ObjectKind::Relocatable || elf.architecture() != object::Architecture::X86_64 {
            let reason = "it is no object for this machine".into();
            return Err(Error::Malformed { file: file.into(), reason });
        }
        let overlapping =
            || Error::Malformed { file: file.into(), reason: "its sections are larger than the file".into() };
        let endian = elf.endian();
        let (mut room, mut zeros) = (input.bytes.len(), 0);
        let mut sections = Vec::new();
        for section in elf.sections() {
            while sections.len() <= section.index().0 {
                sections.push(Section {
                    kind: SectionKind::None,
                    align: 1,
                    size: 0,
                    bytes: &[],
                    relocations: Vec::new(),
                });
            }
            let SectionFlags::Elf { sh_flags } = section.flags() else { continue };
            let sh_type = section.elf_section_header().sh_type(endian);
            if sh_flags & u64::from(elf::SHF_ALLOC) == 0 {
                continue;
            }
            let name = section.name_bytes().map_err(malformed)?;
            let Some(kind) = kind(name, sh_type, sh_flags) else { continue };
            let kind = kind.map_err(unsupported)?;
            let align = section.align().max(1);
            if !align.is_power_of_two() || align > PAGE {
                return Err(unsupported("a section that is aligned to more than a page"));
            }
            if section.size() > LARGEST {
                return Err(unsupported("a section of more than a GiB"));
            }
            let bytes = if kind == SectionKind::Zero { &[] } else { section.data().map_err(malformed)? };
            // Sections that lie in the same bytes would make much of a small file.
            room = room.checked_sub(bytes.len()).ok_or_else(overlapping)?;
            zeros += if kind == SectionKind::Zero { section.size() } else { 0 };
            if zeros > LARGEST {
                return Err(unsupported("variables of more than a GiB"));
            }
            let mut relocations = Vec::new();
            for (offset, relocation) in section.relocations() {
                let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
                let how = how(r_type).ok_or_else(|| unsupported(&refused(r_type)))?;
                let RelocationTarget::Symbol(symbol) = relocation.target() else {
                    return Err(unsupported("a relocation without a symbol"));
                };
                room = room.checked_sub(size_of::<Rela64<Endianness>>()).ok_or_else(overlapping)?;
                let length = if how == How::Address { 8 } else { 4 };
                if offset.checked_add(length).is_none_or(|end| end > bytes.len() as u64) {
                    let reason = "a relocation outside of its section".into();
                    return Err(Error::Malformed { file: file.into(), reason });
                }
                relocations.push(Relocation { offset, how, symbol: symbol.0, addend: relocation.addend() });
            }
            sections[section.index().0] = Section { kind, align, size: section.size(), bytes, relocations };
        }
        let mut symbols = Vec::new();
        for symbol in elf.symbols() {
            while symbols.len() < symbol.index().0 {
                let meaning = Meaning::Nothing;
                let (is_global, is_weak, is_common) = (false, false, false);
                symbols.push(Symbol { name: &[], meaning, is_global, is_weak, is_common, kind: 0, size: 0 });
            }
            let name = symbol.name_bytes().map_err(malformed)?;
            let kind = symbol.elf_symbol().st_info & 15;
            if kind == elf::STT_TLS || kind == elf::STT_GNU_IFUNC {
                return Err(unsupported(&format!("the symbol `{}` of a special kind", name.escape_ascii())));
            }
            let meaning = match symbol.section() {
                SymbolSection::Undefined => Meaning::Undefined,
                SymbolSection::Absolute => Meaning::Absolute(symbol.address()),
                SymbolSection::Section(index) => match sections.get(index.0) {
                    Some(section) if section.kind != SectionKind::None => {
                        Meaning::Place { section: index.0, offset: symbol.address() }
                    }
                    _ => Meaning::Nothing,
                },
                // A variable that several objects may define: its address says how it is aligned.
                SymbolSection::Common => {
                    let (size, align) = (symbol.size(), symbol.address().max(1));
                    if size > LARGEST || !align.is_power_of_two() || align > PAGE {
                        return Err(unsupported("a variable that is too large, or aligned to more than a page"));
                    }
                    zeros += size;
                    if zeros > LARGEST {
                        return Err(unsupported("variables of more than a GiB"));
                    }
                    sections.push(Section {
                        kind: SectionKind::Zero,
                        align,
                        size,
                        bytes: &[],
                        relocations: Vec::new(),
                    });
                    Meaning::Place { section: sections.len() - 1, offset: 0 }
                }
                _ => Meaning::Nothing,
            };
            let (is_global, is_weak, size) = (symbol.is_global(), symbol.is_weak(), symbol.size());
            let is_common = symbol.section() == SymbolSection::Common;
            symbols.push(Symbol { name, meaning, is_global, is_weak, is_common, kind, size });
        }
        let known = |relocation: &Relocation| relocation.symbol < symbols.len();
        if !sections.iter().flat_map(|section| &section.relocations).all(known) {
            return Err(Error::Malformed { file: file.into(), reason: "a relocation against no symbol".into() });
        }
        Ok(Object { file, sections, symbols })
    }
}

/// What becomes of a loaded section; `None` if it is left out.
fn kind(name: &[u8], sh_type: u32, sh_flags: u64) -> Option<Result<SectionKind, &'static str>> {
    if sh_flags & u64::from(elf::SHF_TLS) != 0 {
        return Some(Err("thread-local variables"));
    }
    let is_written = sh_flags & u64::from(elf::SHF_WRITE) != 0;
    Some(match sh_type {
        _ if name == b".eh_frame" => Ok(SectionKind::Unwind),
        _ if name == frames::SECTION.as_bytes() => Ok(SectionKind::StackMaps),
        elf::SHT_NOTE => return None,
        elf::SHT_INIT_ARRAY | elf::SHT_FINI_ARRAY | elf::SHT_PREINIT_ARRAY => {
            Err("code that runs before or after the program")
        }
        elf::SHT_NOBITS => Ok(SectionKind::Zero),
        elf::SHT_PROGBITS if sh_flags & u64::from(elf::SHF_EXECINSTR) != 0 => Ok(SectionKind::Text),
        elf::SHT_PROGBITS if is_written && name.starts_with(b".data.rel.ro") => Ok(SectionKind::Relocated),
        elf::SHT_PROGBITS if is_written => Ok(SectionKind::Data),
        elf::SHT_PROGBITS => Ok(SectionKind::ReadOnly),
        _ => Err("a section of a special kind"),
    })
}

fn how(r_type: u32) -> Option<How> {
    Some(match r_type {
        elf::R_X86_64_64 => How::Address,
        elf::R_X86_64_32 | elf::R_X86_64_32S => How::Short,
        elf::R_X86_64_PC32 => How::Distance,
        elf::R_X86_64_PLT32 => How::Call,
        elf::R_X86_64_GOTPCREL | elf::R_X86_64_GOTPCRELX | elf::R_X86_64_REX_GOTPCRELX => How::Slot,
        _ => return None,
    })
}

/// What a relocation that is not known says about its object.
fn refused(r_type: u32) -> String {
    match r_type {
        elf::R_X86_64_TLSGD..=elf::R_X86_64_TPOFF32 | elf::R_X86_64_DTPMOD64..=elf::R_X86_64_TPOFF64 => {
            "thread-local variables".into()
        }
        _ => format!("a relocation of type {r_type}"),
    }
}
