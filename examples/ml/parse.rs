//! Words to trees: the part of OCaml's grammar that the language has.

use crate::lex::{Sort, Token};
use crate::syntax::{Binding, Clause, Expr, Kind, Name};
use cleave_diag::{Diagnostic, Span, code};

pub(crate) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// How deep expressions may be nested.
const DEEPEST: u32 = 5000;
/// Elements of a list or an array in a program.
const LONGEST: usize = 50_000;

/// The operators that patterns may have bind at least like this.
const PATTERN: u8 = 5;

pub struct Parser {
    tokens: Vec<Token>,
    pub(crate) at: usize,
    depth: u32,
}

/// How tightly an operator binds, and whether to the right.
fn precedence(sign: &str) -> Option<(u8, bool)> {
    Some(match sign {
        "||" => (1, true),
        "&&" => (2, true),
        "=" | "<" | ">" | "<>" | "<=" | ">=" => (3, false),
        "^" | "@" => (4, true),
        "::" => (5, true),
        "+" | "-" | "+." | "-." => (6, false),
        "*" | "/" | "*." | "/." | "mod" | "land" | "lor" | "lxor" => (7, false),
        "lsl" | "lsr" | "asr" => (8, true),
        _ => return None,
    })
}

pub(crate) fn var(name: &str, span: Span) -> Expr {
    Expr::new(Kind::Var(name.into(), 0, Vec::new()), Vec::new(), span)
}

fn apply(name: &str, args: Vec<Expr>, span: Span) -> Expr {
    Expr::new(Kind::Apply, [var(name, span)].into_iter().chain(args).collect(), span)
}

pub(crate) fn match_of(value: Expr, pattern: Expr, body: Expr) -> Expr {
    let clauses = vec![Clause { pattern, guard: None, body }];
    Expr { clauses, ..Expr::new(Kind::Match, vec![value.clone()], value.span) }
}

impl Parser {
    pub fn new(tokens: Vec<Token>) -> Parser {
        Parser { tokens, at: 0, depth: 0 }
    }

    /// True if all words are read.
    pub fn is_at_end(&self) -> bool {
        self.token().sort == Sort::End
    }

    pub(crate) fn token(&self) -> &Token {
        &self.tokens[self.at]
    }
    pub(crate) fn is(&self, sign: &str) -> bool {
        self.token().sort == Sort::Sign && &*self.token().text == sign
    }
    fn is_any(&self, signs: &[&str]) -> bool {
        signs.iter().any(|sign| self.is(sign))
    }
    pub(crate) fn next(&mut self) -> Token {
        let token = self.token().clone();
        self.at += usize::from(token.sort != Sort::End);
        token
    }
    pub(crate) fn skip(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }
    pub(crate) fn wrong<T>(&self, wanted: &str) -> Result<T> {
        let Token { sort, text, span } = self.token();
        let found = if *sort == Sort::End { "the end of the file".into() } else { format!("`{text}`") };
        let message = format!("expected {wanted}, found {found}");
        Err(Box::new(Diagnostic::error(code::SYNTAX, message).at(*span, "")))
    }
    pub(crate) fn expect(&mut self, sign: &str) -> Result<()> {
        if self.skip(sign) { Ok(()) } else { self.wrong(&format!("`{sign}`")) }
    }
    pub(crate) fn name(&mut self, sort: Sort, wanted: &str) -> Result<Name> {
        if self.token().sort == sort { Ok(self.next().text) } else { self.wrong(wanted) }
    }
    pub(crate) fn since(&self, start: Span) -> Span {
        Span::new(start.file, start.start, self.tokens[self.at.max(1) - 1].span.end)
    }

    /// `let [rec] x = … and …`, and the pattern if there is one: then its value is that of a variable.
    pub(crate) fn bindings(&mut self) -> Result<(Kind, Vec<Expr>, Option<Expr>)> {
        self.expect("let")?;
        let (recursive, mut found, mut values, mut pattern) = (self.skip("rec"), Vec::new(), Vec::new(), None);
        while found.is_empty() || self.skip("and") {
            let start = self.token().span;
            let is_operator = self.is("(") && self.tokens.get(self.at + 2).is_some_and(|token| &*token.text == ")");
            let is_operator = is_operator && precedence(&self.tokens[self.at + 1].text).is_some();
            let next = self.tokens.get(self.at + 1).map_or("", |token| &*token.text);
            if (self.token().sort == Sort::Lower && !["::", ",", "as"].contains(&next)) || is_operator {
                found.push(binding(self.operator()?));
                let (params, start) = (self.params()?, self.token().span);
                let ty = if self.skip(":") { Some(self.type_expr()?) } else { None };
                self.expect("=")?;
                let mut body = self.expr()?;
                if let Some(ty) = ty {
                    body = Expr::new(Kind::Annotated(ty), vec![body], self.since(start));
                }
                values.push(self.lambda(params, body, start));
            } else {
                pattern = Some(self.pattern()?);
                found.push(binding("*pattern".into()));
                self.expect("=")?;
                values.push(self.expr()?);
            }
            if pattern.is_some() && (recursive || found.len() > 1) {
                let message = "a pattern is defined alone: `let pattern = …`";
                return Err(Box::new(Diagnostic::error(code::SYNTAX, message).at(self.since(start), "")));
            }
        }
        Ok((Kind::Let(recursive, found), values, pattern))
    }

