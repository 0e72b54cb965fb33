//! What can be looked at of a module with errors: if they are all inside of functions, the others can be verified, so
//! that one misspelt name does not hide what is wrong elsewhere.

use super::cursor::Parser;
use super::error::ParseError;
use super::lines::LineMap;
use crate::builder::Builder;
use crate::func::Func;
use crate::module::Module;
use std::collections::BTreeSet;

/// A module of which some functions cannot be read.
pub struct Partly {
    /// In their place stand functions with the same signatures that do nothing.
    pub module: Module,
    /// Where all this is in the text.
    pub lines: LineMap,
    /// The names of the functions that cannot be read.
    pub unread: BTreeSet<String>,
    /// The names of functions whose signatures are not known.
    pub headless: BTreeSet<String>,
}

/// All that is wrong with a text, by lines; and what can be looked at further, if anything.
pub struct Refused {
    /// At least one.
    pub errors: Vec<ParseError>,
    /// Nothing if the names and signatures of the module are not sure.
    pub partly: Option<Box<Partly>>,
}

impl Parser<'_> {
    /// A function that was read, or one in its place if there was a mistake since so many.
    pub(super) fn readable(&mut self, func: Func, before: usize) -> Func {
        if self.mistakes == before {
            return func;
        }
        self.mistakes_inside += self.mistakes - before;
        self.unread.insert(func.name.clone());
        let mut stub = Func { phase: func.phase, ..Func::new(func.name, func.signature) };
        let block = stub.new_block();
        for ty in stub.signature.params.clone() {
            stub.add_param(block, ty);
        }
        Builder::new(&mut stub, block).unreachable();
        stub
    }

    /// The end of a text with errors.
    pub(super) fn refused(mut self, module: Module) -> Refused {
        self.errors.sort_by_key(|error| (error.line, error.column));
        let is_sure = self.mistakes == self.mistakes_inside;
        // Where the message of the function itself is not among them, because its line has another one, all stay.
        if self.errors.iter().any(|error| error.is_unclosed) {
            self.errors.retain(|error| error.is_unclosed || !self.unclosed.contains(&error.line));
        }
        let (lines, unread, headless) = (self.lines, self.unread, self.headless);
        let partly = is_sure.then(|| Box::new(Partly { module, lines, unread, headless }));
        Refused { errors: self.errors, partly }
    }
}
