//! Facts about the shapes of nodes, with the blocks in which they hold: a field was read, the header was compared, the
//! node was built here.

use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::layout::Shape;
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{Block, Desc, Func, ImmKind, Inst, Module, Opcode, SecondaryMap, Value};

/// References and words of a node.
pub type Payload = (u32, u32);

fn payload(shape: Shape) -> Payload {
    (shape.ptrs, shape.nptrs)
}

/// The shape of a value from some place on.
#[derive(Clone, Copy, Debug)]
struct KnownShape {
    value: Value,
    block: Block,
    /// Number of the instruction in its block; 0 also for what is known on entry.
    at: usize,
    shape: Payload,
    /// The row, if that is known, too.
    node_info: Option<(Desc, u32)>,
    /// What is known next of the value, and in the block.
    next_of_value: u32,
    next_in_block: u32,
}

/// The first and the last element of a list.
#[derive(Clone, Copy)]
struct List(u32, u32);

const NONE: u32 = u32::MAX;

impl List {
    /// Appends an element; returns the one before, whose next it is.
    fn append(&mut self, number: u32) -> Option<usize> {
        let last = std::mem::replace(&mut self.1, number);
        if last == NONE {
            self.0 = number;
        }
        (last != NONE).then_some(last as usize)
    }
}

/// What is known in one function.
pub struct Evidence {
    all: Vec<KnownShape>,
    of_value: SecondaryMap<Value, List>,
    in_block: SecondaryMap<Block, List>,
    /// Definitions of conditions and headers.
    defs: SecondaryMap<Value, PackedOption<Inst>>,
}

impl Default for Evidence {
    fn default() -> Evidence {
        let empty = List(NONE, NONE);
        Evidence {
            all: Vec::new(),
            of_value: SecondaryMap::with_default(empty),
            in_block: SecondaryMap::with_default(empty),
            defs: SecondaryMap::new(),
        }
    }
}

impl Evidence {
    /// Collects what is known in a function; what was known before is forgotten.
    pub fn collect(&mut self, module: &Module, func: &Func, cfg: &Cfg) {
        self.all.clear();
        self.of_value.clear();
        self.of_value.resize(func.values.len());
        self.in_block.clear();
        self.in_block.resize(func.blocks.len());
        self.defs.clear();
        self.defs.resize(func.values.len());
        for &block in &cfg.order {
            for (at, &inst) in func.blocks[block].insts.iter().enumerate() {
                let data = &func.insts[inst];
                // A hole is the field of a new node, whose row is known.
                if data.op.info().imm == ImmKind::Field && !data.op.makes_hole() {
                    self.add(func.args(inst)[0], (block, at), payload(data.field_shape()), None);
                } else if data.op == Opcode::BuildNode || data.op == Opcode::Reuse {
                    let node_info = (data.desc(), data.aux);
                    let shape = module.payload(node_info.0, node_info.1);
                    self.add(func.result(inst), (block, at), shape, Some(node_info));
                } else if data.op.edge_of_equality().is_some()
                    || data.op == Opcode::Header
                    || data.op == Opcode::NodeInfoAddr
                {
                    self.defs[func.result(inst)] = inst.into();
                }
            }
        }
        for &block in &cfg.order {
            for index in 0..func.blocks[block].edges.len() {
                let target = func.blocks[block].edges[index].block;
                if cfg.preds[target].len() == 1
                    && let Some((value, node_info, shape)) = self.on_edge(module, func, block, index)
                {
                    self.add(value, (target, 0), shape, Some(node_info));
                }
            }
        }
    }

    fn add(&mut self, value: Value, (block, at): (Block, usize), shape: Payload, node_info: Option<(Desc, u32)>) {
        let number = self.all.len() as u32;
        self.all.push(KnownShape { value, block, at, shape, node_info, next_of_value: NONE, next_in_block: NONE });
        if let Some(before) = self.of_value[value].append(number) {
            self.all[before].next_of_value = number;
        }
        if let Some(before) = self.in_block[block].append(number) {
            self.all[before].next_in_block = number;
        }
    }

    /// What the branch to this edge says: the header of a value is that of a row.
    pub fn on_edge(
        &self,
        module: &Module,
        func: &Func,
        block: Block,
        index: usize,
    ) -> Option<(Value, (Desc, u32), Payload)> {
        let branch = func.terminator(block).filter(|&inst| func.insts[inst].op == Opcode::BrIf)?;
        let test = self.defs[func.args(branch)[0]].expand()?;
        let wanted = func.insts[test].op.edge_of_equality()?;
        let edges = &func.blocks[block].edges;
        if index != wanted || edges[0].block == edges[1].block {
            return None;
        }
        let operands = func.args(test);
        let of = |value: Value, op: Opcode| self.defs[value].expand().filter(|&inst| func.insts[inst].op == op);
        let (header, node_info) = match (of(operands[0], Opcode::Header), of(operands[1], Opcode::NodeInfoAddr)) {
            (Some(header), Some(node_info)) => (header, node_info),
            _ => (of(operands[1], Opcode::Header)?, of(operands[0], Opcode::NodeInfoAddr)?),
        };
        let node_info = (func.insts[node_info].desc(), func.insts[node_info].aux);
        Some((func.args(header)[0], node_info, module.payload(node_info.0, node_info.1)))
    }

    /// Values whose shape becomes known in a block.
    pub fn in_block(&self, block: Block) -> impl Iterator<Item = (Value, Payload)> {
        let known = self.follow(self.in_block[block], |known| known.next_in_block);
        known.map(|known| (known.value, known.shape))
    }

    fn follow(&self, list: List, next: fn(&KnownShape) -> u32) -> impl Iterator<Item = &KnownShape> {
        std::iter::successors(self.all.get(list.0 as usize), move |known| self.all.get(next(known) as usize))
    }

    fn find(&self, dom: &DomTree, value: Value, block: Block, before: usize) -> impl Iterator<Item = &KnownShape> {
        let known = self.follow(self.of_value[value], |known| known.next_of_value);
        known.filter(move |known| match known.block == block {
            true => known.at < before || known.at == 0,
            false => dom.dominates(known.block, block),
        })
    }

    /// The shape of a node before an instruction of a block, or after it if it reads a field itself.
    pub fn shape(&self, dom: &DomTree, value: Value, block: Block, before: usize) -> Option<Payload> {
        self.find(dom, value, block, before).next().map(|known| known.shape)
    }

    /// Is it known to be a node without fields, which is static?
    pub fn is_atom(&self, dom: &DomTree, value: Value, block: Block, before: usize) -> bool {
        self.find(dom, value, block, before).any(|known| known.node_info.is_some() && known.shape == (0, 0))
    }
}
