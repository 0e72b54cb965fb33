//! The collector on random object graphs: what is reachable afterwards must be what was reachable before.
//!
//! A model of the graph lives beside the heap. A random program builds and changes both: nodes of all shapes, thunks,
//! indirections, selectors, shared overflow blocks, arrays, strings, CAFs, cycles. After each collection both are
//! walked together: same contents, and two paths meet in the heap exactly where they meet in the model.

mod marking;

use std::collections::BTreeMap;

use crate::support::{Image, Random, size};
use cleave_rt::gc::Context;
use cleave_rt::gc::mark::Marker;
use cleave_rt::gc::object::*;
use cleave_rt::gc::state::{Phase, Statistics};
use cleave_rt::layout::*;
use cleave_rt::platform::Memory;

type Id = usize;

#[derive(Clone, Debug)]
enum Node {
    /// Number of the shape, references, raw words.
    Data(usize, Vec<Id>, Vec<u64>),
    Int(i64),
    /// An integer in the reference itself. In fields and elements alone: no thunk leads to one.
    Immediate(i64),
    Char(u8),
    Nil,
    Thunk(Vec<Id>),
    Blackhole,
    Indirection(Id),
    /// Argument, field.
    SelectRef(Id, u32),
    /// Field number, references first.
    SelectWord(Id, u32),
    Text(Vec<u8>),
    Refs(Vec<Id>),
    /// References and words of each element.
    Records(Vec<(Vec<Id>, Vec<u64>)>),
    Ints(Vec<u64>),
    Bools(Vec<u8>),
}

/// References and raw words of the shapes of data. From `CONTIGUOUS` on they are contiguous: none takes the place of a
/// thunk.
#[rustfmt::skip]
const SHAPES: &[(u32, u32)] = &[
    (0, 0), (1, 0), (2, 0), (0, 1), (3, 0), (5, 0), (12, 0), (1, 1), (1, 3), (2, 1), (0, 2), (0, 5), (3, 2), (4, 4),
    (3, 0), (12, 0), (1, 1), (2, 1), (0, 2), (4, 4),
];
const CONTIGUOUS: usize = 14;
const RECORD: (u32, u32) = (2, 1);
const ROOTS: usize = 48;
const CAFS: usize = 4;

/// What a random program may do, so that the model knows what remains.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mutations {
    /// Everything; each collection is one of everything and removes what it can.
    All,
    /// Collections may leave old objects as they are. What a selector finds later must be what it would have found
    /// before: no node with references changes …
    NoPatches,
    /// … or there are no selectors.
    NoSelectors,
}

struct World {
    mutations: Mutations,
    /// Every other world has immediates.
    immediates: bool,
    image: Image,
    random: Random,
    headers: Vec<u32>,
    thunks: Vec<u32>,
    indirection: u32,
    select_ref: Vec<u32>,
    select_word: Vec<u32>,
    record: u32,
    cafs: u32,
    model: Vec<Node>,
    roots: Vec<Option<Id>>,
    /// Cycles of marking that have ended.
    cycles: u32,
}

impl World {
    fn new(seed: u64, options: &str, mutations: Mutations) -> World {
        let mut image = Image::new();
        let mut headers = Vec::new();
        for (number, (ptrs, nptrs)) in SHAPES.iter().enumerate() {
            let (_, header) = image.record(descriptor::RECORD, &format!("R{number}"), "", *ptrs, *nptrs, &[]);
            if number >= CONTIGUOUS {
                image.c.store_u32(header - TAG_HNF, contiguous_info(*ptrs, *nptrs));
            }
            headers.push(header);
        }
        let thunks = (0..6).map(|ptrs| image.entry(info_word(KIND_THUNK, ptrs, ptrs), 0)).collect();
        let indirection = image.entry(info_word(KIND_INDIRECTION, 1, 1), 0);
        let select_ref = (0..3).map(|n| image.entry(info_word(KIND_SELECT_REF, 1, 1), n)).collect();
        let int = descriptor::INT << 16;
        let select_word = (0..8).map(|n| image.entry(info_word(KIND_SELECT_WORD, 1, 1), n | int)).collect();
        let (record, _) = image.record(descriptor::RECORD, "E", "", RECORD.0, RECORD.1, &[]);
        let cafs = image.take(4 * CAFS as u32);
        image.set(PROGRAM_CAF_START, cafs);
        image.set(PROGRAM_CAF_END, cafs + 4 * CAFS as u32);
        if !options.is_empty() {
            image.c.environment = vec![b"HOME=/".to_vec(), format!("CLEAVE_RTS={options}").into_bytes()];
        }
        let immediates = seed.is_multiple_of(2);
        image.set(PROGRAM_FLAGS, if immediates { PROGRAM_FLAG_IMMEDIATES } else { 0 });
        let mut image = image.start();
        for _ in 0..ROOTS {
            image.push(0);
        }
        let mut world = World {
            mutations,
            immediates,
            image,
            random: Random(seed | 1),
            headers,
            thunks,
            indirection,
            select_ref,
            select_word,
            record,
            cafs,
            model: vec![Node::Nil],
            roots: vec![None; ROOTS + CAFS],
            cycles: 0,
        };
        for root in 0..world.roots.len() {
            let nil = world.image.nil;
            world.set_root(root, 0, nil);
        }
        world
    }

