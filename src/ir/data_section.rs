//! The static data section of a program: gives every node info, thunk info, static node, string and CAF its address
//! and the bytes there. Runs before code generation, so that all of them are immediate constants in the code, equal
//! on every target.
//!
//! ```text
//! base: thunk infos | program record | results | CAF references | CAF states and words | small Ints | Chars | Bools |
//!       per descriptor: name, module, types, DescriptorInfo, static node, rows | strings and texts | frame maps |
//!       not in the bytes, if the program calls C functions: C memory, heap of C | heap_base
//! ```
//! Node infos increase in address with the order of the descriptors (library code compares header words).

use crate::dispatch::Numbers;
use crate::entity::{Caf, Desc, Static, ThunkInfo};
use crate::incremental_padding;
use crate::layout::*;
use crate::memory::{self, Model};
use crate::module::{
    Bytes, LAZY_RECORD, Module, RecordData, StaticData, StaticField, StaticNode, ThunkKind, WellKnownDesc,
};
use crate::opcode::Flags;
use crate::strategy::RootStrategy;
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;

/// Options fixed when a program is built.
#[derive(Clone, Copy, Debug, Default)]
pub struct DataSectionOptions {
    /// `PROGRAM_FLAGS`: see `rt`.
    pub flags: u32,
    /// Largest heap in bytes; 0 leaves it to the runtime.
    pub heap_max: u32,
    /// Each module has room to grow (`spacing`).
    pub is_spaced: bool,
    /// Bytes for the heap of C functions that are merged with the program (WebAssembly).
    pub c_heap: u32,
}

/// Addresses and bytes of the static data of one program.
#[derive(Debug, Default)]
pub struct StaticDataSection {
    /// Address of the first byte.
    pub base: u32,
    /// The contents from `base` on.
    pub bytes: Vec<u8>,
    /// Address of the program record.
    pub program: u32,
    /// Where the heap begins: after the bytes and the memory of C.
    pub heap_base: u32,
    /// Start of the C memory, between the bytes and `heap_base`; 0 if there is none.
    pub c_start: u32,
    /// The heap of merged C functions, after the C memory; whole pages.
    pub c_heap: std::ops::Range<u32>,
    /// Address of the thunk infos, which lie side by side unless `entry_offsets` says otherwise.
    pub thunk_infos: u32,
    entry_offsets: Vec<u32>,
    /// Address of the cells where functions of the runtime leave several results.
    pub results: u32,
    /// Address of the static node of `SMALL_INT_MIN`; the next integers follow.
    pub small_ints: u32,
    /// Address of the static node of character 0; the next characters follow.
    pub chars: u32,
    /// Address of the static node of FALSE; that of TRUE follows.
    pub bools: u32,
    /// Descriptions of the frames of strategy `chain`: one word for each size, the number of slots.
    frame_maps: u32,
    node_infos: SecondaryMap<Desc, u32>,
    nodes: SecondaryMap<Desc, u32>,
    names: SecondaryMap<Desc, u32>,
    infos: SecondaryMap<Desc, u32>,
    statics: SecondaryMap<Static, u32>,
    /// Addresses of the eight bytes that take the address of a symbol, and its name.
    pub symbols: Vec<(u32, Bytes)>,
    cafs: SecondaryMap<Caf, u32>,
    caf_ptrs: SecondaryMap<Caf, u32>,
}

/// The part of a list that belongs to one module.
struct Rooms {
    is_spaced: bool,
    start: u32,
    owner: String,
}

impl Rooms {
    fn new(options: DataSectionOptions) -> Rooms {
        Rooms { is_spaced: options.is_spaced, start: 0, owner: String::new() }
    }
}

impl StaticDataSection {
    /// Header word of a node of `desc` holding `held` arguments.
    pub fn node_info(&self, desc: Desc, applied_args: u32) -> u32 {
        self.node_infos[desc] + applied_args * NODE_INFO_SIZE + TAG_HNF
    }
    /// Header word of thunks with this info: its address.
    pub fn thunk_info(&self, entry: ThunkInfo) -> u32 {
        self.thunk_infos + self.entry_offsets.get(entry.index()).copied().unwrap_or(entry.as_u32() * THUNK_INFO_SIZE)
    }
    /// The static node of a descriptor without arguments.
    pub fn node(&self, desc: Desc) -> u32 {
        self.nodes[desc]
    }
    /// Text block with the name of a descriptor.
    pub fn name(&self, desc: Desc) -> u32 {
        self.names[desc]
    }
    /// The record that all node infos of a descriptor name.
    pub fn descriptor_info(&self, desc: Desc) -> u32 {
        self.infos[desc]
    }
    /// Description of a linked frame with so many slots.
    pub fn frame_map(&self, slots: u32) -> u32 {
        self.frame_maps + slots * SLOT
    }
    /// A string object or text block.
    pub fn static_object(&self, object: Static) -> u32 {
        self.statics[object]
    }
    /// State word of a CAF; its raw words follow 8 bytes later.
    pub fn caf(&self, caf: Caf) -> u32 {
        self.cafs[caf]
    }
    /// Address of reference `index` of a CAF.
    pub fn caf_ref(&self, caf: Caf, index: u32) -> u32 {
        self.caf_ptrs[caf] + index * SLOT
    }
    /// Byte offset of raw word `index` from the state word of a CAF.
    pub const fn caf_word(index: u32) -> u32 {
        8 + index * 8
    }

