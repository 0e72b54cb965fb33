//! Syntax files of Vim, for Neovim without tree-sitter.

use super::languages::{Kind, Language, Pattern};

/// A regular expression as Vim writes it behind `\v`.
fn regex(pattern: &str) -> String {
    let mut out = String::new();
    let (mut in_class, mut is_escaped) = (false, false);
    for letter in pattern.chars() {
        match letter {
            _ if is_escaped => {
                out.push(letter);
                is_escaped = false;
                continue;
            }
            '\\' => is_escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => out.push('%'),
            '<' | '>' | '=' | '@' | '&' | '~' | '%' | '{' | '}' | '!' if !in_class => out.push('\\'),
            _ => {}
        }
        out.push(letter);
    }
    out
}

/// A pattern between signs that it does not have.
fn delimited(pattern: &str) -> String {
    let sign = ['/', '"', '#', ',', ';', '`'].into_iter().find(|sign| !pattern.contains(*sign)).expect("a free sign");
    format!("{sign}\\v{pattern}{sign}")
}

/// The file `syntax/LANGUAGE.vim`.
pub fn syntax(language: &Language) -> String {
    let id = language.id;
    let group = |kind: Kind| format!("{}{}", id.replace('-', "_"), kind.group());
    let mut text = String::from(
        "\" Made from tests/editors/languages.rs\nif exists(\"b:current_syntax\")\n  finish\nendif\n\
         syntax case match\nsyntax sync fromstart\n",
    );
    let mut kinds = Vec::new();
    // Of two that match, Vim takes the last.
    for rule in language.rules.iter().rev() {
        kinds.push(rule.kind);
        let group = group(rule.kind);
        let part = regex(language.part);
        text += &match rule.pattern {
            Pattern::Words(words) => format!("syntax keyword {group} {}\n", words.join(" ")),
            Pattern::Word(pattern) => {
                format!("syntax match {group} {}\n", delimited(&format!("%({})%({part})@!", regex(pattern))))
            }
            Pattern::Signs(pattern) => format!("syntax match {group} {}\n", delimited(&regex(pattern))),
            Pattern::Line(pattern) => {
                format!("syntax match {group} {}\n", delimited(&format!("^[ \\t]*{}", regex(pattern))))
            }
            Pattern::Block { nested } => {
                let nested = if nested { format!(" contains={group}") } else { String::new() };
                format!("syntax region {group} start=\"/\\*\" end=\"\\*/\"{nested}\n")
            }
        };
    }
    if id == "abc" {
        for (kind, pattern) in [
            (Kind::Keyword, "^[ \\t]+[^ \\t|][^ \\t]*"),
            (Kind::Function, "^[^ \\t|.][^ \\t]*"),
            (Kind::Directive, "^\\.[^ \\t]*"),
            (Kind::Comment, "%(^|[ \\t])\\zs\\|.*$"),
        ] {
            kinds.push(kind);
            text += &format!("syntax match {} {}\n", group(kind), delimited(pattern));
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds.into_iter().filter(|kind| *kind != Kind::Name) {
        text += &format!("highlight default link {} {}\n", group(kind), kind.group());
    }
    text + &format!("let b:current_syntax = \"{id}\"\n")
}

/// The file `ftplugin/LANGUAGE.vim`.
pub fn plugin(language: &Language) -> String {
    let comment = language.line_comment;
    let blocks = if language.block_comment { ",sr:/*,mb:*,ex:*/" } else { "" };
    let tabs = if language.id == "abc" { "noexpandtab" } else { "expandtab" };
    let indent = match language.brackets {
        [] => "autoindent".to_string(),
        // Brackets indent, and nothing of C does.
        _ => "autoindent smartindent".to_string(),
    };
    let shift = language.indent;
    format!(
        "\" Made from tests/editors/languages.rs\nif exists(\"b:did_ftplugin\")\n  finish\nendif\nlet b:did_ftplugin = 1\n\
         setlocal commentstring={}\\ %s comments=:{comment}{blocks}\n\
         setlocal shiftwidth={shift} softtabstop={shift} {tabs} {indent}\n",
        comment.replace('|', "\\|"),
    )
}
