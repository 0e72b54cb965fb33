//! Checks `match`: what is matched, which patterns fit, and whether they are exhaustive.

use crate::collect_items::{Known, count};
use crate::given::Given;
use crate::lex::Name;
use crate::syntax::{Binder, Id, List, Pattern, Syntax};
use crate::typeck::{Checked, Checker};
use cleave_diag::{Diagnostic, Span, code, nearest};
use cleave_ir::EntityRef;
use cleave_strict::core_ir::{self, Expr, Type, TypeId, Var};
use cleave_strict::lints;
use std::collections::BTreeSet;

/// A match whose cases are being checked.
pub struct Matching {
    pub subject: Expr,
    pub ty: Known,
    pub patterns: Vec<core_ir::Pattern>,
}

/// A use of a parameter that wants another type.
pub struct Misfit {
    pub param: usize,
    pub wanted: Type,
    pub place: Span,
}

/// What was found out of the function at hand.
#[derive(Default)]
pub struct Misfits {
    pub found: Vec<Misfit>,
    /// So many messages say nothing else.
    pub messages: usize,
    /// These messages are kept.
    pub are_kept: bool,
}

/// What the patterns of a match have taken so far.
#[derive(Default)]
struct Taken {
    constructors: BTreeSet<u32>,
    numbers: BTreeSet<u64>,
    /// A variable took all that was left.
    rest: Option<Span>,
    /// A pattern is of another type.
    has_other_type: bool,
    /// Something is wrong with a pattern, so that nobody knows what is left.
    is_wrong: bool,
}

