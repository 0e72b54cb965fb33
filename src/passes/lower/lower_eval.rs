//! Makes evaluation tests and heap checks explicit, just before the roots pass.
//!
//! - `v = eval r` becomes a test of the header and, out of line, `enter r`: the only safepoint is on the slow path.
//! - Every stretch of allocations without a safepoint in between gets one check before its first allocation:
//!   `heap_full n`, and out of line `collect n`. A stretch goes on into blocks with one predecessor (`Checks`).
//! - `box.int` of a constant becomes the static node if it is small, else a plain node.
//!
//! Needs: high IR. Establishes: high IR without `eval` and `tail_eval`, in which every allocation is covered by a
//! check with no safepoint in between. Checks are not yet hoisted out of branches that may not allocate.

use crate::analysis::safepoints::is_safepoint;
use crate::context::ModuleContext;
use crate::parallel;
use cleave_ir::cfg::Cfg;
use cleave_ir::layout::{MIN_OBJECT, SMALL_INT_MAX, SMALL_INT_MIN, thunk_bytes};
use cleave_ir::opcode::{Cell, Evaluation};
use cleave_ir::{Block, Flags, Func, Inst, Module, Opcode, SecondaryMap, Type, Value, ValueList, WellKnownDesc};

/// Bytes of heap that an instruction takes, at most.
pub fn heap_bytes(cx: &ModuleContext, func: &Func, inst: Inst) -> u32 {
    let data = &func.insts[inst];
    if !data.op.any(Flags::ALLOCATES) {
        return 0;
    }
    match Cell::of(data.op) {
        Some(Cell::BuildNode) => cx.shape(data.desc(), data.aux).bytes(),
        Some(Cell::FillNode) => cx.shape(data.desc(), data.aux).rest_bytes(),
        Some(Cell::BuildThunk) => {
            let entry = &cx.thunk_infos[data.thunk_info()];
            thunk_bytes(entry.ptrs, entry.nptrs)
        }
        None if data.op == Opcode::Alloc => data.imm as u32,
        None if data.op == Opcode::BoxInt => MIN_OBJECT,
        Some(Cell::BuildDummy) => MIN_OBJECT,
        Some(Cell::FillThunk | Cell::FillCopy | Cell::MakeIndirection | Cell::SetNodeInfo | Cell::Blackhole) => 0,
        None => unreachable!("{} allocates on the other heap", data.op.name()),
    }
}

/// Runs on all functions.
pub fn run(module: &mut Module) {
    parallel::each(module, expand);
}

/// Expands one function.
pub fn expand(func: &mut Func, cx: &ModuleContext) {
    small_integers(func);
    let checks = Checks::plan(func, cx);
    // New blocks are appended, and need no expansion.
    for at in 0..func.layout.len() {
        expand_block(func, cx, func.layout[at], &checks);
    }
}

fn small_integers(func: &mut Func) {
    let mut constants: SecondaryMap<Value, Option<i64>> = SecondaryMap::new();
    for at in 0..func.layout.len() {
        let block = func.layout[at];
        for i in 0..func.blocks[block].insts.len() {
            let inst = func.blocks[block].insts[i];
            let op = func.insts[inst].op;
            if op == Opcode::Iconst64 {
                let value = func.result(inst);
                constants[value] = Some(func.insts[inst].imm as i64);
            }
            if op == Opcode::BoxInt
                && let Some(n) = constants[func.args(inst)[0]]
            {
                let data = &mut func.insts[inst];
                if (SMALL_INT_MIN..=SMALL_INT_MAX).contains(&n) {
                    data.op = Opcode::SmallInt;
                    data.imm = n as u64;
                    data.args = ValueList::new();
                } else {
                    data.op = Opcode::BuildNode;
                    data.imm = WellKnownDesc::Int.desc().as_u32() as u64;
                }
            }
        }
    }
}

/// Heap checks that move up. A block may leave the check of its first allocations to its only predecessor; the last
/// check of the predecessor then asks for that much more.
#[derive(Default)]
struct Checks {
    left: SecondaryMap<Block, bool>,
    extra: SecondaryMap<Block, u32>,
}

/// Bytes that a block allocates before its first safepoint and after its last one. Without a safepoint both are all of
/// them.
#[derive(Clone, Copy, Default)]
struct Needs {
    first: u32,
    last: u32,
    has_safepoint: bool,
}

/// No check asks for more than this because of later blocks.
const MOST_EXTRA: u32 = 1024;

impl Checks {
    /// A check moves up into the predecessor if that checks anyway, or if all its successors would check.
    fn plan(func: &Func, cx: &ModuleContext) -> Checks {
        let mut checks = Checks::default();
        let mut needs: SecondaryMap<Block, Needs> = SecondaryMap::new();
        let mut any = false;
        for &block in &func.layout {
            let need = &mut needs[block];
            for &inst in &func.blocks[block].insts {
                if matches!(func.insts[inst].op, Opcode::Eval | Opcode::TailEval)
                    || is_safepoint(|id| cx.may_gc(id), func, inst)
                {
                    need.has_safepoint = true;
                    need.last = 0;
                }
                let bytes = heap_bytes(cx, func, inst);
                need.last += bytes;
                need.first += if need.has_safepoint { 0 } else { bytes };
                any |= bytes > 0;
            }
        }
        if !any {
            return checks;
        }
        let cfg = Cfg::compute(func);
        for &block in cfg.order.iter().rev() {
            let wanted = |checks: &Checks, next: Block| {
                let Needs { first, has_safepoint, .. } = needs[next];
                let bytes = first + if has_safepoint { 0 } else { checks.extra[next] };
                if cfg.preds[next].len() == 1 && bytes <= MOST_EXTRA { bytes } else { 0 }
            };
            let most = func.successors(block).map(|next| wanted(&checks, next)).max().unwrap_or(0);
            let least = func.successors(block).map(|next| wanted(&checks, next)).min().unwrap_or(0);
            if most == 0 || needs[block].last == 0 && least == 0 {
                continue;
            }
            checks.extra[block] = most;
            for next in func.successors(block) {
                checks.left[next] = wanted(&checks, next) > 0;
            }
        }
        checks
    }
}

