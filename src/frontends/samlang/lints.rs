//! Lints: what nobody uses, divisions by zero, comparisons with one result, and what stands behind the end of the
//! program. They are found in checked bodies; only imports need the tree. The library is not looked at.

use crate::hir::{Condition, Hir, Local, NodeId, NodeKind};
use crate::lex::Name;
use crate::program::{Builtin, MemberId};
use crate::syntax::{Body, Expr, Member, Module, Operator, Pattern, Statement, TypeParam, TypeSyntax, TypeSyntaxKind};
use crate::typed_program::TypedProgram;
use cleave_diag::{FileId, Sink, SourceMap, Span};
use cleave_strict::core_ir::Primitive;
use cleave_strict::lints;
use rustc_hash::{FxHashMap, FxHashSet};

/// How the names of files of the library begin.
const LIBRARY: &str = "<library>/";

/// Looks at the modules of a program that has no errors, or at one of them.
pub fn check(typed: &TypedProgram, only: Option<FileId>, sources: &SourceMap, sink: &mut Sink) {
    let program = &typed.program;
    let is_own = |file: FileId| match only {
        Some(only) => only == file,
        None => !sources.file(file).name.starts_with(LIBRARY),
    };
    for module in program.modules.iter().filter(|module| is_own(module.file)) {
        imports(typed, module, sink);
    }
    let mut used: FxHashSet<MemberId> = FxHashSet::default();
    for (number, body) in typed.bodies.iter().enumerate() {
        let own = MemberId(number as u32);
        let nodes = body.iter().flat_map(|body| &body.nodes);
        used.extend(nodes.filter_map(|node| match node.kind {
            NodeKind::Function(id, _) | NodeKind::Method(_, id, _) | NodeKind::Bounded(_, id, _) if id != own => {
                Some(id)
            }
            _ => None,
        }));
    }
    for (number, body) in typed.bodies.iter().enumerate() {
        let id = MemberId(number as u32);
        let info = program.member(id);
        let (Some(span), Some(body)) = (info.span.filter(|span| is_own(span.file)), body) else { continue };
        let (module, class) = program.class(info.class).source;
        let class = &program.modules[module].classes[class];
        let Some(member) = class.members.get(info.source) else { continue };
        if info.is_private && !used.contains(&id) && program.main != Some(id) {
            let what = if info.is_method { "method" } else { "function" };
            sink.report(lints::unused_function(what, typed.names.text(info.name), span, Some(member.span)));
        }
        // What an interface asks for has the parameters that it asks for.
        let is_free = !info.is_method || class.interfaces.is_empty();
        variables(typed, body, member, is_free, sink);
        values(typed, body, sink);
    }
}

/// Variables and parameters that nobody looks at.
fn variables(typed: &TypedProgram, body: &Hir, member: &Member, is_free: bool, sink: &mut Sink) {
    let mut used: FxHashSet<Local> = FxHashSet::default();
    let mut lambdas: FxHashSet<Local> = FxHashSet::default();
    for node in &body.nodes {
        match &node.kind {
            NodeKind::Local(local) => _ = used.insert(*local),
            NodeKind::Lambda(lambda) => lambdas.extend(&lambda.params),
            _ => {}
        }
    }
    let short = member.body.as_ref().map(short_fields).unwrap_or_default();
    for (number, info) in body.locals.iter().enumerate() {
        let local = Local(number as u32);
        // The shape of a lambda is that which its place wants.
        if info.name == Name(u32::MAX) || used.contains(&local) || lambdas.contains(&local) {
            continue;
        }
        let name = typed.names.text(info.name);
        if body.params.contains(&local) {
            if is_free {
                sink.report(lints::unused_parameter(name, info.span, "leave it out, here and where this is called"));
            }
            continue;
        }
        let edit = if short.contains(&info.span) { format!("{name} as _") } else { "_".to_string() };
        sink.report(lints::unused_variable(name, info.span, Some(edit)));
    }
}

/// Fields of patterns that are variables by their own names.
fn short_fields(body: &Body) -> FxHashSet<Span> {
    let objects = body.patterns.iter().filter_map(|pattern| match &pattern.0 {
        Pattern::Object(fields) => Some(fields),
        _ => None,
    });
    let short = objects.flatten().filter(|(field, pattern)| body.pattern_span(*pattern) == field.span);
    short.map(|(field, _)| field.span).collect()
}

