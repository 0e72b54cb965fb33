//! Compares the arguments of a call, a constructor or an operator with what it takes.

use crate::collect_items::{Definitions, Known, TRUTH, count};
use crate::given::Given;
use crate::syntax::{Id, Syntax};
use crate::typeck::{Checked, Checker};
use cleave_diag::{Diagnostic, Span, code};
use cleave_ir::EntityRef;
use cleave_strict::core_ir::{Operator, Type};

impl Checker<'_> {
    /// Compares arguments with what is wanted; the call is at fault, except for a tuple.
    pub fn arguments(
        &mut self,
        id: Id,
        args: &[(Id, &Checked)],
        wanted: &[Known],
        callee: impl Fn(&Definitions) -> String,
    ) {
        let span = self.tree.span(id);
        let is_twice = match args {
            [(arg, _)] => self.is_applied_twice(id, *arg),
            _ => false,
        };
        if args.len() != wanted.len() {
            let found = args.len();
            // A comma is missing, which has its message.
            let is_said = |&(arg, _): &(Id, &Checked)| self.calls_variable(arg) || self.lacked_comma(arg);
            if found < wanted.len() && (args.iter().any(is_said) || self.is_partial(id, wanted.len() - found)) {
                return;
            }
            let ids: Vec<Id> = args.iter().map(|&(arg, _)| arg).collect();
            if self.is_misplaced(id, &ids, wanted.len()) {
                return;
            }
            let comma = (wanted.is_empty() && self.lacks_comma(id)).then(|| {
                let end = span.start + self.name_length(id);
                Span { start: end, end, ..span }
            });
            let wanted = wanted.to_vec();
            let tuple = match args {
                [(arg, Checked { given: Given::Many(parts), .. })] if parts.len() == wanted.len() => {
                    Some(self.sources.text(self.tree.span(*arg)))
                }
                _ => None,
            };
            return self.report(span, |all| {
                let callee = callee(all);
                let message = format!("{callee} takes {}, not {found}", count(wanted.len(), "argument"));
                let diagnostic = Diagnostic::error(code::ARGUMENT_COUNT, message).at(span, "");
                let diagnostic = diagnostic.mistake(format!("{found} of {callee}"));
                if let Some(tuple) = &tuple {
                    let names: Vec<String> = (1..=wanted.len()).map(|number| format!("x{number}")).collect();
                    let (names, name) =
                        (names.join(", "), callee.trim_start_matches("the constructor ").trim_matches('`'));
                    return diagnostic.help(format!(
                        "`{tuple}` is a tuple: `let ({names}) = {tuple} in {name}({names})` gives its parts"
                    ));
                }
                if let Some(place) = comma {
                    let diagnostic = diagnostic.help(format!("is a comma missing behind {callee}?"));
                    return diagnostic.fix("write `,`", vec![(place, ",".to_string())]);
                }
                if is_twice {
                    return diagnostic.help(format!("{callee} stands here twice: leave one out"));
                }
                match wanted.is_empty() {
                    true => diagnostic.help(format!("write {callee} alone")),
                    false => diagnostic.help(format!("its parameters are {}", all.show_all(&wanted))),
                }
            });
        }
        if self.are_exchanged(id, args, wanted, &callee) {
            return;
        }
        for (&(arg, checked), &wanted) in args.iter().zip(wanted) {
            let place = self.tree.span(arg);
            match (&checked.given, wanted) {
                (Given::Many(_), _) => {
                    self.unexpected_tuple(place, "here one value is needed");
                }
                (Given::One(found), Some(wanted)) if *found != wanted => {
                    let found = *found;
                    self.misfit(&[(arg, wanted)]);
                    let is_operator = matches!(self.tree.syntax(id), Syntax::Binary(..));
                    let (sources, wider) = (self.sources, self.tree.takes_less(arg));
                    let rest = Span { end: span.end, ..self.tree.argument(arg) };
                    let is_chained = [id, arg]
                        .iter()
                        .all(|&id| matches!(self.tree.syntax(id), Syntax::Binary(operator, ..) if operator.compares()));
                    let truth = self.compared_with_truth(id, found);
                    let maker = self.maker(&Given::One(wanted), &Given::One(found)).filter(|_| !is_operator);
                    let messages = self.sink.diagnostics().len();
                    self.report(span, |all| {
                        let (callee, wanted, found) = (callee(all), all.show(Some(wanted)), all.show(Some(found)));
                        let message = format!("{callee} takes `{wanted}`, and gets `{found}`");
                        let diagnostic = Diagnostic::error(code::ARGUMENT_TYPE, message).at(span, "");
                        let diagnostic = match place == span {
                            true => diagnostic,
                            false => diagnostic.and(place, format!("this is of type `{found}`")),
                        };
                        match is_operator {
                            true if truth.is_some() => truth.into_iter().fold(diagnostic, |it, (help, edit)| {
                                edit.into_iter().fold(it.help(help), |it, edit| it.fix("leave it out", vec![edit]))
                            }),
                            true if wider.is_some() => wider.into_iter().fold(diagnostic, |it, name| {
                                let (name, rest) = (all.names.text(name), sources.text(rest));
                                it.help(format!("`{name}` takes only what stands directly behind it: `{name}({rest})`"))
                            }),
                            true if is_chained => {
                                let help = "comparisons are not chained: `match 0 < n { True: n < 10, False: False }`";
                                diagnostic.help(help)
                            }
                            true => diagnostic.help("operators are for numbers: `match` takes other values apart"),
                            false if is_twice => diagnostic.help(format!("{callee} stands here twice: leave one out")),
                            false => maker.into_iter().fold(diagnostic, Diagnostic::help),
                        }
                    });
                    return self.exchanged_names(arg, wanted, messages);
                }
                _ => {}
            }
        }
    }

    /// A name stands before the same name, without parentheses.
    fn is_applied_twice(&self, id: Id, arg: Id) -> bool {
        let is_same = match (self.tree.syntax(id), self.tree.syntax(arg)) {
            (Syntax::Call(one, _), Syntax::Call(other, _)) => one == other,
            (Syntax::Construct(one, _), Syntax::Construct(other, _)) => one == other,
            _ => false,
        };
        is_same && self.tree.span(id).end == self.tree.span(arg).end
    }

    /// The body of the function lacks as many arguments as the function has parameters too few, which has been said.
    fn is_partial(&self, id: Id, missing: usize) -> bool {
        let Some((body, _, name)) = &self.whole else { return false };
        let Some(function) = self.all.function(*name) else { return false };
        let signature = &self.all.functions[function.index()];
        *body == id && !signature.is_sure && signature.params.len() == self.params().len() + missing
    }

    /// What to say of a truth value that is compared with `True` or `False`, and the edit that leaves the comparison
    /// out.
    fn compared_with_truth(&self, id: Id, found: Type) -> Option<(String, Option<(Span, String)>)> {
        let Syntax::Binary(operator @ (Operator::Equal | Operator::NotEqual), left, right) = self.tree.syntax(id)
        else {
            return None;
        };
        let literal = |id: Id| match self.tree.syntax(id) {
            Syntax::Construct(name, _) if found == Type::Data(TRUTH) => match self.all.names.text(name) {
                "True" => Some(true),
                "False" => Some(false),
                _ => None,
            },
            _ => None,
        };
        let (value, truth, is_first) = match (literal(left), literal(right)) {
            (None, Some(truth)) => (left, truth, false),
            (Some(truth), None) => (right, truth, true),
            _ => return None,
        };
        let (whole, value) = (self.tree.span(id), self.tree.span(value));
        let (sign, word) = (operator.sign(), if truth { "True" } else { "False" });
        if truth != (operator == Operator::Equal) {
            let text = self.sources.text(value);
            let help = format!("`match {text} {{ True: False, False: True }}` is the other truth value");
            return Some((help, None));
        }
        let (written, place, edit) = match is_first {
            true => (format!("{word} {sign}"), "behind", Span { end: value.start, ..whole }),
            false => (format!("{sign} {word}"), "before", Span { start: value.end, ..whole }),
        };
        let help = format!("leave out `{written}`: what stands {place} it is a `Bool` already");
        // With parentheses around it, the value ends behind its own end.
        let text = self.sources.text(edit);
        let is_plain = !text.contains([')', '(']);
        Some((help, is_plain.then(|| (edit, String::new()))))
    }

    /// Says so if two arguments stand each in the place of the other.
    fn are_exchanged(
        &mut self,
        id: Id,
        args: &[(Id, &Checked)],
        wanted: &[Known],
        callee: &impl Fn(&Definitions) -> String,
    ) -> bool {
        let found = |at: usize| if let Given::One(ty) = args[at].1.given { Some(ty) } else { None };
        let mut wrong = (0..args.len()).filter(|&at| match args[at].1.given {
            Given::Many(_) => true,
            Given::One(ty) => wanted[at].is_some_and(|wanted| wanted != ty),
            Given::Unknown => false,
        });
        let (Some(first), Some(second), None) = (wrong.next(), wrong.next(), wrong.next()) else { return false };
        let fits = |at: usize, place: usize| found(at).is_some() && found(at) == wanted[place];
        if !fits(first, second) || !fits(second, first) {
            return false;
        }
        if let (Some(one), Some(other)) = (wanted[first], wanted[second]) {
            self.misfit(&[(args[first].0, one), (args[second].0, other)]);
        }
        let (span, sources) = (self.tree.span(id), self.sources);
        let (first, second) = (self.tree.span(args[first].0), self.tree.span(args[second].0));
        let wanted = wanted.to_vec();
        self.report(span, |all| {
            let message = format!("{} takes its arguments in another order", callee(all));
            let diagnostic = Diagnostic::error(code::ARGUMENT_TYPE, message).at(span, "");
            let diagnostic = diagnostic.help(format!("its parameters are {}", all.show_all(&wanted)));
            let before = |place| format!("`{}` stands here", sources.text(place));
            let diagnostic = diagnostic.and(first, before(second)).and(second, before(first));
            diagnostic.fix("exchange the arguments", sources.exchange(first, second))
        });
        true
    }
}
