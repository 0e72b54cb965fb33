//! Unknowns, unification, and what is said if types do not fit.

use super::behind::{Behind, Wanted};
use super::clashes::overlap;
use super::{Checker, Reason, Unknown, Want, help};
use crate::hir::{NodeId, NodeKind, Pattern, PatternKind};
use crate::types::{Ty, TypeKind};
use cleave_diag::{Diagnostic, Span, code};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

impl Checker<'_> {
    pub(super) fn unknown(&mut self, span: Span) -> Ty {
        let number = self.unknowns.len() as u32;
        self.unknowns.push(Unknown { found: None, span, origin: None });
        self.program.types.unknown(number)
    }

    /// The type, as far as its outside is known.
    pub(super) fn outside(&self, mut ty: Ty) -> Ty {
        while let TypeKind::Unknown(number) = *self.program.types.kind(ty) {
            match self.unknowns[number as usize].found {
                Some(found) => ty = found,
                None => break,
            }
        }
        ty
    }

    pub(super) fn kind(&self, ty: Ty) -> TypeKind {
        self.program.types.kind(self.outside(ty)).clone()
    }

    /// The type with all that is known.
    pub(super) fn resolve(&mut self, ty: Ty) -> Ty {
        if !self.program.types.is_open(ty) {
            return ty;
        }
        let unknowns = &mut self.unknowns;
        let mut done = FxHashMap::default();
        self.program.types.map(ty, &mut |types, ty| resolve(types, unknowns, ty, &mut done))
    }

    /// Makes two types the same, if that is possible; otherwise nothing is found out.
    pub(super) fn unify(&mut self, a: Ty, b: Ty) -> bool {
        let mark = self.trail.len();
        let fits = self.unify_open(a, b);
        if !fits {
            self.forget(mark);
        }
        fits
    }

    /// Forgets what was found out since a point of the trail.
    pub(super) fn forget(&mut self, mark: usize) {
        for number in self.trail.drain(mark..) {
            self.unknowns[number as usize].found = None;
        }
    }

    fn unify_open(&mut self, a: Ty, b: Ty) -> bool {
        let mut open: SmallVec<[(Ty, Ty); 8]> = smallvec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.outside(a), self.outside(b));
            if a == b {
                continue;
            }
            // What comes of an error is one, too: nothing is said of it.
            if a == Ty::ERROR || b == Ty::ERROR {
                self.spoil(if a == Ty::ERROR { b } else { a });
                continue;
            }
            match (self.program.types.kind(a).clone(), self.program.types.kind(b).clone()) {
                (TypeKind::Unknown(number), _) => {
                    if self.occurs_in(number, b) {
                        return false;
                    }
                    let origin = self.cause;
                    let unknown = &mut self.unknowns[number as usize];
                    (unknown.found, unknown.origin) = (Some(b), origin);
                    self.trail.push(number);
                }
                (_, TypeKind::Unknown(_)) => open.push((b, a)),
                (TypeKind::Class(first, a), TypeKind::Class(second, b)) if first == second => {
                    open.extend(pairs(&a, &b))
                }
                (TypeKind::Tuple(a), TypeKind::Tuple(b)) if a.len() == b.len() => open.extend(pairs(&a, &b)),
                (TypeKind::Function(a, first), TypeKind::Function(b, second)) if a.len() == b.len() => {
                    open.push((first, second));
                    open.extend(pairs(&a, &b));
                }
                _ => return false,
            }
        }
        true
    }

    /// What is unknown in a type has to do with an error.
    fn spoil(&mut self, ty: Ty) {
        if !self.program.types.is_open(ty) {
            return;
        }
        let ty = self.resolve(ty);
        let mut unknown = Vec::new();
        self.program.types.map(ty, &mut |types, ty| {
            unknown.extend(if let TypeKind::Unknown(number) = *types.kind(ty) { Some(number) } else { None });
            None
        });
        unknown.sort_unstable();
        unknown.dedup();
        for number in unknown {
            self.unknowns[number as usize].found = Some(Ty::ERROR);
            self.trail.push(number);
        }
    }

    fn occurs_in(&mut self, number: u32, ty: Ty) -> bool {
        if !self.program.types.is_open(ty) {
            return false;
        }
        let ty = self.resolve(ty);
        let mut found = false;
        self.program.types.map(ty, &mut |types, ty| {
            found |= *types.kind(ty) == TypeKind::Unknown(number);
            None
        });
        found
    }

    /// An expression must have the type that its place wants.
    pub(super) fn demand(&mut self, node: NodeId, want: Want) {
        let (found, span) = (self.ty(node), self.hir.node(node).span);
        let before = self.cause.replace(span);
        let fits = self.unify(want.ty, found);
        self.cause = before;
        if !fits {
            let (wanted, messages) = (self.outside(want.ty), self.sink.diagnostics().len());
            self.mismatch(want.ty, found, span, (want.reason, Some(node)));
            self.exchanged_names(node, Wanted::Type(wanted), messages);
            self.unify(want.ty, Ty::ERROR);
            self.unify(found, Ty::ERROR);
            self.refused = Some((node, found));
            self.hir.nodes[node.0 as usize].ty = Ty::ERROR;
        }
    }

    pub(super) fn mismatch(&mut self, wanted: Ty, found: Ty, span: Span, (reason, node): (Reason, Option<NodeId>)) {
        if self.method_over_field(node, wanted) {
            return;
        }
        let Ok(origin) = self.origin_of_clash(wanted, found) else { return };
        let callee = node.and_then(|node| self.name_of_callee(node));
        let kind = node.map(|node| &self.hir.node(node).kind);
        let is_call = matches!(kind, Some(NodeKind::Call(..)));
        let is_block = matches!(kind, Some(NodeKind::Block(statements, _)) if !statements.is_empty());
        let (outside, inside) = (self.kind(wanted), self.kind(found));
        let is_tuple = self.tuple_parts(found).is_some();
        let (wanted, found) = (self.resolve(wanted), self.resolve(found));
        self.program.mismatches.push((wanted, found));
        let types = (wanted, found);
        let (wanted, found) = (self.show(wanted), self.show(found));
        // Two that look the same are so because a name is there twice, which has its message.
        if wanted == found && self.sink.has_errors() {
            return;
        }
        let is_of_result =
            matches!(reason, Reason::Result(place) | Reason::Part(place, _) if place == self.result_place);
        self.is_doubted |= is_of_result;
        if let Reason::Part(place, _) = reason {
            self.contradicted = Some(place);
        }
        let is_today = self.is_today;
        // Whatever is not known yet would fit, but for what has it inside.
        let is_endless = matches!(outside, TypeKind::Unknown(_)) || matches!(inside, TypeKind::Unknown(_));
        // These look around, which is not done for what nobody reads.
        let is_shown = !self.sink.is_full(span.file);
        let bound = is_shown.then(|| self.map_or_bind(types.0, types.1, node, span)).flatten();
        let giver = if is_shown && is_today { self.giver(types.1, types.0) } else { None };
        let part = if is_shown && is_today { self.part_is_wanted(node, types.0) } else { None };
        let wrapped = bound.or(part).or_else(|| help::wrapped(&wanted, &found));
        let behind = is_shown.then(|| self.map_or_bind_of(types.0, types.1, span)).flatten();
        let is_whole = matches!(reason, Reason::Part(_, ty) if self.resolve(ty) == types.1);
        let joined = is_shown.then(|| self.text_behind_number(span)).flatten();
        let nothing = node.filter(|_| is_shown).and_then(|node| self.variable_of_nothing(node));
        let is_list = found.starts_with("List<");
        let whole = if let Reason::Part(_, ty) = reason { self.show(ty) } else { String::new() };
        self.report(span, || {
            let message = match reason {
                _ if is_endless => "the type of this would contain itself".to_string(),
                Reason::Operator(sign) => format!("operator `{sign}` takes `{wanted}`, not `{found}`"),
                Reason::Condition => format!("a condition is a `bool`, not `{found}`"),
                Reason::Operand(_) => format!("`{found}` cannot be compared with `{wanted}`"),
                Reason::Unit => format!("without `else` a branch has type `unit`, not `{found}`"),
                _ => format!("expected `{wanted}`, found `{found}`"),
            };
            let label = format!("this is `{found}`");
            let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, message).at(span, label);
            let diagnostic = match reason {
                Reason::Result(place) => diagnostic.and(place, format!("the result is `{wanted}`")),
                Reason::Annotation(place) => diagnostic.and(place, format!("`{wanted}` is asked for here")),
                Reason::Defined(place) => diagnostic.and(place, "its types are given here"),
                Reason::Branch(place) => diagnostic.and(place, format!("this branch is `{wanted}`")),
                // The part is of the same type as the whole should be: what is asked for is said of the whole.
                Reason::Part(place, _) if is_whole => {
                    diagnostic.and(place, format!("the whole is `{whole}`, so that this is to be `{wanted}`"))
                }
                Reason::Part(place, _) => diagnostic.and(place, format!("`{whole}` is asked for here")),
                Reason::Operand(place) | Reason::Subject(place) => diagnostic.and(place, format!("this is `{wanted}`")),
                Reason::Operator(_) | Reason::Condition | Reason::Unit | Reason::Unsaid => diagnostic,
            };
            let is_elsewhere = |place: Span| !overlap(place, span) && !reason.is_at(place);
            let diagnostic = match origin.filter(|it| is_elsewhere(it.0)) {
                Some((place, is_found)) => {
                    diagnostic.and(place, format!("`{}` comes from here", if is_found { &found } else { &wanted }))
                }
                None => diagnostic,
            };
            let is_order = matches!(reason, Reason::Operator("<" | "<=" | ">" | ">="));
            match (outside, inside) {
                _ if is_endless => diagnostic.help("say the types of the parameters: `(f: (int) -> int) -> f(1)`"),
                _ if behind.is_some() => behind.into_iter().fold(diagnostic, |it, Behind { place, help }| {
                    place.into_iter().fold(it, |it, (place, label)| it.and(place, label)).help(help)
                }),
                _ if wrapped.is_some() => wrapped.into_iter().fold(diagnostic, Diagnostic::help),
                (_, TypeKind::Bool) if is_order => diagnostic.help("comparisons are not chained: `1 < n && n < 3`"),
                _ if nothing.is_some() => nothing
                    .into_iter()
                    .fold(diagnostic, |it, (place, help)| it.and(place, "it is `unit` by this").help(help)),
                (_, TypeKind::Text) if joined.is_some() && is_today => {
                    joined.into_iter().fold(diagnostic, Diagnostic::help)
                }
                (_, TypeKind::Text) if matches!(reason, Reason::Operator("+")) => {
                    let from = if is_today { "Str.fromInt" } else { "Builtins.intToString" };
                    diagnostic.help(format!("`::` joins strings; `{from}(n)` makes one of a number"))
                }
                (TypeKind::Text, TypeKind::Class(..)) if is_list && matches!(reason, Reason::Operator("::")) => {
                    diagnostic.help("`::` joins strings; `list.cons(element)` puts an element before a list")
                }
                (_, TypeKind::Class(..)) if is_list && matches!(reason, Reason::Operator("+")) => {
                    diagnostic.help("`+` adds numbers: `list.append(other)` joins lists")
                }
                (TypeKind::Text, TypeKind::Bool) if is_today => {
                    diagnostic.help("`if value { \"true\" } else { \"false\" }` makes a string of it")
                }
                (_, TypeKind::Text) if is_order && !is_today => {
                    diagnostic.help("`Builtins.compareStrings` says which comes first")
                }
                (_, TypeKind::Class(..)) if is_order && giver.is_some() => {
                    giver.into_iter().fold(diagnostic, Diagnostic::help)
                }
                (_, TypeKind::Param(_) | TypeKind::Class(..)) if is_order => diagnostic
                    .help("other values are compared by a method: `a.compare(b) < 0`, with `<T: Comparable<T>>`"),
                (TypeKind::Class(..), _) if wanted.starts_with("List<") && is_tuple && !is_today => diagnostic
                    .help("brackets make a tuple; a list is made by `List.of(3).cons(2).cons(1)`, which is 1, 2, 3"),
                (TypeKind::Text, TypeKind::Int) if is_today && matches!(reason, Reason::Operator("::")) => diagnostic
                    .help(
                        "`::` joins strings: `Str.fromInt(n)` makes one; `list.cons(element)` puts one before a list",
                    ),
                (TypeKind::Text, TypeKind::Class(..)) if is_list => diagnostic.help(
                    "`list.map((x) -> …)` makes strings of its elements, `Strings.join(list, \", \")` of `cleave.strings` one \
                     of these",
                ),
                (TypeKind::Text, TypeKind::Class(..)) if found.starts_with("Option<") && is_today => diagnostic
                    .help("`value.valueMap(\"none\", (x) -> …)` makes a string of what is in it, or of nothing"),
                (TypeKind::Bool, TypeKind::Int) if matches!(reason, Reason::Operator("!")) => {
                    diagnostic.help("`!` goes before the other operators: `!(a < b)`; a number is compared, `n != 0`")
                }
                (TypeKind::Int, TypeKind::Class(..)) if found == "Int" => {
                    diagnostic.help("`.value` of an `Int` is the number")
                }
                (TypeKind::Class(..), TypeKind::Int) if wanted == "Int" => {
                    diagnostic.help("`Int.init(n)` of `std.boxed` makes one of a number")
                }
                (TypeKind::Text, TypeKind::Int) if is_today => {
                    diagnostic.help("`Str.fromInt` makes a string of a number")
                }
                (_, TypeKind::Text) if is_order && is_today => {
                    diagnostic.help("strings are compared by `Strings.compare(a, b) < 0`, of `cleave.strings`")
                }
                (TypeKind::Bool, TypeKind::Int) | (TypeKind::Int, TypeKind::Bool)
                    if matches!(reason, Reason::Operand(_)) =>
                {
                    diagnostic
                        .help("a `bool` is a condition as it is: compare it with `true` or `false`, or not at all")
                }
                (TypeKind::Bool, TypeKind::Int) => diagnostic.help("compare it: `n != 0`"),
                (TypeKind::Int, TypeKind::Bool) if matches!(reason, Reason::Operator("-")) => {
                    diagnostic.help("the other truth value is `!condition`")
                }
                (TypeKind::Bool, TypeKind::Class(..)) if is_list => {
                    diagnostic.help("`list.isEmpty()` says whether it has elements")
                }
                (TypeKind::Bool, TypeKind::Class(..)) if found.starts_with("Option<") => diagnostic
                    .help("`value.isSome()` says whether it has a value, `if let Some(x) = value` takes it out"),
                (_, TypeKind::Unit) if is_block => {
                    diagnostic.help("a block gives the value of its last expression, behind which no `;` stands")
                }
                (_, TypeKind::Unit) if is_call => diagnostic.help("this is called for what it does: it gives no value"),
                (TypeKind::Int, TypeKind::Text) if is_today => diagnostic.help("`text.toInt()` reads a number"),
                (TypeKind::Text, TypeKind::Int) => diagnostic.help("`Builtins.intToString` makes a string of a number"),
                (TypeKind::Int, TypeKind::Text) => diagnostic.help("`Builtins.stringToInt` reads a number"),
                (TypeKind::Function(wanted, _), TypeKind::Function(found, _)) if wanted.len() != found.len() => {
                    let one = wanted.len() == 1;
                    let wanted = if one { "one parameter".to_string() } else { format!("{} parameters", wanted.len()) };
                    diagnostic.help(format!("it should have {wanted}, not {}", found.len()))
                }
                (TypeKind::Function(..), TypeKind::Function(..)) => diagnostic,
                (_, TypeKind::Class(..)) if giver.is_some() => giver.into_iter().fold(diagnostic, Diagnostic::help),
                (_, TypeKind::Function(params, _)) if !matches!(reason, Reason::Branch(_)) => {
                    let parts = if params.is_empty() { "" } else { "…" };
                    match callee {
                        Some(name) => diagnostic.help(format!("`{name}({parts})` calls it")),
                        None => diagnostic.help("a function is called with `(…)` behind it"),
                    }
                }
                _ => diagnostic,
            }
        });
    }

    /// The name of a function or method that is not called.
    fn name_of_callee(&self, node: NodeId) -> Option<String> {
        match &self.hir.node(node).kind {
            NodeKind::Function(id, _) | NodeKind::Method(_, id, _) | NodeKind::Bounded(_, id, _) => {
                Some(self.names.text(self.program.member(*id).name).to_string())
            }
            NodeKind::Variant(class, number) => {
                let name = self.names.text(self.program.class(*class).name);
                let is_object = matches!(self.program.class(*class).kind, crate::program::ClassKind::Object(_));
                let variant = match &self.program.class(*class).kind {
                    crate::program::ClassKind::Enum(variants) => variants.get(*number as usize),
                    _ => None,
                };
                let variant = variant.map(|variant| format!("{name}.{}", self.names.text(variant.name)));
                if is_object { Some(format!("{name}.init")) } else { variant }
            }
            _ => None,
        }
    }

    /// Puts the types that were found into the tree, and says what is still unknown.
    pub(super) fn finish(&mut self) {
        self.settle();
        let mut nodes = std::mem::take(&mut self.hir.nodes);
        let mut unknown = Vec::new();
        for node in &mut nodes {
            node.ty = self.known(node.ty, &mut unknown);
            match &mut node.kind {
                NodeKind::Function(_, args) | NodeKind::Method(_, _, args) | NodeKind::Bounded(_, _, args) => {
                    for arg in args {
                        *arg = self.known(*arg, &mut unknown);
                    }
                }
                NodeKind::Match(_, cases) => {
                    cases.iter_mut().for_each(|case| self.known_pattern(&mut case.0, &mut unknown))
                }
                NodeKind::Block(statements, _) => {
                    statements.iter_mut().flat_map(|it| &mut it.0).for_each(|it| self.known_pattern(it, &mut unknown));
                }
                NodeKind::If(branches, _) => {
                    for (condition, _) in branches {
                        if let crate::hir::Condition::Fits(pattern, _) = condition {
                            self.known_pattern(pattern, &mut unknown);
                        }
                    }
                }
                _ => {}
            }
        }
        self.hir.nodes = nodes;
        let mut locals = std::mem::take(&mut self.hir.locals);
        for local in &mut locals {
            local.ty = self.known(local.ty, &mut unknown);
        }
        self.hir.locals = locals;
        unknown.sort_unstable();
        unknown.dedup();
        // One message for each place.
        let mut last = None;
        for number in unknown {
            let span = self.unknowns[number as usize].span;
            if self.free.contains(&number) || last == Some(span) || self.sink.error_count() > self.errors {
                continue;
            }
            last = Some(span);
            let is_today = self.is_today;
            self.report(span, || {
                let today = "say it: `let x: T = …`, `(x: T) -> …`, or type arguments as in `Class.make<T>()`";
                let old = "say it: `val x: T = …`, `(x: T) -> …`, or type arguments as in `Class.make<T>()`";
                let help = if is_today { today } else { old };
                Diagnostic::error(code::NOT_INFERRED, "nothing says what type this is").at(span, "").help(help)
            });
        }
    }

    /// What could only be looked at once types are known.
    fn settle(&mut self) {
        for (ty, span) in std::mem::take(&mut self.compared) {
            if self.is_today {
                // Objects are compared by what they are, not by what is in them.
                if let TypeKind::Param(param) = self.kind(ty) {
                    self.program.compared.insert(param);
                }
                continue;
            }
            if matches!(
                self.kind(ty),
                TypeKind::Int | TypeKind::Bool | TypeKind::Text | TypeKind::Unknown(_) | TypeKind::Error
            ) {
                continue;
            }
            let shown = self.show(ty);
            self.report(span, || {
                let help = "only `int`, `bool` and `string` are compared with `==` and `!=`: write a method for others";
                let message = format!("values of type `{shown}` cannot be compared");
                Diagnostic::error(code::INCOMPARABLE, message).at(span, "").help(help)
            });
        }
        self.settle_obligations();
    }

    fn known(&mut self, ty: Ty, unknown: &mut Vec<u32>) -> Ty {
        let unknowns = &mut self.unknowns;
        let mut done = FxHashMap::default();
        self.program.types.map(ty, &mut |types, ty| match types.kind(ty) {
            TypeKind::Unknown(_) => {
                let found = resolve(types, unknowns, ty, &mut done).unwrap_or(ty);
                // What stays unknown says nothing: any type will do.
                Some(types.map(found, &mut |types, ty| match *types.kind(ty) {
                    TypeKind::Unknown(number) => {
                        unknown.push(number);
                        Some(Ty::UNIT)
                    }
                    _ => None,
                }))
            }
            _ => None,
        })
    }

    fn known_pattern(&mut self, pattern: &mut Pattern, unknown: &mut Vec<u32>) {
        pattern.ty = self.known(pattern.ty, unknown);
        if let PatternKind::Construct(_, parts) | PatternKind::Or(parts) = &mut pattern.kind {
            parts.iter_mut().for_each(|part| self.known_pattern(part, unknown));
        }
    }
}

/// What is known of an unknown. The same one may occur at very many places of a type. What was found is kept with the
/// unknown, so that a chain of types, each around the one before, is walked along once: only `unify` takes back what is
/// known, and only of what it has found out itself.
fn resolve(
    types: &mut crate::types::Interner,
    unknowns: &mut [Unknown],
    ty: Ty,
    done: &mut FxHashMap<Ty, Ty>,
) -> Option<Ty> {
    let TypeKind::Unknown(number) = *types.kind(ty) else { return None };
    if let Some(&found) = done.get(&ty) {
        return Some(found);
    }
    let found = unknowns[number as usize].found?;
    // What is known of another unknown has its origin.
    if let TypeKind::Unknown(other) = *types.kind(found) {
        unknowns[number as usize].origin = unknowns[other as usize].origin;
    }
    let found = types.map(found, &mut |types, ty| resolve(types, unknowns, ty, done));
    done.insert(ty, found);
    unknowns[number as usize].found = Some(found);
    Some(found)
}

fn pairs<'p>(a: &'p [Ty], b: &'p [Ty]) -> impl Iterator<Item = (Ty, Ty)> + 'p {
    a.iter().copied().zip(b.iter().copied())
}
