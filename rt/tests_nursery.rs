//! The nursery where random graphs do not get to: large objects, its size, the list of remembered places.

use crate::layout::*;
use crate::nursery::{remember_slot, shorten_last};
use crate::system::Memory;
use crate::tests_support::Image;

fn image(options: &str) -> Image {
    let mut image = Image::new();
    image.c.environment = vec![format!("CLEAVE_RTS={options}").into_bytes()];
    image.start()
}

/// Collects as the program does when the nursery is full.
fn fill_nursery(image: &mut Image) {
    let before = image.c.state.statistics.collections;
    while image.c.state.statistics.collections == before {
        image.alloc(MIN_CELL);
        // What is not reachable need not be a node.
    }
}

fn is_old(image: &Image, object: u32) -> bool {
    object >= image.get(PROGRAM_OLD_START)
}

/// The number in an Int.
fn value(image: &Image, node: u32) -> u64 {
    image.c.load_u64(node + SLOT)
}

#[test]
fn elements_of_large_arrays_stay_alive() {
    let mut image = image("--nursery=16k");
    let array = image.array(element::REF, 0, 0, 5000);
    assert!(is_old(&image, array), "a large array is not copied");
    image.push(array);
    // A new array is looked at as a whole, an older one by the places that are told.
    for round in 0..4u32 {
        let slot = array + ARRAY_DATA + SLOT * (round * 1000);
        let node = image.int(1000 + i64::from(round));
        assert!(!is_old(&image, node));
        image.c.store_u32(slot, node);
        remember_slot(&mut image.c, slot).expect("noted");
        for _ in 0..3 {
            fill_nursery(&mut image);
        }
        assert_eq!(image.c.load_u32(image.sp), array, "old objects stay where they are");
        for earlier in 0..=round {
            let node = image.c.load_u32(array + ARRAY_DATA + SLOT * (earlier * 1000));
            assert!(is_old(&image, node), "it has survived twice");
            assert_eq!(value(&image, node), 1000 + u64::from(earlier));
        }
    }
    assert_eq!(image.c.state.statistics.minor_collections, 12);
}

#[test]
fn replicated_elements_stay_alive() {
    let mut image = image("--nursery=16k");
    let array = image.array(element::REF, 0, 0, 5000);
    image.push(array);
    fill_nursery(&mut image);
    fill_nursery(&mut image);
    let node = image.int(77777);
    image.c.store_u32(array + ARRAY_DATA, node);
    crate::prim::array::replicate(&mut image.c, array, 0, 0).expect("copied");
    fill_nursery(&mut image);
    fill_nursery(&mut image);
    let first = image.c.load_u32(array + ARRAY_DATA);
    let last = image.c.load_u32(array + ARRAY_DATA + 4999 * SLOT);
    assert!(is_old(&image, first), "it has survived twice");
    assert_eq!((first, value(&image, first)), (last, 77777));
}

#[test]
fn large_strings_can_be_shortened() {
    let mut image = image("--nursery=16k");
    let long = image.string(&[b'x'; 9000]);
    assert!(is_old(&image, long));
    image.c.store_u32(long + STRING_LENGTH, 10);
    shorten_last(&mut image.c, long, long + string_bytes(10));
    image.push(long);
    let next = image.string(&[b'y'; 9000]);
    assert_eq!(next, long + string_bytes(10));
    image.push(next);
    for _ in 0..4 {
        image.collect();
    }
    let (next, long) = (image.c.load_u32(image.sp), image.c.load_u32(image.sp + SLOT));
    assert_eq!((image.c.load_u8(next + STRING_DATA + 8999), image.c.load_u32(next + STRING_LENGTH)), (121, 9000));
    assert_eq!((image.c.load_u8(long + STRING_DATA + 9), image.c.load_u32(long + STRING_LENGTH)), (120, 10));
}

#[test]
fn a_deep_stack_makes_the_nursery_larger() {
    let mut image = image("--nursery=64k");
    assert_eq!(image.c.state.heap.nursery, 64 << 10);
    for _ in 0..50_000 {
        image.push(image.nil);
    }
    fill_nursery(&mut image);
    assert!(image.c.state.heap.nursery >= 400_000, "{}", image.c.state.heap.nursery);
    assert_eq!(image.c.state.statistics.minor_collections, 0);
    fill_nursery(&mut image);
    assert_eq!(image.c.state.statistics.minor_collections, 1);
}

