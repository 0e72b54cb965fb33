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
    ("eval", "`cleave repl` reads definitions and expressions; `cleave run - --language goo` reads a program"),
    ("watch", "`--watch` stands behind `check`, `run` and `test`"),
    ("fix", "`cleave check --fix MAIN` mends what has one remedy"),
    ("install", "a program is one file; `cargo install --path . --locked` installs Cleave"),
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
    let Some(first) = first_plain(&args, root) else {
        let message = args.get(1).filter(|word| is_flag(word)).and_then(|word| foreign_flag(word, &[root]));
        return message.map_or(Ok(args), |message| Err(root.clone().error(ErrorKind::UnknownArgument, message)));
    };
    if !names(root).any(|name| args[first] == name) {
        if let Some(message) = misspelt_command(&args[first..], root) {
            return Err(root.clone().error(ErrorKind::InvalidSubcommand, message));
        }
        args.insert(1, DEFAULT.into());
    }
    let first = first_plain(&args, root).unwrap_or(1);
    if let Some(message) = args.get(first + 1).filter(|_| args[first] == HELP).and_then(|word| no_help(word, root)) {
        return Err(root.clone().error(ErrorKind::InvalidSubcommand, message));
    }
    let Some(command) = root.find_subcommand(&args[first]) else { return Ok(args) };
    let mut plain = 0;
    let mut index = first + 1;
    while index < args.len() && args[index] != "--" {
        if let Some(ours) = clm::ours(&args[index]) {
            args[index] = ours.into();
        }
        if is_flag(&args[index]) {
            let foreign = foreign_flag(&args[index], &[command, root]);
            if let Some(message) = foreign.or_else(|| flag_of_another(&args[index], command, root)) {
                let mut named = command.clone().bin_name(format!("cleave {}", command.get_name()));
                return Err(named.error(ErrorKind::UnknownArgument, message));
            }
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
    let is_followed = words.get(1).is_some_and(|next| !is_flag(next));
    let instead = similar_command(word, root).or_else(|| is_followed.then(|| list_of_commands(root)))?;
    Some(format!("there is no command `{word}`, and no module here; {instead}"))
}

fn similar_command(word: &str, root: &Command) -> Option<String> {
    let similar = nearest(word.as_bytes(), names(root).map(str::as_bytes))?;
    Some(format!("did you mean `{}`?", String::from_utf8_lossy(similar)))
}

fn list_of_commands(root: &Command) -> String {
    format!("commands: {}", names(root).collect::<Vec<&str>>().join(", "))
}

/// The message for a word behind `help` that is no command.
fn no_help(word: &OsStr, root: &Command) -> Option<String> {
    let word = word.to_str().filter(|word| !names(root).any(|name| name == *word))?;
    let instead = similar_command(word, root).unwrap_or_else(|| list_of_commands(root));
    Some(format!("there is no command `{word}`; {instead}"))
}

const LEVELS: &str = "`-O0`, `-O1` and `-O2` say how much";

/// Flags of other tools, and what there is instead.
const FLAGS_ELSEWHERE: &[(&str, &str)] = &[
    ("--json", "`--message-format json` writes messages so"),
    ("--format", "`--message-format json` writes messages so"),
    ("--out", "`-o FILE` names the output"),
    ("--outfile", "`-o FILE` names the output"),
    ("--release", "programs are optimised, unless `-O0` says otherwise"),
    ("--optimize", LEVELS),
    ("--optimise", LEVELS),
    ("--opt", LEVELS),
    ("--debug", "`cleave step MAIN` runs a program step by step"),
    ("--no-color", "`--color never` writes none, as does NO_COLOR=1"),
    ("--native", "`--target native` makes machine code"),
    ("--wasm", "`--target wasm` makes WebAssembly, as is usual"),
    ("-version", "did you mean `--version`?"),
    ("-t", "`--target native` makes machine code, `--target wasm` WebAssembly"),
];

/// The message for a flag that is another tool's, or has a dash too few.
fn foreign_flag(flag: &OsStr, commands: &[&Command]) -> Option<String> {
    let word = flag.to_str()?.split('=').next().unwrap_or_default();
    let flags = || commands.iter().flat_map(|command| command.get_arguments());
    let is_long = |name: &str| flags().any(|arg| arg.get_long() == Some(name));
    let is_short = |name: &str| flags().any(|arg| arg.get_short().is_some_and(|letter| name.starts_with(letter)));
    let (name, is_ours) = match (word.strip_prefix("--"), word.strip_prefix('-')) {
        (Some(name), _) => (name, is_long(name)),
        (None, Some(name)) => (name, name.len() == 1 && is_short(name)),
        (None, None) => return None,
    };
    if let Some((_, instead)) = FLAGS_ELSEWHERE.iter().find(|known| known.0 == word && !is_ours) {
        return Some(format!("there is no flag `{word}`: {instead}"));
    }
    let has_dash_too_few = name.len() > 2 && !word.starts_with("--") && !is_short(name) && is_long(name);
    has_dash_too_few.then(|| format!("there is no flag `{word}`: did you mean `-{word}`?"))
}

/// The message for a flag that other commands have.
fn flag_of_another(flag: &OsStr, command: &Command, root: &Command) -> Option<String> {
    let word = flag.to_str()?.split('=').next().unwrap_or_default();
    let is_named = |arg: &Arg| match word.strip_prefix("--") {
        Some(name) => arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|names| names.contains(&name)),
        None => arg.get_short().is_some_and(|letter| word.strip_prefix("-").is_some_and(|w| w.starts_with(letter))),
    };
    let has = |command: &Command| command.get_arguments().any(is_named);
    if has(command) || has(root) || word == "-h" || word == "--help" {
        return None;
    }
    let others: Vec<String> = root.get_subcommands().filter(|other| has(other)).map(|c| format!("`{c}`")).collect();
    let (last, first) = others.split_last()?;
    let (names, have) =
        if first.is_empty() { (last.clone(), "has") } else { (format!("{} and {last}", first.join(", ")), "have") };
    Some(format!("`{}` has no flag `{word}`: {names} {have} it", command.get_name()))
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