    fn params(&mut self) -> Result<Vec<Expr>> {
        let mut params = Vec::new();
        while self.starts_atom() {
            params.push(self.atom()?);
        }
        Ok(params)
    }

    /// A function of patterns.
    fn lambda(&self, params: Vec<Expr>, mut body: Expr, start: Span) -> Expr {
        if params.is_empty() {
            return body;
        }
        let mut names = Vec::new();
        for (at, pattern) in params.into_iter().enumerate().rev() {
            let name = match &pattern.kind {
                Kind::Var(name, ..) => name.clone(),
                _ => format!("*{at}").into(),
            };
            if !matches!(pattern.kind, Kind::Var(..)) {
                body = match_of(var(&name, pattern.span), pattern, body);
            }
            names.insert(0, (name, 0, 0));
        }
        // `fun x -> fun y -> e` is `fun x y -> e`.
        if let Kind::Lambda(_, more) = &mut body.kind {
            names.append(more);
            body = body.parts.remove(0);
        }
        Expr::new(Kind::Lambda(0, names), vec![body], self.since(start))
    }

    fn clauses(&mut self) -> Result<Vec<Clause>> {
        let mut clauses = Vec::new();
        self.skip("|");
        while clauses.is_empty() || self.skip("|") {
            let pattern = self.pattern()?;
            let guard = if self.skip("when") { Some(self.expr()?) } else { None };
            self.expect("->")?;
            clauses.push(Clause { pattern, guard, body: self.expr()? });
        }
        Ok(clauses)
    }

    /// A pattern is what looks like an expression, perhaps with `|` and `as`.
    fn pattern(&mut self) -> Result<Expr> {
        let pattern = self.tuple(PATTERN)?;
        self.pattern_after(pattern)
    }
    fn pattern_after(&mut self, first: Expr) -> Result<Expr> {
        let (start, mut parts) = (first.span, vec![first]);
        while self.skip("|") {
            parts.push(self.tuple(PATTERN)?);
        }
        let mut pattern = parts.remove(0);
        if !parts.is_empty() {
            parts.insert(0, pattern);
            pattern = Expr::new(Kind::Alternatives, parts, self.since(start));
        }
        while self.skip("as") {
            let name = self.name(Sort::Lower, "a name")?;
            pattern = Expr::new(Kind::Alias(name, 0), vec![pattern], self.since(start));
        }
        Ok(pattern)
    }

    /// Expressions with `;` between them.
    pub fn expr(&mut self) -> Result<Expr> {
        let start = self.token().span;
        let first = self.statement()?;
        let ends = [")", "]", "|]", "end", "done", "|", "and", "in", "then", "else", "with", "do"];
        if !self.skip(";") || self.is_at_end() || self.is_any(&ends) {
            return Ok(first);
        }
        let second = self.deeper(Parser::expr)?;
        Ok(Expr::new(Kind::Seq, vec![first, second], self.since(start)))
    }

    fn statement(&mut self) -> Result<Expr> {
        self.deeper(Parser::statement_below)
    }

