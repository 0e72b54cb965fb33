//! samlang: programs with their output in `samlang/`, on every engine; a folder is a program of several modules with
//! `Main.sam` as the first. `samlang/features` has one feature in each, `samlang/programs` are larger, and
//! `samlang/defects` is what the compiler of 2021 did wrong, with the examples of the post that describes it;
//! `samlang/long` is for engines without stress. What they print was worked out by hand or by programs in another
//! language. In `samlang/ends` programs that end themselves, with status and message; in `samlang/errors` wrong
//! programs with all their errors, each by its code and its place.
//!
//! Programs run on either heap. On the counted one the certifier looks at every function, at each level and with each
//! kind of reuse, and nothing is alive at the end. So it is with random programs (`random_samlang`), whose output an
//! evaluator of their own knows: `SAMLANG_PROGRAMS=50000` makes more of them, `SAMLANG_SEED` begins elsewhere, and with
//! `SAMLANG_EVERY=1000` only two of so many run on all engines.
//!
//! `samlang/today` is in today's language, the other folders in that of 2021, where a program shows it.
//! `CLEAVE_SAMLANG` names a checkout of the language's own compiler: its 59 test programs run on every engine, with our
//! library and with its own, and print what its snapshot says. Without it they are skipped.
//!
//! `BLESS=1` writes what errors there are into the expectations.

use cleave_diag::{Diagnostic, Sink, SourceMap, Span};
use cleave_ir::heap::HEAPS;
use cleave_ir::verify::verify_module;
use cleave_ir::{Heap, Module};
use cleave_passes::rc_insertion::Reuse;
use cleave_samlang::Files;
use cleave_tests::counted;
use cleave_tests::process::{ENGINES, announce_missing, compiler, is_there, run};
use cleave_tests::random_samlang::{Random, evaluate, generate};
use cleave_tests::selection;
use libtest_mimic::{Arguments, Failed, Trial};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(240);

/// Folders of programs that come to their end.
const FOLDERS: [&str; 6] = ["", "features/", "programs/", "defects/", "long/", "today/"];

/// Nobody asks for reuse in single functions.
const REUSE: [Reuse; 2] = [Reuse::All, Reuse::None];

/// Engines for programs that work long.
const LONG: [&str; 7] = ["wasm", "wasm-O0", "jit", "jit-O0", "interp-high", "traced-wasm", "traced-jit-O0"];

/// Engines for programs that end with a message.
const ENDS: [&str; 6] = ["wasm", "jit", "jit-O0", "interp-high", "traced-wasm", "traced-jit-O0"];

/// Engines for programs on the garbage-collected heap.
const TRACED: [&str; 6] = ["wasm", "wasm-stress", "wasm-copying", "jit-O0", "stackmap-stress", "interp-rooted"];

