//! Types, their parameters and arguments.

use super::{Parsed, Parser, Skip, basic, typed};
use crate::collect_items::LARGEST_TUPLE;
use crate::dialect::OldForm;
use crate::lex::{BYTE_ORDER_MARK, Name, Token, TokenKind};
use crate::syntax::{MAX_PARTS, TypeParam, TypeSyntax, TypeSyntaxKind, join};
use cleave_diag::{Diagnostic, Span, code};
use std::borrow::Cow;

const TYPES: &str = "the types with small letters are `int`, `bool` and `unit`; `Str` and classes have a capital one";

/// The type that is meant by one of other languages.
fn foreign_type(text: &str) -> Option<&'static str> {
    Some(match text {
        "float" | "double" | "f32" | "f64" => "there are no fractions: the type of numbers is `int`",
        "str" | "char" => "the type is `Str`",
        "list" | "array" => "the type is `List<int>` of `std.list`, or `Vec<int>`",
        _ => return None,
    })
}

/// The same where it is certain which one is meant.
pub(super) fn same_type(text: &str) -> Option<(TypeSyntaxKind, &'static str)> {
    Some(match text {
        "number" | "integer" | "long" | "short" | "byte" | "i32" | "i64" | "usize" => (TypeSyntaxKind::Int, "int"),
        "boolean" => (TypeSyntaxKind::Bool, "bool"),
        "void" => (TypeSyntaxKind::Unit, "unit"),
        _ => return None,
    })
}

