//! Functions: blocks, instructions, values. Lists are in one pool per function; nothing is a pointer.

use crate::arrays::ArrayKind;
use crate::entity::{Block, Desc, Extern, Inst, ThunkInfo, Value};
use crate::layout::Shape;
use crate::opcode::{Flags, Opcode};
pub use crate::phase::Phase;
use crate::runtime::{Libcall, unpack_extern};
use crate::source::{DebugType, FuncSource, Location, Named};
use crate::strategy::RootStrategy;
use crate::types::{Signature, Type};
use crate::value_list::{ValueList, ValuePool};
use cleave_abi::Effects;
use cranelift_entity::PrimaryMap;
use smallvec::SmallVec;

/// What an instruction is. Targets of terminators are the edges of its block (`BlockData::edges`).
#[derive(Clone, Debug)]
pub struct InstData {
    /// Decides what the immediates mean (`OpcodeInfo::imm`).
    pub op: Opcode,
    /// Second immediate (`ImmKind`): frame depth, field index, …
    pub aux: u32,
    /// First immediate: a number, bits of a real, or the number of an entity.
    pub imm: u64,
    /// Its operands; those of its edges are apart.
    pub args: ValueList,
    /// The values that it defines.
    pub results: ValueList,
}

/// An outgoing edge with the arguments for the parameters of its target.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The target.
    pub block: Block,
    /// As many as the target has parameters, and of their types.
    pub args: ValueList,
}

/// A basic block. The last instruction is its terminator.
#[derive(Clone, Debug, Default)]
pub struct BlockData {
    /// Values that each edge to this block sets.
    pub params: ValueList,
    /// In the order of execution.
    pub insts: Vec<Inst>,
    /// The targets of the terminator, in its order.
    pub edges: SmallVec<[Edge; 2]>,
    /// It hardly ever runs, whatever its instructions are. Not part of the text.
    pub is_cold: bool,
}

/// A function. A declaration without blocks is not allowed: what is outside is an extern.
#[derive(Clone, Debug, Default)]
pub struct Func {
    /// Without the `@` of the text form; unique in its module.
    pub name: String,
    /// Without the shadow-stack pointer.
    pub signature: Signature,
    /// Functions of one module may be in different phases while passes run.
    pub phase: Phase,
    /// False once the leaf analysis has shown that no collection can happen below this function: calls to it are no
    /// safepoints. On the reference-counted heap nothing collects.
    pub may_gc: bool,
    /// True if it takes the shadow-stack pointer before its parameters, once lowered (`lowered_signature`).
    pub takes_stack_pointer: bool,
    /// A pass made it of a part of another function, or for one, whose name says enough: it has its own in listings,
    /// and in programs that are to be looked into.
    pub is_outlined: bool,
    /// How its references are kept for the collector, where that is not left to the program.
    pub roots: Option<RootStrategy>,
    /// The program asks for updates in place: on the reference-counted heap, new cells are written over dead ones.
    pub fip: bool,
    /// On the reference-counted heap, once references are counted: numbers of the parameters that stay the caller's, in
    /// order. The function owns the other references, and must consume them.
    pub borrows: SmallVec<[u32; 4]>,
    /// The same of parameters of blocks: those that own nothing. With the value that keeps alive what they refer to,
    /// because it is that, or holds it; without one the callers do.
    pub borrowed: Vec<(Value, Option<Value>)>,
    /// On the reference-counted heap, once references are counted: numbers of the parameters that are holes
    /// (`open_hole`), in order. The function must fill each of them, or pass it on.
    pub holes: SmallVec<[u32; 2]>,
    /// The first block, whose parameters are those of the function.
    pub entry: Option<Block>,
    /// All blocks, those too that were removed: `layout` has those that count.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// Blocks in the order in which they are written and emitted; removed blocks are not listed.
    pub layout: Vec<Block>,
    /// All instructions, those too that are in no block any more.
    pub insts: PrimaryMap<Inst, InstData>,
    /// Types of the values.
    pub values: PrimaryMap<Value, Type>,
    /// The memory of all lists of values.
    pub pool: ValuePool,
    /// Where it came from, if that is wanted.
    pub source: Option<Box<FuncSource>>,
}

impl Func {
    /// A function of high IR without blocks; it may collect.
    pub fn new(name: impl Into<String>, signature: Signature) -> Self {
        Func { name: name.into(), signature, may_gc: true, takes_stack_pointer: true, ..Func::default() }
    }

    /// Takes the function, and leaves what its callers see: name, signature and flags, without a body.
    pub fn take(&mut self) -> Func {
        let header = Func {
            name: self.name.clone(),
            signature: self.signature.clone(),
            phase: self.phase,
            may_gc: self.may_gc,
            takes_stack_pointer: self.takes_stack_pointer,
            is_outlined: self.is_outlined,
            roots: self.roots,
            fip: self.fip,
            borrows: self.borrows.clone(),
            holes: self.holes.clone(),
            ..Func::default()
        };
        std::mem::replace(self, header)
    }

    /// Panics if there are no blocks yet.
    pub fn entry_block(&self) -> Block {
        self.entry.expect("function without entry block")
    }

    /// A block at the end of the layout. The first one is the entry.
    pub fn new_block(&mut self) -> Block {
        let block = self.blocks.push(BlockData::default());
        self.layout.push(block);
        if self.entry.is_none() {
            self.entry = Some(block);
        }
        block
    }

