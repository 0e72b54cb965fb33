//! Entry point of the `cleave` binary: arguments in, exit code out.

/// Compiling makes and drops many small vectors on several threads at once: with the C library's allocator, a second
/// thread gains nothing.
#[cfg(not(target_family = "wasm"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let code = cleave::cli::main(std::env::args_os());
    std::process::exit(code);
}
