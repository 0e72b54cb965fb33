//! Plans where a function is cut into the continuations of its stackless clone.
//!
//! The stackless clone of a function consists of pieces that call each other last. A piece begins where control comes
//! from outside: at the entry, after each call that leaves a frame, and where paths of several pieces meet. So the
//! beginnings are the blocks whose immediate dominator is the root, in the graph in which the root leads to the entry
//! and to all that stands after such calls, and the calls lead nowhere. A piece is what its beginning dominates. No
//! code is copied.

use super::code::pointer_place;
use super::graph::{Callee, Graph, callee};
use super::shorten;
use super::wrappers::Maker;
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::layout::SLOT;
use cleave_ir::liveness::Liveness;
use cleave_ir::{Block, Edge, Func, Inst, Opcode, SecondaryMap, Value, ValueList};

/// How control comes to the beginning of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    Entry,
    /// From what a call has left: this instruction.
    Return(Inst),
    /// From other pieces.
    Jump,
}

/// The beginning of a piece.
pub struct Head {
    pub block: Block,
    pub origin: Origin,
    /// Values from before that the piece needs.
    pub live: Vec<Value>,
    /// The same for those that are made again: constants, and addresses in the frame.
    pub again: Vec<Value>,
}

pub struct Plan {
    /// The function; calls that leave a frame end their blocks, and the only edge of such a block goes to what follows.
    pub func: Func,
    /// The call at the end of a block.
    pub cuts: SecondaryMap<Block, Option<Inst>>,
    /// In reverse postorder.
    pub heads: Vec<Head>,
    /// The piece of each reachable block.
    pub piece: SecondaryMap<Block, u32>,
    /// The blocks of each piece, dominators first.
    pub blocks: Vec<Vec<Block>>,
    /// The instructions that are repeated rather than kept, by their results.
    pub again: SecondaryMap<Value, Option<Inst>>,
    /// The stackless clone looks at the space between the stacks.
    pub looks: bool,
}

/// Memory that plans use one after the other.
#[derive(Default)]
pub struct Tables {
    cfg: Cfg,
    dom: DomTree,
    liveness: Liveness,
}

impl Plan {
    pub fn of(func: &Func, graph: &Graph, maker: &mut Maker, tables: &mut Tables) -> Plan {
        let mut func = func.clone();
        if graph.is_deep(Callee::Thunk) {
            shorten::enter_always(&mut func);
        }
        let cuts = cut(&mut func, graph);
        let again = cheap(&func);
        shorten::collect_apart(&mut func, &again, maker);
        let Tables { cfg, dom, liveness } = tables;
        cfg.recompute(&func);
        liveness.recompute(&func, cfg, |_| true);

        let entry = func.entry_block();
        let mut outline = outline(&func, &cuts, entry);
        let root = outline.entry_block();
        let behind = |block: Block| func.blocks[block].edges[0].block;
        let mut origin: SecondaryMap<Block, Origin> = SecondaryMap::with_default(Origin::Jump);
        origin[entry] = Origin::Entry;
        for &block in &func.layout {
            // Nothing comes back to what nothing leads to, and there is nobody to keep what that needs.
            if let Some(call) = cuts[block].filter(|_| cfg.is_reachable(block)) {
                outline.blocks[block].edges.clear();
                outline.add_edge(root, behind(block), &[]);
                origin[behind(block)] = Origin::Return(call);
            }
        }
        cfg.recompute(&outline);
        dom.recompute(cfg);
        let (mut heads, mut blocks): (Vec<Head>, Vec<Vec<Block>>) = (Vec::new(), Vec::new());
        let mut piece: SecondaryMap<Block, u32> = SecondaryMap::new();
        for &block in &cfg.order[1..] {
            let above = dom.idom(block).expect("only the root has none");
            if above != root {
                piece[block] = piece[above];
                blocks[piece[block] as usize].push(block);
                continue;
            }
            piece[block] = heads.len() as u32;
            let all = liveness.values(liveness.live_in(block));
            let (again, live): (Vec<Value>, Vec<Value>) = all.partition(|&value| again[value].is_some());
            heads.push(Head { block, origin: origin[block], live, again });
            blocks.push(vec![block]);
        }
        Plan { func, cuts, heads, piece, blocks, again, looks: true }
    }