    /// What is within something else, unless that is too deep.
    pub(crate) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Parser) -> Result<T>) -> Result<T> {
        self.depth += 1;
        self.check_depth(0)?;
        let found = parse(self);
        self.depth -= 1;
        found
    }

    /// Says so if what is around this, and so many more, are too many.
    pub(crate) fn check_depth(&self, more: u32) -> Result<()> {
        if self.depth + more <= DEEPEST {
            return Ok(());
        }
        let wrong = Diagnostic::error(code::TOO_MUCH, "this is nested too deeply").at(self.token().span, "");
        let help = format!("at most {DEEPEST} can be within one another, operands too; give a part a name");
        Err(Box::new(wrong.help(help)))
    }

    fn statement_below(&mut self) -> Result<Expr> {
        let start = self.token().span;
        let (kind, parts, clauses) = if self.is("let") {
            let (kind, mut parts, pattern) = self.bindings()?;
            self.expect("in")?;
            let body = self.expr()?;
            if let Some(pattern) = pattern {
                return Ok(Expr { span: self.since(start), ..match_of(parts.remove(0), pattern, body) });
            }
            parts.push(body);
            (kind, parts, Vec::new())
        } else if self.skip("fun") {
            let params = self.params()?;
            self.expect("->")?;
            let body = self.expr()?;
            return Ok(self.lambda(params, body, start));
        } else if self.skip("function") {
            let body =
                Expr { clauses: self.clauses()?, ..Expr::new(Kind::Match, vec![var("*function", start)], start) };
            return Ok(self.lambda(vec![var("*function", start)], body, start));
        } else if self.is_any(&["match", "try"]) {
            let kind = if self.next().text.len() == 5 { Kind::Match } else { Kind::Try(0) };
            let value = self.expr()?;
            self.expect("with")?;
            (kind, vec![value], self.clauses()?)
        } else if self.skip("if") {
            let condition = self.statement()?;
            self.expect("then")?;
            let mut parts = vec![condition, self.statement()?];
            parts.push(match self.skip("else") {
                true => self.statement()?,
                false => Expr::new(Kind::Const(0, "unit"), Vec::new(), start),
            });
            (Kind::If, parts, Vec::new())
        } else if self.skip("while") {
            let condition = self.expr()?;
            self.expect("do")?;
            let parts = vec![condition, self.expr()?];
            self.expect("done")?;
            (Kind::While, parts, Vec::new())
        } else if self.skip("for") {
            let name = self.name(Sort::Lower, "a name")?;
            self.expect("=")?;
            let from = self.expr()?;
            let is_upwards = self.skip("to");
            if !is_upwards {
                self.expect("downto")?;
            }
            let to = self.expr()?;
            self.expect("do")?;
            let parts = vec![from, to, self.expr()?];
            self.expect("done")?;
            (Kind::For(name, 0, is_upwards), parts, Vec::new())
        } else {
            let left = self.tuple(0)?;
            if !self.is_any(&[":=", "<-"]) {
                return Ok(left);
            }
            let sign = self.next();
            let right = self.statement()?;
            return match (&*sign.text, &left.parts[..]) {
                (":=", _) => Ok(apply(":=", vec![left, right], sign.span)),
                (_, [head, array, index]) if matches!(&head.kind, Kind::Var(get, ..) if &**get == "Array.get") => {
                    Ok(apply("Array.set", vec![array.clone(), index.clone(), right], left.span))
                }
                _ => {
                    let message = "only elements of arrays can be written with `<-`";
                    Err(Box::new(Diagnostic::error(code::SYNTAX, message).at(left.span, "")))
                }
            };
        };
        Ok(Expr { clauses, ..Expr::new(kind, parts, self.since(start)) })
    }

    fn tuple(&mut self, least: u8) -> Result<Expr> {
        let start = self.token().span;
        let mut parts = vec![self.binary(least)?];
        while self.skip(",") {
            parts.push(self.binary(least)?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::new(Kind::Tuple, parts, self.since(start)) })
    }

    fn binary(&mut self, least: u8) -> Result<Expr> {
        let start = self.token().span;
        let mut left = self.unary()?;
        let mut signs = 0;
        while let Some((level, is_right)) = precedence(&self.token().text).filter(|found| found.0 >= least)
            && self.token().sort == Sort::Sign
        {
            signs += 1;
            self.check_depth(signs)?;
            let sign = self.next();
            let right = self.deeper(|parser| parser.binary(level + u8::from(!is_right)))?;
            left = match &*sign.text {
                "::" => Expr::new(Kind::Con(sign.text), vec![left, right], self.since(start)),
                "&&" => Expr::new(Kind::And, vec![left, right], self.since(start)),
                "||" => Expr::new(Kind::Or, vec![left, right], self.since(start)),
                _ => Expr { span: self.since(start), ..apply(&sign.text, vec![left, right], sign.span) },
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr> {
        if self.is_any(&["let", "fun", "function", "match", "try", "if"]) {
            return self.statement();
        }
        let start = self.token().span;
        if self.is_any(&["-", "-."]) {
            let sign = self.next().text;
            let operand = self.deeper(Parser::unary)?;
            return Ok(match operand.kind {
                Kind::Const(number, "int") => Expr { kind: Kind::Const(-number, "int"), ..operand },
                Kind::Real(number) => Expr { kind: Kind::Real(-number), ..operand },
                _ => apply(&format!("~{sign}"), vec![operand], start),
            });
        }
        let mut parts = vec![self.postfix()?];
        while self.starts_atom() {
            parts.push(self.postfix()?);
        }
        let mut head = parts.remove(0);
        match (&head.kind, parts.len()) {
            (_, 0) => Ok(head),
            (Kind::Con(_), 1) if head.parts.is_empty() => {
                head.parts = parts;
                Ok(Expr { span: self.since(start), ..head })
            }
            _ => {
                parts.insert(0, head);
                Ok(Expr::new(Kind::Apply, parts, self.since(start)))
            }
        }
    }

    fn starts_atom(&self) -> bool {
        match self.token().sort {
            Sort::Sign => self.is_any(&["(", "[", "[|", "begin", "!", "true", "false", "_"]),
            sort => !matches!(sort, Sort::End | Sort::TypeVariable),
        }
    }

    fn postfix(&mut self) -> Result<Expr> {
        let mut left = self.atom()?;
        let mut indices = 0;
        while self.is_any(&[".(", ".["]) {
            indices += 1;
            self.check_depth(indices)?;
            let is_array = &*self.next().text == ".(";
            let index = self.expr()?;
            self.expect(if is_array { ")" } else { "]" })?;
            let span = self.since(left.span);
            left = apply(if is_array { "Array.get" } else { "String.get" }, vec![left, index], span);
        }
        Ok(left)
    }

    fn atom(&mut self) -> Result<Expr> {
        let Token { sort, text, span } = self.token().clone();
        let is_operator = |token: &Token| token.sort == Sort::Sign && precedence(&token.text).is_some();
        let leaf = |kind| Ok(Expr::new(kind, Vec::new(), span));
        if !self.starts_atom() {
            return self.wrong("an expression");
        }
        self.next();
        match (sort, &*text) {
            (Sort::Int, _) => {
                let digits = text.replace('_', "");
                let number = match digits.strip_prefix("0x") {
                    Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16).ok(),
                    None => digits.parse().ok(),
                };
                let wrong = || Diagnostic::error(code::OPERAND_RANGE, "no integer of 64 bits is written like this");
                leaf(Kind::Const(number.ok_or_else(|| Box::new(wrong().at(span, "")))?, "int"))
            }
            (Sort::Real, _) => {
                let wrong = || Diagnostic::error(code::SYNTAX, "no number is written like this").at(span, "");
                leaf(Kind::Real(text.replace('_', "").parse().map_err(|_| Box::new(wrong()))?))
            }
            (Sort::Char, _) => leaf(Kind::Const(text.chars().next().map_or(0, |c| c as i64 & 255), "char")),
            (Sort::Text, _) => leaf(Kind::Text(text.chars().map(|c| c as u8).collect())),
            (Sort::Lower, _) => leaf(Kind::Var(text, 0, Vec::new())),
            (Sort::Upper, _) => leaf(Kind::Con(text)),
            (_, "true" | "false") => leaf(Kind::Const(i64::from(&*text == "true"), "bool")),
            (_, "_") => leaf(Kind::Any),
            (_, "!") => Ok(apply("!", vec![self.deeper(Parser::atom)?], span)),
            (_, "(") if self.skip(")") => leaf(Kind::Const(0, "unit")),
            (_, "(") if is_operator(self.token()) && &*self.tokens[self.at + 1].text == ")" => {
                let name = self.next().text;
                self.next();
                Ok(var(&name, span))
            }
            (_, "[" | "[|") => {
                let (close, mut parts) = (if &*text == "[" { "]" } else { "|]" }, Vec::new());
                while !self.is(close) && (parts.is_empty() || self.skip(";")) && !self.is(close) {
                    parts.push(self.statement()?);
                }
                if parts.len() > LONGEST {
                    let message = format!("a list that is written down has at most {LONGEST} elements");
                    return Err(Box::new(Diagnostic::error(code::TOO_MUCH, message).at(span, "")));
                }
                self.expect(close)?;
                if close == "|]" {
                    return Ok(Expr::new(Kind::Array, parts, self.since(span)));
                }
                let end = Expr::new(Kind::Con("[]".into()), Vec::new(), self.since(span));
                let cons = |tail, head: Expr| Expr {
                    span: head.span,
                    ..Expr::new(Kind::Con("::".into()), vec![head, tail], span)
                };
                Ok(parts.into_iter().rev().fold(end, cons))
            }
            _ => {
                let inner = self.expr()?;
                let mut inner = self.pattern_after(inner)?;
                if self.skip(":") {
                    inner = Expr::new(Kind::Annotated(self.type_expr()?), vec![inner], self.since(span));
                }
                self.expect(if &*text == "begin" { "end" } else { ")" })?;
                Ok(inner)
            }
        }
    }
}

pub(crate) fn binding(name: Name) -> Binding {
    Binding { name, id: 0, ty: 0, generics: Vec::new() }
}
