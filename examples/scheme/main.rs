//! A small Scheme on Cleave: `scheme run FILE`, `scheme build FILE`, and a prompt. README.md says what the language has
//! and how it was made.
//!
//! ```text
//! read.rs ─▶ expand.rs ─▶ code.rs, constants.rs, procedures.rs, primitives.rs ─▶ cleave-compile
//! data       core         IR
//! ```

mod code;
mod constants;
mod expand;
mod primitives;
mod procedures;
mod read;

use cleave_compile::ir::{Heap, Module};
use cleave_diag::{SourceMap, human};
use cleave_example_command::Language;
use std::error::Error;
use std::io::{BufRead, Write};
use std::process::ExitCode;

/// The prelude and some texts, the values of whose expressions are printed if that is wanted.
fn module(files: &mut SourceMap, texts: &[(&str, &str)], shown: bool, heap: Heap) -> read::Result<Module> {
    let (mut expander, mut parts) = (expand::Expander::default(), Vec::new());
    let prelude = [("prelude.scm", include_str!("prelude.scm"))];
    for (number, (name, text)) in prelude.iter().chain(texts).enumerate() {
        let file = files.add(*name, text.as_bytes().to_vec());
        let mut data = read::read(file, text)?;
        for datum in data.iter_mut().filter(|_| shown && number > 0) {
            let is_definition = matches!(&datum.kind, read::Kind::List(parts)
                if parts.first().is_some_and(|first| first.kind == read::Kind::Symbol("define".into())));
            if !is_definition {
                let show = read::Datum { kind: read::Kind::Symbol("%show".into()), span: datum.span };
                *datum = read::Datum { kind: read::Kind::List(vec![show, datum.clone()]), span: datum.span };
            }
        }
        parts.extend(expander.program(&data)?);
    }
    Ok(code::module(&parts, &expander.assigned, heap))
}

/// Definitions and expressions through the interpreter. Each is compiled with all that came before it, which runs
/// again, unseen.
fn prompt(heap: Heap) -> Result<(), Box<dyn Error>> {
    let (mut files, mut texts, mut text, mut seen) = (SourceMap::new(), Vec::new(), String::new(), 0);
    loop {
        print!("{}", if text.is_empty() { "> " } else { "  " });
        std::io::stdout().flush()?;
        if std::io::stdin().lock().read_line(&mut text)? == 0 {
            println!();
            return Ok(());
        }
        let file = files.add("-", text.clone().into_bytes());
        let end = text.len() as u32;
        match read::read(file, &text) {
            Err(message) if message.primary.as_ref().is_some_and(|label| label.span.start == end) => continue,
            _ => texts.push(std::mem::take(&mut text)),
        }
        let all: Vec<(&str, &str)> = texts.iter().map(|text| ("-", &**text)).collect();
        let is_fine = match module(&mut files, &all, true, heap) {
            Ok(module) => {
                let outcome = cleave_interp::run_program(&module, cleave_interp::Options::default());
                std::io::stdout().write_all(outcome.stdout.get(seen..).unwrap_or(&[]))?;
                std::io::stderr().write_all(&outcome.stderr)?;
                seen = if outcome.status == 0 { outcome.stdout.len() } else { seen };
                outcome.status == 0
            }
            Err(message) => {
                eprintln!("{}", human(&message, &files, false));
                false
            }
        };
        if !is_fine {
            texts.pop();
        }
    }
}

fn main() -> ExitCode {
    Language {
        name: "scheme",
        has_arguments: true,
        front_end: |files, name, source, heap| {
            let module = module(files, &[(name, source)], false, heap);
            module.map(|module| (module, Vec::new())).map_err(|error| vec![*error])
        },
        prompt,
    }
    .main()
}
