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
mod uses;

use cleave_compile::ir::Heap;
use cleave_diag::{Diagnostic, SourceMap};
use cleave_example_command::{Compiled, Language};
use std::process::ExitCode;

/// The prelude, and the file of a program.
pub fn module(files: &mut SourceMap, name: &str, source: &str, heap: Heap) -> Compiled {
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

fn main() -> ExitCode {
    Language { name: "ml", has_arguments: true, front_end: module, prompt: prompt::prompt }.main()
}
