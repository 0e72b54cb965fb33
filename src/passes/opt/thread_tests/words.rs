//! Tests of words of constants (`caf.i64`), as those that keep exceptions
//! ([`expand_exceptions`](cleave_ir::expand_exceptions)): each level of calls that are in one another asks for one, though
//! only the innermost call can have stored it. Constants that are evaluated once have such words, too.
//!
//! What is known of the word is followed: at the end of each block, and along each edge, a number, or not 0. Stores and
//! branches tell; whatever may write the word forgets it. At last loads become what the same block has stored, and what
//! is stored again before anybody may have read it is not stored.

use super::{Plan, Thread, only_tests};
use crate::analysis::values::{Defs, Scratch};
use crate::opt::memory_classes::{Class, Written};
use cleave_ir::cfg::Cfg;
use cleave_ir::{Block, EntitySet, Flags, Func, Inst, Memory, Opcode, SecondaryMap, Value};
use smallvec::SmallVec;

/// A word: immediates of `caf.i64` and `set_caf.i64`.
type Word = (u64, u32);

/// The words that some branch seems to depend on.
pub fn tested(func: &Func) -> SmallVec<[Word; 2]> {
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

/// The next test of a word to be passed by.
pub fn plan(
    func: &Func,
    cfg: &Cfg,
    defs: &Defs,
    words: &[Word],
    writes_words: bool,
    tried: &mut EntitySet<Block>,
) -> Option<Plan> {
    words.iter().find_map(|&word| Flow::compute(func, cfg, defs, word, writes_words).plan(tried))
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
        let is_not_zero = |known| known == Known::NotZero || matches!(known, Known::Number(number) if number != 0);
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
    fn plan(&self, tried: &mut EntitySet<Block>) -> Option<Plan> {
        let mut dominators = None;
        self.cfg.order.iter().find_map(|&block| {
            let test = self.tests[block]?;
            if let Some(taken) = test.outcome(self.ends[block]) {
                return Some(Plan::Fold(block, taken));
            }
            let outcome = |from, number| test.outcome(self.along(from, number));
            let is_candidate = only_tests(self.func, self.cfg, block, Opcode::CafI64);
            is_candidate.then(|| Thread::plan(self.func, self.cfg, &mut dominators, tried, block, outcome))?
        })
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

/// Within each block: loads of what has just been stored, and stores that are overwritten unread.
pub fn forward_stores(func: &mut Func, scratch: &mut Scratch) {
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
