//! GOOPEA: programs with their output in `goopea/`, on every engine, with and without the word `fip`; in
//! `goopea/errors` wrong programs with all their errors, each by its word in the language's description and its place.
//! Then the programs of `examples/goopea`, random programs against an evaluator of their own, mutants of programs for
//! the front end, and large programs.
//!
//! `GOOPEA_PROGRAMS=100000` and `GOOPEA_MUTANTS=1000000` make campaigns of the random ones; `GOOPEA_SEED` begins
//! elsewhere. With `GOOPEA_EVERY=100` one of so many random programs runs on all engines, and the others in the
//! interpreter alone, with their references counted in all ways.

use cleave_diag::{Diagnostic, Sink, SourceMap, Span};
use cleave_goopea::{Files, Print};
use cleave_passes::rc_insertion::Reuse;
use cleave_tests::counted;
use cleave_tests::mutate::text;
use cleave_tests::process::{AS_COMPILER, ENGINES, announce_missing, compiler, is_there, run};
use cleave_tests::random_goopea::{Random, evaluate, generate};
use cleave_tests::selection;
use libtest_mimic::{Arguments, Failed, Trial};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(240);

/// Engines for programs that work long.
const FAST: [&str; 4] = ["wasm", "jit", "wasm-traced", "jit-traced"];
/// An option that is not for deep recursion: every collection looks at the whole stack.
const STRESS: &str = "--gc-stress";
/// Programs whose recursion is deep.
const DEEP: [&str; 1] = ["intended/deep_list"];

/// Engines for the examples.
const EXAMPLES: [&str; 5] = ["wasm", "wasm-stress", "jit", "interp-high", "wasm-traced"];

/// What a program is made of that nobody asks to be in place.
const WITHOUT_FIP: [&str; 6] = ["wasm", "jit", "jit-O0", "interp-high", "wasm-traced", "wasm-everywhere"];

/// Options of engines that are about collections.
const COLLECTS: [&str; 3] = [STRESS, "--gc=copying", "--roots=stackmap"];

/// The other heap, and other reuse.
const MEMORY: [(&str, &[&str]); 7] = [
    ("wasm-traced", &["--memory=gc"]),
    ("jit-traced", &["--memory=gc", "--target=native"]),
    ("interp-traced", &["--memory=gc", "--interp=rooted"]),
    ("wasm-everywhere", &["--reuse=all"]),
    ("wasm-nowhere", &["--reuse=none"]),
    ("wasm-scoped", &["--rc-insertion=scoped"]),
    ("jit-everywhere", &["--reuse=all", "--target=native", "-O1"]),
];

/// All engines with their options: what is about collections runs on the garbage-collected heap.
fn engines() -> Vec<(&'static str, Vec<&'static str>)> {
    let all = ENGINES.iter().chain(&MEMORY);
    let with_heap = |&(name, options): &(&'static str, &[&'static str])| {
        let mut options = options.to_vec();
        if options.iter().any(|option| COLLECTS.contains(option)) {
            options.push("--memory=gc");
        }
        (name, options)
    };
    all.map(with_heap).collect()
}

