//! Functions: blocks, instructions, values. All lists live in one pool per function; nothing is a pointer.

use crate::entity::{Block, Desc, Entry, Extern, Inst, Value};
use crate::layout::Shape;
use crate::opcode::Opcode;
use crate::runtime::{Service, unpack_extern};
use crate::strategy::Strategy;
use crate::types::{Signature, Type};
use cleave_contract::Effects;
use cranelift_entity::{EntityList, ListPool, PrimaryMap};
use smallvec::SmallVec;

/// A list of values in the pool of its function.
pub type ValueList = EntityList<Value>;

/// What an instruction is. Targets of terminators are the edges of its block (`BlockData::edges`).
#[derive(Clone, Debug)]
pub struct InstData {
    pub op: Opcode,
    /// Second immediate (`ImmKind`): frame depth, field index, …
    pub aux: u32,
    pub imm: u64,
    pub args: ValueList,
    pub results: ValueList,
}

/// An outgoing edge with the arguments for the parameters of its target.
#[derive(Clone, Debug)]
pub struct Edge {
    pub block: Block,
    pub args: ValueList,
}

/// A basic block. The last instruction is its terminator.
#[derive(Clone, Debug, Default)]
pub struct BlockData {
    pub params: ValueList,
    pub insts: Vec<Inst>,
    pub edges: SmallVec<[Edge; 2]>,
}

/// Phase of a function: which opcodes it may contain (see the phases in `lib.rs`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, PartialOrd, Ord)]
pub enum Phase {
    #[default]
    High,
    Rooted,
    Low,
}

impl Phase {
    /// The word for messages.
    pub const fn word(self) -> &'static str {
        match self {
            Phase::High => "high",
            Phase::Rooted => "rooted",
            Phase::Low => "low",
        }
    }
}

/// A function. A declaration without blocks is not allowed: what is outside is an extern.
#[derive(Clone, Debug, Default)]
pub struct Func {
    pub name: String,
    pub signature: Signature,
    pub phase: Phase,
    /// False once the leaf analysis has shown that no collection can happen below this function; it then takes no
    /// shadow-stack pointer and calls to it are no safepoints.
    pub collects: bool,
    /// How its references are kept for the collector, where that is not left to the program.
    pub roots: Option<Strategy>,
    /// The program asks for updates in place: on the counted heap, new cells are written over dead ones.
    pub fip: bool,
    /// On the counted heap, once references are counted: numbers of the parameters that stay the caller's, in order.
    /// The function owns the other references, and must consume them.
    pub borrows: SmallVec<[u32; 4]>,
    pub entry: Option<Block>,
    pub blocks: PrimaryMap<Block, BlockData>,
    /// Blocks in the order in which they are written and emitted; removed blocks are not listed.
    pub layout: Vec<Block>,
    pub insts: PrimaryMap<Inst, InstData>,
    /// Types of the values.
    pub values: PrimaryMap<Value, Type>,
    pub pool: ListPool<Value>,
}

impl Func {
    pub fn new(name: impl Into<String>, signature: Signature) -> Self {
        Func { name: name.into(), signature, collects: true, ..Func::default() }
    }

    pub fn entry_block(&self) -> Block {
        self.entry.expect("function without entry block")
    }

    pub fn new_block(&mut self) -> Block {
        let block = self.blocks.push(BlockData::default());
        self.layout.push(block);
        if self.entry.is_none() {
            self.entry = Some(block);
        }
        block
    }

    pub fn new_value(&mut self, ty: Type) -> Value {
        self.values.push(ty)
    }

    pub fn add_param(&mut self, block: Block, ty: Type) -> Value {
        let value = self.values.push(ty);
        self.blocks[block].params.push(value, &mut self.pool);
        value
    }

