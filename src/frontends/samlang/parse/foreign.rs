//! Words of other languages, and what is written here instead: for messages. And what is said of words at wrong places.

use super::Parser;
use super::words::{PUBLIC, at_the_top, is_modifier};
use crate::lex::{Token, TokenKind};
use crate::syntax::{Expr, ExprId};
use cleave_diag::Span;
use std::borrow::Cow;

pub const CONSTANT: &str = "variables are made by `let`, and never change";

pub const NEW: &str = "objects are made without `new`, by a function of the class";

/// Words that begin a lambda in other languages.
pub(super) const LAMBDA_WORDS: &[&str] = &["fun", "func", "fn", "lambda"];

/// Words of other languages with something after them, and what is written instead.
const FOREIGN: &[(&str, &str)] = &[
    ("new", NEW),
    ("case", "cases are written `pattern -> result`"),
    ("default", "the case for all that is left is `_ -> result`"),
    ("mut", CONSTANT),
    ("mutable", CONSTANT),
    ("rec", "functions of a class may call themselves, and each other"),
];

const LOOPS: &str = "there are no loops: a function calls itself, and lists have `iter` and `fold`";

/// The same at the beginning of an expression or a statement, where the error is somewhere behind them.
pub(super) const FOREIGN_FIRST: &[(&str, &str)] = &[
    ("while", LOOPS),
    ("for", LOOPS),
    ("switch", "a choice by patterns is written `match value { pattern -> result, _ -> other }`"),
    ("case", "a choice by patterns is written `match value { pattern -> result, _ -> other }`"),
    ("not", "the other truth value is `!condition`"),
    ("try", "there are no exceptions: functions give a `Result`, of `std.result`, or an `Option`"),
    (
        "throw",
        "there are no exceptions: `Process.panic(\"why\")` ends the program, a `Result` of `std.result` says what is wrong",
    ),
    (
        "raise",
        "there are no exceptions: `Process.panic(\"why\")` ends the program, a `Result` of `std.result` says what is wrong",
    ),
    ("unless", "write `if !condition { … } else { … }`"),
    ("until", LOOPS),
    ("loop", LOOPS),
    ("do", LOOPS),
    ("typeof", "each value has one type, which is known before the program runs"),
    ("foreach", LOOPS),
    ("await", "leave out `await`: nothing is asynchronous"),
];

/// The same at the place of the error, where a member begins or an expression goes on.
const FOREIGN_HERE: &[(&str, &str)] = &[
    ("fun", "members begin with `function` or `method`"),
    ("func", "members begin with `function` or `method`"),
    ("fn", "members begin with `function` or `method`"),
    ("def", "members begin with `function` or `method`"),
    ("static", "members begin with `function` or `method`; a `function` belongs to its class"),
    ("for", "lists are made of others by methods: `list.map((x) -> x * 2)`"),
    ("and", "conditions are joined by `&&`"),
    ("or", "conditions are joined by `||`"),
    ("mod", "the remainder is `a % b`"),
    ("rem", "the remainder is `a % b`"),
    ("div", "the quotient of integers is `a / b`"),
    ("instanceof", "a value has one type; which variant it is says `match`, or `if let Variant(x) = value { … }`"),
    ("where", "names are given before they are used: `{ let y = x; y + 1 }`"),
    ("in", LET),
];

/// What to say of a word that is taken without having a meaning.
fn reserved(word: &str) -> &'static str {
    match word {
        "self" => "the object of a method is `this`",
        "return" => "there is no `return`: the value of a function is that of its body, which ends with it",
        "var" | "const" => CONSTANT,
        "extends" | "implements" => "interfaces stand behind a colon, `class A : B`; classes do not inherit",
        "assert" => "`Process.panic(\"why\")` ends the program",
        _ => "this word is reserved: take another name",
    }
}

