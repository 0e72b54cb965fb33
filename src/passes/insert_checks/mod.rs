//! `--checked`: before each instruction that relies on what no verifier can know, a call of a function that asks
//! (`checks.ir`). What is checked is the program as the front end made it: this comes before all passes. The
//! interpreter asks the same by itself (`src/interp/check.rs`).
//!
//! ```text
//! v2 = get.ref v0 (2, 0) 1       ─▶   call @check.node(v0, info word, text); v2 = get.ref v0 (2, 0) 1
//! v3 = apply v0, v1, v2          ─▶   v3 = call @check.apply.2(v0, v1, v2, text)
//! ret v4                         ─▶   call @check.evaluated(v4, text); ret v4       where the caller relies on it
//! ```
//! Needs high IR. Machine-like instructions (`load`, `store`, `alloc`, `addr_ref`) stay the front end's duty.

mod applied;
mod dispatched;
mod immediates;

use cleave_ir::layout::{ARRAY_DATA, INLINE_SLOTS, KIND_ARRAY, KIND_STRING, KIND_THUNK, STRING_DATA, info_word};
use cleave_ir::opcode::Element;
use cleave_ir::text::{InstDisplay, parse_module};
use cleave_ir::{
    ArrayKind, Block, EntityRef, Func, FuncId, ImmKind, Inst, Module, Opcode, Phase, Static, StaticData, Table, Type,
    Value, demands, libcalls, memory,
};
use rustc_hash::FxHashMap;

const CHECKS: &str = include_str!("checks.ir");

/// What the inserted calls refer to.
struct Checks {
    /// The functions of `checks.ir`, by name; and those that are made as they are needed.
    funcs: FxHashMap<String, FuncId>,
    texts: FxHashMap<String, Static>,
    /// Static objects before this one are the program's.
    statics: usize,
    /// Functions whose callers rely on an evaluated result.
    evaluates: Vec<bool>,
}

/// Inserts the checks; true if there is something to check.
pub fn run(module: &mut Module) -> bool {
    if module.phase() != Phase::High {
        return false;
    }
    // The checks compare what rows say of the size.
    module.cell_sizes.fix();
    let users = module.funcs.len();
    let evaluates = demands::evaluating(module);
    let statics = module.statics.len();
    let mut checks = Checks { funcs: FxHashMap::default(), texts: FxHashMap::default(), statics, evaluates };
    for id in (0..users).map(FuncId::new) {
        let mut func = std::mem::take(&mut module.funcs[id]);
        checks.function(module, &mut func, id);
        module.funcs[id] = func;
    }
    module.funcs.len() > users
}

impl Checks {
    /// The check of that name.
    fn named(&mut self, module: &mut Module, name: &str) -> FuncId {
        if immediates::is_known(name) && !self.funcs.contains_key(name) {
            let evaluated = self.named(module, "check.evaluated");
            let id = immediates::make(module, name, evaluated);
            self.funcs.insert(name.into(), id);
        }
        if self.funcs.is_empty() {
            let parsed = parse_module(CHECKS).unwrap_or_else(|error| panic!("checks.ir: {error}"));
            for (_, mut func) in parsed.funcs {
                // Their callers may be leaves.
                func.may_gc = false;
                for inst in func.insts.keys().collect::<Vec<_>>() {
                    let data = &mut func.insts[inst];
                    if data.op == Opcode::CallRt {
                        let called = module.declare(parsed.externs[data.external().0].clone());
                        data.imm = module.callee(called).imm();
                    }
                }
                let name = func.name.clone();
                self.funcs.insert(name, module.funcs.push(func));
            }
        }
        self.funcs[name]
    }

    fn text(&mut self, module: &mut Module, text: String) -> Static {
        let Checks { texts, .. } = self;
        *texts.entry(text).or_insert_with_key(|text| module.statics.push(StaticData::Text(text.as_bytes().into())))
    }

    /// What is wrong, and where.
    fn message(&mut self, module: &mut Module, func: &Func, at: (Block, Inst), what: &str) -> Static {
        let location = func.location(at.1);
        let file = module.source.as_ref().and_then(|source| source.files.get(location.file as usize));
        let place = match file.filter(|_| location.is_known()) {
            Some(file) => format!("{file}:{}:{}: ", location.line, location.column),
            None => String::new(),
        };
        let inst = InstDisplay::new(module, func, at.0, at.1);
        let text = format!("{place}Run Time Error: {what} in @{}, {}, `{inst}`\n", func.name, at.0);
        self.text(module, text)
    }

    fn function(&mut self, module: &mut Module, func: &mut Func, id: FuncId) {
        for block in func.layout.clone() {
            let insts = std::mem::take(&mut func.blocks[block].insts);
            // The text of a terminator names its targets, which are those of the block.
            for inst in insts {
                func.set_location_of(inst);
                self.inst(module, func, id, block, inst);
            }
        }
        func.set_location(cleave_ir::Location::NONE);
    }

