//! Lowers rooted IR of the reference-counted heap: cells become loads and stores, counting becomes arithmetic.
//!
//! What is common is inline: taking a cell from the free list of its size class, one reference more, one less, the test
//! for the last one, giving back a cell that has no other references in it. The runtime is called when a list is empty
//! (`alloc_object`), and to free a cell with all that it refers to (`release_last`).
//!
//! A node that takes the memory of another writes what changes. A field that was read from that node and goes where it
//! was is there already; likewise the header, if the two have one row. Where the memory is new, because the old node
//! had other references, such fields are written there, on the slow path.

mod arrays;
mod counts;
mod holes;
mod kinds;
mod storage;
mod strings;
mod tables;

use super::immediates;
use crate::context::ModuleContext;
use crate::lower::emit::Emit;
use crate::parallel;
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::layout::{SLOT, Shape};
use cleave_ir::lowered_signature::{STACK_POINTER, stack_pointer_operand};
use cleave_ir::opcode::{Boxed, Cell, Count, Element, Field, Load, Size};
use cleave_ir::rc::{self, COUNT, FREE_LISTS};
use cleave_ir::{
    Block, Desc, Func, Group, Inst, InstData, Libcall, Location, Module, Opcode, Phase, Type, Value, ValueList,
    WrittenFields,
};
use smallvec::SmallVec;
pub use tables::Tables;

type Values = SmallVec<[Value; 8]>;

/// References and words in the immediate of an instruction.
fn payload(data: &InstData) -> (u32, u32) {
    let Shape { ptrs, nptrs, .. } = data.field_shape();
    (ptrs, nptrs)
}

/// Lowers all functions.
pub fn run(module: &mut Module, data_section: &StaticDataSection) {
    let keeps_rc_stats = module.keeps_rc_stats;
    let written = WrittenFields::of(module);
    parallel::each_with(module, |tables: &mut Tables, func, cx| {
        lower(func, (cx, data_section, &written), keeps_rc_stats, tables);
    });
}

/// Lowers one function.
fn lower(
    func: &mut Func,
    (cx, data_section, written): (&ModuleContext, &StaticDataSection, &WrittenFields),
    keeps_rc_stats: bool,
    tables: &mut Tables,
) {
    func.phase = Phase::Low;
    if !tables.collect(cx, func) {
        return;
    }
    // Most instructions become several.
    let (insts, blocks) = (func.inst_count(), func.layout.len());
    func.insts.reserve(insts);
    func.values.reserve(insts);
    func.blocks.reserve(blocks);
    func.layout.reserve(blocks);
    let block = func.entry_block();
    let tables_of_func = std::mem::take(tables);
    let mut lowering =
        Lowering { func, cx, data_section, written, keeps_rc_stats, tables: tables_of_func, block, home: block };
    for at in 0..lowering.func.layout.len() {
        let block = lowering.func.layout[at];
        lowering.block(block);
    }
    *tables = lowering.tables;
}

struct Lowering<'f> {
    func: &'f mut Func,
    cx: &'f ModuleContext<'f>,
    data_section: &'f StaticDataSection,
    /// What is read from these fields may not be there any more.
    written: &'f WrittenFields,
    /// The program is to say what it did.
    keeps_rc_stats: bool,
    tables: Tables,
    /// The block that instructions are appended to.
    block: Block,
    /// The block that is being lowered.
    home: Block,
}

/// What the memory of a token holds already for all nodes that may take it.
struct Holds {
    /// Their row, if it is one.
    node_info: Option<(Desc, u32)>,
    /// The node that died has that row.
    same_node_info: bool,
    /// Operands of the nodes, by number, that are in their places.
    fields: Vec<usize>,
}

impl Emit for Lowering<'_> {
    fn end(&mut self) -> (&mut Func, Block) {
        (self.func, self.block)
    }
}

