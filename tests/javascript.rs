//! The loader for JavaScript: its interface in node, and everything in a real browser.
//!
//! ```text
//! files      what --emit js writes, and how large it is
//! node       `javascript/api.mjs` in node. (The programs of the corpus run in node in `corpus.rs`.)
//! waiting    `javascript/waiting.mjs`: libraries that wait for promises, in node and in headless Chromium
//! imports    `javascript/imports.mjs`: functions of the host that answer at once, in node, stock wasmtime and jco
//! worker     `javascript/worker.mjs`: a library in a Worker, in node and in headless Chromium
//! trace      the active functions under the message of an error
//! library    `javascript/library.mjs` and its like: functions of programs that JavaScript calls, and that call it; with
//!            collections at every chance, too
//! hostile    `javascript/hostile.mjs`: hosts that do wrong things, in node and in headless Chromium; in Python those
//!            that call a component from inside of what it calls
//! package    `examples/embedding/node`: a library as a package of npm
//! markdown   `examples/embedding/markdown`: the parser in node, and the page in headless Chromium
//! random     `javascript/random.mjs`: random interfaces, with random values there and back
//! hosts      `embedding/random_interfaces.py`: more of them, in node, stock wasmtime and C
//! component  the same libraries as components, in Python, and `examples/embedding/python`
//! jco        components in node, behind what jco makes of them
//! types      `javascript/types.mts`: declarations, as TypeScript reads them
//! rust       components in hosts of Rust: `examples/embedding/rust`, and `embedding/component_host.rs`
//! folders    programs of `cli/` that ask C functions for files and folders, as scripts of node
//! browser    `javascript/page.html` in headless Chromium: the same, and the programs of the corpus, in Workers and
//!            without; the flat ones and those that end in an error
//! ```
//! Without node or Chromium their tests are reported as ignored.

#[path = "javascript/component.rs"]
mod component;
#[path = "javascript/hostile.rs"]
mod hostile;
#[path = "javascript/imports.rs"]
mod imports;
#[path = "javascript/places.rs"]
mod places;
#[path = "javascript/rust.rs"]
mod rust;
#[path = "javascript/types.rs"]
mod types;
#[path = "javascript/waiting.rs"]
mod waiting;
#[path = "javascript/worker.rs"]
mod worker;

use cleave_tests::browser::{self, Posted, unescaped};
use cleave_tests::expected::Expected;
use cleave_tests::process::{self, AS_COMPILER, compiler, difference, has_node, run};
use cleave_tests::samples::{self, Sample};
use cleave_tests::selection::size;
use libtest_mimic::{Failed, Trial};
use places::{LIMIT, folder, here, python};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Size of the module, in bytes.
const LARGEST: usize = 10_500;

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let arguments = process::arguments(2.0);
    let browser = browser::find();
    if !arguments.list {
        if !has_node() {
            println!("node is not installed, or older than version 20: its tests are ignored");
        }
        if browser.is_none() {
            println!("Chromium is not installed: its tests are ignored");
        }
    }
    // What takes longest comes first.
    let no_browser = browser.is_none();
    let target = rust::target();
    let no_target = target.is_none();
    let trials = vec![
        Trial::test("browser", move || in_browser(browser.unwrap_or_default()).map_err(Failed::from))
            .with_ignored_flag(no_browser),
        Trial::test("files", || files().map_err(Failed::from)),
        Trial::test("node", || api_in_node().map_err(Failed::from)).with_ignored_flag(!has_node()),
        Trial::test("folders", || folders_in_node().map_err(Failed::from)).with_ignored_flag(!has_node()),
        Trial::test("library", || library_in_node().map_err(Failed::from)).with_ignored_flag(!has_node()),
        Trial::test("package", || package_in_node().map_err(Failed::from)).with_ignored_flag(!has_node()),
        Trial::test("markdown", || markdown_in_node().map_err(Failed::from)).with_ignored_flag(!has_node()),
        Trial::test("markdown page", move || markdown_in_browser(browser.unwrap_or_default()).map_err(Failed::from))
            .with_ignored_flag(no_browser),
        Trial::test("random", || random_interfaces().map_err(Failed::from)).with_ignored_flag(!has_node()),
        Trial::test("random hosts", || random_hosts().map_err(Failed::from))
            .with_ignored_flag(!has_node() || !has_python()),
        Trial::test("component", || component::in_python().map_err(Failed::from)).with_ignored_flag(!has_python()),
        Trial::test("jco", || component::in_node().map_err(Failed::from))
            .with_ignored_flag(!has_node() || !component::has_jco()),
        Trial::test("rust", move || rust::hosts(&target.unwrap_or_default()).map_err(Failed::from))
            .with_ignored_flag(no_target),
        Trial::test("hostile", || hostile::in_node().map_err(Failed::from)).with_ignored_flag(!has_node()),
        Trial::test("hostile component", || hostile::in_python().map_err(Failed::from))
            .with_ignored_flag(!has_python()),
        Trial::test("hostile page", move || hostile::in_browser(browser.unwrap_or_default()).map_err(Failed::from))
            .with_ignored_flag(no_browser),
        Trial::test("waiting", || waiting::in_node().map_err(Failed::from)).with_ignored_flag(!has_node()),
        Trial::test("waiting page", move || waiting::in_browser(browser.unwrap_or_default()).map_err(Failed::from))
            .with_ignored_flag(no_browser),
        Trial::test("waiting elsewhere", || waiting::elsewhere().map_err(Failed::from)),
        Trial::test("imports", || imports::in_node().map_err(Failed::from)).with_ignored_flag(!has_node()),
        Trial::test("imports component", || imports::in_python().map_err(Failed::from))
            .with_ignored_flag(!has_python()),
        Trial::test("imports jco", || imports::in_jco().map_err(Failed::from))
            .with_ignored_flag(!has_node() || !component::has_jco()),
        Trial::test("imports elsewhere", || imports::elsewhere().map_err(Failed::from)).with_ignored_flag(!has_node()),
        Trial::test("worker", || worker::in_node().map_err(Failed::from)).with_ignored_flag(!has_node()),
        Trial::test("worker page", move || worker::in_browser(browser.unwrap_or_default()).map_err(Failed::from))
            .with_ignored_flag(no_browser),
        Trial::test("types", || types::are_read().map_err(Failed::from)).with_ignored_flag(!types::has_tsc()),
        Trial::test("trace", || trace_in_node().map_err(Failed::from)).with_ignored_flag(!has_node()),
    ];
    libtest_mimic::run(&arguments, trials).exit();
}