    /// Bytes that the stackless clone takes at most before another one runs, on both stacks; `more` are those of each
    /// frame besides what lives on.
    pub fn bytes(&self, more: u32) -> u32 {
        let of = |head: &Head| {
            let below = match head.origin {
                Origin::Return(call) => {
                    depth(&self.func, &self.again, self.func.args(call)[pointer_place(&self.func, call)])
                }
                _ => None,
            };
            2 * SLOT * (head.live.len() as u32 + 1) + more + below.unwrap_or(0)
        };
        self.heads.iter().map(of).max().unwrap_or(0)
    }
}

/// Ends blocks after the calls that leave a frame; the call of each block that ends with one.
fn cut(func: &mut Func, graph: &Graph) -> SecondaryMap<Block, Option<Inst>> {
    let mut cuts: SecondaryMap<Block, Option<Inst>> = SecondaryMap::new();
    let is_cut = |func: &Func, inst: Inst| {
        callee(&func.insts[inst]).is_some_and(|(callee, returns)| returns && graph.is_deep(callee))
    };
    for mut block in func.layout.clone() {
        while let Some(at) = func.blocks[block].insts.iter().position(|&inst| is_cut(func, inst)) {
            let rest = func.blocks[block].insts.split_off(at + 1);
            let call = func.blocks[block].insts[at];
            let edges = std::mem::take(&mut func.blocks[block].edges);
            let behind = func.new_block();
            let results = func.results(call).to_vec();
            func.blocks[behind].params = ValueList::from_slice(&results, &mut func.pool);
            (func.blocks[behind].insts, func.blocks[behind].edges) = (rest, edges);
            func.blocks[block].edges.push(Edge { block: behind, args: ValueList::new() });
            cuts[block] = Some(call);
            block = behind;
        }
    }
    cuts
}

/// What costs less to make again than to keep: constants, the shadow-stack pointer, and addresses relative to it.
pub fn cheap(func: &Func) -> SecondaryMap<Value, Option<Inst>> {
    let mut again: SecondaryMap<Value, Option<Inst>> = SecondaryMap::new();
    again.resize(func.values.len());
    let insts = || func.layout.iter().flat_map(|&block| &func.blocks[block].insts).copied();
    for inst in insts() {
        if func.insts[inst].op.is_constant()
            || matches!(func.insts[inst].op, Opcode::ShadowPointer | Opcode::StackLimit)
        {
            again[func.result(inst)] = Some(inst);
        }
    }
    for inst in insts() {
        if matches!(func.insts[inst].op, Opcode::Iadd | Opcode::Isub)
            && func.args(inst).iter().all(|&arg| again[arg].is_some())
        {
            again[func.result(inst)] = Some(inst);
        }
    }
    again
}

/// The blocks and edges alone, with a root that leads to the entry.
fn outline(func: &Func, cuts: &SecondaryMap<Block, Option<Inst>>, entry: Block) -> Func {
    let mut outline = Func { layout: func.layout.clone(), ..Func::default() };
    outline.layout.reserve(1);
    outline.blocks.reserve(func.blocks.len() + 1);
    for (block, data) in func.blocks.iter() {
        let new = outline.blocks.push(Default::default());
        debug_assert!(new == block && (cuts[block].is_none() || data.edges.len() == 1));
        outline.blocks[new].edges =
            data.edges.iter().map(|edge| Edge { block: edge.block, args: ValueList::new() }).collect();
    }
    let root = outline.new_block();
    outline.entry = Some(root);
    outline.add_edge(root, entry, &[]);
    outline
}

/// The distance from the shadow-stack pointer of a function down to what it passes on, if that is a constant.
pub fn depth(func: &Func, again: &SecondaryMap<Value, Option<Inst>>, pointer: Value) -> Option<u32> {
    let def = again[pointer]?;
    let is_pointer = |value: Value| again[value].is_some_and(|def| func.insts[def].op == Opcode::ShadowPointer);
    match (func.insts[def].op, func.args(def)) {
        (Opcode::ShadowPointer, _) => Some(0),
        (Opcode::Isub, &[base, bytes]) if is_pointer(base) => {
            let constant = &func.insts[again[bytes]?];
            (constant.op == Opcode::Iconst32).then_some(constant.imm as u32)
        }
        _ => None,
    }
}
