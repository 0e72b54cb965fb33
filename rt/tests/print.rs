//! Printing: every kind of value, in all modes, with evaluation and collections in between.

use crate::support::Image;
use cleave_rt::gc::Context;
use cleave_rt::gc::object::*;
use cleave_rt::layout::*;
use cleave_rt::platform::Memory;
use cleave_rt::sys::host::{Exited, HostContext};

/// Evaluates the test's thunks: slot 0 is the value. Collects first, so that everything moves.
fn evaluate(c: &mut HostContext, sp: u32, node: u32) -> Result<u32, Exited> {
    let sp = c.push(sp, node);
    c.state.gc.options.gc_stress = 1;
    cleave_rt::gc::heap::collect(c, sp, 64)?;
    c.state.gc.options.gc_stress = 0;
    let end = c.state.gc.heap.eden_end;
    let record = c.state.gc.program;
    c.store_u32(record + PROGRAM_HEAP_LIMIT, end);
    let node = c.load_u32(sp);
    if is_hnf(c, node) {
        return Ok(node);
    }
    let value = c.load_u32(node + 4);
    if value == 0 {
        cleave_rt::base::error::stop_with(c, b"hd of []")?;
    }
    // The value may itself be a thunk.
    let value = if is_hnf(c, value) { value } else { evaluate(c, sp, value)? };
    let node = c.load_u32(sp);
    if value >= c.state.gc.heap.base || value != node {
        c.copy_within(value, node, MIN_OBJECT);
    }
    Ok(node)
}

struct Printer {
    image: Image,
    lazy: u32,
    point: (u32, u32),
    named: (u32, u32),
    nested: (u32, u32),
    strict: (u32, u32),
    element: (u32, u32),
    cell: (u32, u32),
    cell_record: (u32, u32),
    infix: u32,
}

fn printer(options: &str) -> Printer {
    let mut image = Image::new();
    image.c.evaluate = evaluate;
    let lazy = image.entry(info_word(KIND_THUNK, 1, 1), 0);
    let point = image.record(descriptor::RECORD, "Point", "ii", 0, 2, &[]);
    let named = image.record(descriptor::RECORD, "R", "iara", 2, 2, &[]);
    let inner = image.record(descriptor::RECORD, "R3", "cb", 0, 2, &[]).0;
    let nested = image.record(descriptor::RECORD, "R2", "i{cb}(i,a)f{ii}", 1, 8, &[inner, point.0]);
    let strict = image.record(descriptor::RECORD, "S", "dai", 1, 1, &[]);
    let element = image.record(descriptor::RECORD, "E", "iab", 1, 2, &[]);
    let cell = image.record(descriptor::UNBOXED_LIST_CELL, "_Consi", "lia", 1, 1, &[]);
    let cell_record = image.record(descriptor::UNBOXED_LIST_CELL, "[#R]", "lRiaa", 2, 1, &[]);
    let infix = image.rows(descriptor::CONSTRUCTOR, ":+:", 2);
    image.c.environment = vec![format!("CLEAVE_RTS={options}").into_bytes()];
    let image = image.start();
    Printer { image, lazy, point, named, nested, strict, element, cell, cell_record, infix }
}

impl Printer {
    fn lazy(&mut self, node: u32) -> u32 {
        let entry = self.lazy;
        self.image.thunk(entry, &[node])
    }

    /// One value that contains everything.
    fn everything(&mut self) -> u32 {
        let p = self;
        let mut parts = Vec::new();
        for value in [0, -3, i64::MIN] {
            parts.push(p.image.int(value));
        }
        let real = p.image.real(-0.5);
        parts.push(p.lazy(real));
        parts.push(p.image.char(b'\''));
        parts.push(p.image.bool(false));
        let text = p.image.string(b"tab\t\"quoted\"");
        let boxed = p.image.boxed(text);
        parts.push(p.lazy(boxed));
        let nil = p.image.nil;
        let one = p.image.int(1);
        let lazy_one = p.lazy(one);
        let empty = p.image.list(&[]);
        let inner = p.image.list(&[lazy_one, one]);
        let lazy_inner = p.lazy(inner);
        parts.push(p.image.list(&[empty, lazy_inner]));
        parts.push(nil);
        parts.push(p.image.tuple(&[]));
        let pair = p.image.tuple(&[lazy_one, nil]);
        parts.push(pair);
        let none = p.image.constructor(&[]);
        let leaf = p.image.constructor(&[lazy_one]);
        let lazy_leaf = p.lazy(leaf);
        parts.push(p.image.constructor(&[none, pair, lazy_leaf]));
        let header = p.infix + 2 * NODE_INFO_SIZE;
        parts.push(p.image.node(header, &[lazy_one, lazy_one], &[]));
        // Records.
        parts.push(p.image.node(p.point.1, &[], &[-1i64 as u64, 2]));
        parts.push(p.image.node(p.named.1, &[lazy_leaf, lazy_inner], &[7, 1.5f64.to_bits()]));
        let words = [1, u64::from(b'h'), 1, 4, -1i64 as u64, 1, 5, 6];
        parts.push(p.image.node(p.nested.1, &[lazy_one], &words));
        parts.push(p.image.node(p.strict.1, &[boxed], &[2]));
        let file = p.image.get(PROGRAM_FILE_HEADER);
        parts.push(p.image.node(file, &[], &[-1i64 as u64, 0]));
        // Unboxed lists.
        let last = p.image.node(p.cell.1, &[nil], &[2]);
        let lazy_last = p.lazy(last);
        parts.push(p.image.node(p.cell.1, &[lazy_last], &[1]));
        let last = p.image.node(p.cell_record.1, &[one, nil], &[3]);
        let lazy_last = p.lazy(last);
        parts.push(p.image.node(p.cell_record.1, &[lazy_one, lazy_last], &[1]));
        p.arrays(&mut parts, lazy_one, text);
        p.image.list(&parts)
    }

