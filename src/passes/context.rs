//! The context of passes over a module: options, and results of earlier passes. Those that work on single functions
//! side by side have `ModuleContext`.

use crate::analysis::values::Scratch;
use crate::ipo::{inline, outline};
pub use crate::module_context::{FuncContext, ModuleContext};
use crate::rc_insertion::{RcInsertion, Reuse};
use crate::roots;
use cleave_ir::Module;
use cleave_ir::data_section::StaticDataSection;

/// The settings of a run of passes, and what they leave for the driver.
pub struct Context<'c> {
    /// How roots are placed.
    pub roots: roots::Options,
    /// Which functions are copied to where they are called.
    pub inline: inline::Limits,
    /// Which functions are cut.
    pub outline: outline::Limits,
    /// When references of the reference-counted heap are released.
    pub rc_insertion: RcInsertion,
    /// Where cells of the reference-counted heap are written over dead ones.
    pub reuse: Reuse,
    /// Loops of functions that run once are entered anew now and then (`osr-loops`): for engines that never replace
    /// running code by better code.
    pub osr_loops: bool,
    /// Recursive functions can be captured (`stackless`): for targets whose stack may be small.
    pub deep_recursion: bool,
    /// What captured functions go on with is there twice, as far as that makes the others faster.
    pub stackless_copies: bool,
    /// Records of captured functions have what traces need.
    pub traces: bool,
    /// Gives static data its addresses.
    pub lay_out: &'c dyn Fn(&Module) -> StaticDataSection,
    /// The static data with its addresses, from `data-section` on.
    pub data_section: Option<StaticDataSection>,
    /// What passes counted, for `--stats`.
    pub counts: Vec<(&'static str, usize)>,
    /// Buffers for passes over the module; those over functions have one for each thread.
    pub scratch: Scratch,
}

impl<'c> Context<'c> {
    /// Settings as of a program without options.
    pub fn new(lay_out: &'c dyn Fn(&Module) -> StaticDataSection) -> Context<'c> {
        Context {
            roots: roots::Options::default(),
            inline: inline::Limits::default(),
            outline: outline::Limits::default(),
            rc_insertion: RcInsertion::default(),
            reuse: Reuse::default(),
            osr_loops: false,
            deep_recursion: false,
            stackless_copies: true,
            traces: false,
            lay_out,
            data_section: None,
            counts: Vec::new(),
            scratch: Scratch::default(),
        }
    }
}
