//! Expressions: operators by precedence. What is nested recurs, up to a limit; chains do not.

use super::foreign::{CONSTANT, VAL};
use super::{Parsed, Parser, basic};
use crate::dialect::OldForm;
use crate::lex::TokenKind;
use crate::syntax::{Case, Expr, ExprId, Ident, Operator, Sign, Statement, join};
use cleave_diag::Span;

/// An operator and how tight it binds.
fn operator(word: TokenKind) -> Option<(Operator, u8)> {
    Some(match word {
        TokenKind::Or => (Operator::Or, 0),
        TokenKind::And => (Operator::And, 1),
        TokenKind::Less => (Operator::Less, 2),
        TokenKind::LessEqual => (Operator::LessEqual, 2),
        TokenKind::Greater => (Operator::Greater, 2),
        TokenKind::GreaterEqual => (Operator::GreaterEqual, 2),
        TokenKind::EqualTo => (Operator::Equal, 2),
        TokenKind::Unequal => (Operator::Unequal, 2),
        TokenKind::Plus => (Operator::Add, 3),
        TokenKind::Minus => (Operator::Subtract, 3),
        TokenKind::Times => (Operator::Multiply, 4),
        TokenKind::Divide => (Operator::Divide, 4),
        TokenKind::Modulo => (Operator::Remainder, 4),
        TokenKind::Concat => (Operator::Concat, 5),
        _ => return None,
    })
}

fn begins_statement(word: TokenKind) -> bool {
    use TokenKind::*;
    let is_value = matches!(word, True | False | This | Int(_) | Text(_) | Lower(_) | Upper(_) | Minus | Not);
    is_value || matches!(word, Val | Let | If | Match | Open | OpenBrace | OpenBracket)
}

/// No case begins so: what holds the cases goes on.
fn ends_cases(word: TokenKind) -> bool {
    use TokenKind::*;
    matches!(word, Function | Method | Private | Class | Interface | End | Semicolon | Close | CloseBracket)
}

