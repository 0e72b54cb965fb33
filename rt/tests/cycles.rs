//! Cycles on the reference-counted heap, beside a model: what nothing outside leads to is freed, and all else stays as
//! it is, with its count.

use crate::counted::{counted_with, release};
use crate::support::{Image, Random};
use cleave_abi::rc;
use cleave_rt::layout::*;
use cleave_rt::platform::Memory;
use cleave_rt::rc::{alive, object_bytes, take};

type Id = usize;

/// What an object of the model is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// May be a part of a cycle; its references are overwritten.
    Node,
    /// The same.
    Array,
    /// Holds nothing.
    Leaf,
    /// Made once, with references to all but other lists: no cycle leads through it.
    List,
}

#[derive(Clone, Debug)]
struct Object {
    kind: Kind,
    address: u32,
    fields: Vec<Option<Id>>,
    /// References from outside of the heap.
    outside: u32,
}

struct World {
    image: Image,
    random: Random,
    objects: Vec<Option<Object>>,
    /// Headers of nodes with so many references.
    headers: Vec<u32>,
}

const MOST_FIELDS: u32 = 5;

impl World {
    fn new(seed: u64, options: &str) -> World {
        let mut image = counted_with(PROGRAM_FLAG_CYCLES | PROGRAM_FLAG_CYCLIC_ARRAYS, options, |image| {
            let info = image.descriptor(descriptor::CONSTRUCTOR, "N", "", (0, 0), &[]);
            (0..=MOST_FIELDS).map(|refs| image.row(info_word(KIND_RC, refs, refs + 2), info, 0)).collect::<Vec<u32>>()
        });
        image.0.c.store_u32(image.0.nil + rc::COUNT, rc::STATIC_COUNT);
        World { image: image.0, random: Random(((seed + 1) << 20) | 0x9e37), objects: Vec::new(), headers: image.1 }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u64) as usize
    }

    /// An object that something outside refers to, of a kind that is wanted.
    fn some(&mut self, wanted: impl Fn(Kind) -> bool) -> Option<Id> {
        let held: Vec<Id> = (0..self.objects.len())
            .filter(|&id| self.objects[id].as_ref().is_some_and(|object| object.outside > 0 && wanted(object.kind)))
            .collect();
        if held.is_empty() { None } else { Some(held[self.below(held.len())]) }
    }

    fn object(&mut self, id: Id) -> &mut Object {
        self.objects[id].as_mut().expect("it is alive")
    }

    fn address(&mut self, field: Option<Id>) -> u32 {
        let empty = self.image.nil;
        field.map_or(empty, |id| self.object(id).address)
    }

    fn retain(&mut self, field: Option<Id>) -> u32 {
        let address = self.address(field);
        let count = self.image.c.load_u32(address + rc::COUNT);
        self.image.c.store_u32(address + rc::COUNT, count + 1);
        address
    }

    /// What compiled code does.
    fn release(&mut self, address: u32) {
        let less = self.image.c.load_u32(address + rc::COUNT) - 1;
        if less == 0 {
            return release(&mut self.image, address);
        }
        self.image.c.store_u32(address + rc::COUNT, less);
        if less as i32 <= rc::WATCHED {
            cleave_rt::rc::release_cyclic(&mut self.image.c, address).expect("nothing can fail");
        }
    }

    fn place(object: &Object, index: usize) -> u32 {
        let first = if object.kind == Kind::Array { rc::STRING_DATA } else { rc::FIELDS };
        object.address + first + index as u32 * SLOT
    }

    fn make(&mut self) {
        let kind = [Kind::Node, Kind::Node, Kind::Array, Kind::Leaf, Kind::List][self.below(5)];
        let count = if kind == Kind::Leaf { 0 } else { self.below(MOST_FIELDS as usize + 1) };
        let fields: Vec<Option<Id>> = (0..count).map(|_| self.some(|kind| kind != Kind::List)).collect();
        let held: Vec<u32> = fields.iter().map(|&field| self.retain(field)).collect();
        let address = match kind {
            Kind::Array => cleave_rt::rc::new_references(&mut self.image.c, count as u32).expect("room"),
            Kind::Leaf => cleave_rt::rc::new_string(&mut self.image.c, 7).expect("room"),
            Kind::Node | Kind::List => {
                let cell = take(&mut self.image.c, rc::class_of(rc::FIELDS + (count as u32 + 2) * SLOT)).expect("room");
                self.image.c.store_u32(cell, self.headers[count]);
                let first = if kind == Kind::Node { rc::FIRST_CYCLIC } else { 1 };
                self.image.c.store_u32(cell + rc::COUNT, first);
                cell
            }
        };
        let object = Object { kind, address, fields, outside: 1 };
        for (index, held) in held.into_iter().enumerate() {
            self.image.c.store_u32(World::place(&object, index), held);
        }
        match self.objects.iter().position(Option::is_none) {
            Some(free) => self.objects[free] = Some(object),
            None => self.objects.push(Some(object)),
        }
    }

    /// A reference goes into a field, and what was there is released.
    fn overwrite(&mut self) {
        let Some(id) = self.some(|kind| matches!(kind, Kind::Node | Kind::Array)) else { return };
        let count = self.object(id).fields.len();
        if count == 0 {
            return;
        }
        let (index, new) = (self.below(count), self.some(|kind| kind != Kind::List));
        let new = if self.below(5) == 0 { None } else { new };
        let (address, place) = (self.retain(new), World::place(self.object(id), index));
        let old = self.image.c.load_u32(place);
        self.image.c.store_u32(place, address);
        self.object(id).fields[index] = new;
        self.forget();
        self.release(old);
    }

    /// The world outside takes one more reference, or gives one back.
    fn hold(&mut self) {
        let Some(id) = self.some(|_| true) else { return };
        self.retain(Some(id));
        self.object(id).outside += 1;
    }
    fn drop_one(&mut self) {
        let Some(id) = self.some(|_| true) else { return };
        self.object(id).outside -= 1;
        let address = self.object(id).address;
        self.forget();
        self.release(address);
    }

    /// The model forgets what nothing outside leads to.
    fn forget(&mut self) {
        let mut reached = vec![false; self.objects.len()];
        let mut open: Vec<Id> = (0..self.objects.len())
            .filter(|&id| self.objects[id].as_ref().is_some_and(|object| object.outside > 0))
            .collect();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut reached[id], true) {
                open.extend(self.object(id).fields.iter().flatten());
            }
        }
        for (object, reached) in self.objects.iter_mut().zip(reached) {
            object.take_if(|_| !reached);
        }
    }

    /// Frees all that can be freed: then the heap is what the model is.
    fn compare(&mut self) {
        let bytes = alive(&mut self.image.c);
        let mut counts = vec![0; self.objects.len()];
        for object in self.objects.iter().flatten() {
            object.fields.iter().flatten().for_each(|&field| counts[field] += 1);
        }
        let mut sum = 0;
        for (object, inside) in self.objects.clone().iter().zip(counts) {
            let Some(object) = object else { continue };
            let header = self.image.c.load_u32(object.address);
            assert_eq!(header & TAG_MASK, TAG_HNF, "a colour is left");
            let info = self.image.c.load_u32(header & !TAG_HNF);
            sum += u64::from(object_bytes(&self.image.c, object.address, info));
            let count = self.image.c.load_u32(object.address + rc::COUNT);
            let cyclic = if matches!(object.kind, Kind::Node | Kind::Array) { rc::CYCLIC } else { 0 };
            assert_eq!(count, cyclic + inside + object.outside, "{object:?}");
            for (index, &field) in object.fields.iter().enumerate() {
                let expected = self.address(field);
                assert_eq!(self.image.c.load_u32(World::place(object, index)), expected, "{object:?}");
            }
        }
        assert_eq!(bytes, sum);
    }
}

