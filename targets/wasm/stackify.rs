//! Structured control flow from the dominator tree, after Ramsey, "Beyond Relooper: Recursive Translation of
//! Unstructured Control Flow to Structured Control Flow" (2022), without the recursion.
//!
//! A block is written where it is reached: inline after its only predecessor, or, when it joins several forward
//! edges, after the end of a frame that its dominator opens, so that all of them can leave to it. A loop header
//! opens a `loop` around everything that it dominates. Code never falls out of what is inline, so that one arm of a
//! condition can be nested and the other one follows.
//!
//! Two things are not in the paper. A join right after a condition needs no frame of its own: the `if` is its frame,
//! with an `else` if both arms are inline. And a branch to the place where control goes anyway is left out.
//!
//! Engines are not told which branches lead to slow paths (`metadata.code.branch_hint`). Measured under wasmtime, with
//! `Config::wasm_branch_hinting`: 1.00 over 21 programs; under node 26: 4 % less time for programs whose data is
//! evaluated, 28 % more for a list that is evaluated as it is consumed.
//!
//! The result is a list of `Op`s; encoding them is not the business of this file. Irreducible control flow is refused:
//! `irreducible` makes it reducible.

use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::opcode::Terminator;
use cleave_ir::{Block, EntityRef, Func, Opcode};

/// A step of a structured function body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// All items of a block. A condition or index that a terminator needs stays on the stack for the next op.
    Body(Block),
    /// The moves of an edge.
    Edge(Block, u32),
    Block,
    Loop,
    /// Nested until `Else` or `End`; with `negate` entered if the condition is false.
    If {
        negate: bool,
    },
    Else,
    End,
    Br(u32),
    BrIf {
        depth: u32,
        negate: bool,
    },
    /// The depths are in `Structure::depths`.
    BrTable {
        start: u32,
        end: u32,
    },
    Return,
    Unreachable,
}

/// The control flow has a loop with several entries.
#[derive(Debug, PartialEq, Eq)]
pub struct Irreducible(pub Block);

enum Task {
    Tree(Block),
    /// Moves of an edge, then a branch to its target.
    Branch(Block, u32),
    /// Moves of an edge, then its target inline.
    Inline(Block, u32),
    Moves(Block, u32),
    Else,
    End,
}

/// The structure of one function, and the scratch memory to find it.
#[derive(Default)]
pub struct Structure {
    pub ops: Vec<Op>,
    pub depths: Vec<u32>,
    tasks: Vec<Task>,
    /// Number of open frames.
    open: u32,
    /// Frame whose end (or, for loops, start) is the block.
    label: Vec<u32>,
    loop_label: Vec<u32>,
    is_join: Vec<bool>,
    is_header: Vec<bool>,
    is_cold: Vec<bool>,
    /// Joins by immediate dominator, each list in reverse postorder: head per block, next per block.
    first_join: Vec<Option<Block>>,
    next_join: Vec<Option<Block>>,
}

fn reset<T: Clone>(vec: &mut Vec<T>, len: usize, value: T) {
    vec.clear();
    vec.resize(len, value);
}

/// How far a branch looks for ends of frames that make it superfluous.
const FALL_THROUGH: usize = 16;

