//! Imports, classes and their members.

use super::words::MODIFIERS;
use super::{Parsed, Parser, Skip, basic};
use crate::dialect::OldForm;
use crate::lex::TokenKind;
use crate::syntax::{Body, Class, Field, Form, Ident, Import, Member, Param, TypeParam, TypeSyntax, Variant, join};
use std::borrow::Cow;

impl Parser<'_> {
    pub(super) fn import(&mut self) -> Parsed<Import> {
        let first = self.advance();
        self.expect(TokenKind::OpenBrace, "before the imported names")?;
        let names =
            self.list(TokenKind::CloseBrace, "behind an imported name", |parser| parser.upper("the name of a class"))?;
        self.expect(TokenKind::From, "behind the imported names")?;
        let start = self.span();
        let mut module = String::new();
        loop {
            match self.word() {
                TokenKind::Upper(name) | TokenKind::Lower(name) | TokenKind::Reserved(name) => {
                    module += self.names.text(name)
                }
                word => match word.keyword() {
                    Some(text) => module += text,
                    None => return Err(self.unexpected("the name of a module", None)),
                },
            }
            self.advance();
            if !self.accept(TokenKind::Dot) {
                break;
            }
            module.push('.');
            self.behind_dot("the name of a module")?;
        }
        let span = join(start, self.last());
        if !self.begins_line() && matches!(self.word(), TokenKind::Lower(_) | TokenKind::Upper(_)) {
            let help = "a name of a module is one word with dots in it: `std.list`";
            return Err(self.unexpected("the end of the import", Some(help)));
        }
        if self.word() == TokenKind::Divide {
            let help = "the parts of its name have dots between them: `std.list`";
            return Err(self.unexpected("`.` in the name of a module", Some(help)));
        }
        self.accept(TokenKind::Semicolon);
        let extent = join(first, self.last());
        Ok(Import { names, module, span, extent })
    }

    pub(super) fn class(&mut self) -> Parsed<Class> {
        let start = self.span();
        let is_private = self.accept(TokenKind::Private);
        let is_abstract = matches!(self.word(), TokenKind::Lower(name) if self.names.text(name) == "abstract")
            && self.ahead(1) == TokenKind::Class;
        if is_abstract {
            let help = "methods without bodies stand in an `interface`: `interface Name { method f(): int }`";
            self.error(start, "there is no `abstract`", help);
            self.advance();
        }
        let is_interface = match self.word() {
            TokenKind::Class if is_abstract => true,
            TokenKind::Class => false,
            TokenKind::Interface => true,
            TokenKind::Import => return Err(self.unexpected("`class` or `interface`", Some("imports stand first"))),
            TokenKind::Function | TokenKind::Method => {
                let help = "functions and methods stand in a class: `class Main { … }`";
                let is_behind = self.at > 0 && self.tokens[self.at - 1].kind == TokenKind::CloseBrace;
                if let Some(skip) = is_behind.then(|| self.glued_brace()).flatten() {
                    return Err(skip);
                }
                if is_behind && self.class.is_some() {
                    let help =
                        format!("{help}, and the class before ended with the `}}` in line {}", self.line_of_last());
                    return Err(self.unexpected("`class` or `interface`", Some(&help)));
                }
                return Err(self.unexpected("`class` or `interface`", Some(help)));
            }
            TokenKind::CloseBrace => return Err(self.stray_brace()),
            TokenKind::Lower(name) if matches!(self.names.text(name), "enum" | "struct" | "data" | "record") => {
                let data = "data is a class: `class Color(Red, Green) { }`, `class Point(val x: int) { }`".to_string();
                let help = self.enumeration().map_or(data, |class| format!("data is a class: `{class}`"));
                return Err(self.unexpected("`class` or `interface`", Some(&help)));
            }
            _ => {
                let help = self.misspelt_head();
                return Err(self.unexpected("`class` or `interface`", help.as_deref()));
            }
        };
        let first = self.at;
        self.advance();
        let is_private = self.private_behind(if is_interface { "interface" } else { "class" }) || is_private;
        let head = self.class_head(is_interface);
        if head.is_err() {
            self.skip(first, |word| {
                use TokenKind::*;
                matches!(word, OpenBrace | Function | Method | Class | Interface)
            });
            self.accept(TokenKind::OpenBrace);
        }
        let mut members = Vec::new();
        loop {
            let first = self.at;
            match self.word() {
                TokenKind::CloseBrace => {
                    self.advance();
                    break;
                }
                // An error in a member may have swallowed the bracket.
                TokenKind::End | TokenKind::Class | TokenKind::Interface if self.sink.has_errors() => break,
                TokenKind::End | TokenKind::Class | TokenKind::Interface if self.closing[self.brace] == 0 => {
                    if self.misclosed().is_none() {
                        self.no_member(is_interface);
                    }
                    break;
                }
                TokenKind::Private
                    if matches!(self.ahead(1), TokenKind::Class | TokenKind::Interface) && self.sink.has_errors() =>
                {
                    break;
                }
                _ => match self.member(is_interface) {
                    Ok(member) => members.push(member),
                    Err(Skip) => self.skip(first, begins_member),
                },
            }
        }
        // Nobody knows what the class has, whose name is known.
        if head.is_err() {
            // Perhaps not its name either.
            self.nameless.insert(None);
        }
        let (name, params, form, interfaces) = head?;
        let span = join(start, self.last());
        Ok(Class { name, is_private, params, form, interfaces, members, span })
    }

    /// What stands before the members of a class, and their bracket.
    fn class_head(&mut self, is_interface: bool) -> Parsed<(Ident, Vec<TypeParam>, Form, Vec<TypeSyntax>)> {
        let name = self.upper("the name of the class");
        if name.is_err() {
            self.nameless.insert(None);
        }
        let name = name?;
        self.class = Some(name.name);
        let params = self.type_params()?;
        let form = match self.word() {
            _ if is_interface => Form::Interface,
            TokenKind::Open => self.form()?,
            _ => Form::Space,
        };
        let mut interfaces = Vec::new();
        let is_foreign = matches!(self.word(), TokenKind::Reserved(name) if self.names.text(name) == "implements");
        if is_foreign {
            // It is clear what is meant, so that the rest can be read.
            let Skip = self.unexpected("`{` before the members of the class", None);
            self.advance();
        }
        if is_foreign || self.accept(TokenKind::Colon) {
            interfaces.push(self.type_syntax()?);
            while self.accept(TokenKind::Comma) {
                interfaces.push(self.type_syntax()?);
            }
        }
        self.brace = self.at;
        self.expect(TokenKind::OpenBrace, "before the members of the class")?;
        Ok((name, params, form, interfaces))
    }

    /// `enum Color { Red, Green }` as a class, if it is on one line.
    fn enumeration(&self) -> Option<String> {
        let TokenKind::Upper(class) = self.ahead(1) else { return None };
        let end = self.closing[(self.at + 2).min(self.closing.len() - 1)] as usize;
        let first = self.tokens[(self.at + 3).min(self.tokens.len() - 1)].span;
        if self.ahead(2) != TokenKind::OpenBrace || end <= self.at + 3 || !matches!(self.ahead(3), TokenKind::Upper(_))
        {
            return None;
        }
        let text = self.text_at(join(first, self.tokens[end - 1].span));
        let is_line = !text.contains('\n') && !text.contains(';');
        is_line.then(|| {
            format!("class {}({}) {{ }}", self.names.text(class), text.trim_end_matches(',').replace(" | ", ", "))
        })
    }

    /// The fields or variants of a class.
    fn form(&mut self) -> Parsed<Form> {
        let open = self.advance();
        let form = match self.word() {
            TokenKind::Upper(_) => Form::Enum(self.long_list(TokenKind::Close, "behind a variant", |parser| {
                if matches!(parser.word(), TokenKind::Val | TokenKind::Let) {
                    return Err(parser.mixed(1));
                }
                let name = parser.upper("the name of a variant")?;
                let fields = match parser.accept(TokenKind::Open) {
                    true => {
                        if parser.word() == TokenKind::Close {
                            parser.old(OldForm::EmptyVariant, parser.span());
                        }
                        parser.list(TokenKind::Close, "behind the type of a variant", Self::type_syntax)?
                    }
                    false => Vec::new(),
                };
                Ok(Variant { name, fields })
            })?),
            TokenKind::Close => {
                let help = "leave out the parentheses, or write fields (`val name: type`) or variants (`Variant(type)`) \
                            between them";
                return Err(self.error(open, "a class without fields and variants", help));
            }
            _ => Form::Object(self.list(TokenKind::Close, "behind a field", |parser| {
                let is_private = parser.accept(TokenKind::Private);
                if matches!(
                    (parser.word(), parser.ahead(1)),
                    (TokenKind::Upper(_), TokenKind::Open | TokenKind::Comma | TokenKind::Close)
                ) {
                    return Err(parser.mixed(0));
                }
                if !parser.accept(TokenKind::Val) && !parser.accept(TokenKind::Let) {
                    let help = "a field is written `val name: type`, a variant `Variant(type)`";
                    return Err(parser.unexpected("`val` before a field", Some(help)));
                }
                let is_private = parser.private_behind("val") || is_private;
                parser.mutable("fields never change");
                let name = parser.lower("the name of a field")?;
                parser.expect(TokenKind::Colon, "before the type of the field")?;
                Ok(Field { name, is_private, ty: parser.type_syntax()? })
            })?),
        };
        Ok(form)
    }

    /// Says that a field stands among variants, or a variant among fields; its name is so many words ahead.
    fn mixed(&mut self, name: usize) -> Skip {
        let text = match self.ahead(name) {
            TokenKind::Upper(name) | TokenKind::Lower(name) => self.names.text(name),
            _ => "value",
        };
        let help = match name {
            0 => {
                let field = text[..1].to_ascii_lowercase() + &text[1..];
                format!("write fields alone, `val {field}: …`, or variants alone, `{text}(…)`")
            }
            _ => {
                let variant = text[..1].to_ascii_uppercase() + &text[1..];
                format!("write variants alone, as `{variant}(…)` with the types of what is in it, or fields alone")
            }
        };
        self.error(self.span(), "a class has fields or variants, not both", &help)
    }

    fn member(&mut self, is_interface: bool) -> Parsed<Member> {
        let start = self.span();
        self.modifiers();
        let is_private = self.accept(TokenKind::Private);
        self.modifiers();
        let is_method = match self.word() {
            TokenKind::Function => false,
            TokenKind::Method => true,
            _ => return Err(self.no_member(is_interface)),
        };
        self.advance();
        let is_private = self.private_behind(if is_method { "method" } else { "function" }) || is_private;
        self.modifiers();
        let type_params = self.type_params()?;
        let name = self.member_name("the name of a function or method");
        if name.is_err() {
            self.nameless.insert(self.class);
        }
        let name = name?;
        if self.word() == TokenKind::Less {
            let help = "type parameters stand before the name: `function <T> name(…)`";
            return Err(self.unexpected("`(` before the parameters", Some(help)));
        }
        // What stands in place of the parenthesis may have run into the name.
        let is_open = matches!((self.word(), self.ahead(1)), (TokenKind::Open, next) if next != TokenKind::Colon);
        if !is_open {
            self.nameless.insert(self.class);
        }
        if matches!(self.word(), TokenKind::Colon | TokenKind::Equals) {
            let (word, text) = (if is_method { "method" } else { "function" }, self.names.text(name.name));
            let help = format!("also without parameters it has parentheses: `{word} {text}(): int = …`");
            return Err(self.unexpected("`(` before the parameters", Some(&help)));
        }
        self.expect(TokenKind::Open, "before the parameters")?;
        let params = self.list(TokenKind::Close, "behind a parameter", |parser| {
            let param = parser.param()?;
            match param.ty {
                Some(_) => Ok(param),
                None => {
                    let help = "a parameter is written `name: type`";
                    Err(parser.unexpected("`:` and the type of the parameter", Some(help)))
                }
            }
        })?;
        self.expect(TokenKind::Colon, "before the type of the result")?;
        let result = self.type_syntax()?;
        let mut body = None;
        if !is_interface {
            self.expect(TokenKind::Equals, "before the body")?;
            self.depth = 0;
            self.body = Body::default();
            self.has_mutable = false;
            let start = self.at;
            match self.expression() {
                Ok(root) if self.ends_member() => {
                    self.body.root = Some(root);
                    body = Some(std::mem::take(&mut self.body));
                }
                Ok(_) => {
                    // An `if` without `else`, and what should be behind that.
                    let is_choice = self.old.last().is_some_and(|last| last.0 == OldForm::NoElse);
                    match self.word() {
                        TokenKind::If if is_choice => {
                            self.old.pop();
                            let help = "`if condition { one } else if condition { two } else { other }`";
                            self.error(self.span(), "`else` is missing before this `if`", help);
                        }
                        TokenKind::OpenBrace if is_choice => {
                            self.old.pop();
                            let help = "`if condition { one } else { other }`";
                            self.error(self.span(), "`else` is missing before this `{`", help);
                        }
                        TokenKind::Upper(_) | TokenKind::Lower(_) | TokenKind::Int(_) | TokenKind::Text(_)
                            if is_choice && self.tokens[self.at - 1].kind == TokenKind::CloseBrace =>
                        {
                            self.old.pop();
                            let help = "the branches are written `if condition { one } else { other }`";
                            self.error(self.span(), "`else {` is missing before this", help);
                        }
                        TokenKind::Else if is_choice => {
                            self.old.pop();
                            self.error(self.last(), "a `}` too many stands before `else`", "leave it out");
                        }
                        _ => _ = self.no_member(is_interface),
                    }
                    self.seek(start, start, begins_member);
                }
                // Its types are known all the same.
                Err(Skip) => self.seek(start, start, begins_member),
            }
        }
        self.accept_old(TokenKind::Semicolon, OldForm::MemberSemicolon);
        let span = join(start, self.last());
        Ok(Member { name, is_private, is_method, type_params, params, result, body, span })
    }

    /// What stands behind a body may stand there.
    fn ends_member(&self) -> bool {
        use TokenKind::{Class, CloseBrace, End, Function, Interface, Method, Private, Semicolon};
        let is_end =
            matches!(self.word(), Class | CloseBrace | End | Function | Interface | Method | Private | Semicolon);
        let is_modifier = match self.word() {
            TokenKind::Reserved(name) | TokenKind::Lower(name) => {
                MODIFIERS.iter().any(|known| known.0 == self.names.text(name))
            }
            _ => false,
        };
        is_end || is_modifier && self.begins_line()
    }

    /// Says that a member should be here.
    fn no_member(&mut self, is_interface: bool) -> Skip {
        // The head of a member is perhaps what is missing.
        if self.class.is_some() && !matches!(self.word(), TokenKind::End | TokenKind::Class | TokenKind::Interface) {
            self.nameless.insert(self.class);
        }
        if let Some(help) = self.member_of_others() {
            let message = format!("expected `function`, `method` or `}}`, found {}", self.word().describe(self.names));
            return self.error(self.span(), &message, &help);
        }
        let help = match self.word() {
            TokenKind::Val | TokenKind::Let => {
                let class = self.class.map_or("Point", |name| self.names.text(name));
                let field = if let TokenKind::Lower(name) = self.ahead(1) { self.names.text(name) } else { "x" };
                Some(format!(
                    "fields stand behind the name of the class, `class {class}(val {field}: int) {{ }}`; a constant is a \
                     function, `function {field}(): int = 1`"
                ))
            }
            TokenKind::Lower(_) if self.ahead(1) == TokenKind::Colon && !is_interface => {
                let class = self.class.map_or("Point", |name| self.names.text(name));
                Some(format!("fields stand behind the name of the class: `class {class}(val x: int) {{ }}`"))
            }
            TokenKind::Reserved(name) if self.names.text(name) == "constructor" => {
                let class = self.class.map_or("Point", |name| self.names.text(name));
                Some(format!("a class with fields has a function that makes its objects: `{class}.init(…)`"))
            }
            TokenKind::Upper(_) if self.begins_line() && self.ahead(1) == TokenKind::Dot => {
                Some("statements stand in a function: `function main(): unit = { … }`".to_string())
            }
            TokenKind::Upper(_) | TokenKind::Lower(_) if self.begins_line() && self.misspelt_member().is_some() => {
                self.misspelt_member().map(str::to_string)
            }
            TokenKind::Upper(name) if (self.begins_line() || self.is_first_member()) && !is_interface => {
                let class = self.class.map_or("Color", |name| self.names.text(name));
                let text = self.names.text(name);
                let types = if self.ahead(1) == TokenKind::Open { "(…)" } else { "" };
                Some(format!("variants stand behind the name of the class: `class {class}({text}{types}, …) {{ }}`"))
            }
            TokenKind::Lower(name) if is_interface && self.ahead(1) == TokenKind::Open => {
                Some(format!("the methods of an interface are written `method {}(): int`", self.names.text(name)))
            }
            TokenKind::Lower(name)
                if self.begins_line()
                    && matches!(self.ahead(1), TokenKind::Concat | TokenKind::Lower(_) | TokenKind::Open) =>
            {
                let text = self.names.text(name);
                let is_word = self.begins_foreign_member(text);
                let help = format!("members are written `function {text}(a: int, b: int): int = …`");
                (!is_word).then_some(help)
            }
            TokenKind::Comma => Some("several values in one are a tuple, in parentheses: `(a, b)`".to_string()),
            TokenKind::Equals if is_interface => Some("the methods of an interface have no body".to_string()),
            TokenKind::This | TokenKind::Lower(_) | TokenKind::Upper(_) | TokenKind::Int(_) | TokenKind::Text(_)
                if !self.begins_line()
                    && self.is_operand_before(self.at)
                    && self.usual_help("`function`, `method` or `}`").is_none() =>
            {
                Some("an operator is missing before this".to_string())
            }
            _ => None,
        };
        let is_body = self.word() == TokenKind::Equals && is_interface;
        let wanted = if is_body { "`method` or `}`" } else { "`function`, `method` or `}`" };
        let brace = self.tokens[self.brace].span;
        let is_open = matches!(self.word(), TokenKind::End | TokenKind::Class | TokenKind::Interface)
            && self.closing[self.brace] == 0;
        self.unclosed(wanted, is_open.then_some(brace), help.as_deref())
    }

    /// `public static int f(…)`, `int f(…)`: a member with its type before its name, perhaps behind other words.
    fn member_of_others(&self) -> Option<String> {
        let text = |at: usize| match self.ahead(at) {
            TokenKind::Reserved(name) | TokenKind::Lower(name) | TokenKind::Upper(name) => self.names.text(name),
            _ => "",
        };
        let count = (0..).take_while(|&at| MODIFIERS.iter().any(|known| known.0 == text(at))).count();
        let (ty, name) = (self.ahead(count), self.ahead(count + 1));
        let is_call = self.ahead(count + 2) == TokenKind::Open;
        let TokenKind::Lower(name) = name else { return None };
        let same = super::types::same_type(text(count)).map(|same| same.1);
        let is_type = match ty {
            TokenKind::Lower(_) => is_call && (count > 0 || same.is_some()),
            TokenKind::Upper(_) => is_call && self.misspelt_member().is_none(),
            _ => basic(ty).is_some(),
        };
        if !is_type {
            return None;
        }
        let ty = same.map_or_else(|| self.text_at(self.tokens[self.at + count].span), Cow::from);
        Some(match self.names.text(name) {
            "main" => "members are written `function main(): unit = …`".to_string(),
            name => format!("members are written `function {name}(a: int, b: int): {ty} = …`"),
        })
    }

    /// Says that `mut` and its like are not there, and leaves them out.
    pub(super) fn mutable(&mut self, why: &str) {
        let TokenKind::Lower(name) = self.word() else { return };
        let text = self.names.text(name);
        if matches!(text, "mut" | "mutable") && matches!(self.ahead(1), TokenKind::Lower(_)) {
            let span = self.advance();
            self.error(span, &format!("there is no `{text}`"), &format!("{why}: leave it out"));
            self.has_mutable = true;
        }
    }

    pub(super) fn param(&mut self) -> Parsed<Param> {
        let (name, span) = match self.word() {
            TokenKind::Wildcard => {
                self.old(OldForm::WildcardParameter, self.span());
                (None, self.advance())
            }
            _ => {
                if let Some(help) = self.function_type_of_others() {
                    return Err(self.unexpected("the name of a parameter", Some(&help)));
                }
                if let Some(help) = self.type_before_parameter() {
                    return Err(self.unexpected("the name of a parameter", Some(&help)));
                }
                if basic(self.word()).is_some() {
                    return Err(self.unexpected("the name of a parameter", Some("a parameter is written `name: type`")));
                }
                let name = self.lower("the name of a parameter")?;
                (Some(name), name.span)
            }
        };
        let ty = if self.accept(TokenKind::Colon) { Some(self.type_syntax()?) } else { None };
        Ok(Param { name, span, ty })
    }
}

/// A member begins with this word, or a class.
fn begins_member(word: TokenKind) -> bool {
    matches!(word, TokenKind::Function | TokenKind::Method | TokenKind::Class | TokenKind::Interface)
}
