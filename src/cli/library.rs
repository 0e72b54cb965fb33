//! The flags of `build` that make a library.

use clap::{Args, ValueHint};
use cleave_strict::Exports;
use cleave_strict::imports::ImportedClass;
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
    /// says it: --export 'parse :: !String -> [Int]'.
    #[arg(long = "export", value_name = "NAME")]
    pub exports: Vec<String>,
    /// Take the functions of a class from JavaScript, and wait for them: --import Net=./net.mjs
    #[arg(long = "import", value_name = "CLASS=MODULE", value_parser = imported)]
    pub imports: Vec<ImportedClass>,
    /// The functions of JavaScript run in a Worker, NAME.worker.mjs, and give promises
    #[arg(long)]
    pub worker: bool,
    /// A world in WIT that the library has to fit, as for `cleave wit --check`
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

/// A class, and the module that has its functions.
pub fn imported(text: &str) -> Result<ImportedClass, String> {
    match text.split_once('=') {
        Some((class, from)) if !class.is_empty() && !from.is_empty() => {
            Ok(ImportedClass { class: class.into(), from: from.into() })
        }
        _ => Err("write CLASS=MODULE, as Net=./net.mjs".into()),
    }
}

/// The functions of one option: names with commas between them, or one with its type, which may have commas inside.
fn names(text: &str) -> Vec<String> {
    match text.contains("::") {
        true => vec![text.to_string()],
        false => text.split(',').map(|name| name.trim().to_string()).collect(),
    }
}
