//! The order of functions. A call names its function by a number that takes one byte below 128, two below 16,384, and
//! three beyond: so those that are called at most places come first.

use crate::env::Demand;
use crate::generated::Generated;
use crate::link_runtime::Runtime;
use crate::trampolines;
use cleave_ir::{EntityRef, Extern, FuncId, Module};
use std::cmp::Reverse;

/// Numbers of one byte.
const SHORT: usize = 1 << 7;
/// Numbers of two bytes at most.
const MEDIUM: usize = 1 << 14;
/// A function that is called at fewer places stays where it is.
const FEWEST_CALLS: u32 = 4;

/// A function that does not come from the IR.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Other {
    Generated(Generated),
    /// One of the runtime, by its old number.
    Runtime(u32),
}

/// After the imports: some others | functions of the IR | the remaining others | C functions.
#[derive(Default)]
pub struct Order {
    pub early: Vec<Other>,
    pub funcs: Vec<FuncId>,
    pub late: Vec<Other>,
}

enum Callee {
    Func(FuncId),
    Other(Other),
}

impl Order {
    /// `first` is the number of the first function that is no import, `used` the functions of the runtime that are
    /// called.
    pub fn new(
        module: &Module,
        demand: &Demand,
        runtime: &Runtime,
        first: usize,
        used: &[Extern],
        generated: &[Generated],
        kept: impl Iterator<Item = u32>,
    ) -> Order {
        let calls_of_extern = |id: Extern| demand.externs[id.number() as usize];
        let direct = used.iter().filter(|&&id| !trampolines::is_wrapped(&module.externs[id]));
        let functions =
            direct.filter_map(|&id| Some((calls_of_extern(id), runtime.function(&module.externs[id].symbol())?)));
        let others = generated.iter().map(|&generated| {
            let calls = match generated {
                Generated::Enter => demand.enters,
                Generated::Table(table) => demand.tables[table.index()],
                Generated::Wrapper(id) | Generated::HostCall(id) => calls_of_extern(id),
                _ => 0,
            };
            (calls, Callee::Other(Other::Generated(generated)))
        });
        let funcs = module.funcs.keys().map(|func| (demand.funcs[func.index()], Callee::Func(func)));
        let functions = functions.map(|(calls, function)| (calls, Callee::Other(Other::Runtime(function))));
        let mut popular: Vec<(u32, Callee)> =
            others.chain(functions).chain(funcs).filter(|&(calls, _)| calls >= FEWEST_CALLS).collect();
        popular.sort_by_key(|&(calls, _)| Reverse(calls));
        popular.truncate(SHORT.saturating_sub(first));

        let mut order = Order::default();
        let mut is_first = vec![false; module.funcs.len()];
        for (_, callee) in popular {
            match callee {
                // Two names may be those of one function.
                Callee::Other(other) if order.early.contains(&other) => {}
                Callee::Other(other) => order.early.push(other),
                Callee::Func(func) => {
                    order.funcs.push(func);
                    is_first[func.index()] = true;
                }
            }
        }
        let rest = module.funcs.keys().filter(|func| !is_first[func.index()]);
        let is_called_again = |func: &FuncId| demand.funcs[func.index()] > 1;
        if module.funcs.len() > MEDIUM {
            let (more, once): (Vec<FuncId>, Vec<FuncId>) = rest.partition(is_called_again);
            order.funcs.extend(more.into_iter().chain(once));
        } else {
            order.funcs.extend(rest);
        }
        let all = generated.iter().map(|&generated| Other::Generated(generated)).chain(kept.map(Other::Runtime));
        order.late = all.filter(|other| !order.early.contains(other)).collect();
        order
    }
}
