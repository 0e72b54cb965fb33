//! Branches: edges with their arguments, and tables of them.

use super::state::Lower;
use cleave_ir::{Block, Value};
use cranelift_codegen::ir::{self, BlockArg, InstBuilder};

impl Lower<'_, '_, '_, '_> {
    pub(super) fn edge(&mut self, block: Block, edge: usize) -> (ir::Block, Vec<BlockArg>) {
        let func = self.func;
        let edge = &func.blocks[block].edges[edge];
        let args = func.edge_args(edge).iter().map(|&arg| self.word(arg).into()).collect();
        (self.block_of(edge.block), args)
    }

    /// The last target is the one for numbers out of range.
    pub(super) fn table(&mut self, block: Block, index: Value) {
        let index = self.word(index);
        let count = self.func.blocks[block].edges.len();
        let mut calls = Vec::with_capacity(count);
        for edge in 0..count {
            let (target, args) = self.edge(block, edge);
            calls.push(self.clif.builder.func.dfg.block_call(target, &args));
        }
        let last = calls.pop().expect("a table has a default");
        let table = self.clif.builder.create_jump_table(ir::JumpTableData::new(last, &calls));
        self.clif.builder.ins().br_table(index, table);
    }
}
