//! Libraries as components: in stock wasmtime of Python, and in node behind what jco makes of them.

use super::places::{LIMIT, folder, here, jco, python};
use super::{example, libraries};
use cleave_tests::process::{compiler, run};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The same libraries as in node, functions and objects of Python, and the example.
pub fn in_python() -> Result<(), String> {
    let folder = folder("component")?;
    libraries(&folder, "wasm", &["--target", "component"])?;
    let script = here("../embedding/component.py");
    run(Command::new(python()).arg(script).arg(&folder), Vec::new(), LIMIT)?.expect(0, b"ok\n")?;
    for (name, memory) in [("counted", "--memory=rc"), ("collected", "--memory=gc")] {
        let mut command = compiler();
        command
            .args(["build", "--lib", "--target", "component", memory, "-o"])
            .arg(folder.join(format!("{name}.wasm")));
        run(command.arg(here("../embedding/functions.sam")), Vec::new(), LIMIT)?.expect(0, b"")?;
    }
    let script = here("../embedding/component_functions.py");
    run(Command::new(python()).arg(script).arg(&folder), Vec::new(), LIMIT)?.expect(0, b"ok\n")?;
    let objects = object_components(&folder, &["sam", "goo"])?;
    let mut command = compiler();
    command.arg("build").arg(here("../embedding/clean/Objects.abc")).arg("-I").arg(here("../corpus"));
    command.args(["--export", ":: Element", "--export", ":: Node", "--target", "component", "-o"]);
    run(command.arg(folder.join("objects-clean.wasm")), Vec::new(), LIMIT)?.expect(0, b"")?;
    let script = here("../embedding/component_objects.py");
    let mut command = Command::new(python());
    run(command.arg(script).arg(&folder).args(objects), Vec::new(), LIMIT)?.expect(0, b"ok\n")?;
    let component = folder.join("sales.wasm");
    let mut command = compiler();
    command.args(["build", "--lib", "--target", "component", "-o"]).arg(&component).arg(example("sales.sam"));
    run(&mut command, Vec::new(), LIMIT)?.expect(0, b"")?;
    let expected = fs::read_to_string(example("expected")).map_err(|error| error.to_string())?;
    let expected = expected.replace("There are no sales.", "the program has ended");
    let mut command = Command::new(python());
    run(command.arg(example("python/main.py")).arg(&component), Vec::new(), LIMIT)?.expect(0, expected.as_bytes())
}

/// The same behind what jco makes of them.
pub fn in_node() -> Result<(), String> {
    let folder = folder("jco")?;
    fs::copy(here("component_host.mjs"), folder.join("host.mjs")).map_err(|error| error.to_string())?;
    for name in ["library", "functions"] {
        let component = folder.join(format!("{name}.wasm"));
        let mut command = compiler();
        command.args(["build", "--lib", "--target", "component", "-o"]).arg(&component);
        run(command.arg(here("../embedding").join(format!("{name}.sam"))), Vec::new(), LIMIT)?.expect(0, b"")?;
        transpile(&component, "local:functions/host=./host.mjs")?;
    }
    run(Command::new("node").arg(here("component.mjs")).arg(&folder), Vec::new(), LIMIT)?.expect(0, b"ok\n")?;
    fs::copy(here("component_objects_host.mjs"), folder.join("objects_host.mjs")).map_err(|error| error.to_string())?;
    let objects = object_components(&folder, &["goo"])?;
    for name in &objects {
        transpile(&folder.join(format!("{name}.wasm")), "local:objects/host=./objects_host.mjs")?;
    }
    let script = here("component_objects.mjs");
    run(Command::new("node").arg(script).arg(&folder).args(&objects), Vec::new(), LIMIT)?.expect(0, b"ok\n")
}

/// jco is there.
pub fn has_jco() -> bool {
    let is_there = Command::new(jco()).arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        println!("jco is not installed: its test is ignored");
    }
    is_there
}

/// Components that keep objects of the host, on both heaps: their names.
fn object_components(folder: &Path, languages: &[&str]) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for (language, memory) in languages.iter().flat_map(|language| ["rc", "gc"].map(|memory| (language, memory))) {
        let name = format!("objects-{language}-{memory}");
        let mut command = compiler();
        command.args(["build", "--lib", "--target", "component", &format!("--memory={memory}"), "-o"]);
        command.arg(folder.join(format!("{name}.wasm"))).arg(here(&format!("../embedding/objects.{language}")));
        run(&mut command, Vec::new(), LIMIT)?.expect(0, b"")?;
        names.push(name);
    }
    Ok(names)
}

/// Makes functions of JavaScript of a component, beside it; `map` says where an interface is that it imports.
fn transpile(component: &Path, map: &str) -> Result<(), String> {
    let mut command = Command::new(jco());
    command.args(["transpile", "--quiet", "--map", map, "--out-dir"]).arg(component.parent().unwrap_or(Path::new(".")));
    let output = run(command.arg(component), Vec::new(), LIMIT)?;
    if output.status == Some(0) { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}
