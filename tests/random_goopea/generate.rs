//! Makes random programs. A function calls those before it, and itself only with its first parameter, a number, made
//! smaller where it is positive: so most programs end soon.

use super::{Data, Expr, Function, Pattern, Program, Random, Type};

/// Few names, so that they hide each other.
const NAMES: [&str; 6] = ["a", "b", "_c", "list", "x1", "v1"];
const INTEGERS: [u64; 10] =
    [0, 1, 2, 3, 7, 10, 63, 4_611_686_018_427_387_903, 4_611_686_018_427_387_904, 9_223_372_036_854_775_807];

type Env = Vec<(String, Type)>;

struct Generator<'r> {
    random: &'r mut Random,
    types: Vec<Data>,
    functions: Vec<Function>,
}

/// A program of some functions.
pub fn generate(random: &mut Random) -> Program {
    let mut types: Vec<Data> = vec![vec![Vec::new(), Vec::new()]];
    let count = 2 + random.below(3);
    for number in 1..=count {
        let constructors = 1 + random.below(6);
        let has_cells = !random.once_in(4);
        let data = (0..constructors).map(|index| {
            let fields = if !has_cells || random.once_in(3) { 0 } else { 1 + random.below(4) };
            (0..fields)
                .map(|_| match random.below(3) {
                    0 => Type::Int,
                    // The first constructor can always be made.
                    _ if index == 0 => Type::Data(random.below(number)),
                    _ => Type::Data(random.below(count + 1)),
                })
                .collect()
        });
        types.push(data.collect());
    }
    let mut generator = Generator { random, types, functions: Vec::new() };
    for _ in 0..2 + generator.random.below(4) {
        generator.function();
    }
    let ty = generator.ty();
    let body = generator.expr(ty, 6, &mut Vec::new());
    generator.functions.push(Function { fip: false, params: Vec::new(), results: vec![ty], body });
    Program { types: generator.types, functions: generator.functions }
}

