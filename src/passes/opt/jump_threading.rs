//! Jump threading, a step of `simplify-cfg`: leads edges past blocks that decide nothing for them.
//!
//! A block is passed by if it is one of
//! * *empty*: only a jump;
//! * *a test*: a few pure instructions and a branch, whose outcome is known for the constants on this edge;
//! * *an exit*: only an instruction that leaves the function, which is copied in place of a jump to it.
//!
//! For the first two its parameters and results must not be used in other blocks (else the blocks below would lose
//! their definitions), which one count of the uses tells.
//!
//! Loops keep one entry, which the back ends need. Passing by a test can only take that away if the test is the header
//! of a loop: edges from within the loop are not led past it, and one from outside only if no other comes from there,
//! which turns the loop so that its test comes last. Numbers in reverse postorder tell the two kinds of edges apart; an
//! edge that is led on keeps to that order, so they are given once.

use crate::analysis::values::{Scratch, count_uses};
use crate::opt::fold;
use cleave_ir::{Block, Edge, Func, Inst, Opcode, SecondaryMap, Value, ValueList};
use smallvec::SmallVec;

/// Blocks passed by one edge.
const MAX_HOPS: usize = 8;
/// Instructions of a test block, with the branch.
const MAX_TEST: usize = 5;

#[derive(Clone, Copy, PartialEq, Default)]
enum BlockKind {
    #[default]
    Other,
    Empty,
    Test,
    /// A test that is the header of a loop with one edge from outside.
    Header,
    Exit,
}

/// Threads all edges; true if something changed.
pub fn run(func: &mut Func, scratch: &mut Scratch) -> bool {
    let mut kinds: SecondaryMap<Block, BlockKind> = SecondaryMap::new();
    kinds.resize(func.blocks.len());
    let entry = func.entry_block();
    let (mut some, mut count) = (false, false);
    for &block in &func.layout {
        if block == entry {
            continue;
        }
        let kind = classify(func, block);
        kinds[block] = kind;
        some |= kind != BlockKind::Other;
        count |= matches!(kind, BlockKind::Empty | BlockKind::Test) && !func.blocks[block].params.is_empty();
    }
    if !some {
        return false;
    }
    if count {
        count_uses(func, &mut scratch.uses);
        for &block in &func.layout {
            if matches!(kinds[block], BlockKind::Empty | BlockKind::Test) && !is_closed(func, block, &scratch.uses) {
                kinds[block] = BlockKind::Other;
            }
        }
    }
    if kinds.values().any(|&kind| kind == BlockKind::Test) {
        find_headers(func, scratch, &mut kinds);
    }
    scratch.defs.compute(func);
    let mut changed = false;
    for i in 0..func.layout.len() {
        let block = func.layout[i];
        for e in 0..func.blocks[block].edges.len() {
            for _ in 0..MAX_HOPS {
                let edge = &func.blocks[block].edges[e];
                let target = edge.block;
                let taken = match kinds[target] {
                    BlockKind::Empty => 0,
                    BlockKind::Header if scratch.marks[block] >= scratch.marks[target] => break,
                    BlockKind::Test | BlockKind::Header => match outcome(func, scratch, target, edge) {
                        Some(taken) => taken,
                        None => break,
                    },
                    _ => break,
                };
                let next = &func.blocks[target].edges[taken];
                if next.block == target {
                    break;
                }
                let (next, args) = (next.block, substitute(func, target, edge, func.edge_args(next)));
                if kinds[target] == BlockKind::Header {
                    // Where the loop is entered from now on.
                    kinds[target] = BlockKind::Other;
                    if kinds[next] != BlockKind::Exit {
                        kinds[next] = BlockKind::Other;
                    }
                }
                let args = ValueList::from_slice(&args, &mut func.pool);
                func.blocks[block].edges[e] = Edge { block: next, args };
                changed = true;
            }
        }
        changed |= copy_exit(func, block, &kinds);
    }
    changed
}

/// Numbers the blocks (`scratch.marks`) as `simplify-cfg` has just laid them out, which is in reverse postorder, and
/// tells the tests that are headers of loops from the others.
fn find_headers(func: &Func, scratch: &mut Scratch, kinds: &mut SecondaryMap<Block, BlockKind>) {
    let numbers = &mut scratch.marks;
    for (number, &block) in func.layout.iter().enumerate() {
        numbers[block] = number as u32;
    }
    // Edges from outside of the loop; `LOOP` if there is one from inside.
    const LOOP: u32 = 1 << 31;
    let mut edges: SecondaryMap<Block, u32> = SecondaryMap::new();
    edges.resize(func.blocks.len());
    for &block in &func.layout {
        for to in func.successors(block) {
            if numbers[block] < numbers[to] {
                edges[to] += 1;
            } else {
                edges[to] |= LOOP;
            }
        }
    }
    for &block in &func.layout {
        if kinds[block] == BlockKind::Test && edges[block] & LOOP != 0 {
            kinds[block] = if edges[block] == LOOP + 1 { BlockKind::Header } else { BlockKind::Other };
        }
    }
}

