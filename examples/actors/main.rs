//! A small language of actors on Cleave: `actors run FILE`, `actors build FILE`, and a prompt. README.md says what the
//! language has and how it was made.
//!
//! ```text
//! syntax.rs ─▶ code.rs, runtime.ir ─▶ cleave-compile
//! trees        IR
//! ```

mod code;
mod syntax;

use cleave_compile::ir::{Heap, Module};
use cleave_diag::{SourceMap, human};
use cleave_example_command::Language;
use std::error::Error;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use syntax::{Expr, Function, Kind};

fn module(files: &mut SourceMap, name: &str, source: &str, heap: Heap) -> syntax::Result<Module> {
    let file = files.add(name, source.as_bytes().to_vec());
    let (functions, statements) = syntax::parse(file, source)?;
    match statements.first() {
        Some((_, outside)) => syntax::error(outside.span, "a program is functions: this is outside of them"),
        None => code::module(&functions, files, heap),
    }
}

/// What runs before each line that is typed, so that actors do what they have been sent.
const SETTLE: &str = "fun settle() { if yield { settle() } }";

/// Functions and expressions through the interpreter. All expressions are the body of `main`, which runs again for each
/// line; what it has printed before is not shown again.
fn prompt(heap: Heap) -> Result<(), Box<dyn Error>> {
    let (mut files, mut text, mut seen) = (SourceMap::new(), String::new(), 0);
    let settle = files.add("settle", SETTLE.into());
    let (mut functions, _) = syntax::parse(settle, SETTLE).map_err(|wrong| wrong.message)?;
    let mut typed: Vec<(Option<String>, Expr)> = Vec::new();
    loop {
        print!("{}", if text.is_empty() { "> " } else { "  " });
        std::io::stdout().flush()?;
        if std::io::stdin().lock().read_line(&mut text)? == 0 {
            println!();
            return Ok(());
        }
        let (file, end) = (files.add("-", text.clone().into_bytes()), text.len() as u32);
        let parsed = syntax::parse(file, &text);
        if parsed.as_ref().is_err_and(|wrong| wrong.primary.as_ref().is_some_and(|label| label.span.start == end)) {
            continue;
        }
        text.clear();
        let before = (functions.len(), typed.len());
        let module = parsed.and_then(|(more, statements)| {
            functions.extend(more);
            for (name, value) in statements {
                let span = value.span;
                let call = |name: &str, args| Expr { kind: Kind::Call(name.into(), args), span };
                let is_shown =
                    name.is_none() && !matches!(&value.kind, Kind::Call(name, _) if name == "print" || name == "!");
                typed.push((name, if is_shown { call("print", vec![value]) } else { value }));
                typed.push((None, call("settle", Vec::new())));
            }
            let span = cleave_diag::Span::new(file, 0, 0);
            let body = Expr { kind: Kind::Block(typed.clone()), span };
            functions.push(Function { name: "main".into(), span, params: Vec::new(), body });
            code::module(&functions, &files, heap)
        });
        functions.retain(|function| function.name != "main");
        let is_fine = match module {
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
            functions.truncate(before.0);
            typed.truncate(before.1);
        }
    }
}

fn main() -> ExitCode {
    Language {
        name: "actors",
        has_arguments: false,
        front_end: |files, name, source, heap| {
            let module = module(files, name, source, heap);
            module.map(|module| (module, Vec::new())).map_err(|error| vec![*error])
        },
        prompt,
    }
    .main()
}
