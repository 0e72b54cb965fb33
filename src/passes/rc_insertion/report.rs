//! Report on reuse and ownership, for the authors of a program: which constructor takes the memory of which cell, and
//! why another one does not; who owns the parameters; what is released.
//!
//! Needs: functions as they come from `rc-insertion`, best without any optimisation before: then they are those of the
//! source. Changes nothing.

use super::shape_facts::Evidence;
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::layout::Shape;
use cleave_ir::rc;
use cleave_ir::{Block, Func, FuncId, Inst, Module, Opcode, SecondaryMap, Type, Value};

/// One function.
pub struct Summary<'m> {
    /// With its references counted.
    pub func: &'m Func,
    /// Its parameters that are references, and whether they are its own.
    pub params: Vec<(Value, bool)>,
    /// What constructors have become, in the order of the code.
    pub built: Vec<Built>,
    /// References that end here.
    pub released: Vec<Released>,
    /// Calls that would do better in another order.
    pub late: Vec<Late>,
}

/// A call that only looks at a value, behind another one that could take it apart if it were the last to use it.
pub struct Late {
    /// The call that looks.
    pub looks: Inst,
    /// The call before it, which gets a reference that was counted for it.
    pub consumes: Inst,
    /// The value.
    pub value: Value,
}

/// A constructor of the source.
pub struct Built {
    /// Where it is.
    pub block: Block,
    /// What it has become.
    pub inst: Inst,
    /// Where its memory comes from.
    pub memory: Memory,
}

/// Where the memory of a cell comes from.
pub enum Memory {
    /// It has no fields: it is part of the program.
    Atom,
    /// The cell of this value, if nothing else refers to that when the program runs.
    Reused(Value),
    /// The same, and that cell is larger than need be.
    Larger(Value),
    /// New memory.
    New(Why),
}

/// Why a cell is new.
pub enum Why {
    /// Nobody asks for reuse here.
    NotAsked,
    /// No cell is taken apart on the way here.
    Nothing,
    /// The cell of this value has another size.
    OtherSize(Value),
    /// Another constructor takes the cell of this value.
    Taken(Value),
    /// This value is needed later, or somebody else releases it.
    Needed(Value),
}

/// A reference that ends: with the last one the cell is freed.
pub struct Released {
    /// Where that is.
    pub block: Block,
    /// Number of the instruction in its block.
    pub at: usize,
    /// The reference.
    pub value: Value,
}

/// What is known of one function while it is read.
struct Reader<'m> {
    func: &'m Func,
    evidence: Evidence,
    dom: DomTree,
    /// Of each token the node that died for it.
    nodes: SecondaryMap<Value, Option<(Value, (u32, u32))>>,
    /// Of each value the blocks where it dies and its memory is kept for a constructor.
    resets: SecondaryMap<Value, Vec<Block>>,
    /// Cells that are made here.
    made: SecondaryMap<Value, bool>,
    module: &'m Module,
    asks: bool,
}

/// Describes the functions whose names the program knows. `asks` says in which of them cells are reused.
pub fn summarise<'m>(module: &'m Module, asks: impl Fn(&Func) -> bool) -> Vec<Summary<'m>> {
    let is_written = |func: &&Func| func.source.as_ref().is_some_and(|source| source.start.is_known());
    let known = module.funcs.values().filter(is_written);
    known.map(|func| summary(module, func, asks(func))).collect()
}

