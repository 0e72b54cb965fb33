//! Strings, arrays, arithmetic libcalls, options, and the table of libcalls.

use crate::counted::{counted, release};
use crate::support::Image;
use cleave_abi::rc;
use cleave_rt::State;
use cleave_rt::base::options::{Parsed, apply_word, parse_size};
use cleave_rt::base::{math, string};
use cleave_rt::layout::*;
use cleave_rt::libcalls::call;
use cleave_rt::platform::Memory;
use cleave_rt::sys::host::Exited;

fn contents(image: &Image, string: u32) -> Vec<u8> {
    let mut bytes = vec![0; image.c.load_u32(string + STRING_LENGTH) as usize];
    image.c.read_bytes(string + STRING_DATA, &mut bytes);
    bytes
}

#[test]
fn slices_are_clipped() {
    let mut image = Image::new().start();
    let text = image.string(b"abcdef");
    let sp = image.sp;
    for (from, to, expected) in [
        (0, 5, "abcdef"),
        (1, 3, "bcd"),
        (-5, 1, "ab"),
        (4, 100, "ef"),
        (3, 2, ""),
        (6, 9, ""),
        (i64::MAX, i64::MAX, ""),
        (i64::MIN, i64::MAX, "abcdef"),
        (2, i64::MIN, ""),
    ] {
        let slice = string::slice_string(&mut image.c, sp, text, from, to).expect("room");
        assert_eq!(contents(&image, slice), expected.as_bytes(), "{from} .. {to}");
    }
}

#[test]
fn strings_are_concatenated_compared_and_updated() {
    let mut image = Image::new();
    image.c.environment = vec![b"CLEAVE_RTS=--gc-stress=1 --poison".to_vec()];
    let mut image = image.start();
    let sp = image.sp;
    let mut slots = Vec::new();
    for text in [&b"abcdefgh1"[..], b"abcdefgh2", b"", b"abc", b"\xff", b"abcdefgh1"] {
        let string = image.string(text);
        slots.push(image.push(string));
    }
    let at = |image: &Image, index: usize| image.c.load_u32(slots[index]);
    let order = [(0, 1, -1), (1, 0, 1), (0, 5, 0), (2, 3, -1), (3, 0, -1), (4, 0, 1), (2, 2, 0)];
    for (a, b, expected) in order {
        let (a, b) = (at(&image, a), at(&image, b));
        assert_eq!(string::cmp_string(&mut image.c, a, b), Ok(expected));
        assert_eq!(string::eq_string(&mut image.c, a, b), Ok(i64::from(expected == 0)));
    }
    let (a, b) = (at(&image, 0), at(&image, 3));
    let sp_now = image.sp;
    let joined = string::cat_string(&mut image.c, sp_now, a, b).expect("room");
    assert_eq!(contents(&image, joined), b"abcdefgh1abc");
    let a = at(&image, 0);
    let updated = string::update_string(&mut image.c, sp_now, a, 8, 0x14A).expect("room");
    assert_eq!(contents(&image, updated), b"abcdefghJ");
    let a = at(&image, 0);
    assert_eq!(string::update_string(&mut image.c, sp, a, 9, 65), Err(Exited(255)));
    assert_eq!(image.c.errors, b"Index too high in UPDATE string.\n");
}

#[test]
fn counted_strings_take_cells_of_few_sizes() {
    let mut sizes: Vec<u32> = (0..rc::LARGEST_OBJECT).map(rc::string_bytes).collect();
    assert!((0..).zip(&sizes).all(|(length, &bytes)| bytes >= rc::STRING_DATA + length));
    assert!(sizes.is_sorted());
    sizes.dedup();
    assert!(sizes.len() < 60, "{} sizes", sizes.len());
    let classes = sizes.iter().filter(|&&bytes| bytes <= rc::LARGEST_OBJECT);
    assert!(classes.into_iter().all(|&bytes| rc::class_bytes(rc::class_of(bytes)) == bytes));
}