/// Random programs. `options` are those of the user.
fn random_graphs(options: &str, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let mut world = World::new(seed, options);
        let (makes, rounds) = (1 + world.below(6), 40);
        for round in 0..rounds {
            for _ in 0..world.below(60) {
                match world.below(12 + makes) {
                    0..4 => world.overwrite(),
                    4..6 => world.hold(),
                    6..12 => world.drop_one(),
                    _ => world.make(),
                }
            }
            if round % 3 == 0 {
                world.compare();
            }
        }
        while let Some(id) = world.some(|_| true) {
            world.object(id).outside -= 1;
            let address = world.object(id).address;
            world.forget();
            world.release(address);
        }
        assert_eq!(alive(&mut world.image.c), 0, "seed {seed}");
    }
}

#[test]
fn random_graphs_are_freed_like_their_model() {
    random_graphs("", 0..150);
}

#[test]
fn under_stress_each_possible_root_is_looked_at_at_once() {
    random_graphs("--gc-stress", 1000..1060);
}

#[test]
fn freed_memory_is_filled() {
    random_graphs("--poison", 2000..2060);
}

/// A ring of arrays of two, which refer to each other in both directions, is deep in every way.
#[test]
fn a_long_ring_needs_no_stack() {
    const COUNT: usize = 200_000;
    let mut world = World::new(1, "");
    let c = &mut world.image.c;
    let all: Vec<u32> = (0..COUNT).map(|_| cleave_rt::rc::new_references(c, 2).expect("room")).collect();
    for (at, &array) in all.iter().enumerate() {
        for (index, other) in [(at + 1) % COUNT, (at + COUNT - 1) % COUNT].into_iter().enumerate() {
            c.store_u32(array + rc::STRING_DATA + index as u32 * SLOT, all[other]);
            let count = c.load_u32(all[other] + rc::COUNT);
            c.store_u32(all[other] + rc::COUNT, count + 1);
        }
    }
    let bytes = u64::from(rc::string_bytes(2 * SLOT)) * COUNT as u64;
    for (at, &array) in all.iter().enumerate() {
        assert_eq!(world.image.c.load_u32(array + rc::COUNT) & !rc::BUFFERED, 3);
        if at + 1 == COUNT {
            assert_eq!(alive(&mut world.image.c), bytes);
        }
        world.release(array);
    }
    assert_eq!(alive(&mut world.image.c), 0);
}

