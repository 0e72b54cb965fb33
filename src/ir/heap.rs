//! The kinds of heap, that is, the ways to manage memory: garbage collection (`gc`) and reference counting (`rc`). What
//! objects look like is said by `memory`, what must hold of functions by `verify`, what passes do by
//! `src/passes/memory`: each has a row for every heap, and a third heap is an error of the compiler wherever a row is
//! missing.

/// How the objects of a program live and die (`Module::heap`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Heap {
    /// A copying collector finds what is alive: references are spilled around safepoints.
    #[default]
    Gc,
    /// Every object counts the references to it and is freed with the last one. For strict programs: a cycle of
    /// references would never be freed.
    Rc,
}

/// All of them in the order of their numbers, the usual one first.
pub const HEAPS: [Heap; 2] = [Heap::Gc, Heap::Rc];

/// A row for each heap.
pub type PerHeap<T> = [T; HEAPS.len()];

impl Heap {
    /// The word of the text form and of the command line.
    pub const fn word(self) -> &'static str {
        const WORDS: PerHeap<&str> = ["gc", "rc"];
        WORDS[self as usize]
    }
    /// The word that it had in earlier versions.
    pub const fn former_word(self) -> &'static str {
        const WORDS: PerHeap<&str> = ["traced", "counted"];
        WORDS[self as usize]
    }
    /// True if a collector finds and moves objects: references are spilled around whatever may collect.
    pub const fn collects(self) -> bool {
        const MAY_GC: PerHeap<bool> = [true, false];
        MAY_GC[self as usize]
    }
    /// True if objects count the references to them.
    pub const fn counts(self) -> bool {
        const COUNTS: PerHeap<bool> = [false, true];
        COUNTS[self as usize]
    }
}

/// The heap of that word, which may be the former one.
impl std::str::FromStr for Heap {
    type Err = UnknownHeap;
    fn from_str(word: &str) -> Result<Heap, UnknownHeap> {
        HEAPS.into_iter().find(|heap| heap.word() == word || heap.former_word() == word).ok_or(UnknownHeap)
    }
}

/// A word that names no heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownHeap;