/// Those without a collector to put under stress run on the reference-counted heap.
fn engines() -> Vec<(String, Vec<&'static str>)> {
    let mut engines = vec![
        ("wasm-O1".to_string(), vec!["-O1"]),
        ("wasm-new-cells".to_string(), vec!["--reuse=none"]),
        ("jit-new-cells".to_string(), vec!["--reuse=none", "--target=native"]),
    ];
    for (name, options) in ENGINES {
        if !options.iter().any(|option| option.contains("stress")) {
            engines.push((name.to_string(), options.to_vec()));
        }
        if TRACED.contains(&name) {
            engines.push((format!("traced-{name}"), [&["--memory=gc"], options].concat()));
        }
    }
    engines
}

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(cleave_tests::process::AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    // What takes longest comes first, so that no other thread waits for it at the end.
    let mut trials = vec![
        Trial::test("random/odd", || random(1).map_err(Failed::from)),
        Trial::test("random/even", || random(2).map_err(Failed::from)),
    ];
    for (name, path) in FOLDERS.into_iter().flat_map(sources) {
        let is_long = name.starts_with("long/");
        for (engine, options) in engines().into_iter().filter(|(engine, _)| !is_long || LONG.contains(&&engine[..])) {
            let (path, is_there) = (path.clone(), is_there(&options));
            let test = move || check(&path, &options).map_err(Failed::from);
            trials.push(Trial::test(format!("{engine}/{name}"), test).with_ignored_flag(!is_there));
        }
        if !is_long {
            trials.push(Trial::test(format!("freed/{name}"), move || freed(&path).map_err(Failed::from)));
        }
    }
    for (name, path) in sources("ends/") {
        for (engine, options) in engines().into_iter().filter(|(engine, _)| ENDS.contains(&&engine[..])) {
            let (path, is_there) = (path.clone(), is_there(&options));
            let test = move || ends(&path, &options).map_err(Failed::from);
            trials.push(Trial::test(format!("{engine}/{name}"), test).with_ignored_flag(!is_there));
        }
    }
    for (name, path) in sources("errors/") {
        trials.push(Trial::test(name, move || errors(&path).map_err(Failed::from)));
    }
    for (name, path) in FOLDERS[..4].iter().copied().flat_map(sources) {
        let test = move || upgraded(&path).map_err(Failed::from);
        trials.push(Trial::test(format!("upgraded/{name}"), test));
    }
    for (name, source) in deep() {
        trials.push(Trial::test(format!("deep/{name}"), move || nested(&source).map_err(Failed::from)));
    }
    for (number, (source, expected)) in documented().into_iter().enumerate() {
        let test = move || tutorial(number, &source, &expected).map_err(Failed::from);
        trials.push(Trial::test(format!("tutorial/{number}"), test));
    }
    trials.extend(own_suite());
    announce_missing();
    let arguments = Arguments::from_args();
    let trials = selection::thinned(&arguments, trials, |kind| {
        if is_engine(kind) {
            8
        } else if kind == "freed" {
            3
        } else {
            1
        }
    });
    libtest_mimic::run(&arguments, trials).exit();
}

/// The test programs of a checkout of the language's own compiler.
fn own_suite() -> Vec<Trial> {
    let Some(checkout) = std::env::var_os("CLEAVE_SAMLANG").map(PathBuf::from) else { return Vec::new() };
    let mut trials = Vec::new();
    for (engine, options) in engines().into_iter().filter(|(_, options)| is_there(options)) {
        let checkout = checkout.clone();
        let test = move || suite(&checkout, &options, false).map_err(Failed::from);
        trials.push(Trial::test(format!("suite/{engine}"), test));
    }
    let all = checkout.clone();
    trials.push(Trial::test("suite/own-library", move || suite(&all, &[], true).map_err(Failed::from)));
    trials.push(Trial::test("suite/freed", move || suite_freed(&checkout).map_err(Failed::from)));
    trials
}

const SUITE: &str = "tests.AllTests";

/// Runs it as a project, with our library or with its own.
fn suite(checkout: &Path, options: &[&str], own_library: bool) -> Result<(), String> {
    let name: String = options.iter().flat_map(|option| option.chars()).filter(char::is_ascii_alphanumeric).collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("suite-{name}-{own_library}"));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (from, shadows) = (checkout.display(), "__dangerously_allow_libdef_shadowing__");
    let project =
        format!("{{\"sourceDirectory\": \"{from}\", \"entryPoints\": [\"{SUITE}\"], \"{shadows}\": {own_library}}}");
    fs::write(folder.join("sconfig.json"), project).map_err(|error| error.to_string())?;
    let expected = fs::read(checkout.join("tests/snapshot.txt")).map_err(|error| error.to_string())?;
    let output = run(compiler().arg("run").args(options).arg(&folder), Vec::new(), LIMIT)?;
    output.expect(0, &expected)
}

/// The certifier looks at all of it, and nothing is alive at its end.
fn suite_freed(checkout: &Path) -> Result<(), String> {
    struct Checkout<'c>(&'c Path);
    impl Files for Checkout<'_> {
        fn read(&mut self, path: &Path) -> Result<Option<(String, Vec<u8>)>, String> {
            Folder(self.0.to_path_buf()).read(path)
        }
        fn shadows_library(&self) -> bool {
            false
        }
    }
    let bytes = fs::read(checkout.join("tests/AllTests.sam")).map_err(|error| error.to_string())?;
    let expected = fs::read(checkout.join("tests/snapshot.txt")).map_err(|error| error.to_string())?;
    let module = translate(SUITE, bytes, &mut Checkout(checkout), Heap::Rc)?;
    counted::in_all_ways(&module, &REUSE, &expected).map(drop)
}

