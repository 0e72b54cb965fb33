//! Makes random programs. A function calls those before it, and itself only with its first parameter, a number, made
//! smaller where it is positive: so most programs end soon. Each type parameter of a function is the type of one of its
//! parameters, so that there is a value of it.

use super::{Binder, Class, Expr, Function, Pattern, Program, Random, Type, Var};

const INTEGERS: [i32; 11] = [0, 1, 2, 3, 7, 10, -1, -63, 65_536, i32::MAX, -i32::MAX];
const TEXTS: [&str; 7] = ["", "a", "b", "ab", "cleave", ", ", "a longer string, which takes more than one small cell"];

type Env = Vec<(Var, Type)>;

struct Generator<'r> {
    random: &'r mut Random,
    classes: Vec<Class>,
    functions: Vec<Function>,
    vars: Var,
    /// Type parameters of the class or function at hand.
    params: usize,
    /// Function types inside of function types get no deeper than this.
    nesting: usize,
    /// Today's language cannot look into strings.
    is_today: bool,
}

/// A program of some classes and functions.
pub fn generate(random: &mut Random) -> Program {
    generate_for(random, false)
}

/// The same, perhaps only with what today's language has.
pub fn generate_for(random: &mut Random, is_today: bool) -> Program {
    let mut generator =
        Generator { random, classes: Vec::new(), functions: Vec::new(), vars: 0, params: 0, nesting: 0, is_today };
    for _ in 0..1 + generator.random.below(4) {
        generator.class();
    }
    for _ in 0..2 + generator.random.below(4) {
        generator.function();
    }
    generator.params = 0;
    let lines = (0..2 + generator.random.below(4)).map(|_| generator.expr(&Type::Text, 6, &mut Vec::new()));
    let lines = lines.collect();
    Program { classes: generator.classes, functions: generator.functions, lines }
}

/// A type with these in the places of its parameters.
fn instance(ty: &Type, args: &[Type]) -> Type {
    let all = |types: &[Type]| types.iter().map(|ty| instance(ty, args)).collect();
    match ty {
        Type::Param(number) => args[*number].clone(),
        Type::Class(class, types) => Type::Class(*class, all(types)),
        Type::Function(params, result) => Type::Function(all(params), Box::new(instance(result, args))),
        Type::Tuple(items) => Type::Tuple(all(items)),
        ty => ty.clone(),
    }
}

/// The type parameters in a type.
fn mentioned(ty: &Type) -> Vec<Type> {
    match ty {
        Type::Param(_) => vec![ty.clone()],
        Type::Class(_, types) | Type::Tuple(types) => types.iter().flat_map(mentioned).collect(),
        Type::Function(params, result) => params.iter().chain([&**result]).flat_map(mentioned).collect(),
        _ => Vec::new(),
    }
}

