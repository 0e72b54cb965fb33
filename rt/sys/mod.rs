//! The targets: the only code that knows where memory and the outside world are.

#[cfg(any(target_arch = "wasm32", all(target_arch = "x86_64", target_os = "linux")))]
#[macro_use]
mod direct;
#[cfg(any(test, feature = "std"))]
pub mod host;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub mod native;
#[cfg(target_arch = "wasm32")]
mod paths;
#[cfg(target_arch = "wasm32")]
mod refused;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
