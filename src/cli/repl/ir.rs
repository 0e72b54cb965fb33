//! IR: functions are kept, and called by name.

use super::dialog::name_start;
use super::{Dialog, is_closed, problems, quiet};
use crate::driver::interpret;
use crate::driver::pipeline::{self, Stop};
use crate::driver::{snippet, trace};
use cleave_ir::Module;
use std::path::Path;

/// The functions, tables and types so far, each with its name.
#[derive(Default)]
pub struct Ir {
    parts: Vec<(String, String)>,
}

/// The name of what a text defines: the first word with a sign before it, as in `func @f(…)`.
fn name(text: &str) -> String {
    let start = text.find(['@', '%', '$']).unwrap_or(0);
    let is_end = |letter: char| letter.is_whitespace() || "({=:".contains(letter);
    let end = text[start..].find(is_end).map_or(text.len(), |end| start + end);
    text[start..end].to_string()
}

/// Where the parts of a file begin: lines that are not inside of a function.
fn parts(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let is_comment = line.trim_start().starts_with(';') || line.trim().is_empty();
        if is_open {
            let last = parts.last_mut().expect("a part is open");
            *last += &format!("\n{line}");
        } else if !is_comment && !line.starts_with("module ") && !line.starts_with("start ") {
            parts.push(line.to_string());
        }
        is_open = (is_open || line.starts_with("func ")) && line != "}";
    }
    parts
}

impl Ir {
    fn module(&self) -> Result<Module, String> {
        let texts: Vec<&str> = self.parts.iter().map(|part| &part.1[..]).collect();
        let mut session = quiet();
        session.options.error_lines = true;
        let path = Path::new("repl.ir");
        let file = session.sources.add("repl.ir", texts.join("\n").into_bytes());
        interpret::ir_of(&mut session, file, path).map_err(|_| problems(&session.sink, &session.sources))
    }

    fn define(&mut self, text: &str) -> Result<String, String> {
        let name = name(text);
        let before = self.parts.clone();
        match self.parts.iter_mut().find(|part| part.0 == name) {
            Some(part) => part.1 = text.to_string(),
            None => self.parts.push((name, text.to_string())),
        }
        self.module().map(|_| String::new()).inspect_err(|_| self.parts = before)
    }

    fn signature(&self, name: &str) -> Result<String, String> {
        let module = self.module()?;
        let func =
            module.funcs.values().find(|func| func.name == name).ok_or(format!("there is no function @{name}"))?;
        Ok(func.signature.to_string())
    }
}

impl Dialog for Ir {
    fn is_whole(&self, text: &str) -> bool {
        is_closed(text)
    }

    fn enter(&mut self, text: &str) -> Result<String, String> {
        let call = text.trim().strip_prefix("call ").unwrap_or(text.trim());
        let Some(call) = call.strip_prefix('@') else {
            let first = text.trim().split(|letter: char| !letter.is_ascii_lowercase()).next().unwrap_or_default();
            let help = "  a definition begins with `func`, `table`, `type` …; a function is called by `@f(1, 2)`";
            let is_item = text.trim().contains(['\n', '{']) || matches!(first, "func" | "type" | "table");
            return self.define(text.trim()).map_err(|why| if is_item { why } else { why + help });
        };
        let (name, arguments) = call.split_once('(').ok_or("a call is `@function(1, 2)`")?;
        let arguments = arguments.trim_end().trim_end_matches(')');
        let words = arguments.split(',').map(|word| word.trim().to_string()).filter(|word| !word.is_empty());
        let words: Vec<String> = words.collect();
        let module = self.module()?;
        interpret::call(&module, name.trim(), &words, trace::ir_names(&module).as_deref())
            .map(|results| results.join(", "))
    }

    fn type_of(&mut self, text: &str) -> Result<String, String> {
        self.signature(text.trim().trim_start_matches('@'))
    }

    fn stage(&mut self, point: &str, text: &str) -> Result<String, String> {
        let mut module = self.module()?;
        let name = text.trim().trim_start_matches('@');
        module.start = module.funcs.iter().find(|(_, func)| func.name == name).map(|(id, _)| id);
        if module.start.is_none() {
            return Err("name the function from which on it is compiled: `:stage ir @f`".to_string());
        }
        let mut session = quiet();
        session.options.library = true;
        let compiled = pipeline::compile_ir(&mut session, module, Stop::Low, &[point.to_string()]);
        let compiled = compiled.map_err(|_| problems(&session.sink, &session.sources))?;
        snippet::snapshot(&compiled, point)
    }

    fn load(&mut self, _: &Path, text: &str) -> Result<String, String> {
        let all = parts(text);
        self.parts = all.into_iter().map(|part| (name(&part), part)).collect();
        self.module().map(|_| String::new())
    }

    fn candidates(&self, before: &str) -> Vec<String> {
        let start = name_start(before);
        let names = self.parts.iter().map(|part| part.0.trim_start_matches(['@', '%', '$']));
        names.filter(|name| name.starts_with(&before[start..])).map(str::to_string).collect()
    }

    fn list(&self) -> String {
        self.parts.iter().map(|part| format!("{}\n", part.1)).collect()
    }

    fn reset(&mut self) {
        self.parts.clear();
    }
}