/// True for the kinds of tests that run a program on an engine.
fn is_engine(kind: &str) -> bool {
    engines().iter().any(|(engine, _)| kind == &engine[..])
}

/// Names and main modules of the programs in a folder.
fn sources(folder: &str) -> Vec<(String, PathBuf)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("samlang").join(folder);
    let entries = fs::read_dir(&path).expect("the folder exists").flatten().map(|entry| entry.path());
    let mut files: Vec<(String, PathBuf)> = entries
        .filter_map(|path| {
            let main = if path.is_dir() { path.join("Main.sam") } else { path.clone() };
            let is_program = main.extension().is_some_and(|extension| extension == "sam") && main.is_file();
            is_program.then(|| (format!("{folder}{}", path.file_stem().unwrap_or_default().display()), main))
        })
        .collect();
    files.sort();
    files
}

/// What is said of a program, beside it; of a folder, beside that.
fn expectation(path: &Path) -> PathBuf {
    match path.file_name().is_some_and(|name| name == "Main.sam") {
        true => path.parent().unwrap_or(path).with_extension("expected"),
        false => path.with_extension("expected"),
    }
}

fn expected(path: &Path) -> Result<String, String> {
    fs::read_to_string(expectation(path)).map_err(|error| format!("no expectation: {error}"))
}

fn check(path: &Path, options: &[&str]) -> Result<(), String> {
    let output = run(compiler().arg("run").args(options).arg(path), Vec::new(), LIMIT)?;
    output.expect(0, expected(path)?.as_bytes())
}

/// The IR of a program.
fn translate(name: &str, bytes: Vec<u8>, files: &mut dyn Files, heap: Heap) -> Result<Module, String> {
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let main = sources.add(format!("{name}.sam"), bytes);
    let checked = cleave_samlang::check(name, main, files, &mut sources, &mut sink);
    let program = checked.and_then(|checked| cleave_samlang::instantiate(name, &checked, &mut sink));
    let errors = || sink.diagnostics().iter().map(|error| cleave_diag::human(error, &sources, false)).collect();
    Ok(cleave_samlang::translate(&program.ok_or_else(|| -> String { errors() })?, heap, None))
}

fn freed(path: &Path) -> Result<(), String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let mut folder = Folder(path.parent().unwrap_or(path).to_path_buf());
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let module = translate(&name, bytes, &mut folder, Heap::Rc)?;
    counted::in_all_ways(&module, &REUSE, expected(path)?.as_bytes()).map(drop)
}

