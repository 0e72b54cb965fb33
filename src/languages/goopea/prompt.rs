//! GOOPEA in the interactive command. Definitions stand one behind the other, and an expression is the main function.

use crate::languages::prompt::{Definitions, Kind, Main, Prompt, first_name, is_type, joined};
use cleave_strict::ide::Symbol;

pub struct GoopeaPrompt;

impl Prompt for GoopeaPrompt {
    fn program(&self, known: &Definitions, main: Main<'_>) -> String {
        let lets: String = known.lets.iter().map(|line| format!("{} in ", line.1.trim_end_matches(';'))).collect();
        let main = match main {
            Main::Nothing => format!("(): Int main = {lets}0;"),
            Main::Named { name, text } => format!("(): Int main = {lets}let {name} = {text} in 0;"),
            Main::Printed { text, ty } | Main::Computed { text, ty } => format!("(): {ty} main = {lets}{text};"),
        };
        format!("{}{main}\n", joined(&known.items))
    }

    fn definition(&self, text: &str) -> Option<(Kind, String)> {
        if text.split_whitespace().next() == Some("enum") {
            return Some((Kind::Item, format!("enum {}", first_name(text.split_once("enum")?.1))));
        }
        if is_binding(text) {
            return Some((Kind::Let, first_name(text.split_once("let")?.1)));
        }
        // `Types: Types name parameters = …;`, perhaps with `fip` before it.
        let rest = text.trim_start().strip_prefix("fip ").unwrap_or(text).trim_start();
        if !rest.ends_with(';') || !rest.starts_with(|letter: char| letter == '(' || letter.is_ascii_uppercase()) {
            return None;
        }
        let (_, behind) = rest.split_once(':')?;
        let is_name = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '_');
        let words = behind.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
        Some((Kind::Item, words.filter(|word| !word.is_empty()).find(is_name)?.to_string()))
    }

    /// A definition ends with a semicolon; its types alone are none yet.
    fn is_whole(&self, text: &str) -> bool {
        let is_begun = text.starts_with("enum") || text.starts_with("fip ") || is_signature(text);
        !is_begun || text.ends_with(';')
    }

    /// Nothing can print but the value of the main function.
    fn lets_print(&self) -> bool {
        false
    }

    /// A tuple has no name as a whole.
    fn tells_type_by_error(&self) -> bool {
        true
    }

    /// What is known of the place of a function begins with its name, but its types stand before that.
    fn definitions(&self, text: &str, symbols: &[Symbol]) -> Definitions {
        let mut found = Definitions::default();
        let mut before = 0;
        for symbol in symbols.iter().filter(|symbol| symbol.within.is_none()) {
            let end = symbol.extent.end as usize;
            let end = text[end..].find(';').map_or(text.len(), |at| end + at + 1);
            let whole = text.get(before..end).unwrap_or_default().trim().to_string();
            before = before.max(end);
            let name = if is_type(symbol) { format!("enum {}", symbol.name) } else { symbol.name.clone() };
            if symbol.name != "main" {
                found.items.push((name, whole));
            }
        }
        found
    }
}

/// `let name = value` without the expression for which it is made: it holds for what is said from then on.
fn is_binding(text: &str) -> bool {
    let lexemes = cleave_goopea::lexemes(text.as_bytes());
    let count = |word: &str| lexemes.iter().filter(|(range, _)| text[range.clone()] == *word).count();
    text.split_whitespace().next() == Some("let") && count("let") > count("in")
}

/// `Int: Int` or `(A, B): C`, with more behind it or not.
fn is_signature(text: &str) -> bool {
    let Some((types, _)) = text.split_once(':') else { return false };
    let is_type = |letter: char| letter.is_ascii_alphanumeric() || "(), _".contains(letter);
    types.starts_with(|letter: char| letter == '(' || letter.is_ascii_uppercase()) && types.chars().all(is_type)
}