impl Checker<'_> {
    /// Looks at the patterns of a match before its bodies are checked.
    pub fn matching(&mut self, id: Id, subject: Id, checked: Checked, cases: List) -> Matching {
        let ty = match checked.given {
            Given::Unknown => None,
            Given::One(ty) => Some(ty),
            Given::Many(_) => {
                let (span, place) = (self.tree.span(id), self.tree.span(subject));
                self.report(span, |_| {
                    let help = "`let (a, b) = … in …` takes a tuple apart";
                    let diagnostic = Diagnostic::error(code::LET_COUNT, "a tuple cannot be matched").at(span, "");
                    diagnostic.and(place, "this is a tuple").help(help)
                });
                None
            }
        };
        let mut taken = Taken::default();
        for number in cases.range() {
            self.check_pattern(id, number, ty, &mut taken);
        }
        if taken.rest.is_none() && !taken.is_wrong {
            self.check_complete(id, ty, &taken);
        }
        Matching { subject: checked.expr, ty, patterns: Vec::new() }
    }

    fn check_pattern(&mut self, id: Id, number: usize, ty: Known, taken: &mut Taken) {
        let case = self.tree.cases[number];
        let (span, place) = (self.tree.span(id), case.span);
        if let Some(first) = taken.rest {
            // One message is enough for all that stand behind it.
            if std::mem::replace(&mut taken.is_wrong, true) {
                return;
            }
            if self.is_small_constructor(id, ty) {
                return;
            }
            return self.report(span, |_| {
                let message = "a case behind one for all values";
                let diagnostic = Diagnostic::error(code::CASE_AFTER_DEFAULT, message).at(span, "");
                let diagnostic = diagnostic.and(first, "this takes all values").and(place, "this is never reached");
                diagnostic.help("a variable takes all values: put this case last")
            });
        }
        let is_new = match (case.pattern, ty) {
            (Pattern::Variable(_), _) => {
                taken.rest = Some(place);
                // Objects of the host have no constructors, and a variable takes them.
                let has_all = |ty: TypeId| {
                    let all = self.all.types[ty.index()].constructors.len();
                    all > 0 && taken.constructors.len() == all
                };
                if let Some(Type::Data(ty)) = ty
                    && has_all(ty)
                    && !taken.is_wrong
                {
                    self.report(span, |_| {
                        let message = "a case for values that all have one";
                        let diagnostic = Diagnostic::error(code::DUPLICATE_CASE, message).at(span, "");
                        diagnostic
                            .and(place, "this is never reached")
                            .help("every constructor has its case: leave this out")
                    });
                }
                true
            }
            (Pattern::Int(number), Some(Type::Int)) => taken.numbers.insert(number),
            (Pattern::Constructor(name, binders), _) => {
                let Some(info) = self.all.constructor(name) else {
                    taken.is_wrong = true;
                    if self.all.is_unread_constructor(name) {
                        return;
                    }
                    return self.report(span, |all| {
                        let text = all.names.text(name);
                        let own = match ty {
                            Some(Type::Data(ty)) => &all.types[ty.index()].constructors[..],
                            _ => &[],
                        };
                        let message = match ty {
                            Some(Type::Data(ty)) => {
                                format!("`{text}` is not a constructor of `{}`", all.types[ty.index()].name)
                            }
                            _ => format!("there is no constructor `{text}`"),
                        };
                        let diagnostic = Diagnostic::error(code::UNKNOWN_CONSTRUCTOR, message).at(span, "");
                        let diagnostic = diagnostic.and(place, "there is no such constructor");
                        let own = || own.iter().map(|&name| all.names.text(name).as_bytes());
                        match nearest(text.as_bytes(), own()) {
                            Some(_) => all.suggest(diagnostic.mistake(format!("constructor {text}")), text, own()),
                            None => {
                                let known: Vec<String> =
                                    own().take(4).map(|name| format!("`{}`", String::from_utf8_lossy(name))).collect();
                                let diagnostic = all.suggest_constructor(diagnostic, name);
                                match diagnostic.help.is_empty() && !known.is_empty() {
                                    true => diagnostic.help(format!("its constructors are {}", known.join(", "))),
                                    false => diagnostic,
                                }
                            }
                        }
                    });
                };
                if info.is_twice {
                    taken.is_wrong = true;
                    return;
                }
                match ty {
                    Some(Type::Data(ty)) if ty == info.ty => {
                        let (wanted, found) = (info.fields.len(), binders.length as usize);
                        if wanted != found {
                            self.lacks_names |= found < wanted;
                            self.report(span, |all| {
                                let text = all.names.text(name);
                                let (is_list, is_alone) = (wanted == 1 && found > 1, wanted == 0);
                                let wanted = count(wanted, "field");
                                let message = format!("`{text}` has {wanted}, and the pattern {found}");
                                let diagnostic = Diagnostic::error(code::PATTERN_COUNT, message).at(span, "");
                                let diagnostic = diagnostic.mistake(format!("{found} of the constructor `{text}`"));
                                let diagnostic = diagnostic.and(place, "this pattern");
                                let diagnostic = info
                                    .span
                                    .into_iter()
                                    .fold(diagnostic, |it, place| it.and(place, "it is defined here"));
                                diagnostic.help(match is_list {
                                    _ if is_alone => format!("`{text}` stands alone: `{text}: …`"),
                                    true => {
                                        "the types of several fields stand in parentheses: `Link(Int, List)`".into()
                                    }
                                    false => "`_` stands for a field that is not needed".into(),
                                })
                            });
                        }
                        taken.constructors.insert(info.number)
                    }
                    None => true,
                    Some(_) => return self.wrong_type(id, number, ty, taken),
                }
            }
            (Pattern::Int(_), None) => true,
            (Pattern::Int(_), Some(_)) => return self.wrong_type(id, number, ty, taken),
        };
        if !is_new {
            taken.is_wrong = true;
            self.report(span, |_| {
                let diagnostic = Diagnostic::error(code::DUPLICATE_CASE, "two cases for the same value").at(span, "");
                diagnostic.and(place, "this is never reached")
            });
        }
        taken.is_wrong |= ty.is_none();
    }

    fn wrong_type(&mut self, id: Id, number: usize, ty: Known, taken: &mut Taken) {
        taken.is_wrong = true;
        // What is wrong with one pattern is wrong with those after it, too.
        if std::mem::replace(&mut taken.has_other_type, true) {
            return;
        }
        let case = self.tree.cases[number];
        let (span, place) = (self.tree.span(id), case.span);
        let meant = match case.pattern {
            Pattern::Constructor(name, _) => self.all.constructor(name).map(|info| Type::Data(info.ty)),
            _ => Some(Type::Int),
        };
        if let (Syntax::Match { subject, .. }, Some(meant)) = (self.tree.syntax(id), meant) {
            self.misfit(&[(subject, meant)]);
        }
        self.report(span, |all| {
            let wanted = all.show(ty);
            let found = all.show(meant);
            let message = format!("a pattern of type `{found}` for a value of type `{wanted}`");
            let diagnostic = Diagnostic::error(code::INVALID_PATTERN, message).at(span, "");
            let diagnostic = diagnostic.and(place, format!("this is of type `{found}`"));
            match (wanted, found) {
                ("Int", "Bool") => diagnostic.help("compare the number first: `match n == 0 { True: …, False: … }`"),
                ("Bool", "Int") => diagnostic.help("the cases of a `Bool` are `True` and `False`"),
                _ => diagnostic,
            }
        });
    }

    fn check_complete(&mut self, id: Id, ty: Known, taken: &Taken) {
        const SHOWN: usize = 4;
        let span = self.tree.span(id);
        // Before the brace that closes.
        let (mut title, mut added) = ("add a case for all other numbers".to_string(), ", other: 0".to_string());
        let message = match ty {
            Some(Type::Int) => "a `match` on `Int` needs a last case for all other numbers".to_string(),
            Some(Type::Data(ty)) => {
                let constructors = &self.all.types[TypeId::index(ty)].constructors;
                let missing = (0..constructors.len()).filter(|&number| !taken.constructors.contains(&(number as u32)));
                let missing: Vec<String> =
                    missing.map(|number| format!("`{}`", self.all.names.text(constructors[number]))).collect();
                if missing.is_empty() {
                    return;
                }
                title = "add the missing cases".into();
                added = (0..constructors.len())
                    .filter(|&number| !taken.constructors.contains(&(number as u32)))
                    .map(|number| self.missing_case(constructors[number]))
                    .collect();
                let shown = missing.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
                let more = missing.len().saturating_sub(SHOWN);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("the `match` leaves out {shown}{more}")
            }
            _ => return,
        };
        self.report(span, |_| {
            let help = "add the cases, or a variable as the last pattern, which takes all others: `other: …`";
            let diagnostic = Diagnostic::error(code::NON_EXHAUSTIVE_MATCH, message).at(span, "").help(help);
            diagnostic.draft(title, vec![(Span { start: span.end - 1, end: span.end - 1, ..span }, added)])
        });
    }

    /// A case for a constructor, with a value that is still to be written.
    fn missing_case(&self, name: Name) -> String {
        let fields = self.all.constructor(name).map_or(0, |info| info.fields.len());
        let fields = if fields == 0 { String::new() } else { format!("({})", vec!["_"; fields].join(", ")) };
        format!(", {}{fields}: 0", self.all.names.text(name))
    }

    /// The pattern of a case, whose variables are bound from here on.
    pub fn pattern(&mut self, number: usize, ty: Known) -> core_ir::Pattern {
        let case = self.tree.cases[number];
        match case.pattern {
            Pattern::Int(number) => core_ir::Pattern::Int(number as i64),
            Pattern::Variable(name) => {
                if let Some(before) = self.bindings[name.0 as usize] {
                    let (text, first) = (self.all.names.text(name), self.places[before.index()]);
                    self.sink.report(lints::misleading_shadowing(text, case.span, first));
                }
                core_ir::Pattern::Rest(self.bind(Some((name, case.span)), ty))
            }
            Pattern::Constructor(name, binders) => {
                self.note_constructor(name, case.span);
                let all = self.all;
                let info = all.constructor(name).filter(|info| ty == Some(Type::Data(info.ty)) && !info.is_twice);
                let binders = &self.tree.binders[binders.range()];
                // Where one is missing, nobody knows which.
                let info = info.filter(|info| info.fields.len() == binders.len());
                let fields = info.map_or(&[][..], |info| &info.fields);
                self.distinct(binders);
                let is_twice = |one: &Binder| {
                    let same = binders.iter().flatten().filter(|other| one.is_some_and(|one| one.0 == other.0));
                    same.count() > 1
                };
                let fields = fields.iter().copied().map(Some).chain(std::iter::repeat(None));
                // Of a name that stands there twice nobody knows which one is meant.
                let fields = binders
                    .iter()
                    .zip(fields)
                    .map(|(binder, ty)| (*binder, ty.flatten().filter(|_| !is_twice(binder))));
                let vars: Vec<Option<Var>> = fields.map(|(binder, ty)| self.bind(binder, ty)).collect();
                core_ir::Pattern::Constructor(info.map_or(0, |info| info.number), vars)
            }
        }
    }
}
