//! The nursery where random graphs do not get to: large objects, its size, the list of remembered places.

use crate::support::Image;
use cleave_rt::gc::allocate::shorten_last;
use cleave_rt::gc::remembered::{remember, remember_slot};
use cleave_rt::layout::*;
use cleave_rt::platform::Memory;

fn image(options: &str) -> Image {
    let mut image = Image::new();
    image.c.environment = vec![format!("CLEAVE_RTS={options}").into_bytes()];
    image.start()
}

/// Collects as the program does when the nursery is full.
fn fill_nursery(image: &mut Image) {
    let before = image.c.state.gc.statistics.collections;
    while image.c.state.gc.statistics.collections == before {
        image.alloc(MIN_OBJECT);
        // What is not reachable need not be a node.
    }
}

fn is_old(image: &Image, object: u32) -> bool {
    let heap = &image.c.state.gc.heap;
    object >= heap.live_start && object < heap.live_end
}

/// Bytes of eden in a nursery; 0 without one.
fn eden(image: &Image) -> u32 {
    let heap = &image.c.state.gc.heap;
    if heap.nursery == 0 { 0 } else { heap.eden_end - heap.eden_start }
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
    assert_eq!(image.c.state.gc.statistics.minor_collections, 12);
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
    cleave_rt::base::array::replicate(&mut image.c, array, 0, 0).expect("copied");
    fill_nursery(&mut image);
    fill_nursery(&mut image);
    let first = image.c.load_u32(array + ARRAY_DATA);
    let last = image.c.load_u32(array + ARRAY_DATA + 4999 * SLOT);
    assert!(is_old(&image, first), "it has survived twice");
    assert_eq!((first, value(&image, first)), (last, 77777));
}

#[test]
fn elements_of_shortened_arrays_stay_alive() {
    let mut image = image("--nursery=16k");
    let array = image.array(element::REF, 0, 0, 5000);
    image.push(array);
    let node = image.int(4711);
    image.c.store_u32(array + ARRAY_DATA + 7 * SLOT, node);
    remember_slot(&mut image.c, array + ARRAY_DATA + 7 * SLOT).expect("noted");
    let sp = image.sp;
    let same = cleave_rt::base::array::shorten_array(&mut image.c, sp, array, 5000).expect("room");
    assert_eq!(same, array, "nothing to leave out");
    let shorter = cleave_rt::base::array::shorten_array(&mut image.c, sp, array, 4999).expect("room");
    assert!(is_old(&image, shorter) && shorter != array);
    // The long one dies.
    image.c.store_u32(sp, shorter);
    for _ in 0..3 {
        fill_nursery(&mut image);
    }
    let node = image.c.load_u32(shorter + ARRAY_DATA + 7 * SLOT);
    assert!(is_old(&image, node), "it has survived twice");
    assert_eq!((image.c.load_u32(shorter + ARRAY_SIZE), value(&image, node)), (4999, 4711));
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
    assert_eq!(eden(&image), 64 << 10);
    for _ in 0..50_000 {
        image.push(image.nil);
    }
    fill_nursery(&mut image);
    assert!(eden(&image) >= 400_000, "{}", eden(&image));
    assert_eq!(image.c.state.gc.statistics.minor_collections, 0);
    fill_nursery(&mut image);
    assert_eq!(image.c.state.gc.statistics.minor_collections, 1);
}

#[test]
fn without_garbage_there_is_no_nursery() {
    let mut image = image("--nursery=64k");
    // A list that grows: its end is the place on the stack.
    image.push(image.nil);
    let grow = |image: &mut Image, collections: u64| {
        let end = image.c.state.gc.statistics.collections + collections;
        let mut length = 0u64;
        while image.c.state.gc.statistics.collections < end {
            let node = image.list(&[image.nil]);
            let last = image.c.load_u32(image.sp);
            image.c.store_u32(node + SLOT, last);
            image.c.store_u32(image.sp, node);
            length += 1;
        }
        length
    };
    let mut length = grow(&mut image, 2);
    assert_eq!((image.c.state.gc.heap.nursery, image.get(PROGRAM_OLD_START)), (0, u32::MAX));
    length += grow(&mut image, 2);
    assert_eq!(image.c.state.gc.heap.nursery, 0);
    let statistics = image.c.state.gc.statistics;
    assert_eq!((statistics.collections, statistics.minor_collections), (4, 2));
    let (mut node, mut found) = (image.c.load_u32(image.sp), 0);
    while node != image.nil {
        node = image.c.load_u32(node + SLOT);
        found += 1;
    }
    assert_eq!(found, length);
    // Garbage brings the nursery back.
    fill_nursery(&mut image);
    assert_eq!(eden(&image), 64 << 10);
}

