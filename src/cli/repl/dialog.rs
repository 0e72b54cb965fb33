//! What one can say in a conversation, in whatever language.
// Completion is for terminals.
#![cfg_attr(not(feature = "line-editor"), allow(dead_code))]

use std::path::Path;

/// What one says to a language.
pub trait Dialog {
    /// The lines so far are a whole: nothing has to follow.
    fn is_whole(&self, text: &str) -> bool;
    /// A definition or an expression; gives what is printed.
    fn enter(&mut self, text: &str) -> Result<String, String>;
    /// The type of an expression.
    fn type_of(&mut self, text: &str) -> Result<String, String>;
    /// The text of a stage of the compiler.
    fn stage(&mut self, point: &str, text: &str) -> Result<String, String>;
    /// Definitions of a file.
    fn load(&mut self, path: &Path, text: &str) -> Result<String, String>;
    /// The names that may stand where a text ends, if one has begun with what is there.
    fn candidates(&self, before: &str) -> Vec<String>;
    /// All definitions.
    fn list(&self) -> String;
    fn reset(&mut self);
}

/// The commands that the help lists.
pub const COMMANDS: [&str; 8] = [":help", ":list", ":load", ":quit", ":reset", ":stage", ":type", ":?"];

/// Where the name begins with which a text ends, or the end of the text.
pub fn name_start(text: &str) -> usize {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.trim_end_matches(is_part).len()
}
