//! Which language a module is written in: that of 2021, or today's. Both have one grammar here; the forms that only one
//! of them has say which it is. A module with forms of both is today's, and those of 2021 are errors in it.

use crate::lex::{Names, Token, TokenKind};
use cleave_diag::{Diagnostic, FileId, Sink, Span, code};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Dialect {
    /// The language of 2021, with what it had here in addition.
    Of2021,
    #[default]
    Today,
}

/// A form that today's language does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OldForm {
    Builtins,
    Then,
    StringType,
    Brackets,
    Val,
    Object,
    BareVariant,
    NoSemicolon,
    NoElse,
    NoComma,
    LeadingBar,
    LiteralPattern,
    QualifiedPattern,
    BarePattern,
    EmptyPattern,
    EmptyVariant,
    FieldColon,
    WildcardParameter,
    MemberSemicolon,
    ThenAsName,
    ParenthesizedType,
    Operand,
}

impl OldForm {
    /// It alone says that a module is of 2021.
    fn is_certain(self) -> bool {
        use OldForm::*;
        matches!(self, Builtins | Then | StringType | Brackets | Val | Object | BareVariant | LeadingBar)
    }

    /// What it is, and how it is written today.
    fn describe(self) -> (&'static str, &'static str) {
        match self {
            OldForm::Builtins => (
                "there is no class `Builtins` today",
                "`Process.println` and `Process.panic`, `Str.fromInt(n)` and `text.toInt()`",
            ),
            OldForm::Then => ("an `if` has no `then`", "its branches stand in braces: `if c { a } else { b }`"),
            OldForm::StringType => ("the type `string` is called `Str`", "write `Str`"),
            OldForm::Brackets => (
                "tuples have no brackets",
                "the tuple is `(a, b)`, its type is `Pair<A, B>` of `std.tuples`; a list is made by `List.of(b).cons(a)`",
            ),
            OldForm::Val => ("variables are made by `let`", "write `let name = value;`"),
            OldForm::Object => ("objects are not written with braces", "the class makes them: `Class.init(1, 2)`"),
            OldForm::BareVariant => ("a variant stands behind its class", "write `Class.Variant(…)`"),
            OldForm::NoSemicolon => ("`;` is missing behind the statement", "only the value of a block has none"),
            OldForm::NoElse => ("this `if` has no `else`", "add `else { }`, or the other value"),
            OldForm::NoComma => ("`,` is missing behind the case", "cases have commas between them"),
            OldForm::LeadingBar => ("no `|` stands before the first pattern of a case", "leave it out"),
            OldForm::LiteralPattern => {
                ("numbers, truth values and strings are no patterns", "compare with `if value == … { }`")
            }
            OldForm::QualifiedPattern => ("a variant stands alone in a pattern", "leave out its class"),
            OldForm::BarePattern => ("what is inside a variant stands in parentheses", "write `Variant(pattern)`"),
            OldForm::EmptyPattern => (
                "there is nothing between the parentheses of this pattern",
                "a variant without fields has none; of one with fields each has a name, or `_`: `Some(_)`",
            ),
            OldForm::EmptyVariant => ("a variant without fields has no parentheses", "leave them out"),
            OldForm::FieldColon => ("a field gets another name by `as`", "write `{ field as name }`"),
            OldForm::WildcardParameter => ("a parameter has a name", "give it one: nobody need use it"),
            OldForm::MemberSemicolon => ("no `;` stands behind a member", "leave it out"),
            OldForm::ThenAsName => ("`then` is a word of the language", "take another name"),
            OldForm::ParenthesizedType => ("a type alone has no parentheses", "leave them out"),
            OldForm::Operand => {
                ("an `if` or a `match` is no operand", "put it in parentheses, or give its value a name")
            }
        }
    }
}

/// What is wrong with a name that stands alone, and what is written instead, if more is known than its form.
pub type Advice<'a> = dyn Fn(&str) -> Option<(String, String)> + 'a;

/// What stands behind a bracket is a list rather than a tuple: it begins with a number or a string, or has many parts.
fn is_list(inside: &[Token]) -> bool {
    let part = inside.iter().take_while(|token| token.kind != TokenKind::CloseBracket);
    let is_literal = matches!(inside.first().map(|it| it.kind), Some(TokenKind::Int(_) | TokenKind::Text(_)));
    let commas = part.filter(|token| token.kind == TokenKind::Comma).count();
    commas > 2 || commas > 0 && is_literal
}