#[test]
fn few_survivors_settle_above_the_nursery() {
    let mut image = image("--nursery=64k");
    image.push(image.nil);
    let length = 200_000;
    for index in 0..length {
        let sp = image.sp;
        // Whether it pays is not the question.
        image.c.state.gc.heap.cost.counts = false;
        image.c.state.gc.heap.copy_debt = 0;
        cleave_rt::gc::allocate::reserve(&mut image.c, sp, 100).expect("room");
        let last = image.c.load_u32(sp);
        let number = image.int(1000 + index);
        let header = image.cons;
        let node = image.node(header, &[number, last], &[]);
        image.c.store_u32(sp, node);
        // Most of it is garbage.
        image.alloc(72);
    }
    let sp = image.sp;
    let before = image.c.state.gc.heap.live_start;
    cleave_rt::gc::heap::collect(&mut image.c, sp, 80 << 10).expect("collects everything");
    let statistics = image.c.state.gc.statistics;
    assert!(statistics.minor_collections < statistics.collections);
    let heap = image.c.state.gc.heap;
    assert!(heap.live_end - heap.live_start > 4 << 20);
    let list = cleave_rt::gc::place::list_bytes(heap.nursery.into()) as u32;
    assert_eq!((image.get(PROGRAM_OLD_START) + list, heap.live_start), (heap.live_start, before));
    let mut node = image.c.load_u32(sp);
    for index in (0..length).rev() {
        let number = image.c.load_u32(node + SLOT);
        assert_eq!(value(&image, number), 1000 + index as u64);
        node = image.c.load_u32(node + 2 * SLOT);
    }
    assert_eq!(node, image.nil);
}

/// Places of an old array far beyond what the list holds, in several rounds: bits take over, and forget what is old.
#[test]
fn what_does_not_fit_in_the_list_is_marked() {
    let mut image = image("--nursery=64k");
    let size = 20_000;
    let array = image.array(element::REF, 0, 0, size);
    image.push(array);
    let mut expected = vec![0; size as usize];
    for round in 1..6u32 {
        // A node of its own for each element of this round, and one that many others share.
        let shared = image.int(i64::from(round) << 20);
        image.push(shared);
        let mut random = crate::support::Random(u64::from(round));
        let list = &mut image.c.state.gc.heap.remembered;
        list.end = list.start + 16 * SLOT;
        for _ in 0..1500 {
            let index = random.below(size as u64) as u32;
            let own = random.chance(8);
            let value = if own { i64::from(round * 100_000 + index) } else { i64::from(round) << 20 };
            let node = if own { image.int(value) } else { image.c.load_u32(image.sp) };
            let slot = image.c.load_u32(image.sp + SLOT) + ARRAY_DATA + SLOT * index;
            image.c.store_u32(slot, node);
            remember_slot(&mut image.c, slot).expect("noted");
            expected[index as usize] = value as u64;
        }
        assert!(image.c.state.gc.heap.remembered.marked > 1000);
        fill_nursery(&mut image);
        fill_nursery(&mut image);
        image.sp += SLOT;
        assert_eq!(image.c.load_u32(image.sp), array, "the array stays where it is");
        assert_eq!(image.c.state.gc.heap.remembered.marked, 0, "everything is old");
        for (index, &expected) in expected.iter().enumerate() {
            let node = image.c.load_u32(array + ARRAY_DATA + SLOT * index as u32);
            assert!(is_old(&image, node) || node < image.get(PROGRAM_HEAP_BASE));
            assert_eq!(if expected == 0 { 0 } else { value(&image, node) }, expected);
        }
    }
    let statistics = image.c.state.gc.statistics;
    assert_eq!(statistics.collections, statistics.minor_collections);
}

