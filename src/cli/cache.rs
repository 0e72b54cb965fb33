//! The folder of compiled code on the command line: which file a build or a run uses, and `cleave cache`.

use crate::cli::FAILURE;
use crate::cli::args::{CompileArgs, RootArgs, RunArgs};
use crate::driver::cache;
use crate::driver::output::{self, write_stdout};
use crate::driver::session::{Outcome, Session};
use clap::ValueEnum;
use cleave_diag::{Diagnostic, code};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the command does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CacheAction {
    /// Print where it is
    Dir,
    /// Print its files and bytes
    Size,
    /// Remove its files
    Clear,
}

/// Where functions of an earlier build of a program are, or what the engine has made of it, unless flags or variables
/// say that there is no such place, or it is not safe: then there is a warning.
pub fn file(session: &mut Session, args: &CompileArgs, main: &Path) -> Option<PathBuf> {
    let target = session.options.target;
    let folder = cache::folder().filter(|_| !args.no_cache)?;
    let RootArgs { roots, steps, memory } = &args.roots;
    let flags = (args.optimise, roots, steps.steps, memory, &args.debug.passes.disabled, args.keep_all);
    let words = format!("{target:?} {flags:?} {} {}", args.trace, args.check_indices);
    usable(session, cache::file(&folder, main, &words))
}

/// The file for functions that the embedded engine has compiled, likewise.
pub fn functions(session: &mut Session, args: &CompileArgs) -> Option<PathBuf> {
    usable(session, cache::functions().filter(|_| !args.no_cache)?)
}

/// The file for what the engine makes of a program, whatever it is called.
pub fn module(args: &RunArgs, wasm: &[u8]) -> Option<PathBuf> {
    cache::module(wasm, args.timeout.is_some()).filter(|_| !args.compile.no_cache)
}

/// A file as the engine takes it.
pub fn keep(file: PathBuf) -> Arc<dyn cleave_run::CodeCache> {
    Arc::new(cache::CodeCache(file))
}

fn usable(session: &mut Session, file: PathBuf) -> Option<PathBuf> {
    cache::usable(file).map_err(|warning| session.sink.report(*warning)).ok()
}

/// `cleave cache`.
pub fn run(session: &mut Session, action: CacheAction) -> Outcome<i32> {
    let Some(folder) = cache::folder() else {
        let message = "there is no folder of compiled code";
        let help = "CLEAVE_CACHE is empty, or HOME is not set; name a folder with CLEAVE_CACHE=…";
        return Err(session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message).help(help)));
    };
    let text = match action {
        CacheAction::Dir => format!("{}\n", folder.display()),
        CacheAction::Size => {
            let (files, bytes) = cache::size(&folder);
            format!("{files} files, {bytes} bytes\n")
        }
        CacheAction::Clear => match cache::clear(&folder) {
            Ok(files) => format!("{files} files removed\n"),
            Err(error) => {
                let message = format!("`{}` cannot be cleared: {}", folder.display(), output::reason(&error));
                let help = "remove its files ending in .code";
                return Err(session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message).help(help)));
            }
        },
    };
    Ok(if write_stdout(text.as_bytes()).is_ok() { 0 } else { FAILURE })
}
