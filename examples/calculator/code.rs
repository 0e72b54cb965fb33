//! Trees to IR. A number is an `i64`, a list a `ref`, a condition an `i32`; nothing else is said of types.
//!
//! The language is strict, so there are no thunks: a function is a function of the IR, and a call in tail position a
//! tail call, which needs no stack. References are used as if nothing ever moved; the compiler sees to it that this is
//! true.

use super::syntax::Result;
use super::syntax::Tree::{self, List, Word};
use cleave_compile::ir::{
    Block, Builder, Desc, Func, FuncId, Module, Opcode, Shape, Signature, Type, Value, libcalls, text,
};
use std::collections::BTreeMap;

/// The data of the language: a cell has a reference and a word, and is never overwritten, since nothing is lazy.
const DATA: &str = "desc $Empty = constructor arity 0 tag 0 \"()\"
desc $Cell = record arity 0 tag 0 \"::\" fields 1, 1 \"ai\" contiguous";
const CELL: Shape = Shape::contiguous(1, 1);

/// Signs, and what they do with two numbers.
const SIGNS: [&str; 6] = ["+", "-", "*", "/", "<", "="];
const OPERATIONS: [Opcode; 6] = [Opcode::Iadd, Opcode::Isub, Opcode::Imul, Opcode::Sdiv, Opcode::Slt, Opcode::Eq];

/// `(fun NAME (NAME TYPE …) TYPE body)`.
struct Function<'t> {
    name: &'t str,
    params: Vec<(&'t str, Type)>,
    result: Type,
    body: &'t Tree<'t>,
}

impl<'t> Function<'t> {
    fn of(tree: &'t Tree<'t>) -> Option<Self> {
        let types = BTreeMap::from([("int", Type::I64), ("list", Type::Ref)]);
        let [Word("fun"), Word(name), List(params), Word(result), body] = tree.parts() else { return None };
        let param = |pair: &'t [Tree<'t>]| match pair {
            [Word(name), Word(ty)] => Some((*name, *types.get(ty)?)),
            _ => None,
        };
        let params = params.chunks(2).map(param).collect::<Option<_>>()?;
        Some(Function { name, params, result: *types.get(result)?, body })
    }
}

