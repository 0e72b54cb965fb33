//! The command `check`: its flags, and how it reads files of IR.

use crate::cli::args::{CompileArgs, HERE};
use crate::driver::interpret;
use crate::driver::pipeline::Stop;
use crate::driver::session::{Outcome, Session};
use clap::{Args, ValueHint};
use cleave_diag::{Diagnostic, code};
use cleave_ir::Module;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Modules of Clean are read, linked and translated, and the IR that they become is verified; a file of IR (.ir) is
/// read and verified. What Start does not reach is looked at with --keep-all.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Main modules as for build, files of IR (.ir), or folders: all files of GOOPEA and samlang in them, or else
    /// those of IR [default: .]
    ///
    /// A file of GOOPEA or samlang may be a part of a program: then it needs no `main`. `-` is stdin.
    #[arg(value_name = "MAIN", default_value = HERE, hide_default_value = true, value_hint = ValueHint::FilePath)]
    pub mains: Vec<PathBuf>,
    /// Say what becomes of the memory: of each function what its constructors do, what it owns, and what it releases
    ///
    /// A constructor takes the memory of a cell that was taken apart, is new, or is an atom, which has none. For
    /// programs whose references can be counted; --reuse says where cells are reused.
    #[arg(long)]
    pub memory_report: bool,
    /// Make the edits that messages propose, where there is one proposal for a mistake, and say what is still wrong
    #[arg(long)]
    pub fix: bool,
    /// Check again whenever a source changes
    #[arg(long)]
    pub watch: bool,
    #[command(flatten)]
    pub compile: CompileArgs,
}

/// Reads a file of IR that is to be compiled as far as `stop` says: to go on, it needs a start function.
pub fn read_ir(session: &mut Session, main: &Path, stop: Stop) -> Outcome<Module> {
    let begin = Instant::now();
    let module = interpret::read_ir(session, main);
    session.timing.add("parse", begin.elapsed());
    let module = module?;
    let is_called = module.is_closed() || !module.interface.exports.is_empty();
    if !is_called && stop != Stop::Built && !session.options.library {
        let message = format!("`{}` has no start function", main.display());
        let help = "a line `start @main` names the function, which takes and returns nothing";
        return Err(session.fail(Diagnostic::error(code::NO_START, message).help(help)));
    }
    session.counts.set("functions built", module.funcs.len());
    Ok(module)
}
