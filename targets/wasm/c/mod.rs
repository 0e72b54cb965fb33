//! C functions in WebAssembly: relocatable objects, linked into the program.
//!
//! ```text
//! files ─ object ─▶ objects ─ link ─▶ what is used, placed ─ relocate ─▶ bodies and data of the merged module
//!                                              └─ trampolines ─▶ the functions between compiled code, C and the runtime
//! ```
//! The format is that of the objects which `clang -c` and `wasm-ld -r` write, with the sections `linking` and
//! `reloc.*`. Modules that are linked already are not accepted. There are three reasons for this format: every clang
//! for `wasm32` writes it without further flags; the C library of the WASI SDK exists in it; and it keeps functions and
//! data apart, so that only what is used is taken.
//!
//! ```text
//! clang --target=wasm32 -O2 -c name.c -o name.wasm                             # needs no C library
//! clang --target=wasm32-wasi -O2 -nostartfiles -Wl,-r *.c -o name.wasm         # with its C library
//! ```
//! A name in an object means what the object itself defines; only if it defines no such thing, the definition of
//! another object. So two libraries may each contain the C library. Then each has its own memory and its own open
//! files.
//!
//! Where C lives: its stack and its statics lie before the data section of the program, its heap between image and heap
//! of the program. `memory.size` and `memory.grow` of C code see that part alone, so that its `malloc` (whichever)
//! never meets our collector. The stack pointer is checked whenever it is set; an overflow is one of the program.

mod link;
pub(crate) mod object;
pub(crate) mod plan;
pub(crate) mod relocate;
pub(crate) mod trampolines;

pub use link::{Linked, STACK, Target};
pub use object::{Object, is_program};
use std::fmt;
pub use wasmparser::{FuncType, ValType};

/// What is wrong with objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The file is no object; why.
    NotAnObject {
        /// The file.
        object: String,
        /// Words that follow a colon.
        why: String,
    },
    /// The object needs something that we do not have.
    Unsupported {
        /// The file.
        object: String,
        /// Words that follow "needs".
        what: String,
    },
    /// Symbols that nobody defines, each with the object that needs it.
    Undefined(Vec<(String, String)>),
    /// A function is called with other types than it has.
    OtherTypes {
        /// The file with the call.
        object: String,
        /// The name.
        function: String,
        /// The file with the function.
        definition: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotAnObject { object, why } => write!(f, "`{object}` is no object of C for WebAssembly: {why}"),
            Error::Unsupported { object, what } => write!(f, "`{object}` needs {what}"),
            Error::Undefined(symbols) => {
                let (symbol, object) = symbols.first().map_or(("?", "?"), |(symbol, object)| (symbol, object));
                write!(f, "`{object}` needs `{symbol}`, which is nowhere defined")
            }
            Error::OtherTypes { object, function, definition } => {
                write!(f, "`{object}` calls `{function}` with other types than it has in `{definition}`")
            }
        }
    }
}
