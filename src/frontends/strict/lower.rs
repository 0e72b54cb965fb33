//! Lowers core IR to IR, function by function.
//!
//! An expression is compiled for what happens with its values next: the function returns them, a block takes them as
//! its parameters, or they are needed here. So the branches of a match that is not the last thing of its function meet
//! in a block, and what follows them exists once. What is still to be done is a list of tasks, not a recursion.

use crate::branch;
use crate::closed::closed_functions;
use crate::core_ir::{Expr, ExprKind, Function, FunctionId, Label, Operator, Pattern, Program, Type, Types, Var};
use crate::data::{ConstructorLayout, Data, Layout};
use crate::runtime::Runtime;
use crate::work_item::{Cont, WorkItem};
use cleave_diag::SourceMap;
use cleave_ir::source::{FuncSource, ModuleSource};
use cleave_ir::{
    Block, Builder, EntityRef, Func, FuncId, Heap, Location, Module, Opcode, PrimaryMap, SecondaryMap, Type as IrType,
    Value, WellKnownDesc,
};
use smallvec::SmallVec;

/// A program as IR, still without a start function.
#[derive(Debug)]
pub struct Translated {
    /// High IR, with its start function.
    pub module: Module,
    /// How its data lie in memory.
    pub data: Data,
    /// The functions of the tree in the module.
    pub functions: PrimaryMap<FunctionId, FuncId>,
}

/// Translates a program, for a heap: the two have strings of their own.
///
/// With the files that it came from, the IR says for its instructions and values where they come from.
pub fn translate(program: &Program, heap: Heap, sources: Option<&SourceMap>) -> Translated {
    let mut module = Module::new(program.name.clone());
    module.heap = heap;
    module.source = sources.map(|sources| Box::new(ModuleSource::new(sources)));
    let data = Data::declare(program, &mut module);
    let functions = program.functions.keys().map(|id| FuncId::new(id.index())).collect();
    let runtime = Runtime::declare(program, &data, &functions, &mut module);
    module.funcs.reserve(program.functions.len() + 1);
    let closed = closed_functions(program);
    for function in program.functions.values() {
        let around =
            Around { program, data: &data, runtime: &runtime, functions: &functions, closed: &closed, sources };
        let func = Code::function(around, function);
        module.funcs.push(func);
    }
    crate::imports::lower(program, &data, &functions, &mut module);
    Translated { module, data, functions }
}

type Values = SmallVec<[Value; 8]>;

/// What all functions of a program share.
#[derive(Clone, Copy)]
struct Around<'a> {
    program: &'a Program,
    data: &'a Data,
    runtime: &'a Runtime,
    functions: &'a PrimaryMap<FunctionId, FuncId>,
    closed: &'a SecondaryMap<FunctionId, bool>,
    sources: Option<&'a SourceMap>,
}

struct Code<'c> {
    program: &'c Program,
    data: &'c Data,
    runtime: &'c Runtime,
    functions: &'c PrimaryMap<FunctionId, FuncId>,
    closed: &'c SecondaryMap<FunctionId, bool>,
    function: &'c Function,
    sources: Option<&'c SourceMap>,
    b: Builder<'c>,
    vars: Vec<Option<Value>>,
    labels: SecondaryMap<Label, Option<Block>>,
    values: Vec<Value>,
    tasks: Vec<WorkItem>,
}

impl<'c> Code<'c> {
    fn function(around: Around, function: &Function) -> Func {
        let Around { program, data, runtime, functions, closed, sources } = around;
        let params: Vec<Type> = function.params.iter().map(|&param| function.vars[param].ty).collect();
        let mut func = Func::new(function.name.clone(), data.signature(function));
        func.fip = function.fip;
        func.source = sources.map(|sources| {
            let source = FuncSource::new(Location::of(function.span, sources));
            Box::new(FuncSource { is_library: function.is_library, ..source })
        });
        // Most expressions become one instruction.
        func.insts.reserve(function.exprs.len());
        func.values.reserve(function.exprs.len());
        let entry = func.new_block();
        let mut vars = vec![None; function.vars.len()];
        let closure = function.captures.as_ref().map(|_| func.add_param(entry, IrType::Ref));
        for (&param, &ty) in function.params.iter().zip(&params) {
            let value = func.add_param(entry, data.ir_type(ty));
            func.name_value(value, &function.vars[param].name, data.meaning(ty));
            vars[param.index()] = Some(value);
        }
        let mut b = Builder::new(&mut func, entry);
        if let (Some(closure), Some((id, captures))) = (closure, &function.captures) {
            let shape = &data.closures[*id];
            for (field, &var) in captures.iter().enumerate() {
                if function.vars[var].uses > 0 {
                    let value = data.field(&mut b, shape, field, closure);
                    let variable = &function.vars[var];
                    b.func.name_value(value, &variable.name, data.meaning(variable.ty));
                    vars[var.index()] = Some(value);
                }
            }
        }
        let tasks = vec![WorkItem::Evaluate(function.body, Cont::Return)];
        let labels = SecondaryMap::new();
        let mut code = Code {
            program,
            data,
            runtime,
            functions,
            closed,
            function,
            sources,
            b,
            vars,
            labels,
            values: Vec::new(),
            tasks,
        };
        while let Some(task) = code.tasks.pop() {
            code.perform(task);
        }
        func.set_location(Location::NONE);
        func
    }

