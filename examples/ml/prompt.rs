//! The prompt: definitions and expressions, line by line, through the interpreter. Each line is compiled with all that
//! came before it, which runs again, unseen: it is deterministic as long as it reads nothing.

use crate::{infer, lex, parse, program};
use cleave_compile::ir::Heap;
use cleave_diag::{Diagnostic, SourceMap, human};
use std::error::Error;
use std::io::{BufRead, Write};

pub fn prompt(heap: Heap) -> Result<(), Box<dyn Error>> {
    let (mut files, mut sources) = (SourceMap::new(), vec![include_str!("prelude.ml").to_string()]);
    let (mut seen, mut text) = (0, String::new());
    loop {
        print!("{}", if text.is_empty() { "# " } else { "  " });
        std::io::stdout().flush()?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            println!();
            return Ok(());
        }
        text.push_str(&line);
        if text.trim().is_empty() {
            text.clear();
            continue;
        }
        // What is not complete goes on until a line is empty, or ends with `;;`.
        let file = files.add("-", text.clone().into_bytes());
        let is_complete = lex::tokens(file, &text).map_or(true, |tokens| {
            let mut parser = parse::Parser::new(tokens);
            parser.items().is_ok() || !parser.is_at_end()
        });
        let is_last = line.trim().is_empty() || line.trim().ends_with(";;");
        if !is_last && (!is_complete || text.trim_end().contains('\n')) {
            continue;
        }
        sources.push(std::mem::take(&mut text));
        match evaluate(&mut files, &sources, heap) {
            Ok((output, errors, ok)) => {
                std::io::stdout().write_all(output.get(seen..).unwrap_or(&[]))?;
                std::io::stderr().write_all(&errors)?;
                seen = if ok { output.len() } else { seen };
                if !ok {
                    sources.pop();
                }
            }
            Err(messages) => {
                messages.iter().for_each(|message| eprintln!("{}", human(message, &files, false)));
                sources.pop();
            }
        }
    }
}

/// What all that was typed prints, and whether it ended well.
fn evaluate(
    files: &mut SourceMap,
    sources: &[String],
    heap: Heap,
) -> Result<(Vec<u8>, Vec<u8>, bool), Vec<Diagnostic>> {
    let one = |diagnostic: Box<Diagnostic>| vec![*diagnostic];
    let (mut infer, mut items, mut shown) = (infer::Infer::new(), Vec::new(), 0);
    for (number, source) in sources.iter().enumerate() {
        let tokens = lex::tokens(files.add("-", source.clone().into_bytes()), source).map_err(one)?;
        let mut found = parse::Parser::new(tokens).items().map_err(one)?;
        found.iter_mut().try_for_each(|item| infer.item(item)).map_err(one)?;
        items.append(&mut found);
        shown = if number == 0 { items.len() } else { shown };
    }
    let (module, warnings) = program::module(&items, &infer, heap, shown)?;
    let last = files.files().last().map(|(file, _)| file);
    for warning in warnings.iter().filter(|warning| warning.primary.as_ref().map(|label| label.span.file) == last) {
        eprintln!("{}", human(warning, files, false));
    }
    let outcome = cleave_interp::run_program(&module, cleave_interp::Options::default());
    Ok((outcome.stdout, outcome.stderr, outcome.status == 0))
}