/// Where a stretch of allocations starts in the new instructions of a block, and how much it takes.
struct Stretch {
    at: usize,
    bytes: u32,
}

fn expand_block(func: &mut Func, cx: &ModuleContext, first: Block, checks: &Checks) {
    let insts = &func.blocks[first].insts;
    // Most blocks have nothing to expand.
    if checks.extra[first] == 0
        && !insts
            .iter()
            .any(|&i| matches!(func.insts[i].op, Opcode::Eval | Opcode::TailEval) || heap_bytes(cx, func, i) > 0)
    {
        return;
    }
    let old = std::mem::take(&mut func.blocks[first].insts);
    let edges = std::mem::take(&mut func.blocks[first].edges);
    let mut block = first;
    let mut stretch: Option<Stretch> = None;
    // Until the first safepoint, allocations may be covered by the predecessor.
    let mut covered = checks.left[first];
    for inst in old {
        func.set_location_of(inst);
        let is_last = func.insts[inst].op.is_terminator();
        let bytes = heap_bytes(cx, func, inst) + if is_last { checks.extra[first] } else { 0 };
        if bytes > 0 && !covered {
            let at = func.blocks[block].insts.len();
            stretch.get_or_insert(Stretch { at, bytes: 0 }).bytes += bytes;
        }
        match Evaluation::of(func.insts[inst].op) {
            Some(Evaluation::Eval) => {
                finish(func, &mut block, &mut stretch);
                covered = false;
                let node = func.args(inst)[0];
                let result = func.result(inst);
                let test = func.append(block, Opcode::IsHnf, 0, 0, &[node], &[Type::I32]);
                let test = func.result(test);
                let (slow, done) = (func.new_block(), func.new_block());
                func.append(block, Opcode::BrIf, 0, 0, &[test], &[]);
                func.add_edge(block, done, &[node]);
                func.add_edge(block, slow, &[]);
                let enter = func.append(slow, Opcode::Enter, 0, 0, &[node], &[Type::Ref]);
                let value = func.result(enter);
                func.append(slow, Opcode::Jump, 0, 0, &[], &[]);
                func.add_edge(slow, done, &[value]);
                // The result keeps its number: it becomes the parameter of the block where both ways meet.
                let mut params = std::mem::take(&mut func.blocks[done].params);
                params.push(result, &mut func.pool);
                func.blocks[done].params = params;
                block = done;
            }
            Some(Evaluation::TailEval) => {
                finish(func, &mut block, &mut stretch);
                let node = func.args(inst)[0];
                let test = func.append(block, Opcode::IsHnf, 0, 0, &[node], &[Type::I32]);
                let test = func.result(test);
                let (slow, done) = (func.new_block(), func.new_block());
                func.append(block, Opcode::BrIf, 0, 0, &[test], &[]);
                func.add_edge(block, done, &[]);
                func.add_edge(block, slow, &[]);
                func.append(done, Opcode::Return, 0, 0, &[node], &[]);
                func.append(slow, Opcode::TailEnter, 0, 0, &[node], &[]);
                return;
            }
            // They are calls.
            Some(Evaluation::Enter | Evaluation::Apply | Evaluation::Update | Evaluation::CallMethod)
            | Some(Evaluation::TailEnter | Evaluation::TailApply | Evaluation::TailUpdate)
            | Some(Evaluation::TailCallMethod)
            | None => {
                if is_safepoint(|id| cx.may_gc(id), func, inst) {
                    finish(func, &mut block, &mut stretch);
                    covered = false;
                }
                func.blocks[block].insts.push(inst);
            }
        }
    }
    finish(func, &mut block, &mut stretch);
    func.blocks[block].edges = edges;
}

/// Puts the heap check of a stretch before its first allocation; the instructions from there on move to a new block.
fn finish(func: &mut Func, block: &mut Block, stretch: &mut Option<Stretch>) {
    let Some(Stretch { at, bytes }) = stretch.take() else { return };
    let rest = func.blocks[*block].insts.split_off(at);
    let full = func.append(*block, Opcode::HeapFull, bytes as u64, 0, &[], &[Type::I32]);
    let full = func.result(full);
    let (slow, go_on) = (func.new_block(), func.new_block());
    func.append(*block, Opcode::BrIf, 0, 0, &[full], &[]);
    func.add_edge(*block, slow, &[]);
    func.add_edge(*block, go_on, &[]);
    func.append(slow, Opcode::Collect, bytes as u64, 0, &[], &[]);
    func.append(slow, Opcode::Jump, 0, 0, &[], &[]);
    func.add_edge(slow, go_on, &[]);
    func.blocks[go_on].insts = rest;
    *block = go_on;
}
