//! Objects of the host that the program has: cells with the number by which the host knows them. When a cell has died
//! the host is told its number, once.
//!
//! ```text
//! canonical   the host has a table; `host.cabi_forget(number)` says that the program has an object no more
//! component   the number is a handle that is the component's, and is dropped; above it is the number of the type
//! C           an object is its address and the function that drops it; the library has the table
//! ```
//! The host is told at the end of entries, never from inside of a collection. What a call gives may lead to a cell
//! that is dead by then: so the host takes what it needs before it does something about the numbers that it was told.
//!
//! Functions of the host (`callbacks`) are such objects, too: a closure holds the cell.

use crate::adapters::{Adapter, boxed};
use crate::buffer::{call, function, require};
use crate::layout::Abi;
use crate::outside::call_outside;
use crate::resources;
use cleave_ir::interface::{Interface, InterfaceKind, InterfaceType};
use cleave_ir::layout::DescriptorKind;
use cleave_ir::{
    Builder, DescData, Effects, Func, LibcallSignature, Module, Opcode, RecordData, Type, Value, libcalls,
};

/// What tells the host that the program has an object no more.
pub const FORGET: &str = "cabi_forget";

/// Functions of the library for C.
const KEEP_C: &str = "cleave_library_keep";
const LEND_C: &str = "cleave_library_lend";
const FORGET_C: &str = "cleave_library_forget";

/// The host may give the program something that it keeps.
pub fn has_some(interface: &Interface) -> bool {
    interface.types.keys().any(|id| resources::is_resource(interface, id))
}

/// What makes another handle of an object of a type for the host of a component.
pub fn clone(id: InterfaceType) -> String {
    format!("cabi_clone_{}", id.as_u32())
}

