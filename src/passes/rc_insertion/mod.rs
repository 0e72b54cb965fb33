//! Counting references: what the roots passes are for the garbage-collected heap, on the counted one.
//!
//! ```text
//! high IR ─ check ─ mutation ─ owners: who owns which parameter ─ insert: retain, release, drop ─ reuse: reset, renew ─▶ rooted IR
//! ```
//! They work on the IR of any strict program: data is built once and only read. What is called is a known function,
//! which borrows some of its arguments, or is found in a table, all functions of which borrow the same; so it is with
//! closures (`lower-apply` comes before). Functions of the runtime borrow, as a rule. The result is proved by
//! `verify/counts`, which shares no code with them.

mod borrow_inference;
mod check;
mod cycles;
mod edits;
mod insert;
mod mutation;
mod ownership;
mod peeks;
pub mod report;
mod reuse;
mod shape_facts;
mod tables;

use crate::parallel;
use crate::roots::gc_leaf;
use borrow_inference::Owners;
use cleave_ir::verify::holes;
use cleave_ir::{EntityRef, Func, FuncId, Module};
use tables::Tables;

pub use check::{Unsupported, all as all_unsupported, check};

/// Where cells are written over dead ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reuse {
    /// In functions that ask for it (`Func::fip`).
    #[default]
    Fip,
    /// In all functions.
    All,
    /// Nowhere: each cell is freed, each new one taken from the free ones.
    None,
}

impl Reuse {
    /// In the order of the help text.
    pub const ALL: [Reuse; 3] = [Reuse::Fip, Reuse::All, Reuse::None];

    /// The word of the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Reuse::Fip => "fip",
            Reuse::All => "all",
            Reuse::None => "none",
        }
    }
    /// The choice of that word.
    pub fn from_word(word: &str) -> Option<Reuse> {
        Reuse::ALL.into_iter().find(|reuse| reuse.word() == word)
    }
    /// In this function?
    pub fn holds(self, func: &Func) -> bool {
        match self {
            Reuse::Fip => func.fip,
            Reuse::All => true,
            Reuse::None => false,
        }
    }
}

/// When references are released.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RcInsertion {
    /// Where they die; whoever takes the last use of one takes it over. Parameters are owned or borrowed.
    #[default]
    Precise,
    /// At the end of their scope, as a runtime with counted pointers would have it: for comparison. All parameters are
    /// borrowed, whatever is stored is retained, nothing is taken over but results.
    Scoped,
}

impl RcInsertion {
    /// In the order of the help text.
    pub const ALL: [RcInsertion; 2] = [RcInsertion::Precise, RcInsertion::Scoped];

    /// The word of the command line.
    pub const fn word(self) -> &'static str {
        match self {
            RcInsertion::Precise => "precise",
            RcInsertion::Scoped => "scoped",
        }
    }
    /// The choice of that word.
    pub fn from_word(word: &str) -> Option<RcInsertion> {
        RcInsertion::ALL.into_iter().find(|rc_insertion| rc_insertion.word() == word)
    }
}

/// Counts the references of all functions; returns how many nodes take the memory of others.
pub fn run(module: &mut Module, rc_insertion: RcInsertion, reuse: Reuse) -> usize {
    let may_widen = !module.cell_sizes.is_fixed() && module.funcs.values().any(|func| func.fip && reuse.holds(func));
    loop {
        let before = may_widen.then(|| module.clone());
        let pairs = count(module, rc_insertion, reuse);
        // What parameters are owned for depends on the sizes of cells: once more with those that there are now. Cells
        // only become larger, and not without end.
        let Some(before) = before.filter(|before| before.cell_sizes != module.cell_sizes) else { return pairs };
        let sizes = std::mem::take(&mut module.cell_sizes);
        *module = Module { cell_sizes: sizes, ..before };
    }
}

fn count(module: &mut Module, rc_insertion: RcInsertion, reuse: Reuse) -> usize {
    module.cycles = cycles::find(module);
    let written = mutation::run(module, rc_insertion == RcInsertion::Precise);
    gc_leaf::run(module);
    let owners = match rc_insertion {
        RcInsertion::Precise => Owners::infer(module, written, |func| reuse.holds(func)),
        RcInsertion::Scoped => Owners::none(module),
    };
    let holes = holes::params(module);
    let mut funcs = std::mem::take(&mut module.funcs);
    let cx = &*module;
    let paired = parallel::batch_wise(parallel::slice(&mut funcs), |tables: &mut Tables, mut batch| {
        let count = |(id, func): (FuncId, &mut Func)| {
            insert::insert(cx, func, id, (rc_insertion, &owners), tables);
            func.holes = holes[id.index()].clone();
            if reuse.holds(func) { reuse::run(cx, func, tables) } else { 0 }
        };
        batch.iter_mut().map(count).sum::<usize>()
    });
    let mut pairs: usize = paired.into_iter().sum();
    // Few functions ask themselves, and what one makes larger the next one has to know.
    let (mut sizes, mut tables) = (module.cell_sizes.clone(), Tables::default());
    for func in funcs.values_mut().filter(|func| func.fip && reuse.holds(func)) {
        pairs += reuse::widen(module, func, &mut tables, &mut sizes);
    }
    module.cell_sizes = sizes;
    module.funcs = funcs;
    pairs
}
