//! Whether the cases of a match leave something out, and which of them are never reached: both ask whether a row of
//! patterns takes values that the rows above it do not (L. Maranget, *Warnings for pattern matching*, 2007). The
//! answer is an example of such values.
//!
//! The question can take exponential time, so there is a limit of steps; beyond it a match counts as complete, and what
//! no case takes ends the program when it runs.

use super::Checker;
use crate::hir::{NodeId, Pattern, PatternKind};
use crate::program;
use crate::types::{Ty, TypeKind};
use cleave_diag::{Diagnostic, Span, code};
use rustc_hash::{FxHashMap, FxHashSet};

/// Steps for one question, and how deep it may recur.
const LIMIT: u32 = 100_000;
const MAX_DEPTH: u32 = 2_000;

/// A pattern without names, of the values of a column.
#[derive(Clone, Debug)]
enum Simple {
    Any,
    Cell(Head, Vec<Simple>),
    Or(Vec<Simple>),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Head {
    Number(u32),
    Int(i32),
    Text(u32),
}

type Row = Vec<Simple>;

fn simple(pattern: &Pattern) -> Simple {
    match &pattern.kind {
        PatternKind::Any | PatternKind::Variable(_) => Simple::Any,
        PatternKind::Construct(number, parts) => {
            Simple::Cell(Head::Number(*number), parts.iter().map(simple).collect())
        }
        PatternKind::Int(number) => Simple::Cell(Head::Int(*number), Vec::new()),
        PatternKind::Text(text) => Simple::Cell(Head::Text(text.0), Vec::new()),
        PatternKind::Or(choices) => Simple::Or(choices.iter().map(simple).collect()),
    }
}

impl Checker<'_> {
    /// The pattern of a `val` takes all values.
    pub(super) fn check_single(&mut self, ty: Ty, pattern: &Pattern) {
        if has_error(pattern) {
            return;
        }
        let Some(missing) = self.missing(ty, &[vec![simple(pattern)]]) else { return };
        let span = pattern.span;
        self.report(span, || {
            let message = format!("this pattern does not take `{missing}`");
            let help = "`match` and `if let` take values apart that may be something else";
            Diagnostic::error(code::NON_EXHAUSTIVE_MATCH, message).at(span, "").help(help)
        });
    }

    /// Today the pattern of an `if let` does not take all values.
    pub(super) fn check_guard(&mut self, ty: Ty, pattern: &Pattern) {
        if !self.is_today || has_error(pattern) || self.missing(ty, &[vec![simple(pattern)]]).is_some() {
            return;
        }
        let span = pattern.span;
        self.report(span, || {
            let help = "use `let` instead: there is nothing to decide";
            Diagnostic::error(code::CASE_AFTER_DEFAULT, "this pattern takes all values").at(span, "").help(help)
        });
    }