/// Operations that always have the same result, and what is never evaluated.
fn values(typed: &TypedProgram, body: &Hir, sink: &mut Sink) {
    for node in &body.nodes {
        match &node.kind {
            NodeKind::Binary(Operator::Divide | Operator::Remainder, _, right)
                if matches!(body.node(*right).kind, NodeKind::Int(0)) =>
            {
                sink.report(lints::division_by_zero(node.span, "the program ends here with a message"));
            }
            NodeKind::Binary(operator, left, right) => {
                if let Some(result) = comparison(body, *operator, *left, *right) {
                    sink.report(lints::constant_comparison(node.span, "comparison", result));
                }
            }
            NodeKind::If(branches, _) => {
                for (condition, _) in branches {
                    if let Condition::Holds(condition) = condition
                        && let NodeKind::Bool(result) = body.node(*condition).kind
                    {
                        sink.report(lints::constant_comparison(body.node(*condition).span, "condition", result));
                    }
                }
            }
            NodeKind::Block(statements, value) => {
                let all: Vec<NodeId> = statements.iter().map(|it| it.1).chain(*value).collect();
                let end = all.iter().position(|&id| ends(typed, body, id));
                if let Some(end) = end
                    && let Some(&next) = all.get(end + 1)
                {
                    sink.report(lints::unreachable_code(body.node(next).span, body.node(all[end]).span));
                }
            }
            _ => {}
        }
    }
}

/// `Process.panic(…)`
fn ends(typed: &TypedProgram, body: &Hir, id: NodeId) -> bool {
    let NodeKind::Call(callee, _) = body.node(id).kind else { return false };
    let NodeKind::Function(callee, _) = body.node(callee).kind else { return false };
    typed.program.member(callee).builtin == Some(Builtin::Primitive(Primitive::Panic))
}

fn comparison(body: &Hir, operator: Operator, left: NodeId, right: NodeId) -> Option<bool> {
    let ordering = match (&body.node(left).kind, &body.node(right).kind) {
        (NodeKind::Local(left), NodeKind::Local(right)) if left == right => std::cmp::Ordering::Equal,
        (NodeKind::Int(left), NodeKind::Int(right)) => left.cmp(right),
        _ => return None,
    };
    Some(match operator {
        Operator::Equal => ordering.is_eq(),
        Operator::Unequal => ordering.is_ne(),
        Operator::Less => ordering.is_lt(),
        Operator::LessEqual => ordering.is_le(),
        Operator::Greater => ordering.is_gt(),
        Operator::GreaterEqual => ordering.is_ge(),
        _ => return None,
    })
}

/// Imports that are not used, or stand there twice.
fn imports(typed: &TypedProgram, module: &Module, sink: &mut Sink) {
    let used = mentioned(module);
    let mut seen: FxHashMap<Name, Span> = FxHashMap::default();
    for import in &module.imports {
        let mut rest = import.names.len();
        for (number, name) in import.names.iter().enumerate() {
            let first = seen.get(&name.name).copied();
            if first.is_none() && used.contains(&name.name) {
                seen.insert(name.name, name.span);
                continue;
            }
            rest -= 1;
            let extent = match (number + 1 < import.names.len(), number) {
                _ if rest == 0 => import.extent,
                (true, _) => Span { end: import.names[number + 1].span.start, ..name.span },
                (false, 0) => import.extent,
                (false, _) => Span { start: import.names[number - 1].span.end, ..name.span },
            };
            let text = typed.names.text(name.name);
            sink.report(match first {
                Some(first) => lints::duplicate_import(text, name.span, first, extent),
                None => lints::unused_import(text, name.span, extent),
            });
            seen.entry(name.name).or_insert(name.span);
        }
    }
}

/// The names of classes that a module mentions.
pub(crate) fn mentioned(module: &Module) -> FxHashSet<Name> {
    let mut found = FxHashSet::default();
    let mut types: Vec<&TypeSyntax> = Vec::new();
    fn bounds<'s>(params: &'s [TypeParam], types: &mut Vec<&'s TypeSyntax>) {
        types.extend(params.iter().filter_map(|param| param.bound.as_ref()));
    }
    for class in &module.classes {
        bounds(&class.params, &mut types);
        types.extend(&class.interfaces);
        types.extend(class.form.types());
        for member in &class.members {
            bounds(&member.type_params, &mut types);
            types.extend(member.params.iter().filter_map(|param| param.ty.as_ref()));
            types.push(&member.result);
            let Some(body) = &member.body else { continue };
            for (expr, _) in &body.exprs {
                match expr {
                    Expr::Static { class, types: given, .. } => {
                        found.insert(class.name);
                        types.extend(given);
                    }
                    Expr::Field { types: given, .. } => types.extend(given),
                    Expr::Lambda { params, .. } => types.extend(params.iter().filter_map(|param| param.ty.as_ref())),
                    Expr::Block { statements, .. } => types.extend(statements.iter().filter_map(|it| match it {
                        Statement::Val { ty, .. } => ty.as_ref(),
                        Statement::Expr(_) => None,
                    })),
                    _ => {}
                }
            }
            found.extend(body.patterns.iter().filter_map(|pattern| match &pattern.0 {
                Pattern::Variant { class, .. } => class.map(|class| class.name),
                _ => None,
            }));
        }
    }
    while let Some(next) = types.pop() {
        match &next.kind {
            TypeSyntaxKind::Named(name, args) => {
                found.insert(*name);
                types.extend(args);
            }
            TypeSyntaxKind::Tuple(parts) => types.extend(parts),
            TypeSyntaxKind::Function(params, result) => {
                types.extend(params);
                types.push(result);
            }
            _ => {}
        }
    }
    found
}
