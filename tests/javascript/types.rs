//! The declarations of libraries, as TypeScript's own compiler reads them (`types.mts`).

use super::libraries;
use super::places::{LIMIT, folder, here, tsc};
use cleave_tests::process::{compiler, run};
use std::fs;
use std::process::Command;

/// `tsc` is there.
pub fn has_tsc() -> bool {
    let is_there = Command::new(tsc()).arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        println!("tsc is not installed: its test is ignored");
    }
    is_there
}

/// With all its checks, where `using` is known and where it is not.
pub fn are_read() -> Result<(), String> {
    let folder = folder("types")?;
    libraries(&folder, "mjs", &[])?;
    for name in ["library", "functions", "objects"] {
        let mut command = compiler();
        command.args(["build", "--lib"]).arg(here(&format!("../embedding/{name}.sam")));
        run(command.arg("-o").arg(folder.join(format!("{name}.mjs"))), Vec::new(), LIMIT)?.expect(0, b"")?;
    }
    for name in ["types.mts", "types_using.mts"] {
        fs::copy(here(name), folder.join(name)).map_err(|error| error.to_string())?;
    }
    let strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
    let declarations = ["sam.d.mts", "goo.d.mts", "clean.d.mts", "objects.d.mts", "types.mts"];
    for (known, more) in [("es2022", &[][..]), ("esnext,dom", &["types_using.mts"][..])] {
        let mut command = Command::new(tsc());
        command.current_dir(&folder).args(strict).args(["--module", "nodenext", "--target", "es2022", "--types", ""]);
        let output = run(command.args(["--lib", known]).args(declarations).args(more), Vec::new(), LIMIT)?;
        // What is wrong it says there.
        output.expect(0, b"").map_err(|error| format!("{known}: {error}"))?;
    }
    Ok(())
}