fn summary<'m>(module: &'m Module, func: &'m Func, asks: bool) -> Summary<'m> {
    let cfg = Cfg::compute(func);
    let (mut evidence, dom) = (Evidence::default(), DomTree::compute(&cfg));
    evidence.collect(module, func, &cfg);
    let (nodes, resets, made) = (SecondaryMap::new(), SecondaryMap::new(), SecondaryMap::new());
    let mut reader = Reader { func, evidence, dom, nodes, resets, made, module, asks };
    let all = cfg.order.iter().flat_map(|&block| func.blocks[block].insts.iter().map(move |&inst| (block, inst)));
    for (block, inst) in all {
        let op = func.insts[inst].op;
        if op.is_reset() {
            let node = func.args(inst)[0];
            let Shape { ptrs, nptrs, .. } = func.insts[inst].field_shape();
            reader.nodes[func.result(inst)] = Some((node, (ptrs, nptrs)));
            reader.resets[node].push(block);
        }
        if op == Opcode::BuildNode || op == Opcode::Reuse {
            reader.made[func.result(inst)] = true;
        }
    }
    let params = func.params(func.entry_block()).iter().enumerate();
    let params = params.filter(|&(_, &param)| func.values[param] == Type::Ref);
    let params = params.map(|(i, &param)| (param, !func.borrows.contains(&(i as u32)))).collect();
    let (mut built, mut released) = (Vec::new(), Vec::new());
    // In the order of the source, as far as the layout keeps it.
    for &block in &func.layout {
        for (at, &inst) in func.blocks[block].insts.iter().enumerate() {
            let args = func.args(inst);
            let op = func.insts[inst].op;
            if op == Opcode::Release || op == Opcode::UnpackRelease {
                released.push(Released { block, at, value: args[0] });
            }
            let memory = if op == Opcode::NodeRef {
                Memory::Atom
            } else if op == Opcode::BuildNode {
                Memory::New(reader.why(block, inst))
            } else if op == Opcode::Reuse
                && let Some((node, shape)) = reader.nodes[args[0]]
            {
                let is_exact = reader.class(inst) == rc::class(shape.0, shape.1);
                if is_exact { Memory::Reused(node) } else { Memory::Larger(node) }
            } else {
                continue;
            };
            built.push(Built { block, inst, memory });
        }
    }
    let late = func.layout.iter().flat_map(|&block| late(module, func, block)).collect();
    Summary { func, params, built, released, late }
}

/// Calls of a block that could stand before others: what they are given is there already.
fn late(module: &Module, func: &Func, block: Block) -> Vec<Late> {
    let (mut counted, mut consumers, mut found) = (Vec::new(), Vec::<(Inst, Value)>::new(), Vec::new());
    let mut made = SecondaryMap::<Value, usize>::new();
    for &inst in &func.blocks[block].insts {
        let (data, args) = (&func.insts[inst], func.args(inst));
        if data.op == Opcode::Retain {
            counted.push(args[0]);
        } else if data.op == Opcode::Call {
            let borrows = &module.funcs[FuncId::from_u32(data.imm as u32)].borrows;
            for (i, &arg) in args.iter().enumerate() {
                let consumer = consumers.iter().position(|consumer| consumer.1 == arg);
                if borrows.contains(&(i as u32)) {
                    let Some(number) = consumer else { continue };
                    if args.iter().all(|&arg| made[arg] <= number) {
                        found.push(Late { looks: inst, consumes: consumers[number].0, value: arg });
                    }
                } else if counted.contains(&arg) && consumer.is_none() {
                    consumers.push((inst, arg));
                }
            }
        }
        func.results(inst).iter().for_each(|&result| made[result] = consumers.len());
    }
    found
}

impl Reader<'_> {
    /// Looks at the cells that have been taken apart on the way to a constructor, from the nearest one on.
    fn why(&self, block: Block, inst: Inst) -> Why {
        if !self.asks {
            return Why::NotAsked;
        }
        let (sizes, data) = (&self.module.cell_sizes, &self.func.insts[inst]);
        let (ptrs, nptrs) = self.module.payload(data.desc(), data.aux);
        let class = sizes.class(ptrs, nptrs);
        let (mut other, mut taken) = (None, None);
        let mut at = Some(block);
        while let Some(here) = at {
            let known: Vec<_> = self.evidence.in_block(here).collect();
            for &(value, shape) in known.iter().rev() {
                if shape == (0, 0) || self.made[value] {
                    continue;
                }
                match (sizes.class(shape.0, shape.1) == class, self.is_taken(value, block)) {
                    (true, false) => return Why::Needed(value),
                    (true, true) => taken = taken.or(Some(value)),
                    (false, _) => other = other.or(Some(value)),
                }
            }
            at = self.dom.idom(here);
        }
        taken.map(Why::Taken).or(other.map(Why::OtherSize)).unwrap_or(Why::Nothing)
    }

    /// The size class that a constructor needs.
    fn class(&self, inst: Inst) -> u32 {
        let (ptrs, nptrs) = self.module.payload(self.func.insts[inst].desc(), self.func.insts[inst].aux);
        rc::class(ptrs, nptrs)
    }

    /// On all ways to a block?
    fn is_taken(&self, value: Value, block: Block) -> bool {
        self.resets[value].iter().any(|&from| self.dom.dominates(from, block))
    }
}
