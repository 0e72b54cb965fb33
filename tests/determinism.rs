//! Same input, same bytes: twice, from another folder, with other numbers of threads; and the keys by which the cache
//! finds functions say all that their code depends on.

use cleave::driver::pipeline::{self, Stop};
use cleave::driver::session::{Level, Options, Session};
use cleave::languages;
use cleave_native::cache::{Cache, CacheFile};
use cleave_tests::process::{AS_COMPILER, compiler, run};
use cleave_tests::samples::{self, Sample};
use cleave_tests::selection::thorough_share;
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);

/// Programs of every kind: one module and many, small and large.
const PROGRAMS: [&str; 12] = [
    "adts",
    "bigint",
    "classes",
    "exprinterp",
    "mmcalc",
    "mmcyclic",
    "mmshapes",
    "mmwords",
    "printshapes",
    "bench/interp",
    "variants/ou/sorts",
    "errors/nomatch_nested",
];

/// What is compared: a program with its IR, an object file, an executable.
const WASM: &[&str] = &["-o", "-", "--emit", "ir=-"];
const NATIVE: &[&str] = &["--target", "native", "-o", "-", "--emit", "obj=-", "--emit", "asm=-"];

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let samples = samples::all();
    // An ordinary run makes one of the two of each.
    let both = arguments.filter.is_some() || arguments.list || thorough_share().is_some();
    for (number, name) in PROGRAMS.into_iter().enumerate() {
        let sample = samples.iter().find(|sample| sample.name == name).expect("the corpus has this program").clone();
        let native = sample.clone();
        if both || number.is_multiple_of(2) {
            trials.push(Trial::test(name, move || same_bytes(&sample, WASM).map_err(Failed::from)));
        }
        if !both && number.is_multiple_of(2) {
            continue;
        }
        let ignored = !cfg!(all(target_arch = "x86_64", target_os = "linux"));
        let trial = Trial::test(format!("native/{name}"), move || same_bytes(&native, NATIVE).map_err(Failed::from));
        trials.push(trial.with_ignored_flag(ignored));
    }
    trials.push(Trial::test("keys", || keys().map_err(Failed::from)));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Functions with the same key in the cache have the same code, whatever program they are from.
fn keys() -> Result<(), String> {
    let mut known: BTreeMap<String, (Vec<u8>, String)> = BTreeMap::new();
    let mut shared = 0;
    for level in [Level::O0, Level::O2] {
        for sample in samples::bench().into_iter().chain(samples::variants()) {
            let mut session = Session::new(Options { level, unverified: true, ..Options::default() });
            let loaded = languages::load(&mut session, &sample.path);
            let compiled = loaded.and_then(|loaded| pipeline::compile(&mut session, loaded, Stop::High, &[]));
            let module = compiled.map_err(|_| sample.name.clone())?.into_ir();
            let effort = if level == Level::O0 { cleave_native::Effort::Least } else { cleave_native::Effort::Most };
            let cache = Some(Arc::new(Cache::new(CacheFile::default(), String::new())));
            let options = cleave_native::Options { effort, cache, ..cleave_native::Options::default() };
            // It is optimised already.
            let settings = cleave_compile::Options { level: Level::O0, ..Default::default() };
            let program = cleave_compile::compile(module, &cleave_native::Native { options }, &settings);
            let program = program.map_err(|error| error.to_string())?;
            for (function, name) in program.functions.into_iter().zip(program.names) {
                let Some((key, bytes)) = function.stored else { continue };
                let place = format!("{name} of {} at {level:?}", sample.name);
                match known.get(&format!("{key:?}")) {
                    Some((old, old_place)) if *old != bytes => return Err(format!("{place} is not {old_place}")),
                    Some(_) => shared += 1,
                    None => _ = known.insert(format!("{key:?}"), (bytes, place)),
                }
            }
        }
    }
    // Else nothing would have been compared.
    if shared < 100 { Err(format!("{shared} functions shared, {} different", known.len())) } else { Ok(()) }
}

fn same_bytes(sample: &Sample, options: &[&str]) -> Result<(), String> {
    let kind = if options == WASM { "wasm" } else { "native" };
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("determinism").join(kind).join(&sample.name);
    let _ = fs::remove_dir_all(&scratch);
    let elsewhere = copied(sample, &scratch.join("another place"))?;
    let place = sample.path.parent().unwrap_or(Path::new("."));
    let file = sample.path.file_name().unwrap_or_default();
    // An absolute path, a relative one, a copy; one thread, the default, more than there are processors.
    let first = build(&sample.path, Path::new("."), options, None)?;
    let others = [
        ("a second time", build(&sample.path, Path::new("."), options, None)?),
        ("by its relative path, with one thread", build(Path::new(file), place, options, Some("1"))?),
        ("by its relative path, with seven threads", build(Path::new(file), place, options, Some("7"))?),
        ("in another folder", build(&elsewhere, &scratch, options, Some("2"))?),
    ];
    for (how, bytes) in others {
        if bytes != first {
            let at = first.iter().zip(&bytes).take_while(|(a, b)| a == b).count();
            return Err(format!(
                "compiled {how} it differs from byte {at} on ({} and {} bytes)",
                first.len(),
                bytes.len()
            ));
        }
    }
    let _ = fs::remove_dir_all(&scratch);
    Ok(())
}

/// Copies the modules of the program's folder.
fn copied(sample: &Sample, folder: &Path) -> Result<PathBuf, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    let from = sample.path.parent().unwrap_or(Path::new("."));
    for entry in fs::read_dir(from).map_err(failed)?.flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "abc") {
            fs::copy(entry.path(), folder.join(entry.file_name())).map_err(failed)?;
        }
    }
    Ok(folder.join(sample.path.file_name().unwrap_or_default()))
}

fn build(main: &Path, folder: &Path, options: &[&str], threads: Option<&str>) -> Result<Vec<u8>, String> {
    let mut command = compiler();
    command.args(["build", "--no-cocl"]).arg(main).args(options).current_dir(folder);
    if let Some(threads) = threads {
        command.args(["--threads", threads]);
    }
    let output = run(&mut command, Vec::new(), LIMIT)?;
    if output.status != Some(0) || output.stdout.is_empty() {
        return Err(format!("{:?}: {}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    Ok(output.stdout)
}