impl Generator<'_> {
    fn var(&mut self) -> Var {
        self.vars += 1;
        self.vars
    }

    /// A type, made of the classes below a number.
    fn ty(&mut self, classes: usize) -> Type {
        self.nesting += 1;
        let most = if self.nesting > 2 { 6 } else { 13 };
        let ty = match self.random.below(most) {
            0 | 1 => Type::Int,
            2 => Type::Bool,
            3 => Type::Text,
            4 | 5 if self.params > 0 => Type::Param(self.random.below(self.params)),
            4 => Type::Unit,
            5 => Type::Text,
            6 | 7 => {
                let params = (0..self.random.below(3)).map(|_| self.ty(classes)).collect();
                Type::Function(params, Box::new(self.ty(classes)))
            }
            8 => Type::Tuple((0..2 + self.random.below(2)).map(|_| self.ty(classes)).collect()),
            _ if classes > 0 => {
                let class = self.random.below(classes);
                self.instance_of(class, classes)
            }
            _ => Type::Text,
        };
        self.nesting -= 1;
        ty
    }

    fn instance_of(&mut self, class: usize, classes: usize) -> Type {
        let count = self.classes[class].params;
        Type::Class(class, (0..count).map(|_| self.ty(classes)).collect())
    }

    fn class(&mut self) {
        let number = self.classes.len();
        let params = self.random.below(3);
        self.params = params;
        let own = Type::Class(number, (0..params).map(Type::Param).collect());
        let mut tags = Vec::new();
        for tag in 0..2 + self.random.below(3) {
            let fields = if self.random.once_in(3) { 0 } else { 1 + self.random.below(4) };
            let fields = (0..fields).map(|_| {
                // The first tag can always be made.
                if tag > 0 && self.random.once_in(3) { own.clone() } else { self.ty(number) }
            });
            tags.push(fields.collect());
        }
        let this = self.var();
        let class = Class { params, tags, this, pick: Expr::Int(0) };
        self.classes.push(class);
        // Nothing says that there are values of the parameters of the class.
        self.params = 0;
        let mut env = vec![(this, own.clone())];
        let subject = Expr::Var(this);
        let pick = self.cases(number, &own, subject, &Type::Int, 2, &mut env);
        self.classes[number].pick = pick;
    }

    fn function(&mut self) {
        let number = self.functions.len();
        let classes = self.classes.len();
        let type_params = self.random.below(3);
        self.params = type_params;
        let mut params = vec![(self.var(), Type::Int)];
        params.extend((0..type_params).map(|number| (self.vars + 1 + number, Type::Param(number))));
        self.vars += type_params;
        for _ in 0..self.random.below(4) {
            let ty = self.ty(classes);
            params.push((self.var(), ty));
        }
        let result = self.ty(classes);
        let mut env = params.clone();
        let base = self.expr(&result, 2, &mut env);
        let own = (0..type_params).map(Type::Param).collect();
        let mut args = vec![Expr::Binary("-", Box::new(Expr::Var(params[0].0)), Box::new(Expr::Int(1)))];
        for (_, ty) in params.iter().skip(1) {
            args.push(self.expr(ty, 2, &mut env));
        }
        let call = Expr::Call(Box::new(Expr::Function(number, own)), args);
        let step = match self.random.below(4) {
            0 => self.expr(&result, 4, &mut env),
            1 => call,
            _ => {
                let var = self.var();
                env.push((var, result.clone()));
                let body = self.expr(&result, 4, &mut env);
                Expr::Let(Binder::One(var, result.clone()), Box::new(call), Box::new(body))
            }
        };
        let ends = Expr::Binary("<", Box::new(Expr::Var(params[0].0)), Box::new(Expr::Int(1)));
        let body = Expr::If(Box::new(ends), Box::new(base), Box::new(step));
        self.functions.push(Function { type_params, params, result, body });
    }

    // -- expressions --------------------------------------------------------------------------------------------------

    fn boxed(&mut self, ty: &Type, depth: usize, env: &mut Env) -> Box<Expr> {
        Box::new(self.expr(ty, depth, env))
    }

    fn expr(&mut self, ty: &Type, depth: usize, env: &mut Env) -> Expr {
        if depth == 0 || self.random.once_in(8) {
            return self.leaf(ty, env);
        }
        let depth = depth - 1;
        match self.random.below(12) {
            0 => self.binding(ty, depth, env),
            1 | 2 => self.matching(ty, depth, env),
            3 | 4 => self.call(ty, depth, env),
            5 => {
                let condition = self.boxed(&Type::Bool, depth, env);
                let yes = self.boxed(ty, depth, env);
                Expr::If(condition, yes, self.boxed(ty, depth, env))
            }
            6 => self.application(ty, depth, env),
            7 if self.random.once_in(3) => {
                let first = self.boxed(&Type::Unit, depth, env);
                Expr::Sequence(first, self.boxed(ty, depth, env))
            }
            _ => self.made(ty, depth, env),
        }
    }

    /// A value made here.
    fn made(&mut self, ty: &Type, depth: usize, env: &mut Env) -> Expr {
        match ty {
            Type::Int => match self.random.below(9) {
                0 => Expr::Negate(self.boxed(ty, depth, env)),
                1 | 2 if self.is_today => Expr::BuiltIn("toInt", vec![self.expr(ty, depth, env)]),
                1 => Expr::BuiltIn("stringLength", vec![self.expr(&Type::Text, depth, env)]),
                2 => {
                    let texts = [self.expr(&Type::Text, depth, env), self.expr(&Type::Text, depth, env)];
                    Expr::BuiltIn("compareStrings", texts.into())
                }
                3 => {
                    let class = self.random.below(self.classes.len());
                    let object = self.instance_of(class, self.classes.len());
                    let object = self.boxed(&object, depth, env);
                    Expr::Call(Box::new(Expr::Method(class, object)), Vec::new())
                }
                _ => {
                    let sign = ["+", "-", "*", "/", "%"][self.random.below(5)];
                    let left = self.boxed(ty, depth, env);
                    let right = match sign {
                        "/" | "%" => Box::new(Expr::Int(1 + self.random.below(9) as i32)),
                        _ => self.boxed(ty, depth, env),
                    };
                    Expr::Binary(sign, left, right)
                }
            },
            Type::Bool => match self.random.below(6) {
                0 => Expr::Not(self.boxed(ty, depth, env)),
                1 => {
                    let sign = ["&&", "||"][self.random.below(2)];
                    Expr::Binary(sign, self.boxed(ty, depth, env), self.boxed(ty, depth, env))
                }
                2 => {
                    let sign = ["==", "!="][self.random.below(2)];
                    Expr::Binary(sign, self.boxed(&Type::Text, depth, env), self.boxed(&Type::Text, depth, env))
                }
                _ => {
                    let sign = ["<", "<=", ">", ">=", "==", "!="][self.random.below(6)];
                    Expr::Binary(sign, self.boxed(&Type::Int, depth, env), self.boxed(&Type::Int, depth, env))
                }
            },
            Type::Text => match self.random.below(5) {
                0 | 1 => Expr::BuiltIn("intToString", vec![self.expr(&Type::Int, depth, env)]),
                2 if !self.is_today => {
                    let text = self.expr(ty, depth, env);
                    let (from, to) = (self.random.below(4) as i32 - 1, self.random.below(9) as i32);
                    Expr::BuiltIn("substring", vec![text, Expr::Int(from), Expr::Int(to)])
                }
                _ => Expr::Binary("::", self.boxed(ty, depth, env), self.boxed(ty, depth, env)),
            },
            Type::Unit => Expr::BuiltIn("println", vec![self.expr(&Type::Text, depth, env)]),
            Type::Param(_) => self.leaf(ty, env),
            Type::Tuple(items) => Expr::Tuple(items.iter().map(|item| self.expr(item, depth, env)).collect()),
            Type::Class(class, args) => {
                let tag = self.random.below(self.classes[*class].tags.len());
                self.construct(*class, tag, args, depth, env)
            }
            Type::Function(params, result) => self.function_value(params, result, depth, env),
        }
    }

    fn function_value(&mut self, params: &[Type], result: &Type, depth: usize, env: &mut Env) -> Expr {
        // A function of the program, or a tag, if one fits.
        if self.random.once_in(3) {
            let fits = |function: &&Function| {
                let types = function.params.iter().map(|param| &param.1);
                function.type_params == 0 && types.eq(params) && function.result == *result
            };
            let found = self.functions.iter().position(|function| fits(&function));
            if let Some(number) = found.filter(|_| params.first() != Some(&Type::Int)) {
                return Expr::Function(number, Vec::new());
            }
        }
        if let Type::Class(class, args) = result
            && self.random.once_in(2)
            // Alone, a tag with one field of type unit is a value.
            && *params != [Type::Unit]
        {
            let fits = |fields: &Vec<Type>| {
                !fields.is_empty() && fields.iter().map(|field| instance(field, args)).eq(params.iter().cloned())
            };
            if let Some(tag) = self.classes[*class].tags.iter().position(fits) {
                return Expr::Tag(*class, tag, args.clone());
            }
        }
        if params.is_empty() && *result == Type::Int && self.random.once_in(2) {
            let class = self.random.below(self.classes.len());
            let object = self.instance_of(class, self.classes.len());
            return Expr::Method(class, self.boxed(&object, depth, env));
        }
        let mark = env.len();
        let params: Vec<(Var, Type)> = params.iter().map(|ty| (self.var(), ty.clone())).collect();
        env.extend(params.iter().cloned());
        let body = self.boxed(result, depth, env);
        env.truncate(mark);
        Expr::Lambda(params, body)
    }

    fn construct(&mut self, class: usize, tag: usize, args: &[Type], depth: usize, env: &mut Env) -> Expr {
        let fields = self.classes[class].tags[tag].clone();
        let fields = fields.iter().map(|field| self.expr(&instance(field, args), depth, env)).collect();
        Expr::Construct(class, tag, args.to_vec(), fields)
    }

    fn leaf(&mut self, ty: &Type, env: &mut Env) -> Expr {
        let fitting: Vec<Var> = env.iter().filter(|bound| bound.1 == *ty).map(|bound| bound.0).collect();
        if !fitting.is_empty() && (matches!(ty, Type::Param(_)) || !self.random.once_in(4)) {
            return Expr::Var(fitting[self.random.below(fitting.len())]);
        }
        match ty {
            Type::Int => Expr::Int(INTEGERS[self.random.below(INTEGERS.len())]),
            Type::Bool => Expr::Bool(self.random.once_in(2)),
            Type::Text => Expr::Text(TEXTS[self.random.below(TEXTS.len())]),
            Type::Unit => Expr::BuiltIn("println", vec![Expr::Text("unit")]),
            Type::Param(number) => unreachable!("no value of the parameter {number}"),
            Type::Class(class, args) => self.construct(*class, 0, args, 0, env),
            Type::Tuple(items) => Expr::Tuple(items.iter().map(|item| self.leaf(item, env)).collect()),
            Type::Function(params, result) => {
                let mark = env.len();
                let params: Vec<(Var, Type)> = params.iter().map(|ty| (self.var(), ty.clone())).collect();
                env.extend(params.iter().cloned());
                let body = Box::new(self.leaf(result, env));
                env.truncate(mark);
                Expr::Lambda(params, body)
            }
        }
    }

    fn binding(&mut self, ty: &Type, depth: usize, env: &mut Env) -> Expr {
        let bound = self.ty(self.classes.len());
        let value = self.boxed(&bound, depth, env);
        let mark = env.len();
        let binder = match &bound {
            Type::Tuple(items) if !self.random.once_in(3) => {
                let vars: Vec<Option<Var>> =
                    items.iter().map(|_| (!self.random.once_in(4)).then(|| self.var())).collect();
                env.extend(vars.iter().zip(items).filter_map(|(var, ty)| Some(((*var)?, ty.clone()))));
                Binder::Tuple(vars)
            }
            _ => {
                let var = self.var();
                env.push((var, bound.clone()));
                Binder::One(var, bound)
            }
        };
        let body = self.boxed(ty, depth, env);
        env.truncate(mark);
        Expr::Let(binder, value, body)
    }

    fn matching(&mut self, ty: &Type, depth: usize, env: &mut Env) -> Expr {
        match self.random.below(6) {
            0 => {
                let subject = self.boxed(&Type::Int, depth, env);
                let mut cases = Vec::new();
                for number in 0..12 {
                    if self.random.once_in(4) {
                        cases.push((Pattern::Int(number), self.expr(ty, depth / 2, env)));
                    }
                }
                self.rest(&Type::Int, ty, depth, env, &mut cases);
                Expr::Match(subject, cases)
            }
            1 => {
                let subject = self.boxed(&Type::Text, depth, env);
                let mut cases = Vec::new();
                for text in TEXTS {
                    if self.random.once_in(4) {
                        cases.push((Pattern::Text(text), self.expr(ty, depth / 2, env)));
                    }
                }
                self.rest(&Type::Text, ty, depth, env, &mut cases);
                Expr::Match(subject, cases)
            }
            _ => {
                let class = self.random.below(self.classes.len());
                let matched = self.instance_of(class, self.classes.len());
                let subject = self.expr(&matched, depth, env);
                self.cases(class, &matched, subject, ty, depth, env)
            }
        }
    }

    fn rest(&mut self, matched: &Type, ty: &Type, depth: usize, env: &mut Env, cases: &mut Vec<(Pattern, Expr)>) {
        let mark = env.len();
        let var = (!self.random.once_in(3)).then(|| self.var());
        env.extend(var.map(|var| (var, matched.clone())));
        let body = self.expr(ty, depth, env);
        env.truncate(mark);
        cases.push((Pattern::Rest(var), body));
    }

    /// A match of a value of a class.
    fn cases(&mut self, class: usize, matched: &Type, subject: Expr, ty: &Type, depth: usize, env: &mut Env) -> Expr {
        let Type::Class(_, args) = matched else { unreachable!("a class is matched") };
        let tags = self.classes[class].tags.clone();
        let mut order: Vec<usize> = (0..tags.len()).collect();
        for index in (1..order.len()).rev() {
            order.swap(index, self.random.below(index + 1));
        }
        let rest = self.random.once_in(3);
        if rest {
            order.truncate(self.random.below(order.len()));
        }
        let mut cases = Vec::new();
        // A case that looks into a field, before those for all fields.
        if let Some(&tag) = order.first()
            && let Some(at) = tags[tag].iter().position(|field| matches!(field, Type::Class(..)))
            && self.random.once_in(2)
        {
            let Type::Class(inner, inner_args) = instance(&tags[tag][at], args) else { unreachable!("it is one") };
            let inner_tag = self.random.below(self.classes[inner].tags.len());
            let mark = env.len();
            let nested = self.tag(inner, inner_tag, &inner_args, env);
            let Pattern::Tag(_, _, mut fields) = self.tag(class, tag, args, env) else { unreachable!("it is one") };
            if let Pattern::Rest(Some(var)) = fields[at] {
                env.retain(|bound| bound.0 != var);
            }
            fields[at] = nested;
            let body = self.expr(ty, depth, env);
            env.truncate(mark);
            cases.push((Pattern::Tag(class, tag, fields), body));
        }
        // Two tags in one case, if nothing of them is wanted.
        if order.len() > 2 && self.random.once_in(3) {
            let both = order.split_off(order.len() - 2).into_iter();
            let blank = |tag: usize| Pattern::Tag(class, tag, vec![Pattern::Rest(None); tags[tag].len()]);
            let body = self.expr(ty, depth, env);
            cases.push((Pattern::Either(both.map(blank).collect()), body));
        }
        for tag in order {
            let mark = env.len();
            let pattern = self.tag(class, tag, args, env);
            let body = self.expr(ty, depth, env);
            env.truncate(mark);
            cases.push((pattern, body));
        }
        if rest {
            self.rest(matched, ty, depth, env, &mut cases);
        }
        Expr::Match(Box::new(subject), cases)
    }

    /// The pattern of a tag with variables for its fields.
    fn tag(&mut self, class: usize, tag: usize, args: &[Type], env: &mut Env) -> Pattern {
        let fields = self.classes[class].tags[tag].clone();
        let vars: Vec<Option<Var>> = fields.iter().map(|_| (!self.random.once_in(4)).then(|| self.var())).collect();
        let bound = vars.iter().zip(&fields).filter_map(|(var, ty)| Some(((*var)?, instance(ty, args))));
        env.extend(bound);
        Pattern::Tag(class, tag, vars.into_iter().map(Pattern::Rest).collect())
    }

    /// The call of a function of the program.
    fn call(&mut self, ty: &Type, depth: usize, env: &mut Env) -> Expr {
        if self.functions.is_empty() {
            return self.made(ty, depth, env);
        }
        let number = self.random.below(self.functions.len());
        let function = self.functions[number].clone();
        let mut types: Vec<Type> = (0..function.type_params).map(|_| self.ty(self.classes.len())).collect();
        // The wanted type, if a parameter is what the function gives.
        if let Type::Param(param) = function.result {
            types[param] = ty.clone();
        }
        let mut args = vec![Expr::Int(self.random.below(5) as i32)];
        for (_, param) in &function.params[1..] {
            args.push(self.expr(&instance(param, &types), depth, env));
        }
        let result = instance(&function.result, &types);
        let call = Expr::Call(Box::new(Expr::Function(number, types)), args);
        if result == *ty {
            return call;
        }
        let var = self.var();
        env.push((var, result.clone()));
        let body = self.boxed(ty, depth, env);
        env.pop();
        Expr::Let(Binder::One(var, result), Box::new(call), body)
    }

    /// The call of a closure: one that is there, or one that is made for it.
    fn application(&mut self, ty: &Type, depth: usize, env: &mut Env) -> Expr {
        let is_made = |ty: &Type| mentioned(ty).into_iter().all(|param| env.iter().any(|bound| bound.1 == param));
        let fits = |bound: &&(Var, Type)| match &bound.1 {
            Type::Function(params, result) => **result == *ty && params.iter().all(is_made),
            _ => false,
        };
        let known: Vec<(Var, Type)> = env.iter().filter(fits).cloned().collect();
        let (callee, params) = match known.is_empty() || self.random.once_in(3) {
            true => {
                let params: Vec<Type> = (0..self.random.below(3)).map(|_| self.ty(self.classes.len())).collect();
                (self.function_value(&params, ty, depth, env), params)
            }
            false => {
                let (var, of) = &known[self.random.below(known.len())];
                let Type::Function(params, _) = of else { unreachable!("only functions fit") };
                (Expr::Var(*var), params.clone())
            }
        };
        Expr::Call(Box::new(callee), params.iter().map(|param| self.expr(param, depth, env)).collect())
    }
}