    #[inline]
    pub fn params(&self, block: Block) -> &[Value] {
        self.blocks[block].params.as_slice(&self.pool)
    }
    #[inline]
    pub fn args(&self, inst: Inst) -> &[Value] {
        self.insts[inst].args.as_slice(&self.pool)
    }
    #[inline]
    pub fn results(&self, inst: Inst) -> &[Value] {
        self.insts[inst].results.as_slice(&self.pool)
    }
    /// The single result of an instruction.
    #[inline]
    pub fn result(&self, inst: Inst) -> Value {
        self.results(inst)[0]
    }
    #[inline]
    pub fn edge_args(&self, edge: &Edge) -> &[Value] {
        edge.args.as_slice(&self.pool)
    }
    pub fn terminator(&self, block: Block) -> Option<Inst> {
        self.blocks[block].insts.last().copied().filter(|&i| self.insts[i].op.is_terminator())
    }
    pub fn successors(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        self.blocks[block].edges.iter().map(|e| e.block)
    }
    /// True for blocks of lowered IR on slow paths: they collect, evaluate a thunk, remember an old object or stop the
    /// program.
    pub fn is_slow_path(&self, block: Block) -> bool {
        self.blocks[block].insts.iter().any(|&inst| {
            let data = &self.insts[inst];
            match data.op {
                Opcode::EnterCode | Opcode::Unreachable => true,
                Opcode::CallRt => {
                    let (id, effects) = data.external();
                    effects.never_returns() || Service::from_extern(id).is_some_and(Service::is_rare)
                }
                _ => false,
            }
        })
    }
    /// Number of instructions in blocks that are laid out.
    pub fn inst_count(&self) -> usize {
        self.layout.iter().map(|&b| self.blocks[b].insts.len()).sum()
    }

    /// Creates an instruction that is in no block yet.
    pub fn make_inst(&mut self, op: Opcode, imm: u64, aux: u32, args: &[Value], result_types: &[Type]) -> Inst {
        let args = ValueList::from_slice(args, &mut self.pool);
        let mut results = ValueList::new();
        for &ty in result_types {
            let value = self.values.push(ty);
            results.push(value, &mut self.pool);
        }
        self.insts.push(InstData { op, aux, imm, args, results })
    }

    /// Appends an instruction to a block.
    pub fn append(
        &mut self,
        block: Block,
        op: Opcode,
        imm: u64,
        aux: u32,
        args: &[Value],
        result_types: &[Type],
    ) -> Inst {
        let inst = self.make_inst(op, imm, aux, args, result_types);
        self.blocks[block].insts.push(inst);
        inst
    }

    /// Adds an outgoing edge.
    pub fn add_edge(&mut self, from: Block, to: Block, args: &[Value]) {
        let args = ValueList::from_slice(args, &mut self.pool);
        self.blocks[from].edges.push(Edge { block: to, args });
    }

    pub fn set_args(&mut self, inst: Inst, args: &[Value]) {
        let list = ValueList::from_slice(args, &mut self.pool);
        self.insts[inst].args = list;
    }
}

impl InstData {
    /// Shape in a `Field` immediate.
    pub fn field_shape(&self) -> Shape {
        Shape::unpack(self.imm)
    }
    /// Stride and byte offset of an `Element` immediate.
    pub fn element(&self) -> (u32, u32) {
        (self.imm as u32, (self.imm >> 32) as u32)
    }
    pub fn desc(&self) -> Desc {
        Desc::from_u32(self.imm as u32)
    }
    pub fn entry(&self) -> Entry {
        Entry::from_u32(self.imm as u32)
    }
    /// What a `call_rt` names, and the effects of the call.
    pub fn external(&self) -> (Extern, Effects) {
        unpack_extern(self.imm)
    }
    /// The effects of a `call_rt`.
    pub fn effects(&self) -> Effects {
        self.external().1
    }
}

/// Packs two 32-bit numbers into an immediate (`Element`, or the shape of a `Field`).
pub const fn pack(low: u32, high: u32) -> u64 {
    low as u64 | (high as u64) << 32
}
