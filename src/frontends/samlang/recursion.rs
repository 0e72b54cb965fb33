//! Recursion at ever larger types: a function or class that uses itself, directly or not, with a type argument that
//! contains its own parameter. There would be no end of monomorphizer.
//!
//! Which parameters flow into which arguments is a graph; an edge *grows* if the argument contains the parameter but is
//! more than it. There is an end of types if and only if no circle of the graph has an edge that grows. (What flows
//! through a method that only an interface names is not followed; `monomorphize` has a limit for that.) Each method has
//! the parameters of its class for itself: a method may use others with larger types, if those do not come back to it.

use crate::hir::NodeKind as Node;
use crate::program::{ClassKind, MemberId, Program, report};
use crate::typed_program::TypedProgram;
use crate::types::{ParamId, Ty, TypeKind};
use cleave_diag::{Diagnostic, Sink, Span, code};
use rustc_hash::FxHashSet;

struct Edge {
    from: u32,
    to: u32,
    /// What it flows into.
    param: ParamId,
    grows: bool,
    span: Span,
}

/// Reports uses of that kind.
pub fn check(typed: &TypedProgram, sink: &mut Sink) {
    let program = &typed.program;
    let nodes = Nodes::new(program);
    let mut edges = Vec::new();
    for class in &program.classes {
        match &class.kind {
            ClassKind::Object(fields) => {
                fields.iter().for_each(|field| in_type(&nodes, field.ty, field.span, &mut edges));
            }
            ClassKind::Enum(variants) => {
                for variant in variants {
                    variant.fields.iter().for_each(|&ty| in_type(&nodes, ty, variant.span, &mut edges));
                }
            }
            ClassKind::Space | ClassKind::Interface => {}
        }
    }
    for (number, hir) in typed.bodies.iter().enumerate() {
        let user = Some(MemberId(number as u32));
        for node in hir.iter().flat_map(|hir| &hir.nodes) {
            let (member, args, has_class) = match &node.kind {
                Node::Function(member, args) => (*member, args, false),
                Node::Method(_, member, args) => (*member, args, true),
                Node::Bounded(_, member, args) => (*member, args, false),
                _ => continue,
            };
            let info = program.member(member);
            let class = if has_class { &program.class(info.class).params[..] } else { &[] };
            for (&param, &arg) in class.iter().chain(&info.params).zip(args) {
                let to = (nodes.node(Some(member), param), param);
                nodes.flow(arg, user, to, node.span, &mut edges);
            }
        }
    }
    if !edges.iter().any(|edge| edge.grows) {
        return;
    }
    let component = components(nodes.count, &edges);
    // Once for each parameter: what uses a class of this kind has the same circle.
    let mut reported: FxHashSet<ParamId> = FxHashSet::default();
    for edge in &edges {
        let is_circle = component[edge.from as usize] == component[edge.to as usize];
        if !edge.grows || !is_circle || !reported.insert(edge.param) {
            continue;
        }
        let name = typed.names.text(program.param(edge.param).name);
        report(sink, edge.span, || {
            let message =
                format!("recursion at ever larger types: here `{name}` stands for a type that contains `{name}`");
            let help = "a generic function or class uses itself only with types that do not grow";
            Diagnostic::error(code::POLYMORPHIC_RECURSION, message).at(edge.span, "").help(help)
        });
    }
}

/// The parameters as numbers: first all of them, then those of its class again for each method.
struct Nodes<'w> {
    program: &'w Program,
    /// Where the numbers of each member begin.
    firsts: Vec<u32>,
    count: usize,
}

impl Nodes<'_> {
    fn new(program: &Program) -> Nodes<'_> {
        let mut count = program.params.len();
        let mut firsts = Vec::with_capacity(program.members.len());
        for member in &program.members {
            firsts.push(count as u32);
            count += if member.is_method { program.class(member.class).params.len() } else { 0 };
        }
        Nodes { program, firsts, count }
    }

    /// The number of a parameter in the types of a member, or else of a class.
    fn node(&self, member: Option<MemberId>, param: ParamId) -> u32 {
        let Some(member) = member else { return param.0 };
        let info = self.program.member(member);
        let params = if info.is_method { &self.program.class(info.class).params[..] } else { &[] };
        let index = params.iter().position(|&other| other == param);
        index.map_or(param.0, |index| self.firsts[member.0 as usize] + index as u32)
    }

    /// The parameters in an argument that a member or class gives flow into what it is given to.
    fn flow(&self, arg: Ty, user: Option<MemberId>, to: (u32, ParamId), span: Span, edges: &mut Vec<Edge>) {
        let (to, param) = to;
        let mut open = vec![(arg, false)];
        // A part may occur at very many places.
        let mut seen = FxHashSet::default();
        while let Some((ty, grows)) = open.pop() {
            if !self.program.types.is_open(ty) || !seen.insert((ty, grows)) {
                continue;
            }
            match self.program.types.kind(ty) {
                TypeKind::Param(from) => edges.push(Edge { from: self.node(user, *from), to, param, grows, span }),
                TypeKind::Class(_, parts) | TypeKind::Tuple(parts) => {
                    open.extend(parts.iter().map(|&part| (part, true)))
                }
                TypeKind::Function(params, result) => {
                    open.extend(params.iter().chain([result]).map(|&part| (part, true)))
                }
                _ => {}
            }
        }
    }
}

/// What flows into the arguments of the classes of a type.
fn in_type(nodes: &Nodes, ty: Ty, span: Span, edges: &mut Vec<Edge>) {
    let program = nodes.program;
    match program.types.kind(ty) {
        TypeKind::Class(class, args) => {
            for (&arg, &param) in args.iter().zip(&program.class(*class).params) {
                nodes.flow(arg, None, (nodes.node(None, param), param), span, edges);
                in_type(nodes, arg, span, edges);
            }
        }
        TypeKind::Tuple(parts) => parts.iter().for_each(|&part| in_type(nodes, part, span, edges)),
        TypeKind::Function(params, result) => {
            params.iter().chain([result]).for_each(|&part| in_type(nodes, part, span, edges));
        }
        _ => {}
    }
}

/// The number of the component of each parameter: first an order by a walk along the edges, then walks against them.
fn components(count: usize, edges: &[Edge]) -> Vec<u32> {
    let mut along: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut against: Vec<Vec<u32>> = vec![Vec::new(); count];
    for edge in edges {
        along[edge.from as usize].push(edge.to);
        against[edge.to as usize].push(edge.from);
    }
    let (mut seen, mut order) = (vec![false; count], Vec::with_capacity(count));
    for root in 0..count {
        let mut path = vec![(root, 0)];
        while let Some((at, next)) = path.last_mut() {
            if *next == 0 && std::mem::replace(&mut seen[*at], true) {
                path.pop();
                continue;
            }
            match along[*at].get(*next) {
                Some(&to) => {
                    *next += 1;
                    if !seen[to as usize] {
                        path.push((to as usize, 0));
                    }
                }
                None => {
                    order.push(*at);
                    path.pop();
                }
            }
        }
    }
    let mut component = vec![u32::MAX; count];
    for (number, &root) in order.iter().rev().enumerate() {
        let mut open = vec![root];
        while let Some(at) = open.pop() {
            if component[at] == u32::MAX {
                component[at] = number as u32;
                open.extend(against[at].iter().map(|&from| from as usize));
            }
        }
    }
    component
}
