//! The error for a module that is not found: which module imports it, where it was searched, and what usually helps.

use crate::languages::clean::folders::{Folders, SYSTEM_FILES};
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
pub fn library(module: &str) -> Option<&'static str> {
    let is = |pattern: &str| match pattern.strip_suffix('*') {
        Some(start) => module.starts_with(start),
        None => module == pattern,
    };
    LIBRARIES.iter().find(|row| row.1.iter().any(|pattern| is(pattern))).map(|row| row.0)
}

/// What is missing, and what has been said of it. Nothing is said twice.
#[derive(Debug, Default)]
pub struct Missing {
    said_folders: bool,
    /// Modules of Clean's libraries, with the name of the library: they have one cause, and get one message.
    of_libraries: Vec<(&'static str, Import)>,
}

/// A module that is missing, and who imports it.
#[derive(Clone, Debug)]
pub struct Import {
    pub name: String,
    pub importer: String,
    pub span: Span,
}

/// Modules that a message names.
const SHOWN_MODULES: usize = 6;

impl Missing {
    /// The message for a module that is not found, or nothing if it comes with others at the end.
    pub fn add(&mut self, folders: &Folders, import: Import) -> Option<Diagnostic> {
        let name = &import.name;
        let diagnostic = not_found(&import);
        if let Some(source) = folders.find_source(name) {
            let icl = source.icl.display();
            let help = format!("its source is `{icl}`: compile it with clm, or name Clean's compiler with --cocl");
            return Some(self.with_folders(folders, diagnostic.help(help)));
        }
        if let Some(similar) = folders.nearest(name) {
            return Some(self.with_folders(folders, diagnostic.help(format!("there is a module `{similar}`"))));
        }
        if let Some(library) = library(name) {
            self.of_libraries.push((library, import));
            return None;
        }
        Some(self.with_folders(folders, diagnostic))
    }

    /// The messages that `add` has kept back: one for each library, or one for all if no library is known at all.
    pub fn rest(&mut self, folders: &Folders) -> Vec<Diagnostic> {
        let mut rest = std::mem::take(&mut self.of_libraries);
        let mut diagnostics = Vec::new();
        while let Some((library, _)) = rest.first() {
            let library = *library;
            let together = !folders.has_libraries();
            let (group, others): (Vec<_>, Vec<_>) = rest.into_iter().partition(|row| together || row.0 == library);
            let libraries = libraries_of(&group);
            let modules: Vec<Import> = group.into_iter().map(|row| row.1).collect();
            diagnostics.push(self.with_folders(folders, of_libraries(folders, &libraries, &modules)));
            rest = others;
        }
        diagnostics
    }

    fn with_folders(&mut self, folders: &Folders, diagnostic: Diagnostic) -> Diagnostic {
        if std::mem::replace(&mut self.said_folders, true) {
            return diagnostic;
        }
        let roots = folders.roots();
        let mut list: Vec<String> =
            roots.iter().take(SHOWN_FOLDERS).map(|root| format!("`{}`", root.display())).collect();
        if roots.len() > SHOWN_FOLDERS {
            list.push(format!("{} more", roots.len() - SHOWN_FOLDERS));
        }
        let searched = format!("searched in {}, each also in `{SYSTEM_FILES}`", list.join(", "));
        diagnostic.help(searched).help("-L DIR adds a folder; --clean-home DIR or CLEAN_HOME adds Clean's libraries")
    }
}

fn not_found(import: &Import) -> Diagnostic {
    Diagnostic::error(code::MODULE_NOT_FOUND, format!("module `{}` is not found", import.name))
        .at(import.span, imported_by(import))
}

fn imported_by(import: &Import) -> String {
    format!("imported here, by module `{}`", import.importer)
}

/// Their names, each once.
fn libraries_of(group: &[(&'static str, Import)]) -> Vec<&'static str> {
    let mut libraries: Vec<&'static str> = Vec::new();
    for (library, _) in group {
        if !libraries.contains(library) {
            libraries.push(library);
        }
    }
    libraries
}

/// The message for modules of Clean's libraries.
fn of_libraries(folders: &Folders, libraries: &[&str], modules: &[Import]) -> Diagnostic {
    let diagnostic = match modules {
        [one] => not_found(one),
        all => {
            let mut shown: Vec<String> =
                all.iter().take(SHOWN_MODULES).map(|import| format!("`{}`", import.name)).collect();
            if all.len() > SHOWN_MODULES {
                shown.push(format!("{} more", all.len() - SHOWN_MODULES));
            }
            let message = format!("{} modules of Clean's libraries are not found: {}", all.len(), shown.join(", "));
            Diagnostic::error(code::MODULE_NOT_FOUND, message).at(all[0].span, imported_by(&all[0]))
        }
    };
    let (they, belong) = if modules.len() == 1 { ("it", "belongs") } else { ("they", "belong") };
    let adding: Vec<String> =
        libraries.iter().filter(|name| **name != "StdEnv").map(|name| format!("-IL {name}")).collect();
    let adding = match adding.len() {
        0 => ", or -L DIR the one with StdEnv".to_string(),
        1 => format!(", {} adds the library", adding[0]),
        _ => format!(", {} add the libraries", adding.join(" ")),
    };
    let of = match libraries {
        ["StdEnv"] => "Clean's StdEnv".to_string(),
        [one] => format!("the library {one} of Clean"),
        all => all.join(", "),
    };
    let help = format!("{they} {belong} to {of}: CLEAN_HOME or --clean-home DIR names the folder of Clean{adding}");
    let diagnostic = diagnostic.help(help);
    if folders.has_libraries() {
        return diagnostic;
    }
    diagnostic.help(
        "no folder with libraries is known: set CLEAN_HOME; then StdEnv is found, and -IL Platform adds that library",
    )
}
