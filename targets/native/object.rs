//! The ELF object of a program, for the system's linker together with the runtime.
//!
//! ```text
//! .text                 functions in order, then what `announce` puts before functions of the runtime
//! .data.rel.ro.cleave   the record `cleave_program` (rt/sys/native), what belongs at `address_space::START`, the table of `trace_table.rs`
//! .cleave.stackmaps     the table of `frames.rs`, in programs whose frames hold references
//! .eh_frame             how to find the callers of functions (`unwind.rs`), left out with --strip
//! ```
//! Only the record is a global symbol, and, of a library, what C calls (`library.rs`). Calls among functions are done
//! already, so that the relocations left are calls of the runtime, the code addresses, and the addresses of C
//! functions. Nothing depends on time, place or threads.

use crate::jit_code::{Layout, patch};
use crate::library::{Library, undefined};
use crate::{Program, Symbol, Trampoline, announce, frames, trace_table};
use cleave_ir::EntityRef;
use object::write::{Object, Relocation, SectionId, Symbol as ElfSymbol, SymbolId, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, RelocationEncoding, RelocationFlags, RelocationKind, SectionKind,
    SymbolFlags, SymbolKind, SymbolScope,
};
use rustc_hash::FxHashMap;

/// Bytes of the record, in the order of its fields.
const RECORD: u64 = 80;
const RECORD_BYTES: u64 = 0;
const RECORD_LENGTH: usize = 8;
const RECORD_PROGRAM: usize = 16;
const RECORD_MAIN: u64 = 24;
const RECORD_EVAL: u64 = 32;
const RECORD_CODE: u64 = 40;
const RECORD_CODE_LENGTH: usize = 48;
const RECORD_TRACES: u64 = 56;
const RECORD_MAPS: u64 = 64;
const RECORD_EXCHANGE: usize = 72;

/// The bytes of the object file; of a library, if its names are given.
pub fn write(program: &Program, library: Option<&Library>, strip: bool) -> Vec<u8> {
    let mut object = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    let text = object.add_section(Vec::new(), b".text".to_vec(), SectionKind::Text);
    let data = object.add_section(Vec::new(), b".data.rel.ro.cleave".to_vec(), SectionKind::ReadOnlyDataWithRel);
    // Without it, linkers make the stack executable.
    object.add_section(Vec::new(), b".note.GNU-stack".to_vec(), SectionKind::Other);

    let layout = Layout::of(program);
    let mut externs: Vec<Option<SymbolId>> = vec![None; program.externs.len()];
    let mut calls = Vec::new();
    let mut code = layout.code(program, |at, id, addend| calls.push((at, id.index(), addend)));
    announced(program, &mut code, &mut calls);
    object.set_section_data(text, code, 64);
    for (at, id, addend) in calls {
        let name = || program.externs[id].clone().into_bytes();
        let symbol = *externs[id].get_or_insert_with(|| undefined(&mut object, name()));
        let relocation = Relocation {
            offset: at.into(),
            symbol,
            addend: addend.into(),
            flags: RelocationFlags::Generic {
                kind: RelocationKind::PltRelative,
                encoding: RelocationEncoding::X86Branch,
                size: 32,
            },
        };
        object.add_relocation(text, relocation).expect("a relocation of this machine");
    }
    if !strip {
        for (i, name) in program.names.iter().enumerate() {
            let offset = layout.offset(crate::jit_code::symbol_of(program, i)).expect("a compiled function");
            let size = program.functions[i].code.len() as u64;
            local(&mut object, text, name, offset.into(), size, SymbolKind::Text);
        }
        unwind_table(&mut object, text, program, &layout);
    }

    let mut bytes = vec![0; RECORD as usize];
    bytes[RECORD_LENGTH..][..8].copy_from_slice(&(program.low.bytes.len() as u64).to_le_bytes());
    bytes[RECORD_PROGRAM..][..8].copy_from_slice(&u64::from(program.low.program).to_le_bytes());
    bytes[RECORD_EXCHANGE..][..8].copy_from_slice(&u64::from(program.low.exchange).to_le_bytes());
    bytes[RECORD_CODE_LENGTH..][..8].copy_from_slice(&u64::from(layout.length).to_le_bytes());
    let mut add = |part: &[u8]| {
        bytes.resize(bytes.len().next_multiple_of(16), 0);
        let start = bytes.len() as u64;
        bytes.extend_from_slice(part);
        start
    };
    let low = add(&program.low.bytes);
    let traces = trace_table::write(program, &layout);
    let traces = (!traces.is_empty()).then(|| add(&traces));
    object.set_section_data(data, bytes, 16);
    let maps = stack_maps(&mut object, text, program, &layout);
    let (in_text, in_data) = (object.section_symbol(text), object.section_symbol(data));
    let code_of = |symbol| (in_text, u64::from(layout.offset(symbol).expect("a compiled function")));
    let mut pointers = vec![
        (RECORD_BYTES, (in_data, low)),
        (RECORD_MAIN, code_of(Symbol::Trampoline(Trampoline::Main))),
        (RECORD_EVAL, code_of(Symbol::Trampoline(Trampoline::Eval))),
        (RECORD_CODE, (in_text, 0)),
    ];
    pointers.extend(traces.map(|at| (RECORD_TRACES, (in_data, at))));
    pointers.extend(maps.map(|section| (RECORD_MAPS, (section, frames::TABLE as u64))));
    pointers.extend(program.low.addresses.iter().map(|&(at, symbol)| (low + u64::from(at), code_of(symbol))));
    let mut others: FxHashMap<&[u8], SymbolId> = FxHashMap::default();
    for (at, name) in &program.low.symbols {
        let symbol = *others.entry(name).or_insert_with(|| undefined(&mut object, name.to_vec()));
        pointers.push((low + u64::from(*at), (symbol, 0)));
    }
    for (offset, (symbol, target)) in pointers {
        let relocation = Relocation {
            offset,
            symbol,
            addend: target as i64,
            flags: RelocationFlags::Generic {
                kind: RelocationKind::Absolute,
                encoding: RelocationEncoding::Generic,
                size: 64,
            },
        };
        object.add_relocation(data, relocation).expect("a relocation of this machine");
    }
    object.add_symbol(ElfSymbol {
        name: b"cleave_program".to_vec(),
        value: 0,
        size: RECORD,
        kind: SymbolKind::Data,
        scope: SymbolScope::Linkage,
        weak: false,
        section: SymbolSection::Section(data),
        flags: SymbolFlags::None,
    });
    if let Some(library) = library {
        let place = |number| u64::from(layout.offset(Symbol::Entry(number)).expect("a compiled function"));
        library.add_symbols(&mut object, text, place, |number| program.entries[number as usize].1);
    }
    object.write().expect("an object that can be written")
}

