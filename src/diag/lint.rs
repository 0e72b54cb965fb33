//! Lints: warnings about programs that mean something, but perhaps not what was meant. Each has a name besides its
//! code, by which `-A` turns it off and `-D` makes it an error.

use crate::{Code, Diagnostic, Severity, code};

/// The lints with their names.
pub static LINTS: &[(&str, Code)] = &[
    ("unused-variable", code::UNUSED_VARIABLE),
    ("unused-parameter", code::UNUSED_PARAMETER),
    ("unused-function", code::UNUSED_FUNCTION),
    ("unused-import", code::UNUSED_IMPORT),
    ("duplicate-import", code::DUPLICATE_IMPORT),
    ("misleading-shadowing", code::MISLEADING_SHADOWING),
    ("division-by-zero", code::DIVISION_BY_ZERO),
    ("constant-comparison", code::CONSTANT_COMPARISON),
    ("unreachable-code", code::UNREACHABLE_CODE),
];

/// The code of a lint with this name.
pub fn lint(name: &str) -> Option<Code> {
    LINTS.iter().find(|lint| lint.0 == name).map(|lint| lint.1)
}

/// The name of a lint with this code.
pub fn lint_name(code: Code) -> Option<&'static str> {
    LINTS.iter().find(|lint| lint.1 == code).map(|lint| lint.0)
}

/// What is to be done with lints: nothing is said of those that are off, and those that are denied are errors.
#[derive(Clone, Debug, Default)]
pub struct LintLevels {
    /// Off.
    pub allowed: Vec<Code>,
    /// Errors.
    pub denied: Vec<Code>,
}

impl LintLevels {
    /// The message as it is to be shown, if it is.
    pub fn apply(&self, diagnostic: Diagnostic) -> Option<Diagnostic> {
        if diagnostic.severity == Severity::Error || lint_name(diagnostic.code).is_none() {
            return Some(diagnostic);
        }
        match diagnostic.code {
            code if self.denied.contains(&code) => Some(Diagnostic { severity: Severity::Error, ..diagnostic }),
            code if self.allowed.contains(&code) => None,
            _ => Some(diagnostic),
        }
    }
}