    fn root_address(&self, root: usize) -> u32 {
        if root < ROOTS { self.image.sp + 4 * root as u32 } else { self.cafs + 4 * (root - ROOTS) as u32 }
    }
    fn set_root(&mut self, root: usize, id: Id, address: u32) {
        let place = self.root_address(root);
        self.image.c.store_u32(place, address);
        self.roots[root] = Some(id);
    }
    fn any_root(&mut self) -> usize {
        self.random.below(self.roots.len() as u64) as usize
    }
    /// A live node: model and address.
    fn any(&mut self) -> (Id, u32) {
        let root = self.any_root();
        let address = self.image.c.load_u32(self.root_address(root));
        (self.roots[root].unwrap_or(0), address)
    }
    /// What a field may have: a live node, or an immediate, which may look like an address or a header.
    fn field(&mut self) -> (Id, u32) {
        if !self.immediates || !self.random.chance(4) {
            return self.any();
        }
        let word = match self.random.below(3) {
            0 => self.headers[0],
            1 => self.any().1 | IMMEDIATE,
            _ => self.random.next() as u32 | IMMEDIATE,
        };
        self.model.push(Node::Immediate(immediate_value(word)));
        (self.model.len() - 1, word)
    }
    fn several(&mut self, count: u32) -> (Vec<Id>, Vec<u32>) {
        (0..count).map(|_| self.field()).unzip()
    }
    fn words(&mut self, count: u32) -> Vec<u64> {
        (0..count).map(|_| if self.random.chance(2) { self.random.below(300) } else { self.random.next() }).collect()
    }
    fn keep(&mut self, node: Node, address: u32) {
        self.model.push(node);
        let root = self.any_root();
        self.set_root(root, self.model.len() - 1, address);
    }

    /// Makes room first, so that no address moves while an object is built.
    fn room(&mut self, bytes: u32) {
        let sp = self.image.sp;
        let stress = self.image.c.state.gc.options.gc_stress;
        if stress != 0 {
            self.image.set(PROGRAM_HEAP_LIMIT, 0);
        }
        let collections = self.image.c.state.gc.statistics.collections;
        cleave_rt::gc::allocate::reserve(&mut self.image.c, sp, bytes).expect("room");
        if self.image.c.state.gc.statistics.collections != collections {
            self.commit();
            if self.image.c.state.gc.heap.incremental.cycles != self.cycles {
                self.compare();
            }
        }
        // Under stress the next reservation would collect again: let it pass.
        if stress != 0 {
            let end = self.image.c.state.gc.heap.eden_end;
            self.image.set(PROGRAM_HEAP_LIMIT, end);
        }
    }

