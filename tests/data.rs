//! Programs with the output of Clean's own native code beside them: data of every shape in `data/`, and in `optimised/`
//! programs that the optimiser of the ABC interpreter has worked on (each folder has a README). Each runs
//! in the interpreter in every phase, in the engine and as machine code, optimised and not, and under stress.

use cleave_tests::process::{AS_COMPILER, ENGINES, announce_missing, compiler, is_there, run};
use cleave_tests::selection;
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(240);

/// Further ways to run a program: array indices are checked.
const CHECKED: [(&str, &[&str]); 2] =
    [("wasm-checked", &["--check-indices"]), ("jit-checked", &["--target=native", "--check-indices"])];

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["data", "optimised"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        files.extend(fs::read_dir(&folder).expect("the folder exists").flatten().map(|entry| entry.path()));
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "abc"));
    files.sort();
    let mut trials = Vec::new();
    for path in files {
        let parent = path.parent().and_then(Path::file_name).unwrap_or_default();
        let name = format!("{}/{}", parent.display(), path.file_stem().unwrap_or_default().display());
        for (engine, options) in ENGINES.into_iter().chain(CHECKED) {
            let path = path.clone();
            let test = Trial::test(format!("{engine}/{name}"), move || check(&path, options).map_err(Failed::from));
            trials.push(test.with_ignored_flag(!is_there(options)));
        }
    }
    announce_missing();
    let arguments = Arguments::from_args();
    let trials = selection::thinned(&arguments, trials, |_| 6);
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(path: &Path, options: &[&str]) -> Result<(), String> {
    let expected = fs::read(path.with_extension("expected")).map_err(|error| format!("no expectation: {error}"))?;
    let output = run(compiler().arg("run").args(options).arg(path), Vec::new(), LIMIT)?;
    output.expect(0, &expected)?;
    let text = String::from_utf8_lossy(&output.stderr);
    if options.contains(&"--gc-stress") && !text.contains(" collections\n") {
        return Err(format!("the number of collections is missing: {text:?}"));
    }
    Ok(())
}
