//! Trees to IR. A value is a reference: an integer, which is in the reference itself if it fits, a text, a list or an
//! actor.
//!
//! A function is a function of the IR. The body of an actor is a node of what the function gets; the descriptor of
//! the node names the code. All else that the language needs, the scheduler above all, is in `runtime.ir`.

use crate::syntax::{Expr, Function, Kind, Result, error};
use cleave_compile::ir::{
    Block, Builder, Desc, DescData, Func, FuncId, Heap, Module, Opcode, Signature, StaticData, Table, Type, Value, text,
};
use cleave_diag::{SourceMap, Span, nearest};
use std::collections::BTreeMap;

/// Operations on two integers. A comparison gives 1 or 0.
const ARITHMETIC: [(&str, Opcode); 9] = [
    ("+", Opcode::Iadd),
    ("-", Opcode::Isub),
    ("*", Opcode::Imul),
    ("/", Opcode::Sdiv),
    ("%", Opcode::Srem),
    ("<", Opcode::Slt),
    ("<=", Opcode::Sle),
    (">", Opcode::Sgt),
    (">=", Opcode::Sge),
];

/// Operations that are functions of `runtime.ir`: what actors do.
const EFFECTS: [&str; 4] = ["receive", "self", "yield", "!"];

/// A function of the program.
struct Known {
    func: FuncId,
    params: usize,
    /// Of the bodies of actors with this function.
    desc: Desc,
}

struct Program<'p> {
    module: Module,
    files: &'p SourceMap,
    known: BTreeMap<&'p str, Known>,
    /// Functions of `runtime.ir`.
    runtime: BTreeMap<String, FuncId>,
    nil: Desc,
    cons: Desc,
    spawn: Desc,
    bodies: Table,
}

/// The IR of a program. It begins with `main`.
pub fn module(functions: &[Function], files: &SourceMap, heap: Heap) -> Result<Module> {
    let mut module =
        text::parse_module(include_str!("runtime.ir")).unwrap_or_else(|wrong| panic!("runtime.ir: {wrong}"));
    module.heap = heap;
    let desc = |label: &str| module.descs.iter().find(|(_, data)| data.label == label).map(|(id, _)| id).expect(label);
    let (nil, cons, spawn) = (desc("Nil"), desc("Cons"), desc("Spawn"));
    let bodies = module.tables.iter().next().expect("the table of bodies").0;
    let runtime = module.funcs.iter().map(|(id, func)| (func.name.clone(), id)).collect();
    let mut p = Program { module, files, known: BTreeMap::new(), runtime, nil, cons, spawn, bodies };
    for function in functions {
        let count = function.params.len();
        // No name of the runtime has a stroke behind a letter.
        let func = Func::new(format!("{}/{count}", function.name), signature(count));
        let (func, desc) = (p.module.funcs.push(func), p.body(&function.name, count));
        if p.known.insert(&function.name, Known { func, params: count, desc }).is_some() {
            return error(function.span, format!("there are two functions `{}`", function.name));
        }
    }
    for function in functions {
        let id = p.known[&*function.name].func;
        let mut func = std::mem::take(&mut p.module.funcs[id]);
        let entry = func.new_block();
        let names = function.params.iter().map(|name| (name.clone(), func.add_param(entry, Type::Ref))).collect();
        Code { p: &mut p, b: Builder::new(&mut func, entry), names }.compile(&function.body, Then::Return)?;
        p.module.funcs[id] = func;
    }
    let Some(Known { params: 0, desc: main, .. }) = p.known.get("main") else {
        let end = files.files().last().map(|(file, data)| (file, data.bytes.len() as u32)).expect("a file");
        return error(Span::new(end.0, end.1, end.1), "there is no function `main` without parameters");
    };
    let mut start = Func::new("start", Signature::default());
    let entry = start.new_block();
    let mut b = Builder::new(&mut start, entry);
    let main = b.node(*main);
    b.call(p.runtime["schedule"], &[main], &[]);
    b.ret(&[]);
    p.module.start = Some(p.module.funcs.push(start));
    p.module.suit_externs_to_heap();
    Ok(p.module)
}

fn signature(params: usize) -> Signature {
    Signature::new(&vec![Type::Ref; params], &[Type::Ref])
}

impl Program<'_> {
    /// The descriptor of the bodies of actors that run the function which was added last: a node of its arguments.
    fn body(&mut self, name: &str, count: usize) -> Desc {
        let function = FuncId::from_u32(self.module.funcs.len() as u32 - 1);
        let (label, fields) = (format!("body of {name}"), vec![Type::Ref; count]);
        let data = if count == 0 { DescData::atom(&label, 0) } else { DescData::record(&label, 0, &fields) };
        let desc = self.module.descs.push(DescData { immutable: true, ..data });
        let mut func = Func::new(label, signature(1));
        let entry = func.new_block();
        let node = func.add_param(entry, Type::Ref);
        let (mut b, shape) = (Builder::new(&mut func, entry), self.module.shape(desc, 0));
        let args: Vec<Value> = (0..count as u32).map(|at| b.get_of(Opcode::GetRef, shape, at, node)).collect();
        b.tail_call(function, &args);
        let code = self.module.funcs.push(func);
        self.module.tables[self.bodies].funcs.push(code);
        self.module.descs[desc].method = Some((self.bodies, code));
        desc
    }
}