    fn here(&self) -> u32 {
        self.base + self.bytes.len() as u32
    }
    fn align(&mut self, to: usize) {
        while !(self.base as usize + self.bytes.len()).is_multiple_of(to) {
            self.bytes.push(0);
        }
    }
    fn u32(&mut self, n: u32) {
        self.bytes.extend_from_slice(&n.to_le_bytes());
    }
    fn u16(&mut self, n: u32) {
        self.bytes.extend_from_slice(&(n as u16).to_le_bytes());
    }
    fn zeros(&mut self, n: u32) {
        self.bytes.resize(self.bytes.len() + n as usize, 0);
    }
    /// What follows belongs to `owner`: if that was another one's, room is left for it. `""` ends a list.
    fn enter(&mut self, rooms: &mut Rooms, owner: &str) {
        if rooms.is_spaced && rooms.owner != owner {
            let used = self.here() - rooms.start;
            if !rooms.owner.is_empty() {
                self.zeros(incremental_padding::room(used) - used);
            }
            (rooms.start, rooms.owner) = (self.here(), owner.to_string());
        }
    }
    fn text(&mut self, bytes: &[u8]) -> u32 {
        self.align(4);
        let at = self.here();
        self.u32(bytes.len() as u32);
        self.bytes.extend_from_slice(bytes);
        self.align(4);
        at
    }
    fn word_at(&self, address: u32) -> u32 {
        let at = (address - self.base) as usize;
        u32::from_le_bytes([self.bytes[at], self.bytes[at + 1], self.bytes[at + 2], self.bytes[at + 3]])
    }
    fn patch(&mut self, address: u32, n: u32) {
        let at = (address - self.base) as usize;
        self.bytes[at..at + 4].copy_from_slice(&n.to_le_bytes());
    }

    /// Gives symbols the addresses, or numbers, of their functions; 0 for those that do not exist.
    pub fn set_symbols(&mut self, address: impl Fn(&[u8]) -> u64) {
        for (at, name) in std::mem::take(&mut self.symbols) {
            let offset = (at - self.base) as usize;
            self.bytes[offset..offset + 8].copy_from_slice(&address(&name).to_le_bytes());
            self.symbols.push((at, name));
        }
    }

