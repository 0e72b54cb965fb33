//! Who is to blame: a type that is declared wrong makes messages at all its uses, none of which is at fault. A language
//! tries other types for what is declared; where one makes several messages go and none come, that is said once, at
//! the declaration.

use cleave_diag::{Code, Diagnostic, Severity, Sink, Span};

/// Something declared, and the type that would be right for it.
pub struct Declared {
    /// What it is, as messages name it: `` `count` ``.
    pub what: String,
    /// Where its type is written.
    pub place: Span,
    /// The type that is written there.
    pub has: String,
    /// The type that its uses want.
    pub wanted: String,
    /// How it is declared wrong.
    pub form: Form,
    /// The edits that write this, if more than `place` is written anew.
    pub edits: Vec<(Span, String)>,
}

/// What is declared wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The type is another one.
    Type,
    /// Two types stand in each other's place.
    Types,
    /// Two names with their types do.
    Order,
    /// There are fewer things than are used.
    TooFew,
    /// There are more.
    TooMany,
}

/// Expressions that all trials look at together, at most: a file with mistakes takes at most twice as long as without.
pub const COST: usize = 100_000;

/// So many declarations at most are said to be wrong.
pub const ROUNDS: usize = 3;

/// Tells of what stands somewhere whether a message begins there.
pub fn has_messages(sink: &Sink) -> impl Fn(Span) -> bool {
    let places: Vec<Span> = sink.diagnostics().iter().filter_map(primary).collect();
    move |span| places.iter().any(|place| place.file == span.file && (span.start..span.end).contains(&place.start))
}

fn errors(sink: &Sink) -> impl Iterator<Item = &Diagnostic> {
    sink.diagnostics().iter().filter(|one| one.severity == Severity::Error)
}

fn primary(diagnostic: &Diagnostic) -> Option<Span> {
    diagnostic.primary.as_ref().map(|label| label.span)
}

/// The places of the messages that a trial makes go, if there are so many at least and no others come. What is declared
/// stands at `place`: where a message that is left names that, the trial is not right for all uses.
pub fn gone(before: &Sink, trial: &Sink, place: Span, least: usize) -> Option<Vec<Span>> {
    let fewer = before.error_count().checked_sub(trial.error_count()).is_some_and(|fewer| fewer >= least);
    if !fewer || trial.hidden().next().is_some() {
        return None;
    }
    let names = |one: &Diagnostic| one.secondary.iter().any(|label| label.span == place);
    if errors(trial).any(names) {
        return None;
    }
    let old: Vec<Span> = errors(before).filter_map(primary).collect();
    let left: Vec<Span> = errors(trial).filter_map(primary).collect();
    let comes = left.iter().any(|span| !old.contains(span)) && before.hidden().next().is_none();
    (!comes).then(|| old.into_iter().filter(|span| !left.contains(span)).collect())
}

/// The trial that leaves the fewest messages. If two declarations are as good, nobody knows which is wrong; of several
/// types for one, the first is taken.
pub fn best<T>(trials: Vec<(usize, Declared, T)>) -> Option<(Declared, T)> {
    let fewest = trials.iter().map(|trial| trial.0).min()?;
    let mut best = trials.into_iter().filter(|trial| trial.0 == fewest);
    let (_, declared, found) = best.next()?;
    best.all(|other| other.1.place == declared.place).then_some((declared, found))
}

impl Form {
    /// It is about how many there are.
    pub fn is_number(self) -> bool {
        matches!(self, Form::TooFew | Form::TooMany)
    }
}

impl Declared {
    /// One type is another one.
    pub fn with_type(what: String, place: Span, has: String, wanted: String) -> Declared {
        Declared { what, place, has, wanted, form: Form::Type, edits: Vec::new() }
    }

    /// What is said instead of the messages at these places.
    pub fn message(&self, code: Code, gone: &[Span]) -> Diagnostic {
        const SHOWN: usize = 3;
        let Declared { what, place, has, wanted, form, edits } = self;
        let (message, label, misfit) = match form {
            Form::Type => (
                format!("{what} is declared as `{has}`, but is used as `{wanted}`"),
                "this is its type",
                format!("does not fit `{has}`"),
            ),
            Form::Types => (
                format!("{what} are declared as `{has}`, but are used as `{wanted}`"),
                "these are their types",
                "does not fit these types".to_string(),
            ),
            Form::TooFew | Form::TooMany => (
                format!("{what} is declared with {has}, but is used with {wanted}"),
                "it is declared here",
                "does not fit that".to_string(),
            ),
            Form::Order => (
                format!("{what} stand in the order `{has}`, but are used in the order `{wanted}`"),
                "this is their order",
                "does not fit this order".to_string(),
            ),
        };
        let diagnostic = Diagnostic::error(code, message).at(*place, label);
        // The innermost of those that hold each other.
        let holds = |outer: &Span, inner: &Span| {
            outer != inner && outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
        };
        let is_inner = |&outer: &&Span| !gone.iter().chain([place]).any(|inner| holds(outer, inner));
        let uses = gone.iter().filter(is_inner).take(SHOWN);
        let diagnostic = uses.fold(diagnostic, |it, &span| it.and(span, misfit.clone()));
        let diagnostic = match form {
            Form::TooFew => return diagnostic.help("add the one that is missing: all uses are right then"),
            Form::TooMany => return diagnostic.help("leave out the one that is too many: all uses are right then"),
            _ => diagnostic,
        };
        let diagnostic = diagnostic.help(format!("is `{wanted}` meant? It is right for all uses"));
        match (edits.is_empty(), form) {
            (false, _) => diagnostic.fix("exchange them", edits.clone()),
            (true, Form::Type) => diagnostic.fix(format!("write `{wanted}`"), vec![(*place, wanted.clone())]),
            (true, _) => diagnostic,
        }
    }
}