/// A number that the environment gives.
fn wanted(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Random programs run in the interpreter, and some of them on other engines: every other one, from this on, so that
/// two threads share the work.
fn random(from: u64) -> Result<(), String> {
    let (first, many) = (wanted("SAMLANG_SEED", 1), wanted("SAMLANG_PROGRAMS", selection::size(100, 200)));
    let every = wanted("SAMLANG_EVERY", 40);
    let (mut made, mut allocations, mut reuses) = (0, 0, 0);
    for seed in (first + from - 1..first + many).step_by(2) {
        let program = generate(&mut Random::new(seed));
        let text = program.text();
        let Some(expected) = evaluate(&program) else { continue };
        let failed = |error: String| format!("seed {seed}: {error}\n{text}");
        for heap in HEAPS {
            let module = translate("Main", text.clone().into_bytes(), &mut NoFiles, heap).map_err(failed)?;
            verify_module(&module).map_err(|errors| failed(errors[0].to_string()))?;
            let (found, _) = counted::interpret(&module).map_err(failed)?;
            if found != expected {
                return Err(failed(format!("{}, as it is: {}", heap.word(), String::from_utf8_lossy(&found))));
            }
            if heap == Heap::Rc {
                let (taken, again) = counted::in_all_ways(&module, &REUSE, &expected).map_err(failed)?;
                (allocations, reuses) = (allocations + taken, reuses + again);
            }
        }
        // One of each half.
        if seed % every < 2 {
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random{seed}-{}.sam", std::process::id()));
            fs::write(&file, &text).map_err(|error| error.to_string())?;
            for (engine, options) in engines().into_iter().filter(|(_, options)| is_there(options)) {
                let output = run(compiler().arg("run").args(&options).arg(&file), Vec::new(), LIMIT)?;
                output.expect(0, &expected).map_err(|error| failed(format!("{engine}: {error}")))?;
            }
            fs::remove_file(&file).map_err(|error| error.to_string())?;
        }
        made += 1;
    }
    // The test would be worth nothing if the programs did not do what they are for.
    let many = many / 2;
    match made * 2 > many && allocations > 20 * many && reuses > many / 2 {
        true => Ok(()),
        false => Err(format!("{made} programs, {allocations} objects, {reuses} reuses")),
    }
}

/// A program of 2021 prints the same in today's language, if all of it has a counterpart there. Those that use the
/// library of 2021 are not looked at.
fn upgraded(path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    if text.contains("from std.") || !path.with_extension("expected").exists() {
        return Ok(());
    }
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let file = sources.add("Main.sam", text.into_bytes());
    let Some(today) = cleave_samlang::upgrade(file, &sources, &mut sink) else {
        let is_known =
            |error: &Diagnostic| error.message.contains("no counterpart") || error.message.contains("a type alone");
        return match sink.diagnostics().iter().find(|error| !is_known(error)) {
            Some(error) => Err(error.message.clone()),
            None => Ok(()),
        };
    };
    let module = translate("Main", today.clone().into_bytes(), &mut NoFiles, Heap::Rc);
    // A class of the program can have the name of one of the library.
    let module = match module {
        Err(error) if error.contains("there are two classes") => return Ok(()),
        module => module.map_err(|error| format!("{error}\n{today}"))?,
    };
    let (found, _) = counted::interpret(&module).map_err(|error| format!("{error}\n{today}"))?;
    let expected = expected(path)?;
    if found == expected.as_bytes() { Ok(()) } else { Err(format!("{}\n{today}", String::from_utf8_lossy(&found))) }
}

/// A program that ends itself: the expectation begins with `status N: words of the message`.
fn ends(path: &Path, options: &[&str]) -> Result<(), String> {
    let expected = expected(path)?;
    let (first, rest) = expected.split_once('\n').ok_or("no first line")?;
    let (status, message) = first.strip_prefix("status ").and_then(|it| it.split_once(": ")).ok_or("no status")?;
    let status = status.parse().map_err(|_| "no number")?;
    let output = run(compiler().arg("run").args(options).arg(path), Vec::new(), LIMIT)?;
    output.expect(status, rest.as_bytes())?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if stderr.lines().any(|line| line == message) { Ok(()) } else { Err(format!("no such message: {stderr}")) }
}

/// The files of a folder.
struct Folder(PathBuf);

impl Files for Folder {
    fn read(&mut self, path: &Path) -> Result<Option<(String, Vec<u8>)>, String> {
        let path = self.0.join(path);
        Ok(fs::read(&path).ok().map(|bytes| (path.display().to_string(), bytes)))
    }
}

/// The errors of a program, in their order.
fn errors(path: &Path) -> Result<(), String> {
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let main = sources.add(path.display().to_string(), bytes);
    let mut folder = Folder(path.parent().unwrap_or(path).to_path_buf());
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let checked = cleave_samlang::check(&name, main, &mut folder, &mut sources, &mut sink);
    if let Some(checked) = checked
        && cleave_samlang::instantiate(&name, &checked, &mut sink).is_some()
    {
        return Err("the program has no error".into());
    }
    let mut found = String::new();
    for diagnostic in sink.diagnostics() {
        cleave_diag::human(diagnostic, &sources, false);
        let Diagnostic { code, primary, .. } = diagnostic;
        let _ = write!(found, "{code}");
        if let Some(label) = primary {
            let end = sources.position(Span { start: label.span.end, ..label.span });
            let start = sources.position(label.span);
            let _ = write!(found, " {}:{}-{}:{}", start.line, start.column, end.line, end.column);
        }
        found.push('\n');
    }
    if std::env::var_os("BLESS").is_some() {
        return fs::write(expectation(path), found).map_err(|error| error.to_string());
    }
    let expected = expected(path)?;
    if found == expected { Ok(()) } else { Err(format!("expected:\n{expected}found:\n{found}")) }
}

/// Programs that are nested deep, or long: an answer is all that is asked for.
fn deep() -> Vec<(&'static str, String)> {
    let program = |body: &str| format!("class Main {{ function main(): unit = {{ val x = {body}; }} }}");
    let many = 20_000;
    vec![
        ("parentheses", program(&format!("{}1{}", "(".repeat(many), ")".repeat(many)))),
        ("unclosed", program(&"(".repeat(many))),
        ("sum", program(&format!("0{}", " + 1".repeat(many)))),
        ("strings", program(&format!("\"\"{}", " :: \"a\"".repeat(many)))),
        ("both", program(&format!("true{}", " && true".repeat(many)))),
        ("blocks", program(&format!("{}1{}", "{ val _ = 2; ".repeat(many), " }".repeat(many)))),
        ("lambdas", program(&format!("{}1", "() -> ".repeat(many)))),
        ("branches", program(&format!("{}2", "if false then 1 else ".repeat(many)))),
        ("types", format!("class Main {{ function main(): {}int = 1 }}", "() -> ".repeat(many))),
        ("statements", program(&format!("{{ {} 1 }}", "val _ = 1; ".repeat(many)))),
        ("tuple", program(&format!("[1{}]", ", 1".repeat(many)))),
        ("cases of strings", cases("\"a\"", many, |number| format!("\"{number}\""))),
        ("cases of numbers", cases("1", many, |number| number.to_string())),
        ("tags", tags(many)),
    ]
}

/// A match with many cases.
fn cases(subject: &str, many: usize, pattern: impl Fn(usize) -> String) -> String {
    let cases: String = (0..many).map(|number| format!("{} -> {number},\n", pattern(number))).collect();
    format!("class Main {{ function main(): unit = {{ val x = match {subject} {{ {cases} _ -> 0 }}; }} }}")
}

/// A class with many tags, and a match that has a case for each.
fn tags(many: usize) -> String {
    let tags: Vec<String> = (0..many).map(|number| format!("T{number}(int)")).collect();
    let cases: String = (0..many).map(|number| format!("T{number}(n) -> n + {number},\n")).collect();
    let head = format!("class T({}) {{ method number(): int = match this {{ {cases} }} }}", tags.join(", "));
    format!("{head}\nclass Main {{ function main(): unit = {{ val x = T.T7(1).number(); }} }}")
}

/// The programs of the language's pages, each with the block of what it prints after it.
fn documented() -> Vec<(String, String)> {
    ["samlang.md", "samlang-2021.md"].into_iter().flat_map(documented_in).collect()
}

fn documented_in(page: &str) -> Vec<(String, String)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(page);
    let text = fs::read_to_string(page).expect("the page exists");
    let blocks: Vec<&str> = text.split("\n```\n").collect();
    let programs = blocks.windows(3).filter(|three| three[0].contains("class Main {"));
    let programs: Vec<_> = programs.map(|three| (three[0].to_string(), format!("{}\n", three[2]))).collect();
    assert!(!programs.is_empty(), "the page has no program");
    programs
}

