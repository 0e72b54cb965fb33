//! The bytes of the executable: contents of the parts with all references filled in, headers, symbols.

use super::Error;
use super::arrange::{Arranged, FILE_HEADER, INTERPRETER, JUMP, Part, PartPlace, SEGMENT_HEADER, SLOT};
use super::dynamic::{Addresses, SYMBOL, Tables};
use super::input::{How, Meaning, PAGE};
use super::resolve::{Linked, START, Target, live_relocations};
use super::unwind::Frames;
use object::elf;

/// The code at the entry: the C library gets `main`, the arguments and what the loader wants to be called at the end;
/// the frame pointer is 0, the stack aligned. The two distances that are 0 here lead to `main` and to the slot of the
/// library.
const ENTRY: [u8; 34] = [
    0x31, 0xed, // xor ebp, ebp
    0x49, 0x89, 0xd1, // mov r9, rdx
    0x5e, // pop rsi
    0x48, 0x89, 0xe2, // mov rdx, rsp
    0x48, 0x83, 0xe4, 0xf0, // and rsp, -16
    0x50, // push rax
    0x54, // push rsp
    0x45, 0x31, 0xc0, // xor r8d, r8d
    0x31, 0xc9, // xor ecx, ecx
    0x48, 0x8d, 0x3d, 0, 0, 0, 0, // lea rdi, [main]
    0xff, 0x15, 0, 0, 0, 0,    // call [slot]
    0xf4, // hlt
];
const ENTRY_MAIN: u64 = 23;
const ENTRY_CALL: u64 = 29;
/// Between pieces of code: the instruction that traps.
const FILL: u8 = 0xcc;

/// Bytes of the header of a section.
const SECTION_HEADER: u64 = 64;

/// The file that is written, and what is known about it.
struct Output<'l, 'a> {
    linked: &'l Linked<'a>,
    arranged: &'l Arranged,
    bytes: Vec<u8>,
    /// Relocations for the loader: those that add where the program lies, and those by name.
    relative: Vec<[u64; 3]>,
    named: Vec<[u64; 3]>,
}

/// Writes the file.
pub fn write(
    linked: &Linked,
    tables: &Tables,
    frames: Option<&Frames>,
    arranged: &Arranged,
    strip: bool,
) -> Result<Vec<u8>, Error> {
    let end = arranged.part(Part::Data);
    let bytes = vec![0; (end.offset + end.size) as usize];
    let mut output = Output { linked, arranged, bytes, relative: Vec::new(), named: Vec::new() };
    output.sections();
    output.code()?;
    output.references()?;
    output.slots();
    output.copies();
    if let Some(frames) = frames {
        output.put(arranged.part(Part::Unwind).address, &frames.bytes);
        for &(offset, target, addend) in &frames.distances {
            let at = arranged.part(Part::Unwind).address + offset;
            let to = output.address(target);
            output.distance(at, to.wrapping_add_signed(addend))?;
        }
    }
    output.tables(tables);
    output.headers();
    output.section_headers(tables, strip);
    Ok(output.bytes)
}

impl Output<'_, '_> {
    /// The address of a target; an import that is not copied has none before the program starts.
    fn address(&self, target: Target) -> u64 {
        match target {
            Target::Place { object, section, offset } => self.arranged.sections[object][section].wrapping_add(offset),
            Target::Absolute(value) => value,
            Target::Import(import) => self.linked.imports[import].copy.map_or(0, |copy| self.arranged.copies[copy]),
        }
    }

    /// An address for code of this program: that of an import is a jump to it.
    fn near(&self, target: Target) -> u64 {
        match target {
            Target::Import(import) if self.linked.imports[import].copy.is_none() => {
                self.arranged.jump(self.linked.jump_of(import).expect("made while marking"))
            }
            target => self.address(target),
        }
    }

    /// An address that the loader does not write: 0 for what may be missing and is.
    fn fixed(&self, target: Target) -> u64 {
        let import = |import: usize| &self.linked.imports[import];
        match target {
            Target::Import(number) if import(number).is_weak && import(number).library.is_none() => 0,
            target => self.near(target),
        }
    }

