//! Which functions of the library call nothing but functions of the library: their callers are kept for traces.

use crate::core_ir::{ExprKind, Function, FunctionId, Node, Program};
use cranelift_entity::SecondaryMap;

/// Functions of the library that call nothing else: whoever calls one comes back before any other code of the user
/// runs. So such a call need be no tail call, and traces have its caller.
pub fn closed_functions(program: &Program) -> SecondaryMap<FunctionId, bool> {
    let mut closed: SecondaryMap<FunctionId, bool> = SecondaryMap::new();
    for (id, function) in &program.functions {
        let is_open = |node: &Node| matches!(node.kind, ExprKind::Apply(..));
        closed[id] = function.is_library && !function.exprs.values().any(is_open);
    }
    loop {
        let calls_others = |function: &Function| {
            let is_other = |node: &Node| matches!(node.kind, ExprKind::Call(called, _) if !closed[called]);
            function.exprs.values().any(is_other)
        };
        let opened: Vec<FunctionId> =
            program.functions.iter().filter(|(id, it)| closed[*id] && calls_others(it)).map(|it| it.0).collect();
        if opened.is_empty() {
            return closed;
        }
        opened.into_iter().for_each(|id| closed[id] = false);
    }
}
