//! What all sections of the study share, and which sections there are.

use crate::baseline::Column;
use crate::input::{Program, Scratch};
use crate::machine::Machine;
use crate::study::build::Builds;
use crate::study::offer::Offer;
use crate::study::pilot::Pilot;
use clap::ValueEnum;
use std::path::PathBuf;

/// Parts of the study, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Section {
    /// Root strategies × engines
    Strategies,
    /// Each pass, and each step of the strategy `late`, left out
    Passes,
    /// Sizes of the nursery, and both collectors
    Nursery,
    /// Conventions of calls, in WebAssembly written by hand
    Conventions,
    /// The variants of the thesis
    Thesis,
    /// Code size, compile time, spills and restores
    Size,
}

impl Section {
    pub const ALL: [Section; 6] =
        [Section::Strategies, Section::Passes, Section::Nursery, Section::Conventions, Section::Thesis, Section::Size];

    pub fn name(self) -> &'static str {
        match self {
            Section::Strategies => "strategies",
            Section::Passes => "passes",
            Section::Nursery => "nursery",
            Section::Conventions => "conventions",
            Section::Thesis => "thesis",
            Section::Size => "size",
        }
    }

    /// Shares of the time.
    pub fn weight(self) -> f64 {
        match self {
            Section::Strategies => 9.0,
            Section::Passes => 16.0,
            Section::Nursery => 11.0,
            Section::Conventions => 3.0,
            Section::Thesis => 5.0,
            Section::Size => 4.0,
        }
    }
}

impl std::fmt::Display for Section {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.write_str(self.name())
    }
}

/// What all sections share.
pub struct Study {
    pub machine: Machine,
    pub offer: Offer,
    pub programs: Vec<Program>,
    /// Engines of ours; the first is the embedded one.
    pub columns: Vec<Column>,
    pub clean: Option<Column>,
    pub scratch: Scratch,
    pub builds: Builds,
    pub pilot: Pilot,
    pub out: PathBuf,
    /// Combinations that failed, for the end.
    pub failures: Vec<String>,
}
