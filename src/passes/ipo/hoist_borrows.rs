//! What only looks at data comes before what may take it apart (reference-counted heap).
//!
//! ```text
//! v2 = call @reverse(v0)            v3 = call @length(v0)
//! v3 = call @length(v0)      ─▶     v2 = call @reverse(v0)
//! ```
//! On the left `reverse` has to leave the list alone, for `length` wants it afterwards: it builds a second list. On the
//! right the list is in nobody else's hands any more, and its cells are used again.
//!
//! A call moves up past calls and builds of its block that are given the same reference. That is only done with calls
//! of which nobody can tell when they happen. Their function
//!
//! - reads nothing that the program overwrites, and writes nothing;
//! - cannot fail: its instructions do not trap, and what it calls cannot fail either;
//! - ends: it has no loops, and where it calls itself, one parameter is always a part of what it was. Data that is only
//!   built and read has no cycles, so that such a recursion ends (structural recursion: T. Coquand, *Pattern Matching
//!   with Dependent Types*, 1992, section 3, for one argument).
//!
//! Memory alone can run out earlier than it would have. Results are numbers: a reference to something new would have to
//! be kept across the other call. Runs on high IR, before inlining hides the calls.

use cleave_ir::cfg::Cfg;
use cleave_ir::opcode::Terminator;
use cleave_ir::{
    Block, EntityRef, Flags, Func, FuncId, Inst, InstData, Memory, Module, Opcode, SecondaryMap, Type, Value,
    WrittenFields,
};
use smallvec::SmallVec;

/// Moves such calls; true if there were any.
pub fn run(module: &mut Module) -> bool {
    if !module.heap.counts() {
        return false;
    }
    let Some(total) = total(module) else { return false };
    let mut changed = false;
    for func in module.funcs.values_mut() {
        for at in 0..func.layout.len() {
            changed |= block(func, func.layout[at], &total);
        }
    }
    changed
}

/// Which functions end, cannot fail, and neither see nor change what others write. `None` if there can be none.
fn total(module: &Module) -> Option<Vec<bool>> {
    let written = WrittenFields::of(module);
    let writes_nodes = |op: Opcode| op.writes().any(Memory::HEADERS) && !op.any(Flags::CALL) || op.any(Flags::FILLS);
    let cx = Facts { written };
    let mut cfg = Cfg::default();
    let mut called: Vec<Option<SmallVec<[FuncId; 4]>>> = Vec::with_capacity(module.funcs.len());
    for (id, func) in &module.funcs {
        let insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
        if insts.map(|&inst| func.insts[inst].op).any(writes_nodes) {
            return None;
        }
        called.push(cx.calls(id, func, &mut cfg));
    }
    // The least solution: functions that call each other in turn are none.
    let mut total = vec![false; called.len()];
    let mut open: Vec<usize> = (0..called.len()).filter(|&at| called[at].is_some()).collect();
    loop {
        let before = open.len();
        open.retain(|&at| {
            let holds = called[at].iter().flatten().all(|callee| total[callee.index()]);
            total[at] |= holds;
            !holds
        });
        if open.len() == before {
            return Some(total);
        }
    }
}

struct Facts {
    written: WrittenFields,
}

/// What a value is a part of: the number of a parameter, and whether it is less than that parameter.
type Origin = Option<(usize, bool)>;

impl Facts {
    /// The other functions that a function calls, if nothing else keeps it from being total.
    fn calls(&self, id: FuncId, func: &Func, cfg: &mut Cfg) -> Option<SmallVec<[FuncId; 4]>> {
        func.entry?;
        cfg.recompute(func);
        if cfg.has_loops {
            return None;
        }
        let mut calls: SmallVec<[FuncId; 4]> = SmallVec::new();
        let mut own: Vec<Inst> = Vec::new();
        for &inst in cfg.order.iter().flat_map(|&block| &func.blocks[block].insts) {
            let data = &func.insts[inst];
            if let Some(callee) = data.called_func() {
                if callee == id {
                    own.push(inst);
                } else if !calls.contains(&callee) {
                    calls.push(callee);
                }
                continue;
            }
            let (op, is_end) = (data.op, Terminator::of(data.op).is_some() && data.op != Opcode::Unreachable);
            let is_total = is_end
                || op == Opcode::BuildNode
                || op == Opcode::BoxInt
                || op.is_pure()
                || op.is_division() && divides_by_constant(func, cfg, inst)
                || op.only_reads_node() && !self.written.may_change(data);
            if !is_total {
                return None;
            }
        }
        (own.is_empty() || recurs_on_parts(self, func, cfg, &own)).then_some(calls)
    }

