//! The heap on graphs of one kind: large ones, the hard limit, long chains and cycles of selectors.

use crate::support::Image;
use cleave_rt::gc::heap;
use cleave_rt::gc::object::*;
use cleave_rt::layout::*;
use cleave_rt::platform::Memory;

fn deep_list(options: &str) {
    let mut image = Image::new();
    image.c.environment = vec![format!("CLEAVE_RTS={options}").into_bytes()];
    let mut image = image.start();
    image.push(image.nil);
    let header = image.cons;
    for value in 0..1_000_000i64 {
        image.alloc(0);
        image.c.state.gc.options.gc_stress = 0;
        let sp = image.sp;
        cleave_rt::gc::allocate::reserve(&mut image.c, sp, 24).expect("room");
        let element = image.int(value);
        let tail = image.c.load_u32(image.sp);
        let cell = image.node(header, &[element, tail], &[]);
        image.c.store_u32(image.sp, cell);
    }
    image.collect();
    assert_eq!(image.c.state.gc.statistics.live_after_last, 24 * 1_000_000 - 12 * 256);
    let mut cell = image.c.load_u32(image.sp);
    let mut value = 999_999;
    while cell != image.nil {
        let c = &image.c;
        assert_eq!(c.load_u64(c.load_u32(cell + 4) + 4) as i64, value);
        cell = c.load_u32(cell + 8);
        value -= 1;
    }
    assert_eq!(value, -1);
}

#[test]
fn a_list_of_a_million_survives() {
    deep_list("");
}

#[test]
fn live_data_fill_nearly_half_of_the_limit() {
    deep_list("--heap=52m");
}

#[test]
fn large_spaces_are_given_back() {
    let mut image = Image::new().start();
    image.push(image.nil);
    let header = image.cons;
    let mut length = 0;
    for bound in [1 << 20, 70 << 20] {
        while image.c.state.gc.statistics.live_after_last < bound {
            let sp = image.sp;
            cleave_rt::gc::allocate::reserve(&mut image.c, sp, 12).expect("room");
            let tail = image.c.load_u32(sp);
            let cell = image.node(header, &[image.nil, tail], &[]);
            image.c.store_u32(sp, cell);
            length += 1;
        }
        // Little is kept for the next time.
        assert_eq!(image.c.discarded > heap::DISCARD, bound > heap::DISCARD, "{bound}");
    }
    // What has been given back is not looked at.
    let mut cell = image.c.load_u32(image.sp);
    while cell != image.nil {
        cell = image.c.load_u32(cell + 8);
        length -= 1;
    }
    assert_eq!(length, 0);
}

/// A list of 9 MB is made and forgotten again and again: what is given back would be needed at once.
#[test]
fn warm_memory_stays() {
    let mut image = Image::new().start();
    image.push(image.nil);
    let header = image.cons;
    let mut discarded = 0;
    for round in 0..24 {
        for _ in 0..750_000 {
            let sp = image.sp;
            cleave_rt::gc::allocate::reserve(&mut image.c, sp, 12).expect("room");
            let tail = image.c.load_u32(sp);
            let cell = image.node(header, &[image.nil, tail], &[]);
            image.c.store_u32(sp, cell);
        }
        image.c.store_u32(image.sp, image.nil);
        if round == 11 {
            discarded = image.c.discarded;
        }
    }
    assert!(image.c.state.gc.statistics.collections > 8);
    assert_eq!(image.c.discarded, discarded);
    assert!(image.c.memory.len() < 80 << 20, "it was made where there was none yet");
}

#[test]
fn the_limit_is_hard() {
    for (size, heap) in [(10_000_000i64, "--heap=20m"), (1 << 40, "--heap=20m"), (-1, ""), (1 << 28, "")] {
        let mut image = Image::new();
        image.c.environment = vec![format!("CLEAVE_RTS={heap}").into_bytes()];
        let mut image = image.start();
        let sp = image.sp;
        let result = cleave_rt::base::array::new_array(&mut image.c, sp, element::INT, 0, 0, size);
        assert!(result.is_err());
        assert_eq!(image.c.errors, b"Heap full.\n");
        assert!(image.c.memory.len() < 100 << 20, "no memory may be taken in vain");
    }
}

/// Makes one more object, its size beside it; nothing if the heap is full.
type Grow = fn(&mut Image, u32) -> Option<(u32, u32)>;

/// The part of the limit that a list of objects fills before `Heap full.`
fn filled(options: &str, grow: Grow) -> f64 {
    const LIMIT: u32 = 32 << 20;
    let mut image = Image::new();
    image.c.environment = vec![format!("CLEAVE_RTS={options} --heap={LIMIT}").into_bytes()];
    let mut image = image.start();
    let (record, cons) = (image.record(descriptor::RECORD, "R", "", 3, 1, &[]).1, image.cons);
    image.push(image.nil);
    let mut bytes = 0;
    while let Some((object, size)) = grow(&mut image, record) {
        image.push(object);
        let sp = image.sp;
        if cleave_rt::gc::allocate::reserve(&mut image.c, sp, MIN_OBJECT).is_err() {
            break;
        }
        let (object, list) = (image.c.load_u32(sp), image.c.load_u32(sp + SLOT));
        let cell = image.node(cons, &[object, list], &[]);
        image.sp += SLOT;
        image.c.store_u32(image.sp, cell);
        bytes += size + MIN_OBJECT;
    }
    assert_eq!(image.c.errors, b"Heap full.\n");
    f64::from(bytes) / f64::from(LIMIT)
}

