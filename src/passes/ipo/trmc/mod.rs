//! Tail recursion modulo a constructor: a function whose result is a new cell with the result of a call of itself in a
//! field becomes a loop. The cell is made before the call, with a *hole* in the field, and what was the call fills it.
//!
//! ```text
//! map(f, l):  …                        map(f, l):  …
//!   v = call map(f, t)                   c = build $Cell h, 0
//!   c = build $Cell h, v       ─▶        tail_call map.hole(f, t, c, c)
//!   ret c
//!                                      map.hole(f, l, first, hole):  …        what map does, but for its ends:
//!   ret x                                set hole, x;  ret first
//!                                        c = build $Cell h, 0;  set hole, c
//!                                        tail_call map.hole(f, t, first, c)   a loop, once `tail-recursion-elim` has seen it
//! ```
//! There is one such function for each field that can be the hole (a tree has two), and they call each other last, so
//! that none uses stack. Cells between the hole and the result (`x :: y :: f(rest)`) are made before the call, too.
//!
//! Why nothing changes but the stack: between the call and the return there are only instructions that compute or make
//! cells, do not look at the result of the call, and may as well run before it: they have no effect, stop at nothing,
//! and read nothing that anybody writes. Nobody sees the cell before it is whole: only the new function knows it,
//! which only writes its field and returns it at the end. Until then the hole refers to the static node of a small
//! integer, so that a collection finds a reference there; when the cell has become old meanwhile, `set` tells the
//! collector as ever. A descriptor whose cells get holes is not `immutable` any more: a cell whose other fields are
//! constant would otherwise become one static node, shared by all that fill it and unknown to the collector; and of two
//! cells with holes one would take the place of the other.
//!
//! On the reference-counted heap cells do not move, and nobody may refer to a cell without being counted. There the
//! hole is a value of its own, an address, which stands for the cell until it is filled: see `rc.rs`.
//!
//! Only cells of contiguous descriptors are made early, which are data of strict languages. A function that calls
//! others last (except those that never come back to it) is left alone: such a call would need stack now.
//!
//! The idea: D. P. Friedman and D. S. Wise, *Unwinding Stylized Recursions into Iterations*, 1975; D. Leijen and
//! A. Lorenzen, *Tail Recursion Modulo Context*, 2023.
//!
//! Needs: high IR. Must come before `partial-inline`, which takes such functions apart, and before
//! `tail-recursion-elim`.

mod gc;
mod rc;

use crate::memory;
use cleave_ir::heap::PerHeap;
use cleave_ir::layout::Shape;
use cleave_ir::opcode::Terminator;
use cleave_ir::{
    Block, CallTarget, Desc, EntityRef, Flags, Func, FuncId, Inst, InstData, Memory, Module, Opcode, SecondaryMap,
    Type, Value, ValueList,
};
use smallvec::{SmallVec, smallvec};

/// The field of a cell that is filled later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Hole {
    shape: Shape,
    field: u32,
}

/// A cell with a hole.
#[derive(Clone, Copy)]
struct Cell {
    build: Inst,
    desc: Desc,
    /// The operand that is the hole.
    operand: usize,
    hole: Hole,
}

/// A call that is to become the last thing its function does.
struct Site {
    block: Block,
    call: Inst,
    /// The cell whose field is the result of the call, that which holds this cell, and so on to what is returned.
    /// On the garbage-collected heap only the first one is asked for.
    cells: SmallVec<[Cell; 2]>,
    /// What the function returns.
    result: Value,
}

impl Site {
    fn inner(&self) -> Cell {
        self.cells[0]
    }
}

/// Makes the calls of some sites of a function the last thing that it does, on each heap.
const FILLERS: PerHeap<fn(&mut Module, FuncId, &[Site])> = [gc::rewrite, rc::rewrite];

/// Rewrites what can be in the whole module; true if something changed.
pub fn run(module: &mut Module) -> bool {
    if !module.descs.values().any(|desc| desc.contiguous) {
        return false;
    }
    let fixed = cells_are_fixed(module);
    let count = module.funcs.len();
    for id in (0..count).map(FuncId::new) {
        let func = &module.funcs[id];
        let sites = find_sites(module, func, id, fixed);
        if sites.is_empty() || !ends_are_known(module, func, id) {
            continue;
        }
        FILLERS[module.heap as usize](module, id, &sites);
    }
    module.funcs.len() > count
}

/// True if no field of a cell is ever written, so that reading it can wait.
fn cells_are_fixed(module: &Module) -> bool {
    let mut ops = module.funcs.values().flat_map(|func| {
        func.layout.iter().flat_map(|&block| &func.blocks[block].insts).map(|&inst| func.insts[inst].op)
    });
    !ops.any(|op| !op.any(Flags::CALL) && op.writes().any(Memory::NODES))
}

/// The calls of a function that can become its last action.
fn find_sites(module: &Module, func: &Func, id: FuncId, fixed: bool) -> Vec<Site> {
    if func.signature.results[..] != [Type::Ref] {
        return Vec::new();
    }
    let is_own = |&&inst: &&Inst| {
        let data = &func.insts[inst];
        data.op == Opcode::Call && data.imm == u64::from(id.as_u32())
    };
    let mut uses: Option<SecondaryMap<Value, u32>> = None;
    let mut sites = Vec::new();
    for &block in &func.layout {
        let insts = &func.blocks[block].insts;
        let Some(&call) = insts.iter().rev().find(is_own) else { continue };
        let Some(result) = returned(func, block) else { continue };
        let uses = uses.get_or_insert_with(|| count_uses(func));
        if uses[func.result(call)] == 1
            && let Some(site) = site_of(module, func, block, call, result, (fixed, uses))
        {
            sites.push(site);
        }
    }
    sites
}

