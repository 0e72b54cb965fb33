//! Evaluating and printing a value of any shape, without recursion.
//!
//! What remains to be printed is kept in frames on the shadow stack, because evaluation in between collects and moves.
//! A frame starts with a small number that tells its kind; counters and addresses of the static data section are below
//! the heap and therefore no roots. From the stack pointer up:
//!
//! ```text
//! END                                      nothing remains
//! CLOSE count                              print `)` this often
//! ARGUMENTS count arg …                    print ` ` and an argument, and so on; the last one is replaced by CLOSE
//! COMPONENTS count component …             the same with `,` (tuples); the first is already on its way
//! LIST tail                                evaluate the tail; print `]`, or `,` and the next element
//! ARRAY index array                        elements of an array, from this index on
//! FIELDS …                                 fields of a record (`fields.rs`)
//! TAIL                                     the tail of a list is being evaluated
//! ```
//! A frame holds just what is still to be printed: a component that has been printed can be collected, and a long list
//! is consumed while it is printed. A closing bracket after the last argument is counted in the frame below, so that
//! right-nested data of any depth needs no stack.
//!
//! Complete evaluation (`eval_to_nf`, option `-nr`) is the same walk with nothing written.

use super::fields;
use crate::base::console::{put, put_byte};
use crate::base::decimal::{format_int, format_real};
use crate::base::error;
use crate::base::value::{bool_text, print_string};
use crate::clean::Context;
use crate::clean::symbol::put_symbol;
use crate::gc::object::*;
use crate::layout::*;
use crate::platform::Outcome;

pub const END: u32 = 0;
pub const CLOSE: u32 = 1;
pub const ARGUMENTS: u32 = 2;
pub const COMPONENTS: u32 = 3;
pub const LIST: u32 = 4;
pub const ARRAY: u32 = 5;
pub const FIELDS: u32 = 6;
pub const TAIL: u32 = 7;

/// Bytes that a walk pushes at most before something is evaluated, after a capture: what a node needs is
/// smaller than the rest.
const MOST_PUSHED: i32 = (STACKLESS_RESERVE - (1 << 20)) as i32;

/// What is written.
#[derive(Clone, Copy)]
pub struct Style {
    /// Basic values.
    pub values: bool,
    /// Names, separators, brackets and quotes.
    pub symbols: bool,
}

impl Style {
    #[inline]
    pub fn symbol<C: Context>(self, c: &mut C, text: &[u8]) {
        if self.symbols {
            put(c, text);
        }
    }
    #[inline]
    pub fn value<C: Context>(self, c: &mut C, text: &[u8]) {
        if self.values {
            put(c, text);
        }
    }
}

/// The next thing to do.
pub enum Next {
    /// Print this node.
    Value(u32),
    /// Go on with the frame on top.
    Frame,
}

/// What is written, in a word that compiled code hands on.
pub struct Mode;

impl Mode {
    const VALUES: u32 = 1;
    const SYMBOLS: u32 = 2;
    /// A newline follows.
    const LINE: u32 = 4;

    fn style(mode: u32) -> Style {
        Style { values: mode & Mode::VALUES != 0, symbols: mode & Mode::SYMBOLS != 0 }
    }
    fn of_driver<C: Context>(c: &C) -> u32 {
        if c.base().options.no_result { 0 } else { Mode::of_graph(c) }
    }
    fn of_graph<C: Context>(c: &C) -> u32 {
        Mode::VALUES | if c.base().options.basic_values { 0 } else { Mode::SYMBOLS | Mode::LINE }
    }
}

/// The libcall `driver`: print the result, or only evaluate it.
pub fn driver<C: Context>(c: &mut C, sp: u32, node: u32) -> Outcome<(), C> {
    let first = walk_driver(c, sp, node)?;
    walk(c, first)
}

pub fn print_graph<C: Context>(c: &mut C, sp: u32, node: u32) -> Outcome<(), C> {
    let first = walk_print_graph(c, sp, node)?;
    walk(c, first)
}

