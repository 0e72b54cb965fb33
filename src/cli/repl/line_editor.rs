//! An editor of lines for terminals: arrows, history that is kept, completion by the tab key.

use super::dialog::{COMMANDS, name_start};
use super::entries::{Entries, Shared, is_whole};
use crate::driver::cache;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::path::PathBuf;

/// So many entries are kept.
const HISTORY: usize = 1000;

pub struct LineEditor {
    editor: Editor<Assistant, DefaultHistory>,
    /// None if no folder is known for it.
    history: Option<PathBuf>,
}

impl LineEditor {
    /// None if the terminal cannot be used.
    pub fn new(dialog: &Shared, ending: &str) -> Option<LineEditor> {
        let config = Config::builder().max_history_size(HISTORY).ok()?.completion_type(CompletionType::List).build();
        let mut editor = Editor::with_config(config).ok()?;
        editor.set_helper(Some(Assistant { dialog: dialog.clone(), files: FilenameCompleter::new() }));
        let history = cache::folder().map(|folder| folder.join(format!("history-{ending}")));
        if let Some(path) = &history {
            // The first conversation has none.
            _ = editor.load_history(path);
        }
        Some(LineEditor { editor, history })
    }
}

impl Entries for LineEditor {
    fn next(&mut self) -> Option<String> {
        loop {
            match self.editor.readline("> ") {
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => {
                    _ = self.editor.add_history_entry(text.trim_end());
                    return Some(text);
                }
                // What was being typed is given up.
                Err(ReadlineError::Interrupted) => {}
                Err(_) => return None,
            }
        }
    }
}

impl Drop for LineEditor {
    fn drop(&mut self) {
        if let Some(path) = &self.history
            && path.parent().is_some_and(|folder| std::fs::create_dir_all(folder).is_ok())
        {
            // Without history the conversation was the same.
            _ = self.editor.save_history(path);
        }
    }
}

/// What the editor asks.
struct Assistant {
    dialog: Shared,
    files: FilenameCompleter,
}

impl Helper for Assistant {}
impl Highlighter for Assistant {}
impl Hinter for Assistant {
    type Hint = String;
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match is_whole(&**self.dialog.borrow(), context.input()) {
            true => ValidationResult::Valid(None),
            false => ValidationResult::Incomplete,
        })
    }
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, context: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = &line[..at];
        let mut text = before;
        if let Some(command) = COMMANDS.into_iter().find(|command| before.starts_with(&format!("{command} "))) {
            if command == ":load" {
                return self.files.complete(line, at, context);
            }
            text = &before[command.len() + 1..];
            if command == ":stage" {
                // Behind the name of the stage.
                text = text.split_once(' ').map_or("", |parts| parts.1);
            }
        } else if before.starts_with(':') {
            let found = COMMANDS.into_iter().filter(|command| command.starts_with(before));
            return Ok((0, found.map(|command| pair(command.to_string())).collect()));
        }
        let start = name_start(before);
        Ok((start, self.dialog.borrow().candidates(text).into_iter().map(pair).collect()))
    }
}

fn pair(text: String) -> Pair {
    Pair { display: text.clone(), replacement: text }
}
