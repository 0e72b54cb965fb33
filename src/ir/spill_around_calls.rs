//! Chooses integers and floats that are spilled around calls: values that outlive a call and are better kept in memory
//! during it.
//!
//! If the back end stores a number before a call and loads it after it, as the roots of the collector are, it is not
//! alive during the call any more.
//!
//! **Reals** that are used in a loop that does not make the call: no register for reals is saved by callees on our
//! targets, and register allocators give a real that is alive during a call a place in the frame for its whole life. A
//! loop would then load and store it in every round although the call comes before the loop or after it, or is on a
//! slow path. Reals that are also alive during a call in their innermost loop are better left alone.
//!
//! **Other numbers**, where the back end asks for them, that are alive during calls on slow paths alone: the register
//! that callees save would have to be saved on each way through the function. Numbers that are alive during a call in
//! a loop, and come from outside of it, are better left alone: they would be stored in each round.
//!
//! A parameter of a block and the arguments that are passed for it count as one value, since they share a register.

use crate::cfg::Cfg;
use crate::entity::{Inst, Value};
use crate::func::Func;
use crate::liveness::Liveness;
use crate::loops::Loops;
use crate::opcode::Flags;
use crate::types::Type;
use crate::union_find::UnionFind;
use rustc_hash::FxHashMap;

/// Values times blocks of functions beyond which nothing waits: their liveness would take too long.
const MOST_BITS: usize = 1 << 26;

/// The numbers that should wait for the end of each call.
#[derive(Debug, Default)]
pub struct Waits(FxHashMap<Inst, Vec<Value>>);

impl Waits {
    /// `may_wait` tells the values in question, `keeps` calls that keep all registers: nothing needs to wait for these.
    pub fn compute(func: &Func, cfg: &Cfg, may_wait: impl Fn(Value) -> bool, keeps: impl Fn(Inst) -> bool) -> Waits {
        let mut waits = Waits::default();
        let count = func.values.keys().filter(|&value| may_wait(value)).count();
        if count == 0 || count * cfg.order.len() > MOST_BITS {
            return waits;
        }
        let live = Liveness::compute(func, cfg, &may_wait);
        let loops = Loops::compute(cfg);
        let webs = webs(func, cfg, &may_wait);
        // By web: the innermost loop that makes or uses it, the outermost that makes it, the innermost that calls
        // meanwhile, and the innermost that does so on its fast path.
        let mut deepest = vec![0; func.values.len()];
        let mut made = vec![u32::MAX; func.values.len()];
        let mut calls: Vec<Option<u32>> = vec![None; func.values.len()];
        let mut fast: Vec<Option<u32>> = vec![None; func.values.len()];
        for &block in &cfg.order {
            let (cold, depth) = (func.is_cold(block), loops.depth(block));
            let mut set = live.live_out(block).to_vec();
            let mut counts = |value: Value| {
                let deepest = &mut deepest[webs[value.as_u32() as usize] as usize];
                *deepest = depth.max(*deepest);
            };
            let passed = func.blocks[block].edges.iter().flat_map(|edge| func.edge_args(edge));
            func.params(block).iter().chain(passed).copied().for_each(&mut counts);
            let results = func.blocks[block].insts.iter().flat_map(|&inst| func.results(inst));
            for value in func.params(block).iter().chain(results) {
                let made = &mut made[webs[value.as_u32() as usize] as usize];
                *made = depth.min(*made);
            }
            for &inst in func.blocks[block].insts.iter().rev() {
                let results = func.results(inst);
                results.iter().chain(func.args(inst)).copied().for_each(&mut counts);
                let op = func.insts[inst].op;
                if op.any(Flags::CALL) && !op.is_terminator() && !keeps(inst) {
                    let across: Vec<Value> = live.values(&set).filter(|value| !results.contains(value)).collect();
                    for value in &across {
                        let at = webs[value.as_u32() as usize] as usize;
                        calls[at] = Some(depth).max(calls[at]);
                        if !cold {
                            fast[at] = Some(depth).max(fast[at]);
                        }
                    }
                    if !across.is_empty() {
                        waits.0.insert(inst, across);
                    }
                }
                live.step_back(func, inst, &mut set);
            }
        }
        waits.0.retain(|_, values| {
            values.retain(|value| {
                let at = webs[value.as_u32() as usize] as usize;
                if func.values[*value] == Type::F64 {
                    fast[at].is_none_or(|fast| fast < deepest[at])
                } else {
                    fast[at].is_none() && calls[at].is_none_or(|calls| calls <= made[at])
                }
            });
            !values.is_empty()
        });
        waits
    }

    /// In the order of their numbers.
    pub fn at(&self, call: Inst) -> &[Value] {
        self.0.get(&call).map_or(&[], Vec::as_slice)
    }

    /// In no order, some more than once.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.0.values().flatten().copied()
    }
}

/// For each number the least of those that it shares a register with, as far as they are parameters and arguments.
fn webs(func: &Func, cfg: &Cfg, may_wait: impl Fn(Value) -> bool) -> Vec<u32> {
    let mut webs = UnionFind::new(func.values.len());
    for &block in &cfg.order {
        for edge in &func.blocks[block].edges {
            for (&param, &arg) in func.params(edge.block).iter().zip(func.edge_args(edge)) {
                if may_wait(param) {
                    webs.union(param.as_u32(), arg.as_u32());
                }
            }
        }
    }
    (0..func.values.len() as u32).map(|value| webs.find(value)).collect()
}
