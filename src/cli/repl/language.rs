//! GOOPEA and samlang. Definitions stand one behind the other; what `let` names in samlang stands before each
//! expression. To find the type of an expression it is given a name, and the front end is asked for the type of that.

use super::{Dialog, is_closed, problems, quiet};
use crate::driver::pipeline::Stop;
use crate::driver::session::Session;
use crate::driver::snippet;
use cleave_diag::{Severity, Sink, SourceMap, code, short};
use cleave_strict::ide::{Places, SymbolKind};
use std::path::{Path, PathBuf};

/// The name of an expression whose type is asked for.
const VALUE: &str = "replValue";

/// What was said so far.
pub struct Sources {
    is_samlang: bool,
    /// Where files are looked for.
    path: PathBuf,
    /// Imports of samlang.
    imports: Vec<String>,
    /// Classes, types and functions, with their names.
    definitions: Vec<(String, String)>,
    /// Functions of samlang that stand in no class.
    functions: Vec<(String, String)>,
    /// What `let` names in samlang.
    lets: Vec<(String, String)>,
    /// So much the lets print.
    printed: usize,
}

impl Sources {
    pub fn new(ending: &str) -> Sources {
        Sources {
            is_samlang: ending == "sam",
            path: PathBuf::from(format!("repl.{ending}")),
            imports: Vec::new(),
            definitions: Vec::new(),
            functions: Vec::new(),
            lets: Vec::new(),
            printed: 0,
        }
    }

    /// A program whose main function is this.
    fn program(&self, main: &str) -> String {
        let texts = |parts: &[(String, String)]| parts.iter().map(|part| part.1.clone() + "\n").collect::<String>();
        if !self.is_samlang {
            return format!("{}{main}\n", texts(&self.definitions));
        }
        let imports: String = self.imports.iter().map(|import| import.clone() + "\n").collect();
        // A class `Main` of the user gets the functions.
        let functions = format!("{}{main}", texts(&self.functions));
        format!("{imports}{}class Main {{\n{functions}\n}}\n", texts(&self.definitions))
    }

    /// The body of the main function that gives an expression a name.
    fn probe(&self, text: &str) -> String {
        match self.is_samlang {
            true => format!("function main(): unit = {{ {}let {VALUE} = {text}; {{  }} }}", self.let_text()),
            false => format!("(): Int main = let {VALUE} = {text} in 0;"),
        }
    }

    fn let_text(&self) -> String {
        self.lets.iter().map(|line| format!("{} ", line.1)).collect()
    }

    fn look(&self, main: &str) -> Result<(Places, SourceMap, Sink), String> {
        snippet::look(&self.path, &self.program(main)).ok_or_else(|| "the language answers nothing".to_string())
    }

    /// The type of an expression, or what is wrong with it.
    fn typed(&self, text: &str) -> Result<String, String> {
        let (places, sources, sink) = self.look(&self.probe(text))?;
        let text = said(&sink, &sources);
        let found = places.occurrences.iter().find(|one| {
            one.sort == SymbolKind::Variable && one.text.split(':').next().is_some_and(|name| name.trim() == VALUE)
        });
        match found.and_then(|one| one.text.split_once(": ")) {
            Some((_, ty)) if text.is_empty() => Ok(ty.to_string()),
            // A tuple of GOOPEA has no name as a whole: its type is said where another one is wanted.
            _ if !self.is_samlang => self.typed_by_error(&sink).ok_or(text),
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
        let mut session = quiet();
        let main = match self.is_samlang {
            true => format!("function main(): unit = {{ {}{} }}", self.let_text(), shown(text, &ty)),
            false => format!("(): {ty} main = {text};"),
        };
        let ran = self.interpreted(&mut session, &main)?;
        let output = ran.output.get(self.printed..).unwrap_or_default();
        let output = output.trim_end_matches('\n');
        if ran.status != 0 {
            let before = if output.is_empty() { String::new() } else { format!("{output}\n") };
            return Err(format!("{before}{}", ran.message));
        }
        let line = if self.is_samlang && ty == "unit" { output.to_string() } else { format!("{output}: {ty}") };
        Ok(line.trim_start_matches('\n').to_string())
    }

    fn interpreted(&self, session: &mut Session, main: &str) -> Result<snippet::Ran, String> {
        snippet::run(session, &self.path, &self.program(main)).map_err(|_| problems(session))
    }

    /// Keeps a definition, unless something is wrong then.
    fn define(&mut self, kind: Kind, name: &str, text: &str) -> Result<String, String> {
        let before = (self.imports.clone(), self.definitions.clone(), self.functions.clone(), self.lets.clone());
        let list = match kind {
            Kind::Import => {
                self.imports.push(text.to_string());
                None
            }
            Kind::Definition => Some(&mut self.definitions),
            Kind::Function => Some(&mut self.functions),
            Kind::Let => Some(&mut self.lets),
        };
        if let Some(list) = list {
            // What was computed with a variable keeps its value: it gets no other one.
            match list.iter_mut().find(|part| part.0 == name && kind != Kind::Let) {
                Some(part) => part.1 = text.to_string(),
                None => list.push((name.to_string(), text.to_string())),
            }
        }
        let checked = self.look(&self.nothing()).and_then(|(_, sources, sink)| match said(&sink, &sources) {
            text if text.is_empty() => Ok(()),
            text => Err(text),
        });
        let printed = checked.and_then(|()| self.printed_by_lets(kind));
        match printed {
            Ok(text) => Ok(text),
            Err(text) => {
                (self.imports, self.definitions, self.functions, self.lets) = before;
                Err(text)
            }
        }
    }

    /// What the last `let` prints.
    fn printed_by_lets(&mut self, kind: Kind) -> Result<String, String> {
        if kind != Kind::Let {
            return Ok(String::new());
        }
        let ran = self.interpreted(&mut quiet(), &self.nothing())?;
        if ran.status != 0 {
            return Err(ran.message);
        }
        let text = ran.output.get(self.printed..).unwrap_or_default().to_string();
        self.printed = ran.output.len();
        Ok(text)
    }

    /// A main function that does nothing of its own.
    fn nothing(&self) -> String {
        match self.is_samlang {
            true => format!("function main(): unit = {{ {}{{  }} }}", self.let_text()),
            false => "(): Int main = 0;".to_string(),
        }
    }
}

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Import,
    Definition,
    Function,
    Let,
}

