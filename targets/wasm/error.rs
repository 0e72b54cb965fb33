//! Errors of the Wasm back end.

use crate::c;
use std::fmt;

/// Why a module cannot be emitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The program has no start function.
    NoStart,
    /// The runtime has no function for this extern.
    MissingExtern(String),
    /// A function needs more locals, parameters or results than engines accept.
    TooManyLocals(String),
    /// The code of a function is longer than engines accept.
    TooLarge(String),
    /// The runtime module is not what we expect.
    Runtime(String),
    /// Something is wrong with objects of C.
    C(c::Error),
}

impl From<c::Error> for Error {
    fn from(error: c::Error) -> Error {
        Error::C(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoStart => f.write_str("the program has no start function"),
            Error::MissingExtern(name) => write!(f, "the runtime has no function `{name}`"),
            Error::TooManyLocals(func) => write!(f, "@{func} needs too many locals"),
            Error::TooLarge(func) => write!(f, "the code of @{func} is too long"),
            Error::Runtime(message) => write!(f, "runtime module: {message}"),
            Error::C(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Error {}