    fn step(&mut self) {
        self.room(4096);
        if self.mutations != Mutations::All && self.image.c.state.gc.options.gc_stress == 0 && self.random.chance(40) {
            return self.large_array();
        }
        if self.image.c.state.gc.heap.incremental.phase == Phase::Marking && self.random.chance(3) {
            return self.hide();
        }
        let step = self.random.below(24);
        let step = if self.mutations == Mutations::NoSelectors && (13..=16).contains(&step) { 22 } else { step };
        match step {
            0..=6 => {
                let shape = self.random.below(SHAPES.len() as u64) as usize;
                let (ptrs, nptrs) = SHAPES[shape];
                let ((ids, addresses), nptrs) = (self.several(ptrs), self.words(nptrs));
                let address = self.image.node(self.headers[shape], &addresses, &nptrs);
                self.keep(Node::Data(shape, ids, nptrs), address);
            }
            7 => {
                let value =
                    if self.random.chance(2) { self.random.below(400) as i64 - 200 } else { self.random.next() as i64 };
                let address = self.image.int(value);
                self.keep(Node::Int(value), address);
            }
            8 => {
                let value = self.random.next() as u8;
                let address = self.image.char(value);
                self.keep(Node::Char(value), address);
            }
            9 | 10 => {
                let count = self.random.below(self.thunks.len() as u64) as u32;
                let (ids, addresses) = self.several(count);
                let address = self.image.thunk(self.thunks[count as usize], &addresses);
                self.keep(Node::Thunk(ids), address);
            }
            11 | 12 => {
                let (id, target) = self.any();
                let address = self.image.thunk(self.indirection, &[target]);
                self.keep(Node::Indirection(id), address);
            }
            13..=15 => {
                let (id, target) = self.any();
                let field = self.random.below(3) as u32;
                let address = self.image.thunk(self.select_ref[field as usize], &[target]);
                self.keep(Node::SelectRef(id, field), address);
            }
            16 => {
                let (id, target) = self.any();
                let word = self.random.below(8) as u32;
                let address = self.image.thunk(self.select_word[word as usize], &[target]);
                self.keep(Node::SelectWord(id, word), address);
            }
            17 => self.array(),
            18 => self.update_thunk(),
            19 => self.patch(),
            20 => {
                let root = self.any_root();
                let nil = self.image.nil;
                self.set_root(root, 0, nil);
            }
            22 | 23 => self.patch_array(),
            _ => {
                // Copies of references between roots make sharing.
                let ((id, address), root) = (self.any(), self.any_root());
                self.set_root(root, id, address);
            }
        }
    }

    fn array(&mut self) {
        let size = self.random.below(12) as u32;
        match self.random.below(5) {
            0 => {
                let text: Vec<u8> = (0..size).map(|_| self.random.next() as u8).collect();
                let address = self.image.string(&text);
                self.keep(Node::Text(text), address);
            }
            1 => {
                let (ids, addresses) = self.several(size);
                let array = self.image.array(element::REF, 0, 0, i64::from(size));
                for (index, address) in addresses.iter().enumerate() {
                    self.image.c.store_u32(array + ARRAY_DATA + 4 * index as u32, *address);
                }
                self.keep(Node::Refs(ids), array);
            }
            2 => {
                let array = self.image.array(self.record, RECORD.0, RECORD.1, i64::from(size));
                let mut elements = Vec::new();
                for index in 0..size {
                    let ((ids, addresses), nptrs) = (self.several(RECORD.0), self.words(RECORD.1));
                    let start = array + ARRAY_DATA + index * 16;
                    self.image.c.store_u32(start, addresses[0]);
                    self.image.c.store_u32(start + 4, addresses[1]);
                    self.image.c.store_u64(start + 8, nptrs[0]);
                    elements.push((ids, nptrs));
                }
                self.keep(Node::Records(elements), array);
            }
            3 => {
                let values = self.words(size);
                let array = self.image.array(element::INT, 0, 0, i64::from(size));
                for (index, value) in values.iter().enumerate() {
                    self.image.c.store_u64(array + ARRAY_DATA + 8 * index as u32, *value);
                }
                self.keep(Node::Ints(values), array);
            }
            _ => {
                let values: Vec<u8> = (0..size).map(|_| self.random.below(2) as u8).collect();
                let array = self.image.array(element::BOOL, 0, 0, i64::from(size));
                self.image.c.write_bytes(array + ARRAY_DATA, &values);
                self.keep(Node::Bools(values), array);
            }
        }
    }

    /// An array that is old from the start, and filled after that: its young elements are remembered one by one.
    fn large_array(&mut self) {
        let size = 600 + self.random.below(900) as u32;
        let collections = self.image.c.state.gc.statistics.collections;
        let array = self.image.array(element::REF, 0, 0, i64::from(size));
        if self.image.c.state.gc.statistics.collections != collections {
            self.commit();
        }
        let (ids, addresses) = self.several(size);
        for (index, address) in addresses.iter().enumerate() {
            let slot = array + ARRAY_DATA + 4 * index as u32;
            self.image.c.store_u32(slot, *address);
            self.remember_slot(slot);
        }
        self.keep(Node::Refs(ids), array);
    }

