//! Passes on the command line: their names as values, and `--disable-pass`, which leaves some out; the same for the
//! steps of the root strategy `late`.

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

/// The table of the steps of the root strategy `late`, for help texts.
pub fn list_of_root_steps() -> String {
    let rows = LATE_OPTIONS.iter().map(|(_, name, description)| format!("  {name:22} {description}\n"));
    format!("Steps of --roots=late:\n{}", rows.collect::<String>())
}

/// The passes that `--disable-pass` leaves out.
#[derive(Clone, Debug, Default)]
pub struct PassSwitches {
    pub disabled: Vec<&'static str>,
}

const DISABLE_PASS: &str = "disable-pass";

/// A flag of its own for each name, as earlier versions had it: still read, no longer shown.
fn former_flag(flag: String, former: Vec<String>) -> Arg {
    Arg::new(flag.clone()).long(flag).aliases(former).action(ArgAction::SetTrue).hide(true)
}

/// A flag that takes several of these names, separated by commas or given one by one.
fn names_flag(flag: &'static str, names: impl TypedValueParser<Value = String>) -> Arg {
    Arg::new(flag)
        .long(flag)
        .value_parser(names)
        .value_delimiter(',')
        .action(ArgAction::Append)
        .hide_possible_values(true)
}

/// Whether a name is given to the flag, or by a flag of its own.
fn is_given(matches: &ArgMatches, flag: &str, name: &str, former: &str) -> bool {
    matches.get_flag(former) || matches.get_many::<String>(flag).is_some_and(|mut given| given.any(|it| it == name))
}

impl FromArgMatches for PassSwitches {
    fn from_arg_matches(matches: &ArgMatches) -> Result<PassSwitches, Error> {
        let all = table::optional().map(|pass| pass.name);
        let disabled = all.filter(|name| is_given(matches, DISABLE_PASS, name, &format!("no-{name}")));
        Ok(PassSwitches { disabled: disabled.collect() })
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = PassSwitches::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for PassSwitches {
    fn augment_args(command: Command) -> Command {
        let names = PossibleValuesParser::new(table::optional().map(value));
        let names = names.map(|name| former_names::current(&name).to_string());
        let flag = names_flag(DISABLE_PASS, names)
            .value_name("PASS")
            .help("Leave out this pass; `cleave explain passes` names them, with what each does")
            .help_heading("Debugging");
        command.arg(flag).args(table::optional().map(|pass| {
            let former = former_names::of(pass.name).map(|name| format!("no-{name}"));
            former_flag(format!("no-{}", pass.name), former.collect())
        }))
    }
    fn augment_args_for_update(command: Command) -> Command {
        PassSwitches::augment_args(command)
    }
}

/// The steps that `--disable-root-step` leaves out.
#[derive(Clone, Copy, Debug, Default)]
pub struct LateSwitches {
    pub steps: LateOptions,
}

const DISABLE_STEP: &str = "disable-root-step";

fn former_step_flag(name: &str) -> String {
    format!("no-root-{name}")
}

impl FromArgMatches for LateSwitches {
    fn from_arg_matches(matches: &ArgMatches) -> Result<LateSwitches, Error> {
        let is_off = |name: &str| is_given(matches, DISABLE_STEP, name, &former_step_flag(name));
        let off = LATE_OPTIONS.iter().filter(|row| is_off(row.1));
        Ok(LateSwitches { steps: off.fold(LateOptions::default(), |steps, row| steps.without(row.0)) })
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = LateSwitches::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for LateSwitches {
    fn augment_args(command: Command) -> Command {
        let value = |(_, name, description): &(_, &'static str, &'static str)| {
            PossibleValue::new(*name).help(*description).aliases(former_names::of(name))
        };
        let names = PossibleValuesParser::new(LATE_OPTIONS.iter().map(value));
        let names = names.map(|name| former_names::current(&name).to_string());
        let flag = names_flag(DISABLE_STEP, names)
            .value_name("STEP")
            .help("Leave out this step of --roots=late; `cleave explain roots` names them")
            .help_heading("Debugging");
        command.arg(flag).args(LATE_OPTIONS.iter().map(|(_, name, _)| {
            former_flag(former_step_flag(name), former_names::of(name).map(former_step_flag).collect())
        }))
    }
    fn augment_args_for_update(command: Command) -> Command {
        LateSwitches::augment_args(command)
    }
}