impl Lowering<'_> {
    fn block(&mut self, block: Block) {
        let old = std::mem::take(&mut self.func.blocks[block].insts);
        let edges = std::mem::take(&mut self.func.blocks[block].edges);
        self.func.blocks[block].insts.reserve(old.len());
        (self.block, self.home) = (block, block);
        if let Some(kinds) = &mut self.tables.kinds {
            kinds.enter();
        }
        let first_new = self.func.blocks.len();
        for inst in old {
            self.func.set_location_of(inst);
            self.inst(inst, block);
            if let Some(kinds) = &mut self.tables.kinds {
                kinds.pass(self.cx, self.func, inst);
            }
        }
        if self.func.blocks[block].is_cold {
            self.func.blocks.values_mut().skip(first_new).for_each(|new| new.is_cold = true);
        }
        self.func.set_location(Location::NONE);
        self.func.blocks[self.block].edges = edges;
    }

    /// The instruction that defines a value.
    fn def(&self, value: Value) -> Option<Inst> {
        self.tables.defs[value].expand()
    }

    // -- emission -----------------------------------------------------------------------------------------------------

    fn jump(&mut self, target: Block, args: &[Value]) {
        self.func.append(self.block, Opcode::Jump, 0, 0, &[], &[]);
        self.func.add_edge(self.block, target, args);
    }
    fn branch(&mut self, condition: Value, then: Block, otherwise: Block) {
        self.func.append(self.block, Opcode::BrIf, 0, 0, &[condition], &[]);
        self.func.add_edge(self.block, then, &[]);
        self.func.add_edge(self.block, otherwise, &[]);
    }
    /// A new block whose parameter is an existing value.
    fn block_with(&mut self, param: Value) -> Block {
        let block = self.func.new_block();
        self.func.blocks[block].params = ValueList::from_slice(&[param], &mut self.func.pool);
        block
    }

    /// Tells the runtime of an event, if the program is to say at its end how often that happened.
    fn note(&mut self, event: u32, bytes: u32) {
        if self.keeps_rc_stats {
            let event = self.iconst32(event);
            let bytes = self.iconst32(bytes);
            self.effect(Opcode::CallRt, Libcall::CountCells.callee().imm(), &[event, bytes]);
        }
    }

    // -- cells --------------------------------------------------------------------------------------------------------

    /// A cell of a class, as a new value. What it holds is not defined.
    fn cell(&mut self, class: u32) -> Value {
        let cell = self.func.new_value(Type::Ref);
        self.cell_as(cell, class);
        cell
    }

    /// The same as an existing value.
    fn cell_as(&mut self, cell: Value, class: u32) {
        self.note(rc::EVENT_NEW, rc::class_bytes(class));
        let list = self.iconst32(self.data_section.program + FREE_LISTS + class * SLOT);
        let first = self.op(Opcode::LoadRef, 0, &[list], Type::Ref);
        let address = self.op(Opcode::RefAddr, 0, &[first], Type::I32);
        let (fast, slow, done) = (self.func.new_block(), self.func.new_block(), self.block_with(cell));
        self.branch(address, fast, slow);
        self.block = fast;
        let link = self.op(Opcode::LoadI32, 0, &[first], Type::I32);
        let bytes = self.iconst32(rc::class_bytes(class));
        let end = self.op(Opcode::Iadd, 0, &[address, bytes], Type::I32);
        let next = self.op(Opcode::Iadd, 0, &[end, link], Type::I32);
        self.effect(Opcode::StoreI32, 0, &[list, next]);
        self.jump(done, &[first]);
        self.block = slow;
        let number = self.iconst32(class);
        let new = self.op(Opcode::CallRt, Libcall::AllocObject.callee().imm(), &[number], Type::Ref);
        self.jump(done, &[new]);
        self.block = done;
    }

    /// Puts a cell into the list of its class.
    fn free(&mut self, cell: Value, class: u32) {
        self.note(rc::EVENT_FREE, rc::class_bytes(class));
        let list = self.iconst32(self.data_section.program + FREE_LISTS + class * SLOT);
        let first = self.op(Opcode::LoadI32, 0, &[list], Type::I32);
        let address = match self.func.values[cell] {
            Type::Ref => self.op(Opcode::RefAddr, 0, &[cell], Type::I32),
            _ => cell,
        };
        let bytes = self.iconst32(rc::class_bytes(class));
        let end = self.op(Opcode::Iadd, 0, &[address, bytes], Type::I32);
        let link = self.op(Opcode::Isub, 0, &[first, end], Type::I32);
        self.effect(Opcode::StoreI32, 0, &[address, link]);
        self.effect(Opcode::StoreI32, 0, &[list, address]);
    }

    /// Header, and a count of one.
    fn store_header(&mut self, cell: Value, node_info: (Desc, u32)) {
        let count = if self.cx.cycles.contains(node_info.0) { rc::FIRST_CYCLIC } else { 1 };
        let word = u64::from(self.data_section.node_info(node_info.0, node_info.1)) | u64::from(count) << 32;
        let word = self.op(Opcode::Iconst64, word, &[], Type::I64);
        self.effect(Opcode::StoreI64, 0, &[cell, word]);
    }

    fn store_field(&mut self, cell: Value, ptrs: u32, number: usize, field: Value) {
        let number = number as u32;
        let offset = if number < ptrs { rc::reference(number) } else { rc::word(ptrs, number - ptrs) };
        self.store(cell, offset, field);
    }

    // -- counts -------------------------------------------------------------------------------------------------------

    /// Numbers of the reference fields of a dying node that nobody keeps.
    fn unwanted(&self, kept: &[Value], ptrs: u32) -> Vec<u32> {
        let field = |value: &Value| self.def(*value).map(|inst| self.func.insts[inst].aux);
        (0..ptrs).filter(|number| kept.iter().all(|value| field(value) != Some(*number))).collect()
    }

    /// Releases fields of a node that has no references any more.
    fn release_fields(&mut self, node: Value, fields: &[u32]) {
        for &number in fields {
            let field = self.op(Opcode::LoadRef, u64::from(rc::reference(number)), &[node], Type::Ref);
            self.release(field);
        }
    }

    fn drop(&mut self, args: &[Value], shape: (u32, u32)) {
        let (node, kept) = (args[0], &args[1..]);
        let unwanted = self.unwanted(kept, shape.0);
        if kept.is_empty() && !unwanted.is_empty() {
            return self.release_object(node);
        }
        let others = self.split(node, kept);
        let done = self.func.new_block();
        self.release_fields(node, &unwanted);
        self.free(node, self.cx.cell_sizes.class(shape.0, shape.1));
        self.jump(done, &[]);
        self.block = others;
        self.jump(done, &[]);
        self.block = done;
    }

    /// What nodes that take the memory of a dying one find there, from `block` on.
    fn holds(&self, token: Value, node: Value, shape: (u32, u32), block: Block) -> Holds {
        let node_info = |inst: &Inst| (self.func.insts[*inst].desc(), self.func.insts[*inst].aux);
        let users = &self.tables.users[token];
        let first = users.first().map(node_info);
        let one = first.filter(|&first| users.iter().all(|user| node_info(user) == first));
        let same_node_info = one.is_some_and(|node_info| self.tables.node_infos.is(node, block, node_info));
        let mut fields = Vec::new();
        if users.iter().all(|user| self.cx.payload(node_info(user).0, node_info(user).1) == shape) {
            let is_there = |user: &Inst, number: usize| {
                let operand = self.func.args(*user)[1 + number];
                let Some(def) = self.def(operand).map(|inst| &self.func.insts[inst]) else { return false };
                let (ptrs, index) = (shape.0 as usize, def.aux as usize);
                let place = match Field::of(def.op) {
                    Some(Field::GetRef) => index,
                    Some(Field::GetI64 | Field::GetF64) => ptrs + index,
                    Some(Field::SetRef | Field::SetI64 | Field::SetF64) => return false,
                    Some(Field::ArgRef | Field::ArgI64 | Field::ArgF64) | None => return false,
                };
                let stays = def.op == Opcode::GetRef || !self.written.may_change(def);
                place == number && stays && payload(def) == shape && def.args.as_slice(&self.func.pool) == [node]
            };
            let all = 0..(shape.0 + shape.1) as usize;
            fields = all.filter(|&number| users.iter().all(|user| is_there(user, number))).collect();
        }
        Holds { node_info: one, same_node_info, fields }
    }

    /// `reset`, and `renew` if the token must be memory.
    fn reset(&mut self, inst: Inst, block: Block, args: &[Value]) {
        let data = &self.func.insts[inst];
        let (shape, renews) = (payload(data), data.op == Opcode::ResetOrAlloc);
        let token = self.func.result(inst);
        let (node, kept) = (args[0], &args[1..]);
        let unwanted = self.unwanted(kept, shape.0);
        let holds = self.holds(token, node, shape, block);
        let done = self.block_with(token);
        let others = self.split(node, kept);
        self.release_fields(node, &unwanted);
        let address = self.op(Opcode::RefAddr, 0, &[node], Type::I32);
        if let (true, Some(node_info), false) = (renews, holds.node_info, holds.same_node_info) {
            let word = self.iconst32(self.data_section.node_info(node_info.0, node_info.1));
            self.effect(Opcode::StoreI32, 0, &[node, word]);
        }
        self.jump(done, &[address]);
        self.block = others;
        self.note(rc::EVENT_FAILED_REUSE, 0);
        let other = match renews {
            true => {
                let cell = self.cell(self.cx.cell_sizes.class(shape.0, shape.1));
                match holds.node_info {
                    Some(node_info) => self.store_header(cell, node_info),
                    None => {
                        let one = self.iconst32(1);
                        self.store(cell, COUNT, one);
                    }
                }
                if let Some(&user) = self.tables.users[token].first() {
                    for &number in &holds.fields {
                        let field = self.func.args(user)[1 + number];
                        self.store_field(cell, shape.0, number, field);
                    }
                }
                self.op(Opcode::RefAddr, 0, &[cell], Type::I32)
            }
            false => self.iconst32(0),
        };
        self.jump(done, &[other]);
        self.block = done;
    }

    fn reuse(&mut self, inst: Inst, args: &[Value]) {
        let (token, fields) = (args[0], &args[1..]);
        let result = self.func.result(inst);
        let node_info = (self.func.insts[inst].desc(), self.func.insts[inst].aux);
        let (ptrs, nptrs) = self.cx.payload(node_info.0, node_info.1);
        let reset = self.def(token).unwrap_or_else(|| panic!("{token} is no token"));
        let (node, shape) = (self.func.args(reset)[0], payload(&self.func.insts[reset]));
        let holds = self.holds(token, node, shape, self.tables.homes[reset]);
        if self.func.insts[reset].op == Opcode::ResetOrAlloc {
            self.note(rc::EVENT_REUSE, 0);
            self.define(result, Opcode::AddrRef, 0, &[token]);
            if holds.node_info.is_none() {
                let word = self.iconst32(self.data_section.node_info(node_info.0, node_info.1));
                self.effect(Opcode::StoreI32, 0, &[result, word]);
            }
        } else {
            let done = self.block_with(result);
            let (old, new) = (self.func.new_block(), self.func.new_block());
            self.branch(token, old, new);
            self.block = old;
            self.note(rc::EVENT_REUSE, 0);
            let memory = self.op(Opcode::AddrRef, 0, &[token], Type::Ref);
            if !holds.same_node_info {
                let word = self.iconst32(self.data_section.node_info(node_info.0, node_info.1));
                self.effect(Opcode::StoreI32, 0, &[memory, word]);
            }
            self.jump(done, &[memory]);
            self.block = new;
            let cell = self.cell(self.cx.cell_sizes.class(ptrs, nptrs));
            self.store_header(cell, node_info);
            for &number in &holds.fields {
                self.store_field(cell, ptrs, number, fields[number]);
            }
            self.jump(done, &[cell]);
            self.block = done;
        }
        if self.cx.cycles.contains(node_info.0) {
            // The count of what died was that of something on no cycle.
            let count = self.iconst32(rc::FIRST_CYCLIC);
            self.store(result, COUNT, count);
        }
        let hole = self.tables.holes[result];
        for (number, &field) in fields.iter().enumerate() {
            if !holds.fields.contains(&number) && hole != Some(number as u32) {
                self.store_field(result, ptrs, number, field);
            }
        }
    }

    /// Who calls a table, or is called through one, hands on the shadow-stack pointer.
    fn call(&mut self, inst: Inst, data: &InstData, args: &[Value]) {
        if let Some(at) = stack_pointer_operand(data, |id| self.cx.takes_stack_pointer(id)) {
            let pointer = self.op(Opcode::ShadowPointer, 0, &[], STACK_POINTER);
            let mut operands = Values::from_slice(args);
            operands.insert(at, pointer);
            self.func.set_args(inst, &operands);
        }
        self.func.blocks[self.block].insts.push(inst);
    }

    // -- instructions -------------------------------------------------------------------------------------------------

    fn inst(&mut self, inst: Inst, block: Block) {
        let data = self.func.insts[inst].clone();
        let args = Values::from_slice(self.func.args(inst));
        let result = self.func.results(inst).first().copied();
        let defined = || result.expect("this opcode has a result");
        match data.op.group() {
            Group::Load(Load::Header) => self.define(defined(), Opcode::LoadI32, 0, &args),
            Group::Field(op) => self.field(op, inst, &data, result, &args),
            Group::Cell(Cell::BuildNode) => {
                let node_info = (data.desc(), data.aux);
                let (ptrs, nptrs) = self.cx.payload(node_info.0, node_info.1);
                self.cell_as(defined(), self.cx.cell_sizes.class(ptrs, nptrs));
                self.store_header(defined(), node_info);
                let hole = self.tables.holes[defined()];
                for (number, &field) in args.iter().enumerate().filter(|&(number, _)| hole != Some(number as u32)) {
                    self.store_field(defined(), ptrs, number, field);
                }
            }
            Group::Size(Size::StringSize) => self.string_size(defined(), args[0]),
            Group::Element(op) if op != Element::SetElemRef => self.number(op, &data, result, &args),
            Group::Storage(op) => self.storage(op, &data, &args, result),
            Group::Boxed(op) => self.boxed(op, inst, result, &args),
            Group::Count(op) => self.count(op, inst, &data, block, result, &args),
            Group::Call(_) if data.op != Opcode::CallRt => self.call(inst, &data, &args),
            Group::Call(_) => {
                if !self.element(&data, &args, result) {
                    self.keep(inst);
                }
            }
            // They are low as they are.
            Group::Load(_) | Group::Store(_) | Group::Machine(_) | Group::Terminator(_) => self.keep(inst),
            Group::Constant(_) | Group::Integer(_) | Group::Comparison(_) => self.keep(inst),
            Group::Real(_) | Group::RealComparison(_) => self.keep(inst),
            // They are gone, or of the other heap: no target takes them.
            Group::Cell(_) | Group::Size(_) | Group::Element(_) | Group::Evaluation(_) => self.keep(inst),
            Group::Handling(_) | Group::Array(_) | Group::Root(_) => self.keep(inst),
        }
    }

    fn keep(&mut self, inst: Inst) {
        self.func.blocks[self.block].insts.push(inst);
    }

    fn field(&mut self, op: Field, inst: Inst, data: &InstData, result: Option<Value>, args: &[Value]) {
        let (ptrs, _) = payload(data);
        let defined = || result.expect("this opcode has a result");
        match op {
            Field::GetRef => self.load(defined(), args[0], rc::reference(data.aux)),
            Field::GetI64 | Field::GetF64 => self.load(defined(), args[0], rc::word(ptrs, data.aux)),
            Field::SetI64 | Field::SetF64 => self.store(args[0], rc::word(ptrs, data.aux), args[1]),
            Field::SetRef | Field::ArgRef | Field::ArgI64 | Field::ArgF64 => self.keep(inst),
        }
    }

    fn boxed(&mut self, op: Boxed, inst: Inst, result: Option<Value>, args: &[Value]) {
        let constant = |value| self.def(value).map(|def| &self.func.insts[def]).filter(|it| it.op == Opcode::Iconst64);
        match (op, result) {
            (Boxed::IntRef, Some(result)) => {
                let constant = constant(args[0]).map(|data| data.imm as i64);
                immediates::make(self, args[0], constant, result);
            }
            (Boxed::RefInt, Some(result)) => immediates::integer(self, args[0], result),
            (Boxed::IsInt, Some(result)) => immediates::is_int(self, args[0], result),
            (Boxed::FitsInt, Some(result)) => immediates::fits_int(self, args[0], result),
            (Boxed::BoxInt | Boxed::SmallInt | Boxed::BoxChar | Boxed::BoxBool, _) | (_, None) => self.keep(inst),
        }
    }

    fn count(&mut self, op: Count, inst: Inst, data: &InstData, block: Block, result: Option<Value>, args: &[Value]) {
        let defined = || result.expect("this opcode has a result");
        match op {
            Count::Retain => self.retain(args[0]),
            Count::Release => self.release(args[0]),
            Count::UnpackRelease => self.drop(args, payload(data)),
            Count::Reset | Count::ResetOrAlloc => self.reset(inst, block, args),
            Count::Reuse => self.reuse(inst, args),
            Count::GetRetained => {
                self.load(defined(), args[0], rc::reference(data.aux));
                self.retain(defined());
            }
            Count::ExchangeRef => {
                self.load(defined(), args[0], rc::reference(data.aux));
                self.store(args[0], rc::reference(data.aux), args[1]);
            }
            Count::OpenHole | Count::MoveHole | Count::FillHole => self.hole(data, args, defined()),
            Count::FreeToken => {
                let (ptrs, nptrs) = payload(data);
                let (some, done) = (self.func.new_block(), self.func.new_block());
                let is_renewed = self.def(args[0]).is_some_and(|def| self.func.insts[def].op == Opcode::ResetOrAlloc);
                if is_renewed {
                    self.free(args[0], self.cx.cell_sizes.class(ptrs, nptrs));
                    return;
                }
                self.branch(args[0], some, done);
                self.block = some;
                self.free(args[0], self.cx.cell_sizes.class(ptrs, nptrs));
                self.jump(done, &[]);
                self.block = done;
            }
        }
    }
}
