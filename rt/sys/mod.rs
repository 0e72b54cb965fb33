//! Implementations of the platform (WebAssembly, native, tests): the only code that knows where memory and the host
//! are.

#[cfg(any(all(target_arch = "wasm32", target_os = "unknown"), all(target_arch = "x86_64", target_os = "linux")))]
#[macro_use]
mod direct;
#[cfg(feature = "std")]
pub mod host;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub mod native;
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod paths;
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod refused;
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub mod wasm;
