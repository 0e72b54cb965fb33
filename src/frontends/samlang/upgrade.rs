//! Programs of 2021 in today's language. The syntax tree says what is written otherwise; what has no counterpart is
//! reported, and then nothing is changed.
//!
//! Functions of the library are not looked at: those of today have other names and parameters.

mod edits;

use crate::dialect::{Dialect, OldForm};
use crate::lex::{Name, Names, Token, TokenKind, lex};
use crate::modules::library;
use crate::parse::parse;
use crate::syntax::{
    Body, Class, Expr, ExprId, Form, Ident, Module, Param, Pattern, PatternId, Statement, TypeSyntax, TypeSyntaxKind,
};
use cleave_diag::{Diagnostic, FileId, Sink, SourceMap, Span, code};
use edits::{Edits, Part};

/// The text of a file in today's language, in its form; nothing if it cannot be read, or has no counterpart.
pub fn upgrade(file: FileId, sources: &SourceMap, sink: &mut Sink) -> Option<String> {
    let bytes = &sources.file(file).bytes;
    let mut names = Names::default();
    let before = sink.error_count();
    let tokens = lex(file, bytes, &mut names, None, sink);
    let module = parse("", bytes, file, &tokens, &names, sink);
    let text = std::str::from_utf8(bytes).ok().filter(|_| sink.error_count() == before)?;
    if module.is_today() {
        return crate::format::format(file, sources, sink);
    }
    let edits = Edits::default();
    let mut upgrade = Upgrade { file, tokens: &tokens, names: &names, module: &module, sink, edits, ignored: 0 };
    upgrade.module();
    let edits = std::mem::take(&mut upgrade.edits);
    if sink.error_count() > before {
        return None;
    }
    let text = edits.apply(text);
    let mut changed = SourceMap::new();
    let shown = sources.file(file).name.clone();
    let new = changed.add(shown, text.into_bytes());
    crate::format::format(new, &changed, sink)
}

struct Upgrade<'u> {
    file: FileId,
    tokens: &'u [Token],
    names: &'u Names,
    module: &'u Module,
    sink: &'u mut Sink,
    edits: Edits,
    /// Names for parameters without one.
    ignored: u32,
}

/// The functions that are built in, and those of today.
const BUILT_IN: [(&str, &str); 3] =
    [("println", "Process.println"), ("panic", "Process.panic"), ("intToString", "Str.fromInt")];

