//! Recursion at ever larger types: a function or class that uses itself, directly or not, with a type argument that
//! contains its own parameter. There would be no end of instances.
//!
//! Which parameters flow into which arguments is a graph; an edge *grows* if the argument contains the parameter but is
//! more than it. There is an end of types if and only if no circle of the graph has an edge that grows. (What flows
//! through a method that only an interface names is not followed; `instances` has a limit for that.)

use crate::checked::Checked;
use crate::hir::Kind as Node;
use crate::types::{Interner, ParamId, Shape, Ty};
use crate::world::{Kind, World, report};
use cleave_diag::{Diagnostic, Sink, Span, code};

struct Edge {
    from: ParamId,
    to: ParamId,
    grows: bool,
    span: Span,
}

/// Reports uses of that kind.
pub fn check(checked: &Checked, sink: &mut Sink) {
    let world = &checked.world;
    let mut edges = Vec::new();
    for class in &world.classes {
        match &class.kind {
            Kind::Object(fields) => fields.iter().for_each(|field| in_type(world, field.ty, field.span, &mut edges)),
            Kind::Variant(tags) => {
                for tag in tags {
                    tag.fields.iter().for_each(|&ty| in_type(world, ty, tag.span, &mut edges));
                }
            }
            Kind::Space | Kind::Interface => {}
        }
    }
    for hir in checked.bodies.iter().flatten() {
        for node in &hir.nodes {
            let (member, args, has_class) = match &node.kind {
                Node::Function(member, args) => (*member, args, false),
                Node::Method(_, member, args) => (*member, args, true),
                Node::Bounded(_, member, args) => (*member, args, false),
                _ => continue,
            };
            let info = world.member(member);
            let class = if has_class { &world.class(info.class).params[..] } else { &[] };
            for (&to, &arg) in class.iter().chain(&info.params).zip(args) {
                flow(&world.types, arg, to, node.span, &mut edges);
            }
        }
    }
    if !edges.iter().any(|edge| edge.grows) {
        return;
    }
    let component = components(world.params.len(), &edges);
    let mut last = None;
    for edge in &edges {
        let is_circle = component[edge.from.0 as usize] == component[edge.to.0 as usize];
        if !edge.grows || !is_circle || last == Some(edge.span) {
            continue;
        }
        last = Some(edge.span);
        let name = checked.names.text(world.param(edge.to).name);
        report(sink, edge.span, || {
            let message =
                format!("recursion at ever larger types: here `{name}` stands for a type that contains `{name}`");
            let help = "a generic function or class uses itself only with types that do not grow";
            Diagnostic::error(code::POLYMORPHIC_RECURSION, message).at(edge.span, "").help(help)
        });
    }
}

/// What flows into the arguments of the classes of a type.
fn in_type(world: &World, ty: Ty, span: Span, edges: &mut Vec<Edge>) {
    match world.types.shape(ty) {
        Shape::Class(class, args) => {
            for (&arg, &to) in args.iter().zip(&world.class(*class).params) {
                flow(&world.types, arg, to, span, edges);
                in_type(world, arg, span, edges);
            }
        }
        Shape::Tuple(parts) => parts.iter().for_each(|&part| in_type(world, part, span, edges)),
        Shape::Function(params, result) => {
            params.iter().chain([result]).for_each(|&part| in_type(world, part, span, edges));
        }
        _ => {}
    }
}

/// The parameters in an argument flow into what it is given to.
fn flow(types: &Interner, arg: Ty, to: ParamId, span: Span, edges: &mut Vec<Edge>) {
    let mut open = vec![(arg, false)];
    while let Some((ty, grows)) = open.pop() {
        match types.shape(ty) {
            Shape::Param(from) => edges.push(Edge { from: *from, to, grows, span }),
            Shape::Class(_, parts) | Shape::Tuple(parts) => open.extend(parts.iter().map(|&part| (part, true))),
            Shape::Function(params, result) => open.extend(params.iter().chain([result]).map(|&part| (part, true))),
            _ => {}
        }
    }
}

/// The number of the component of each parameter: first an order by a walk along the edges, then walks against them.
fn components(count: usize, edges: &[Edge]) -> Vec<u32> {
    let mut along: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut against: Vec<Vec<u32>> = vec![Vec::new(); count];
    for edge in edges {
        along[edge.from.0 as usize].push(edge.to.0);
        against[edge.to.0 as usize].push(edge.from.0);
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