    fn arrays(&mut self, parts: &mut Vec<u32>, lazy_one: u32, text: u32) {
        let image = &mut self.image;
        let array = image.array(element::INT, 0, 0, 2);
        image.c.store_u64(array + 12, 5);
        image.c.store_u64(array + 20, -6i64 as u64);
        parts.push(image.boxed(array));
        let array = image.array(element::REAL, 0, 0, 1);
        image.c.store_u64(array + 12, 1e-5f64.to_bits());
        parts.push(image.boxed(array));
        let array = image.array(element::BOOL, 0, 0, 2);
        image.c.store_u8(array + 12, 1);
        parts.push(image.boxed(array));
        let array = image.array(element::INT32, 0, 0, 1);
        image.c.store_u32(array + 12, -9i32 as u32);
        parts.push(image.boxed(array));
        let array = image.array(element::REAL32, 0, 0, 1);
        image.c.store_u32(array + 12, 0.25f32.to_bits());
        parts.push(image.boxed(array));
        let empty = image.array(element::REF, 0, 0, 0);
        let array = image.array(element::REF, 0, 0, 3);
        for (index, node) in [lazy_one, empty, text].iter().enumerate() {
            image.c.store_u32(array + 12 + 4 * index as u32, *node);
        }
        parts.push(image.boxed(array));
        let array = image.array(self.element.0, 1, 2, 2);
        for index in 0..2 {
            let start = array + 12 + 20 * index;
            image.c.store_u32(start, lazy_one);
            image.c.store_u64(start + 4, u64::from(index));
            image.c.store_u64(start + 12, u64::from(index));
        }
        parts.push(image.boxed(array));
    }
}

const EVERYTHING: &str = "[0,-3,-9223372036854775808,-0.5,''',False,\"tab\t\"quoted\"\",[[],[1,1]],[],(),(1,[]),\
(C C (1,[]) (C 1)),(:+: 1 1),(Point -1 2),(R 7 (C 1) 1.5 [1,1]),(R2 1 (R3 'h' True) (4,1) File (Point 5 6)),\
(S \"tab\t\"quoted\"\" 2),(File -1 0),[1,2],[R 1 1,R 3 1],{5,-6},{1e-05},{True,False},{-9},{0.25},\
{1,{},\"tab\t\"quoted\"\"},{E 0 1 False,E 1 1 True}]";

#[test]
fn all_kinds_of_values() {
    let mut p = printer("");
    let value = p.everything();
    assert_eq!(p.image.printed(value), EVERYTHING);
}

#[test]
fn basic_values_only() {
    let mut p = printer("-b");
    let value = p.everything();
    let expected = [
        "0",
        "-3",
        "-9223372036854775808",
        "-0.5",
        "'",
        "False",
        "tab\t\"quoted\"",
        "11",
        "1",
        "11",
        "11",
        "-12",
        "711.511",
        "1R3hTrue41FilePoint56",
        "tab\t\"quoted\"2",
        "-10",
        "12",
        "1131",
        "5-6",
        "1e-05",
        "TrueFalse",
        "-9",
        "0.25",
        "1tab\t\"quoted\"",
        "E01False",
        "E11True",
    ];
    assert_eq!(p.image.printed(value), expected.concat());
}