/// Puts what `announce` describes behind the code, with the jumps among the calls that are left.
fn announced(program: &Program, code: &mut Vec<u8>, calls: &mut Vec<(u32, usize, i32)>) {
    const JUMP: u8 = 0xe9;
    const ALIGNMENT: usize = 8;
    let mut stubs = vec![None; program.externs.len()];
    let mut jumps = Vec::new();
    calls.retain(|&(at, id, addend)| {
        if !program.announced[id] {
            return true;
        }
        let stub = *stubs[id].get_or_insert_with(|| {
            code.resize(code.len().next_multiple_of(ALIGNMENT), 0xcc);
            let start = code.len() as u32;
            code.extend(announce::stores());
            code.push(JUMP);
            jumps.push((code.len() as u32, id, -4));
            code.extend([0; 4]);
            start
        });
        patch(code, at, stub, addend);
        false
    });
    calls.extend(jumps);
}

/// The symbol of the section, if there is one.
fn stack_maps(object: &mut Object, text: SectionId, program: &Program, layout: &Layout) -> Option<SymbolId> {
    let table = frames::maps(program, layout);
    if table.is_empty() {
        return None;
    }
    let section = object.add_section(Vec::new(), frames::SECTION.into(), SectionKind::ReadOnlyData);
    let mut bytes = frames::VERSION.to_le_bytes().to_vec();
    bytes.resize(frames::TABLE, 0);
    bytes.extend(table);
    object.set_section_data(section, bytes, 4);
    let symbol = object.section_symbol(text);
    distance(object, section, frames::CODE as u64, symbol, 0);
    Some(object.section_symbol(section))
}

/// Four bytes that say how far it is from them to a symbol.
fn distance(object: &mut Object, section: SectionId, offset: u64, symbol: SymbolId, addend: i64) {
    let flags =
        RelocationFlags::Generic { kind: RelocationKind::Relative, encoding: RelocationEncoding::Generic, size: 32 };
    let relocation = Relocation { offset, symbol, addend, flags };
    object.add_relocation(section, relocation).expect("a relocation of this machine");
}

fn unwind_table(object: &mut Object, text: SectionId, program: &Program, layout: &Layout) {
    let offset = |i| layout.offset(crate::jit_code::symbol_of(program, i)).expect("a compiled function");
    let functions = program.functions.iter().enumerate().map(|(i, function)| (offset(i), function));
    let frames = crate::unwind::frames(functions);
    let section = object.add_section(Vec::new(), b".eh_frame".to_vec(), SectionKind::ReadOnlyData);
    object.set_section_data(section, frames.bytes, 8);
    let symbol = object.section_symbol(text);
    for (at, target) in frames.addresses {
        distance(object, section, at.into(), symbol, target.into());
    }
}

fn local(object: &mut Object, section: SectionId, name: &str, value: u64, size: u64, kind: SymbolKind) {
    object.add_symbol(ElfSymbol {
        name: name.as_bytes().to_vec(),
        value,
        size,
        kind,
        scope: SymbolScope::Compilation,
        weak: false,
        section: SymbolSection::Section(section),
        flags: SymbolFlags::None,
    });
}
