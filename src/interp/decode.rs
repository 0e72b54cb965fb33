//! Decodes a function of the IR into a `FuncCode`: blocks in reverse postorder, addresses from the data section,
//! registers for values, parallel copies on edges in an order that works.
//!
//! Needs IR that the verifier accepts: operand counts and types are not checked again.

use crate::code::*;
use crate::registers::{self, Registers};
use cleave_ir::cfg::Cfg;
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::layout::{
    FieldOffset, INLINE_SLOTS, KIND_THUNK, SMALL_INT_MIN, STATIC_NODE_SIZE, Shape, info_word, thunk_bytes,
    thunk_reference, thunk_word,
};
use cleave_ir::lowered_signature::{in_module, stack_pointer_operand};
use cleave_ir::{
    Block, Caf, Desc, Edge, Flags, Func, FuncId, ImmKind, Inst, Module, Opcode, Phase, SecondaryMap, Static, Table,
    Type, Value, pack,
};
use cleave_ir::{memory, rc};

struct Decoder<'a> {
    module: &'a Module,
    data_section: &'a StaticDataSection,
    func: &'a Func,
    regs: Registers,
    starts: SecondaryMap<Block, u32>,
    /// On the reference-counted heap: numbers of the fields that references were read from.
    fields: SecondaryMap<Value, u32>,
    code: FuncCode,
}

/// Decodes one function.
pub fn decode(module: &Module, data_section: &StaticDataSection, func: &Func) -> FuncCode {
    let cfg = Cfg::compute(func);
    // In high IR, allocations may collect too and then start again: their operands must survive.
    let waits = |inst: Inst| {
        let flags = func.insts[inst].op.flags();
        if func.phase != Phase::High {
            None
        } else if flags.any(Flags::ALLOCATES) || func.insts[inst].op.info().imm == ImmKind::Elements {
            Some(true)
        } else {
            flags.any(Flags::SAFEPOINT).then_some(false)
        }
    };
    let regs = registers::assign(func, &cfg, waits);
    // One more register for breaking cycles of copies.
    assert!(regs.count < Reg::MAX as usize, "@{}: more than 65534 values live at once", func.name);
    let code = FuncCode {
        phase: func.phase,
        ops: Vec::new(),
        infos: Vec::new(),
        origin: Vec::new(),
        regs: regs.count + 1,
        cost: func.blocks[func.entry_block()].insts.len() as u32,
        sites: Vec::new(),
        layouts: Vec::new(),
        dying: Vec::new(),
        targets: Vec::new(),
        lists: Vec::new(),
        roots: Vec::new(),
    };
    let mut fields = SecondaryMap::with_default(u32::MAX);
    if module.heap.counts() && func.phase == Phase::Rooted {
        for inst in func.insts.keys().filter(|&inst| func.insts[inst].op == Opcode::GetRef) {
            fields[func.result(inst)] = func.insts[inst].aux;
        }
    }
    let mut decoder = Decoder { module, data_section, func, regs, starts: SecondaryMap::new(), fields, code };
    let mut pc = 0;
    for &block in &cfg.order {
        decoder.starts[block] = pc;
        pc += func.blocks[block].insts.len() as u32;
    }
    for &block in &cfg.order {
        for &inst in &func.blocks[block].insts {
            decoder.inst(block, inst);
        }
    }
    decoder.code
}

/// `copies` as a sequence without lost values; `scratch` is free.
fn sequentialise(mut copies: Vec<(Reg, Reg)>, scratch: Reg) -> Box<[(Reg, Reg)]> {
    copies.retain(|(to, from)| to != from);
    let mut out = Vec::with_capacity(copies.len());
    while !copies.is_empty() {
        // A copy whose target nobody still reads can be made now.
        match copies.iter().position(|&(to, _)| copies.iter().all(|&(_, from)| from != to)) {
            Some(i) => out.push(copies.swap_remove(i)),
            None => {
                // Only cycles are left: save one value and let its readers take it from the scratch register.
                let saved = copies[0].1;
                out.push((scratch, saved));
                for copy in &mut copies {
                    if copy.1 == saved {
                        copy.1 = scratch;
                    }
                }
            }
        }
    }
    out.into()
}

