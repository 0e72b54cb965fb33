//! Text to expressions: a lexer and a parser by recursive descent.
//!
//! ```text
//! program = { "fun" name "(" [ name ":" type { "," name ":" type } ] ")" ":" type "=" expr } "print" expr
//! type    = "int" | "list"
//! expr    = "let" name "=" expr "in" expr
//!         | "if" expr "then" expr "else" expr
//!         | "case" expr "of" "[" "]" "->" expr "|" name "::" name "->" expr
//!         | cons [ ("<" | "=") cons ]
//! cons    = sum [ "::" cons ]
//! sum     = product { ("+" | "-") product }
//! product = atom { ("*" | "/") atom }
//! atom    = number | name [ "(" [ expr { "," expr } ] ")" ] | "[" "]" | "(" expr ")"
//! ```

use cleave_compile::ir::Type;

/// An expression.
pub enum Expr {
    Number(i64),
    Empty,
    Variable(String),
    Call(String, Vec<Expr>),
    /// `+`, `-`, `*`, `/`, `<`, `=` or `::`.
    Binary(String, Box<Expr>, Box<Expr>),
    Let(String, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// List, value if it is empty, names of head and tail, value otherwise.
    Case(Box<Expr>, Box<Expr>, [String; 2], Box<Expr>),
}

/// A function; the program itself is one without parameters that gives a number.
pub struct Function {
    pub name: String,
    pub params: Vec<(String, Type)>,
    pub result: Type,
    pub body: Expr,
}

pub type Result<T> = std::result::Result<T, String>;

/// The functions of a program, the last one is what it prints.
pub fn parse(source: &str) -> Result<Vec<Function>> {
    let mut parser = Parser { tokens: tokens(source), at: 0 };
    let mut functions = Vec::new();
    while parser.accept("fun") {
        functions.push(parser.function()?);
    }
    parser.expect("print")?;
    let body = parser.expr()?;
    functions.push(Function { name: "print".into(), params: Vec::new(), result: Type::I64, body });
    if parser.peek().is_empty() { Ok(functions) } else { Err(parser.wrong("the end")) }
}

/// Words, numbers and signs with their lines; the last one is empty.
fn tokens(source: &str) -> Vec<(usize, String)> {
    let mut tokens: Vec<(usize, String)> = Vec::new();
    for (line, text) in source.lines().enumerate() {
        let code = text.split('#').next().unwrap_or_default();
        let mut rest = code.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else if rest.starts_with("->") || rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            tokens.push((line + 1, rest[..length].to_string()));
            rest = rest[length..].trim_start();
        }
    }
    tokens.push((source.lines().count(), String::new()));
    tokens
}

struct Parser {
    tokens: Vec<(usize, String)>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> &str {
        &self.tokens[self.at].1
    }
    fn wrong(&self, wanted: &str) -> String {
        format!("line {}: expected {wanted}, found `{}`", self.tokens[self.at].0, self.peek())
    }
    fn accept(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        self.at += usize::from(found);
        found
    }
    fn expect(&mut self, word: &str) -> Result<()> {
        if self.accept(word) { Ok(()) } else { Err(self.wrong(&format!("`{word}`"))) }
    }
    fn name(&mut self) -> Result<String> {
        let word = self.peek().to_string();
        if !word.starts_with(char::is_alphabetic) {
            return Err(self.wrong("a name"));
        }
        self.at += 1;
        Ok(word)
    }
    /// What `item` reads, any number of times, up to the parenthesis that closes.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Parser) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while !self.accept(")") {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }
    fn ty(&mut self) -> Result<Type> {
        self.expect(":")?;
        match self.name()?.as_str() {
            "int" => Ok(Type::I64),
            "list" => Ok(Type::Ref),
            other => Err(format!("`{other}` is no type: int or list")),
        }
    }
    fn function(&mut self) -> Result<Function> {
        let name = self.name()?;
        self.expect("(")?;
        let params = self.list(|parser| Ok((parser.name()?, parser.ty()?)))?;
        let result = self.ty()?;
        self.expect("=")?;
        Ok(Function { name, params, result, body: self.expr()? })
    }
    fn expr(&mut self) -> Result<Expr> {
        let boxed = |parser: &mut Parser| parser.expr().map(Box::new);
        if self.accept("let") {
            let name = self.name()?;
            self.expect("=")?;
            let value = boxed(self)?;
            self.expect("in")?;
            return Ok(Expr::Let(name, value, boxed(self)?));
        }
        if self.accept("if") {
            let condition = boxed(self)?;
            self.expect("then")?;
            let then = boxed(self)?;
            self.expect("else")?;
            return Ok(Expr::If(condition, then, boxed(self)?));
        }
        if self.accept("case") {
            let list = boxed(self)?;
            ["of", "[", "]", "->"].iter().try_for_each(|word| self.expect(word))?;
            let empty = boxed(self)?;
            self.expect("|")?;
            let head = self.name()?;
            self.expect("::")?;
            let names = [head, self.name()?];
            self.expect("->")?;
            return Ok(Expr::Case(list, empty, names, boxed(self)?));
        }
        let left = self.cons()?;
        for sign in ["<", "="] {
            if self.accept(sign) {
                return Ok(Expr::Binary(sign.into(), Box::new(left), Box::new(self.cons()?)));
            }
        }
        Ok(left)
    }
    fn cons(&mut self) -> Result<Expr> {
        let head = self.chain(&["+", "-"], |parser| parser.chain(&["*", "/"], Parser::atom))?;
        if !self.accept("::") {
            return Ok(head);
        }
        Ok(Expr::Binary("::".into(), Box::new(head), Box::new(self.cons()?)))
    }
    /// Operands with signs between them, taken together from the left.
    fn chain(&mut self, signs: &[&str], operand: fn(&mut Parser) -> Result<Expr>) -> Result<Expr> {
        let mut left = operand(self)?;
        while let Some(sign) = signs.iter().find(|sign| self.peek() == **sign) {
            self.at += 1;
            left = Expr::Binary(sign.to_string(), Box::new(left), Box::new(operand(self)?));
        }
        Ok(left)
    }
    fn atom(&mut self) -> Result<Expr> {
        if self.accept("(") {
            let inner = self.expr()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.accept("[") {
            self.expect("]")?;
            return Ok(Expr::Empty);
        }
        if let Ok(number) = self.peek().parse() {
            self.at += 1;
            return Ok(Expr::Number(number));
        }
        let name = self.name()?;
        if !self.accept("(") {
            return Ok(Expr::Variable(name));
        }
        Ok(Expr::Call(name, self.list(Parser::expr)?))
    }
}