/// Where most of what is young is kept alive by updates there is no nursery, and for longer each time it comes back.
#[test]
fn a_nursery_that_does_not_pay_stays_away() {
    let mut image = image("--nursery=16k");
    let size = 3000;
    let array = image.array(element::REF, 0, 0, size);
    image.push(array);
    for round in 0..20_000 {
        for index in (round % 2..size as u32).step_by(2) {
            let node = image.int(i64::from(index) + 1000);
            let slot = image.c.load_u32(image.sp) + ARRAY_DATA + SLOT * index;
            image.c.store_u32(slot, node);
            if slot >= image.get(PROGRAM_OLD_START) {
                remember_slot(&mut image.c, slot).expect("noted");
            }
        }
    }
    let statistics = image.c.state.gc.statistics;
    assert!(statistics.collections > 100, "{}", statistics.collections);
    assert!(statistics.minor_collections < 24, "{}", statistics.minor_collections);
    let array = image.c.load_u32(image.sp);
    for index in 0..size as u32 {
        assert_eq!(value(&image, image.c.load_u32(array + ARRAY_DATA + SLOT * index)), u64::from(index) + 1000);
    }
}

/// Bytes copied, and collections of the nursery, while lists after the elements of an array grow once and are
/// replaced, in random order.
fn replaced_lists(options: &str) -> (u64, u64) {
    const SIZE: u32 = 4000;
    let mut image = image(options);
    let array = image.array(element::REF, 0, 0, SIZE.into());
    image.push(array);
    let (cons, nil) = (image.cons, image.nil);
    let mut random = crate::support::Random(1);
    for turn in 0..500_000 {
        let sp = image.sp;
        cleave_rt::gc::allocate::reserve(&mut image.c, sp, 400).expect("room");
        let index = if turn < SIZE { turn } else { random.below(SIZE.into()) as u32 };
        let slot = image.c.load_u32(sp) + ARRAY_DATA + SLOT * index;
        if turn >= SIZE {
            let rest = (0..9).fold(nil, |rest, _| image.node(cons, &[nil, rest], &[]));
            let first = image.c.load_u32(slot);
            image.c.store_u32(first + 2 * SLOT, rest);
            if first >= image.get(PROGRAM_OLD_START) {
                remember(&mut image.c, first).expect("noted");
            }
        }
        let first = image.node(cons, &[nil, nil], &[]);
        image.c.store_u32(slot, first);
        if slot >= image.get(PROGRAM_OLD_START) {
            remember_slot(&mut image.c, slot).expect("noted");
        }
    }
    let statistics = image.c.state.gc.statistics;
    (statistics.copied_bytes, statistics.minor_collections)
}

/// Old objects that are dead keep alive what was built after them. Where that costs more than copying everything, the
/// nursery is tried now and then only.
#[test]
fn a_nursery_that_keeps_garbage_alive_stays_away() {
    let (copied, minor) = replaced_lists("--nursery=256k");
    let (best, none) = replaced_lists("--gc=copying");
    assert!(minor > 0 && none == 0);
    assert!(copied < 2 * best, "{copied} bytes copied, {best} without a nursery");
}

/// More old nodes than the list holds lead to young ones, some of them by a block that is young itself.
#[test]
fn old_nodes_are_marked() {
    let mut image = image("--nursery=64k");
    let count = 6000;
    let array = image.array(element::REF, 0, 0, count);
    image.push(array);
    let record = image.record(descriptor::RECORD, "R", "", 3, 0, &[]).1;
    let nil = image.nil;
    for index in 0..count as u32 {
        // Most of what is made is garbage.
        image.alloc(100);
        let node = image.node(record, &[nil, nil, nil], &[]);
        let slot = image.c.load_u32(image.sp) + ARRAY_DATA + SLOT * index;
        image.c.store_u32(slot, node);
        remember_slot(&mut image.c, slot).expect("noted");
    }
    // Whether it pays is not the question.
    image.c.state.gc.heap.cost.counts = false;
    image.c.state.gc.heap.copy_debt = 0;
    for _ in 0..3 {
        fill_nursery(&mut image);
    }
    let list = &mut image.c.state.gc.heap.remembered;
    list.end = list.start + 16 * SLOT;
    let mut most = 0;
    for index in 0..count as u32 {
        // Nothing moves while it is built.
        let sp = image.sp;
        image.alloc(200);
        cleave_rt::gc::allocate::reserve(&mut image.c, sp, 100).expect("room");
        let slot = image.c.load_u32(sp) + ARRAY_DATA + SLOT * index;
        let number = image.int(1000 + i64::from(index));
        let other = image.node(record, &[nil, number, nil], &[]);
        // The node gets the block of a new one, as when a node is filled with another.
        let node = image.c.load_u32(slot);
        assert!(is_old(&image, node));
        image.c.copy_within(other, node, MIN_OBJECT);
        if node >= image.get(PROGRAM_OLD_START) {
            remember(&mut image.c, node).expect("noted");
        }
        most = most.max(image.c.state.gc.heap.remembered.marked);
    }
    assert!(most > 20, "{most}");
    for _ in 0..3 {
        fill_nursery(&mut image);
    }
    let array = image.c.load_u32(image.sp);
    for index in 0..count as u32 {
        let node = image.c.load_u32(array + ARRAY_DATA + SLOT * index);
        let number = image.c.load_u32(image.c.load_u32(node + 8));
        assert_eq!(value(&image, number), 1000 + u64::from(index));
    }
    assert!(image.c.state.gc.statistics.minor_collections > 10);
}

