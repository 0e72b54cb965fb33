//! The flags of `build` that make a library.

use clap::Args;
use cleave_strict::Exports;

/// What makes a library of a program.
#[derive(Debug, Args)]
pub struct LibraryArgs {
    /// Make a module whose functions others call: all that are public in the main module
    ///
    /// It needs no main function. With -o NAME.mjs it is written with functions of JavaScript that call it, and their
    /// types for TypeScript. For samlang, GOOPEA, and IR with exports.
    #[arg(long)]
    pub lib: bool,
    /// The same with these functions of the main module alone: NAME, or CLASS.NAME
    #[arg(long = "export", value_name = "NAME", value_delimiter = ',')]
    pub exports: Vec<String>,
}

impl LibraryArgs {
    /// Which functions are exported.
    pub fn exports(&self) -> Exports {
        match &self.exports[..] {
            [] if self.lib => Exports::Public,
            [] => Exports::None,
            names => Exports::Named(names.to_vec()),
        }
    }
}