/// Exits that take the place of jumps to them.
const COPIED_EXITS: [Opcode; 6] =
    [Opcode::Return, Opcode::TailCall, Opcode::TailEval, Opcode::TailApply, Opcode::TailUpdate, Opcode::Unreachable];

fn classify(func: &Func, block: Block) -> BlockKind {
    let insts = &func.blocks[block].insts;
    let Some(&last) = insts.last() else { return BlockKind::Other };
    let op = func.insts[last].op;
    if insts.len() == 1 && op == Opcode::Jump && func.blocks[block].edges[0].block != block {
        return BlockKind::Empty;
    }
    if insts.len() == 1 && COPIED_EXITS.contains(&op) {
        return BlockKind::Exit;
    }
    let is_test = (op == Opcode::BrIf || op == Opcode::BrTable)
        && insts.len() <= MAX_TEST
        && !func.blocks[block].params.is_empty()
        && insts[..insts.len() - 1].iter().all(|&i| func.insts[i].op.is_pure());
    if is_test { BlockKind::Test } else { BlockKind::Other }
}

/// True if the parameters of a block are used only in it, and its results only by its instructions.
fn is_closed(func: &Func, block: Block, uses: &SecondaryMap<Value, u32>) -> bool {
    let data = &func.blocks[block];
    let count = |value: Value, edges: bool| {
        let in_insts = data.insts.iter().flat_map(|&i| func.args(i)).filter(|&&a| a == value).count();
        let in_edges = data.edges.iter().flat_map(|e| func.edge_args(e)).filter(|&&a| a == value).count();
        (in_insts + if edges { in_edges } else { 0 }) as u32
    };
    func.params(block).iter().all(|&p| count(p, true) == uses[p])
        && data.insts.iter().flat_map(|&i| func.results(i)).all(|&r| count(r, false) == uses[r])
}

/// Arguments of an edge out of `block`, for control that came in over `edge`.
fn substitute(func: &Func, block: Block, edge: &Edge, args: &[Value]) -> SmallVec<[Value; 8]> {
    let (params, given) = (func.params(block), func.edge_args(edge));
    args.iter().map(|&arg| params.iter().position(|&p| p == arg).map_or(arg, |i| given[i])).collect()
}

/// Edge of the test block `block` that control takes when it comes over `edge`, if that is certain.
fn outcome(func: &Func, scratch: &Scratch, block: Block, edge: &Edge) -> Option<usize> {
    let (params, given) = (func.params(block), func.edge_args(edge));
    let mut known: SmallVec<[(Value, i64); 8]> = SmallVec::new();
    for (&param, &arg) in params.iter().zip(given) {
        if let Some(n) = scratch.defs.constant(func, arg) {
            known.push((param, n));
        }
    }
    if known.is_empty() {
        return None;
    }
    let data = &func.blocks[block];
    let (&branch, insts) = data.insts.split_last()?;
    for &inst in insts {
        if let Some(n) = evaluate(func, scratch, inst, &known) {
            known.push((func.result(inst), n));
        }
    }
    let tested = func.args(branch)[0];
    let n = lookup(func, scratch, &known, tested)?;
    let is_table = func.insts[branch].op == Opcode::BrTable;
    Some(if is_table { (n as u32 as usize).min(data.edges.len() - 1) } else { (n == 0) as usize })
}

fn lookup(func: &Func, scratch: &Scratch, known: &[(Value, i64)], value: Value) -> Option<i64> {
    known.iter().find(|k| k.0 == value).map(|k| k.1).or_else(|| scratch.defs.constant(func, value))
}

fn evaluate(func: &Func, scratch: &Scratch, inst: Inst, known: &[(Value, i64)]) -> Option<i64> {
    let (&first, rest) = func.args(inst).split_first()?;
    let x = lookup(func, scratch, known, first)?;
    let y = rest.first().map_or(Some(0), |&second| lookup(func, scratch, known, second))?;
    fold::integer(func.insts[inst].op, func.values[first], x, y)
}

/// Replaces a jump to an exit block by a copy of the exit.
fn copy_exit(func: &mut Func, block: Block, kinds: &SecondaryMap<Block, BlockKind>) -> bool {
    let [edge] = &func.blocks[block].edges[..] else { return false };
    let target = edge.block;
    if kinds[target] != BlockKind::Exit || target == block {
        return false;
    }
    let Some(jump) = func.terminator(block).filter(|&t| func.insts[t].op == Opcode::Jump) else { return false };
    let exit = func.blocks[target].insts[0];
    let args = substitute(func, target, edge, func.args(exit));
    let (op, imm, aux) = (func.insts[exit].op, func.insts[exit].imm, func.insts[exit].aux);
    func.set_args(jump, &args);
    let data = &mut func.insts[jump];
    (data.op, data.imm, data.aux) = (op, imm, aux);
    func.blocks[block].edges.clear();
    true
}
