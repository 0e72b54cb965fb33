//! Compiles a program, and runs it or writes it.

use crate::Program;
use cleave_compile::{Native, Options, Wasm, compile};
use std::error::Error;

/// Does what the command says; nothing if there is no such command.
pub fn finish(command: &str, program: Program) -> Result<Option<i32>, Box<dyn Error>> {
    let Program { module, file, target, args, output } = program;
    let how = cleave_run::Options {
        args: args.iter().map(Into::into).collect(),
        // The engine compiles the runtime once, not for each run.
        functions: std::env::var_os("CLEAVE_FUNCTIONS").map(Into::into),
        ..Default::default()
    };
    let (options, stem) = (Options::default(), file.with_extension(""));
    let status = match (command, &*target) {
        ("run", "wasm") => cleave_run::wasm(&compile(module, &Wasm::default(), &options)?.bytes, &how)?.status,
        ("run", "native") => cleave_run::native(&compile(module, &Native::default(), &options)?, &how)?.status,
        ("run", "interp") => {
            let args = args.into_iter().map(String::into_bytes).collect();
            let options = cleave_interp::Options { args, pass_through: true, ..Default::default() };
            cleave_interp::run_program(&module, options).status
        }
        ("build", "wasm") => {
            let bytes = compile(module, &Wasm::default(), &options)?.bytes;
            std::fs::write(output.unwrap_or_else(|| stem.with_extension("wasm")), bytes)?;
            0
        }
        ("build", "native") => {
            let bytes = compile(module, &Native::default(), &options)?.executable(true)?;
            let path = output.unwrap_or(stem);
            std::fs::write(&path, bytes)?;
            #[cfg(unix)]
            std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
            0
        }
        _ => return Ok(None),
    };
    Ok(Some(status))
}
