//! The command `repl`: definitions and expressions, line by line. What was defined is one program, which grows; an
//! expression becomes its main function, and is interpreted. So a conversation means what a program with the same
//! definitions means.
//!
//! `language` says how the languages differ · `ir` is for IR, whose functions are called by name · `dialog` is what
//! both can be asked · `entries` reads what is said: from stdin, or, if that is a terminal, by an editor of lines with
//! history and completion (`line_editor`).

mod dialog;
mod entries;
mod ir;
mod language;
#[cfg(all(feature = "line-editor", not(target_family = "wasm")))]
mod line_editor;

use crate::cli::emit::EmitArg;
use crate::cli::exit_code::{FAILURE, written};
use crate::driver::input;
use crate::driver::output::write_stdout;
use crate::driver::session::{Options, Outcome, Session};
use crate::languages;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};
use cleave_diag::{Diagnostic, Severity, Sink, SourceMap, code, short};
use dialog::Dialog;
use ir::Ir;
use language::Sources;
use std::cell::{Cell, RefCell};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Reads definitions and expressions; of an expression it prints the value and the type. `:help` lists what else can be
/// asked.
#[derive(Debug, Args)]
pub struct ReplArgs {
    /// A file whose definitions are there from the beginning
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// The language, by the ending of its files [default: that of FILE, or goo]
    #[arg(long, value_name = "ENDING", value_parser = endings())]
    pub language: Option<String>,
}

/// Endings of languages with a prompt.
fn endings() -> PossibleValuesParser {
    let languages = languages::ALL.iter().filter(|language| language.prompt().is_some());
    languages.flat_map(|language| language.extensions()).copied().chain(["ir"]).collect::<Vec<_>>().into()
}

const HELP: &str = "\
a definition             is kept; one of the same name takes its place
an expression            is computed; its value and its type are printed
:type EXPRESSION         only the type
:load FILE               the definitions of a file, instead of all so far
:list                    what is defined
:stage NAME EXPRESSION   what the compiler makes of it: core, ir, ir:PASS
:reset                   nothing is defined any more
:quit                    the end, as is the end of the input
";

/// Reads until the input ends.
pub fn run(session: &mut Session, args: &ReplArgs) -> Outcome<i32> {
    // `cleave repl samlang` means the language, unless there is such a file.
    let named = args.file.as_ref().filter(|file| !file.exists()).and_then(|file| named(file.to_str()?));
    let file = args.file.as_ref().filter(|_| named.is_none());
    let ending = file.and_then(|file| file.extension()?.to_str());
    let ending = args.language.as_deref().or(named).or(ending).unwrap_or("goo");
    let mut dialog: Box<dyn Dialog> = match (ending, Sources::new(ending)) {
        ("ir", _) => Box::new(Ir::default()),
        (_, Some(sources)) => Box::new(sources),
        (_, None) => {
            let message = format!("there is no conversation in the language of `.{ending}` files");
            let known = languages::endings(|language| language.prompt().is_some());
            let help = format!("there is one for {known}, `.ir` (IR)");
            return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)));
        }
    };
    let is_terminal = std::io::stdin().is_terminal();
    let mut failed = false;
    let is_lost = Cell::new(false);
    let mut tell = |answer: Result<String, String>| {
        let (text, is_error) = answer.map_or_else(|text| (text, true), |text| (text, false));
        failed |= is_error;
        let text = if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" };
        is_lost.set(written(write_stdout(text.as_bytes())) != 0);
    };
    if let Some(file) = file {
        tell(load(&mut *dialog, file));
    }
    let dialog = Rc::new(RefCell::new(dialog));
    let mut entries = entries::of(Rc::clone(&dialog), ending);
    while let Some(text) = entries.next() {
        if text.trim_start().starts_with(':') {
            let (command, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
            if matches!(command, ":quit" | ":q") {
                break;
            }
            tell(answer(&mut **dialog.borrow_mut(), command, rest.trim()));
        } else if let Some(word) = plain_command(&text, &**dialog.borrow()) {
            if word != "help" {
                break;
            }
            tell(Ok(HELP.to_string()));
        } else {
            tell(dialog.borrow_mut().enter(&text));
        }
        // Nobody reads the answers.
        if is_lost.get() {
            return Ok(FAILURE);
        }
    }
    Ok(ended(failed, is_terminal))
}

/// The ending of the files of a language with a prompt that has this name.
fn named(name: &str) -> Option<&'static str> {
    let language = languages::by_editor_name(&name.to_lowercase()).filter(|language| language.prompt().is_some());
    language.and_then(|language| language.extensions().first().copied())
}

/// A command that is written without its colon, and is no name that is defined.
fn plain_command<'t>(text: &'t str, dialog: &dyn Dialog) -> Option<&'t str> {
    let word = text.trim().trim_end_matches(';').trim_end_matches("()");
    let is_command = matches!(word, "exit" | "quit" | "help");
    (is_command && !dialog.candidates(word).iter().any(|name| name == word)).then_some(word)
}

/// A conversation that somebody has does not fail.
fn ended(failed: bool, is_terminal: bool) -> i32 {
    if failed && !is_terminal { FAILURE } else { 0 }
}

fn answer(dialog: &mut dyn Dialog, command: &str, rest: &str) -> Result<String, String> {
    match command {
        ":help" | ":h" | ":?" => Ok(HELP.to_string()),
        ":type" | ":t" => dialog.type_of(rest),
        ":load" | ":l" => load(dialog, Path::new(rest)),
        ":list" => Ok(dialog.list()),
        ":reset" => {
            dialog.reset();
            Ok(String::new())
        }
        ":stage" => {
            let (name, text) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let kind = name.parse::<EmitArg>().map(|emit| emit.kind);
            let point = kind.map(|kind| kind.point().map(str::to_string));
            match point {
                Ok(Some(point)) => dialog.stage(&point, text.trim()),
                Ok(None) => Err(format!("`{name}` is no text: take `core`, `ir`, or `ir:PASS`")),
                Err(why) => Err(why),
            }
        }
        _ => Err(format!("there is no `{command}`; `:help` lists what there is")),
    }
}

fn load(dialog: &mut dyn Dialog, path: &Path) -> Result<String, String> {
    let text = input::read_text(path).map_err(|error| format!("{}: {error}", path.display()))?;
    dialog.load(path, &text)
}

/// A session that says nothing of lints.
fn quiet() -> Session {
    Session::new(Options::default())
}

/// What is wrong, a line for each message.
fn problems(sink: &Sink, sources: &SourceMap) -> String {
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

/// The brackets of a text are closed. Strings and comments are left out.
fn is_closed(text: &str) -> bool {
    let mut depth = 0i64;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            '"' => {
                while let Some(inside) = letters.next() {
                    match inside {
                        '\\' => _ = letters.next(),
                        '"' | '\n' => break,
                        _ => {}
                    }
                }
            }
            '/' if letters.peek() == Some(&'/') => while letters.next().is_some_and(|inside| inside != '\n') {},
            _ => {}
        }
    }
    depth <= 0
}
