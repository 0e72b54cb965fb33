//! Data types of the debugger: what it shows of a program.

use crate::value::Trap;
use cleave_ir::{Block, FuncId, Inst, Location};

/// Why the program stands still.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The step is done.
    Stepped,
    /// At the breakpoint of this number.
    Breakpoint(usize),
    /// The program has ended (`Debugger::ended`).
    Ended,
    /// There is nothing further back.
    Beginning,
    /// It has run for as long as it may at a time (`Debugger::set_patience`).
    Limit,
}

/// How a program ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Ended {
    /// As of a process: the program's own status, or 128 + signal.
    pub status: i32,
    /// Unless it ended by itself.
    pub trap: Option<Trap>,
}

/// A function that has begun and not ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Activation {
    /// As the source calls it.
    pub function: String,
    /// Where it is: the place of its next instruction, or of the one before that has a place.
    pub at: Location,
    /// The block of its next instruction, or of the call that it waits for.
    pub block: Block,
    /// In that block.
    pub inst: Inst,
}

/// A variable of the source; in a program without names, a value of the IR.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// As the source calls it, or as the text of the IR does.
    pub name: String,
    /// What it stands for now.
    pub value: Shown,
}

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub enum Shown {
    /// A whole number.
    Int(i64),
    /// A real.
    Real(f64),
    /// A truth value.
    Truth(bool),
    /// A character, by its code.
    Character(u8),
    /// A constructor without fields that is a number in the program.
    Nullary(String),
    /// A cell, by its address.
    Object(u32),
    /// The program needs it no more, and the memory may hold something else.
    Gone,
}

/// What a cell is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A constructor or record, or a function with arguments.
    Node,
    /// An expression that is not evaluated yet.
    Thunk,
    /// A thunk that is being evaluated.
    Blackhole,
    /// It stands for another cell.
    Indirection,
    /// A number, character or truth value in a cell.
    Basic,
    /// A string object: its bytes are in `Object::text`.
    String,
    /// An array object.
    Array,
    /// On the reference-counted heap: it was given back.
    Free,
}

impl ObjectKind {
    /// The word that tools show.
    pub const fn word(self) -> &'static str {
        match self {
            ObjectKind::Node => "node",
            ObjectKind::Thunk => "thunk",
            ObjectKind::Blackhole => "blackhole",
            ObjectKind::Indirection => "indirection",
            ObjectKind::Basic => "basic",
            ObjectKind::String => "string",
            ObjectKind::Array => "array",
            ObjectKind::Free => "free",
        }
    }
}

/// A cell of the heap, or of the program's static data.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    /// What references to it hold; another one after a collection.
    pub address: u32,
    /// What it is at present.
    pub kind: ObjectKind,
    /// The constructor; for thunks the label of their code.
    pub name: String,
    /// References to it, on the reference-counted heap; none for static cells.
    pub count: Option<u32>,
    /// It belongs to the program text.
    pub is_static: bool,
    /// Contents of a cell of kind `Basic`, fields of nodes and thunks in the order of the source, or elements.
    pub fields: Vec<Shown>,
    /// Of a string.
    pub text: Option<Vec<u8>>,
    /// Fields that are not listed.
    pub more: u32,
}

/// Where the program holds a cell.
#[derive(Clone, PartialEq, Debug)]
pub struct Root {
    /// The variable.
    pub name: String,
    /// The call that it belongs to; 0 is the innermost one. Constants of the program belong to none.
    pub activation: Option<usize>,
    /// Its address.
    pub object: u32,
}

/// Cells that live.
#[derive(Clone, PartialEq, Debug)]
pub struct Heap {
    /// What the program holds itself.
    pub roots: Vec<Root>,
    /// Those nearest to the roots first; of the program's static cells only those that refer to others.
    pub objects: Vec<Object>,
    /// So many of them, the first ones, can be reached from the roots. To the others no variable leads.
    pub named: usize,
    /// There are more cells than were asked for.
    pub is_cut: bool,
}

/// What one asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Where {
    /// The function of this name.
    Function(String),
    /// A line of a file, by its number in `ModuleSource::files`.
    Line(u16, u32),
}

/// A breakpoint that was set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breakpoint {
    /// As it was asked for.
    pub wanted: Where,
    /// The line that it stands on: the next one that has code.
    pub line: Option<u32>,
    /// Functions and instructions.
    pub(super) addresses: Vec<(FuncId, u32)>,
}

/// How a cell is called.
pub fn name(address: u32) -> String {
    format!("#{address:x}")
}
