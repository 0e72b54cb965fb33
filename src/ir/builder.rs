//! Appends instructions to a function, computing result types from the opcode table.

use crate::arrays::ArrayKind;
use crate::entity::{Block, Caf, Desc, FuncId, Inst, Static, Table, ThunkInfo, Value};
use crate::func::{Func, pack};
use crate::heap::Heap;
use crate::layout::{self, Shape};
use crate::opcode::{Opcode, ResultRule};
use crate::runtime::{Callee, Libcall};
use crate::types::Type;
use cleave_abi::rc;

/// Writes at the end of one block of one function.
pub struct Builder<'a> {
    /// The function that grows.
    pub func: &'a mut Func,
    /// The block that the next instruction goes to.
    pub block: Block,
}

impl<'a> Builder<'a> {
    /// Starts in a block, which need not be empty.
    pub fn new(func: &'a mut Func, block: Block) -> Self {
        Builder { func, block }
    }

    /// Goes on at the end of another block.
    pub fn switch_to(&mut self, block: Block) {
        self.block = block;
    }

    /// Any instruction whose result types follow from its operands.
    pub fn inst(&mut self, op: Opcode, imm: u64, aux: u32, args: &[Value]) -> Inst {
        let one;
        let results: &[Type] = match op.info().result {
            ResultRule::None => &[],
            ResultRule::One(ty) => {
                one = [ty];
                &one
            }
            ResultRule::SameAsFirst => {
                one = [self.func.values[args[0]]];
                &one
            }
            ResultRule::SameAsSecond => {
                one = [self.func.values[args[1]]];
                &one
            }
            ResultRule::Element => {
                one = [ArrayKind::unpack(imm).ty()];
                &one
            }
            ResultRule::Outcome => &ResultRule::OUTCOME,
            ResultRule::Callee | ResultRule::Handled => unreachable!("calls need their result types"),
        };
        self.func.append(self.block, op, imm, aux, args, results)
    }

    /// The same, for an instruction with one result.
    pub fn value(&mut self, op: Opcode, imm: u64, aux: u32, args: &[Value]) -> Value {
        let inst = self.inst(op, imm, aux, args);
        self.func.result(inst)
    }

