//! What every instruction of the IR means: the one definition that passes and back ends are tested against. Of numbers
//! it is in `src/ir/arithmetic.rs`.
//!
//! Reading guide: `op.a` is the register of the result (or of the third operand if there is no result), `op.b` and
//! `op.c` are the first two operands, `op.imm` is the immediate, with names already replaced by addresses.
//! `int`, `real` and `reference` read an operand; `reference` also checks that it is not stale. i32 values are sign
//! extended to 64 bits. Calls and returns are in `calls.rs`, nodes in `nodes.rs`.

use crate::code::{BY_REF, Callee, FuncCode, NARROW, Op, RC_OBJECT, Reg, Target};
use crate::machine::Machine;
use crate::value::Trap;
use cleave_ir::Opcode::*;
use cleave_ir::arithmetic::NoQuotient;
use cleave_ir::layout::{IMMEDIATE_MAX, IMMEDIATE_MIN, SLOT, STATIC_NODE_SIZE, TAG_HNF, is_immediate};
use cleave_ir::opcode::{Comparison, Integer, Real, RealComparison};
use cleave_ir::{Libcall, rc};

impl<'p> Machine<'p> {
    #[inline(always)]
    fn int(&self, reg: Reg) -> i64 {
        self.get(reg) as i64
    }
    #[inline(always)]
    fn uint(&self, reg: Reg) -> u64 {
        self.get(reg)
    }
    #[inline(always)]
    fn real(&self, reg: Reg) -> f64 {
        f64::from_bits(self.get(reg))
    }
    #[inline]
    fn integer_op(&mut self, op: Op, operation: Integer) -> Result<(), Trap> {
        match operation.evaluate(op.flags & NARROW != 0, self.int(op.b), self.int(op.c)) {
            Ok(number) => self.set(op.a, number as u64),
            Err(NoQuotient::DivideByZero) => return Err(Trap::DivideByZero),
            Err(NoQuotient::Overflow) => return Err(Trap::IntegerOverflow),
        }
        Ok(())
    }
    #[inline]
    fn comparison(&mut self, op: Op, comparison: Comparison) {
        self.set_bool(op, comparison.evaluate(self.int(op.b), self.int(op.c)));
    }
    #[inline]
    fn real_op(&mut self, op: Op, operation: Real) {
        self.set(op.a, operation.evaluate(self.get(op.b), self.get(op.c)));
    }
    #[inline]
    fn real_comparison(&mut self, op: Op, comparison: RealComparison) {
        self.set_bool(op, comparison.evaluate(self.get(op.b), self.get(op.c)));
    }
    #[inline(always)]
    fn set_i32(&mut self, op: Op, value: u32) {
        self.set(op.a, value as i32 as i64 as u64);
    }
    #[inline(always)]
    fn set_bool(&mut self, op: Op, value: bool) {
        self.set(op.a, value as u64);
    }
    #[inline(always)]
    fn set_real(&mut self, op: Op, value: f64) {
        self.set(op.a, value.to_bits());
    }
    /// Address of a load or store: operand (an i32 or a reference) plus offset.
    #[inline(always)]
    fn address(&self, op: Op) -> Result<u32, Trap> {
        let base = if op.flags & BY_REF != 0 { self.reference(op.b)? } else { self.get(op.b) as u32 };
        Ok(base.wrapping_add(op.imm as u32))
    }
    /// Goes along an edge: its arguments become the parameters of the target, all at once.
    #[inline(always)]
    pub(crate) fn go(&mut self, target: &Target) -> Result<usize, Trap> {
        for &(to, from) in &target.moves {
            self.set(to, self.get(from));
        }
        self.count(target.cost)?;
        Ok(target.pc as usize)
    }

    /// Runs the topmost activation and what it calls until only `floor` activations are left.
    pub(crate) fn run(&mut self, floor: usize) -> Result<(), Trap> {
        // With checks, as tests are built, one loop serves both: the fast one is so large a function, a jump from each
        // instruction to each other, that it would take half of the time in which this crate is compiled.
        #[cfg(debug_assertions)]
        let ended = self.steps::<true>(floor);
        #[cfg(not(debug_assertions))]
        let ended = if self.is_observed { self.steps::<true>(floor) } else { self.steps::<false>(floor) };
        ended.map_err(|trap| self.locate(trap))
    }

