//! A small ML on Cleave: `ml run FILE`, `ml build FILE`, and a prompt. README.md says what the language has and how it
//! was made.
//!
//! ```text
//! lex.rs ─▶ parse.rs, items.rs ─▶ infer.rs ─▶ program.rs, expr.rs, … ─▶ cleave-compile
//! words     trees                 types       IR
//! ```

mod calls;
mod expr;
mod infer;
mod items;
mod lex;
mod matching;
mod parse;
mod primitives;
mod program;
mod prompt;
mod syntax;
mod types;

use cleave_compile::ir::{Heap, Module};
use cleave_compile::{Native, Options, Wasm, compile};
use cleave_diag::{Diagnostic, SourceMap, human};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: ml [OPTION…]                    a prompt
       ml run FILE [OPTION…] [-- ARGUMENT…]
       ml build FILE [OPTION…]
options: --target wasm|native|interp   what the program is compiled to [wasm]
         --memory gc|rc                collect garbage, or count references [gc]
         -o FILE                       the output of `build`";

/// The prelude, and the file of a program.
pub fn module(
    files: &mut SourceMap,
    name: &str,
    source: &str,
    heap: Heap,
) -> Result<(Module, Vec<Diagnostic>), Vec<Diagnostic>> {
    let one = |diagnostic: Box<Diagnostic>| vec![*diagnostic];
    let (mut infer, mut items) = (infer::Infer::new(), Vec::new());
    for (name, source) in [("prelude.ml", include_str!("prelude.ml")), (name, source)] {
        let file = files.add(name, source.into());
        let tokens = lex::tokens(file, source).map_err(one)?;
        let mut found = parse::Parser::new(tokens).items().map_err(one)?;
        found.iter_mut().try_for_each(|item| infer.item(item)).map_err(one)?;
        items.append(&mut found);
    }
    program::module(&items, &infer, heap, usize::MAX)
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<i32, Box<dyn Error>> {
    let (mut words, mut target, mut heap, mut output, mut args) =
        (Vec::new(), "wasm".to_string(), Heap::Gc, None, Vec::new());
    while let Some(word) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{word} needs a value"));
        match &*word {
            "--target" => target = value()?,
            "--memory" => heap = value()?.parse().map_err(|_| "the memory is `gc` or `rc`")?,
            "-o" => output = Some(PathBuf::from(value()?)),
            "--" => args.extend(arguments.by_ref()),
            _ => words.push(word),
        }
    }
    let [command, file] = &words[..] else {
        return if words.is_empty() { prompt::prompt(heap).map(|()| 0) } else { Err(USAGE.into()) };
    };
    let source = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut files = SourceMap::new();
    let (module, messages, failed) = match module(&mut files, file, &source, heap) {
        Ok((module, warnings)) => (module, warnings, false),
        Err(errors) => (Module::new(""), errors, true),
    };
    messages.iter().for_each(|message| eprintln!("{}", human(message, &files, false)));
    if failed {
        return Ok(1);
    }
    let (options, how) =
        (Options::default(), cleave_run::Options { args: args.iter().map(Into::into).collect(), ..Default::default() });
    let stem = Path::new(file).with_extension("");
    match (&**command, &*target) {
        ("run", "wasm") => Ok(cleave_run::wasm(&compile(module, &Wasm::default(), &options)?.bytes, &how)?.status),
        ("run", "native") => Ok(cleave_run::native(&compile(module, &Native::default(), &options)?, &how)?.status),
        ("run", "interp") => {
            let args = args.into_iter().map(String::into_bytes).collect();
            let options = cleave_interp::Options { args, pass_through: true, ..Default::default() };
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

fn main() -> ExitCode {
    // Parser and type checker recurse as deeply as the program is nested.
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(|| match run(std::env::args().skip(1)) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("ml: {error}");
            1
        }
    });
    let status = thread.map(|thread| thread.join().unwrap_or(101)).unwrap_or(101);
    ExitCode::from(status as u8)
}
