//! One function from low IR to CLIF: values, blocks, the walk in reverse postorder, and the hand-over to the families
//! of instructions (`number`, `memory`, `call`).
//!
//! A value of the IR has up to three forms in CLIF, made where they are needed:
//! - its *word*: i32, i64 or f64; a reference is an i64 whose upper half is zero;
//! - its *wide* form, for an i32 that is used as an address: the i64 with a zero upper half;
//! - its *flag*, for a comparison: the i8 that Cranelift's branches and selections take without another test.
//!
//! Numbers that outlive a slow path have a variable instead (`keep`); values of very large functions a place in the
//! frame (`homes`).
//!
//! The shadow-stack pointer is an argument of functions that collect, and comes back after their results: nobody has
//! to keep it in a register that callees save, and that it would have to save itself.
//!
//! Needs: definitions visited before uses, which reverse postorder gives. What is made twice, or in vain, Cranelift's
//! value graph removes.

mod address;
mod branch;
mod call;
mod clif;
mod frames;
mod memory;
mod number;
mod spill_across_calls;
mod spill_everywhere;
mod state;

use self::clif::func_signature;
pub use self::clif::{Clif, Env, clif_type, name_of, resolve};
use self::frames::keeps_references;
use self::spill_across_calls::Plan;
use self::spill_everywhere::FrameSlots;
pub use self::state::Scratch;
use self::state::{Forms, Lower};
use crate::{Symbol, lines};
use cleave_ir::cfg::Cfg;
use cleave_ir::opcode::{Constant, Machine, Terminator};
use cleave_ir::{Block, ConstantValue, Func, FuncId, Group, Inst, Opcode, Type, Value};
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, types};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use rustc_hash::FxHashMap;

/// Builds the CLIF of function `id`; one that is very large is made for quick work.
pub fn function(
    env: &Env,
    isa: &dyn TargetIsa,
    id: FuncId,
    is_huge: bool,
    scratch: &mut Scratch,
    context: &mut FunctionBuilderContext,
    function: &mut ir::Function,
) {
    let func = &env.module.funcs[id];
    let keeps = keeps_references(func);
    let cfg = Cfg::compute(func);
    scratch.prepare(func, &cfg);
    function.name = ir::UserFuncName::User(name_of(Symbol::Func(id)));
    function.signature = func_signature(func);
    let mut builder = FunctionBuilder::new(function, context);
    // The entry block of the IR may be the target of a loop, that of CLIF may not.
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    for &block in &cfg.order {
        let made = builder.create_block();
        scratch.blocks[block.as_u32() as usize] = Some(made);
        for &param in func.params(block) {
            let value = builder.append_block_param(made, clif_type(func.values[param]));
            if keeps && func.values[param] == Type::Ref {
                builder.declare_value_needs_stack_map(value);
            }
            scratch.forms[param.as_u32() as usize].word = value.into();
        }
        if func.is_cold(block) {
            builder.set_cold_block(made);
        }
    }
    builder.switch_to_block(entry);
    let params = builder.block_params(entry).to_vec();
    let (hidden, own) = params.split_at(func.lowered_signature().hidden());
    let shadow_pointer = hidden.first().map(|&pointer| {
        let variable = builder.declare_var(types::I64);
        builder.def_var(variable, pointer);
        variable
    });
    let mut lower = Lower {
        clif: Clif::new(env, &mut builder),
        func,
        forms: &mut scratch.forms,
        defs: &scratch.defs,
        blocks: &scratch.blocks,
        shadow_pointer,
        shadow_slot: None,
        open: None,
        rest: &[],
        entered_from: FxHashMap::default(),
        keeps,
        has_reals: func.values.values().any(|&ty| ty == Type::F64),
        plan: Plan::default(),
        frame_slots: FrameSlots::default(),
    };
    if is_huge {
        lower.plan_frame_slots(&cfg);
    } else {
        lower.plan(&cfg);
    }
    let args: Vec<BlockArg> = own.iter().map(|&value| value.into()).collect();
    let first = lower.block_of(func.entry_block());
    lower.clif.builder.ins().jump(first, &args);
    for (number, &block) in (0..).zip(&cfg.order) {
        lower.block(block, number);
    }
    builder.seal_all_blocks();
    builder.finalize(isa.frontend_config());
}

impl Scratch {
    fn prepare(&mut self, func: &Func, cfg: &Cfg) {
        self.forms.clear();
        self.forms.resize(func.values.len(), Forms::default());
        self.defs.clear();
        self.defs.resize(func.values.len(), None);
        self.blocks.clear();
        self.blocks.resize(func.blocks.len(), None);
        for &block in &cfg.order {
            for &inst in &func.blocks[block].insts {
                for &result in func.results(inst) {
                    self.defs[result.as_u32() as usize] = Some(inst);
                }
                for &arg in address::operands(func, inst) {
                    self.forms[arg.as_u32() as usize].is_address = true;
                }
            }
        }
    }
}