    /// Lays out the static data of `module` from address `base` on.
    pub fn build(module: &Module, base: u32, options: DataSectionOptions) -> StaticDataSection {
        let mut data_section = StaticDataSection { base, ..StaticDataSection::default() };
        let model = memory::of(module.heap);
        data_section.align(16);
        data_section.thunk_infos = data_section.here();
        let entry_bytes;
        (data_section.entry_offsets, entry_bytes) = match options.is_spaced {
            true => incremental_padding::entry_offsets(module),
            false => (Vec::new(), module.thunk_infos.len() as u32 * THUNK_INFO_SIZE),
        };
        data_section.zeros(entry_bytes);
        let entries_end = data_section.here();
        data_section.program = data_section.here();
        data_section.zeros(PROGRAM_SIZE);
        data_section.zeros(model.record_bytes(module));
        data_section.align(8);
        data_section.results = data_section.here();
        data_section.zeros(RESULT_CELLS * 8);
        let caf_start = data_section.here();
        let mut rooms = Rooms::new(options);
        for (caf, data) in module.cafs.iter() {
            data_section.enter(&mut rooms, incremental_padding::owner(&data.label));
            data_section.caf_ptrs[caf] = data_section.here();
            data_section.zeros(data.ptrs * SLOT);
        }
        data_section.enter(&mut rooms, "");
        let caf_end = data_section.here();
        data_section.align(8);
        for (caf, data) in module.cafs.iter() {
            data_section.enter(&mut rooms, incremental_padding::owner(&data.label));
            data_section.cafs[caf] = data_section.here();
            data_section.zeros(StaticDataSection::caf_word(data.nptrs));
        }
        data_section.enter(&mut rooms, "");
        data_section.reserve_basic_nodes();
        let numbers = Numbers::of(module);
        data_section.descriptors(module, &numbers, &mut rooms);
        let users = if options.is_spaced { incremental_padding::first_users(module) } else { SecondaryMap::new() };
        for (object, data) in module.statics.iter() {
            if let Some(user) = users[object] {
                data_section.enter(&mut rooms, incremental_padding::owner(&module.funcs[user].name));
            }
            data_section.align(4);
            data_section.statics[object] = match data {
                StaticData::Text(bytes) => data_section.text(bytes),
                StaticData::String(bytes) => data_section.string(bytes, model),
                StaticData::Node(node) => data_section.static_node(node, module.descs[node.desc].contiguous, model),
                StaticData::Symbol { name, missing } => {
                    data_section.align(8);
                    let at = data_section.here();
                    data_section.zeros(8);
                    data_section.text(missing);
                    data_section.symbols.push((at, name.clone()));
                    at
                }
            };
        }
        data_section.enter(&mut rooms, "");
        if let Some(most) = linked_slots(module) {
            data_section.align(4);
            data_section.frame_maps = data_section.here();
            (0..=most).for_each(|slots| data_section.u32(slots));
        }
        data_section.align(16);
        data_section.heap_base = data_section.here();
        if module.calls_c() {
            data_section.c_start = data_section.heap_base;
            data_section.heap_base += C_MEMORY;
            if options.c_heap > 0 {
                let start = data_section.heap_base.next_multiple_of(PAGE);
                data_section.c_heap = start..start + options.c_heap.next_multiple_of(PAGE);
                data_section.heap_base = data_section.c_heap.end;
            }
        }
        if let Some(buffer) = module.exchange {
            let start = data_section.heap_base.next_multiple_of(16);
            let caf = data_section.caf(buffer.caf);
            data_section.heap_base = start + buffer.bytes.next_multiple_of(16);
            let words = [start, data_section.heap_base, start];
            (0..).zip(words).for_each(|(word, to)| data_section.patch(caf + StaticDataSection::caf_word(word), to));
        }
        data_section.fill_entries(module, &numbers);
        data_section.fill_program(module, entries_end, (caf_start, caf_end), options);
        data_section
    }

    /// A string object.
    fn string(&mut self, bytes: &[u8], model: &dyn Model) -> u32 {
        let at = self.here();
        self.zeros(model.string().0);
        self.header(at, self.node_info(WellKnownDesc::String.desc(), 0), model);
        self.text(bytes);
        at
    }

    /// A node with fields and, if it is split, its overflow block after it.
    fn static_node(&mut self, node: &StaticNode, contiguous: bool, model: &dyn Model) -> u32 {
        let shape = Shape { ptrs: node.ptrs.len() as u32, nptrs: node.nptrs.len() as u32, contiguous };
        let at = self.here();
        self.zeros(model.bytes(shape));
        self.header(at, self.node_info(node.desc, node.applied_args), model);
        let (field, distance) = model.rest(shape).unwrap_or_default();
        if distance > 0 {
            self.patch(at + field, at + distance);
        }
        let address = |place: FieldOffset| match place {
            FieldOffset::Cell(offset) => at + offset,
            FieldOffset::Overflow(offset) => at + distance + offset,
        };
        let reference = |index| address(model.reference(shape, index));
        self.static_fields(node, reference, |index| address(model.word(shape, index)));
        at
    }

    /// The header of a static object, and its count where objects have one.
    fn header(&mut self, at: u32, node_info: u32, model: &dyn Model) {
        self.patch(at, node_info);
        if let Some(count) = model.count() {
            self.patch(at + count.offset, count.of_static);
        }
    }

    fn static_fields(&mut self, node: &StaticNode, reference: impl Fn(u32) -> u32, word: impl Fn(u32) -> u32) {
        for (index, &field) in node.ptrs.iter().enumerate() {
            let target = match field {
                StaticField::Object(object) => self.statics[object],
                StaticField::Node(desc) => self.nodes[desc],
                StaticField::Int(n) => self.small_ints + (n - SMALL_INT_MIN) as u32 * STATIC_NODE_SIZE,
                StaticField::Char(char) => self.chars + u32::from(char) * STATIC_NODE_SIZE,
                StaticField::Bool(truth) => self.bools + u32::from(truth) * STATIC_NODE_SIZE,
            };
            self.patch(reference(index as u32), target);
        }
        for (index, &bits) in node.nptrs.iter().enumerate() {
            let place = word(index as u32);
            self.patch(place, bits as u32);
            self.patch(place + SLOT, (bits >> 32) as u32);
        }
    }

