//! Libraries of machine code: a C compiler takes their headers, and programs in C call their functions, of archives and
//! of shared libraries.
//!
//! ```text
//! library    `embedding/library.c`: all types of samlang, errors, hostile use, memory, threads, signals
//! numbers    `embedding/numbers.c`: numbers of all kinds, in registers and on the stack
//! data       `embedding/data.c`: on both heaps, with a collection at every chance, too
//! goopea     `embedding/goopea.c`: what GOOPEA has and samlang has not
//! clean      `embedding/clean.c`: data of Clean, lazy and strict, with a collection at every chance, too
//! functions  `embedding/functions.c`, `embedding/clean_functions.c`: functions as values in both directions, on both heaps,
//!            with a collection at every chance, too
//! threads    `embedding/threads.c`: threads that call at the same time
//! objects    `embedding/objects.c`, `embedding/goopea_objects.c`, `embedding/clean_objects.c`: objects of C that a
//!            program keeps, on both heaps, with collections, too
//! imports    `embedding/imports.c`: functions of C that a program imports, on both heaps, with collections, too
//! example    `examples/embedding/c`
//! together   two libraries in one program; the header in C++
//! refused    what is no library, and what the command line says of it
//! ```
//! Without a C compiler all are reported as ignored.

use cleave_tests::process::{self, AS_COMPILER, HAS_NATIVE, announce_missing, compiler, run};
use cleave_tests::selection::thorough_share;
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(240);
type Test = fn() -> Result<(), String>;

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let tests: [(&str, Test); 12] = [
        // What takes longest comes first.
        ("objects", objects),
        ("library", library),
        ("numbers", numbers),
        ("data", data),
        ("goopea", goopea),
        ("clean", clean),
        ("functions", functions),
        ("threads", threads),
        ("imports", imports),
        ("example", example),
        ("together", together),
        ("refused", refused),
    ];
    let is_possible = HAS_NATIVE && cleave::driver::native::c_compiler().is_some();
    if !HAS_NATIVE {
        announce_missing();
    } else if !is_possible {
        println!("There is no C compiler: tests of libraries for C are ignored");
    }
    let trial = |(name, test): (&'static str, Test)| {
        Trial::test(name, move || test().map_err(Failed::from)).with_ignored_flag(!is_possible)
    };
    libtest_mimic::run(&process::arguments(1.5), tests.into_iter().map(trial).collect()).exit();
}

fn folder(name: &str) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c_library").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("embedding").join(name)
}

/// Makes archive, shared library and header of a program, with the path `output`.
fn build(source: &Path, output: &Path, flags: &[&str]) -> Result<(), String> {
    let mut command = compiler();
    command.args(["build", "--target", "native"]).args(flags).arg("-o").arg(output).arg(source);
    run(&mut command, Vec::new(), LIMIT)?.expect(0, b"")
}

/// Compiles a program in C with libraries; all warnings are errors.
fn compile(folder: &Path, program: &str, sources: &[&Path]) -> Result<PathBuf, String> {
    let path = folder.join(program);
    let compiler = cleave::driver::native::c_compiler().ok_or("no C compiler")?;
    let mut command = Command::new(compiler);
    command.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-pthread", "-I"]).arg(folder);
    run(command.args(sources).arg("-o").arg(&path), Vec::new(), LIMIT)?.expect(0, b"")?;
    Ok(path)
}

/// Runs `source` with the archive of a library, with each of the options for its runtime, and with the shared library,
/// which has the same code: in an ordinary run with the first of them.
fn call(folder: &Path, library: &str, source: &Path, expected: &[u8], options: &[&str]) -> Result<(), String> {
    // Its object is the same for both.
    let object = compile(folder, &format!("{library}-main.o"), &[Path::new("-c"), source])?;
    for ending in ["a", "so"] {
        let file = folder.join(format!("{library}.{ending}"));
        let program = compile(folder, &format!("{library}-{ending}"), &[&object, &file])?;
        let few = if ending == "so" && thorough_share().is_none() { 1 } else { options.len() };
        for options in &options[..few] {
            let mut command = Command::new(&program);
            command.env_remove("CLEAVE_RTS");
            if !options.is_empty() {
                command.env("CLEAVE_RTS", options);
            }
            run(&mut command, Vec::new(), LIMIT)?
                .expect(0, expected)
                .map_err(|error| format!("{ending} {options}: {error}"))?;
        }
    }
    Ok(())
}

