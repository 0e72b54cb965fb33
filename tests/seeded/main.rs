//! Do the tests notice bugs? `bugs.txt` lists deliberate ones; `found.txt` says which test finds each.
//!
//! An ordinary run checks that all can still be put into the sources together, that they are spread over the tree, and
//! that the table is of these. To find them:
//!
//! ```text
//! cargo test -p cleave-tests --test seeded -- --run              those that `found.txt` does not have yet
//! cargo test -p cleave-tests --test seeded -- --run NAME…        these
//! cargo test -p cleave-tests --test seeded -- --run --again      all of them
//! ```
//! That works on a copy of the sources in `target/seeded`, which has all bugs at once. Each is off until the variable
//! `CLEAVE_SEED` has its name, so the copy is built once. Then the test programs of `cargo test --workspace` run as
//! they are, first without a bug, then with one after the other until a test fails. What is found is written down at
//! once: the command can be stopped, and goes on from there. A bug that no test notices is an error.
//!
//! The compiled runtime in `rt/prebuilt` is not built anew: bugs of the runtime are in its own tests, in the
//! interpreter, and in programs that run as machine code in this process.

mod bugs;
mod found;
mod programs;
mod run;
mod watch;

use bugs::{Bug, bugs, root};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::fs;

/// Fewer would not tell much.
const LEAST: usize = 60;
/// How many of them are mistakes that were made once.
const LEAST_REAL: usize = 14;
/// Where bugs must be.
const PLACES: [&str; 27] = [
    "rt/base/",
    "rt/clean/",
    "rt/rc/",
    "rt/gc/",
    "rt/sys/native/",
    "src/cli/",
    "src/cli/lsp/",
    "src/diag/",
    "src/languages/",
    "src/frontends/clean/",
    "src/frontends/goopea/",
    "src/frontends/goopea/format/",
    "src/frontends/samlang/",
    "src/frontends/samlang/format/",
    "src/frontends/strict/",
    "src/interp/",
    "src/ir/effects/",
    "src/ir/verify/",
    "src/passes/rc_insertion/",
    "src/passes/lower/",
    "src/passes/opt/",
    "src/passes/roots/",
    "src/passes/stackless/",
    "src/passes/ipo/",
    "targets/native/link/",
    "targets/native/peephole/",
    "targets/wasm/",
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = args.iter().position(|arg| arg == "--run") {
        std::process::exit(i32::from(!run::run(&args[at + 1..])));
    }
    let mut trials = vec![
        Trial::test("enough", || enough(&bugs())),
        Trial::test("everywhere", || everywhere(&bugs())),
        Trial::test("together", || bugs::patched(&root(), &bugs()).map(drop).map_err(Failed::from)),
        Trial::test("found", || found(&bugs())),
        Trial::test("programs_exist", || programs_exist(&bugs())),
    ];
    for bug in bugs() {
        let name = bug.name.clone();
        let test = move || bugs::patched(&root(), std::slice::from_ref(&bug)).map(drop).map_err(Failed::from);
        trials.push(Trial::test(name, test));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn enough(bugs: &[Bug]) -> Result<(), Failed> {
    let real = bugs.iter().filter(|bug| bug.is_real).count();
    if bugs.len() < LEAST || real < LEAST_REAL {
        return Err(format!("there are only {} bugs, {real} of them real ones", bugs.len()).into());
    }
    let twice = bugs.iter().enumerate().find(|(at, bug)| bugs[..*at].iter().any(|other| other.hash() == bug.hash()));
    twice.map_or(Ok(()), |(_, bug)| Err(format!("`{}` is there twice, or its hash", bug.name).into()))
}

fn everywhere(bugs: &[Bug]) -> Result<(), Failed> {
    let has = |place: &&str| bugs.iter().any(|bug| bug.patches.iter().any(|patch| patch.file.starts_with(place)));
    match PLACES.iter().find(|place| !has(place)) {
        Some(place) => Err(format!("there is no bug in {place}").into()),
        None => Ok(()),
    }
}

fn found(bugs: &[Bug]) -> Result<(), Failed> {
    match found::read().iter().find(|row| !bugs.iter().any(|bug| bug.name == row.bug)) {
        Some(row) => Err(format!("`{}` is no bug of the list", row.bug).into()),
        None => Ok(()),
    }
}

/// Test programs that are named must exist: their names are in the `Cargo.toml` of their packages.
fn programs_exist(bugs: &[Bug]) -> Result<(), Failed> {
    let mut known: BTreeSet<String> = BTreeSet::new();
    let workspace = fs::read_to_string(root().join("Cargo.toml")).expect("the workspace");
    let members = workspace.split("members = [").nth(1).and_then(|rest| rest.split(']').next()).expect("members");
    for member in members.split('"').filter(|word| !word.trim().trim_matches(',').trim().is_empty()) {
        let path = root().join(member).join("Cargo.toml");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for section in text.split("[[test]]").skip(1) {
            let name = section.split("name = \"").nth(1).and_then(|rest| rest.split('"').next());
            known.extend(name.map(String::from));
        }
    }
    let of_hints = bugs.iter().flat_map(|bug| bug.hints.iter().map(|hint| hint.program.clone()));
    let of_rows = found::read().into_iter().map(|row| row.program);
    match of_hints.chain(of_rows).find(|program| !known.contains(program)) {
        Some(program) => Err(format!("there is no test program `{program}`").into()),
        None => Ok(()),
    }
}
