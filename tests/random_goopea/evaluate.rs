//! What programs mean: call by value over trees of values, with a budget.

use super::{Expr, Pattern, Program};
use std::rc::Rc;

/// The bits that integers have.
const BITS: u32 = 63;
/// Steps of a program at most.
const BUDGET: u32 = 20_000;

#[derive(Clone)]
enum Value {
    Int(i64),
    Data(usize, Rc<Vec<Value>>),
    Tuple(Vec<Value>),
}

struct Evaluator<'p> {
    program: &'p Program,
    budget: u32,
}

type Env = Vec<(String, Value)>;

/// What the last function gives, as it is printed; nothing if it divides by zero or takes too long.
pub fn evaluate(program: &Program) -> Option<String> {
    let mut evaluator = Evaluator { program, budget: BUDGET };
    let last = program.functions.last()?;
    evaluator.eval(&last.body, &mut Vec::new()).map(|value| show(&value))
}

fn wrap(number: i128) -> i64 {
    let half = 1i128 << (BITS - 1);
    ((number + half).rem_euclid(2 * half) - half) as i64
}

impl Evaluator<'_> {
    fn eval(&mut self, expr: &Expr, env: &mut Env) -> Option<Value> {
        self.budget = self.budget.checked_sub(1)?;
        Some(match expr {
            Expr::Int(number) => Value::Int(wrap(i128::from(*number))),
            Expr::Var(name) => env.iter().rev().find(|bound| bound.0 == *name)?.1.clone(),
            Expr::Negate(operand) => Value::Int(wrap(-i128::from(self.int(operand, env)?))),
            Expr::Binary(sign, left, right) => {
                let (left, right) = (i128::from(self.int(left, env)?), i128::from(self.int(right, env)?));
                let truth = |truth: bool| Value::Data(usize::from(truth), Rc::default());
                match *sign {
                    "+" => Value::Int(wrap(left + right)),
                    "-" => Value::Int(wrap(left - right)),
                    "*" => Value::Int(wrap(left * right)),
                    "/" => Value::Int(wrap(left.checked_div(right)?)),
                    "%" => Value::Int(wrap(left.checked_rem(right)?)),
                    "<" => truth(left < right),
                    "<=" => truth(left <= right),
                    ">" => truth(left > right),
                    ">=" => truth(left >= right),
                    "==" => truth(left == right),
                    _ => truth(left != right),
                }
            }
            Expr::Call(function, args) => {
                let function = &self.program.functions[*function];
                let args = self.all(args, env)?;
                let mut inner = function.params.iter().map(|param| param.0.clone()).zip(args).collect();
                self.eval(&function.body, &mut inner)?
            }
            Expr::Construct(_, index, args) => Value::Data(*index, Rc::new(self.all(args, env)?)),
            Expr::Tuple(args) => Value::Tuple(self.all(args, env)?),
            Expr::Let(binders, value, body) => {
                let value = self.eval(value, env)?;
                let mark = env.len();
                match (&binders[..], value) {
                    ([binder], value @ (Value::Int(_) | Value::Data(..))) => {
                        env.extend(binder.clone().map(|name| (name, value)));
                    }
                    (binders, Value::Tuple(values)) => {
                        env.extend(
                            binders.iter().cloned().zip(values).filter_map(|(name, value)| Some((name?, value))),
                        );
                    }
                    _ => return None,
                }
                let result = self.eval(body, env);
                env.truncate(mark);
                result?
            }
            Expr::Match(subject, cases) => {
                let subject = self.eval(subject, env)?;
                let mark = env.len();
                for (pattern, body) in cases {
                    match (pattern, &subject) {
                        (Pattern::Int(number), Value::Int(found)) if wrap(i128::from(*number)) == *found => {}
                        (Pattern::Var(name), _) => env.push((name.clone(), subject.clone())),
                        (Pattern::Constructor(_, index, binders), Value::Data(found, fields)) if index == found => {
                            let fields = binders.iter().cloned().zip(fields.iter().cloned());
                            env.extend(fields.filter_map(|(name, value)| Some((name?, value))));
                        }
                        _ => continue,
                    }
                    let result = self.eval(body, env);
                    env.truncate(mark);
                    return result;
                }
                return None;
            }
        })
    }

    fn all(&mut self, exprs: &[Expr], env: &mut Env) -> Option<Vec<Value>> {
        exprs.iter().map(|expr| self.eval(expr, env)).collect()
    }

    fn int(&mut self, expr: &Expr, env: &mut Env) -> Option<i64> {
        match self.eval(expr, env)? {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }
}

/// The elements of a value that is printed as a list.
fn elements(value: &Value) -> Option<Vec<String>> {
    let mut elements = Vec::new();
    let mut value = value;
    loop {
        let Value::Data(_, fields) = value else { return None };
        let [first, second] = &fields[..] else { return None };
        match first {
            Value::Int(_) => {}
            Value::Data(_, fields) if fields.is_empty() => {}
            _ => return None,
        }
        elements.push(show(first));
        match second {
            Value::Int(0) => return Some(elements),
            Value::Data(0, fields) if fields.is_empty() => return Some(elements),
            next => value = next,
        }
    }
}

fn show(value: &Value) -> String {
    let join = |values: &[Value]| values.iter().map(show).collect::<Vec<_>>().join(", ");
    match value {
        Value::Int(number) => number.to_string(),
        Value::Data(index, fields) if fields.is_empty() => index.to_string(),
        Value::Tuple(values) => format!("({})", join(values)),
        Value::Data(index, fields) => match elements(value) {
            Some(elements) => format!("[{}]", elements.join(", ")),
            None => format!("[{}: {}]", char::from(b'A' + *index as u8), join(fields)),
        },
    }
}