impl Parser<'_> {
    /// What stands for a word or a sign of other languages, before the place of an error or at it; and its place, if
    /// that is what is wrong.
    pub(super) fn foreign(&mut self, wanted: &str) -> Option<(String, Option<Span>)> {
        let is_case = wanted == "`->` behind the pattern";
        if let Some((at, help)) = self.foreign_first().filter(|_| !is_case) {
            let Token { kind, span } = self.tokens[at];
            // It is no variable.
            self.unread.extend(match kind {
                TokenKind::Lower(name) => Some(name),
                _ => None,
            });
            return Some((help, Some(span)));
        }
        if is_case && self.is_second_pattern() {
            return Some(("patterns of one case are joined by `|`: `A(x) | B(x) -> …`".to_string(), None));
        }
        let find = |word, table: &[(&str, &'static str)]| match word {
            TokenKind::Lower(name) => table.iter().find(|known| known.0 == self.names.text(name)).map(|known| known.1),
            _ => None,
        };
        let before = self.tokens[self.at.saturating_sub(1)];
        let kind = if self.at > 0 && !self.begins_line() { before.kind } else { TokenKind::Bad };
        if let Some(help) = find(kind, FOREIGN) {
            return Some((help.to_string(), Some(before.span)));
        }
        if let Some(help) = self.foreign_lambda(kind) {
            return Some((help, Some(before.span)));
        }
        if let (TokenKind::OpenBrace, Some(place)) = (self.word(), self.first_lambda_word()) {
            return Some((LAMBDA.to_string(), Some(place)));
        }
        if matches!(self.word(), TokenKind::Lower(name) if wanted == "a type" && LAMBDA_WORDS.contains(&self.names.text(name)))
        {
            return Some(("`(A) -> B` is the type of a function".to_string(), None));
        }
        let found = find(self.word(), FOREIGN_HERE);
        found.or_else(|| self.foreign_sign(wanted)).map(|help| (help.to_string(), None))
    }

    /// A lambda that begins with a word, whose parameters begin here.
    fn foreign_lambda(&self, before: TokenKind) -> Option<String> {
        use TokenKind::{Comma, Lower};
        let Lower(word) = before else { return None };
        if !LAMBDA_WORDS.contains(&self.names.text(word)) || !matches!(self.word(), Lower(_)) {
            return None;
        }
        let words = self.tokens[self.at..].iter().take_while(|it| matches!(it.kind, Lower(_) | Comma));
        let params = words.filter_map(|it| if let Lower(name) = it.kind { Some(self.names.text(name)) } else { None });
        Some(format!("a lambda is written `({}) -> …`", params.collect::<Vec<_>>().join(", ")))
    }

    /// A member begins with this word in other languages.
    pub(super) fn begins_foreign_member(&self, text: &str) -> bool {
        FOREIGN_HERE.iter().any(|known| known.0 == text)
    }

    /// What to say where a statement should have ended, which is this expression.
    pub(super) fn behind_statement(&self, value: ExprId) -> Option<Cow<'static, str>> {
        use TokenKind::{Colon, Equals, Greater};
        let is_near = self.tokens[(self.at + 1).min(self.tokens.len() - 1)].span.start == self.span().end;
        let is_variable = matches!(self.body.expr(value), Expr::Variable(_));
        match (self.word(), self.ahead(1)) {
            (Equals, Greater) => None,
            (Equals, _) if self.is_condition_behind() => Some(EQUALITY.into()),
            (Equals, _) => Some(self.constant().into()),
            (TokenKind::Lower(name), Equals) if matches!(self.body.expr(value), Expr::Variant(_)) => {
                let (ty, name) = (self.text_at(self.body.span(value)), self.names.text(name));
                Some(format!("a variable is written `let {name}: {ty} = …;`, its type behind its name").into())
            }
            (Colon, Equals) if is_near && is_variable => {
                let name = self.text_at(self.body.span(value));
                Some(format!("variables are made by `let {name} = …`").into())
            }
            (TokenKind::OpenBracket, _) => Some(self.numbered().into()),
            (TokenKind::Bar, next) if next != Greater => Some(BITS.into()),
            (TokenKind::Text(_) | TokenKind::Int(_), _) if let Some(help) = self.application("behind the value") => {
                Some(help.into())
            }
            (TokenKind::Lower(_), _)
                if matches!(self.body.expr(value), Expr::Static { .. } | Expr::Field { .. })
                    && let Some(help) = self.application("behind the value") =>
            {
                Some(help.into())
            }
            _ => Some("`;` stands between statements on one line".into()),
        }
    }

    /// What stands behind this `=` up to the end of its line is joined by `&&` or `||`: all of it is a condition.
    fn is_condition_behind(&self) -> bool {
        use TokenKind::{And, CloseBrace, End, Or, Semicolon};
        let line = self.bytes[self.span().end as usize..].iter().position(|&byte| byte == b'\n');
        let end = line.map_or(self.bytes.len(), |line| self.span().end as usize + line);
        let rest = self.tokens[self.at..].iter().take_while(|token| (token.span.start as usize) < end);
        let mut rest = rest.map(|token| token.kind).take_while(|kind| !matches!(kind, CloseBrace | End | Semicolon));
        rest.any(|kind| matches!(kind, And | Or))
    }

    /// What to say of an assignment: what stands before its sign is a variable, or a field.
    fn constant(&self) -> String {
        let kind = |back: usize| self.at.checked_sub(back).map_or(TokenKind::Bad, |at| self.tokens[at].kind);
        let back = if is_arithmetic(kind(1)) { 2 } else { 1 };
        if kind(back + 1) != TokenKind::Dot {
            return CONSTANT.to_string();
        }
        let own = self.class.filter(|_| kind(back + 2) == TokenKind::This);
        let class = own.map_or("Class", |name| self.names.text(name));
        format!("fields and variables never change: `{class}.init(…)` makes a new object")
    }

    /// The same for signs, and for words that are used otherwise here.
    fn foreign_sign(&self, wanted: &str) -> Option<&'static str> {
        let before = if self.at > 0 { self.tokens[self.at - 1].kind } else { TokenKind::Bad };
        match (before, self.word(), self.ahead(1)) {
            (_, TokenKind::Bar, TokenKind::Greater) => Some("there is no `|>`: write `g(f(x))`, or `x.f().g()`"),
            (_, TokenKind::Dot, TokenKind::Dot) if wanted == "the name of a parameter" => {
                Some("a function has so many parameters as it names: several values are a `List`")
            }
            (_, TokenKind::Dot, TokenKind::Dot) if wanted == "an expression" => {
                Some("an object is made of all its fields, in their order: `Class.init(3, p.y)`")
            }
            (TokenKind::Lower(_), TokenKind::Not, TokenKind::Open) => {
                Some("there are no macros: `Process.println(text)` prints a line")
            }
            (_, TokenKind::Not, _) if self.is_operand_before(self.at) && self.last().end == self.span().start => {
                Some("`value.unwrap()` takes out what an `Option` has, and ends the program if it has nothing")
            }
            (_, TokenKind::As, _) if wanted.ends_with("behind an imported name") => {
                Some("classes keep their names when they are imported")
            }
            (_, TokenKind::As, _) => Some("values are converted by functions: `Str.fromInt(n)`, `text.toInt()`"),
            _ => None,
        }
    }

    /// The word of another language with which the expression or the statement at hand begins, and what to say of it.
    fn foreign_first(&self) -> Option<(usize, String)> {
        const FAR: usize = 40;
        let first = self.at.saturating_sub(FAR);
        for at in (first..self.at).rev() {
            let TokenKind::Lower(name) = self.tokens[at].kind else {
                if matches!(self.tokens[at].kind, TokenKind::Semicolon | TokenKind::Function | TokenKind::Method) {
                    return None;
                }
                continue;
            };
            use TokenKind::{Arrow, CloseBrace, Equals, Open, OpenBrace, Semicolon, Upper};
            let before = self.tokens[at.saturating_sub(1)];
            let text = self.names.text(name);
            let begins = matches!(before.kind, Semicolon | OpenBrace | CloseBrace | Equals | Arrow);
            let begins_operand = text == "not" && at + 1 == self.at && !self.is_operand_before(at);
            let is_there = begins || begins_operand;
            if is_there && matches!(text, "switch" | "case") && self.chooses_by_values(at) {
                return Some((at, "a choice by values is written `if n == 0 { … } else { … }`".to_string()));
            }
            if let Some(known) = FOREIGN_FIRST.iter().find(|known| is_there && known.0 == text) {
                return Some((at, known.1.to_string()));
            }
            let behind = self.tokens[at + 1].kind;
            let behind_dot = (self.tokens[(at + 2).min(self.tokens.len() - 1)].kind == TokenKind::Dot)
                .then(|| self.tokens[(at + 3).min(self.tokens.len() - 1)].kind);
            if let (true, "new", Upper(class)) = (begins || before.kind == Open, text, behind)
                && at + 1 == self.at
            {
                if let Some(Upper(name) | TokenKind::Lower(name)) = behind_dot {
                    let (class, name) = (self.names.text(class), self.names.text(name));
                    return Some((at, format!("leave out `new`: `{class}.{name}(…)`")));
                }
                let class = self.names.text(class);
                if matches!(class, "Vec" | "List" | "Map" | "Set")
                    && let Some((_, help)) = super::alone::foreign_name(class, &[class])
                {
                    return Some((at, format!("objects are made without `new`: {help}")));
                }
                return Some((at, format!("{NEW}: `{class}.init(…)`")));
            }
        }
        None
    }

    /// What to say where something else is wanted than the word at hand.
    pub(super) fn usual_help(&self, wanted: &str) -> Option<Cow<'static, str>> {
        if let Some(help) = self.application(wanted) {
            return Some(help.into());
        }
        if let Some(help) = self.type_of_others(wanted).or_else(|| self.list_of_others(wanted)) {
            return Some(help.into());
        }
        if self.word() == TokenKind::Equals
            && self.tokens[self.at.saturating_sub(1)].kind == TokenKind::Divide
            && self.is_in_condition()
        {
            return Some("the operator is `!=`".into());
        }
        if self.word() == TokenKind::Equals && is_arithmetic(self.tokens[self.at.saturating_sub(1)].kind) {
            return Some(self.constant().into());
        }
        if self.word() == TokenKind::OpenBracket && !self.begins_line() {
            return Some(self.numbered().into());
        }
        self.fixed_help(wanted).map(Cow::from)
    }

    fn fixed_help(&self, wanted: &str) -> Option<&'static str> {
        if let Some(help) = self.form_of_others(wanted) {
            return Some(help);
        }
        let before = if self.at > 0 { self.tokens[self.at - 1].kind } else { TokenKind::Bad };
        match self.word() {
            TokenKind::Reserved(name) if wanted == "`class` or `interface`" && self.names.text(name) == "type" => {
                Some("data is a class: `class Color(Red, Green) { }`, `class Point(val x: int) { }`")
            }
            TokenKind::Reserved(_) if wanted.ends_with("behind a type parameter") => {
                Some("a bound is an interface behind a colon: `<T: Comparable<T>>`")
            }
            TokenKind::Reserved(name) if wanted == "`class` or `interface`" && is_modifier(self.names.text(name)) => {
                Some(PUBLIC)
            }
            TokenKind::Reserved(name) => Some(reserved(self.names.text(name))),
            TokenKind::Lower(name) if wanted == "`class` or `interface`" => at_the_top(self.names.text(name)),
            TokenKind::Let if wanted == "an expression" && self.is_condition_in_parentheses() => Some(LET_CONDITION),
            TokenKind::Let if wanted == "an expression" => Some(LET),
            TokenKind::Concat if wanted == "`->` behind the pattern" => {
                // As in Rust: `Option::Some(x)`.
                let is_class = matches!(self.tokens[self.at - 1].kind, TokenKind::Upper(_));
                Some(if is_class { "a variant stands alone in a pattern: leave out its class" } else { LIST_PATTERNS })
            }
            TokenKind::Lower(name) if wanted == "`{` before the cases" => match self.names.text(name) {
                "with" => Some("leave out `with`: `match value { pattern -> result }`"),
                "of" => Some("leave out `of`: `match value { pattern -> result }`"),
                _ => None,
            },
            TokenKind::If if wanted == "`->` behind the pattern" => {
                Some("a condition stands behind the arrow: `pattern -> if condition { … } else { … }`")
            }
            TokenKind::Bar if wanted == "an expression" => Some(LAMBDA),
            TokenKind::Bar if wanted.ends_with("behind a variant") => Some("variants have `,` between them"),
            TokenKind::Arrow if wanted == "`:` before the type of the result" => {
                Some("the type of the result stands behind a colon, `: int`, not behind an arrow")
            }
            TokenKind::Text(_) if wanted == "the name of a module" => {
                Some("the name of a module stands without quotes: `from std.list`")
            }
            TokenKind::Times | TokenKind::Upper(_) | TokenKind::Lower(_)
                if wanted == "`{` before the imported names" =>
            {
                Some("classes are imported by their names: `import { List } from std.list`")
            }
            TokenKind::Upper(_) if wanted == "`=` before the value" && matches!(before, TokenKind::Lower(_)) => {
                Some("the type stands behind a colon: `let name: Type = value;`")
            }
            TokenKind::Minus if wanted == "`class` or `interface`" && self.ahead(1) == TokenKind::Minus => {
                Some("`//` begins a comment")
            }
            TokenKind::Val if wanted == "an expression" && !matches!(self.ahead(1), TokenKind::Lower(_)) => {
                Some("`val` belongs to the language: take another name")
            }
            word if (wanted.starts_with("the name") || matches!(before, TokenKind::Val | TokenKind::Let))
                && word.keyword().is_some() =>
            {
                Some(self.word_as_name())
            }
            TokenKind::Equals => self.equals(wanted, before),
            TokenKind::Plus if self.ahead(1) == TokenKind::Plus && wanted == "an expression" => Some(CONSTANT),
            TokenKind::Semicolon if wanted == "an expression" && self.is_behind_step() => Some(CONSTANT),
            TokenKind::Arrow if TYPE_ENDS.iter().any(|end| wanted.ends_with(end)) => {
                Some("the parameters of a function type stand in parentheses: `(int) -> int`")
            }
            TokenKind::OpenBrace if wanted == "`:` before the type of the result" => {
                Some("a function is written `function name(): int = …`")
            }
            TokenKind::Class | TokenKind::Interface | TokenKind::End
                if wanted == "`{` before the members of the class" =>
            {
                Some("a class has braces, though nothing need stand in them: `class Point(val x: int) { }`")
            }
            // `a ++ b`, unless nothing stands after it, as in `a++`.
            TokenKind::Plus if before == TokenKind::Plus => {
                let next = self.tokens[(self.at + 1).min(self.tokens.len() - 1)];
                let is_line = self.bytes[self.span().end as usize..next.span.start as usize].contains(&b'\n');
                let is_operand = matches!(
                    next.kind,
                    TokenKind::Lower(_) | TokenKind::Upper(_) | TokenKind::Text(_) | TokenKind::Open
                );
                Some(if is_operand && !is_line { "strings are joined by `::`" } else { CONSTANT })
            }
            TokenKind::Arrow if matches!(before, TokenKind::Lower(_)) => Some(LAMBDA),
            TokenKind::Colon if wanted == "`->` behind the pattern" => Some("cases are written `pattern -> result`"),
            TokenKind::Colon if matches!(before, TokenKind::Text(_)) && wanted.ends_with("behind an argument") => {
                Some("strings are joined by `::`")
            }
            TokenKind::Colon if wanted.ends_with("behind an expression") && matches!(before, TokenKind::Lower(_)) => {
                Some(LAMBDA)
            }
            TokenKind::Colon if wanted == "`,` or `)` behind an argument" && matches!(before, TokenKind::Lower(_)) => {
                Some("arguments have no names: they stand in the order of the parameters")
            }
            TokenKind::Less | TokenKind::Greater if before == self.word() => Some(BITS),
            TokenKind::Bar if BEHIND_OPERANDS.iter().any(|end| wanted.ends_with(end)) => Some(BITS),
            TokenKind::CloseBrace | TokenKind::Comma if wanted == "an expression" && before == TokenKind::Arrow => {
                Some("a case that does nothing has the value `{ }`")
            }
            TokenKind::Open if wanted == "`->` behind the pattern" && self.is_behind_first_name() => {
                Some("names of variants begin with a capital letter")
            }
            TokenKind::Times if wanted == "`class` or `interface`" && self.ahead(1) == TokenKind::Divide => {
                Some("`*/` ends a comment that began with `/*`: here none is open")
            }
            TokenKind::Times if before == TokenKind::Times => Some("there is no operator for powers"),
            TokenKind::Greater if before == TokenKind::Less => Some("the operator is `!=`"),
            TokenKind::From if wanted == "`class` or `interface`" => {
                Some("classes are imported by their names: `import { List } from std.list`")
            }
            TokenKind::OpenBrace if wanted == "`=` before the body" => {
                Some("a `=` stands before the body: `function f(): int = { … }`")
            }
            TokenKind::CloseBrace if self.is_commented() => {
                Some("`//` begins a comment; the quotient of integers is `a / b`")
            }
            TokenKind::IntType | TokenKind::BoolType | TokenKind::TextType | TokenKind::UnitType
                if before == TokenKind::Less =>
            {
                Some("type arguments stand behind the name of a function: `Class.make<int>()`")
            }
            TokenKind::Int(_) if self.at > 1 && before == TokenKind::Dot => Some(match self.tokens[self.at - 2].kind {
                TokenKind::Int(_) => "there are no fractions: numbers are integers",
                _ => "a tuple is taken apart by a pattern: `let (a, b) = pair;`",
            }),
            _ => None,
        }
    }
}

