//! Random programs of GOOPEA that are well typed and end, with their results by an evaluator of their own.
//!
//! `generate` makes definitions and expressions, `evaluate` says what they mean and how a result is printed. Neither
//! knows the compiler: names are looked up by their letters, values are trees.

mod evaluate;
mod generate;

pub use evaluate::evaluate;
pub use generate::generate;

/// A type: `Int`, or the data type of this number. The first is `Bool`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Int,
    Data(usize),
}

/// A data type: constructors with their fields.
pub type Data = Vec<Vec<Type>>;

#[derive(Clone, Debug)]
pub enum Expr {
    Int(u64),
    Var(String),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Negate(Box<Expr>),
    /// The function of this number.
    Call(usize, Vec<Expr>),
    Construct(usize, usize, Vec<Expr>),
    Tuple(Vec<Expr>),
    Let(Vec<Option<String>>, Box<Expr>, Box<Expr>),
    Match(Box<Expr>, Vec<(Pattern, Expr)>),
}

#[derive(Clone, Debug)]
pub enum Pattern {
    Constructor(usize, usize, Vec<Option<String>>),
    Int(u64),
    Var(String),
}

#[derive(Clone, Debug)]
pub struct Function {
    pub fip: bool,
    pub params: Vec<(String, Type)>,
    pub results: Vec<Type>,
    pub body: Expr,
}

/// A program; its last function takes nothing.
#[derive(Clone, Debug)]
pub struct Program {
    pub types: Vec<Data>,
    pub functions: Vec<Function>,
}

/// Random numbers that are the same everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() >> 33) as usize % limit.max(1)
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

impl Program {
    /// The text of the program. Names of types, constructors and functions end with a suffix, so that several programs
    /// can stand in one file; without `main`.
    pub fn text(&self, suffix: &str, random: &mut Random) -> String {
        let mut text = String::new();
        for (number, data) in self.types.iter().enumerate().skip(1) {
            let constructors: Vec<String> = data
                .iter()
                .enumerate()
                .map(|(index, fields)| {
                    let types = fields.iter().map(|&ty| self.type_name(ty, suffix)).collect::<Vec<_>>().join(", ");
                    let fields = if fields.is_empty() { String::new() } else { format!("({types})") };
                    format!("{}{fields}", self.constructor(number, index, suffix))
                })
                .collect();
            text += &format!("enum {} = {};\n", self.type_name(Type::Data(number), suffix), constructors.join(", "));
        }
        for (number, function) in self.functions.iter().enumerate() {
            let types = |types: &mut dyn Iterator<Item = Type>| {
                let types: Vec<String> = types.map(|ty| self.type_name(ty, suffix)).collect();
                if let [one] = &types[..] { one.clone() } else { format!("({})", types.join(", ")) }
            };
            let names: Vec<&str> = function.params.iter().map(|param| &param.0[..]).collect();
            let body = self.show(&function.body, 0, suffix, random);
            text += &format!(
                "{}{}: {}\nf{number}{suffix}({}) = {body};\n",
                if function.fip { "fip " } else { "" },
                types(&mut function.params.iter().map(|param| param.1)),
                types(&mut function.results.iter().copied()),
                names.join(", "),
            );
        }
        text
    }

    /// The type of what the last function gives.
    pub fn text_of_result(&self, suffix: &str) -> String {
        self.functions.last().map_or_else(String::new, |last| self.type_name(last.results[0], suffix))
    }

    fn type_name(&self, ty: Type, suffix: &str) -> String {
        match ty {
            Type::Int => "Int".into(),
            Type::Data(0) => "Bool".into(),
            Type::Data(number) => format!("T{number}{suffix}"),
        }
    }

    fn constructor(&self, ty: usize, index: usize, suffix: &str) -> String {
        match (ty, index) {
            (0, 0) => "False".into(),
            (0, _) => "True".into(),
            _ => format!("C{ty}_{index}{suffix}"),
        }
    }

    /// An expression where one of a level is wanted: 0 any, 1 comparison, 2 sum, 3 product, 4 sign, 5 application,
    /// 6 atom.
    fn show(&self, expr: &Expr, level: usize, suffix: &str, random: &mut Random) -> String {
        let list = |args: &[Expr], random: &mut Random| {
            let mut shown: Vec<String> = args.iter().map(|arg| self.show(arg, 0, suffix, random)).collect();
            if random.once_in(9)
                && let Some(last) = shown.last_mut()
            {
                *last += ",";
            }
            format!("({})", shown.join(", "))
        };
        let apply = |name: String, args: &[Expr], random: &mut Random| match args {
            [] if random.once_in(2) => (name, 6),
            // A single argument may stand without parentheses.
            [one] if random.once_in(2) => {
                let one = self.show(one, 5, suffix, random);
                (format!("{name} {one}"), 5)
            }
            args => (format!("{name}{}", list(args, random)), 5),
        };
        let (text, own) = match expr {
            Expr::Int(number) => (number.to_string(), 6),
            Expr::Var(name) => (name.clone(), 6),
            Expr::Binary(sign, left, right) => {
                let own = match *sign {
                    "*" | "/" => 3,
                    "+" | "-" | "%" => 2,
                    _ => 1,
                };
                let left = self.show(left, own, suffix, random);
                (format!("{left} {sign} {}", self.show(right, own + 1, suffix, random)), own)
            }
            Expr::Negate(operand) => (format!("-{}", self.show(operand, 4, suffix, random)), 4),
            Expr::Call(function, args) => apply(format!("f{function}{suffix}"), args, random),
            Expr::Construct(ty, index, args) => apply(self.constructor(*ty, *index, suffix), args, random),
            Expr::Tuple(args) => (list(args, random), 6),
            Expr::Let(binders, value, body) => {
                let names: Vec<&str> = binders.iter().map(|name| name.as_deref().unwrap_or("_")).collect();
                let names = if let [one] = names[..] { one.to_string() } else { format!("({})", names.join(", ")) };
                let (value, body) = (self.show(value, 0, suffix, random), self.show(body, 0, suffix, random));
                (format!("let {names} = {value} in {body}"), 0)
            }
            Expr::Match(subject, cases) => {
                let subject = self.show(subject, 0, suffix, random);
                let cases: Vec<String> = cases
                    .iter()
                    .map(|(pattern, body)| {
                        let pattern = match pattern {
                            Pattern::Int(number) => number.to_string(),
                            Pattern::Var(name) => name.clone(),
                            Pattern::Constructor(ty, index, binders) => {
                                let names: Vec<&str> =
                                    binders.iter().map(|name| name.as_deref().unwrap_or("_")).collect();
                                let name = self.constructor(*ty, *index, suffix);
                                if names.is_empty() { name } else { format!("{name}({})", names.join(", ")) }
                            }
                        };
                        format!("{pattern}: {}", self.show(body, 0, suffix, random))
                    })
                    .collect();
                (format!("match {subject} {{ {} }}", cases.join(", ")), 0)
            }
        };
        if own < level || random.once_in(12) { format!("({text})") } else { text }
    }
}
