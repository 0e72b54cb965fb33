//! Parser for expressions: operators by precedence, with the unfinished ones on a stack of frames instead of a
//! recursion.

use crate::foreign::{NO_BLOCKS, NO_INFIX, NO_LAMBDA, ONE_VALUE};
use crate::lex::{NO_WITH, TokenKind};
use crate::parse::{COMMENT, NO_CHANGE, Parsed, Parser, Skip};
use crate::syntax::{Case, Id, List, Pattern, Syntax, append, join};
use cleave_diag::Span;
use cleave_strict::core_ir::Operator;

/// A finished expression.
#[derive(Clone, Copy)]
struct Operand {
    id: Id,
    /// With the parentheses around it, which do not belong to the expression itself.
    extent: Span,
    /// `match` and `let` are no operands of operators.
    is_loose: bool,
}

/// What waits for an expression.
enum Frame {
    /// The whole expression.
    Whole,
    Binary(Operator, Operand),
    Sign(Operator, Span),
    Apply(TokenKind, Span),
    Parentheses(Span, Vec<Operand>),
    Subject(Span),
    /// Place of the match, subject, cases so far, pattern of this case.
    Case(Span, Id, Vec<Case>, (Pattern, Span)),
    /// Place of the let, binders.
    Value(Span, List),
    /// Place of the let, binders, value.
    Body(Span, List, Id),
}

pub fn operator(word: TokenKind) -> Option<(Operator, u8)> {
    Some(match word {
        TokenKind::Less => (Operator::Less, 0),
        TokenKind::LessEqual => (Operator::LessEqual, 0),
        TokenKind::Greater => (Operator::Greater, 0),
        TokenKind::GreaterEqual => (Operator::GreaterEqual, 0),
        TokenKind::EqualTo => (Operator::Equal, 0),
        TokenKind::Unequal => (Operator::NotEqual, 0),
        TokenKind::Plus => (Operator::Add, 1),
        TokenKind::Minus => (Operator::Subtract, 1),
        TokenKind::Modulo => (Operator::Remainder, 1),
        TokenKind::Times => (Operator::Multiply, 2),
        TokenKind::Divide => (Operator::Divide, 2),
        _ => return None,
    })
}

fn level(operator: Operator) -> u8 {
    match operator {
        Operator::Multiply | Operator::Divide => 2,
        Operator::Add | Operator::Subtract | Operator::Remainder => 1,
        _ => 0,
    }
}

pub fn begins_argument(word: TokenKind) -> bool {
    matches!(word, TokenKind::Lower(_) | TokenKind::Upper(_) | TokenKind::Int(_) | TokenKind::Open)
}

