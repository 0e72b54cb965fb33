//! The flags `-A` and `-D`: which lints say nothing, and which are errors.

use crate::driver::session::{Outcome, Session};
use clap::Args;
use cleave_diag::{Code, LINTS, LintLevels, lint, nearest};

/// The flags.
#[derive(Debug, Args)]
#[command(next_help_heading = "Lints")]
pub struct LintArgs {
    /// Say nothing of this lint, as `unused-variable`; `all` means all of them
    ///
    /// Lints are warnings about programs of GOOPEA and samlang that mean something, but perhaps not what was meant.
    /// `cleave explain NAME` says what a lint looks for, `cleave explain` lists them.
    #[arg(short = 'A', long = "allow", value_name = "LINT", value_parser = parse)]
    allowed: Vec<Codes>,
    /// Make this lint an error
    #[arg(short = 'D', long = "deny", value_name = "LINT", value_parser = parse)]
    denied: Vec<Codes>,
}

/// A lint, or all of them.
#[derive(Clone, Debug)]
struct Codes(Vec<Code>);

impl LintArgs {
    /// What the flags say.
    pub fn levels(&self) -> LintLevels {
        let codes = |given: &[Codes]| given.iter().flat_map(|codes| codes.0.clone()).collect();
        LintLevels { allowed: codes(&self.allowed), denied: codes(&self.denied) }
    }
}

fn parse(text: &str) -> Result<Codes, String> {
    if text == "all" {
        return Ok(Codes(LINTS.iter().map(|lint| lint.1).collect()));
    }
    let known = Code::parse(text).filter(|code| cleave_diag::lint_name(*code).is_some());
    lint(text).or(known).map(|code| Codes(vec![code])).ok_or_else(|| {
        let names = LINTS.iter().map(|lint| lint.0.as_bytes());
        match nearest(text.as_bytes(), names) {
            Some(near) => format!("there is no such lint; did you mean `{}`?", String::from_utf8_lossy(near)),
            None => "there is no such lint; `cleave explain` lists them".to_string(),
        }
    })
}

/// Does with the messages of a session what its options say of lints.
pub fn apply(session: &mut Session) -> Outcome {
    let sink = std::mem::take(&mut session.sink);
    let levels = &session.options.lints;
    session.sink = sink.mapped(|diagnostic| levels.apply(diagnostic));
    session.check()
}
