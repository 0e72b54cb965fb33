//! Grammars of TextMate, which VS Code and the pages of code on the web use.

use super::languages::{Kind, Language, Pattern};

/// A string of JSON.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out += "\\n",
            letter => out.push(letter),
        }
    }
    out + "\""
}

/// The grammar of a language.
pub fn grammar(language: &Language) -> String {
    let id = language.id;
    let one = |kind: Kind, pattern: &str| {
        let name = format!("{}.{id}", kind.scope());
        format!("    {{ \"name\": {}, \"match\": {} }}", string(&name), string(pattern))
    };
    let mut patterns = Vec::new();
    if id == "abc" {
        patterns.extend(lines_of_abc());
    }
    for rule in language.rules {
        let part = language.part;
        patterns.push(match rule.pattern {
            Pattern::Words(words) => one(rule.kind, &format!("\\b({})\\b", words.join("|"))),
            // Words of ABC stand between blanks.
            Pattern::Word(pattern) if id == "abc" => one(rule.kind, &format!("(?<=[ \\t])({pattern})(?!{part})")),
            Pattern::Word(pattern) => one(rule.kind, &format!("({pattern})(?!{part})")),
            Pattern::Signs(pattern) if id == "abc" => one(rule.kind, &format!("(?<=[ \\t])({pattern})")),
            Pattern::Signs(pattern) => one(rule.kind, pattern),
            Pattern::Line(pattern) => {
                let name = string(&format!("{}.{id}", rule.kind.scope()));
                format!(
                    "    {{ \"match\": {}, \"captures\": {{ \"1\": {{ \"name\": {name} }} }} }}",
                    string(&format!("^[ \\t\\x{{FEFF}}]*({pattern})"))
                )
            }
            Pattern::Block { nested } => {
                let name = string(&format!("comment.block.{id}"));
                let inside = if nested { ", \"patterns\": [{ \"include\": \"#comment\" }]" } else { "" };
                let block = format!("{{ \"name\": {name}, \"begin\": \"/\\\\*\", \"end\": \"\\\\*/\"{inside} }}");
                if nested { "    { \"include\": \"#comment\" }".into() } else { format!("    {block}") }
            }
        });
    }
    let is_nested = language.rules.iter().any(|rule| matches!(rule.pattern, Pattern::Block { nested: true }));
    let repository = match is_nested {
        true => format!(
            ",\n  \"repository\": {{\n    \"comment\": {{ \"name\": \"comment.block.{id}\", \"begin\": \"/\\\\*\", \
             \"end\": \"\\\\*/\", \"patterns\": [{{ \"include\": \"#comment\" }}] }}\n  }}"
        ),
        false => String::new(),
    };
    format!(
        "{{\n  \"name\": {},\n  \"scopeName\": \"source.{id}\",\n  \"patterns\": [\n{}\n  ]{repository}\n}}\n",
        string(language.title),
        patterns.join(",\n")
    )
}

/// What a line of ABC begins with: a directive or a label in its first column, or an instruction after blanks.
fn lines_of_abc() -> Vec<String> {
    let captured = |kind: Kind, pattern: &str| {
        let name = string(&format!("{}.abc", kind.scope()));
        format!("    {{ \"match\": {}, \"captures\": {{ \"1\": {{ \"name\": {name} }} }} }}", string(pattern))
    };
    vec![
        captured(Kind::Comment, "^(\\|[^\\n]*)"),
        captured(Kind::Directive, "^(\\.[^ \\t\\r\\n]*)"),
        captured(Kind::Function, "^([^ \\t\\r\\n|.][^ \\t\\r\\n]*)"),
        captured(Kind::Keyword, "^[ \\t]+([^ \\t\\r\\n|][^ \\t\\r\\n]*)"),
    ]
}

/// What VS Code wants to know of comments, brackets and lines.
pub fn configuration(language: &Language) -> String {
    let pairs: Vec<String> =
        language.brackets.iter().map(|(_, open, close)| format!("[{}, {}]", string(open), string(close))).collect();
    let quote = if language.rules.iter().any(|rule| rule.kind == Kind::Text) {
        vec!["[\"\\\"\", \"\\\"\"]".into()]
    } else {
        vec![]
    };
    let closing: Vec<String> = pairs.iter().cloned().chain(quote).collect();
    let block = if language.block_comment { ", \"blockComment\": [\"/*\", \"*/\"]" } else { "" };
    let rules = match language.opens {
        "" => String::new(),
        opens => {
            let opens = opens.replace("\\\\", "\\");
            format!(
                ",\n  \"indentationRules\": {{\n    \"increaseIndentPattern\": {},\n    \
                 \"decreaseIndentPattern\": \"^[ \\\\t]*[}})\\\\]]\"\n  }}",
                string(&format!("({opens})[ \\t]*$"))
            )
        }
    };
    format!(
        "{{\n  \"comments\": {{ \"lineComment\": {}{block} }},\n  \"brackets\": [{}],\n  \"autoClosingPairs\": [{}],\n  \
         \"surroundingPairs\": [{}]{rules}\n}}\n",
        string(language.line_comment),
        pairs.join(", "),
        closing.join(", "),
        closing.join(", ")
    )
}
