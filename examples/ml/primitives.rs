//! What is not written in the language: primitives, and functions that are made for each type, which compare and print.

use crate::expr::Code;
use crate::program::{Job, Mono, Substitution, field_opcodes};
use crate::syntax::Ty;
use cleave_compile::ir::{ArrayKind, Opcode, Type, Value, libcalls};
use cleave_diag::{Diagnostic, code};

const COMPARISONS: [&str; 6] = ["=", "<>", "<", "<=", ">", ">="];
const OF_INTEGERS: [Opcode; 6] = [Opcode::Eq, Opcode::Ne, Opcode::Slt, Opcode::Sle, Opcode::Sgt, Opcode::Sge];
const OF_REALS: [Opcode; 6] = [Opcode::Feq, Opcode::Fne, Opcode::Flt, Opcode::Fle, Opcode::Fgt, Opcode::Fge];

impl<'p> Code<'_, 'p> {
    /// The value of a primitive; of a comparison, 32 bits. The type is that of the primitive as a function.
    pub fn primitive(&mut self, name: &str, args: &[Value], ty: Mono) -> Value {
        let (params, result) = self.p.arrows(ty, args.len());
        let wanted = self.p.ty(result);
        let array = |code: &Self| code.array_kind(params[0]);
        match name {
            _ if COMPARISONS.contains(&name) => self.comparison(name, params[0], args[0], args[1]),
            "compare" => self.compare(params[0], args[0], args[1]),
            "sdiv" | "srem" => {
                let opcode = if name == "sdiv" { Opcode::Sdiv } else { Opcode::Srem };
                if self.numbers.get(&args[1]).is_none_or(|&number| number == 0) {
                    let (zero, fine) = (self.b.func.new_block(), self.b.func.new_block());
                    let is_zero = self.b.op(Opcode::Eqz, &[args[1]]);
                    self.b.br_if(is_zero, (zero, &[]), (fine, &[]));
                    self.b.switch_to(zero);
                    let exception = self.exception("Division_by_zero", &[]);
                    self.b.raise(exception);
                    self.b.switch_to(fine);
                }
                self.b.op(opcode, args)
            }
            "not" => self.b.op(Opcode::Eqz, args),
            "negate" => {
                let zero = self.b.iconst64(0);
                self.b.op(Opcode::Isub, &[zero, args[0]])
            }
            "same" => args[0],
            "ignore" => self.unit(),
            "raise" => {
                self.b.raise(args[0]);
                self.dead_end(wanted)
            }
            "ref" => {
                let node = self.p.node(result, "");
                self.build(&node, args)
            }
            "get" | "set" | "increment" | "decrement" => {
                let node = self.p.node(params[0], "");
                let [get, set, ..] = field_opcodes(node.fields[0].1);
                let one = self.b.iconst64(1);
                let value = match name {
                    "get" => return self.b.get_of(get, node.shape, 0, args[0]),
                    "set" => args[1],
                    _ => {
                        let now = self.b.get_of(get, node.shape, 0, args[0]);
                        self.b.op(if name == "increment" { Opcode::Iadd } else { Opcode::Isub }, &[now, one])
                    }
                };
                self.b.set_of(set, node.shape, 0, args[0], value);
                self.unit()
            }
            "array.new" => {
                let kind = self.array_kind(result);
                self.b.array_new(kind, args[0], args[1])
            }
            "array.get" => self.b.array_get(array(self), args[0], args[1]),
            "array.set" => {
                self.b.array_set(array(self), args[0], args[1], args[2]);
                self.unit()
            }
            "array.len" => self.b.array_len(array(self), args[0]),
            "array.sub" => {
                let end = self.b.op(Opcode::Iadd, &[args[1], args[2]]);
                self.b.array_slice(array(self), args[0], args[1], end)
            }
            "array.blit" => {
                self.b.array_copy(array(self), (args[2], args[3]), (args[0], args[1]), args[4]);
                self.unit()
            }
            "string.get" => {
                let (wrong, fine) = (self.b.func.new_block(), self.b.func.new_block());
                let size = self.b.op(Opcode::StringSize, &[args[0]]);
                let is_inside = self.b.op(Opcode::Ult, &[args[1], size]);
                self.b.br_if(is_inside, (fine, &[]), (wrong, &[]));
                self.b.switch_to(wrong);
                self.call_rt(&libcalls::INDEX_ERROR, &[], Type::I64);
                self.b.unreachable();
                self.b.switch_to(fine);
                self.b.string_get(self.p.module.heap, args[0], args[1])
            }
            _ => match (Opcode::ALL.iter().find(|opcode| opcode.info().name == name), libcalls::find(name)) {
                (Some(&opcode), _) => self.b.op(opcode, args),
                (_, Some(row)) => self.call_rt(row, &args[..row.params.len()], wanted),
                _ => {
                    let message = format!("there is no primitive `{name}`");
                    self.p.messages.push(Diagnostic::error(code::UNKNOWN_FUNCTION, message));
                    self.dead_end(wanted)
                }
            },
        }
    }

    /// A new exception of the prelude.
    pub fn exception(&mut self, name: &str, args: &[Value]) -> Value {
        let mono = self.p.intern("exn".into(), Vec::new());
        let node = self.p.node(mono, name);
        self.build(&node, args)
    }

    fn comparison(&mut self, name: &str, mono: Mono, left: Value, right: Value) -> Value {
        let at = COMPARISONS.iter().position(|known| *known == name).unwrap_or(0);
        match self.p.ty(mono) {
            Type::F64 => self.b.op(OF_REALS[at], &[left, right]),
            Type::I64 => self.b.op(OF_INTEGERS[at], &[left, right]),
            _ => {
                let order = self.compare(mono, left, right);
                let zero = self.b.iconst64(0);
                self.b.op(OF_INTEGERS[at], &[order, zero])
            }
        }
    }

    /// -1, 0 or 1.
    fn compare(&mut self, mono: Mono, left: Value, right: Value) -> Value {
        let (name, args) = self.p.of(mono);
        match &*name {
            "string" => self.call_rt(&libcalls::CMP_STRING, &[left, right], Type::I64),
            _ if self.p.ty(mono) != Type::Ref => {
                let less = self.comparison("<", mono, left, right);
                let more = self.comparison(">", mono, left, right);
                let (less, more) = (self.widened(less), self.widened(more));
                self.b.op(Opcode::Isub, &[more, less])
            }
            "ref" | "*" => {
                let _ = args;
                let func = self.p.made(1, mono, Job::Compare(mono));
                self.b.call_value(func, &[left, right], Type::I64)
            }
            _ if self.p.constructors(mono).is_empty() => {
                let message = format!("values of the type `{name}` cannot be compared");
                self.p.messages.push(Diagnostic::error(code::INCOMPARABLE, message));
                self.unit()
            }
            _ => {
                let func = self.p.made(1, mono, Job::Compare(mono));
                self.b.call_value(func, &[left, right], Type::I64)
            }
        }
    }

    /// The nodes of a type, or the one of a tuple or a cell, each with the block where a value is known to be it.
    fn cases(
        &mut self,
        mono: Mono,
        value: Value,
    ) -> Vec<(std::rc::Rc<crate::program::Node>, cleave_compile::ir::Block)> {
        let names = self.p.constructors(mono);
        let nodes: Vec<_> = if names.is_empty() {
            vec![self.p.node(mono, "")]
        } else {
            names.iter().map(|name| self.p.node(mono, name)).collect()
        };
        let cases: Vec<_> = nodes.into_iter().map(|node| (node, self.b.func.new_block())).collect();
        self.b.switch(value, &cases.iter().map(|(node, block)| (node.desc, 0, *block)).collect::<Vec<_>>());
        cases
    }

    /// The code of a function that compares two nodes: constructors in their order, then field by field.
    pub fn compare_nodes(&mut self, mono: Mono, left: Value, right: Value) {
        let is_one = self.p.constructors(mono).len() < 2;
        for (node, block) in self.cases(mono, left) {
            self.b.switch_to(block);
            if !is_one {
                let (same, other) = (self.b.func.new_block(), self.b.func.new_block());
                self.b.switch(right, &[(node.desc, 0, same), (node.desc, 0, other)]);
                self.b.switch_to(other);
                let func = self.p.made(2, mono, Job::Tag(mono));
                let tags = [left, right].map(|value| self.b.call_value(func, &[value], Type::I64));
                let int = self.p.intern("int".into(), Vec::new());
                let order = self.compare(int, tags[0], tags[1]);
                self.b.ret(&[order]);
                self.b.switch_to(same);
            }
            let (lefts, rights) = (self.fields(&node, left), self.fields(&node, right));
            for (at, (&(left, field), &(right, _))) in lefts.iter().zip(&rights).enumerate() {
                if at + 1 == lefts.len() && field == mono {
                    let func = self.p.made(1, mono, Job::Compare(mono));
                    self.b.tail_call(func, &[left, right]);
                    break;
                }
                let order = self.compare(field, left, right);
                let (next, done) = (self.b.func.new_block(), self.b.func.new_block());
                let is_equal = self.b.op(Opcode::Eqz, &[order]);
                self.b.br_if(is_equal, (next, &[]), (done, &[]));
                self.b.switch_to(done);
                self.b.ret(&[order]);
                self.b.switch_to(next);
            }
            if lefts.last().is_none_or(|last| last.1 != mono) {
                let equal = self.b.iconst64(0);
                self.b.ret(&[equal]);
            }
        }
    }

    /// The code of a function that numbers constructors: those without arguments come first.
    pub fn tag(&mut self, mono: Mono, value: Value) {
        for (at, (node, block)) in self.cases(mono, value).into_iter().enumerate() {
            self.b.switch_to(block);
            let tag = self.b.iconst64(at as i64 + if node.fields.is_empty() { 0 } else { 1 << 32 });
            self.b.ret(&[tag]);
        }
    }

    // -- the prompt --

    pub fn show(&mut self, what: &str, ty: Ty, value: Option<Value>) {
        let shown = self.p.infer.types.show(ty, &mut Vec::new());
        self.print_text(&format!("{what} : {shown} = "));
        match value {
            Some(value) => {
                let mono = self.p.mono(ty, &Substitution::new());
                self.print_value(mono, value);
            }
            None => self.print_text(if shown.contains("->") { "<fun>" } else { "<value>" }),
        }
        self.print_text("\n");
    }

    fn print_value(&mut self, mono: Mono, value: Value) {
        let func = self.p.made(3, mono, Job::Print(mono));
        self.b.call(func, &[value], &[]);
    }

    /// The code of a function that prints values of a type; or the rest of a list.
    pub fn print(&mut self, mono: Mono, value: Value, is_rest: bool) {
        let (name, args) = self.p.of(mono);
        match &*name {
            "int" => _ = self.call_rt(&libcalls::PRINT_INT, &[value], Type::I64),
            "float" => _ = self.call_rt(&libcalls::PRINT_REAL, &[value], Type::I64),
            "unit" => self.print_text("()"),
            "char" | "string" => {
                let (quote, row) =
                    if &*name == "char" { ("'", &libcalls::PRINT_CHAR) } else { ("\"", &libcalls::PRINT_STRING) };
                self.print_text(quote);
                self.call_rt(row, &[value], Type::I64);
                self.print_text(quote);
            }
            "bool" => self.print_names(value, &["false", "true"]),
            "array" => {
                let kind: ArrayKind = self.array_kind(mono);
                let size = self.b.array_len(kind, value);
                self.print_text("<array of ");
                self.call_rt(&libcalls::PRINT_INT, &[size], Type::I64);
                self.print_text(">");
            }
            "->" => self.print_text("<fun>"),
            "exn" => self.print_text("<exn>"),
            _ if self.p.is_enumeration(mono) => {
                let names: Vec<&str> = self.p.constructors(mono).iter().map(|name| &**name).collect();
                self.print_names(value, &names);
            }
            _ => {
                let _ = args;
                for (node, block) in self.cases(mono, value) {
                    self.b.switch_to(block);
                    let fields = self.fields(&node, value);
                    let is_list = &*name == "list";
                    let (open, between, close) = match (&*name, fields.len()) {
                        ("*", _) => ("(".to_string(), ", ", ")"),
                        ("ref", _) => ("{contents = ".into(), "", "}"),
                        ("list", 0) => (if is_rest { "]" } else { "[]" }.into(), "", ""),
                        ("list", _) => (if is_rest { "; " } else { "[" }.into(), "", ""),
                        (_, 0) => (node.name.to_string(), "", ""),
                        _ => (format!("{} (", node.name), ", ", ")"),
                    };
                    self.print_text(&open);
                    for (at, &(field, ty)) in fields.iter().enumerate() {
                        if at > 0 {
                            self.print_text(between);
                        }
                        if is_list && at == 1 {
                            let func = self.p.made(4, mono, Job::PrintRest(mono));
                            self.b.call(func, &[field], &[]);
                        } else {
                            self.print_value(ty, field);
                        }
                    }
                    self.print_text(close);
                    self.b.ret(&[]);
                }
                return;
            }
        }
        self.b.ret(&[]);
    }

    /// One of some names by its number.
    fn print_names(&mut self, value: Value, names: &[&str]) {
        let done = self.b.func.new_block();
        let number = self.b.op(Opcode::Wrap, &[value]);
        let blocks: Vec<_> = names.iter().map(|_| self.b.func.new_block()).collect();
        self.b.br_table(number, &blocks.iter().map(|&block| (block, &[][..])).collect::<Vec<_>>());
        for (name, block) in names.iter().zip(blocks) {
            self.b.switch_to(block);
            self.print_text(name);
            self.b.jump(done, &[]);
        }
        self.b.switch_to(done);
    }
}
