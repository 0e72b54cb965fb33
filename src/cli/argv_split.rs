//! Splits the command line before it is parsed, into arguments of cleave and arguments of the program that is run. Ours
//! are the command, flags with their values, and MAIN. The others are passed on as they are.
//!
//! If no command is named, `build` is inserted. Flags of `clm` get our spelling. Which flags take a value is read from
//! the definitions in `args`, so there is no second list of flags.

use crate::cli::clm;
use crate::languages::clean::folders::SYSTEM_FILES;
use clap::error::{Error, ErrorKind};
use clap::{Arg, ArgAction, Command};
use cleave_diag::nearest;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The command whose arguments end where those of the program begin.
const RUN: &str = "run";
/// Inserted where no command is named.
const DEFAULT: &str = "build";
/// The command that the parser adds.
const HELP: &str = "help";

/// Commands of other tools, and what there is instead.
const ELSEWHERE: &[(&str, &str)] = &[
    ("init", "`cleave new LANGUAGE NAME` makes a folder with a program"),
    ("create", "`cleave new LANGUAGE NAME` makes a folder with a program"),
    ("version", "`cleave --version` says which one this is"),
    ("test", "`cleave run MAIN | diff - EXPECTED` compares what a program prints"),
    ("repl", "`cleave run - --language goo` reads a program from stdin, and `cleave step MAIN` shows each step"),
    ("eval", "`cleave run - --language goo` reads a program from stdin"),
    ("watch", "`cleave lsp` tells an editor of errors while one types"),
    ("compile", "did you mean `build`?"),
    ("make", "did you mean `build`?"),
    ("exec", "did you mean `run`?"),
    ("start", "did you mean `run`?"),
    ("debug", "did you mean `step`?"),
    ("format", "did you mean `fmt`?"),
    ("lint", "did you mean `check`?"),
    ("typecheck", "did you mean `check`?"),
];

/// The command line as the parser wants it; an error for what is no command.
pub fn rewrite(mut args: Vec<OsString>, root: &Command) -> Result<Vec<OsString>, Error> {
    let Some(first) = first_plain(&args, root) else { return Ok(args) };
    if !names(root).any(|name| args[first] == name) {
        if let Some(message) = misspelt_command(&args[first..], root) {
            return Err(root.clone().error(ErrorKind::InvalidSubcommand, message));
        }
        args.insert(1, DEFAULT.into());
    }
    let first = first_plain(&args, root).unwrap_or(1);
    let Some(command) = root.find_subcommand(&args[first]) else { return Ok(args) };
    let mut plain = 0;
    let mut index = first + 1;
    while index < args.len() && args[index] != "--" {
        if let Some(ours) = clm::ours(&args[index]) {
            args[index] = ours.into();
        }
        if is_flag(&args[index]) {
            index += usize::from(takes_next(&args[index], &[command, root]));
        } else {
            plain += 1;
            if plain > 1 && command.get_name() == RUN {
                break;
            }
        }
        index += 1;
    }
    Ok(args)
}

/// The first word that is no flag; nothing if help is asked for before it.
fn first_plain(args: &[OsString], root: &Command) -> Option<usize> {
    let ours: Vec<&Command> = root.find_subcommand(DEFAULT).into_iter().chain([root]).collect();
    let mut index = 1;
    while index < args.len() {
        match args[index].to_str() {
            Some("-h" | "--help" | "-V" | "--version") => return None,
            _ if !is_flag(&args[index]) => return Some(index),
            _ => index += 1 + usize::from(takes_next(&args[index], &ours)),
        }
    }
    None
}

fn is_flag(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-") && word != "-"
}

fn names(root: &Command) -> impl Iterator<Item = &str> {
    root.get_subcommands().map(Command::get_name).chain([HELP])
}

/// The message for a word that is no command and no module here, but is like a command, or is followed by another plain
/// word, as no module would be.
fn misspelt_command(words: &[OsString], root: &Command) -> Option<String> {
    let word = words[0].to_str().filter(|word| !word.contains(['.', '/', '\\']) && *word != "-")?;
    let endings = ["", ".abc", ".icl", ".goo", ".sam"].map(|ending| PathBuf::from(format!("{word}{ending}")));
    let abc = Path::new(SYSTEM_FILES).join(format!("{word}.abc"));
    if endings.iter().chain([&abc]).any(|file| file.exists()) {
        return None;
    }
    if let Some((_, instead)) = ELSEWHERE.iter().find(|(known, _)| *known == word) {
        return Some(format!("there is no command `{word}`, and no module here; {instead}"));
    }
    if let Some(similar) = nearest(word.as_bytes(), names(root).map(str::as_bytes)) {
        let similar = String::from_utf8_lossy(similar);
        return Some(format!("there is no command `{word}`, and no module here; did you mean `{similar}`?"));
    }
    let is_followed = words.get(1).is_some_and(|next| !is_flag(next));
    let list = || names(root).collect::<Vec<&str>>().join(", ");
    is_followed.then(|| format!("there is no command `{word}`, and no module here; commands: {}", list()))
}

/// The word after this flag is its value.
fn takes_next(flag: &OsStr, commands: &[&Command]) -> bool {
    let takes_value = |arg: &Arg| {
        let is_valued = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
        let optional = arg.get_num_args().is_some_and(|count| count.min_values() == 0);
        is_valued && !optional && !arg.is_require_equals_set()
    };
    let find = |is: &dyn Fn(&Arg) -> bool| {
        commands.iter().flat_map(|command| command.get_arguments()).find(|arg| is(arg)).is_some_and(takes_value)
    };
    let Some(text) = flag.to_str() else { return false };
    if let Some(long) = text.strip_prefix("--") {
        return find(&|arg| arg.get_long() == Some(long));
    }
    // Letters without values may stand together; what follows a letter with a value is that value.
    let mut letters = text.chars().skip(1);
    while let Some(letter) = letters.next() {
        if find(&|arg| arg.get_short() == Some(letter)) {
            return letters.next().is_none();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Cli;
    use clap::CommandFactory;

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
}