/// The row of a function of the runtime on the heap of a module.
fn row(module: &Module, rows: [&'static LibcallSignature; 2]) -> &'static LibcallSignature {
    rows[usize::from(module.heap.counts())]
}

impl Adapter<'_> {
    /// The value for an object of the host: its number, or in C its address and the function that drops it.
    pub fn foreign_in(&mut self, b: &mut Builder, ty: InterfaceType, flat: &[Value]) -> Value {
        let number = match self.abi {
            Abi::C => call_outside(self.module, b, (KEEP_C, Effects::EFFECT), flat, &[Type::I64])[0],
            Abi::Canonical | Abi::Component => b.op(Opcode::ExtendU, &flat[..1]),
        };
        let cell = self.foreign_cell(b, ty, number);
        boxed(b, self.data(ty), cell)
    }

    /// A cell for a number of the host.
    pub fn foreign_cell(&mut self, b: &mut Builder, ty: InterfaceType, number: Value) -> Value {
        let mut number = number;
        if self.abi == Abi::Component {
            let of_type = b.iconst64(i64::from(ty.as_u32()) << 32);
            number = b.op(Opcode::Or, &[number, of_type]);
        }
        let desc = *self.foreign.get_or_insert_with(|| self.module.descs.push(desc()));
        let header = b.node_info(desc, 0);
        let new = row(self.module, [&libcalls::NEW_FOREIGN, &libcalls::RC_NEW_FOREIGN]);
        call(self.module, b, new, &[header, number]).expect("it gives a cell")
    }

    /// The number in a cell, which the program has not given back. (A component asks once more after a call to which it
    /// has lent the handle: if the cell died meanwhile, a call inside of that one would drop the handle.)
    pub fn foreign_number(&mut self, b: &mut Builder, cell: Value) -> Value {
        let get = row(self.module, [&libcalls::FOREIGN_NUMBER, &libcalls::RC_FOREIGN_NUMBER]);
        let number = call(self.module, b, get, &[cell]).expect("it gives a number");
        let zero = b.iconst64(0);
        let is_open = b.op(Opcode::Sge, &[number, zero]);
        require(self.module, b, is_open, "The program uses an object of the host that it has dropped.");
        number
    }

    /// What the host gets for a value, where that is one. A component gives its handle to nobody, but another one.
    pub fn foreign_out(&mut self, b: &mut Builder, ty: InterfaceType, value: Value) -> Value {
        let cell = self.unboxed(b, self.data(ty), value);
        let number = self.foreign_number(b, cell);
        let number = b.op(Opcode::Wrap, &[number]);
        match self.abi {
            Abi::Component => self.outside(b, |this, b| {
                let effects = this.effects();
                let other = call_outside(this.module, b, (&clone(ty), effects), &[number], &[Type::I32])[0];
                this.foreign_number(b, cell);
                other
            }),
            Abi::Canonical | Abi::C => number,
        }
    }

    /// The same in C, written to an address: the object stays until the results are freed.
    pub fn lend(&mut self, b: &mut Builder, ty: InterfaceType, value: Value, place: Value) {
        let cell = self.unboxed(b, self.data(ty), value);
        let number = self.foreign_number(b, cell);
        call_outside(self.module, b, (LEND_C, Effects::EFFECT), &[number, place], &[]);
    }

    /// At the end of entries the host is told which objects the program has no more.
    pub fn forget_at_ends(&mut self) {
        if !has_some(self.types) {
            return;
        }
        let (mut func, entry, _) = function("interface.forget", &[], &[]);
        let mut b = Builder::new(&mut func, entry);
        let (head, some, none) = (b.func.new_block(), b.func.new_block(), b.func.new_block());
        b.jump(head, &[]);
        b.switch_to(head);
        let take = row(self.module, [&libcalls::TAKE_FOREIGN, &libcalls::RC_TAKE_FOREIGN]);
        let number = call(self.module, &mut b, take, &[]).expect("it gives a number");
        let zero = b.iconst64(0);
        let is_one = b.op(Opcode::Sge, &[number, zero]);
        b.br_if(is_one, (some, &[]), (none, &[]));
        b.switch_to(some);
        match self.abi {
            Abi::C => _ = call_outside(self.module, &mut b, (FORGET_C, Effects::EFFECT), &[number], &[]),
            Abi::Canonical => {
                let number = b.op(Opcode::Wrap, &[number]);
                call_outside(self.module, &mut b, (FORGET, Effects::EFFECT), &[number], &[]);
            }
            Abi::Component => self.outside(&mut b, |this, b| this.drop_handle(b, number)),
        }
        b.jump(head, &[]);
        b.switch_to(none);
        b.ret(&[]);
        let forget = self.module.funcs.push(func);
        // Destructors of components do nothing but what they must.
        let drops = self.abi != Abi::Component;
        let runs = |name: &str| match name {
            "cabi_realloc" => false,
            "cabi_drop" => drops,
            name => !name.starts_with("cabi_post_"),
        };
        for entry in self.module.entries.iter().filter(|entry| runs(&entry.name)) {
            before_returns(&mut self.module.funcs[entry.func], |b| _ = b.call(forget, &[], &[]));
        }
    }

    /// Calls the host, which may call the program: what is in the buffer stays there meanwhile.
    fn outside<T>(&mut self, b: &mut Builder, work: impl FnOnce(&mut Self, &mut Builder) -> T) -> T {
        let before = self.buffer.as_ref().map(|buffer| {
            let before = buffer.open(b);
            buffer.begin_inner(b);
            before
        });
        let result = work(self, b);
        if let (Some(buffer), Some(before)) = (&self.buffer, before) {
            buffer.close(b, before);
        }
        result
    }

    /// Drops a handle of the host, of whatever type it is.
    fn drop_handle(&mut self, b: &mut Builder, number: Value) {
        let after = b.func.new_block();
        let (handle, width) = (b.op(Opcode::Wrap, &[number]), b.iconst64(32));
        let of = b.op(Opcode::Ushr, &[number, width]);
        let given = resources::given(self.types);
        for (id, data) in &self.types.types {
            let what = match data.kind {
                InterfaceKind::Foreign(_) => "drop",
                InterfaceKind::Function(..) if given[id] => "forget",
                _ => continue,
            };
            let [this, next] = [(); 2].map(|()| b.func.new_block());
            let wanted = b.iconst64(id.as_u32().into());
            let is_it = b.op(Opcode::Eq, &[of, wanted]);
            b.br_if(is_it, (this, &[]), (next, &[]));
            b.switch_to(this);
            self.call_resource(b, what, id, handle, self.effects());
            b.jump(after, &[]);
            b.switch_to(next);
        }
        b.jump(after, &[]);
        b.switch_to(after);
    }
}

/// Puts something before each return of a function.
fn before_returns(func: &mut Func, mut put: impl FnMut(&mut Builder)) {
    for at in 0..func.layout.len() {
        let block = func.layout[at];
        let Some(&last) = func.blocks[block].insts.last() else { continue };
        if func.insts[last].op == Opcode::Return {
            func.blocks[block].insts.pop();
            put(&mut Builder::new(func, block));
            func.blocks[block].insts.push(last);
        }
    }
}

fn desc() -> DescData {
    let record = RecordData { ptrs: 0, nptrs: 2, types: b"ii"[..].into(), nested: Vec::new() };
    DescData {
        name: b"<object of the host>"[..].into(),
        kind: DescriptorKind::Foreign,
        record: Some(record),
        ..DescData::atom("interface.foreign", 0)
    }
}
