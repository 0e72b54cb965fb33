//! Entry point of the `cleave` binary: arguments in, exit code out.

#[cfg(all(feature = "mimalloc", not(target_family = "wasm")))]
#[global_allocator]
static ALLOCATOR: cleave::allocator::Allocator = cleave::allocator::Allocator;

fn main() {
    let code = cleave::cli::main(std::env::args_os());
    std::process::exit(code);
}
