//! Lowers rooted to low IR: nodes become loads and stores, frames become addresses relative to the shadow-stack
//! pointer.
//!
//! Needs: rooted IR whose allocations are covered by heap checks, and the static data section (addresses of small
//! integers, characters and booleans). Establishes: low IR. Every instruction is replaced by a short sequence whose
//! last instruction defines the old result value, so nothing is renamed. Only `box.int` and the barrier of overwritten
//! references (`barrier.rs`) make new blocks.
//!
//! ```text
//! sp − 4k = base of a safepoint with k slots:   slot s at base + 4 (k − 1 − s)
//! strategy `chain`, k slots in all frames:      base = sp − 4k − 8: frame of the caller, address of the word k, slots
//! ```
//! The words of the header of a linked frame are no addresses of the heap, so the collector may also see them as slots:
//! functions of all strategies can call each other.
//!
//! The pointer to the overflow block of a split node is loaded once per stretch without safepoints and fills.

use crate::context::ModuleContext;
use crate::parallel;
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::heap::PerHeap;
use cleave_ir::layout::*;
use cleave_ir::lowered_signature::stack_pointer_operand;
use cleave_ir::opcode::{Boxed, Cell, Evaluation, Field, Load, Root, Size, Storage};
use cleave_ir::{
    Block, Flags, Func, Group, Inst, InstData, Libcall, Location, Module, Opcode, Phase, RootStrategy, SecondaryMap,
    ThunkInfo, Type, Value,
};
use emit::Emit;

mod barrier;
mod elements;
mod emit;
mod immediates;
pub mod lower_eval;
pub mod osr_loops;
pub(crate) mod rc;

/// Lowers all functions.
pub fn run(module: &mut Module, data_section: &StaticDataSection) {
    const LOWERINGS: PerHeap<fn(&mut Module, &StaticDataSection)> = [run_gc, rc::run];
    LOWERINGS[module.heap as usize](module, data_section);
}

fn run_gc(module: &mut Module, data_section: &StaticDataSection) {
    let indirection = module.indirection_info();
    parallel::each(module, |func, cx| lower(func, cx, data_section, indirection));
}

/// Lowers one function.
pub fn lower(func: &mut Func, cx: &ModuleContext, data_section: &StaticDataSection, indirection: Option<ThunkInfo>) {
    func.phase = Phase::Low;
    let mut constants: SecondaryMap<Value, Option<i64>> = SecondaryMap::new();
    // References that stay in frames of the machine keep their names across safepoints.
    let keeps = func.roots == Some(RootStrategy::Stackmap);
    let mut origins: SecondaryMap<Value, barrier::Origin> = SecondaryMap::new();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            let origin = barrier::origin_of(func.insts[inst].op);
            if origin != barrier::Origin::Unknown && !(keeps && origin == barrier::Origin::Fresh) {
                origins[func.result(inst)] = origin;
            }
            if func.insts[inst].op == Opcode::Iconst64 {
                constants[func.result(inst)] = Some(func.insts[inst].imm as i64);
            }
        }
    }
    let linked = if func.roots == Some(RootStrategy::Chain) { deepest_frame(func) } else { 0 };
    let mut lowering = Lower {
        func,
        cx,
        data_section,
        indirection,
        constants,
        origins,
        block: Block::from_u32(0),
        bases: Vec::new(),
        rests: Vec::new(),
        pointer: None,
        linked,
    };
    for at in 0..lowering.func.layout.len() {
        let block = lowering.func.layout[at];
        lowering.block(block);
    }
}

struct Lower<'f> {
    func: &'f mut Func,
    cx: &'f ModuleContext<'f>,
    data_section: &'f StaticDataSection,
    indirection: Option<ThunkInfo>,
    constants: SecondaryMap<Value, Option<i64>>,
    origins: SecondaryMap<Value, barrier::Origin>,
    /// The block that instructions are appended to.
    block: Block,
    /// Frame bases made in this block, by depth.
    bases: Vec<(u32, Value)>,
    /// Rest pointers loaded in this stretch, by node.
    rests: Vec<(Value, Value)>,
    /// The shadow-stack pointer in this block.
    pointer: Option<Value>,
    /// Slots of the linked frame, which all safepoints share; 0 if there is none.
    linked: u32,
}

/// Slots of the deepest frame.
fn deepest_frame(func: &Func) -> u32 {
    let insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts).map(|&inst| &func.insts[inst]);
    insts.filter(|data| data.op.any(Flags::SAFEPOINT)).map(|data| data.aux).max().unwrap_or(0)
}

