//! What is said of a program that cannot be run, or that was stopped for a reason which is not its own.

use crate::cli::emit;
use cleave_diag::{Code, Diagnostic, code};
use cleave_run::Error;
use std::path::Path;

/// The message about a main module; for a bug of ours what the engine says of it.
pub fn of(error: Error, main: &Path) -> Result<Diagnostic, String> {
    let because = |code: Code, message: String| Ok(Diagnostic::error(code, message));
    match error {
        Error::NotAProgram(why) => because(code::NOT_A_PROGRAM, format!("`{}` cannot be run: {why}", main.display())),
        Error::System(why) => because(code::NOT_BUILT_IN, why),
        Error::Bug(trap) if emit::is_ir(main) => {
            let reason = trap.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
            let diagnostic = Diagnostic::error(code::IR_STOPPED, format!("`{}` was stopped: {reason}", main.display()));
            Ok(diagnostic.help("`--interp=high` names the instruction; if the text is right, report this as a bug"))
        }
        Error::Bug(trap) => Err(trap),
    }
}
