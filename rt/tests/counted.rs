//! The reference-counted heap: what is freed when.

use crate::support::Image;
use cleave_abi::rc;
use cleave_rt::layout::*;
use cleave_rt::platform::Memory;

/// An image whose record has the table of free lists after it.
pub fn counted() -> Image {
    counted_with(0, "--poison", |_| ()).0
}

/// The same with flags of the program, options of the user, and what else the image is to have.
pub fn counted_with<T>(flags: u32, options: &str, more: impl FnOnce(&mut Image) -> T) -> (Image, T) {
    let mut image = Image::new();
    let more = more(&mut image);
    image.set(PROGRAM_FLAGS, PROGRAM_FLAG_RC | flags);
    let record = image.take(rc::FREE_LISTS + rc::RECORD_SIZE + rc::CYCLE_RECORD_SIZE);
    for offset in (0..PROGRAM_SIZE).step_by(4) {
        let word = image.c.load_u32(image.program + offset);
        image.c.store_u32(record + offset, word);
    }
    image.program = record;
    image.c.environment = vec![format!("CLEAVE_RTS={options}").into_bytes()];
    (image.start(), more)
}

pub fn release(image: &mut Image, string: u32) {
    cleave_rt::rc::release_last(&mut image.c, string).expect("nothing can fail");
}

/// A chain of so many arrays, each of which holds the one before; the first holds a static object. The last one, and
/// the bytes of each.
fn chain(image: &mut Image, count: u32) -> (u32, u32) {
    let end = image.take(8);
    image.c.store_u32(end + rc::COUNT, rc::STATIC_COUNT + 1);
    let mut last = end;
    for _ in 0..count {
        let array = cleave_rt::rc::new_references(&mut image.c, 1).expect("room");
        image.c.store_u32(array + rc::STRING_DATA, last);
        last = array;
    }
    (last, rc::string_bytes(SLOT))
}

/// How many dead objects wait to be freed, without those that they hold.
fn waiting(image: &mut Image) -> u32 {
    let mut dead = image.c.load_u32(image.program + rc::DEAD);
    let mut count = 0;
    while dead != 0 {
        count += 1;
        dead = image.c.load_u32(dead + rc::COUNT);
    }
    count
}

#[test]
fn long_chains_are_freed_in_portions() {
    const COUNT: u32 = 2 * cleave_rt::rc::PORTION + 100;
    let mut image = counted();
    let (last, bytes) = chain(&mut image, COUNT);
    let (other, _) = chain(&mut image, 1);
    assert_eq!(cleave_rt::rc::alive(&mut image.c), u64::from((COUNT + 1) * bytes));
    // One object waits: it holds the others.
    release(&mut image, last);
    assert_eq!(waiting(&mut image), 1);
    // Whoever frees something else goes on with it.
    release(&mut image, other);
    assert_eq!(waiting(&mut image), 1);
    // So does whoever wants a cell of a size of which none is free.
    cleave_rt::rc::alloc_object(&mut image.c, rc::class_of(64)).expect("room");
    assert_eq!(waiting(&mut image), 0);
    assert_eq!(cleave_rt::rc::alive(&mut image.c), 64);
}

#[test]
fn memory_is_full_when_nothing_waits() {
    const COUNT: u32 = 8 * cleave_rt::rc::PORTION;
    let mut image = counted();
    let heap = &mut image.c.state.gc.heap;
    heap.limit_end = u64::from(heap.base) + (1 << 20);
    let (last, _) = chain(&mut image, COUNT);
    release(&mut image, last);
    assert!(waiting(&mut image) > 0);
    // All of the chain is needed for these.
    let (_, bytes) = chain(&mut image, COUNT);
    assert_eq!(cleave_rt::rc::alive(&mut image.c), u64::from(COUNT * bytes));
    let blocks = (1 << 20) / u64::from(bytes);
    assert!((0..blocks).any(|_| cleave_rt::rc::new_references(&mut image.c, 1).is_err()));
}
