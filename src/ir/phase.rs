//! The phases of the IR, which say what functions may contain.

/// Phase of a function: which opcodes it may contain (see the phases in `lib.rs`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, PartialOrd, Ord)]
pub enum Phase {
    /// As front ends make it: references may live anywhere.
    #[default]
    High,
    /// References that survive a safepoint are where the collector finds them.
    Rooted,
    /// Loads, stores and addresses: as back ends take it.
    Low,
}

impl Phase {
    /// The word for messages.
    pub const fn word(self) -> &'static str {
        match self {
            Phase::High => "high",
            Phase::Rooted => "rooted",
            Phase::Low => "low",
        }
    }
}
