//! Maps from functions and tables to their stackless clones, and instruction helpers for generating them.

use super::graph::Callee;
use cleave_ir::{Block, Builder, Func, FuncId, Inst, Opcode, Phase, SecondaryMap, Signature, Table, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Operands, and what else is short as a rule.
pub type Values = SmallVec<[Value; 16]>;

/// With `--trace`: stackless clones leave here where the frames of those end who wait, for `cleave run`
/// (`src/run/stackless_frames.rs`) and the loader. It is the end of the shadow stack, which nothing uses while they
/// run.
const TRACE: u32 = 0;
/// With `--trace`: what a frame of a stackless clone has below its return point: the number of its function, and its
/// bytes, or 0 for the frame at the bottom.
pub const TRACE_BYTES: u32 = 8;

/// What stands for what in the world of stackless clones.
#[derive(Default)]
pub struct StacklessClones {
    pub funcs: SecondaryMap<FuncId, Option<FuncId>>,
    pub tables: SecondaryMap<Table, Option<Table>>,
    /// What evaluates a node, if thunks are deep.
    pub eval: Option<FuncId>,
    /// What calls the return point on top of the stack of words, by the types of the results.
    pub returns: FxHashMap<Vec<Type>, FuncId>,
    /// Numbers of the return points.
    pub points: FxHashMap<FuncId, u32>,
    /// Frames tell whose they are, and functions where the last one ends.
    pub traced: bool,
}

impl StacklessClones {
    pub fn func(&self, func: FuncId) -> Option<FuncId> {
        self.funcs[func]
    }
    pub fn table(&self, table: Table) -> Option<Table> {
        self.tables[table]
    }
    pub fn return_point(&self, func: FuncId) -> u32 {
        self.points[&func]
    }
    /// Bytes of a frame between what lives on and the return point.
    pub fn trace_bytes(&self) -> u32 {
        if self.traced { TRACE_BYTES } else { 0 }
    }
    /// Leaves for traces where the frames of those end who wait.
    pub fn tell(&self, builder: &mut Builder, words: Value) {
        if self.traced {
            let address = builder.iconst32(TRACE as i32);
            builder.inst(Opcode::StoreI32, 0, 0, &[address, words]);
        }
    }
    pub fn has(&self, callee: Callee) -> bool {
        match callee {
            Callee::Func(func) => self.funcs[func].is_some(),
            Callee::Table(table) => self.tables[table].is_some(),
            Callee::Thunk => self.eval.is_some(),
        }
    }
}

/// Bytes of a value in memory: 8 instead of 4.
pub fn is_long(ty: Type) -> bool {
    matches!(ty, Type::I64 | Type::F64)
}

pub fn load(ty: Type) -> Opcode {
    match ty {
        Type::I32 => Opcode::LoadI32,
        Type::I64 => Opcode::LoadI64,
        Type::F64 => Opcode::LoadF64,
        Type::Ref => Opcode::LoadRef,
    }
}
pub fn store(ty: Type) -> Opcode {
    match ty {
        Type::I32 => Opcode::StoreI32,
        Type::I64 => Opcode::StoreI64,
        Type::F64 => Opcode::StoreF64,
        Type::Ref => Opcode::StoreRef,
    }
}

/// An empty function of low IR, and its parameters.
pub fn low(name: String, params: &[Type], results: &[Type]) -> (Func, Vec<Value>) {
    let mut func = Func::new(name, Signature::new(params, results));
    func.phase = Phase::Low;
    func.is_outlined = true;
    let block = func.new_block();
    let params = params.iter().map(|&ty| func.add_param(block, ty)).collect();
    (func, params)
}

/// Which operand of a call is the shadow-stack pointer.
pub fn pointer_place(func: &Func, call: Inst) -> usize {
    matches!(func.insts[call].op, Opcode::CallTable | Opcode::TailCallTable) as usize
}

/// Ends a block by giving results to the return point on top of the stack of words.
pub fn give_back(
    func: &mut Func,
    block: Block,
    stackless_clones: &StacklessClones,
    references: Value,
    words: Value,
    results: &[Value],
) {
    let types: SmallVec<[Type; 8]> = results.iter().map(|&result| func.values[result]).collect();
    let args: Values = [references, words].into_iter().chain(results.iter().copied()).collect();
    Builder::new(func, block).tail_call(stackless_clones.returns[&types[..]], &args);
}
