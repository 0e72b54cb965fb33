//! Tests of the constructor of a node that comes in as a parameter: `header` and a comparison with a node info. The
//! outcome is known on edges that pass a static node, one that was built a moment ago, or one that was tested there.

use super::{Plan, Thread, only_tests};
use crate::analysis::values::Defs;
use crate::opt::memory_classes::{Class, Written};
use cleave_ir::cfg::Cfg;
use cleave_ir::{Block, EntitySet, Func, Inst, Opcode, Value};
use smallvec::SmallVec;

/// Blocks above an edge that are asked for what is known there.
const MAX_ABOVE: usize = 4;

/// Immediates of a `node_info`.
type Constructor = (u64, u32);

/// Is there a comparison that might be one of headers?
pub fn has_tests(func: &Func) -> bool {
    func.layout.iter().any(|&block| {
        let insts = &func.blocks[block].insts;
        !func.blocks[block].params.is_empty() && insts.iter().any(|&inst| func.insts[inst].op == Opcode::NodeInfoAddr)
    })
}

/// The next test of a constructor to be passed by.
pub fn plan(func: &Func, cfg: &Cfg, defs: &Defs, writes_words: bool, tried: &mut EntitySet<Block>) -> Option<Plan> {
    let mut dominators = None;
    cfg.order.iter().find_map(|&block| {
        let test = Test::of(func, defs, block).filter(|_| only_tests(func, cfg, block, Opcode::Header))?;
        let outcome = |from: Block, number: usize| {
            let given = func.edge_args(&func.blocks[from].edges[number])[test.param];
            let subject = if test.is_header { Subject::Header(given) } else { Subject::Node(given) };
            let is_equal = is_known(func, cfg, defs, writes_words, (from, number), subject, test.constructor)?;
            Some(if is_equal { test.equal } else { 1 - test.equal })
        };
        Thread::plan(func, cfg, &mut dominators, tried, block, outcome)
    })
}

/// A branch at the end of a block on the constructor of a node.
struct Test {
    /// Number of the parameter that is the node, or its header.
    param: usize,
    is_header: bool,
    constructor: Constructor,
    /// The edge for this constructor.
    equal: usize,
}

impl Test {
    fn of(func: &Func, defs: &Defs, block: Block) -> Option<Test> {
        let branch = func.terminator(block).filter(|&last| func.insts[last].op == Opcode::BrIf)?;
        let (header, constructor, equal) = comparison(func, defs, func.args(branch)[0])?;
        let read = defs.with_op(func, header, Opcode::Header);
        let value = read.map_or(header, |read| func.args(read)[0]);
        let param = func.params(block).iter().position(|&param| param == value)?;
        Some(Test { param, is_header: read.is_none(), constructor, equal })
    }
}

/// What a condition compares with a constructor, and the edge of a branch for equal.
fn comparison(func: &Func, defs: &Defs, condition: Value) -> Option<(Value, Constructor, usize)> {
    let inst = defs.get(condition)?;
    let equal = func.insts[inst].op.edge_of_equality()?;
    let args = func.args(inst);
    let info = args.iter().find_map(|&arg| defs.with_op(func, arg, Opcode::NodeInfoAddr))?;
    let header = *args.iter().find(|&&arg| arg != func.result(info))?;
    Some((header, constructor(func, info), equal))
}

fn constructor(func: &Func, inst: Inst) -> Constructor {
    (func.insts[inst].imm, func.insts[inst].aux)
}

/// What something is known of.
#[derive(Clone, Copy)]
enum Subject {
    Node(Value),
    Header(Value),
}

/// Is a node, or a header, along an edge of this constructor? Its definition may tell, and branches in the blocks above,
/// as long as nothing may have overwritten the node.
fn is_known(
    func: &Func,
    cfg: &Cfg,
    defs: &Defs,
    writes_words: bool,
    (mut block, mut edge): (Block, usize),
    mut subject: Subject,
    wanted: Constructor,
) -> Option<bool> {
    let constant = match subject {
        Subject::Node(node) => defs.with_op(func, node, Opcode::NodeRef).map(|inst| (func.insts[inst].imm, 0)),
        Subject::Header(header) => defs.with_op(func, header, Opcode::NodeInfoAddr).map(|inst| constructor(func, inst)),
    };
    if let Some(constant) = constant {
        return Some(constant == wanted);
    }
    // Headers that branches on the way have compared, with what, and whether they were equal.
    let mut compared: SmallVec<[(Value, Constructor, bool); MAX_ABOVE]> = SmallVec::new();
    for _ in 0..MAX_ABOVE {
        if let Some(branch) = func.terminator(block).filter(|&last| func.insts[last].op == Opcode::BrIf)
            && let Some((header, constructor, equal)) = comparison(func, defs, func.args(branch)[0])
        {
            compared.push((header, constructor, edge == equal));
        }
        let told = |value: Value| {
            compared.iter().filter(|(header, ..)| *header == value).find_map(|&(_, constructor, is_equal)| {
                (is_equal || constructor == wanted).then_some(is_equal && constructor == wanted)
            })
        };
        if let Subject::Header(header) = subject
            && let Some(told) = told(header)
        {
            return Some(told);
        }
        for &inst in func.blocks[block].insts.iter().rev() {
            let op = func.insts[inst].op;
            match subject {
                Subject::Node(node) if op == Opcode::BuildNode && func.result(inst) == node => {
                    return Some(constructor(func, inst) == wanted);
                }
                Subject::Node(node) if op == Opcode::Header && func.args(inst)[0] == node => {
                    if let Some(told) = told(func.result(inst)) {
                        return Some(told);
                    }
                }
                Subject::Header(header) if op == Opcode::Header && func.result(inst) == header => {
                    subject = Subject::Node(func.args(inst)[0]);
                }
                Subject::Node(_) if overwrites_headers(func, inst, writes_words) => return None,
                _ => {}
            }
        }
        let &[above] = &cfg.preds[block] else { return None };
        edge = func.blocks[above].edges.iter().position(|edge| edge.block == block)?;
        block = above;
    }
    None
}

fn overwrites_headers(func: &Func, inst: Inst, writes_words: bool) -> bool {
    Written::by(func, inst, writes_words).classes().any(|class| class == Class::Header as usize)
}
