//! The trait of a front end: what the driver asks of a source language.
//!
//! A language is a folder below `languages`, with a row in `languages::ALL`. What stands outside of those folders
//! speaks of this trait. A program comes in two steps, because what C functions mean may depend on the objects that its
//! modules name: `Frontend::load` reads all files, then the driver finds the objects, then `Loaded::translate` makes
//! high IR.

use crate::driver::ffi::{Call, Need, Symbols};
use crate::driver::session::{Outcome, Session};
use crate::languages::prompt::Prompt;
use cleave_diag::{FileId, Sink, SourceMap};
use cleave_ir::LibcallSignature;
use cleave_ir::{Location, Module};
use cleave_strict::ide::{LazyPlaces, Query, Symbol};
use cleave_strict::lexemes::Lexemes;
use rustc_hash::FxHashMap;
use std::path::Path;

/// Gives a file in the form of its language; nothing if it cannot be read, which the sink says.
pub type Formatter = fn(FileId, &SourceMap, &mut Sink) -> Option<String>;

/// A program that one begins with.
pub struct Template {
    /// What `cleave new` calls the language.
    pub word: &'static str,
    /// In a few words, for help.
    pub about: &'static str,
    pub file: &'static str,
    pub text: &'static str,
    /// What the program prints.
    pub expected: &'static str,
}

/// A program that tests something and what it prints if that passes, or why it is no test.
pub type TestProgram = Result<(String, &'static str), String>;

/// The files of a program as an editor has them.
pub struct Workspace<'w> {
    /// What a file holds; who types has not saved it.
    pub read: &'w dyn Fn(&Path) -> std::io::Result<Vec<u8>>,
}

/// A source language.
pub trait Frontend: Sync {
    /// As texts for people call it.
    fn name(&self) -> &'static str;

    /// As editors call it.
    fn editor_name(&self) -> &'static str;

    /// Endings of the files in which a main module may be, without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// There is such a main module: a file, or a name that leads to one.
    fn is_there(&self, session: &Session, main: &Path) -> bool;

    /// Reads the program with this main module. What is wrong with it is in the sink of the session.
    fn load(&self, session: &mut Session, main: &Path) -> Outcome<Box<dyn Loaded>>;

    /// Checks the program with this main module for an editor, and answers a question about it. Nothing if the language
    /// knows no answers.
    fn look(
        &self,
        _workspace: &Workspace<'_>,
        _main: (FileId, &Path),
        _sources: &mut SourceMap,
        _sink: &mut Sink,
        _question: Query,
    ) -> Option<LazyPlaces> {
        None
    }

    /// What the words of a text are by their letters. Nothing if the language does not tell.
    fn lexemes(&self, _text: &[u8]) -> Option<Lexemes> {
        None
    }

    /// The language wants that programs go on, and end well, when nobody takes their output.
    fn ignores_lost_output(&self) -> bool {
        false
    }

    /// Classes of programs may come from the host.
    fn imports_classes(&self) -> bool {
        false
    }

    /// Programs can read the arguments of the command line in other ways than by `argument`.
    fn takes_arguments(&self) -> bool {
        true
    }

    /// Brings files into a form, if the language has one.
    fn formatter(&self) -> Option<Formatter> {
        None
    }

    /// A first program. Nothing if one does not begin a program with this compiler alone.
    fn template(&self) -> Option<Template> {
        None
    }

    /// The program of a file with another main function, which prints what a test gives, and what it prints if the test
    /// passes; or why the function is no test. `name` is that of the function, with its class.
    fn test_program(&self, _file: &str, _symbols: &[Symbol], test: &Symbol, _name: &str) -> TestProgram {
        Err(format!("the language has no tests, but this is `{}`", test.text))
    }

    /// How definitions and expressions become programs. Nothing if the language has no prompt.
    fn prompt(&self) -> Option<&'static dyn Prompt> {
        None
    }

    /// The path that a line of a program names, if it names another file: without its ending, or with it.
    fn named_by<'l>(&self, _line: &'l str) -> Option<&'l str> {
        None
    }

    /// Names and texts of the modules that come with the language.
    fn library(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The types of a function may stand on a line of their own between it and its comment.
    fn has_signature_lines(&self) -> bool {
        false
    }

    /// Others can call functions of its programs.
    fn has_exports(&self) -> bool {
        false
    }

    /// Functions of its programs can come from JavaScript.
    fn has_imports(&self) -> bool {
        false
    }

    /// Functions of the runtime that its programs call, besides those that any language may.
    fn runtime(&self) -> &'static [&'static LibcallSignature] {
        &[]
    }

    /// Writes files of an older form of the language in that of today, if there is one.
    fn upgrader(&self) -> Option<Formatter> {
        self.formatter()
    }
}

/// A program whose files have been read.
pub trait Loaded {
    /// How many modules it has, for statistics.
    fn module_count(&self) -> usize;

    /// Objects and libraries of C functions that its modules name.
    fn needs(&self, session: &Session) -> Vec<Need>;

    /// The typed tree as text, if the language has one; with the files that it came from, comments say where.
    fn core(&self, _sources: Option<&SourceMap>) -> Option<String> {
        None
    }

    /// Makes high IR of it; `c_functions` are those that are called by their symbols.
    fn translate(self: Box<Self>, session: &mut Session, c_functions: Symbols<'_>) -> Outcome<Translated>;
}

/// A program as IR.
pub struct Translated {
    pub module: Module,
    /// The C functions that it calls, sorted, each call of a module once.
    pub calls: Vec<Call>,
    /// How traces call its functions, if the session wants traces.
    pub names: Option<Box<dyn Names>>,
}

/// The names that traces show.
pub trait Names {
    /// For a function of the emitted program; nothing for functions that traces leave out.
    fn find(&self, function: &str) -> Option<String>;

    /// For the code of a line, whatever function it is in by now: the function of the source that has the line.
    fn at(&self, _place: Location) -> Option<String> {
        None
    }
}

/// What is known of a function, or of the one that it is a part of: passes add to the name of a function what they make
/// of its parts, after one of these signs.
pub fn of_part<'n>(names: &'n FxHashMap<String, String>, function: &str) -> Option<&'n String> {
    let mut label = function;
    loop {
        if let Some(found) = names.get(label) {
            return Some(found);
        }
        label = &label[..label.rfind(['.', '+', '/'])?];
    }
}
