//! Programs that import StdEnv of 2019 or Clean Platform, with exact output, and every module of Platform with
//! `--keep-all`.
//!
//! ```text
//! wasm/pf_map        the programs of corpus-platform, corpus-wide and corpus-nofib in the embedded engine; also with -O0, with --keep-all, under stress
//! jit/pf_map         the same as machine code
//! native/pf_map      the same as an executable
//! module/Data.Map    a module of Platform, every function built, verified after each pass, as WebAssembly and machine code
//! all                all modules as one program
//! ```
//! Neither Platform nor StdEnv is ours. `CLEAVE_PLATFORM` names a folder with the modules of Platform for Linux,
//! compiled where they are (the folder of libraries in a checkout, or what has its folders `OS-Independent`,
//! `OS-Linux`, …), `CLEAVE_STDENV` one with StdEnv's `.abc` files, enough for corpus-wide and corpus-nofib. Tests are
//! ignored whose folder is not named, with a message. Modules are left out that import what is neither: their `.depend`
//! lines tell.

use cleave_tests::process::{AS_COMPILER, HAS_NATIVE, clean, compiler, difference, run};
use cleave_tests::samples::{self, Sample};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(600);

/// The folders of Platform whose modules belong to 64-bit Linux.
const FOLDERS: [&str; 5] = ["OS-Independent", "OS-Linux", "OS-Linux-64", "OS-Posix", "Platform-x86"];

/// Reservations per collection under stress: a prime, since some programs make a hundred thousand.
const INTERVAL: &str = "--gc-stress=7";

/// A way to run a program.
const WAYS: [(&str, &[&str]); 8] = [
    ("wasm", &[]),
    ("wasm-O0", &["-O0"]),
    ("wasm-keep-all", &["--keep-all", "-q"]),
    ("wasm-stress", &[INTERVAL, "-q"]),
    ("jit", &["--target=native"]),
    ("jit-O0", &["--target=native", "-O0"]),
    ("jit-keep-all", &["--target=native", "--keep-all", "-q"]),
    ("jit-stress", &["--target=native", INTERVAL, "-q"]),
];

/// Programs that start other programs, and the function of C that WebAssembly lacks for it.
const STARTS_PROCESSES: [(&str, &str); 1] = [("pf_process", "pipe")];

/// What is compiled.
struct Libraries {
    folders: Vec<PathBuf>,
    /// The `.abc` files of Platform, by the names of the modules.
    modules: BTreeMap<String, PathBuf>,
    stdenv: PathBuf,
}

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let arguments = Arguments::from_args();
    let folder = |variable: &str| std::env::var_os(variable).map(PathBuf::from);
    let (platform, stdenv) = (folder("CLEAVE_PLATFORM"), folder("CLEAVE_STDENV"));
    let (has_platform, has_stdenv) = (platform.is_some() && stdenv.is_some(), stdenv.is_some());
    if !has_platform && !arguments.list {
        println!("CLEAVE_PLATFORM and CLEAVE_STDENV do not name the compiled libraries: some tests are ignored");
    }
    let libraries = Libraries::find(platform.as_deref(), stdenv).unwrap_or_else(|error| panic!("{error}"));
    let libraries = Arc::new(libraries);
    let mut trials = Vec::new();
    let mut add = |name: String, can_run: bool, test: Box<dyn FnOnce() -> Result<(), String> + Send>| {
        let trial = Trial::test(name, move || test().map_err(Failed::from));
        trials.push(trial.with_ignored_flag(!can_run));
    };
    let of_platform = samples::platform().into_iter().map(|sample| (sample, has_platform));
    let of_stdenv = samples::wide().into_iter().chain(samples::nofib()).map(|sample| (sample, has_stdenv));
    for (sample, can_run) in of_platform.chain(of_stdenv) {
        for (way, flags) in WAYS {
            let (libraries, sample) = (libraries.clone(), sample.clone());
            let name = format!("{way}/{}", sample.name);
            let scratch = scratch(&name);
            let can_run = can_run && (HAS_NATIVE || !way.starts_with("jit"));
            add(name, can_run, Box::new(move || libraries.run(&sample, flags, &scratch)));
        }
        let (libraries, sample) = (libraries.clone(), sample.clone());
        let name = format!("native/{}", sample.name);
        let scratch = scratch(&name);
        add(name, can_run && HAS_NATIVE, Box::new(move || libraries.execute(&sample, &scratch)));
    }
    for (name, path) in libraries.modules.clone() {
        let (libraries, name) = (libraries.clone(), format!("module/{name}"));
        let scratch = scratch(&name);
        add(name, has_platform, Box::new(move || libraries.compile(&path, ["", ""], &scratch)));
    }
    let every = libraries.clone();
    let all = move || {
        let scratch = scratch("all");
        let path = prepare(&scratch)?.join("all.abc");
        fs::write(&path, every.importer()).map_err(|error| error.to_string())?;
        every.compile(&path, ["--emit=wasm=all.wasm", "--emit=obj=all.o"], &scratch)
    };
    add("all".into(), has_platform, Box::new(all));
    libtest_mimic::run(&arguments, trials).exit();
}