#[test]
fn complete_evaluation_prints_nothing() {
    let mut p = printer("-nr");
    let value = p.everything();
    let slot = p.image.push(value);
    let sp = p.image.sp;
    cleave_rt::clean::print::driver(&mut p.image.c, sp, value).expect("evaluates");
    cleave_rt::base::console::flush(&mut p.image.c);
    assert_eq!(String::from_utf8_lossy(&p.image.c.output), "");
    // Nothing is left to evaluate.
    p.image.c.evaluate = |_, _, _| panic!("everything has been evaluated");
    let value = p.image.c.load_u32(slot);
    p.image.c.state.base.options.no_result = false;
    assert_eq!(p.image.printed(value), EVERYTHING);
}

#[test]
fn output_before_an_error_appears() {
    let mut p = printer("");
    let one = p.image.int(1);
    let bad = p.lazy(0);
    let pair = p.image.tuple(&[one, bad]);
    let sp = p.image.sp;
    assert_eq!(cleave_rt::clean::print::print_graph(&mut p.image.c, sp, pair), Err(Exited(255)));
    assert_eq!(String::from_utf8_lossy(&p.image.c.output), "(1,hd of []");
}

#[test]
fn deep_structures_need_little_stack() {
    let mut p = printer("--gc=copying -gci 64m");
    // Right-nested constructors are one frame, left-nested ones a frame each.
    let mut node = p.image.int(1);
    for _ in 0..1_000_000 {
        node = p.image.constructor(&[node]);
    }
    let text = p.image.printed(node);
    assert_eq!(text.len(), 1_000_000 * 4 + 1);
    assert!(text.starts_with("(C (C (C ") && text.ends_with(")))))"));
    let mut node = p.image.nil;
    for _ in 0..100_000 {
        let nil = p.image.nil;
        node = p.image.list(&[node, nil]);
    }
    let text = p.image.printed(node);
    assert!(text.starts_with("[[[[[") && text.ends_with(",[]],[]]"));
}

#[test]
fn a_list_is_consumed_while_it_is_printed() {
    let mut p = printer("--gc=copying -gci 4m");
    // A list of lazy elements: what has been printed must not be kept.
    let mut list = p.image.nil;
    for value in 0..1000 {
        let element = p.image.int(1000 + value);
        let element = p.lazy(element);
        let header = p.image.cons;
        list = p.image.node(header, &[element, list], &[]);
    }
    p.image.printed(list);
    assert!(p.image.c.state.gc.statistics.live_after_last < 200, "{}", p.image.c.state.gc.statistics.live_after_last);
}

#[test]
fn symbols() {
    let mut p = printer("");
    let leaf = p.image.constructor(&[p.image.nil]);
    let char = p.image.char(b'x');
    for (node, expected) in [(leaf, "C"), (char, "'x'")] {
        p.image.c.output.clear();
        cleave_rt::clean::symbol::print_symbol(&mut p.image.c, node).expect("prints");
        cleave_rt::base::console::flush(&mut p.image.c);
        assert_eq!(String::from_utf8_lossy(&p.image.c.output), expected);
    }
    let sp = p.image.sp;
    let header = i64::from(p.image.c.load_u32(leaf));
    let name = cleave_rt::clean::symbol::name_to_string(&mut p.image.c, sp, header).expect("room");
    assert_eq!(p.image.printed(name), "\"C\"");
}

/// Lines are written one by one as long as there is credit, which collections give back.
#[test]
fn lines_are_kept() {
    use cleave_rt::base::console;
    let mut image = Image::new().start();
    let c = &mut image.c;
    (c.state.base.stdout.keeps_lines, c.state.base.stdout.line_credit) = (true, 2);
    console::put(c, b"one\ntw");
    assert_eq!(c.output, b"one\ntw");
    console::put(c, b"o");
    console::put_byte(c, b'\n');
    assert_eq!(c.output, b"one\ntwo\n");
    console::put(c, b"three\n");
    assert_eq!(c.output, b"one\ntwo\n", "no credit is left");
    console::after_collection(c);
    assert_eq!(c.output, b"one\ntwo\nthree\n");
    assert_eq!(c.state.base.stdout.line_credit, console::LINES_PER_COLLECTION);
    for _ in 0..100 {
        console::after_collection(c);
    }
    assert_eq!(c.state.base.stdout.line_credit, console::LINES);
}

/// Where faults lose nothing blocks are written, unless an option says otherwise.
#[test]
fn lines_are_an_option() {
    for (word, written) in [("", b"".as_slice()), ("--flush=block", b""), ("--flush=line", b"a\nb")] {
        let mut image = Image::new();
        image.c.environment = vec![format!("CLEAVE_RTS={word}").into_bytes()];
        let mut image = image.start();
        cleave_rt::base::console::put(&mut image.c, b"a\nb");
        assert_eq!(image.c.output, written, "{word}");
    }
}