impl<'l> Lower<'l, '_, '_, '_> {
    fn block_of(&self, block: Block) -> ir::Block {
        self.blocks[block.as_u32() as usize].expect("a reachable block")
    }

    fn block(&mut self, block: Block, number: u32) {
        let made = self.block_of(block);
        self.clif.builder.switch_to_block(made);
        self.open = None;
        let func = self.func;
        self.keep_params(block);
        self.enter_block(block, number);
        let insts = &func.blocks[block].insts;
        let source = func.source.as_deref().filter(|_| self.clif.env.walkers.traces);
        let mut at = self.entered_from.get(&block).copied().unwrap_or_default();
        self.clif.builder.set_srcloc(at);
        for (number, &inst) in insts.iter().enumerate() {
            self.rest = &insts[number + 1..];
            if let Some(place) = source.and_then(|source| lines::code(source.insts[inst])) {
                at = place;
                self.clif.builder.set_srcloc(at);
            }
            self.inst(block, inst);
            self.store_results(inst);
        }
        if source.is_some() {
            for edge in &func.blocks[block].edges {
                self.entered_from.entry(edge.block).or_insert(at);
            }
        }
        self.leave_block();
    }

    // -- values
    // --------------------------------------------------------------------------------------------------------

    fn form(&mut self, value: Value) -> &mut Forms {
        self.reload_frame_slot(value);
        &mut self.forms[value.as_u32() as usize]
    }
    fn set(&mut self, value: Value, word: ir::Value) {
        self.keep(value, word);
        match self.variable(value) {
            Some(variable) => self.clif.builder.def_var(variable, word),
            None => self.form(value).word = word.into(),
        }
    }
    /// A reference that is alive during a call must be in the map of that call.
    fn keep(&mut self, value: Value, word: ir::Value) {
        let is_static = || self.def(value).is_some_and(|(op, _)| op.is_static_ref());
        if self.keeps && self.func.values[value] == Type::Ref && !is_static() {
            self.clif.builder.declare_value_needs_stack_map(word);
        }
    }
    fn set_wide(&mut self, value: Value, wide: ir::Value) {
        if let Some(variable) = self.variable(value) {
            let word = self.clif.builder.ins().ireduce(types::I32, wide);
            return self.clif.builder.def_var(variable, word);
        }
        self.form(value).wide = wide.into();
    }
    fn set_flag(&mut self, value: Value, flag: ir::Value) {
        if let Some(variable) = self.variable(value) {
            let word = self.clif.builder.ins().uextend(types::I32, flag);
            return self.clif.builder.def_var(variable, word);
        }
        self.form(value).flag = flag.into();
    }
    fn def(&self, value: Value) -> Option<(Opcode, Inst)> {
        self.defs[value.as_u32() as usize].map(|inst| (self.func.insts[inst].op, inst))
    }

    /// The constant that a value is: a number, or an address in the data section.
    fn constant(&self, value: Value) -> Option<i64> {
        let (op, inst) = self.def(value)?;
        let data = &self.func.insts[inst];
        match Constant::of(op)?.value(self.clif.env.data_section, data.imm, data.aux) {
            ConstantValue::I32(n) => Some(n.into()),
            ConstantValue::I64(n) => Some(n),
            ConstantValue::F64(_) => None,
        }
    }

    /// The word of a value. Constants are made where they are used.
    fn word(&mut self, value: Value) -> ir::Value {
        let forms = *self.form(value);
        if let Some(word) = forms.word.expand() {
            return word;
        }
        if let Some(variable) = forms.variable.expand() {
            return self.clif.builder.use_var(variable);
        }
        let ty = clif_type(self.func.values[value]);
        if let Some(constant) = self.constant(value) {
            return self.clif.builder.ins().iconst(ty, constant);
        }
        if let Some(pointer) = self.own_shadow_pointer(value) {
            return self.clif.builder.ins().ireduce(ty, pointer);
        }
        let ins = self.clif.builder.ins();
        match (forms.flag.expand(), forms.wide.expand()) {
            (Some(flag), _) => ins.uextend(ty, flag),
            (None, Some(wide)) => ins.ireduce(ty, wide),
            (None, None) => panic!("{value} of @{} is used before its definition", self.func.name),
        }
    }

    /// The i64 with a zero upper half.
    fn wide(&mut self, value: Value) -> ir::Value {
        if self.func.values[value] == Type::Ref {
            return self.word(value);
        }
        if let Some(wide) = self.form(value).wide.expand() {
            return wide;
        }
        if let Some(pointer) = self.own_shadow_pointer(value) {
            return pointer;
        }
        if let Some(constant) = self.constant(value) {
            return self.clif.builder.ins().iconst(types::I64, constant);
        }
        let word = self.word(value);
        self.clif.builder.ins().uextend(types::I64, word)
    }

    fn own_shadow_pointer(&mut self, value: Value) -> Option<ir::Value> {
        let is_it = matches!(self.def(value), Some((Opcode::ShadowPointer, _)));
        self.shadow_pointer.filter(|_| is_it).map(|pointer| self.clif.builder.use_var(pointer))
    }

    /// A condition: the flag, or the word that is tested.
    fn condition(&mut self, value: Value) -> ir::Value {
        match self.form(value).flag.expand() {
            Some(flag) => flag,
            None => self.word(value),
        }
    }

    fn words(&mut self, values: &[Value]) -> Vec<ir::Value> {
        values.iter().map(|&value| self.word(value)).collect()
    }

    // -- instructions
    // --------------------------------------------------------------------------------------------------

    fn inst(&mut self, block: Block, inst: Inst) {
        let func = self.func;
        let data = &func.insts[inst];
        let args = func.args(inst);
        if data.op.any(cleave_ir::Flags::CALL) {
            self.open = None;
        }
        match data.op.group() {
            Group::Field(_) | Group::Cell(_) | Group::Boxed(_) | Group::Evaluation(_) => self.not_low(data.op),
            Group::Handling(_) | Group::Size(_) | Group::Element(_) | Group::Array(_) => self.not_low(data.op),
            Group::Storage(_) | Group::Root(_) | Group::Count(_) => self.not_low(data.op),
            Group::Constant(Constant::Fconst) => {
                let value = self.clif.builder.ins().f64const(ir::immediates::Ieee64::with_bits(data.imm));
                self.set(func.result(inst), value);
            }
            // Made where they are used.
            Group::Constant(_) => {}
            Group::Integer(op) => self.integer(op, inst),
            Group::Comparison(comparison) => self.comparison(comparison, inst),
            Group::Real(op) => self.real(op, inst),
            Group::RealComparison(comparison) => self.real_comparison(comparison, inst),
            Group::Load(op) => self.load(op, inst),
            Group::Store(op) => self.store(op, inst),
            Group::Machine(op) => self.machine(op, inst),
            Group::Call(op) => self.call(op, inst),
            Group::Terminator(Terminator::Jump) => {
                let (target, args) = self.edge(block, 0);
                self.clif.builder.ins().jump(target, &args);
            }
            Group::Terminator(Terminator::BrIf) => {
                let condition = self.condition(args[0]);
                let (yes, yes_args) = self.edge(block, 0);
                let (no, no_args) = self.edge(block, 1);
                self.clif.builder.ins().brif(condition, yes, &yes_args, no, &no_args);
            }
            Group::Terminator(Terminator::BrTable) => self.table(block, args[0]),
            Group::Terminator(Terminator::Return) => {
                let words = self.words(args);
                self.leave(words);
            }
            Group::Terminator(Terminator::Unreachable) => {
                // Not the instruction by which Cranelift reports a division by zero: this one is a defect of ours.
                self.clif.builder.ins().debugtrap();
                self.clif.builder.ins().trap(ir::TrapCode::unwrap_user(1));
            }
        }
    }

    fn not_low(&self, op: Opcode) -> ! {
        panic!("{} of @{} is not low", op.name(), self.func.name)
    }

    fn machine(&mut self, op: Machine, inst: Inst) {
        use Machine::*;
        let args = self.func.args(inst);
        match op {
            Select => {
                let condition = self.condition(args[0]);
                let (yes, no) = (self.word(args[1]), self.word(args[2]));
                let word = self.clif.builder.ins().select(condition, yes, no);
                self.set(self.func.result(inst), word);
            }
            // The same bits under another type.
            RefAddr => {
                let reference = self.word(args[0]);
                self.set_wide(self.func.result(inst), reference);
            }
            AddrRef => {
                let address = self.wide(args[0]);
                self.set(self.func.result(inst), address);
            }
            HeapFull | Alloc => self.heap(inst),
            // Made where it is used.
            ShadowPointer => {}
            // Nothing is captured here: the stack is large.
            StackLimit => {
                let one = self.clif.builder.ins().iconst(ir::types::I32, 1);
                self.set(self.func.result(inst), one);
            }
            SetStackLimit | SetShadowPointer => {
                panic!("{} of @{} is for WebAssembly", op.opcode().name(), self.func.name)
            }
        }
    }
}