/// How a block ends the function.
enum End {
    Return,
    /// By calling itself last.
    Again,
    /// By calling last a function that does not come back here.
    Elsewhere,
}

impl End {
    fn of(data: &InstData, id: FuncId) -> Option<End> {
        if data.op == Opcode::Return {
            return Some(End::Return);
        }
        let callee = data.called_func().filter(|_| data.op.is_terminator())?;
        Some(if callee == id { End::Again } else { End::Elsewhere })
    }
}

/// Makes a tail call a call; its result.
fn result_of(func: &mut Func, call: Inst) -> Value {
    func.insts[call].op = Opcode::Call;
    let value = func.new_value(Type::Ref);
    func.insts[call].results = ValueList::from_slice(&[value], &mut func.pool);
    value
}

/// What the function returns if it goes on after this block to the end without doing anything.
fn returned(func: &Func, block: Block) -> Option<Value> {
    let last = func.terminator(block)?;
    let op = func.insts[last].op;
    if op == Opcode::Return {
        return func.args(last).first().copied();
    }
    let edge = func.blocks[block].edges.first().filter(|_| op == Opcode::Jump)?;
    let [end] = func.blocks[edge.block].insts[..] else { return None };
    let value = *func.args(end).first().filter(|_| func.insts[end].op == Opcode::Return)?;
    let param = func.params(edge.block).iter().position(|&param| param == value);
    Some(param.map_or(value, |index| func.edge_args(edge)[index]))
}

fn count_uses(func: &Func) -> SecondaryMap<Value, u32> {
    let mut uses = SecondaryMap::new();
    uses.resize(func.values.len());
    for &block in &func.layout {
        let data = &func.blocks[block];
        let edges = data.edges.iter().flat_map(|edge| func.edge_args(edge));
        data.insts.iter().flat_map(|&inst| func.args(inst)).chain(edges).for_each(|&value| uses[value] += 1);
    }
    uses
}

/// The site of a call, if everything after it can come first.
fn site_of(
    module: &Module,
    func: &Func,
    block: Block,
    call: Inst,
    result: Value,
    (fixed, uses): (bool, &SecondaryMap<Value, u32>),
) -> Option<Site> {
    let insts = &func.blocks[block].insts;
    let at = insts.iter().position(|&inst| inst == call)?;
    let value = func.result(call);
    let (mut cells, mut later): (SmallVec<[Cell; 2]>, SmallVec<[Value; 8]>) = (smallvec![], smallvec![value]);
    // What the next cell outwards holds.
    let mut applied_args = value;
    for &inst in &insts[at + 1..insts.len() - 1] {
        let (op, args) = (func.insts[inst].op, func.args(inst));
        if op != Opcode::BuildNode && op != Opcode::BoxInt {
            let reads = op.reads().is_empty() || fixed && op.reads().within(Memory::NODES);
            let looks = args.iter().any(|arg| func.values[*arg] == Type::Ref && later.contains(arg));
            if !reads || looks || !op.writes().is_empty() || op.any(Flags::EFFECTS) {
                return None;
            }
        }
        if let Some(operand) = args.iter().position(|&arg| arg == applied_args) {
            let uses_identity =
                op == Opcode::BuildNode && module.shape(func.insts[inst].desc(), func.insts[inst].aux).contiguous;
            if uses_identity {
                let data = &func.insts[inst];
                let hole = Hole { shape: module.shape(data.desc(), data.aux), field: operand as u32 };
                cells.push(Cell { build: inst, desc: data.desc(), operand, hole });
                applied_args = func.result(inst);
            } else if applied_args == value {
                return None;
            }
        }
        later.extend_from_slice(func.results(inst));
    }
    let is_chain = || applied_args == result && cells.iter().all(|cell| uses[func.result(cell.build)] == 1);
    if cells.is_empty() || !memory::of(module.heap).shares_cells_with_holes() && !is_chain() {
        return None;
    }
    Some(Site { block, call, cells, result })
}

/// True if the function ends only in ways that leave the stack as it is when a hole is filled after them.
fn ends_are_known(module: &Module, func: &Func, id: FuncId) -> bool {
    let entry = func.entry_block();
    func.layout.iter().all(|&block| {
        let begins_anew = func.successors(block).any(|next| next == entry);
        let Some(last) = func.terminator(block) else { return false };
        let data = &func.insts[last];
        let known = match data.called_func() {
            Some(callee) => callee == id || !comes_back(module, callee, id),
            None => Terminator::of(data.op).is_some(),
        };
        known && !begins_anew
    })
}

/// May a call of `from` lead to a call of `to`? So may all that is not called by its name.
fn comes_back(module: &Module, from: FuncId, to: FuncId) -> bool {
    let mut met: SecondaryMap<FuncId, bool> = SecondaryMap::new();
    let mut work = vec![from];
    while let Some(id) = work.pop() {
        if id == to {
            return true;
        }
        if std::mem::replace(&mut met[id], true) {
            continue;
        }
        let func = &module.funcs[id];
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            let data = &func.insts[inst];
            match data.call_target() {
                Some(CallTarget::Func(callee)) => work.push(callee),
                Some(CallTarget::Extern(..)) => {}
                Some(CallTarget::Table(_) | CallTarget::Method(_) | CallTarget::Closure) => return true,
                Some(CallTarget::Thunk | CallTarget::Entry) => return true,
                None if data.op.any(Flags::CALL) && data.op != Opcode::Collect => return true,
                None => {}
            }
        }
    }
    false
}
