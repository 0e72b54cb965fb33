//! From the tree to IR, function by function.
//!
//! An expression is compiled for what happens with its values next: the function returns them, a block takes them as
//! its parameters, or they are needed here. So the branches of a match that is not the last thing of its function meet
//! in a block, and what follows them exists once. What is still to be done is a list of tasks, not a recursion.

use crate::branch;
use crate::data::{Data, Layout, Shape};
use crate::tree::{Expr, Function, FunctionId, Kind, Operator, Pattern, Program, Type, Types, Var};
use cleave_ir::{Block, Builder, EntityRef, Func, FuncId, Module, Opcode, PrimaryMap, Signature, Value};

/// A program as IR, still without a start function.
#[derive(Debug)]
pub struct Translated {
    pub module: Module,
    pub data: Data,
    pub functions: PrimaryMap<FunctionId, FuncId>,
}

/// Translates a program.
pub fn translate(program: &Program) -> Translated {
    let mut module = Module::new(program.name.clone());
    let data = Data::declare(program, &mut module);
    let functions = program.functions.keys().map(|id| FuncId::new(id.index())).collect();
    for function in program.functions.values() {
        let func = Code::function(program, &data, &functions, function);
        module.funcs.push(func);
    }
    Translated { module, data, functions }
}

/// What happens with the values of an expression.
#[derive(Clone, Copy)]
enum Then {
    Return,
    /// They are the parameters of this block.
    Jump(Block),
    /// They are needed here: they go onto the stack of values.
    Push,
}

/// What is still to be done, once the operands are on the stack of values.
enum Task {
    Evaluate(Expr, Then),
    /// The operands are there.
    Operate(Expr, Then),
    /// The value of a `let` is there.
    Bind(Expr, Then),
    /// The subject of a match is there.
    Branch(Expr, Then),
    /// A case of a match begins in this block; the subject is this value.
    Case(Expr, usize, Block, Value, Then),
    /// All ways to this block are compiled.
    Join(Block),
}

struct Code<'c> {
    program: &'c Program,
    data: &'c Data,
    functions: &'c PrimaryMap<FunctionId, FuncId>,
    function: &'c Function,
    b: Builder<'c>,
    vars: Vec<Option<Value>>,
    values: Vec<Value>,
    tasks: Vec<Task>,
}

impl<'c> Code<'c> {
    fn function(
        program: &Program,
        data: &Data,
        functions: &PrimaryMap<FunctionId, FuncId>,
        function: &Function,
    ) -> Func {
        let params: Vec<Type> = function.params.iter().map(|&param| function.vars[param].ty).collect();
        let signature = Signature::new(&data.ir_types(&params), &data.ir_types(&function.results));
        let mut func = Func::new(function.name.clone(), signature);
        func.fip = function.in_place;
        let entry = func.new_block();
        let mut vars = vec![None; function.vars.len()];
        for (&param, &ty) in function.params.iter().zip(&params) {
            vars[param.index()] = Some(func.add_param(entry, data.ir_type(ty)));
        }
        let b = Builder::new(&mut func, entry);
        let tasks = vec![Task::Evaluate(function.body, Then::Return)];
        let mut code = Code { program, data, functions, function, b, vars, values: Vec::new(), tasks };
        while let Some(task) = code.tasks.pop() {
            code.perform(task);
        }
        func
    }

    fn perform(&mut self, task: Task) {
        match task {
            Task::Evaluate(expr, then) => self.evaluate(expr, then),
            Task::Operate(expr, then) => self.operate(expr, then),
            Task::Bind(expr, then) => {
                let Kind::Let { binders, body, .. } = self.kind(expr) else { unreachable!("only of a let") };
                let values = self.pop(binders.len());
                for (binder, value) in binders.iter().zip(values) {
                    self.bind(*binder, value);
                }
                self.tasks.push(Task::Evaluate(*body, then));
            }
            Task::Branch(expr, then) => self.branch(expr, then),
            Task::Case(expr, number, block, subject, then) => {
                self.b.switch_to(block);
                self.case(expr, number, subject, then);
            }
            Task::Join(block) => {
                self.b.switch_to(block);
                self.values.extend_from_slice(self.b.func.params(block));
            }
        }
    }

