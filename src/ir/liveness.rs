//! Liveness of values on the control-flow graph, as sets per block boundary.
//!
//! Backward dataflow to a fixpoint over postorder. Only values that a filter accepts are tracked: the roots pass asks
//! for references alone. They are numbered densely, so that the sets are small.

use crate::cfg::Cfg;
use crate::dom::DomTree;
use crate::entity::{Block, Inst, Value};
use crate::func::Func;
use crate::opcode::Opcode;
use cranelift_entity::SecondaryMap;

/// A set of tracked values by dense number.
pub type BitSet = Vec<u64>;

/// Live-in and live-out sets of the reachable blocks.
#[derive(Debug)]
pub struct Liveness {
    /// Dense number of a tracked value, `u32::MAX` for others.
    pub number: SecondaryMap<Value, u32>,
    /// The tracked values by their dense numbers.
    pub tracked: Vec<Value>,
    words: usize,
    live_in: Vec<u64>,
    live_out: Vec<u64>,
    current: BitSet,
}

impl Default for Liveness {
    fn default() -> Liveness {
        Liveness {
            number: SecondaryMap::with_default(u32::MAX),
            tracked: Vec::new(),
            words: 0,
            live_in: Vec::new(),
            live_out: Vec::new(),
            current: BitSet::new(),
        }
    }
}

fn set(bits: &mut [u64], n: u32) {
    bits[n as usize / 64] |= 1 << (n % 64);
}
fn clear(bits: &mut [u64], n: u32) {
    bits[n as usize / 64] &= !(1 << (n % 64));
}

impl Liveness {
    /// Values used by `track`ed code: operands of instructions and arguments of edges. Parameters of a block are
    /// defined at its start and are not live-in.
    pub fn compute(func: &Func, cfg: &Cfg, track: impl Fn(Value) -> bool) -> Liveness {
        let mut live = Liveness::default();
        live.recompute(func, cfg, track);
        live
    }

    /// The same of another function, in the same memory.
    pub fn recompute(&mut self, func: &Func, cfg: &Cfg, track: impl Fn(Value) -> bool) {
        self.start(func, track);
        let words = self.words;
        if words == 0 {
            return;
        }
        let mut current = std::mem::take(&mut self.current);
        current.clear();
        current.resize(words, 0);
        // Successors come first: only what a loop's header needs is news for blocks that were visited.
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in cfg.order.iter().rev() {
                let at = block.as_u32() as usize * words;
                current.fill(0);
                for edge in &func.blocks[block].edges {
                    let from = edge.block.as_u32() as usize * words;
                    for (c, s) in current.iter_mut().zip(&self.live_in[from..from + words]) {
                        *c |= s;
                    }
                    for &arg in func.edge_args(edge) {
                        self.insert(&mut current, arg);
                    }
                }
                self.live_out[at..at + words].copy_from_slice(&current);
                for &inst in func.blocks[block].insts.iter().rev() {
                    self.step_back(func, inst, &mut current);
                }
                for &param in func.params(block) {
                    self.remove(&mut current, param);
                }
                if self.live_in[at..at + words] != current[..] {
                    self.live_in[at..at + words].copy_from_slice(&current);
                    changed |= cfg.is_loop_header(block);
                }
            }
        }
        self.current = current;
    }

    /// Values from their definition to the end of its *scope*, used or not: wherever the definition dominates.
    pub fn scopes(func: &Func, cfg: &Cfg, track: impl Fn(Value) -> bool) -> Liveness {
        let mut live = Liveness::default();
        live.start(func, track);
        let words = live.words;
        let dom = DomTree::compute(cfg);
        let mut current: BitSet = vec![0; words];
        for &block in &cfg.order {
            match dom.idom(block) {
                Some(above) => current.copy_from_slice(live.live_out(above)),
                None => current.fill(0),
            }
            let at = block.as_u32() as usize * words;
            live.live_in[at..at + words].copy_from_slice(&current);
            func.params(block).iter().for_each(|&param| live.insert(&mut current, param));
            func.blocks[block].insts.iter().for_each(|&inst| live.step_in_scopes(func, inst, &mut current));
            live.live_out[at..at + words].copy_from_slice(&current);
        }
        live
    }

    /// Turns the set of what is in scope before an instruction into that after it. The name of a node that becomes a
    /// hole ends there.
    pub fn step_in_scopes(&self, func: &Func, inst: Inst, set: &mut [u64]) {
        func.results(inst).iter().for_each(|&result| self.insert(set, result));
        if let (Opcode::OpenHole | Opcode::MoveHole, Some(&node)) = (func.insts[inst].op, func.args(inst).last()) {
            self.remove(set, node);
        }
    }

    /// Numbers for the tracked values, and sets without any.
    fn start(&mut self, func: &Func, track: impl Fn(Value) -> bool) {
        self.number.clear();
        self.number.resize(func.values.len());
        self.tracked.clear();
        self.tracked.reserve(func.values.len());
        self.tracked.extend(func.values.keys().filter(|&value| track(value)));
        for (number, &value) in (0..).zip(&self.tracked) {
            self.number[value] = number;
        }
        self.words = self.tracked.len().div_ceil(64);
        for sets in [&mut self.live_in, &mut self.live_out] {
            sets.clear();
            sets.resize(func.blocks.len() * self.words, 0);
        }
    }

    /// Turns the set after an instruction into the set before it.
    #[inline]
    pub fn step_back(&self, func: &Func, inst: Inst, set: &mut [u64]) {
        for &result in func.results(inst) {
            self.remove(set, result);
        }
        for &arg in func.args(inst) {
            self.insert(set, arg);
        }
    }

    /// Adds a value to a set, if it is tracked.
    pub fn insert(&self, bits: &mut [u64], value: Value) {
        let n = self.number[value];
        if n != u32::MAX {
            set(bits, n);
        }
    }
    /// Takes a value from a set, if it is tracked.
    pub fn remove(&self, bits: &mut [u64], value: Value) {
        let n = self.number[value];
        if n != u32::MAX {
            clear(bits, n);
        }
    }
    /// False for values that are not tracked.
    pub fn contains(&self, bits: &[u64], value: Value) -> bool {
        let n = self.number[value];
        n != u32::MAX && bits[n as usize / 64] >> (n % 64) & 1 != 0
    }
    /// Words of a set.
    pub fn words(&self) -> usize {
        self.words
    }
    /// What a later instruction may use, at the start of a block; its parameters are not in it.
    pub fn live_in(&self, block: Block) -> &[u64] {
        let at = block.as_u32() as usize * self.words;
        &self.live_in[at..at + self.words]
    }
    /// The same at the end of a block.
    pub fn live_out(&self, block: Block) -> &[u64] {
        let at = block.as_u32() as usize * self.words;
        &self.live_out[at..at + self.words]
    }
    /// The values of a set, in order of their numbers.
    pub fn values<'a>(&'a self, bits: &'a [u64]) -> impl Iterator<Item = Value> + 'a {
        bits.iter().enumerate().flat_map(move |(w, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let n = rest.trailing_zeros();
                rest &= rest - 1;
                Some(self.tracked[w * 64 + n as usize])
            })
        })
    }
}