/// The first name in a text, which may have parts of other kinds of letters behind it.
fn first_name(text: &str) -> String {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let text = text.trim_start_matches(|letter: char| !is_letter(letter));
    text.chars().take_while(|&letter| is_letter(letter)).collect()
}

impl Sources {
    /// What a text defines, if it is a definition.
    fn definition(&self, text: &str) -> Option<(Kind, String)> {
        let words: Vec<&str> = text.split_whitespace().take(3).collect();
        let first = *words.first()?;
        if self.is_samlang {
            let behind = |word: &str| first_name(text.split_once(word).map_or("", |parts| parts.1));
            return match first {
                "import" => Some((Kind::Import, String::new())),
                "class" | "interface" => Some((Kind::Definition, behind(first))),
                "function" => {
                    let rest = text.trim_start_matches("function").trim_start();
                    let rest = if rest.starts_with('<') { rest.split_once('>').map_or(rest, |it| it.1) } else { rest };
                    Some((Kind::Function, first_name(rest)))
                }
                "let" => Some((Kind::Let, behind("let"))),
                _ => None,
            };
        }
        if first == "enum" {
            return Some((Kind::Definition, format!("enum {}", first_name(text.split_once("enum")?.1))));
        }
        // `Types: Types name parameters = …;`, perhaps with `fip` before it.
        let rest = text.trim_start().strip_prefix("fip ").unwrap_or(text).trim_start();
        if !rest.ends_with(';') || !rest.starts_with(|letter: char| letter == '(' || letter.is_ascii_uppercase()) {
            return None;
        }
        let (_, behind) = rest.split_once(':')?;
        let is_name = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '_');
        let words = behind.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
        Some((Kind::Definition, words.filter(|word| !word.is_empty()).find(is_name)?.to_string()))
    }
}

impl Dialog for Sources {
    fn is_whole(&self, text: &str) -> bool {
        let text = text.trim();
        if !is_closed(text) || text.ends_with(['=', ':', ',']) {
            return false;
        }
        if self.is_samlang {
            return true;
        }
        // A definition ends with a semicolon; its types alone are none yet.
        let is_begun = text.starts_with("enum") || text.starts_with("fip ") || is_signature(text);
        !is_begun || text.ends_with(';')
    }

    fn enter(&mut self, text: &str) -> Result<String, String> {
        let text = text.trim();
        match self.definition(text) {
            Some((kind, name)) => {
                let text = match kind {
                    Kind::Let if !text.ends_with(';') => format!("{text};"),
                    _ => text.to_string(),
                };
                self.define(kind, &name, &text)
            }
            None => self.evaluate(text.trim_end_matches(';').trim_end()),
        }
    }

    fn type_of(&mut self, text: &str) -> Result<String, String> {
        self.typed(text.trim().trim_end_matches(';'))
    }

