//! The targets: the only code that knows where memory and the outside world are.

#[cfg(any(test, feature = "std"))]
pub mod host;
#[cfg(target_arch = "wasm32")]
mod paths;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
