//! Copies functions for immediates: a function that asks whether a parameter is one gets a *worker*, which takes the
//! integer itself. Calls with an immediate call the worker, in which the question is answered.
//!
//! ```text
//! f(n): br_if is_int n, small, other           f(n):  …                     (as before, for what may be an object)
//! small: … jump call(int_ref n - 1)      ─▶    f.int(n: i64):
//! other: … jump call(sub(n, 1))                small: … v = f.int(n - 1); jump rest(v)
//! call(m): v = f(m); …                         other: … jump call(sub(int_ref n, 1))
//!                                              call(m): v = f(m); jump rest(v)
//!                                              rest(v): …
//! ```
//! Where an immediate and something else meet before a call, as the quick way of an operation and the slow one do, the
//! call is copied to the quick way.
//!
//! The whole pass is for modules with immediates, in high IR. Comes before `partial-inline`, which finds the cheap case
//! of a worker, and again after `inline`. A kind of worker/wrapper transformation: S. Peyton Jones and J. Launchbury,
//! *Unboxed values as first class citizens in a non-strict functional language*, 1991.

use crate::analysis::values::{Defs, Scratch};
use crate::context::ModuleContext;
use crate::ipo::copy_call::{self, Way};
use crate::ipo::global_dce;
use crate::ipo::inline::weight;
use crate::opt::{instcombine, simplify_cfg};
use cleave_ir::{Block, EntityRef, Func, FuncId, Inst, Module, Opcode, Phase, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Largest function that gets a worker, in instructions except constants and jumps.
const MAX_WEIGHT: usize = 150;
/// By how much workers may let the module grow, in percent.
const MAX_GROWTH: usize = 40;
/// Instructions before a call that are copied with it.
const MAX_BEFORE: usize = 6;
/// Ways into a block that get a call of their own.
const MAX_WAYS: usize = 3;

/// Parameters of a function, as a set of bits.
type Params = u64;

/// Makes workers, and lets calls use them; true if there are any.
pub fn run(module: &mut Module, scratch: &mut Scratch) -> bool {
    if !module.immediates || module.phase() != Phase::High {
        return false;
    }
    let wanted: Vec<Params> = module.funcs.values().map(asked).collect();
    if wanted.iter().all(|&params| params == 0) {
        return false;
    }
    let total: usize = module.funcs.values().map(weight).sum();
    let budget = total * MAX_GROWTH / 100 + 200;
    let mut pass = Pass { wanted, workers: FxHashMap::default(), budget, changed: false };
    let mut at = 0;
    while at < module.funcs.len() {
        pass.visit(module, FuncId::new(at), scratch);
        at += 1;
    }
    if pass.changed {
        // Functions that workers have replaced.
        global_dce::run(module, scratch);
    }
    pass.changed
}

/// The parameters that a function asks about.
fn asked(func: &Func) -> Params {
    if func.layout.is_empty() {
        return 0;
    }
    let params = func.params(func.entry_block());
    let insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
    let asked = insts.filter(|&&inst| func.insts[inst].op == Opcode::IsInt).map(|&inst| func.args(inst)[0]);
    asked.filter_map(|value| params.iter().take(64).position(|&param| param == value)).fold(0, |set, at| set | 1 << at)
}

struct Pass {
    /// By function.
    wanted: Vec<Params>,
    workers: FxHashMap<(FuncId, Params), FuncId>,
    /// Instructions that workers may still add.
    budget: usize,
    changed: bool,
}

impl Pass {
    /// Lets the calls of a function use workers.
    fn visit(&mut self, module: &mut Module, id: FuncId, scratch: &mut Scratch) {
        let mut func = std::mem::take(&mut module.funcs[id]);
        let mut at = 0;
        // Once for all blocks, until one of them is split: a function may have very many.
        let mut is_known = false;
        // Blocks that are made here come last in the layout, and are looked at in their turn.
        while at < func.layout.len() {
            let block = func.layout[at];
            at += 1;
            for number in 0..func.blocks[block].insts.len() {
                let inst = func.blocks[block].insts[number];
                let Some((callee, wanted)) = self.call(&func, inst) else { continue };
                if !std::mem::replace(&mut is_known, true) {
                    scratch.defs.compute(&func);
                }
                let direct = immediates(&func, &scratch.defs, func.args(inst), wanted);
                if direct != 0 {
                    if let Some(worker) = self.worker(module, (id, &func), callee, direct, scratch) {
                        call_worker(&mut func, &scratch.defs, inst, worker, direct);
                        self.changed = true;
                    }
                    continue;
                }
                if self.ways(&func, &scratch.defs, block, number, wanted).is_empty() {
                    continue;
                }
                let rest = copy_call::split(&mut func, block, number);
                scratch.defs.compute(&func);
                for way in self.ways(&func, &scratch.defs, block, number, wanted) {
                    copy_call::copy_call(&mut func, block, number, rest, way);
                }
                (self.changed, is_known) = (true, false);
                break;
            }
        }
        module.funcs[id] = func;
    }

    /// The callee of a direct call, and the parameters that it asks about.
    fn call(&self, func: &Func, inst: Inst) -> Option<(FuncId, Params)> {
        let callee = func.insts[inst].called_func()?;
        let wanted = self.wanted.get(callee.index()).copied().unwrap_or(0);
        (wanted != 0).then_some((callee, wanted))
    }

    /// The ways into a block that bring immediates for its call of that number: before it are few instructions, which
    /// may as well be executed there.
    fn ways(&self, func: &Func, defs: &Defs, block: Block, number: usize, wanted: Params) -> SmallVec<[Way; 4]> {
        let mut ways = SmallVec::new();
        let insts = &func.blocks[block].insts;
        if number > MAX_BEFORE || !insts[..number].iter().all(|&inst| func.insts[inst].op.is_pure()) {
            return ways;
        }
        let args = func.args(insts[number]);
        let place = |arg: &Value| func.params(block).iter().position(|param| param == arg);
        let places: SmallVec<[Option<usize>; 8]> = args.iter().map(place).collect();
        if places.iter().all(Option::is_none) {
            return ways;
        }
        for &from in &func.layout {
            for (number, edge) in func.blocks[from].edges.iter().enumerate().filter(|(_, edge)| edge.block == block) {
                let passed = func.edge_args(edge);
                let is_int = |place: &Option<usize>| place.is_some_and(|at| is_int_ref(func, defs, passed[at]));
                let mut wanted = places.iter().take(64).enumerate().filter(|(at, _)| wanted >> at & 1 != 0);
                if wanted.any(|(_, place)| is_int(place)) {
                    ways.push((from, number));
                }
            }
        }
        if ways.len() > MAX_WAYS {
            ways.clear();
        }
        ways
    }

    /// The worker of a function for immediates in these parameters, made if it is worth it. The function at hand is not
    /// in the module.
    fn worker(
        &mut self,
        module: &mut Module,
        (this, body): (FuncId, &Func),
        callee: FuncId,
        params: Params,
        scratch: &mut Scratch,
    ) -> Option<FuncId> {
        if let Some(&known) = self.workers.get(&(callee, params)) {
            return Some(known);
        }
        let source = if callee == this { body } else { &module.funcs[callee] };
        let size = weight(source);
        if size > MAX_WEIGHT || size > self.budget || source.layout.is_empty() {
            return None;
        }
        self.budget -= size;
        let mut func = worker_of(source, params, module.funcs.len());
        let id = FuncId::new(module.funcs.len());
        let mut defs = Defs::default();
        std::mem::swap(&mut defs, &mut scratch.defs);
        simplify_cfg::run(&mut func, scratch);
        instcombine::run(&mut func, &ModuleContext::of(module), scratch);
        simplify_cfg::run(&mut func, scratch);
        std::mem::swap(&mut defs, &mut scratch.defs);
        self.wanted.push(asked(&func));
        module.funcs.push(func);
        self.workers.insert((callee, params), id);
        Some(id)
    }
}

fn is_int_ref(func: &Func, defs: &Defs, value: Value) -> bool {
    defs.with_op(func, value, Opcode::IntRef).is_some()
}

/// Which of the wanted arguments are made of integers.
fn immediates(func: &Func, defs: &Defs, args: &[Value], wanted: Params) -> Params {
    let is_int = |(at, arg): &(usize, &Value)| wanted >> at & 1 != 0 && is_int_ref(func, defs, **arg);
    args.iter().enumerate().take(64).filter(is_int).fold(0, |set, (at, _)| set | 1 << at)
}

/// A copy of a function that takes integers for these parameters, and begins by making immediates of them.
fn worker_of(source: &Func, params: Params, number: usize) -> Func {
    let mut func = source.clone();
    func.name = format!("{}.int.{number}", source.name);
    let old = func.entry_block();
    let entry = func.new_entry();
    let mut args: SmallVec<[Value; 8]> = SmallVec::new();
    for at in 0..func.signature.params.len() {
        if at >= 64 || params >> at & 1 == 0 {
            let ty = func.signature.params[at];
            args.push(func.add_param(entry, ty));
            continue;
        }
        func.signature.params[at] = Type::I64;
        let integer = func.add_param(entry, Type::I64);
        let made = func.append(entry, Opcode::IntRef, 0, 0, &[integer], &[Type::Ref]);
        args.push(func.result(made));
    }
    func.borrows.retain(|number| params >> (*number).min(63) & 1 == 0);
    func.append(entry, Opcode::Jump, 0, 0, &[], &[]);
    func.add_edge(entry, old, &args);
    func
}

/// Lets a call use a worker: it gets the integers that the immediates are made of.
fn call_worker(func: &mut Func, defs: &Defs, inst: Inst, worker: FuncId, params: Params) {
    let mut args: SmallVec<[Value; 8]> = func.args(inst).into();
    for (_, arg) in args.iter_mut().enumerate().take(64).filter(|(at, _)| params >> at & 1 != 0) {
        if let Some(made) = defs.with_op(func, *arg, Opcode::IntRef) {
            *arg = func.args(made)[0];
        }
    }
    func.set_args(inst, &args);
    func.insts[inst].imm = u64::from(worker.as_u32());
}
