//! Expressions of one instance. What is nested recurs, as deep as the parser allows; chains of operators, calls and
//! fields do not.

use super::Monomorphizer;
use super::mono_types::{Arguments, BOOL, INT, MonoType, MonoTypeKind, REFERENCE, TEXT, UNIT};
use crate::hir::{Hir, Local, NodeId, NodeKind as Node};
use crate::program::{Builtin, MemberId};
use crate::syntax;
use crate::types::{ParamId, Ty};
use cleave_diag::Span;
use cleave_strict::core_ir::{
    Case, Expr, ExprKind, Function, Operator, Pattern, Primitive, Type, TypeId, Types, Var, Variable,
};
use cranelift_entity::EntityList;
use smallvec::{SmallVec, smallvec};

/// A function that is being made.
pub struct Lower<'l, 'i> {
    pub all: &'l mut Monomorphizer<'i>,
    pub hir: &'i Hir,
    pub arguments: Vec<(ParamId, MonoType)>,
    pub function: Function,
    /// The variables of the body.
    pub vars: Vec<Option<Var>>,
}

/// The operand of an expression that was made before the others.
#[derive(Default)]
struct First {
    expr: Option<Expr>,
    /// The strings of a chain of `::`.
    strings: Vec<Expr>,
}

impl<'l, 'i> Lower<'l, 'i> {
    pub fn new(
        all: &'l mut Monomorphizer<'i>,
        hir: &'i Hir,
        arguments: Vec<(ParamId, MonoType)>,
        function: Function,
    ) -> Lower<'l, 'i> {
        Lower { all, hir, arguments, function, vars: vec![None; hir.locals.len()] }
    }

    /// Makes variables for parameters.
    pub fn params(&mut self, params: &[Local]) {
        for &param in params {
            let var = self.local(param);
            self.function.params.push(var);
        }
    }

    /// The function with this body.
    pub fn finish(mut self, root: NodeId) -> Function {
        let result = self.type_of(root);
        self.function.results = vec![result];
        self.function.body = self.expr(root);
        self.function
    }

    pub fn mono(&mut self, ty: Ty) -> MonoType {
        let arguments: &Arguments = &self.arguments;
        self.all.mono_types.of(&self.all.typed.program.types, ty, arguments)
    }

    pub fn mono_type_of(&mut self, node: NodeId) -> MonoType {
        self.mono(self.hir.node(node).ty)
    }

    pub fn type_of(&mut self, node: NodeId) -> Type {
        let mono = self.mono_type_of(node);
        self.all.mono_types.tree_type(mono)
    }

    pub fn var(&mut self, name: String, ty: Type) -> Var {
        self.function.vars.push(Variable { name, ty, uses: 0 })
    }

    /// A new variable for one of the body.
    pub fn local(&mut self, local: Local) -> Var {
        let info = self.hir.local(local);
        let mono = self.mono(info.ty);
        let ty = self.all.mono_types.tree_type(mono);
        let name = match info.name.0 {
            u32::MAX => "this".to_string(),
            _ => self.all.typed.names.text(info.name).to_string(),
        };
        let var = self.var(name, ty);
        self.vars[local.0 as usize] = Some(var);
        var
    }

    pub fn add(&mut self, kind: ExprKind, ty: Type, span: Span) -> Expr {
        self.function.exprs.push(cleave_strict::core_ir::Node { kind, span, types: Types::One(ty) })
    }

    pub fn list(&mut self, exprs: &[Expr]) -> EntityList<Expr> {
        EntityList::from_slice(exprs, &mut self.function.lists)
    }

    pub fn use_var(&mut self, var: Var, span: Span) -> Expr {
        self.function.vars[var].uses += 1;
        let ty = self.function.vars[var].ty;
        self.add(ExprKind::Var(var), ty, span)
    }

    pub fn use_local(&mut self, local: Local, span: Span) -> Expr {
        let var = self.vars[local.0 as usize].expect("variables are bound before they are used");
        self.use_var(var, span)
    }

    pub const TRUTH: TypeId = super::MonoTypes::TRUTH;

