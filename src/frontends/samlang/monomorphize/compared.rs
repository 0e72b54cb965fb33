//! Which type parameters have values that are compared with `==`: directly, or in a function that gets them. For those
//! it counts what they stand for, as strings are compared by their contents and objects by what they are.

use crate::hir::NodeKind as Node;
use crate::typed_program::TypedProgram;
use crate::types::{ParamId, Ty, TypeKind};
use rustc_hash::FxHashSet;

/// All of them. Parameters of a class count for all of its methods.
pub fn all(typed: &TypedProgram) -> FxHashSet<ParamId> {
    let program = &typed.program;
    let mut compared = program.compared.clone();
    if compared.is_empty() {
        return compared;
    }
    // Which parameters are handed on to which.
    let mut handed: Vec<(ParamId, ParamId)> = Vec::new();
    for node in typed.bodies.iter().flatten().flat_map(|hir| &hir.nodes) {
        let (member, args, has_class) = match &node.kind {
            Node::Function(member, args) | Node::Bounded(_, member, args) => (*member, args, false),
            Node::Method(_, member, args) => (*member, args, true),
            _ => continue,
        };
        let info = program.member(member);
        let class = if has_class { &program.class(info.class).params[..] } else { &[] };
        let pairs = class.iter().chain(&info.params).zip(args);
        handed.extend(pairs.filter_map(|(&to, &arg): (&ParamId, &Ty)| match program.types.kind(arg) {
            TypeKind::Param(from) => Some((*from, to)),
            _ => None,
        }));
    }
    loop {
        let before = compared.len();
        for &(from, to) in &handed {
            if compared.contains(&to) {
                compared.insert(from);
            }
        }
        if compared.len() == before {
            return compared;
        }
    }
}
