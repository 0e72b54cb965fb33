//! GOOPEA: programs with their output in `goopea/`, on every engine, with and without the word `fip`; in
//! `goopea/errors` wrong programs with all their errors, each by its word in the language's description and its place.

use cleave_diag::{Diagnostic, Sink, SourceMap, Span};
use cleave_goopea::Files;
use cleave_tests::process::{AS_COMPILER, ENGINES, announce_missing, compiler, is_there, run};
use libtest_mimic::{Arguments, Failed, Trial};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(240);

/// Engines for programs that work long.
const FAST: [&str; 2] = ["wasm", "jit"];
/// An option that is not for deep recursion: every collection looks at the whole stack.
const STRESS: &str = "--gc-stress";
/// Programs whose recursion is deep.
const DEEP: [&str; 1] = ["intended/deep_list"];

/// What a program is made of that nobody asks to be in place.
const WITHOUT_FIP: [&str; 4] = ["wasm", "jit", "jit-O0", "interp-high"];

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

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let mut trials = Vec::new();
    for (name, path) in sources("").into_iter().chain(sources("intended/")) {
        let is_long = name.ends_with(".bench");
        for (engine, options) in ENGINES {
            if is_long && !FAST.contains(&engine) || options.contains(&STRESS) && DEEP.contains(&&name[..]) {
                continue;
            }
            let file = path.clone();
            let test = move || check(&file, options, None).map_err(Failed::from);
            trials.push(Trial::test(format!("{engine}/{name}"), test).with_ignored_flag(!is_there(options)));
            let source = fs::read_to_string(&path).expect("programs are text");
            if WITHOUT_FIP.contains(&engine) && !is_long && source.contains("fip ") {
                let (file, label) = (path.clone(), format!("{engine}-{}", name.replace('/', "-")));
                let test = move || check(&file, options, Some(&label)).map_err(Failed::from);
                let trial = Trial::test(format!("{engine}-without-fip/{name}"), test);
                trials.push(trial.with_ignored_flag(!is_there(options)));
            }
        }
    }
    for (name, path) in sources("errors/") {
        trials.push(Trial::test(name, move || errors(&path).map_err(Failed::from)));
    }
    announce_missing();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
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
        file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("without-fip-{label}.goo"));
        fs::write(&file, source).map_err(|error| error.to_string())?;
    }
    let output = run(compiler().arg("run").args(options).arg(&file), Vec::new(), LIMIT)?;
    output.expect(0, &expected)
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