/// The codes of the errors that the language's description has words for.
const CODES: [(&str, &str); 23] = [
    ("syntax", "E0220"),
    ("preprocessor", "E0221"),
    ("include-unreadable", "E0126"),
    ("duplicate-type", "E0307"),
    ("duplicate-name", "E0308"),
    ("missing-main", "E0309"),
    ("unknown-type", "E0310"),
    ("unknown-variable", "E0311"),
    ("unknown-function", "E0312"),
    ("unknown-constructor", "E0313"),
    ("parameter-count", "E0501"),
    ("argument-count", "E0502"),
    ("argument-type", "E0503"),
    ("unexpected-tuple", "E0504"),
    ("let-count", "E0505"),
    ("pattern-count", "E0506"),
    ("branch-types", "E0507"),
    ("non-exhaustive-match", "E0508"),
    ("duplicate-case", "E0509"),
    ("invalid-pattern", "E0510"),
    ("case-after-default", "E0511"),
    ("return-type", "E0512"),
    ("main-parameters", "E0513"),
];

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    // What takes longest comes first, so that no other thread waits for it at the end.
    let mut trials = vec![
        Trial::test("random/odd", || random(1).map_err(Failed::from)),
        Trial::test("random/even", || random(2).map_err(Failed::from)),
        Trial::test("mutants", || mutants().map_err(Failed::from)),
    ];
    for (name, path) in sources("").into_iter().chain(sources("intended/")) {
        let is_long = name.ends_with(".bench");
        for (engine, options) in engines() {
            if is_long && !FAST.contains(&engine) || options.contains(&STRESS) && DEEP.contains(&&name[..]) {
                continue;
            }
            let file = path.clone();
            let is_there = is_there(&options);
            let given = options.clone();
            let test = move || check(&file, &given, None).map_err(Failed::from);
            trials.push(Trial::test(format!("{engine}/{name}"), test).with_ignored_flag(!is_there));
            let source = fs::read_to_string(&path).expect("programs are text");
            if WITHOUT_FIP.contains(&engine) && !is_long && source.contains("fip ") {
                let (file, label) = (path.clone(), format!("{engine}-{}", name.replace('/', "-")));
                let test = move || check(&file, &options, Some(&label)).map_err(Failed::from);
                let trial = Trial::test(format!("{engine}-without-fip/{name}"), test);
                trials.push(trial.with_ignored_flag(!is_there));
            }
        }
    }
    for (name, path) in sources("errors/") {
        trials.push(Trial::test(name, move || errors(&path).map_err(Failed::from)));
    }
    for (name, path) in sources("../../examples/goopea/") {
        let name = name.rsplit('/').next().unwrap_or_default().to_string();
        for (engine, options) in engines().into_iter().filter(|(engine, _)| EXAMPLES.contains(engine)) {
            let (path, is_there) = (path.clone(), is_there(&options));
            let test = move || example(&path, &options).map_err(Failed::from);
            trials.push(Trial::test(format!("{engine}/example/{name}"), test).with_ignored_flag(!is_there));
        }
    }
    for (engine, options) in engines() {
        let is_there = is_there(&options);
        let test = move || division(&options).map_err(Failed::from);
        trials.push(Trial::test(format!("{engine}/division"), test).with_ignored_flag(!is_there));
    }
    for target in ["--target=wasm", "--target=native"] {
        let flags = ["--memory=rc", "--memory=gc"].map(|memory| vec![target, memory, "--stack=1m", "-O1"]);
        for options in flags {
            let (name, is_there) = (format!("long-lists/{}{}", &options[0][2..], &options[1][8..]), is_there(&options));
            let test = move || one("long-lists", LONG_LISTS, &options, 0, "50000005000001\n").map_err(Failed::from);
            trials.push(Trial::test(name, test).with_ignored_flag(!is_there));
        }
    }
    trials.push(Trial::test("constructors", || constructors().map_err(Failed::from)));
    for (name, source, expected) in large() {
        let test = move || one(name, &source, &["-O1"], 0, &format!("{expected}\n")).map_err(Failed::from);
        trials.push(Trial::test(format!("large/{name}"), test));
    }
    announce_missing();
    let arguments = Arguments::from_args();
    let mut trials = selection::thinned(&arguments, trials, |kind| if is_engine(kind) { 6 } else { 1 });
    // These, too. (They stand last above because the order of kinds decides which tests run.)
    trials.sort_by_key(|trial| !["random/", "large/"].iter().any(|kind| trial.name().starts_with(kind)));
    libtest_mimic::run(&arguments, trials).exit();
}

/// True for the kinds of tests that run a program on an engine.
fn is_engine(kind: &str) -> bool {
    let kind = kind.strip_suffix("-without-fip").unwrap_or(kind);
    engines().iter().any(|(engine, _)| &engine[..] == kind)
}

/// Names and paths of the programs in a folder.
fn sources(folder: &str) -> Vec<(String, PathBuf)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("goopea").join(folder);
    let files = fs::read_dir(&path).expect("the folder exists").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "goo")).collect();
    files.sort();
    let name = |path: &PathBuf| format!("{folder}{}", path.file_stem().unwrap_or_default().display());
    files.into_iter().map(|path| (name(&path), path)).collect()
}

