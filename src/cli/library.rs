//! The flags of `build` that make a library.

use crate::driver::session::Target;
use clap::{Args, ValueHint};
use cleave_strict::Exports;
use cleave_strict::imports::{Imported, ImportedClass};
use std::path::PathBuf;

/// What makes a library of a program.
#[derive(Debug, Default, Args)]
pub struct LibraryArgs {
    /// Make a module whose functions others call: all that are public in the main module
    ///
    /// It needs no main function. With -o NAME.mjs it is written with functions of JavaScript that call it, and their
    /// types for TypeScript. Of machine code it is an archive, a shared library and a header for C: -o NAME.a, -o
    /// NAME.so, or -o NAME. For all languages, and IR with exports.
    #[arg(long)]
    pub lib: bool,
    /// The same with these functions of the main module alone: NAME, or CLASS.NAME
    ///
    /// Several may stand side by side, with commas. Of Clean a name may have its type, which is needed where no .dcl
    /// says it: --export 'parse :: !String -> [Int]'. --export ':: Element' says that the values of an abstract type of
    /// Clean are objects of the host.
    #[arg(long = "export", value_name = "NAME")]
    pub exports: Vec<String>,
    #[command(flatten)]
    pub imports: ImportArgs,
    /// The functions of JavaScript run in a Worker, NAME.worker.mjs, and give promises
    #[arg(long)]
    pub worker: bool,
    /// A world in WIT that the library has to fit, and whose imports it takes
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub wit: Option<PathBuf>,
    /// The same as a package of npm in this folder; a package.json that is there stays as it is
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with_all = ["output", "emit"])]
    pub npm: Option<PathBuf>,
}

impl LibraryArgs {
    /// Which functions are exported.
    pub fn exports(&self) -> Exports {
        match &self.exports[..] {
            [] if self.lib || self.npm.is_some() => Exports::Public,
            [] => Exports::None,
            texts => Exports::Named(texts.iter().flat_map(|text| names(text)).collect()),
        }
    }
}

/// What comes from the host.
#[derive(Debug, Default, Args)]
pub struct ImportArgs {
    /// Take the functions of a class from the host: for JavaScript Net=./net.mjs, which may wait
    #[arg(long = "import", value_name = "CLASS[=MODULE]", value_parser = imported)]
    pub imports: Vec<(String, String)>,
    /// They give no promises: the program goes on at once. So it is always in components and C
    #[arg(long)]
    pub sync: bool,
}

impl ImportArgs {
    /// The classes, for a target, which may be a component.
    pub fn classes(&self, target: Target, component: bool) -> Vec<ImportedClass> {
        let wait = !self.sync && target == Target::Wasm && !component;
        let class = |(class, from): &(String, String)| ImportedClass {
            class: class.clone(),
            from: from.clone(),
            functions: Imported::All { wait },
        };
        self.imports.iter().map(class).collect()
    }
}

/// A class, and the module that has its functions.
fn imported(text: &str) -> Result<(String, String), String> {
    let (class, from) = text.split_once('=').map_or((text, None), |(class, from)| (class, Some(from)));
    if class.is_empty() || from.is_some_and(str::is_empty) {
        return Err("write CLASS=MODULE, as Net=./net.mjs".into());
    }
    Ok((class.into(), from.map_or_else(|| module_of(class), str::to_string)))
}

/// The module that has the functions of a class if none is named.
pub fn module_of(class: &str) -> String {
    format!("./{}.mjs", cleave_interface::names::kebab(class))
}

/// The functions of one option: names with commas between them, or one with its type, which may have commas inside.
fn names(text: &str) -> Vec<String> {
    match text.contains("::") {
        true => vec![text.to_string()],
        false => text.split(',').map(|name| name.trim().to_string()).collect(),
    }
}