#[test]
fn counted_strings_are_made_and_freed() {
    let mut image = counted();
    let lengths = [0, 1, 3, 4, 100, 1000, 1008, 1012, 1013, 5000, 66_000, 66_548, 66_549, 70_000, 1 << 20];
    let strings: Vec<u32> =
        lengths.iter().map(|&length| cleave_rt::rc::new_string(&mut image.c, length as u32).expect("room")).collect();
    for (index, (&string, length)) in strings.iter().zip(lengths).enumerate() {
        image.c.fill(string + rc::STRING_DATA, index as u8, length as u32);
    }
    for (index, (&string, length)) in strings.iter().zip(lengths).enumerate() {
        let mut bytes = vec![0xff; length as usize];
        image.c.read_bytes(string + rc::STRING_DATA, &mut bytes);
        assert!(bytes.iter().all(|&byte| byte == index as u8), "of {length} bytes");
        assert_eq!(image.c.load_u32(string + rc::STRING_LENGTH), length as u32);
    }
    assert!(cleave_rt::rc::alive(&mut image.c) > 1 << 20);
    strings.iter().for_each(|&string| release(&mut image, string));
    assert_eq!(cleave_rt::rc::alive(&mut image.c), 0);
    let (a, b) =
        (cleave_rt::base::rc_string::of_int(&mut image.c, -12), cleave_rt::base::rc_string::of_char(&mut image.c, 65));
    let (a, b) = (a.expect("room"), b.expect("room"));
    let joined = cleave_rt::base::rc_string::cat(&mut image.c, a, b).expect("room");
    let mut bytes = [0; 4];
    image.c.read_bytes(joined + rc::STRING_DATA, &mut bytes);
    assert_eq!(&bytes, b"-12A");
    // Nothing else referred to the first one, so it has grown; where something does, it stays as it was.
    assert_eq!(joined, a);
    image.c.store_u32(a + rc::COUNT, 2);
    let longer = cleave_rt::base::rc_string::cat(&mut image.c, a, b).expect("room");
    assert_ne!(longer, a);
    assert_eq!(image.c.load_u32(a + rc::COUNT), 1);
    assert_eq!(cleave_rt::base::rc_string::compare(&mut image.c, longer, a), Ok(1));
    assert_eq!(cleave_rt::base::rc_string::equal(&mut image.c, joined, joined), Ok(1));
    assert!(cleave_rt::base::rc_string::extend(&mut image.c, joined, 1 << 40).is_err());
}

#[test]
fn free_large_blocks_become_one() {
    let mut image = counted();
    let new = |image: &mut Image| cleave_rt::rc::new_string(&mut image.c, 100_000).expect("room");
    let blocks: Vec<u32> = (0..5).map(|_| new(&mut image)).collect();
    let bytes = rc::string_bytes(100_000);
    // In this order a block has a free one after it, before it, on both sides.
    for (count, at) in (1..).zip([2, 1, 3, 0]) {
        release(&mut image, blocks[at]);
        assert_eq!(cleave_rt::rc::alive(&mut image.c), u64::from((5 - count) * bytes));
    }
    // What is large enough for all four is where the first one was; smaller ones are cut off it.
    let whole = cleave_rt::rc::new_string(&mut image.c, 4 * bytes - rc::STRING_DATA).expect("room");
    assert_eq!(whole, blocks[0]);
    release(&mut image, whole);
    assert_eq!([new(&mut image), new(&mut image)], [blocks[0], blocks[1]]);
    // The last one goes back to the memory that was never used, and so do those that are free before it.
    release(&mut image, blocks[4]);
    release(&mut image, blocks[1]);
    release(&mut image, blocks[0]);
    assert_eq!(cleave_rt::rc::alive(&mut image.c), 0);
    assert_eq!(new(&mut image), blocks[0]);
}

#[test]
fn free_large_blocks_with_one_between_stay_two() {
    let mut image = counted();
    let new = |image: &mut Image| cleave_rt::rc::new_string(&mut image.c, 100_000).expect("room");
    let blocks: Vec<u32> = (0..4).map(|_| new(&mut image)).collect();
    release(&mut image, blocks[0]);
    release(&mut image, blocks[2]);
    assert_eq!(cleave_rt::rc::alive(&mut image.c), u64::from(2 * rc::string_bytes(100_000)));
    assert_eq!([new(&mut image), new(&mut image)], [blocks[0], blocks[2]]);
}

#[test]
fn arrays_are_made_and_filled() {
    let mut image = Image::new();
    let (record, _) = image.record(descriptor::RECORD, "E", "iab", 1, 2, &[]);
    let mut image = image.start();
    for (kind, ptrs, words, bytes) in [
        (element::REF, 0, 0, 4),
        (element::INT, 0, 0, 8),
        (element::BOOL, 0, 0, 1),
        (element::REAL32, 0, 0, 4),
        (record, 1, 2, 20),
    ] {
        // The largest are made of several pieces.
        for size in [7, 50, 5000] {
            let array = image.array(kind, ptrs, words, i64::from(size));
            let nil = if kind == element::REF || kind == record { image.nil } else { 0 };
            for byte in 0..size * bytes {
                let expected = if byte % bytes < 4 { nil.to_le_bytes()[byte as usize % bytes as usize] } else { 0 };
                assert_eq!(image.c.load_u8(array + ARRAY_DATA + byte), u32::from(expected), "byte {byte} of {size}");
            }
            for byte in 0..bytes {
                image.c.store_u8(array + ARRAY_DATA + byte, byte + 1);
            }
            cleave_rt::base::array::replicate(&mut image.c, array, ptrs, words).expect("fills");
            for byte in 0..size * bytes {
                assert_eq!(image.c.load_u8(array + ARRAY_DATA + byte), byte % bytes + 1, "byte {byte} of {size}");
            }
        }
    }
    let text = image.array(element::CHAR, 0, 0, 5);
    image.c.store_u8(text + STRING_DATA, u32::from(b'x'));
    cleave_rt::base::array::replicate(&mut image.c, text, 0, 0).expect("fills");
    assert_eq!(contents(&image, text), b"xxxxx");
}

