//! Entry point of the `cleave` binary: arguments in, exit code out.

fn main() {
    let code = cleave::cli::main(std::env::args_os());
    std::process::exit(code);
}
