//! A small program image for the tests, and functions that build objects in its heap.
//!
//! ```text
//! 0 .. STACK   shadow stack     STACK .. HEAP   descriptors, rows, entries, static nodes     HEAP ..   heap
//! ```

use cleave_rt::gc::Context;
use cleave_rt::layout::*;
use cleave_rt::platform::Memory;
use cleave_rt::sys::host::HostContext;

const STACK: u32 = 0x40_0000;
const HEAP: u32 = 0x60_0000;
/// Highest number of applied arguments for which the tests have rows of constructors and tuples.
const ARITY: u32 = 12;

pub struct Image {
    pub c: HostContext,
    next: u32,
    entries: u32,
    pub sp: u32,
    pub cons: u32,
    pub tuple: u32,
    pub constructor: u32,
    pub nil: u32,
    pub boxed: u32,
    pub program: u32,
}

impl Image {
    pub fn new() -> Image {
        let c = HostContext::new(HEAP as usize);
        let mut image = Image {
            c,
            next: STACK,
            entries: 0,
            sp: STACK,
            cons: 0,
            tuple: 0,
            constructor: 0,
            nil: 0,
            boxed: 0,
            program: 0,
        };
        image.program = image.take(PROGRAM_SIZE);
        image.entries = image.take(256 * THUNK_INFO_SIZE);
        let start = image.entries;
        image.set(PROGRAM_THUNK_INFOS_START, start);
        image.set(PROGRAM_THUNK_INFOS_END, start);
        image.set(PROGRAM_HEAP_BASE, HEAP);
        let results = image.take(8 * RESULT_CELLS);
        image.set(PROGRAM_RESULTS, results);
        for (place, kind, name, info) in [
            (PROGRAM_INT_HEADER, descriptor::INT, "INT", node_info(0, 1)),
            (PROGRAM_CHAR_HEADER, descriptor::CHAR, "CHAR", node_info(0, 1)),
            (PROGRAM_BOOL_HEADER, descriptor::BOOL, "BOOL", node_info(0, 1)),
            (PROGRAM_REAL_HEADER, descriptor::REAL, "REAL", node_info(0, 1)),
            (PROGRAM_FILE_HEADER, descriptor::FILE, "File", node_info(0, 2)),
            (PROGRAM_STRING_HEADER, descriptor::STRING, "_STRING_", info_word(KIND_STRING, 0, 0)),
            (PROGRAM_ARRAY_HEADER, descriptor::ARRAY, "_ARRAY_", info_word(KIND_ARRAY, 0, 0)),
        ] {
            let descriptor = image.descriptor(kind, name, "", (0, 0), &[]);
            let header = image.row(info, descriptor, 0);
            image.set(place, header);
        }
        let boxed = image.descriptor(descriptor::BOXED_ARRAY, "ARRAY", "", (0, 0), &[]);
        image.boxed = image.row(node_info(1, 0), boxed, 1);
        let boxed = image.boxed;
        image.set(PROGRAM_BOXED_ARRAY_HEADER, boxed);
        let nil = image.descriptor(descriptor::EMPTY, "Nil", "", (0, 0), &[]);
        let nil_header = image.row(node_info(0, 0), nil, 0);
        image.nil = image.take(STATIC_NODE_SIZE);
        image.c.store_u32(image.nil, nil_header);
        let nil = image.nil;
        image.set(PROGRAM_EMPTY, nil);
        image.cons = image.rows(descriptor::LIST_CELL, "Cons", 2) + 2 * NODE_INFO_SIZE;
        let cons = image.cons;
        image.set(PROGRAM_LIST_HEADER, cons);
        image.tuple = image.rows(descriptor::TUPLE, "_Tuple", ARITY);
        image.constructor = image.rows(descriptor::CONSTRUCTOR, "C", ARITY);
        image.static_nodes();
        let cycle = image.entry(info_word(KIND_THUNK, 0, 2), 0);
        image.set(PROGRAM_BLACKHOLE_INFO, cycle);
        image.c.state.gc.stack_base = STACK;
        image
    }

    fn static_nodes(&mut self) {
        let (ints, chars, bools) = (
            self.take(SMALL_INTS as u32 * STATIC_NODE_SIZE),
            self.take(256 * STATIC_NODE_SIZE),
            self.take(2 * STATIC_NODE_SIZE),
        );
        self.set(PROGRAM_SMALL_INTS, ints);
        self.set(PROGRAM_CHARS, chars);
        self.set(PROGRAM_BOOLS, bools);
        for (start, header, first, count) in [
            (ints, PROGRAM_INT_HEADER, SMALL_INT_MIN, SMALL_INTS as u32),
            (chars, PROGRAM_CHAR_HEADER, 0, 256),
            (bools, PROGRAM_BOOL_HEADER, 0, 2),
        ] {
            let header = self.get(header);
            for index in 0..count {
                let node = start + index * STATIC_NODE_SIZE;
                self.c.store_u32(node, header);
                self.c.store_u64(node + 4, (first + i64::from(index)) as u64);
            }
        }
    }

