//! Deforestation: a list that one function makes and another takes apart at once is not made.
//!
//! ```text
//! sum(xs): x, rest = the cell xs; x + sum(rest)                 v1 = call @map(v0, v9)
//! map(f, ys): y, rest = the cell ys; cell of f(y), map(f, rest)  v2 = call @sum(v1)
//!                       ─▶
//! sum.map(f, ys): y, rest = the cell ys; f(y) + sum.map(f, rest) v2 = call @sum.map(v0, v9)
//! ```
//! A call that passes nodes and thunks which were built for it alone (its *pattern*, `pattern.rs`) calls a copy of the
//! function that builds them itself, if the function uses them (`demand.rs`). In the copy, thunks that are evaluated
//! become calls of their code (`eager.rs`), code that makes a node for a call is inlined before it, and fields of new
//! nodes are what they were made of. Then the copy calls itself with the same pattern as a rule, and nothing is built
//! any more. The order of evaluation stays as it was.
//!
//! Sizes: `MAX_WEIGHT` per function, `MAX_COPIES` of each, `MAX_GROWTH` of the module, `MAX_STEPS` per function.
//! Comes before self tail calls become loops, and before `lower-apply`. High IR, whole programs.
//!
//! Source of the idea: P. Wadler, *Deforestation: transforming programs to eliminate trees*, 1990; S. Peyton Jones,
//! *Call-pattern specialisation for Haskell programs*, 2007.

mod demand;
mod drive;
mod eager;
mod pattern;

use crate::analysis::direct_calls::{calls, components};
use crate::analysis::values::Scratch;
use crate::context::ModuleContext;
use crate::ipo::inline::weight;
use crate::ipo::{copy_call, global_dce};
use crate::opt::gvn;
use cleave_ir::{EntityRef, Func, FuncId, InstData, Module, Opcode, Phase, Value};
use demand::{Demand, Demands};
use pattern::Pattern;
use rustc_hash::FxHashMap;

/// Largest function that is made or changed, in instructions except constants and jumps.
const MAX_WEIGHT: usize = 250;
/// Largest function that is inlined.
const MAX_INLINED: usize = 60;
/// Copies of one function.
const MAX_COPIES: u32 = 6;
/// Copies that are made while others are, one within the other.
const MAX_DEPTH: usize = 6;
/// How often one function is inlined into another.
const MAX_TIMES: usize = 6;
/// Changes of one function.
const MAX_STEPS: usize = 40;
/// By how much the module may grow, in percent.
const MAX_GROWTH: usize = 5;

/// Deforests the whole module; true if something changed.
pub fn run(module: &mut Module, scratch: &mut Scratch) -> bool {
    let is_lazy = !module.thunk_infos.is_empty();
    if !is_lazy || !module.is_closed() || module.phase() != Phase::High {
        return false;
    }
    let total: usize = module.funcs.values().map(weight).sum();
    let components = components(module);
    let mut pass = Deforest {
        demands: Demands::find(module, &components.0),
        cycles: cycles(module, &components),
        copies: FxHashMap::default(),
        count: FxHashMap::default(),
        originals: FxHashMap::default(),
        origins: FxHashMap::default(),
        budget: total * MAX_GROWTH / 100 + 2000,
        writes_words: crate::module_context::writes_words(module),
        changed: false,
    };
    for at in 0..module.funcs.len() {
        pass.root(module, FuncId::from_u32(at as u32), scratch);
    }
    if pass.changed {
        global_dce::run(module, scratch);
    }
    pass.changed
}

/// A cycle of the call graph.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cycle {
    number: u32,
    /// More than one function is in it.
    has_others: bool,
}

struct Deforest {
    demands: Demands,
    cycles: Vec<Option<Cycle>>,
    /// None where a copy was not worth it.
    copies: FxHashMap<(FuncId, Pattern), Option<FuncId>>,
    /// Copies of each function of the program.
    count: FxHashMap<FuncId, u32>,
    /// Functions that are being changed, as they were.
    originals: FxHashMap<FuncId, Func>,
    /// What a copy is a copy of.
    origins: FxHashMap<FuncId, FuncId>,
    /// Instructions that may still be added.
    budget: usize,
    writes_words: bool,
    changed: bool,
}

impl Deforest {
    /// Looks at a function of the program.
    fn root(&mut self, module: &mut Module, id: FuncId, scratch: &mut Scratch) {
        let size = weight(&module.funcs[id]);
        if size > MAX_WEIGHT || !self.has_site(module, id, scratch) {
            return;
        }
        let original = module.funcs[id].clone();
        self.originals.insert(id, original);
        let func = module.funcs[id].take();
        let budget = self.budget;
        let (func, gained) = self.drive(module, id, func, 0, scratch);
        let original = self.originals.remove(&id);
        module.funcs[id] = match original {
            Some(original) if gained == 0 => {
                self.budget = budget;
                original
            }
            _ => {
                self.changed = true;
                func
            }
        };
        self.demands.add(module, id, &module.funcs[id]);
    }

