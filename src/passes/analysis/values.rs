//! Working storage shared by the passes: definitions, renamings, use counts. Allocated once per thread and reused for
//! every function, so that passes over small functions do not allocate.

use cleave_ir::packed_option::PackedOption;
use cleave_ir::{Block, Func, Inst, Opcode, SecondaryMap, Value};

/// Buffers that passes borrow from the manager. Their contents mean nothing between two passes.
#[derive(Default)]
pub struct Scratch {
    /// Which instruction defines each value.
    pub defs: Defs,
    /// Values that others replace.
    pub rename: Rename,
    /// How often each value is used.
    pub uses: SecondaryMap<Value, u32>,
    /// A list of instructions.
    pub insts: Vec<Inst>,
    /// A list of blocks.
    pub blocks: Vec<Block>,
    /// A list of values.
    pub values: Vec<Value>,
    /// A number for each block.
    pub marks: SecondaryMap<Block, u32>,
    /// Writes and the cells they go to.
    pub writes: Vec<(Inst, Value)>,
    /// Computations that were seen.
    pub table: crate::opt::gvn::Table,
    /// Explicit stack of a walk over blocks.
    pub path: Vec<(Block, u32)>,
}

/// The instruction that defines each value; none for block parameters.
#[derive(Default)]
pub struct Defs {
    inst: SecondaryMap<Value, PackedOption<Inst>>,
}

impl Defs {
    /// Records the definitions in all blocks that are laid out.
    pub fn compute(&mut self, func: &Func) {
        self.inst.clear();
        self.inst.resize(func.values.len());
        for &block in &func.layout {
            for &inst in &func.blocks[block].insts {
                self.record(func, inst);
            }
        }
    }
    /// Notes the results of an instruction that was added.
    #[inline]
    pub fn record(&mut self, func: &Func, inst: Inst) {
        for &result in func.results(inst) {
            self.inst[result] = inst.into();
        }
    }
    /// None for parameters of blocks.
    #[inline]
    pub fn get(&self, value: Value) -> Option<Inst> {
        self.inst[value].expand()
    }
    /// Opcode of the definition of a value.
    #[inline]
    pub fn op(&self, func: &Func, value: Value) -> Option<Opcode> {
        self.get(value).map(|inst| func.insts[inst].op)
    }
    /// The defining instruction if it has the opcode `op`.
    #[inline]
    pub fn with_op(&self, func: &Func, value: Value, op: Opcode) -> Option<Inst> {
        self.get(value).filter(|&inst| func.insts[inst].op == op)
    }
    /// Value of an integer constant, sign-extended.
    #[inline]
    pub fn constant(&self, func: &Func, value: Value) -> Option<i64> {
        let data = &func.insts[self.get(value)?];
        data.op.integer(data.imm)
    }
}

/// True if two instructions are the same constant.
pub fn same_constant(func: &Func, a: Inst, b: Inst) -> bool {
    let (a, b) = (&func.insts[a], &func.insts[b]);
    a.op == b.op && a.op.is_constant() && a.imm == b.imm && a.aux == b.aux
}

/// Values that are to be replaced by others everywhere.
#[derive(Default)]
pub struct Rename {
    to: SecondaryMap<Value, PackedOption<Value>>,
    any: bool,
}

impl Rename {
    /// Forgets all; from here on values of this function are renamed.
    pub fn start(&mut self, func: &Func) {
        self.to.clear();
        self.to.resize(func.values.len());
        self.any = false;
    }
    /// Replaces `from` by `to` in everything that is resolved from here on.
    pub fn set(&mut self, from: Value, to: Value) {
        let to = self.resolve(to);
        debug_assert_ne!(from, to);
        self.to[from] = to.into();
        self.any = true;
    }
    /// True if nothing is replaced.
    pub fn is_empty(&self) -> bool {
        !self.any
    }
    /// The value that stands for `value` now; shortens the path on the way.
    #[inline]
    pub fn resolve(&mut self, value: Value) -> Value {
        match self.to[value].expand() {
            None => value,
            Some(next) => self.resolve_from(value, next),
        }
    }
    fn resolve_from(&mut self, value: Value, next: Value) -> Value {
        let mut last = next;
        while let Some(next) = self.to[last].expand() {
            last = next;
        }
        let mut at = value;
        while at != last {
            let next = self.to[at].expand().unwrap_or(last);
            self.to[at] = last.into();
            at = next;
        }
        last
    }
    /// Renames the operands of one instruction.
    #[inline]
    pub fn apply_to_inst(&mut self, func: &mut Func, inst: Inst) {
        for arg in func.insts[inst].args.as_mut_slice(&mut func.pool) {
            *arg = self.resolve(*arg);
        }
    }
    /// Renames the arguments of all edges.
    pub fn apply_to_edges(&mut self, func: &mut Func) {
        if !self.any {
            return;
        }
        for &block in &func.layout {
            for edge in &mut func.blocks[block].edges {
                for arg in edge.args.as_mut_slice(&mut func.pool) {
                    *arg = self.resolve(*arg);
                }
            }
        }
    }
    /// Renames everything in the blocks that are laid out.
    pub fn apply(&mut self, func: &mut Func) {
        if !self.any {
            return;
        }
        for &block in &func.layout {
            for &inst in &func.blocks[block].insts {
                for arg in func.insts[inst].args.as_mut_slice(&mut func.pool) {
                    *arg = self.resolve(*arg);
                }
            }
        }
        self.apply_to_edges(func);
    }
}

/// Counts the uses of every value in operands and edge arguments.
pub fn count_uses(func: &Func, uses: &mut SecondaryMap<Value, u32>) {
    uses.clear();
    uses.resize(func.values.len());
    for &block in &func.layout {
        let data = &func.blocks[block];
        for &inst in &data.insts {
            for &arg in func.args(inst) {
                uses[arg] += 1;
            }
        }
        for edge in &data.edges {
            for &arg in func.edge_args(edge) {
                uses[arg] += 1;
            }
        }
    }
}
