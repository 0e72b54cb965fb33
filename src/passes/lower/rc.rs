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
mod fields;
mod holes;
mod kinds;
mod storage;
mod strings;
mod tables;

use super::{Lower as Traced, immediates};
use crate::context::ModuleContext;
use crate::lower::emit::Emit;
use crate::parallel;
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::layout::{SLOT, Shape};
use cleave_ir::lowered_signature::{STACK_POINTER, stack_pointer_operand};
use cleave_ir::rc::{self, COUNT, FREE_LISTS};
use cleave_ir::{
    Block, Desc, Func, ImmKind, Inst, InstData, Libcall, Location, Module, Opcode, Phase, Type, Value, ValueList,
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
                let place = match def.op {
                    Opcode::GetRef => index,
                    Opcode::GetI64 | Opcode::GetF64 => ptrs + index,
                    _ => return false,
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
        use Opcode::*;
        match data.op {
            Header => self.define(defined(), LoadI32, 0, &args),
            GetRef => self.define(defined(), LoadRef, u64::from(rc::reference(data.aux)), &args),
            GetI64 | GetF64 => {
                let (ptrs, _) = payload(&data);
                let load = Traced::load(self.func.values[defined()]);
                self.define(defined(), load, u64::from(rc::word(ptrs, data.aux)), &args);
            }
            BuildNode => {
                let node_info = (data.desc(), data.aux);
                let (ptrs, nptrs) = self.cx.payload(node_info.0, node_info.1);
                self.cell_as(defined(), self.cx.cell_sizes.class(ptrs, nptrs));
                self.store_header(defined(), node_info);
                let hole = self.tables.holes[defined()];
                for (number, &field) in args.iter().enumerate().filter(|&(number, _)| hole != Some(number as u32)) {
                    self.store_field(defined(), ptrs, number, field);
                }
            }
            StringSize => self.string_size(defined(), args[0]),
            ElemU8 => self.string_byte(defined(), data.element(), args[0], args[1]),
            op if op.info().imm == ImmKind::Caf => self.storage(&data, &args, result),
            ElemRef | ElemI64 | ElemF64 | ElemI32 | ElemF32 => {
                self.load_element(data.op, data.element(), defined(), &args)
            }
            SetElemU8 | SetElemI64 | SetElemF64 | SetElemI32 | SetElemF32 => {
                self.store_element(data.op, data.element(), &args);
            }
            Retain => self.retain(args[0]),
            Release => self.release(args[0]),
            UnpackRelease => self.drop(&args, payload(&data)),
            Reset | ResetOrAlloc => self.reset(inst, block, &args),
            Reuse => self.reuse(inst, &args),
            Call | CallTable | TailCall | TailCallTable => self.call(inst, &data, &args),
            SetI64 | SetF64 => self.overwrite(&data, &args),
            GetRetained | ExchangeRef => self.changing_field(&data, &args, defined()),
            OpenHole | MoveHole | FillHole => self.hole(&data, &args, defined()),
            FreeToken => {
                let (ptrs, nptrs) = payload(&data);
                let (some, done) = (self.func.new_block(), self.func.new_block());
                let is_renewed = self.def(args[0]).is_some_and(|def| self.func.insts[def].op == ResetOrAlloc);
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
            IntRef | RefInt | IsInt | FitsInt => {
                let constant = self.def(args[0]).filter(|&def| self.func.insts[def].op == Iconst64);
                let constant = constant.map(|def| self.func.insts[def].imm as i64);
                immediates::lower(self, data.op, args[0], constant, result);
            }
            CallRt if self.element(&data, &args, result) => {}
            _ => self.func.blocks[self.block].insts.push(inst),
        }
    }
}