    pub fn truth(&mut self, value: bool, span: Span) -> Expr {
        let kind = ExprKind::Construct(Self::TRUTH, u32::from(value), EntityList::new());
        self.add(kind, Type::Data(Self::TRUTH), span)
    }

    pub fn unit(&mut self, span: Span) -> Expr {
        self.add(ExprKind::Int(0), Type::Unit, span)
    }

    /// One of two, by a truth value.
    pub fn choose(&mut self, condition: Expr, then: Expr, otherwise: Expr, ty: Type, span: Span) -> Expr {
        let case = |number, body| Case { pattern: Pattern::Constructor(number, Vec::new()), body };
        let cases = vec![case(1, then), case(0, otherwise)];
        self.add(ExprKind::Match { subject: condition, cases }, ty, span)
    }

    pub fn primitive(&mut self, primitive: Primitive, args: &[Expr], ty: Type, span: Span) -> Expr {
        let args = self.list(args);
        self.add(ExprKind::Primitive(primitive, args), ty, span)
    }

    fn binary(&mut self, operator: Operator, left: Expr, right: Expr, span: Span) -> Expr {
        let ty = if operator.compares() { Type::Data(Self::TRUTH) } else { Type::Int };
        self.add(ExprKind::Binary(operator, left, right), ty, span)
    }

    fn not(&mut self, value: Expr, span: Span) -> Expr {
        let no = self.truth(false, span);
        self.binary(Operator::Equal, value, no, span)
    }

    /// The operand that is made first.
    fn first(&self, id: NodeId) -> Option<NodeId> {
        match self.hir.node(id).kind {
            Node::Binary(_, first, _)
            | Node::Call(first, _)
            | Node::Method(first, ..)
            | Node::Bounded(first, ..)
            | Node::Field(first, _) => Some(first),
            _ => None,
        }
    }

    pub fn expr(&mut self, id: NodeId) -> Expr {
        let mut chain: SmallVec<[NodeId; 8]> = smallvec![id];
        while let Some(next) = self.first(chain[chain.len() - 1]) {
            chain.push(next);
        }
        let mut first = First::default();
        while let Some(id) = chain.pop() {
            let above = chain.last().map(|&above| &self.hir.node(above).kind);
            let is_called = matches!(above, Some(Node::Call(..)));
            let is_joined = matches!(above, Some(Node::Binary(syntax::Operator::Concat, ..)));
            match &self.hir.node(id).kind {
                // These become part of the call; the object stays the first operand.
                Node::Function(..) | Node::Method(..) | Node::Bounded(..) if is_called => {}
                Node::Binary(syntax::Operator::Concat, _, right) => {
                    if first.strings.is_empty() {
                        first.strings.extend(first.expr.take());
                    }
                    let right = self.expr(*right);
                    first.strings.push(right);
                    if !is_joined {
                        let strings = std::mem::take(&mut first.strings);
                        let span = self.hir.node(id).span;
                        first.expr = Some(self.primitive(Primitive::Concat, &strings, Type::Str, span));
                    }
                }
                _ => first.expr = Some(self.one(id, first.expr.take())),
            }
        }
        first.expr.expect("the whole chain is made")
    }