    /// What evaluation does to a thunk: it becomes a blackhole, or a copy of three words of a node.
    fn update_thunk(&mut self) {
        let (id, address) = self.any();
        let c = &self.image.c;
        // A removable thunk may or may not have been removed yet: leave those.
        if is_hnf(c, address) || info_kind(info_of(c, c.load_u32(address))) != KIND_THUNK {
            return;
        }
        let Some(id) = self.resolved(id) else { return };
        if self.random.chance(3) {
            let cycle = self.image.get(PROGRAM_BLACKHOLE_INFO);
            self.image.c.store_u32(address, cycle);
            self.model[id] = Node::Blackhole;
            return;
        }
        if self.random.chance(2) {
            // A new block belongs to the old cell.
            let shape = self.random.below(CONTIGUOUS as u64) as usize;
            let (ptrs, nptrs) = SHAPES[shape];
            let ((ids, addresses), nptrs) = (self.several(ptrs), self.words(nptrs));
            let slots = ptrs + 2 * nptrs.len() as u32;
            let rest = if slots > INLINE_SLOTS { self.image.alloc(rest_bytes(ptrs, slots)) } else { 0 };
            self.image.c.store_u32(address, self.headers[shape]);
            self.image.c.store_u32(address + 8, rest);
            self.image.fill(address, &addresses, &nptrs);
            self.model[id] = Node::Data(shape, ids, nptrs);
            self.remember(address);
            return;
        }
        let (other, from) = self.any();
        if let Some(other) = self.resolved(other)
            && let Node::Data(..) | Node::Int(_) | Node::Char(_) = self.model[other]
            && is_hnf(&self.image.c, from)
            && info_kind(info_of(&self.image.c, self.image.c.load_u32(from))) != KIND_CONTIGUOUS
        {
            self.image.c.copy_within(from, address, MIN_OBJECT);
            self.model[id] = self.model[other].clone();
            self.remember(address);
        }
    }

    /// What compiled code does after it has overwritten an object.
    fn remember(&mut self, object: u32) {
        if object >= self.image.get(PROGRAM_OLD_START) {
            cleave_rt::gc::remembered::remember(&mut self.image.c, object).expect("noted");
        }
    }

    /// Overwrites an element of an array.
    fn patch_array(&mut self) {
        let (id, address) = self.any();
        let (target, target_address) = self.field();
        let Some(id) = self.resolved(id) else { return };
        if let Node::Refs(ptrs) = &mut self.model[id]
            && !ptrs.is_empty()
            && is_hnf(&self.image.c, address)
        {
            let index = (target % ptrs.len()) as u32;
            ptrs[index as usize] = target;
            let slot = address + ARRAY_DATA + 4 * index;
            self.image.c.store_u32(slot, target_address);
            self.remember_slot(slot);
        }
    }

    fn remember_slot(&mut self, slot: u32) {
        if slot >= self.image.get(PROGRAM_OLD_START) {
            cleave_rt::gc::remembered::remember_slot(&mut self.image.c, slot).expect("noted");
        }
    }

    /// A collection has replaced selectors by what they select at that moment: so must the model, as nodes may change.
    fn commit(&mut self) {
        if self.mutations != Mutations::All {
            return;
        }
        for id in 0..self.model.len() {
            if let Some(value) = self.selected(id) {
                self.model[id] = Node::Int(value as i64);
            } else if let Some(target) = self.resolved(id)
                && target != id
            {
                self.model[id] = Node::Indirection(target);
            }
        }
    }

    /// Changes a reference of a node: this is how cycles arise.
    fn patch(&mut self) {
        let (node, target) = (self.any(), self.field());
        self.patch_with(node, target);
    }

