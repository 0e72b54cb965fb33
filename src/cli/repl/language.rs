//! A conversation in a source language, whose prompt says how definitions and expressions become programs. To find the
//! type of an expression it is given a name, and the front end is asked for the type of that.

use super::dialog::name_start;
use super::{Dialog, is_closed, problems, quiet};
use crate::driver::pipeline::Stop;
use crate::driver::snippet::{self, BEHIND};
use crate::languages;
use crate::languages::prompt::{Definitions, Kind, Main, Prompt, joined};
use cleave_diag::{Severity, Sink, SourceMap, code};
use cleave_strict::ide::{LazyPlaces, SymbolKind, TYPED};
use cleave_strict::lexemes::Lexeme;
use std::path::{Path, PathBuf};

/// In the names of values whose own names mean others by now.
const RETIRED: &str = "__before";

/// The name of an expression whose type is asked for.
const VALUE: &str = "replValue";

/// What was said so far.
pub struct Sources {
    ending: String,
    prompt: &'static dyn Prompt,
    /// Where files are looked for.
    path: PathBuf,
    known: Definitions,
    /// So much the lets print.
    printed: usize,
}

impl Sources {
    /// A conversation in the language of files with this ending; nothing if it has no prompt.
    pub fn new(ending: &str) -> Option<Sources> {
        let prompt = languages::by_extension(ending)?.prompt()?;
        let path = PathBuf::from(format!("repl.{ending}"));
        Some(Sources { ending: ending.to_string(), prompt, path, known: Definitions::default(), printed: 0 })
    }

    fn look(&self, main: Main<'_>) -> Result<(LazyPlaces, SourceMap, Sink), String> {
        let program = self.prompt.program(&self.known, main);
        snippet::look(&self.path, &program, None).ok_or_else(|| "the language answers nothing".to_string())
    }

    /// The type of an expression, or what is wrong with it.
    fn typed(&self, text: &str) -> Result<String, String> {
        let (places, sources, sink) = self.look(Main::Named { name: VALUE, text })?;
        let text = problems(&sink, &sources);
        let mut variables = places.occurrences.iter().filter(|one| one.sort == SymbolKind::Variable);
        match variables.find_map(|one| one.text.type_of(VALUE)) {
            Some(ty) if text.is_empty() => Ok(ty.to_string()),
            _ if self.prompt.tells_type_by_error() => self.typed_by_error(&sink).ok_or(text),
            _ => Err(text),
        }
    }

    fn typed_by_error(&self, sink: &Sink) -> Option<String> {
        let errors: Vec<_> = sink.diagnostics().iter().filter(|one| one.severity == Severity::Error).collect();
        let [error] = errors[..] else { return None };
        let label = error.primary.as_ref()?;
        let is_tuple = matches!(error.code, code::UNEXPECTED_TUPLE | code::LET_COUNT);
        let ty = [&label.text, &error.message]
            .into_iter()
            .find_map(|text| text.split('`').skip(1).step_by(2).find(|word| word.starts_with('(')));
        ty.filter(|_| is_tuple).map(str::to_string)
    }

    fn evaluate(&mut self, text: &str) -> Result<String, String> {
        let ty = self.typed(text)?;
        let ran = self.interpreted(Main::Printed { text, ty: &ty })?;
        let output = ran.output.get(self.printed..).unwrap_or_default();
        let output = output.trim_end_matches('\n');
        if ran.status != 0 {
            let before = if output.is_empty() { String::new() } else { format!("{output}\n") };
            return Err(format!("{before}{}", ran.message));
        }
        let line = if self.prompt.shows_type(&ty) { format!("{output}: {ty}") } else { output.to_string() };
        Ok(line.trim_start_matches('\n').to_string())
    }

    fn interpreted(&self, main: Main<'_>) -> Result<snippet::Ran, String> {
        let session = &mut quiet();
        snippet::run(session, &self.path, &self.prompt.program(&self.known, main))
            .map_err(|_| problems(&session.sink, &session.sources))
    }

    /// Keeps a definition, unless something is wrong then.
    fn define(&mut self, kind: Kind, name: &str, text: &str) -> Result<String, String> {
        let before = self.known.clone();
        let list = match kind {
            Kind::Import => {
                self.known.imports.push(text.to_string());
                None
            }
            Kind::Item => Some(&mut self.known.items),
            Kind::Function => Some(&mut self.known.functions),
            Kind::Let => Some(&mut self.known.lets),
        };
        if let Some(list) = list {
            match list.iter_mut().find(|part| part.0 == name && kind != Kind::Let) {
                Some(part) => part.1 = text.to_string(),
                None => list.push((name.to_string(), text.to_string())),
            }
        }
        if kind == Kind::Let {
            self.retire(name);
        }
        let checked = self.look(Main::Nothing).and_then(|(_, sources, sink)| match problems(&sink, &sources) {
            text if text.is_empty() => Ok(()),
            text => Err(text),
        });
        let printed = checked.and_then(|()| match kind {
            Kind::Let if self.prompt.lets_print() => self.printed_by_lets(),
            // What nobody uses need not be computed, but its value is wanted now.
            Kind::Let => self.evaluate(name).map(|_| String::new()),
            _ => Ok(String::new()),
        });
        match printed {
            Ok(text) => Ok(text),
            Err(text) => {
                self.known = before;
                Err(text)
            }
        }
    }