    fn stage(&mut self, point: &str, text: &str) -> Result<String, String> {
        let text = text.trim_end_matches(';');
        let main = match (text.is_empty(), self.is_samlang) {
            (true, _) => self.nothing(),
            (false, true) => {
                format!("function main(): unit = {{ {}let _ = {text}; {{  }} }}", self.let_text())
            }
            (false, false) => format!("(): {} main = {text};", self.typed(text)?),
        };
        let mut session = quiet();
        let points = [point.to_string()];
        let compiled = snippet::compile(&mut session, &self.path, &self.program(&main), Stop::Low, &points);
        let compiled = compiled.map_err(|_| problems(&session))?;
        snippet::snapshot(&compiled, point)
    }

    fn load(&mut self, path: &Path, text: &str) -> Result<String, String> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let mut fresh = Sources::new(ending);
        if fresh.is_samlang != self.is_samlang {
            return Err("the file is in another language than this conversation".to_string());
        }
        fresh.path = path.with_file_name(format!("repl.{ending}"));
        let found = snippet::look(path, text).ok_or("the language answers nothing")?;
        let wrong = said(&found.2, &found.1);
        if !wrong.is_empty() {
            return Err(wrong);
        }
        for line in text.lines().filter(|line| fresh.is_samlang && line.starts_with("import ")) {
            fresh.imports.push(line.to_string());
        }
        let symbols = &found.0.symbols;
        let mut before = 0;
        let part = |span: cleave_diag::Span| text[span.start as usize..span.end as usize].to_string();
        for symbol in symbols {
            let within = symbol.within.map(|class| symbols[class].name.as_str());
            match (fresh.is_samlang, within) {
                // The functions of the main class are known as such; the others belong to their classes.
                (true, Some("Main")) if symbol.name != "main" => {
                    fresh.functions.push((symbol.name.clone(), part(symbol.extent)));
                }
                (_, Some(_)) => {}
                (true, None) if symbol.name == "Main" => {}
                (true, None) => fresh.definitions.push((symbol.name.clone(), part(symbol.extent))),
                // What is known of the place of a function begins with its name, but its types stand before that.
                (false, None) => {
                    let end = symbol.extent.end as usize;
                    let end = text[end..].find(';').map_or(text.len(), |at| end + at + 1);
                    let whole = text.get(before..end).unwrap_or_default().trim().to_string();
                    before = before.max(end);
                    let is_type = symbol.sort == SymbolKind::Class;
                    let name = if is_type { format!("enum {}", symbol.name) } else { symbol.name.clone() };
                    if symbol.name != "main" {
                        fresh.definitions.push((name, whole));
                    }
                }
            }
        }
        *self = fresh;
        Ok(String::new())
    }

    fn list(&self) -> String {
        let lists = [&self.definitions, &self.functions, &self.lets];
        let imports = self.imports.iter().map(|import| format!("{import}\n"));
        imports.chain(lists.into_iter().flatten().map(|part| format!("{}\n", part.1))).collect()
    }

    fn reset(&mut self) {
        *self = Sources::new(if self.is_samlang { "sam" } else { "goo" });
    }
}

/// `Int: Int` or `(A, B): C`, with more behind it or not.
fn is_signature(text: &str) -> bool {
    let Some((types, _)) = text.split_once(':') else { return false };
    let is_type = |letter: char| letter.is_ascii_alphanumeric() || "(), _".contains(letter);
    types.starts_with(|letter: char| letter == '(' || letter.is_ascii_uppercase()) && types.chars().all(is_type)
}

/// How the value of an expression is printed in samlang.
fn shown(text: &str, ty: &str) -> String {
    match ty {
        "unit" => format!("{text};"),
        "int" => format!("Process.println(Str.fromInt({text}));"),
        "bool" => format!("Process.println(if {text} {{ \"true\" }} else {{ \"false\" }});"),
        "Str" => format!("Process.println(\"\\\"\" :: ({text}) :: \"\\\"\");"),
        _ => format!("let _ = {text}; Process.println(\"<value>\");"),
    }
}

/// What is wrong, a line for each message.
fn said(sink: &Sink, sources: &SourceMap) -> String {
    let mut text = String::new();
    for diagnostic in sink.diagnostics().iter().filter(|one| one.severity == Severity::Error) {
        let line = short(diagnostic, sources);
        text += line.split_once("]: ").map_or(&line[..], |parts| parts.1);
        for help in &diagnostic.help {
            text += &format!("\n  {help}");
        }
        text.push('\n');
    }
    text
}