fn build(program: &Path, module: &Path) -> Result<(), String> {
    let parent = module.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|error| error.to_string())?;
    run(compiler().arg("build").arg(program).arg("-o").arg(module), Vec::new(), LIMIT)?.expect(0, b"")
}

/// The programs that `api.mjs` needs.
fn build_for_api(folder: &Path) -> Result<(), String> {
    build(&here("files.abc"), &folder.join("files.mjs"))?;
    build(&here("../engines/deep.abc"), &folder.join("deep.mjs"))?;
    for name in ["stdinio", "life", "errors/div_zero", "errors/heap_list", "errors/stack_b"] {
        let program = samples::folder().join(name).with_extension("abc");
        let stem = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        build(&program, &folder.join(stem + ".mjs"))?;
    }
    Ok(())
}

fn files() -> Result<(), String> {
    let folder = folder("files")?;
    let program = here("files.abc");
    build(&program, &folder.join("with a rather long name of its own.mjs"))?;
    let mut names: Vec<String> = fs::read_dir(&folder)
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let endings = ["d.mts", "mjs", "wasm"].map(|ending| format!("with a rather long name of its own.{ending}"));
    if names != endings {
        return Err(format!("files: {names:?}"));
    }
    let read = |name: &str| fs::read_to_string(folder.join(name)).map_err(|error| error.to_string());
    let module = read(&names[1])?;
    if module.len() >= LARGEST {
        return Err(format!("the module has {} bytes", module.len()));
    }
    if module.contains("{{") || module.contains("require(") {
        return Err("the module has holes or dependencies".into());
    }
    let declarations = read(&names[0])?;
    let balanced = |open, close| declarations.matches(open).count() == declarations.matches(close).count();
    let options = ["args?:", "stdin?:", "stdout?:", "stderr?:", "env?:", "files?:", "stack?:"];
    let results = ["status: number", "stdout: Out", "stderr: Err", "files: Record<string, Uint8Array>"];
    let missing = options.iter().chain(&results).find(|part| !declarations.contains(**part));
    if let Some(part) = missing {
        return Err(format!("the declarations lack `{part}`"));
    }
    if !balanced('{', '}') || !balanced('(', ')') || !declarations.contains("export function run<") {
        return Err("the declarations are no TypeScript".into());
    }
    Ok(())
}

fn api_in_node() -> Result<(), String> {
    let folder = folder("node")?;
    build_for_api(&folder)?;
    let output = run(Command::new("node").arg(here("api.mjs")).arg(&folder), Vec::new(), LIMIT)?;
    output.expect(0, b"")?;
    difference("stderr", b"", &output.stderr).map_or(Ok(()), Err)
}