/// Runs a program; with a label for its file, without the word `fip`.
fn check(path: &Path, options: &[&str], without_fip: Option<&str>) -> Result<(), String> {
    let expected = fs::read(path.with_extension("expected")).map_err(|error| format!("no expectation: {error}"))?;
    let mut file = path.to_path_buf();
    if let Some(label) = without_fip {
        let source = fs::read_to_string(path).map_err(|error| error.to_string())?.replace("fip ", "");
        file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("without-fip-{label}-{}.goo", std::process::id()));
        fs::write(&file, source).map_err(|error| error.to_string())?;
    }
    let output = run(compiler().arg("run").args(options).arg(&file), Vec::new(), LIMIT)?;
    output.expect(0, &expected)?;
    if without_fip.is_some() {
        let _ = fs::remove_file(&file);
    }
    Ok(())
}

struct OnDisk;

impl Files for OnDisk {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        fs::read(path).map_err(|error| error.to_string())
    }
}

/// Compares the errors of a program with those that are expected, in their order.
fn errors(path: &Path) -> Result<(), String> {
    let expected = fs::read_to_string(path.with_extension("expected")).map_err(|error| error.to_string())?;
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let main = sources.add(path.display().to_string(), bytes);
    let program = cleave_goopea::read("main", main, path, &mut OnDisk, &mut sources, &mut sink);
    if program.is_some() {
        return Err("the program has no error".into());
    }
    let mut found = String::new();
    for Diagnostic { code, primary, .. } in sink.diagnostics() {
        let code = code.to_string();
        let word = CODES.iter().find(|row| row.1 == code).map_or(&code[..], |row| row.0);
        let _ = writeln!(found, "error: {word}");
        if let Some(label) = primary {
            let file = sources.file(label.span.file);
            let name = match label.span.file == main {
                true => String::new(),
                false => format!("{} ", Path::new(&file.name).file_name().unwrap_or_default().display()),
            };
            let end = sources.position(Span { start: label.span.end, ..label.span });
            let start = sources.position(label.span);
            let _ = writeln!(found, "at: {name}{}:{}-{}:{}", start.line, start.column, end.line, end.column);
        }
    }
    if found.trim() == expected.trim() { Ok(()) } else { Err(format!("expected:\n{expected}found:\n{found}")) }
}

/// Runs an example; what it prints is in its first line.
fn example(path: &Path, options: &[&str]) -> Result<(), String> {
    let source = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let first = source.lines().next().and_then(|line| line.strip_prefix("// prints "));
    let expected = first.ok_or("the first line does not say what it prints")?;
    let output = run(compiler().arg("run").args(options).arg(path), Vec::new(), LIMIT)?;
    output.expect(0, format!("{expected}\n").as_bytes())
}

/// Runs a program that is made here.
fn one(name: &str, source: &str, options: &[&str], status: i32, expected: &str) -> Result<(), String> {
    let label: String = options.iter().flat_map(|option| option.chars()).filter(char::is_ascii_alphanumeric).collect();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("goopea-{name}-{label}-{}.goo", std::process::id()));
    fs::write(&file, source).map_err(|error| error.to_string())?;
    let output = run(compiler().arg("run").args(options).arg(&file), Vec::new(), LIMIT)?;
    output.expect(status, expected.as_bytes())?;
    let _ = fs::remove_file(&file);
    let stderr = String::from_utf8_lossy(&output.stderr);
    match status == 0 || stderr.contains("Integer division by zero.") {
        true => Ok(()),
        false => Err(format!("no message of the division: {stderr}")),
    }
}

/// A division by zero ends the program with its own status and message.
fn division(options: &[&str]) -> Result<(), String> {
    one("division", "Int: Int\nf x = 7 % x;\n(): Int\nmain = f(f 1);\n", options, 255, "")
}

/// Ten million elements are made, mapped, reversed, copied and freed without stack.
const LONG_LISTS: &str = include_str!("goopea/large/long_lists.goo");

fn constructors() -> Result<(), String> {
    let source = "enum L = Nil, Cons(Int, L);\nenum P = P(Bool, L, P), E;\n\
                  (): (Int, Bool, L, P)\nmain = (-1, 1 < 2, Cons(1, Cons(-2, Nil)), P(False, Nil, P(True, Cons(3, Nil), E)));\n";
    let expected = "(-1, True, Cons(1, Cons(-2, Nil)), P(False, Nil, P(True, Cons(3, Nil), E)))\n";
    one("constructors", source, &["--print=constructors"], 0, expected)?;
    one("constructors", source, &["--print=constructors", "--interp=high"], 0, expected)
}