fn library() -> Result<(), String> {
    let folder = folder("library")?;
    build(&here("library.sam"), &folder.join("lib"), &["--lib"])?;
    // One of its calls fills the heap.
    call(&folder, "lib", &here("library.c"), b"printed\nok\n", &["--heap=400m"])
}

fn numbers() -> Result<(), String> {
    let folder = folder("numbers")?;
    for level in ["-O0", "-O2"] {
        build(&here("numbers.ir"), &folder.join("numbers"), &["--lib", level])?;
        call(&folder, "numbers", &here("numbers.c"), b"ok\n", &[""])?;
    }
    Ok(())
}

fn data() -> Result<(), String> {
    let folder = folder("data")?;
    for (memory, options) in [("--memory=gc", &["", "--gc-stress=30011"][..]), ("--memory=rc", &[""])] {
        build(&here("data.ir"), &folder.join("data"), &["--lib", memory])?;
        call(&folder, "data", &here("data.c"), b"ok\n", options).map_err(|error| format!("{memory} {error}"))?;
    }
    Ok(())
}

fn goopea() -> Result<(), String> {
    let folder = folder("goopea")?;
    build(&here("library.goo"), &folder.join("goo"), &["--export=sum,count,divide,flip,next"])?;
    call(&folder, "goo", &here("goopea.c"), b"ok\n", &[""])
}

fn clean() -> Result<(), String> {
    let folder = folder("clean")?;
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").display().to_string();
    build(&here("clean/Library.abc"), &folder.join("clean"), &["--lib", "-I", &corpus])?;
    // Programs of Clean write what is wrong where they write all else.
    let expected = b"Run time error, rule 'front' in module 'Library' does not match\nStop.\n\
                     Run Time Warning: cycle in spine detected\nok\n";
    call(&folder, "clean", &here("clean.c"), expected, &["", "--gc-stress=30011"])
}