/// What cycles alone hold is freed before memory is called full, and before much more memory is used.
#[test]
fn cycles_do_not_fill_the_memory() {
    let mut world = World::new(1, "");
    let heap = &mut world.image.c.state.gc.heap;
    heap.limit_end = u64::from(heap.base) + (8 << 20);
    let base = world.image.c.state.gc.heap.base;
    for _ in 0..1_000_000 {
        let c = &mut world.image.c;
        let array = cleave_rt::rc::new_references(c, 20).expect("room");
        (0..20).for_each(|index| c.store_u32(array + rc::STRING_DATA + index * SLOT, array));
        c.store_u32(array + rc::COUNT, rc::CYCLIC + 21);
        world.release(array);
    }
    let used = world.image.c.load_u32(world.image.program + rc::FRESH) - base;
    assert!(used < 3 << 20, "{used} bytes");
}

/// A large array is one object, but what it costs to look through it are its elements: the next search waits for that.
#[test]
fn large_arrays_are_not_looked_through_too_often() {
    const ELEMENTS: u32 = 100_000;
    let mut world = World::new(1, "");
    let c = &mut world.image.c;
    let large = cleave_rt::rc::new_references(c, ELEMENTS).expect("room");
    for element in 0..ELEMENTS {
        c.store_u32(large + rc::STRING_DATA + element * SLOT, world.image.nil);
    }
    let mut holders = Vec::new();
    for _ in 0..5000 {
        let c = &mut world.image.c;
        let holder = cleave_rt::rc::new_references(c, 1).expect("room");
        c.store_u32(holder + rc::STRING_DATA, large);
        for object in [holder, large] {
            let count = c.load_u32(object + rc::COUNT);
            c.store_u32(object + rc::COUNT, count + 1);
        }
        world.release(holder);
        holders.push(holder);
    }
    let limit = world.image.c.load_u32(world.image.program + rc::ROOT_LIMIT);
    assert!(limit >= 2 * ELEMENTS, "the next search is due with {limit} possible roots");
    holders.into_iter().chain([large]).for_each(|object| world.release(object));
    assert_eq!(alive(&mut world.image.c), 0);
}

/// What dies with a cycle was not looked at in vain, though it seemed alive: something that is no part of cycles refers
/// to it.
#[test]
fn what_cycles_lead_to_does_not_put_off_the_next_search() {
    let mut world = World::new(1, "");
    let (empty, header) = (world.image.nil, world.headers[1]);
    for _ in 0..100_000 {
        let c = &mut world.image.c;
        let held = cleave_rt::rc::new_references(c, 1).expect("room");
        c.store_u32(held + rc::STRING_DATA, empty);
        let holder = take(c, rc::class_of(rc::FIELDS + 3 * SLOT)).expect("room");
        c.store_u32(holder, header);
        c.store_u32(holder + rc::COUNT, 1);
        c.store_u32(holder + rc::FIELDS, held);
        let ring = cleave_rt::rc::new_references(c, 2).expect("room");
        c.store_u32(ring + rc::STRING_DATA, ring);
        c.store_u32(ring + rc::STRING_DATA + SLOT, holder);
        for object in [held, ring] {
            let count = c.load_u32(object + rc::COUNT);
            c.store_u32(object + rc::COUNT, count + 1);
        }
        [held, ring].into_iter().for_each(|object| world.release(object));
    }
    let limit = world.image.c.load_u32(world.image.program + rc::ROOT_LIMIT);
    assert!(limit < 1000, "the next search is due with {limit} possible roots");
}