/// What happens with the value of an expression.
#[derive(Clone, Copy)]
enum Then {
    /// The function returns it; a call is then a tail call.
    Return,
    /// It is the parameter of this block.
    Join(Block),
}

/// The code of one function.
struct Code<'c, 'p> {
    p: &'c mut Program<'p>,
    b: Builder<'c>,
    /// Innermost last.
    names: Vec<(String, Value)>,
}

impl Code<'_, '_> {
    /// Compiles an expression whose value leaves the block.
    fn compile(&mut self, expr: &Expr, then: Then) -> Result<()> {
        let scope = self.names.len();
        match &expr.kind {
            Kind::If(parts) => {
                let condition = self.value(&parts[0])?;
                let is_true = self.runtime("is_true", &[condition], Type::I32);
                let no = self.b.func.new_block();
                self.go_on(is_true, no);
                self.compile(&parts[1], then)?;
                self.b.switch_to(no);
                self.compile(&parts[2], then)?;
            }
            Kind::Match(value, arms) => {
                let value = self.value(value)?;
                for (pattern, result) in arms {
                    let other = self.b.func.new_block();
                    self.pattern(pattern, value, other)?;
                    self.compile(result, then)?;
                    self.names.truncate(scope);
                    self.b.switch_to(other);
                }
                let place = self.place(expr.span);
                self.b.call(self.p.runtime["no_match"], &[place], &[]);
                self.b.unreachable();
            }
            Kind::Block(parts) => {
                let Some(((name, last), parts)) = parts.split_last() else {
                    let nothing = Expr { kind: Kind::Int(0), span: expr.span };
                    return self.compile(&nothing, then);
                };
                for (name, part) in parts {
                    let value = self.value(part)?;
                    self.names.extend(name.clone().map(|name| (name, value)));
                }
                if name.is_some() {
                    return error(last.span, "nothing can use this name: the block ends here");
                }
                self.compile(last, then)?;
            }
            Kind::Call(name, args) if matches!(then, Then::Return) && self.p.known.contains_key(&**name) => {
                let (func, args) = self.call(name, args, expr.span)?;
                self.b.tail_call(func, &args);
            }
            _ => {
                let value = self.value(expr)?;
                match then {
                    Then::Return => self.b.ret(&[value]),
                    Then::Join(block) => self.b.jump(block, &[value]),
                }
            }
        }
        self.names.truncate(scope);
        Ok(())
    }

    /// Compiles an expression whose value is needed here.
    fn value(&mut self, expr: &Expr) -> Result<Value> {
        Ok(match &expr.kind {
            Kind::Int(number) => {
                let number = self.b.iconst64(*number);
                self.runtime("ref", &[number], Type::Ref)
            }
            Kind::Text(text) => self.text(text),
            Kind::Name(name) => match self.names.iter().rev().find(|known| known.0 == *name) {
                Some(known) => known.1,
                None => return unknown("value", name, expr.span, self.names.iter().map(|known| &*known.0)),
            },
            Kind::List(parts, rest) => {
                let parts = parts.iter().map(|part| self.value(part)).collect::<Result<Vec<_>>>()?;
                let rest = match rest {
                    Some(rest) => self.value(rest)?,
                    None => self.b.node(self.p.nil),
                };
                self.list(&parts, rest)
            }
            Kind::Spawn(name, args) => {
                let (_, args) = self.call(name, args, expr.span)?;
                let desc = self.p.known[&**name].desc;
                let body = if args.is_empty() { self.b.node(desc) } else { self.b.build_node(desc, 0, &args) };
                let effect = self.b.build_node(self.p.spawn, 0, &[body]);
                self.b.perform(effect)
            }
            Kind::Call(name, args) if self.p.known.contains_key(&**name) => {
                let (func, args) = self.call(name, args, expr.span)?;
                self.b.call_value(func, &args, Type::Ref)
            }
            Kind::Call(name, args) => self.operation(name, args, expr.span)?,
            Kind::If(_) | Kind::Match(..) | Kind::Block(_) => {
                let join = self.b.func.new_block();
                let value = self.b.func.add_param(join, Type::Ref);
                self.compile(expr, Then::Join(join))?;
                self.b.switch_to(join);
                value
            }
        })
    }

