//! Functions of the program that the host has: a table of closures, which are alive until the host drops them. The host
//! has numbers, *handles*; one that was dropped, never existed, or is of another type ends the program with a message.
//! (In C one among the arguments is an error of the call alone: `c_checks`.)
//!
//! ```text
//! handle   | generation (10 bits) | place in the table, from 1 on (21 bits) |
//! word     | generation …         | in use (1 bit) | type, or the next free place (21 bits) |      of each place
//! ```
//! In C a handle looks like an address: above these 32 bits is the number of the instance, so that one of a program
//! that has failed since is none.
//!
//! A place gets the next generation when its closure is dropped, so that an old handle is none of what comes there
//! next: it takes a thousand drops until a handle of a place comes again. `cabi_drop` drops; `cabi_call_N` calls
//! functions of the type with this number.

use crate::adapters::Adapter;
use crate::buffer::{INSTANCE, function, require};
use crate::layout::Abi;
use crate::places::{Growth, PLACES, array, first_free, free, grow, set_free, word};
use crate::resources;
use crate::wrong::{end_if, unless};
use cleave_ir::abi::passed::{Passed, Wrong};
use cleave_ir::interface::{Entry, Export, Interface, InterfaceKind, InterfaceType};
use cleave_ir::{ArrayKind, Builder, Caf, CafData, FuncId, Module, Opcode, Type, Value, WellKnownDesc};

/// References of the CAF: the closures, and the words.
const CLOSURES: u32 = 0;
const WORDS: u32 = 1;
const PLACE_BITS: i64 = 21;
const GENERATION_BITS: i64 = 10;
/// For whoever takes a handle of any type.
const ANY_TYPE: i64 = -1;
const UNKNOWN: &str = "The host passed a function that does not exist, that was dropped, or that has another type.";

/// The table, and its functions.
#[derive(Clone, Copy)]
pub struct Handles {
    find: FuncId,
    hold: FuncId,
    held: FuncId,
}

/// The functions that call those of the program: one for each type, with the function before its arguments.
pub fn calls(interface: &Interface) -> Vec<Export> {
    let call = |(id, data): (InterfaceType, &cleave_ir::interface::InterfaceTypeData)| {
        let InterfaceKind::Function(params, results) = &data.kind else { return None };
        let params = std::iter::once(&id).chain(params).enumerate();
        let params = params.map(|(at, &ty)| (format!("arg{at}"), ty)).collect();
        let (name, func) = (format!("cabi_call_{}", id.as_u32()), FuncId::from_u32(0));
        Some(Export { name, func, params, results: results.clone(), waits: false })
    };
    interface.types.iter().filter_map(call).collect()
}

impl Adapter<'_> {
    /// Makes the entries that call functions of the program.
    pub fn calls(&mut self) {
        for call in calls(self.types) {
            let name = format!("interface.{}", call.name);
            let func = if let Some(table) = self.table(call.params[0].1) {
                let signature = self.module.tables[table].signature.clone();
                let (mut func, entry, params) = function(&name, &signature.params, &signature.results);
                let mut b = Builder::new(&mut func, entry);
                let inst = b.call_method(table, &params, &signature.results);
                let results = b.func.results(inst).to_vec();
                b.ret(&results);
                func
            } else {
                let params = vec![Type::Ref; call.params.len()];
                let (mut func, entry, params) = function(&name, &params, &[Type::Ref]);
                let mut b = Builder::new(&mut func, entry);
                let closure = b.op(Opcode::Eval, &params[..1]);
                let args: Vec<Value> = std::iter::once(closure).chain(params[1..].iter().copied()).collect();
                let result = b.apply(&args);
                b.ret(&[result]);
                func
            };
            let export = Export { func: self.module.funcs.push(func), ..call };
            match self.abi {
                Abi::Canonical => self.export(&export),
                Abi::Component => {
                    self.export(&export);
                    if resources::given(self.types)[export.params[0].1] {
                        self.constructor(export.params[0].1);
                    }
                }
                Abi::C => {
                    self.export_to_c(&export);
                    self.constructor(export.params[0].1);
                }
            }
        }
    }

    /// A handle for a closure.
    pub fn hold(&mut self, b: &mut Builder, ty: InterfaceType, closure: Value) -> Value {
        let (hold, ty) = (self.handles().hold, b.iconst64(self.type_number(ty)));
        b.call_value(hold, &[closure, ty], self.abi.address())
    }

    /// The number by which handles know their type: that of the first type that is the same.
    fn type_number(&self, ty: InterfaceType) -> i64 {
        let kind = &self.types.types[ty].kind;
        let first = self.types.types.iter().find(|(_, data)| data.kind == *kind);
        first.map_or(0, |(id, _)| i64::from(id.as_u32()) & ((1 << PLACE_BITS) - 1))
    }

    /// The closure of a handle.
    pub fn held(&mut self, b: &mut Builder, ty: InterfaceType, handle: Value) -> Value {
        let (held, ty) = (self.handles().held, b.iconst64(self.type_number(ty)));
        b.call_value(held, &[handle, ty], Type::Ref)
    }

    /// The index of the place of a handle, or -1 if there is no such handle of this type.
    pub fn find_handle(&mut self, b: &mut Builder, ty: InterfaceType, handle: Value) -> Value {
        let (find, ty) = (self.handles().find, b.iconst64(self.type_number(ty)));
        b.call_value(find, &[handle, ty], Type::I64)
    }

    fn handles(&mut self) -> Handles {
        let instance = (self.abi == Abi::C).then(|| self.with_buffer(|buffer, _| buffer.caf));
        let module = &mut *self.module;
        *self.handles.get_or_insert_with(|| {
            let caf = module.cafs.push(CafData { label: "interface.handles".into(), ptrs: 2, nptrs: 2 });
            let find = find(module, caf, instance);
            let place = place(module, find);
            let drop = drop(module, caf, place);
            let drop = if instance.is_some() { refusing(module, find, drop) } else { drop };
            let entry = Entry { name: "cabi_drop".into(), func: drop, narrow: (Vec::new(), false) };
            module.entries.push(entry);
            let growth = Growth {
                name: "interface.more_handles",
                arrays: &[ArrayKind::Ref, ArrayKind::I64],
                next: WORDS as usize,
                bits: PLACE_BITS,
                too_many: "The host has too many functions of the program that it has not dropped.",
            };
            let grow = grow(module, caf, growth);
            Handles { find, hold: hold(module, caf, instance, grow), held: held(module, caf, place) }
        })
    }
}