/// A number that the environment gives.
fn wanted(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Programs for one run of each engine.
const BATCH: usize = 20;

/// Random programs, every other one from this one on: two threads share the work.
fn random(from: u64) -> Result<(), String> {
    let (first, every) = (wanted("GOOPEA_SEED", 1), wanted("GOOPEA_EVERY", 1));
    let (mut text, mut parts, mut expected, mut made) = (String::new(), Vec::new(), Vec::new(), 0);
    let end = first + wanted("GOOPEA_PROGRAMS", selection::size(120, 200));
    for seed in (first + from - 1..end).step_by(2) {
        let mut random = Random::new(seed);
        let program = generate(&mut random);
        let Some(value) = evaluate(&program) else { continue };
        let suffix = format!("_{seed}");
        let source = program.text(&suffix, &mut random);
        let main = format!("f{}{suffix}", program.functions.len() - 1);
        let result = program.text_of_result(&suffix);
        let alone = format!("{source}(): {result}\nmain = {main}();\n");
        let failed = |error: String| format!("seed {seed}: {error}\n{alone}");
        let mut module = translate(alone.as_bytes()).and_then(|it| it.ok_or("it has errors".into())).map_err(failed)?;
        let expected_line = format!("{value}\n").into_bytes();
        let (shown, _) = counted::interpret(&module).map_err(failed)?;
        if shown != expected_line {
            return Err(failed(format!("expected {value}, found {}", String::from_utf8_lossy(&shown))));
        }
        module.heap = cleave_ir::Heap::Rc;
        counted::in_all_ways(&module, &Reuse::ALL, &expected_line).map_err(failed)?;
        made += 1;
        if !(seed / BATCH as u64).is_multiple_of(every) {
            continue;
        }
        text += &source;
        parts.push((result, main));
        expected.push(value);
        if parts.len() == BATCH {
            let results: Vec<&str> = parts.iter().map(|part| &part.0[..]).collect();
            let calls: Vec<&str> = parts.iter().map(|part| &part.1[..]).collect();
            text += &format!("(): ({})\nmain = ({});\n", results.join(", "), calls.join(", "));
            let value = format!("({})\n", expected.join(", "));
            let batches = engines().into_iter().filter(|(engine, _)| BATCHES.contains(engine));
            for (engine, options) in batches.filter(|(_, options)| is_there(options)) {
                one(&format!("random{from}"), &text, &options, 0, &value)
                    .map_err(|error| format!("{engine}, up to {seed}: {error}"))?;
            }
            (text, parts, expected) = (String::new(), Vec::new(), Vec::new());
        }
    }
    if made == 0 { Err("no program was made".into()) } else { Ok(()) }
}

/// Engines for random programs, besides the interpreter.
const BATCHES: [&str; 9] = [
    "wasm",
    "wasm-O0",
    "jit",
    "jit-O0",
    "wasm-traced",
    "wasm-everywhere",
    "wasm-nowhere",
    "wasm-scoped",
    "jit-everywhere",
];

struct NoFiles;

impl Files for NoFiles {
    fn read(&mut self, _: &Path) -> Result<Vec<u8>, String> {
        Err("there are no files".into())
    }
}

/// The verified IR of a program, unless it has errors; those are rendered.
fn translate(source: &[u8]) -> Result<Option<cleave_ir::Module>, String> {
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let main = sources.add("main.goo", source.to_vec());
    let path = Path::new("main.goo");
    let program = cleave_goopea::read("main", main, path, &mut NoFiles, &mut sources, &mut sink);
    for diagnostic in sink.diagnostics() {
        cleave_diag::human(diagnostic, &sources, false);
    }
    let Some(program) = program else { return Ok(None) };
    let module = cleave_goopea::translate(&program, Print::Values, None);
    match cleave_ir::verify::verify_module(&module) {
        Ok(()) => Ok(Some(module)),
        Err(errors) => Err(format!("wrong IR: {}", errors[0])),
    }
}

/// Changed programs: the front end says what is wrong, or makes correct IR; it never fails.
fn mutants() -> Result<(), String> {
    let seeds: Vec<Vec<u8>> = ["", "intended/", "errors/"]
        .into_iter()
        .flat_map(sources)
        .map(|(_, path)| fs::read(path).expect("programs can be read"))
        .collect();
    let first = wanted("GOOPEA_SEED", 1);
    let (mut correct, count) = (0, wanted("GOOPEA_MUTANTS", selection::size(2_500, 5_000)));
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let mut text = seeds[random.below(seeds.len())].clone();
        for _ in 0..1 + random.below(4) {
            text::change(&mut text, &seeds, &WORDS, &mut random);
        }
        let result = std::panic::catch_unwind(|| translate(&text));
        let shown = || format!("seed {seed}:\n{}", String::from_utf8_lossy(&text));
        match result {
            Ok(Ok(module)) => correct += u64::from(module.is_some()),
            Ok(Err(error)) => return Err(format!("{error}, {}", shown())),
            Err(_) => return Err(format!("panic, {}", shown())),
        }
    }
    match correct {
        0 => Err("no mutant is a program: this tests only the parser".into()),
        _ if correct == count => Err("every mutant is a program".into()),
        _ => Ok(()),
    }
}