#[test]
fn there_is_no_nursery_where_it_does_not_fit() {
    assert_eq!(image("--gc=copying").c.state.gc.heap.nursery, 0);
    assert_eq!(image("--heap=192k").c.state.gc.heap.nursery, 0);
    assert_eq!(eden(&image("--gc=copying --gc=generational --nursery=128k")), 128 << 10);
    // At most a part of a limited heap.
    let limited = image("--heap=8m");
    assert_eq!((eden(&limited), limited.c.state.gc.heap.nursery), (256 << 10, 256 << 10));
}

/// Fills eden some times with cells, of which a window of the last ones is alive.
fn fill_with_window(image: &mut Image, fillings: u64) {
    const ALIVE: u32 = 20_000;
    let end = image.c.state.gc.statistics.collections + fillings;
    let mut index = 0;
    while image.c.state.gc.statistics.collections < end {
        let node = image.int(1000);
        if index < ALIVE {
            image.push(node);
        } else {
            image.c.store_u32(image.sp + SLOT * (index % ALIVE), node);
        }
        index += 1;
    }
    image.sp += SLOT * index.min(ALIVE);
}

/// Objects that die when eden has been filled once or twice make it grow, far enough that few of them survive; garbage
/// alone lets it shrink again.
#[test]
fn eden_grows_until_few_objects_survive() {
    let mut image = image("");
    assert_eq!(u64::from(eden(&image)), cleave_rt::gc::size::START);
    fill_with_window(&mut image, 100);
    let grown = u64::from(eden(&image));
    assert!(grown >= 4 * cleave_rt::gc::size::START, "{grown}");
    assert_eq!(image.c.state.gc.heap.nursery % eden(&image), 0);
    for _ in 0..100 {
        fill_nursery(&mut image);
    }
    assert_eq!(u64::from(eden(&image)), cleave_rt::gc::size::START);
}

/// The option widens the range in which the size is chosen: it is neither where eden begins, if that is larger than
/// usual, nor where it ends, if that is smaller.
#[test]
fn the_size_that_is_asked_for_widens_a_range() {
    let begins = |options: &str| u64::from(eden(&image(options)));
    assert_eq!((begins("--nursery=64m"), begins("--nursery=64k")), (cleave_rt::gc::size::START, 64 << 10));
    let mut image = image("--nursery=64k");
    fill_with_window(&mut image, 200);
    assert!(u64::from(eden(&image)) >= 2 * cleave_rt::gc::size::START, "{}", eden(&image));
}

/// Where a larger eden saves nothing, because all that survives lives long, it does not stay.
#[test]
fn an_eden_that_saves_nothing_is_halved_again() {
    let mut image = image("");
    image.push(image.nil);
    let (cons, nil, start) = (image.cons, image.nil, cleave_rt::gc::size::START);
    let mut in_vain = 0;
    for turn in 0..2_000_000 {
        let sp = image.sp;
        cleave_rt::gc::allocate::reserve(&mut image.c, sp, 100).expect("room");
        image.alloc(40);
        if turn % 400_000 == 0 {
            image.c.store_u32(sp, nil);
        }
        let last = image.c.load_u32(sp);
        let node = image.node(cons, &[nil, last], &[]);
        image.c.store_u32(sp, node);
        in_vain = in_vain.max(image.c.state.gc.heap.sizing.backoff);
        assert!(u64::from(eden(&image)) <= 2 * start);
    }
    assert!(in_vain > 0);
    assert!(image.c.state.gc.statistics.minor_collections > 20);
}