impl Parser<'_> {
    /// An expression, up to the word that cannot be part of it.
    pub fn expression(&mut self) -> Parsed<Id> {
        let mut frames = vec![Frame::Whole];
        loop {
            let mut operand = self.begin(&mut frames)?;
            // Everything that ends here is put together; a frame that wants more leaves the loop.
            while let Some(done) = operand.take() {
                match self.finish(done, &mut frames)? {
                    Next::Operand(next) => operand = Some(next),
                    Next::More => {}
                    Next::End(id) => return Ok(id),
                }
            }
        }
    }

    fn add(&mut self, syntax: Syntax, span: Span) -> Id {
        let id = Id(self.tree.exprs.len() as u32);
        self.tree.exprs.push((syntax, span));
        id
    }

    fn operand(&mut self, syntax: Syntax, span: Span) -> Operand {
        Operand { id: self.add(syntax, span), extent: span, is_loose: false }
    }

    /// The begin of an expression: an operand, or none if frames now wait for one.
    fn begin(&mut self, frames: &mut Vec<Frame>) -> Parsed<Option<Operand>> {
        let is_tight = matches!(frames.last(), Some(Frame::Binary(..) | Frame::Sign(..) | Frame::Apply(..)));
        let word = self.word();
        Ok(match word {
            TokenKind::Match if !is_tight => {
                frames.push(Frame::Subject(self.advance()));
                None
            }
            TokenKind::Let if !is_tight => {
                let start = self.advance();
                let binders = self.binders()?;
                if !self.accept(TokenKind::Equals) {
                    let help = match self.word() {
                        TokenKind::Colon => Some("a variable has the type of its value: `let name = value in body`"),
                        TokenKind::Lower(_) if self.is_behind_mut() => Some(NO_CHANGE),
                        TokenKind::Comma => Some("several variables stand in parentheses: `let (a, b) = … in …`"),
                        _ if self.follows_list() => Some("`=` stands behind the variables: `let (a, b) = … in …`"),
                        _ if self.lacks_equals() => Some("`=` stands behind the variables: `let name = value in body`"),
                        TokenKind::Lower(_) | TokenKind::Open => {
                            Some("functions stand outside of others: `Int: Int` and then `name x = x + 1;`")
                        }
                        _ => None,
                    };
                    return Err(self.unexpected("`=` before the value of `let`", help));
                }
                frames.push(Frame::Value(start, binders));
                None
            }
            TokenKind::Plus | TokenKind::Minus => {
                let sign = if word == TokenKind::Plus { Operator::Add } else { Operator::Subtract };
                frames.push(Frame::Sign(sign, self.advance()));
                None
            }
            TokenKind::Int(number) => {
                let span = self.advance();
                Some(self.operand(Syntax::Int(number), span))
            }
            TokenKind::Upper(_) | TokenKind::Open if self.is_definition(0) => {
                return Err(self.unexpected("an expression", None));
            }
            TokenKind::Lower(_) | TokenKind::Upper(_) if self.is_applied() => {
                self.foreign_head()?;
                // An argument of what is matched may stand there.
                let mut around = frames.iter().rev().skip_while(|frame| matches!(frame, Frame::Apply(..)));
                if matches!(around.next(), Some(Frame::Subject(_))) && self.is_with(1) {
                    self.advance();
                    return Err(self.cases_of_others());
                }
                if let Some(help) = self.operator_of_words() {
                    self.advance();
                    return Err(self.unexpected("an operator", Some(help)));
                }
                frames.push(Frame::Apply(word, self.advance()));
                None
            }
            TokenKind::Lower(name) => {
                let span = self.advance();
                Some(self.operand(Syntax::Variable(name), span))
            }
            TokenKind::Upper(name) => {
                let span = self.advance();
                Some(self.operand(Syntax::Construct(name, List::default()), span))
            }
            TokenKind::Open => {
                let start = self.advance();
                match self.accept(TokenKind::Close) {
                    true => Some(self.operand(Syntax::Tuple(List::default()), join(start, self.last()))),
                    false => {
                        frames.push(Frame::Parentheses(start, Vec::new()));
                        None
                    }
                }
            }
            _ => {
                let help = match word {
                    TokenKind::Match | TokenKind::Let => Some("put it into parentheses"),
                    TokenKind::Times if self.follows(&[TokenKind::Divide, TokenKind::Open]) => Some(COMMENT),
                    TokenKind::Times if self.follows(&[word]) => {
                        Some("there are no operators for powers and for bits: a function multiplies")
                    }
                    TokenKind::Greater if self.follows(&[TokenKind::Minus]) => Some(NO_LAMBDA),
                    TokenKind::Greater if self.follows(&[TokenKind::Less]) => Some("the operator is `!=`"),
                    TokenKind::Colon if self.follows(&[TokenKind::Colon]) => match self.ahead(1) {
                        TokenKind::Upper(name) => {
                            let help = format!("constructors stand alone: `{}`", self.names.text(name));
                            return Err(self.unexpected("an expression", Some(&help)));
                        }
                        _ => Some(NO_INFIX),
                    },
                    TokenKind::Less | TokenKind::Greater if self.follows(&[word]) => {
                        Some("there are no operators for bits: multiply, or divide, by powers of two")
                    }
                    TokenKind::OpenBrace if self.second() == TokenKind::Minus => Some(COMMENT),
                    TokenKind::OpenBrace => Some(NO_BLOCKS),
                    _ if self.follows_step() => return Err(self.steps()),
                    TokenKind::Semicolon if self.before().last().is_some_and(|it| it.kind == TokenKind::In) => {
                        Some("no `;` stands behind `in`: leave it out")
                    }
                    TokenKind::Greater if self.follows(&[TokenKind::Equals]) => {
                        Some("`=` alone stands before the body of a function")
                    }
                    TokenKind::Wildcard => Some("`_` takes a value in a pattern; it has none"),
                    _ => None,
                };
                return Err(self.unexpected("an expression", help));
            }
        })
    }

    fn finish(&mut self, operand: Operand, frames: &mut Vec<Frame>) -> Parsed<Next> {
        // Applications and signs bind tighter than what may follow.
        match frames.last() {
            Some(&Frame::Apply(name, start)) => {
                frames.pop();
                return Ok(Next::Operand(self.apply(name, start, operand)));
            }
            Some(&Frame::Sign(sign, start)) => {
                frames.pop();
                let span = join(start, operand.extent);
                let zero = self.add(Syntax::Int(0), start);
                return Ok(Next::Operand(self.operand(Syntax::Binary(sign, zero, operand.id), span)));
            }
            _ => {}
        }
        let next = operator(self.word()).filter(|_| !operand.is_loose);
        if let Some(Frame::Binary(first, left)) = frames.last()
            && next.is_none_or(|(_, next)| level(*first) >= next)
        {
            let (first, left) = (*first, *left);
            frames.pop();
            let span = join(left.extent, operand.extent);
            return Ok(Next::Operand(self.operand(Syntax::Binary(first, left.id, operand.id), span)));
        }
        if let Some((operator, _)) = next {
            self.advance();
            frames.push(Frame::Binary(operator, operand));
            return Ok(Next::More);
        }
        self.enclose(operand, frames)
    }

    /// An expression of the loosest level is complete.
    fn enclose(&mut self, operand: Operand, frames: &mut Vec<Frame>) -> Parsed<Next> {
        let help = operator(self.word()).map(|_| "put the `match` or `let` before it into parentheses");
        if self.is_closed_by_nothing(frames) {
            return Err(self.closes_nothing());
        }
        match frames.pop() {
            Some(Frame::Parentheses(start, mut items)) => {
                items.push(operand);
                if self.accept(TokenKind::Comma) && self.word() != TokenKind::Close {
                    frames.push(Frame::Parentheses(start, items));
                    return Ok(Next::More);
                }
                if self.word() != TokenKind::Close {
                    let blame = (start, "this is still open");
                    let is_in_case = frames.iter().any(|frame| matches!(frame, Frame::Case(..)));
                    let is_head = is_in_case && items.len() > 1 && self.is_pattern(operand.id, operand.extent);
                    let list = if is_head { "a `)` is missing before this case" } else { NO_INFIX };
                    let list = (self.word() == TokenKind::Colon).then_some(list);
                    return Err(self.unfinished("`,` or `)`", Some(blame), help.or(list).or(self.several())));
                }
                let extent = join(start, self.advance());
                if let [one] = items[..] {
                    return Ok(Next::Operand(Operand { extent, is_loose: false, ..one }));
                }
                let ids: Vec<Id> = items.iter().map(|item| item.id).collect();
                let list = append(&mut self.tree.lists, &ids);
                Ok(Next::Operand(self.operand(Syntax::Tuple(list), extent)))
            }
            Some(Frame::Subject(start)) => {
                if self.word() == TokenKind::Equals && self.second() != TokenKind::Greater {
                    // It is clear what is meant, so that the rest can be read.
                    let Skip = self.unexpected("`{` before the cases", help);
                    self.advance();
                    frames.extend([Frame::Subject(start), Frame::Binary(Operator::Equal, operand)]);
                    return Ok(Next::More);
                }
                if self.word() != TokenKind::OpenBrace {
                    // What follows `with` cannot be read, and has its message.
                    if matches!(self.word(), TokenKind::Lower(_)) && self.second() == TokenKind::Bad {
                        self.advance();
                    }
                    if self.is_with(0) {
                        return Err(self.cases_of_others());
                    }
                    if let Some(skip) = self.arguments_at_comma() {
                        return Err(skip);
                    }
                    let several = match self.word() {
                        TokenKind::Comma => Some(ONE_VALUE),
                        TokenKind::Colon => Some(NO_WITH),
                        _ => None,
                    };
                    return Err(self.unexpected("`{` before the cases", several.or(help).or(self.several())));
                }
                self.advance();
                let pattern = self.pattern()?;
                frames.push(Frame::Case(start, operand.id, Vec::new(), pattern));
                Ok(Next::More)
            }
            Some(Frame::Case(start, subject, mut cases, (pattern, span))) => {
                cases.push(Case { pattern, span, body: operand.id });
                if self.word() == TokenKind::Semicolon && self.is_case_at(1) && !self.is_definition(1) {
                    let help = "a comma stands between cases: `True: 1, False: 0`";
                    // It is clear what is meant, so that the other cases can be read.
                    let Skip = self.unexpected("`,` or `}` behind the case", Some(help));
                    self.advance();
                    let pattern = self.pattern()?;
                    frames.push(Frame::Case(start, subject, cases, pattern));
                    return Ok(Next::More);
                }
                if self.accept(TokenKind::Comma) {
                    let pattern = self.pattern()?;
                    frames.push(Frame::Case(start, subject, cases, pattern));
                    return Ok(Next::More);
                }
                if self.word() != TokenKind::CloseBrace {
                    if let Some((place, inner)) = self.unclosed_match() {
                        return Err(self.missing_brace(place, inner));
                    }
                    let blame = (start, "this `match` is still open");
                    let is_behind = matches!(self.word(), TokenKind::Upper(_)) && self.follows_list();
                    let comma = match self.word() {
                        TokenKind::Colon => Some("a constructor stands before its fields: `Link(x, rest)`"),
                        _ if is_behind || self.is_case() => Some("a comma stands between cases: `True: 1, False: 0`"),
                        _ => None,
                    };
                    let closing = self.is_unfinished().then_some("a `}` stands behind the last case");
                    let help = help.or(closing).or(comma).or(self.several());
                    return Err(self.unfinished("`,` or `}` behind the case", Some(blame), help));
                }
                let span = join(start, self.advance());
                let cases = append(&mut self.tree.cases, &cases);
                let matched = self.operand(Syntax::Match { subject, cases }, span);
                Ok(Next::Operand(Operand { is_loose: true, ..matched }))
            }
            Some(Frame::Value(start, binders)) => {
                if self.word() != TokenKind::In {
                    if let Some(skip) = self.arguments_at_comma() {
                        return Err(skip);
                    }
                    let help = help.or(match self.word() {
                        TokenKind::Comma => {
                            Some("`let (x, y) = (1, 2) in …`, or one `let` behind the `in` of the other")
                        }
                        _ => self.several().or(Some("`let name = value in body`")),
                    });
                    let blame = (start, "of this `let`");
                    return Err(self.unfinished("`in` behind the value of `let`", Some(blame), help));
                }
                self.advance();
                frames.push(Frame::Body(start, binders, operand.id));
                Ok(Next::More)
            }
            Some(Frame::Body(start, binders, value)) => {
                let span = join(start, operand.extent);
                let bound = self.operand(Syntax::Let { binders, value, body: operand.id }, span);
                Ok(Next::Operand(Operand { is_loose: true, ..bound }))
            }
            Some(Frame::Binary(..) | Frame::Sign(..) | Frame::Apply(..)) | None => unreachable!("done before"),
            Some(Frame::Whole) => Ok(Next::End(operand.id)),
        }
    }

    /// The bracket at hand, behind a whole expression, closes nothing that is open.
    fn is_closed_by_nothing(&self, frames: &[Frame]) -> bool {
        // What ends the definition has its own message.
        if matches!(frames, [Frame::Whole]) {
            return false;
        }
        // The value of a `let` ends behind it: what is open stands around the `let`.
        let is_bracket = matches!(self.word(), TokenKind::Close | TokenKind::CloseBrace);
        if is_bracket && matches!(frames.last(), Some(Frame::Value(..))) && self.second() == TokenKind::In {
            return true;
        }
        match self.word() {
            TokenKind::Close => !frames.iter().rev().any(|frame| matches!(frame, Frame::Parentheses(..))),
            TokenKind::CloseBrace => !frames.iter().rev().any(|frame| matches!(frame, Frame::Case(..))),
            _ => false,
        }
    }

    /// The word at hand begins a case; or it is the colon of one, whose pattern was taken for a part of what stands
    /// before it.
    fn is_case(&self) -> bool {
        self.is_case_at(0)
    }

    /// The same for the word so many places ahead.
    pub fn is_case_at(&self, count: usize) -> bool {
        let ahead = |more: usize| self.ahead(count + more);
        let binders = match (ahead(0), ahead(1)) {
            (TokenKind::Colon, _) => return true,
            (TokenKind::Int(_) | TokenKind::Lower(_), next) => return next == TokenKind::Colon,
            (TokenKind::Upper(_), TokenKind::Lower(_) | TokenKind::Wildcard) => 1,
            (TokenKind::Upper(_), TokenKind::Open) => {
                let is_inside = |&more: &usize| !matches!(ahead(more), TokenKind::Close | TokenKind::End);
                (2..).take_while(is_inside).count() + 2
            }
            (TokenKind::Upper(_), _) => 0,
            _ => return false,
        };
        ahead(1 + binders) == TokenKind::Colon
    }

    /// Behind the variables of a `let` stands its value, without a `=`.
    fn lacks_equals(&self) -> bool {
        use TokenKind::{Close, Comma, Equals, Lower, Open, Wildcard};
        let is_param = |kind| matches!(kind, Lower(_) | Open | Close | Comma | Wildcard);
        let count = (0..).take_while(|&count| is_param(self.ahead(count))).count();
        self.ahead(count) != Equals
    }

    /// The name at hand stands before its argument.
    fn is_applied(&self) -> bool {
        let is_case = || self.starts_line(1) && matches!(self.second(), TokenKind::Upper(_)) && self.is_case_at(1);
        let is_with = || {
            let word = if let TokenKind::Lower(name) = self.second() { self.names.text(name) } else { "" };
            matches!(word, "with" | "of") && self.ahead(2) == TokenKind::OpenBrace
        };
        begins_argument(self.second()) && !self.is_definition(1) && !is_case() && !is_with()
    }

    /// Of a definition in which a `}` is missing: the place where it should be, and the `match` that it would close. A
    /// brace that begins a line stands no further left than the line of its `match`.
    fn unclosed_match(&self) -> Option<(Span, Span)> {
        let before = self.before();
        let is_end = |at: &usize| before[*at].kind == TokenKind::Semicolon && !self.is_case_behind(*at);
        let first = (0..before.len()).rev().find(is_end).map_or(0, |at| at + 1);
        let (mut open, mut indent, mut subject) = (Vec::new(), 0, None);
        for (at, token) in before.iter().enumerate().skip(first) {
            if token.starts_line {
                indent = token.indent;
            }
            match token.kind {
                TokenKind::Match => subject = Some(token.span),
                TokenKind::OpenBrace => open.push((indent, subject.unwrap_or(token.span))),
                TokenKind::CloseBrace => {
                    let (opened, subject) = open.pop()?;
                    if token.starts_line && token.indent < opened {
                        let last = before[at.checked_sub(1)?].span;
                        return Some((Span { start: last.end, ..last }, subject));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// A semicolon in place of a comma.
    fn is_case_behind(&self, at: usize) -> bool {
        let rest = &self.before()[at + 1..];
        matches!(rest, [a, b, ..] if matches!(a.kind, TokenKind::Int(_) | TokenKind::Lower(_)) && b.kind == TokenKind::Colon)
    }

    /// A name before its argument, or before a list of them.
    fn apply(&mut self, name: TokenKind, start: Span, argument: Operand) -> Operand {
        let args = match self.tree.syntax(argument.id) {
            Syntax::Tuple(list) => list,
            _ => append(&mut self.tree.lists, &[argument.id]),
        };
        let syntax = match name {
            TokenKind::Upper(name) => Syntax::Construct(name, args),
            TokenKind::Lower(name) => Syntax::Call(name, args),
            _ => unreachable!("only names are applied"),
        };
        self.operand(syntax, join(start, argument.extent))
    }
}

/// What comes after an expression was put into its place.
enum Next {
    /// A larger one is complete.
    Operand(Operand),
    /// Another one is needed.
    More,
    End(Id),
}