    pub fn start(mut self) -> Image {
        let program = self.program;
        assert!(self.next <= HEAP, "the image is too large");
        self.sp = cleave_rt::base::start::prepare(&mut self.c, program).expect("starts");
        self
    }

    pub fn take(&mut self, bytes: u32) -> u32 {
        let address = (self.next + 15) & !15;
        self.next = address + bytes;
        address
    }
    pub fn set(&mut self, place: u32, value: u32) {
        self.c.store_u32(self.program + place, value);
    }
    pub fn get(&self, place: u32) -> u32 {
        self.c.load_u32(self.program + place)
    }

    // -- descriptors --------------------------------------------------------------------------------------------------

    pub fn text(&mut self, text: &str) -> u32 {
        let block = self.take(4 + text.len() as u32);
        self.c.store_u32(block, text.len() as u32);
        self.c.write_bytes(block + 4, text.as_bytes());
        block
    }
    pub fn descriptor(&mut self, kind: u32, name: &str, types: &str, sizes: (u32, u32), nested: &[u32]) -> u32 {
        let (name, types) = (self.text(name), self.text(types));
        let info = self.take(DESCRIPTOR_NESTED + 4 + 4 * nested.len() as u32);
        self.c.store_u32(info + DESCRIPTOR_KIND, kind);
        self.c.store_u32(info + DESCRIPTOR_NAME, name);
        self.c.store_u32(info + DESCRIPTOR_TYPES, types);
        self.c.store_u32(info + DESCRIPTOR_SIZES, sizes.0 | sizes.1 << 16);
        self.c.store_u32(info + DESCRIPTOR_NESTED, nested.len() as u32);
        for (index, descriptor) in nested.iter().enumerate() {
            self.c.store_u32(info + DESCRIPTOR_NESTED + 4 + 4 * index as u32, *descriptor);
        }
        info
    }
    fn row_at(&mut self, row: u32, info: u32, descriptor: u32, held: u32) {
        self.c.store_u32(row + NODE_INFO_WORD, info);
        self.c.store_u32(row + NODE_INFO_DESCRIPTOR, descriptor);
        self.c.store_u32(row + NODE_INFO_ARGS, held);
    }
    /// A row and its header word.
    pub fn row(&mut self, info: u32, descriptor: u32, held: u32) -> u32 {
        let row = self.take(NODE_INFO_SIZE);
        self.row_at(row, info, descriptor, held);
        row | TAG_HNF
    }
    /// The rows of a symbol; returns the header word of the first.
    pub fn rows(&mut self, kind: u32, name: &str, arity: u32) -> u32 {
        let descriptor = self.descriptor(kind, name, "", (0, 0), &[]);
        let row = self.take(NODE_INFO_SIZE * (arity + 1));
        for held in 0..=arity {
            self.row_at(row + held * NODE_INFO_SIZE, node_info(held, 0), descriptor, held);
        }
        row | TAG_HNF
    }
    /// A record: descriptor and header.
    pub fn record(&mut self, kind: u32, name: &str, types: &str, ptrs: u32, nptrs: u32, nested: &[u32]) -> (u32, u32) {
        let descriptor = self.descriptor(kind, name, types, (ptrs, nptrs), nested);
        (descriptor, self.row(node_info(ptrs, nptrs), descriptor, ptrs + nptrs))
    }
    /// A thunk info, which is also its header word.
    pub fn entry(&mut self, info: u32, selector: u32) -> u32 {
        let end = self.get(PROGRAM_THUNK_INFOS_END);
        assert!(end < self.entries + 256 * THUNK_INFO_SIZE);
        self.c.store_u32(end + THUNK_INFO_WORD, info);
        self.c.store_u32(end + THUNK_INFO_SELECTOR, selector);
        self.set(PROGRAM_THUNK_INFOS_END, end + THUNK_INFO_SIZE);
        end
    }

    // -- objects ------------------------------------------------------------------------------------------------------

