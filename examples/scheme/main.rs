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
use cleave_compile::{Native, Options, Wasm, compile};
use cleave_diag::{SourceMap, human};
use std::error::Error;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: scheme [OPTION…]                    a prompt
       scheme run FILE [OPTION…] [-- ARGUMENT…]
       scheme build FILE [OPTION…]
options: --target wasm|native|interp   what the program is compiled to [wasm]
         --memory gc|rc                collect garbage, or count references [gc]
         -o FILE                       the output of `build`";

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
        return if words.is_empty() { prompt(heap).map(|()| 0) } else { Err(USAGE.into()) };
    };
    let source = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut files = SourceMap::new();
    let module = match module(&mut files, &[(file, &source)], false, heap) {
        Ok(module) => module,
        Err(message) => {
            eprintln!("{}", human(&message, &files, false));
            return Ok(1);
        }
    };
    let how = cleave_run::Options { args: args.iter().map(Into::into).collect(), ..Default::default() };
    let (options, stem) = (Options::default(), Path::new(file).with_extension(""));
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
    // The expander recurses as deeply as the program is nested.
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(|| match run(std::env::args().skip(1)) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("scheme: {error}");
            1
        }
    });
    let status = thread.map(|thread| thread.join().unwrap_or(101)).unwrap_or(101);
    ExitCode::from(status as u8)
}