    /// Puts a reference into a node; false if it cannot be changed.
    fn patch_with(&mut self, (id, address): (Id, u32), (target, target_address): (Id, u32)) -> bool {
        if self.mutations == Mutations::NoPatches {
            return false;
        }
        let Some(id) = self.resolved(id) else { return false };
        // Copies of a node share its overflow block; only the reference in the cell is its own.
        if let Node::Data(shape, ptrs, _) = &mut self.model[id]
            && SHAPES[*shape].0 > 0
            && is_hnf(&self.image.c, address)
        {
            ptrs[0] = target;
            self.image.c.store_u32(address + 4, target_address);
            self.remember(address);
            return true;
        }
        false
    }

    /// What stands after indirections and selectors that a collection has left among the old objects; a thunk of a
    /// cycle of selectors, if they are one.
    fn behind(&self, address: u32) -> u32 {
        self.behind_chain(address, 1000)
    }
    fn behind_chain(&self, address: u32, longest: u32) -> u32 {
        if longest == 0 {
            return address;
        }
        let c = &self.image.c;
        let mut at = address;
        for _ in 0..1000 {
            let header = c.load_u32(at);
            let kind = info_kind(info_of(c, header));
            at = if header & TAG_HNF != 0 {
                return at;
            } else if kind == KIND_INDIRECTION {
                c.load_u32(at + 4)
            } else if kind == KIND_SELECT_REF {
                let node = self.behind_chain(c.load_u32(at + 4), longest - 1);
                let (info, field) = (info_of(c, c.load_u32(node)), c.load_u32(header + THUNK_INFO_SELECTOR) & 0xffff);
                if !is_hnf(c, node) || field >= info_ptrs(info) {
                    return at;
                }
                let value = c.load_u32(slot_address(c, node, info, field));
                if is_immediate(value) {
                    return at;
                }
                value
            } else {
                return at;
            };
        }
        address
    }

    /// The node that remains of a node when indirections and selectors are removed, or nothing for a cycle of them.
    fn resolved(&self, id: Id) -> Option<Id> {
        self.resolve(id, &mut Vec::new())
    }
    fn resolve(&self, id: Id, path: &mut Vec<Id>) -> Option<Id> {
        if path.contains(&id) {
            return None;
        }
        path.push(id);
        let result = match &self.model[id] {
            Node::Indirection(target) => self.resolve(*target, path),
            Node::SelectRef(argument, field) => match self.resolve(*argument, path) {
                Some(argument) => match &self.model[argument] {
                    Node::Data(_, ptrs, _) => match ptrs.get(*field as usize) {
                        Some(target) if matches!(self.model[*target], Node::Immediate(_)) => Some(id),
                        Some(target) => self.resolve(*target, path),
                        None => Some(id),
                    },
                    _ => Some(id),
                },
                None => None,
            },
            _ => Some(id),
        };
        path.pop();
        result
    }
    /// The word that a selector of words gives when its argument is evaluated.
    fn selected(&self, id: Id) -> Option<u64> {
        self.selected_chain(id, 100)
    }
    fn selected_chain(&self, id: Id, longest: u32) -> Option<u64> {
        let Node::SelectWord(argument, word) = self.model[id] else { return None };
        match &self.model[self.resolved(argument)?] {
            Node::Data(_, ptrs, nptrs) => nptrs.get((word as usize).checked_sub(ptrs.len())?).copied(),
            Node::Int(value) if word == 0 => Some(*value as u64),
            Node::Char(value) if word == 0 => Some(u64::from(*value)),
            // The word that another one gives, in a box.
            Node::SelectWord(..) if word == 0 && longest > 0 => {
                self.selected_chain(self.resolved(argument)?, longest - 1)
            }
            _ => None,
        }
    }

