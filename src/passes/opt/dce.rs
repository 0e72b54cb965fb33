//! Dead code: instructions without effect whose results are not needed, block parameters that are not needed, and
//! cells that are written but never read.
//!
//! Mark and sweep: everything is dead until something live needs it, so that values which only feed each other around
//! a loop go too. Live from the start are terminators and instructions with effects. Writes into a cell that this
//! function built itself count as live only once the cell does.
//!
//! Calls, evaluation and divisions that may trap are effects. A libcall without `EFFECT` is not, even if it allocates.

use crate::analysis::values::{Defs, Scratch};
use crate::opt::simplify_cfg::remove_parameters;
use cleave_ir::{Effects, Flags, Func, Inst, Opcode, SecondaryMap, Value};

/// Removes dead code; true if something changed.
pub fn run(func: &mut Func, scratch: &mut Scratch) -> bool {
    scratch.defs.compute(func);
    let mut dce = Mark {
        live: SecondaryMap::new(),
        work: std::mem::take(&mut scratch.values),
        writes: std::mem::take(&mut scratch.writes),
    };
    dce.live.resize(func.values.len());
    dce.writes.clear();
    dce.roots(func, &scratch.defs);
    let mut params: SecondaryMap<Value, u32> = SecondaryMap::new();
    let mut feeders: Vec<(Value, u32)> = Vec::new();
    collect_feeders(func, &mut params, &mut feeders);
    loop {
        while let Some(value) = dce.work.pop() {
            match scratch.defs.get(value) {
                Some(inst) => dce.operands(func, inst),
                None => {
                    // A parameter: what the edges pass for it. Entry parameters have none.
                    let mut at = params[value];
                    while at != 0 {
                        let (arg, next) = feeders[at as usize - 1];
                        dce.need(arg);
                        at = next;
                    }
                }
            }
        }
        if !dce.revive_writes(func) {
            break;
        }
    }
    let changed = sweep(func, scratch, &dce.live);
    scratch.values = dce.work;
    scratch.writes = dce.writes;
    changed
}

struct Mark {
    live: SecondaryMap<Value, bool>,
    work: Vec<Value>,
    /// Writes into local cells that are not live yet: (instruction, cell).
    writes: Vec<(Inst, Value)>,
}

impl Mark {
    fn need(&mut self, value: Value) {
        if !self.live[value] {
            self.live[value] = true;
            self.work.push(value);
        }
    }
    fn operands(&mut self, func: &Func, inst: Inst) {
        for &arg in func.args(inst) {
            self.need(arg);
        }
    }
    fn roots(&mut self, func: &Func, defs: &Defs) {
        for &block in &func.layout {
            for &inst in &func.blocks[block].insts {
                if is_removable(func, defs, inst) {
                    continue;
                }
                match written_cell(func, defs, inst) {
                    Some(cell) => self.writes.push((inst, cell)),
                    None => self.operands(func, inst),
                }
            }
        }
    }
    /// Makes the writes live whose cells have become so.
    fn revive_writes(&mut self, func: &Func) -> bool {
        let mut writes = std::mem::take(&mut self.writes);
        writes.retain(|&(inst, cell)| {
            if self.live[cell] {
                self.operands(func, inst);
            }
            !self.live[cell]
        });
        self.writes = writes;
        !self.work.is_empty()
    }
}

/// True if nobody notices when the instruction is gone, provided its results are unused.
fn is_removable(func: &Func, defs: &Defs, inst: Inst) -> bool {
    let data = &func.insts[inst];
    if data.op == Opcode::CallRt {
        return !data.effects().all(Effects::EFFECT);
    }
    if data.op.is_division() {
        let overflows = |c| data.op == Opcode::Sdiv && c == -1;
        return defs.constant(func, func.args(inst)[1]).is_some_and(|c| c != 0 && !overflows(c));
    }
    data.op.is_removable()
}

/// The cell that an instruction writes, if it was built by this function.
fn written_cell(func: &Func, defs: &Defs, inst: Inst) -> Option<Value> {
    if !func.insts[inst].op.only_writes_cell() {
        return None;
    }
    let cell = func.args(inst)[0];
    defs.op(func, cell)?.any(Flags::FRESH).then_some(cell)
}

/// For each parameter a list of the arguments that edges pass for it: head in `params` (index + 1), links in `feeders`.
fn collect_feeders(func: &Func, params: &mut SecondaryMap<Value, u32>, feeders: &mut Vec<(Value, u32)>) {
    if func.layout.len() == 1 {
        return;
    }
    params.resize(func.values.len());
    for &block in &func.layout {
        for edge in &func.blocks[block].edges {
            for (&param, &arg) in func.params(edge.block).iter().zip(func.edge_args(edge)) {
                feeders.push((arg, params[param]));
                params[param] = feeders.len() as u32;
            }
        }
    }
}

fn sweep(func: &mut Func, scratch: &mut Scratch, live: &SecondaryMap<Value, bool>) -> bool {
    let mut changed = false;
    for i in 0..func.layout.len() {
        let block = func.layout[i];
        let mut insts = std::mem::take(&mut func.blocks[block].insts);
        let before = insts.len();
        insts.retain(|&inst| match written_cell(func, &scratch.defs, inst) {
            Some(cell) => live[cell],
            None => func.results(inst).iter().any(|&r| live[r]) || !is_removable(func, &scratch.defs, inst),
        });
        changed |= insts.len() != before;
        func.blocks[block].insts = insts;
    }
    let entry = func.entry_block();
    let mut removed: SecondaryMap<Value, bool> = SecondaryMap::new();
    let mut any = false;
    for &block in &func.layout {
        if block == entry {
            continue;
        }
        for &param in func.params(block) {
            if !live[param] {
                removed[param] = true;
                any = true;
            }
        }
    }
    if any {
        remove_parameters(func, &removed);
    }
    changed || any
}
