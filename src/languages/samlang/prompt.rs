//! samlang in the interactive command: functions that stand in no class belong to `Main`, and what `let` names stands
//! before each expression.

use crate::languages::prompt::{Definitions, Kind, Main, Prompt, first_name, joined};
use cleave_strict::ide::Symbol;

pub struct SamlangPrompt;

impl Prompt for SamlangPrompt {
    fn program(&self, known: &Definitions, main: Main<'_>) -> String {
        let lets: String = known.lets.iter().map(|line| format!("{} ", line.1)).collect();
        let body = match main {
            Main::Nothing => "{  }".to_string(),
            Main::Named { name, text } => format!("let {name} = {text}; {{  }}"),
            Main::Printed { text, ty } => printed(text, ty),
            Main::Computed { text, .. } => format!("let _ = {text}; {{  }}"),
        };
        let imports: String = known.imports.iter().map(|import| import.clone() + "\n").collect();
        // A class `Main` of the user gets the functions.
        let functions = format!("{}function main(): unit = {{ {lets}{body} }}", joined(&known.functions));
        format!("{imports}{}class Main {{\n{functions}\n}}\n", joined(&known.items))
    }

    fn definition(&self, text: &str) -> Option<(Kind, String)> {
        let first = text.split_whitespace().next()?;
        let behind = |word: &str| first_name(text.split_once(word).map_or("", |parts| parts.1));
        match first {
            "import" => Some((Kind::Import, String::new())),
            "class" | "interface" => Some((Kind::Item, behind(first))),
            "function" => {
                let rest = text.trim_start_matches("function").trim_start();
                let rest = if rest.starts_with('<') { rest.split_once('>').map_or(rest, |it| it.1) } else { rest };
                Some((Kind::Function, first_name(rest)))
            }
            "let" => Some((Kind::Let, behind("let"))),
            _ => None,
        }
    }

    fn shows_type(&self, ty: &str) -> bool {
        ty != "unit"
    }

    /// The functions of the main class are known as such; the others belong to their classes.
    fn definitions(&self, text: &str, symbols: &[Symbol]) -> Definitions {
        let imports = text.lines().filter(|line| line.starts_with("import ")).map(str::to_string).collect();
        let mut found = Definitions { imports, ..Definitions::default() };
        for symbol in symbols {
            let part = text[symbol.extent.start as usize..symbol.extent.end as usize].to_string();
            match symbol.within.map(|class| symbols[class].name.as_str()) {
                Some("Main") if symbol.name != "main" => found.functions.push((symbol.name.clone(), part)),
                None if symbol.name != "Main" => found.items.push((symbol.name.clone(), part)),
                _ => {}
            }
        }
        found
    }
}

/// How the value of an expression is printed.
fn printed(text: &str, ty: &str) -> String {
    match ty {
        "unit" => format!("{text};"),
        "int" => format!("Process.println(Str.fromInt({text}));"),
        "bool" => format!("Process.println(if {text} {{ \"true\" }} else {{ \"false\" }});"),
        "Str" => format!("Process.println(\"\\\"\" :: ({text}) :: \"\\\"\");"),
        _ => format!("let _ = {text}; Process.println(\"<value>\");"),
    }
}
