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
use cleave_compile::{Native, Options, Wasm, compile};
use cleave_diag::{SourceMap, human};
use std::error::Error;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use syntax::{Expr, Function, Kind};

const USAGE: &str = "usage: actors [OPTION…]                    a prompt
       actors run FILE [OPTION…]
       actors build FILE [OPTION…]
options: --target wasm|native|interp   what the program is compiled to [wasm]
         --memory gc|rc                collect garbage, or count references [gc]
         -o FILE                       the output of `build`";

fn module(files: &mut SourceMap, name: &str, source: &str, heap: Heap) -> syntax::Result<Module> {
    let file = files.add(name, source.as_bytes().to_vec());
    let (functions, statements) = syntax::parse(file, source)?;
    match statements.first() {
        Some((_, outside)) => syntax::error(outside.span, "a program is functions: this is outside of them"),
        None => code::module(&functions, files, heap),
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<i32, Box<dyn Error>> {
    let (mut words, mut target, mut heap, mut output) = (Vec::new(), "wasm".to_string(), Heap::Gc, None);
    while let Some(word) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{word} needs a value"));
        match &*word {
            "--target" => target = value()?,
            "--memory" => heap = value()?.parse().map_err(|_| "the memory is `gc` or `rc`")?,
            "-o" => output = Some(PathBuf::from(value()?)),
            _ => words.push(word),
        }
    }
    let [command, file] = &words[..] else {
        return if words.is_empty() { prompt(heap).map(|()| 0) } else { Err(USAGE.into()) };
    };
    let source = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut files = SourceMap::new();
    let module = match module(&mut files, file, &source, heap) {
        Ok(module) => module,
        Err(message) => {
            eprintln!("{}", human(&message, &files, false));
            return Ok(1);
        }
    };
    let how = cleave_run::Options::default();
    let (options, stem) = (Options::default(), Path::new(file).with_extension(""));
    match (&**command, &*target) {
        ("run", "wasm") => Ok(cleave_run::wasm(&compile(module, &Wasm::default(), &options)?.bytes, &how)?.status),
        ("run", "native") => Ok(cleave_run::native(&compile(module, &Native::default(), &options)?, &how)?.status),
        ("run", "interp") => {
            let options = cleave_interp::Options { pass_through: true, ..Default::default() };
            Ok(cleave_interp::run_program(&module, options).status)
        }
        ("build", "wasm") => {
            let bytes = compile(module, &Wasm::default(), &options)?.bytes;
            std::fs::write(output.unwrap_or_else(|| stem.with_extension("wasm")), bytes)?;
            Ok(0)
        }
        ("build", "native") => {
            let bytes = compile(module, &Native::default(), &options)?.executable(true)?;
            let path = output.unwrap_or(stem);
            std::fs::write(&path, bytes)?;
            #[cfg(unix)]
            std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
            Ok(0)
        }
        _ => Err(USAGE.into()),
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
    // The parser recurses as deeply as the program is nested.
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(|| match run(std::env::args().skip(1)) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("actors: {error}");
            1
        }
    });
    let status = thread.map(|thread| thread.join().unwrap_or(101)).unwrap_or(101);
    ExitCode::from(status as u8)
}
