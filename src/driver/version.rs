//! The version of cleave, with the commit that was built.

/// The number, and the commit if it was known when cleave was built; what has changed since the commit does not show.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("CLEAVE_COMMIT"));

/// A hash of everything that this cleave was built from (`build.rs`): what another one has kept may not fit this one.
pub const SOURCES: &str = env!("CLEAVE_SOURCES");
