//! Hosts in JavaScript that do wrong things (`hostile.mjs`), in node and in headless Chromium, on both heaps; and in
//! Python those that call a component from inside of a destructor and its like.

use super::places::{LIMIT, folder, here, python};
use cleave_tests::browser;
use cleave_tests::process::{compiler, run};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A folder with the script, a page that runs it, and a library.
fn libraries(name: &str, memory: &str) -> Result<PathBuf, String> {
    let folder = folder(name)?;
    for (file, name) in [("hostile.html", "page.html"), ("hostile.mjs", "hostile.mjs")] {
        fs::copy(here(file), folder.join(name)).map_err(|error| error.to_string())?;
    }
    let mut command = compiler();
    command.args(["build", "--lib", memory]).arg(here("../embedding/functions.sam"));
    run(command.arg("-o").arg(folder.join("lib.mjs")), Vec::new(), LIMIT)?.expect(0, b"")?;
    Ok(folder)
}

pub fn in_node() -> Result<(), String> {
    for memory in ["--memory=rc", "--memory=gc"] {
        let folder = libraries("hostile", memory)?;
        let output = run(Command::new("node").arg(folder.join("hostile.mjs")), Vec::new(), LIMIT)?;
        output.expect(0, b"").map_err(|error| format!("{memory}: {error}"))?;
    }
    Ok(())
}

pub fn in_browser(browser: &str) -> Result<(), String> {
    let folder = libraries("hostile page", "--memory=rc")?;
    let posted = browser::visit(browser, &folder, LIMIT)?;
    let shown: Vec<_> = posted.iter().map(|posted| String::from_utf8_lossy(&posted.body)).collect();
    if shown == ["ok"] { Ok(()) } else { Err(format!("the page says {shown:?}")) }
}

pub fn in_python() -> Result<(), String> {
    let folder = folder("inside")?;
    for (program, exports) in [("functions", "adder,each,named,runAll"), ("objects", "named,both,long")] {
        for (name, memory) in [("counted", "--memory=rc"), ("collected", "--memory=gc")] {
            let mut command = compiler();
            command.args(["build", "--target", "component", memory, "--export", exports, "-o"]);
            command.arg(folder.join(format!("inside-{program}-{name}.wasm")));
            let program = here("../embedding").join(program).with_extension("sam");
            run(command.arg(program), Vec::new(), LIMIT)?.expect(0, b"")?;
        }
    }
    let mut command = Command::new(python());
    command.arg(here("../embedding/component_inside.py")).arg(&folder);
    run(&mut command, Vec::new(), LIMIT)?.expect(0, b"ok\n")
}