    fn steps<const OBSERVED: bool>(&mut self, floor: usize) -> Result<(), Trap> {
        let program = self.program;
        let mut code: &'p FuncCode = program.code(self.top().func);
        let mut pc = std::mem::take(&mut self.resume);
        loop {
            let op = code.ops[pc];
            self.pc = pc as u32;
            pc += 1;
            if OBSERVED && self.is_observed {
                self.observe(code)?;
            }
            match op.op {
                // -- constants: the data section has given every static thing its address
                // --------------------------------
                Iconst32 | Iconst64 | Fconst => self.set(op.a, op.imm),
                NodeInfoAddr | ThunkInfoAddr | TextAddr | NameAddr | DescInfoAddr => self.set(op.a, op.imm),
                SmallInt if op.flags & RC_OBJECT != 0 => self.box_rc(op)?,
                StaticRef | StaticNode | NodeRef | SmallInt => self.set(op.a, op.imm),

                // -- numbers: `arithmetic.rs` of the IR says what they give -------------------------------------------
                Iadd => self.integer_op(op, Integer::Iadd)?,
                Isub => self.integer_op(op, Integer::Isub)?,
                Imul => self.integer_op(op, Integer::Imul)?,
                Sdiv => self.integer_op(op, Integer::Sdiv)?,
                Srem => self.integer_op(op, Integer::Srem)?,
                Udiv => self.integer_op(op, Integer::Udiv)?,
                Urem => self.integer_op(op, Integer::Urem)?,
                And => self.integer_op(op, Integer::And)?,
                Or => self.integer_op(op, Integer::Or)?,
                Xor => self.integer_op(op, Integer::Xor)?,
                Shl => self.integer_op(op, Integer::Shl)?,
                Sshr => self.integer_op(op, Integer::Sshr)?,
                Ushr => self.integer_op(op, Integer::Ushr)?,
                Rotl => self.integer_op(op, Integer::Rotl)?,
                Rotr => self.integer_op(op, Integer::Rotr)?,
                Clz => self.integer_op(op, Integer::Clz)?,
                Popcnt => self.integer_op(op, Integer::Popcnt)?,
                Umulhi => self.integer_op(op, Integer::Umulhi)?,
                Eqz => self.integer_op(op, Integer::Eqz)?,
                ExtendU => self.integer_op(op, Integer::ExtendU)?,
                ExtendS => self.integer_op(op, Integer::ExtendS)?,
                Wrap => self.integer_op(op, Integer::Wrap)?,
                Eq => self.comparison(op, Comparison::Eq),
                Ne => self.comparison(op, Comparison::Ne),
                Slt => self.comparison(op, Comparison::Slt),
                Sgt => self.comparison(op, Comparison::Sgt),
                Sle => self.comparison(op, Comparison::Sle),
                Sge => self.comparison(op, Comparison::Sge),
                Ult => self.comparison(op, Comparison::Ult),
                Ugt => self.comparison(op, Comparison::Ugt),
                Ule => self.comparison(op, Comparison::Ule),
                Uge => self.comparison(op, Comparison::Uge),
                Fadd => self.real_op(op, Real::Fadd),
                Fsub => self.real_op(op, Real::Fsub),
                Fmul => self.real_op(op, Real::Fmul),
                Fdiv => self.real_op(op, Real::Fdiv),
                Fneg => self.real_op(op, Real::Fneg),
                Fabs => self.real_op(op, Real::Fabs),
                Fsqrt => self.real_op(op, Real::Fsqrt),
                Ffloor => self.real_op(op, Real::Ffloor),
                Fceil => self.real_op(op, Real::Fceil),
                Ftrunc => self.real_op(op, Real::Ftrunc),
                Fnearest => self.real_op(op, Real::Fnearest),
                IntToReal => self.real_op(op, Real::IntToReal),
                RealToInt => self.real_op(op, Real::RealToInt),
                RealBits => self.real_op(op, Real::RealBits),
                BitsReal => self.real_op(op, Real::BitsReal),
                Feq => self.real_comparison(op, RealComparison::Feq),
                Fne => self.real_comparison(op, RealComparison::Fne),
                Flt => self.real_comparison(op, RealComparison::Flt),
                Fgt => self.real_comparison(op, RealComparison::Fgt),
                Fle => self.real_comparison(op, RealComparison::Fle),
                Fge => self.real_comparison(op, RealComparison::Fge),
                Select => {
                    let chosen = if self.int(op.b) != 0 { op.c } else { op.imm as Reg };
                    self.set(op.a, self.get(chosen));
                }

                // -- nodes ----------------------------------------------------------------------------------------
                Header if op.flags & RC_OBJECT != 0 => {
                    let node = self.reference(op.b)?;
                    self.count_of(node)?;
                    self.set_i32(op, self.memory.load32(node)?);
                }
                Header => self.set_i32(op, self.memory.load32(self.reference(op.b)?)?),
                IsHnf => self.set_i32(op, self.memory.load32(self.reference(op.b)?)? & TAG_HNF),
                RefAddr => self.set_i32(op, self.reference(op.b)?),
                AddrRef => self.set_ref(op.a, self.uint(op.b) as u32),
                GetRef => self.set_ref(op.a, self.memory.load32(self.field(code, op)?)?),
                GetI64 | GetF64 => self.set(op.a, self.memory.load64(self.field(code, op)?)?),
                SetRef => {
                    self.memory.store32(self.changeable(code, op)?, self.reference(op.c)?)?;
                    if op.flags & RC_OBJECT == 0 {
                        self.remember(self.reference(op.b)?)?;
                    }
                }
                SetI64 | SetF64 => self.memory.store64(self.changeable(code, op)?, self.get(op.c))?,
                SetNodeInfo => {
                    self.field(code, op)?;
                    self.check_overwritten(self.reference(op.b)?)?;
                    self.memory.store32(self.reference(op.b)?, op.imm as u32)?;
                }
                ArgRef => self.set_ref(op.a, self.memory.load32(self.argument(code, op)?)?),
                ArgI64 | ArgF64 => self.set(op.a, self.memory.load64(self.argument(code, op)?)?),
                Blackhole => self.blackhole(op)?,
                BuildNode if op.flags & RC_OBJECT != 0 => self.build_rc(code, op, 0)?,
                BuildNode | BuildThunk => self.build(code, op)?,
                BuildDummy => self.build_dummy(code, op)?,
                BoxInt | BoxChar | BoxBool if op.flags & RC_OBJECT != 0 => self.box_rc(op)?,
                BoxInt => self.box_int(code, op)?,
                BoxChar => {
                    self.set_ref(op.a, program.data_section.chars + (self.int(op.b) as u8) as u32 * STATIC_NODE_SIZE)
                }
                BoxBool => {
                    self.set_ref(op.a, program.data_section.bools + (self.int(op.b) & 1) as u32 * STATIC_NODE_SIZE)
                }
                IntRef => self.set_ref(op.a, self.immediate(op)?),
                RefInt => self.set(op.a, self.integer(op)? as u64),
                IsInt => self.set_bool(op, is_immediate(self.reference(op.b)?)),
                FitsInt => self.set_bool(op, (IMMEDIATE_MIN..=IMMEDIATE_MAX).contains(&self.int(op.b))),
                FillNode | FillThunk => self.fill(code, op)?,
                FillCopy => self.fill_cell(op.b, op.c)?,
                MakeIndirection => self.make_indirection(op)?,

                // -- evaluation and calls -------------------------------------------------------------------------
                Eval if self.is_hnf(self.reference(op.b)?)? => self.set(op.a, self.get(op.b)),
                Apply if self.dispatched(&code.sites[op.imm as usize])?.is_none() => {
                    self.call_extern(code, &code.sites[op.imm as usize], Libcall::AddArgument.id())?;
                }
                Update if self.is_hnf(self.reference(op.b)?)? => {
                    self.fill_cell(op.c, op.b)?;
                    self.set(op.a, self.get(op.c));
                }
                Eval | Enter | Call | CallTable | EnterCode | Apply | Update | CallMethod => {
                    (code, pc) = self.call(code, &code.sites[op.imm as usize])?;
                }
                TryApply if self.dispatched(&code.sites[op.imm as u32 as usize])?.is_none() => {
                    self.call_extern(code, &code.sites[op.imm as u32 as usize], Libcall::AddArgument.id())?;
                    pc = self.return_normally(code, op)?;
                }
                TryCall | TryCallTable | TryCallMethod | TryApply => {
                    (code, pc) = self.call(code, &code.sites[op.imm as u32 as usize])?;
                }
                CallRt => {
                    let site = &code.sites[op.imm as usize];
                    let Callee::Extern(id) = site.callee else { unreachable!("call_rt without extern") };
                    self.call_extern(code, site, id)?;
                }

                // -- arrays and strings: the size is the word after the header of either, or after the count -------
                StringSize if op.flags & RC_OBJECT != 0 => {
                    let string = self.reference(op.b)?;
                    self.count_of(string)?;
                    self.array_kind(string)?;
                    self.set(op.a, self.memory.load32(string + rc::STRING_LENGTH)? as u64);
                }
                ArraySize | StringSize => {
                    let array = self.reference(op.b)?;
                    self.array_kind(array)?;
                    let size = self.memory.load32(array + SLOT)?;
                    self.set(op.a, size as u64);
                }
                ElemRef => self.set_ref(op.a, self.memory.load32(self.element(op)?)?),
                ElemI64 | ElemF64 => self.set(op.a, self.memory.load64(self.element(op)?)?),
                ElemU8 => self.set(op.a, self.memory.load::<1>(self.element(op)?)?[0] as u64),
                ElemI32 => self.set_i32(op, self.memory.load32(self.element(op)?)?),
                ElemF32 => self.set_real(op, f32::from_bits(self.memory.load32(self.element(op)?)?) as f64),
                SetElemRef => {
                    let element = self.element(op)?;
                    self.memory.store32(element, self.reference(op.a)?)?;
                    self.remember_slot(element)?;
                }
                SetElemI64 | SetElemF64 => self.memory.store64(self.element(op)?, self.get(op.a))?,
                SetElemU8 => self.memory.store(self.element(op)?, [self.get(op.a) as u8])?,
                SetElemI32 => self.memory.store32(self.element(op)?, self.get(op.a) as u32)?,
                SetElemF32 => self.memory.store32(self.element(op)?, (self.real(op.a) as f32).to_bits())?,

                ArrayNew | ArraySlice | ArrayCopy => self.array_op(code, op)?,
                ArrayGet => self.array_get(op)?,
                ArraySet => self.array_set(op)?,
                ArrayLen => self.array_len(op)?,

                // -- constant applicative forms: `imm` is the address of the state, word or reference --------------
                CafState => self.set_i32(op, self.memory.load32(op.imm as u32)?),
                CafRef if op.flags & RC_OBJECT != 0 => self.caf_rc(op)?,
                SetCafRef if op.flags & RC_OBJECT != 0 => self.set_caf_rc(op)?,
                CafRef | PeekCafRef => match self.memory.load32(op.imm as u32)? {
                    0 => return Err(Trap::wrong("a reference of a CAF is read before it is set")),
                    node => self.set_ref(op.a, node),
                },
                CafI64 | CafF64 => self.set(op.a, self.memory.load64(op.imm as u32)?),
                SetCafState => self.memory.store32(op.imm as u32, 1)?,
                SetCafRef => self.memory.store32(op.imm as u32, self.reference(op.b)?)?,
                SetCafI64 | SetCafF64 => self.memory.store64(op.imm as u32, self.get(op.b))?,

                // -- counted references ---------------------------------------------------------------------------
                Retain => self.retain(op)?,
                Release => self.release(op)?,
                UnpackRelease | Reset | ResetOrAlloc => self.let_die(code, op)?,
                Reuse => self.reuse(code, op)?,
                FreeToken => self.discard(op)?,
                GetRetained => self.get_retained(code, op)?,
                ExchangeRef => self.exchange(code, op)?,
                OpenHole => self.open_hole(op)?,
                MoveHole => self.move_hole(op)?,
                FillHole => self.fill_hole(op)?,

                // -- roots and heap -------------------------------------------------------------------------------
                HeapFull => self.set_bool(op, self.is_heap_full(op.imm as u32)),
                Collect => self.collect_op(code, op)?,
                Alloc => {
                    let at = self.allocate(code, op.imm as u32)?;
                    self.set_ref(op.a, at);
                }
                // Slot i of a frame lies at `shadow_pointer - 4 (i + 1)`.
                Spill => {
                    let slot = self.slot(op)?;
                    self.memory.store_any(slot, self.reference(op.b)?.to_le_bytes())?;
                }
                ClearSlot => {
                    let slot = self.slot(op)?;
                    self.memory.store_any(slot, 0u32.to_le_bytes())?;
                }
                Restore => {
                    let slot = self.slot(op)?;
                    self.set_ref(op.a, u32::from_le_bytes(self.memory.load_any(slot)?));
                }

                // -- machine-like: any address, any alignment, little endian -----------------------------------------
                LoadI32 => self.set_i32(op, u32::from_le_bytes(self.memory.load_any(self.address(op)?)?)),
                LoadI64 | LoadF64 => self.set(op.a, u64::from_le_bytes(self.memory.load_any(self.address(op)?)?)),
                LoadRef => self.set_ref(op.a, u32::from_le_bytes(self.memory.load_any(self.address(op)?)?)),
                LoadU8 => self.set(op.a, u8::from_le_bytes(self.memory.load_any(self.address(op)?)?) as u64),
                LoadU16 => self.set(op.a, u16::from_le_bytes(self.memory.load_any(self.address(op)?)?) as u64),
                LoadF32 => self.set_real(op, f32::from_le_bytes(self.memory.load_any(self.address(op)?)?) as f64),
                StoreI32 => self.memory.store_any(self.address(op)?, (self.get(op.c) as u32).to_le_bytes())?,
                StoreI64 | StoreF64 => self.memory.store_any(self.address(op)?, self.get(op.c).to_le_bytes())?,
                StoreRef => self.memory.store_any(self.address(op)?, self.reference(op.c)?.to_le_bytes())?,
                StoreU8 => self.memory.store_any(self.address(op)?, [self.get(op.c) as u8])?,
                StoreF32 => self.memory.store_any(self.address(op)?, (self.real(op.c) as f32).to_le_bytes())?,
                CafAddr | CafRefAddr => self.set(op.a, op.imm),
                ShadowPointer => {
                    let sp = self.top().sp;
                    self.set_i32(op, sp);
                }

                SetShadowPointer => self.top().sp = self.get(op.b) as u32,
                StackLimit => self.set_i32(op, self.stack_limit),
                SetStackLimit => self.stack_limit = self.get(op.b) as u32,

                // -- terminators ----------------------------------------------------------------------------------
                Jump => pc = self.go(&code.targets[op.imm as usize])?,
                BrIf => {
                    let otherwise = (self.int(op.b) == 0) as u64;
                    pc = self.go(&code.targets[(op.imm as u32 as u64 + otherwise) as usize])?;
                }
                BrTable => {
                    let number = (self.uint(op.b) as u32 as u64).min((op.imm >> 32) - 1);
                    pc = self.go(&code.targets[(op.imm as u32 as u64 + number) as usize])?;
                }
                Return => match self.ret(code, &op, floor)? {
                    Some(next) => (code, pc) = next,
                    None => return Ok(()),
                },
                TailEval if self.is_hnf(self.reference(op.b)?)? => {
                    self.results.clear();
                    self.results.push(self.get(op.b));
                    match self.leave(floor)? {
                        Some(next) => (code, pc) = next,
                        None => return Ok(()),
                    }
                }
                TailApply if self.dispatched(&code.sites[op.imm as usize])?.is_none() => {
                    self.call_extern(code, &code.sites[op.imm as usize], Libcall::AddArgument.id())?;
                    match self.leave(floor)? {
                        Some(next) => (code, pc) = next,
                        None => return Ok(()),
                    }
                }
                TailUpdate if self.is_hnf(self.reference(op.b)?)? => {
                    self.fill_cell(op.c, op.b)?;
                    self.results.clear();
                    self.results.push(self.get(op.c));
                    match self.leave(floor)? {
                        Some(next) => (code, pc) = next,
                        None => return Ok(()),
                    }
                }
                TailEval | TailEnter | TailCall | TailCallTable | TailEnterCode | TailApply | TailUpdate
                | TailCallMethod => {
                    (code, pc) = self.tail_call(code, &code.sites[op.imm as usize])?;
                }
                Raise => (code, pc) = self.raise(op, floor)?,
                HandleCall | HandleCallTable | HandleCallMethod | HandleApply | Perform | Resume | Discontinue => {
                    return Err(Trap::wrong("effects have not been expanded"));
                }
                Unreachable => return Err(Trap::wrong("`unreachable` was reached")),
            }
        }
    }
}