    /// The cases of a match take all values, and each takes some.
    pub(super) fn check_cases(&mut self, ty: Ty, cases: &[(Pattern, NodeId)], span: Span) {
        if self.kind(ty) == TypeKind::Error || cases.iter().any(|case| has_error(&case.0)) {
            return;
        }
        if cases.is_empty() {
            return self.report(span, || {
                let help = "a case is written `pattern -> result`; `_ -> …` is one for all values";
                Diagnostic::error(code::NON_EXHAUSTIVE_MATCH, "the `match` has no cases").at(span, "").help(help)
            });
        }
        // Those that take something; with the first that takes all values.
        let mut rows: Vec<Row> = Vec::with_capacity(cases.len());
        let mut all: Option<&Pattern> = None;
        // The rows by their heads, if each has one: others do not count for a row.
        let mut by_head: Option<FxHashMap<Head, Vec<Row>>> = Some(FxHashMap::default());
        for (number, (pattern, _)) in cases.iter().enumerate() {
            let row = vec![simple(pattern)];
            let mut steps = LIMIT;
            let before = match (&row[0], &by_head) {
                (Simple::Cell(head, _), Some(by_head)) => by_head.get(head).map_or(&[][..], |rows| &rows[..]),
                _ => &rows,
            };
            let is_useless = matches!(self.is_useful(before, &row, &[ty], &mut steps), Some(None));
            if is_useless {
                let meant = all.and_then(|all| self.meant_variant(ty, all));
                self.never_reached(pattern.span, all, meant, cases.len() - number - 1);
                // After a case for all values the others are not complained about one by one.
                if all.is_some() {
                    return;
                }
            }
            if takes_any(&row[0]) {
                all = all.or(Some(pattern));
            }
            if is_useless {
                continue;
            }
            match (&row[0], &mut by_head) {
                (Simple::Cell(head, _), Some(by_head)) => by_head.entry(head.clone()).or_default().push(row.clone()),
                _ => by_head = None,
            }
            rows.push(row);
        }
        if let Some(missing) = self.missing(ty, &rows) {
            let subject = self.kind(ty);
            // Before the first case, as nobody knows whether a comma stands behind the last one.
            let place = Span { end: cases[0].0.span.start, ..cases[0].0.span };
            let added: String = match self.is_today && missing != "_" {
                true => {
                    self.all_missing(ty, rows).iter().map(|it| format!("{it} -> Process.panic(\"{it}\"), ")).collect()
                }
                false => String::new(),
            };
            self.report(span, || {
                let message = match (&missing[..], subject) {
                    ("_", TypeKind::Int) => "the `match` leaves out all other numbers".to_string(),
                    ("_", TypeKind::Text) => "the `match` leaves out all other strings".to_string(),
                    _ => format!("the `match` leaves out `{missing}`"),
                };
                let help = "add a case for it, or `_ -> …` for all that is left";
                let diagnostic = Diagnostic::error(code::NON_EXHAUSTIVE_MATCH, message).at(span, "").help(help);
                match added.is_empty() {
                    true => diagnostic,
                    false => diagnostic.draft("add the missing cases", vec![(place, added)]),
                }
            });
        }
    }

    /// What no row takes, as patterns: some of it, if there is much.
    fn all_missing(&mut self, ty: Ty, mut rows: Vec<Row>) -> Vec<String> {
        const MOST: usize = 16;
        let mut missing = Vec::new();
        while missing.len() < MOST {
            let mut steps = LIMIT;
            let Some(Some(found)) = self.is_useful(&rows, &[Simple::Any], &[ty], &mut steps) else { break };
            missing.push(self.show_simple(&found[0], ty));
            rows.push(found);
        }
        missing
    }

    /// The variant whose name a variable has, but for its capital letters.
    fn meant_variant(&self, ty: Ty, pattern: &Pattern) -> Option<String> {
        let (PatternKind::Variable(local), TypeKind::Class(class, _)) = (&pattern.kind, self.kind(ty)) else {
            return None;
        };
        let program::ClassKind::Enum(variants) = &self.program.class(class).kind else { return None };
        let text = self.names.text(self.hir.local(*local).name);
        let mut names = variants.iter().map(|variant| self.names.text(variant.name));
        const NOTHING: [&str; 5] = ["null", "nil", "none", "nothing", "undefined"];
        let is_nothing = |name: &str| NOTHING.contains(&text) && name == "None";
        names.find(|name| name.eq_ignore_ascii_case(text) || is_nothing(name)).map(str::to_string)
    }

    /// A case that is never reached, perhaps because another one takes all values; so many more stand after it.
    fn never_reached(&mut self, place: Span, all: Option<&Pattern>, meant: Option<String>, more: usize) {
        let is_today = self.is_today;
        // A name was perhaps meant as a variant.
        let all = all.map(|all| match all.kind {
            PatternKind::Variable(_) => (all.span, "this variable takes all values"),
            _ => (all.span, "this takes all values"),
        });
        self.report(place, || {
            let message = match more {
                _ if all.is_none() => "this case is never reached".to_string(),
                0 => "this case is never reached".to_string(),
                1 => "this case and the one behind it are never reached".to_string(),
                _ => format!("this case and the {more} behind it are never reached"),
            };
            let help = match meant {
                Some(meant) => format!("did you mean the variant `{meant}`?"),
                None => "the cases before it take all its values".to_string(),
            };
            // Today that is no error.
            let diagnostic = match is_today {
                true => Diagnostic::warning(code::CASE_AFTER_DEFAULT, message),
                false => Diagnostic::error(code::CASE_AFTER_DEFAULT, message),
            };
            let diagnostic = diagnostic.at(place, "");
            all.into_iter().fold(diagnostic, |it, (place, label)| it.and(place, label)).help(help)
        });
    }

