//! The files of a library of machine code: an archive, a shared library, and a header for C.

use crate::cli::args::BuildArgs;
use crate::cli::emit::{self, EmitKind};
use crate::driver::compiled::Compiled;
use crate::driver::native;
use crate::driver::output::Destination;
use crate::driver::session::{Outcome, Session, Target};
use cleave_diag::{Diagnostic, code};
use cleave_interface::c::Header;
use std::path::{Path, PathBuf};

/// Endings of what is written.
const ARCHIVE: &str = "a";
const SHARED: &str = "so";

/// Whether the result is such a library.
pub fn is_asked(session: &Session, compiled: &Compiled) -> bool {
    let is_library = session.options.exports.is_library() || !compiled.has_start;
    session.options.target == Target::Native && is_library && !compiled.interface.exports.is_empty()
}

/// Which files are written, by their endings, and their path without one.
fn plan(session: &mut Session, args: &BuildArgs) -> Outcome<(PathBuf, Vec<&'static str>)> {
    if args.emit.iter().any(|emit| matches!(emit.kind, EmitKind::Obj | EmitKind::Exe)) {
        let message = "a library of machine code is no executable, and more than one object";
        let help = "-o NAME.a is an archive of all it needs, and -o NAME.so a shared library";
        return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)));
    }
    let path = match args.output.as_deref().map(Destination::parse) {
        Some(Destination::File(path)) => path,
        None => emit::default_name(&args.main, &EmitKind::Exe),
        Some(Destination::Stdout) => {
            let message = "a library and its header are two files, which stdout cannot take";
            let help = "name a file: -o NAME.a, -o NAME.so, or -o NAME for both";
            return Err(session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message).help(help)));
        }
    };
    let kinds = match path.extension().map(|ending| ending.to_string_lossy().into_owned()).as_deref() {
        Some(ARCHIVE) => vec![ARCHIVE],
        Some(SHARED) => vec![SHARED],
        None => vec![ARCHIVE, SHARED],
        Some(_) => {
            let message = format!("`{}` is no name of a library", path.display());
            let help = "use -o NAME.a for an archive, -o NAME.so for a shared library, or -o NAME for both";
            return Err(session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message).help(help)));
        }
    };
    Ok((path, kinds))
}

/// The files to write.
pub fn files(session: &mut Session, args: &BuildArgs, compiled: &Compiled) -> Outcome<Vec<(Destination, Vec<u8>)>> {
    let (path, kinds) = plan(session, args)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let header =
        Header::new(name.strip_prefix("lib").filter(|rest| !rest.is_empty()).unwrap_or(&name), &compiled.interface);
    let mut files = vec![(header_of(&path), header.text().into_bytes())];
    let Some(program) = &compiled.native else { return Ok(Vec::new()) };
    for ending in kinds {
        let bytes = native::library(session, program, &header, ending == SHARED)?;
        files.push((Destination::File(path.with_extension(ending)), bytes));
    }
    Ok(files)
}

fn header_of(path: &Path) -> Destination {
    Destination::File(path.with_extension("h"))
}