    /// What is no function of the program.
    fn operation(&mut self, name: &str, args: &[Expr], span: Span) -> Result<Value> {
        let opcode = ARITHMETIC.iter().find(|row| row.0 == name).map(|row| row.1);
        if opcode.is_none() && !EFFECTS.contains(&name) && !["print", "==", "!="].contains(&name) {
            let known = self.p.known.keys().copied().chain(["print"]);
            return unknown("function", name, span, known);
        }
        let mut values = args.iter().map(|arg| self.value(arg)).collect::<Result<Vec<_>>>()?;
        if let Some(opcode) = opcode {
            let place = self.place(span);
            let right = if ["/", "%"].contains(&name) { "divisor" } else { "int" };
            let left = self.runtime("int", &[values[0], place], Type::I64);
            let right = self.runtime(right, &[values[1], place], Type::I64);
            let number = self.b.op(opcode, &[left, right]);
            return Ok(self.number(number));
        }
        match name {
            "print" => {
                let end = self.b.node(self.p.nil);
                let values = self.list(&values, end);
                Ok(self.runtime("print", &[values], Type::Ref))
            }
            "==" | "!=" => {
                let mut are_equal = self.runtime("equal", &values, Type::I32);
                if name == "!=" {
                    are_equal = self.b.op(Opcode::Eqz, &[are_equal]);
                }
                Ok(self.number(are_equal))
            }
            _ => {
                values.push(self.place(span));
                Ok(self.runtime(name, &values, Type::Ref))
            }
        }
    }

    /// Goes on in a new block if the value matches the pattern, whose names are then known; otherwise in `other`.
    fn pattern(&mut self, pattern: &Expr, value: Value, other: Block) -> Result<()> {
        let matches = match &pattern.kind {
            Kind::Name(name) => {
                self.names.push((name.clone(), value));
                // A condition that always holds, so that `other` is reached from somewhere.
                self.b.iconst32(1)
            }
            Kind::Int(_) | Kind::Text(_) => {
                let wanted = self.value(pattern)?;
                self.runtime("equal", &[value, wanted], Type::I32)
            }
            Kind::List(parts, rest) => {
                let (mut list, shape) = (value, self.p.module.shape(self.p.cons, 0));
                for part in parts {
                    let is_cons = self.runtime("is_cons", &[list], Type::I32);
                    self.go_on(is_cons, other);
                    let head = self.b.get_of(Opcode::GetRef, shape, 0, list);
                    list = self.b.get_of(Opcode::GetRef, shape, 1, list);
                    self.pattern(part, head, other)?;
                }
                match rest {
                    Some(rest) => return self.pattern(rest, list, other),
                    None => self.runtime("is_nil", &[list], Type::I32),
                }
            }
            _ => return error(pattern.span, "this is no pattern: integers, texts, names and lists of patterns are"),
        };
        self.go_on(matches, other);
        Ok(())
    }

    // -- small parts --

    /// The function that is called, and the values of its arguments.
    fn call(&mut self, name: &str, args: &[Expr], span: Span) -> Result<(FuncId, Vec<Value>)> {
        let Some(known) = self.p.known.get(name) else {
            return unknown("function", name, span, self.p.known.keys().copied());
        };
        let (func, params) = (known.func, known.params);
        if args.len() != params {
            return error(span, format!("`{name}` takes {params} arguments, not {}", args.len()));
        }
        Ok((func, args.iter().map(|arg| self.value(arg)).collect::<Result<_>>()?))
    }
    fn runtime(&mut self, name: &str, args: &[Value], result: Type) -> Value {
        self.b.call_value(self.p.runtime[name], args, result)
    }
    /// A number, perhaps of 32 bits, as a value.
    fn number(&mut self, number: Value) -> Value {
        let is_short = self.b.func.values[number] == Type::I32;
        let number = if is_short { self.b.op(Opcode::ExtendU, &[number]) } else { number };
        self.runtime("ref", &[number], Type::Ref)
    }
    /// Goes on in a new block if a condition holds, else in `other`.
    fn go_on(&mut self, condition: Value, other: Block) {
        let next = self.b.func.new_block();
        self.b.br_if(condition, (next, &[]), (other, &[]));
        self.b.switch_to(next);
    }
    fn text(&mut self, text: &[u8]) -> Value {
        let id = self.p.module.statics.push(StaticData::String(text.into()));
        self.b.static_ref(id)
    }
    /// The beginning of a message at run time.
    fn place(&mut self, span: Span) -> Value {
        let (position, file) = (self.p.files.position(span), self.p.files.file(span.file));
        self.text(format!("{}:{}:{}: ", file.name, position.line, position.column).as_bytes())
    }
    fn list(&mut self, parts: &[Value], rest: Value) -> Value {
        parts.iter().rev().fold(rest, |rest, &part| self.b.build_node(self.p.cons, 0, &[part, rest]))
    }
}

fn unknown<'n, T>(what: &str, name: &str, span: Span, known: impl Iterator<Item = &'n str>) -> Result<T> {
    let near = nearest(name.as_bytes(), known.map(str::as_bytes)).map(String::from_utf8_lossy);
    let near = near.map_or_else(String::new, |near| format!(": did you mean `{near}`?"));
    error(span, format!("there is no {what} `{name}`{near}"))
}
