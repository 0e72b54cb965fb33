//! What the commands of the example languages have in common: `LANGUAGE run FILE`, `LANGUAGE build FILE`, a prompt.

pub mod programs;

use cleave_compile::ir::{Heap, Module};
use cleave_compile::{Native, Options, Wasm, compile};
use cleave_diag::{Diagnostic, SourceMap, human};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The IR of a program with its warnings, or its errors.
pub type Compiled = Result<(Module, Vec<Diagnostic>), Vec<Diagnostic>>;

/// A language with its command.
pub struct Language {
    /// Of the command.
    pub name: &'static str,
    /// Its programs can read arguments: those after `--`.
    pub has_arguments: bool,
    /// The program of a file, which has this name and this text.
    pub front_end: fn(&mut SourceMap, &str, &str, Heap) -> Compiled,
    /// Reads lines until there are no more.
    pub prompt: fn(Heap) -> Result<(), Box<dyn Error>>,
}

impl Language {
    /// Does what the command line says; the status of the process.
    pub fn main(self) -> ExitCode {
        // Front ends recurse as deeply as the program is nested.
        let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(move || {
            self.run(std::env::args().skip(1)).unwrap_or_else(|error| {
                eprintln!("{}: {error}", self.name);
                1
            })
        });
        let status = thread.map(|thread| thread.join().unwrap_or(101)).unwrap_or(101);
        ExitCode::from(status as u8)
    }

    fn usage(&self) -> String {
        let (name, arguments) = (self.name, if self.has_arguments { " [-- ARGUMENT…]" } else { "" });
        format!(
            "usage: {name} [OPTION…]                    a prompt
       {name} run FILE [OPTION…]{arguments}
       {name} build FILE [OPTION…]
options: --target wasm|native|interp   what the program is compiled to [wasm]
         --memory gc|rc                collect garbage, or count references [gc]
         -o FILE                       the output of `build`"
        )
    }

    fn run(&self, mut arguments: impl Iterator<Item = String>) -> Result<i32, Box<dyn Error>> {
        let (mut words, mut target, mut heap, mut output, mut args) =
            (Vec::new(), "wasm".to_string(), Heap::Gc, None, Vec::new());
        while let Some(word) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{word} needs a value"));
            match &*word {
                "--target" => target = value()?,
                "--memory" => heap = value()?.parse().map_err(|_| "the memory is `gc` or `rc`")?,
                "-o" => output = Some(PathBuf::from(value()?)),
                "--" if self.has_arguments => args.extend(arguments.by_ref()),
                _ => words.push(word),
            }
        }
        let [command, file] = &words[..] else {
            return if words.is_empty() { (self.prompt)(heap).map(|()| 0) } else { Err(self.usage().into()) };
        };
        let source = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let mut files = SourceMap::new();
        let compiled = (self.front_end)(&mut files, file, &source, heap);
        let messages = compiled.as_ref().map_or_else(|errors| errors, |(_, warnings)| warnings);
        messages.iter().for_each(|message| eprintln!("{}", human(message, &files, false)));
        let Ok((module, _)) = compiled else { return Ok(1) };
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
            _ => Err(self.usage().into()),
        }
    }
}