    fn one(&mut self, id: NodeId, first: Option<Expr>) -> Expr {
        let hir = self.hir;
        let node = hir.node(id);
        let span = node.span;
        let ty = self.type_of(id);
        let operand = |first: Option<Expr>| first.expect("the first operand is there");
        match &node.kind {
            Node::Unit => self.unit(span),
            Node::Bool(value) => self.truth(*value, span),
            Node::Int(value) => self.add(ExprKind::Int(i64::from(*value)), ty, span),
            Node::Text(text) => {
                let text = self.all.literal(*text);
                self.add(ExprKind::Str(text), ty, span)
            }
            Node::Local(local) => self.use_local(*local, span),
            Node::Function(..) | Node::Method(..) | Node::Bounded(..) | Node::Variant(..) => {
                self.function_value(id, first)
            }
            Node::Construct(number, parts) => {
                let parts: SmallVec<[Expr; 8]> = parts.iter().map(|&part| self.expr(part)).collect();
                self.construct(id, *number, &parts)
            }
            Node::Tuple(parts) => {
                let parts: SmallVec<[Expr; 8]> = parts.iter().map(|&part| self.expr(part)).collect();
                self.construct(id, 0, &parts)
            }
            Node::Field(object, number) => {
                let mono = self.mono_type_of(*object);
                let fields = self.all.mono_types.parts(mono, 0);
                let mut binders = vec![None; fields.len()];
                let var = self.var("field".into(), ty);
                binders[*number as usize] = Some(var);
                let body = self.use_var(var, span);
                let cases = vec![Case { pattern: Pattern::Constructor(0, binders), body }];
                self.add(ExprKind::Match { subject: operand(first), cases }, ty, span)
            }
            Node::Call(callee, args) => self.call(*callee, first, args, ty, span),
            Node::Not(value) => {
                let value = self.expr(*value);
                self.not(value, span)
            }
            Node::Negate(value) => {
                let zero = self.add(ExprKind::Int(0), Type::Int, span);
                let value = self.expr(*value);
                self.binary(Operator::Subtract, zero, value, span)
            }
            Node::Binary(operator, left, right) => {
                let mono = self.mono_type_of(*left);
                let right = self.expr(*right);
                self.operate(*operator, mono, operand(first), right, span)
            }
            Node::If(branches, otherwise) => self.condition(branches, *otherwise, ty, span),
            Node::Match(subject, cases) => self.matching(*subject, cases, ty, span),
            Node::Lambda(lambda) => self.lambda(id, lambda),
            Node::Block(statements, value) => self.block(statements, *value, span),
            Node::Error => unreachable!("there is no program if something is wrong"),
        }
    }

    /// A cell of the type of a node.
    fn construct(&mut self, id: NodeId, number: u32, parts: &[Expr]) -> Expr {
        let mono = self.mono_type_of(id);
        let parts = self.list(parts);
        let data = self.all.mono_types.data_type(mono);
        self.add(ExprKind::Construct(data, number, parts), Type::Data(data), self.hir.node(id).span)
    }

    fn operate(&mut self, operator: syntax::Operator, mono: MonoType, left: Expr, right: Expr, span: Span) -> Expr {
        use syntax::Operator as From;
        let truth = Type::Data(Self::TRUTH);
        let to = match operator {
            From::Add => Operator::Add,
            From::Subtract => Operator::Subtract,
            From::Multiply => Operator::Multiply,
            From::Divide => Operator::Divide,
            From::Remainder => Operator::Remainder,
            From::Less => Operator::Less,
            From::LessEqual => Operator::LessEqual,
            From::Greater => Operator::Greater,
            From::GreaterEqual => Operator::GreaterEqual,
            From::Equal | From::Unequal if mono == TEXT => {
                let equal = self.primitive(Primitive::Equal, &[left, right], truth, span);
                return if operator == From::Equal { equal } else { self.not(equal, span) };
            }
            From::Equal | From::Unequal if mono == UNIT => {
                let all = self.truth(operator == From::Equal, span);
                let rest = self.add(ExprKind::Sequence(right, all), truth, span);
                return self.add(ExprKind::Sequence(left, rest), truth, span);
            }
            From::Equal | From::Unequal if self.all.mono_types.canonical(mono) == REFERENCE => {
                let equal = self.primitive(Primitive::Same, &[left, right], truth, span);
                return if operator == From::Equal { equal } else { self.not(equal, span) };
            }
            From::Equal => Operator::Equal,
            From::Unequal => Operator::NotEqual,
            From::And => {
                let no = self.truth(false, span);
                return self.choose(left, right, no, truth, span);
            }
            From::Or => {
                let yes = self.truth(true, span);
                return self.choose(left, yes, right, truth, span);
            }
            From::Concat => return self.primitive(Primitive::Concat, &[left, right], Type::Str, span),
        };
        self.binary(to, left, right, span)
    }