impl Libraries {
    /// The modules of Platform that import nothing but Platform and StdEnv.
    fn find(platform: Option<&Path>, stdenv: Option<PathBuf>) -> Result<Libraries, String> {
        let stdenv = stdenv.unwrap_or_default();
        let Some(platform) = platform else {
            return Ok(Libraries { folders: Vec::new(), modules: BTreeMap::new(), stdenv });
        };
        let inner = platform.join("src/libraries");
        let root = if inner.is_dir() { inner } else { platform.to_path_buf() };
        let folders: Vec<PathBuf> = FOLDERS.iter().map(|name| root.join(name)).filter(|path| path.is_dir()).collect();
        let mut modules = BTreeMap::new();
        for folder in &folders {
            collect(folder, "", &mut modules)?;
        }
        if modules.is_empty() {
            return Err(format!("CLEAVE_PLATFORM: no compiled modules in {}", root.display()));
        }
        let mut imports = BTreeMap::new();
        for (name, path) in &modules {
            let text = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            imports.insert(name.clone(), depends(&String::from_utf8_lossy(&text)));
        }
        // What imports a module that is not there is not there, either.
        loop {
            let is_there = |import: &String| {
                modules.contains_key(import) || stdenv.join(format!("{import}.abc")).is_file() || {
                    stdenv.join("Clean System Files").join(format!("{import}.abc")).is_file()
                }
            };
            let missing: Vec<String> =
                modules.keys().filter(|name| !imports[*name].iter().all(is_there)).cloned().collect();
            if missing.is_empty() {
                break;
            }
            for name in missing {
                println!("left out: {name}: it imports what is neither in Platform nor in StdEnv");
                modules.remove(&name);
            }
        }
        Ok(Libraries { folders, modules, stdenv })
    }

    /// A program that imports all modules and uses none.
    fn importer(&self) -> String {
        let depends: String = self.modules.keys().map(|name| format!(".depend \"{name}\"\n")).collect();
        let code = ".module m_all \"all\"\n.export __all_Start\n.o 0 0\n__all_Start\n.d 0 0\n\trtn\n";
        format!(".comp 920 0101110100100\n.start __all_Start\n{depends}.endinfo\n{code}")
    }

    fn command(&self, words: &[&str], scratch: &Path) -> Command {
        let mut command = compiler();
        command.args(words).arg("--no-cocl").current_dir(scratch);
        for folder in self.folders.iter().chain([&self.stdenv]) {
            command.arg("-L").arg(folder);
        }
        command
    }

