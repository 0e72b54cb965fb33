//! Tables whose places the host knows by number: functions that it holds (`handles`), and calls that wait for it
//! (`waiting_table`). They lie in a CAF: two words, and arrays, one of which says what free place comes after each.

use crate::buffer::{begin_loop, function, require};
use cleave_ir::{ArrayKind, Builder, Caf, FuncId, Module, Opcode, Value, WellKnownDesc};

/// Words of the CAF: places in the table, and the first free one, counted from 1 on, or 0.
pub const PLACES: u32 = 0;
const FREE: u32 = 1;
const FIRST_PLACES: i64 = 16;

/// How a table grows.
pub struct Growth<'a> {
    /// Of the function.
    pub name: &'a str,
    /// The references of the CAF: arrays with a place for each place.
    pub arrays: &'a [ArrayKind],
    /// That of the next free places.
    pub next: usize,
    /// A number of a place has so many bits.
    pub bits: i64,
    /// What the program ends with when there are too many.
    pub too_many: &'a str,
}

/// A word of a CAF.
pub fn word(b: &mut Builder, caf: Caf, at: u32) -> Value {
    let inst = b.caf(Opcode::CafI64, caf, at, &[]);
    b.func.result(inst)
}

/// A reference of a CAF.
pub fn array(b: &mut Builder, caf: Caf, at: u32) -> Value {
    let inst = b.caf(Opcode::CafRef, caf, at, &[]);
    b.func.result(inst)
}

/// Makes the function that gives a table twice as many places, or the first ones. It is called when no place is free,
/// so only the new ones are.
pub fn grow(module: &mut Module, caf: Caf, growth: Growth) -> FuncId {
    let (mut func, entry, _) = function(growth.name, &[], &[]);
    let mut b = Builder::new(&mut func, entry);
    let (zero, one, first) = (b.iconst64(0), b.iconst64(1), b.iconst64(FIRST_PLACES));
    let old = word(&mut b, caf, PLACES);
    let twice = b.op(Opcode::Iadd, &[old, old]);
    let is_first = b.op(Opcode::Eqz, &[old]);
    let new = b.op(Opcode::Select, &[is_first, first, twice]);
    let most = b.iconst64(1 << growth.bits);
    let fits = b.op(Opcode::Ult, &[new, most]);
    require(module, &mut b, fits, growth.too_many);
    let nothing = b.node(WellKnownDesc::Empty.desc());
    let made = growth.arrays.iter().map(|&kind| {
        let filler = if kind == ArrayKind::Ref { nothing } else { zero };
        (kind, b.array_new(kind, new, filler))
    });
    let made: Vec<(ArrayKind, Value)> = made.collect();
    // There are no arrays yet, and so nothing to copy, or there are.
    let (copy, link) = (b.func.new_block(), b.func.new_block());
    b.br_if(is_first, (link, &[]), (copy, &[]));
    b.switch_to(copy);
    for (at, &(kind, array_made)) in (0..).zip(&made) {
        let from = array(&mut b, caf, at);
        b.array_copy(kind, (array_made, zero), (from, zero), old);
    }
    b.jump(link, &[]);
    b.switch_to(link);
    // Each new place is followed by the next one.
    let count = b.op(Opcode::Isub, &[new, old]);
    let places = begin_loop(&mut b, count, &[]);
    let index = b.op(Opcode::Iadd, &[old, places.index]);
    let number = b.op(Opcode::Iadd, &[index, one]);
    let next = b.op(Opcode::Iadd, &[number, one]);
    let is_last = b.op(Opcode::Eq, &[number, new]);
    let next = b.op(Opcode::Select, &[is_last, zero, next]);
    b.array_set(ArrayKind::I64, made[growth.next].1, index, next);
    places.end(&mut b, &[]);
    for (at, &(_, array_made)) in (0..).zip(&made) {
        b.caf(Opcode::SetCafRef, caf, at, &[array_made]);
    }
    b.caf(Opcode::SetCafI64, caf, PLACES, &[new]);
    let free = b.op(Opcode::Iadd, &[old, one]);
    b.caf(Opcode::SetCafI64, caf, FREE, &[free]);
    b.ret(&[]);
    module.funcs.push(func)
}

/// The first free place, and its index in the arrays; a full table grows before. `set_free` takes the place out.
pub fn first_free(b: &mut Builder, caf: Caf, grow: FuncId) -> (Value, Value) {
    let free = word(b, caf, FREE);
    let (full, some) = (b.func.new_block(), b.func.new_block());
    let none = b.op(Opcode::Eqz, &[free]);
    b.br_if(none, (full, &[]), (some, &[]));
    b.switch_to(full);
    b.call(grow, &[], &[]);
    b.jump(some, &[]);
    b.switch_to(some);
    let one = b.iconst64(1);
    let place = word(b, caf, FREE);
    (place, b.op(Opcode::Isub, &[place, one]))
}

/// The first free place, or 0.
pub fn free(b: &mut Builder, caf: Caf) -> Value {
    word(b, caf, FREE)
}

/// Another place is the first free one.
pub fn set_free(b: &mut Builder, caf: Caf, place: Value) {
    b.caf(Opcode::SetCafI64, caf, FREE, &[place]);
}
