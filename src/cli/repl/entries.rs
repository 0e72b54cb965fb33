//! What is said in a conversation: a definition or an expression, perhaps of several lines, or a command of one line.

use super::dialog::Dialog;
use crate::cli::exit_code::written;
use crate::driver::output::write_stdout;
use std::cell::RefCell;
use std::io::{BufRead, IsTerminal, Lines, StdinLock, stdin};
use std::rc::Rc;

/// The dialog is asked whether an entry is a whole.
pub type Shared = Rc<RefCell<Box<dyn Dialog>>>;

/// Where entries come from.
pub trait Entries {
    /// The next one that is not empty; none when the input ends.
    fn next(&mut self) -> Option<String>;
}

/// Entries from stdin. `ending` is that of the language's files: each has a history of its own.
pub fn of(dialog: Shared, ending: &str) -> Box<dyn Entries> {
    #[cfg(all(feature = "line-editor", not(target_family = "wasm")))]
    if stdin().is_terminal()
        && let Some(editor) = super::line_editor::LineEditor::new(&dialog, ending)
    {
        return Box::new(editor);
    }
    _ = ending;
    Box::new(Plain { dialog, lines: stdin().lock().lines(), is_terminal: stdin().is_terminal() })
}

/// No more has to follow. An empty line ends what is not a whole.
pub fn is_whole(dialog: &dyn Dialog, text: &str) -> bool {
    text.trim_start().starts_with(':') || text.ends_with('\n') || text.trim().is_empty() || dialog.is_whole(text)
}

/// Lines as they come; a terminal is shown that they are waited for.
struct Plain {
    dialog: Shared,
    lines: Lines<StdinLock<'static>>,
    is_terminal: bool,
}

impl Entries for Plain {
    fn next(&mut self) -> Option<String> {
        let mut text = String::new();
        loop {
            if self.is_terminal {
                written(write_stdout(if text.is_empty() { b"> " } else { b". " }));
            }
            let Some(Ok(line)) = self.lines.next() else {
                return Some(text).filter(|text| !text.trim().is_empty());
            };
            if !text.is_empty() {
                text.push('\n');
            }
            text += &line;
            if text.trim().is_empty() {
                text.clear();
            } else if is_whole(&**self.dialog.borrow(), &text) {
                return Some(text);
            }
        }
    }
}
