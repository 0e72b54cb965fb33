//! Exports that wait, and the functions of the host that they wait for.
//!
//! ```text
//! f(arguments) ─▶ turn ─▶ 0, the result                          the host reads it, and is done
//!                     └─▶ n, a call, arguments of import n       the host reads them and calls the function; later
//!                           ▲                     cabi_settle_N(call, address of what it gives)
//!                           └── turn ◀──────────  cabi_refuse_N(call, address and length of a text)
//! ```
//! An import is an effect that nobody in the program has handled. It is no call of the host: the entry returns what is
//! asked for, and the continuation waits in a table (`waiting_table`). So nothing of the engine's stack is kept, any
//! number of computations wait at once, and they go on in any order.
//!
//! All entries return the address of a *turn*: a number (`i32`), a call (`i32`), and 8 bytes further on the result, or
//! the arguments one after the other. The host says by `cabi_post_waiting` that it has read them. `cabi_forget(call)`
//! ends a call that nobody goes on with.

use crate::adapters::Adapter;
use crate::buffer::{Buffer, function};
use crate::layout::{Abi, Flat};
use crate::waiting_table::Table;
use cleave_ir::interface::{Entry, Export, Import, InterfaceType};
use cleave_ir::{Builder, DescData, FuncId, Opcode, Type, Value, WellKnownDesc};

/// Where the result or the arguments of a turn begin.
pub const CONTENTS: u32 = 8;

/// The exports that wait, in the order of their numbers.
pub fn exports(all: &[Export]) -> impl Iterator<Item = &Export> {
    all.iter().filter(|export| export.waits)
}

/// What all of them share.
#[derive(Clone, Copy)]
struct Waiting {
    table: Table,
    /// `(performed, value, continuation, export) -> address of the turn`
    turn: FuncId,
}

