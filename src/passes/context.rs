//! What passes are given besides the code that they change: `Context` for passes over the module, `Surroundings` for
//! those that work on single functions side by side.

use crate::analysis::values::Scratch;
use crate::roots;
use crate::whole::parts;
use cleave_ir::image::Image;
use cleave_ir::{Desc, DescData, Entry, EntryData, FuncId, Module, PrimaryMap};

/// The settings of a run of passes, and what they leave for the driver.
pub struct Context<'c> {
    /// How roots are placed.
    pub roots: roots::Options,
    /// Which functions are cut.
    pub parts: parts::Limits,
    /// Loops of functions that run once are entered anew now and then (`reenter`): for engines that never replace
    /// running code by better code.
    pub reenter: bool,
    /// Gives static data its addresses.
    pub lay_out: &'c dyn Fn(&Module) -> Image,
    /// The static data with its addresses, from `image` on.
    pub image: Option<Image>,
    /// What passes counted, for `--stats`.
    pub counts: Vec<(&'static str, usize)>,
    pub scratch: Scratch,
}

impl<'c> Context<'c> {
    /// Settings as of a program without options.
    pub fn new(lay_out: &'c dyn Fn(&Module) -> Image) -> Context<'c> {
        Context {
            roots: roots::Options::default(),
            parts: parts::Limits::default(),
            reenter: false,
            lay_out,
            image: None,
            counts: Vec::new(),
            scratch: Scratch::default(),
        }
    }
}

/// What a pass over single functions may ask about the rest of the module: all but the bodies of other functions,
/// which other threads are changing.
pub struct Surroundings<'m> {
    pub descs: &'m PrimaryMap<Desc, DescData>,
    pub entries: &'m PrimaryMap<Entry, EntryData>,
    pub cycle_entry: Option<Entry>,
    collects: Vec<bool>,
}

impl<'m> Surroundings<'m> {
    pub fn of(module: &'m Module) -> Surroundings<'m> {
        Surroundings::with(module, module.funcs.values().map(|func| func.collects).collect())
    }

    /// The same for a module whose functions are elsewhere; `collects` says of each whether it may collect.
    pub(crate) fn with(module: &'m Module, collects: Vec<bool>) -> Surroundings<'m> {
        Surroundings { descs: &module.descs, entries: &module.entries, cycle_entry: module.cycle_entry, collects }
    }

    /// True if a call of the function may collect.
    pub fn collects(&self, func: FuncId) -> bool {
        self.collects[func.as_u32() as usize]
    }

    /// Payload (references, raw words) of a node of `desc` holding `held` arguments.
    pub fn payload(&self, desc: Desc, held: u32) -> (u32, u32) {
        self.descs[desc].payload(held)
    }
}