    pub fn push(&mut self, node: u32) -> u32 {
        self.sp = self.c.push(self.sp, node);
        self.sp
    }
    pub fn alloc(&mut self, bytes: u32) -> u32 {
        let sp = self.sp;
        cleave_rt::gc::allocate::reserve(&mut self.c, sp, bytes).expect("room");
        cleave_rt::gc::allocate::allocate(&mut self.c, bytes)
    }
    pub fn int(&mut self, value: i64) -> u32 {
        self.word_node(PROGRAM_INT_HEADER, value as u64)
    }
    pub fn real(&mut self, value: f64) -> u32 {
        self.word_node(PROGRAM_REAL_HEADER, value.to_bits())
    }
    pub fn char(&mut self, value: u8) -> u32 {
        self.word_node(PROGRAM_CHAR_HEADER, u64::from(value))
    }
    pub fn bool(&mut self, value: bool) -> u32 {
        self.word_node(PROGRAM_BOOL_HEADER, u64::from(value))
    }
    fn word_node(&mut self, header: u32, value: u64) -> u32 {
        let header = self.get(header);
        self.node(header, &[], &[value])
    }
    /// A node; its references must not move when it is allocated, so the tests that build by hand have room.
    pub fn node(&mut self, header: u32, ptrs: &[u32], nptrs: &[u64]) -> u32 {
        let slots = ptrs.len() as u32 + 2 * nptrs.len() as u32;
        let info = cleave_rt::gc::object::info_of(&self.c, header);
        if info_kind(info) == KIND_CONTIGUOUS {
            let node = self.alloc(thunk_bytes(slots));
            self.c.store_u32(node, header);
            self.fill(node, ptrs, nptrs);
            return node;
        }
        let split = slots > INLINE_SLOTS;
        let rest = if split { rest_bytes(ptrs.len() as u32, slots) } else { 0 };
        let node = self.alloc(MIN_OBJECT + rest);
        self.c.store_u32(node, header);
        self.c.store_u32(node + 4, 0);
        self.c.store_u32(node + 8, if split { node + MIN_OBJECT } else { 0 });
        self.fill(node, ptrs, nptrs);
        node
    }
    pub fn fill(&mut self, node: u32, ptrs: &[u32], nptrs: &[u64]) {
        let info = cleave_rt::gc::object::info_of(&self.c, self.c.load_u32(node));
        for (index, reference) in ptrs.iter().enumerate() {
            let place = cleave_rt::gc::object::slot_address(&self.c, node, info, index as u32);
            self.c.store_u32(place, *reference);
        }
        for (index, word) in nptrs.iter().enumerate() {
            let place = cleave_rt::gc::object::word_address(&self.c, node, info, index as u32);
            self.c.store_u64(place, *word);
        }
    }
    pub fn list(&mut self, elements: &[u32]) -> u32 {
        let (cons, mut list) = (self.cons, self.nil);
        for element in elements.iter().rev() {
            list = self.node(cons, &[*element, list], &[]);
        }
        list
    }
    pub fn tuple(&mut self, components: &[u32]) -> u32 {
        let header = self.tuple + components.len() as u32 * NODE_INFO_SIZE;
        self.node(header, components, &[])
    }
    pub fn constructor(&mut self, arguments: &[u32]) -> u32 {
        let header = self.constructor + arguments.len() as u32 * NODE_INFO_SIZE;
        self.node(header, arguments, &[])
    }
    pub fn string(&mut self, text: &[u8]) -> u32 {
        let sp = self.sp;
        cleave_rt::base::value::string_of_bytes(&mut self.c, sp, text).expect("room")
    }
    pub fn boxed(&mut self, object: u32) -> u32 {
        let header = self.boxed;
        self.node(header, &[object], &[])
    }
    pub fn array(&mut self, kind: u32, ptrs: u32, nptrs: u32, size: i64) -> u32 {
        let sp = self.sp;
        cleave_rt::base::array::new_array(&mut self.c, sp, kind, ptrs, nptrs, size).expect("room")
    }
    pub fn thunk(&mut self, entry: u32, ptrs: &[u32]) -> u32 {
        let thunk = self.alloc(thunk_bytes(ptrs.len() as u32));
        self.c.store_u32(thunk, entry);
        self.c.store_u32(thunk + 4, 0);
        self.c.store_u32(thunk + 8, 0);
        for (index, reference) in ptrs.iter().enumerate() {
            self.c.store_u32(thunk + 4 + 4 * index as u32, *reference);
        }
        thunk
    }
    /// Collects now and checks the heap.
    pub fn collect(&mut self) {
        let stress = self.c.state.gc.options.gc_stress;
        self.c.state.gc.options.gc_stress = 1;
        let sp = self.sp;
        cleave_rt::gc::heap::collect(&mut self.c, sp, 0).expect("collects");
        self.c.state.gc.options.gc_stress = stress;
        if stress == 0 {
            let end = self.c.state.gc.heap.eden_end;
            self.set(PROGRAM_HEAP_LIMIT, end);
        }
    }
    /// What printing a node writes, without the newline.
    pub fn printed(&mut self, node: u32) -> String {
        let sp = self.sp;
        self.c.output.clear();
        cleave_rt::clean::print::print_graph(&mut self.c, sp, node).expect("prints");
        cleave_rt::base::console::flush(&mut self.c);
        let text = String::from_utf8_lossy(&self.c.output).into_owned();
        text.strip_suffix('\n').map_or(text.clone(), str::to_string)
    }
}

/// How many random programs there are: few in an ordinary run, more with the variable CLEAVE_THOROUGH, as in CI.
pub fn size(ordinary: u64, larger: u64) -> u64 {
    if std::env::var("CLEAVE_THOROUGH").is_ok_and(|value| value != "0") { larger } else { ordinary }
}

/// Small random numbers: xorshift64*.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    pub fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 11) % limit.max(1)
    }
    pub fn chance(&mut self, part: u64) -> bool {
        self.below(part) == 0
    }
}