/// The edit that is all that a form needs, if there is one; what the form is begins with the word at this number.
fn exact(form: OldForm, (place, at): (Span, usize), tokens: &[Token], help: &str) -> Option<(String, (Span, String))> {
    let write = |text: &str| Some((format!("write `{text}`"), (place, text.to_string())));
    let leave_out = |place: Span| Some(("leave it out".to_string(), (place, String::new())));
    let kind = |count: usize| tokens.get(at + count).map_or(TokenKind::End, |token| token.kind);
    match form {
        OldForm::NoSemicolon => write(";"),
        OldForm::NoComma => write(","),
        OldForm::StringType => write("Str"),
        OldForm::Val => write("let"),
        OldForm::LeadingBar | OldForm::MemberSemicolon => leave_out(place),
        OldForm::QualifiedPattern => leave_out(Span { end: tokens.get(at + 2)?.span.start, ..place }),
        OldForm::BareVariant => {
            let whole = help.strip_prefix("write `")?.strip_suffix('`')?;
            let variant = whole.split('(').next()?;
            let is_known = !whole.starts_with("Class.") && matches!(kind(0), TokenKind::Upper(_));
            match (kind(1), kind(2)) {
                _ if !is_known => None,
                (TokenKind::Open, _) => write(variant),
                _ if whole.ends_with("()") => write(whole),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The dialect of a module with these forms of 2021; in today's language they are reported. What lacks a semicolon at
/// its end perhaps lacks it earlier, where a statement goes on in another line: `goes_on` has both places.
pub fn decide(
    file: FileId,
    tokens: &[Token],
    forms: &mut Vec<(OldForm, Span)>,
    declared: &dyn Fn(&str) -> bool,
    advice: &Advice,
    goes_on: &[(u32, u32)],
    names: &Names,
    sink: &mut Sink,
) -> Dialect {
    let mut is_today = false;
    let mut has_let = false;
    // Each is looked for once: a module may have very many words and classes.
    let free = |text: &str| names.find(text).filter(|_| !declared(text));
    let [builtins, init] = ["Builtins", "init"].map(free);
    let of_today = ["Str", "Process", "Vec"].map(free);
    for (at, token) in tokens.iter().enumerate() {
        let behind = |count: usize| tokens.get(at + count).map_or(TokenKind::End, |token| token.kind);
        match token.kind {
            TokenKind::Let => has_let = true,
            TokenKind::Upper(name) => {
                if Some(name) == builtins {
                    forms.push((OldForm::Builtins, token.span));
                }
                is_today |= of_today.contains(&Some(name));
                // `Class.Variant()` and `Class.init(…)`.
                is_today |= behind(1) == TokenKind::Dot
                    && match behind(2) {
                        TokenKind::Upper(_) => behind(3) == TokenKind::Open && behind(4) == TokenKind::Close,
                        TokenKind::Lower(name) => Some(name) == init && behind(3) == TokenKind::Open,
                        _ => false,
                    };
            }
            _ => {}
        }
    }
    let is_certain = forms.iter().any(|form| form.0.is_certain());
    if !is_today && (is_certain || !forms.is_empty() && !has_let) {
        return Dialect::Of2021;
    }
    forms.sort_by_key(|form| (form.1.start, form.1.end));
    for &(form, span) in &*forms {
        let (message, help) = form.describe();
        let at = tokens.partition_point(|token| token.span.start < span.start);
        let better = match (form, tokens.get(at).map(|token| token.kind)) {
            (OldForm::BareVariant, Some(TokenKind::Upper(name))) => advice(names.text(name)),
            (OldForm::Brackets, Some(TokenKind::OpenBracket)) if is_list(&tokens[at + 1..]) => {
                let help = "`List.of(3).cons(2).cons(1)` of `std.list` makes a list, `Vec.of(1)` and `push` a `Vec`; \
                            a tuple is `(a, b)`";
                Some(("lists are not written with brackets".to_string(), help.to_string()))
            }
            _ => None,
        };
        let (message, help) = better.unwrap_or((message.to_string(), help.to_string()));
        // What is missing is missing behind the last word.
        let place = match form {
            OldForm::NoSemicolon | OldForm::NoComma => {
                let goes_on = goes_on.iter().find(|place| place.0 == span.end).map_or(span.end, |place| place.1);
                Span { start: goes_on, end: goes_on, ..span }
            }
            _ => span,
        };
        // One message for a place: what cannot be read there, or soon behind what seems to have nothing in it.
        let last = match form {
            OldForm::EmptyPattern | OldForm::EmptyVariant | OldForm::ParenthesizedType => at + 4,
            OldForm::BareVariant if tokens[at + 1].kind == TokenKind::Less => at + 2,
            OldForm::BareVariant if tokens[at + 1].kind == TokenKind::Open => {
                let rest = tokens[at + 1..].iter();
                let mut depth = 0u32;
                let length = rest.take_while(|token| {
                    match token.kind {
                        TokenKind::Open => depth += 1,
                        TokenKind::Close => depth -= 1,
                        _ => {}
                    }
                    depth > 0 && token.kind != TokenKind::Semicolon
                });
                at + 2 + length.count()
            }
            OldForm::BareVariant => at + 1,
            OldForm::NoSemicolon => at + 2,
            _ => at,
        };
        let end = tokens[last.min(tokens.len() - 1)].span.start.max(place.start);
        // What lacks a semicolon on both sides is itself what is wrong.
        let start = match form {
            OldForm::NoSemicolon => tokens[at.saturating_sub(1)].span.end.min(place.start),
            _ => place.start,
        };
        let is_here = |it: Span| it.file == file && it.start >= start && it.start <= end;
        if sink.diagnostics().iter().any(|one| one.primary.as_ref().is_some_and(|it| is_here(it.span))) {
            continue;
        }
        sink.report_in(file, || {
            let exact = exact(form, (place, at), tokens, &help);
            let diagnostic = Diagnostic::error(code::SYNTAX, message).at(place, "").help(help);
            let diagnostic = exact.into_iter().fold(diagnostic, |it, (title, edit)| it.fix(title, vec![edit]));
            match form {
                OldForm::StringType => diagnostic.mistake("string"),
                OldForm::QualifiedPattern | OldForm::LiteralPattern | OldForm::LeadingBar => {
                    diagnostic.mistake(format!("form {form:?}"))
                }
                _ => diagnostic,
            }
        });
    }
    Dialect::Today
}