    /// The offset of a loaded address in the file.
    fn offset(&self, address: u64) -> usize {
        let part = self.arranged.parts.iter().rev().find(|part| part.address <= address && part.size > 0);
        let PartPlace { address: start, offset, .. } = *part.expect("an address of the file");
        (offset + address - start) as usize
    }

    fn put(&mut self, address: u64, bytes: &[u8]) {
        if !bytes.is_empty() {
            let at = self.offset(address);
            self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        }
    }

    /// Writes the distance to an address into four bytes.
    fn distance(&mut self, at: u64, to: u64) -> Result<(), Error> {
        let distance = i32::try_from(to.wrapping_sub(at) as i64).map_err(|_| Error::Unsupported {
            file: "the program".into(),
            what: "more than two GiB of code and data".into(),
        })?;
        self.put(at, &distance.to_le_bytes());
        Ok(())
    }

    /// Contents of the sections, before references.
    fn sections(&mut self) {
        let PartPlace { offset, size, .. } = self.arranged.part(Part::Text);
        self.bytes[offset as usize..(offset + size) as usize].fill(FILL);
        for (object, section) in self.linked.live_sections() {
            let address = self.arranged.sections[object][section];
            self.put(address, self.linked.objects[object].sections[section].bytes);
        }
    }

    /// The entry, and jumps to imports: `jmp [slot]`.
    fn code(&mut self) -> Result<(), Error> {
        if let Some(main) = self.linked.main {
            let entry = self.arranged.part(Part::Text).address;
            self.put(entry, &ENTRY);
            self.distance(entry + ENTRY_MAIN, self.address(main).wrapping_sub(4))?;
            let start = self.linked.imports.iter().position(|import| import.name == START).expect("imported first");
            let slot = self.arranged.slot(self.linked.slot_of(Target::Import(start)));
            self.distance(entry + ENTRY_CALL, slot.wrapping_sub(4))?;
        }
        for (number, &import) in self.linked.jumps.iter().enumerate() {
            let at = self.arranged.jump(number);
            self.put(at, &[0xff, 0x25]);
            let slot = self.arranged.slot(self.linked.slot_of(Target::Import(import)));
            self.distance(at + 2, slot.wrapping_sub(4))?;
        }
        Ok(())
    }

    fn references(&mut self) -> Result<(), Error> {
        let linked = self.linked;
        for (object, section, relocation) in live_relocations(linked) {
            let at = self.arranged.sections[object][section] + relocation.offset;
            let target = linked.target(object, relocation.symbol).expect("resolved");
            match relocation.how {
                How::Address if linked.is_fixed(object, section, How::Address) => {
                    let to = self.fixed(target).wrapping_add_signed(relocation.addend);
                    self.put(at, &to.to_le_bytes());
                }
                How::Address => self.absolute(at, target, relocation.addend),
                How::Slot => {
                    let slot = self.arranged.slot(linked.slot_of(target));
                    self.distance(at, slot.wrapping_add_signed(relocation.addend))?;
                }
                How::Distance | How::Call => {
                    let to = self.near(target);
                    self.distance(at, to.wrapping_add_signed(relocation.addend))?;
                }
                How::Short => {
                    let to = self.fixed(target).wrapping_add_signed(relocation.addend);
                    let short = i32::try_from(to).map_err(|_| Error::Unsupported {
                        file: "the program".into(),
                        what: "code and data for which addresses of 32 bits are not enough".into(),
                    })?;
                    self.put(at, &short.to_le_bytes());
                }
            }
        }
        Ok(())
    }

    /// Eight bytes with an address.
    fn absolute(&mut self, at: u64, target: Target, addend: i64) {
        match target {
            Target::Import(import) => {
                let symbol = (import as u64 + 1) << 32;
                self.named.push([at, symbol | u64::from(elf::R_X86_64_64), addend as u64]);
            }
            Target::Absolute(_) | Target::Place { .. } => {
                let value = self.address(target).wrapping_add_signed(addend);
                match self.linked.moves(target) {
                    true => self.relative.push([at, elf::R_X86_64_RELATIVE.into(), value]),
                    false => self.put(at, &value.to_le_bytes()),
                }
            }
        }
    }

