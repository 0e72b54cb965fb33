//! One message to the user: what is wrong, where, and what to do about it.

use crate::{Code, Span};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Nothing can be made of the input.
    Error,
    /// The output is made all the same.
    Warning,
}

impl Severity {
    /// As messages and JSON show it: `error`, `warning`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A span with a few words under it. The words may be empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The bytes that are marked.
    pub span: Span,
    /// What is said under the mark; may be empty.
    pub text: String,
}

/// Edits that may mend what is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What they do, in a few words.
    pub title: String,
    /// Places, and what stands there instead.
    pub edits: Vec<(Span, String)>,
    /// The user has to write more: only values of which nobody knows what they should be are there.
    pub is_draft: bool,
}

/// A message. Errors of the command line and of the file system have no span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Shown after the severity; `cleave explain` has more about it.
    pub code: Code,
    /// Errors alone count towards the limit of a sink.
    pub severity: Severity,
    /// One sentence, in small letters, without a full stop.
    pub message: String,
    /// Where it is wrong: gives the message its line and column.
    pub primary: Option<Label>,
    /// Other places that matter, in any file.
    pub secondary: Vec<Label>,
    /// Lines that say what to do.
    pub help: Vec<String>,
    /// Edits, each of which does what a help says.
    pub fixes: Vec<Fix>,
    /// The mistake itself, where it can be met at several places: a name that nobody knows. A sink keeps one message
    /// of it.
    pub mistake: Option<String>,
    /// So many more places than are marked.
    pub more: u32,
}

/// Places of one mistake that are marked besides the first.
const MARKED: usize = 3;

impl Diagnostic {
    /// An error without a place.
    pub fn error(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            primary: None,
            secondary: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
            mistake: None,
            more: 0,
        }
    }

    /// A warning without a place.
    pub fn warning(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    /// Where it is wrong, with words that say what is there.
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.primary = Some(Label { span, text: text.into() });
        self
    }

    /// Another place that matters.
    pub fn and(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// A line that says what to do.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// An edit that may mend it.
    pub fn fix(mut self, title: impl Into<String>, edits: Vec<(Span, String)>) -> Diagnostic {
        self.fixes.push(Fix { title: title.into(), edits, is_draft: false });
        self
    }

    /// An edit with which the user may begin to mend it.
    pub fn draft(mut self, title: impl Into<String>, edits: Vec<(Span, String)>) -> Diagnostic {
        self.fixes.push(Fix { title: title.into(), edits, is_draft: true });
        self
    }

    /// Names the mistake, so that the next message of it only adds a place.
    pub fn mistake(mut self, mistake: impl Into<String>) -> Diagnostic {
        self.mistake = Some(mistake.into());
        self
    }

    /// Takes in another message of the same mistake: its place, and its edits.
    pub(crate) fn met_again(&mut self, other: Diagnostic) {
        for fix in other.fixes {
            if let Some(own) = self.fixes.iter_mut().find(|own| own.title == fix.title) {
                own.edits.extend(fix.edits.into_iter().filter(|edit| !own.edits.contains(edit)).collect::<Vec<_>>());
            }
        }
        let (Some(own), Some(place)) = (&mut self.primary, other.primary) else { return };
        let mut place = place.span;
        if place.file == own.span.file && place.start < own.span.start {
            std::mem::swap(&mut place, &mut own.span);
        }
        let marked = self.secondary.iter().filter(|label| label.text == AGAIN).count();
        if marked < MARKED {
            return self.secondary.push(Label { span: place, text: AGAIN.into() });
        }
        if self.more > 0 {
            self.help.pop();
        }
        self.more += 1;
        self.help.push(format!("and {} more use{} of it", self.more, if self.more == 1 { "" } else { "s" }));
    }
}

/// What is said of a further place.
const AGAIN: &str = "here, too";