    /// A name has got another value by the last `let`. What was computed with the value before keeps that: it is what
    /// another name stands for, which nobody is told.
    fn retire(&mut self, name: &str) {
        let lets = &mut self.known.lets;
        let Some((_, before)) = lets.split_last_mut() else { return };
        let Some(old) = before.iter().rposition(|part| part.0 == name) else { return };
        let (hidden, count) = (format!("{name}{RETIRED}{old}"), before.len());
        let Some(language) = languages::by_extension(&self.ending) else { return };
        // The value of the new one may be computed from the old one.
        for (number, part) in lets.iter_mut().enumerate().skip(old) {
            let lexemes = language.lexemes(part.1.as_bytes()).unwrap_or_default();
            let places = lexemes.iter().filter(|(range, lexeme)| {
                *lexeme == Lexeme::Name && part.1[range.clone()] == *name && !part.1[..range.start].ends_with('.')
            });
            let skipped = usize::from(number == count);
            let places: Vec<usize> = places.skip(skipped).map(|(range, _)| range.start).collect();
            for start in places.into_iter().rev() {
                part.1.replace_range(start..start + name.len(), &hidden);
            }
        }
        lets[old].0 = hidden;
    }

    /// What the last `let` prints.
    fn printed_by_lets(&mut self) -> Result<String, String> {
        let ran = self.interpreted(Main::Nothing)?;
        if ran.status != 0 {
            return Err(ran.message);
        }
        let text = ran.output.get(self.printed..).unwrap_or_default().to_string();
        self.printed = ran.output.len();
        Ok(text)
    }
}

impl Dialog for Sources {
    fn is_whole(&self, text: &str) -> bool {
        let text = text.trim();
        let ends =
            |word: &str| text.strip_suffix(word).is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', '}']));
        let goes_on = text.ends_with(['=', ':', ',', '+', '-', '*', '/', '%', '<', '.'])
            || ["->", "&&", "||"].iter().any(|sign| text.ends_with(sign))
            || ["else", "in"].into_iter().any(ends);
        if !is_closed(text) || goes_on {
            return false;
        }
        self.prompt.is_whole(text)
    }

    fn enter(&mut self, text: &str) -> Result<String, String> {
        let text = text.trim();
        let answer = match self.prompt.definition(text) {
            Some((kind, name)) => {
                let text = match kind {
                    Kind::Let => format!("{};", text.trim_end_matches([';', ' '])),
                    _ => text.to_string(),
                };
                self.define(kind, &name, &text)
            }
            None => self.evaluate(text.trim_end_matches(';').trim_end()),
        };
        // An empty line has ended it, and what is wrong is what we have put behind it.
        let is_cut = answer.is_err() && !self.is_whole(text);
        if is_cut { Err("this is not finished".to_string()) } else { answer }
    }

    fn type_of(&mut self, text: &str) -> Result<String, String> {
        self.typed(text.trim().trim_end_matches(';'))
    }

    fn stage(&mut self, point: &str, text: &str) -> Result<String, String> {
        let text = text.trim_end_matches(';');
        let ty = if text.is_empty() { String::new() } else { self.typed(text)? };
        let main = if text.is_empty() { Main::Nothing } else { Main::Computed { text, ty: &ty } };
        let program = self.prompt.program(&self.known, main);
        let mut session = quiet();
        let points = [point.to_string()];
        let compiled = snippet::compile(&mut session, &self.path, &program, Stop::Low, &points);
        let compiled = compiled.map_err(|_| problems(&session.sink, &session.sources))?;
        snippet::snapshot(&compiled, point)
    }

    fn load(&mut self, path: &Path, text: &str) -> Result<String, String> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if ending != self.ending {
            return Err("the file is in another language than this conversation".to_string());
        }
        let (places, sources, sink) = snippet::look(path, text, None).ok_or("the language answers nothing")?;
        let wrong = problems(&sink, &sources);
        if !wrong.is_empty() {
            return Err(wrong);
        }
        self.path = path.with_file_name(format!("repl.{ending}"));
        (self.known, self.printed) = (self.prompt.definitions(text, &places.symbols), 0);
        Ok(String::new())
    }

    fn candidates(&self, before: &str) -> Vec<String> {
        let start = name_start(before);
        let (rest, begin) = before.split_at(start);
        let typed = TYPED[usize::from(begin.starts_with(|first: char| first.is_ascii_uppercase()))];
        // Brackets that are still open are closed for now.
        let programs = BEHIND.iter().map(|behind| {
            let text = format!("{rest}{typed}{behind}");
            self.prompt.program(&self.known, Main::Named { name: VALUE, text: &text })
        });
        let found = programs.filter_map(|program| snippet::look(&self.path, &program, Some(typed)));
        let Some((places, ..)) = { found }.find(|(places, ..)| places.is_exact) else { return Vec::new() };
        let names = places.candidates.iter().map(|candidate| candidate.name.clone());
        let mut names: Vec<String> = names.filter(|name| name.starts_with(begin) && name != VALUE).collect();
        names.sort();
        names.dedup();
        names
    }

    fn list(&self) -> String {
        let Definitions { imports, items, functions, lets } = &self.known;
        let imports = imports.iter().map(|import| format!("{import}\n"));
        let lets: Vec<(String, String)> = lets.iter().filter(|part| !part.0.contains(RETIRED)).cloned().collect();
        imports.chain([items, functions, &lets].into_iter().map(|parts| joined(parts))).collect()
    }

    fn reset(&mut self) {
        (self.known, self.printed) = (Definitions::default(), 0);
        self.path = PathBuf::from(format!("repl.{}", self.ending));
    }
}
