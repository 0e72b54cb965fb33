//! Clean's whole StdEnv with `--keep-all`: every function of every module is built, verified after each pass (with the
//! root checker), and compiled to WebAssembly.
//!
//! The variable CLEAVE_STDENV names a folder with the `.abc` files of StdEnv, which are not part of this project;
//! without it the tests are ignored, with a message. Each module is compiled with what it imports, and all of them as
//! one program. Only `_SystemStrictLists` may get warnings: it has hand-written code with a wrong stack.

use cleave_tests::process::{AS_COMPILER, compiler, run};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(240);
const FOLDER: &str = "CLEAVE_STDENV";

/// The modules of StdEnv but `_system`, which is ours.
const MODULES: [&str; 27] = [
    "StdArray",
    "StdBool",
    "StdChar",
    "StdCharList",
    "StdClass",
    "StdDebug",
    "StdEnum",
    "StdEnv",
    "StdFile",
    "StdFunc",
    "StdFunctions",
    "StdGeneric",
    "StdInt",
    "StdList",
    "StdMaybe",
    "StdMisc",
    "StdOrdList",
    "StdOverloaded",
    "StdOverloadedList",
    "StdReal",
    "StdStrictLists",
    "StdString",
    "StdTuple",
    "_SystemArray",
    "_SystemEnum",
    "_SystemEnumStrict",
    "_SystemStrictLists",
];

/// The module with wrong code, and how many functions of it are left out at most.
const WRONG: (&str, usize) = ("_SystemStrictLists", 3);

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let arguments = Arguments::from_args();
    let folder = std::env::var_os(FOLDER).map(PathBuf::from);
    if folder.is_none() && !arguments.list {
        println!("{FOLDER} names no folder with the .abc files of StdEnv: these tests are ignored");
    }
    let ignored = folder.is_none();
    let folder = folder.unwrap_or_default();
    let mut trials = Vec::new();
    for name in MODULES {
        let path = folder.join(format!("{name}.abc"));
        let of = folder.clone();
        let test = move || check(&path, &[name], &of).map_err(Failed::from);
        trials.push(Trial::test(format!("module/{name}"), test).with_ignored_flag(ignored));
    }
    let all = move || {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stdenv-all.abc");
        fs::write(&path, importer()).map_err(|error| error.to_string())?;
        check(&path, &MODULES, &folder)
    };
    trials.push(Trial::test("all", move || all().map_err(Failed::from)).with_ignored_flag(ignored));
    libtest_mimic::run(&arguments, trials).exit();
}

/// A program that imports all modules and uses none.
fn importer() -> String {
    let depends: String = MODULES.iter().map(|name| format!(".depend \"{name}\"\n")).collect();
    let code = ".module m_all \"all\"\n.export __all_Start\n.o 0 0\n__all_Start\n.d 0 0\n\trtn\n";
    format!(".comp 920 01011101001\n.start __all_Start\n{depends}.endinfo\n{code}")
}

fn check(path: &Path, modules: &[&str], folder: &Path) -> Result<(), String> {
    let mut command = compiler();
    command.args(["build", "--keep-all", "--verify-each", "--emit=ir:build=-", "-L"]).arg(folder).arg(path);
    let built = run(&mut command, Vec::new(), LIMIT)?;
    let names: BTreeSet<String> = String::from_utf8_lossy(&built.stdout).lines().filter_map(function_name).collect();
    for level in ["-O0", "-O2"] {
        let mut command = compiler();
        let wasm = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stdenv.wasm");
        command.args(["build", "--keep-all", "--verify-each", level, "-L"]).arg(folder).arg(path);
        if modules.len() > 1 {
            command.arg("-o").arg(wasm);
        }
        let output = run(&mut command, Vec::new(), LIMIT)?;
        let text = String::from_utf8_lossy(&output.stderr);
        output.expect(0, b"")?;
        warnings(&text)?;
    }
    for module in modules {
        let text = fs::read(folder.join(format!("{module}.abc"))).map_err(|error| format!("{module}: {error}"))?;
        let labels = function_labels(&String::from_utf8_lossy(&text));
        let is_built = |label: &&String| names.contains(*label) || names.contains(&format!("{module}.{label}"));
        let missing: Vec<&String> = labels.iter().filter(|label| !is_built(label)).collect();
        if !missing.is_empty() {
            return Err(format!(
                "{} of {} functions of {module} are missing: {missing:?}",
                missing.len(),
                labels.len()
            ));
        }
    }
    Ok(())
}

/// Every warning must be about the wrong code that is known.
fn warnings(text: &str) -> Result<(), String> {
    let places = text.lines().filter(|line| line.trim_start().starts_with("--> "));
    let wrong = places.filter(|line| !line.contains(&format!("{}.abc:", WRONG.0))).count();
    let count = text.matches("warning[").count();
    if wrong == 0 && count <= WRONG.1 && !text.contains("error[") {
        return Ok(());
    }
    Err(format!("more is wrong than what is known:\n{text}"))
}

/// The name in a line `func @name(…`, or `func @"name"(…`, without the mark of a variant.
fn function_name(line: &str) -> Option<String> {
    let rest = line.strip_prefix("func @")?;
    let name = match rest.strip_prefix('"') {
        Some(quoted) => quoted[..quoted.find("\"(")?].replace("\\\"", "\"").replace("\\\\", "\\"),
        None => rest[..rest.find('(')?].to_string(),
    };
    Some(name.strip_suffix("+dest").unwrap_or(&name).to_string())
}

/// Labels with an `.o` before them, other directives in between.
fn function_labels(text: &str) -> Vec<String> {
    let mut offered = false;
    let mut labels = Vec::new();
    let mut called = false;
    for line in text.lines() {
        match line.bytes().next() {
            Some(b'.') => {
                // After a call an .o says what comes back.
                if line.starts_with(".o ") {
                    offered = !std::mem::replace(&mut called, false);
                }
            }
            Some(b' ' | b'\t') => {
                let word = line.split_whitespace().next();
                called = matches!(word, Some("jsr" | "jsr_i"));
                offered = false;
            }
            Some(b'|') | None => {}
            Some(_) => {
                if std::mem::replace(&mut offered, false) {
                    labels.push(line.split_whitespace().next().unwrap_or_default().to_string());
                }
                called = false;
            }
        }
    }
    labels
}