#[test]
fn without_garbage_there_is_no_nursery() {
    let mut image = image("--nursery=64k");
    // A list that grows: its end is the place on the stack.
    image.push(image.nil);
    let grow = |image: &mut Image, collections: u64| {
        let end = image.c.state.statistics.collections + collections;
        let mut length = 0u64;
        while image.c.state.statistics.collections < end {
            let node = image.list(&[image.nil]);
            let last = image.c.load_u32(image.sp);
            image.c.store_u32(node + SLOT, last);
            image.c.store_u32(image.sp, node);
            length += 1;
        }
        length
    };
    let mut length = grow(&mut image, 2);
    assert_eq!((image.c.state.heap.nursery, image.get(PROGRAM_OLD_START)), (0, u32::MAX));
    length += grow(&mut image, 2);
    assert_eq!(image.c.state.heap.nursery, 0);
    let statistics = image.c.state.statistics;
    assert_eq!((statistics.collections, statistics.minor_collections), (4, 2));
    let (mut node, mut found) = (image.c.load_u32(image.sp), 0);
    while node != image.nil {
        node = image.c.load_u32(node + SLOT);
        found += 1;
    }
    assert_eq!(found, length);
    // Garbage brings the nursery back.
    fill_nursery(&mut image);
    assert_eq!(image.c.state.heap.nursery, 64 << 10);
}

#[test]
fn few_survivors_settle_above_the_nursery() {
    let mut image = image("--nursery=64k");
    image.push(image.nil);
    let length = 200_000;
    for index in 0..length {
        let sp = image.sp;
        crate::heap::reserve(&mut image.c, sp, 100).expect("room");
        let last = image.c.load_u32(sp);
        let number = image.int(1000 + index);
        let header = image.cons;
        let node = image.node(header, &[number, last], &[]);
        image.c.store_u32(sp, node);
        // Most of it is garbage.
        image.alloc(72);
    }
    let sp = image.sp;
    let before = image.c.state.heap.live_start;
    crate::heap::collect(&mut image.c, sp, 80 << 10).expect("collects everything");
    let statistics = image.c.state.statistics;
    assert!(statistics.minor_collections < statistics.collections);
    let heap = image.c.state.heap;
    assert!(heap.live_end - heap.live_start > 4 << 20);
    assert_eq!((u64::from(heap.live_start), heap.live_start), (crate::nursery::end(&image.c, sp), before));
    let mut node = image.c.load_u32(sp);
    for index in (0..length).rev() {
        let number = image.c.load_u32(node + SLOT);
        assert_eq!(value(&image, number), 1000 + index as u64);
        node = image.c.load_u32(node + 2 * SLOT);
    }
    assert_eq!(node, image.nil);
}

#[test]
fn what_cannot_be_remembered_ends_in_a_collection_of_everything() {
    let mut image = image("--nursery=16k");
    let array = image.array(element::REF, 0, 0, 5000);
    image.push(array);
    fill_nursery(&mut image);
    let node = image.int(4711);
    let capacity = (16 << 10) / 4 / SLOT;
    for index in 0..=capacity {
        let slot = array + ARRAY_DATA + SLOT * index;
        image.c.store_u32(slot, node);
        remember_slot(&mut image.c, slot).expect("noted");
    }
    assert!(image.c.state.heap.forgotten);
    fill_nursery(&mut image);
    let statistics = image.c.state.statistics;
    assert_eq!((statistics.collections, statistics.minor_collections), (2, 1));
    let array = image.c.load_u32(image.sp);
    let node = image.c.load_u32(array + ARRAY_DATA);
    assert_eq!((node, value(&image, node)), (image.c.load_u32(array + ARRAY_DATA + SLOT * capacity), 4711));
}

#[test]
fn there_is_no_nursery_where_it_does_not_fit() {
    assert_eq!(image("--gc=copying").c.state.heap.nursery, 0);
    assert_eq!(image("--heap=192k").c.state.heap.nursery, 0);
    assert_eq!(image("--gc=copying --gc=generational --nursery=128k").c.state.heap.nursery, 128 << 10);
    // At most a part of a limited heap.
    assert_eq!(image("--heap=8m").c.state.heap.nursery, 256 << 10);
}
