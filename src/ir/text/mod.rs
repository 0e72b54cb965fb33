//! The text form of the IR: what file tests contain, `--emit=ir` writes and error messages quote. It round-trips:
//! `print(parse(print(m))) == print(m)`, with the numbers of all values, blocks and static objects kept.
//!
//! ```text
//! version 1                                         ; of this form; a text without it is of the first
//! module "name"                                     ; a comment runs to the end of the line
//! extern print_point(ref) -> (i64) [effect, reads]  ; what `rt_print_point` takes, returns and does
//! desc $T = constructor arity 2 tag 0 "T" callable apply [none, @f] method %members @g
//! desc $R = record arity 0 tag 0 "R" fields 1, 2 "ail" nested [$T]
//! static0 = string "ab\0a"                          ; or: text "…"; escapes: \" \\ \hh
//! static1 = node $T/2 [static0, int 5] []           ; row, references (also: char 97, bool 1, node $Empty), raw words
//! caf ^pi ptrs 0 nptrs 1
//! table %t = (ref, ref) -> (ref) [@f, @g]            ; roles: `apply 1`, `instance`, `update` before the signature
//! thunk_info &t = plain ptrs 2 nptrs 0 code @f update @h desc $T
//! start @main
//! blackhole &t
//! observes                                          ; the program sees which nodes are one, and which are thunks
//!
//! func @f(v0: ref) -> ref phase=rooted leaf {       ; no phase: high; leaf: it never collects, and takes no `stack_pointer` unless it says so
//! block0(v0: ref):
//!   v1 = get.ref v0 (2, 0) 1                        ; shape and index of a field
//!   spill s0, v1
//!   v2, v3 = call @g(v0) frame 1
//!   v4 = restore s0
//!   v5 = build $T/2 v4, v2                          ; row: descriptor and number of applied arguments
//!   v6 = caf.ref ^pi/0
//!   v7 = elem.i64 v5, v3 stride 8 at 0
//!   v8 = load.i32 v5 +4
//!   br_if v8, block1(v2), block2
//! ```
//! The last word of a function, `roots=late`, asks for a root strategy (`RootStrategy`) other than the program's.
//! Names that are not made of letters, digits, `_` and `.` are quoted after their sigil: `@"e_StdInt_s+;6"`. The
//! known descriptors exist without being written; one that differs from its default is written like others. So do
//! the externs of the runtime contract (`libcalls`); all others are declared, with their effects: `pure`, or words of
//! `Effects::WORDS`. Types of
//! results follow from the opcode table and the signatures; only where they do not (in faulty IR) they are written
//! after the result: `v3: i64 = …`.

mod cursor;
mod error;
mod former_words;
mod hints;
mod lex;
mod lines;
mod names;
mod opcodes;
mod parse;
mod parse_func;
mod parse_header;
mod parse_interface;
mod parse_types;
mod partly;
mod print;
mod print_interface;
mod recover;
pub use error::ParseError;
pub use former_words::VERSION;
pub use lines::LineMap;
pub use parse::{parse_module, parse_module_partly, parse_module_with_errors, parse_module_with_lines};
pub use partly::{Partly, Refused};
pub use print::{InstDisplay, print_file, print_func, print_module};
