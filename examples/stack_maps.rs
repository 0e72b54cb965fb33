//! Reads the stack maps of a program that was built with `--roots=stackmap`: where the frames of machine code hold
//! references while a call runs that may collect.
//!
//! `cargo run --example stack_maps -- FILE`, an object or an executable. It knows of them what docs/roots.md says, and
//! uses nothing of Cleave.

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectKind, ObjectSection, ObjectSymbol, RelocationTarget, SymbolKind};
use std::error::Error;

const SECTION: &str = ".cleave.stackmaps";
/// Where the distance to the code is, and where the table begins.
const CODE: u64 = 4;
const TABLE: usize = 8;

pub fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name an object or an executable")?;
    let bytes = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
    let file = ElfFile64::<Endianness>::parse(&*bytes)?;
    let section = file.section_by_name(SECTION).ok_or("it has no stack maps: build it with --roots=stackmap")?;
    let data = section.data()?;
    let word = |at: usize| -> Result<u32, &str> {
        let bytes = data.get(at..at + 4).ok_or("the section is too short")?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    };
    if word(0)? != 1 {
        return Err("a version that is not known".into());
    }
    let code = match file.kind() {
        // The linker has not written the distance yet.
        ObjectKind::Relocatable => {
            let relocation =
                section.relocations().find(|(at, _)| *at == CODE).ok_or("where the code is, is missing")?.1;
            let RelocationTarget::Symbol(symbol) = relocation.target() else { return Err("no symbol".into()) };
            file.symbol_by_index(symbol)?.address().wrapping_add_signed(relocation.addend())
        }
        _ => (section.address() + CODE).wrapping_add_signed(i64::from(word(CODE as usize)? as i32)),
    };

    let mut functions: Vec<(u64, &str)> = Vec::new();
    for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text) {
        functions.push((symbol.address(), symbol.name()?));
    }
    functions.sort_unstable();

    let rows = word(TABLE)? as usize + 1;
    let mut calls = Vec::new();
    for row in 0..rows {
        let at = TABLE + 4 + row * 8;
        if word(at)? == 0 {
            continue;
        }
        let list = TABLE + word(at + 4)? as usize;
        let places = (1..=word(list)? as usize).map(|i| word(list + 4 * i)).collect::<Result<Vec<u32>, _>>()?;
        calls.push((code + u64::from(word(at)?), places));
    }
    calls.sort_unstable();
    for (address, mut places) in calls {
        places.sort_unstable();
        let places: Vec<String> = places.iter().map(|below| format!("rbp-{below}")).collect();
        match functions[..functions.partition_point(|&(start, _)| start <= address)].last() {
            Some((start, name)) => println!("{name}+{}: {}", address - start, places.join(" ")),
            None => println!("{address:#x}: {}", places.join(" ")),
        }
    }
    Ok(())
}
