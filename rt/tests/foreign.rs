//! Cells that stand for objects of the host: the numbers of those that die are given once, those of others never.

use crate::counted::counted;
use crate::support::{Image, Random, size};
use cleave_abi::rc;
use cleave_rt::gc::foreign as traced;
use cleave_rt::gc::foreign_cells;
use cleave_rt::layout::*;
use cleave_rt::platform::Memory;
use cleave_rt::rc::foreign;
use std::collections::BTreeSet;

const ROOTS: u32 = 24;

fn header(image: &mut Image) -> u32 {
    let descriptor = image.descriptor(descriptor::FOREIGN, "object", "ii", (0, 2), &[]);
    image.row(info_word(KIND_FOREIGN, 0, FOREIGN_SLOTS), descriptor, 0)
}

/// An image with roots that hold nothing.
fn image(options: &str) -> (Image, u32) {
    let mut image = Image::new();
    let header = header(&mut image);
    image.c.environment = vec![format!("CLEAVE_RTS={options}").into_bytes()];
    let mut image = image.start();
    for _ in 0..ROOTS {
        image.push(0);
    }
    (image, header)
}

fn take_all(image: &mut Image) -> Vec<i64> {
    let next = || Some(traced::take(&mut image.c).expect("it cannot fail")).filter(|number| *number >= 0);
    std::iter::from_fn(next).collect()
}

/// Objects come, lie in roots and in nodes, are closed, and get lost, while other things are allocated. Whatever the
/// collector does, each object that is lost or closed is reported once, and no other that is alive.
fn random_objects(seed: u64, options: &str) {
    let (mut image, header) = image(options);
    let mut random = Random(seed | 1);
    let (mut known, mut reported) = (BTreeSet::new(), BTreeSet::new());
    let mut closed = BTreeSet::new();
    let mut roots: Vec<Option<i64>> = vec![None; ROOTS as usize];
    let mut next = 0;
    for round in 0..3000 {
        let root = random.below(ROOTS.into()) as u32;
        let place = image.sp + root * SLOT;
        match random.below(8) {
            0..3 => {
                let sp = image.sp;
                let cell = foreign_cells::new(&mut image.c, sp, header, next).expect("room");
                image.c.store_u32(place, cell);
                // Half of them behind a node.
                if random.chance(2) {
                    let (cons, nil) = (image.cons, image.nil);
                    let node = image.node(cons, &[nil, nil], &[]);
                    let cell = image.c.load_u32(place);
                    image.c.store_u32(node + SLOT, cell);
                    image.c.store_u32(place, node);
                }
                known.insert(next);
                roots[root as usize] = Some(next);
                next += 1;
            }
            3 => {
                image.c.store_u32(place, 0);
                roots[root as usize] = None;
            }
            4 => {
                if let Some(number) = roots[root as usize] {
                    let cell = cell_of(&image, place, header);
                    let sp = image.sp;
                    let was = foreign_cells::close(&mut image.c, sp, cell).expect("room");
                    assert_eq!(was, i64::from(closed.insert(number)));
                }
            }
            5 if random.chance(20) => image.collect(),
            _ => {
                for _ in 0..random.below(400) {
                    let int = image.int(1000 + round);
                    image.c.store_u32(int + SLOT, 7);
                }
            }
        }
        if random.chance(4) {
            for number in take_all(&mut image) {
                assert!(known.contains(&number) && reported.insert(number), "{number} is given twice");
                assert!(!roots.contains(&Some(number)) || closed.contains(&number), "{number} is alive");
            }
        }
        for (root, number) in roots.iter().enumerate() {
            let Some(number) = number else { continue };
            let cell = cell_of(&image, image.sp + root as u32 * SLOT, header);
            let wanted = if closed.contains(number) { -1 } else { *number };
            assert_eq!(traced::number(&mut image.c, cell), Ok(wanted), "round {round}");
        }
    }
    for root in 0..ROOTS {
        image.c.store_u32(image.sp + root * SLOT, 0);
    }
    for _ in 0..if options.contains("incremental") { 400 } else { 9 } {
        image.collect();
    }
    reported.extend(take_all(&mut image));
    let missing: Vec<_> = known.difference(&reported).collect();
    assert!(missing.is_empty(), "{options}: never reported: {missing:?}");
    let heap = &image.c.state.gc;
    assert!(heap.statistics.collections > 25, "{}", heap.statistics.collections);
}

