//! Reuse: a node that is built takes the memory of one that has died.
//!
//! Works on the `drop`s that `insert` has made, so never on a node that somebody else consumes. A drop becomes a
//! `reset`, whose token the next build of the same size takes: the first on each path. The token is carried through the
//! blocks below the reset from which such a build can still be reached; where control leaves them the memory is given
//! back (`discard`), and where paths meet all of them have the token, or none. If every path uses it, the reset is a
//! `renew`: it gets new memory where the node has other references, so that the build need not ask.
//!
//! Drops are served from the last to the first: that of an inner node gets the nearest build.
//!
//! What is left in functions that ask for reuse themselves is looked at again: there a smaller node takes the memory of
//! a larger one, and all cells of its size are made as large ([`CellSizes`]).

use super::edits::EdgeCode;
use super::tables::Tables;
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::layout::Shape;
use cleave_ir::{Block, CellSizes, EntitySet, Func, Inst, Module, Opcode, SecondaryMap, Type, Value, ValueList};

/// Pairs drops and builds of one function; the number of nodes that are reused.
pub fn run(module: &Module, func: &mut Func, tables: &mut Tables) -> usize {
    pair(module, func, tables, &mut module.cell_sizes.clone(), false)
}

/// Pairs drops with builds of smaller nodes, whose cells become larger.
pub fn widen(module: &Module, func: &mut Func, tables: &mut Tables, sizes: &mut CellSizes) -> usize {
    pair(module, func, tables, sizes, true)
}

fn pair(module: &Module, func: &mut Func, tables: &mut Tables, sizes: &mut CellSizes, widens: bool) -> usize {
    let has = |op: Opcode| {
        let is_one = |&inst: &Inst| func.insts[inst].op == op;
        func.layout.iter().any(|&block| func.blocks[block].insts.iter().any(is_one))
    };
    if !has(Opcode::UnpackRelease) || !has(Opcode::BuildNode) {
        return 0;
    }
    let Tables { cfg, dom, .. } = tables;
    cfg.recompute(func);
    dom.recompute(cfg);
    let (edges, taken) = (EdgeCode::default(), EntitySet::new());
    let mut pairing = Pairing { module, dom, cfg, sizes, widens, edges, taken, pairs: 0 };
    for &block in cfg.order.iter().rev() {
        for at in (0..func.blocks[block].insts.len()).rev() {
            if func.insts[func.blocks[block].insts[at]].op == Opcode::UnpackRelease {
                pairing.drop(func, block, at);
            }
        }
    }
    let Pairing { edges, pairs, .. } = pairing;
    edges.apply(func, cfg);
    pairs
}

struct Pairing<'f> {
    module: &'f Module,
    cfg: &'f Cfg,
    dom: &'f DomTree,
    sizes: &'f mut CellSizes,
    /// A smaller node will do, too.
    widens: bool,
    edges: EdgeCode,
    /// Builds that have a token.
    taken: EntitySet<Inst>,
    pairs: usize,
}