    fn slots(&mut self) {
        for (number, &target) in self.linked.slots.iter().enumerate() {
            let at = self.arranged.part(Part::Slots).address + SLOT * number as u64;
            match target {
                Target::Import(import) => {
                    let symbol = (import as u64 + 1) << 32;
                    self.named.push([at, symbol | u64::from(elf::R_X86_64_GLOB_DAT), 0]);
                }
                target => self.absolute(at, target, 0),
            }
        }
    }

    /// Variables that are copied: the loader fills them.
    fn copies(&mut self) {
        let mut done = vec![false; self.linked.copies.len()];
        for (number, import) in self.linked.imports.iter().enumerate() {
            if let Some(copy) = import.copy
                && !std::mem::replace(&mut done[copy], true)
            {
                let symbol = (number as u64 + 1) << 32;
                self.named.push([self.arranged.copies[copy], symbol | u64::from(elf::R_X86_64_COPY), 0]);
            }
        }
    }

    /// The symbols for the loader, which finds variables that are copied among them, and exports.
    fn loaded_symbols(&self, tables: &Tables) -> Vec<u8> {
        const SECTION: usize = 6;
        const ADDRESS: usize = 8;
        let mut symbols = tables.symbols.clone();
        let number = |part: Part| {
            let parts = Part::ALL.into_iter().filter(|&part| self.arranged.part(part).size > 0);
            1 + parts.take_while(|&other| other != part).count()
        };
        let copies =
            self.linked.imports.iter().enumerate().filter_map(|(at, import)| {
                import.copy.map(|copy| (at, number(Part::Zero), self.arranged.copies[copy]))
            });
        let first = self.linked.imports.len();
        let exports = (first..).zip(&self.linked.exports);
        let exports = exports.map(|(at, export)| (at, number(Part::Text), self.address(export.1)));
        for (at, section, address) in copies.chain(exports) {
            let row = &mut symbols[(at + 1) * SYMBOL as usize..];
            row[SECTION..SECTION + 2].copy_from_slice(&(section as u16).to_le_bytes());
            row[ADDRESS..ADDRESS + 8].copy_from_slice(&address.to_le_bytes());
        }
        symbols
    }

    fn tables(&mut self, tables: &Tables) {
        let address = |part| self.arranged.part(part).address;
        let addresses = Addresses {
            hash: address(Part::Hash),
            strings: address(Part::Strings),
            symbols: address(Part::Symbols),
            relocations: address(Part::Relocations),
            versions: address(Part::Versions),
            needs: address(Part::Needs),
        };
        let relocations: Vec<u8> =
            self.relative.iter().chain(&self.named).flatten().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(relocations.len() as u64, self.arranged.part(Part::Relocations).size, "counted before");
        for (part, bytes) in [
            (Part::Interpreter, if self.arranged.is_library { &[] } else { INTERPRETER }),
            (Part::Hash, &tables.hash),
            (Part::Symbols, &self.loaded_symbols(tables)),
            (Part::Strings, &tables.strings),
            (Part::Versions, &tables.versions),
            (Part::Needs, &tables.needs),
            (Part::Relocations, &relocations),
            (Part::Dynamic, &tables.dynamic(&addresses)),
        ] {
            self.put(self.arranged.part(part).address, bytes);
        }
    }

