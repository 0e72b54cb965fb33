//! Expressions to IR. A number is an `i64`, a list a `ref`, a condition an `i32`; nothing else is said of types.
//!
//! The language is strict, so there are no thunks: a function is a function of the IR, and a call in tail position a
//! tail call, which needs no stack. References are used as if nothing ever moved; the compiler sees to it that this is
//! true.

use super::syntax::{Expr, Function, Result};
use cleave_compile::ir::{
    Block, Builder, Desc, Func, FuncId, Module, Opcode, Shape, Signature, Type, Value, rows, text,
};
use std::collections::BTreeMap;

/// The data of the language: a cell has a reference and a word, and is never overwritten, since nothing is lazy.
const DATA: &str = "desc $Empty = constructor arity 0 number 0 \"[]\"
desc $Cell = record arity 0 number 0 \"::\" fields 1, 1 \"ai\" solid";

/// What is known of all functions before any is compiled.
struct Known<'f> {
    funcs: BTreeMap<&'f str, (FuncId, &'f Function)>,
    empty: Desc,
    cell: Desc,
    shape: Shape,
}

/// The IR of a program.
pub fn module(functions: &[Function]) -> Result<Module> {
    let mut module = text::parse_module(DATA).map_err(|error| error.to_string())?;
    let desc = |label| module.descs.iter().find(|(_, desc)| desc.label == label).map(|(id, _)| id).ok_or("no data");
    let (empty, cell) = (desc("Empty")?, desc("Cell")?);
    let ids = (0..).map(FuncId::from_u32);
    let funcs = functions.iter().zip(ids).map(|(function, id)| (function.name.as_str(), (id, function))).collect();
    let known = Known { funcs, empty, cell, shape: module.shape(cell, 0) };
    if known.funcs.len() < functions.len() {
        return Err("two functions have the same name".into());
    }
    for function in functions {
        let params: Vec<Type> = function.params.iter().map(|param| param.1).collect();
        let mut func = Func::new(&function.name, Signature::new(&params, &[function.result]));
        let entry = func.new_block();
        let names = function.params.iter().map(|(name, ty)| (name.as_str(), func.add_param(entry, *ty))).collect();
        let mut code = Code { known: &known, names, b: Builder::new(&mut func, entry) };
        code.compile(&function.body, Then::Return(function.result))
            .map_err(|error| format!("in {}: {error}", function.name))?;
        module.funcs.push(func);
    }
    let mut start = Func::new("start", Signature::default());
    let entry = start.new_block();
    let mut b = Builder::new(&mut start, entry);
    let print = module.declare(&rows::PRINT_INT);
    let print = module.callee(print);
    let number = b.call_value(known.funcs["print"].0, &[], Type::I64);
    b.call_extern(print, &[number]);
    b.ret(&[]);
    module.start = Some(module.funcs.push(start));
    Ok(module)
}

/// What happens with the value of an expression.
#[derive(Clone, Copy)]
enum Then {
    /// The function returns it; it must have this type.
    Return(Type),
    /// It is the parameter of this block, which gets it from all branches.
    Join(Block),
}

/// The code of one function.
struct Code<'c> {
    known: &'c Known<'c>,
    /// Innermost last.
    names: Vec<(&'c str, Value)>,
    b: Builder<'c>,
}

impl<'c> Code<'c> {
    fn type_of(&self, value: Value) -> Type {
        self.b.func.values[value]
    }

