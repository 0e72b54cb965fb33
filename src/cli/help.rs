//! What `-h` and `--help` show of the definitions in `args`: `-h` the flags of every day, `--help` all of them with the
//! paragraphs of those that need one. Pages of the manual have everything.

use clap::{Arg, Command};

/// Groups of flags that `-h` leaves out.
const RARE_GROUPS: [&str; 2] = ["C functions", "Debugging"];

/// Flags outside of these groups that `-h` leaves out.
const RARE: [&str; 17] = [
    "list_ccalls",
    "linker",
    "sync",
    "keep_all",
    "print",
    "time",
    "no_cache",
    "threads",
    "clm_folders",
    "cocl",
    "no_cocl",
    "rc_insertion",
    "reuse",
    "fip",
    "roots",
    "count_cells",
    "force_stackless",
];

/// Flags whose paragraph is part of `--help`: without it one would not know what to write.
const EXPLAINED: [&str; 5] = ["output", "emit", "sandbox", "folders", "timeout"];

/// The definitions as `-h` and `--help` print them.
pub fn shorten(command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_string()).collect();
    // The flags of all commands.
    let command = command.mut_args(|arg| if arg.is_global_set() { in_one_line(arg) } else { arg });
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, shorten_one))
}

fn shorten_one(command: Command) -> Command {
    let name = command.get_name().to_string();
    let is_long = command.get_arguments().count() > 20;
    let command = command.mut_args(|arg| {
        let id = arg.get_id().as_str();
        let is_rare = arg.get_help_heading().is_some_and(|group| RARE_GROUPS.contains(&group)) || RARE.contains(&id);
        let is_explained = !is_long || EXPLAINED.contains(&id);
        let arg = if is_rare && is_long { arg.hide_short_help(true) } else { arg };
        if is_explained { arg } else { in_one_line(arg) }
    });
    match is_long {
        true => command.after_long_help(format!("More about each flag: cleave man {name} | man -l -")),
        false => command,
    }
}

/// A flag without its paragraph; its few values stand in its sentence.
fn in_one_line(arg: Arg) -> Arg {
    let values = arg.get_possible_values();
    let values: Vec<&str> = values.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name()).collect();
    let sentence = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let takes_value = arg.get_action().takes_values();
    let arg = arg.long_help(None::<&str>);
    match takes_value && !values.is_empty() {
        true if values.len() < 10 => arg.help(format!("{sentence}: {}", values.join(", "))).hide_possible_values(true),
        true => arg.hide_possible_values(true),
        false => arg,
    }
}