    /// Compares everything reachable, after a collection; all of it must have a mark if marking ended there.
    fn compare(&mut self) {
        let cycles = self.image.c.state.gc.heap.incremental.cycles;
        let marker = (cycles != self.cycles).then(|| Marker::new(&self.image.c));
        self.cycles = cycles;
        let mut address_of: BTreeMap<Id, u32> = BTreeMap::new();
        let mut id_of: BTreeMap<u32, Id> = BTreeMap::new();
        let mut work: Vec<(Id, u32)> = Vec::new();
        for root in 0..self.roots.len() {
            work.push((self.roots[root].unwrap_or(0), self.image.c.load_u32(self.root_address(root))));
        }
        while let Some((id, address)) = work.pop() {
            if let Node::Immediate(value) = self.model[id] {
                assert_eq!(address, immediate(value));
                continue;
            }
            let address = if self.mutations == Mutations::All { address } else { self.behind(address) };
            let c = &self.image.c;
            if let Some(marker) = &marker {
                assert!(marker.is_kept(c, address), "{:?} is alive and has no mark", self.model[id]);
            }
            let Some(id) = self.resolved(id) else {
                assert!(!is_hnf(c, address), "a cycle of selectors must stay a thunk");
                continue;
            };
            if let Some(value) = self.selected(id)
                && is_hnf(c, address)
            {
                assert_eq!(c.load_u64(address + 4), value);
                continue;
            }
            let small = match self.model[id] {
                Node::Int(value) => (SMALL_INT_MIN..=SMALL_INT_MAX).contains(&value),
                Node::Char(_) | Node::Nil => true,
                _ => false,
            };
            // An old thunk may have got one, and an old object refer to it.
            if small && self.mutations == Mutations::All {
                assert!(address < c.state.gc.heap.base, "a small value must be static");
            }
            let met = address_of.contains_key(&id);
            assert_eq!(*address_of.entry(id).or_insert(address), address, "sharing of {:?} is lost", self.model[id]);
            if !small {
                assert_eq!(*id_of.entry(address).or_insert(id), id, "two nodes have become one");
            }
            if !met {
                self.compare_node(id, address, &mut work);
            }
        }
    }

    fn compare_node(&self, id: Id, address: u32, work: &mut Vec<(Id, u32)>) {
        let c = &self.image.c;
        let header = c.load_u32(address);
        let info = info_of(c, header);
        let mut follow = |ids: &[Id], slot: &dyn Fn(u32) -> u32| {
            for (index, id) in ids.iter().enumerate() {
                work.push((*id, c.load_u32(slot(index as u32))));
            }
        };
        match &self.model[id] {
            Node::Data(shape, ptrs, nptrs) => {
                assert_eq!(header, self.headers[*shape]);
                follow(ptrs, &|index| slot_address(c, address, info, index));
                for (index, word) in nptrs.iter().enumerate() {
                    assert_eq!(c.load_u64(word_address(c, address, info, index as u32)), *word);
                }
            }
            Node::Int(value) => {
                assert_eq!((header, c.load_u64(address + 4)), (self.image.get(PROGRAM_INT_HEADER), *value as u64));
            }
            Node::Immediate(_) => panic!("an immediate is no object"),
            Node::Char(value) => {
                assert_eq!((header, c.load_u8(address + 4)), (self.image.get(PROGRAM_CHAR_HEADER), u32::from(*value)));
            }
            Node::Nil => assert_eq!(header, c.load_u32(self.image.nil)),
            Node::Thunk(ptrs) => {
                assert_eq!(header, self.thunks[ptrs.len()]);
                follow(ptrs, &|index| address + 4 + 4 * index);
            }
            Node::Blackhole => assert_eq!(header, self.image.get(PROGRAM_BLACKHOLE_INFO)),
            Node::Indirection(_) => panic!("an indirection must not be left"),
            Node::SelectRef(argument, field) => {
                assert_eq!(header, self.select_ref[*field as usize]);
                follow(&[*argument], &|_| address + 4);
            }
            Node::SelectWord(argument, word) => {
                assert_eq!(header, self.select_word[*word as usize]);
                follow(&[*argument], &|_| address + 4);
            }
            Node::Text(text) => {
                let mut bytes = vec![0; c.load_u32(address + STRING_LENGTH) as usize];
                c.read_bytes(address + STRING_DATA, &mut bytes);
                assert_eq!(&bytes, text);
            }
            Node::Refs(ptrs) => {
                assert_eq!(c.load_u32(address + ARRAY_SIZE), ptrs.len() as u32);
                follow(ptrs, &|index| address + ARRAY_DATA + 4 * index);
            }
            Node::Records(elements) => {
                for (number, (ptrs, nptrs)) in elements.iter().enumerate() {
                    let start = address + ARRAY_DATA + 16 * number as u32;
                    follow(ptrs, &|index| start + 4 * index);
                    assert_eq!(c.load_u64(start + 8), nptrs[0]);
                }
            }
            Node::Ints(values) => {
                for (index, value) in values.iter().enumerate() {
                    assert_eq!(c.load_u64(address + ARRAY_DATA + 8 * index as u32), *value);
                }
            }
            Node::Bools(values) => {
                let mut bytes = vec![9; values.len()];
                c.read_bytes(address + ARRAY_DATA, &mut bytes);
                assert_eq!(&bytes, values);
            }
        }
    }

