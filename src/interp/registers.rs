//! Assigns registers to values: SSA values are coloured along the dominator tree, so that a frame needs no more
//! registers than values live at once (deep recursion stays small) and each safepoint knows its live references.
//!
//! Colouring in dominance order is optimal for SSA (Hack, Grund, Goos, "Register allocation for programs in
//! SSA-form"). Result registers may equal those of operands that die: every op reads before it writes.

use crate::code::Reg;
use cleave_ir::cfg::Cfg;
use cleave_ir::liveness::Liveness;
use cleave_ir::{Block, EntityRef, Func, Inst, SecondaryMap, Type, Value};

/// Registers of the values of a function.
pub struct Registers {
    pub of: SecondaryMap<Value, Reg>,
    /// Number of registers, without the scratch register for swaps.
    pub count: usize,
    /// References live across or at instructions that wait for a collection, in order of decoding.
    pub live_refs: SecondaryMap<Inst, Vec<Value>>,
}

/// Registers in use while a block is scanned.
#[derive(Default)]
struct Pool {
    busy: Vec<bool>,
    /// No register below is free.
    lowest: usize,
}

impl Pool {
    fn take(&mut self, wish: Option<Reg>) -> Reg {
        if let Some(wish) = wish
            && self.busy.get(wish as usize) == Some(&false)
        {
            self.busy[wish as usize] = true;
            return wish;
        }
        while self.busy.get(self.lowest) == Some(&true) {
            self.lowest += 1;
        }
        if self.lowest == self.busy.len() {
            self.busy.push(false);
        }
        self.busy[self.lowest] = true;
        self.lowest as Reg
    }
    fn occupy(&mut self, reg: Reg) {
        if self.busy.len() <= reg as usize {
            self.busy.resize(reg as usize + 1, false);
        }
        self.busy[reg as usize] = true;
    }
    fn release(&mut self, reg: Reg) {
        self.busy[reg as usize] = false;
        self.lowest = self.lowest.min(reg as usize);
    }
}

/// `waits` selects the instructions whose live references are wanted; those for which it returns `Some(true)` also
/// keep their operands alive (allocations, which start again after the collection).
pub fn assign(func: &Func, cfg: &Cfg, waits: impl Fn(Inst) -> Option<bool>) -> Registers {
    let live = Liveness::compute(func, cfg, |_| true);
    let mut regs = Registers { of: SecondaryMap::new(), count: 0, live_refs: SecondaryMap::with_default(Vec::new()) };
    regs.of.resize(func.values.len());
    // The parameter that a value is passed to: sharing its register saves the copy.
    let mut wish: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    for &block in &cfg.order {
        for edge in &func.blocks[block].edges {
            for (&arg, &param) in func.edge_args(edge).iter().zip(func.params(edge.block)) {
                wish[arg] = Some(param);
                wish[param].get_or_insert(arg);
            }
        }
    }
    let mut assigned: SecondaryMap<Value, bool> = SecondaryMap::with_default(false);
    for &block in &cfg.order {
        let deaths = scan_back(func, &live, block, &waits, &mut regs.live_refs);
        let mut pool = Pool::default();
        for value in live.values(live.live_in(block)) {
            pool.occupy(regs.of[value]);
        }
        let is_entry = cfg.order[0] == block;
        let mut define = |value: Value, pool: &mut Pool, of: &mut SecondaryMap<Value, Reg>| {
            let hint = wish[value].filter(|&w| assigned[w]).map(|w| of[w]);
            of[value] = pool.take(if is_entry && func.params(block).contains(&value) { None } else { hint });
            assigned[value] = true;
        };
        for &param in func.params(block) {
            define(param, &mut pool, &mut regs.of);
        }
        let mut next_death = 0;
        // Position 0 stands for the parameters, i + 1 for instruction i.
        let mut kill = |position: u32, pool: &mut Pool, of: &SecondaryMap<Value, Reg>| {
            while let Some(&(at, value)) = deaths.get(next_death)
                && at == position
            {
                pool.release(of[value]);
                next_death += 1;
            }
        };
        kill(0, &mut pool, &regs.of);
        for (i, &inst) in func.blocks[block].insts.iter().enumerate() {
            // Operands that die here free their registers for the results; dead results are released after.
            kill(2 * i as u32 + 1, &mut pool, &regs.of);
            for &result in func.results(inst) {
                define(result, &mut pool, &mut regs.of);
            }
            kill(2 * i as u32 + 2, &mut pool, &regs.of);
        }
        regs.count = regs.count.max(pool.busy.len());
    }
    regs
}

/// Walks a block backwards: where each value dies, in forward order, and the live references of waiting instructions.
/// Position 0: unused parameter; 2i + 1: operand used last by instruction i; 2i + 2: its unused result.
fn scan_back(
    func: &Func,
    live: &Liveness,
    block: Block,
    waits: &impl Fn(Inst) -> Option<bool>,
    live_refs: &mut SecondaryMap<Inst, Vec<Value>>,
) -> Vec<(u32, Value)> {
    let mut deaths = Vec::new();
    let mut set = live.live_out(block).to_vec();
    for (i, &inst) in func.blocks[block].insts.iter().enumerate().rev() {
        for &result in func.results(inst) {
            if !live.contains(&set, result) {
                deaths.push((2 * i as u32 + 2, result));
            }
            live.remove(&mut set, result);
        }
        let keep_operands = waits(inst);
        let mut ptrs: Vec<Value> = match keep_operands {
            Some(_) => live.values(&set).filter(|&v| func.values[v] == Type::Ref).collect(),
            None => Vec::new(),
        };
        for &arg in func.args(inst) {
            if !live.contains(&set, arg) {
                deaths.push((2 * i as u32 + 1, arg));
                live.insert(&mut set, arg);
                if keep_operands == Some(true) && func.values[arg] == Type::Ref {
                    ptrs.push(arg);
                }
            }
        }
        if !ptrs.is_empty() {
            live_refs[inst] = ptrs;
        }
    }
    for &param in func.params(block) {
        if !live.contains(&set, param) {
            deaths.push((0, param));
        }
    }
    deaths.sort_by_key(|&(at, value)| (at, value.index()));
    deaths
}
