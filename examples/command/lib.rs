//! What the commands of the example languages have in common: `LANGUAGE run FILE`, `LANGUAGE build FILE`, a prompt, and
//! `LANGUAGE ir FILE`, the front end alone. Without the feature `engine` that is all there is: as WebAssembly it brings
//! the language into the playground.

#[cfg(feature = "engine")]
mod engine;
pub mod programs;

use cleave_compile::ir::text::print_module;
use cleave_compile::ir::{Heap, Module};
use cleave_diag::{Diagnostic, SourceMap, human, json};
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
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
        let name = self.name;
        let run = move || {
            self.run(std::env::args().skip(1)).unwrap_or_else(|error| {
                eprintln!("{name}: {error}");
                1
            })
        };
        // There are no threads.
        if cfg!(target_family = "wasm") {
            return ExitCode::from(run() as u8);
        }
        // Front ends recurse as deeply as the program is nested.
        let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(run);
        let status = thread.map(|thread| thread.join().unwrap_or(101)).unwrap_or(101);
        ExitCode::from(status as u8)
    }

    fn usage(&self) -> String {
        let (name, arguments) = (self.name, if self.has_arguments { " [-- ARGUMENT…]" } else { "" });
        format!(
            "usage: {name} [OPTION…]                    a prompt
       {name} run FILE [OPTION…]{arguments}
       {name} build FILE [OPTION…]
       {name} ir FILE [OPTION…]             its IR
options: --target wasm|native|interp   what the program is compiled to [wasm]
         --memory gc|rc                collect garbage, or count references [gc]
         --message-format human|json   how messages are written [human]
         -o FILE                       the output of `build`"
        )
    }

    fn run(&self, mut arguments: impl Iterator<Item = String>) -> Result<i32, Box<dyn Error>> {
        let (mut words, mut target, mut heap, mut output, mut args, mut show) =
            (Vec::new(), "wasm".to_string(), Heap::Gc, None, Vec::new(), shown as Show);
        while let Some(word) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{word} needs a value"));
            match &*word {
                "--target" => target = value()?,
                "--memory" => heap = value()?.parse().map_err(|_| "the memory is `gc` or `rc`")?,
                "--message-format" => {
                    show = match &*value()? {
                        "human" => shown,
                        "json" => json,
                        _ => return Err("messages are `human` or `json`".into()),
                    }
                }
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
        messages.iter().for_each(|message| eprintln!("{}", show(message, &files)));
        let Ok((module, _)) = compiled else { return Ok(1) };
        if command == "ir" {
            std::io::stdout().write_all(print_module(&module).as_bytes())?;
            return Ok(0);
        }
        let program = Program { module, file: file.into(), target, args, output };
        self.finish(command, program)
    }

    #[cfg(feature = "engine")]
    fn finish(&self, command: &str, program: Program) -> Result<i32, Box<dyn Error>> {
        engine::finish(command, program)?.ok_or_else(|| self.usage().into())
    }

    #[cfg(not(feature = "engine"))]
    fn finish(&self, command: &str, program: Program) -> Result<i32, Box<dyn Error>> {
        let (name, Program { file, .. }) = (self.name, program);
        Err(format!("`{command}` is not built into this {name}: `{name} ir {}` writes its IR", file.display()).into())
    }
}

/// How messages are written.
type Show = fn(&Diagnostic, &SourceMap) -> String;

fn shown(message: &Diagnostic, files: &SourceMap) -> String {
    human(message, files, false)
}

/// What is left to do.
#[cfg_attr(not(feature = "engine"), allow(dead_code))]
struct Program {
    module: Module,
    file: PathBuf,
    target: String,
    args: Vec<String>,
    output: Option<PathBuf>,
}
