//! Reads types of Clean.
//!
//! ```text
//! :: Name a b = Case type !type | …     :: Name = { field :: type, … }     :: Name :== type     :: Name
//! name :: !type type -> type            (+) infixl 6 :: type type -> type
//! type = Name | Name type … | a | [type] | [!type!] | {type} | {#type} | (type, !type)      * . u: before it are left out
//! ```

use super::lex::{Word, words};
use super::{Annotated, Body, Declarations, Elements, Foreign, Function, FunctionType, Type, TypeDefinition, Wrong};
use cleave_diag::{FileId, Span};

/// More types inside each other are a mistake.
const MAX_DEPTH: usize = 100;

type Parse<T> = Result<T, Wrong>;

/// What a module of this name declares.
pub fn read(module: &str, file: FileId, text: &str) -> Declarations {
    let mut declarations = Declarations { module: module.to_string(), ..Declarations::default() };
    let words = words(text);
    let begins = beginnings(&words);
    for (number, &start) in begins.iter().enumerate() {
        let end = begins.get(number + 1).copied().unwrap_or(words.len());
        let mut parser = Parser::new(file, text.len(), &words[start..end]);
        if parser.eat("::") {
            declarations.types.extend(parser.definition().ok());
        } else if let Some(function) = parser.function_item(text) {
            declarations.functions.push(function);
        }
    }
    declarations
}

/// A function as an option of the command line has it: `name :: type`, or a name alone. A file is made of the option.
pub fn function(file: FileId, text: &str) -> Result<(String, Span, Option<FunctionType>), Wrong> {
    let words = words(text);
    let mut parser = Parser::new(file, text.len(), &words);
    let Some((name, span)) = parser.name(text) else {
        return parser.wrong("the name of a function is expected here");
    };
    if parser.at_end() {
        return Ok((name, span, None));
    }
    if !parser.eat("::") {
        return parser.wrong("`::` and the type of the function are expected here");
    }
    let ty = parser.function_type()?;
    if !parser.at_end() {
        return parser.wrong("the type has ended before this");
    }
    Ok((name, span, Some(ty)))
}

/// A type of which the values are the host's, as an option of the command line has it: `:: Name`. `None` if the option
/// is something else.
pub fn foreign(file: FileId, text: &str) -> Option<Result<Foreign, Wrong>> {
    let words = words(text);
    let mut parser = Parser::new(file, text.len(), &words);
    parser.eat("::").then(|| {
        let span = parser.span();
        let TypeDefinition { name, parameters, body } = parser.definition()?;
        if !parameters.is_empty() || !matches!(body, Body::Abstract) || !parser.at_end() {
            return parser.wrong("a type of the host is a name alone");
        }
        Ok(Foreign { name, span })
    })
}

/// The words that begin something at the start of a line, outside of brackets.
fn beginnings(words: &[Word<'_>]) -> Vec<usize> {
    let (mut begins, mut depth) = (Vec::new(), 0_usize);
    for (at, word) in words.iter().enumerate() {
        if word.is_first && (word.is_name() || word.text == "::" || word.text == "(") {
            // A bracket that was never closed does not swallow the rest of the file.
            depth = 0;
            begins.push(at);
        }
        match word.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    begins
}

struct Parser<'w> {
    file: FileId,
    end: usize,
    words: &'w [Word<'w>],
    at: usize,
    depth: usize,
}