    fn collect(&mut self) {
        let minor = self.image.c.state.gc.statistics.minor_collections;
        let used = {
            let heap = self.image.c.state.gc.heap;
            let survivor = heap.survivor_end - heap.survivor_start;
            self.image.c.heap_pointer() - heap.eden_start + heap.live_end - heap.live_start + survivor
        };
        self.image.collect();
        let heap = self.image.c.state.gc.heap;
        let only_young = heap.nursery != 0 && self.image.c.state.gc.statistics.minor_collections > minor;
        assert!(only_young || heap.live_end - heap.live_start <= used, "the live data have grown");
        self.commit();
        self.compare();
        if self.mutations == Mutations::All && self.random.chance(3) {
            // Eden is empty now, so the survivors may move as they do when the limit is tight.
            let sp = self.image.sp;
            let base = self.image.c.state.gc.heap.base;
            cleave_rt::gc::compact::down(&mut self.image.c, sp, base);
            assert!(cleave_rt::gc::place::place_eden(&mut self.image.c, 64, cleave_rt::gc::place::MIN_EDEN));
            let heap = self.image.c.state.gc.heap;
            assert_eq!(heap.live_start, heap.base);
            self.compare();
        }
    }
}

fn run(seed: u64, steps: u32, options: &str, every: u64) -> u64 {
    run_with(seed, steps, &format!("--gc=copying {options}"), every, Mutations::All).collections
}

fn run_with(seed: u64, steps: u32, options: &str, every: u64, mutations: Mutations) -> Statistics {
    let mut world = World::new(seed, options, mutations);
    for _ in 0..steps {
        world.step();
        if world.random.chance(every) {
            world.collect();
        }
    }
    world.collect();
    world.collect();
    world.image.c.state.gc.statistics
}

#[test]
fn random_graphs_survive() {
    for seed in 1..=60 {
        run(seed * 7919, 1500, "", 150);
    }
}

#[test]
fn random_graphs_survive_stress() {
    for seed in 1..=8 {
        let collections = run(seed * 104729, 400, "--gc-stress=1 --poison", 1_000_000);
        // One for each step and the two at the end.
        assert_eq!(collections, 402);
    }
}

#[test]
fn random_graphs_survive_a_tight_heap() {
    for seed in 1..=12 {
        run(seed * 31337, 1500, "--heap=192k", 60);
    }
}

/// With a nursery: full and partial collections in turn when asked for, and what the nursery itself needs.
#[test]
fn random_graphs_survive_in_a_nursery() {
    for mutations in [Mutations::NoPatches, Mutations::NoSelectors] {
        for seed in 1..=size(8, 12) {
            let statistics = run_with(seed * 6037, 1500, "--nursery=16k", 60, mutations);
            assert!(statistics.minor_collections > 0 && statistics.minor_collections < statistics.collections);
        }
    }
}

/// The same where the list of remembered places is full again and again.
#[test]
fn random_graphs_survive_marks() {
    for mutations in [Mutations::NoPatches, Mutations::NoSelectors] {
        for seed in 1..=size(8, 12) {
            let mut world = World::new(seed * 9973, "--nursery=32k", mutations);
            let mut marked = 0;
            for _ in 0..1500 {
                let list = &mut world.image.c.state.gc.heap.remembered;
                list.end = list.end.min(list.start + 4 * SLOT);
                world.step();
                marked = marked.max(world.image.c.state.gc.heap.remembered.marked);
                if world.random.chance(80) {
                    world.collect();
                }
            }
            world.collect();
            assert!(marked > 100, "{marked}");
        }
    }
}

#[test]
fn random_graphs_survive_stress_in_a_nursery() {
    for mutations in [Mutations::NoPatches, Mutations::NoSelectors] {
        for seed in 1..=4 {
            let statistics = run_with(seed * 15073, 400, "--nursery=16k --gc-stress=1 --poison", 1_000_000, mutations);
            assert_eq!((statistics.collections, statistics.minor_collections), (402, 251));
        }
    }
}
