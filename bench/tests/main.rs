//! The commands that measure, on little: `cleave-bench study` and `cleave-bench wide`. Each measures with one thread,
//! so that they run beside each other.

mod study;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod wide;