#[test]
fn objects_of_every_kind_fill_nearly_half_of_the_limit() {
    let record: Grow = |image, header| {
        let sp = image.sp;
        let bytes = MIN_OBJECT + rest_bytes(3, 5);
        cleave_rt::gc::allocate::reserve(&mut image.c, sp, bytes).ok()?;
        let (nil, tree) = (image.nil, image.c.load_u32(sp));
        Some((image.node(header, &[tree, nil, tree], &[7]), bytes))
    };
    let array: Grow = |image, _| {
        let sp = image.sp;
        let array = cleave_rt::base::array::new_array(&mut image.c, sp, element::REF, 0, 0, 300).ok()?;
        Some((array, ARRAY_DATA + 300 * SLOT))
    };
    let large_array: Grow = |image, _| {
        let sp = image.sp;
        let array = cleave_rt::base::array::new_array(&mut image.c, sp, element::INT, 0, 0, 9000).ok()?;
        Some((array, ARRAY_DATA + 9000 * 8))
    };
    let string: Grow = |image, _| {
        let sp = image.sp;
        Some((cleave_rt::base::value::string_of_bytes(&mut image.c, sp, &[b'x'; 1000]).ok()?, string_bytes(1000)))
    };
    let large_string: Grow = |image, _| {
        let sp = image.sp;
        let text = vec![b'x'; 100_000];
        Some((cleave_rt::base::value::string_of_bytes(&mut image.c, sp, &text).ok()?, string_bytes(100_000)))
    };
    let kinds = [
        ("records", record),
        ("arrays", array),
        ("large arrays", large_array),
        ("strings", string),
        ("large strings", large_string),
    ];
    for (name, grow) in kinds {
        let part = filled("--gc=copying", grow);
        assert!(part >= 0.48, "{name} fill only {part:.3} of the heap");
    }
}

#[test]
fn a_growing_list_fills_the_heap() {
    let mut image = Image::new();
    image.c.environment = vec![b"CLEAVE_RTS=--heap=8m".to_vec()];
    let mut image = image.start();
    image.push(image.nil);
    let header = image.cons;
    let mut cells = 0;
    loop {
        let sp = image.sp;
        if cleave_rt::gc::allocate::reserve(&mut image.c, sp, 12).is_err() {
            break;
        }
        let tail = image.c.load_u32(sp);
        let cell = image.node(header, &[image.nil, tail], &[]);
        image.c.store_u32(sp, cell);
        cells += 1;
    }
    assert_eq!(image.c.errors, b"Heap full.\n");
    assert!(cells * 12 > 3_900_000, "{cells}");
    assert!(image.c.state.gc.statistics.collections < 40);
    assert!(image.c.state.gc.statistics.heap_peak <= 8 << 20);
}

#[test]
fn long_chains_of_selectors_and_indirections() {
    let mut image = Image::new();
    let selector = image.entry(info_word(KIND_SELECT_REF, 1, 1), 0);
    let indirection = image.entry(info_word(KIND_INDIRECTION, 1, 1), 0);
    let waiting = image.entry(info_word(KIND_THUNK, 0, 0), 0);
    // Nothing may move while the chain is built.
    image.c.environment = vec![b"CLEAVE_RTS=--gc=copying -gci 16m".to_vec()];
    let mut image = image.start();
    // A chain over an unevaluated thunk stays; each link is held by its neighbour alone.
    let thunk = image.thunk(waiting, &[]);
    let mut top = thunk;
    for _ in 0..1_000_000 {
        top = image.thunk(selector, &[top]);
        image.c.state.gc.options.gc_stress = 0;
    }
    image.push(top);
    image.collect();
    assert_eq!(image.c.state.gc.statistics.live_after_last, 12_000_012);
    // The innermost becomes a pair that contains itself in a chain of indirections.
    let mut inner = image.c.load_u32(image.sp);
    while image.c.load_u32(inner) == selector {
        inner = image.c.load_u32(inner + 4);
    }
    let header = image.tuple + 2 * NODE_INFO_SIZE;
    image.c.store_u32(inner, header);
    let indirect = image.thunk(indirection, &[inner]);
    image.c.store_u32(inner + 4, indirect);
    image.c.store_u32(inner + 8, image.nil);
    image.collect();
    assert_eq!(image.c.state.gc.statistics.live_after_last, 12);
    let pair = image.c.load_u32(image.sp);
    assert_eq!((image.c.load_u32(pair), image.c.load_u32(pair + 4)), (header, pair));
}

#[test]
fn cycles_of_selectors_stay_thunks() {
    let mut image = Image::new();
    let selector = image.entry(info_word(KIND_SELECT_REF, 1, 1), 0);
    let indirection = image.entry(info_word(KIND_INDIRECTION, 1, 1), 0);
    let mut image = image.start();
    let own = image.thunk(selector, &[0]);
    image.c.store_u32(own + 4, own);
    let first = image.thunk(indirection, &[0]);
    let second = image.thunk(indirection, &[first]);
    image.c.store_u32(first + 4, second);
    let pair = image.tuple(&[0, 0]);
    let field = image.thunk(selector, &[pair]);
    image.c.store_u32(pair + 4, field);
    image.c.store_u32(pair + 8, image.nil);
    for node in [own, first, second, pair, field] {
        image.push(node);
    }
    for _ in 0..3 {
        image.collect();
        for slot in 0..5 {
            let node = image.c.load_u32(image.sp + 4 * slot);
            assert_eq!(is_hnf(&image.c, node), slot == 1, "only the pair is evaluated");
        }
    }
}
