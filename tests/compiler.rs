//! The Clean compiler as a program: built from its own .abc files and its part in C, it compiles the standard library
//! and itself to the same bytes as the original does.
//!
//! ```text
//! quick, optimised   as machine code, with the objects of C
//! node, wasmtime     as one .wasm with the part in C, compiled by clang with a C library
//! ```
//! The variable CLEAVE_COCL names a folder with the compiler `cocl`, its modules and objects in `cocl.d`, their sources
//! in `modules2019c` and `source2019`, and the library in `StdEnv`. Without it all tests here are reported as ignored.
//! Those of WebAssembly need clang with wasi-libc, and the engine on PATH, or named by CLEAVE_NODE or CLEAVE_WASMTIME.
//! If CLEAVE_COCL_WASM names a file, the compiler as .wasm is left there, for the page of the playground.

use cleave_tests::process::{AS_COMPILER, HAS_NATIVE, announce_missing, clean, compiler, difference, run};
use libtest_mimic::{Arguments, Failed, Trial};
use std::ffi::{OsStr, OsString};
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

/// Objects of the part in C, by the names of their sources in `source2019`.
const BACK_END: &str = "backendC/CleanCompilerSources";
const C_FILES: [&str; 26] = [
    "backend",
    "backendsupport",
    "buildtree",
    "checker_2",
    "checksupport",
    "cocl",
    "codegen",
    "codegen1",
    "codegen2",
    "codegen3",
    "comparser_2",
    "compiler",
    "comsupport",
    "dbprint",
    "instructions",
    "optimisations",
    "pattern_match_2",
    "sa",
    "scanner_2",
    "set_scope_numbers",
    "settings",
    "statesgen",
    "tcsupport_2",
    "typeconv_2",
    "unix_io",
    "version",
];
const UNIX_FILES: [&str; 3] = ["cDirectory", "ipc", "set_return_code_c"];
const C_OPTIONS: [&str; 11] = [
    "--target=wasm32-wasi",
    "-w",
    "-std=gnu89",
    "-fno-common",
    "-O1",
    "-D_WASI_EMULATED_PROCESS_CLOCKS",
    "-D_WASI_EMULATED_SIGNAL",
    "-D_SUN_",
    "-DGNU_C",
    "-DG_A64",
    "-I.",
];
/// The C library for WebAssembly cannot jump out of functions. The compiler does so at an internal error alone.
const SETJMP: &str = "#include <stdlib.h>
typedef int jmp_buf[1];
#define setjmp(place) ((void)(place), 0)
#define longjmp(place, value) abort()
";

