//! Lists between host and module: slices there, nodes or arrays here. Nodes are built from the end, and counted before
//! they are written: nothing recurs over data.

use crate::adapters::Adapter;
use crate::buffer::{begin_loop, place_at, store_slice, wide};
use crate::layout::Abi;
use cleave_ir::interface::{FieldIn, InterfaceType, NodeLayout};
use cleave_ir::{ArrayKind, Block, Builder, Opcode, Type, Value, WellKnownDesc};

impl Adapter<'_> {
    /// A list of the host as the module has it.
    pub fn read_list(
        &mut self,
        b: &mut Builder,
        element: InterfaceType,
        nodes: &[NodeLayout],
        address: Value,
        length: Value,
    ) -> Value {
        let (length, size) = self.checked(b, element, address, length);
        let end = b.node(nodes[0].desc);
        let items = begin_loop(b, length, &[end]);
        // From the last one to the first.
        let one = b.iconst64(1);
        let from_end = b.op(Opcode::Iadd, &[items.index, one]);
        let number = b.op(Opcode::Isub, &[length, from_end]);
        let at = b.op(Opcode::Imul, &[number, size]);
        let at = place_at(b, address, at);
        let value = self.load(b, element, at, 0);
        let node = self.build(b, &nodes[1], &[value, items.state[0]]);
        let list = items.state[0];
        items.end(b, &[node]);
        list
    }

    /// A length of the host, whose elements are there; with the bytes of one.
    pub fn checked(
        &mut self,
        b: &mut Builder,
        element: InterfaceType,
        address: Value,
        length: Value,
    ) -> (Value, Value) {
        let length = wide(b, length);
        let size = b.iconst64(i64::from(self.layouts.get(element).size));
        // What C says of lengths is not to overflow.
        let checked = if self.abi == Abi::C { length } else { b.op(Opcode::Imul, &[length, size]) };
        self.with_buffer(|buffer, _| buffer.check(b, address, checked));
        (length, size)
    }

    /// A list of the host as an array.
    pub fn read_array(
        &mut self,
        b: &mut Builder,
        element: InterfaceType,
        kind: ArrayKind,
        address: Value,
        length: Value,
    ) -> Value {
        let (length, size) = self.checked(b, element, address, length);
        let nothing = match kind.ty() {
            Type::Ref => b.node(WellKnownDesc::Empty.desc()),
            Type::F64 => b.fconst(0),
            _ => b.iconst64(0),
        };
        let array = b.array_new(kind, length, nothing);
        let items = begin_loop(b, length, &[]);
        let at = b.op(Opcode::Imul, &[items.index, size]);
        let at = place_at(b, address, at);
        let value = self.load(b, element, at, 0);
        b.array_set(kind, array, items.index, value);
        items.end(b, &[]);
        array
    }

    /// Copies an array into the buffer, as `write_list` does with a list.
    pub fn write_array(
        &mut self,
        b: &mut Builder,
        element: InterfaceType,
        kind: ArrayKind,
        array: Value,
        place: Value,
    ) {
        let length = b.array_len(kind, array);
        let size = b.iconst64(i64::from(self.layouts.get(element).size));
        let bytes = b.op(Opcode::Imul, &[length, size]);
        let address = self.with_buffer(|buffer, _| buffer.allocate(b, bytes));
        store_slice(b, place, address, length);
        let items = begin_loop(b, length, &[]);
        let value = b.array_get(kind, array, items.index);
        let at = b.op(Opcode::Imul, &[items.index, size]);
        let at = place_at(b, address, at);
        self.store(b, element, value, at, 0);
        items.end(b, &[]);
        b.ret(&[]);
    }

    /// Copies a list into the buffer; its address and length are stored at `place`.
    pub fn write_list(
        &mut self,
        b: &mut Builder,
        element: InterfaceType,
        nodes: &[NodeLayout],
        list: Value,
        place: Value,
    ) {
        let zero = b.iconst64(0);
        // How many are there?
        let (count, counted) = self.walk(b, nodes, list, zero, |_, b, _, number| {
            let one = b.iconst64(1);
            b.op(Opcode::Iadd, &[number, one])
        });
        b.switch_to(counted);
        let size = b.iconst64(i64::from(self.layouts.get(element).size));
        let bytes = b.op(Opcode::Imul, &[count, size]);
        let address = self.with_buffer(|buffer, _| buffer.allocate(b, bytes));
        store_slice(b, place, address, count);
        let start = wide(b, address);
        let (_, done) = self.walk(b, nodes, list, start, |this, b, node, at| {
            let value = this.field(b, &nodes[1], 0, element, node);
            let to = if this.abi == Abi::C { at } else { b.op(Opcode::Wrap, &[at]) };
            this.store(b, element, value, to, 0);
            b.op(Opcode::Iadd, &[at, size])
        });
        b.switch_to(done);
        b.ret(&[]);
    }

    /// Goes along a list, with a number that changes at each element: the number at the end, and the block after.
    fn walk(
        &mut self,
        b: &mut Builder,
        nodes: &[NodeLayout],
        list: Value,
        first: Value,
        mut step: impl FnMut(&mut Self, &mut Builder, Value, Value) -> Value,
    ) -> (Value, Block) {
        let (head, body, after) = (b.func.new_block(), b.func.new_block(), b.func.new_block());
        let node = b.func.add_param(head, Type::Ref);
        let number = b.func.add_param(head, Type::I64);
        b.jump(head, &[list, first]);
        b.switch_to(head);
        let node = self.evaluated(b, node);
        let header = b.op(Opcode::Header, &[node]);
        let end = b.node_info(nodes[0].desc, nodes[0].applied_args);
        let is_end = b.op(Opcode::Eq, &[header, end]);
        b.br_if(is_end, (after, &[]), (body, &[]));
        b.switch_to(body);
        self.expect(b, node, &nodes[1]);
        let next = step(self, b, node, number);
        let shape = self.module.shape(nodes[1].desc, nodes[1].applied_args);
        let FieldIn::Ref(at) = nodes[1].fields[1] else { unreachable!("the rest of a list is a reference") };
        let rest = b.get_of(Opcode::GetRef, shape, at, node);
        b.jump(head, &[rest, next]);
        (number, after)
    }
}
