//! Hosts in Rust, which load components by the types that wasmtime's `bindgen` makes: `examples/embedding/rust`, and
//! `embedding/component_host.rs`. CLEAVE_RUST_HOST is the folder for what cargo builds of wasmtime, which takes
//! minutes.

use super::places::{LIMIT, folder, here};
use cleave_tests::process::{compiler, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(1800);

/// Where wasmtime is built.
pub fn target() -> Option<PathBuf> {
    let target = std::env::var_os("CLEAVE_RUST_HOST").map(PathBuf::from);
    if target.is_none() {
        println!("CLEAVE_RUST_HOST is not set: the test of hosts in Rust is ignored");
    }
    target
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map_err(|error| format!("{}: {error}", from.display())).map(|_| ())
}

/// Writes the interface of a program, and components of it for both heaps.
fn build(folder: &Path, program: &Path, name: &str, exports: &str) -> Result<[PathBuf; 2], String> {
    let output = run(compiler().args(["wit", "--export", exports]).arg(program), Vec::new(), LIMIT)?;
    let wit = output.stdout.clone();
    output.expect(0, &wit)?;
    fs::write(folder.join(name).with_extension("wit"), wit).map_err(|error| error.to_string())?;
    let components = ["counted", "collected"].map(|heap| folder.join(format!("{name}-{heap}.wasm")));
    for (component, memory) in components.iter().zip(["--memory=rc", "--memory=gc"]) {
        let mut command = compiler();
        command.args(["build", "--target", "component", memory, "--export", exports]).arg(program);
        run(command.arg("-o").arg(component), Vec::new(), LIMIT)?.expect(0, b"")?;
    }
    Ok(components)
}

pub fn hosts(target: &Path) -> Result<(), String> {
    let folder = folder("rust")?;
    let examples = here("../../examples/embedding");
    fs::create_dir_all(folder.join("src/bin")).map_err(|error| error.to_string())?;
    for file in ["Cargo.toml", "Cargo.lock", "src/main.rs"] {
        copy(&examples.join("rust").join(file), &folder.join(file))?;
    }
    copy(&here("../embedding/component_host.rs"), &folder.join("src/bin/host.rs"))?;
    let sales = build(&folder, &examples.join("sales.sam"), "sales", "summary,mean")?;
    let exports = "adder,apply,each,failing,named";
    let functions = build(&folder, &here("../embedding/functions.sam"), "functions", exports)?;
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["build", "--quiet", "--locked"]).current_dir(&folder).env("CARGO_TARGET_DIR", target);
    // Where Clippy builds the tests: what `bindgen` makes is not ours.
    cargo.env_remove("RUSTC_WORKSPACE_WRAPPER");
    run(&mut cargo, Vec::new(), LONG)?.expect(0, b"")?;
    let expected = fs::read_to_string(examples.join("expected")).map_err(|error| error.to_string())?;
    let expected = expected.replace("There are no sales.", "the program has ended");
    let programs = target.join("debug");
    for component in sales {
        let mut command = Command::new(programs.join("sales-host"));
        run(command.arg(component), Vec::new(), LIMIT)?.expect(0, expected.as_bytes())?;
    }
    run(Command::new(programs.join("host")).args(functions), Vec::new(), LIMIT)?.expect(0, b"ok\n")
}
