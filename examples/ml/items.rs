//! Words to the items of a program: definitions, types, exceptions.

use crate::lex::Sort;
use crate::parse::{Parser, Result, binding, match_of, var};
use crate::syntax::{Expr, Item, Kind, Name, TypeExpr};

impl Parser {
    /// The items of a text.
    pub fn items(&mut self) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        while !self.is_at_end() {
            if self.skip(";;") {
            } else if self.skip("type") {
                self.types(&mut items)?;
            } else if self.skip("exception") {
                let name = self.name(Sort::Upper, "the name of an exception")?;
                items.push(Item::Exception(name, self.arguments()?));
            } else if self.skip("external") {
                let name = self.operator()?;
                self.expect(":")?;
                let ty = self.type_expr()?;
                self.expect("=")?;
                items.push(Item::External(binding(name), ty, self.name(Sort::Text, "a string")?));
            } else if self.is("let") {
                self.top_let(&mut items)?;
            } else {
                items.push(Item::Value(self.expr()?));
            }
        }
        Ok(items)
    }

    /// A definition without a body; with one it is an expression.
    fn top_let(&mut self, items: &mut Vec<Item>) -> Result<()> {
        let (before, start) = (self.at, self.token().span);
        let (kind, mut parts, pattern) = self.bindings()?;
        if self.is("in") {
            self.at = before;
            items.push(Item::Value(self.expr()?));
            return Ok(());
        }
        let mut bound = Vec::new();
        if let Some(pattern) = &pattern {
            pattern.each(&mut |part| {
                bound.extend(match &part.kind {
                    Kind::Var(name, ..) | Kind::Alias(name, _) => Some(name.clone()),
                    _ => None,
                });
                true
            });
            if bound.is_empty() {
                let value = parts.pop().unwrap_or_else(|| var("", start));
                let body = Expr::new(Kind::Const(0, "unit"), Vec::new(), start);
                items.push(Item::Value(match_of(value, pattern.clone(), body)));
                return Ok(());
            }
        }
        items.push(Item::Value(Expr::new(kind, parts, self.since(start))));
        // Each variable of a pattern is selected from the value.
        for name in bound {
            let body =
                match_of(var("*pattern", start), pattern.clone().unwrap_or_else(|| var("", start)), var(&name, start));
            items.push(Item::Value(Expr::new(Kind::Let(false, vec![binding(name)]), vec![body], start)));
        }
        Ok(())
    }

    /// `type … = … and …`.
    fn types(&mut self, items: &mut Vec<Item>) -> Result<()> {
        loop {
            let start = self.token().span;
            let mut params = Vec::new();
            let listed = self.skip("(");
            while self.token().sort == Sort::TypeVariable {
                params.push(self.next().text);
                self.skip(",");
            }
            if listed {
                self.expect(")")?;
            }
            let (name, mut constructors) = (self.name(Sort::Lower, "the name of a type")?, Vec::new());
            let span = self.since(start);
            self.expect("=")?;
            self.skip("|");
            while constructors.is_empty() || self.skip("|") {
                let name = match self.skip("[") {
                    true => self.expect("]").map(|()| "[]".into())?,
                    false if self.is("(") => self.operator()?,
                    false => self.name(Sort::Upper, "a constructor")?,
                };
                constructors.push((name, self.arguments()?));
            }
            items.push(Item::Type(name, params, constructors, span));
            if !self.skip("and") {
                return Ok(());
            }
        }
    }

    /// `of t * t`, of a constructor.
    fn arguments(&mut self) -> Result<Vec<TypeExpr>> {
        let mut found = Vec::new();
        let more = self.skip("of");
        while more && (found.is_empty() || self.skip("*")) {
            found.push(self.type_atom()?);
        }
        Ok(found)
    }

    pub(crate) fn type_expr(&mut self) -> Result<TypeExpr> {
        let start = self.token().span;
        let mut parts = vec![self.type_atom()?];
        while self.skip("*") {
            parts.push(self.type_atom()?);
        }
        let left = if parts.len() == 1 { parts.remove(0) } else { TypeExpr("*".into(), parts, self.since(start)) };
        if !self.skip("->") {
            return Ok(left);
        }
        let right = self.deeper(Parser::type_expr)?;
        Ok(TypeExpr("->".into(), vec![left, right], self.since(start)))
    }

    fn type_atom(&mut self) -> Result<TypeExpr> {
        let start = self.token().span;
        let mut args = Vec::new();
        if self.skip("(") {
            while args.is_empty() || self.skip(",") {
                args.push(self.deeper(Parser::type_expr)?);
            }
            self.expect(")")?;
        } else if self.token().sort == Sort::TypeVariable {
            args.push(TypeExpr(self.next().text, Vec::new(), start));
        } else {
            let name = self.name(Sort::Lower, "a type")?;
            args.push(TypeExpr(name, Vec::new(), start));
        }
        let mut names = 0;
        while self.token().sort == Sort::Lower {
            names += 1;
            self.check_depth(names)?;
            args = vec![TypeExpr(self.next().text, args, self.since(start))];
        }
        if args.len() == 1 { Ok(args.remove(0)) } else { self.wrong("the name of a type") }
    }

    /// `x`, or `( + )`.
    pub(crate) fn operator(&mut self) -> Result<Name> {
        if !self.skip("(") {
            return self.name(Sort::Lower, "a name");
        }
        let name = self.next().text;
        self.expect(")").map(|()| name)
    }
}
