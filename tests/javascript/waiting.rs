//! Libraries whose functions wait for promises of JavaScript: `waiting.mjs` in node, with collections at every chance,
//! too, and in headless Chromium; what cannot wait says so.

use super::places::{LIMIT, folder, here};
use cleave_tests::browser;
use cleave_tests::process::{compiler, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program in IR on both heaps, and the one in samlang.
fn libraries(name: &str) -> Result<PathBuf, String> {
    let folder = folder(name)?;
    let text = |error: std::io::Error| error.to_string();
    let source = fs::read_to_string(here("../embedding/waiting.ir")).map_err(text)?;
    for (name, heap) in [("gc", ""), ("rc", "heap rc\n")] {
        let ir = folder.join(name).with_extension("ir");
        fs::write(&ir, format!("{heap}{source}")).map_err(text)?;
        let mut command = compiler();
        command.args(["build", "--rts-options"]).arg(&ir).arg("-o").arg(folder.join(name).with_extension("mjs"));
        run(&mut command, Vec::new(), LIMIT)?.expect(0, b"")?;
    }
    let mut command = compiler();
    command.args(["build", "--rts-options"]).arg(here("../embedding/waiting.sam"));
    command.args(["--lib", "--import", IMPORTED, "-o"]);
    run(command.arg(folder.join("sam.mjs")), Vec::new(), LIMIT)?.expect(0, b"")?;
    fs::copy(here("../embedding/waiting_host.mjs"), folder.join("waiting_host.mjs")).map_err(text)?;
    Ok(folder)
}

const IMPORTED: &str = "Host=./waiting_host.mjs";

pub fn in_node() -> Result<(), String> {
    let folder = libraries("waiting")?;
    for stress in ["", "997", "13"] {
        let mut command = Command::new("node");
        if !stress.is_empty() {
            command.env("GC_STRESS", stress).arg("--import").arg(here("stress.mjs"));
        }
        run(command.arg(here("waiting.mjs")).arg(&folder), Vec::new(), LIMIT)?.expect(0, b"ok\n")?;
    }
    Ok(())
}

pub fn in_browser(browser: &str) -> Result<(), String> {
    let folder = libraries("waiting page")?;
    for (file, name) in [("waiting.html", "page.html"), ("waiting.mjs", "waiting.mjs")] {
        fs::copy(here(file), folder.join(name)).map_err(|error| error.to_string())?;
    }
    let posted = browser::visit(browser, &folder, LIMIT)?;
    let shown: Vec<_> = posted.iter().map(|posted| String::from_utf8_lossy(&posted.body)).collect();
    if shown == ["ok"] { Ok(()) } else { Err(format!("the page says {shown:?}")) }
}

/// Where there is no JavaScript, the bodies of the program run, or there is a message.
pub fn elsewhere() -> Result<(), String> {
    let folder = folder("waiting elsewhere")?;
    let (ir, sam) = (here("../embedding/waiting.ir"), here("../embedding/waiting.sam"));
    for target in ["wasm", "native"] {
        let mut command = compiler();
        let output = run(command.args(["run", "--target", target]).arg(&sam), Vec::new(), LIMIT)?;
        output.expect(0, b"failed: no file a7\n")?;
    }
    let refused = |program: &Path, args: &[&str], message: &str| {
        let mut command = compiler();
        command.arg("build").arg(program).args(args).arg("-o").arg(folder.join("refused"));
        let output = run(&mut command, Vec::new(), LIMIT)?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.expect(1, b"") {
            Ok(()) if said.contains(message) => Ok(()),
            _ => Err(format!("{args:?}: no `{message}` in {said}")),
        }
    };
    let javascript = "`ask` gives a promise, which is there in libraries for JavaScript alone";
    refused(&ir, &["--target", "native"], javascript)?;
    refused(&ir, &["--target", "component"], javascript)?;
    refused(&sam, &["--import", IMPORTED], "functions come from the host in libraries alone")?;
    for (import, message) in [
        ("Hosts=./x.mjs", "[E0528]: there is no class `Hosts` whose functions could be imported"),
        ("Empty=./x.mjs", "the class `Empty` has no public functions that could be imported"),
        ("Odd=./x.mjs", "`odd` cannot be imported: the argument `f` is a function"),
    ] {
        refused(&here("../embedding/waiting_wrong.sam"), &["--lib", "--import", import], message)?;
    }
    let mut command = compiler();
    let output = run(command.arg("build").arg(&sam).args(["--lib", "--import", "Host="]), Vec::new(), LIMIT)?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !said.contains("write CLASS=MODULE, as Net=./net.mjs") {
        return Err(format!("of an import without a module: {said}"));
    }
    let goo = here("../embedding/library.goo");
    refused(&goo, &["--lib", "--import", IMPORTED], "names a class, and")
}