    /// A call of a check: an object, numbers, then the text.
    #[expect(clippy::too_many_arguments, reason = "where the call stands, what it calls, and with what")]
    fn check(
        &mut self,
        module: &mut Module,
        func: &mut Func,
        at: (Block, Inst),
        name: &str,
        operands: &[Value],
        numbers: &[u32],
        what: &str,
    ) {
        let text = self.message(module, func, at, what);
        let check = self.named(module, name);
        let mut args = operands.to_vec();
        for &number in numbers {
            let number = func.append(at.0, Opcode::Iconst32, number as i32 as i64 as u64, 0, &[], &[Type::I32]);
            args.push(func.result(number));
        }
        let text = func.append(at.0, Opcode::TextAddr, u64::from(text.as_u32()), 0, &[], &[Type::I32]);
        args.push(func.result(text));
        func.append(at.0, Opcode::Call, u64::from(check.as_u32()), 0, &args, &[]);
    }

    /// An instruction with what must come before it; and in its place, where it is an application.
    fn inst(&mut self, module: &mut Module, func: &mut Func, id: FuncId, block: Block, inst: Inst) {
        use Opcode::*;
        let data = func.insts[inst].clone();
        let args = func.args(inst).to_vec();
        let at = (block, inst);
        if module.immediates {
            for (check, operand, what) in immediates::demanded(module, func, inst) {
                self.check(module, func, at, check, &[operand], &[], what);
            }
        }
        match data.op {
            GetRef | GetI64 | GetF64 => {
                let info = memory::of(module.heap).info(module, data.field_shape());
                self.check(module, func, at, "check.node", &args[..1], &[info], "the node has another shape");
            }
            SetRef | SetI64 | SetF64 | SetNodeInfo => {
                let is_header = data.op == SetNodeInfo;
                let shape = if is_header { module.shape(data.desc(), data.aux) } else { data.field_shape() };
                let info = memory::of(module.heap).info(module, shape);
                self.check(module, func, at, "check.node", &args[..1], &[info], "the node has another shape");
                self.check(module, func, at, "check.overwritten", &args[..1], &[], "this is never written over");
                if let Some(name) = dispatched::changeable(self, module, shape) {
                    self.check(module, func, at, &name, &args[..1], &[], "this is never written over");
                }
            }
            ArgRef | ArgI64 | ArgF64 => {
                let shape = data.field_shape();
                let info = info_word(KIND_THUNK, shape.ptrs, shape.slots().max(INLINE_SLOTS)) >> 4;
                self.check(
                    module,
                    func,
                    at,
                    "check.thunk",
                    &args[..1],
                    &[info],
                    "this is no thunk with such arguments",
                );
            }
            Blackhole | Enter | TailEnter => {
                self.check(module, func, at, "check.unevaluated", &args[..1], &[], "this is no thunk");
            }
            FillNode | FillThunk | MakeIndirection => {
                self.check(module, func, at, "check.overwritten", &args[..1], &[], "this is never written over");
                if data.op == FillThunk {
                    let info = &module.thunk_infos[data.thunk_info()];
                    let slots = info.ptrs + 2 * info.nptrs;
                    if slots > INLINE_SLOTS {
                        self.check(module, func, at, "check.room", &args[..1], &[slots], "the cell is too small");
                    }
                }
            }
            FillCopy => {
                let kinds = 1 << cleave_ir::layout::KIND_INLINE | 1 << cleave_ir::layout::KIND_SPLIT;
                self.check(module, func, at, "check.kind", &args[1..], &[kinds], "this cannot be copied");
                self.check(module, func, at, "check.overwritten", &args[..1], &[], "this is never written over");
            }
            Update | TailUpdate => {
                self.check(module, func, at, "check.overwritten", &args[1..], &[], "this is never written over");
            }
            ArraySize => {
                let kinds = 1 << KIND_ARRAY | 1 << KIND_STRING;
                self.check(module, func, at, "check.kind", &args[..1], &[kinds], "this is neither array nor string");
            }
            StringSize => {
                let kinds = 1 << KIND_ARRAY | 1 << KIND_STRING;
                self.check(module, func, at, "check.kind", &args[..1], &[kinds], "this is no string");
            }
            op if op.info().imm == ImmKind::Elements && op != ArrayNew => {
                for number in if op == ArrayCopy { 0..=2 } else { 0..=0 }.step_by(2) {
                    self.array(module, func, at, args[number]);
                }
                // What is waived elsewhere is tested here.
                if std::mem::take(&mut func.insts[inst].aux) != 0 {
                    let length = func.append(block, ArrayLen, data.imm, 0, &args[..1], &[Type::I64]);
                    let within = [args[1], func.result(length)];
                    self.check(module, func, at, "check.within_length", &within, &[], "the array has no such element");
                }
            }
            op if let Some(access) = Element::of(op) => self.element(module, func, at, access, &args[..2]),
            CallTable | TailCallTable | TryCallTable | HandleCallTable => {
                let length = module.tables[Table::from_u32(data.imm as u32)].funcs.len() as u32;
                self.check(module, func, at, "check.below", &args[..1], &[length], "the table has no such function");
            }
            CallMethod | TailCallMethod | TryCallMethod | HandleCallMethod => {
                let name = dispatched::method(self, module, Table::from_u32(data.imm as u32));
                self.check(module, func, at, &name, &args[..1], &[], "the node has no such method");
            }
            CallRt => {
                let declared = &module.externs[data.external().0];
                if declared.from.is_none() {
                    self.call_rt(module, func, at, &declared.name.clone(), &args);
                }
            }
            Return if self.evaluates[id.index()] => {
                let what = "what was to be evaluated is still a thunk";
                let check = if module.immediates { immediates::EVALUATED } else { "check.evaluated" };
                self.check(module, func, at, check, &args[..1], &[], what);
            }
            Unreachable => {
                let never_returns = func.blocks[block]
                    .insts
                    .last()
                    .is_some_and(|&last| func.insts[last].op == CallRt && func.insts[last].effects().never_returns());
                if !never_returns {
                    let text = self.message(module, func, at, "this is never reached");
                    let text = func.append(block, TextAddr, u64::from(text.as_u32()), 0, &[], &[Type::I32]);
                    let fail = module.declare(&libcalls::UNAVAILABLE);
                    let imm = module.callee(fail).imm();
                    let text = func.result(text);
                    func.append(block, CallRt, imm, 0, &[text], &[]);
                }
            }
            Apply | TailApply | TryApply | HandleApply => return applied::apply(self, module, func, at),
            _ => {}
        }
        func.blocks[block].insts.push(inst);
        if data.op == CafRef {
            let result = func.result(inst);
            self.check(module, func, at, "check.set", &[result], &[], "this is read before it is set");
        }
    }

