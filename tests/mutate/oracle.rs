//! What must hold for any input: parsing and compiling end, without a panic, either with errors that can be shown or
//! with a module of WebAssembly, which the back end validates.

use crate::mutate::Seed;
use cleave::driver::pipeline::{self, Stop};
use cleave::driver::session::{Options, Session};
use cleave::languages::clean::Modules;
use cleave_clean::{ModuleIndex, system};
use cleave_diag::{FileId, Sink, SourceMap, human, json, short};

/// How an execution ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The parser, or the index of a module, has errors.
    RefusedByParser,
    /// The front end has errors.
    RefusedByBuilder,
    /// The back end has errors: limits of engines.
    RefusedByTarget,
    Accepted,
}

/// Parses a text. Panics if the parser and its messages contradict each other.
pub fn parse(text: &[u8]) -> Verdict {
    let mut sink = Sink::new();
    let module = cleave_clean::parse(FileId(0), "main", text, &mut sink);
    assert_eq!(module.is_none(), sink.has_errors(), "a module or errors");
    if let Some(module) = &module {
        assert!(module.lines().count() <= 2 * text.len(), "items come from lines");
    }
    let verdict = match module {
        Some(_) => Verdict::Accepted,
        None => Verdict::RefusedByParser,
    };
    if !sink.diagnostics().is_empty() {
        let mut sources = SourceMap::new();
        sources.add("main.abc", text.to_vec());
        show(&sink, &sources);
    }
    verdict
}

/// Renders all messages: their spans must lie inside their files.
fn show(sink: &Sink, sources: &SourceMap) {
    for (index, diagnostic) in sink.diagnostics().iter().enumerate() {
        assert!(!diagnostic.message.is_empty(), "a message says something");
        // The long forms cost more than everything else.
        if index == 0 {
            let _ = human(diagnostic, sources, false);
            let _ = json(diagnostic, sources);
        }
        let line = short(diagnostic, sources);
        assert!(!line.trim_end().contains('\n'), "a short message is one line: {line:?}");
    }
}

/// Compiles a program as the driver does, but from memory.
pub fn compile(program: &Seed, verify: bool) -> Verdict {
    let mut session = Session::new(Options { verify_each: verify, ..Options::default() });
    let mut loaded = Modules { modules: Vec::new(), indexes: Vec::new(), main: 1, searched: Vec::new() };
    let ours = [("_system", system::SOURCE.as_bytes())];
    let others = program.modules.iter().map(|module| (module.name.as_str(), &module.text[..]));
    let mut names: Vec<String> = Vec::new();
    for (name, text) in ours.into_iter().chain(others) {
        let file = session.sources.add(format!("{name}.abc"), text.to_vec());
        let Some(module) = cleave_clean::parse(file, name, text, &mut session.sink) else { continue };
        loaded.indexes.push(ModuleIndex::build(&module, &mut session.sink));
        names.push(module.name.clone());
        loaded.modules.push(module);
    }
    // The loader refuses two modules of one name, too.
    let twice = (1..names.len()).any(|index| names[..index].contains(&names[index]));
    if twice || session.check().is_err() {
        show(&session.sink, &session.sources);
        return Verdict::RefusedByParser;
    }
    let compiled = pipeline::compile(&mut session, Box::new(loaded), Stop::Code, &[]);
    assert_eq!(compiled.is_err(), session.sink.has_errors(), "a program or errors");
    show(&session.sink, &session.sources);
    match compiled {
        Ok(compiled) => {
            assert!(compiled.wasm.starts_with(b"\0asm"), "the result is WebAssembly");
            Verdict::Accepted
        }
        Err(_) if session.counts.get("functions built").is_some() => Verdict::RefusedByTarget,
        Err(_) => Verdict::RefusedByBuilder,
    }
}