/// Engines for the compiler as WebAssembly: the variable that names the program, and its name.
const ENGINES: [(&str, &str); 2] = [("CLEAVE_NODE", "node"), ("CLEAVE_WASMTIME", "wasmtime")];

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

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
    let mut trials = Vec::from(trials);
    let has_clang = runs("clang", &["--target=wasm32-wasi", "-x", "c", "-c", "/dev/null", "-o", "/dev/null"]);
    for (variable, name) in ENGINES {
        let program = std::env::var(variable).unwrap_or(name.to_string());
        let is_ignored = home.is_none() || !has_clang || !runs(&program, &["--version"]);
        if home.is_some() && is_ignored {
            println!("{name} or clang is missing: its test is ignored");
        }
        let home = home.clone().unwrap_or_default();
        let test = move || in_engine(&home, name, &program).map_err(Failed::from);
        trials.push(Trial::test(name, test).with_ignored_flag(is_ignored));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn runs(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
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
    let ours = [build(home, &scratch.0, options)?.into_os_string()];
    for folder in folders {
        let count = compile_all(home, &home.join(folder), &scratch.0, &ours)?;
        // Fewer would mean that something was not found.
        if count < 20 {
            return Err(format!("{folder} has only {count} modules"));
        }
    }
    Ok(())
}

/// The compiler as one .wasm: it compiles the library in an engine.
fn in_engine(home: &Path, name: &str, engine: &str) -> Result<(), String> {
    let scratch = Scratch(std::env::temp_dir().join(format!("cleave-compiler-{}-{name}", std::process::id())));
    let modules = scratch.0.join("modules");
    fs::create_dir_all(&modules).map_err(|error| error.to_string())?;
    for file in files(&home.join("cocl.d"), |file| file.ends_with(".abc"))? {
        fs::copy(home.join("cocl.d").join(&file), modules.join(&file)).map_err(|error| error.to_string())?;
    }
    compile_c(&home.join("source2019"), &modules)?;
    let program = scratch.0.join(if name == "node" { "cocl.mjs" } else { "cocl.wasm" });
    let mut command = compiler();
    command.args(["build", "--no-cocl", "-o"]).arg(&program).arg(modules.join("cocl.abc"));
    run(&mut command, Vec::new(), LIMIT)?.expect(0, b"")?;
    if let Some(kept) = std::env::var_os("CLEAVE_COCL_WASM") {
        fs::copy(program.with_extension("wasm"), kept).map_err(|error| error.to_string())?;
    }
    let mut ours: Vec<OsString> = vec![engine.into()];
    if name == "wasmtime" {
        // Compiled once, if this wasmtime can: otherwise each time, which takes ten seconds.
        let compiled = scratch.0.join("cocl.cwasm");
        let stack = ["-W", "max-wasm-stack=500000000"];
        let mut command = clean(Command::new(engine));
        command.arg("compile").args(stack).arg("-o").arg(&compiled).arg(&program);
        let is_compiled = run(&mut command, Vec::new(), LIMIT)?.status == Some(0);
        ours.extend(["run", "--dir=/", "--dir=.", stack[0], stack[1]].map(OsString::from));
        ours.extend(is_compiled.then(|| "--allow-precompiled".into()));
        ours.push(if is_compiled { compiled } else { program }.into());
    } else {
        ours.push(program.into());
    }
    match compile_all(home, &home.join("StdEnv"), &scratch.0, &ours)? {
        count if count < 20 => Err(format!("StdEnv has only {count} modules")),
        _ => Ok(()),
    }
}

/// The part in C as one relocatable object, under the name of the library that the modules ask for.
fn compile_c(sources: &Path, folder: &Path) -> Result<(), String> {
    fs::write(folder.join("setjmp.h"), SETJMP).map_err(|error| error.to_string())?;
    let back_end = C_FILES.iter().map(|name| sources.join(BACK_END).join(name));
    let unix = UNIX_FILES.iter().map(|name| sources.join("main/Unix").join(name));
    let mut objects = Vec::new();
    for source in back_end.chain(unix) {
        let object = folder.join(source.file_name().unwrap_or_default()).with_extension("o");
        let mut command = clean(Command::new("clang"));
        command.current_dir(folder).args(C_OPTIONS).arg("-c").arg(source.with_extension("c")).arg("-o").arg(&object);
        run(&mut command, Vec::new(), LIMIT)?.expect(0, b"")?;
        objects.push(object);
    }
    let mut command = clean(Command::new("clang"));
    command.current_dir(folder).args(["--target=wasm32-wasi", "-nostartfiles", "-Wl,-r", "-o", "backend_library.wasm"]);
    command.args(objects).args(["-lwasi-emulated-process-clocks", "-lwasi-emulated-signal"]);
    run(&mut command, Vec::new(), LIMIT)?.expect(0, b"")
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
fn compile_all(home: &Path, folder: &Path, scratch: &Path, ours: &[OsString]) -> Result<usize, String> {
    let copies = ["theirs", "ours"].map(|name| scratch.join(name));
    for copy in &copies {
        let _ = fs::remove_dir_all(copy);
        copy_sources(folder, copy)?;
    }
    let modules = files(folder, |name| name.ends_with(".icl"))?;
    let original = [home.join("cocl").into_os_string()];
    for module in &modules {
        let module = module.trim_end_matches(".icl");
        let outputs = [&original, ours].into_iter().zip(&copies).map(|(program, copy)| {
            // By a relative path: that is what a C library of WASI takes.
            let mut path = OsString::from(".:");
            path.push(home.join("StdEnv"));
            let mut command = clean(Command::new(&program[0]));
            command.args(&program[1..]);
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