pub fn eval_to_nf<C: Context>(c: &mut C, sp: u32, node: u32) -> Outcome<(), C> {
    let first = walk_eval_to_nf(c, sp, node)?;
    walk(c, first)
}

fn walk<C: Context>(c: &mut C, (mut sp, mut node, mode): (u32, u32, u32)) -> Outcome<(), C> {
    while node != 0 {
        let value = c.eval(sp, node)?;
        (sp, node) = walk_next(c, sp, value, mode)?;
    }
    Ok(())
}

// The same in steps, for code that evaluates by itself (`src/passes/stackless/walk.rs`): each returns the stack pointer
// and the thunk that must be evaluated next, or 0 at the end.

pub fn walk_driver<C: Context>(c: &mut C, sp: u32, node: u32) -> Outcome<(u32, u32, u32), C> {
    let mode = Mode::of_driver(c);
    begin(c, sp, node, mode)
}

pub fn walk_print_graph<C: Context>(c: &mut C, sp: u32, node: u32) -> Outcome<(u32, u32, u32), C> {
    let mode = Mode::of_graph(c);
    begin(c, sp, node, mode)
}

pub fn walk_eval_to_nf<C: Context>(c: &mut C, sp: u32, node: u32) -> Outcome<(u32, u32, u32), C> {
    begin(c, sp, node, 0)
}

fn begin<C: Context>(c: &mut C, sp: u32, node: u32, mode: u32) -> Outcome<(u32, u32, u32), C> {
    let sp = c.push(sp, END);
    let (sp, node) = advance(c, sp, Next::Value(node), mode)?;
    Ok((sp, node, mode))
}

/// Goes on with the value of the thunk.
pub fn walk_next<C: Context>(c: &mut C, sp: u32, value: u32, mode: u32) -> Outcome<(u32, u32), C> {
    let mut sp = sp;
    let mut next = Next::Value(value);
    if c.load_u32(sp) == TAIL {
        sp += 4;
        next = tail_of_list(c, &mut sp, value, Mode::style(mode));
    }
    advance(c, sp, next, mode)
}

/// As far as nothing must be evaluated.
fn advance<C: Context>(c: &mut C, sp: u32, next: Next, mode: u32) -> Outcome<(u32, u32), C> {
    let style = Mode::style(mode);
    let (mut sp, mut next, first) = (sp, next, sp);
    loop {
        c.visit()?;
        next = match next {
            Next::Value(integer) if is_immediate(integer) => {
                style.value(c, format_int(immediate_value(integer)).bytes());
                Next::Frame
            }
            Next::Value(node) if is_hnf(c, node) => start_value(c, &mut sp, node, style),
            Next::Value(node) => return Ok((sp, node)),
            Next::Frame => match c.load_u32(sp) {
                END => {
                    if mode & Mode::LINE != 0 {
                        style.symbol(c, b"\n");
                    }
                    return Ok((sp, 0));
                }
                CLOSE => {
                    for _ in 0..c.load_u32(sp + 4) {
                        style.symbol(c, b")");
                    }
                    sp += 8;
                    Next::Frame
                }
                kind @ (ARGUMENTS | COMPONENTS) => next_argument(c, &mut sp, kind, style),
                LIST => {
                    let tail = c.load_u32(sp + 4);
                    sp += 8;
                    if is_immediate(tail) || is_hnf(c, tail) {
                        tail_of_list(c, &mut sp, tail, style)
                    } else {
                        return Ok((c.push(sp, TAIL), tail));
                    }
                }
                ARRAY => next_array_element(c, &mut sp, style),
                _ => fields::step(c, &mut sp, style, false),
            },
        };
        // Of a result without an end, as much is printed as can be. That the rest is lost is no error in Clean.
        if c.base().stdout.failed {
            return Err(c.exit(0));
        }
        // After a capture so much is free, and nobody else looks.
        if first.wrapping_sub(sp) as i32 > MOST_PUSHED && c.gc().stackless.outer != 0 {
            return Err(match error::stack_overflow(c) {
                Err(end) => end,
                Ok(()) => c.exit(error::FAILURE),
            });
        }
    }
}