impl Parser<'_> {
    fn add(&mut self, expr: Expr, start: Span) -> ExprId {
        let id = ExprId(self.body.exprs.len() as u32);
        self.body.exprs.push((expr, join(start, self.last())));
        id
    }

    /// An expression, up to the word that cannot be part of it.
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        self.nested(Self::operators)
    }

    fn operators(&mut self) -> Parsed<ExprId> {
        // Operators that wait for their right operand, with the left one and where that begins.
        let mut waiting: Vec<(Operator, u8, ExprId, Span)> = Vec::new();
        loop {
            let mut start = self.span();
            let is_choice = matches!(self.word(), TokenKind::If | TokenKind::Match);
            let mut operand = self.unary()?;
            let next = operator(self.word());
            if is_choice && (next.is_some() || !waiting.is_empty()) {
                self.old(OldForm::Operand, start);
            }
            while let Some(&(first, level, left, from)) = waiting.last()
                && next.is_none_or(|(_, next)| level >= next)
            {
                waiting.pop();
                operand = self.add(Expr::Binary(first, left, operand), from);
                start = from;
            }
            let Some((operator, level)) = next else { return Ok(operand) };
            if operator == Operator::Subtract {
                self.goes_on();
            }
            self.advance();
            waiting.push((operator, level, operand, start));
        }
    }

    fn unary(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        let sign = match self.word() {
            TokenKind::Minus
                if matches!(self.ahead(1), TokenKind::Int(_)) && !matches!(self.ahead(2), TokenKind::Dot) =>
            {
                let number = self.signed()?;
                return Ok(self.add(Expr::Int(number), start));
            }
            TokenKind::Minus => Sign::Minus,
            TokenKind::Not => Sign::Not,
            _ => return self.postfix(),
        };
        self.advance();
        if matches!(self.word(), TokenKind::Not | TokenKind::Minus) {
            let is_step = sign == Sign::Minus && self.word() == TokenKind::Minus && start.end == self.span().start;
            let help = if is_step { CONSTANT } else { "signs do not follow each other: put parentheses between them" };
            return Err(self.unexpected("an operand", Some(help)));
        }
        let operand = self.postfix()?;
        Ok(self.add(Expr::Unary(sign, operand), start))
    }

    /// An atom with calls and fields after it.
    fn postfix(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        let is_choice = matches!(self.word(), TokenKind::If | TokenKind::Match);
        let mut expr = self.atom()?;
        // Behind a case it is the pattern of the next one.
        if is_choice
            && self.begins_line()
            && self.word() == TokenKind::Open
            && self.behind_brackets() == TokenKind::Arrow
        {
            return Ok(expr);
        }
        if is_choice && matches!(self.word(), TokenKind::Dot | TokenKind::Open) {
            self.old(OldForm::Operand, start);
        }
        loop {
            match self.word() {
                TokenKind::Dot => {
                    if let (Some(Expr::Int(_)), TokenKind::Int(_)) =
                        (self.body.exprs.last().map(|it| &it.0), self.ahead(1))
                    {
                        let help = "there are no fractions: numbers are integers";
                        return Err(self.error(self.span(), "a dot stands behind a number", help));
                    }
                    self.advance();
                    self.behind_dot("the name of a field or method")?;
                    let field = self.member_name("the name of a field or method")?;
                    let types = self.type_arguments()?;
                    expr = self.add(Expr::Field { object: expr, field, types }, start);
                }
                TokenKind::Open => {
                    self.goes_on();
                    self.advance();
                    let args = self.list(TokenKind::Close, "behind an argument", Self::expression);
                    if is_choice && args.is_err() {
                        // It is no operand if this is no call.
                        self.old.retain(|old| *old != (OldForm::Operand, start));
                    }
                    let args = args?;
                    expr = self.add(Expr::Call { callee: expr, args }, start);
                }
                _ => return Ok(expr),
            }
        }
    }

    fn atom(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        self.misspelt_word()?;
        let expr = match self.word() {
            TokenKind::True => self.literal(Expr::Bool(true)),
            TokenKind::False => self.literal(Expr::Bool(false)),
            TokenKind::Text(text) => self.literal(Expr::Text(text)),
            TokenKind::Lower(name) => self.literal(Expr::Variable(name)),
            TokenKind::This => self.literal(Expr::This),
            TokenKind::Int(_) => Expr::Int(self.signed()?),
            TokenKind::Upper(name) => {
                let class = Ident { name, span: self.advance() };
                self.types_before_dot(name);
                match self.accept(TokenKind::Dot) {
                    false if self.is_object_behind_class() => {
                        let text = self.names.text(name);
                        let help = format!("a function of the class makes it: `{text}.init(…)`");
                        return Err(self.error(start, "objects are not written with braces behind their class", &help));
                    }
                    false if self.is_path() => {
                        let help = "a dot stands there: `Class.function`, `Class.Variant`";
                        return Err(self.error(self.span(), "`::` joins strings, and names nothing", help));
                    }
                    false => {
                        self.old(OldForm::BareVariant, start);
                        Expr::Variant(name)
                    }
                    true => {
                        self.behind_dot("the name of a function, or a variant,")?;
                        let member = match self.word() {
                            TokenKind::Upper(_) => self.upper("a variant")?,
                            _ => self.member_name("the name of a function, or a variant")?,
                        };
                        Expr::Static { class, member, types: self.type_arguments()? }
                    }
                }
            }
            TokenKind::Open if self.is_lambda_with_result() => {
                let colon = self.tokens[self.closing[self.at] as usize + 1].span;
                return Err(self.error(
                    colon,
                    "a lambda says no type of its result",
                    "leave it out: `(x: int) -> x + 1`",
                ));
            }
            TokenKind::Open if self.is_lambda() => {
                self.advance();
                let params = self.list(TokenKind::Close, "behind a parameter", Self::param)?;
                self.expect(TokenKind::Arrow, "behind the parameters")?;
                Expr::Lambda { params, body: self.expression()? }
            }
            TokenKind::Open => {
                self.advance();
                let mut parts = self.list(TokenKind::Close, "behind an expression", Self::expression)?;
                match parts.len() {
                    1 => return Ok(parts.remove(0)),
                    0 if self.is_behind_types() => {
                        return Err(self.unexpected("`->`", Some("one `>` ends type arguments: there is one too many")));
                    }
                    0 => return Err(self.unexpected("`->`", Some("`{}` is the value of type `unit`"))),
                    _ => Expr::Tuple(parts),
                }
            }
            TokenKind::OpenBracket => {
                self.old(OldForm::Brackets, start);
                self.advance();
                let parts = self.list(TokenKind::CloseBracket, "behind an expression", Self::expression);
                let is_for = matches!(self.word(), TokenKind::Lower(name) if self.names.text(name) == "for");
                if parts.is_err() && (is_for || self.word() == TokenKind::Semicolon) {
                    self.old.retain(|old| *old != (OldForm::Brackets, start));
                }
                let parts = parts?;
                if parts.len() < 2 {
                    let span = join(start, self.last());
                    let help = "a list is made by `List.of(1)` or `List.nil<int>()` of `std.list`, a `Vec` by `Vec.of(1)` \
                                or `Vec.empty<int>()`; a tuple has at least two parts, `(a, b)`";
                    return Err(self.error(span, "lists are not written with brackets", help));
                }
                Expr::Tuple(parts)
            }
            TokenKind::OpenBrace if self.is_object() => {
                if self.ahead(2) != TokenKind::CloseBrace {
                    self.old(OldForm::Object, start);
                }
                self.advance();
                Expr::Object(self.list(TokenKind::CloseBrace, "behind a field", |parser| {
                    let field = parser.lower("the name of a field")?;
                    let value = if parser.accept(TokenKind::Colon) { Some(parser.expression()?) } else { None };
                    Ok((field, value))
                })?)
            }
            TokenKind::OpenBrace => return self.block(),
            TokenKind::If => return self.condition(),
            TokenKind::Match => return self.matching(),
            TokenKind::Function if self.ahead(1) == TokenKind::Open => {
                let help = "a lambda is written without it: `(x) -> x + 1`";
                return Err(self.error(start, "`function` begins a function of a class", help));
            }
            word if basic(word).is_some()
                && matches!(self.ahead(1), TokenKind::Lower(_))
                && !matches!(self.ahead(2), TokenKind::Close | TokenKind::Comma) =>
            {
                let (ty, name) = (self.text_at(start), self.text_at(self.tokens[self.at + 1].span));
                let help = format!("a variable is written `let {name}: {ty} = …;`, its type behind its name");
                return Err(self.unexpected("an expression", Some(&help)));
            }
            _ => return Err(self.unexpected("an expression", None)),
        };
        Ok(self.add(expr, start))
    }

    /// Notes that an expression goes on in a new line.
    fn goes_on(&mut self) {
        if self.begins_line() {
            let last = self.last();
            self.body.continued.0.push(Span { start: last.end, ..last });
        }
    }

    fn literal(&mut self, expr: Expr) -> Expr {
        self.advance();
        expr
    }

    fn block(&mut self) -> Parsed<ExprId> {
        let first = self.at;
        let start = self.expect(TokenKind::OpenBrace, "before the branch")?;
        let mut statements = Vec::new();
        let value = loop {
            match self.word() {
                TokenKind::CloseBrace => break None,
                TokenKind::Semicolon => {
                    self.advance();
                }
                TokenKind::Val | TokenKind::Let => {
                    if self.word() == TokenKind::Val {
                        self.old(OldForm::Val, self.span());
                    }
                    self.advance();
                    self.mutable(CONSTANT);
                    if let (TokenKind::Upper(name), TokenKind::Equals | TokenKind::Colon) = (self.word(), self.ahead(1))
                    {
                        self.capitals.push(Ident { name, span: self.span() });
                    }
                    let pattern = self.pattern()?;
                    let ty = match self.accept(TokenKind::Colon) {
                        true if self.word() == TokenKind::Equals => return Err(self.unexpected("a type", Some(VAL))),
                        true => Some(self.type_syntax()?),
                        false => None,
                    };
                    self.expect(TokenKind::Equals, "before the value")?;
                    let count = self.body.continued.0.len();
                    let value = self.expression()?;
                    if !self.accept(TokenKind::Semicolon) {
                        let is_more = matches!(
                            self.word(),
                            TokenKind::As
                                | TokenKind::Bar
                                | TokenKind::Dot
                                | TokenKind::Arrow
                                | TokenKind::Colon
                                | TokenKind::Comma
                                | TokenKind::Close
                                | TokenKind::CloseBracket
                                | TokenKind::Equals
                                | TokenKind::Bad
                        ) || self.word() == TokenKind::OpenBrace && !self.begins_line();
                        const WORDS: [&str; 8] = ["in", "where", "instanceof", "and", "or", "mod", "rem", "div"];
                        let is_foreign = |name| WORDS.contains(&self.names.text(name));
                        let is_more =
                            is_more || self.is_numbered() || self.is_behind_new() || self.is_behind_foreign_word();
                        if is_more || matches!(self.word(), TokenKind::Lower(name) if is_foreign(name)) {
                            return Err(self.unexpected("`;` behind the value", None));
                        }
                        self.old(OldForm::NoSemicolon, self.last());
                        if let Some(place) = self.body.continued.0.get(count) {
                            self.goes_on.push((self.last().end, place.end));
                        }
                    }
                    statements.push(Statement::Val { pattern, ty, value });
                }
                // All braces of the class have their other one.
                TokenKind::Function
                    if matches!(self.ahead(1), TokenKind::Lower(_)) && self.closing[self.brace] != 0 =>
                {
                    let help = "put it beside this one, between the braces of the class, or write `let f = (x) -> …;`";
                    let skip = self.error(self.span(), "a function stands in no other one", help);
                    self.at = self.closing[first].max(self.at as u32) as usize;
                    self.advance();
                    return Err(skip);
                }
                TokenKind::End
                | TokenKind::Function
                | TokenKind::Method
                | TokenKind::Class
                | TokenKind::Interface
                | TokenKind::Private
                | TokenKind::Close
                | TokenKind::CloseBracket => {
                    let open = self.misclosed_since(first).map_or(start, |brace| self.tokens[brace].span);
                    return Err(self.unclosed("a statement or `}`", Some(open), None));
                }
                _ => {
                    let value = self.expression()?;
                    if self.word() == TokenKind::CloseBrace {
                        break Some(value);
                    }
                    // Nothing need stand after what ends with a brace, or with its line.
                    let is_end = self.begins_line() || self.tokens[self.at - 1].kind == TokenKind::CloseBrace;
                    let has_end = self.accept(TokenKind::Semicolon);
                    if !has_end && is_end && begins_statement(self.word()) {
                        self.old(OldForm::NoSemicolon, self.last());
                    } else if !has_end {
                        use TokenKind::{Class, End, Function, Interface, Method, Private};
                        if self.word() == TokenKind::Else {
                            return Err(self.brace_before_else(start));
                        }
                        let is_bracket = matches!(self.word(), TokenKind::Close | TokenKind::CloseBracket);
                        if matches!(self.word(), Function | Method | Private | Class | Interface | End)
                            || is_bracket && self.is_misclosed(first)
                        {
                            let open = self.misclosed_since(first).map_or(start, |brace| self.tokens[brace].span);
                            // What its branch swallowed is perhaps the other one.
                            let is_before =
                                |old: &(OldForm, Span)| old.0 == OldForm::NoElse && old.1.start < open.start;
                            if open != start && self.old.last().is_some_and(is_before) {
                                self.old.pop();
                            }
                            return Err(self.unclosed("`;` or `}` behind the expression", Some(open), None));
                        }
                        let help = self.behind_statement(value);
                        return Err(self.unexpected("`;` or `}` behind the expression", help.as_deref()));
                    }
                    statements.push(Statement::Expr(value));
                }
            }
        };
        self.advance();
        Ok(self.add(Expr::Block { statements, value }, start))
    }

    /// `if`, with all that follow on it.
    fn condition(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        let mut branches = Vec::new();
        let otherwise = loop {
            // `if`, or what other languages have for `else if`.
            let branch = self.span();
            self.advance();
            let condition = self.condition_of()?;
            let has_braces = self.word() == TokenKind::OpenBrace;
            let body = match self.word() {
                TokenKind::Then => {
                    self.old(OldForm::Then, self.span());
                    self.advance();
                    self.expression()?
                }
                TokenKind::OpenBrace => self.nested(Self::block)?,
                TokenKind::Equals => return Err(self.unexpected("`{` before the branch", None)),
                _ => {
                    let help = "its branches stand in braces: `if c { a } else { b }`";
                    let is_usual = !self.is_numbered() && self.word() != TokenKind::Bar;
                    return Err(self.unexpected("`{` before the branch", is_usual.then_some(help)));
                }
            };
            branches.push((condition, body));
            if self.word() == TokenKind::OpenBrace && self.ahead(1) == TokenKind::Else {
                let help = "the brace stands behind it: `if condition { one } else { other }`";
                return Err(self.error(self.span(), "a `{` stands before `else`", help));
            }
            if let TokenKind::Lower(name) = self.word()
                && let text @ ("elif" | "elsif" | "elseif") = self.names.text(name)
            {
                self.error(self.span(), &format!("there is no `{text}`"), "write `else if`");
                continue;
            }
            // What closes the class would have no `else` behind it.
            if has_braces
                && (self.word(), self.ahead(1)) == (TokenKind::CloseBrace, TokenKind::Else)
                && self.closing[self.brace] as usize == self.at
            {
                self.brace_too_many();
            }
            if !self.accept(TokenKind::Else) && !self.misspelt_else() {
                // Without braces there is always another branch.
                if has_braces {
                    use TokenKind::{False, Int, Text, True};
                    // Another statement may follow, but none begins so.
                    let is_value = matches!(self.word(), Int(_) | Text(_) | True | False);
                    if is_value && !self.begins_line() {
                        let help = "the branches are written `if condition { one } else { other }`";
                        return Err(self.error(self.span(), "`else {` is missing before this", help));
                    }
                    self.old(OldForm::NoElse, branch);
                    break None;
                }
                return Err(self.unexpected("`else`", Some("without it a branch stands in braces: `if c { … }`")));
            }
            if self.word() == TokenKind::If {
                continue;
            }
            if has_braces && !matches!(self.word(), TokenKind::OpenBrace | TokenKind::Bad) {
                let help = "both branches stand in braces: `if c { a } else { b }`";
                return Err(self.unexpected("`{` before the branch", Some(help)));
            }
            let body = if has_braces { self.nested(Self::block)? } else { self.expression()? };
            break Some(body);
        };
        Ok(self.add(Expr::If { branches, otherwise }, start))
    }

    fn matching(&mut self) -> Parsed<ExprId> {
        let start = self.advance();
        let subject = self.expression()?;
        let first = self.at;
        let brace = self.expect(TokenKind::OpenBrace, "before the cases")?;
        let mut cases = Vec::new();
        while self.word() != TokenKind::CloseBrace {
            if ends_cases(self.word()) {
                return Err(self.unclosed("a pattern or `}`", Some(brace), None));
            }
            if let Some(skip) = self.early(self.at - 1) {
                return Err(skip);
            }
            self.accept_old(TokenKind::Bar, OldForm::LeadingBar);
            let pattern = self.pattern()?;
            self.expect(TokenKind::Arrow, "behind the pattern")?;
            let body = self.expression()?;
            cases.push(Case { pattern, body });
            if !self.accept(TokenKind::Comma) && self.word() != TokenKind::CloseBrace {
                if ends_cases(self.word()) && self.is_misclosed(first) {
                    return Err(self.unclosed("`,` or `}` behind the case", Some(brace), None));
                }
                if !self.is_next_case() {
                    let help = match self.word() {
                        TokenKind::Close | TokenKind::CloseBracket | TokenKind::Semicolon => {
                            "cases have commas between them"
                        }
                        _ => "an operator is missing before this, or a comma behind the case",
                    };
                    return Err(self.unexpected("`,` or `}` behind the case", Some(help)));
                }
                self.old(OldForm::NoComma, self.last());
            }
        }
        self.advance();
        Ok(self.add(Expr::Match { subject, cases }, start))
    }
}
