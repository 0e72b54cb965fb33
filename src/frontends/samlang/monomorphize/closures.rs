//! Functions as values: lambdas with what they take along, and members, bound methods and variants, around which a
//! function is made that has the form of a closure's code.

use super::bodies::Lower;
use super::mono_types::{MonoType, MonoTypeKind};
use crate::hir::{Lambda, NodeId, NodeKind as Node};
use crate::program::MemberId;
use crate::types::ClassId;
use cleave_strict::core_ir::{Closure, ClosureId, Expr, ExprKind, Function, Type, Var};

/// What a function is made around, with the types that it is used with.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Wrapped {
    Member(MemberId, Vec<MonoType>, MonoType),
    /// The object comes first.
    Bounded(MonoType, MemberId, Vec<MonoType>, MonoType),
    Variant(ClassId, u32, MonoType),
}

impl<'i> Lower<'_, 'i> {
    /// A member or variant that is no callee; `object` is taken along.
    pub fn function_value(&mut self, id: NodeId, object: Option<Expr>) -> Expr {
        let hir = self.hir;
        let span = hir.node(id).span;
        let mono = self.mono_type_of(id);
        let (wrapped, receiver) = match &hir.node(id).kind {
            Node::Function(member, types) => {
                let types = types.iter().map(|&ty| self.mono(ty)).collect();
                (Wrapped::Member(*member, types, mono), None)
            }
            Node::Method(receiver, member, types) => {
                let types = types.iter().map(|&ty| self.mono(ty)).collect();
                (Wrapped::Member(*member, types, mono), Some(*receiver))
            }
            Node::Bounded(receiver, member, types) => {
                let types = types.iter().map(|&ty| self.mono(ty)).collect();
                let object = self.mono_type_of(*receiver);
                (Wrapped::Bounded(object, *member, types, mono), Some(*receiver))
            }
            Node::Variant(class, number) => (Wrapped::Variant(*class, *number, mono), None),
            _ => unreachable!("only of functions"),
        };
        let receiver = receiver.map(|receiver| self.mono_type_of(receiver));
        let closure = self.wrap(wrapped, receiver, id);
        let object: Vec<Expr> = object.into_iter().collect();
        let captures = self.list(&object);
        self.add(ExprKind::MakeClosure(closure, captures), Type::Function, span)
    }

    /// The code of a closure around a function.
    fn wrap(&mut self, wrapped: Wrapped, receiver: Option<MonoType>, id: NodeId) -> ClosureId {
        if let Some(&closure) = self.all.wrapped.get(&wrapped) {
            return closure;
        }
        let span = self.hir.node(id).span;
        let mono = self.mono_type_of(id);
        let MonoTypeKind::Function(params, result) = self.all.mono_types.kind(mono).clone() else {
            unreachable!("functions have a type of functions")
        };
        let result_type = self.all.mono_types.tree_type(result);
        let captured: Vec<Type> = receiver.iter().map(|&mono| self.all.mono_types.tree_type(mono)).collect();
        let types: Vec<Type> = params.iter().map(|&mono| self.all.mono_types.tree_type(mono)).collect();
        let name = match &wrapped {
            Wrapped::Member(member, ..) | Wrapped::Bounded(_, member, ..) => {
                self.all.program().full_name(*member, &self.all.typed.names)
            }
            Wrapped::Variant(class, ..) => self.all.typed.names.text(self.all.program().class(*class).name).to_string(),
        };
        let name = self.all.mono_types.unique(format!("{name}.value"));
        let (closure, function_id) = self.reserve(&captured);
        self.all.wrapped.insert(wrapped.clone(), closure);
        let mut inner = Lower::new(self.all, self.hir, self.arguments.clone(), Function::new(name, span));
        let vars: Vec<Var> = captured.iter().map(|&ty| inner.var("object".into(), ty)).collect();
        inner.function.captures = Some((closure, vars.clone()));
        let mut args: Vec<Expr> = vars.iter().map(|&var| inner.use_var(var, span)).collect();
        for ty in types {
            let var = inner.var("argument".into(), ty);
            inner.function.params.push(var);
            args.push(inner.use_var(var, span));
        }
        inner.function.results = vec![result_type];
        inner.function.body = match wrapped {
            Wrapped::Member(member, types, _) => inner.call_member(member, &types, &args, result_type, span),
            Wrapped::Bounded(object, member, types, _) => {
                inner.call_bounded(object, member, &types, &args, result_type, span)
            }
            Wrapped::Variant(_, number, _) => {
                let data = inner.all.mono_types.data_type(result);
                let args = inner.list(&args);
                inner.add(ExprKind::Construct(data, number, args), result_type, span)
            }
        };
        let function = inner.function;
        self.all.functions[function_id] = Some(function);
        closure
    }

    fn reserve(&mut self, captures: &[Type]) -> (ClosureId, cleave_strict::core_ir::FunctionId) {
        let function = self.all.reserve();
        (self.all.closures.push(Closure { function, captures: captures.to_vec() }), function)
    }

    pub fn lambda(&mut self, id: NodeId, lambda: &'i Lambda) -> Expr {
        let span = self.hir.node(id).span;
        let captured: Vec<Expr> = lambda.captures.iter().map(|&local| self.use_local(local, span)).collect();
        let types = lambda.captures.iter().map(|&local| {
            let var = self.vars[local.0 as usize].expect("variables are bound before they are used");
            self.function.vars[var].ty
        });
        let types: Vec<Type> = types.collect();
        let name = self.all.mono_types.unique(format!("{}.lambda", self.function.name));
        let (closure, function_id) = self.reserve(&types);
        let mut inner = Lower::new(self.all, self.hir, self.arguments.clone(), Function::new(name, span));
        let captures: Vec<Var> = lambda.captures.iter().map(|&local| inner.local(local)).collect();
        inner.function.captures = Some((closure, captures));
        inner.params(&lambda.params);
        let function = inner.finish(lambda.body);
        self.all.functions[function_id] = Some(function);
        let captured = self.list(&captured);
        self.add(ExprKind::MakeClosure(closure, captured), Type::Function, span)
    }
}