impl Decoder<'_> {
    fn reg(&self, value: Value) -> Reg {
        self.regs.of[value]
    }
    fn is_ref(&self, value: Value) -> bool {
        self.func.values[value] == Type::Ref
    }

    fn inst(&mut self, block: Block, inst: Inst) {
        let (func, data_section) = (self.func, self.data_section);
        let data = &func.insts[inst];
        let args = func.args(inst);
        let results = func.results(inst);
        let pc = self.code.ops.len() as u32;
        let mut op = Op { op: data.op, flags: 0, a: 0, b: 0, c: 0, imm: data.imm };
        if let Some(&first) = args.first() {
            op.b = self.reg(first);
            op.flags = match func.values[first] {
                Type::I32 => NARROW,
                Type::Ref => BY_REF,
                _ => 0,
            };
        }
        if let Some(&second) = args.get(1) {
            op.c = self.reg(second);
        }
        match (results, args.get(2)) {
            (&[], Some(&third)) => op.a = self.reg(third),
            (&[result, ..], third) => {
                op.a = self.reg(result);
                if let Some(&third) = third {
                    op.imm = self.reg(third) as u64;
                }
            }
            _ => {}
        }
        let is_rc = self.module.heap.counts();
        // Low IR has loads and stores, and no rules to break.
        let is_cell = matches!(data.op, Opcode::BuildNode | Opcode::StringSize | Opcode::SetRef)
            || is_box(data.op)
            || matches!(data.op.info().imm, ImmKind::Element | ImmKind::Elements);
        if is_rc && (func.phase == Phase::Rooted || is_cell) {
            op.flags |= RC_OBJECT;
        }
        // Constants and addresses.
        match data.op.info().imm {
            ImmKind::None if matches!(data.op, Opcode::Blackhole | Opcode::BuildDummy) => {
                op.imm = self.module.blackhole_info.map_or(0, |entry| data_section.thunk_info(entry)) as u64;
            }
            ImmKind::None | ImmKind::Float | ImmKind::Offset | ImmKind::Element | ImmKind::Bytes | ImmKind::Frame => {}
            ImmKind::Slot => {}
            ImmKind::Elements => op.imm |= if data.aux == 0 { 0 } else { UNCHECKED },
            ImmKind::Shape => {
                let Shape { ptrs, nptrs, .. } = data.field_shape();
                op.imm = self.module.cell_sizes.class(ptrs, nptrs) as u64;
            }
            ImmKind::Func | ImmKind::Extern | ImmKind::Table => {}
            ImmKind::Int if data.op == Opcode::Iconst32 => op.imm = data.imm as i32 as i64 as u64,
            ImmKind::Int if data.op == Opcode::SmallInt && !is_rc => {
                let index = (data.imm as i64 - SMALL_INT_MIN) as u32;
                op.imm = (data_section.small_ints + index * STATIC_NODE_SIZE) as u64;
            }
            ImmKind::Int => {}
            ImmKind::NodeInfo => op.imm = data_section.node_info(data.desc(), data.aux) as u64,
            ImmKind::ThunkInfo => op.imm = data_section.thunk_info(data.thunk_info()) as u64,
            ImmKind::Static => op.imm = data_section.static_object(Static::from_u32(data.imm as u32)) as u64,
            ImmKind::Desc => op.imm = self.desc_address(data.op, data.desc()) as u64,
            ImmKind::Caf => op.imm = self.caf_address(data.op, Caf::from_u32(data.imm as u32), data.aux) as u64,
            ImmKind::Field => {
                op.imm = match (is_rc, data.op) {
                    (true, Opcode::GetI64 | Opcode::GetF64 | Opcode::SetI64 | Opcode::SetF64) => {
                        rc::word(data.field_shape().ptrs, data.aux) as u64
                    }
                    (true, _) => rc::reference(data.aux) as u64,
                    _ => place(data.op, data.field_shape(), data.aux),
                };
            }
        }
        // Side tables.
        match data.op {
            Opcode::BuildNode | Opcode::BuildThunk => op.imm = self.layout(inst, args),
            Opcode::UnpackRelease | Opcode::Reset | Opcode::ResetOrAlloc => op.imm = self.dying(inst),
            Opcode::Reuse => op.imm = self.layout(inst, &args[1..]),
            Opcode::FillNode | Opcode::FillThunk => op.imm = self.layout(inst, &args[1..]),
            Opcode::Jump => op.imm = self.targets(block),
            Opcode::BrIf | Opcode::BrTable => {
                let first = self.targets(block);
                op.imm = first | (func.blocks[block].edges.len() as u64) << 32;
            }
            Opcode::Return => {
                let list = args.iter().map(|&v| (self.reg(v), self.is_ref(v))).collect();
                self.code.lists.push(list);
                op.imm = self.code.lists.len() as u64 - 1;
            }
            Opcode::ArrayNew | Opcode::ArraySlice | Opcode::ArrayCopy => {
                op.c = data.array_kind().pack() as Reg;
                op.imm = self.site(inst);
            }
            _ if data.op.handled_call().is_some() => op.imm = pack(self.site(inst) as u32, self.targets(block) as u32),
            _ if data.op.any(Flags::CALL) && data.op != Opcode::Collect => op.imm = self.site(inst),
            Opcode::Collect if func.phase != Phase::High => op.imm = pack(data.imm as u32, data.aux),
            _ => {}
        }
        if data.op.any(Flags::CALL.union(Flags::ALLOCATES)) {
            self.roots(pc, inst);
        }
        self.code.ops.push(op);
        self.code.infos.push(self.info(inst));
        self.code.origin.push((block, inst));
    }

    /// The info word of what the instruction accesses.
    fn info(&self, inst: Inst) -> u32 {
        let data = &self.func.insts[inst];
        let shape = match data.op.info().imm {
            ImmKind::Field => data.field_shape(),
            ImmKind::NodeInfo if data.op == Opcode::SetNodeInfo => self.module.shape(data.desc(), data.aux),
            _ => return 0,
        };
        match data.op {
            Opcode::ArgRef | Opcode::ArgI64 | Opcode::ArgF64 => {
                info_word(KIND_THUNK, shape.ptrs, shape.slots().max(INLINE_SLOTS))
            }
            _ => memory::of(self.module.heap).info(self.module, shape),
        }
    }

    fn roots(&mut self, pc: u32, inst: Inst) {
        let ptrs: Box<[Reg]> = self.regs.live_refs[inst].iter().map(|&v| self.reg(v)).collect();
        if !ptrs.is_empty() && self.code.roots.last().is_none_or(|last| last.0 != pc) {
            self.code.roots.push((pc, ptrs));
        }
    }

    fn desc_address(&self, op: Opcode, desc: Desc) -> u32 {
        match op {
            Opcode::NodeRef => self.data_section.node(desc),
            Opcode::NameAddr => self.data_section.name(desc),
            _ => self.data_section.descriptor_info(desc),
        }
    }

    fn caf_address(&self, op: Opcode, caf: Caf, index: u32) -> u32 {
        match op {
            Opcode::CafRef | Opcode::PeekCafRef | Opcode::SetCafRef | Opcode::CafRefAddr => {
                self.data_section.caf_ref(caf, index)
            }
            Opcode::CafI64 | Opcode::CafF64 | Opcode::SetCafI64 | Opcode::SetCafF64 => {
                self.data_section.caf(caf) + StaticDataSection::caf_word(index)
            }
            _ => self.data_section.caf(caf),
        }
    }

    /// Layout of a node or thunk with these payload operands: references first, then raw words.
    fn layout(&mut self, inst: Inst, payload: &[Value]) -> u64 {
        let data = &self.func.insts[inst];
        let mut layout = if data.op.info().imm == ImmKind::NodeInfo {
            let (ptrs, nptrs) = self.module.payload(data.desc(), data.aux);
            let shape = self.module.shape(data.desc(), data.aux);
            if self.module.heap.counts() {
                let place = |ty, index| match ty {
                    Type::Ref => (rc::reference(index), false),
                    _ => (rc::word(ptrs, index), false),
                };
                self.code.layouts.push(Layout {
                    header: self.data_section.node_info(data.desc(), data.aux),
                    cell: self.module.cell_sizes.class(ptrs, nptrs),
                    rest: 0,
                    zero_slot: false,
                    stores: self.stores(payload, ptrs, nptrs, place),
                });
                return self.code.layouts.len() as u64 - 1;
            }
            Layout {
                header: self.data_section.node_info(data.desc(), data.aux),
                cell: shape.node_bytes(),
                rest: shape.rest_bytes(),
                zero_slot: shape.is_split() && ptrs == 0,
                stores: self.stores(payload, ptrs, nptrs, |ty, index| {
                    split_place(if ty == Type::Ref { shape.reference(index) } else { shape.word(index) })
                }),
            }
        } else {
            let entry = &self.module.thunk_infos[data.thunk_info()];
            let (ptrs, nptrs) = (entry.ptrs, entry.nptrs);
            Layout {
                header: self.data_section.thunk_info(data.thunk_info()),
                cell: thunk_bytes(ptrs, nptrs),
                rest: 0,
                zero_slot: false,
                stores: self.stores(payload, ptrs, nptrs, |ty, index| {
                    (if ty == Type::Ref { thunk_reference(index) } else { thunk_word(ptrs, index) }, false)
                }),
            }
        };
        // Cells first, so that the side table reads in the order of addresses.
        layout.stores.sort_by_key(|s| (s.in_overflow, s.offset));
        self.code.layouts.push(layout);
        self.code.layouts.len() as u64 - 1
    }

    /// What a `drop`, `reset` or `renew` keeps.
    fn dying(&mut self, inst: Inst) -> u64 {
        let func = self.func;
        let Shape { ptrs, nptrs, .. } = func.insts[inst].field_shape();
        let field = |value: Value| (self.reg(value), self.fields[value]);
        let end = match func.insts[inst].op {
            Opcode::UnpackRelease => End::Freed,
            Opcode::Reset => End::Token,
            _ => End::Memory,
        };
        let kept = func.args(inst)[1..].iter().map(|&value| field(value)).collect();
        let class = self.module.cell_sizes.class(ptrs, nptrs);
        self.code.dying.push(Dying { kept, ptrs, class, end });
        self.code.dying.len() as u64 - 1
    }

    fn stores(
        &self,
        payload: &[Value],
        ptrs: u32,
        nptrs: u32,
        place: impl Fn(Type, u32) -> (u32, bool),
    ) -> Box<[FieldStore]> {
        assert_eq!(payload.len() as u32, ptrs + nptrs, "@{}: wrong number of fields", self.func.name);
        let store = |(i, &value): (usize, &Value)| {
            let ty = self.func.values[value];
            let index = if ty == Type::Ref { i as u32 } else { i as u32 - ptrs };
            let (offset, in_overflow) = place(ty, index);
            FieldStore { reg: self.reg(value), ty, offset, in_overflow }
        };
        payload.iter().enumerate().map(store).collect()
    }

    fn targets(&mut self, block: Block) -> u64 {
        let first = self.code.targets.len() as u64;
        for edge in &self.func.blocks[block].edges {
            let target = self.target(edge);
            self.code.targets.push(target);
        }
        first
    }

    fn target(&self, edge: &Edge) -> Target {
        let params = self.func.params(edge.block);
        let copies = params.iter().zip(self.func.edge_args(edge)).map(|(&p, &a)| (self.reg(p), self.reg(a))).collect();
        Target {
            pc: self.starts[edge.block],
            cost: self.func.blocks[edge.block].insts.len() as u32,
            moves: sequentialise(copies, self.regs.count as Reg),
        }
    }

    fn site(&mut self, inst: Inst) -> u64 {
        let data = &self.func.insts[inst];
        let is_low = self.func.phase == Phase::Low;
        let mut args = self.func.args(inst).to_vec();
        let stack_pointer = stack_pointer_operand(data, in_module(self.module)).filter(|_| is_low);
        let stack_pointer = stack_pointer.map(|at| self.reg(args.remove(at)));
        let collects = self.module.heap.collects();
        let (callee, collects) = match data.op.handled_call().unwrap_or(data.op) {
            Opcode::Call | Opcode::TailCall => {
                let id = FuncId::from_u32(data.imm as u32);
                (Callee::Func(id), self.module.funcs[id].may_gc && collects)
            }
            Opcode::CallRt => {
                let (id, effects) = data.external();
                (Callee::Extern(id), effects.may_gc())
            }
            Opcode::CallTable | Opcode::TailCallTable => {
                let funcs = self.module.tables[Table::from_u32(data.imm as u32)].funcs.clone();
                let index = self.reg(args.remove(0));
                (Callee::Table(funcs.into(), index), collects)
            }
            Opcode::Apply | Opcode::TailApply => (Callee::Apply, collects),
            Opcode::Update | Opcode::TailUpdate => (Callee::Update, collects),
            Opcode::CallMethod | Opcode::TailCallMethod => {
                (Callee::Instance(Table::from_u32(data.imm as u32)), collects)
            }
            Opcode::EnterCode | Opcode::TailEnterCode => {
                // The header, which was loaded to find the code; the interpreter looks at the thunk itself.
                args.truncate(1);
                (Callee::Entry, collects)
            }
            _ => (Callee::Entry, collects),
        };
        let results = self.func.results(inst);
        let ref_args = args.iter().filter(|&&v| self.is_ref(v)).map(|&v| self.reg(v)).collect();
        self.code.sites.push(CallSite {
            callee,
            args: args.iter().map(|&v| self.reg(v)).collect(),
            ref_args,
            results: results.iter().map(|&v| self.reg(v)).collect(),
            ref_results: results.iter().map(|&v| self.is_ref(v)).collect(),
            depth: if self.func.phase == Phase::High || !data.op.any(Flags::SAFEPOINT) { 0 } else { data.aux },
            stack_pointer,
            collects,
        });
        self.code.sites.len() as u64 - 1
    }
}

/// Instructions that make boxed values.
fn is_box(op: Opcode) -> bool {
    matches!(op, Opcode::BoxInt | Opcode::BoxChar | Opcode::BoxBool | Opcode::SmallInt)
}

/// Offset of a field with `IN_OVERFLOW` where that applies.
fn place(op: Opcode, shape: Shape, index: u32) -> u64 {
    let (offset, in_overflow) = match op {
        Opcode::ArgRef => (thunk_reference(index), false),
        Opcode::ArgI64 | Opcode::ArgF64 => (thunk_word(shape.ptrs, index), false),
        Opcode::GetRef | Opcode::SetRef => split_place(shape.reference(index)),
        _ => split_place(shape.word(index)),
    };
    offset as u64 | if in_overflow { IN_OVERFLOW } else { 0 }
}

fn split_place(place: FieldOffset) -> (u32, bool) {
    match place {
        FieldOffset::Cell(offset) => (offset, false),
        FieldOffset::Overflow(offset) => (offset, true),
    }
}