/// Prints the beginning of an evaluated node and pushes a frame for the rest.
fn start_value<C: Context>(c: &mut C, sp: &mut u32, node: u32, style: Style) -> Next {
    let header = c.load_u32(node);
    let descriptor = descriptor_of(c, header);
    match descriptor_kind(c, descriptor) {
        descriptor::EMPTY => style.symbol(c, b"[]"),
        descriptor::LIST_CELL if has_references(c, node, 2) => {
            style.symbol(c, b"[");
            return start_cons(c, sp, node);
        }
        descriptor::UNBOXED_LIST_CELL => {
            style.symbol(c, b"[");
            return fields::start_cons(c, sp, node, style);
        }
        descriptor::RECORD => {
            style.symbol(c, b"(");
            if style.symbols {
                put_symbol(c, node, true);
            }
            return fields::start_record(c, sp, node, style);
        }
        descriptor::BOXED_ARRAY if has_references(c, node, 1) => return Next::Value(c.load_u32(node + 4)),
        descriptor::STRING => {
            style.symbol(c, b"\"");
            if style.values {
                let _: Outcome<(), C> = print_string(c, node);
            }
            style.symbol(c, b"\"");
        }
        descriptor::ARRAY => return start_array(c, sp, node, style),
        descriptor::FILE => {
            // Boxed as position, number.
            style.symbol(c, b"(");
            put_symbol(c, node, style.symbols);
            for word in 0..2 {
                let value = c.load_u64(word_address(c, node, info_of(c, header), word)) as i64;
                style.symbol(c, b" ");
                style.value(c, format_int(value).bytes());
            }
            style.symbol(c, b")");
        }
        kind => return start_symbol(c, sp, node, kind, style),
    }
    Next::Frame
}

/// Does a node have all its references? Constructors that lack some are printed as functions are.
fn has_references<C: Context>(c: &C, node: u32, count: u32) -> bool {
    info_ptrs(info_of(c, c.load_u32(node))) == count
}

/// A basic value, a constructor or function with its arguments, or a tuple.
fn start_symbol<C: Context>(c: &mut C, sp: &mut u32, node: u32, kind: u32, style: Style) -> Next {
    let info = info_of(c, c.load_u32(node));
    let count = info_ptrs(info);
    if kind == descriptor::TUPLE {
        style.symbol(c, b"(");
        if count == 0 {
            style.symbol(c, b")");
            return Next::Frame;
        }
        push_references(c, sp, node, info);
        return take_argument(c, sp, COMPONENTS, count);
    }
    if count == 0 {
        if style.values {
            put_symbol(c, node, style.symbols);
        }
        return Next::Frame;
    }
    style.symbol(c, b"(");
    if style.symbols {
        put_symbol(c, node, true);
    }
    push_references(c, sp, node, info);
    *sp = c.push(*sp, count);
    *sp = c.push(*sp, ARGUMENTS);
    Next::Frame
}

/// Pushes the references of a node, the first on top.
pub fn push_references<C: Context>(c: &mut C, sp: &mut u32, node: u32, info: u32) {
    for index in (0..info_ptrs(info)).rev() {
        let reference = c.load_u32(slot_address(c, node, info, index));
        *sp = c.push(*sp, reference);
    }
}

fn next_argument<C: Context>(c: &mut C, sp: &mut u32, kind: u32, style: Style) -> Next {
    style.symbol(c, if kind == ARGUMENTS { b" " } else { b"," });
    let count = c.load_u32(*sp + 4);
    *sp += 8;
    take_argument(c, sp, kind, count)
}

/// Takes the first of `count` references from the stack and pushes the frame for the others.
fn take_argument<C: Context>(c: &mut C, sp: &mut u32, kind: u32, count: u32) -> Next {
    let argument = c.load_u32(*sp);
    *sp += 4;
    if count == 1 {
        push_close(c, sp);
    } else {
        *sp = c.push(*sp, count - 1);
        *sp = c.push(*sp, kind);
    }
    Next::Value(argument)
}

