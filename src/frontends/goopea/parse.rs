//! Words to the syntax tree: definitions, types, patterns. Expressions are in `expressions`.
//!
//! After an error the rest of the definition is skipped: a semicolon ends it, and no definition holds `enum` or `fip`.

use crate::lex::{Names, Token, Word};
use crate::syntax::{Binder, Constructor, Enum, Function, List, Pattern, Tree, TypeName, append, join};
use cleave_diag::{Diagnostic, Sink, Span, code};

/// The definition at hand cannot be read, which has been said.
pub struct Skip;

pub type Parsed<T> = Result<T, Skip>;

pub struct Parser<'p> {
    tokens: &'p [Token],
    at: usize,
    pub names: &'p Names,
    sink: &'p mut Sink,
    pub tree: Tree,
}

/// Reads a program. The last of the words is `End`.
pub fn parse(tokens: &[Token], names: &Names, sink: &mut Sink) -> Tree {
    let mut parser = Parser { tokens, at: 0, names, sink, tree: Tree::default() };
    while parser.word() != Word::End {
        if parser.definition().is_err() {
            parser.skip();
        }
    }
    parser.tree
}

impl Parser<'_> {
    pub fn word(&self) -> Word {
        self.tokens[self.at].word
    }

    pub fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The word behind the next.
    pub fn second(&self) -> Word {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)].word
    }

    /// The place of the word that was read last.
    pub fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    pub fn advance(&mut self) -> Span {
        let span = self.span();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        span
    }

    pub fn accept(&mut self, word: Word) -> bool {
        let is_it = self.word() == word;
        if is_it {
            self.advance();
        }
        is_it
    }

    pub fn expect(&mut self, word: Word, context: &str) -> Parsed<Span> {
        if self.word() == word {
            return Ok(self.advance());
        }
        let wanted = word.describe(self.names);
        let place = if context.is_empty() { String::new() } else { format!(" {context}") };
        Err(self.unexpected(&format!("{wanted}{place}"), None))
    }

    /// Says that something else should be here.
    pub fn unexpected(&mut self, wanted: &str, help: Option<&str>) -> Skip {
        let (word, span) = (self.word(), self.span());
        let help = help.or(match (word, self.second()) {
            (Word::Equals, Word::Greater) => Some("the operator is `>=`"),
            (Word::Equals, _) => Some("the operator for equality is `==`"),
            _ => None,
        });
        // What cannot be read has its message.
        if word != Word::Bad {
            let message = format!("expected {wanted}, found {}", word.describe(self.names));
            self.sink.report_in(span.file, || {
                let diagnostic = Diagnostic::error(code::SYNTAX, message).at(span, "");
                help.into_iter().fold(diagnostic, Diagnostic::help)
            });
        }
        Skip
    }

    fn skip(&mut self) {
        // The definition itself may begin with one of the words that end it.
        let mut is_first = self.at == 0 || self.tokens[self.at - 1].word == Word::Semicolon;
        loop {
            match self.word() {
                Word::End => return,
                Word::Semicolon => {
                    self.advance();
                    return;
                }
                Word::Enum | Word::Fip if !is_first => return,
                _ => _ = self.advance(),
            }
            is_first = false;
        }
    }

    fn definition(&mut self) -> Parsed<()> {
        if self.accept(Word::Enum) {
            return self.enumeration();
        }
        let fip = self.accept(Word::Fip);
        if !matches!(self.word(), Word::Upper(_) | Word::Open) {
            let help = match self.word() {
                Word::Lower(_) => Some("the types of a function stand before it: `(Int, Int): Int` and then its name"),
                _ => None,
            };
            let wanted = if fip { "the types of a function" } else { "a definition: `enum`, or a function" };
            return Err(self.unexpected(wanted, help));
        }
        let param_types = self.types()?;
        self.expect(Word::Colon, "between the types of parameters and results")?;
        let result_types = self.types()?;
        let Word::Lower(name) = self.word() else {
            return Err(self.unexpected("the name of the function", None));
        };
        let span = self.advance();
        let params = match self.word() {
            Word::Lower(name) => {
                vec![Some((name, self.advance()))]
            }
            Word::Open => self.parameters()?,
            _ => Vec::new(),
        };
        self.expect(Word::Equals, "before the body of the function")?;
        let body = self.expression()?;
        self.expect(Word::Semicolon, "at the end of the definition")?;
        self.tree.functions.push(Function { name, span, fip, param_types, result_types, params, body });
        Ok(())
    }

    fn enumeration(&mut self) -> Parsed<()> {
        let Word::Upper(name) = self.word() else {
            let help = "names of types and constructors begin with a capital letter";
            return Err(self.unexpected("the name of a type", Some(help)));
        };
        let span = self.advance();
        self.expect(Word::Equals, "before the constructors")?;
        let mut constructors = Vec::new();
        loop {
            let Word::Upper(name) = self.word() else {
                let help = "names of types and constructors begin with a capital letter";
                return Err(self.unexpected("a constructor", Some(help)));
            };
            let span = self.advance();
            let fields = match self.word() {
                Word::Upper(_) | Word::Open => self.types()?,
                _ => Vec::new(),
            };
            constructors.push(Constructor { name, span, fields });
            if !self.accept(Word::Comma) {
                break;
            }
        }
        self.expect(Word::Semicolon, "at the end of the definition")?;
        self.tree.enums.push(Enum { name, span, constructors });
        Ok(())
    }

    /// `Int`, or a list in parentheses.
    fn types(&mut self) -> Parsed<Vec<TypeName>> {
        if let Word::Upper(name) = self.word() {
            return Ok(vec![TypeName { name, span: self.advance() }]);
        }
        self.in_parentheses("a type", |parser| match parser.word() {
            Word::Upper(name) => Some(TypeName { name, span: parser.advance() }),
            _ => None,
        })
    }

    fn parameters(&mut self) -> Parsed<Vec<Binder>> {
        self.in_parentheses("a parameter", |parser| match parser.word() {
            Word::Lower(name) => Some(Some((name, parser.advance()))),
            _ => None,
        })
    }

    /// Variables and `_`: one, or a list in parentheses.
    pub fn binders(&mut self) -> Parsed<List> {
        let binder = |parser: &mut Self| {
            let word = parser.word();
            if !matches!(word, Word::Lower(_) | Word::Wildcard) {
                return None;
            }
            let span = parser.advance();
            Some(if let Word::Lower(name) = word { Some((name, span)) } else { None })
        };
        let binders = match binder(self) {
            Some(one) => vec![one],
            None => self.in_parentheses("a variable or `_`", binder)?,
        };
        Ok(append(&mut self.tree.binders, &binders))
    }

    /// Items with commas between them, and perhaps one behind the last.
    fn in_parentheses<T>(&mut self, wanted: &str, item: impl Fn(&mut Self) -> Option<T>) -> Parsed<Vec<T>> {
        if !self.accept(Word::Open) {
            return Err(self.unexpected(wanted, None));
        }
        let mut items = Vec::new();
        while !self.accept(Word::Close) {
            let Some(found) = item(self) else { return Err(self.unexpected(wanted, None)) };
            items.push(found);
            if !self.accept(Word::Comma) {
                self.expect(Word::Close, "at the end of the list")?;
                break;
            }
        }
        Ok(items)
    }

    /// The pattern of a case and the colon.
    pub fn pattern(&mut self) -> Parsed<(Pattern, Span)> {
        let start = self.span();
        let pattern = match self.word() {
            Word::Int(number) => {
                self.advance();
                Pattern::Int(number)
            }
            Word::Lower(name) => {
                self.advance();
                Pattern::Variable(name)
            }
            Word::Upper(name) => {
                self.advance();
                let binders = match self.word() {
                    Word::Lower(_) | Word::Wildcard | Word::Open => self.binders()?,
                    _ => List::default(),
                };
                Pattern::Constructor(name, binders)
            }
            word => {
                let help = match word {
                    Word::Wildcard => Some("a variable is the pattern for all other cases: `other: …`"),
                    Word::Minus => Some("patterns are not negative: compare with `==`, or take a variable"),
                    Word::CloseBrace => Some("no comma stands behind the last case"),
                    _ => None,
                };
                return Err(self.unexpected("a pattern", help));
            }
        };
        let span = join(start, self.last());
        self.expect(Word::Colon, "behind the pattern")?;
        Ok((pattern, span))
    }
}