impl<'w> Parser<'w> {
    fn new(file: FileId, end: usize, words: &'w [Word<'w>]) -> Parser<'w> {
        Parser { file, end, words, at: 0, depth: 0 }
    }

    fn peek(&self) -> &'w str {
        self.peek_after(0)
    }

    fn peek_after(&self, count: usize) -> &'w str {
        self.words.get(self.at + count).map_or("", |word| word.text)
    }

    fn at_end(&self) -> bool {
        self.at >= self.words.len()
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.peek() == text;
        self.at += usize::from(found);
        found
    }

    fn span(&self) -> Span {
        let (start, end) =
            self.words.get(self.at).map_or((self.end, self.end), |word| (word.start, word.start + word.text.len()));
        Span::new(self.file, start as u32, end as u32)
    }

    fn wrong<T>(&self, message: &str) -> Parse<T> {
        Err(Wrong { span: self.span(), message: message.into() })
    }

    fn expect(&mut self, text: &str) -> Parse<()> {
        if self.eat(text) { Ok(()) } else { self.wrong(&format!("`{text}` is expected here")) }
    }

    fn word(&mut self, wanted: impl Fn(Word<'w>) -> bool) -> Option<&'w str> {
        let word = self.words.get(self.at).copied().filter(|&word| wanted(word))?;
        self.at += 1;
        Some(word.text)
    }

    /// The name of a function, or of an operator in brackets; with its precedence.
    fn name(&mut self, text: &str) -> Option<(String, Span)> {
        let span = self.span();
        if let Some(name) = self.word(Word::is_name) {
            return Some((name.to_string(), span));
        }
        if !self.eat("(") {
            return None;
        }
        let start = self.words.get(self.at)?.start;
        while !self.at_end() && self.peek() != ")" {
            self.at += 1;
        }
        let end = self.words.get(self.at)?.start;
        self.at += 1;
        if matches!(self.peek(), "infix" | "infixl" | "infixr") {
            self.at += 1;
            self.word(|word| word.text.starts_with(|digit: char| digit.is_ascii_digit()));
        }
        Some((text[start..end].trim().to_string(), Span::new(self.file, start as u32, end as u32)))
    }

    fn function_item(&mut self, text: &str) -> Option<Function> {
        let (name, span) = self.name(text)?;
        let is_typed = self.eat("::");
        is_typed.then(|| Function { name, span, ty: self.function_type() })
    }

    /// Parameters side by side, an arrow, the result. Without an arrow it is the type of a constant.
    fn function_type(&mut self) -> Parse<FunctionType> {
        let start = self.at;
        let mut params = Vec::new();
        while self.begins_type() {
            params.push(self.annotated()?);
        }
        if !self.eat("->") {
            self.at = start;
            params.clear();
        }
        let is_strict = self.strictness();
        let ty = self.whole_type()?;
        let is_overloaded = self.eat("|");
        if is_overloaded || self.peek() == "," || self.peek() == "special" {
            // Classes, relations of attributes, and instances that are made at once.
            self.at = self.words.len();
        }
        Ok(FunctionType { params, result: Annotated { is_strict, ty }, is_overloaded })
    }

    fn begins_type(&self) -> bool {
        let text = self.peek();
        // The spine of a list is strict.
        if text == "!" && self.peek_after(1) == "]" {
            return false;
        }
        matches!(text, "(" | "[" | "{" | "!" | "*" | "." | "^")
            || self.words.get(self.at).is_some_and(|word| word.is_name()) && text != "special"
    }

    /// Annotations of strictness, and attributes of uniqueness, which say nothing about the data.
    fn strictness(&mut self) -> bool {
        let mut is_strict = false;
        loop {
            match self.peek() {
                "!" => is_strict = true,
                "*" | "." | "^" => {}
                "" => return is_strict,
                _ if self.peek_after(1) == ":" && self.words[self.at].is_name() => self.at += 1,
                _ => return is_strict,
            }
            self.at += 1;
        }
    }

    fn annotated(&mut self) -> Parse<Annotated> {
        let is_strict = self.strictness();
        Ok(Annotated { is_strict, ty: self.simple_type()? })
    }

    /// A type, perhaps an application or a function.
    fn whole_type(&mut self) -> Parse<Type> {
        if self.depth > MAX_DEPTH {
            return self.wrong("there are too many types inside each other");
        }
        self.depth += 1;
        self.strictness();
        let first = self.words.get(self.at).copied();
        let mut ty = self.simple_type()?;
        let mut arguments = Vec::new();
        while self.begins_type() {
            self.strictness();
            arguments.push(self.simple_type()?);
        }
        if self.eat("->") {
            let params = std::iter::once(ty).chain(arguments).collect();
            ty = Type::Function(params, Box::new(self.whole_type()?));
        } else if !arguments.is_empty() {
            ty = match ty {
                Type::Named(name, mut own) if first.is_some_and(|word| word.is_capital()) => {
                    own.extend(arguments);
                    Type::Named(name, own)
                }
                _ => Type::Other("an application of a type variable"),
            };
        }
        self.depth -= 1;
        Ok(ty)
    }

    /// A type that needs no brackets.
    fn simple_type(&mut self) -> Parse<Type> {
        if let Some(name) = self.word(Word::is_capital) {
            return Ok(Type::named(name));
        }
        if let Some(name) = self.word(Word::is_name) {
            return Ok(Type::Variable(name.into()));
        }
        if self.eat("(") {
            return self.tuple();
        }
        if self.eat("[") {
            if matches!(self.peek(), "#" | "|") {
                return self.skip("]", "a list of unboxed elements");
            }
            self.eat("!");
            if self.eat("]") {
                return Ok(Type::Other("a type without its parameters"));
            }
            let element = self.whole_type()?;
            self.eat("!");
            self.expect("]")?;
            return Ok(Type::List(Box::new(element)));
        }
        if self.eat("{") {
            let is_unboxed = self.eat("#");
            if self.peek().starts_with(|digit: char| digit.is_ascii_digit()) {
                return self.skip("}", "an array of small elements");
            }
            let elements = if is_unboxed { Elements::Unboxed } else { Elements::Boxed };
            let element = self.whole_type()?;
            self.expect("}")?;
            return Ok(Type::Array(elements, Box::new(element)));
        }
        self.wrong("a type is expected here")
    }

    /// What cannot cross, up to its end.
    fn skip(&mut self, end: &str, what: &'static str) -> Parse<Type> {
        while !self.at_end() {
            if self.eat(end) {
                return Ok(Type::Other(what));
            }
            self.at += 1;
        }
        self.expect(end).map(|()| Type::Other(what))
    }

    fn tuple(&mut self) -> Parse<Type> {
        if self.eat(")") {
            return Ok(Type::Tuple(Vec::new()));
        }
        if matches!(self.peek(), "," | "->") {
            return self.skip(")", "a type without its parameters");
        }
        if self.peek_after(1) == "." && matches!(self.peek(), "A" | "E") {
            self.at += 2;
            return self.skip(")", "a type for all types");
        }
        let mut parts = Vec::new();
        loop {
            let is_strict = self.strictness();
            parts.push(Annotated { is_strict, ty: self.whole_type()? });
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        let only = if parts.len() == 1 { parts.pop() } else { None };
        Ok(only.map_or_else(|| Type::Tuple(parts), |only| only.ty))
    }

    fn definition(&mut self) -> Parse<TypeDefinition> {
        self.strictness();
        let Some(name) = self.word(Word::is_capital) else { return self.wrong("the name of a type is expected here") };
        let mut parameters = Vec::new();
        loop {
            self.strictness();
            match self.word(Word::is_name) {
                Some(parameter) => parameters.push(parameter.to_string()),
                None => break,
            }
        }
        let body = if self.eat(":==") {
            self.strictness();
            Body::Synonym(self.whole_type()?)
        } else if self.eat("=:") {
            Body::Other("a type that is another one in memory")
        } else if self.eat("=") {
            self.body()?
        } else {
            Body::Abstract
        };
        Ok(TypeDefinition { name: name.into(), parameters, body })
    }

    fn body(&mut self) -> Parse<Body> {
        if self.peek_after(1) == "." && matches!(self.peek(), "A" | "E") {
            return Ok(Body::Other("a type with types of its own inside"));
        }
        self.eat("!");
        if self.eat("{") {
            let mut fields = Vec::new();
            loop {
                let Some(name) = self.word(Word::is_name) else { return self.wrong("a field is expected here") };
                self.expect("::")?;
                let is_strict = self.strictness();
                fields.push((name.to_string(), Annotated { is_strict, ty: self.whole_type()? }));
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("}")?;
            return Ok(Body::Record(fields));
        }
        let mut cases = Vec::new();
        loop {
            if self.peek_after(1) == "." && matches!(self.peek(), "A" | "E") {
                return Ok(Body::Other("a type with types of its own inside"));
            }
            let Some(name) = self.word(Word::is_capital) else {
                return Ok(Body::Other("a type with operators as constructors"));
            };
            let mut parts = Vec::new();
            while self.begins_type() {
                parts.push(self.annotated()?);
            }
            cases.push((name.to_string(), parts));
            if !self.eat("|") {
                break;
            }
        }
        Ok(Body::Algebraic(cases))
    }
}