/// The IR of a program.
pub fn module(program: &[Tree]) -> Result<Module> {
    let mut module = text::parse_module(DATA).map_err(|error| error.to_string())?;
    let desc = |label| module.descs.iter().find(|(_, desc)| desc.label == label).map(|(id, _)| id).ok_or("no data");
    let (empty, cell) = (desc("Empty")?, desc("Cell")?);
    let function = |tree| Function::of(tree).ok_or_else(|| format!("`{tree}` is no function"));
    let functions = program.iter().map(function).collect::<Result<Vec<_>>>()?;
    let known = functions.iter().zip((0..).map(FuncId::from_u32));
    let known: BTreeMap<_, _> = known.map(|(function, id)| (function.name, (id, function))).collect();
    if known.len() < functions.len() {
        return Err("two functions have the same name".into());
    }
    for Function { name, params, result, body } in &functions {
        let types: Vec<Type> = params.iter().map(|param| param.1).collect();
        let mut func = Func::new(*name, Signature::new(&types, &[*result]));
        let entry = func.new_block();
        let names = params.iter().map(|(name, ty)| (*name, func.add_param(entry, *ty))).collect();
        let b = Builder::new(&mut func, entry);
        let mut code = Code { known: &known, empty, cell, names, b };
        code.compile(body, Then::Return(*result)).map_err(|error| format!("in {name}: {error}"))?;
        module.funcs.push(func);
    }
    let print = module.declare(&libcalls::PRINT_INT);
    let mut start = Func::new("start", Signature::default());
    let entry = start.new_block();
    let mut b = Builder::new(&mut start, entry);
    let main = known.get("main").filter(|(_, main)| main.params.is_empty() && main.result == Type::I64);
    let (main, _) = main.ok_or("there is no `main` without parameters that gives an int")?;
    let number = b.call_value(*main, &[], Type::I64);
    b.call_extern(module.callee(print), &[number]);
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
    known: &'c BTreeMap<&'c str, (FuncId, &'c Function<'c>)>,
    empty: Desc,
    cell: Desc,
    /// Innermost last.
    names: Vec<(&'c str, Value)>,
    b: Builder<'c>,
}

impl<'c> Code<'c> {
    /// Compiles an expression whose value leaves the current block.
    fn compile(&mut self, tree: &'c Tree<'c>, then: Then) -> Result<()> {
        let scope = self.names.len();
        match (tree.parts(), then) {
            ([Word("let"), Word(name), value, body], _) => {
                let value = self.value(value)?;
                self.names.push((name, value));
                self.compile(body, then)?;
            }
            ([Word("if"), condition, yes, no], _) => {
                let condition = self.value_of(condition, Type::I32)?;
                let no_block = self.fork(condition);
                self.compile(yes, then)?;
                self.b.switch_to(no_block);
                self.compile(no, then)?;
            }
            ([Word("case"), list, empty, Word(head), Word(tail), other], _) => {
                let list = self.value_of(list, Type::Ref)?;
                let (header, row) = (self.b.op(Opcode::Header, &[list]), self.b.node_info(self.empty, 0));
                let is_empty = self.b.op(Opcode::Eq, &[header, row]);
                let other_block = self.fork(is_empty);
                self.compile(empty, then)?;
                self.b.switch_to(other_block);
                // Of one reference and one word the first of each kind.
                let first = self.b.get_of(Opcode::GetI64, CELL, 0, list);
                let rest = self.b.get_of(Opcode::GetRef, CELL, 0, list);
                self.names.extend([(*head, first), (*tail, rest)]);
                self.compile(other, then)?;
            }
            ([Word("let" | "if" | "case"), ..], _) => return Err(format!("`{tree}` has a wrong number of parts")),
            ([Word(name), args @ ..], Then::Return(ty)) if self.known.get(name).is_some_and(|f| f.1.result == ty) => {
                let (func, args, _) = self.callee(name, args)?;
                self.b.tail_call(func, &args);
            }
            (_, Then::Return(wanted)) => {
                let value = self.value_of(tree, wanted)?;
                self.b.ret(&[value]);
            }
            (_, Then::Join(block)) => {
                let value = self.value(tree)?;
                match self.b.func.params(block).first() {
                    Some(&param) => self.expect(self.b.func.values[param], value)?,
                    None => self.b.func.add_param(block, self.b.func.values[value]),
                };
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

    /// Compiles an expression whose value is needed in the current function.
    fn value(&mut self, tree: &'c Tree<'c>) -> Result<Value> {
        if let Word(word) = tree {
            let named = self.names.iter().rev().find(|known| known.0 == *word).map(|known| known.1);
            let number = || word.parse().ok().map(|number| self.b.iconst64(number));
            return named.or_else(number).ok_or_else(|| format!("there is no `{word}`"));
        }
        Ok(match tree.parts() {
            [] => self.b.node(self.empty),
            [Word("let" | "if" | "case"), ..] => {
                let join = self.b.func.new_block();
                self.compile(tree, Then::Join(join))?;
                self.b.switch_to(join);
                self.b.func.params(join)[0]
            }
            [Word("::"), head, tail] => {
                let (head, tail) = (self.value_of(head, Type::I64)?, self.value_of(tail, Type::Ref)?);
                self.b.build_node(self.cell, 0, &[tail, head])
            }
            [Word(sign), left, right] if SIGNS.contains(sign) => {
                let operands = [self.value_of(left, Type::I64)?, self.value_of(right, Type::I64)?];
                self.b.op(OPERATIONS[SIGNS.iter().position(|known| known == sign).unwrap_or_default()], &operands)
            }
            [Word(name), args @ ..] => {
                let (func, args, result) = self.callee(name, args)?;
                self.b.call_value(func, &args, result)
            }
            _ => return Err(format!("`{tree}` is no expression")),
        })
    }

    /// The same for an expression that must have this type.
    fn value_of(&mut self, tree: &'c Tree<'c>, wanted: Type) -> Result<Value> {
        let value = self.value(tree)?;
        self.expect(wanted, value)
    }

    fn expect(&self, wanted: Type, value: Value) -> Result<Value> {
        let shown = |ty| match ty {
            Type::I64 => "a number",
            Type::Ref => "a list",
            _ => "a condition",
        };
        let found = self.b.func.values[value];
        if wanted == found { Ok(value) } else { Err(format!("expected {}, found {}", shown(wanted), shown(found))) }
    }

    /// The function of a call, its arguments, and the type of its result.
    fn callee(&mut self, name: &str, args: &'c [Tree<'c>]) -> Result<(FuncId, Vec<Value>, Type)> {
        let (id, function) = *self.known.get(name).ok_or_else(|| format!("there is no function `{name}`"))?;
        if args.len() != function.params.len() {
            return Err(format!("`{name}` takes {} arguments", function.params.len()));
        }
        let args = args.iter().zip(&function.params).map(|(arg, param)| self.value_of(arg, param.1));
        Ok((id, args.collect::<Result<_>>()?, function.result))
    }
}
