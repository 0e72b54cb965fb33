//! The symbols of a library of machine code, which C calls.
//!
//! ```text
//! lib_greet:    lea rax, [cleave_entry.greet]; mov r10d, faults; jmp cleave_library_call
//! lib_set_net:  mov edx, first; mov ecx, count; jmp cleave_library_give
//! ```
//! The runtime (`rt/sys/native/library.rs`) writes the registers with arguments to memory and calls the entry
//! (`entries.rs`) on another stack. `faults` are those that the function may have (`faults_of.rs`): only for them
//! signals have to be taken from the host. When all is linked, the library holds the parts of the runtime that it
//! needs, and no symbol but those of the header can be seen.

use ::object::write::{Object, Relocation, SectionId, Symbol as ElfSymbol, SymbolId, SymbolSection};
use ::object::{RelocationFlags, SectionKind, SymbolFlags, SymbolKind, SymbolScope, elf};

/// The functions of the runtime behind the symbols.
const CALL: &[u8] = b"cleave_library_call";
const FREE: &[u8] = b"cleave_library_free";
const ERROR: &[u8] = b"cleave_library_error";
const GIVE: &[u8] = b"cleave_library_give";

/// The names of a library.
#[derive(Clone, Debug)]
pub struct Library {
    /// Of its functions, in the order of the entries.
    pub functions: Vec<String>,
    /// Of the function that frees results, and of that which gives the text of an error.
    pub services: [String; 2],
    /// Of those by which the host gives functions: the number of the first one, and how many they are.
    pub givers: Vec<(String, u32, u32)>,
}

impl Library {
    /// Adds the code behind the symbols to an object; `entry` says where in its `.text` entries are, `faults` what can
    /// happen to them.
    pub(crate) fn add_symbols(
        &self,
        object: &mut Object,
        text: SectionId,
        entry: impl Fn(u32) -> u64,
        faults: impl Fn(u32) -> u8,
    ) {
        let section = object.add_section(Vec::new(), b".text.cleave.library".to_vec(), SectionKind::Text);
        let in_text = object.section_symbol(text);
        let jump = |object: &mut Object, at: u64, to: SymbolId| {
            relocate(object, section, (at, to, -4), elf::R_X86_64_PLT32);
        };
        let call = undefined(object, CALL.to_vec());
        for (number, name) in (0..).zip(&self.functions) {
            let code = [0x48, 0x8d, 0x05, 0, 0, 0, 0, 0x41, 0xba, faults(number), 0, 0, 0, 0xe9, 0, 0, 0, 0];
            let at = object.append_section_data(section, &code, 16);
            relocate(object, section, (at + 3, in_text, entry(number) as i64 - 4), elf::R_X86_64_PC32);
            jump(object, at + 14, call);
            symbol(object, section, name, at, code.len() as u64);
        }
        for (name, target) in self.services.iter().zip([FREE, ERROR]) {
            let at = object.append_section_data(section, &[0xe9, 0, 0, 0, 0], 16);
            let target = undefined(object, target.to_vec());
            jump(object, at + 1, target);
            symbol(object, section, name, at, 5);
        }
        if self.givers.is_empty() {
            return;
        }
        let give = undefined(object, GIVE.to_vec());
        for (name, first, count) in &self.givers {
            let [first, count] = [first, count].map(|number| number.to_le_bytes());
            let code = [&[0xba], &first[..], &[0xb9], &count, &[0xe9, 0, 0, 0, 0]].concat();
            let at = object.append_section_data(section, &code, 16);
            jump(object, at + 11, give);
            symbol(object, section, name, at, code.len() as u64);
        }
    }

    /// All of them.
    pub(crate) fn symbols(&self) -> Vec<&str> {
        let givers = self.givers.iter().map(|giver| &giver.0);
        self.functions.iter().chain(&self.services).chain(givers).map(String::as_str).collect()
    }
}

fn relocate(object: &mut Object, section: SectionId, (offset, symbol, addend): (u64, SymbolId, i64), r_type: u32) {
    let relocation = Relocation { offset, symbol, addend, flags: RelocationFlags::Elf { r_type } };
    object.add_relocation(section, relocation).expect("a relocation of this machine");
}

fn symbol(object: &mut Object, section: SectionId, name: &str, value: u64, size: u64) {
    object.add_symbol(ElfSymbol {
        name: name.as_bytes().to_vec(),
        value,
        size,
        kind: SymbolKind::Text,
        scope: SymbolScope::Dynamic,
        weak: false,
        section: SymbolSection::Section(section),
        flags: SymbolFlags::None,
    });
}

/// A symbol that is elsewhere.
pub(crate) fn undefined(object: &mut Object, name: Vec<u8>) -> SymbolId {
    object.add_symbol(ElfSymbol {
        name,
        value: 0,
        size: 0,
        kind: SymbolKind::Text,
        scope: SymbolScope::Unknown,
        weak: false,
        section: SymbolSection::Undefined,
        flags: SymbolFlags::None,
    })
}
