//! Names of the root strategies: how references are kept for the collector.
//!
//! A program has one (`--roots`), and a function may ask for another in IR text (`roots=late`). The strategies are
//! implemented in the roots pass, `lower` (linked frames) and, for frames of the machine, in back ends; here is only
//! what they are called.

/// A root strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum RootStrategy {
    /// Everything that is live is spilled before and restored after each safepoint.
    EachCall,
    /// Spilled before the first safepoint, remembered as intact, restored at the first use.
    Lazy,
    /// Placement by cost after all optimisations.
    #[default]
    Late,
    /// Frames that are linked with each other and described by tables.
    Chain,
    /// References stay in registers and frames of the machine; the collector walks those.
    Stackmap,
}

impl RootStrategy {
    /// All of them, simple ones first.
    pub const ALL: [RootStrategy; 5] =
        [RootStrategy::EachCall, RootStrategy::Lazy, RootStrategy::Late, RootStrategy::Chain, RootStrategy::Stackmap];

    /// The word in IR text.
    pub const fn word(self) -> &'static str {
        match self {
            RootStrategy::EachCall => "each_call",
            RootStrategy::Lazy => "lazy",
            RootStrategy::Late => "late",
            RootStrategy::Chain => "chain",
            RootStrategy::Stackmap => "stackmap",
        }
    }
    /// The strategy of a word.
    pub fn from_word(word: &str) -> Option<RootStrategy> {
        RootStrategy::ALL.into_iter().find(|strategy| strategy.word() == word)
    }
}