/// Words that mutants get.
#[rustfmt::skip]
const WORDS: [&str; 34] = [
    "fip ", "match ", "enum ", "let ", " in ", "(", ")", "{", "}", ":", ";", ",", "=", "_", "+", "-", "*", "/", "%",
    "<", "==", "!=", " 0 ", "9223372036854775807", "99999999999999999999", " x ", "End", "Link", "Int", "True", "()",
    "main", "#include x\n", "\n#if X\n",
];

/// Programs beyond what people write, and what they print.
fn large() -> Vec<(&'static str, String, &'static str)> {
    const MANY: usize = 100_000;
    let main = |body: String| format!("(): Int\nmain = {body};\n");
    // Machine code of a tree of these takes longest.
    let cases: String = (0..30_000).map(|i| format!(" {}: {},\n", i * 3 + i % 7, i % 1000)).collect();
    let dense: String = (0..MANY).map(|i| format!(" {i}: {},\n", i % 1000)).collect();
    let functions: String = (1..10_000)
        .map(|i| format!("Int: Int\nf{i} x = match x > {i} {{ True: x + f{}(x - 1), False: f{} x }};\n", i - 1, i / 2))
        .collect();
    let constructors: Vec<String> = (0..5_000).map(|i| format!("C{i} Int")).collect();
    let taken: Vec<String> = (0..5_000).map(|i| format!("C{i} x: x + {i}")).collect();
    let nested: String = (0..10_000).map(|i| format!("match x > {i} {{ False: {i}, True: ")).collect();
    let bound: String =
        (0..10_000).map(|i| format!("let a{i} = match x > {i} {{ True: {i}, False: x }} in\n")).collect();
    vec![
        (
            "cases",
            format!("Int: Int\nf n = match n {{\n{cases} other: 5 }};\n{}", main("f 302 + f 89997 + f 7".into())),
            "1103",
        ),
        (
            "dense",
            format!("Int: Int\nf n = match n {{\n{dense} other: 5 }};\n{}", main("f 300 + f 100000 + f 1007".into())),
            "312",
        ),
        ("functions", format!("Int: Int\nf0 x = x;\n{functions}{}", main("f9999 20000".into())), "150005000"),
        (
            "constructors",
            format!(
                "enum T = {};\nT: Int\nf t = match t {{ {} }};\n{}",
                constructors.join(", "),
                taken.join(", "),
                main("f(C4711 1) + f(C0 2)".into())
            ),
            "4714",
        ),
        ("parentheses", main(format!("{}1{}", "(".repeat(MANY), ")".repeat(MANY))), "1"),
        ("left", main(format!("{}1", "1+".repeat(MANY))), "100001"),
        ("right", main(format!("{}1{}", "(1+".repeat(MANY), ")".repeat(MANY))), "100001"),
        ("signs", main(format!("{}1", "-".repeat(MANY))), "1"),
        ("calls", format!("Int: Int\ni x = x + 1;\n{}", main(format!("{}1", "i ".repeat(10_000)))), "10001"),
        ("matches", format!("Int: Int\nf x = {nested} x{};\n{}", "}".repeat(10_000), main("f 500".into())), "500"),
        ("joins", format!("Int: Int\nf x = {bound} a1 + a9999;\n{}", main("f 500".into())), "501"),
        (
            "list",
            format!(
                "enum L = Nil, Cons(Int, L);\n(Int, L): L\nf(n, l) = match n {{ 0: l, m: f(m - 1, Cons(1, l)) }};\n\
                 L: Int\ng l = match l {{ Nil: 0, Cons(x, r): x }};\n{}",
                main("g f(1000000, Nil)".into())
            ),
            "1",
        ),
    ]
}