/// `cabi_drop` of a library for C.
fn refusing(module: &mut Module, find: FuncId, drop: FuncId) -> FuncId {
    let (mut func, entry, params) = function("interface.drop_known", &[Type::I64], &[]);
    let mut b = Builder::new(&mut func, entry);
    let any = b.iconst64(ANY_TYPE);
    let index = b.call_value(find, &[params[0], any], Type::I64);
    let zero = b.iconst64(0);
    let is_known = b.op(Opcode::Sge, &[index, zero]);
    let reason = unless(&mut b, is_known, Wrong::Function);
    end_if(module, &mut b, reason, "drop: argument 1 (\"function\")", Passed::Argument);
    b.call(drop, &params, &[]);
    b.ret(&[]);
    module.funcs.push(func)
}

fn hold(module: &mut Module, caf: Caf, instance: Option<Caf>, grow: FuncId) -> FuncId {
    let result = if instance.is_some() { Type::I64 } else { Type::I32 };
    let (mut func, entry, params) = function("interface.hold", &[Type::Ref, Type::I64], &[result]);
    let mut b = Builder::new(&mut func, entry);
    let (place, index) = first_free(&mut b, caf, grow);
    let closures = array(&mut b, caf, CLOSURES);
    b.array_set(ArrayKind::Ref, closures, index, params[0]);
    let words = array(&mut b, caf, WORDS);
    let known = b.array_get(ArrayKind::I64, words, index);
    let (mask, used, bits) =
        (b.iconst64((1 << PLACE_BITS) - 1), b.iconst64(1 << PLACE_BITS), b.iconst64(PLACE_BITS + 1));
    let next = b.op(Opcode::And, &[known, mask]);
    set_free(&mut b, caf, next);
    let generation = b.op(Opcode::Ushr, &[known, bits]);
    let kept = b.op(Opcode::Shl, &[generation, bits]);
    let taken = b.op(Opcode::Or, &[kept, used]);
    let taken = b.op(Opcode::Or, &[taken, params[1]]);
    b.array_set(ArrayKind::I64, words, index, taken);
    let least = b.iconst64((1 << GENERATION_BITS) - 1);
    let short = b.op(Opcode::And, &[generation, least]);
    let place_bits = b.iconst64(PLACE_BITS);
    let short = b.op(Opcode::Shl, &[short, place_bits]);
    let handle = b.op(Opcode::Or, &[short, place]);
    let handle = match instance {
        None => b.op(Opcode::Wrap, &[handle]),
        Some(instance) => {
            let (number, half) = (word(&mut b, instance, INSTANCE), b.iconst64(32));
            let number = b.op(Opcode::Shl, &[number, half]);
            b.op(Opcode::Or, &[number, handle])
        }
    };
    b.ret(&[handle]);
    module.funcs.push(func)
}

