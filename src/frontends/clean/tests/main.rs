//! Tests of the front end's parts: parser, tables, return types.

mod ccall;
mod declarations;
mod instr;
mod integers;
mod parser;
mod return_types;
mod superinstructions;
mod unsupported;
mod x86;
