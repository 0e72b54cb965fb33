//! Clean sources: which are newer than their .abc files, and Clean's compiler `cocl`, which makes new ones.
//!
//! As `clm`: a module is compiled if its .icl or .dcl file is newer than its .abc file, by more than a second, because
//! files that were copied or checked out together differ by less; or if there is no .abc file. Modules that are marked
//! as system modules in their .abc file are never compiled. The main module comes first, then the modules that its new
//! .abc file names, and so on: to compile a module only the .dcl files of others are needed. The command line is that
//! of `clm` with its default options. Here one process compiles one module, where `clm` keeps one process for all; so
//! `cocl` reads the same .dcl files again.

use crate::driver::output::{reason, write_stderr};
use crate::driver::session::Session;
use crate::languages::clean::folders::{Folders, SYSTEM_FILES, Source};
use crate::languages::clean::options::Options;
use cleave_diag::{Diagnostic, Span, code};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

/// The digit of the options in `.comp` that marks a system module.
const DIGIT_SYSTEM: usize = 8;

/// Clean's compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cocl {
    program: PathBuf,
    /// It cannot be run, which has been said.
    broken: bool,
}

impl Cocl {
    /// The compiler that was named, or the first that is found.
    pub fn find(clean: &Options) -> Option<Cocl> {
        if clean.no_sources {
            return None;
        }
        let name = if cfg!(windows) { "cocl.exe" } else { "cocl" };
        let program = match &clean.cocl {
            Some(program) => program.clone(),
            None => clean.tools.iter().map(|folder| folder.join(name)).find(|path| path.is_file())?,
        };
        Some(Cocl { program, broken: false })
    }

    /// Where it is.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Compiles a module; its messages go to stderr. On failure there is a message, and the result is false.
    pub fn compile(
        &mut self,
        session: &mut Session,
        folders: &Folders,
        name: &str,
        source: &Source,
        import: Option<Span>,
    ) -> bool {
        if self.broken {
            return false;
        }
        let program = self.program.display().to_string();
        session.notes.push(format!("module `{name}` was compiled with `{program}`"));
        if let Some(folder) = source.abc.parent() {
            // If this fails, the compiler fails too, and explains it better.
            let _ = fs::create_dir_all(folder);
        }
        let path = std::env::join_paths(folders.roots()).unwrap_or_else(|_| OsString::from("."));
        let mut command = Command::new(&self.program);
        command.args(["-sl", "-csf", "-P"]).arg(path).arg("-o").arg(&source.abc).arg(argument(name, &source.icl));
        let problem = match command.stdin(Stdio::null()).output() {
            Err(error) => {
                self.broken = true;
                format!("`{program}` cannot be run: {}", reason(&error))
            }
            Ok(output) => {
                write_stderr(&String::from_utf8_lossy(&output.stdout));
                write_stderr(&String::from_utf8_lossy(&output.stderr));
                match output.status.success() {
                    true if source.abc.is_file() => return true,
                    true => format!("`{program}` has not written `{}`", source.abc.display()),
                    false => format!("module `{name}` was not compiled: `{program}` ended with {}", output.status),
                }
            }
        };
        let mut diagnostic = Diagnostic::error(code::MODULE_NOT_COMPILED, problem)
            .help(format!("its source is `{}`; --no-cocl uses the .abc files that there are", source.icl.display()));
        if let Some(import) = import {
            diagnostic = diagnostic.at(import, "imported here");
        }
        session.sink.report(diagnostic);
        false
    }
}

/// The source as the compiler wants it named: the module's whole name below the folder that is searched.
pub fn argument(name: &str, icl: &Path) -> PathBuf {
    let mut root = icl;
    for _ in name.split('.') {
        root = root.parent().unwrap_or(Path::new(""));
    }
    root.join(format!("{name}.icl"))
}

/// The source of a module whose .abc file is older than it.
pub fn newer_source(abc: &Path) -> Option<Source> {
    const MARGIN: Duration = Duration::from_secs(1);
    let source = source_of(abc)?;
    let made = modified(abc)?;
    let is_newer = |path: &Path| modified(path).is_some_and(|time| time > made + MARGIN);
    (is_newer(&source.icl) || is_newer(&source.icl.with_extension("dcl"))).then_some(source).filter(|_| !is_system(abc))
}

/// The source of an .abc file, which lies beside it or beside its `Clean System Files`.
fn source_of(abc: &Path) -> Option<Source> {
    let mut folder = abc.parent()?;
    if folder.file_name().is_some_and(|last| last == SYSTEM_FILES) {
        folder = folder.parent()?;
    }
    let stem = abc.file_stem()?.to_str()?;
    let (above, last) = stem.rsplit_once('.').unwrap_or(("", stem));
    let mut beside = folder.to_path_buf();
    beside.extend(above.split('.').filter(|part| !part.is_empty()));
    let icl = beside.join(format!("{last}.icl"));
    icl.is_file().then(|| Source { icl, abc: beside.join(SYSTEM_FILES).join(format!("{last}.abc")) })
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// The first line of the file says that it is a system module, written by hand.
fn is_system(abc: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(abc).and_then(|file| file.take(64).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    let options = head.lines().next().and_then(|line| line.split_whitespace().nth(2));
    read.is_ok() && options.and_then(|options| options.as_bytes().get(DIGIT_SYSTEM)) == Some(&b'1')
}

/// The message for .abc files that are older than their sources when there is no compiler.
pub fn stale(modules: &[String]) -> Option<Diagnostic> {
    const SHOWN: usize = 8;
    let shown: Vec<String> = modules.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let message = match modules {
        [] => return None,
        [one] => format!("the source of module `{one}` is newer than its .abc file"),
        all => {
            let more = if all.len() > SHOWN { format!(" and {} more", all.len() - SHOWN) } else { String::new() };
            format!("the sources of {} modules are newer than their .abc files: {}{more}", all.len(), shown.join(", "))
        }
    };
    let help = "the .abc files are used as they are; compile again with clm, or name Clean's compiler with --cocl";
    Some(Diagnostic::warning(code::MODULE_STALE, message).help(help))
}