/// What to say of a `=`, by what is wanted there.
const EQUALS: &[(&str, &str)] = &[
    ("before the parameters", "a function is written `function name(): int = …`"),
    ("before the type of the result", "the type of the result stands behind a colon: `function name(): int = …`"),
    ("`->` behind the pattern", "cases are written `pattern -> result`"),
    ("behind a parameter", "parameters have no values of their own: each call gives all arguments"),
    ("the type of the parameter", "a parameter is written `name: type`, and each call gives its value"),
    (
        "`,` or `)` behind a field",
        "fields have no values of their own: a function of the class makes objects, `{ x: 3 }`",
    ),
    ("`,` or `}` behind a field", "the fields of an object are given by `:`"),
    ("before the type of the field", "a field is written `val name: type`"),
    (
        "before the members of the class",
        "data is a class: `class Color(Red, Green) { }`, `class Point(val x: int) { }`",
    ),
];

/// What is wanted after an operand.
pub(super) const BEHIND_OPERANDS: &[&str] = &[
    "behind the expression",
    "behind an expression",
    "behind an argument",
    "before the branch",
    "before the cases",
    "`else`",
    "`function`, `method` or `}`",
];

/// What is wanted after a type.
pub(super) const TYPE_ENDS: &[&str] = &[
    "behind a parameter",
    "before the value",
    "before the body",
    "behind a field",
    "behind a type argument",
    "behind the type of a variant",
];

