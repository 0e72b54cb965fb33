//! Debug information: source locations, names and types of variables, which tools need and code does not.
//!
//! Front ends write it when they are asked to, and nothing is kept otherwise. It lies in tables beside the instructions
//! and values, which no pass reads to decide anything: the same code is made with and without it. An instruction
//! that a pass makes without saying where it came from has the location that was set last (`Func::set_location`), or
//! none; who shows it takes that of the instruction before.

use crate::entity::{Desc, Inst, Value};
use cleave_diag::{SourceMap, Span};
use cranelift_entity::SecondaryMap;

/// The last column: whoever writes more into a line has a program for it, and counting takes as long as a line is.
const LAST_COLUMN: u32 = 4096;

/// A place in a source file. Lines and columns count from 1; line 0 is no place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Location {
    /// Number in `ModuleSource::files`.
    pub file: u16,
    /// Characters from 1; a front end may give all places far in a line the last one that it counts to.
    pub column: u16,
    /// From 1.
    pub line: u32,
}

impl Location {
    /// No place.
    pub const NONE: Location = Location { file: 0, column: 0, line: 0 };

    /// A place of a file that has a number; other files have no places.
    pub fn new(file: usize, line: u32, column: u32) -> Location {
        let Ok(file) = u16::try_from(file) else { return Location::NONE };
        Location { file, line, column: column.min(u16::MAX.into()) as u16 }
    }
    /// The start of a span; files have the numbers that they have in the map.
    pub fn of(span: Span, sources: &SourceMap) -> Location {
        let position = sources.file(span.file).position_up_to(span.start, LAST_COLUMN);
        Location::new(span.file.0 as usize, position.line, position.column)
    }
    /// False for `NONE`.
    pub fn is_known(self) -> bool {
        self.line > 0
    }
}

/// What the bits of a value or word stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DebugType {
    /// What its type says.
    #[default]
    Plain,
    /// An integer of 32 bits, the rest of a word says nothing.
    Narrow,
    /// An integer, shifted to the left by so many bits.
    Shifted(u8),
    /// The number of an atom, in the type of this number in `ModuleSource::atoms`.
    Nullary(u32),
    /// 0 is false, anything else true.
    Truth,
    /// The code of a character.
    Character,
}

/// A value that has a name in the source.
#[derive(Clone, Debug)]
pub struct Named {
    /// Where it is in the code, from its definition on.
    pub value: Value,
    /// As the source has it.
    pub name: Box<str>,
    /// How a tool shows it.
    pub meaning: DebugType,
}

/// Of a function.
#[derive(Clone, Debug, Default)]
pub struct FuncSource {
    /// Where it begins.
    pub start: Location,
    /// Where each instruction came from.
    pub insts: SecondaryMap<Inst, Location>,
    /// Of the instructions that are made next.
    pub current: Location,
    /// In the order in which the names are bound.
    pub names: Vec<Named>,
    /// It is of the library of its language: where it is copied into other functions, its code comes from the call.
    pub is_library: bool,
}

/// A field of a constructor: its reference of this number, or its word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldPlace {
    /// The reference of this number.
    Reference(u32),
    /// The word of this number, and what it stands for.
    Word(u32, DebugType),
}

/// Of a module.
#[derive(Clone, Debug, Default)]
pub struct ModuleSource {
    /// The files that locations name.
    pub files: Vec<String>,
    /// Types of atoms, whose values are numbers: the names of their constructors.
    pub nullary_constructors: Vec<Vec<Box<str>>>,
    /// Fields of constructors in the order of the source, where that is not references first.
    pub fields: SecondaryMap<Desc, Vec<FieldPlace>>,
}

impl ModuleSource {
    /// Of a module whose locations are spans of these files.
    pub fn new(sources: &SourceMap) -> ModuleSource {
        let files = sources.files().map(|(_, file)| file.name.clone()).collect();
        ModuleSource { files, ..ModuleSource::default() }
    }
}

impl FuncSource {
    /// Of a function that begins here; nothing is known of its instructions yet.
    pub fn new(start: Location) -> FuncSource {
        FuncSource { start, ..FuncSource::default() }
    }
}