/// The function that gives the index of the place of a handle, or -1 if there is no such handle of this type.
fn find(module: &mut Module, caf: Caf, instance: Option<Caf>) -> FuncId {
    let param = if instance.is_some() { Type::I64 } else { Type::I32 };
    let (mut func, entry, params) = function("interface.find_place", &[param, Type::I64], &[Type::I64]);
    let mut b = Builder::new(&mut func, entry);
    let unknown = b.func.new_block();
    let go_on_if = |b: &mut Builder, condition: Value| {
        let known = b.func.new_block();
        b.br_if(condition, (known, &[]), (unknown, &[]));
        b.switch_to(known);
    };
    let handle = match instance {
        None => b.op(Opcode::ExtendU, &[params[0]]),
        Some(instance) => {
            let (number, half) = (word(&mut b, instance, INSTANCE), b.iconst64(32));
            let of = b.op(Opcode::Ushr, &[params[0], half]);
            let is_alive = b.op(Opcode::Eq, &[of, number]);
            go_on_if(&mut b, is_alive);
            let low = b.op(Opcode::Wrap, &[params[0]]);
            b.op(Opcode::ExtendU, &[low])
        }
    };
    let (one, mask, bits) = (b.iconst64(1), b.iconst64((1 << PLACE_BITS) - 1), b.iconst64(PLACE_BITS));
    let number = b.op(Opcode::And, &[handle, mask]);
    let index = b.op(Opcode::Isub, &[number, one]);
    let count = word(&mut b, caf, PLACES);
    let exists = b.op(Opcode::Ult, &[index, count]);
    go_on_if(&mut b, exists);
    let words = array(&mut b, caf, WORDS);
    let known = b.array_get(ArrayKind::I64, words, index);
    // The generation, and that it is in use.
    let (shown, lowest) = (b.iconst64((1 << (GENERATION_BITS + 1)) - 1), b.op(Opcode::Ushr, &[known, bits]));
    let is = b.op(Opcode::And, &[lowest, shown]);
    let wanted = b.op(Opcode::Ushr, &[handle, bits]);
    let wanted = b.op(Opcode::Shl, &[wanted, one]);
    let wanted = b.op(Opcode::Or, &[wanted, one]);
    let good = b.op(Opcode::Eq, &[is, wanted]);
    go_on_if(&mut b, good);
    let (ty, any) = (b.op(Opcode::And, &[known, mask]), b.iconst64(ANY_TYPE));
    let (is_same, is_any) = (b.op(Opcode::Eq, &[ty, params[1]]), b.op(Opcode::Eq, &[params[1], any]));
    let is_right = b.op(Opcode::Or, &[is_same, is_any]);
    go_on_if(&mut b, is_right);
    b.ret(&[index]);
    b.switch_to(unknown);
    let none = b.iconst64(-1);
    b.ret(&[none]);
    module.funcs.push(func)
}

/// The function that gives the index of the place of a handle, or ends the program.
fn place(module: &mut Module, find: FuncId) -> FuncId {
    let handle = module.funcs[find].signature.params[0];
    let (mut func, entry, params) = function("interface.place", &[handle, Type::I64], &[Type::I64]);
    let mut b = Builder::new(&mut func, entry);
    let index = b.call_value(find, &params, Type::I64);
    let zero = b.iconst64(0);
    let is_known = b.op(Opcode::Sge, &[index, zero]);
    require(module, &mut b, is_known, UNKNOWN);
    b.ret(&[index]);
    module.funcs.push(func)
}

fn held(module: &mut Module, caf: Caf, place: FuncId) -> FuncId {
    let handle = module.funcs[place].signature.params[0];
    let (mut func, entry, params) = function("interface.held", &[handle, Type::I64], &[Type::Ref]);
    let mut b = Builder::new(&mut func, entry);
    let index = b.call_value(place, &params, Type::I64);
    let closures = array(&mut b, caf, CLOSURES);
    let closure = b.array_get(ArrayKind::Ref, closures, index);
    b.ret(&[closure]);
    module.funcs.push(func)
}

fn drop(module: &mut Module, caf: Caf, place: FuncId) -> FuncId {
    let handle = module.funcs[place].signature.params[0];
    let (mut func, entry, params) = function("interface.drop", &[handle], &[]);
    let mut b = Builder::new(&mut func, entry);
    let any = b.iconst64(ANY_TYPE);
    let index = b.call_value(place, &[params[0], any], Type::I64);
    let closures = array(&mut b, caf, CLOSURES);
    let nothing = b.node(WellKnownDesc::Empty.desc());
    b.array_set(ArrayKind::Ref, closures, index, nothing);
    let words = array(&mut b, caf, WORDS);
    let known = b.array_get(ArrayKind::I64, words, index);
    let (one, bits) = (b.iconst64(1), b.iconst64(PLACE_BITS + 1));
    let generation = b.op(Opcode::Ushr, &[known, bits]);
    let generation = b.op(Opcode::Iadd, &[generation, one]);
    let kept = b.op(Opcode::Shl, &[generation, bits]);
    let free = free(&mut b, caf);
    let new = b.op(Opcode::Or, &[kept, free]);
    b.array_set(ArrayKind::I64, words, index, new);
    let number = b.op(Opcode::Iadd, &[index, one]);
    set_free(&mut b, caf, number);
    b.ret(&[]);
    module.funcs.push(func)
}
