//! Front end for Clean's ABC assembly: text of a module to IR.
//!
//! `parse` makes an [`ast::ParsedModule`] of a file; `lex` and `operands` read words and operands for it, with `instr`
//! as their table; `fused` expands what the optimiser of the ABC interpreter has fused, `refused` says why some
//! instructions are not translated. `index` finds what each symbol of a module stands for, `link` joins the modules of
//! a program, `results` works out what each label returns, and `translate` simulates the stacks of everything that
//! `Start` reaches and makes IR of it. `system` is our part of the module `_system`, `externs` what programs call
//! of the runtime, `ccall` the C functions that exist. `declarations` reads types from sources, for `exports`.

pub mod ast;
pub mod ccall;
pub mod declarations;
pub mod externs;
mod file_check;
pub mod index;
pub mod instr;
mod intern;
pub mod lex;
pub mod link;
mod operands;
mod parse;
#[doc(hidden)]
pub mod return_types;
#[doc(hidden)]
pub mod superinstructions;
pub mod system;
pub mod translate;
mod types;
pub mod unsupported;
#[doc(hidden)]
pub mod x86;

pub use ccall::{CallPlace, ForeignCall};
pub use index::ModuleIndex;
pub use parse::{parse, parse_with_imports};
pub use translate::{Symbols, TranslateOptions, Translated, translate};
