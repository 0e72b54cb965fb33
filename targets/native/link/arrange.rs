//! Assigns addresses: the segments of the file in order, and in each the sections of the objects.
//!
//! ```text
//! headers  .interp … .rela.dyn .rodata .cleave.stackmaps .eh_frame | .text | .data.rel.ro .dynamic .got | .data .bss
//! read                                                               execute  write while starting        write
//! ```
//! A program that has a place of its own (`resolve::PLACE`) begins there, others at 0. Variables that are copied from
//! libraries are the first of .bss. Each of the four segments begins on a new page, but not in the file: an address is
//! always congruent to its offset modulo the size of a page, and the pages at the borders are mapped twice.

use super::dynamic::{RELOCATION, Tables};
use super::input::{PAGE, SectionKind};
use super::resolve::Linked;
use super::unwind::Frames;
use crate::frames;
use object::elf;

/// Parts of the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    Interpreter,
    Hash,
    Symbols,
    Strings,
    Versions,
    Needs,
    Relocations,
    ReadOnly,
    StackMaps,
    Unwind,
    Text,
    Relocated,
    Dynamic,
    Slots,
    Data,
    Zero,
}

impl Part {
    pub const ALL: [Part; 16] = [
        Part::Interpreter,
        Part::Hash,
        Part::Symbols,
        Part::Strings,
        Part::Versions,
        Part::Needs,
        Part::Relocations,
        Part::ReadOnly,
        Part::StackMaps,
        Part::Unwind,
        Part::Text,
        Part::Relocated,
        Part::Dynamic,
        Part::Slots,
        Part::Data,
        Part::Zero,
    ];

    /// Name, type, flags, alignment, bytes of an entry.
    pub fn header(self) -> (&'static str, u32, u32, u64, u64) {
        let (read, write) = (elf::SHF_ALLOC, elf::SHF_ALLOC | elf::SHF_WRITE);
        match self {
            Part::Interpreter => (".interp", elf::SHT_PROGBITS, read, 1, 0),
            Part::Hash => (".hash", elf::SHT_HASH, read, 8, 4),
            Part::Symbols => (".dynsym", elf::SHT_DYNSYM, read, 8, 24),
            Part::Strings => (".dynstr", elf::SHT_STRTAB, read, 1, 0),
            Part::Versions => (".gnu.version", elf::SHT_GNU_VERSYM, read, 2, 2),
            Part::Needs => (".gnu.version_r", elf::SHT_GNU_VERNEED, read, 8, 0),
            Part::Relocations => (".rela.dyn", elf::SHT_RELA, read, 8, RELOCATION),
            Part::ReadOnly => (".rodata", elf::SHT_PROGBITS, read, 1, 0),
            Part::StackMaps => (frames::SECTION, elf::SHT_PROGBITS, read, 4, 0),
            Part::Unwind => (".eh_frame", elf::SHT_PROGBITS, read, 8, 0),
            Part::Text => (".text", elf::SHT_PROGBITS, elf::SHF_ALLOC | elf::SHF_EXECINSTR, 16, 0),
            Part::Relocated => (".data.rel.ro", elf::SHT_PROGBITS, write, 8, 0),
            Part::Dynamic => (".dynamic", elf::SHT_DYNAMIC, write, 8, 16),
            Part::Slots => (".got", elf::SHT_PROGBITS, write, 8, 8),
            Part::Data => (".data", elf::SHT_PROGBITS, write, 8, 0),
            Part::Zero => (".bss", elf::SHT_NOBITS, write, 8, 0),
        }
    }

    /// The segment, by number.
    pub fn segment(self) -> usize {
        match self {
            _ if self < Part::Text => 0,
            Part::Text => 1,
            _ if self < Part::Data => 2,
            _ => 3,
        }
    }

    /// What sections of objects are in it.
    fn kind(self) -> Option<SectionKind> {
        match self {
            Part::ReadOnly => Some(SectionKind::ReadOnly),
            Part::StackMaps => Some(SectionKind::StackMaps),
            Part::Text => Some(SectionKind::Text),
            Part::Relocated => Some(SectionKind::Relocated),
            Part::Data => Some(SectionKind::Data),
            Part::Zero => Some(SectionKind::Zero),
            _ => None,
        }
    }
}

/// The loader of the system, by the name that its ABI fixes.
pub const INTERPRETER: &[u8] = b"/lib64/ld-linux-x86-64.so.2\0";

/// Bytes of the header of the file, and of that of a segment.
pub const FILE_HEADER: u64 = 64;
pub const SEGMENT_HEADER: u64 = 56;
/// Bytes of the code at the entry, and of a jump to an import.
pub const ENTRY_CODE: u64 = 40;
pub const JUMP: u64 = 8;
/// Bytes of a slot.
pub const SLOT: u64 = 8;