    /// A block before all others, which is the entry from here on. It has no parameters yet, and leads nowhere.
    pub fn new_entry(&mut self) -> Block {
        let entry = self.blocks.push(BlockData::default());
        self.layout.insert(0, entry);
        self.entry = Some(entry);
        entry
    }

    /// A value that nothing defines yet.
    pub fn new_value(&mut self, ty: Type) -> Value {
        self.values.push(ty)
    }

    /// One more parameter of a block, after the others.
    pub fn add_param(&mut self, block: Block, ty: Type) -> Value {
        let value = self.values.push(ty);
        self.blocks[block].params.push(value, &mut self.pool);
        value
    }

    /// The parameters of a block.
    #[inline]
    pub fn params(&self, block: Block) -> &[Value] {
        self.blocks[block].params.as_slice(&self.pool)
    }
    /// The operands of an instruction.
    #[inline]
    pub fn args(&self, inst: Inst) -> &[Value] {
        self.insts[inst].args.as_slice(&self.pool)
    }
    /// The values that an instruction defines.
    #[inline]
    pub fn results(&self, inst: Inst) -> &[Value] {
        self.insts[inst].results.as_slice(&self.pool)
    }
    /// The single result of an instruction.
    #[inline]
    pub fn result(&self, inst: Inst) -> Value {
        self.results(inst)[0]
    }
    /// What an edge gives to the parameters of its target.
    #[inline]
    pub fn edge_args<'f>(&'f self, edge: &'f Edge) -> &'f [Value] {
        edge.args.as_slice(&self.pool)
    }
    /// The last instruction of a block, if that ends it.
    pub fn terminator(&self, block: Block) -> Option<Inst> {
        self.blocks[block].insts.last().copied().filter(|&i| self.insts[i].op.is_terminator())
    }
    /// The targets of a block, once for each edge.
    pub fn successors(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        self.blocks[block].edges.iter().map(|e| e.block)
    }
    /// True for blocks of lowered IR on slow paths: they collect, evaluate a thunk, remember an old object or stop the
    /// program.
    pub fn is_cold(&self, block: Block) -> bool {
        let data = &self.blocks[block];
        data.is_cold
            || data.insts.iter().any(|&inst| {
                let data = &self.insts[inst];
                let is_rare = |(id, effects): (Extern, Effects)| {
                    effects.never_returns() || Libcall::from_extern(id).is_some_and(Libcall::is_rare)
                };
                data.op == Opcode::EnterCode
                    || data.op == Opcode::Unreachable
                    || data.op == Opcode::CallRt && is_rare(data.external())
            })
    }
    /// Number of instructions in blocks that are laid out.
    pub fn inst_count(&self) -> usize {
        self.layout.iter().map(|&b| self.blocks[b].insts.len()).sum()
    }

    /// Creates an instruction that is in no block yet.
    pub fn make_inst(&mut self, op: Opcode, imm: u64, aux: u32, args: &[Value], result_types: &[Type]) -> Inst {
        let args = ValueList::from_slice(args, &mut self.pool);
        let results = match *result_types {
            [] => ValueList::new(),
            [ty] => ValueList::from_slice(&[self.values.push(ty)], &mut self.pool),
            _ => ValueList::from_iter(result_types.iter().map(|&ty| self.values.push(ty)), &mut self.pool),
        };
        let inst = self.insts.push(InstData { op, aux, imm, args, results });
        self.locate(inst);
        inst
    }

    /// Gives an instruction the current location.
    pub fn locate(&mut self, inst: Inst) {
        if let Some(source) = &mut self.source
            && source.current.is_known()
        {
            source.insts[inst] = source.current;
        }
    }
    /// The location of the instructions that are made next.
    pub fn set_location(&mut self, location: Location) {
        if let Some(source) = &mut self.source {
            source.current = location;
        }
    }
    /// The instructions that are made next come from where this one came from.
    pub fn set_location_of(&mut self, inst: Inst) {
        if let Some(source) = &mut self.source {
            source.current = source.insts[inst];
        }
    }
    /// Says where an instruction came from.
    pub fn relocate(&mut self, inst: Inst, location: Location) {
        if let Some(source) = &mut self.source
            && location.is_known()
        {
            source.insts[inst] = location;
        }
    }
    /// Where an instruction came from.
    pub fn location(&self, inst: Inst) -> Location {
        self.source.as_ref().map_or(Location::NONE, |source| source.insts[inst])
    }
    /// Gives a value a name, if names are kept.
    pub fn name_value(&mut self, value: Value, name: &str, meaning: DebugType) {
        if let Some(source) = &mut self.source {
            source.names.push(Named { value, name: name.into(), meaning });
        }
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

    /// Replaces all operands of an instruction.
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
    /// The kind of the elements of an array.
    pub fn array_kind(&self) -> ArrayKind {
        ArrayKind::unpack(self.imm)
    }
    /// The descriptor that the immediate names.
    pub fn desc(&self) -> Desc {
        Desc::from_u32(self.imm as u32)
    }
    /// The info of the thunk that it makes, and which operand is the first argument.
    pub fn built_thunk(&self) -> Option<(ThunkInfo, usize)> {
        let is_thunk = self.op == Opcode::BuildThunk || self.op == Opcode::FillThunk;
        is_thunk.then(|| (self.thunk_info(), usize::from(self.op.any(Flags::FILLS))))
    }
    /// The entry that the immediate names.
    pub fn thunk_info(&self) -> ThunkInfo {
        ThunkInfo::from_u32(self.imm as u32)
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