    fn perform(&mut self, task: WorkItem) {
        if let (Some(sources), Some(expr)) = (self.sources, task.origin(self.function)) {
            self.b.func.set_location(Location::of(self.function.exprs[expr].span, sources));
        }
        match task {
            WorkItem::Evaluate(expr, then) => self.evaluate(expr, then),
            WorkItem::Operate(expr, then) => self.operate(expr, then),
            WorkItem::Bind(expr, then) => {
                let ExprKind::Let { binders, body, .. } = self.kind(expr) else { unreachable!("only of a let") };
                let values = self.pop(binders.len());
                for (binder, value) in binders.iter().zip(values) {
                    self.bind(*binder, value);
                }
                self.tasks.push(WorkItem::Evaluate(*body, then));
            }
            WorkItem::Branch(expr, then) => self.branch(expr, then),
            WorkItem::Case(expr, number, block, subject, then) => {
                self.b.switch_to(block);
                self.case(expr, number, subject, then);
            }
            WorkItem::Join(block) => {
                self.b.switch_to(block);
                self.values.extend_from_slice(self.b.func.params(block));
            }
            WorkItem::Forget(expr, then) => {
                let ExprKind::Sequence(_, body) = self.kind(expr) else { unreachable!("only of a sequence") };
                self.values.pop();
                self.tasks.push(WorkItem::Evaluate(*body, then));
            }
            WorkItem::Label(label, body, then) => {
                let block = self.labels[label].expect("labels have blocks before their bodies");
                self.b.switch_to(block);
                for (&var, &value) in self.function.labels[label].iter().zip(self.b.func.params(block)) {
                    self.vars[var.index()] = Some(value);
                }
                self.tasks.push(WorkItem::Evaluate(body, then));
            }
        }
    }