    /// An instruction with one result and no immediates.
    pub fn op(&mut self, op: Opcode, args: &[Value]) -> Value {
        self.value(op, 0, 0, args)
    }
    /// An instruction without result and immediates.
    pub fn effect(&mut self, op: Opcode, args: &[Value]) {
        self.inst(op, 0, 0, args);
    }
    /// A constant of type i32.
    pub fn iconst32(&mut self, n: i32) -> Value {
        self.value(Opcode::Iconst32, n as i64 as u64, 0, &[])
    }
    /// A constant of type i64.
    pub fn iconst64(&mut self, n: i64) -> Value {
        self.value(Opcode::Iconst64, n as u64, 0, &[])
    }
    /// A constant of type f64, from its bits (`f64::to_bits`).
    pub fn fconst(&mut self, bits: u64) -> Value {
        self.value(Opcode::Fconst, bits, 0, &[])
    }
    /// The header word of nodes of a descriptor that hold so many arguments.
    pub fn node_info(&mut self, desc: Desc, applied_args: u32) -> Value {
        self.value(Opcode::NodeInfoAddr, desc.as_u32() as u64, applied_args, &[])
    }
    /// The header word of thunks of an entry.
    pub fn thunk_info_addr(&mut self, entry: ThunkInfo) -> Value {
        self.value(Opcode::ThunkInfoAddr, entry.as_u32() as u64, 0, &[])
    }
    /// The static node of a descriptor without arguments.
    pub fn node(&mut self, desc: Desc) -> Value {
        self.value(Opcode::NodeRef, desc.as_u32() as u64, 0, &[])
    }
    /// A static object: string or node.
    pub fn static_ref(&mut self, string: Static) -> Value {
        self.value(Opcode::StaticRef, string.as_u32() as u64, 0, &[])
    }
    /// The address of a text block, as `print_text` takes it.
    pub fn text(&mut self, text: Static) -> Value {
        self.value(Opcode::TextAddr, text.as_u32() as u64, 0, &[])
    }
    /// `get.*`, `set.*`, `arg.*`: field `index` of a node with `refs` references and `words` raw words.
    pub fn field(&mut self, op: Opcode, ptrs: u32, nptrs: u32, index: u32, args: &[Value]) -> Inst {
        self.inst(op, Shape::new(ptrs, nptrs).pack(), index, args)
    }
    /// Field `index` of a node with `refs` references and `words` raw words; each kind counts from 0.
    pub fn get(&mut self, op: Opcode, ptrs: u32, nptrs: u32, index: u32, node: Value) -> Value {
        self.value(op, Shape::new(ptrs, nptrs).pack(), index, &[node])
    }
    /// The same for nodes of any descriptor: `Module::shape` tells its shape.
    pub fn get_of(&mut self, op: Opcode, shape: Shape, index: u32, node: Value) -> Value {
        self.value(op, shape.pack(), index, &[node])
    }
    /// Overwrites a field of a node.
    pub fn set_of(&mut self, op: Opcode, shape: Shape, index: u32, node: Value, value: Value) {
        self.inst(op, shape.pack(), index, &[node, value]);
    }
    /// A node that holds `held` arguments: `args`, references first. Records take all of their fields.
    pub fn build_node(&mut self, desc: Desc, applied_args: u32, args: &[Value]) -> Value {
        self.value(Opcode::BuildNode, desc.as_u32() as u64, applied_args, args)
    }
    /// A suspended call of the entry's code; `args` has references first.
    pub fn build_thunk(&mut self, entry: ThunkInfo, args: &[Value]) -> Value {
        self.value(Opcode::BuildThunk, entry.as_u32() as u64, 0, args)
    }
    /// `args` starts with the node to fill.
    pub fn fill_node(&mut self, desc: Desc, applied_args: u32, args: &[Value]) {
        self.inst(Opcode::FillNode, desc.as_u32() as u64, applied_args, args);
    }
    /// An integer that fits (`fits_int`) as a reference, without an object.
    pub fn int_ref(&mut self, integer: Value) -> Value {
        self.op(Opcode::IntRef, &[integer])
    }
    /// The integer of an immediate (`is_int`).
    pub fn ref_int(&mut self, immediate: Value) -> Value {
        self.op(Opcode::RefInt, &[immediate])
    }
    /// Ends the block: goes to `immediate` if the reference is one, else to `object`.
    pub fn br_int(&mut self, reference: Value, immediate: (Block, &[Value]), object: (Block, &[Value])) {
        let is_int = self.op(Opcode::IsInt, &[reference]);
        self.br_if(is_int, immediate, object);
    }
    /// Any integer as a reference: an immediate if it fits, else a new node of `large`, a descriptor of one word. What
    /// follows is appended to a new block.
    pub fn int_or_box(&mut self, integer: Value, large: Desc) -> Value {
        let [small, boxed, done] = [(); 3].map(|()| self.func.new_block());
        let result = self.func.add_param(done, Type::Ref);
        let fits = self.op(Opcode::FitsInt, &[integer]);
        self.br_if(fits, (small, &[]), (boxed, &[]));
        self.func.blocks[boxed].is_cold = true;
        self.switch_to(small);
        let immediate = self.int_ref(integer);
        self.jump(done, &[immediate]);
        self.switch_to(boxed);
        let node = self.build_node(large, 0, &[integer]);
        self.jump(done, &[node]);
        self.switch_to(done);
        result
    }
    /// A new array all of whose elements are this value.
    pub fn array_new(&mut self, kind: ArrayKind, size: Value, value: Value) -> Value {
        self.value(Opcode::ArrayNew, kind.pack(), 0, &[size, value])
    }
    /// An element of an array; the program stops if there is none of this index.
    pub fn array_get(&mut self, kind: ArrayKind, array: Value, index: Value) -> Value {
        self.value(Opcode::ArrayGet, kind.pack(), 0, &[array, index])
    }
    /// Overwrites an element of an array; the program stops if there is none of this index.
    pub fn array_set(&mut self, kind: ArrayKind, array: Value, index: Value, value: Value) {
        self.inst(Opcode::ArraySet, kind.pack(), 0, &[array, index, value]);
    }
    /// The number of elements.
    pub fn array_len(&mut self, kind: ArrayKind, array: Value) -> Value {
        self.value(Opcode::ArrayLen, kind.pack(), 0, &[array])
    }
    /// A new array of the elements from `from` on, before `to`.
    pub fn array_slice(&mut self, kind: ArrayKind, array: Value, from: Value, to: Value) -> Value {
        self.value(Opcode::ArraySlice, kind.pack(), 0, &[array, from, to])
    }
    /// Copies `count` elements of one array, from `start` on, to another, from `at` on; the two may be one.
    pub fn array_copy(
        &mut self,
        kind: ArrayKind,
        (to, at): (Value, Value),
        (from, start): (Value, Value),
        count: Value,
    ) {
        self.inst(Opcode::ArrayCopy, kind.pack(), 0, &[to, at, from, start, count]);
    }
    /// A byte of a string, from 0 to 255. The index must be in range (`Opcode::StringSize`): it is not tested.
    pub fn string_get(&mut self, heap: Heap, string: Value, index: Value) -> Value {
        let begin = if heap.counts() { rc::STRING_DATA } else { layout::STRING_DATA };
        self.value(Opcode::ElemU8, pack(1, begin), 0, &[string, index])
    }
    /// `caf_get.*`, `caf_set.*`, and their like: field `index` of a constant applicative form.
    pub fn caf(&mut self, op: Opcode, caf: Caf, index: u32, args: &[Value]) -> Inst {
        self.inst(op, caf.as_u32() as u64, index, args)
    }
    /// A call of a function with these result types.
    pub fn call(&mut self, func: FuncId, args: &[Value], results: &[Type]) -> Inst {
        self.func.append(self.block, Opcode::Call, func.as_u32() as u64, 0, args, results)
    }
    /// The same, for a function with one result.
    pub fn call_value(&mut self, func: FuncId, args: &[Value], result: Type) -> Value {
        let inst = self.call(func, args, &[result]);
        self.func.result(inst)
    }
    /// Calls a declared extern (`Module::callee`).
    pub fn call_extern(&mut self, callee: Callee, args: &[Value]) -> Inst {
        self.func.append(self.block, Opcode::CallRt, callee.imm(), 0, args, callee.results)
    }
    /// Calls a function of the runtime that every module has.
    pub fn call_rt(&mut self, libcall: Libcall, args: &[Value]) -> Inst {
        self.call_extern(libcall.callee(), args)
    }
    /// `args` starts with the index.
    pub fn call_table(&mut self, table: Table, args: &[Value], results: &[Type]) -> Inst {
        self.func.append(self.block, Opcode::CallTable, table.as_u32() as u64, 0, args, results)
    }
    /// `args` starts with the node whose descriptor names the function.
    pub fn call_method(&mut self, table: Table, args: &[Value], results: &[Type]) -> Inst {
        self.func.append(self.block, Opcode::CallMethod, table.as_u32() as u64, 0, args, results)
    }
    /// `args` starts with the closure.
    pub fn apply(&mut self, args: &[Value]) -> Value {
        self.op(Opcode::Apply, args)
    }
    /// Ends the block. `args` are for the parameters of `to`.
    pub fn jump(&mut self, to: Block, args: &[Value]) {
        self.inst(Opcode::Jump, 0, 0, &[]);
        self.func.add_edge(self.block, to, args);
    }
    /// Ends the block: goes to `then` if the condition, an i32, is not 0.
    pub fn br_if(&mut self, condition: Value, then: (Block, &[Value]), otherwise: (Block, &[Value])) {
        self.inst(Opcode::BrIf, 0, 0, &[condition]);
        self.func.add_edge(self.block, then.0, then.1);
        self.func.add_edge(self.block, otherwise.0, otherwise.1);
    }
    /// Ends the block and the function.
    pub fn ret(&mut self, values: &[Value]) {
        self.inst(Opcode::Return, 0, 0, values);
    }
    /// Ends the block: the callee takes the place of this function, whose result types it has.
    pub fn tail_call(&mut self, func: FuncId, args: &[Value]) {
        self.inst(Opcode::TailCall, func.as_u32() as u64, 0, args);
    }
    /// The same through a table; `args` starts with the index.
    pub fn tail_call_table(&mut self, table: Table, args: &[Value]) {
        self.inst(Opcode::TailCallTable, table.as_u32() as u64, 0, args);
    }
    /// The same by the descriptor of a node; `args` starts with the node.
    pub fn tail_call_method(&mut self, table: Table, args: &[Value]) {
        self.inst(Opcode::TailCallMethod, table.as_u32() as u64, 0, args);
    }
    /// Ends the block: `apply` in place of this function; `args` starts with the closure.
    pub fn tail_apply(&mut self, args: &[Value]) {
        self.effect(Opcode::TailApply, args);
    }
    /// Ends the block: goes to the target of this number, an i32, or to the last one if there is none.
    pub fn br_table(&mut self, number: Value, targets: &[(Block, &[Value])]) {
        self.inst(Opcode::BrTable, 0, 0, &[number]);
        targets.iter().for_each(|target| self.func.add_edge(self.block, target.0, target.1));
    }
    /// Ends the block: goes where the constructor of an evaluated node leads, given as descriptor and number of
    /// arguments that the node holds (0 for records). The last case is for all others, and is not tested.
    pub fn switch(&mut self, node: Value, cases: &[(Desc, u32, Block)]) {
        let Some((&(_, _, last), tested)) = cases.split_last() else { return self.unreachable() };
        if tested.is_empty() {
            return self.jump(last, &[]);
        }
        let header = self.op(Opcode::Header, &[node]);
        for (at, &(desc, applied_args, then)) in tested.iter().enumerate() {
            let wanted = self.node_info(desc, applied_args);
            let is_it = self.op(Opcode::Eq, &[header, wanted]);
            let otherwise = if at + 1 == tested.len() { last } else { self.func.new_block() };
            self.br_if(is_it, (then, &[]), (otherwise, &[]));
            self.switch_to(otherwise);
        }
    }
    /// Ends the block: a call with a handler. `call` is `try_call`, `try_call_table`, `try_call_method` or `try_apply`,
    /// with its immediate and its operands; `results` are the types of what is called. Gives the results and the
    /// exception: `handled_by` says where they go.
    pub fn try_call(&mut self, call: (Opcode, u64), args: &[Value], results: &[Type]) -> Vec<Value> {
        let types: Vec<Type> = results.iter().copied().chain([Type::Ref]).collect();
        let inst = self.func.append(self.block, call.0, call.1, 0, args, &types);
        self.func.results(inst).to_vec()
    }
    /// The targets of the call with a handler that ends the block: where the function goes on, perhaps with results,
    /// and the handler, perhaps with the exception.
    pub fn handled_by(&mut self, normal: (Block, &[Value]), handler: (Block, &[Value])) {
        self.func.add_edge(self.block, normal.0, normal.1);
        self.func.add_edge(self.block, handler.0, handler.1);
    }
    /// Ends the block: leaves the function with an exception.
    pub fn raise(&mut self, exception: Value) {
        self.effect(Opcode::Raise, &[exception]);
    }
    /// Performs an effect; gives the value that its continuation is resumed with.
    pub fn perform(&mut self, effect: Value) -> Value {
        self.op(Opcode::Perform, &[effect])
    }
    /// A call whose effects are handled, or what goes on with a continuation: `call` is `handle_call`,
    /// `handle_call_table`, `handle_call_method` or `handle_apply` with its immediate, or `resume` or `discontinue`
    /// with 0. Gives an i32 that is 1 if an effect was performed; the effect, or the result; the continuation, or
    /// nothing.
    pub fn handle(&mut self, call: (Opcode, u64), args: &[Value]) -> [Value; 3] {
        let inst = self.inst(call.0, call.1, 0, args);
        let results = self.func.results(inst);
        [results[0], results[1], results[2]]
    }
    /// Ends the block: control never gets here.
    pub fn unreachable(&mut self) {
        self.inst(Opcode::Unreachable, 0, 0, &[]);
    }
}