    /// Is there a call that gets what was made for it?
    fn has_site(&mut self, module: &Module, id: FuncId, scratch: &mut Scratch) -> bool {
        let func = &module.funcs[id];
        scratch.defs.compute(func);
        func.layout.iter().flat_map(|&block| &func.blocks[block].insts).any(|&inst| {
            let Some(callee) = func.insts[inst].called_func() else { return false };
            func.args(inst).iter().zip(&self.demands.funcs[callee].params).any(|(&arg, demand)| {
                let made = scratch.defs.get(arg).map(|made| &func.insts[made]);
                let is_made = |made: &InstData| match made.called_func() {
                    Some(maker) => self.demands.funcs[maker].is_producer,
                    None => gvn::is_known_whole(made.op) || made.op == Opcode::Eval,
                };
                demand.has_fields() && made.is_some_and(is_made)
            })
        })
    }

    /// The copy of a function for a pattern, made if it is worth it.
    fn copy(
        &mut self,
        module: &mut Module,
        callee: FuncId,
        pattern: Pattern,
        depth: usize,
        scratch: &mut Scratch,
    ) -> Option<FuncId> {
        let key = (callee, pattern);
        if let Some(&copy) = self.copies.get(&key) {
            return copy;
        }
        let source = self.originals.get(&callee).unwrap_or(&module.funcs[callee]);
        let size = weight(source);
        let origin = self.origins.get(&callee).copied().unwrap_or(callee);
        let count = self.count.entry(origin).or_default();
        if source.layout.is_empty()
            || size > MAX_WEIGHT
            || size > self.budget
            || *count == MAX_COPIES
            || depth == MAX_DEPTH
        {
            return None;
        }
        *count += 1;
        self.budget -= size;
        self.changed = true;
        let is_recursive = self.cycle(origin).is_some();
        let mut header = key.1.specialise(source, module.funcs.len());
        let func = header.take();
        let id = module.funcs.push(header);
        self.copies.insert(key.clone(), Some(id));
        self.origins.insert(id, origin);
        let (func, gained) = self.drive(module, id, func, depth + 1, scratch);
        if gained == 0 || is_recursive && !self.goes_on(&func, id, origin, scratch) {
            self.copies.insert(key.clone(), None);
        }
        self.demands.add(module, id, &func);
        module.funcs[id] = func;
        self.copies.get(&key).copied().flatten()
    }

    /// Does a copy call itself, or a copy that does, rather than the function that it is a copy of? A list that is at
    /// its end does not count.
    fn goes_on(&self, func: &Func, id: FuncId, original: FuncId, scratch: &mut Scratch) -> bool {
        scratch.defs.compute(func);
        let (mut kept, mut lost) = (0, 0);
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            let Some(callee) = func.insts[inst].called_func() else { continue };
            let is_copy = callee == id || self.origins.get(&callee) == self.origins.get(&id);
            let is_at_end = |(&arg, demand): (&Value, &Demand)| {
                demand.has_fields() && scratch.defs.op(func, arg).is_some_and(Opcode::is_constant)
            };
            let mut args = func.args(inst).iter().zip(&self.demands.funcs[callee].params);
            kept += usize::from(is_copy);
            let is_other = !is_copy && self.cycle(callee).is_some() && self.cycle(callee) == self.cycle(original);
            lost += usize::from(is_other && !args.any(is_at_end));
        }
        kept > 0 && kept >= lost
    }

    /// How often a function may be inlined into another.
    fn most_copies(&self, id: FuncId) -> usize {
        // Those that call each other would be unrolled.
        if self.cycle(id).is_some_and(|cycle| cycle.has_others) { 1 } else { MAX_TIMES }
    }

    /// The cycle of the call graph that a function of the program is in.
    fn cycle(&self, id: FuncId) -> Option<Cycle> {
        self.cycles.get(id.index()).copied().flatten()
    }

    fn context<'m>(&self, module: &'m Module) -> ModuleContext<'m> {
        ModuleContext::with(module, self.writes_words, Vec::new())
    }
}

/// The cycle of the call graph that each function is in.
fn cycles(module: &Module, (component, count): &(Vec<u32>, usize)) -> Vec<Option<Cycle>> {
    let mut members = vec![0; *count];
    component.iter().for_each(|&number| members[number as usize] += 1);
    let cycle = |((id, func), &number): ((FuncId, &Func), &u32)| {
        let has_others = members[number as usize] > 1;
        let is_cycle = has_others || calls(func, &func.layout).any(|(callee, _)| callee == id);
        is_cycle.then_some(Cycle { number, has_others })
    };
    module.funcs.iter().zip(component).map(cycle).collect()
}
