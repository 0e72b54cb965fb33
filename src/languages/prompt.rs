//! What a language says to the interactive command, `cleave repl`: which texts are definitions, and how definitions
//! and expressions become programs.

use cleave_strict::ide::{Symbol, SymbolKind};

/// What was defined so far: texts, with their names where they have one.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// Lines that make other modules known.
    pub imports: Vec<String>,
    /// Classes, types, and functions outside of classes.
    pub items: Vec<(String, String)>,
    /// Functions that stand in no class, of a language whose functions stand in classes.
    pub functions: Vec<(String, String)>,
    /// What names values, before each expression.
    pub lets: Vec<(String, String)>,
}

/// What a text is that defines something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Import,
    Item,
    Function,
    Let,
}

/// What the main function of a program does.
#[derive(Clone, Copy, Debug)]
pub enum Main<'t> {
    /// Nothing of its own.
    Nothing,
    /// It gives an expression a name.
    Named { name: &'t str, text: &'t str },
    /// It prints the value of an expression of this type.
    Printed { text: &'t str, ty: &'t str },
    /// It computes an expression of this type.
    Computed { text: &'t str, ty: &'t str },
}

/// The prompt of a language.
pub trait Prompt: Sync {
    /// A program with these definitions.
    fn program(&self, known: &Definitions, main: Main<'_>) -> String;

    /// What a text defines, with the name; nothing if it is an expression.
    fn definition(&self, text: &str) -> Option<(Kind, String)>;

    /// A text whose brackets are closed needs nothing behind it.
    fn is_whole(&self, _text: &str) -> bool {
        true
    }

    /// An expression has a type only where another one is wanted: the message of the error says it.
    fn tells_type_by_error(&self) -> bool {
        false
    }

    /// To compute the value of a variable may print something.
    fn lets_print(&self) -> bool {
        true
    }

    /// A value of this type is printed with its type.
    fn shows_type(&self, _ty: &str) -> bool {
        true
    }

    /// The definitions of a file without errors, but for its main function.
    fn definitions(&self, text: &str, symbols: &[Symbol]) -> Definitions;
}

/// The texts, each with the end of its line.
pub fn joined(parts: &[(String, String)]) -> String {
    parts.iter().map(|part| part.1.clone() + "\n").collect()
}

/// The first name in a text, which may have parts of other kinds of letters behind it.
pub fn first_name(text: &str) -> String {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let text = text.trim_start_matches(|letter: char| !is_letter(letter));
    text.chars().take_while(|&letter| is_letter(letter)).collect()
}

/// The symbol is a type, not a function.
pub fn is_type(symbol: &Symbol) -> bool {
    symbol.sort == SymbolKind::Class
}
