//! What the lowering of counted cells asks of a function: tables that are filled anew for each, in the same memory.

use super::kinds::Kinds;
use crate::context::ModuleContext;
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::opcode::Count;
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{Block, Desc, Func, Inst, Opcode, Phase, SecondaryMap, Value};

/// What is known of one function: in the same memory for one after the other.
pub struct Tables {
    pub defs: SecondaryMap<Value, PackedOption<Inst>>,
    /// Nodes that take the memory of a token.
    pub users: SecondaryMap<Value, Vec<Inst>>,
    /// The blocks of resets, as they were.
    pub homes: SecondaryMap<Inst, Block>,
    /// Of new nodes, the field that is a hole: nothing is written there yet.
    pub holes: SecondaryMap<Value, Option<u32>>,
    pub node_infos: Rows,
    /// Where references may be immediates.
    pub kinds: Option<Kinds>,
}

impl Default for Tables {
    fn default() -> Tables {
        Tables {
            defs: SecondaryMap::new(),
            users: SecondaryMap::new(),
            homes: SecondaryMap::with_default(Block::from_u32(0)),
            holes: SecondaryMap::new(),
            node_infos: Rows::default(),
            kinds: None,
        }
    }
}

impl Tables {
    /// Fills the tables anew; false if there is nothing to lower.
    pub fn collect(&mut self, cx: &ModuleContext, func: &Func) -> bool {
        let Tables { defs, users, homes, holes, node_infos, kinds } = self;
        defs.clear();
        defs.resize(func.values.len());
        users.clear();
        homes.clear();
        holes.clear();
        let (mut counts, mut reuses) = (false, false);
        for &block in &func.layout {
            for &inst in &func.blocks[block].insts {
                let op = func.insts[inst].op;
                counts |= !op.is_pure() || !op.info().phases.contains(Phase::Low);
                for &result in func.results(inst) {
                    defs[result] = inst.into();
                }
                let (data, args) = (&func.insts[inst], func.args(inst));
                match Count::of(data.op) {
                    Some(Count::Reuse) => {
                        users[args[0]].push(inst);
                        reuses = true;
                    }
                    Some(Count::Reset | Count::ResetOrAlloc) => homes[inst] = block,
                    Some(Count::OpenHole | Count::MoveHole) => holes[args[args.len() - 1]] = Some(data.aux),
                    Some(Count::Retain | Count::Release | Count::UnpackRelease | Count::FreeToken) => {}
                    Some(Count::GetRetained | Count::ExchangeRef | Count::FillHole) | None => {}
                }
            }
        }
        // Only nodes that take the memory of others ask for them.
        node_infos.known.clear();
        if reuses {
            node_infos.collect(func, defs);
        }
        if cx.immediates && counts {
            kinds.get_or_insert_default().collect(cx, func, defs);
        }
        counts
    }
}

/// Rows that branches have compared headers with.
#[derive(Default)]
pub struct Rows {
    cfg: Cfg,
    dom: DomTree,
    known: SecondaryMap<Value, Vec<(Block, Desc, u32)>>,
}

impl Rows {
    fn collect(&mut self, func: &Func, defs: &SecondaryMap<Value, PackedOption<Inst>>) {
        let Rows { cfg, dom, known } = self;
        cfg.recompute(func);
        dom.recompute(cfg);
        for &block in &cfg.order {
            let [before] = cfg.preds[block][..] else { continue };
            let Some(branch) = func.terminator(before).filter(|&inst| func.insts[inst].op == Opcode::BrIf) else {
                continue;
            };
            let Some(test) = defs[func.args(branch)[0]].expand() else { continue };
            let Some(wanted) = func.insts[test].op.edge_of_equality() else { continue };
            if func.blocks[before].edges[wanted].block != block {
                continue;
            }
            let operand =
                |i: usize, op: Opcode| defs[func.args(test)[i]].expand().filter(|&inst| func.insts[inst].op == op);
            for (first, second) in [(0, 1), (1, 0)] {
                if let (Some(header), Some(node_info)) =
                    (operand(first, Opcode::Header), operand(second, Opcode::NodeInfoAddr))
                {
                    let data = &func.insts[node_info];
                    known[func.args(header)[0]].push((block, data.desc(), data.aux));
                }
            }
        }
    }

    /// Is the node known to have the row from the start of a block on?
    pub fn is(&self, value: Value, block: Block, node_info: (Desc, u32)) -> bool {
        self.known[value]
            .iter()
            .any(|&(from, desc, applied_args)| (desc, applied_args) == node_info && self.dom.dominates(from, block))
    }
}
