//! Calls of a library: garbage of earlier ones is collected when one begins, and not in the middle of it.

use crate::support::Image;
use cleave_rt::gc::outermost::begin_call;
use cleave_rt::gc::size::START;
use cleave_rt::layout::*;
use cleave_rt::platform::Memory;

fn image(options: &str) -> Image {
    let mut image = Image::new();
    image.c.environment = vec![format!("CLEAVE_RTS={options}").into_bytes()];
    image.start()
}

/// Begins a call of the host.
fn begin(image: &mut Image) {
    let base = image.c.state.gc.stack_base;
    begin_call(&mut image.c, base).expect("room");
}

fn allocate(image: &mut Image, bytes: u64) {
    for _ in 0..bytes / u64::from(MIN_OBJECT) {
        image.alloc(MIN_OBJECT);
    }
}

fn collections(image: &Image) -> u64 {
    image.c.state.gc.statistics.collections
}

fn eden(image: &Image) -> u64 {
    let heap = &image.c.state.gc.heap;
    u64::from(heap.eden_end - heap.eden_start)
}

#[test]
fn calls_that_need_more_than_eden_do_not_collect_in_the_middle() {
    let mut image = image("");
    for round in 0..20 {
        begin(&mut image);
        assert_eq!(collections(&image), round, "one at each beginning but the first");
        assert!(eden(&image) > START);
        allocate(&mut image, START * 3 / 2);
        assert_eq!(collections(&image), round);
    }
    assert_eq!(image.c.state.gc.statistics.copied_bytes, 0);
}

#[test]
fn short_calls_use_the_same_memory_again() {
    let mut image = image("");
    for _ in 0..20_000 {
        begin(&mut image);
        allocate(&mut image, 1000);
        let used = u64::from(image.get(PROGRAM_HEAP_POINTER) - image.c.state.gc.heap.eden_start);
        assert!(used < START, "{used}");
    }
    let done = collections(&image);
    assert!((20..60).contains(&done), "{done} collections of 20 MB");
}

/// One that allocates much goes on as any program does.
#[test]
fn long_calls_have_the_usual_eden_after_the_first_collection() {
    let mut image = image("");
    begin(&mut image);
    allocate(&mut image, START * 9 / 4);
    assert_eq!((collections(&image), eden(&image)), (1, START));
    // Nothing has survived.
    begin(&mut image);
    assert_eq!(collections(&image), 1);
    allocate(&mut image, START / 2 + 1000);
    begin(&mut image);
    assert_eq!(collections(&image), 2);
    assert!(eden(&image) > START);
}

/// What a call has made old is garbage as well when it is over, if the program keeps little.
#[test]
fn what_became_old_goes_with_the_call() {
    let mut image = image("");
    for _ in 0..20 {
        begin(&mut image);
        let heap = &image.c.state.gc.heap;
        assert_eq!((heap.live_end - heap.live_start, heap.nursery > 0), (0, true));
        let (sp, node) = (image.sp, image.int(1000));
        image.push(node);
        allocate(&mut image, 6 * START);
        let heap = &image.c.state.gc.heap;
        assert!(heap.live_end > heap.live_start, "it has survived twice");
        image.sp = sp;
    }
}

/// What a call that builds much has left stays while such calls go on, but not longer.
#[test]
fn what_was_built_goes_when_nothing_is_built_any_more() {
    let mut image = image("");
    let mut left = Vec::new();
    for long in [true, true, true, false, false] {
        begin(&mut image);
        let heap = &image.c.state.gc.heap;
        left.push(heap.live_end - heap.live_start);
        let sp = image.push(image.nil);
        let (cons, nil) = (image.cons, image.nil);
        for _ in 0..if long { 200_000 } else { 10 } {
            let last = image.c.load_u32(sp);
            let node = image.node(cons, &[nil, last], &[]);
            image.c.store_u32(sp, node);
        }
        image.sp = sp + SLOT;
    }
    assert!(left[3] > 1 << 20, "{left:?}");
    assert_eq!(left[4], 0, "{left:?}");
}

/// A program that keeps much pays for that now and then, and not at each call.
#[test]
fn what_is_kept_is_not_copied_at_each_call() {
    let mut image = Image::new();
    let caf = image.take(SLOT);
    image.set(PROGRAM_CAF_START, caf);
    image.set(PROGRAM_CAF_END, caf + SLOT);
    let mut image = image.start();
    let (cons, nil) = (image.cons, image.nil);
    image.c.store_u32(caf, nil);
    for _ in 0..300_000 {
        let last = image.c.load_u32(caf);
        let node = image.node(cons, &[nil, last], &[]);
        image.c.store_u32(caf, node);
    }
    begin(&mut image);
    let before = image.c.state.gc.statistics.copied_bytes;
    for _ in 0..300 {
        begin(&mut image);
        allocate(&mut image, START);
    }
    let (kept, copied) = (300_000 * u64::from(MIN_OBJECT), image.c.state.gc.statistics.copied_bytes - before);
    assert!(copied < 30 * kept, "{copied}");
}

#[test]
fn inner_calls_collect_nothing() {
    let mut image = image("");
    image.push(image.nil);
    allocate(&mut image, START * 3 / 4);
    let sp = image.sp;
    begin_call(&mut image.c, sp).expect("room");
    assert_eq!((collections(&image), eden(&image)), (0, START));
}

#[test]
fn other_collectors_stay_as_they_are() {
    for options in ["--gc=copying", "--gc=incremental", "--gc-stress=1000000", "--heap=500k"] {
        let mut image = image(options);
        let before = eden(&image);
        allocate(&mut image, before / 2);
        let done = collections(&image);
        begin(&mut image);
        assert_eq!((collections(&image), eden(&image)), (done, before), "{options}");
    }
}