/// The same outside world as in the tests of the command line, and the same output, which is there three times.
fn folders_in_node() -> Result<(), String> {
    let folder = folder("folders")?;
    for name in ["files", "folder", "directory"] {
        let text = |error: std::io::Error| error.to_string();
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("cli").join(format!("ccall-{name}"));
        let module = folder.join(name).with_extension("mjs");
        build(&golden.with_extension("abc"), &module)?;
        let place = folder.join(name);
        fs::create_dir_all(&place).map_err(text)?;
        if name == "folder" {
            fs::create_dir_all(place.join("sub")).map_err(text)?;
        }
        if name == "directory" {
            fs::write(place.join("file"), "eight\n").map_err(text)?;
        }
        let mut node = Command::new("node");
        node.arg(&module).current_dir(&place);
        node.env("PWD", if name == "folder" { "/start/here" } else { "/the/folder" });
        let expected = fs::read(golden.with_extension("stdout")).map_err(text)?;
        run(&mut node, Vec::new(), LIMIT)?.expect(0, &expected[..expected.len() / 3])?;
    }
    Ok(())
}

/// Random types, whose values come back as they were.
fn random_interfaces() -> Result<(), String> {
    let folder = folder("random")?;
    let script = |way: &str, wanted: &[u8]| {
        let mut command = Command::new("node");
        run(command.arg(here("random.mjs")).arg(way).arg(&folder), Vec::new(), LIMIT)?.expect(0, wanted)
    };
    script("make", b"")?;
    let sources = fs::read_dir(&folder).map_err(|error| error.to_string())?;
    let sources: Vec<PathBuf> = sources.filter_map(|entry| Some(entry.ok()?.path())).collect();
    for source in sources {
        let module = source.with_extension("mjs");
        run(compiler().arg("build").arg(source).arg("--lib").arg("-o").arg(module), Vec::new(), LIMIT)?
            .expect(0, b"")?;
    }
    script("check", b"ok\n")
}

/// A few of the programs of a campaign that goes on elsewhere, in all hosts that are there.
fn random_hosts() -> Result<(), String> {
    let has_c = cleave_tests::process::HAS_NATIVE && cleave::driver::native::c_compiler().is_some();
    let hosts = if has_c { "node,wasmtime,c" } else { "node,wasmtime" };
    // The script is another process: there the running program has another name.
    let exe = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(python());
    for (name, value) in compiler().get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.arg(here("../embedding/random_interfaces.py")).arg(exe);
    command.args(["--first", "1000000", "--programs", "2", "--hosts", hosts]);
    run(command.arg("--keep").arg(folder("random hosts")?), Vec::new(), LIMIT)?.expect(0, b"100 interfaces: ok\n")
}

/// The same libraries as components, in stock wasmtime, which a package of Python brings.
/// A component of a library and one of functions as values, transpiled to modules of JavaScript.
/// A file of `examples/embedding`.
fn example(name: &str) -> PathBuf {
    here("../../examples/embedding").join(name)
}

/// The example that makes a package of npm.
fn package_in_node() -> Result<(), String> {
    let folder = folder("package")?;
    let mut command = compiler();
    command.arg("build").arg(example("sales.sam")).arg("--npm").arg(folder.join("node_modules/sales"));
    run(&mut command, Vec::new(), LIMIT)?.expect(0, b"")?;
    let (script, expected) = (folder.join("main.mjs"), fs::read(example("expected")));
    fs::copy(example("node/main.mjs"), &script).map_err(|error| error.to_string())?;
    let output = run(Command::new("node").arg(&script), Vec::new(), LIMIT)?;
    output.expect(0, &expected.map_err(|error| error.to_string())?)
}

/// The library of the example, in a new folder.
fn markdown(name: &str) -> Result<PathBuf, String> {
    let folder = folder(name)?;
    let mut command = compiler();
    command.arg("build").arg(example("markdown/Markdown.abc")).args(["--lib", "-o"]).arg(folder.join("markdown.mjs"));
    run(&mut command, Vec::new(), LIMIT)?.expect(0, b"")?;
    Ok(folder)
}

fn markdown_in_node() -> Result<(), String> {
    let folder = markdown("markdown")?;
    run(Command::new("node").arg(here("markdown.mjs")).arg(&folder), Vec::new(), LIMIT)?.expect(0, b"ok\n")
}

