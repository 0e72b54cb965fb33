//! The command `test`: programs with what they print beside them, as `main.expected` beside `main.goo`, and functions
//! whose names begin with `test`.
//!
//! A program runs as a process of its own. A function is interpreted: the program gets another main function, which
//! calls it. It passes if it gives the truth, or if it gives nothing (`unit`) and comes to its end.

use crate::cli::below;
use crate::cli::exit_code::{FAILURE, written};
use crate::driver::input;
use crate::driver::output::write_stdout;
use crate::driver::session::{Options, Outcome, Session};
use crate::driver::snippet;
use crate::languages;
use clap::{Args, ValueHint};
use cleave_diag::human;
use cleave_strict::ide::{Symbol, SymbolKind};
use cleave_strict::lints;
use std::cell::Cell;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A program is a test if a file with the ending `.expected` lies beside it, which holds what it prints. A function of
/// GOOPEA or samlang is a test if its name begins with `test` and it has no parameters: it passes with the value true,
/// or with the value of type `unit`. The status is 1 if a test fails.
#[derive(Debug, Args)]
pub struct TestArgs {
    /// Files, or folders with such files [default: the folder at hand]
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath, default_value = ".")]
    pub files: Vec<PathBuf>,
    /// Only tests with this text in their names
    #[arg(long, short, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Run the tests again whenever a file changes
    #[arg(long)]
    pub watch: bool,
}

/// Lines of a difference that are shown.
const SHOWN: usize = 20;

/// What a test came to: nothing, or what is wrong.
struct Tested {
    name: String,
    problem: Option<String>,
}

