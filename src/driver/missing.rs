//! What is said when a module is not found: who imports it, where it was searched, and what usually helps.

use crate::driver::folders::{Folders, SYSTEM_FILES};
use cleave_diag::{Diagnostic, Span, code};

/// Folders shown in a message at most.
const SHOWN_FOLDERS: usize = 12;

/// Libraries of Clean: their folders in `lib`, and the modules in them, or the first parts of the names of modules.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("Dynamics", &["StdCleanTypes", "StdDynamic", "_SystemDynamic"]),
    ("StdLib", &["StdLib", "StdLibMisc", "StdArrayExtensions", "StdListExtensions"]),
    ("ArgEnv", &["ArgEnv"]),
    ("Directory", &["Directory"]),
    ("Generics", &["Gen*"]),
    ("GraphCopy", &["dynamic_string", "graph_copy*", "graph_to_*"]),
    ("TCPIP", &["TCP*", "ostcp", "tcp", "tcp_bytestreams"]),
    ("Gast", &["Gast", "Gast.*"]),
    ("iTasks", &["iTasks", "iTasks.*"]),
    ("ABCInterpreter", &["ABC.*"]),
    ("StdEnv", &["Std*", "_System*"]),
    (
        "Platform",
        &[
            "Clean.*",
            "Codec.*",
            "Control.*",
            "Crypto.*",
            "Data.*",
            "Database.*",
            "Debug.*",
            "Graphics.*",
            "Internet.*",
            "Math.*",
            "Network.*",
            "System.*",
            "Testing.*",
            "Text",
            "Text.*",
        ],
    ),
];

/// The library that a module belongs to, as far as its name tells.
fn library(module: &str) -> Option<&'static str> {
    let is = |pattern: &str| match pattern.strip_suffix('*') {
        Some(start) => module.starts_with(start),
        None => module == pattern,
    };
    LIBRARIES.iter().find(|row| row.1.iter().any(|pattern| is(pattern))).map(|row| row.0)
}

/// What has been said already: where was searched, and how to get which libraries. Nothing is said twice.
#[derive(Debug, Default)]
pub struct Said {
    folders: bool,
    libraries: Vec<&'static str>,
}

/// The message for a module that `import` names.
pub fn not_found(folders: &Folders, name: &str, import: Span, importer: &str, said: &mut Said) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(code::MODULE_NOT_FOUND, format!("module `{name}` is not found"))
        .at(import, format!("imported here, by module `{importer}`"));
    if let Some(source) = folders.find_source(name) {
        let icl = source.icl.display();
        diagnostic = diagnostic
            .help(format!("its source is `{icl}`: compile it with clm, or name Clean's compiler with --cocl"));
    } else if let Some(similar) = folders.nearest(name) {
        diagnostic = diagnostic.help(format!("there is a module `{similar}`"));
    } else if let Some(library) = library(name)
        && !said.libraries.contains(&library)
    {
        said.libraries.push(library);
        diagnostic = diagnostic.help(match library {
            "StdEnv" => "it belongs to Clean's StdEnv: CLEAN_HOME or --clean-home DIR names the folder of Clean, \
                         or -L DIR the one with StdEnv"
                .to_string(),
            _ => format!(
                "it belongs to the library {library} of Clean: CLEAN_HOME or --clean-home DIR names the folder \
                          of Clean, -IL {library} adds the library"
            ),
        });
    }
    if std::mem::replace(&mut said.folders, true) {
        return diagnostic;
    }
    let roots = folders.roots();
    let mut list: Vec<String> = roots.iter().take(SHOWN_FOLDERS).map(|root| format!("`{}`", root.display())).collect();
    if roots.len() > SHOWN_FOLDERS {
        list.push(format!("{} more", roots.len() - SHOWN_FOLDERS));
    }
    let searched = format!("searched in {}, each also in `{SYSTEM_FILES}`", list.join(", "));
    diagnostic.help(searched).help("-L DIR adds a folder; --clean-home DIR or CLEAN_HOME adds Clean's libraries")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_by_name() {
        let cases = [
            ("StdList", Some("StdEnv")),
            ("_SystemArray", Some("StdEnv")),
            ("StdDynamic", Some("Dynamics")),
            ("StdLib", Some("StdLib")),
            ("Data.Map", Some("Platform")),
            ("Text", Some("Platform")),
            ("Textual", None),
            ("GenEq", Some("Generics")),
            ("main", None),
        ];
        for (module, expected) in cases {
            assert_eq!(library(module), expected, "{module}");
        }
    }
}