/// The page shows what somebody types into it.
fn markdown_in_browser(browser: &str) -> Result<(), String> {
    let folder = markdown("markdown page")?;
    let files = [(example("markdown/index.html"), "index.html"), (example("markdown/page.mjs"), "page.mjs")];
    for (file, name) in files.into_iter().chain([(here("markdown.html"), "page.html")]) {
        fs::copy(&file, folder.join(name)).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let posted = browser::visit(browser, &folder, LIMIT)?;
    let shown: Vec<_> = posted.iter().map(|posted| String::from_utf8_lossy(&posted.body)).collect();
    let typed = "<h1>a &lt;b&gt;</h1>\n<p><em>c</em> <a href=\"e\">d</a></p>\n";
    if shown == ["Markdown", typed, "0 of 1"] { Ok(()) } else { Err(format!("the page shows {shown:?}")) }
}

fn has_python() -> bool {
    let found = Command::new(python()).args(["-c", "import wasmtime.component"]).output();
    let is_there = found.is_ok_and(|output| output.status.success());
    if !is_there {
        println!("Python has no package `wasmtime` with components: its test is ignored");
    }
    is_there
}

fn libraries(folder: &Path, ending: &str, flags: &[&str]) -> Result<(), String> {
    let exports = [("sam", "library.sam", "--lib"), ("goo", "library.goo", "--export=sum,count,divide,flip,next")];
    let more = [("add", "add.sam", "--lib"), ("clean", "clean/Library.abc", "--lib")];
    for (name, source, flag) in exports.into_iter().chain(more) {
        let source = here("../embedding").join(source);
        let mut command = compiler();
        let output = folder.join(format!("{name}.{ending}"));
        command.arg("build");
        if name == "clean" {
            command.arg("-I").arg(here("../corpus"));
        }
        run(command.arg(source).arg(flag).args(flags).arg("-o").arg(output), Vec::new(), LIMIT)?.expect(0, b"")?;
    }
    Ok(())
}

/// Node, where programs collect garbage all the time.
fn stressed() -> Command {
    let mut command = Command::new("node");
    command.env("GC_STRESS", "997").arg("--import").arg(here("stress.mjs"));
    command
}

/// Functions of libraries, called as those of JavaScript.
fn library_in_node() -> Result<(), String> {
    let folder = folder("library")?;
    libraries(&folder, "mjs", &[])?;
    // Functions of numbers alone.
    let size = fs::metadata(folder.join("add.wasm")).map_err(|error| error.to_string())?.len();
    (size <= 300).then_some(()).ok_or_else(|| format!("add.wasm has {size} bytes"))?;
    let mut command = compiler();
    command.arg("build").arg(here("../embedding/clean/Functions.abc")).arg("--lib").arg("-I").arg(here("../corpus"));
    run(command.arg("-o").arg(folder.join("functions.mjs")), Vec::new(), LIMIT)?.expect(0, b"")?;
    for script in ["library.mjs", "clean.mjs", "functions.mjs", "callbacks.mjs"] {
        let mut command = Command::new("node");
        // One of the calls fills the heap.
        command.env("RTS", "--heap=400m").arg("--import").arg(here("stress.mjs")).arg(here(script)).arg(&folder);
        run(&mut command, Vec::new(), LIMIT)?.expect(0, b"ok\n")?;
    }
    for (name, memory) in [("counted", "--memory=rc"), ("collected", "--memory=gc")] {
        let mut command = compiler();
        command.args(["build", "--lib", "--rts-options", memory]).arg(here("../embedding/functions.sam"));
        run(command.arg("-o").arg(folder.join(format!("{name}.mjs"))), Vec::new(), LIMIT)?.expect(0, b"")?;
        let script = here("samlang_functions.mjs");
        run(Command::new("node").arg(&script).arg(&folder).arg(name), Vec::new(), LIMIT)?.expect(0, b"ok\n")?;
        run(stressed().arg(&script).arg(&folder).arg(name), Vec::new(), LIMIT)?.expect(0, b"ok\n")?;
    }
    objects_in_node(&folder)?;
    // The same while garbage is collected all the time.
    for script in ["functions.mjs", "callbacks.mjs"] {
        run(stressed().arg(here(script)).arg(&folder), Vec::new(), LIMIT)?.expect(0, b"ok\n")?;
    }
    Ok(())
}

/// Objects of JavaScript that a program keeps.
fn objects_in_node(folder: &Path) -> Result<(), String> {
    let languages = [("objects.sam", "objects.mjs"), ("objects.goo", "goopea_objects.mjs")];
    for (memory, (source, script)) in ["rc", "gc"].into_iter().flat_map(|memory| languages.map(|it| (memory, it))) {
        let name = format!("{source}-{memory}");
        let mut command = compiler();
        command.args(["build", "--lib", "--rts-options", &format!("--memory={memory}")]);
        command.arg(here("../embedding").join(source));
        run(command.arg("-o").arg(folder.join(format!("{name}.mjs"))), Vec::new(), LIMIT)?.expect(0, b"")?;
        let script = here(script);
        run(Command::new("node").arg("--expose-gc").arg(&script).arg(folder).arg(&name), Vec::new(), LIMIT)?
            .expect(0, b"ok\n")?;
        run(stressed().arg(&script).arg(folder).arg(&name), Vec::new(), LIMIT)?.expect(0, b"ok\n")?;
    }
    let mut command = compiler();
    command.arg("build").arg(here("../embedding/clean/Objects.abc")).arg("-I").arg(here("../corpus"));
    command.args(["--export", ":: Element", "--export", ":: Node", "-o"]).arg(folder.join("objects-clean.mjs"));
    run(&mut command, Vec::new(), LIMIT)?.expect(0, b"")?;
    let script = here("clean_objects.mjs");
    run(Command::new("node").arg("--expose-gc").arg(&script).arg(folder), Vec::new(), LIMIT)?.expect(0, b"ok\n")?;
    run(stressed().arg(&script).arg(folder), Vec::new(), LIMIT)?.expect(0, b"ok\n").map(drop)
}

fn in_browser(browser: &str) -> Result<(), String> {
    let folder = folder("browser")?;
    build_for_api(&folder.join("api"))?;
    // An ordinary run takes a third.
    let programs = [samples::flat(), samples::errors()].concat().into_iter().step_by(size(3, 1) as usize);
    let programs: Vec<Sample> = programs.collect();
    for sample in &programs {
        build(&sample.path, &folder.join(format!("{}.mjs", sample.name)))?;
        let stdin = sample.stdin();
        if !stdin.is_empty() {
            fs::write(folder.join(format!("{}.stdin", sample.name)), stdin).map_err(|error| error.to_string())?;
        }
    }
    for file in ["api.mjs", "page.html"] {
        fs::copy(here(file), folder.join(file)).map_err(|error| error.to_string())?;
    }
    let names: Vec<String> = programs.iter().map(|sample| format!("{:?}", sample.name)).collect();
    let list = format!("{{\"programs\":[{}]}}", names.join(","));
    fs::write(folder.join("programs.json"), list).map_err(|error| error.to_string())?;
    let posted = browser::visit(browser, &folder, LIMIT)?;

    let mut wrong: Vec<String> = Vec::new();
    for error in posted.iter().filter(|posted| posted.path == "/error") {
        wrong.push(String::from_utf8_lossy(&error.body).into_owned());
    }
    for way in ["worker", "page"] {
        for sample in &programs {
            if let Err(message) = result(way, sample, &posted) {
                wrong.push(format!("{way}/{}: {message}", sample.name));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Compares what the page has posted for a program.
fn result(way: &str, sample: &Sample, posted: &[Posted]) -> Result<(), String> {
    let prefix = format!("/result/{way}/");
    let found = posted.iter().find_map(|posted| {
        let (status, rest) = posted.path.strip_prefix(&prefix)?.split_once('/')?;
        let (name, stderr) = rest.split_once('?').unwrap_or((rest, ""));
        (name == sample.name).then(|| (status.to_string(), unescaped(stderr), &posted.body))
    });
    let (status, stderr, stdout) = found.ok_or("no result")?;
    let expected = Expected::of(sample)?;
    if status != expected.status.to_string() {
        return Err(format!("status {status}, not {}; stderr {stderr:?}", expected.status));
    }
    let stdout = difference("stdout", &expected.stdout, stdout);
    stdout.or_else(|| difference("stderr", &expected.stderr, stderr.as_bytes())).map_or(Ok(()), Err)
}

/// The innermost functions are listed as `cleave run` lists them.
fn trace_in_node() -> Result<(), String> {
    let folder = folder("trace")?;
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("cli/trace");
    let module = folder.join("other.mjs");
    let mut build = compiler();
    build.args(["build", "--trace", "-O0", "-o"]).arg(&module).arg(golden.with_extension("abc"));
    run(&mut build, Vec::new(), LIMIT)?.expect(0, b"")?;
    let output = run(Command::new("node").arg(&module), Vec::new(), LIMIT)?;
    let expected = fs::read_to_string(golden.with_extension("stderr")).map_err(|error| error.to_string())?;
    // What its first command has printed.
    let end = expected.match_indices("Integer").nth(1).map_or(expected.len(), |found| found.0);
    difference("stderr", &expected.as_bytes()[..end], &output.stderr).map_or(Ok(()), Err)
}