    fn run(&self, sample: &Sample, flags: &[&str], scratch: &Path) -> Result<(), String> {
        let mut command = self.command(&["run"], prepare(scratch)?);
        let output = run(command.args(flags).arg(&sample.path), sample.stdin(), LIMIT)?;
        let is_native = flags.contains(&"--target=native");
        if let Some((_, function)) = STARTS_PROCESSES.iter().find(|(name, _)| !is_native && *name == sample.name) {
            output.expect(255, b"")?;
            let message =
                format!("C function '{function}' called in module 'System._Posix' does not exist on this target");
            let text = String::from_utf8_lossy(&output.stderr);
            return if text.contains(&message) { Ok(()) } else { Err(format!("another message: {text}")) };
        }
        output.expect(0, &sample.expected())?;
        let text = String::from_utf8_lossy(&output.stderr);
        if !flags.contains(&INTERVAL) {
            return difference("stderr", b"", &output.stderr).map_or(Ok(()), Err);
        }
        let count =
            text.strip_prefix("cleave: ").and_then(|rest| rest.split_once(" collections")?.0.parse::<u64>().ok());
        if count.is_some_and(|count| count > 0) { Ok(()) } else { Err(format!("no collection: {text}")) }
    }

    fn execute(&self, sample: &Sample, scratch: &Path) -> Result<(), String> {
        let program = prepare(scratch)?.join("program.exe");
        let mut command = self.command(&["build", "-q", "--target=native"], scratch);
        run(command.arg("-o").arg(&program).arg(&sample.path), Vec::new(), LIMIT)?.expect(0, b"")?;
        let output = run(clean(Command::new(&program)).current_dir(scratch), sample.stdin(), LIMIT)?;
        output.expect(0, &sample.expected())?;
        difference("stderr", b"", &output.stderr).map_or(Ok(()), Err)
    }

    /// Everything is compiled for both targets, with what to write for each; hand-written code with a wrong stack,
    /// which is left out, is a warning.
    fn compile(&self, path: &Path, emit: [&str; 2], scratch: &Path) -> Result<(), String> {
        if !path.starts_with(scratch) {
            prepare(scratch)?;
        }
        for (target, emit) in ["--target=wasm", "--target=native"].into_iter().zip(emit) {
            if target == "--target=native" && !HAS_NATIVE {
                continue;
            }
            let mut command = self.command(&["build", "--keep-all", "--verify-each", target], scratch);
            command.args(Some(emit).filter(|emit| !emit.is_empty()));
            let output = run(command.arg(path), Vec::new(), LIMIT)?;
            output.expect(0, b"")?;
            let text = String::from_utf8_lossy(&output.stderr);
            // A list function of StdEnv has a wrong stack; nothing of Platform has.
            let places = text.lines().filter(|line| line.trim_start().starts_with("--> "));
            let wrong: Vec<&str> = places.filter(|line| !line.contains("_SystemStrictLists.abc:")).collect();
            if !wrong.is_empty() || text.contains("error[") {
                return Err(format!("{target}: {text}"));
            }
        }
        Ok(())
    }
}

/// The compiled modules below a folder.
fn collect(folder: &Path, prefix: &str, modules: &mut BTreeMap<String, PathBuf>) -> Result<(), String> {
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Its modules have other names than their places say.
        if !path.is_dir() || name == "Deprecated" {
            continue;
        }
        if name != "Clean System Files" {
            collect(&path, &format!("{prefix}{name}."), modules)?;
            continue;
        }
        for file in fs::read_dir(&path).map_err(fail)? {
            let file = file.map_err(fail)?.path();
            if file.extension().is_some_and(|extension| extension == "abc") {
                let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                modules.insert(format!("{prefix}{stem}"), file);
            }
        }
    }
    Ok(())
}

/// The modules that a module imports.
fn depends(text: &str) -> Vec<String> {
    let header = text.lines().take_while(|line| *line != ".endinfo");
    let named = header.filter_map(|line| line.strip_prefix(".depend \"")?.split('"').next());
    named.map(String::from).collect()
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("platform").join(name)
}

/// An empty folder.
fn prepare(scratch: &Path) -> Result<&Path, String> {
    let _ = fs::remove_dir_all(scratch);
    fs::create_dir_all(scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    Ok(scratch)
}
