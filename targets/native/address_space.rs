//! The address space below 4 GiB, from `START` on: code addresses, then the data section of the program.
//!
//! ```text
//! UNMAPPED_START      SHADOW_LOW           START                                       image.base         heap_base
//! |   never mapped    | shadow stack (←)   | frame cells | tables        | code slots | image             | heap →
//!                                          8 bytes each  8 per function  16 bytes per thunk info
//! ```
//! The code slot of a thunk info lies a fixed distance below it, so that the code of a thunk is found by one load
//! from its header. The bytes are copied to their place when the program starts: code and libraries then may lie
//! anywhere (position-independent executables, random addresses), and no flag of the linker is needed.

use crate::{Error, Symbol};
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::interface::ExchangeBuffer;
use cleave_ir::layout::THUNK_INFO_SIZE;
use cleave_ir::{Module, Table, incremental_padding};

/// Nothing is mapped from here to the end of the shadow stack: an overflow ends there.
pub const UNMAPPED_START: u32 = 0x0001_0000;
/// The shadow stack never reaches below this, and starts at `START`.
pub const SHADOW_LOW: u32 = 0x0100_0000;
/// The table of references in frames is a hash table: its multiplier, 2^32 divided by the golden ratio.
pub const MAP_MULTIPLIER: u32 = 0x9e37_79b1;
/// First address of tables and image.
pub const START: u32 = 0x1000_0000;
/// Eight bytes for the frame pointer of the innermost compiled function that waits for the runtime: the return address
/// is just below the stack pointer. Kept up to date only in programs whose frames are walked.
pub const LAST_FRAME: u32 = START;
/// The stack pointer: eight bytes, as the frame pointer.
pub const LAST_STACK: u32 = START + 8;
/// Address of the innermost thunk info: by which the runtime last called compiled code.
pub const ENTRY: u32 = START + 16;
/// Bytes of these cells; tables follow.
const CELLS: u32 = 32;
/// The heap ends here at the latest.
pub const HEAP_END: u32 = 0xe000_0000;
/// The code of the JIT begins here.
pub const JIT_CODE: u32 = 0xe000_0000;
/// Bytes of a code address.
const ADDRESS: u32 = 8;

/// The bytes and the addresses in them.
#[derive(Debug)]
pub struct Low {
    /// Contents of the addresses from `START` on; code addresses are zero.
    pub bytes: Vec<u8>,
    /// Offsets in `bytes` of the eight bytes that take the address of a function.
    pub addresses: Vec<(u32, Symbol)>,
    /// Offsets in `bytes` of the eight bytes that take the address of a symbol of other machine code, and its name.
    pub symbols: Vec<(u32, Box<[u8]>)>,
    /// Address of the program record.
    pub program: u32,
    /// Address of the words of the buffer in which a library gives results, or 0.
    pub exchange: u32,
}

/// Functions of a program whose modules have room to grow: where the cache of compiled functions saves much.
const LARGE: usize = 1 << 12;

/// True if the data section, tables and slots of a program have room (`cleave_ir::spacing`).
pub fn is_spaced(module: &Module) -> bool {
    module.funcs.len() >= LARGE
}

/// Bytes of a table.
fn table_bytes(module: &Module, table: Table) -> u32 {
    let bytes = module.tables[table].funcs.len() as u32 * ADDRESS;
    if is_spaced(module) { incremental_padding::room(bytes) } else { bytes }
}

fn tables_bytes(module: &Module) -> u32 {
    let bytes = module.tables.keys().map(|table| table_bytes(module, table)).sum::<u32>();
    bytes.next_multiple_of(THUNK_INFO_SIZE)
}

/// Bytes of the code slots: also the distance from a slot to its record.
pub fn slots_bytes(module: &Module) -> u32 {
    match is_spaced(module) {
        true => incremental_padding::entry_offsets(module).1,
        false => module.thunk_infos.len() as u32 * THUNK_INFO_SIZE,
    }
}

/// Where the data section of a module must be.
pub fn data_section_base(module: &Module) -> u32 {
    START + CELLS + tables_bytes(module) + slots_bytes(module)
}

/// Addresses of the dispatch tables.
pub fn tables(module: &Module) -> Vec<u32> {
    let mut at = START + CELLS;
    let step = |table: Table| {
        let here = at;
        at += table_bytes(module, table);
        here
    };
    module.tables.keys().map(step).collect()
}

impl Low {
    /// Lays out tables, slots and image. Panics if the data section was built for another place than
    /// [`data_section_base`].
    pub fn build(module: &Module, data_section: &StaticDataSection) -> Result<Low, Error> {
        assert_eq!(data_section.base, data_section_base(module), "the data section is at another place");
        let prefix = data_section.base - START;
        if data_section.bytes.len() as u64 > u64::from(HEAP_END - START) / 2 {
            return Err(Error::DataSectionTooLarge);
        }
        let mut bytes = vec![0; prefix as usize];
        bytes.extend_from_slice(&data_section.bytes);
        let mut addresses = Vec::new();
        for (start, table) in tables(module).into_iter().zip(module.tables.values()) {
            let places = (start - START..).step_by(ADDRESS as usize);
            addresses.extend(places.zip(&table.funcs).map(|(at, &func)| (at, Symbol::Func(func))));
        }
        let slots = prefix - slots_bytes(module);
        for (entry, data) in module.thunk_infos.iter() {
            addresses
                .push((slots + data_section.thunk_info(entry) - data_section.thunk_infos, Symbol::Func(data.code)));
        }
        let symbols = data_section.symbols.iter().map(|(address, name)| (address - START, name.clone())).collect();
        let words = |buffer: ExchangeBuffer| data_section.caf(buffer.caf) + StaticDataSection::caf_word(0);
        let exchange = module.exchange.map_or(0, words);
        Ok(Low { bytes, addresses, symbols, program: data_section.program, exchange })
    }
}