    /// The operand that the result is a part of.
    fn is_part(&self, data: &InstData) -> bool {
        data.op == Opcode::GetRef && !self.written.may_change(data)
    }
}

/// A divisor that neither is 0 nor -1.
fn divides_by_constant(func: &Func, cfg: &Cfg, division: Inst) -> bool {
    let divisor = func.args(division)[1];
    let is_divisor = |&&inst: &&Inst| func.results(inst).contains(&divisor);
    let found = cfg.order.iter().flat_map(|&block| &func.blocks[block].insts).find(is_divisor);
    let number = found.and_then(|&inst| func.insts[inst].op.integer(func.insts[inst].imm));
    number.is_some_and(|number| !matches!(number, 0 | -1))
}

/// Is one parameter, the same in all of these calls, a part of what the function was given?
fn recurs_on_parts(facts: &Facts, func: &Func, cfg: &Cfg, own: &[Inst]) -> bool {
    let entry = func.entry_block();
    let mut origins: SecondaryMap<Value, Origin> = SecondaryMap::new();
    for (number, &param) in func.params(entry).iter().enumerate() {
        origins[param] = Some((number, false));
    }
    // There are no loops: what comes to a block is known before the block.
    for &block in &cfg.order {
        if block != entry {
            for (number, &param) in func.params(block).iter().enumerate() {
                origins[param] = at_join(func, cfg, block, number, &origins);
            }
        }
        for &inst in func.blocks[block].insts.iter().filter(|&&inst| facts.is_part(&func.insts[inst])) {
            origins[func.result(inst)] = origins[func.args(inst)[0]].map(|(param, _)| (param, true));
        }
    }
    let decreases = |param: usize| own.iter().all(|&call| origins[func.args(call)[param]] == Some((param, true)));
    (0..func.params(entry).len()).any(decreases)
}

/// What a parameter of a block is on all edges.
fn at_join(func: &Func, cfg: &Cfg, block: Block, number: usize, origins: &SecondaryMap<Value, Origin>) -> Origin {
    let edges = cfg.preds[block].iter().flat_map(|&before| &func.blocks[before].edges);
    let mut args = edges.filter(|edge| edge.block == block).map(|edge| origins[func.edge_args(edge)[number]]);
    let (param, is_less) = args.next()??;
    args.try_fold((param, is_less), |(param, is_less), origin| match origin? {
        (other, less) if other == param => Some((param, is_less && less)),
        _ => None,
    })
}

/// Moves what can be moved in a block.
fn block(func: &mut Func, block: Block, total: &[bool]) -> bool {
    let mut changed = false;
    for at in 0..func.blocks[block].insts.len() {
        let inst = func.blocks[block].insts[at];
        if !looks(func, inst, total) {
            continue;
        }
        let Some(to) = destination(func, block, at, total) else { continue };
        let insts = &mut func.blocks[block].insts;
        insts[to..=at].rotate_right(1);
        changed = true;
    }
    changed
}

/// A call that nobody sees, of a function that looks at data.
fn looks(func: &Func, inst: Inst, total: &[bool]) -> bool {
    let data = &func.insts[inst];
    let is_ref = |value: &Value| func.values[*value] == Type::Ref;
    data.op == Opcode::Call
        && total[FuncId::from_u32(data.imm as u32).index()]
        && func.args(inst).iter().any(is_ref)
        && !func.results(inst).iter().any(is_ref)
}

/// Where a call of a block goes: before the first instruction that may take one of its references, unless an argument
/// comes from there.
fn destination(func: &Func, block: Block, at: usize, total: &[bool]) -> Option<usize> {
    let insts = &func.blocks[block].insts;
    let args = func.args(insts[at]);
    let mut to = None;
    for before in (0..at).rev() {
        let inst = insts[before];
        if func.results(inst).iter().any(|result| args.contains(result)) {
            break;
        }
        let op = func.insts[inst].op;
        let takes = op.any(Flags::CALL) && !looks(func, inst, total) || op == Opcode::BuildNode;
        let shares = |arg: &Value| func.values[*arg] == Type::Ref && args.contains(arg);
        if takes && func.args(inst).iter().any(shares) {
            to = Some(before);
        }
    }
    to
}