    /// Compiles an expression whose value leaves the current block.
    fn compile(&mut self, expr: &'c Expr, then: Then) -> Result<()> {
        let scope = self.names.len();
        match (expr, then) {
            (Expr::Let(name, value, body), _) => {
                let value = self.value(value)?;
                self.names.push((name, value));
                self.compile(body, then)?;
            }
            (Expr::If(condition, yes, no), _) => {
                let condition = self.value_of(condition, Type::I32)?;
                let no_block = self.fork(condition);
                self.compile(yes, then)?;
                self.b.switch_to(no_block);
                self.compile(no, then)?;
            }
            (Expr::Case(list, empty, [head, tail], other), _) => {
                let list = self.value_of(list, Type::Ref)?;
                let (header, row) = (self.b.op(Opcode::Header, &[list]), self.b.row(self.known.empty, 0));
                let is_empty = self.b.op(Opcode::Eq, &[header, row]);
                let other_block = self.fork(is_empty);
                self.compile(empty, then)?;
                self.b.switch_to(other_block);
                // Of one reference and one word the first of each kind.
                let first = self.b.get_of(Opcode::GetI64, self.known.shape, 0, list);
                let rest = self.b.get_of(Opcode::GetRef, self.known.shape, 0, list);
                self.names.extend([(head.as_str(), first), (tail.as_str(), rest)]);
                self.compile(other, then)?;
            }
            (Expr::Call(name, args), Then::Return(wanted)) => {
                let (func, args, found) = self.callee(name, args)?;
                expect(wanted, found)?;
                self.b.tail_call(func, &args);
            }
            (_, Then::Return(wanted)) => {
                let value = self.value_of(expr, wanted)?;
                self.b.ret(&[value]);
            }
            (_, Then::Join(block)) => {
                let value = self.value(expr)?;
                let found = self.type_of(value);
                match self.b.func.params(block).first() {
                    Some(&param) => expect(self.type_of(param), found)?,
                    None => _ = self.b.func.add_param(block, found),
                }
                self.b.jump(block, &[value]);
            }
        }
        self.names.truncate(scope);
        Ok(())
    }

    /// The block at hand ends with a branch; the first of two new ones is the next, the other one is given.
    fn fork(&mut self, condition: Value) -> Block {
        let (yes, no) = (self.b.func.new_block(), self.b.func.new_block());
        self.b.br_if(condition, (yes, &[]), (no, &[]));
        self.b.switch_to(yes);
        no
    }

    /// The same as `value` for an expression that must have this type.
    fn value_of(&mut self, expr: &'c Expr, wanted: Type) -> Result<Value> {
        let value = self.value(expr)?;
        expect(wanted, self.type_of(value)).map(|()| value)
    }

    /// Compiles an expression whose value is needed in the current function.
    fn value(&mut self, expr: &'c Expr) -> Result<Value> {
        Ok(match expr {
            Expr::Let(..) | Expr::If(..) | Expr::Case(..) => {
                let join = self.b.func.new_block();
                self.compile(expr, Then::Join(join))?;
                self.b.switch_to(join);
                self.b.func.params(join)[0]
            }
            Expr::Number(number) => self.b.iconst64(*number),
            Expr::Empty => self.b.node(self.known.empty),
            Expr::Variable(name) => {
                let found = self.names.iter().rev().find(|known| known.0 == name);
                found.ok_or_else(|| format!("there is no `{name}`"))?.1
            }
            Expr::Call(name, args) => {
                let (func, args, result) = self.callee(name, args)?;
                self.b.call_value(func, &args, result)
            }
            Expr::Binary(sign, left, right) if sign == "::" => {
                let (head, tail) = (self.value_of(left, Type::I64)?, self.value_of(right, Type::Ref)?);
                self.b.build_node(self.known.cell, 0, &[tail, head])
            }
            Expr::Binary(sign, left, right) => {
                let operands = [self.value_of(left, Type::I64)?, self.value_of(right, Type::I64)?];
                let op = match sign.as_str() {
                    "+" => Opcode::Iadd,
                    "-" => Opcode::Isub,
                    "*" => Opcode::Imul,
                    "/" => Opcode::Sdiv,
                    "<" => Opcode::Slt,
                    _ => Opcode::Eq,
                };
                self.b.op(op, &operands)
            }
        })
    }

    /// The function of a call, its arguments, and the type of its result.
    fn callee(&mut self, name: &str, args: &'c [Expr]) -> Result<(FuncId, Vec<Value>, Type)> {
        let (id, function) = *self.known.funcs.get(name).ok_or_else(|| format!("there is no function `{name}`"))?;
        if args.len() != function.params.len() {
            return Err(format!("`{name}` takes {} arguments", function.params.len()));
        }
        let values: Result<Vec<Value>> =
            args.iter().zip(&function.params).map(|(arg, param)| self.value_of(arg, param.1)).collect();
        Ok((id, values?, function.result))
    }
}

fn expect(wanted: Type, found: Type) -> Result<()> {
    let shown = |ty| match ty {
        Type::I64 => "a number",
        Type::Ref => "a list",
        _ => "a condition",
    };
    if wanted == found { Ok(()) } else { Err(format!("expected {}, found {}", shown(wanted), shown(found))) }
}
