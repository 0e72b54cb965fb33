//! Statements: what has effects, in its order, and where control goes.

use crate::expression::Expression;
use crate::function::{Function, WIDTH};
use crate::{Unsupported, declared, letter};
use cleave_ir::libcalls::{PRINT_CHAR, PRINT_INT, PRINT_TEXT};
use cleave_ir::opcode::Terminator;
use cleave_ir::{Block, Edge, Flags, FuncId, Inst, Opcode, Type, Value};
use std::fmt::Write;

impl Function<'_, '_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:indent$}{text}", "", indent = 4 * self.depth);
    }

    fn assign(&mut self, value: Value, text: &str) {
        self.variables.insert(value);
        self.line(&format!("{} = {};", self.name(value), bare(text)));
    }

    /// What looks at cells and was put off is done now.
    fn settle(&mut self) {
        for value in std::mem::take(&mut self.pending) {
            match self.inlined[value].take() {
                Some(inlined) if inlined.reads => self.assign(value, &inlined.text),
                inlined => {
                    self.inlined[value] = inlined;
                    self.pending.push(value);
                }
            }
        }
    }

    /// A block; the one that comes next needs no jump.
    pub fn block(&mut self, block: Block, next: Option<Block>) -> Result<(), Unsupported> {
        let func = self.func;
        let _ = writeln!(self.out, "{block}:");
        for &inst in &func.blocks[block].insts {
            self.has_read = false;
            if let Some(mut expression) = self.expression(inst) {
                expression.reads |= self.has_read;
                self.place(block, inst, expression);
            } else if func.insts[inst].op.is_terminator() {
                self.terminator(block, inst, next)?;
            } else {
                self.statement(inst)?;
            }
        }
        self.pending.clear();
        Ok(())
    }

    /// An expression becomes part of another one, or a variable.
    fn place(&mut self, block: Block, inst: Inst, expression: Expression) {
        let func = self.func;
        let value = func.result(inst);
        let may_stop = func.insts[inst].op.any(Flags::TRAPS);
        if expression.is_constant {
            self.inlined[value] = Some(expression);
        } else if self.uses[value] == 0 {
            if may_stop {
                self.line(&format!("(void){};", expression.text));
            }
        } else if self.uses[value] == 1
            && !may_stop
            && expression.text.len() < WIDTH
            && self.places[value] == Some(block)
        {
            self.inlined[value] = Some(expression);
            self.pending.push(value);
        } else {
            self.assign(value, &expression.text);
        }
    }

    fn unsupported(&self, what: String) -> Unsupported {
        Unsupported { func: self.func.name.clone(), what }
    }

    fn statement(&mut self, inst: Inst) -> Result<(), Unsupported> {
        use Opcode::*;
        let func = self.func;
        let data = &func.insts[inst];
        let args = func.args(inst).to_vec();
        // What is read from cells that die here is read before.
        if matches!(data.op, UnpackRelease | Reset | ResetOrAlloc) {
            self.settle();
        }
        match data.op {
            Call => {
                let call = self.call(inst);
                self.settle();
                match func.results(inst) {
                    &[result] if self.uses[result] > 0 => self.assign(result, &call),
                    results if results.iter().all(|&value| self.uses[value] == 0) => self.line(&format!("{call};")),
                    results => {
                        let types: String = results.iter().map(|&value| letter(func.values[value])).collect();
                        self.line(&format!("{{ results_{types} r = {call};"));
                        for (i, &value) in results.iter().enumerate() {
                            if self.uses[value] > 0 {
                                self.assign(value, &format!("r.r{i}"));
                            }
                        }
                        self.line("}");
                        self.used.results.insert(types);
                    }
                }
            }
            CallRt => {
                let callee = self.callee(inst).to_string();
                let operand = args.first().map(|&arg| self.value(arg)).unwrap_or_default();
                self.settle();
                if callee == PRINT_INT.name || callee == PRINT_CHAR.name {
                    self.line(&format!("{callee}({operand});"));
                } else if callee == PRINT_TEXT.name && self.inlined[args[0]].is_some() {
                    self.line(&format!("fwrite({operand}, 1, sizeof {operand} - 1, stdout);"));
                } else {
                    let what = format!("the function `{callee}` of the runtime, which C has not,");
                    return Err(self.unsupported(what));
                }
            }
            BuildNode => {
                let (ptrs, nptrs) = self.program.module.payload(data.desc(), data.aux);
                let memory = format!("take({})", self.program.capacity(ptrs, nptrs));
                self.build(inst, &memory, &args);
            }
            Reuse => {
                let (ptrs, nptrs) = self.program.module.payload(data.desc(), data.aux);
                let (token, capacity) = (self.name(args[0]), self.program.capacity(ptrs, nptrs));
                let is_memory = self.defs[args[0]].is_some_and(|reset| func.insts[reset].op == ResetOrAlloc);
                let memory = match is_memory {
                    true => token,
                    false => format!("{token} != NULL ? {token} : take({capacity})"),
                };
                self.build(inst, &memory, &args[1..]);
            }
            Retain | Release => {
                let operand = self.value(args[0]);
                self.settle();
                self.line(&format!("{}({operand});", data.op.name()));
            }
            UnpackRelease | Reset | ResetOrAlloc => self.let_die(inst, &args),
            FreeToken => {
                let (token, capacity) = (self.name(args[0]), self.program.capacity_of(data.field_shape()));
                self.line(&format!("if ({token} != NULL)"));
                self.line(&format!("    give_back({token}, {capacity});"));
            }
            OpenHole | MoveHole | FillHole => {
                let mut operands: Vec<_> = args.iter().map(|&arg| self.value(arg)).collect();
                self.settle();
                if data.op != FillHole {
                    operands.push(data.aux.to_string());
                }
                let name = data.op.name();
                self.assign(func.result(inst), &format!("{name}({})", operands.join(", ")));
            }
            op => return Err(self.unsupported(format!("the instruction `{}`, which has no form in C,", op.name()))),
        }
        Ok(())
    }

    /// The call that an instruction makes.
    fn call(&mut self, inst: Inst) -> String {
        let args: Vec<_> = self.func.args(inst).to_vec().into_iter().map(|arg| self.value(arg)).collect();
        let callee = FuncId::from_u32(self.func.insts[inst].imm as u32);
        format!("{}({})", self.program.funcs.of(callee), args.join(", "))
    }

    fn build(&mut self, inst: Inst, memory: &str, fields: &[Value]) {
        let data = &self.func.insts[inst];
        let (ptrs, nptrs) = self.program.module.payload(data.desc(), data.aux);
        let operands: Vec<_> = fields.iter().map(|&field| self.value(field)).collect();
        self.settle();
        self.used.kinds.insert(data.desc());
        let (kind, capacity) = (self.program.kinds.of(data.desc()), self.program.capacity(ptrs, nptrs));
        let result = self.func.result(inst);
        self.assign(result, &format!("node({memory}, {kind}, {ptrs}, {capacity})"));
        for (number, (operand, &field)) in operands.iter().zip(fields).enumerate() {
            let member = match self.func.values[field] {
                Type::Ref => "ref",
                Type::F64 => "real",
                _ => "word",
            };
            self.line(&format!("{}->fields[{number}].{member} = {};", self.name(result), bare(operand)));
        }
    }

    /// A reference to a node ends, and what is kept of its fields gets one.
    fn let_die(&mut self, inst: Inst, args: &[Value]) {
        let func = self.func;
        let (op, shape) = (func.insts[inst].op, func.insts[inst].field_shape());
        let (node, capacity) = (self.value(args[0]), self.program.capacity_of(shape));
        let field = |&value: &Value| self.defs[value].map(|inst| func.insts[inst].aux);
        let kept: Vec<u32> = args[1..].iter().filter_map(field).collect();
        let token = func.results(inst).first().copied();
        self.line(&format!("if (is_last({node})) {{"));
        self.depth += 1;
        for number in (0..shape.ptrs).filter(|number| !kept.contains(number)) {
            self.line(&format!("release({node}->fields[{number}].ref);"));
        }
        match token {
            Some(token) => self.assign(token, &node),
            None => self.line(&format!("give_back({node}, {capacity});")),
        }
        self.depth -= 1;
        if token.is_some() || args.len() > 1 {
            self.line("} else {");
            self.depth += 1;
            for &value in &args[1..] {
                let value = self.value(value);
                self.line(&format!("retain({value});"));
            }
            if let Some(token) = token {
                let memory = if op == Opcode::ResetOrAlloc { format!("take({capacity})") } else { "NULL".into() };
                self.assign(token, &memory);
            }
            self.depth -= 1;
        }
        self.line("}");
    }

    // -- control ------------------------------------------------------------------------------------------------------

    fn terminator(&mut self, block: Block, inst: Inst, next: Option<Block>) -> Result<(), Unsupported> {
        let func = self.func;
        let edges = &func.blocks[block].edges;
        let args = func.args(inst).to_vec();
        let op = func.insts[inst].op;
        match Terminator::of(op) {
            Some(Terminator::Jump) => self.go(&edges[0], next),
            Some(Terminator::BrIf) => {
                let condition = self.condition(args[0]);
                let (first, second) = (&edges[0], &edges[1]);
                // What comes next needs no jump.
                let (condition, taken, other) = match next == Some(first.block) {
                    true => (format!("!{condition}"), second, first),
                    false => (condition, first, second),
                };
                self.line(&format!("if ({}) {{", bare(&condition)));
                self.depth += 1;
                self.go(taken, None);
                self.depth -= 1;
                self.line("}");
                self.go(other, next);
            }
            Some(Terminator::BrTable) => {
                let index = self.value(args[0]);
                self.line(&format!("switch ({index}) {{"));
                for (number, edge) in edges.iter().enumerate() {
                    let is_last = number + 1 == edges.len();
                    self.line(&if is_last { "default:".into() } else { format!("case {number}:") });
                    self.depth += 1;
                    self.go(edge, None);
                    self.depth -= 1;
                }
                self.line("}");
            }
            Some(Terminator::Return) => match &args[..] {
                [] => self.line("return;"),
                [one] => {
                    let result = self.value(*one);
                    self.line(&format!("return {};", bare(&result)));
                }
                all => {
                    let values: Vec<_> = all.iter().map(|&value| self.value(value)).collect();
                    let types = self.results();
                    self.line(&format!("return (results_{types}){{{}}};", values.join(", ")));
                    self.used.results.insert(types);
                }
            },
            None if op == Opcode::TailCall => {
                let call = self.call(inst);
                match func.signature.results.is_empty() {
                    true => self.line(&format!("{call};\n{:1$}return;", "", 4 * self.depth)),
                    false => self.line(&format!("return {call};")),
                }
            }
            Some(Terminator::Unreachable) => self.line("abort();"),
            None => return Err(self.unsupported(format!("the instruction `{}`, which has no form in C,", op.name()))),
        }
        Ok(())
    }

    /// Gives a block its parameters, all at once, and goes there.
    fn go(&mut self, edge: &Edge, next: Option<Block>) {
        let func = self.func;
        let params = func.params(edge.block).to_vec();
        let pairs =
            params.iter().zip(func.edge_args(edge)).filter(|&(&param, &arg)| self.uses[param] > 0 && param != arg);
        let pairs: Vec<(Value, Value)> = pairs.map(|(&param, &arg)| (param, arg)).collect();
        let moves: Vec<(Value, String)> = pairs.into_iter().map(|(param, arg)| (param, self.value(arg))).collect();
        let names: Vec<String> = moves.iter().map(|&(param, _)| self.name(param)).collect();
        let overlaps = |(i, (_, text)): (usize, &(Value, String))| names[..i].iter().any(|name| mentions(text, name));
        let needs_room = moves.iter().enumerate().any(overlaps);
        if needs_room {
            self.line("{");
            for (i, (param, text)) in moves.iter().enumerate() {
                self.line(&format!("    {}t{i} = {text};", declared(self.kinds[*param])));
            }
            for (i, (param, _)) in moves.iter().enumerate() {
                self.assign(*param, &format!("t{i}"));
            }
            self.line("}");
        } else {
            moves.iter().for_each(|(param, text)| self.assign(*param, text));
        }
        if next != Some(edge.block) {
            self.labels.insert(edge.block);
            self.line(&format!("goto {};", edge.block));
        }
    }
}

/// Without parentheses around the whole.
fn bare(text: &str) -> &str {
    let mut depth = 0;
    let mut closes = text.char_indices().filter(|&(_, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ')' && depth == 0
    });
    let is_one = text.starts_with('(') && closes.next().is_some_and(|(at, _)| at + 1 == text.len());
    if is_one { &text[1..text.len() - 1] } else { text }
}

/// Is a variable part of an expression?
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c: char| !is_part(c)).any(|word| word == name)
}