    /// Header of the file, without what concerns sections, and those of the segments.
    fn headers(&mut self) {
        let arranged = self.arranged;
        let part = |part| arranged.part(part);
        let headers = FILE_HEADER + SEGMENT_HEADER * arranged.header_count() as u64;
        let mut bytes = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let kind = if self.linked.has_place { elf::ET_EXEC } else { elf::ET_DYN };
        bytes.extend_from_slice(&kind.to_le_bytes());
        bytes.extend_from_slice(&elf::EM_X86_64.to_le_bytes());
        bytes.extend_from_slice(&1u32.to_le_bytes());
        let entry = if arranged.is_library { 0 } else { part(Part::Text).address };
        for word in [entry, FILE_HEADER, 0] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&0u32.to_le_bytes());
        for half in [FILE_HEADER, SEGMENT_HEADER, arranged.header_count() as u64, SECTION_HEADER, 0, 0] {
            bytes.extend_from_slice(&(half as u16).to_le_bytes());
        }
        let mut segment = |kind: u32, flags: u32, align: u64, place: PartPlace, memory: u64| {
            bytes.extend_from_slice(&kind.to_le_bytes());
            bytes.extend_from_slice(&flags.to_le_bytes());
            for word in [place.offset, place.address, place.address, place.size, memory, align] {
                bytes.extend_from_slice(&word.to_le_bytes());
            }
        };
        let base = self.linked.base();
        let (offset, size) = (FILE_HEADER, headers - FILE_HEADER);
        let table = PartPlace { address: base + offset, offset, size, align: 8 };
        if !arranged.is_library {
            segment(elf::PT_PHDR, elf::PF_R, 8, table, table.size);
            let interpreter = part(Part::Interpreter);
            segment(elf::PT_INTERP, elf::PF_R, 1, interpreter, interpreter.size);
        }
        // From the first part of a segment to its last.
        let range = |first: Part, last: Part| {
            let (first, last) = (part(first), part(last));
            PartPlace { size: last.address + last.size - first.address, ..first }
        };
        let start = PartPlace { address: base, offset: 0, ..range(Part::Interpreter, Part::Unwind) };
        let read = part(Part::Unwind).address + part(Part::Unwind).size - base;
        segment(elf::PT_LOAD, elf::PF_R, PAGE, PartPlace { size: read, ..start }, read);
        let text = part(Part::Text);
        segment(elf::PT_LOAD, elf::PF_R | elf::PF_X, PAGE, text, text.size);
        // To the end of its last page: only whole pages can become read-only.
        let relocated = range(Part::Relocated, Part::Slots);
        let whole = (relocated.address + relocated.size).next_multiple_of(PAGE) - relocated.address;
        segment(elf::PT_LOAD, elf::PF_R | elf::PF_W, PAGE, relocated, whole);
        if arranged.segments == 4 {
            let data = part(Part::Data);
            segment(elf::PT_LOAD, elf::PF_R | elf::PF_W, PAGE, data, range(Part::Data, Part::Zero).size);
        }
        let dynamic = part(Part::Dynamic);
        segment(elf::PT_DYNAMIC, elf::PF_R | elf::PF_W, 8, dynamic, dynamic.size);
        segment(elf::PT_GNU_RELRO, elf::PF_R, 1, relocated, whole);
        let nothing = PartPlace { address: 0, offset: 0, size: 0, align: 0 };
        segment(elf::PT_GNU_STACK, elf::PF_R | elf::PF_W, 16, nothing, 0);
        assert_eq!(bytes.len() as u64, headers);
        self.bytes[..bytes.len()].copy_from_slice(&bytes);
    }

    /// Symbols, and the table of sections at the end of the file.
    fn section_headers(&mut self, tables: &Tables, strip: bool) {
        let parts: Vec<Part> = Part::ALL.into_iter().filter(|&part| self.arranged.part(part).size > 0).collect();
        let number = |part: Part| parts.iter().position(|&other| other == part).map_or(0, |at| at as u32 + 1);
        let mut names = vec![0u8];
        let mut rows: Vec<(u32, u32, u64, PartPlace, [u32; 2], u64)> = Vec::new();
        let mut name = |text: &str| {
            let at = names.len() as u32;
            names.extend_from_slice(text.as_bytes());
            names.push(0);
            at
        };
        for &part in &parts {
            let (text, kind, flags, _, entry) = part.header();
            let links = match part {
                Part::Hash | Part::Versions => [number(Part::Symbols), 0],
                // One local symbol: the first, which is nothing.
                Part::Symbols => [number(Part::Strings), 1],
                Part::Needs => [number(Part::Strings), tables.need_count as u32],
                Part::Relocations => [number(Part::Symbols), 0],
                Part::Dynamic => [number(Part::Strings), 0],
                _ => [0, 0],
            };
            rows.push((name(text), kind, flags.into(), self.arranged.part(part), links, entry));
        }
        if !strip {
            let (symbols, strings) = self.symbols(&number);
            let count = (symbols.len() as u64 / SYMBOL) as u32;
            let place = self.append(&symbols, 8);
            let link = rows.len() as u32 + 2;
            rows.push((name(".symtab"), elf::SHT_SYMTAB, 0, place, [link, count], SYMBOL));
            let place = self.append(&strings, 1);
            rows.push((name(".strtab"), elf::SHT_STRTAB, 0, place, [0, 0], 0));
        }
        let last = name(".shstrtab");
        let place = self.append(&names, 1);
        rows.push((last, elf::SHT_STRTAB, 0, place, [0, 0], 0));
        let mut bytes = vec![0u8; SECTION_HEADER as usize];
        for (name, kind, flags, place, links, entry) in &rows {
            for word in [*name, *kind] {
                bytes.extend_from_slice(&word.to_le_bytes());
            }
            for word in [*flags, place.address, place.offset, place.size] {
                bytes.extend_from_slice(&word.to_le_bytes());
            }
            for word in links {
                bytes.extend_from_slice(&word.to_le_bytes());
            }
            for word in [place.align, *entry] {
                bytes.extend_from_slice(&word.to_le_bytes());
            }
        }
        let table = self.append(&bytes, 8).offset;
        const TABLE: usize = 40;
        const COUNT: usize = 60;
        self.bytes[TABLE..TABLE + 8].copy_from_slice(&table.to_le_bytes());
        let count = rows.len() as u16 + 1;
        self.bytes[COUNT..COUNT + 2].copy_from_slice(&count.to_le_bytes());
        self.bytes[COUNT + 2..COUNT + 4].copy_from_slice(&(count - 1).to_le_bytes());
    }

    /// Puts something that is not loaded after everything else.
    fn append(&mut self, bytes: &[u8], align: u64) -> PartPlace {
        let offset = (self.bytes.len() as u64).next_multiple_of(align);
        self.bytes.resize(offset as usize, 0);
        self.bytes.extend_from_slice(bytes);
        PartPlace { address: 0, offset, size: bytes.len() as u64, align }
    }

    /// Functions and variables of the objects, for debuggers and profilers, and their names. All are local.
    fn symbols(&self, number: &dyn Fn(Part) -> u32) -> (Vec<u8>, Vec<u8>) {
        let mut symbols = vec![0u8; SYMBOL as usize];
        let mut strings = vec![0u8];
        let mut add = |name: &[u8], kind: u8, address: u64, size: u64| {
            let part = Part::ALL.into_iter().rev().find(|&part| {
                let place = self.arranged.part(part);
                place.size > 0 && place.address <= address
            });
            symbols.extend_from_slice(&(strings.len() as u32).to_le_bytes());
            symbols.extend_from_slice(&[elf::STB_LOCAL << 4 | kind, 0]);
            symbols.extend_from_slice(&(part.map_or(0, number) as u16).to_le_bytes());
            symbols.extend_from_slice(&address.to_le_bytes());
            symbols.extend_from_slice(&size.to_le_bytes());
            strings.extend_from_slice(name);
            strings.push(0);
        };
        if !self.arranged.is_library {
            add(b"_start", elf::STT_FUNC, self.arranged.part(Part::Text).address, ENTRY.len() as u64);
        }
        for (jump, &import) in self.linked.jumps.iter().enumerate() {
            let name = [self.linked.imports[import].name, b"@plt"].concat();
            add(&name, elf::STT_FUNC, self.arranged.jump(jump), JUMP);
        }
        for (object, data) in self.linked.objects.iter().enumerate() {
            for symbol in &data.symbols {
                let Meaning::Place { section, offset } = symbol.meaning else { continue };
                let is_named = matches!(symbol.kind, elf::STT_FUNC | elf::STT_OBJECT);
                if is_named && self.linked.live[object][section] {
                    let address = self.arranged.sections[object][section] + offset;
                    add(symbol.name, symbol.kind, address, symbol.size);
                }
            }
        }
        (symbols, strings)
    }
}