impl Adapter<'_> {
    /// Makes the entries of all exports that wait, and of all that goes on with them.
    pub fn waiting(&mut self) {
        let (all, imports) = (self.types.exports.as_slice(), self.types.imports.as_slice());
        if self.abi == Abi::C || exports(all).next().is_none() {
            return;
        }
        let table = Table::new(self.module);
        let bodies: Vec<FuncId> = exports(all).map(|export| self.body(export)).collect();
        let turn = self.turn(table, &bodies);
        let waiting = Waiting { table, turn };
        for (number, (export, body)) in exports(all).zip(bodies).enumerate() {
            self.begin(export, number, body, waiting);
        }
        for (number, import) in imports.iter().enumerate().filter(|import| import.1.effect().is_some()) {
            self.settle(number, import, waiting);
            self.refuse(number, import, waiting);
        }
        self.forget(waiting);
        let post = self.with_buffer(Buffer::post);
        self.entry("cabi_post_waiting".into(), post);
    }

    fn entry(&mut self, name: String, func: FuncId) {
        self.module.entries.push(Entry { name, func, narrow: (Vec::new(), false) });
    }

    /// The function of an export, which gives one reference: a node of several values, or of a number.
    fn body(&mut self, export: &Export) -> FuncId {
        let signature = self.module.funcs[export.func].signature.clone();
        if signature.results[..] == [Type::Ref] {
            return export.func;
        }
        let name = format!("interface.{}.whole", export.name);
        let (mut func, entry, params) = function(&name, &signature.params, &[Type::Ref]);
        let mut b = Builder::new(&mut func, entry);
        let inst = b.call(export.func, &params, &signature.results);
        let results = b.func.results(inst).to_vec();
        let node = match fields(&signature.results) {
            places if places.is_empty() => b.node(WellKnownDesc::Empty.desc()),
            places => {
                let types: Vec<Type> = places.iter().map(|place| word_type(place.1)).collect();
                let data = DescData { contiguous: true, ..DescData::record(&name, 0, &types) };
                let desc = self.module.descs.push(data);
                let values: Vec<Value> = places.iter().map(|place| widened(&mut b, results[place.0])).collect();
                b.build_node(desc, 0, &values)
            }
        };
        b.ret(&[node]);
        self.module.funcs.push(func)
    }

    /// What an export gives, out of the reference that its body gives.
    fn results(&mut self, b: &mut Builder, export: &Export, body: FuncId, whole: Value) -> Vec<Value> {
        if body == export.func {
            return vec![whole];
        }
        let types = self.module.funcs[export.func].signature.results.to_vec();
        let refs = types.iter().filter(|&&ty| ty == Type::Ref).count() as u32;
        let shape = cleave_ir::layout::Shape { ptrs: refs, nptrs: types.len() as u32 - refs, contiguous: true };
        let mut values = vec![whole; types.len()];
        for (at, (result, ty)) in (0..).zip(fields(&types)) {
            values[result] = match ty {
                Type::Ref => b.get_of(Opcode::GetRef, shape, at, whole),
                Type::F64 => b.get_of(Opcode::GetF64, shape, at - refs, whole),
                _ => {
                    let word = b.get_of(Opcode::GetI64, shape, at - refs, whole);
                    if ty == Type::I32 { b.op(Opcode::Wrap, &[word]) } else { word }
                }
            };
        }
        values
    }

    /// The function that tells the host what a body has come to.
    fn turn(&mut self, table: Table, bodies: &[FuncId]) -> FuncId {
        let types = [Type::I32, Type::Ref, Type::Ref, Type::I64];
        let (mut func, entry, params) = function("interface.turn", &types, &[Type::I32]);
        let mut b = Builder::new(&mut func, entry);
        let [performed, done] = [(); 2].map(|()| b.func.new_block());
        b.br_if(params[0], (performed, &[]), (done, &[]));
        b.switch_to(done);
        self.done(&mut b, params[1], params[3], bodies);
        b.switch_to(performed);
        let header = b.op(Opcode::Header, &[params[1]]);
        let imports = self.types.imports.as_slice();
        for (number, import) in (1..).zip(imports) {
            let Some(effect) = import.effect() else { continue };
            let [this, next] = [(); 2].map(|()| b.func.new_block());
            let wanted = b.node_info(effect.desc, effect.applied_args);
            let is_it = b.op(Opcode::Eq, &[header, wanted]);
            b.br_if(is_it, (this, &[]), (next, &[]));
            b.switch_to(this);
            let params_of: Vec<InterfaceType> = import.params.iter().map(|param| param.1).collect();
            let taken = self.layouts.sequence(&params_of);
            let place = self.place(&mut b, taken.size, number);
            for (at, (&ty, offset)) in params_of.iter().zip(&taken.offsets[0]).enumerate() {
                let value = self.field(&mut b, effect, at, ty, params[1]);
                self.store(&mut b, ty, value, place, CONTENTS + offset);
            }
            let import = b.iconst64(number.into());
            let call = b.call_value(table.put, &[params[2], import, params[3]], Type::I32);
            b.inst(Opcode::StoreI32, 4, 0, &[place, call]);
            b.ret(&[place]);
            b.switch_to(next);
        }
        // Nobody knows this effect: the program ends, and says so.
        b.perform(params[1]);
        b.unreachable();
        self.module.funcs.push(func)
    }

    fn done(&mut self, b: &mut Builder, whole: Value, number: Value, bodies: &[FuncId]) {
        let all = self.types.exports.as_slice();
        let blocks: Vec<_> = bodies.iter().map(|_| b.func.new_block()).collect();
        let number = b.op(Opcode::Wrap, &[number]);
        let targets: Vec<_> = blocks.iter().map(|&block| (block, &[][..])).collect();
        b.br_table(number, &targets);
        for ((export, &body), block) in exports(all).zip(bodies).zip(blocks) {
            b.switch_to(block);
            let given = self.layouts.sequence(&export.results);
            let place = self.place(b, given.size, 0);
            let values = self.results(b, export, body, whole);
            for ((&ty, offset), value) in export.results.iter().zip(&given.offsets[0]).zip(values) {
                self.store(b, ty, value, place, CONTENTS + offset);
            }
            b.ret(&[place]);
        }
    }

    /// Room for a turn with so many bytes; its number is there.
    fn place(&mut self, b: &mut Builder, size: u32, number: i32) -> Value {
        let size = b.iconst64(i64::from(CONTENTS + size));
        let place = self.with_buffer(|buffer, _| buffer.allocate(b, size));
        let number = b.iconst32(number);
        b.inst(Opcode::StoreI32, 0, 0, &[place, number]);
        place
    }

    /// The entry that the host calls by the name of the export.
    fn begin(&mut self, export: &Export, number: usize, body: FuncId, waiting: Waiting) {
        let params: Vec<InterfaceType> = export.params.iter().map(|param| param.1).collect();
        let flat = self.flat_arguments(&params);
        let types: Vec<Type> = flat.iter().map(|flat| flat.ir()).collect();
        let (mut func, entry, values) = function(&format!("interface.{}", export.name), &types, &[Type::I32]);
        let mut b = Builder::new(&mut func, entry);
        let args = self.arguments(&mut b, &params, &values);
        self.with_buffer(|buffer, _| buffer.reset(&mut b));
        let outcome = b.handle((Opcode::HandleCall, u64::from(body.as_u32())), &args);
        let number = b.iconst64(number as i64);
        self.end_turn(&mut b, outcome, number, waiting);
        let func = self.module.funcs.push(func);
        let narrow = (0..).zip(&flat).filter(|(_, flat)| **flat == Flat::F32).map(|(at, _)| at).collect();
        self.module.entries.push(Entry { name: export.name.clone(), func, narrow: (narrow, false) });
    }

    fn end_turn(&mut self, b: &mut Builder, outcome: [Value; 3], number: Value, waiting: Waiting) {
        let [performed, value, continuation] = outcome;
        let place = b.call_value(waiting.turn, &[performed, value, continuation, number], Type::I32);
        b.ret(&[place]);
    }

    /// The export and the continuation of a call that waits for an import.
    fn taken(&mut self, b: &mut Builder, call: Value, import: i64, waiting: Waiting) -> (Value, Value) {
        let import = b.iconst64(import);
        let inst = b.call(waiting.table.take, &[call, import], &[Type::I64, Type::Ref]);
        let results = b.func.results(inst);
        (results[0], results[1])
    }

    /// The entry that goes on with what an import has given, which lies at an address.
    fn settle(&mut self, number: usize, import: &Import, waiting: Waiting) {
        let name = format!("cabi_settle_{number}");
        let (mut func, entry, params) = function(&format!("interface.{name}"), &[Type::I32; 2], &[Type::I32]);
        let mut b = Builder::new(&mut func, entry);
        let value = match import.results.first() {
            None => b.node(WellKnownDesc::Empty.desc()),
            Some(&ty) => {
                let size = b.iconst64(self.layouts.get(ty).size.into());
                self.with_buffer(|buffer, _| buffer.check(&mut b, params[1], size));
                let value = self.load(&mut b, ty, params[1], 0);
                let desc = if b.func.values[value] == Type::F64 { WellKnownDesc::Real } else { WellKnownDesc::Int };
                match b.func.values[value] {
                    Type::Ref => value,
                    _ => {
                        let word = widened(&mut b, value);
                        b.build_node(desc.desc(), 0, &[word])
                    }
                }
            }
        };
        self.with_buffer(|buffer, _| buffer.reset(&mut b));
        let (export, continuation) = self.taken(&mut b, params[0], number as i64 + 1, waiting);
        let outcome = b.handle((Opcode::Resume, 0), &[continuation, value]);
        self.end_turn(&mut b, outcome, export, waiting);
        let func = self.module.funcs.push(func);
        self.entry(name, func);
    }

    /// The entry that raises what an import says of failures.
    fn refuse(&mut self, number: usize, import: &Import, waiting: Waiting) {
        let Some(raises) = import.raises else { return };
        let name = format!("cabi_refuse_{number}");
        let (mut func, entry, params) = function(&format!("interface.{name}"), &[Type::I32; 3], &[Type::I32]);
        let mut b = Builder::new(&mut func, entry);
        let exception = self.lift(&mut b, raises, &mut &params[1..]);
        self.with_buffer(|buffer, _| buffer.reset(&mut b));
        let (export, continuation) = self.taken(&mut b, params[0], number as i64 + 1, waiting);
        let outcome = b.handle((Opcode::Discontinue, 0), &[continuation, exception]);
        self.end_turn(&mut b, outcome, export, waiting);
        let func = self.module.funcs.push(func);
        self.entry(name, func);
    }

    /// The entry that forgets a call, with all that waits for it.
    fn forget(&mut self, waiting: Waiting) {
        let (mut func, entry, params) = function("interface.forget", &[Type::I32], &[]);
        let mut b = Builder::new(&mut func, entry);
        self.taken(&mut b, params[0], 0, waiting);
        b.ret(&[]);
        let func = self.module.funcs.push(func);
        self.entry("cabi_forget".into(), func);
    }
}

/// The results in the order in which a node has them, references first: their numbers and types.
fn fields(types: &[Type]) -> Vec<(usize, Type)> {
    let mut fields: Vec<(usize, Type)> = types.iter().copied().enumerate().collect();
    fields.sort_by_key(|field| field.1 != Type::Ref);
    fields
}

fn word_type(ty: Type) -> Type {
    if ty == Type::I32 { Type::I64 } else { ty }
}

fn widened(b: &mut Builder, value: Value) -> Value {
    if b.func.values[value] == Type::I32 { b.op(Opcode::ExtendU, &[value]) } else { value }
}
