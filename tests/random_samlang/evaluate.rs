//! What programs print: call by value over trees of values, with a budget.

use super::{Binder, Expr, Pattern, Program, Var};
use std::rc::Rc;

/// Steps of a program at most.
const BUDGET: u32 = 20_000;
/// Bytes of a string at most.
const LENGTH: usize = 5_000;
/// Nested calls at most: the evaluator uses the stack for them.
const DEPTH: u32 = 200;

#[derive(Clone)]
enum Value<'p> {
    Int(i32),
    Bool(bool),
    Text(Rc<Vec<u8>>),
    Unit,
    Data(usize, Rc<Vec<Value<'p>>>),
    Tuple(Rc<Vec<Value<'p>>>),
    Lambda(&'p [(Var, super::Type)], &'p Expr, Env<'p>),
    Function(usize),
    Tag(usize),
    Method(usize, Rc<Value<'p>>),
}

/// Variables, the last one first.
type Env<'p> = Option<Rc<Bound<'p>>>;

struct Bound<'p> {
    var: Var,
    value: Value<'p>,
    next: Env<'p>,
}

fn bind<'p>(env: &Env<'p>, var: Var, value: Value<'p>) -> Env<'p> {
    Some(Rc::new(Bound { var, value, next: env.clone() }))
}

struct Evaluator<'p> {
    program: &'p Program,
    budget: u32,
    depth: u32,
    printed: Vec<u8>,
}

/// What the program prints; nothing if it takes too long.
pub fn evaluate(program: &Program) -> Option<Vec<u8>> {
    let mut evaluator = Evaluator { program, budget: BUDGET, depth: 0, printed: Vec::new() };
    for line in &program.lines {
        let text = evaluator.text(line, &None)?;
        evaluator.print(&text);
    }
    Some(evaluator.printed)
}

impl<'p> Evaluator<'p> {
    fn print(&mut self, text: &[u8]) {
        self.printed.extend_from_slice(text);
        self.printed.push(b'\n');
    }

    fn int(&mut self, expr: &'p Expr, env: &Env<'p>) -> Option<i32> {
        match self.eval(expr, env)? {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    fn bool(&mut self, expr: &'p Expr, env: &Env<'p>) -> Option<bool> {
        match self.eval(expr, env)? {
            Value::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    fn text(&mut self, expr: &'p Expr, env: &Env<'p>) -> Option<Rc<Vec<u8>>> {
        match self.eval(expr, env)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    fn all(&mut self, exprs: &'p [Expr], env: &Env<'p>) -> Option<Vec<Value<'p>>> {
        exprs.iter().map(|expr| self.eval(expr, env)).collect()
    }

    fn eval(&mut self, expr: &'p Expr, env: &Env<'p>) -> Option<Value<'p>> {
        self.budget = self.budget.checked_sub(1)?;
        Some(match expr {
            Expr::Int(number) => Value::Int(*number),
            Expr::Bool(truth) => Value::Bool(*truth),
            Expr::Text(text) => Value::Text(Rc::new(text.as_bytes().to_vec())),
            Expr::Var(var) => {
                let mut at = env.as_deref()?;
                while at.var != *var {
                    at = at.next.as_deref()?;
                }
                at.value.clone()
            }
            Expr::Negate(operand) => Value::Int(self.int(operand, env)?.wrapping_neg()),
            Expr::Not(operand) => Value::Bool(!self.bool(operand, env)?),
            Expr::Binary("&&", left, right) => Value::Bool(self.bool(left, env)? && self.bool(right, env)?),
            Expr::Binary("||", left, right) => Value::Bool(self.bool(left, env)? || self.bool(right, env)?),
            Expr::Binary(sign, left, right) => {
                let (left, right) = (self.eval(left, env)?, self.eval(right, env)?);
                self.binary(sign, left, right)?
            }
            Expr::If(condition, yes, no) => match self.bool(condition, env)? {
                true => self.eval(yes, env)?,
                false => self.eval(no, env)?,
            },
            Expr::Function(number, _) => Value::Function(*number),
            Expr::Call(callee, args) => {
                let callee = self.eval(callee, env)?;
                let args = self.all(args, env)?;
                self.call(callee, args)?
            }
            Expr::Construct(_, tag, _, fields) => Value::Data(*tag, Rc::new(self.all(fields, env)?)),
            Expr::Tag(_, tag, _) => Value::Tag(*tag),
            Expr::Method(class, object) => Value::Method(*class, Rc::new(self.eval(object, env)?)),
            Expr::Lambda(params, body) => Value::Lambda(params, body, env.clone()),
            Expr::Tuple(items) => Value::Tuple(Rc::new(self.all(items, env)?)),
            Expr::Let(binder, value, body) => {
                let value = self.eval(value, env)?;
                let env = match (binder, value) {
                    (Binder::One(var, _), value) => bind(env, *var, value),
                    (Binder::Tuple(vars), Value::Tuple(items)) => {
                        let pairs = vars.iter().zip(items.iter());
                        pairs.fold(env.clone(), |env, (var, item)| match var {
                            Some(var) => bind(&env, *var, item.clone()),
                            None => env,
                        })
                    }
                    _ => return None,
                };
                self.eval(body, &env)?
            }
            Expr::Match(subject, cases) => {
                let subject = self.eval(subject, env)?;
                let found = cases.iter().find_map(|(pattern, body)| Some((matches(pattern, &subject, env)?, body)));
                let (env, body) = found?;
                self.eval(body, &env)?
            }
            Expr::BuiltIn(name, args) => {
                let args = self.all(args, env)?;
                self.built_in(name, &args)?
            }
            Expr::Sequence(first, second) => {
                self.eval(first, env)?;
                self.eval(second, env)?
            }
        })
    }

    fn call(&mut self, callee: Value<'p>, args: Vec<Value<'p>>) -> Option<Value<'p>> {
        if self.depth == DEPTH {
            return None;
        }
        self.depth += 1;
        let program = self.program;
        let (env, body) = match callee {
            Value::Lambda(params, body, env) => {
                let vars = params.iter().map(|param| param.0).zip(args);
                (vars.fold(env, |env, (var, value)| bind(&env, var, value)), body)
            }
            Value::Function(number) => {
                let function = &program.functions[number];
                let vars = function.params.iter().map(|param| param.0).zip(args);
                (vars.fold(None, |env, (var, value)| bind(&env, var, value)), &function.body)
            }
            Value::Method(class, object) => {
                let class = &program.classes[class];
                (bind(&None, class.this, (*object).clone()), &class.pick)
            }
            Value::Tag(tag) => {
                self.depth -= 1;
                return Some(Value::Data(tag, Rc::new(args)));
            }
            _ => return None,
        };
        let value = self.eval(body, &env);
        self.depth -= 1;
        value
    }

    fn binary(&mut self, sign: &str, left: Value<'p>, right: Value<'p>) -> Option<Value<'p>> {
        Some(match (left, right) {
            (Value::Int(left), Value::Int(right)) => match sign {
                "+" => Value::Int(left.wrapping_add(right)),
                "-" => Value::Int(left.wrapping_sub(right)),
                "*" => Value::Int(left.wrapping_mul(right)),
                "/" => Value::Int(left.checked_div(right)?),
                "%" => Value::Int(left.checked_rem(right)?),
                "<" => Value::Bool(left < right),
                "<=" => Value::Bool(left <= right),
                ">" => Value::Bool(left > right),
                ">=" => Value::Bool(left >= right),
                "==" => Value::Bool(left == right),
                _ => Value::Bool(left != right),
            },
            (Value::Text(left), Value::Text(right)) => match sign {
                "==" => Value::Bool(left == right),
                "!=" => Value::Bool(left != right),
                _ if left.len() + right.len() > LENGTH => return None,
                _ => Value::Text(Rc::new([&left[..], &right[..]].concat())),
            },
            _ => return None,
        })
    }

    fn built_in(&mut self, name: &str, args: &[Value<'p>]) -> Option<Value<'p>> {
        Some(match (name, args) {
            ("println", [Value::Text(text)]) => {
                self.print(text);
                Value::Unit
            }
            ("intToString", [Value::Int(number)]) => Value::Text(Rc::new(number.to_string().into_bytes())),
            ("toInt", [Value::Int(number)]) => Value::Int(*number),
            ("stringLength", [Value::Text(text)]) => Value::Int(text.len() as i32),
            ("compareStrings", [Value::Text(left), Value::Text(right)]) => Value::Int(left.cmp(right) as i32),
            ("substring", [Value::Text(text), Value::Int(from), Value::Int(to)]) => {
                let from = (*from).max(0) as usize;
                let to = ((*to).max(0) as usize).min(text.len());
                Value::Text(Rc::new(text.get(from..to).unwrap_or_default().to_vec()))
            }
            _ => return None,
        })
    }
}

/// The variables of a pattern that a value fits.
fn matches<'p>(pattern: &'p Pattern, value: &Value<'p>, env: &Env<'p>) -> Option<Env<'p>> {
    match (pattern, value) {
        (Pattern::Rest(None), _) => Some(env.clone()),
        (Pattern::Rest(Some(var)), value) => Some(bind(env, *var, value.clone())),
        (Pattern::Int(number), Value::Int(found)) => (number == found).then(|| env.clone()),
        (Pattern::Text(text), Value::Text(found)) => (text.as_bytes() == &found[..]).then(|| env.clone()),
        (Pattern::Tag(_, tag, patterns), Value::Data(found, fields)) if tag == found => {
            let mut env = env.clone();
            for (pattern, field) in patterns.iter().zip(fields.iter()) {
                env = matches(pattern, field, &env)?;
            }
            Some(env)
        }
        (Pattern::Either(patterns), value) => patterns.iter().find_map(|pattern| matches(pattern, value, env)),
        _ => None,
    }
}
