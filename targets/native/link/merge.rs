//! All objects as one, for an archive: what is reached, in one section of each kind. Only exports are global symbols,
//! so that two libraries, or a library and a program with a `main`, do not get into each other's way.

use super::Error;
use super::input::{How, Meaning, SectionKind};
use super::resolve::{Linked, Target, live_relocations};
use super::unwind::Frames;
use crate::frames;
use object::write::{Object, Relocation, SectionId, Symbol, SymbolId, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, RelocationFlags, SectionKind as Kind, SymbolFlags, SymbolKind, SymbolScope,
    elf,
};
use rustc_hash::FxHashMap;

/// What becomes of the kinds of sections.
const SECTIONS: [(SectionKind, &[u8], Kind); 6] = [
    (SectionKind::ReadOnly, b".rodata", Kind::ReadOnlyData),
    (SectionKind::StackMaps, frames::SECTION.as_bytes(), Kind::ReadOnlyData),
    (SectionKind::Text, b".text", Kind::Text),
    (SectionKind::Relocated, b".data.rel.ro", Kind::ReadOnlyDataWithRel),
    (SectionKind::Data, b".data", Kind::Data),
    (SectionKind::Zero, b".bss", Kind::UninitializedData),
];

struct Merged<'l, 'a> {
    linked: &'l Linked<'a>,
    object: Object<'static>,
    /// Where each section of the objects begins.
    places: FxHashMap<(usize, usize), (SectionId, u64)>,
    /// Symbols of imports, and of places that slots lead to.
    symbols: FxHashMap<Target, SymbolId>,
}

/// The bytes of the object.
pub fn write(linked: &Linked, frames: Option<&Frames>, strip: bool) -> Result<Vec<u8>, Error> {
    let object = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    let mut merged = Merged { linked, object, places: FxHashMap::default(), symbols: FxHashMap::default() };
    merged.sections();
    for (name, target) in &linked.exports {
        let (section, value) = merged.place(*target)?;
        merged.object.add_symbol(symbol(name, value, 0, SymbolKind::Text, SymbolScope::Dynamic, section));
    }
    if !strip {
        merged.names();
    }
    for (object, section, relocation) in live_relocations(linked) {
        let target = linked.target(object, relocation.symbol).expect("resolved");
        let (id, start) = merged.places[&(object, section)];
        merged.relocate(id, start + relocation.offset, relocation.how, target, relocation.addend)?;
    }
    if let Some(frames) = frames {
        let id = merged.object.add_section(Vec::new(), b".eh_frame".to_vec(), Kind::ReadOnlyData);
        merged.object.set_section_data(id, frames.bytes.clone(), 8);
        for &(offset, target, addend) in &frames.distances {
            merged.relocate(id, offset, How::Distance, target, addend)?;
        }
    }
    // Without it, linkers make the stack executable.
    merged.object.add_section(Vec::new(), b".note.GNU-stack".to_vec(), Kind::Other);
    Ok(merged.object.write().expect("an object that can be written"))
}

fn symbol(name: &[u8], value: u64, size: u64, kind: SymbolKind, scope: SymbolScope, section: SectionId) -> Symbol {
    let section = SymbolSection::Section(section);
    Symbol { name: name.to_vec(), value, size, kind, scope, weak: false, section, flags: SymbolFlags::None }
}

impl Merged<'_, '_> {
    /// Contents of the sections.
    fn sections(&mut self) {
        for (kind, name, written) in SECTIONS {
            let inside =
                |&(object, section): &(usize, usize)| self.linked.objects[object].sections[section].kind == kind;
            let all: Vec<(usize, usize)> = self.linked.live_sections().filter(inside).collect();
            if all.is_empty() {
                continue;
            }
            let id = self.object.add_section(Vec::new(), name.to_vec(), written);
            for (object, section) in all {
                let data = &self.linked.objects[object].sections[section];
                let start = match kind {
                    SectionKind::Zero => self.object.append_section_bss(id, data.size, data.align),
                    _ => self.object.append_section_data(id, data.bytes, data.align),
                };
                self.places.insert((object, section), (id, start));
            }
        }
    }

    /// Local names, for debuggers and profilers.
    fn names(&mut self) {
        for (object, data) in self.linked.objects.iter().enumerate() {
            for named in &data.symbols {
                let Meaning::Place { section, offset } = named.meaning else { continue };
                let kind = match named.kind {
                    elf::STT_FUNC => SymbolKind::Text,
                    elf::STT_OBJECT => SymbolKind::Data,
                    _ => continue,
                };
                let is_exported = self.linked.exports.iter().any(|export| export.0 == named.name);
                if let Some(&(id, start)) = self.places.get(&(object, section)).filter(|_| !is_exported) {
                    let scope = SymbolScope::Compilation;
                    self.object.add_symbol(symbol(named.name, start + offset, named.size, kind, scope, id));
                }
            }
        }
    }

    /// The section and the offset of what is defined here.
    fn place(&self, target: Target) -> Result<(SectionId, u64), Error> {
        match target {
            Target::Place { object, section, offset } => {
                let (id, start) = self.places[&(object, section)];
                Ok((id, start.wrapping_add(offset)))
            }
            Target::Absolute(_) | Target::Import(_) => Err(Error::Unsupported {
                file: "the library".into(),
                what: "a number as the address of a symbol".into(),
            }),
        }
    }

    /// A symbol at the target.
    fn symbol(&mut self, target: Target) -> Result<SymbolId, Error> {
        if let Some(&known) = self.symbols.get(&target) {
            return Ok(known);
        }
        let added = match target {
            Target::Import(number) => {
                let import = &self.linked.imports[number];
                Symbol {
                    name: import.name.to_vec(),
                    value: 0,
                    size: 0,
                    kind: SymbolKind::Unknown,
                    scope: SymbolScope::Unknown,
                    weak: import.is_weak,
                    section: SymbolSection::Undefined,
                    flags: SymbolFlags::None,
                }
            }
            _ => {
                let (id, value) = self.place(target)?;
                let name = format!("cleave.slot.{}", self.symbols.len());
                symbol(name.as_bytes(), value, 0, SymbolKind::Label, SymbolScope::Compilation, id)
            }
        };
        let added = self.object.add_symbol(added);
        self.symbols.insert(target, added);
        Ok(added)
    }

    fn relocate(&mut self, id: SectionId, offset: u64, how: How, target: Target, addend: i64) -> Result<(), Error> {
        let r_type = match how {
            How::Address => elf::R_X86_64_64,
            How::Distance => elf::R_X86_64_PC32,
            How::Call => elf::R_X86_64_PLT32,
            How::Slot => elf::R_X86_64_GOTPCREL,
            How::Short => unreachable!("refused by `resolve`"),
        };
        let (symbol, addend) = match target {
            Target::Place { .. } if how != How::Slot => {
                let (section, at) = self.place(target)?;
                (self.object.section_symbol(section), addend.wrapping_add(at as i64))
            }
            _ => (self.symbol(target)?, addend),
        };
        let relocation = Relocation { offset, symbol, addend, flags: RelocationFlags::Elf { r_type } };
        self.object.add_relocation(id, relocation).expect("a relocation of this machine");
        Ok(())
    }
}
