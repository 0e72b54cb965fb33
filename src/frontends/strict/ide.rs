//! Queries of editors about a program: what stands at a position of a file, what the file defines, and completions.
//! Front ends note it while they check a program; who compiles asks for nothing of it.
//!
//! A program that is being written is full of errors. So names are noted as they are resolved, and what cannot be read
//! only has no names.

use cleave_diag::{FileId, Span};
use std::cell::LazyCell;
use std::fmt;
use std::ops::RangeInclusive;
use std::rc::Rc;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymbolKind {
    /// A name space, an object class, or a type of several constructors.
    Class,
    /// What classes promise to have.
    Interface,
    /// A function that belongs to no object.
    Function,
    /// A function that is called on an object.
    Method,
    /// A part of an object.
    Field,
    /// A tag of a class, or a constructor of a type.
    Constructor,
    /// A parameter, or what `let`, `val` or a pattern binds.
    Variable,
    /// A file that others import.
    Module,
    /// Stands for a type.
    TypeParameter,
    /// A word of the language.
    Keyword,
}

/// A name with its type, as programs of the language write it: what is displayed are its parts, one after the other.
/// Names and types occur at many places, which share them.
#[derive(Clone, Debug)]
pub struct Description {
    /// A word before the name.
    pub word: &'static str,
    /// The name, or nothing where `rest` has it. Variables and fields have it here.
    pub name: Option<Rc<str>>,
    /// What stands behind it: of variables and fields a colon and the type.
    pub rest: Rc<str>,
}

impl Description {
    /// The type of the variable or field with this name.
    pub fn type_of(&self, name: &str) -> Option<&str> {
        self.rest.strip_prefix(": ").filter(|_| self.name.as_deref() == Some(name))
    }
}

impl From<String> for Description {
    fn from(text: String) -> Description {
        Description { word: "", name: None, rest: text.into() }
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        [self.word, self.name.as_deref().unwrap_or_default(), &self.rest]
            .into_iter()
            .try_for_each(|part| f.write_str(part))
    }
}

/// A name at its place.
#[derive(Clone, Debug)]
pub struct Occurrence {
    /// Its place.
    pub span: Span,
    /// What it stands for.
    pub sort: SymbolKind,
    /// With its type.
    pub text: Description,
    /// Where the name is defined, unless it is built in.
    pub definition: Option<Span>,
    /// Where the type of what it stands for is defined: of a function, that of its result.
    pub ty: Option<Span>,
}

/// What a class has of an interface: the class itself, or a method.
#[derive(Clone, Copy, Debug)]
pub struct Implementation {
    /// The name of what implements, where it is defined.
    pub by: Span,
    /// The name of what is implemented, where it is defined.
    pub of: Span,
}

/// Something that a file defines.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// As the program writes it.
    pub name: String,
    /// What it is.
    pub sort: SymbolKind,
    /// With its type, as programs of the language write it.
    pub text: String,
    /// Of the name.
    pub span: Span,
    /// Of all that belongs to it.
    pub extent: Span,
    /// What it is a part of, as a number in the list of symbols.
    pub within: Option<usize>,
}

/// A name that may stand where one types.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Candidate {
    /// What may be typed.
    pub name: String,
    /// What it stands for.
    pub sort: SymbolKind,
    /// With its type, as programs of the language write it.
    pub text: String,
    /// The name where it is defined, if somebody has.
    pub definition: Option<Span>,
}

/// What is to be noted.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// Names in this file.
    pub file: FileId,
    /// A name that stands where one types, and what might stand there instead; it means nothing else.
    pub typed: Option<&'static str>,
    /// Only what stands around this byte is asked for: other functions are not looked into, and nothing is said of
    /// them.
    pub near: Option<u32>,
}

impl Query {
    /// Which of some definitions, known by where they begin, may hold the byte: the last one that begins before it, and
    /// the first one behind it, whose head may hold it. All of them if nothing else is asked for.
    pub fn bounds(&self, starts: impl Iterator<Item = Span>) -> RangeInclusive<u32> {
        let Some(near) = self.near else { return 0..=u32::MAX };
        let (mut first, mut last) = (0, u32::MAX);
        for start in starts.filter(|span| span.file == self.file).map(|span| span.start) {
            match start <= near {
                true => first = first.max(start),
                false => last = last.min(start),
            }
        }
        first..=last
    }

    /// True for a definition that is to be looked into.
    pub fn wants(&self, bounds: &RangeInclusive<u32>, definition: Span) -> bool {
        self.near.is_none() || definition.file == self.file && bounds.contains(&definition.start)
    }
}

/// The names that stand where one types: where a name with a small and where one with a capital letter begins.
pub const TYPED: [&str; 2] = ["cleaveTypedHere", "CleaveTypedHere"];

/// The answer, put together when it is first looked at.
pub type LazyPlaces = LazyCell<Places, Box<dyn FnOnce() -> Places>>;

/// The answer.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Names of the file, in no order.
    pub occurrences: Vec<Occurrence>,
    /// What the file defines.
    pub symbols: Vec<Symbol>,
    /// What the file implements; of interfaces what they extend.
    pub implementations: Vec<Implementation>,
    /// What may stand where one types.
    pub candidates: Vec<Candidate>,
    /// What one types was found in the program, so that the candidates are those of its place.
    pub is_exact: bool,
}

impl Places {
    /// The name at a byte of the file, or directly before it.
    pub fn at(&self, offset: u32) -> Option<&Occurrence> {
        let holds = |span: Span| span.start <= offset && offset <= span.end;
        let found = self.occurrences.iter().filter(|occurrence| holds(occurrence.span));
        // Where two names touch, the second; of the same name, what was noted last.
        found.max_by_key(|occurrence| (occurrence.span.start, std::cmp::Reverse(occurrence.span.end)))
    }

    /// Candidates in the order of their names, each once.
    pub fn sort(&mut self) {
        // What stands where one types may have become a definition.
        self.candidates.retain(|candidate| !TYPED.contains(&&candidate.name[..]));
        self.candidates.sort_unstable();
        self.candidates.dedup();
    }
}