    /// What a function of the runtime takes for granted of its operands.
    fn call_rt(&mut self, module: &mut Module, func: &mut Func, at: (Block, Inst), name: &str, args: &[Value]) {
        for &(operand, kind) in libcalls::operand_kinds(name) {
            let what = "the function takes another kind of object";
            self.check(module, func, at, "check.kind", &args[operand..=operand], &[1 << kind], what);
        }
        if let Some(operand) = demands::closure_operand(name) {
            self.check(module, func, at, "check.closure", &args[operand..=operand], &[], "this lacks no argument");
        }
        if demands::overwrites_string(name) {
            let check = if module.heap.counts() { "check.counted_within" } else { "check.within" };
            self.check(module, func, at, check, args, &[], "the string has no room for the other one there");
        }
        if let Some(operand) = demands::text_operand(name)
            && !dispatched::is_text(module, func, args[operand])
        {
            let name = dispatched::text(self, module);
            self.check(module, func, at, &name, &args[operand..=operand], &[], "this is the address of no text");
        }
    }

    /// An array has the elements that the instruction names.
    fn array(&mut self, module: &mut Module, func: &mut Func, at: (Block, Inst), array: Value) {
        let (kind, what) = (func.insts[at.1].array_kind(), "the array has no elements of this kind");
        if module.heap.counts() {
            let object = if kind == ArrayKind::Ref { KIND_ARRAY } else { KIND_STRING };
            return self.check(module, func, at, "check.kind", &[array], &[1 << object], what);
        }
        self.check(module, func, at, "check.kind", &[array], &[1 << KIND_ARRAY], what);
        self.check(module, func, at, "check.elements", &[array], &[kind.element() as u32], what);
    }

    fn element(&mut self, module: &mut Module, func: &mut Func, at: (Block, Inst), access: Element, args: &[Value]) {
        let what = "the array has no such element";
        let (stride, offset) = func.insts[at.1].element();
        if module.heap.counts() {
            self.check(module, func, at, "check.kind", &args[..1], &[1 << KIND_STRING], what);
            return self.check(module, func, at, "check.counted_element", args, &[stride.trailing_zeros()], what);
        }
        if offset == STRING_DATA {
            return self.check(module, func, at, "check.byte", args, &[], what);
        }
        let within = offset - ARRAY_DATA;
        let (kinds, class) = match access.kind() {
            ArrayKind::Ref => (0b1, 1),
            ArrayKind::I64 | ArrayKind::F64 => (0b110, 2),
            ArrayKind::U8 => (0b1000, 0),
            ArrayKind::I32 | ArrayKind::F32 => (0b11_0000, 0),
        };
        let kinds = if stride == access.kind().stride() && within == 0 { kinds } else { 0 };
        self.check(module, func, at, "check.element", args, &[kinds, class, stride, within], what);
    }
}
