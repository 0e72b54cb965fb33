//! What is passed to a call, as far as it was built for it: nodes and thunks that nothing else refers to. Calls of a
//! function that get the same *pattern* share a copy of it, which gets what the pattern does not say, its *leaves*.

use super::demand::{Demand, Demands};
use crate::analysis::values::{Defs, Scratch, count_uses};
use crate::opt::gvn::is_known_whole;
use cleave_ir::{Block, Func, FuncId, Inst, Opcode, SecondaryMap, Type, Value};
use smallvec::SmallVec;

/// Nodes of a pattern, and how deep they lie in each other.
const MAX_NODES: usize = 12;

/// An operand in a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Operand {
    /// The next leaf.
    Leaf(Type),
    /// The node of that number.
    Node(u32),
}

/// An instruction that builds a node or a thunk.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Node {
    op: Opcode,
    imm: u64,
    aux: u32,
    args: SmallVec<[Operand; 4]>,
}

/// What a call passes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    /// Each after those that it refers to.
    nodes: Vec<Node>,
    params: SmallVec<[Operand; 8]>,
}

/// A function as it is at one moment.
pub struct Site<'a> {
    pub func: &'a Func,
    pub defs: &'a Defs,
    /// How often each value is used.
    pub uses: &'a SecondaryMap<Value, u32>,
    /// The block that each instruction is in.
    block_of: SecondaryMap<Inst, Option<Block>>,
}

impl<'a> Site<'a> {
    pub fn of(func: &'a Func, scratch: &'a mut Scratch) -> Site<'a> {
        scratch.defs.compute(func);
        count_uses(func, &mut scratch.uses);
        let mut block_of = SecondaryMap::new();
        for &block in &func.layout {
            func.blocks[block].insts.iter().for_each(|&inst| block_of[inst] = Some(block));
        }
        Site { func, defs: &scratch.defs, uses: &scratch.uses, block_of }
    }

    /// The calls of functions: block, number in it, instruction, callee.
    pub fn calls(&self) -> Vec<(Block, usize, Inst, FuncId)> {
        let func = self.func;
        let of_block = |&block: &Block| func.blocks[block].insts.iter().enumerate().map(move |it| (block, it));
        let all = func.layout.iter().flat_map(of_block);
        all.filter_map(|(block, (number, &inst))| Some((block, number, inst, func.insts[inst].called_func()?)))
            .collect()
    }

    /// The instruction that builds a value, if a call in this block may do so in its place.
    fn builds(&self, value: Value, block: Block) -> Option<Inst> {
        let inst = self.defs.get(value)?;
        (is_known_whole(self.func.insts[inst].op) && self.block_of[inst] == Some(block)).then_some(inst)
    }

    /// The pattern of a call, and its leaves. None if nothing is built for it, or no thunk is.
    pub fn pattern(
        &self,
        demands: &Demands,
        block: Block,
        call: Inst,
        callee: FuncId,
    ) -> Option<(Pattern, Vec<Value>)> {
        let params = &demands.funcs[callee].params;
        let args = self.func.args(call);
        let mut refused: SmallVec<[Value; 8]> = SmallVec::new();
        loop {
            let mut reader =
                Reader { site: self, demands, block, refused: &refused, values: Vec::new(), has_thunk: false };
            for (&arg, &demand) in args.iter().zip(params).filter(|pair| pair.1.is_used()) {
                reader.node(arg, demand, 0);
            }
            if !reader.has_thunk {
                return None;
            }
            let values = reader.values;
            // Nothing else may refer to what is built.
            let used_within = |value: Value| {
                let operands = values.iter().flat_map(|&node| self.operands(node)).chain(args);
                operands.filter(|&&arg| arg == value).count()
            };
            let others = values.iter().find(|&&node| used_within(node) != self.uses[node] as usize);
            if let Some(&other) = others {
                refused.push(other);
                continue;
            }
            return Some(self.write(&values, args));
        }
    }

    fn operands(&self, value: Value) -> &[Value] {
        self.defs.get(value).map_or(&[], |inst| self.func.args(inst))
    }

    fn write(&self, values: &[Value], args: &[Value]) -> (Pattern, Vec<Value>) {
        let mut leaves = Vec::new();
        let mut operand = |value: Value| match values.iter().position(|&node| node == value) {
            Some(number) => Operand::Node(number as u32),
            None => {
                leaves.push(value);
                Operand::Leaf(self.func.values[value])
            }
        };
        let mut nodes = Vec::new();
        for &value in values {
            let args = self.operands(value).iter().map(|&arg| operand(arg)).collect();
            if let Some(inst) = self.defs.get(value) {
                let data = &self.func.insts[inst];
                nodes.push(Node { op: data.op, imm: data.imm, aux: data.aux, args });
            }
        }
        let params = args.iter().map(|&arg| operand(arg)).collect();
        (Pattern { nodes, params }, leaves)
    }
}

/// Collects the nodes of a pattern.
struct Reader<'a> {
    site: &'a Site<'a>,
    demands: &'a Demands,
    block: Block,
    /// What others refer to, too.
    refused: &'a [Value],
    /// Each after those that it refers to.
    values: Vec<Value>,
    has_thunk: bool,
}

impl Reader<'_> {
    fn node(&mut self, value: Value, demand: Demand, depth: usize) {
        if depth == MAX_NODES || self.refused.contains(&value) || self.values.contains(&value) {
            return;
        }
        let Some(inst) = self.site.builds(value, self.block) else { return };
        let func = self.site.func;
        let thunk = func.insts[inst].built_thunk().map(|(info, _)| info);
        for (number, &arg) in func.args(inst).iter().enumerate() {
            let demand = match thunk {
                Some(info) => self.demands.of_argument(info, number),
                None => demand.field(number),
            };
            if demand.is_used() {
                self.node(arg, demand, depth + 1);
            }
        }
        if self.values.len() < MAX_NODES {
            self.has_thunk |= thunk.is_some();
            self.values.push(value);
        }
    }
}

impl Pattern {
    /// The copy of a function for this pattern: it gets the leaves, and builds the rest when it is entered.
    pub fn specialise(&self, source: &Func, number: usize) -> Func {
        let mut func = source.clone();
        func.name = format!("{}.{number}", source.name);
        let old = func.entry_block();
        let entry = func.new_entry();
        func.signature.params.clear();
        let mut values: Vec<Value> = Vec::new();
        let operand = |func: &mut Func, values: &[Value], operand: Operand| match operand {
            Operand::Node(number) => values[number as usize],
            Operand::Leaf(ty) => {
                func.signature.params.push(ty);
                func.add_param(entry, ty)
            }
        };
        for node in &self.nodes {
            let args: SmallVec<[Value; 8]> = node.args.iter().map(|&arg| operand(&mut func, &values, arg)).collect();
            let made = func.append(entry, node.op, node.imm, node.aux, &args, &[Type::Ref]);
            values.push(func.result(made));
        }
        let args: SmallVec<[Value; 8]> = self.params.iter().map(|&arg| operand(&mut func, &values, arg)).collect();
        func.append(entry, Opcode::Jump, 0, 0, &[], &[]);
        func.add_edge(entry, old, &args);
        func.borrows.clear();
        func
    }
}
