//! Lines of a text, for messages about what it says.

use crate::entity::{Block, FuncId};
use crate::verify::Location;
use cranelift_entity::{EntityRef, SecondaryMap};

/// Lines of the text by function, block and instruction.
#[derive(Debug, Default)]
pub struct LineMap {
    pub(super) funcs: Vec<FuncLines>,
}

#[derive(Debug, Default)]
pub(super) struct FuncLines {
    pub header: u32,
    pub blocks: SecondaryMap<Block, u32>,
    pub insts: Vec<u32>,
}

impl LineMap {
    /// The line of a place in a function of the parsed module.
    pub fn line(&self, func: FuncId, at: Location) -> u32 {
        let Some(lines) = self.funcs.get(func.index()) else { return 0 };
        match at {
            Location::Func => lines.header,
            Location::Block(block) => lines.blocks[block],
            Location::Inst(_, inst) => lines.insts.get(inst.index()).copied().unwrap_or(lines.header),
        }
    }
}