fn tutorial(number: usize, source: &str, expected: &str) -> Result<(), String> {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tutorial{number}.sam"));
    fs::write(&file, source).map_err(|error| error.to_string())?;
    let output = run(compiler().arg("run").arg(&file), Vec::new(), LIMIT)?;
    output.expect(0, expected.as_bytes())
}

struct NoFiles;

impl Files for NoFiles {
    fn read(&mut self, _: &Path) -> Result<Option<(String, Vec<u8>)>, String> {
        Ok(None)
    }
}

/// A program, or messages, but no crash; with the stack of a main thread.
fn nested(source: &str) -> Result<(), String> {
    let source = source.to_string();
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(move || {
        let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
        let main = sources.add("main.sam", source.into_bytes());
        let checked = cleave_samlang::check("main", main, &mut NoFiles, &mut sources, &mut sink);
        let program = checked.and_then(|checked| cleave_samlang::instantiate("main", &checked, &mut sink));
        let module = program.map(|program| cleave_samlang::translate(&program, Heap::Rc, None));
        match module {
            Some(module) => cleave_ir::verify::verify_module(&module).map_err(|errors| format!("{}", errors[0])),
            None if sink.has_errors() => Ok(()),
            None => Err("neither a program nor an error".to_string()),
        }
    });
    let thread = thread.map_err(|error| error.to_string())?;
    thread.join().unwrap_or_else(|_| Err("a panic".into()))
}
