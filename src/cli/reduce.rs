//! The command `reduce`: reads a program, has it reduced, writes the result.

use crate::cli::args::{Global, ReduceArgs};
use crate::driver::output::{self, Destination, write_stderr};
use crate::driver::session::{Outcome, Session};
use crate::driver::{input, interpret};
use crate::languages;
use crate::reduce;
use crate::reduce::command::{Refused, Test};
use cleave_diag::{Diagnostic, code};
use std::path::Path;
use std::time::Duration;

pub fn run(session: &mut Session, args: &ReduceArgs, global: &Global) -> Outcome<i32> {
    let is_ir = args.file.extension().is_some_and(|extension| extension == "ir");
    let module = if is_ir { Some(interpret::read_ir(session, &args.file)?) } else { None };
    let text = match &module {
        Some(module) => cleave_ir::text::print_module(module).into_bytes(),
        None => read_abc(session, &args.file)?,
    };
    let time = Duration::from_secs(args.timeout);
    let mut test = Test::begin(&args.command, &args.file, &text, time).map_err(|refused| {
        session.fail(match refused {
            Refused::NotStarted(error) => {
                let command = args.command[0].to_string_lossy();
                let message = format!("`{command}` cannot be started: {}", output::reason(&error));
                Diagnostic::error(code::COMMAND_NOT_STARTED, message).help("the command follows after `--`")
            }
            Refused::NotInteresting(status) => {
                let how = status.map_or("did not end by itself".into(), |status| format!("ended with status {status}"));
                let message = format!("the command does not find `{}` interesting: it {how}", args.file.display());
                Diagnostic::error(code::NOT_INTERESTING, message).help("it must end with status 0 to say yes")
            }
            Refused::NotWritten(error) => {
                let message = format!("candidates cannot be written: {}", output::reason(&error));
                Diagnostic::error(code::OUTPUT_UNWRITABLE, message)
            }
        })
    })?;
    let small = match &module {
        Some(module) => {
            let print = cleave_ir::text::print_module;
            print(&reduce::ir::reduce(module, |candidate| test.is_interesting(print(candidate).as_bytes())))
                .into_bytes()
        }
        None => reduce::abc::reduce(&text, |candidate| test.is_interesting(candidate)),
    };
    let default = || {
        let extension = args.file.extension().map_or(String::new(), |text| format!(".{}", text.to_string_lossy()));
        Destination::File(args.file.with_extension(format!("reduced{extension}")))
    };
    let destination = args.output.as_deref().map_or_else(default, Destination::parse);
    output::write_all(session, &[(destination, &small)])?;
    if global.verbose > 0 {
        let lines = |text: &[u8]| text.split(|&byte| byte == b'\n').count() - 1;
        let over = if test.is_over() { ", time is over" } else { "" };
        let runs = test.runs;
        write_stderr(&format!("cleave: {} lines of {}, {runs} runs{over}\n", lines(&small), lines(&text)));
    }
    Ok(0)
}

/// The text of a module that the parser accepts.
fn read_abc(session: &mut Session, path: &Path) -> Outcome<Vec<u8>> {
    let text = input::read(path).map_err(|error| session.fail(input::unreadable(path, &error)))?;
    if languages::by_path(path).is_some_and(|language| language.formatter().is_some()) {
        let message = format!("`{}` is no IR and no ABC, which are what is reduced", path.display());
        let help = format!("`cleave build {} --emit ir:build` writes its IR into a file", path.display());
        return Err(session.fail(Diagnostic::error(code::FILE_NOT_ABC, message).help(help)));
    }
    let file = session.sources.add(input::shown(path), text.clone());
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    cleave_clean::parse(file, &name, &text, &mut session.sink);
    session.check()?;
    Ok(text)
}