    /// Room for the static nodes of small integers, characters and booleans; the runtime writes them at the start.
    fn reserve_basic_nodes(&mut self) {
        let counts = [(SMALL_INT_MAX - SMALL_INT_MIN + 1) as u32, 256, 2];
        let mut at = [0; 3];
        for (at, count) in at.iter_mut().zip(counts) {
            *at = self.here();
            self.zeros(count * STATIC_NODE_SIZE);
        }
        [self.small_ints, self.chars, self.bools] = at;
    }

    fn descriptors(&mut self, module: &Module, numbers: &Numbers, rooms: &mut Rooms) {
        let model = memory::of(module.heap);
        // Names, module names and field types are shared by content.
        let mut texts: FxHashMap<Vec<u8>, u32> = FxHashMap::default();
        let text = |texts: &mut FxHashMap<Vec<u8>, u32>, data_section: &mut StaticDataSection, bytes: &[u8]| match texts
            .get(bytes)
        {
            Some(&at) => at,
            None => {
                let at = data_section.text(bytes);
                texts.insert(bytes.to_vec(), at);
                at
            }
        };
        let mut types: FxHashMap<Vec<u8>, u32> = FxHashMap::default();
        // Infos first: nested records refer to them.
        for (desc, data) in module.descs.iter() {
            self.enter(rooms, incremental_padding::owner(&data.label));
            self.names[desc] = text(&mut texts, self, &data.name);
            let number = data.tag & !LAZY_RECORD;
            let types = data.record.as_ref().map_or(number, |record| self.field_types(record, &mut types));
            self.align(4);
            self.infos[desc] = self.here();
            self.bytes.extend_from_slice(&[data.kind as u8, u8::from(data.tag & LAZY_RECORD != 0)]);
            self.u16(data.arity);
            self.u32(self.names[desc]);
            self.u32(0);
            self.u32(types);
            if let Some(record) = &data.record {
                self.u16(record.ptrs);
                self.u16(record.nptrs);
                self.u32(record.nested.len() as u32);
                self.zeros(record.nested.len() as u32 * SLOT);
            }
        }
        self.enter(rooms, "");
        for (desc, data) in module.descs.iter() {
            if let Some(record) = &data.record {
                for (i, &nested) in record.nested.iter().enumerate() {
                    self.patch(self.infos[desc] + DESCRIPTOR_NESTED + 4 + i as u32 * SLOT, self.infos[nested]);
                }
            }
        }
        for (desc, data) in module.descs.iter() {
            self.enter(rooms, incremental_padding::owner(&data.label));
            self.nodes[desc] = self.here();
            self.zeros(STATIC_NODE_SIZE);
            self.node_infos[desc] = self.here();
            self.header(self.nodes[desc], self.node_info(desc, 0), model);
            for applied_args in 0..=data.arity {
                let (ptrs, nptrs) = module.payload(desc, applied_args);
                // Library code tells records from constructors by this number (`is_record`).
                let shown = if data.record.is_some() { 256 + ptrs + nptrs } else { applied_args };
                let info = match data.kind {
                    DescriptorKind::Array => info_word(KIND_ARRAY, 0, 0),
                    DescriptorKind::String => info_word(KIND_STRING, 0, 0),
                    DescriptorKind::Foreign => info_word(KIND_FOREIGN, 0, FOREIGN_SLOTS),
                    _ => model.info(module, data.shape(applied_args)),
                };
                self.u32(info);
                self.u32(self.infos[desc]);
                self.u16(shown);
                self.u16(if data.callable { data.arity - applied_args } else { NOT_APPLICABLE as u32 });
                numbers.node_info(module, desc, applied_args).into_iter().for_each(|number| self.u32(number));
            }
        }
        self.enter(rooms, "");
        for (desc, data) in module.descs.iter() {
            if let Some(record) = &data.record {
                let types = self.infos[desc] + DESCRIPTOR_TYPES;
                let types = self.word_at(types) + SLOT + record.types.len() as u32 + 1;
                for (i, &nested) in record.nested.iter().rev().enumerate() {
                    self.patch(types.next_multiple_of(4) + i as u32 * SLOT, self.node_info(nested, 0));
                }
            }
        }
    }

