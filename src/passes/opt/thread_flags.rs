//! Tests of words of constants (`caf.i64`) whose outcome is certain on some way to them are passed by on that way.
//!
//! ```text
//!   set_caf.i64 ^flag 1        call @f                set_caf.i64 ^flag 1        call @f
//!          └───────▶ test ^flag ◀──┘           ─▶            │               test ^flag
//!                     │      │                               ▼                │      │
//!                  raised   normal                         raised ◀───────────┘    normal
//! ```
//! Where functions that raise are in their callers (`inline`, `unroll-recursion`), the words are the exceptions that
//! [`expand_exceptions`](cleave_ir::expand_exceptions) keeps: each level asks for one, though only the innermost call
//! can have stored it. Constants that are evaluated once have such words, too.
//!
//! 1. *Data flow*: what is known of the word at the end of each block and along each edge: a number, or not 0. Stores
//!    and branches tell; whatever may write the word forgets it.
//! 2. *Threading*: an edge to a block that does nothing but test the word is led past it, if the outcome is known
//!    there. What is used below of the parameters of that block has two definitions then (`ssa_repair`). Blocks that
//!    are headers of loops stay.
//! 3. *Stores and loads* that met in one block: loads become what was stored, and what is stored again before anybody
//!    may have read it is not stored.
//!
//! (Mueller and Whalley, "Avoiding conditional branches by code replication", 1995.)

use crate::analysis::values::{Defs, Scratch};
use crate::opt::memory_classes::{Class, Written};
use crate::opt::{simplify_cfg, ssa_repair};
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::{Block, Edge, Flags, Func, Inst, Memory, Opcode, SecondaryMap, Value, ValueList};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Instructions of a test, with the branch.
const MAX_TEST: usize = 8;
/// Tests per function that are passed by: dominators are computed for each.
const MAX_TESTS: usize = 64;
/// Blocks of a function.
const MAX_BLOCKS: usize = 1000;

/// A word: immediates of `caf.i64` and `set_caf.i64`.
type Word = (u64, u32);

/// Threads the tests of a function; true if something changed.
pub fn run(func: &mut Func, writes_words: bool, scratch: &mut Scratch) -> bool {
    let words = tested_words(func);
    if words.is_empty() || func.layout.len() > MAX_BLOCKS {
        return false;
    }
    let mut changed = false;
    for _ in 0..MAX_TESTS {
        scratch.defs.compute(func);
        let cfg = Cfg::compute(func);
        let of_word = |&word: &Word| Flow::compute(func, &cfg, &scratch.defs, word, writes_words).plan();
        match words.iter().find_map(of_word) {
            Some(Plan::Fold(block, taken)) => fold(func, block, taken),
            Some(Plan::Thread(thread)) => thread.carry_out(func),
            None => break,
        }
        changed = true;
    }
    if changed {
        simplify_cfg::run(func, scratch);
        forward_stores(func, scratch);
    }
    changed
}

/// The words that some branch seems to depend on.
fn tested_words(func: &Func) -> SmallVec<[Word; 2]> {
    let mut words = SmallVec::new();
    for &block in &func.layout {
        if func.terminator(block).is_none_or(|last| func.insts[last].op != Opcode::BrIf) {
            continue;
        }
        for data in func.blocks[block].insts.iter().map(|&inst| &func.insts[inst]) {
            if data.op == Opcode::CafI64 && !words.contains(&(data.imm, data.aux)) {
                words.push((data.imm, data.aux));
            }
        }
    }
    words
}

/// What is known of a word.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Known {
    /// Control has not come there yet.
    #[default]
    Unreached,
    Number(i64),
    NotZero,
    Nothing,
}

impl Known {
    fn join(self, other: Known) -> Known {
        let is_not_zero = |known| matches!(known, Known::NotZero | Known::Number(..0 | 1..));
        match (self, other) {
            (Known::Unreached, known) | (known, Known::Unreached) => known,
            _ if self == other => self,
            _ if is_not_zero(self) && is_not_zero(other) => Known::NotZero,
            _ => Known::Nothing,
        }
    }
}

/// A branch at the end of a block that compares the word, as it is there, with a number.
#[derive(Clone, Copy)]
struct Test {
    number: i64,
    /// The edge for equal.
    equal: usize,
}

impl Test {
    /// The edge that is taken, if that is certain.
    fn outcome(self, known: Known) -> Option<usize> {
        match known {
            Known::Number(number) if number == self.number => Some(self.equal),
            Known::Number(_) => Some(1 - self.equal),
            Known::NotZero if self.number == 0 => Some(1 - self.equal),
            _ => None,
        }
    }

    /// What is known along an edge.
    fn tells(self, edge: usize) -> Known {
        if edge == self.equal {
            Known::Number(self.number)
        } else if self.number == 0 {
            Known::NotZero
        } else {
            Known::Nothing
        }
    }
}

/// What the blocks do with a word, and what is known of it at their ends.
struct Flow<'a> {
    func: &'a Func,
    cfg: &'a Cfg,
    tests: SecondaryMap<Block, Option<Test>>,
    ends: SecondaryMap<Block, Known>,
}

