//! Options of compilation that do not depend on the target.

use cleave_interface::Abi;
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::{Module, Target};
use cleave_passes::context::Context;
use cleave_passes::ipo::{inline, outline};
use cleave_passes::rc_insertion::{RcInsertion, Reuse};
use cleave_passes::{roots, table};

/// How much is optimised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    /// Nothing.
    O0,
    /// What is quick.
    O1,
    /// Everything.
    #[default]
    O2,
}

impl Level {
    /// The optimisations, in order.
    pub fn passes(self) -> &'static [&'static str] {
        match self {
            Level::O0 => table::NONE,
            Level::O1 => table::BASIC,
            Level::O2 => table::FULL,
        }
    }
}

/// When the IR is verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Verify {
    /// Never: the front end is trusted. Wrong IR then panics later, or makes a wrong program.
    Never,
    /// At the beginning: what a front end does wrong is an error.
    #[default]
    Input,
    /// Also after each pass, for finding our mistakes: there it is a panic.
    EachPass,
}

/// Settings of a compilation.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How much is optimised.
    pub level: Level,
    /// How the collector finds references.
    pub roots: roots::Options,
    /// When references of the reference-counted heap are released.
    pub rc_insertion: RcInsertion,
    /// Where cells of the reference-counted heap are written over dead ones.
    pub reuse: Reuse,
    /// A program on the reference-counted heap says at its end how many cells and references it counted. It is slower.
    pub count_cells: bool,
    /// Which functions are copied to where they are called; `None`: what suits the target of
    /// [`compile`](crate::compile), and machine code where no target is known.
    pub inline: Option<inline::Limits>,
    /// Which functions are cut into parts.
    pub outline: outline::Limits,
    /// Names of passes that are left out, of those that can be ([`table::optional`](cleave_passes::table::optional)).
    pub disabled: Vec<&'static str>,
    /// When the IR is verified.
    pub verify: Verify,
    /// What no verifier can know is checked while the program runs: shapes, kinds, bounds, initialisation.
    pub checked: bool,
    /// Who calls what the module exports: hosts of WebAssembly, or C. Machine code is for C.
    pub abi: Abi,
}

impl Options {
    /// What passes are told of these settings.
    pub(crate) fn context<'c>(&self, lay_out: &'c dyn Fn(&Module) -> StaticDataSection) -> Context<'c> {
        let &Options { roots, outline, rc_insertion, reuse, .. } = self;
        let inline = self.inline.unwrap_or_default();
        Context { roots, inline, outline, rc_insertion, reuse, ..Context::new(lay_out) }
    }

    /// These settings, with what suits the target where they leave it open.
    pub fn suited_to(&self, target: &impl Target) -> Options {
        let limits = if target.expensive_calls() { inline::Limits::DEAR_CALLS } else { inline::Limits::default() };
        Options { inline: self.inline.or(Some(limits)), ..self.clone() }
    }

    /// The passes of these names, without those that are left out.
    pub(crate) fn wanted(&self, names: &[&'static str]) -> Vec<&'static table::Pass> {
        let names = names.iter().copied().filter(|name| !self.disabled.contains(name));
        table::list(names).unwrap_or_else(|name| panic!("no pass `{name}`"))
    }
}