/// The cell in a root, or behind the node there.
fn cell_of(image: &Image, place: u32, header: u32) -> u32 {
    let object = image.c.load_u32(place);
    if image.c.load_u32(object) == header { object } else { image.c.load_u32(object + SLOT) }
}

#[test]
fn each_lost_object_is_reported_once() {
    for seed in 1..=3 {
        random_objects(seed * 7919, "--nursery=16k --heap=4m");
        random_objects(seed * 7907, "--nursery=16k --heap=8m --gc-stress=7 --poison");
        random_objects(seed * 7901, "--gc=copying --heap=1m");
        random_objects(seed * 7883, "--heap=300k");
    }
}

#[test]
fn each_lost_object_is_reported_once_by_marking() {
    for seed in 1..=size(1, 2) {
        random_objects(seed * 7879, "--gc=incremental --nursery=16k --heap=8m");
        random_objects(seed * 7877, "--gc=incremental --nursery=16k --heap=8m --gc-stress=1 --poison");
    }
}

/// Old cells cost a collection of the nursery nothing: their lists are as they were.
#[test]
fn old_objects_are_left_alone() {
    let (mut image, header) = image("--nursery=16k --heap=8m");
    for number in 0..i64::from(ROOTS) {
        let sp = image.sp;
        let cell = foreign_cells::new(&mut image.c, sp, header, number).expect("room");
        image.c.store_u32(image.sp + number as u32 * SLOT, cell);
    }
    (0..8).for_each(|_| image.collect());
    let before = image.c.state.gc.foreign.alive;
    assert!(before[1] != 0 && before[0] == 0, "{before:?}");
    let collections = image.c.state.gc.statistics.minor_collections;
    while image.c.state.gc.statistics.minor_collections < collections + 3 {
        image.alloc(MIN_OBJECT);
    }
    assert_eq!(image.c.state.gc.foreign.alive, before);
    assert!(take_all(&mut image).is_empty());
}

/// In Clean an object is a node around the cell. It is given back once; nothing becomes of other values.
#[test]
fn nodes_of_clean_are_given_back() {
    let (mut image, header) = image("");
    let sp = image.sp;
    let cell = foreign_cells::new(&mut image.c, sp, header, 5).expect("room");
    let node = image.constructor(&[cell]);
    image.push(node);
    let nil = image.nil;
    let others = [image.constructor(&[nil]), image.int(1000), image.list(&[cell]), image.string(b"text"), nil];
    let mut give = |node| cleave_rt::clean::host::give_back(&mut image.c, sp, node).expect("room");
    assert_eq!(others.map(&mut give), [1; 5]);
    assert_eq!([give(node), give(node)], [1, 0]);
    assert_eq!(traced::number(&mut image.c, cell), Ok(-1));
    assert_eq!(take_all(&mut image), [5]);
}

#[test]
fn counted_objects_are_reported_when_the_last_reference_goes() {
    for watched in [false, true] {
        let mut image = counted();
        image.c.state.gc.options.poison = watched;
        let header = header(&mut image);
        let cell = |image: &mut Image, number| foreign::new(&mut image.c, header, number).expect("room");
        let (first, second, third) = (cell(&mut image, 5), cell(&mut image, 6), cell(&mut image, 7));
        let array = cleave_rt::rc::new_references(&mut image.c, 1).expect("room");
        image.c.store_u32(array + rc::STRING_DATA, second);
        assert_eq!(foreign::take(&mut image.c), Ok(-1));
        crate::counted::release(&mut image, first);
        assert_eq!(foreign::number(&mut image.c, third), Ok(7));
        assert_eq!(foreign::close(&mut image.c, third), Ok(1));
        assert_eq!(foreign::close(&mut image.c, third), Ok(0));
        assert_eq!(foreign::number(&mut image.c, third), Ok(-1));
        crate::counted::release(&mut image, third);
        crate::counted::release(&mut image, array);
        let given = [(); 3].map(|()| foreign::take(&mut image.c).expect("it cannot fail"));
        assert_eq!(BTreeSet::from(given), BTreeSet::from([5, 6, 7]));
        assert_eq!(foreign::take(&mut image.c), Ok(-1));
        // All memory is free again.
        assert_eq!(cleave_rt::rc::alive(&mut image.c), 0);
    }
}