#[derive(Clone, Copy, Debug)]
pub struct PartPlace {
    pub address: u64,
    pub offset: u64,
    pub size: u64,
    pub align: u64,
}

/// Where everything is.
#[derive(Debug)]
pub struct Arranged {
    /// By part.
    pub parts: Vec<PartPlace>,
    /// By object and section.
    pub sections: Vec<Vec<u64>>,
    /// By number.
    pub copies: Vec<u64>,
    /// Four segments that are loaded, or three.
    pub segments: usize,
    pub is_library: bool,
}

impl Arranged {
    pub fn part(&self, part: Part) -> PartPlace {
        self.parts[part as usize]
    }

    pub fn slot(&self, number: usize) -> u64 {
        self.part(Part::Slots).address + SLOT * number as u64
    }

    pub fn jump(&self, number: usize) -> u64 {
        self.part(Part::Text).address + self.entry_code() + JUMP * number as u64
    }

    /// Bytes of the code at the entry; a library has none.
    fn entry_code(&self) -> u64 {
        if self.is_library { 0 } else { ENTRY_CODE }
    }

    /// Headers of segments: those that are loaded, and five more, or three.
    pub fn header_count(&self) -> usize {
        self.segments + if self.is_library { OTHERS_OF_LIBRARIES } else { OTHER_SEGMENTS }
    }
}

/// The table itself, the interpreter, `.dynamic`, what becomes read-only, the stack.
const OTHER_SEGMENTS: usize = 5;
/// The last three of these.
const OTHERS_OF_LIBRARIES: usize = 3;

/// Gives everything its address.
pub fn arrange(linked: &Linked, tables: &Tables, frames: Option<&Frames>) -> Arranged {
    let is_written = |&(object, section): &(usize, usize)| {
        matches!(linked.objects[object].sections[section].kind, SectionKind::Data | SectionKind::Zero)
    };
    let has_data = !linked.copies.is_empty() || linked.live_sections().any(|section| is_written(&section));
    let segments = if has_data { 4 } else { 3 };
    let mut arranged = Arranged {
        parts: Vec::new(),
        sections: linked.objects.iter().map(|object| vec![0; object.sections.len()]).collect(),
        copies: Vec::new(),
        segments,
        is_library: linked.main.is_none(),
    };
    let mut offset = FILE_HEADER + SEGMENT_HEADER * arranged.header_count() as u64;
    let mut address = linked.base() + offset;
    let mut segment = 0;
    for part in Part::ALL {
        let inside = || {
            let all = linked.live_sections();
            all.filter(|&(object, section)| Some(linked.objects[object].sections[section].kind) == part.kind())
        };
        let copies = if part == Part::Zero { &linked.copies[..] } else { &[] };
        let own = copies.iter().map(|copy| copy.align).fold(part.header().3, u64::max);
        let align =
            inside().map(|(object, section)| linked.objects[object].sections[section].align).fold(own, u64::max);
        if part.segment() != segment {
            segment = part.segment();
            address = address.next_multiple_of(PAGE) + offset % PAGE;
        }
        let padding = address.next_multiple_of(align) - address;
        (address, offset) = (address + padding, offset + padding);
        let fixed = match part {
            Part::Interpreter if arranged.is_library => 0,
            Part::Interpreter => INTERPRETER.len() as u64,
            Part::Hash => tables.hash.len() as u64,
            Part::Symbols => tables.symbols.len() as u64,
            Part::Strings => tables.strings.len() as u64,
            Part::Versions => tables.versions.len() as u64,
            Part::Needs => tables.needs.len() as u64,
            Part::Relocations => tables.relocations * RELOCATION,
            Part::Unwind => frames.map_or(0, |frames| frames.bytes.len() as u64),
            Part::Text => arranged.entry_code() + JUMP * linked.jumps.len() as u64,
            Part::Dynamic => tables.dynamic_size(),
            Part::Slots => SLOT * linked.slots.len() as u64,
            Part::ReadOnly | Part::StackMaps | Part::Relocated | Part::Data | Part::Zero => 0,
        };
        let mut end = address + fixed;
        for copy in copies {
            end = end.next_multiple_of(copy.align);
            arranged.copies.push(end);
            end += copy.size;
        }
        for (object, section) in inside() {
            let data = &linked.objects[object].sections[section];
            end = end.next_multiple_of(data.align);
            arranged.sections[object][section] = end;
            end += data.size;
        }
        let size = end - address;
        arranged.parts.push(PartPlace { address, offset, size, align });
        address = end;
        if part != Part::Zero {
            offset += size;
        }
    }
    arranged
}
