//! The Clean compiler as a program: built as machine code from its own .abc files and objects of C, it compiles the
//! standard library and itself to the same bytes as the original does.
//!
//! The variable CLEAVE_COCL names a folder with the compiler `cocl`, its modules and objects in `cocl.d`, their sources
//! in `modules2019c`, and the library in `StdEnv`. Without it all tests here are reported as ignored.

use cleave_tests::process::{AS_COMPILER, HAS_NATIVE, announce_missing, clean, compiler, difference, run};
use libtest_mimic::{Arguments, Failed, Trial};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const VARIABLE: &str = "CLEAVE_COCL";
const LIMIT: Duration = Duration::from_secs(900);
const SYSTEM_FILES: &str = "Clean System Files";
/// The compiler as an executable, its options, and the folders of sources that it compiles.
const TRIALS: [(&str, &[&str], &[&str]); 2] =
    [("quick", &["-O0"], &["StdEnv", "modules2019c"]), ("optimised", &[], &["StdEnv"])];

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let home = std::env::var_os(VARIABLE).map(PathBuf::from);
    if home.is_none() {
        println!("{VARIABLE} names no folder with Clean's compiler: its tests are ignored");
    }
    if !HAS_NATIVE {
        announce_missing();
    }
    let is_ignored = home.is_none() || !HAS_NATIVE;
    let trials = TRIALS.map(|(name, options, folders)| {
        let home = home.clone().unwrap_or_default();
        let test = move || check(&home, name, options, folders).map_err(Failed::from);
        Trial::test(name, test).with_ignored_flag(is_ignored)
    });
    libtest_mimic::run(&Arguments::from_args(), trials.into()).exit();
}

/// A folder that is removed at the end.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn check(home: &Path, name: &str, options: &[&str], folders: &[&str]) -> Result<(), String> {
    let scratch = Scratch(std::env::temp_dir().join(format!("cleave-compiler-{}-{name}", std::process::id())));
    fs::create_dir_all(&scratch.0).map_err(|error| error.to_string())?;
    let ours = build(home, &scratch.0, options)?;
    for folder in folders {
        let count = compile_all(home, &home.join(folder), &scratch.0, &ours)?;
        // Fewer would mean that something was not found.
        if count < 20 {
            return Err(format!("{folder} has only {count} modules"));
        }
    }
    Ok(())
}

/// Builds the compiler from its modules as they are.
fn build(home: &Path, scratch: &Path, options: &[&str]) -> Result<PathBuf, String> {
    let program = scratch.join("cocl");
    let modules = home.join("cocl.d");
    let mut command = compiler();
    command.args(["build", "--target", "native", "--no-cocl", "-o"]).arg(&program).args(options);
    command.arg(modules.join("cocl.abc"));
    command
        .args(files(&modules, |name| name.starts_with("C_") && name.ends_with(".o"))?.iter().map(|n| modules.join(n)));
    command.arg(modules.join("backend.a"));
    run(&mut command, Vec::new(), LIMIT)?.expect(0, b"")?;
    Ok(program)
}

/// Names of the files of a folder, in order.
fn files(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| wanted(name)).collect();
    names.sort();
    Ok(names)
}

/// Compiles all modules of a folder with both compilers, each in a copy of its own, and compares what they write. Both
/// see the same .abc files of other modules, so that code is taken over from them in the same way.
fn compile_all(home: &Path, folder: &Path, scratch: &Path, ours: &Path) -> Result<usize, String> {
    let copies = ["theirs", "ours"].map(|name| scratch.join(name));
    for copy in &copies {
        let _ = fs::remove_dir_all(copy);
        copy_sources(folder, copy)?;
    }
    let modules = files(folder, |name| name.ends_with(".icl"))?;
    let original = home.join("cocl");
    for module in &modules {
        let module = module.trim_end_matches(".icl");
        let outputs = [original.as_path(), ours].into_iter().zip(&copies).map(|(program, copy)| {
            let mut path = copy.clone().into_os_string();
            path.push(":");
            path.push(home.join("StdEnv"));
            let mut command = clean(Command::new(program));
            if program == ours {
                // The original was linked so that it does not show the result.
                command.arg("-nr");
            }
            command.current_dir(copy).args([OsStr::new("-P"), &path, OsStr::new(module)]);
            let output = run(&mut command, Vec::new(), LIMIT)?;
            // Messages name the folder.
            let place = copy.to_string_lossy().into_owned();
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&place, "");
            let made = copy.join(SYSTEM_FILES).join(format!("{module}.abc"));
            Ok::<_, String>((output.status, text(&output.stdout), text(&output.stderr), fs::read(made).ok()))
        });
        let outputs = outputs.collect::<Result<Vec<_>, String>>()?;
        let (theirs, ours) = (&outputs[0], &outputs[1]);
        if (&theirs.0, &theirs.1, &theirs.2) != (&ours.0, &ours.1, &ours.2) {
            let shown = |output: &(Option<i32>, String, String, _)| format!("{:?} {} {}", output.0, output.1, output.2);
            return Err(format!("{module}: the compiler says {}, ours {}", shown(theirs), shown(ours)));
        }
        match (&theirs.3, &ours.3) {
            (Some(theirs), Some(ours)) => {
                if let Some(difference) = difference(module, theirs, ours) {
                    return Err(difference);
                }
            }
            (None, None) => {}
            _ => return Err(format!("{module}: only one of the compilers has written a file")),
        }
    }
    Ok(modules.len())
}

/// Copies the sources of a folder, without what was compiled but the module `_system`, which has no source.
fn copy_sources(from: &Path, to: &Path) -> Result<(), String> {
    let made = to.join(SYSTEM_FILES);
    fs::create_dir_all(&made).map_err(|error| error.to_string())?;
    for name in files(from, |name| name.ends_with(".icl") || name.ends_with(".dcl"))? {
        fs::copy(from.join(&name), to.join(&name)).map_err(|error| format!("{name}: {error}"))?;
    }
    let system = from.join(SYSTEM_FILES).join("_system.abc");
    if system.is_file() {
        fs::copy(system, made.join("_system.abc")).map_err(|error| error.to_string())?;
    }
    Ok(())
}