/// Runs the tests.
pub fn run(session: &mut Session, args: &TestArgs, is_coloured: bool) -> Outcome<i32> {
    let begin = Instant::now();
    let endings: Vec<&str> = languages::formatted().chain(["ir", "abc"]).collect();
    let files = below::files(session, &args.files, &endings)?;
    let wanted = |name: &str| args.filter.as_ref().is_none_or(|filter| name.contains(filter.as_str()));
    let (mut passed, mut failed) = (0, 0);
    let (mut others, left_out) = (0, Cell::new(0));
    let mut tell = |tested: Tested| {
        let (mark, colour) = match tested.problem {
            None => ("ok    ", "32"),
            Some(_) => ("FAILED", "31"),
        };
        passed += u32::from(tested.problem.is_none());
        failed += u32::from(tested.problem.is_some());
        let mark = painted(mark, colour, is_coloured);
        let line = format!("{mark}  {}\n{}", tested.name, tested.problem.unwrap_or_default());
        written(write_stdout(line.as_bytes()))
    };
    for file in &files {
        let shown = file.strip_prefix(".").unwrap_or(file).display().to_string();
        if file.with_extension("expected").is_file() {
            match wanted(&shown) {
                true => _ = tell(Tested { name: shown.clone(), problem: program(file, is_coloured) }),
                false => others += 1,
            }
        }
        let is_wanted = |name: &str| {
            let is_wanted = wanted(&format!("{shown}: {name}"));
            left_out.set(left_out.get() + u32::from(!is_wanted));
            is_wanted
        };
        for (name, problem) in functions(file, &is_wanted) {
            tell(Tested { name: format!("{shown}: {name}"), problem });
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    let text = match passed + failed {
        0 => match (&args.filter, others + left_out.get()) {
            (Some(filter), 1..) => format!("no test has `{filter}` in its name\n"),
            _ => "there is no test: a file `NAME.expected` beside a program says what that prints, and functions whose names \
                  begin with `test` are tests\n"
                .to_string(),
        },
        _ => format!("{passed} passed, {failed} failed, {seconds:.2} s\n"),
    };
    written(write_stdout(text.as_bytes()));
    Ok(if failed > 0 || passed == 0 { FAILURE } else { 0 })
}

fn painted(text: &str, colour: &str, is_coloured: bool) -> String {
    if is_coloured { format!("\x1b[{colour}m{text}\x1b[0m") } else { text.to_string() }
}

/// Runs a program, and says how its output differs from what is expected.
fn program(file: &Path, is_coloured: bool) -> Option<String> {
    let expected = match input::read(&file.with_extension("expected")) {
        Ok(expected) => expected,
        Err(error) => return Some(format!("        {error}\n")),
    };
    let output = std::env::current_exe().and_then(|own| Command::new(own).args(["-q", "run"]).arg(file).output());
    let output = match output {
        Ok(output) => output,
        Err(error) => return Some(format!("        {error}\n")),
    };
    if output.stdout == expected && output.status.success() {
        return None;
    }
    let mut text = String::new();
    if output.stdout != expected {
        let (expected, found) = (String::from_utf8_lossy(&expected), String::from_utf8_lossy(&output.stdout));
        text += &difference(&expected, &found, is_coloured);
    }
    if !output.status.success() {
        let status = output.status.code().map_or("a signal".to_string(), |code| format!("status {code}"));
        let _ = writeln!(text, "        it ended with {status}");
    }
    for line in String::from_utf8_lossy(&output.stderr).lines().take(SHOWN) {
        let _ = writeln!(text, "        {line}");
    }
    Some(text)
}

/// The lines that differ: those that are expected after `-`, those that were found after `+`.
fn difference(expected: &str, found: &str, is_coloured: bool) -> String {
    let (expected, found): (Vec<&str>, Vec<&str>) = (expected.split('\n').collect(), found.split('\n').collect());
    let before = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
    let rest = (expected.len().min(found.len())) - before;
    let after = expected.iter().rev().zip(found.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let mut text = format!("        from line {} on\n", before + 1);
    for (sign, colour, lines) in [('-', "31", &expected), ('+', "32", &found)] {
        let lines = &lines[before..lines.len() - after];
        for line in lines.iter().take(SHOWN) {
            let _ = writeln!(text, "        {}", painted(&format!("{sign} {line}"), colour, is_coloured));
        }
        if lines.len() > SHOWN {
            let _ = writeln!(text, "        {sign} … and {} more lines", lines.len() - SHOWN);
        }
    }
    text
}

/// Runs the functions of a file that are tests, and says what is wrong with each.
fn functions(file: &Path, is_wanted: &dyn Fn(&str) -> bool) -> Vec<(String, Option<String>)> {
    let Ok(text) = input::read_text(file) else { return Vec::new() };
    let Some((places, ..)) = snippet::look(file, &text, None) else { return Vec::new() };
    let Some(language) = languages::by_path(file) else { return Vec::new() };
    let is_test = |symbol: &&Symbol| symbol.sort == SymbolKind::Function && lints::is_test_name(&symbol.name);
    let mut found = Vec::new();
    for test in places.symbols.iter().filter(is_test) {
        let class = test.within.map(|class| places.symbols[class].name.as_str());
        let name = class.map_or(test.name.clone(), |class| format!("{class}.{}", test.name));
        if !is_wanted(&name) {
            continue;
        }
        let main = language.test_program(&text, &places.symbols, test, &name);
        let problem = match main {
            Ok((program, passes)) => function(file, &program, passes),
            Err(why) => Some(format!("        {why}\n")),
        };
        found.push((name, problem));
    }
    found
}

/// Interprets a program that prints the value of a test.
fn function(file: &Path, program: &str, passes: &str) -> Option<String> {
    let mut session = Session::new(Options::default());
    let Ok(ran) = snippet::run(&mut session, file, program) else {
        let mut text = String::new();
        for diagnostic in session.sink.diagnostics() {
            for line in human(diagnostic, &session.sources, false).lines() {
                let _ = writeln!(text, "        {line}");
            }
        }
        return Some(text);
    };
    let (printed, value) = match ran.output.trim_end_matches('\n').rsplit_once('\n') {
        Some((printed, value)) => (printed, value),
        None => ("", ran.output.trim_end_matches('\n')),
    };
    if ran.status == 0 && value == passes {
        return None;
    }
    let mut text = String::new();
    for line in printed.lines().chain(ran.message.lines()).take(SHOWN) {
        let _ = writeln!(text, "        {line}");
    }
    if ran.status == 0 {
        let _ = writeln!(text, "        its value is {value}");
    }
    Some(text)
}