impl Generator<'_> {
    fn ty(&mut self) -> Type {
        match self.random.below(self.types.len() + 1) {
            0 => Type::Int,
            number => Type::Data(number - 1),
        }
    }

    fn name(&mut self) -> String {
        NAMES[self.random.below(NAMES.len())].to_string()
    }

    /// A name that is not bound at the same time: the next one that is free.
    fn other_name(&mut self, bound: &[Option<String>]) -> String {
        let first = self.random.below(NAMES.len());
        let is_free = |name: &&str| bound.iter().flatten().all(|other| other != name);
        let mut names = (0..NAMES.len()).map(|more| NAMES[(first + more) % NAMES.len()]);
        names.find(is_free).map_or_else(|| format!("y{}", bound.len()), String::from)
    }

    fn function(&mut self) {
        let number = self.functions.len();
        let mut params = vec![("n".to_string(), Type::Int)];
        for index in 0..self.random.below(4) {
            params.push((format!("p{index}"), self.ty()));
        }
        let results: Vec<Type> = match self.random.once_in(4) {
            true => (0..2 + self.random.below(2)).map(|_| self.ty()).collect(),
            false => vec![self.ty()],
        };
        let fip = self.random.once_in(2);
        // Known to itself once it has a body; until then nobody calls it.
        let mut env = params.clone();
        let base = self.results(&results, 2, &mut env);
        let step = self.results(&results, 4, &mut env);
        let smaller = Expr::Binary("-", Box::new(Expr::Var("n".into())), Box::new(Expr::Int(1)));
        let mut args = vec![smaller];
        for (_, ty) in params.iter().skip(1) {
            args.push(self.expr(*ty, 2, &mut env));
        }
        let call = Expr::Call(number, args);
        let again = match &results[..] {
            [ty] => {
                let name = self.name();
                env.push((name.clone(), *ty));
                let body = self.expr(*ty, 3, &mut env);
                Expr::Let(vec![Some(name)], Box::new(call), Box::new(body))
            }
            _ => {
                let mut names: Vec<Option<String>> = Vec::new();
                for _ in &results {
                    let name = self.other_name(&names);
                    names.push(Some(name));
                }
                for (name, ty) in names.iter().flatten().zip(&results) {
                    env.push((name.clone(), *ty));
                }
                let body = self.results(&results, 3, &mut env);
                Expr::Let(names, Box::new(call), Box::new(body))
            }
        };
        let again = if self.random.once_in(4) { step } else { again };
        let ends = Expr::Binary("<", Box::new(Expr::Var("n".into())), Box::new(Expr::Int(1)));
        let cases = vec![(Pattern::Constructor(0, 1, vec![]), base), (Pattern::Constructor(0, 0, vec![]), again)];
        self.functions.push(Function { fip, params, results, body: Expr::Match(Box::new(ends), cases) });
    }

    fn results(&mut self, types: &[Type], depth: usize, env: &mut Env) -> Expr {
        match types {
            [ty] => self.expr(*ty, depth, env),
            types => Expr::Tuple(types.iter().map(|&ty| self.expr(ty, depth, env)).collect()),
        }
    }

    fn expr(&mut self, ty: Type, depth: usize, env: &mut Env) -> Expr {
        if depth == 0 || self.random.once_in(8) {
            return self.leaf(ty, env);
        }
        match self.random.below(9) {
            0 => self.binding(ty, depth, env),
            1 | 2 => self.matching(ty, depth, env),
            3 | 4 => self.call(ty, depth, env),
            _ => match ty {
                Type::Int if self.random.once_in(6) => Expr::Negate(Box::new(self.expr(Type::Int, depth - 1, env))),
                Type::Int => {
                    let sign = ["+", "-", "*", "/", "%"][self.random.below(5)];
                    let left = self.expr(Type::Int, depth - 1, env);
                    let right = match sign {
                        "/" | "%" => Expr::Int(1 + self.random.below(9) as u64),
                        _ => self.expr(Type::Int, depth - 1, env),
                    };
                    Expr::Binary(sign, Box::new(left), Box::new(right))
                }
                Type::Data(0) => {
                    let sign = ["<", "<=", ">", ">=", "==", "!="][self.random.below(6)];
                    let (left, right) = (self.expr(Type::Int, depth - 1, env), self.expr(Type::Int, depth - 1, env));
                    Expr::Binary(sign, Box::new(left), Box::new(right))
                }
                Type::Data(number) => {
                    let index = self.random.below(self.types[number].len());
                    self.construct(number, index, depth - 1, env)
                }
            },
        }
    }

    fn construct(&mut self, ty: usize, index: usize, depth: usize, env: &mut Env) -> Expr {
        let fields = self.types[ty][index].clone();
        Expr::Construct(ty, index, fields.into_iter().map(|field| self.expr(field, depth, env)).collect())
    }

    fn leaf(&mut self, ty: Type, env: &mut Env) -> Expr {
        let visible =
            |(index, (name, _)): &(usize, &(String, Type))| !env[index + 1..].iter().any(|later| later.0 == *name);
        let fitting: Vec<String> = env
            .iter()
            .enumerate()
            .filter(visible)
            .filter(|(_, bound)| bound.1 == ty)
            .map(|(_, bound)| bound.0.clone())
            .collect();
        if !fitting.is_empty() && !self.random.once_in(4) {
            return Expr::Var(fitting[self.random.below(fitting.len())].clone());
        }
        match ty {
            Type::Int => Expr::Int(INTEGERS[self.random.below(INTEGERS.len())]),
            Type::Data(number) => self.construct(number, 0, 0, env),
        }
    }

    fn binding(&mut self, ty: Type, depth: usize, env: &mut Env) -> Expr {
        let bound = self.ty();
        let value = self.expr(bound, depth - 1, env);
        let name = self.name();
        env.push((name.clone(), bound));
        let body = self.expr(ty, depth - 1, env);
        env.pop();
        Expr::Let(vec![Some(name)], Box::new(value), Box::new(body))
    }

    fn matching(&mut self, ty: Type, depth: usize, env: &mut Env) -> Expr {
        let matched = self.ty();
        let subject = self.expr(matched, depth - 1, env);
        let mut cases = Vec::new();
        let mut needs_rest = true;
        match matched {
            Type::Int => {
                for _ in 0..self.random.below(7) {
                    let number = match self.random.below(4) {
                        0 => INTEGERS[self.random.below(INTEGERS.len())] >> 1,
                        1 => 100 * self.random.below(12) as u64,
                        _ => self.random.below(12) as u64,
                    };
                    let is_new = |case: &(Pattern, Expr)| !matches!(case.0, Pattern::Int(other) if other == number);
                    if cases.iter().all(is_new) {
                        let body = self.expr(ty, depth / 2, env);
                        cases.push((Pattern::Int(number), body));
                    }
                }
            }
            Type::Data(number) => {
                let mut order: Vec<usize> = (0..self.types[number].len()).collect();
                for index in (1..order.len()).rev() {
                    order.swap(index, self.random.below(index + 1));
                }
                if self.random.once_in(2) {
                    order.truncate(self.random.below(order.len()));
                } else {
                    needs_rest = false;
                }
                for index in order {
                    let fields = self.types[number][index].clone();
                    let mark = env.len();
                    let mut binders = Vec::new();
                    for field in fields {
                        let name = (!self.random.once_in(4)).then(|| self.other_name(&binders));
                        env.extend(name.clone().map(|name| (name, field)));
                        binders.push(name);
                    }
                    let body = self.expr(ty, depth - 1, env);
                    env.truncate(mark);
                    cases.push((Pattern::Constructor(number, index, binders), body));
                }
            }
        }
        if needs_rest {
            let name = self.name();
            env.push((name.clone(), matched));
            let body = self.expr(ty, depth - 1, env);
            env.pop();
            cases.push((Pattern::Var(name), body));
        }
        Expr::Match(Box::new(subject), cases)
    }

    fn call(&mut self, ty: Type, depth: usize, env: &mut Env) -> Expr {
        if self.functions.is_empty() {
            return self.leaf(ty, env);
        }
        let number = self.random.below(self.functions.len());
        let (params, results) = (self.functions[number].params.clone(), self.functions[number].results.clone());
        let mut args = vec![Expr::Int(self.random.below(6) as u64)];
        for (_, param) in &params[1..] {
            args.push(self.expr(*param, depth - 1, env));
        }
        let call = Expr::Call(number, args);
        if results == [ty] {
            return call;
        }
        let mut names: Vec<Option<String>> = Vec::new();
        for _ in &results {
            let name = (!self.random.once_in(5)).then(|| self.other_name(&names));
            names.push(name);
        }
        let mark = env.len();
        for (name, ty) in names.iter().zip(&results) {
            env.extend(name.clone().map(|name| (name, *ty)));
        }
        let body = self.expr(ty, depth - 1, env);
        env.truncate(mark);
        Expr::Let(names, Box::new(call), Box::new(body))
    }
}
