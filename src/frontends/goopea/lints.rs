//! Lints: what nobody uses, divisions by zero, comparisons with one result, and cases that look like comparisons. They
//! are found in checked functions.

use crate::syntax::Tree;
use cleave_diag::{FileId, Sink, Span};
use cleave_ir::EntityRef;
use cleave_strict::core_ir::{ExprKind, Function, FunctionId, Operator, Pattern, Var};
use cleave_strict::lints;
use rustc_hash::FxHashSet;

/// Looks at a function; `places` says where its variables are bound.
pub fn function(function: &Function, places: &[Span], sink: &mut Sink) {
    let defaults = defaults(function);
    for (var, info) in function.vars.iter() {
        let (name, span) = (&info.name[..], places[var.index()]);
        if info.uses > 0 || name.starts_with('_') {
            continue;
        }
        let diagnostic = match function.params.contains(&var) {
            true => {
                let instead = format!("_{name}");
                let help = format!("if it must be there, call it `{instead}`");
                let diagnostic = lints::unused_parameter(name, span, &help);
                diagnostic.fix(format!("call it `{instead}`"), vec![(span, instead)])
            }
            // A case for all other values has a name.
            false if defaults.contains(&var) => continue,
            false => lints::unused_variable(name, span, Some("_".into())),
        };
        sink.report(diagnostic);
    }
    for node in function.exprs.values() {
        let ExprKind::Binary(operator, left, right) = node.kind else { continue };
        let (left, right) = (&function.exprs[left].kind, &function.exprs[right].kind);
        if matches!(operator, Operator::Divide | Operator::Remainder) && matches!(right, ExprKind::Int(0)) {
            sink.report(lints::division_by_zero(node.span, "the program ends here with a message"));
        }
        let ordering = match (left, right) {
            (ExprKind::Var(left), ExprKind::Var(right)) if left == right => Some(std::cmp::Ordering::Equal),
            (ExprKind::Int(left), ExprKind::Int(right)) => Some(left.cmp(right)),
            _ => None,
        };
        if let Some(ordering) = ordering
            && let Some(result) = result(operator, ordering)
        {
            sink.report(lints::constant_comparison(node.span, "comparison", result));
        }
    }
}

/// What a comparison of two values gives that are in this order.
fn result(operator: Operator, ordering: std::cmp::Ordering) -> Option<bool> {
    Some(match operator {
        Operator::Equal => ordering.is_eq(),
        Operator::NotEqual => ordering.is_ne(),
        Operator::Less => ordering.is_lt(),
        Operator::LessEqual => ordering.is_le(),
        Operator::Greater => ordering.is_gt(),
        Operator::GreaterEqual => ordering.is_ge(),
        _ => return None,
    })
}

/// Variables that are whole cases.
fn defaults(function: &Function) -> FxHashSet<Var> {
    let cases = function.exprs.values().filter_map(|node| match &node.kind {
        ExprKind::Match { cases, .. } => Some(cases),
        _ => None,
    });
    let rest = cases.flatten().filter_map(|case| match case.pattern {
        Pattern::Rest(var) => var,
        _ => None,
    });
    rest.collect()
}

/// Says which functions of a file those that are called from outside do not lead to.
pub fn functions(
    all: &[Function],
    tree: &Tree,
    called: impl Iterator<Item = FunctionId>,
    file: FileId,
    sink: &mut Sink,
) {
    let mut reached = vec![false; all.len()];
    // `cleave test` calls tests.
    let tests = all.iter().enumerate().filter(|(_, it)| it.params.is_empty() && lints::is_test_name(&it.name));
    let mut open: Vec<FunctionId> = called.chain(tests.map(|(number, _)| FunctionId::new(number))).collect();
    open.iter().for_each(|id| reached[id.index()] = true);
    while let Some(next) = open.pop() {
        for node in all[next.index()].exprs.values() {
            if let ExprKind::Call(callee, _) = node.kind
                && !std::mem::replace(&mut reached[callee.index()], true)
            {
                open.push(callee);
            }
        }
    }
    for (function, source) in all.iter().zip(&tree.functions).zip(reached).filter(|it| !it.1).map(|it| it.0) {
        if source.span.file == file && !function.name.starts_with('_') {
            sink.report(lints::unused_function("function", &function.name, source.span, None));
        }
    }
}
