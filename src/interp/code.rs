//! Decoded functions: what the interpreter executes instead of the IR.
//!
//! Addresses are resolved, values have become registers of a frame, operand lists and edges lie in side tables. The
//! operation stays an `Opcode` of the IR, so that `step.rs` reads as its definition.

use cleave_ir::{Block, Extern, FuncId, Inst, Opcode, Phase, Table, Type};

/// Register of a frame.
pub type Reg = u16;

/// Bit of the immediate of operations of arrays: the index is in range for sure.
pub(crate) const UNCHECKED: u64 = 1 << 32;

/// The first operand is an i32 (integer instructions).
pub const NARROW: u8 = 1;
/// The first operand is a reference (loads and stores).
pub const BY_REF: u8 = 2;
/// The operand or result is a cell of the reference-counted heap.
pub const RC_OBJECT: u8 = 4;
/// In a place (`imm` of field accesses): the offset counts from the overflow block.
pub const IN_OVERFLOW: u64 = 1 << 32;

/// One instruction, 16 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    pub op: Opcode,
    pub flags: u8,
    /// Register of the single result; of the third operand where there is no result.
    pub a: Reg,
    /// First operand.
    pub b: Reg,
    /// Second operand.
    pub c: Reg,
    /// Constant, address, offset, third operand of an operation with a result, or index into a side table.
    pub imm: u64,
}

/// A call, or anything else that behaves like one.
#[derive(Clone, Debug)]
pub struct CallSite {
    pub callee: Callee,
    /// Arguments without index and shadow-stack pointer.
    pub args: Box<[Reg]>,
    /// Those that are references, to be checked before use.
    pub ref_args: Box<[Reg]>,
    pub results: Box<[Reg]>,
    /// Which results are references.
    pub ref_results: Box<[bool]>,
    /// Frame slots of the caller that the collector sees.
    pub depth: u32,
    /// Low IR: register with the shadow-stack pointer for the callee.
    pub stack_pointer: Option<Reg>,
    /// A collection may happen during the call.
    pub collects: bool,
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// Found at run time: thunk entry.
    Entry,
    Func(FuncId),
    Extern(Extern),
    /// What the header of the first argument names.
    Apply,
    Update,
    Instance(Table),
    /// Functions, and the register of the index.
    Table(Box<[FuncId]>, Reg),
}

/// One store of a `build` or `fill`.
#[derive(Clone, Copy, Debug)]
pub struct FieldStore {
    pub reg: Reg,
    pub ty: Type,
    /// Offset from the cell, or with `in_overflow` from the overflow block.
    pub offset: u32,
    pub in_overflow: bool,
}

/// Layout of a node or thunk that is built or filled.
#[derive(Clone, Debug)]
pub struct Layout {
    pub header: u32,
    /// Bytes of the cell; on the reference-counted heap its size class.
    pub cell: u32,
    /// Bytes of the overflow block.
    pub rest: u32,
    /// Split shape without references: slot 0 is zero.
    pub zero_slot: bool,
    pub stores: Box<[FieldStore]>,
}

/// What an instruction that releases a node of known shape does.
#[derive(Clone, Debug)]
pub struct Dying {
    /// References that are kept, and the numbers of the fields that they were read from.
    pub kept: Box<[(Reg, u32)]>,
    /// References of the node.
    pub ptrs: u32,
    /// Its size class.
    pub class: u32,
    pub end: End,
}

/// What becomes of the memory of a node without references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Freed,
    /// It is a token; where the node lives on, that is 0.
    Token,
    /// It is a token; where the node lives on, that is new memory.
    Memory,
}

/// An edge: copies to make, in this order, and where to go.
#[derive(Clone, Debug)]
pub struct Target {
    pub pc: u32,
    /// Instructions of the block, for the step counter.
    pub cost: u32,
    pub moves: Box<[(Reg, Reg)]>,
}

/// A decoded function.
#[derive(Debug)]
pub struct FuncCode {
    pub phase: Phase,
    pub ops: Vec<Op>,
    /// For each op that accesses a node or thunk: its info word, as the shape of the instruction has it; else 0.
    pub infos: Vec<u32>,
    /// Block and instruction of each op.
    pub origin: Vec<(Block, Inst)>,
    /// Registers of a frame; parameter `i` arrives in register `i`.
    pub regs: usize,
    pub cost: u32,
    pub sites: Vec<CallSite>,
    pub layouts: Vec<Layout>,
    pub dying: Vec<Dying>,
    pub targets: Vec<Target>,
    /// Operand lists of `ret`, and which operands are references.
    pub lists: Vec<Box<[(Reg, bool)]>>,
    /// High IR: registers with the references that must survive a collection at this op, by op.
    pub roots: Vec<(u32, Box<[Reg]>)>,
}

impl FuncCode {
    /// Registers that hold live references while the op at `pc` is waiting for a collection or call.
    pub fn roots_at(&self, pc: u32) -> &[Reg] {
        match self.roots.binary_search_by_key(&pc, |r| r.0) {
            Ok(i) => &self.roots[i].1,
            Err(_) => &[],
        }
    }
}