/// Link and description of a frame of strategy `chain`.
const LINKED_HEADER: u32 = 2;

impl Emit for Lower<'_> {
    fn end(&mut self) -> (&mut Func, Block) {
        (self.func, self.block)
    }
}

impl Lower<'_> {
    fn block(&mut self, block: Block) {
        let old = std::mem::take(&mut self.func.blocks[block].insts);
        let edges = std::mem::take(&mut self.func.blocks[block].edges);
        self.block = block;
        self.bases.clear();
        self.rests.clear();
        self.pointer = None;
        if self.linked > 0 && self.func.entry == Some(block) {
            self.link_frame(self.linked);
        }
        for (at, &inst) in old.iter().enumerate() {
            self.func.set_location_of(inst);
            self.inst(inst, &old[at..]);
        }
        self.func.set_location(Location::NONE);
        self.func.blocks[self.block].edges = edges;
    }

    // -- emission -----------------------------------------------------------------------------------------------------

    fn keep(&mut self, inst: Inst) {
        self.func.blocks[self.block].insts.push(inst);
    }

    // -- frames -------------------------------------------------------------------------------------------------------

    fn shadow_pointer(&mut self) -> Value {
        if self.pointer.is_none() {
            self.pointer = Some(self.op(Opcode::ShadowPointer, 0, &[], Type::I32));
        }
        self.pointer.expect("just made")
    }

    /// The shadow-stack pointer below `depth` slots.
    fn base(&mut self, depth: u32) -> Value {
        let pointer = self.shadow_pointer();
        if depth == 0 {
            return pointer;
        }
        if let Some(&(_, base)) = self.bases.iter().find(|(d, _)| *d == depth) {
            return base;
        }
        let bytes = self.iconst32(depth * SLOT);
        let base = self.op(Opcode::Isub, 0, &[pointer, bytes], Type::I32);
        self.bases.push((depth, base));
        base
    }

    /// The shadow-stack pointer for what a safepoint with so many slots calls.
    fn below(&mut self, depth: u32) -> Value {
        self.base(if self.linked == 0 { depth } else { self.linked + LINKED_HEADER })
    }

    /// The header of a linked frame: the frame of the caller, then the description.
    fn link_frame(&mut self, depth: u32) {
        let caller = self.shadow_pointer();
        let base = self.below(depth);
        let map = self.iconst32(self.data_section.frame_map(depth));
        self.effect(Opcode::StoreI32, 0, &[base, caller]);
        self.effect(Opcode::StoreI32, SLOT as u64, &[base, map]);
    }

    /// Base and offset of a slot: relative to the frame of a safepoint at hand, so that it need not be made twice.
    fn slot(&mut self, slot: u32, depth: Option<u32>) -> (Value, u32) {
        let linked = Some(self.linked + LINKED_HEADER).filter(|_| self.linked > 0);
        let depth = linked.or(depth.filter(|&d| d > slot)).unwrap_or(slot + 1);
        (self.base(depth), (depth - 1 - slot) * SLOT)
    }

    // -- places -------------------------------------------------------------------------------------------------------

    fn rest(&mut self, node: Value) -> Value {
        if let Some(&(_, rest)) = self.rests.iter().find(|(n, _)| *n == node) {
            return rest;
        }
        let rest = self.op(Opcode::LoadI32, OVERFLOW as u64, &[node], Type::I32);
        self.rests.push((node, rest));
        rest
    }

    fn place(&mut self, place: FieldOffset, node: Value) -> (Value, u32) {
        match place {
            FieldOffset::Cell(offset) => (node, offset),
            FieldOffset::Overflow(offset) => (self.rest(node), offset),
        }
    }

    /// Stores the payload of a head normal form. `rest` is the block of a split node.
    fn store_payload(&mut self, shape: Shape, node: Value, rest: Option<(Value, u32)>, fields: &[Value]) {
        for (i, &field) in fields.iter().enumerate() {
            let i = i as u32;
            let place = if i < shape.ptrs { shape.reference(i) } else { shape.word(i - shape.ptrs) };
            match place {
                FieldOffset::Cell(offset) => self.store(node, offset, field),
                FieldOffset::Overflow(offset) => {
                    let (base, start) = rest.expect("split nodes have an overflow block");
                    self.store(base, start + offset, field);
                }
            }
        }
    }

    fn store_header(&mut self, node: Value, header: Value) {
        self.effect(Opcode::StoreI32, 0, &[node, header]);
    }

    /// The two slots of a cell in one word. As a rule they have just been written, one by one if they are references. A
    /// processor hands on what one store has written, so a load of both would wait until the stores have left it.
    fn payload(&mut self, node: Value) -> Value {
        let [low, high] = [SLOT, 2 * SLOT].map(|offset| {
            let slot = self.op(Opcode::LoadI32, offset as u64, &[node], Type::I32);
            self.op(Opcode::ExtendU, 0, &[slot], Type::I64)
        });
        let by = self.op(Opcode::Iconst64, 8 * SLOT as u64, &[], Type::I64);
        let high = self.op(Opcode::Shl, 0, &[high, by], Type::I64);
        self.op(Opcode::Or, 0, &[low, high], Type::I64)
    }

    fn node_info(&mut self, inst: Inst) -> Value {
        let data = &self.func.insts[inst];
        let (imm, aux) = (data.imm, data.aux);
        let node_info = self.func.append(self.block, Opcode::NodeInfoAddr, imm, aux, &[], &[Type::I32]);
        self.func.result(node_info)
    }

    // -- instructions -------------------------------------------------------------------------------------------------

    /// Lowers `inst`, the first of `following`.
    fn inst(&mut self, inst: Inst, following: &[Inst]) {
        let data = self.func.insts[inst].clone();
        let args: smallvec::SmallVec<[Value; 8]> = smallvec::SmallVec::from_slice(self.func.args(inst));
        let result = self.func.results(inst).first().copied();
        let defined = || result.expect("this opcode has a result");
        match data.op.group() {
            Group::Field(op) => self.field(op, &data, result, &args),
            Group::Cell(op) => self.cell(op, inst, &data, result, &args),
            Group::Boxed(op) => self.boxed(op, &data, defined(), &args),
            Group::Size(op) => {
                let field = if op == Size::ArraySize { ARRAY_SIZE } else { STRING_LENGTH };
                let size = self.op(Opcode::LoadI32, field as u64, &args, Type::I32);
                self.define(defined(), Opcode::ExtendU, 0, &[size]);
            }
            Group::Element(op) => self.element(op, &data, result, &args),
            Group::Storage(op) => self.storage(op, &data, result, &args),
            Group::Root(op) => self.root(op, &data, result, &args, following),
            Group::Evaluation(Evaluation::Enter) => {
                let base = self.below(data.aux);
                let header = self.op(Opcode::LoadI32, 0, &args, Type::I32);
                self.define(defined(), Opcode::EnterCode, 0, &[base, args[0], header]);
                self.rests.clear();
            }
            Group::Evaluation(Evaluation::TailEnter) => {
                let pointer = self.shadow_pointer();
                let header = self.op(Opcode::LoadI32, 0, &args, Type::I32);
                self.effect(Opcode::TailEnterCode, 0, &[pointer, args[0], header]);
            }
            Group::Load(Load::Header) => self.define(defined(), Opcode::LoadI32, 0, &args),
            Group::Load(Load::IsHnf) => {
                let header = self.op(Opcode::LoadI32, 0, &args, Type::I32);
                let tag = self.iconst32(TAG_HNF);
                self.define(defined(), Opcode::And, 0, &[header, tag]);
            }
            Group::Call(_) if data.op == Opcode::CallRt && self.is_same(&data) => self.same(defined(), &args),
            Group::Call(_) => self.call(inst, &args),
            // They are low as they are.
            Group::Load(_) | Group::Store(_) | Group::Machine(_) | Group::Terminator(_) => self.keep(inst),
            Group::Constant(_) | Group::Integer(_) | Group::Comparison(_) => self.keep(inst),
            Group::Real(_) | Group::RealComparison(_) => self.keep(inst),
            // They are gone, or of the other heap: no target takes them.
            Group::Evaluation(_) | Group::Handling(_) | Group::Array(_) | Group::Count(_) => self.keep(inst),
        }
    }

    fn field(&mut self, op: Field, data: &InstData, result: Option<Value>, args: &[Value]) {
        let shape = data.field_shape();
        let argument = |offset| FieldOffset::Cell(offset);
        let place = match op {
            Field::GetRef | Field::SetRef => shape.reference(data.aux),
            Field::GetI64 | Field::GetF64 | Field::SetI64 | Field::SetF64 => shape.word(data.aux),
            Field::ArgRef => argument(thunk_reference(data.aux)),
            Field::ArgI64 | Field::ArgF64 => argument(thunk_word(shape.ptrs, data.aux)),
        };
        let (base, offset) = self.place(place, args[0]);
        match result {
            Some(result) => self.load(result, base, offset),
            None => {
                self.store(base, offset, args[1]);
                self.remember(args[0], &args[1..], false);
            }
        }
    }

    fn cell(&mut self, op: Cell, inst: Inst, data: &InstData, result: Option<Value>, args: &[Value]) {
        let defined = || result.expect("this opcode has a result");
        match op {
            Cell::SetNodeInfo => {
                let node_info = self.node_info(inst);
                self.store_header(args[0], node_info);
            }
            Cell::Blackhole => {
                let header = self.blackhole_info();
                self.store_header(args[0], header);
            }
            Cell::BuildNode => {
                let shape = self.cx.shape(data.desc(), data.aux);
                self.define(defined(), Opcode::Alloc, shape.bytes() as u64, &[]);
                let node_info = self.node_info(inst);
                self.store_header(defined(), node_info);
                let rest = shape.is_split().then_some((defined(), MIN_OBJECT));
                self.store_payload(shape, defined(), rest, args);
                if shape.is_split() {
                    let address = self.op(Opcode::RefAddr, 0, &[defined()], Type::I32);
                    let size = self.iconst32(MIN_OBJECT);
                    let rest = self.op(Opcode::Iadd, 0, &[address, size], Type::I32);
                    self.effect(Opcode::StoreI32, OVERFLOW as u64, &[defined(), rest]);
                }
            }
            Cell::BuildThunk => {
                let entry = &self.cx.thunk_infos[data.thunk_info()];
                let (ptrs, nptrs) = (entry.ptrs, entry.nptrs);
                self.define(defined(), Opcode::Alloc, thunk_bytes(ptrs, nptrs) as u64, &[]);
                self.thunk(defined(), data.imm, ptrs, args);
            }
            Cell::FillThunk => {
                let ptrs = self.cx.thunk_infos[data.thunk_info()].ptrs;
                self.rests.clear();
                self.thunk(args[0], data.imm, ptrs, &args[1..]);
                self.remember(args[0], &args[1..], false);
            }
            Cell::BuildDummy => {
                self.define(defined(), Opcode::Alloc, MIN_OBJECT as u64, &[]);
                let header = self.blackhole_info();
                self.store_header(defined(), header);
            }
            Cell::FillNode => {
                let shape = self.cx.shape(data.desc(), data.aux);
                let rest =
                    shape.is_split().then(|| (self.op(Opcode::Alloc, shape.rest_bytes() as u64, &[], Type::Ref), 0));
                let node_info = self.node_info(inst);
                self.store_header(args[0], node_info);
                self.store_payload(shape, args[0], rest, &args[1..]);
                if let Some((rest, _)) = rest {
                    self.effect(Opcode::StoreRef, OVERFLOW as u64, &[args[0], rest]);
                }
                self.remember(args[0], &args[1..], shape.is_split());
                self.rests.clear();
            }
            Cell::FillCopy => {
                let header = self.op(Opcode::LoadI32, 0, &args[1..], Type::I32);
                let payload = self.payload(args[1]);
                self.store_header(args[0], header);
                self.store(args[0], SLOT, payload);
                self.remember(args[0], &args[1..], false);
                self.rests.clear();
            }
            Cell::MakeIndirection => {
                let entry = self.indirection.expect("thunks can become indirections");
                let header = self.op(Opcode::ThunkInfoAddr, entry.as_u32() as u64, &[], Type::I32);
                self.store_header(args[0], header);
                self.store(args[0], SLOT, args[1]);
                self.remember(args[0], &args[1..], false);
            }
        }
    }

    fn boxed(&mut self, op: Boxed, data: &InstData, result: Value, args: &[Value]) {
        match op {
            Boxed::SmallInt => {
                let address = self.small_int(data.imm as i64);
                self.define(result, Opcode::AddrRef, 0, &[address]);
            }
            Boxed::BoxInt => self.box_int(result, args[0]),
            Boxed::BoxChar => self.static_node(result, args[0], self.data_section.chars, 255),
            Boxed::BoxBool => self.static_node(result, args[0], self.data_section.bools, 1),
            Boxed::IntRef => immediates::make(self, args[0], self.constants[args[0]], result),
            Boxed::RefInt => immediates::integer(self, args[0], result),
            Boxed::IsInt => immediates::is_int(self, args[0], result),
            Boxed::FitsInt => immediates::fits_int(self, args[0], result),
        }
    }

    fn storage(&mut self, op: Storage, data: &InstData, result: Option<Value>, args: &[Value]) {
        let place = match op {
            Storage::CafRef | Storage::SetCafRef | Storage::PeekCafRef => self.caf_ref(data.imm, data.aux),
            Storage::CafState
            | Storage::SetCafState
            | Storage::CafI64
            | Storage::CafF64
            | Storage::SetCafI64
            | Storage::SetCafF64 => self.op(Opcode::CafAddr, data.imm, &[], Type::I32),
        };
        let offset = match op {
            Storage::CafI64 | Storage::CafF64 | Storage::SetCafI64 | Storage::SetCafF64 => {
                StaticDataSection::caf_word(data.aux)
            }
            Storage::CafState | Storage::SetCafState | Storage::CafRef | Storage::SetCafRef | Storage::PeekCafRef => 0,
        };
        match (result, args) {
            (Some(result), _) => self.load(result, place, offset),
            (None, &[value]) => self.store(place, offset, value),
            // The state.
            (None, _) => {
                let one = self.iconst32(1);
                self.effect(Opcode::StoreI32, 0, &[place, one]);
            }
        }
    }

    fn root(&mut self, op: Root, data: &InstData, result: Option<Value>, args: &[Value], following: &[Inst]) {
        let depth = self.bases.last().map(|&(d, _)| d);
        match op {
            Root::Spill => {
                let depth =
                    following.iter().map(|&i| &self.func.insts[i]).find(|d| d.aux > 0 && d.op.any(Flags::SAFEPOINT));
                let depth = depth.map(|d| d.aux);
                let (base, offset) = self.slot(data.imm as u32, depth);
                self.effect(Opcode::StoreRef, offset as u64, &[base, args[0]]);
            }
            Root::ClearSlot => {
                let (base, offset) = self.slot(data.imm as u32, depth);
                let zero = self.iconst32(0);
                self.effect(Opcode::StoreI32, offset as u64, &[base, zero]);
            }
            Root::Restore => {
                let (base, offset) = self.slot(data.imm as u32, depth);
                self.load(result.expect("this opcode has a result"), base, offset);
            }
            Root::Collect => {
                let base = self.below(data.aux);
                let bytes = self.iconst32(data.imm as u32);
                self.effect(Opcode::CallRt, Libcall::Collect.callee().imm(), &[base, bytes]);
                self.rests.clear();
            }
        }
    }

    /// Calls get the shadow-stack pointer as an operand if the callee takes one.
    fn call(&mut self, inst: Inst, args: &[Value]) {
        self.rests.clear();
        let data = &self.func.insts[inst];
        let (op, depth) = (data.op, data.aux);
        if let Some(at) = stack_pointer_operand(data, |id| self.cx.takes_stack_pointer(id)) {
            let is_tail = matches!(op, Opcode::TailCall | Opcode::TailCallTable);
            let base = if is_tail { self.shadow_pointer() } else { self.below(depth) };
            let mut operands = args.to_vec();
            operands.insert(at, base);
            self.func.set_args(inst, &operands);
        }
        self.func.insts[inst].aux = 0;
        self.keep(inst);
    }

    fn blackhole_info(&mut self) -> Value {
        let entry = self.cx.blackhole_info.expect("every program has a cycle entry");
        self.op(Opcode::ThunkInfoAddr, entry.as_u32() as u64, &[], Type::I32)
    }

    fn thunk(&mut self, node: Value, entry: u64, ptrs: u32, args: &[Value]) {
        let header = self.op(Opcode::ThunkInfoAddr, entry, &[], Type::I32);
        self.store_header(node, header);
        for (i, &arg) in args.iter().enumerate() {
            let i = i as u32;
            let offset = if i < ptrs { thunk_reference(i) } else { thunk_word(ptrs, i - ptrs) };
            self.store(node, offset, arg);
        }
    }

    fn small_int(&mut self, n: i64) -> Value {
        self.iconst32(self.data_section.small_ints + (n - SMALL_INT_MIN) as u32 * STATIC_NODE_SIZE)
    }

    fn caf_ref(&mut self, caf: u64, index: u32) -> Value {
        let inst = self.func.append(self.block, Opcode::CafRefAddr, caf, index, &[], &[Type::I32]);
        self.func.result(inst)
    }
}