/// One more closing bracket.
pub fn push_close<C: Context>(c: &mut C, sp: &mut u32) {
    if c.load_u32(*sp) == CLOSE {
        let count = c.load_u32(*sp + 4);
        // A count must stay below the heap, as any number in a slot.
        if count + 1 < c.gc().heap.base {
            c.store_u32(*sp + 4, count + 1);
            return;
        }
    }
    *sp = c.push(*sp, 1);
    *sp = c.push(*sp, CLOSE);
}

fn start_cons<C: Context>(c: &mut C, sp: &mut u32, cons: u32) -> Next {
    let (head, tail) = (c.load_u32(cons + 4), c.load_u32(cons + 8));
    *sp = c.push(*sp, tail);
    *sp = c.push(*sp, LIST);
    Next::Value(head)
}

/// What follows an element: the evaluated tail of a list.
fn tail_of_list<C: Context>(c: &mut C, sp: &mut u32, tail: u32, style: Style) -> Next {
    // Of an immediate it is no kind of list.
    let kind =
        if is_immediate(tail) { descriptor::INT } else { descriptor_kind(c, descriptor_of(c, c.load_u32(tail))) };
    if kind == descriptor::EMPTY {
        style.symbol(c, b"]");
        return Next::Frame;
    }
    style.symbol(c, b",");
    match kind {
        descriptor::UNBOXED_LIST_CELL => fields::start_cons(c, sp, tail, style),
        descriptor::LIST_CELL if has_references(c, tail, 2) => start_cons(c, sp, tail),
        // Wrong IR alone makes this, or a constructor without all arguments: it is printed as the last element.
        _ => {
            push_close(c, sp);
            Next::Value(tail)
        }
    }
}

/// Arrays of basic values are printed at once; others get a frame.
fn start_array<C: Context>(c: &mut C, sp: &mut u32, array: u32, style: Style) -> Next {
    style.symbol(c, b"{");
    let kind = c.load_u32(array + ARRAY_ELEMENT);
    if kind == element::REF || kind > element::CHAR {
        *sp = c.push(*sp, array);
        *sp = c.push(*sp, 0);
        *sp = c.push(*sp, ARRAY);
        return Next::Frame;
    }
    let size = if style.values { c.load_u32(array + ARRAY_SIZE) } else { 0 };
    let data = array + ARRAY_DATA;
    for index in 0..size {
        if index > 0 && style.symbols {
            put_byte(c, b',');
        }
        match kind {
            element::INT => {
                let value = c.load_u64(data + 8 * index) as i64;
                put(c, format_int(value).bytes());
            }
            element::INT32 => {
                let value = c.load_u32(data + 4 * index) as i32;
                put(c, format_int(i64::from(value)).bytes());
            }
            element::BOOL => {
                let value = c.load_u8(data + index);
                put(c, bool_text(i64::from(value)));
            }
            _ => {
                let value = if kind == element::REAL {
                    f64::from_bits(c.load_u64(data + 8 * index))
                } else {
                    f64::from(f32::from_bits(c.load_u32(data + 4 * index)))
                };
                put(c, format_real(value).bytes());
            }
        }
    }
    style.symbol(c, b"}");
    Next::Frame
}

fn next_array_element<C: Context>(c: &mut C, sp: &mut u32, style: Style) -> Next {
    let (index, array) = (c.load_u32(*sp + 4), c.load_u32(*sp + 8));
    if index >= c.load_u32(array + ARRAY_SIZE) {
        style.symbol(c, b"}");
        *sp += 12;
        return Next::Frame;
    }
    if index > 0 {
        style.symbol(c, b",");
    }
    c.store_u32(*sp + 4, index + 1);
    let kind = c.load_u32(array + ARRAY_ELEMENT);
    if kind == element::REF {
        return Next::Value(c.load_u32(array + ARRAY_DATA + SLOT * index));
    }
    fields::start_array_element(c, sp, array, index, kind, style)
}
