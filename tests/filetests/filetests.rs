//! Runs every `tests/files/**/*.ir` as a named test; `tests/filetests/annotations.rs` tells what the files may say.
//!
//! - `roundtrip`: the text parses, prints as it is written (but for comments) and prints the same again.
//! - `verify`: the verifier finds exactly the annotated errors; parse errors count as well.
//! - `translation`: for each pair `@f` (high) and `@f.rooted` the root checker compares them; errors are annotated in
//!   the rooted one. With `space` also that no frame holds what is not needed.
//! - `pass=a,b`: the output of the passes is compared with the expected block and the checks. The module is verified
//!   after each, and the root checker looks at what `roots` did.
//! - `run`: only the `run[…]` lines. In all modes they hold before and after the passes.
//!
//! `BLESS=1 cargo test -p cleave-filetests` rewrites the expected blocks.

use cleave_filetests::annotations::{Annotations, first_difference, strip};
use cleave_filetests::execute;
use cleave_ir::text::{LineMap, parse_module_with_lines, print_func, print_module};
use cleave_ir::verify::{VerifyError, gc, verify_module};
use cleave_ir::{Flags, Func, FuncId, Module};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../files");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let bless = env::var_os("BLESS").is_some_and(|v| v != "0");
    let tests = files.into_iter().map(|path| {
        let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        Trial::test(name, move || run(&path, bless).map_err(Failed::from))
    });
    libtest_mimic::run(&args, tests.collect()).exit();
}

/// All IR files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "ir") {
                files.push(path);
            }
        }
    }
}

fn run(path: &Path, bless: bool) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let notes = Annotations::parse(&text)?;
    let (module, lines) = match parse_module_with_lines(&notes.source) {
        Ok(parsed) => parsed,
        Err(e) => return notes.compare_errors(&[(e.line, format!("{}: {}", e.column, e.message))]),
    };
    let mut found = Vec::new();
    let mut output = None;
    for mode in &notes.modes {
        match mode.as_str() {
            "roundtrip" => {
                let printed = print_module(&module);
                roundtrip(&printed)?;
                if notes.expected.is_none()
                    && let Some(difference) = first_difference(&notes.bare, &strip(&printed))
                {
                    return Err(difference);
                }
                if notes.expected.is_some() {
                    output = Some(printed);
                }
            }
            "verify" if notes.passes.is_empty() => {
                if let Err(errors) = verify_module(&module) {
                    found.extend(errors.iter().map(|e| located(&module, &lines, e)));
                }
            }
            "verify" => {}
            "run" => {}
            "translation" => translation(&module, &lines, gc::check_translation, &mut found)?,
            "space" => translation(&module, &lines, gc::check_space, &mut found)?,
            other => return Err(format!("unknown test mode `{other}`")),
        }
    }
    notes.compare_errors(&found)?;
    execute::runs(&module, &notes.runs)?;
    if !notes.passes.is_empty() {
        let mut module = module;
        execute::passes(&mut module, &notes.passes)?;
        execute::runs(&module, &notes.runs)?;
        for line in &notes.counts {
            counted(&module, line)?;
        }
        output = Some(print_module(&module));
    }
    let Some(output) = output else { return Ok(()) };
    if notes.passes.is_empty() || notes.expected.is_some() || notes.has_no_checks() {
        if bless {
            return fs::write(path, notes.blessed(&output)).map_err(|e| e.to_string());
        }
        let Some(expected) = &notes.expected else { return Err("no expected output; run with BLESS=1".into()) };
        if let Some(difference) = first_difference(expected, &output) {
            return Err(difference);
        }
    }
    let mut rest = output.as_str();
    for check in &notes.checks {
        match rest.find(check.as_str()) {
            Some(at) => rest = &rest[at + check.len()..],
            None => return Err(format!("`{check}` not found (in this order) in:\n{output}")),
        }
    }
    match notes.nots.iter().find(|not| output.contains(not.as_str())) {
        Some(not) => Err(format!("`{not}` found in:\n{output}")),
        None => Ok(()),
    }
}

/// Checks a line `@f 1 spill 2 restore 0 clear 1 slots`: any names of instructions, and `slots` for the deepest frame.
fn counted(module: &Module, line: &str) -> Result<(), String> {
    let mut words = line.split_whitespace();
    let name = words.next().and_then(|word| word.strip_prefix('@')).ok_or("no function in a count")?;
    let func = &module.funcs[func_id(module, name).ok_or_else(|| format!("no function @{name}"))?];
    let insts = || func.layout.iter().flat_map(|&block| &func.blocks[block].insts).map(|&inst| &func.insts[inst]);
    while let (Some(wanted), Some(what)) = (words.next(), words.next()) {
        let found = match what {
            "slots" => {
                let safepoints = insts().filter(|data| data.op.any(Flags::SAFEPOINT));
                safepoints.map(|data| data.aux as usize).max().unwrap_or(0)
            }
            _ => insts().filter(|data| data.op.name() == what).count(),
        };
        if wanted != found.to_string() {
            return Err(format!("@{name}: {found} {what} instead of {wanted}:\n{}", print_func(module, func)));
        }
    }
    Ok(())
}

/// What was printed parses again and prints the same.
fn roundtrip(printed: &str) -> Result<(), String> {
    let (again, _) = parse_module_with_lines(printed).map_err(|e| format!("own output: {e}"))?;
    first_difference(printed, &print_module(&again)).map_or(Ok(()), Err)
}

fn func_id(module: &Module, name: &str) -> Option<FuncId> {
    module.funcs.iter().find(|(_, f)| f.name == name).map(|(id, _)| id)
}

/// Line and text of an error.
fn located(module: &Module, lines: &LineMap, error: &VerifyError) -> (u32, String) {
    let line = lines.of_error(func_id(module, &error.func), error).unwrap_or(0);
    (line, error.message.clone())
}

type Check = fn(&Module, &Func, &Func) -> Result<(), Vec<VerifyError>>;

fn translation(module: &Module, lines: &LineMap, check: Check, found: &mut Vec<(u32, String)>) -> Result<(), String> {
    let mut pairs = 0;
    for rooted in module.funcs.values() {
        let Some(name) = rooted.name.strip_suffix(".rooted") else { continue };
        let Some(original) = func_id(module, name) else { return Err(format!("no function @{name}")) };
        pairs += 1;
        if let Err(errors) = check(module, &module.funcs[original], rooted) {
            found.extend(errors.iter().map(|e| located(module, lines, e)));
        }
    }
    if pairs == 0 { Err("no function with a name in `.rooted`".into()) } else { Ok(()) }
}