    fn kind(&self, expr: Expr) -> &'c Kind {
        &self.function.exprs[expr].kind
    }

    /// The types of what an expression gives.
    fn types(&self, expr: Expr) -> &'c [Type] {
        let function = self.function;
        let types: &'c Types = &function.exprs[expr].types;
        function.types(types)
    }

    fn bind(&mut self, var: Option<Var>, value: Value) {
        if let Some(var) = var {
            self.vars[var.index()] = Some(value);
        }
    }

    fn pop(&mut self, count: usize) -> Vec<Value> {
        self.values.split_off(self.values.len() - count)
    }

    /// Values go where they are wanted.
    fn deliver(&mut self, values: &[Value], then: Then) {
        match then {
            Then::Return => self.b.ret(values),
            Then::Jump(block) => self.b.jump(block, values),
            Then::Push => self.values.extend_from_slice(values),
        }
    }

    fn evaluate(&mut self, expr: Expr, then: Then) {
        match self.kind(expr) {
            Kind::Int(number) => {
                let value = self.b.iconst64(self.data.int(*number));
                self.deliver(&[value], then);
            }
            Kind::Var(var) => {
                let value = self.vars[var.index()].expect("variables are bound before they are used");
                self.deliver(&[value], then);
            }
            Kind::Binary(_, left, right) => {
                let operands = [Task::Evaluate(*right, Then::Push), Task::Evaluate(*left, Then::Push)];
                self.tasks.push(Task::Operate(expr, then));
                self.tasks.extend(operands);
            }
            Kind::Call(_, args) | Kind::Construct(_, _, args) | Kind::Tuple(args) => {
                self.tasks.push(Task::Operate(expr, then));
                let args = args.as_slice(&self.function.lists).iter().rev();
                self.tasks.extend(args.map(|&arg| Task::Evaluate(arg, Then::Push)));
            }
            Kind::Let { binders, value, body } => {
                let is_used = |var: &Var| self.function.vars[*var].uses > 0;
                if binders.iter().flatten().any(is_used) {
                    self.tasks.extend([Task::Bind(expr, then), Task::Evaluate(*value, Then::Push)]);
                } else {
                    self.tasks.push(Task::Evaluate(*body, then));
                }
            }
            Kind::Match { subject, .. } => {
                let then = match then {
                    Then::Push => {
                        let join = self.b.func.new_block();
                        for ty in self.data.ir_types(self.types(expr)) {
                            self.b.func.add_param(join, ty);
                        }
                        self.tasks.push(Task::Join(join));
                        Then::Jump(join)
                    }
                    then => then,
                };
                self.tasks.extend([Task::Branch(expr, then), Task::Evaluate(*subject, Then::Push)]);
            }
        }
    }

    fn operate(&mut self, expr: Expr, then: Then) {
        match self.kind(expr) {
            Kind::Binary(operator, ..) => {
                let operands = self.pop(2);
                let value = self.binary(*operator, operands[0], operands[1]);
                self.deliver(&[value], then);
            }
            Kind::Call(function, args) => {
                let args = self.pop(args.len(&self.function.lists));
                let func = self.functions[*function];
                if matches!(then, Then::Return) {
                    return self.b.tail_call(func, &args);
                }
                let results = self.data.ir_types(self.types(expr));
                let call = self.b.call(func, &args, &results);
                let values = self.b.func.results(call).to_vec();
                self.deliver(&values, then);
            }
            Kind::Construct(ty, number, args) => {
                let fields = self.pop(args.len(&self.function.lists));
                let value = self.data.construct(&mut self.b, *ty, *number, &fields);
                self.deliver(&[value], then);
            }
            Kind::Tuple(args) => {
                let values = self.pop(args.len(&self.function.lists));
                self.deliver(&values, then);
            }
            Kind::Int(_) | Kind::Var(_) | Kind::Let { .. } | Kind::Match { .. } => unreachable!("they wait otherwise"),
        }
    }

    fn binary(&mut self, operator: Operator, left: Value, right: Value) -> Value {
        let op = match operator {
            Operator::Add => Opcode::Iadd,
            Operator::Subtract => Opcode::Isub,
            Operator::Multiply => {
                let shift = self.b.iconst64(i64::from(self.data.shift));
                let left = self.b.op(Opcode::Sshr, &[left, shift]);
                return self.b.op(Opcode::Imul, &[left, right]);
            }
            Operator::Divide => {
                let quotient = self.b.op(Opcode::Sdiv, &[left, right]);
                let shift = self.b.iconst64(i64::from(self.data.shift));
                return self.b.op(Opcode::Shl, &[quotient, shift]);
            }
            Operator::Remainder => Opcode::Srem,
            Operator::Less => Opcode::Slt,
            Operator::LessEqual => Opcode::Sle,
            Operator::Greater => Opcode::Sgt,
            Operator::GreaterEqual => Opcode::Sge,
            Operator::Equal => Opcode::Eq,
            Operator::NotEqual => Opcode::Ne,
        };
        self.b.op(op, &[left, right])
    }

    fn branch(&mut self, expr: Expr, then: Then) {
        let Kind::Match { subject, cases } = self.kind(expr) else { unreachable!("only of a match") };
        let Types::One(ty) = self.function.exprs[*subject].types else { unreachable!("a match looks at one value") };
        let value = self.values.pop().expect("the subject is there");
        if cases.len() == 1 {
            return self.case(expr, 0, value, then);
        }
        let all = match ty {
            Type::Int => usize::MAX,
            Type::Data(id) => self.program.types[id].constructors.len(),
        };
        // A last case for all others that do not exist is left out.
        let named = cases.iter().filter(|case| !matches!(case.pattern, Pattern::Rest(_))).count();
        let cases = if named == all { &cases[..named] } else { &cases[..] };
        let (mut keys, mut rest, mut bodies) = (Vec::with_capacity(named), None, Vec::with_capacity(cases.len()));
        for (number, case) in cases.iter().enumerate() {
            let block = self.b.func.new_block();
            match case.pattern {
                Pattern::Constructor(number, _) => keys.push((i64::from(number), block)),
                Pattern::Int(number) => keys.push((self.data.int(number), block)),
                Pattern::Rest(_) => rest = Some(block),
            }
            bodies.push(Task::Case(expr, number, block, value, then));
        }
        branch::choose(&mut self.b, self.data, value, ty, keys, rest);
        self.tasks.extend(bodies.into_iter().rev());
    }

    fn case(&mut self, expr: Expr, number: usize, subject: Value, then: Then) {
        let Kind::Match { subject: matched, cases } = self.kind(expr) else { unreachable!("only of a match") };
        let case = &cases[number];
        match &case.pattern {
            Pattern::Int(_) => {}
            Pattern::Rest(binder) => self.bind(*binder, subject),
            Pattern::Constructor(number, binders) => {
                if let Some(shape) = self.shape(*matched, *number) {
                    for (field, binder) in binders.iter().enumerate() {
                        if binder.is_some_and(|var| self.function.vars[var].uses > 0) {
                            let value = self.data.field(&mut self.b, shape, field, subject);
                            self.bind(*binder, value);
                        }
                    }
                }
            }
        }
        self.tasks.push(Task::Evaluate(case.body, then));
    }

    /// The cells of a constructor of the type of an expression.
    fn shape(&self, expr: Expr, number: u32) -> Option<&'c Shape> {
        let Types::One(Type::Data(ty)) = self.function.exprs[expr].types else { return None };
        match &self.data.layouts[ty] {
            Layout::Cells(shapes) => shapes.get(number as usize),
            Layout::Atoms => None,
        }
    }
}