enum Plan {
    /// Every way to a test tells its outcome.
    Fold(Block, usize),
    Thread(Thread),
}

impl Flow<'_> {
    fn compute<'a>(func: &'a Func, cfg: &'a Cfg, defs: &Defs, word: Word, writes_words: bool) -> Flow<'a> {
        let mut flow = Flow { func, cfg, tests: SecondaryMap::new(), ends: SecondaryMap::new() };
        // What a block stores; `None` if it leaves the word alone.
        let mut stores: SecondaryMap<Block, Option<Known>> = SecondaryMap::new();
        for &block in &cfg.order {
            let mut load = None;
            for &inst in &func.blocks[block].insts {
                let data = &func.insts[inst];
                if is_of(func, inst, word) && data.op == Opcode::CafI64 {
                    load = Some(func.result(inst));
                } else if is_of(func, inst, word) && data.op == Opcode::SetCafI64 {
                    let number = defs.constant(func, func.args(inst)[0]);
                    (stores[block], load) = (Some(number.map_or(Known::Nothing, Known::Number)), None);
                } else if !matches!(data.op, Opcode::SetCafI64 | Opcode::SetCafRef)
                    && Written::by(func, inst, writes_words).classes().any(|class| class == Class::Caf as usize)
                {
                    (stores[block], load) = (Some(Known::Nothing), None);
                }
            }
            flow.tests[block] = load.and_then(|load| test(func, defs, block, load));
        }
        let mut again = true;
        while again {
            again = false;
            for &block in &cfg.order {
                let end = stores[block].unwrap_or_else(|| flow.start(block));
                again |= std::mem::replace(&mut flow.ends[block], end) != end;
            }
        }
        flow
    }

    /// What is known where a block begins.
    fn start(&self, block: Block) -> Known {
        if block == self.func.entry_block() {
            return Known::Nothing;
        }
        let preds = self.cfg.preds[block].iter();
        let edges = preds.flat_map(|&from| (0..self.func.blocks[from].edges.len()).map(move |edge| (from, edge)));
        let edges = edges.filter(|&(from, edge)| self.func.blocks[from].edges[edge].block == block);
        edges.map(|(from, edge)| self.along(from, edge)).fold(Known::Unreached, Known::join)
    }

    /// What is known along an edge.
    fn along(&self, from: Block, edge: usize) -> Known {
        let known = self.ends[from];
        let Some(test) = self.tests[from].filter(|_| known != Known::Unreached) else { return known };
        match test.outcome(known) {
            Some(taken) if taken != edge => Known::Unreached,
            Some(_) if known != Known::NotZero => known,
            _ => match test.tells(edge) {
                Known::Nothing => known,
                told => told,
            },
        }
    }

    /// The next test to be passed by.
    fn plan(&self) -> Option<Plan> {
        let mut dominators = None;
        for &block in &self.cfg.order {
            let Some(test) = self.tests[block] else { continue };
            if let Some(taken) = test.outcome(self.ends[block]) {
                return Some(Plan::Fold(block, taken));
            }
            if block == self.func.entry_block() || self.cfg.is_loop_header(block) || !self.only_tests(block) {
                continue;
            }
            let mut edges: SmallVec<[(Block, usize, usize); 4]> = SmallVec::new();
            for &from in &self.cfg.preds[block] {
                for (number, _) in self.func.blocks[from].edges.iter().enumerate().filter(|(_, e)| e.block == block) {
                    if let Some(taken) = test.outcome(self.along(from, number))
                        && !edges.contains(&(from, number, taken))
                    {
                        edges.push((from, number, taken));
                    }
                }
            }
            if edges.is_empty() {
                continue;
            }
            let dominators = dominators.get_or_insert_with(|| DomTree::compute(self.cfg));
            if let Some(ways) = ways(self.func, self.cfg, dominators, block) {
                return Some(Plan::Thread(Thread { block, edges, ways }));
            }
        }
        None
    }

    /// Does a block nothing but test the word?
    fn only_tests(&self, block: Block) -> bool {
        let insts = &self.func.blocks[block].insts;
        let is_harmless = |&inst: &Inst| {
            let op = self.func.insts[inst].op;
            op == Opcode::CafI64 || op.is_pure()
        };
        insts.len() <= MAX_TEST && insts[..insts.len() - 1].iter().all(is_harmless)
    }
}

fn is_of(func: &Func, inst: Inst, word: Word) -> bool {
    (func.insts[inst].imm, func.insts[inst].aux) == word
}

/// The branch at the end of a block, if it compares `load` with a constant.
fn test(func: &Func, defs: &Defs, block: Block, load: Value) -> Option<Test> {
    let branch = func.terminator(block).filter(|&last| func.insts[last].op == Opcode::BrIf)?;
    let condition = func.args(branch)[0];
    let inst = defs.get(condition)?;
    let (op, args) = (func.insts[inst].op, func.args(inst));
    if op == Opcode::Eqz && args[0] == load {
        return Some(Test { number: 0, equal: 0 });
    }
    let equal = op.edge_of_equality()?;
    let other = args.iter().find(|&&arg| arg != load).filter(|_| args.contains(&load))?;
    Some(Test { number: defs.constant(func, *other)?, equal })
}