    fn kind(&self, expr: Expr) -> &'c ExprKind {
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
            if self.sources.is_some() {
                let variable = &self.function.vars[var];
                self.b.func.name_value(value, &variable.name, self.data.meaning(variable.ty));
            }
            self.vars[var.index()] = Some(value);
        }
    }

    fn pop(&mut self, count: usize) -> Values {
        let rest = self.values.len() - count;
        let popped = Values::from_slice(&self.values[rest..]);
        self.values.truncate(rest);
        popped
    }

    /// Values go where they are wanted.
    fn apply_cont(&mut self, values: &[Value], then: Cont) {
        match then {
            Cont::Return => self.b.ret(values),
            Cont::Jump(block) => self.b.jump(block, values),
            Cont::Push => self.values.extend_from_slice(values),
        }
    }

    /// Where the branches of an expression meet, if its values are needed here.
    fn joined(&mut self, expr: Expr, then: Cont) -> Cont {
        let Cont::Push = then else { return then };
        let join = self.b.func.new_block();
        for ty in self.data.ir_types(self.types(expr)) {
            self.b.func.add_param(join, ty);
        }
        self.tasks.push(WorkItem::Join(join));
        Cont::Jump(join)
    }

    /// Control does not get here. What is needed all the same is there in a block that nothing leads to.
    fn never(&mut self, expr: Expr, then: Cont) {
        self.b.unreachable();
        if matches!(then, Cont::Push) {
            let block = self.b.func.new_block();
            self.b.switch_to(block);
            for ty in self.data.ir_types(self.types(expr)) {
                let value = match ty {
                    IrType::I32 => self.b.iconst32(0),
                    IrType::I64 => self.b.iconst64(0),
                    IrType::F64 => self.b.fconst(0),
                    IrType::Ref => self.b.node(WellKnownDesc::Empty.desc()),
                };
                self.values.push(value);
            }
        }
    }

    fn evaluate(&mut self, expr: Expr, then: Cont) {
        match self.kind(expr) {
            ExprKind::Int(number) => {
                let value = self.int(self.data.int(*number));
                self.apply_cont(&[value], then);
            }
            ExprKind::Str(text) => {
                let value = self.b.static_ref(self.runtime.texts[*text]);
                self.apply_cont(&[value], then);
            }
            ExprKind::Unreachable => self.never(expr, then),
            ExprKind::Sequence(first, _) => {
                self.tasks.extend([WorkItem::Forget(expr, then), WorkItem::Evaluate(*first, Cont::Push)]);
            }
            ExprKind::Labels(bodies, body) => {
                let then = self.joined(expr, then);
                for &(label, body) in bodies.iter().rev() {
                    let block = self.b.func.new_block();
                    for &var in &self.function.labels[label] {
                        let ty = self.data.ir_type(self.function.vars[var].ty);
                        self.b.func.add_param(block, ty);
                    }
                    self.labels[label] = Some(block);
                    self.tasks.push(WorkItem::Label(label, body, then));
                }
                self.tasks.push(WorkItem::Evaluate(*body, then));
            }
            ExprKind::Apply(closure, args) => {
                self.tasks.push(WorkItem::Operate(expr, then));
                let args = args.as_slice(&self.function.lists).iter().rev();
                self.tasks.extend(args.map(|&arg| WorkItem::Evaluate(arg, Cont::Push)));
                self.tasks.push(WorkItem::Evaluate(*closure, Cont::Push));
            }
            ExprKind::Var(var) => {
                let value = self.vars[var.index()].expect("variables are bound before they are used");
                self.apply_cont(&[value], then);
            }
            ExprKind::Binary(_, left, right) => {
                let operands = [WorkItem::Evaluate(*right, Cont::Push), WorkItem::Evaluate(*left, Cont::Push)];
                self.tasks.push(WorkItem::Operate(expr, then));
                self.tasks.extend(operands);
            }
            ExprKind::Call(_, args)
            | ExprKind::Construct(_, _, args)
            | ExprKind::Tuple(args)
            | ExprKind::Primitive(_, args)
            | ExprKind::MakeClosure(_, args)
            | ExprKind::Jump(_, args) => {
                self.tasks.push(WorkItem::Operate(expr, then));
                let args = args.as_slice(&self.function.lists).iter().rev();
                self.tasks.extend(args.map(|&arg| WorkItem::Evaluate(arg, Cont::Push)));
            }
            ExprKind::Let { binders, value, body } => {
                let is_used = |var: &Var| self.function.vars[*var].uses > 0;
                if binders.iter().flatten().any(is_used) {
                    self.tasks.extend([WorkItem::Bind(expr, then), WorkItem::Evaluate(*value, Cont::Push)]);
                } else {
                    self.tasks.push(WorkItem::Evaluate(*body, then));
                }
            }
            ExprKind::Match { subject, .. } => {
                let then = self.joined(expr, then);
                self.tasks.extend([WorkItem::Branch(expr, then), WorkItem::Evaluate(*subject, Cont::Push)]);
            }
        }
    }

    fn operate(&mut self, expr: Expr, then: Cont) {
        match self.kind(expr) {
            ExprKind::Binary(operator, ..) => {
                let operands = self.pop(2);
                let value = self.binary(*operator, operands[0], operands[1]);
                self.apply_cont(&[value], then);
            }
            ExprKind::Call(function, args) => {
                let args = self.pop(args.len(&self.function.lists));
                let func = self.functions[*function];
                if matches!(then, Cont::Return) && (self.function.is_library || !self.closed[*function]) {
                    return self.b.tail_call(func, &args);
                }
                let results = self.data.ir_types(self.types(expr));
                let call = self.b.call(func, &args, &results);
                let values = Values::from_slice(self.b.func.results(call));
                self.apply_cont(&values, then);
            }
            ExprKind::Construct(ty, number, args) => {
                let fields = self.pop(args.len(&self.function.lists));
                let value = self.data.construct(&mut self.b, *ty, *number, &fields);
                self.apply_cont(&[value], then);
            }
            ExprKind::Tuple(args) => {
                let values = self.pop(args.len(&self.function.lists));
                self.apply_cont(&values, then);
            }
            ExprKind::MakeClosure(id, args) => {
                let captures = self.pop(args.len(&self.function.lists));
                let value = self.data.build(&mut self.b, &self.data.closures[*id], &captures);
                self.apply_cont(&[value], then);
            }
            ExprKind::Apply(_, args) => {
                let values = self.pop(args.len(&self.function.lists) + 1);
                let results = self.data.ir_types(self.types(expr));
                let table = self.runtime.table(&self.b, &values, &results);
                if matches!(then, Cont::Return) {
                    self.b.inst(Opcode::TailCallMethod, u64::from(table.as_u32()), 0, &values);
                    return;
                }
                let call = self.b.call_method(table, &values, &results);
                let values = Values::from_slice(self.b.func.results(call));
                self.apply_cont(&values, then);
            }
            ExprKind::Primitive(primitive, args) => {
                let operands = self.pop(args.len(&self.function.lists));
                match self.runtime.operate(&mut self.b, *primitive, &operands, self.data.int) {
                    Some(value) => self.apply_cont(&[value], then),
                    None => self.never(expr, then),
                }
            }
            ExprKind::Jump(label, args) => {
                let values = self.pop(args.len(&self.function.lists));
                let block = self.labels[*label].expect("a jump stands in the reach of its label");
                self.b.jump(block, &values);
                // Jumps end what they stand in.
                debug_assert!(!matches!(then, Cont::Push));
            }
            ExprKind::Int(_) | ExprKind::Var(_) | ExprKind::Let { .. } | ExprKind::Match { .. } => {
                unreachable!("they wait otherwise")
            }
            ExprKind::Str(_) | ExprKind::Sequence(..) | ExprKind::Labels(..) | ExprKind::Unreachable => {
                unreachable!("they wait otherwise")
            }
        }
    }

    /// A constant of the type of integers.
    fn int(&mut self, number: i64) -> Value {
        match self.data.int {
            IrType::I32 => self.b.iconst32(number as i32),
            _ => self.b.iconst64(number),
        }
    }

    fn binary(&mut self, operator: Operator, left: Value, right: Value) -> Value {
        let op = match operator {
            Operator::Add => Opcode::Iadd,
            Operator::Subtract => Opcode::Isub,
            Operator::Multiply if self.data.shift == 0 => Opcode::Imul,
            Operator::Divide if self.data.shift == 0 => Opcode::Sdiv,
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

    fn branch(&mut self, expr: Expr, then: Cont) {
        let ExprKind::Match { subject, cases } = self.kind(expr) else { unreachable!("only of a match") };
        let Types::One(ty) = self.function.exprs[*subject].types else { unreachable!("a match looks at one value") };
        let value = self.values.pop().expect("the subject is there");
        if cases.len() == 1 {
            return self.case(expr, 0, value, then);
        }
        let all = match ty {
            Type::Int => usize::MAX,
            Type::Data(id) => self.program.types[id].constructors.len(),
            Type::Unit | Type::Str | Type::Function | Type::Reference => unreachable!("they have no cases"),
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
            bodies.push(WorkItem::Case(expr, number, block, value, then));
        }
        branch::choose(&mut self.b, self.data, value, ty, keys, rest);
        self.tasks.extend(bodies.into_iter().rev());
    }

    fn case(&mut self, expr: Expr, number: usize, subject: Value, then: Cont) {
        let ExprKind::Match { subject: matched, cases } = self.kind(expr) else { unreachable!("only of a match") };
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
                } else {
                    // Atoms have no fields that say anything.
                    for binder in binders.iter().flatten() {
                        let value = self.b.iconst32(0);
                        self.bind(Some(*binder), value);
                    }
                }
            }
        }
        self.tasks.push(WorkItem::Evaluate(case.body, then));
    }

    /// The cells of a constructor of the type of an expression.
    fn shape(&self, expr: Expr, number: u32) -> Option<&'c ConstructorLayout> {
        let Types::One(Type::Data(ty)) = self.function.exprs[expr].types else { return None };
        match &self.data.layouts[ty] {
            Layout::Cells(shapes) => shapes.get(number as usize),
            Layout::NullaryConstructors => None,
        }
    }
}