impl Parser<'_> {
    /// `<T, R: Interface>`, or nothing.
    pub(super) fn type_params(&mut self) -> Parsed<Vec<TypeParam>> {
        if !self.accept(TokenKind::Less) {
            return Ok(Vec::new());
        }
        self.some_types("type parameter", |parser| {
            let name = parser.upper("the name of a type parameter")?;
            let bound = if parser.accept(TokenKind::Colon) { Some(parser.type_syntax()?) } else { None };
            Ok(TypeParam { name, bound })
        })
    }

    /// What stands between the `<` that was read and its `>`: at least one thing.
    fn some_types<T>(&mut self, what: &str, one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let open = self.last();
        if self.word() == TokenKind::Greater {
            let message = format!("there is no {what} between `<` and `>`");
            let help = format!("write at least one {what}, or leave out `<>`");
            return Err(self.error(join(open, self.span()), &message, &help));
        }
        self.list(TokenKind::Greater, &format!("behind a {what}"), one)
    }

    pub(super) fn type_syntax(&mut self) -> Parsed<TypeSyntax> {
        self.nested(Self::type_inside)
    }

    fn type_inside(&mut self) -> Parsed<TypeSyntax> {
        let start = self.span();
        if let Some(kind) = basic(self.word()) {
            if matches!(kind, TypeSyntaxKind::Text) {
                self.old(OldForm::StringType, start);
            }
            return Ok(typed(kind, self.advance()));
        }
        let kind = match self.word() {
            TokenKind::Upper(name) => {
                self.advance();
                let args = match self.accept(TokenKind::Less) {
                    true => self.some_types("type argument", Self::type_syntax)?,
                    false => Vec::new(),
                };
                TypeSyntaxKind::Named(name, args)
            }
            TokenKind::OpenBracket => {
                self.old(OldForm::Brackets, start);
                self.advance();
                let first = self.at - 1;
                let mut parts = vec![self.type_syntax()?];
                // As in TypeScript.
                while self.word() == TokenKind::Comma {
                    self.advance();
                    parts.push(self.type_syntax()?);
                }
                if parts.len() > 1 && self.accept(TokenKind::CloseBracket) {
                    self.tuple_of_others(first, &parts);
                    return Ok(typed(TypeSyntaxKind::Tuple(parts), join(start, self.last())));
                }
                while self.accept(TokenKind::Times) {
                    parts.push(self.type_syntax()?);
                }
                if self.word() != TokenKind::CloseBracket {
                    let help = "between the types of a tuple stands `*`: `[int * string]`";
                    return Err(self.unexpected("`*` or `]` behind a type", Some(help)));
                }
                self.advance();
                if parts.len() > MAX_PARTS {
                    let span = join(start, self.last());
                    return Err(self.error(span, "too many parts of a tuple", "make an object of them"));
                }
                if parts.len() == 1 {
                    let span = join(start, self.last());
                    return Err(self.error(
                        span,
                        "a tuple of one value",
                        "write the type without brackets; a list is `List<int>`",
                    ));
                }
                TypeSyntaxKind::Tuple(parts)
            }
            TokenKind::Open => {
                let first = self.at;
                self.advance();
                let mut parts = self.list(TokenKind::Close, "behind a type", Self::type_syntax)?;
                let begins_type =
                    !self.begins_line() && (basic(self.word()).is_some() || matches!(self.word(), TokenKind::Upper(_)));
                if self.accept(TokenKind::Arrow) {
                    TypeSyntaxKind::Function(parts, Box::new(self.type_syntax()?))
                } else if begins_type {
                    return Err(self.unexpected("`->` behind the parameters of a function type", None));
                } else if parts.len() == 1 {
                    self.old(OldForm::ParenthesizedType, start);
                    return Ok(parts.remove(0));
                } else if parts.is_empty() {
                    self.no_type_here(join(start, self.last()), "unit");
                    TypeSyntaxKind::Unit
                } else {
                    self.tuple_of_others(first, &parts);
                    TypeSyntaxKind::Tuple(parts)
                }
            }
            TokenKind::Lower(_) if self.ahead(1) == TokenKind::Colon => {
                let help = "the parameters of a function type have no names: `(A) -> B`";
                return Err(self.unexpected("a type", Some(help)));
            }
            TokenKind::Lower(name) if let Some((kind, ty)) = same_type(self.names.text(name)) => {
                self.no_type_here(start, ty);
                self.advance();
                kind
            }
            // Where it should be declared it has its message.
            TokenKind::Lower(name) if self.unread.contains(&name) => return Err(Skip),
            TokenKind::Lower(name) => {
                let help = foreign_type(self.names.text(name)).unwrap_or(TYPES);
                return Err(self.unexpected("a type", Some(help)));
            }
            _ => return Err(self.unexpected("a type", None)),
        };
        Ok(typed(kind, join(start, self.last())))
    }

    /// Says that another type is certainly meant by what stands here.
    fn no_type_here(&mut self, place: Span, ty: &str) {
        let text = self.text_at(place).into_owned();
        self.sink.report_in(place.file, || {
            let diagnostic = Diagnostic::error(code::SYNTAX, format!("there is no type `{text}`"));
            let diagnostic = diagnostic.at(place, "").help(format!("the type is `{ty}`"));
            let diagnostic = diagnostic.mistake(format!("type {text}"));
            diagnostic.fix(format!("write `{ty}`"), vec![(place, ty.to_string())])
        });
    }

    /// Says how the type of a tuple is written, whose bracket is the word at this place; the other one has been read.
    fn tuple_of_others(&mut self, first: usize, parts: &[TypeSyntax]) {
        let (open, close) = (self.tokens[first].span, self.last());
        let class = match parts.len() {
            count if count > LARGEST_TUPLE => {
                self.error(open, "too many parts of a tuple", "make a class of them");
                return;
            }
            2 => "Pair".to_string(),
            3 => "Triple".to_string(),
            count => format!("Tuple{count}"),
        };
        let types: Vec<Cow<str>> = parts.iter().map(|part| self.text_at(part.span)).collect();
        let help = format!("write `{class}<{}>`, with `import {{ {class} }} from std.tuples`", types.join(", "));
        let is_name = |token: &Token| matches!(token.kind, TokenKind::Upper(name) if self.names.text(name) == class);
        let is_head = |token: &&Token| !matches!(token.kind, TokenKind::Class | TokenKind::Interface);
        let is_imported = self.tokens.iter().take_while(is_head).any(is_name);
        // Two edits, so that a tuple inside of another one has its own.
        let mut edits = vec![(open, format!("{class}<")), (close, ">".to_string())];
        if !is_imported {
            let begin = if self.bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() as u32 } else { 0 };
            let import = format!("import {{ {class} }} from std.tuples;\n");
            edits.push((Span { start: begin, end: begin, ..open }, import));
        }
        self.sink.report_in(open.file, || {
            let diagnostic =
                Diagnostic::error(code::SYNTAX, "the type of a tuple is a class with the types of its parts");
            let diagnostic = diagnostic.at(join(open, close), "").help(help).mistake("type of a tuple");
            diagnostic.fix("write the class", edits)
        });
    }

    /// Explicit type arguments after a member: `<int, string>`. What is less than something is no such list: after
    /// that no operand begins, except for the arguments of a call.
    pub(super) fn type_arguments(&mut self) -> Parsed<Vec<TypeSyntax>> {
        if self.word() != TokenKind::Less || !self.is_type_list() {
            return Ok(Vec::new());
        }
        self.advance();
        self.some_types("type argument", Self::type_syntax)
    }

    /// Says that type arguments of a class stand at the wrong place, before the dot, and leaves them out.
    pub(super) fn types_before_dot(&mut self, class: Name) {
        let Some(end) = self.end_of_types().filter(|&end| self.ahead(end + 1) == TokenKind::Dot) else { return };
        let span = join(self.span(), self.tokens[self.at + end].span);
        let (class, types) = (self.names.text(class), self.text_at(span));
        let name = match self.ahead(end + 2) {
            TokenKind::Lower(name) | TokenKind::Upper(name) => self.names.text(name),
            _ => "make",
        };
        let help = format!("type arguments stand behind the name of a function: `{class}.{name}{types}(…)`");
        self.error(span, "type arguments do not stand before the dot", &help);
        self.at += end + 1;
    }

    /// Only words of types stand between here and the `>` that belongs to this `<`, and no operand behind it.
    fn is_type_list(&self) -> bool {
        use TokenKind::*;
        let Some(end) = self.end_of_types() else { return false };
        let begins_operand = matches!(
            self.ahead(end + 1),
            Upper(_)
                | Lower(_)
                | Int(_)
                | Text(_)
                | True
                | False
                | This
                | If
                | Match
                | OpenBrace
                | OpenBracket
                | Minus
                | Not
        );
        end > 1 && !begins_operand
    }

    /// How many words ahead the `>` stands that belongs to the `<` at hand, if only words of types are between them.
    fn end_of_types(&self) -> Option<usize> {
        if self.word() != TokenKind::Less {
            return None;
        }
        let (mut open, mut at) = (0u32, 0);
        loop {
            match self.ahead(at) {
                TokenKind::Less => open += 1,
                TokenKind::Greater if open == 1 => break,
                TokenKind::Greater => open -= 1,
                TokenKind::Upper(_)
                | TokenKind::UnitType
                | TokenKind::BoolType
                | TokenKind::IntType
                | TokenKind::TextType => {}
                TokenKind::Comma | TokenKind::Open | TokenKind::Close | TokenKind::Arrow => {}
                TokenKind::OpenBracket | TokenKind::CloseBracket | TokenKind::Times => {}
                _ => return None,
            }
            at += 1;
        }
        Some(at)
    }
}
