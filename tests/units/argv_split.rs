//! Arguments as they are rewritten before they are read.

use clap::CommandFactory;
use cleave::cli::args::Cli;
use cleave::cli::argv_split::*;
use std::ffi::OsString;

fn rewritten(text: &str) -> String {
    let args = match rewrite(text.split(' ').map(OsString::from).collect(), &Cli::command()) {
        Ok(args) => args,
        Err(error) => return error.to_string().lines().next().unwrap_or_default().to_string(),
    };
    args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

#[test]
fn build_is_the_default_command() {
    assert_eq!(rewritten("cleave a.abc"), "cleave build a.abc");
    assert_eq!(rewritten("cleave -"), "cleave build -");
    assert_eq!(rewritten("cleave -q --color never a.abc -o x"), "cleave build -q --color never a.abc -o x");
    assert_eq!(rewritten("cleave --color=never a.abc b.abc"), "cleave build --color=never a.abc b.abc");
    assert_eq!(rewritten("cleave run a.abc"), "cleave run a.abc");
    assert_eq!(rewritten("cleave -v run a"), "cleave -v run a");
    assert_eq!(rewritten("cleave --help"), "cleave --help");
    assert_eq!(rewritten("cleave -o x a"), "cleave build -o x a");
    assert_eq!(rewritten("cleave module_of_mine -O1"), "cleave build module_of_mine -O1");
}

#[test]
fn misspelt_commands() {
    let no = |word: &str| format!("error: there is no command `{word}`, and no module here; ");
    assert_eq!(rewritten("cleave bulid a.abc"), no("bulid") + "did you mean `build`?");
    assert_eq!(rewritten("cleave rnu"), no("rnu") + "did you mean `run`?");
    assert!(rewritten("cleave quite_another a.abc").starts_with(&(no("quite_another") + "commands: build, run,")));
}

#[test]
fn flags_of_clm_are_rewritten_but_not_those_of_the_program() {
    let cases = [
        ("run -IL Platform -I DIR -ILx main -- -IL x", "run --library Platform -I DIR -ILx main -- -IL x"),
        ("run main -IL Platform -ci a -IL x", "run main --library Platform --check-indices a -IL x"),
        ("run -L lib --heap 64m -O 1 main a -ci", "run -L lib --heap 64m -O 1 main a -ci"),
        ("run main --gc-stress a -ci", "run main --gc-stress a -ci"),
        ("run main --gc copying -ci", "run main --gc copying --check-indices"),
        ("run -vO 1 main -ci", "run -vO 1 main --check-indices"),
        ("build -Llib main -IL Platform", "build -Llib main --library Platform"),
    ];
    for (given, expected) in cases {
        assert_eq!(rewritten(&format!("cleave {given}")), format!("cleave {expected}"));
    }
}