    fn call(&mut self, callee: NodeId, first: Option<Expr>, args: &[NodeId], ty: Type, span: Span) -> Expr {
        let hir = self.hir;
        let mut operands: Vec<Expr> = first.into_iter().collect();
        operands.extend(args.iter().map(|&arg| self.expr(arg)).collect::<Vec<Expr>>());
        match &hir.node(callee).kind {
            Node::Function(member, types) | Node::Method(_, member, types) => {
                let types: Vec<MonoType> = types.iter().map(|&ty| self.mono(ty)).collect();
                self.call_member(*member, &types, &operands, ty, span)
            }
            Node::Bounded(object, member, types) => {
                let types: Vec<MonoType> = types.iter().map(|&ty| self.mono(ty)).collect();
                let object = self.mono_type_of(*object);
                self.call_bounded(object, *member, &types, &operands, ty, span)
            }
            _ => {
                let args = self.list(&operands[1..]);
                self.add(ExprKind::Apply(operands[0], args), ty, span)
            }
        }
    }

    pub fn call_member(&mut self, member: MemberId, types: &[MonoType], args: &[Expr], ty: Type, span: Span) -> Expr {
        let primitive = match self.all.program().member(member).builtin {
            None => {
                let function = self.all.instance(member, types);
                let args = self.list(args);
                return self.add(ExprKind::Call(function, args), ty, span);
            }
            Some(Builtin::StringToInt) => {
                let reader = self.all.program().string_to_int.expect("the library has it");
                return self.call_member(reader, &[], args, ty, span);
            }
            Some(Builtin::ToInt) => {
                let reader = self.all.program().to_int.expect("the library has it");
                return self.call_member(reader, &[], args, ty, span);
            }
            Some(
                builtin @ (Builtin::NewArray
                | Builtin::ArraySize
                | Builtin::Element
                | Builtin::Take
                | Builtin::SetElement
                | Builtin::InnerElement
                | Builtin::InnerTake
                | Builtin::SetInnerElement
                | Builtin::Same),
            ) => return self.of_array(builtin, types[0], args, ty, span),
            // Of a reference the runtime sees what it leads to.
            Some(Builtin::GiveBack) if self.all.mono_types.canonical(types[0]) != REFERENCE => {
                let one = self.add(ExprKind::Int(1), Type::Int, span);
                return self.add(ExprKind::Sequence(args[0], one), Type::Int, span);
            }
            Some(Builtin::GiveBack) => Primitive::GiveBack,
            Some(Builtin::Primitive(primitive)) => primitive,
        };
        self.primitive(primitive, args, ty, span)
    }

    /// The method that an interface asks for, of the class of this object; numbers, truth values and strings compare.
    pub fn call_bounded(
        &mut self,
        object: MonoType,
        member: MemberId,
        types: &[MonoType],
        args: &[Expr],
        ty: Type,
        span: Span,
    ) -> Expr {
        let program = self.all.program();
        if let MonoTypeKind::Class(class, class_args) = self.all.mono_types.kind(object).clone() {
            let name = program.member(member).name;
            let found = program.class(class).by_name.get(&name).copied().expect("classes have what interfaces ask for");
            let mut all = class_args.to_vec();
            all.extend(types);
            return self.call_member(found, &all, args, ty, span);
        }
        if object == TEXT {
            return self.primitive(Primitive::Compare, args, ty, span);
        }
        debug_assert!(object == INT || object == BOOL);
        let (left, right) = (self.var("left".into(), Type::Int), self.var("right".into(), Type::Int));
        let mut compare = |operator, yes: i64, otherwise: Option<Expr>| {
            let (a, b) = (self.use_var(left, span), self.use_var(right, span));
            let condition = self.binary(operator, a, b, span);
            let yes = self.add(ExprKind::Int(yes), Type::Int, span);
            let no = match otherwise {
                Some(expr) => expr,
                None => self.add(ExprKind::Int(0), Type::Int, span),
            };
            self.choose(condition, yes, no, Type::Int, span)
        };
        let above = compare(Operator::Greater, 1, None);
        let body = compare(Operator::Less, -1, Some(above));
        let inner = self.bind(right, args[1], body, ty, span);
        self.bind(left, args[0], inner, ty, span)
    }

    pub fn bind(&mut self, var: Var, value: Expr, body: Expr, ty: Type, span: Span) -> Expr {
        self.add(ExprKind::Let { binders: vec![Some(var)], value, body }, ty, span)
    }
}
