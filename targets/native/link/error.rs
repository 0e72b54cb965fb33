//! Errors of the linker.

use std::fmt;

/// Why nothing was linked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The file cannot be read as what it was given for.
    Malformed {
        /// Its name in [`super::Inputs`].
        file: String,
        /// Words that follow a colon.
        reason: String,
    },
    /// The file has something that only a full linker knows.
    Unsupported {
        /// Its name in [`super::Inputs`].
        file: String,
        /// Words that follow "has".
        what: String,
    },
    /// Two objects define the same name.
    Duplicate {
        /// The name.
        symbol: String,
        /// The object that comes first on the command line.
        first: String,
        /// The other one.
        second: String,
    },
    /// No object and no library defines these names.
    Undefined(Vec<String>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Malformed { file, reason } => write!(f, "`{file}` cannot be read: {reason}"),
            Error::Unsupported { file, what } => write!(f, "`{file}` has {what}"),
            Error::Duplicate { symbol, first, second } => {
                write!(f, "`{symbol}` is defined in `{first}` and in `{second}`")
            }
            Error::Undefined(names) => write!(f, "nothing defines {}", names.join(", ")),
        }
    }
}

impl std::error::Error for Error {}