const BITS: &str = "there are no operators for bits; conditions are joined by `||` and `&&`";
const EQUALITY: &str = "the operator for equality is `==`; variables never change";
const LAMBDA: &str = "the parameters of a lambda stand in parentheses, and an arrow behind them: `(x) -> x + 1`";
pub const VAL: &str = "a variable is written `let name = value;` or `let name: type = value;`";
const LET_CONDITION: &str = "leave out the parentheses: `if let Some(x) = value { … }`";

const LET: &str = "variables are made in a block: `{ let y = x; y + 1 }`";
pub const LIST_PATTERNS: &str =
    "lists are taken apart by their variants, which `std.list` has: `match list { Nil -> …, Cons(x, rest) -> … }`";

impl Parser<'_> {
    /// What to say where a `=` stands after a word.
    fn equals(&self, wanted: &str, before: TokenKind) -> Option<&'static str> {
        let known = EQUALS.iter().find(|known| wanted.ends_with(known.0)).map(|known| known.1);
        let is_choice = wanted.ends_with("before the branch");
        known.or(match (before, self.ahead(1)) {
            (_, TokenKind::Greater) => Some(if is_choice { "the operator is `>=`" } else { LAMBDA }),
            (TokenKind::Val | TokenKind::Let, _) if wanted == "a pattern" => Some(VAL),
            (TokenKind::EqualTo | TokenKind::Unequal, _) => Some("the operators are `==` and `!=`"),
            (TokenKind::Lower(_), _) if wanted.ends_with("behind an argument") && self.is_first_of_argument() => {
                Some("arguments have no names: they stand in the order of the parameters; equality is `==`")
            }
            _ => BEHIND_OPERANDS.iter().any(|end| wanted.ends_with(end)).then_some(EQUALITY),
        })
    }
}

pub fn is_arithmetic(word: TokenKind) -> bool {
    matches!(word, TokenKind::Plus | TokenKind::Minus | TokenKind::Times | TokenKind::Divide | TokenKind::Modulo)
}
