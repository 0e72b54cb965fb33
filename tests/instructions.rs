//! Every instruction of the ABC language against values worked out by hand from the reference: a row of the table
//! without a case fails. Cases are in `instructions/*.cases` (`cases.rs` says how), the table in
//! `instructions/table.tsv`.
//!
//! Each case runs in the interpreter in every phase, in the engine and as machine code at two levels, there also under
//! stress, each time with constants as input and with values that the compiler cannot know. Instructions of parallel
//! Clean and obsolete ones must be refused by name, with a reason; these cases are made from the table.

use cleave_clean::instr::{Opcode, Operand};
use cleave_clean::unsupported::refusal;
use cleave_tests::cases::{self, Case, VARIANTS, Variant};
use cleave_tests::process::{AS_COMPILER, ENGINES, announce_missing, compiler, is_there, run};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(240);

/// Rows whose test is elsewhere.
const ELSEWHERE: &[(&str, &str)] = &[("ccall", "calls of C functions have a test of their own")];

/// A row of the table.
struct Row {
    name: String,
    emitted_by: String,
}

/// A file of cases and, by engine, what its program printed.
struct Group {
    cases: Vec<Case>,
    program: PathBuf,
    results: [OnceLock<Result<BTreeMap<String, Vec<String>>, String>>; ENGINES.len()],
}

impl Group {
    fn result(&self, engine: usize) -> &Result<BTreeMap<String, Vec<String>>, String> {
        self.results[engine].get_or_init(|| {
            let output = run(
                compiler().arg("run").args(ENGINES[engine].1).arg("--verify-each").arg(&self.program),
                b"0\n".to_vec(),
                LIMIT,
            )?;
            if output.status != Some(0) {
                let stderr = String::from_utf8_lossy(&output.stderr);
                return Err(format!("{}: ended with {:?}\n{stderr}", self.program.display(), output.status));
            }
            Ok(cases::split(&String::from_utf8_lossy(&output.stdout)))
        })
    }

    fn check(&self, index: usize, engine: usize) -> Result<(), String> {
        let case = &self.cases[index];
        let printed = self.result(engine).as_ref().map_err(Clone::clone)?;
        for variant in VARIANTS {
            let expected = case.expected();
            let actual = printed.get(&cases::mark(index, variant)).cloned().unwrap_or_default();
            if actual != expected {
                let line = case.line;
                return Err(format!(
                    "line {line}, {variant:?} input: expected {expected:?}, printed {actual:?} (`%{}` in {})",
                    cases::mark(index, variant),
                    self.program.display()
                ));
            }
        }
        Ok(())
    }
}

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("instructions");
    fs::create_dir_all(&scratch).expect("the scratch folder can be made");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let rows = table(&read("table.tsv"));
    let common = Arc::new(read("common.abc"));
    let failed = Arc::new(Mutex::new(BTreeSet::new()));
    let mut covered: BTreeSet<String> = ELSEWHERE.iter().map(|row| row.0.to_string()).collect();
    let mut refused = BTreeSet::new();
    let mut trials = Vec::new();

    for file in case_files(&folder) {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = read(&format!("{name}.cases"));
        let cases = cases::parse(&text).unwrap_or_else(|error| panic!("{name}.cases: {error}"));
        let program = scratch.join(format!("{name}.abc"));
        fs::write(&program, cases::program(&common, &cases)).expect("the program can be written");
        let group = Arc::new(Group { cases, program, results: Default::default() });
        for (index, case) in group.cases.iter().enumerate() {
            let to = if case.error.is_some() { &mut refused } else { &mut covered };
            to.extend(case.names.iter().cloned());
            let title = format!("{}:{}", case.names.join(","), case.line);
            for (engine, (engine_name, options)) in ENGINES.iter().enumerate() {
                if case.error.is_some() && engine > 0 {
                    continue;
                }
                let (group, failed, common) = (Arc::clone(&group), Arc::clone(&failed), Arc::clone(&common));
                let path = scratch.join(format!("{name}-{}-{engine_name}.abc", case.line));
                let test = move || {
                    let case = &group.cases[index];
                    let result =
                        if case.is_alone() { alone(case, &common, &path, options) } else { group.check(index, engine) };
                    if result.is_err() {
                        failed.lock().expect("no test panicked").extend(case.names.iter().cloned());
                    }
                    result.map_err(Failed::from)
                };
                let test = Trial::test(format!("{engine_name}/{name}/{title}"), test);
                trials.push(test.with_ignored_flag(!is_there(options)));
            }
        }
    }
    let refusable = |row: &&Row| matches!(row.emitted_by.as_str(), "P" | "X") && !covered.contains(&row.name);
    for row in rows.iter().filter(refusable) {
        refused.insert(row.name.clone());
        let (name, failed, obsolete) = (row.name.clone(), Arc::clone(&failed), row.emitted_by == "X");
        let path = scratch.join(format!("refused-{}.abc", trials.len()));
        let test = move || {
            let result = refuses(&name, obsolete, &path);
            if result.is_err() {
                failed.lock().expect("no test panicked").insert(name);
            }
            result.map_err(Failed::from)
        };
        trials.push(Trial::test(format!("refused/{}", row.name), test));
    }
    let missing: Vec<String> = rows
        .iter()
        .filter(|row| row.emitted_by != "directive" && !covered.contains(&row.name) && !refused.contains(&row.name))
        .map(|row| row.name.clone())
        .collect();
    trials.push(Trial::test("table/every-row-has-a-case", {
        let missing = missing.clone();
        move || if missing.is_empty() { Ok(()) } else { Err(Failed::from(format!("no case for {missing:?}"))) }
    }));
    let directives: Vec<String> =
        rows.iter().filter(|row| row.emitted_by == "directive").map(|row| row.name.clone()).collect();
    let text = common.to_string() + &read("directives.cases");
    trials.push(Trial::test("table/every-directive-is-used", move || used(&directives, &text)));
    trials.push(Trial::test("table/names-are-known", {
        let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
        move || known(&names)
    }));

    let listed = arguments.list || arguments.filter.is_some();
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !listed {
        announce_missing();
        for (name, reason) in ELSEWHERE {
            println!("elsewhere: {name}: {reason}");
        }
        let failed = failed.lock().expect("no test panicked");
        for (kind, fused) in [("plain", false), ("fused", true)] {
            let of_kind = |row: &&Row| row.emitted_by != "directive" && row.emitted_by.starts_with('O') == fused;
            let all: Vec<&Row> = rows.iter().filter(of_kind).collect();
            let good = |set: &BTreeSet<String>| {
                all.iter().filter(|row| set.contains(&row.name) && !failed.contains(&row.name)).count()
            };
            let only_refused: BTreeSet<String> = refused.difference(&covered).cloned().collect();
            let (work, reason) = (good(&covered), good(&only_refused));
            println!(
                "{} of {} {kind} instructions: {work} work, {reason} refused with the reason",
                work + reason,
                all.len()
            );
        }
    }
    conclusion.exit();
}

