//! Which version of cleave this is.

/// The number, and the commit if it was known when cleave was built; what has changed since the commit does not show.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("CLEAVE_COMMIT"));
