//! Errors of compilation: limits of a target, and programs that a heap cannot have.

use cleave_ir::verify::VerifyError;
use cleave_passes::rc_insertion::Unsupported;
use std::convert::Infallible;
use std::fmt;

/// What is wrong with a module, or with what is asked for. `T` is the error of the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error<T = Infallible> {
    /// The IR breaks rules; at least one.
    Invalid(Vec<VerifyError>),
    /// Functions of several phases in one module: the names of two that differ.
    MixedPhases(String, String),
    /// Low IR: it has the addresses of a memory that is made only here.
    AlreadyLow,
    /// References are to be counted in a program that cannot do without the collector.
    NotRefcounted(Unsupported),
    /// The module has no start function.
    NoStart,
    /// References are to stay in frames of the machine (strategy `stackmap`), which the target of this name cannot
    /// walk.
    NeedsFrames(&'static str),
    /// The target refuses.
    Target(T),
}

impl Error {
    /// The same for a compilation with a target.
    pub fn from_stage<T>(self) -> Error<T> {
        match self {
            Error::Invalid(errors) => Error::Invalid(errors),
            Error::MixedPhases(one, other) => Error::MixedPhases(one, other),
            Error::AlreadyLow => Error::AlreadyLow,
            Error::NotRefcounted(what) => Error::NotRefcounted(what),
            Error::NoStart => Error::NoStart,
            Error::NeedsFrames(target) => Error::NeedsFrames(target),
        }
    }
}

impl<T: fmt::Display> fmt::Display for Error<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Invalid(errors) => {
                f.write_str("the IR is wrong")?;
                errors.iter().try_for_each(|error| write!(f, "\n  {error}"))
            }
            Error::MixedPhases(one, other) => write!(f, "@{one} and @{other} are IR of different phases"),
            Error::AlreadyLow => f.write_str("the IR is low already"),
            Error::NotRefcounted(what) => write!(f, "references cannot be counted: {what}"),
            Error::NoStart => f.write_str("the module has no start function"),
            Error::NeedsFrames(target) => {
                write!(f, "the root strategy `stackmap` works in machine code only, not for `{target}`")
            }
            Error::Target(error) => error.fmt(f),
        }
    }
}

impl<T: fmt::Debug + fmt::Display> std::error::Error for Error<T> {}