fn table(text: &str) -> Vec<Row> {
    let rows = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    rows.map(|row| Row { name: row[0].to_string(), emitted_by: row[7].to_string() }).collect()
}

fn case_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("tests/instructions exists").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "cases"));
    files.sort();
    files
}

/// A case that ends its program, or does not compile.
fn alone(case: &Case, common: &str, path: &Path, options: &[&str]) -> Result<(), String> {
    let variants = if case.error.is_some() { &VARIANTS[..1] } else { &VARIANTS[..] };
    for &variant in variants {
        fs::write(path, cases::alone(common, case, variant)).map_err(|error| error.to_string())?;
        let output = run(compiler().arg("run").args(options).arg(path), b"0\n".to_vec(), LIMIT)?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        if let Some((code, text)) = &case.error {
            output.expect(1, b"")?;
            if stderr.matches("error[").count() != 1 || !stderr.contains(&format!("error[{code}]: {text}")) {
                return Err(format!("not the one error {code} `{text}`:\n{stderr}"));
            }
            continue;
        }
        let expected = case.stdout.clone().unwrap_or_default();
        output
            .expect(case.status.unwrap_or(0), expected.as_bytes())
            .map_err(|error| format!("{variant:?}: {error}"))?;
        let own: String = stderr.split_inclusive('\n').filter(|line| !line.starts_with("cleave: ")).collect();
        let wanted = case.stderr.clone().unwrap_or_default().replace('@', &cases::mark(0, variant));
        if own != wanted {
            return Err(format!("stderr: expected {wanted:?}, is {own:?}"));
        }
    }
    Ok(())
}

/// An instruction that must be refused by name, with the reason.
fn refuses(name: &str, obsolete: bool, path: &Path) -> Result<(), String> {
    let op = Opcode::find(name.as_bytes()).ok_or("it is not known")?;
    let mut line = format!("\t{name}");
    for kind in op.info().operands {
        line.push_str(match kind {
            Operand::D => " _Nil",
            Operand::L => " l",
            Operand::Real => " 1.0",
            Operand::Str => " \"x\"",
            Operand::Rest => "",
            _ => " 0",
        });
    }
    let case = cases::parse(&format!("== {name}\n{line}\n\thalt\nerror: E0901 unsupported\n"))?;
    fs::write(path, cases::alone("", &case[0], Variant::Folded)).map_err(|error| error.to_string())?;
    let output = run(compiler().arg("build").arg("--emit=ir=-").arg(path), Vec::new(), LIMIT)?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let reason = refusal(op).map_or("", |refusal| refusal.reason);
    let word = if obsolete { "obsolete" } else { "parallel Clean" };
    let message = format!("error[E0901]: unsupported instruction `{name}`\n");
    if output.status == Some(1) && stderr.contains(&message) && stderr.contains(reason) && reason.contains(word) {
        return Ok(());
    }
    Err(format!("not refused by name with a reason that says `{word}`:\n{stderr}"))
}

fn known(names: &[String]) -> Result<(), Failed> {
    let unknown: Vec<&String> = names.iter().filter(|name| Opcode::find(name.as_bytes()).is_none()).collect();
    if unknown.is_empty() { Ok(()) } else { Err(Failed::from(format!("not known: {unknown:?}"))) }
}

fn used(directives: &[String], text: &str) -> Result<(), Failed> {
    let words: BTreeSet<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    // The header of each program has these.
    let header = [".comp", ".start", ".depend", ".endinfo", ".module", ".export", ".o", ".d"];
    let unused: Vec<&String> =
        directives.iter().filter(|name| !words.contains(name.as_str()) && !header.contains(&name.as_str())).collect();
    if unused.is_empty() { Ok(()) } else { Err(Failed::from(format!("in no program: {unused:?}"))) }
}
