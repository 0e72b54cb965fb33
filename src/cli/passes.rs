//! Passes on the command line: their names as values, and one flag `--no-PASS` for each; the same for the steps of
//! the root strategy `late`.

use crate::driver::pipeline;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use cleave_passes::former_names;
use cleave_passes::roots::{LATE_OPTIONS, LateOptions};
use cleave_passes::table::{self, PASSES, Pass};

/// Names of passes.
pub fn pass_parser() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(PASSES.iter().map(value)).map(|name| former_names::current(&name).to_string())
}

/// A pass as the value of a flag; names of earlier versions are not shown.
fn value(pass: &Pass) -> PossibleValue {
    PossibleValue::new(pass.name).help(pass.description).aliases(former_names::of(pass.name))
}

/// Names of passes, and `build` for the state before the first.
pub fn dump_point_parser() -> impl TypedValueParser<Value = String> {
    let build = PossibleValue::new(pipeline::BUILD).help("the IR as the front end made it");
    let values = std::iter::once(build).chain(PASSES.iter().map(value));
    PossibleValuesParser::new(values).map(|name| former_names::current(&name).to_string())
}

/// The table of passes, for help texts.
pub fn list_of_passes() -> String {
    let mut out = String::from("Passes:\n");
    for pass in PASSES {
        out.push_str(&format!("  {:22} {}\n", pass.name, pass.description));
    }
    out
}

/// The passes that `--no-PASS` flags leave out.
#[derive(Clone, Debug, Default)]
pub struct PassSwitches {
    pub disabled: Vec<&'static str>,
}

impl FromArgMatches for PassSwitches {
    fn from_arg_matches(matches: &ArgMatches) -> Result<PassSwitches, Error> {
        let all = table::optional().map(|pass| pass.name);
        Ok(PassSwitches { disabled: all.filter(|name| matches.get_flag(&format!("no-{name}"))).collect() })
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = PassSwitches::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for PassSwitches {
    fn augment_args(command: Command) -> Command {
        command.args(table::optional().map(|pass| {
            let flag = format!("no-{}", pass.name);
            Arg::new(flag.clone())
                .long(flag)
                .aliases(former_names::of(pass.name).map(|name| format!("no-{name}")))
                .action(ArgAction::SetTrue)
                .help(format!("Leave out the pass `{}`: {}", pass.name, pass.description))
                .help_heading("Passes")
        }))
    }
    fn augment_args_for_update(command: Command) -> Command {
        PassSwitches::augment_args(command)
    }
}

/// The steps that `--no-root-STEP` flags leave out.
#[derive(Clone, Copy, Debug, Default)]
pub struct LateSwitches {
    pub steps: LateOptions,
}

fn step_flag(name: &str) -> String {
    format!("no-root-{name}")
}

impl FromArgMatches for LateSwitches {
    fn from_arg_matches(matches: &ArgMatches) -> Result<LateSwitches, Error> {
        let off = LATE_OPTIONS.iter().filter(|row| matches.get_flag(&step_flag(row.1)));
        Ok(LateSwitches { steps: off.fold(LateOptions::default(), |steps, row| steps.without(row.0)) })
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = LateSwitches::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for LateSwitches {
    fn augment_args(command: Command) -> Command {
        command.args(LATE_OPTIONS.iter().map(|(_, name, description)| {
            Arg::new(step_flag(name))
                .long(step_flag(name))
                .aliases(former_names::of(name).map(step_flag))
                .action(ArgAction::SetTrue)
                .help(format!("Leave out the step `{name}` of --roots=late: {description}"))
                .help_heading("Roots")
        }))
    }
    fn augment_args_for_update(command: Command) -> Command {
        LateSwitches::augment_args(command)
    }
}