#[test]
fn closures_take_arguments() {
    let mut image = Image::new();
    image.c.environment = vec![b"CLEAVE_RTS=--gc-stress=1 --poison".to_vec()];
    let mut image = image.start();
    let mut closure = image.constructor(&[]);
    for count in 1..=5 {
        let slot = image.push(closure);
        let argument = image.int(1000 + count);
        let (sp, held) = (image.sp, image.c.load_u32(slot));
        closure = cleave_rt::base::closure::add_argument(&mut image.c, sp, held, argument).expect("room");
    }
    assert_eq!(image.printed(closure), "(C 1001 1002 1003 1004 1005)");
}

#[test]
fn long_division() {
    let mut image = Image::new().start();
    let mut random = crate::support::Random(5);
    for _ in 0..20_000 {
        let shift = random.below(64) as u32;
        let divisor = (random.next() >> shift).max(1);
        let (high, low) = (random.next() % divisor, random.next());
        let dividend = u128::from(high) << 64 | u128::from(low);
        let expected = ((dividend % u128::from(divisor)) as i64, (dividend / u128::from(divisor)) as i64);
        assert_eq!(math::divide_long(&mut image.c, high as i64, low as i64, divisor as i64), Ok(expected));
    }
    assert_eq!(math::divide_long(&mut image.c, 0, 1, 0), Err(Exited(255)));
    assert_eq!(math::divide_long(&mut image.c, 7, 1, 7), Err(Exited(255)));
}

#[test]
fn libcalls_are_called_by_name() {
    let mut image = Image::new().start();
    let sp = image.sp;
    let mut results = [0; 4];
    assert_eq!(call(&mut image.c, "int_to_string", sp, &[-12i64 as u64], &mut results), Ok(true));
    assert_eq!(contents(&image, results[0] as u32), b"-12");
    assert_eq!(call(&mut image.c, "divide_long", sp, &[1, 5, 10], &mut results), Ok(true));
    let dividend = (1u128 << 64) + 5;
    assert_eq!(results[..2], [(dividend % 10) as u64, (dividend / 10) as u64]);
    assert_eq!(call(&mut image.c, "no_such_service", sp, &[], &mut results), Ok(false));
    assert_eq!(call(&mut image.c, "cycle_in_spine", sp, &[], &mut results), Err(Exited(255)));
    assert_eq!(image.c.output, b"Run Time Warning: cycle in spine detected\n");
}

#[test]
fn options_are_read() {
    assert_eq!(parse_size(b"12"), Ok(12));
    assert_eq!(parse_size(b"3k"), Ok(3072));
    assert_eq!(parse_size(b"2M"), Ok(2 << 20));
    assert_eq!(parse_size(b"1g"), Ok(1 << 30));
    assert!(parse_size(b"").is_err() && parse_size(b"x").is_err() && parse_size(b"1q").is_err());
    let State { gc, base, .. } = &mut State::new();
    assert_eq!(apply_word((&mut gc.options, &mut base.options), b"--stats", false), Parsed::Unknown);
    assert_eq!(apply_word((&mut gc.options, &mut base.options), b"--gc-stress=7", true), Parsed::Done);
    assert_eq!(gc.options.gc_stress, 7);
    let mut image = Image::new();
    let arguments = [&b"program"[..], b"-s", b"64k", b"-b", b"-gcf", b"2", b"-h", b"4m", b"own", b"-t"];
    image.c.arguments = arguments.iter().map(|argument| argument.to_vec()).collect();
    image.c.environment = vec![b"A=b".to_vec(), b"CLEAVE_RTS= -gci 64k --gc=copying  --stats --nursery=1m ".to_vec()];
    let image = image.start();
    let (heap, options) = (image.c.state.gc.options, image.c.state.base.options);
    assert!(options.basic_values && options.statistics && !options.show_times);
    assert_eq!((heap.copying, heap.nursery), (true, 1 << 20));
    assert_eq!((heap.heap_limit, options.stack_size, heap.initial_heap), (4 << 20, 64 << 10, 64 << 10));
    assert_eq!(image.c.state.base.own_arguments, 7);
    let heap = image.c.state.gc.heap;
    assert_eq!(heap.eden_end - heap.eden_start, 64 << 10);
}
