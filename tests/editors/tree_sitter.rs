//! Grammars of tree-sitter, which Neovim, Helix, Zed and Emacs use: words as the description has them, and what stands
//! between brackets as one node, so that half a program has colours, folds and indentation, too.

use super::languages::{Kind, Language, Pattern};

/// A string of JavaScript.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// A regular expression of JavaScript.
fn regex(pattern: &str) -> String {
    format!("/{}/", pattern.replace('/', "\\/"))
}

/// Of each kind its alternatives, in the order of the rules.
fn kinds(language: &Language) -> Vec<(Kind, Vec<String>)> {
    let mut found: Vec<(Kind, Vec<String>)> = Vec::new();
    for rule in language.rules {
        let alternatives = match rule.pattern {
            Pattern::Words(words) => words.iter().map(|word| quoted(word)).collect(),
            Pattern::Word(pattern) | Pattern::Signs(pattern) | Pattern::Line(pattern) => vec![regex(pattern)],
            Pattern::Block { .. } => vec![regex("/\\*([^*]|\\*+[^*/])*\\*+/")],
        };
        match found.iter_mut().find(|(kind, _)| *kind == rule.kind) {
            Some((_, all)) => all.extend(alternatives),
            None => found.push((rule.kind, alternatives)),
        }
    }
    found
}

const HEADER: &str = "// Made from tests/editors/languages.rs: BLESS=1 cargo test -p cleave-tests --test editors\n\n";

/// The file `grammar.js`.
pub fn grammar(language: &Language) -> String {
    let name = language.id.replace('-', "_");
    if language.id == "abc" {
        return format!("{HEADER}{ABC}");
    }
    let kinds = kinds(language);
    let brackets: Vec<String> = language.brackets.iter().map(|(name, ..)| format!("$.{name}")).collect();
    let words: Vec<String> = kinds
        .iter()
        .filter(|(kind, _)| *kind != Kind::Comment)
        .map(|(kind, _)| format!("$.{}", kind.rule()))
        .chain(brackets)
        .chain(["$._punctuation".into()])
        .collect();
    let mut rules = format!("    source_file: $ => repeat($._item),\n    _item: $ => choice({}),\n", words.join(", "));
    for (kind, alternatives) in &kinds {
        let inside = match alternatives.as_slice() {
            [one] => one.clone(),
            many if *kind == Kind::Comment => format!("token(choice({}))", many.join(", ")),
            many => format!("choice({})", many.join(", ")),
        };
        rules += &format!("    {}: $ => {inside},\n", kind.rule());
    }
    for (name, open, close) in language.brackets {
        rules += &format!("    {name}: $ => seq({}, repeat($._item), {}),\n", quoted(open), quoted(close));
    }
    let operators = if language.id == "cleave-ir" { "/[,:\\/]/" } else { "/[,;:.]/" };
    rules += &format!("    _punctuation: $ => {operators},\n");
    let has_words =
        language.rules.iter().any(|rule| rule.kind == Kind::Keyword && matches!(rule.pattern, Pattern::Words(_)));
    let word = if has_words { "  word: $ => $.name,\n" } else { "" };
    format!(
        "{HEADER}module.exports = grammar({{\n  name: '{name}',\n  extras: $ => [/\\s/, $.comment],\n{word}  rules: {{\n\
         {rules}  }},\n}});\n"
    )
}

/// Lines of ABC: what a word is depends on where it stands in its line.
const ABC: &str = r#"module.exports = grammar({
  name: 'abc',
  extras: $ => [],
  rules: {
    source_file: $ => seq(repeat(seq(optional($._line), $._end)), optional($._line)),
    _line: $ => choice(
      seq(choice($.directive, $.function), repeat($._operand), optional($._rest)),
      seq($._blank, $.keyword, repeat($._operand), optional($._rest)),
      seq($._blank, optional($.comment)),
      $.comment,
    ),
    _operand: $ => seq($._blank, choice($.string, $.number, $.name)),
    _rest: $ => seq($._blank, optional($.comment)),
    _blank: $ => /[ \t]+/,
    _end: $ => /\r?\n/,
    comment: $ => token(prec(1, /\|[^\r\n]*/)),
    directive: $ => token(prec(1, /\.[^ \t\r\n]*/)),
    string: $ => choice(/"([^"\\\n]|\\.)*"/, /'(\\[0-7]+|\\.|[^'\\\n])'/),
    number: $ => /[-+]?(0[xX][0-9a-fA-F]+|0[oO][0-7]+|[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?)/,
    function: $ => $._word,
    keyword: $ => $._word,
    name: $ => $._word,
    _word: $ => /[^ \t\r\n|][^ \t\r\n]*/,
  },
});
"#;

/// The file `queries/highlights.scm`.
pub fn highlights(language: &Language) -> String {
    let mut found: Vec<Kind> = language.rules.iter().map(|rule| rule.kind).collect();
    if language.id == "abc" {
        found.extend([Kind::Directive, Kind::Function, Kind::Keyword]);
    }
    let mut text = String::from("; Made from tests/editors/languages.rs\n\n");
    for kind in Kind::ALL.into_iter().filter(|kind| found.contains(kind)) {
        text += &format!("({}) @{}\n", kind.rule(), kind.capture());
    }
    let signs: Vec<String> =
        language.brackets.iter().flat_map(|(_, open, close)| [format!("\"{open}\""), format!("\"{close}\"")]).collect();
    if !signs.is_empty() {
        text += &format!("[{}] @punctuation.bracket\n", signs.join(" "));
    }
    text
}

/// The files `queries/folds.scm` and `queries/indents.scm`, where there are brackets.
pub fn brackets(language: &Language, capture: &str) -> String {
    let names: Vec<String> = language.brackets.iter().map(|(name, ..)| format!("({name})")).collect();
    format!("; Made from tests/editors/languages.rs\n\n[{}] @{capture}\n", names.join(" "))
}
