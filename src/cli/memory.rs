//! Flags that say how the memory of a program is managed.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Error, ValueEnum};
use cleave_ir::Heap;
use cleave_ir::heap::HEAPS;
use cleave_passes::rc_insertion::{RcInsertion, Reuse};

#[derive(Clone, Debug, Default, Args)]
pub struct MemoryArgs {
    /// How memory is managed: by a copying collector, or by counting references [default: what the program says]
    ///
    /// With `rc` every cell is freed with the last reference to it. Only strict programs can do without the
    /// collector: those without thunks and arrays. Programs of GOOPEA and samlang ask for `rc`, all others for
    /// `gc`.
    #[arg(long, value_name = "HEAP", value_parser = heaps())]
    pub memory: Option<Heap>,
    /// When references are released, on the reference-counted heap [default: precise]
    ///
    /// `precise`: where they die, or by who takes over the last use. `scoped`: at the end of their scope, while all
    /// parameters are borrowed and whatever is stored is retained: what counted pointers of other languages do, for
    /// comparison.
    #[arg(long, alias = "counting", value_name = "WAY", value_parser = rc_insertions(), default_value = RcInsertion::Precise.word(), hide_default_value = true)]
    pub rc_insertion: RcInsertion,
    /// Where new cells are written over dead ones, on the reference-counted heap [default: samlang: all; others: fip]
    ///
    /// `fip`: in functions that ask for it. `all`: in every function. `none`: nowhere, dead cells are freed.
    #[arg(long, value_name = "WHERE", value_parser = reuses())]
    pub reuse: Option<Reuse>,
    /// What the word `fip` of GOOPEA means [default: request]
    ///
    /// `request`: cells are reused where that is possible. `checked`: a new cell in a function marked fip is an error.
    #[arg(long, value_name = "MEANING", value_enum, default_value_t, hide_default_value = true)]
    pub fip: Fip,
    /// On the reference-counted heap, the program says at its end how many cells it allocated, reused and freed
    ///
    /// And how many references it counted, and how many cells there were at one time. It writes to stderr, and is
    /// slower.
    #[arg(long)]
    pub count_cells: bool,
}

/// What `fip` means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Fip {
    #[default]
    Request,
    Checked,
}

fn heaps() -> impl TypedValueParser<Value = Heap> {
    let words = PossibleValuesParser::new(HEAPS.map(|heap| PossibleValue::new(heap.word()).alias(heap.former_word())));
    words.try_map(|word| word.parse::<Heap>().map_err(|_| Error::new(clap::error::ErrorKind::InvalidValue)))
}

fn rc_insertions() -> impl TypedValueParser<Value = RcInsertion> {
    let words = PossibleValuesParser::new(RcInsertion::ALL.map(RcInsertion::word));
    words.try_map(|word| RcInsertion::from_word(&word).ok_or_else(|| Error::new(clap::error::ErrorKind::InvalidValue)))
}

fn reuses() -> impl TypedValueParser<Value = Reuse> {
    let words = PossibleValuesParser::new(Reuse::ALL.map(Reuse::word));
    words.try_map(|word| Reuse::from_word(&word).ok_or_else(|| Error::new(clap::error::ErrorKind::InvalidValue)))
}