impl Upgrade<'_> {
    fn module(&mut self) {
        let module = self.module;
        let mut tuples: Vec<usize> = Vec::new();
        for class in &module.classes {
            let mut types: Vec<&TypeSyntax> = class.interfaces.iter().collect();
            types.extend(class.params.iter().filter_map(|param| param.bound.as_ref()));
            match &class.form {
                Form::Object(fields) => types.extend(fields.iter().map(|field| &field.ty)),
                Form::Enum(variants) => types.extend(variants.iter().flat_map(|variant| &variant.fields)),
                Form::Space | Form::Interface => {}
            }
            for member in &class.members {
                types.extend(member.type_params.iter().filter_map(|param| param.bound.as_ref()));
                types.extend(member.params.iter().filter_map(|param| param.ty.as_ref()));
                types.push(&member.result);
                member.params.iter().for_each(|param| self.param(param));
                if let Some(body) = &member.body {
                    self.body(class, body, &mut types);
                }
            }
            types.into_iter().for_each(|ty| self.ty(ty, &mut tuples));
        }
        self.words();
        for &(form, span) in &module.old {
            match form {
                OldForm::NoSemicolon => self.edits.insert(span.end, ";"),
                OldForm::NoComma => self.edits.insert(span.end, ","),
                OldForm::LeadingBar | OldForm::MemberSemicolon => self.edits.replace(span, ""),
                OldForm::LiteralPattern => self.report(span, "a pattern that is a number, a truth value or a string"),
                OldForm::Operand => self.report(span, "an `if` or `match` as an operand, without parentheses"),
                OldForm::ThenAsName => self.report(span, "the name `then`"),
                _ => {}
            }
        }
        if !tuples.is_empty() {
            tuples.sort_unstable();
            tuples.dedup();
            let names: Vec<String> = tuples.into_iter().map(tuple).collect();
            self.edits.insert(0, &format!("import {{ {} }} from std.tuples;\n", names.join(", ")));
        }
    }

    fn report(&mut self, span: Span, what: &str) {
        self.sink.report_in(self.file, || {
            let message = format!("this has no counterpart in today's language: {what}");
            Diagnostic::error(code::SYNTAX, message).at(span, "").help("write it otherwise, then upgrade the rest")
        });
    }

    /// Words that are written otherwise wherever they stand.
    fn words(&mut self) {
        for (at, token) in self.tokens.iter().enumerate() {
            let before = if at > 0 { self.tokens[at - 1].kind } else { TokenKind::Bad };
            match token.kind {
                TokenKind::TextType => self.edits.replace(token.span, "Str"),
                TokenKind::Val if !matches!(before, TokenKind::Open | TokenKind::Comma | TokenKind::Private) => {
                    self.edits.replace(token.span, "let");
                }
                _ => {}
            }
        }
    }

    /// Today's types of tuples are classes.
    fn ty(&mut self, ty: &TypeSyntax, tuples: &mut Vec<usize>) {
        match &ty.kind {
            TypeSyntaxKind::Tuple(parts) => {
                tuples.push(parts.len());
                let last = Span { start: ty.span.end - 1, ..ty.span };
                self.edits.replace(Span { end: ty.span.start + 1, ..ty.span }, &format!("{}<", tuple(parts.len())));
                self.edits.replace(last, ">");
                for pair in parts.windows(2) {
                    let star = self.between(pair[0].span.end, pair[1].span.start, TokenKind::Times);
                    star.into_iter().for_each(|star| self.edits.replace(star, ","));
                }
                parts.iter().for_each(|part| self.ty(part, tuples));
            }
            TypeSyntaxKind::Named(_, parts) => parts.iter().for_each(|part| self.ty(part, tuples)),
            TypeSyntaxKind::Function(params, result) => {
                params.iter().chain([&**result]).for_each(|part| self.ty(part, tuples));
            }
            _ => {}
        }
    }

    /// The place of a word between two others.
    fn between(&self, start: u32, end: u32, word: TokenKind) -> Option<Span> {
        let first = self.tokens.partition_point(|token| token.span.start < start);
        let inside = self.tokens[first..].iter().take_while(|token| token.span.start < end);
        inside.into_iter().find(|token| token.kind == word).map(|token| token.span)
    }

    fn param(&mut self, param: &Param) {
        if param.name.is_none() {
            self.ignored += 1;
            let name = format!("ignored{}", self.ignored);
            self.edits.replace(param.span, &name);
        }
    }

    /// The first word after a place.
    fn at(&self, place: u32) -> usize {
        self.tokens.partition_point(|token| token.span.start < place)
    }

    /// An expression with the parentheses around it that stand after the word of this number.
    fn whole(&self, body: &Body, id: ExprId, before: usize) -> (u32, u32) {
        let span = body.span(id);
        let first = self.at(span.start);
        let opened = first - before - 1;
        let last = self.at(span.end) + opened;
        (self.tokens[before + 1].span.start, self.tokens[last - 1].span.end)
    }

    fn body<'t>(&mut self, class: &Class, body: &'t Body, types: &mut Vec<&'t TypeSyntax>) {
        let called: Vec<ExprId> = body.exprs.iter().filter_map(|(expr, _)| callee(expr)).collect();
        for (number, (expr, span)) in body.exprs.iter().enumerate() {
            let id = ExprId(number as u32);
            match expr {
                Expr::Variant(name) => self.variant(class, *name, *span, called.contains(&id)),
                Expr::Static { class: of, member, types: given } => {
                    types.extend(given);
                    self.static_member(body, id, (*of, *member), *span, called.contains(&id));
                }
                Expr::Field { types: given, .. } => types.extend(given),
                Expr::Object(fields) => self.object(class, fields, body, *span),
                Expr::Tuple(_) => {
                    self.edits.replace(Span { end: span.start + 1, ..*span }, "(");
                    self.edits.replace(Span { start: span.end - 1, ..*span }, ")");
                }
                Expr::If { branches, otherwise } => {
                    let bodies: Vec<ExprId> = branches.iter().map(|branch| branch.1).collect();
                    self.branches(body, &bodies, *otherwise, span.end);
                }
                Expr::Lambda { params, .. } => {
                    types.extend(params.iter().filter_map(|param| param.ty.as_ref()));
                    params.iter().for_each(|param| self.param(param));
                }
                Expr::Block { statements, .. } => types.extend(statements.iter().filter_map(|it| match it {
                    Statement::Val { ty, .. } => ty.as_ref(),
                    Statement::Expr(_) => None,
                })),
                _ => {}
            }
        }
        for (pattern, span) in &body.patterns {
            self.pattern(pattern, *span, body);
        }
    }

    /// A variant after its class; one without fields is a function, too.
    fn variant(&mut self, class: &Class, name: Name, span: Span, is_called: bool) {
        let own = |class: &Class| match &class.form {
            Form::Enum(variants) => variants.iter().find(|it| it.name.name == name).map(|it| it.fields.is_empty()),
            _ => None,
        };
        let Some(is_empty) = own(class) else {
            return self.report(span, "a variant of no class that is known here");
        };
        let (of, text) = (self.names.text(class.name.name), self.names.text(name));
        let call = if is_empty && !is_called { "()" } else { "" };
        self.edits.replace(span, &format!("{of}.{text}{call}"));
    }

    fn static_member(&mut self, body: &Body, id: ExprId, (of, member): (Ident, Ident), span: Span, is_called: bool) {
        let (class, text) = (self.names.text(of.name), self.names.text(member.name));
        if class == "Builtins" {
            if let Some((_, today)) = BUILT_IN.iter().find(|known| known.0 == text) {
                let end = member.span.end;
                return self.edits.replace(Span { end, ..of.span }, today);
            }
            let call = body.exprs.iter().find_map(|(expr, span)| match expr {
                Expr::Call { callee, args } if *callee == id && args.len() == 1 => Some((args[0], *span)),
                _ => None,
            });
            return match call.filter(|_| text == "stringToInt") {
                Some((arg, whole)) => {
                    let (start, end) = self.whole(body, arg, self.at(span.end));
                    let parts = [Part::text("("), Part::Source(start, end), Part::text(").toInt()")];
                    self.edits.rebuild(whole, parts.into());
                }
                None => self.report(span, &format!("`Builtins.{text}`")),
            };
        }
        let is_variant = text.starts_with(|first: char| first.is_ascii_uppercase());
        let fields =
            self.module.classes.iter().find(|known| known.name.name == of.name).map(|known| match &known.form {
                Form::Enum(variants) => variants.iter().any(|it| it.name.name == member.name && it.fields.is_empty()),
                _ => false,
            });
        let is_empty = fields.unwrap_or_else(|| is_empty_in_library(class, text));
        if is_variant && is_empty && !is_called {
            self.edits.insert(span.end, "()");
        }
    }

    /// `{ a: e, b }` becomes `Class.init(e, b)`, in the order of the fields.
    fn object(&mut self, class: &Class, fields: &[(Ident, Option<ExprId>)], body: &Body, span: Span) {
        let Form::Object(known) = &class.form else { return };
        let mut parts = vec![Part::Text(format!("{}.init(", self.names.text(class.name.name)))];
        for (number, field) in known.iter().enumerate() {
            let Some((name, value)) = fields.iter().find(|given| given.0.name == field.name.name) else {
                return self.report(span, "an object without all of its fields");
            };
            if number > 0 {
                parts.push(Part::text(", "));
            }
            let (start, end) = match value {
                Some(value) => self.whole(body, *value, self.at(name.span.end)),
                None => (name.span.start, name.span.end),
            };
            parts.push(Part::Source(start, end));
        }
        parts.push(Part::text(")"));
        self.edits.rebuild(span, parts);
    }

    /// Branches stand in braces, and there is always a last one.
    fn branches(&mut self, body: &Body, bodies: &[ExprId], otherwise: Option<ExprId>, end: u32) {
        let mut has_then = false;
        for &branch in bodies {
            let mut before = self.at(body.span(branch).start);
            while before > 0 && self.tokens[before - 1].kind == TokenKind::Open {
                before -= 1;
            }
            let word = self.tokens[before - 1];
            has_then = word.kind == TokenKind::Then;
            if !has_then {
                continue;
            }
            let (_, end) = self.whole(body, branch, before - 1);
            let is_block =
                matches!(body.expr(branch), Expr::Block { .. }) && self.tokens[before].kind == TokenKind::OpenBrace;
            self.edits.replace(word.span, if is_block { "" } else { "{" });
            if !is_block {
                self.edits.insert(end, " }");
            }
        }
        let Some(last) = otherwise else {
            return self.edits.insert(end, " else {  }");
        };
        let mut before = self.at(body.span(last).start);
        while before > 0 && self.tokens[before - 1].kind == TokenKind::Open {
            before -= 1;
        }
        let is_bare = self.tokens[before].kind != TokenKind::Open;
        let is_block = matches!(body.expr(last), Expr::Block { .. } | Expr::If { .. }) && is_bare;
        if has_then && !is_block {
            let (start, end) = self.whole(body, last, before - 1);
            self.edits.insert(start, "{ ");
            self.edits.insert(end, " }");
        }
    }

    fn pattern(&mut self, pattern: &Pattern, span: Span, body: &Body) {
        match pattern {
            Pattern::Tuple(parts) if parts.len() > 1 => {
                self.edits.replace(Span { end: span.start + 1, ..span }, "(");
                self.edits.replace(Span { start: span.end - 1, ..span }, ")");
            }
            Pattern::Variant { class, variant, fields } => {
                if let Some(class) = class {
                    self.edits.replace(Span { end: variant.span.start, ..class.span }, "");
                }
                let behind = self.at(variant.span.end);
                let has_parentheses = self.tokens[behind].kind == TokenKind::Open;
                match &fields.as_deref() {
                    Some([]) => self.edits.replace(Span { start: variant.span.end, ..span }, ""),
                    Some([one]) if !has_parentheses => {
                        self.edits.insert(body.pattern_span(*one).start, "(");
                        self.edits.insert(span.end, ")");
                    }
                    _ => {}
                }
            }
            Pattern::Object(fields) => {
                for (field, pattern) in fields {
                    let start = body.pattern_span(*pattern).start;
                    if let Some(colon) = self.between(field.span.end, start, TokenKind::Colon) {
                        self.edits.replace(colon, " as");
                    }
                }
                let missing = self.left_out(fields);
                if !missing.is_empty() {
                    self.edits.insert(span.end - 1, &missing);
                }
            }
            _ => {}
        }
    }

    /// The fields that a pattern leaves out, if only one class has those that it names: today it names all.
    fn left_out(&self, fields: &[(Ident, PatternId)]) -> String {
        let has_all = |class: &&Class| match &class.form {
            Form::Object(known) => {
                fields.iter().all(|(field, _)| known.iter().any(|known| known.name.name == field.name))
            }
            _ => false,
        };
        let mut classes = self.module.classes.iter().filter(has_all);
        let (Some(Class { form: Form::Object(known), .. }), None) = (classes.next(), classes.next()) else {
            return String::new();
        };
        let missing = known.iter().filter(|known| !fields.iter().any(|(field, _)| field.name == known.name.name));
        missing.map(|known| format!(", {} as _", self.names.text(known.name.name))).collect()
    }
}

/// The name of the class of tuples with so many parts.
fn tuple(parts: usize) -> String {
    match parts {
        2 => "Pair".into(),
        3 => "Triple".into(),
        parts => format!("Tuple{parts}"),
    }
}

fn callee(expr: &Expr) -> Option<ExprId> {
    if let Expr::Call { callee, .. } = expr { Some(*callee) } else { None }
}

/// A class of the library has this variant, and that has no fields.
fn is_empty_in_library(class: &str, variant: &str) -> bool {
    let heads = library(Dialect::Of2021).iter().flat_map(|module| module.1.lines());
    let mut heads = heads.filter_map(|line| line.strip_prefix("class ")?.strip_prefix(class)?.split_once('('));
    heads.any(|(_, variants)| {
        let mut words = variants.split([' ', '(', ')']);
        words.any(|word| word.strip_suffix(',') == Some(variant))
    })
}
