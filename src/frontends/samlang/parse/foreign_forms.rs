//! Forms of other languages that are several words: what to say of them where they cannot be read.

use super::{Parser, basic};
use crate::dialect::{Dialect, OldForm};
use crate::lex::TokenKind;
use crate::modules::library;
use crate::syntax::{Condition, Expr, ExprId, Operator, Pattern, PatternId};
use cleave_diag::Span;

const VALUE: &str = "a constant is a function of a class without parameters: `function limit(): int = 10`";
const PARAM: &str = "the type stands behind the name: `(x: int) -> x + 1`";

impl Parser<'_> {
    /// What to say of a `[` behind a value or a type.
    pub(super) fn numbered(&self) -> String {
        use TokenKind::{BoolType, IntType, Lower, TextType, UnitType, Upper};
        let before = self.tokens[self.at.saturating_sub(1)];
        match before.kind {
            IntType | BoolType | TextType | UnitType | Upper(_) => {
                let text = self.text_at(before.span);
                if matches!(self.ahead(1), IntType | BoolType | TextType | UnitType | Upper(_)) {
                    let (first, end) = (self.tokens[self.at + 1].span, self.closing[self.at] as usize);
                    let last = if end > self.at { self.tokens[end - 1].span } else { first };
                    let inside = self.text_at(Span { end: last.end, ..first });
                    return format!("the type is `{text}<{inside}>`");
                }
                format!("the type is `Vec<{text}>`, or `List<{text}>` of `std.list`")
            }
            Lower(_) => {
                let text = self.text_at(before.span);
                let end = self.closing[self.at] as usize;
                if end > self.at + 1 && self.tokens[end + 1].kind == TokenKind::Equals {
                    let index = Span { start: self.tokens[self.at + 1].span.start, ..self.tokens[end - 1].span };
                    let index = self.text_at(index);
                    return format!("`{text}.set({index}, …)` changes an element of a `Vec`");
                }
                format!("`{text}.get(i)` reads an element of a `Vec`")
            }
            _ => "`v.get(i)` reads an element of a `Vec`".to_string(),
        }
    }

    /// What to say where something else is wanted.
    pub(super) fn form_of_others(&self, wanted: &str) -> Option<&'static str> {
        use TokenKind::{
            Arrow, Colon, Comma, Divide, Dot, Else, Equals, From, Greater, IntType, Less, Let, Lower, Match, Open,
            OpenBrace, Reserved, Text, Times, UnitType, Upper,
        };
        let before = if self.at > 0 { self.tokens[self.at - 1].kind } else { TokenKind::Bad };
        let text = |kind| match kind {
            Reserved(name) | Lower(name) | Upper(name) => self.names.text(name),
            _ => "",
        };
        match self.word() {
            word if wanted == "`class` or `interface`" => match (text(word), self.ahead(2)) {
                ("const" | "var", _) => Some(VALUE),
                ("type", Equals) if basic(self.ahead(3)).is_some() => {
                    Some("there are no other names for types: write the type itself")
                }
                _ if matches!(word, Let) => Some(VALUE),
                _ => None,
            },
            Open if wanted.starts_with("`function`") && self.ahead(1) == Times => Some("`//` begins a comment"),
            Text(_) if wanted.starts_with("`function`") && matches!(before, Text(_)) => {
                Some("`::` joins strings; a string is on one line")
            }
            Match if wanted.starts_with("`function`") => {
                Some("`match` stands before its value: `match value { pattern -> result }`")
            }
            Colon if wanted.ends_with("behind a pattern") => Some("patterns say no types: leave it out"),
            Colon if wanted == "`{` before the cases" => {
                Some("cases stand in braces: `match value { pattern -> result }`")
            }
            Else if wanted == "a pattern" => Some("the case for all that is left is `_ -> result`"),
            Else if wanted == "an expression" => {
                Some("`else` stands behind the braces of an `if`; a `let` has none: `match` looks at other values")
            }
            OpenBrace if matches!(before, Lower(_)) && self.ahead(1) == Open => {
                Some("a lambda is an argument, in parentheses: `list.map((x) -> x + 1)`")
            }
            Dot | Divide if wanted == "the name of a module" => {
                Some("modules are named from the folder of the project, with dots: `path.to.Module`")
            }
            UnitType if wanted == "an expression" => Some("the value of type `unit` is `{ }`"),
            Comma if wanted == "`=` before the value" => {
                Some("several variables stand in parentheses: `let (a, b) = …`")
            }
            Greater if wanted == "an expression" && before == Equals => Some("a single `=` stands here"),
            Arrow if wanted.ends_with("behind a pattern") => Some("a `)` ends the pattern before the arrow"),
            From if wanted.starts_with("the name of a function") && self.at > 1 && before == Dot => {
                match text(self.tokens[self.at - 2].kind) {
                    "Str" => Some("`Str.fromInt(n)` makes a string of a number"),
                    _ => None,
                }
            }
            Lower(name)
                if wanted.starts_with("`from`")
                    && cleave_diag::nearest(self.names.bytes(name), [&b"from"[..]]).is_some() =>
            {
                Some("did you mean `from`?")
            }
            Less if before == Dot => Some("type arguments stand behind the name: `Class.make<int>()`"),
            IntType if wanted == "an expression" && matches!(before, Open | Comma) => Some(PARAM),
            _ => None,
        }
    }

    /// What to say of a type behind another one: `List Item`, `Num int`.
    pub(super) fn type_of_others(&self, wanted: &str) -> Option<String> {
        use TokenKind::{BoolType, IntType, UnitType, Upper};
        let (TokenKind::Upper(outer), Upper(_) | IntType | BoolType | UnitType) =
            (self.tokens[self.at.saturating_sub(1)].kind, self.word())
        else {
            return None;
        };
        let (outer, inner) = (self.names.text(outer), self.text_at(self.span()));
        match wanted {
            _ if self.begins_line() => None,
            "`,` or `)` behind a variant" => {
                Some(format!("the types of a variant stand in parentheses: `{outer}({inner})`"))
            }
            _ if super::foreign::TYPE_ENDS.iter().any(|end| wanted.ends_with(end)) => {
                Some(format!("type arguments stand between `<` and `>`: `{outer}<{inner}>`"))
            }
            _ => None,
        }
    }

    /// What to say of a sign between things that have commas between them, or of `:` before a list.
    pub(super) fn list_of_others(&self, wanted: &str) -> Option<String> {
        let things = wanted.strip_prefix("`,` or `)` behind a").map(|rest| rest.trim_start_matches('n').trim_start());
        let before = self.tokens[self.at.saturating_sub(1)].kind;
        let is_list = matches!(before, TokenKind::Close | TokenKind::Int(_))
            && (things == Some("argument") || wanted.ends_with("`function`, `method` or `}`"));
        match (self.word(), things) {
            (TokenKind::Colon, _)
                if is_list && matches!(self.ahead(1), TokenKind::Lower(_) | TokenKind::OpenBracket) =>
            {
                Some("`list.cons(element)` puts an element before a list; types stand behind names only".to_string())
            }
            // The list ends where its line does: what closes it is missing.
            (TokenKind::Semicolon, Some(_)) if self.is_in_open() || self.ends_line() => None,
            (TokenKind::Semicolon, Some(thing)) => Some(format!("{thing}s have `,` between them")),
            _ => None,
        }
    }

    /// A comment stands behind the last word, which closes what is open.
    pub(super) fn is_commented(&self) -> bool {
        let rest = &self.bytes[self.last().end as usize..self.span().start as usize];
        let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii_start();
        line.starts_with(b"//") && line.contains(&b')')
    }

    /// A case without a comma before it begins here: on a line of its own, or with a whole pattern.
    pub(super) fn is_next_case(&self) -> bool {
        use TokenKind::{Arrow, Bar, Equals, Lower, Minus, Open, OpenBrace, OpenBracket, Text, Upper, Wildcard};
        let begins_pattern = |kind| {
            matches!(kind, Upper(_) | Lower(_) | Wildcard | Open | OpenBrace | OpenBracket | Bar | Text(_) | Minus)
                || matches!(kind, TokenKind::Int(_) | TokenKind::True | TokenKind::False)
        };
        let mut at = self.at;
        let is_part = |kind| begins_pattern(kind) || kind == TokenKind::Dot;
        while is_part(self.tokens[at].kind) {
            let is_open = matches!(self.tokens[at].kind, Open | OpenBrace | OpenBracket);
            match self.closing[at] {
                0 if is_open => break,
                0 => at += 1,
                end => at = end as usize + 1,
            }
        }
        let is_whole = at > self.at && matches!(self.tokens[at].kind, Arrow | Equals);
        is_whole || self.begins_line() && begins_pattern(self.word())
    }

    /// The first member of a class should begin here.
    pub(super) fn is_first_member(&self) -> bool {
        self.at > 0 && self.brace + 1 == self.at
    }

    /// Before these parentheses with nothing between them stands a `>`.
    pub(super) fn is_behind_types(&self) -> bool {
        self.at > 2 && self.tokens[self.at - 3].kind == TokenKind::Greater
    }

    /// The word before this one is a name with a small letter with which a case begins.
    pub(super) fn is_behind_first_name(&self) -> bool {
        let Some([before, name]) = self.at.checked_sub(2).map(|from| [self.tokens[from], self.tokens[from + 1]]) else {
            return false;
        };
        let begins_line = self.bytes[before.span.end as usize..name.span.start as usize].contains(&b'\n');
        matches!(name.kind, TokenKind::Lower(_)) && (before.kind == TokenKind::OpenBrace || begins_line)
    }

    /// Nobody knows what an import that cannot be read imports: perhaps all that the module has.
    pub(super) fn forget_import(&mut self, start: usize) {
        for at in start..self.at {
            let (TokenKind::Lower(name) | TokenKind::Upper(name)) = self.tokens[at].kind else { continue };
            let text = self.names.text(name);
            let is_it = |module: &&(&str, &str)| module.0.rsplit('.').next() == Some(text);
            if !library(Dialect::Today).iter().any(|module| is_it(&module)) && text != "std" {
                self.nameless.insert(None);
            }
            let lines = library(Dialect::Today).iter().filter(is_it).flat_map(|module| module.1.lines());
            let classes =
                lines.filter_map(|line| Some(line.strip_prefix("class ")?.split(['<', '(', ' ']).next()?.trim()));
            self.unread.extend(classes.filter_map(|class| self.names.find(class)));
        }
    }

    /// What to say of a word that is nearly `function` or `method`, before the name of a member.
    pub(super) fn misspelt_member(&self) -> Option<&'static str> {
        let (TokenKind::Upper(name) | TokenKind::Lower(name)) = self.word() else { return None };
        if self.misspelt_private() {
            return Some("did you mean `private`?");
        }
        if !matches!(self.ahead(1), TokenKind::Lower(_) | TokenKind::Less) {
            return None;
        }
        match cleave_diag::nearest(self.names.bytes(name), [&b"function"[..], b"method"])? {
            b"function" => Some("did you mean `function`?"),
            _ => Some("did you mean `method`?"),
        }
    }

    /// `Some(x) =` behind an `if`, whose `let` is missing.
    pub(super) fn is_pattern_without_let(&self) -> bool {
        let TokenKind::Upper(_) = self.word() else { return false };
        let end = match self.ahead(1) {
            TokenKind::Open if self.closing[self.at + 1] != 0 => self.closing[self.at + 1] as usize,
            _ => self.at,
        };
        let behind = |count: usize| self.tokens.get(end + count).map(|token| token.kind);
        behind(1) == Some(TokenKind::Equals) && behind(2) != Some(TokenKind::Greater)
    }

    /// The condition of an `if`.
    pub(super) fn condition_of(&mut self) -> super::Parsed<Condition> {
        let is_without_let = self.is_pattern_without_let();
        if !is_without_let && !matches!(self.word(), TokenKind::Let | TokenKind::Val) {
            return Ok(Condition::Holds(self.expression()?));
        }
        match self.word() {
            TokenKind::Val => self.old(OldForm::Val, self.span()),
            // It is clear what is meant, so that the rest can be read.
            _ if is_without_let => {
                let help = "a pattern stands behind `let`: `if let Some(x) = value { … }`";
                let _ = self.error(self.span(), "`let` is missing before this pattern", help);
            }
            _ => {}
        }
        if !is_without_let {
            self.advance();
        }
        let pattern = self.pattern()?;
        self.expect(TokenKind::Equals, "behind the pattern")?;
        let value = self.expression()?;
        Ok(Condition::Fits(pattern, self.without_second_condition(pattern, value)))
    }

    /// The value that a pattern looks at, without what `&&` joins to it.
    fn without_second_condition(&mut self, pattern: PatternId, value: ExprId) -> ExprId {
        let is_variant = matches!(self.body.pattern(pattern), Pattern::Variant { .. });
        let mut first = value;
        while let Expr::Binary(Operator::And, left, _) = *self.body.expr(first) {
            first = left;
        }
        if is_variant && first != value {
            let help = "a second condition goes into an `if` of its own: `if let Some(x) = value { if x > 3 { … } else { … } } else { … }`";
            let _ = self.error(self.body.span(value), "`&&` joins no patterns to conditions", help);
            return first;
        }
        value
    }
}
