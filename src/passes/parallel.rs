//! Work on all functions of a module, side by side on the threads of the pool.
//!
//! Functions are handed out in batches: enough instructions that handing out costs nothing, few enough that a batch
//! stays in the cache while several passes go over it. What is done to a function must depend on that function and on
//! what the module says besides functions; so the result is the same for any number of threads.

use crate::context::ModuleContext;
use crate::module_context::{Calls, writes_words};
use cleave_ir::{Func, FuncId, Module, PrimaryMap};
use rayon::prelude::*;

/// Instructions of a batch.
const BATCH: usize = 1000;

/// Functions that follow each other.
pub struct Batch<'f> {
    /// The functions themselves.
    pub funcs: &'f mut [Func],
    first: u32,
}

impl Batch<'_> {
    /// The functions with their numbers.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (FuncId, &mut Func)> {
        (self.first..).map(FuncId::from_u32).zip(self.funcs.iter_mut())
    }
}

/// Cuts a list of functions into batches.
fn batches(mut funcs: &mut [Func]) -> Vec<Batch<'_>> {
    let mut list = Vec::new();
    let mut first = 0;
    while !funcs.is_empty() {
        let mut insts = 0;
        let mut count = 0;
        while count < funcs.len() && insts < BATCH {
            insts += funcs[count].insts.len();
            count += 1;
        }
        let (batch, rest) = funcs.split_at_mut(count);
        list.push(Batch { funcs: batch, first });
        first += count as u32;
        funcs = rest;
    }
    list
}

/// All functions as a slice.
pub fn slice(funcs: &mut PrimaryMap<FuncId, Func>) -> &mut [Func] {
    funcs.values_mut().into_slice()
}

/// Calls `work` with each batch and a state of the thread. The results are in the order of the functions.
pub fn batch_wise<S: Default, R: Send>(funcs: &mut [Func], work: impl Fn(&mut S, Batch) -> R + Sync) -> Vec<R> {
    let batches = batches(funcs);
    if batches.len() < 2 || rayon::current_num_threads() == 1 {
        let mut state = S::default();
        return batches.into_iter().map(|batch| work(&mut state, batch)).collect();
    }
    batches.into_par_iter().map_init(S::default, |state, batch| work(state, batch)).collect()
}

/// The functions of a module, taken out of it, and what surrounds them.
pub fn apart(module: &mut Module) -> (PrimaryMap<FuncId, Func>, ModuleContext<'_>) {
    let (calls, writes_words) = (module.funcs.values().map(Calls::of).collect(), writes_words(module));
    (std::mem::take(&mut module.funcs), ModuleContext::with(module, writes_words, calls))
}

/// Calls `work` with each function and what surrounds it.
pub fn each<R: Send>(module: &mut Module, work: impl Fn(&mut Func, &ModuleContext) -> R + Sync) -> Vec<R> {
    each_with(module, |(): &mut (), func, cx| work(func, cx))
}

/// The same with a state of the thread.
pub fn each_with<S: Default, R: Send>(
    module: &mut Module,
    work: impl Fn(&mut S, &mut Func, &ModuleContext) -> R + Sync,
) -> Vec<R> {
    let (mut funcs, cx) = apart(module);
    let work_on = |state: &mut S, mut batch: Batch| batch.iter_mut().map(|(_, func)| work(state, func, &cx)).collect();
    let results: Vec<Vec<R>> = batch_wise(slice(&mut funcs), work_on);
    module.funcs = funcs;
    results.into_iter().flatten().collect()
}