impl Pairing<'_> {
    /// The first free build after an instruction of a block that fits into a cell of a class.
    fn build(&self, func: &Func, block: Block, from: usize, class: u32) -> Option<Inst> {
        let insts = func.blocks[block].insts.get(from..)?.iter().copied();
        let mut builds = insts.filter(|&inst| func.insts[inst].op == Opcode::BuildNode && !self.taken.contains(inst));
        builds.find(|&inst| {
            let build = self.class(func, inst);
            build == class || self.widens && self.sizes.can_take(build, class)
        })
    }

    /// The class of the cell of a node that is built.
    fn class(&self, func: &Func, build: Inst) -> u32 {
        let (ptrs, nptrs) = self.module.payload(func.insts[build].desc(), func.insts[build].aux);
        self.sizes.class(ptrs, nptrs)
    }

    fn drop(&mut self, func: &mut Func, block: Block, at: usize) {
        let inst = func.blocks[block].insts[at];
        let shape = func.insts[inst].imm;
        let Shape { ptrs, nptrs, .. } = func.insts[inst].field_shape();
        let class = self.sizes.class(ptrs, nptrs);
        if let Some(build) = self.build(func, block, at + 1, class) {
            let token = reset(func, inst, Opcode::ResetOrAlloc);
            self.reuse(func, build, token, class);
            return;
        }
        // Blocks below that the token may be carried to, and what takes it there.
        let below = |b: Block| b != block && self.dom.dominates(block, b);
        let region: Vec<Block> = self.cfg.order.iter().copied().filter(|&b| below(b)).collect();
        let mut carried: SecondaryMap<Block, bool> = SecondaryMap::new();
        let mut builds: SecondaryMap<Block, Option<Inst>> = SecondaryMap::new();
        let mut found = false;
        for &b in &region {
            carried[b] = true;
            builds[b] = self.build(func, b, 0, class);
            found |= builds[b].is_some();
        }
        if !found {
            return;
        }
        loop {
            let mut changed = false;
            // All that come to a block bring the token.
            for &b in &region {
                let brings = |before: &Block| *before == block || carried[*before] && builds[*before].is_none();
                if carried[b] && !self.cfg.preds[b].iter().all(brings) {
                    (carried[b], changed) = (false, true);
                }
            }
            // A build is still to come.
            let mut useful: SecondaryMap<Block, bool> = SecondaryMap::new();
            let mut grows = true;
            while grows {
                grows = false;
                for &b in region.iter().rev() {
                    let is_useful = carried[b] && (builds[b].is_some() || func.successors(b).any(|next| useful[next]));
                    grows |= is_useful != useful[b];
                    useful[b] = is_useful;
                }
            }
            for &b in &region {
                changed |= carried[b] != useful[b];
                carried[b] = useful[b];
            }
            if !changed {
                break;
            }
        }
        let users: Vec<Inst> = region.iter().filter(|&&b| carried[b]).filter_map(|&b| builds[b]).collect();
        if users.is_empty() {
            return;
        }
        // Where the token is not wanted any more.
        let mut leaves: Vec<(Block, usize)> = Vec::new();
        for &b in region.iter().chain([&block]) {
            if b != block && (!carried[b] || builds[b].is_some()) {
                continue;
            }
            for (index, edge) in func.blocks[b].edges.iter().enumerate() {
                let is_wanted = below(edge.block) && carried[edge.block];
                // Where others come to that do not have the token, it is given back all the same.
                let is_end = ends_program(func, edge.block) && self.cfg.preds[edge.block].len() == 1;
                if !is_wanted && !is_end {
                    leaves.push((b, index));
                }
            }
        }
        let token = reset(func, inst, if leaves.is_empty() { Opcode::ResetOrAlloc } else { Opcode::Reset });
        for (b, index) in leaves {
            let discard = func.make_inst(Opcode::FreeToken, shape, 0, &[token], &[]);
            self.edges.add(b, index, vec![discard]);
        }
        for build in users {
            self.reuse(func, build, token, class);
        }
    }

    fn reuse(&mut self, func: &mut Func, build: Inst, token: Value, class: u32) {
        self.sizes.widen(self.class(func, build), class);
        let mut operands = vec![token];
        operands.extend(func.args(build));
        func.insts[build].op = Opcode::Reuse;
        func.set_args(build, &operands);
        self.taken.insert(build);
        self.pairs += 1;
    }
}

/// Makes a drop a reset or renew; returns the token.
fn reset(func: &mut Func, drop: Inst, op: Opcode) -> Value {
    let token = func.new_value(Type::I32);
    func.insts[drop].op = op;
    func.insts[drop].results = ValueList::from_slice(&[token], &mut func.pool);
    token
}

/// Control does not get to the end of such a block: nobody needs its memory.
fn ends_program(func: &Func, block: Block) -> bool {
    func.terminator(block).is_some_and(|inst| func.insts[inst].op == Opcode::Unreachable)
}