fn functions() -> Result<(), String> {
    let folder = folder("functions")?;
    for (memory, stress) in [("--memory=gc", "--gc-stress=997 --poison"), ("--memory=rc", "--poison")] {
        build(&here("functions.sam"), &folder.join("lib"), &["--lib", memory])?;
        call(&folder, "lib", &here("functions.c"), b"ok\n", &["", stress])
            .map_err(|error| format!("{memory} {error}"))?;
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").display().to_string();
    build(&here("clean/Functions.abc"), &folder.join("clean"), &["--lib", "-I", &corpus])?;
    call(&folder, "clean", &here("clean_functions.c"), b"ok\n", &["", "--gc-stress=997 --poison"])
        .map_err(|error| format!("clean {error}"))
}

fn threads() -> Result<(), String> {
    let folder = folder("threads")?;
    build(&here("functions.sam"), &folder.join("lib"), &["--lib"])?;
    call(&folder, "lib", &here("threads.c"), b"ok\n", &[""])
}

fn objects() -> Result<(), String> {
    let folder = folder("objects")?;
    let ways = [("--memory=rc", &[""][..]), ("--memory=gc", &["", "--gc-stress=30011 --poison"])];
    for (memory, options) in ways {
        build(&here("objects.sam"), &folder.join("lib"), &["--lib", memory])?;
        call(&folder, "lib", &here("objects.c"), b"ok\n", options).map_err(|error| format!("{memory} {error}"))?;
    }
    for (memory, options) in ways {
        build(&here("objects.goo"), &folder.join("goo"), &["--lib", memory])?;
        call(&folder, "goo", &here("goopea_objects.c"), b"ok\n", options)
            .map_err(|error| format!("goopea {memory} {error}"))?;
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").display().to_string();
    let flags = ["--export=:: Element", "--export=:: Node", "-I", &corpus];
    build(&here("clean/Objects.abc"), &folder.join("clean"), &flags)?;
    call(&folder, "clean", &here("clean_objects.c"), b"ok\n", &["", "--gc-stress=30011 --poison"])
        .map_err(|error| format!("clean {error}"))
}

fn imports() -> Result<(), String> {
    let folder = folder("imports")?;
    let ways = [("--memory=rc", &[""][..]), ("--memory=gc", &["", "--gc-stress=997 --poison"])];
    for (memory, options) in ways {
        let flags = ["--lib", "--import", "Net", "--import", "Tools=./tools.mjs", memory];
        build(&here("imports.sam"), &folder.join("lib"), &flags)?;
        call(&folder, "lib", &here("imports.c"), b"ok\n", options).map_err(|error| format!("{memory} {error}"))?;
    }
    Ok(())
}

fn example() -> Result<(), String> {
    let folder = folder("example")?;
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/embedding");
    build(&examples.join("sales.sam"), &folder.join("sales"), &["--lib"])?;
    let expected = fs::read(examples.join("expected")).map_err(|error| error.to_string())?;
    call(&folder, "sales", &examples.join("c/main.c"), &expected, &[""])
}

/// Two archives have no symbol in common but those of their headers, which C++ takes, too. There is room for one
/// instance: the other one says so.
fn together() -> Result<(), String> {
    let folder = folder("together")?;
    build(&here("numbers.ir"), &folder.join("libone.a"), &["--lib"])?;
    build(&here("data.ir"), &folder.join("two.a"), &["--lib"])?;
    for absent in ["libone.so", "two.so"] {
        if folder.join(absent).exists() {
            return Err(format!("{absent} was not asked for"));
        }
    }
    let source = folder.join("main.c");
    let text = "#include \"libone.h\"\n#include \"two.h\"\n#include <stdio.h>\nint main(void) {\n    double r;\n    \
                int32_t n;\n    printf(\"%d\", one_f64(0.5, &r) == ONE_OK && r == 0.5);\n    printf(\"%d \", two_add(1, 2, &n));\n    \
                puts(two_error());\n    return 0;\n}\n";
    fs::write(&source, text).map_err(|error| error.to_string())?;
    let program = compile(&folder, "main", &[&source, &folder.join("libone.a"), &folder.join("two.a")])?;
    let expected = "13 The addresses below 4 GiB, which this library needs, are not available.\n";
    run(&mut Command::new(program), Vec::new(), LIMIT)?.expect(0, expected.as_bytes())?;
    let cc = Path::new("c++");
    let found = Command::new(cc).arg("--version").output().is_ok_and(|output| output.status.success());
    if found {
        let plus = folder.join("main.cpp");
        fs::copy(&source, &plus).map_err(|error| error.to_string())?;
        let mut command = Command::new(cc);
        command.args(["-Wall", "-Wextra", "-Werror", "-I"]).arg(&folder).arg(&plus);
        command.args([folder.join("libone.a"), folder.join("two.a")]).arg("-o").arg(folder.join("plus"));
        run(&mut command, Vec::new(), LIMIT)?.expect(0, b"")?;
        run(&mut Command::new(folder.join("plus")), Vec::new(), LIMIT)?.expect(0, expected.as_bytes())?;
    }
    Ok(())
}

fn refused() -> Result<(), String> {
    let folder = folder("refused")?;
    let outside = folder.join("outside.ir");
    let text = "type0 = f64 f64\nextern hypotenuse(f64) -> (f64) [pure] from \"m\"\nexport @f as \"f\" (\"x\": type0) -> (type0)\n\
                func @f(v0: f64) -> f64 {\nblock0(v0: f64):\n  v1 = call_rt hypotenuse(v0)\n  ret v1\n}\n";
    fs::write(&outside, text).map_err(|error| error.to_string())?;
    let numbers = here("numbers.ir");
    for (source, flags, message) in [
        (&numbers, &["-o", "x.dll"][..], "`x.dll` is no name of a library"),
        (&numbers, &["-o", "-"], "a library and its header are two files"),
        (&numbers, &["--npm", "x"], "a package of npm holds WebAssembly"),
        (&numbers, &["--emit", "exe", "-o", "x.so"], "is no executable"),
        (&outside, &[], "cannot call functions of C"),
    ] {
        let mut command = compiler();
        command.current_dir(&folder).args(["build", "--lib", "--target", "native"]).args(flags).arg(source);
        let output = run(&mut command, Vec::new(), LIMIT)?;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status != Some(1) || !stderr.contains(message) {
            return Err(format!("{flags:?}: status {:?}, {stderr}", output.status));
        }
    }
    let left: Vec<_> = fs::read_dir(&folder).map_err(|error| error.to_string())?.flatten().collect();
    if left.len() > 1 { Err(format!("something was written: {left:?}")) } else { Ok(()) }
}
