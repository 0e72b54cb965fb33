//! Front end for Clean's ABC assembly: text of a module to IR.
//!
//! `lex` reads the words of a line, `parse` makes an [`ast::ParsedModule`] of a file, with `instr` as its table.

pub mod ast;
pub mod instr;