/// Both ways out of a test, if nothing but its parameters and constants is used below it.
fn ways(func: &Func, cfg: &Cfg, dominators: &DomTree, block: Block) -> Option<[ssa_repair::Way; 2]> {
    let edges = &func.blocks[block].edges;
    if edges[0].block == edges[1].block || edges.iter().any(|edge| edge.block == block) {
        return None;
    }
    let results = func.blocks[block].insts.iter().flat_map(|&inst| func.results(inst).iter().map(move |&r| (inst, r)));
    let results: SmallVec<[(Inst, Value); 8]> = results.collect();
    let own: SmallVec<[Value; 8]> =
        func.params(block).iter().copied().chain(results.iter().map(|&(_, result)| result)).collect();
    let ways = ssa_repair::of(func, cfg, dominators, block, &own, |_| false)?;
    let is_computed =
        |value: &Value| results.iter().any(|&(inst, result)| result == *value && !func.insts[inst].op.is_constant());
    ways.iter().all(|way| !way.used.iter().any(is_computed)).then_some(ways)
}

/// Every way leads to one edge of a branch.
fn fold(func: &mut Func, block: Block, taken: usize) {
    let Some(branch) = func.terminator(block) else { return };
    let data = &mut func.insts[branch];
    (data.op, data.args) = (Opcode::Jump, ValueList::new());
    let edges = &mut func.blocks[block].edges;
    edges.swap(0, taken);
    edges.truncate(1);
}

/// What is to be done with one test.
struct Thread {
    block: Block,
    /// Edges that lead past it: their block, their number there, and the edge of the test that is taken.
    edges: SmallVec<[(Block, usize, usize); 4]>,
    ways: [ssa_repair::Way; 2],
}

impl Thread {
    fn carry_out(self, func: &mut Func) {
        let block = self.block;
        let targets = [0, 1].map(|way| {
            let target = func.blocks[block].edges[way].block;
            let between = self.ways[way].lead_through(func, block, way);
            func.blocks[between].is_cold = func.blocks[target].is_cold;
            between
        });
        let is_constant = |inst: &&Inst| func.insts[**inst].op.is_constant();
        let constants: SmallVec<[Inst; 4]> = func.blocks[block].insts.iter().filter(is_constant).copied().collect();
        for &(from, number, taken) in &self.edges {
            let to = func.new_block();
            func.blocks[to].is_cold = func.blocks[targets[taken]].is_cold;
            let given: SmallVec<[Value; 8]> = func.edge_args(&func.blocks[from].edges[number]).into();
            let mut renamed: FxHashMap<Value, Value> = func.params(block).iter().copied().zip(given).collect();
            func.blocks[from].edges[number] = Edge { block: to, args: ValueList::new() };
            ssa_repair::copy(func, &constants, to, &mut renamed);
            let used = self.ways[taken].used.iter();
            let args: SmallVec<[Value; 4]> = used.map(|value| *renamed.get(value).unwrap_or(value)).collect();
            func.append(to, Opcode::Jump, 0, 0, &[], &[]);
            func.add_edge(to, targets[taken], &args);
        }
    }
}

/// Within each block: loads of what has just been stored, and stores that are overwritten unread.
fn forward_stores(func: &mut Func, scratch: &mut Scratch) {
    scratch.rename.start(func);
    for at in 0..func.layout.len() {
        let block = func.layout[at];
        // Opcode of the load, its word, and the store as the last that nobody but such loads has read.
        let mut stored: SmallVec<[(Opcode, Word, Inst); 4]> = SmallVec::new();
        let mut gone: SmallVec<[Inst; 4]> = SmallVec::new();
        for &inst in &func.blocks[block].insts {
            let data = &func.insts[inst];
            let word = (data.imm, data.aux);
            let pairs = [(Opcode::CafI64, Opcode::SetCafI64), (Opcode::CafRef, Opcode::SetCafRef)];
            let pair = pairs.into_iter().find(|&(load, store)| data.op == load || data.op == store);
            let Some((load, store)) = pair else {
                if data.op.any(Flags::CALL) || data.op.reads().union(data.op.writes()).any(Memory::CAFS) {
                    stored.clear();
                }
                continue;
            };
            let last = stored.iter().position(|&(of, at, _)| (of, at) == (load, word));
            if data.op == store {
                if let Some(last) = last {
                    gone.push(stored.swap_remove(last).2);
                }
                stored.push((load, word, inst));
            } else if let Some(last) = last {
                scratch.rename.set(func.result(inst), func.args(stored[last].2)[0]);
                gone.push(inst);
            }
        }
        func.blocks[block].insts.retain(|inst| !gone.contains(inst));
    }
    scratch.rename.apply(func);
}
