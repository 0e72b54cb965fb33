//! The two ways to manage memory. A module asks for one of them; everything above the memory passes, and both back
//! ends, are the same for both.

use cleave_contract::layout::{PROGRAM_FLAG_COUNT_CELLS, PROGRAM_FLAG_COUNTED};

/// How the objects of a program live and die (`Module::heap`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Heap {
    /// A copying collector finds what is alive: references are spilled around safepoints.
    #[default]
    Traced,
    /// Every cell counts the references to it and is freed with the last one. For strict programs: a cycle of
    /// references would never be freed.
    Counted,
}

impl Heap {
    /// In the order of their numbers.
    pub const ALL: [Heap; 2] = [Heap::Traced, Heap::Counted];

    /// The word of the text form and of the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Heap::Traced => "traced",
            Heap::Counted => "counted",
        }
    }
    /// The heap of that word.
    pub fn from_word(word: &str) -> Option<Heap> {
        Heap::ALL.into_iter().find(|heap| heap.word() == word)
    }
    /// What the flags of the program record say about it, in a program that counts its cells or not.
    pub(crate) const fn flags(self, counts_cells: bool) -> u32 {
        match (self, counts_cells) {
            (Heap::Traced, _) => 0,
            (Heap::Counted, false) => PROGRAM_FLAG_COUNTED,
            (Heap::Counted, true) => PROGRAM_FLAG_COUNTED | PROGRAM_FLAG_COUNT_CELLS,
        }
    }
}
