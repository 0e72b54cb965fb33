//! A library whose program runs in a Worker, called from node and from a page.

use super::places::{LIMIT, folder, here};
use cleave_tests::browser;
use cleave_tests::process::{compiler, run};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A library that runs in a Worker, and what calls it.
fn library(name: &str) -> Result<PathBuf, String> {
    let folder = folder(name)?;
    let mut command = compiler();
    command.args(["build", "--lib", "--worker", "-o"]).arg(folder.join("worker/lib.mjs"));
    fs::create_dir_all(folder.join("worker")).map_err(|error| error.to_string())?;
    run(command.arg(here("../embedding/library.sam")), Vec::new(), LIMIT)?.expect(0, b"")?;
    for file in ["worker.mjs", "worker.html"] {
        let name = if file == "worker.html" { "page.html" } else { file };
        fs::copy(here(file), folder.join(name)).map_err(|error| error.to_string())?;
    }
    Ok(folder)
}

/// The process ends by itself, though there is a Worker.
pub fn in_node() -> Result<(), String> {
    let folder = library("worker")?;
    let declarations = fs::read_to_string(folder.join("worker/lib.d.mts")).map_err(|error| error.to_string())?;
    for wanted in ["function add(a: number, b: number): Promise<number>;", "function terminate(): void;"] {
        if !declarations.contains(wanted) {
            return Err(format!("no `{wanted}` in {declarations}"));
        }
    }
    run(Command::new("node").arg(folder.join("worker.mjs")), Vec::new(), LIMIT)?.expect(0, b"")?;
    let mut command = compiler();
    command.args(["build", "--lib", "--worker", "-o"]).arg(folder.join("other.mjs"));
    let output = run(command.arg(here("../embedding/functions.sam")), Vec::new(), LIMIT)?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    output.expect(1, b"")?;
    if said.contains("cannot be called in a Worker") { Ok(()) } else { Err(said) }
}

pub fn in_browser(browser: &str) -> Result<(), String> {
    let posted = browser::visit(browser, &library("worker page")?, LIMIT)?;
    let shown: Vec<_> = posted.iter().map(|posted| String::from_utf8_lossy(&posted.body)).collect();
    if shown == ["ok"] { Ok(()) } else { Err(format!("the page says {shown:?}")) }
}
