//! What is known of the shape of nodes, and where: a field was read, the header was compared, the node was built here.

use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::layout::Shape;
use cleave_ir::{Block, Desc, Func, Inst, Module, Opcode, SecondaryMap, Value};

/// References and words of a node.
pub type Payload = (u32, u32);

fn payload(shape: Shape) -> Payload {
    (shape.refs, shape.words)
}

/// The shape of a value from some place on.
#[derive(Clone, Copy, Debug)]
struct KnownShape {
    block: Block,
    /// Number of the instruction in its block; 0 also for what is known on entry.
    at: usize,
    shape: Payload,
    /// The row, if that is known, too.
    row: Option<(Desc, u32)>,
}

/// What is known in one function.
pub struct Evidence<'m> {
    module: &'m Module,
    pub dom: DomTree,
    known: SecondaryMap<Value, Vec<KnownShape>>,
    in_block: SecondaryMap<Block, Vec<(Value, Payload)>>,
    /// Definitions of conditions and headers.
    defs: SecondaryMap<Value, Option<Inst>>,
}

impl<'m> Evidence<'m> {
    pub fn collect(module: &'m Module, func: &Func, cfg: &Cfg) -> Evidence<'m> {
        let mut evidence = Evidence {
            module,
            dom: DomTree::compute(cfg),
            known: SecondaryMap::new(),
            in_block: SecondaryMap::new(),
            defs: SecondaryMap::new(),
        };
        evidence.known.resize(func.values.len());
        evidence.defs.resize(func.values.len());
        evidence.in_block.resize(func.blocks.len());
        for &block in &cfg.order {
            for (at, &inst) in func.blocks[block].insts.iter().enumerate() {
                let data = &func.insts[inst];
                match data.op {
                    Opcode::GetRef | Opcode::GetI64 | Opcode::GetF64 => {
                        evidence.add(
                            func.args(inst)[0],
                            KnownShape { block, at, shape: payload(data.field_shape()), row: None },
                        );
                    }
                    Opcode::BuildNode | Opcode::Reuse => {
                        let row = (data.desc(), data.aux);
                        let shape = module.payload(row.0, row.1);
                        evidence.add(func.result(inst), KnownShape { block, at, shape, row: Some(row) });
                    }
                    Opcode::Header | Opcode::RowAddr | Opcode::Eq | Opcode::Ne => {
                        evidence.defs[func.result(inst)] = Some(inst);
                    }
                    _ => {}
                }
            }
        }
        for &block in &cfg.order {
            for index in 0..func.blocks[block].edges.len() {
                let target = func.blocks[block].edges[index].block;
                if cfg.preds[target].len() == 1
                    && let Some((value, row, shape)) = evidence.on_edge(func, block, index)
                {
                    evidence.add(value, KnownShape { block: target, at: 0, shape, row: Some(row) });
                }
            }
        }
        evidence
    }

    fn add(&mut self, value: Value, known: KnownShape) {
        self.in_block[known.block].push((value, known.shape));
        self.known[value].push(known);
    }

    /// What the branch to this edge says: the header of a value is that of a row.
    pub fn on_edge(&self, func: &Func, block: Block, index: usize) -> Option<(Value, (Desc, u32), Payload)> {
        let branch = func.terminator(block).filter(|&inst| func.insts[inst].op == Opcode::BrIf)?;
        let test = self.defs[func.args(branch)[0]]?;
        let wanted = match func.insts[test].op {
            Opcode::Eq => 0,
            Opcode::Ne => 1,
            _ => return None,
        };
        let edges = &func.blocks[block].edges;
        if index != wanted || edges[0].block == edges[1].block {
            return None;
        }
        let operands = func.args(test);
        let of = |value: Value, op: Opcode| self.defs[value].filter(|&inst| func.insts[inst].op == op);
        let (header, row) = match (of(operands[0], Opcode::Header), of(operands[1], Opcode::RowAddr)) {
            (Some(header), Some(row)) => (header, row),
            _ => (of(operands[1], Opcode::Header)?, of(operands[0], Opcode::RowAddr)?),
        };
        let row = (func.insts[row].desc(), func.insts[row].aux);
        Some((func.args(header)[0], row, self.module.payload(row.0, row.1)))
    }

    /// Values whose shape becomes known in a block.
    pub fn in_block(&self, block: Block) -> &[(Value, Payload)] {
        &self.in_block[block]
    }

    fn find(&self, value: Value, block: Block, before: usize) -> impl Iterator<Item = &KnownShape> {
        self.known[value].iter().filter(move |known| match known.block == block {
            true => known.at < before || known.at == 0,
            false => self.dom.dominates(known.block, block),
        })
    }

    /// The shape of a node before an instruction of a block, or behind it if it reads a field itself.
    pub fn shape(&self, value: Value, block: Block, before: usize) -> Option<Payload> {
        self.find(value, block, before).next().map(|known| known.shape)
    }

    /// Is it known to be a node without fields, which is static?
    pub fn is_atom(&self, value: Value, block: Block, before: usize) -> bool {
        self.find(value, block, before).any(|known| known.row.is_some() && known.shape == (0, 0))
    }
}