    /// A value that no row takes.
    fn missing(&mut self, ty: Ty, rows: &[Row]) -> Option<String> {
        let mut steps = LIMIT;
        let found = self.is_useful(rows, &[Simple::Any], &[ty], &mut steps)??;
        Some(self.show_simple(&found[0], ty))
    }

    /// The types of the parts of a cell.
    fn parts(&mut self, ty: Ty, head: &Head) -> Vec<Ty> {
        let Head::Number(number) = *head else { return Vec::new() };
        match self.kind(ty) {
            TypeKind::Tuple(parts) => parts.to_vec(),
            TypeKind::Class(id, args) => {
                let params = self.program.class(id).params.clone();
                let types: Vec<Ty> = match &self.program.class(id).kind {
                    program::ClassKind::Object(fields) => fields.iter().map(|field| field.ty).collect(),
                    program::ClassKind::Enum(variants) => {
                        variants.get(number as usize).map_or(Vec::new(), |variant| variant.fields.clone())
                    }
                    _ => Vec::new(),
                };
                types.into_iter().map(|ty| self.program.types.substitute(ty, &params, &args)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// How many heads there are; none if they are numbers, strings, or unknown.
    fn heads(&self, ty: Ty) -> Option<u32> {
        match self.kind(ty) {
            TypeKind::Bool => Some(2),
            TypeKind::Tuple(_) => Some(1),
            TypeKind::Class(id, _) => match &self.program.class(id).kind {
                program::ClassKind::Object(_) => Some(1),
                program::ClassKind::Enum(variants) => Some(variants.len() as u32),
                _ => None,
            },
            _ => None,
        }
    }

    /// Values that the row takes and the rows do not: an example, or none. Nothing if it takes too long to say.
    fn is_useful(&mut self, rows: &[Row], row: &[Simple], types: &[Ty], steps: &mut u32) -> Option<Option<Row>> {
        *steps = steps.checked_sub(1 + rows.len() as u32)?;
        self.depth += 1;
        let found = if self.depth > MAX_DEPTH { None } else { self.is_useful_in(rows, row, types, steps) };
        self.depth -= 1;
        found
    }

    fn is_useful_in(&mut self, rows: &[Row], row: &[Simple], types: &[Ty], steps: &mut u32) -> Option<Option<Row>> {
        let Some((first, rest)) = row.split_first() else {
            return Some(rows.is_empty().then(Vec::new));
        };
        let ty = types[0];
        match first {
            Simple::Or(choices) => {
                for choice in choices {
                    let mut row = vec![choice.clone()];
                    row.extend_from_slice(rest);
                    let found = self.is_useful(rows, &row, types, steps)?;
                    if found.is_some() {
                        return Some(found);
                    }
                }
                Some(None)
            }
            Simple::Cell(head, _) => self.is_useful_cell(rows, head, row, types, steps),
            Simple::Any => {
                let mut used: FxHashSet<Head> = FxHashSet::default();
                for row in rows {
                    heads_of(&row[0], &mut used);
                }
                let all = self.heads(ty);
                if all.is_some_and(|all| used.len() as u32 == all) {
                    // All rows count for a head if some have several, or none.
                    let mut groups: FxHashMap<Head, Vec<Row>> = FxHashMap::default();
                    let is_plain = rows.iter().all(|row| match &row[0] {
                        Simple::Cell(head, _) => {
                            groups.entry(head.clone()).or_default().push(row.clone());
                            true
                        }
                        _ => false,
                    });
                    for number in 0..used.len() as u32 {
                        let head = Head::Number(number);
                        let rows = if is_plain { &groups[&head][..] } else { rows };
                        let found = self.is_useful_cell(rows, &head, row, types, steps)?;
                        if found.is_some() {
                            return Some(found);
                        }
                    }
                    return Some(None);
                }
                let rows: Vec<Row> =
                    rows.iter().filter(|row| takes_any(&row[0])).map(|row| row[1..].to_vec()).collect();
                let Some(mut found) = self.is_useful(&rows, rest, &types[1..], steps)? else { return Some(None) };
                let example = match all {
                    Some(all) if !used.is_empty() => {
                        let other = (0..all).map(Head::Number).find(|head| !used.contains(head));
                        let head = other.unwrap_or(Head::Number(0));
                        let parts = self.parts(ty, &head).len();
                        Simple::Cell(head, vec![Simple::Any; parts])
                    }
                    _ => Simple::Any,
                };
                found.insert(0, example);
                Some(Some(found))
            }
        }
    }

    fn is_useful_cell(
        &mut self,
        rows: &[Row],
        head: &Head,
        row: &[Simple],
        types: &[Ty],
        steps: &mut u32,
    ) -> Option<Option<Row>> {
        let mut inside = self.parts(types[0], head);
        let count = inside.len();
        let mut special = Vec::with_capacity(rows.len());
        for row in rows {
            specialise(row, head, count, &mut special);
        }
        let mut own = Vec::with_capacity(1);
        specialise(row, head, count, &mut own);
        let Some(own) = own.pop() else { return Some(None) };
        inside.extend_from_slice(&types[1..]);
        let Some(mut found) = self.is_useful(&special, &own, &inside, steps)? else { return Some(None) };
        let rest = found.split_off(count);
        let mut example = vec![Simple::Cell(head.clone(), found)];
        example.extend(rest);
        Some(Some(example))
    }

    fn show_simple(&mut self, value: &Simple, ty: Ty) -> String {
        let Simple::Cell(head, parts) = value else { return "_".into() };
        let Head::Number(number) = *head else { return "_".into() };
        let types = self.parts(ty, head);
        let parts: Vec<String> = parts.iter().zip(types).map(|(part, ty)| self.show_simple(part, ty)).collect();
        match self.kind(ty) {
            TypeKind::Bool => if number == 0 { "false" } else { "true" }.into(),
            TypeKind::Tuple(_) => format!("[{}]", parts.join(", ")),
            TypeKind::Class(id, _) if self.program.tuples.contains(&id) => format!("({})", parts.join(", ")),
            TypeKind::Class(id, _) => match &self.program.class(id).kind {
                program::ClassKind::Enum(variants) => {
                    let name = self.names.text(variants[number as usize].name);
                    if parts.is_empty() { name.into() } else { format!("{name}({})", parts.join(", ")) }
                }
                program::ClassKind::Object(fields) => {
                    let names = fields.iter().map(|field| self.names.text(field.name));
                    let fields: Vec<String> =
                        names.zip(&parts).map(|(name, part)| format!("{name} as {part}")).collect();
                    format!("{{ {} }}", fields.join(", "))
                }
                _ => "_".into(),
            },
            _ => "_".into(),
        }
    }
}

/// Something is wrong inside.
fn has_error(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Any => false,
        PatternKind::Or(parts) if parts.is_empty() => true,
        PatternKind::Construct(_, parts) | PatternKind::Or(parts) => parts.iter().any(has_error),
        _ => pattern.ty == Ty::ERROR,
    }
}

fn heads_of(pattern: &Simple, heads: &mut FxHashSet<Head>) {
    match pattern {
        Simple::Any => {}
        Simple::Cell(head, _) => _ = heads.insert(head.clone()),
        Simple::Or(choices) => choices.iter().for_each(|choice| heads_of(choice, heads)),
    }
}

fn takes_any(pattern: &Simple) -> bool {
    match pattern {
        Simple::Any => true,
        Simple::Cell(..) => false,
        Simple::Or(choices) => choices.iter().any(takes_any),
    }
}

/// The row for values with this head: their parts come first. Nothing if it does not take such values.
fn specialise(row: &[Simple], head: &Head, count: usize, out: &mut Vec<Row>) {
    let put = |parts: &[Simple], out: &mut Vec<Row>| {
        let mut new = parts.to_vec();
        new.extend_from_slice(&row[1..]);
        out.push(new);
    };
    match &row[0] {
        Simple::Any => put(&vec![Simple::Any; count], out),
        Simple::Cell(other, parts) if other == head && parts.len() == count => put(parts, out),
        Simple::Cell(..) => {}
        Simple::Or(choices) => {
            for choice in choices {
                let mut one = vec![choice.clone()];
                one.extend_from_slice(&row[1..]);
                specialise(&one, head, count, out);
            }
        }
    }
}
