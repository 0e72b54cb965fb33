//! Computations that wait for the host: a table of continuations. The host has numbers, *calls*; one that does not
//! exist, or that has ended, ends the program with a message.
//!
//! ```text
//! call     | generation (9 bits) | place in the table, from 1 on (22 bits) |
//! state    | generation | number of the import, from 1 on (20 bits) | of the export (20 bits) |     0 below: it is free
//! ```
//! A place gets the next generation when its call has ended, so that an old number is none of what comes there next: it
//! takes 512 calls until the number of a place comes again. Places are used again, so the table is as large as there
//! were calls at once.

use crate::buffer::{function, require};
use crate::places::{Growth, PLACES, array, first_free, free, grow, set_free, word};
use cleave_ir::{ArrayKind, Builder, Caf, CafData, FuncId, Module, Opcode, Type, WellKnownDesc};

/// References of the CAF: arrays of the continuations, of the states, and of the next free place after each.
const CONTINUATIONS: u32 = 0;
const STATES: u32 = 1;
const NEXT: u32 = 2;
const PLACE_BITS: i64 = 22;
const GENERATION_BITS: i64 = 9;
const NUMBER_BITS: i64 = 20;
const UNKNOWN: &str = "The host goes on with a call that does not exist, or that has ended.";

/// The table's functions.
#[derive(Clone, Copy)]
pub struct Table {
    /// `(continuation, import from 1 on, export) -> call`
    pub put: FuncId,
    /// `(call, import or 0 for any) -> export, continuation`: it is not in the table any more.
    pub take: FuncId,
}

impl Table {
    /// Adds it to a module.
    pub fn new(module: &mut Module) -> Table {
        let caf = module.cafs.push(CafData { label: "interface.waiting".into(), ptrs: 3, nptrs: 2 });
        let grow = grow(
            module,
            caf,
            Growth {
                name: "interface.more_waiting",
                arrays: &[ArrayKind::Ref, ArrayKind::I64, ArrayKind::I64],
                next: NEXT as usize,
                bits: PLACE_BITS,
                too_many: "Too many calls of functions of the host are waiting.",
            },
        );
        Table { put: put(module, caf, grow), take: take(module, caf) }
    }
}

fn put(module: &mut Module, caf: Caf, grow: FuncId) -> FuncId {
    let (mut func, entry, params) = function("interface.wait", &[Type::Ref, Type::I64, Type::I64], &[Type::I32]);
    let mut b = Builder::new(&mut func, entry);
    let (place, index) = first_free(&mut b, caf, grow);
    let next = array(&mut b, caf, NEXT);
    let next = b.array_get(ArrayKind::I64, next, index);
    set_free(&mut b, caf, next);
    let continuations = array(&mut b, caf, CONTINUATIONS);
    b.array_set(ArrayKind::Ref, continuations, index, params[0]);
    let states = array(&mut b, caf, STATES);
    let state = b.array_get(ArrayKind::I64, states, index);
    let (import_bits, generation_bits) = (b.iconst64(NUMBER_BITS), b.iconst64(2 * NUMBER_BITS));
    let import = b.op(Opcode::Shl, &[params[1], import_bits]);
    let numbers = b.op(Opcode::Or, &[import, params[2]]);
    let used = b.op(Opcode::Or, &[state, numbers]);
    b.array_set(ArrayKind::I64, states, index, used);
    let generation = b.op(Opcode::Ushr, &[state, generation_bits]);
    let (mask, place_bits) = (b.iconst64((1 << GENERATION_BITS) - 1), b.iconst64(PLACE_BITS));
    let generation = b.op(Opcode::And, &[generation, mask]);
    let generation = b.op(Opcode::Shl, &[generation, place_bits]);
    let call = b.op(Opcode::Or, &[generation, place]);
    let call = b.op(Opcode::Wrap, &[call]);
    b.ret(&[call]);
    module.funcs.push(func)
}

fn take(module: &mut Module, caf: Caf) -> FuncId {
    let (mut func, entry, params) =
        function("interface.take_waiting", &[Type::I32, Type::I64], &[Type::I64, Type::Ref]);
    let mut b = Builder::new(&mut func, entry);
    let call = b.op(Opcode::ExtendU, &[params[0]]);
    let (zero, one, place_mask, place_bits) =
        (b.iconst64(0), b.iconst64(1), b.iconst64((1 << PLACE_BITS) - 1), b.iconst64(PLACE_BITS));
    let place = b.op(Opcode::And, &[call, place_mask]);
    let index = b.op(Opcode::Isub, &[place, one]);
    let count = word(&mut b, caf, PLACES);
    let exists = b.op(Opcode::Ult, &[index, count]);
    require(module, &mut b, exists, UNKNOWN);
    let states = array(&mut b, caf, STATES);
    let state = b.array_get(ArrayKind::I64, states, index);
    let (number_mask, number_bits) = (b.iconst64((1 << NUMBER_BITS) - 1), b.iconst64(NUMBER_BITS));
    let (generation_mask, generation_bits) = (b.iconst64((1 << GENERATION_BITS) - 1), b.iconst64(2 * NUMBER_BITS));
    let import = b.op(Opcode::Ushr, &[state, number_bits]);
    let import = b.op(Opcode::And, &[import, number_mask]);
    let generation = b.op(Opcode::Ushr, &[state, generation_bits]);
    let short = b.op(Opcode::And, &[generation, generation_mask]);
    let wanted = b.op(Opcode::Ushr, &[call, place_bits]);
    let is_it = b.op(Opcode::Eq, &[short, wanted]);
    require(module, &mut b, is_it, UNKNOWN);
    let waits = b.op(Opcode::Ne, &[import, zero]);
    require(module, &mut b, waits, UNKNOWN);
    let (any, same) = (b.op(Opcode::Eqz, &[params[1]]), b.op(Opcode::Eq, &[params[1], import]));
    let fits = b.op(Opcode::Or, &[any, same]);
    require(module, &mut b, fits, "The host goes on with a call of another function than it says.");
    let generation = b.op(Opcode::Iadd, &[generation, one]);
    let unused = b.op(Opcode::Shl, &[generation, generation_bits]);
    b.array_set(ArrayKind::I64, states, index, unused);
    let next = array(&mut b, caf, NEXT);
    let after = free(&mut b, caf);
    b.array_set(ArrayKind::I64, next, index, after);
    set_free(&mut b, caf, place);
    let continuations = array(&mut b, caf, CONTINUATIONS);
    let continuation = b.array_get(ArrayKind::Ref, continuations, index);
    let nothing = b.node(WellKnownDesc::Empty.desc());
    b.array_set(ArrayKind::Ref, continuations, index, nothing);
    let export = b.op(Opcode::And, &[state, number_mask]);
    b.ret(&[export, continuation]);
    module.funcs.push(func)
}
