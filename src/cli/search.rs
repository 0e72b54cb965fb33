//! Where modules are searched: `-L`, `-I`, `--library` (`-IL` of `clm`) and `-P`, kept in the order of the command
//! line, because that is the order of the search.

use crate::languages::clean::options::SearchStep;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, ValueHint};
use std::path::PathBuf;

/// The flags, as steps in their order.
#[derive(Clone, Debug, Default)]
pub struct SearchArgs {
    pub steps: Vec<SearchStep>,
}

const FOLDER: &str = "folder";
const INCLUDE: &str = "include";
const LIBRARY: &str = "library";
const PATH: &str = "path";

/// What is searched in which order: one text, for the help of `-L` and nowhere else.
const ORDER: &str = "Look for modules in this folder, too

Modules are searched in this order, as clm does: the folders of the variable CLEANPATH, or if it is not set `lib/StdEnv` \
in the folder of Clean (see --clean-home); the folders of -L, -I and -IL as they follow each other; the folder of the \
main module; the current folder; and then, which clm does not do, the other libraries in Clean's `lib` by name. A \
module is taken from the first folder that has it, and there from its `Clean System Files` before the folder itself. \
Data.Map may be Data/Map.abc or Data.Map.abc. A Clean source newer than its .abc file, or without one, is compiled by \
cocl if there is one (see --cocl).";

fn definitions() -> [Arg; 4] {
    let folder = |name: &'static str, short: char| {
        Arg::new(name)
            .short(short)
            .value_name("DIR")
            .action(ArgAction::Append)
            .value_parser(clap::value_parser!(PathBuf))
            .value_hint(ValueHint::DirPath)
            .help_heading("Modules")
    };
    let (first, rest) = ORDER.split_once("\n\n").unwrap_or((ORDER, ""));
    [
        folder(FOLDER, 'L').help(first).long_help(format!("{first}\n\n{rest}")),
        folder(INCLUDE, 'I').help("The same, as clm spells it"),
        Arg::new(LIBRARY)
            .long("library")
            .value_name("LIB")
            .action(ArgAction::Append)
            .value_parser(clap::value_parser!(PathBuf))
            .help_heading("Modules")
            .help("The same for a library in the folder `lib` of Clean; also spelled -IL LIB, as in clm"),
        Arg::new(PATH)
            .short('P')
            .value_name("DIR:DIR…")
            .action(ArgAction::Append)
            .value_parser(clap::value_parser!(PathBuf))
            .help_heading("Modules")
            .help("Search these folders, the main module's, the current one, and then what -L, -I and -IL add"),
    ]
}

impl FromArgMatches for SearchArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SearchArgs, Error> {
        let mut steps: Vec<(usize, SearchStep)> = Vec::new();
        let mut take = |name: &str, make: &dyn Fn(&PathBuf) -> SearchStep| {
            let values = matches.get_many::<PathBuf>(name).into_iter().flatten();
            let indices = matches.indices_of(name).into_iter().flatten();
            steps.extend(indices.zip(values.map(make)));
        };
        take(FOLDER, &|path| SearchStep::Folder(path.clone()));
        take(INCLUDE, &|path| SearchStep::Folder(path.clone()));
        take(LIBRARY, &|path| SearchStep::Library(path.clone()));
        take(PATH, &|list| SearchStep::Replace(std::env::split_paths(list).collect()));
        steps.sort_by_key(|step| step.0);
        Ok(SearchArgs { steps: steps.into_iter().map(|step| step.1).collect() })
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = SearchArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for SearchArgs {
    fn augment_args(command: Command) -> Command {
        command.args(definitions())
    }
    fn augment_args_for_update(command: Command) -> Command {
        SearchArgs::augment_args(command)
    }
}
