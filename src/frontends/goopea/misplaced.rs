//! What stands in the place of something else: a parenthesis that closes too early or too late, two names of one list
//! of which each is used as the other. One message says so in place of two.

use crate::collect_items::Known;
use crate::syntax::{Id, Syntax};
use crate::typeck::Checker;
use crate::wrong::{Miscount, Misused};
use cleave_diag::{Diagnostic, Span, code};
use cleave_ir::EntityRef;
use cleave_strict::core_ir::{Type, Var};

impl Checker<'_> {
    /// A call gets another number of arguments than it takes. If one of its arguments lacks, or has, as many too many:
    /// says which parenthesis stands at the wrong place.
    pub fn is_misplaced(&mut self, id: Id, args: &[Id], wanted: usize) -> bool {
        let messages = self.sink.diagnostics().len();
        let before = self.miscounted.replace(Miscount { id, wanted, found: args.len(), messages });
        let is_last = |it: &Miscount| it.messages + 1 == messages;
        let Some(inner) = before.filter(is_last) else { return false };
        let (is_late, count) = (args.len() < wanted, wanted.abs_diff(args.len()));
        let Some(at) = args.iter().position(|&arg| arg == inner.id) else { return false };
        let is_same = inner.wanted.abs_diff(inner.found) == count && is_late == (inner.found > inner.wanted);
        let (Syntax::Call(_, own) | Syntax::Construct(_, own)) = self.tree.syntax(inner.id) else { return false };
        let own = self.tree.list(own).to_vec();
        let rest = if is_late { own.get(inner.wanted..) } else { args.get(at + 1..at + 1 + count) };
        let (Some(&[first, ..]), Some(&[.., last])) = (rest, rest) else { return false };
        if !is_same || is_late && inner.wanted == 0 {
            return false;
        }
        let whole = self.tree.span(inner.id);
        let rest = Span { end: self.tree.argument(last).end, ..self.tree.argument(first) };
        let place = Span { start: whole.end - 1, ..whole };
        if self.sources.text(place) != ")" {
            return false;
        }
        let shown = match is_late {
            true => self.sources.text(Span { end: rest.start, ..whole }).trim_end().trim_end_matches(',').to_string(),
            false => {
                let (inside, behind) = (Span { end: place.start, ..whole }, Span { start: whole.end, ..rest });
                self.sources.text(inside) + &self.sources.text(behind)
            }
        };
        let is_short = shown.len() < 60 && !shown.contains('\n');
        self.sink.withdraw(inner.messages);
        self.report(place, |_| {
            let when = if is_late { "late" } else { "early" };
            let message = format!("this parenthesis closes too {when}");
            let diagnostic = Diagnostic::error(code::ARGUMENT_COUNT, message).at(place, "");
            let takes = if is_late { "around it" } else { "before it" };
            let diagnostic = diagnostic.and(rest, format!("this belongs to the call {takes}"));
            match (is_late, is_short) {
                (true, true) => diagnostic.help(format!("close it before that: `{shown})`")),
                (true, false) => diagnostic.help("close it before that"),
                (false, true) => diagnostic.help(format!("close it behind that: `{shown})`")),
                (false, false) => diagnostic.help("close it behind that"),
            }
        });
        true
    }

    /// Of a variable, which stands here, another type is wanted. If the one before it was of another type, too, and
    /// each has that of the other: says so, in place of the messages behind so many.
    pub fn exchanged_names(&mut self, value: Id, wanted: Type, messages: usize) {
        let Syntax::Variable(name) = self.tree.syntax(value) else { return };
        let Some(var) = self.bindings[name.0 as usize] else { return };
        let before = self.misused.replace(Misused { var, wanted, messages });
        let Some(first) = before.filter(|it| it.var != var && it.messages + 1 == messages) else { return };
        let ty = |it: &Self, var: Var| -> Known { it.types[var.index()] };
        let is_exchanged = ty(self, var) == Some(first.wanted) && ty(self, first.var) == Some(wanted);
        let (here, there) = (self.places[first.var.index()], self.places[var.index()]);
        let (one, other) = if here.start < there.start { (here, there) } else { (there, here) };
        let between = Span { start: one.end, end: other.start, ..one };
        let are_beside = one.file == other.file && one.end <= other.start && self.sources.text(between).trim() == ",";
        if !is_exchanged || !are_beside || self.params().contains(&var) {
            return;
        }
        let used = self.tree.span(value);
        self.sink.withdraw(first.messages);
        let sources = self.sources;
        self.report(one, |all| {
            let text = |place: Span| sources.text(place);
            let (first_type, second_type) = if here == one { (wanted, first.wanted) } else { (first.wanted, wanted) };
            let shown = |ty: Type| all.show(Some(ty)).to_string();
            let diagnostic = Diagnostic::error(code::ARGUMENT_TYPE, "these names stand in each other's place");
            let diagnostic = diagnostic.at(one, format!("`{}` is `{}`", text(one), shown(first_type)));
            let diagnostic = diagnostic.and(other, format!("`{}` is `{}`", text(other), shown(second_type)));
            let diagnostic = diagnostic.and(used, "used here as the other one");
            let (first, second) = (text(one), text(other));
            let help =
                format!("names have the order of the values: write `{first}` and `{second}` the other way round");
            diagnostic.help(help).fix("exchange the names", sources.exchange(one, other))
        });
    }
}
