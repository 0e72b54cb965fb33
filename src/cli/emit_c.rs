//! `--emit c`: a program whose references are counted as a file of C99.

use crate::cli::args::{BuildArgs, Global};
use crate::cli::emit::EmitKind;
use crate::cli::program::compile;
use crate::cli::report;
use crate::driver::output;
use crate::driver::pipeline::Stop;
use crate::driver::session::{Outcome, Session, Target};
use cleave_diag::{Diagnostic, code};

/// Writes the program as C, if that is asked for; false if something else is.
pub fn build(session: &mut Session, args: &BuildArgs, global: &Global) -> Outcome<bool> {
    let Some(emit) = args.emit.iter().find(|emit| emit.kind == EmitKind::C) else { return Ok(false) };
    if args.emit.len() > 1 || args.output.is_some() {
        let help = "write nothing else at the same time; `--emit c=FILE` names the file";
        return Err(session.fail(Diagnostic::error(code::NOT_IN_C, "--emit c stands alone").help(help)));
    }
    // Names of variables come along with the places in the source.
    session.options.locations = true;
    session.options.target = Target::Wasm;
    let compiled = compile(session, &args.main, Stop::Rooted, &[])?;
    let made = compiled.ir.as_ref().map_or(Ok(String::new()), cleave_c::emit);
    let text = made.map_err(|what| {
        let help = "C is made of programs with numbers and data, as those of GOOPEA";
        session.fail(Diagnostic::error(code::NOT_IN_C, format!("the program cannot become C: {what}")).help(help))
    })?;
    output::write_all(session, &[(emit.destination(&args.main), text.as_bytes())])?;
    report::after_compilation(session, &args.compile, global);
    Ok(true)
}