impl Structure {
    /// Structures a function. `has_moves` tells whether an edge (block, number) moves values; `is_cold` whether a
    /// block is hardly ever run.
    pub fn run(
        &mut self,
        func: &Func,
        cfg: &Cfg,
        dom: &DomTree,
        has_moves: &dyn Fn(Block, usize) -> bool,
        is_cold: &dyn Fn(Block) -> bool,
    ) -> Result<(), Irreducible> {
        self.analyse(func, cfg, dom, is_cold)?;
        self.ops.clear();
        self.depths.clear();
        self.open = 0;
        self.tasks.push(Task::Tree(func.entry_block()));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Tree(block) => self.tree(func, cfg, block, has_moves),
                Task::Inline(block, edge) => {
                    self.moves(block, edge, has_moves);
                    self.tree(func, cfg, func.blocks[block].edges[edge as usize].block, has_moves);
                }
                Task::Branch(block, edge) => {
                    self.moves(block, edge, has_moves);
                    self.branch(cfg, block, func.blocks[block].edges[edge as usize].block);
                }
                Task::Moves(block, edge) => self.moves(block, edge, has_moves),
                Task::Else => self.ops.push(Op::Else),
                Task::End => {
                    self.open -= 1;
                    self.ops.push(Op::End);
                }
            }
        }
        // Nothing falls out of the end, but a loop with results missing would not validate.
        if self.ops.last() == Some(&Op::End) {
            self.ops.push(Op::Unreachable);
        }
        Ok(())
    }

    fn analyse(
        &mut self,
        func: &Func,
        cfg: &Cfg,
        dom: &DomTree,
        is_cold: &dyn Fn(Block) -> bool,
    ) -> Result<(), Irreducible> {
        let blocks = func.blocks.len();
        reset(&mut self.label, blocks, 0);
        reset(&mut self.loop_label, blocks, 0);
        reset(&mut self.is_join, blocks, false);
        reset(&mut self.is_header, blocks, false);
        reset(&mut self.is_cold, blocks, false);
        reset(&mut self.first_join, blocks, None);
        reset(&mut self.next_join, blocks, None);
        for &block in cfg.order.iter().rev() {
            self.is_cold[block.index()] = is_cold(block);
            let mut forward = 0;
            for &pred in &cfg.preds[block] {
                if cfg.is_back_edge(pred, block) {
                    if !dom.dominates(block, pred) {
                        return Err(Irreducible(block));
                    }
                    self.is_header[block.index()] = true;
                } else {
                    let terminator = func.terminator(pred).map(|inst| func.insts[inst].op);
                    forward += if terminator == Some(Opcode::BrTable) { 2 } else { 1 };
                }
            }
            if forward > 1 {
                self.is_join[block.index()] = true;
                let dominator = dom.idom(block).expect("joins are dominated");
                self.next_join[block.index()] = self.first_join[dominator.index()].replace(block);
            }
        }
        Ok(())
    }

    fn open(&mut self, op: Op) -> u32 {
        self.ops.push(op);
        self.open += 1;
        self.open - 1
    }

    fn moves(&mut self, block: Block, edge: u32, has_moves: &dyn Fn(Block, usize) -> bool) {
        if has_moves(block, edge as usize) {
            self.ops.push(Op::Edge(block, edge));
        }
    }

    /// True if the target of an edge is written right after it.
    fn is_inline(&self, cfg: &Cfg, from: Block, to: Block) -> bool {
        !self.is_join[to.index()] && !cfg.is_back_edge(from, to)
    }

    fn depth(&self, cfg: &Cfg, from: Block, to: Block) -> u32 {
        let frame = if cfg.is_back_edge(from, to) { self.loop_label[to.index()] } else { self.label[to.index()] };
        self.open - 1 - frame
    }

    fn branch(&mut self, cfg: &Cfg, from: Block, to: Block) {
        let depth = self.depth(cfg, from, to);
        if !cfg.is_back_edge(from, to) {
            let ends = depth as usize + 1;
            let mut next = self.tasks.iter().rev();
            let falls = if matches!(self.tasks.last(), Some(Task::Else)) {
                ends == 1
            } else {
                ends <= FALL_THROUGH && (0..ends).all(|_| matches!(next.next(), Some(Task::End)))
            };
            if falls {
                return;
            }
        }
        self.ops.push(Op::Br(depth));
    }

    /// Writes a block, the code it falls into, and schedules what it dominates.
    fn tree(&mut self, func: &Func, cfg: &Cfg, block: Block, has_moves: &dyn Fn(Block, usize) -> bool) {
        if self.is_header[block.index()] {
            self.loop_label[block.index()] = self.open(Op::Loop);
            self.tasks.push(Task::End);
        }
        let terminator = func.terminator(block).map_or(Opcode::Unreachable, |inst| func.insts[inst].op);
        // The join that comes first is innermost.
        let first = self.first_join[block.index()];
        let scheduled = self.tasks.len();
        let mut join = first;
        while let Some(at) = join {
            self.tasks.push(Task::End);
            self.tasks.push(Task::Tree(at));
            join = self.next_join[at.index()];
        }
        // The list was written first to last; the first one has to be on top, below its end.
        let count = (self.tasks.len() - scheduled) / 2;
        self.tasks[scheduled..].reverse();
        let as_if = terminator == Opcode::BrIf && first.is_some_and(|join| self.may_be_if(func, cfg, block, join));
        let base = self.open;
        let mut join = first;
        let mut frame = base + count as u32;
        while let Some(at) = join {
            frame -= 1;
            self.label[at.index()] = frame;
            join = self.next_join[at.index()];
        }
        for _ in 0..count - usize::from(as_if) {
            self.open(Op::Block);
        }
        match Terminator::of(terminator) {
            Some(Terminator::BrIf) => {
                self.ops.push(Op::Body(block));
                if as_if {
                    self.condition_of_join(func, cfg, block, has_moves);
                } else {
                    self.condition(func, cfg, block, has_moves);
                }
            }
            Some(Terminator::BrTable) => self.table(func, cfg, block, has_moves),
            Some(Terminator::Jump) => {
                self.ops.push(Op::Body(block));
                let inline = self.is_inline(cfg, block, func.blocks[block].edges[0].block);
                self.tasks.push(if inline { Task::Inline(block, 0) } else { Task::Branch(block, 0) });
            }
            Some(Terminator::Return) => {
                self.ops.push(Op::Body(block));
                if self.open > 0 || !self.tasks.is_empty() {
                    self.ops.push(Op::Return);
                }
            }
            Some(Terminator::Unreachable) => self.ops.extend([Op::Body(block), Op::Unreachable]),
            // A tail call.
            None => self.ops.push(Op::Body(block)),
        }
    }

    /// The frame of the first join can be the `if` of the condition if no edge branches past that.
    fn may_be_if(&self, func: &Func, cfg: &Cfg, block: Block, join: Block) -> bool {
        let edges = &func.blocks[block].edges;
        let inline = |k: usize| self.is_inline(cfg, block, edges[k].block);
        let joins = |k: usize| edges[k].block == join && !cfg.is_back_edge(block, join);
        (inline(0) && (inline(1) || joins(1))) || (inline(1) && joins(0))
    }

    fn condition_of_join(&mut self, func: &Func, cfg: &Cfg, block: Block, has_moves: &dyn Fn(Block, usize) -> bool) {
        let edges = &func.blocks[block].edges;
        let inline = [0, 1].map(|k| self.is_inline(cfg, block, edges[k].block));
        // Tasks are pushed last to first; the end of the frame is scheduled already.
        if inline[0] && inline[1] {
            self.open(Op::If { negate: false });
            self.tasks.extend([Task::Inline(block, 1), Task::Else, Task::Inline(block, 0)]);
            return;
        }
        let inner = u32::from(!inline[0]);
        self.open(Op::If { negate: inner == 1 });
        if has_moves(block, 1 - inner as usize) {
            self.tasks.extend([Task::Moves(block, 1 - inner), Task::Else]);
        }
        self.tasks.push(Task::Inline(block, inner));
    }

    fn condition(&mut self, func: &Func, cfg: &Cfg, block: Block, has_moves: &dyn Fn(Block, usize) -> bool) {
        let targets = [0, 1].map(|k| func.blocks[block].edges[k].block);
        let inline = targets.map(|to| self.is_inline(cfg, block, to));
        if inline[0] && inline[1] {
            // One arm is nested, preferably a cold one.
            let nested = u32::from(self.is_cold[targets[1].index()] && !self.is_cold[targets[0].index()]);
            self.open(Op::If { negate: nested == 1 });
            self.tasks.extend([Task::Inline(block, 1 - nested), Task::End, Task::Inline(block, nested)]);
            return;
        }
        // The edge that leaves by a conditional branch, preferably without moves.
        let leaving = match inline {
            [true, false] => 1,
            [false, true] => 0,
            _ => u32::from(has_moves(block, 0) && !has_moves(block, 1)),
        };
        let other = 1 - leaving;
        if inline[other as usize] && self.is_cold[targets[other as usize].index()] {
            // Engines place an arm that is nested after what follows it, and what a branch jumps over before.
            self.open(Op::If { negate: other == 1 });
            self.tasks.extend([Task::Branch(block, leaving), Task::End, Task::Inline(block, other)]);
            return;
        }
        let rest = if inline[other as usize] { Task::Inline(block, other) } else { Task::Branch(block, other) };
        self.tasks.push(rest);
        let negate = leaving == 1;
        if has_moves(block, leaving as usize) {
            self.open(Op::If { negate });
            self.tasks.extend([Task::End, Task::Branch(block, leaving)]);
        } else {
            let depth = self.depth(cfg, block, targets[leaving as usize]);
            self.ops.push(Op::BrIf { depth, negate });
        }
    }

    /// Each edge with moves first leaves to a frame of its own.
    fn table(&mut self, func: &Func, cfg: &Cfg, block: Block, has_moves: &dyn Fn(Block, usize) -> bool) {
        let edges = &func.blocks[block].edges;
        let outer = self.open;
        for k in 0..edges.len() {
            if has_moves(block, k) {
                self.open(Op::Block);
                self.tasks.extend([Task::Branch(block, k as u32), Task::End]);
            }
        }
        self.ops.push(Op::Body(block));
        let start = self.depths.len() as u32;
        let mut frame = outer;
        for (k, edge) in edges.iter().enumerate() {
            let depth = if has_moves(block, k) {
                frame += 1;
                self.open - frame
            } else {
                self.depth(cfg, block, edge.block)
            };
            self.depths.push(depth);
        }
        self.ops.push(Op::BrTable { start, end: self.depths.len() as u32 });
    }
}