    /// The text block of the field types; room for the header words of nested descriptors follows.
    fn field_types(&mut self, record: &RecordData, known: &mut FxHashMap<Vec<u8>, u32>) -> u32 {
        if record.nested.is_empty()
            && let Some(&at) = known.get(&*record.types)
        {
            return at;
        }
        self.align(4);
        let at = self.here();
        self.u32(record.types.len() as u32);
        self.bytes.extend_from_slice(&record.types);
        self.bytes.push(0);
        self.align(4);
        self.zeros(record.nested.len() as u32 * SLOT);
        if record.nested.is_empty() {
            known.insert(record.types.to_vec(), at);
        }
        at
    }

    fn fill_entries(&mut self, module: &Module, numbers: &Numbers) {
        let count = |n: i32| (n as u32) << 24;
        for (entry, data) in module.thunk_infos.iter() {
            let at = self.thunk_info(entry);
            let (kind, selector) = match data.kind {
                ThunkKind::Plain => (KIND_THUNK, data.ptrs + data.nptrs + (data.nptrs << 8)),
                ThunkKind::Indirection => (KIND_INDIRECTION, count(-2)),
                ThunkKind::SelectRef(field) => (KIND_SELECT_REF, field as u32 | count(-1)),
                ThunkKind::SelectField(field) => (KIND_SELECT_REF, field as u32 | count(-4)),
                ThunkKind::SelectWord(word, kind) => (KIND_SELECT_WORD, word as u32 | (kind as u32) << 16),
            };
            let slots = (data.ptrs + 2 * data.nptrs).max(INLINE_SLOTS);
            self.patch(at + THUNK_INFO_WORD, info_word(kind, data.ptrs, slots));
            self.patch(at + THUNK_INFO_UPDATE, numbers.update(data.update));
            self.patch(at + THUNK_INFO_DESCRIPTOR, data.desc.map_or(0, |desc| self.node_info(desc, 0)));
            self.patch(at + THUNK_INFO_SELECTOR, selector);
        }
    }

    fn fill_program(&mut self, module: &Module, entries_end: u32, cafs: (u32, u32), options: DataSectionOptions) {
        let program = self.program;
        let headers = [
            (PROGRAM_INT_HEADER, WellKnownDesc::Int, 0),
            (PROGRAM_CHAR_HEADER, WellKnownDesc::Char, 0),
            (PROGRAM_BOOL_HEADER, WellKnownDesc::Bool, 0),
            (PROGRAM_REAL_HEADER, WellKnownDesc::Real, 0),
            (PROGRAM_FILE_HEADER, WellKnownDesc::File, 0),
            (PROGRAM_STRING_HEADER, WellKnownDesc::String, 0),
            (PROGRAM_ARRAY_HEADER, WellKnownDesc::Array, 0),
            (PROGRAM_BOXED_ARRAY_HEADER, WellKnownDesc::BoxedArray, 1),
            (PROGRAM_LIST_HEADER, WellKnownDesc::ListCell, 2),
        ];
        for (field, known, applied_args) in headers {
            self.patch(program + field, self.node_info(known.desc(), applied_args));
        }
        let fields = [
            (PROGRAM_HEAP_BASE, self.heap_base),
            (PROGRAM_EMPTY, self.node(WellKnownDesc::Empty.desc())),
            (PROGRAM_SMALL_INTS, self.small_ints),
            (PROGRAM_CHARS, self.chars),
            (PROGRAM_BOOLS, self.bools),
            (PROGRAM_CAF_START, cafs.0),
            (PROGRAM_CAF_END, cafs.1),
            (PROGRAM_BLACKHOLE_INFO, module.blackhole_info.map_or(0, |entry| self.thunk_info(entry))),
            (PROGRAM_THUNK_INFOS_START, self.thunk_infos),
            (PROGRAM_THUNK_INFOS_END, entries_end),
            (PROGRAM_RESULTS, self.results),
            (PROGRAM_FLAGS, options.flags | memory::program_flags(module)),
            (PROGRAM_HEAP_MAX, options.heap_max),
            (PROGRAM_C_START, self.c_start),
        ];
        for (field, value) in fields {
            self.patch(program + field, value);
        }
    }
}

/// Slots of the largest frame of strategy `chain`, if there is one.
fn linked_slots(module: &Module) -> Option<u32> {
    let linked = module.funcs.values().filter(|func| func.roots == Some(RootStrategy::Chain));
    let frames = linked
        .flat_map(|func| func.layout.iter().flat_map(|&block| &func.blocks[block].insts).map(|&i| &func.insts[i]));
    frames.filter(|data| data.op.any(Flags::SAFEPOINT)).map(|data| data.aux).max()
}
