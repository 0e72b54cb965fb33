//! What the compiler and its runtime let one choose, read from the definition of the command line.
//!
//! The study names no strategy, pass or step itself: what is added to the compiler is measured with the next study.

use clap::{ArgAction, CommandFactory, Parser};
use cleave::cli::args::Cli;
use cleave_passes::table;

/// Starts flags that leave out a step of a root strategy.
const STEP: &str = "no-root-";

/// The flags of `cleave run`, which has those of compilers and of programs.
pub struct Offer {
    command: clap::Command,
}

impl Offer {
    pub fn of_compiler() -> Offer {
        let mut all = Cli::command();
        all.build();
        let command = all.find_subcommand("run").cloned().unwrap_or(all);
        Offer { command }
    }

    /// The values of `--FLAG`, in the order of the compiler; none if there is no such flag.
    pub fn values(&self, flag: &str) -> Vec<String> {
        let found = self.command.get_arguments().find(|argument| argument.get_long() == Some(flag));
        let values = found.map(|argument| argument.get_possible_values()).unwrap_or_default();
        values.iter().map(|value| value.get_name().to_string()).collect()
    }

    /// The default of `--FLAG`.
    pub fn default(&self, flag: &str) -> Option<String> {
        let found = self.command.get_arguments().find(|argument| argument.get_long() == Some(flag))?;
        Some(found.get_default_values().first()?.to_string_lossy().into_owned())
    }

    /// Steps of root placement that can be left out, without the words before their names.
    pub fn root_steps(&self) -> Vec<String> {
        let switches =
            self.command.get_arguments().filter(|argument| matches!(argument.get_action(), ArgAction::SetTrue));
        let steps = switches.filter_map(|argument| argument.get_long()?.strip_prefix(STEP));
        steps.map(str::to_string).collect()
    }

    /// Passes that can be left out.
    pub fn passes(&self) -> Vec<String> {
        let steps = self.root_steps();
        let passes = table::optional().map(|pass| pass.name.to_string());
        passes.filter(|name| !steps.iter().any(|step| *name == format!("root-{step}"))).collect()
    }

    /// Nothing if `cleave run` knows these words, else what it says about them. Words of Clean's own run-time options,
    /// which begin with one dash, are the runtime's to judge.
    pub fn refusal(&self, words: &[String]) -> Option<String> {
        let flags = words.iter().filter(|word| word.starts_with("--")).map(String::as_str);
        let line = ["cleave", "run", "program"].into_iter().chain(flags);
        let error = Cli::try_parse_from(line).err()?;
        let text = error.to_string();
        Some(text.lines().next().unwrap_or("refused").trim_start_matches("error: ").to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_from_the_compiler() {
        let offer = Offer::of_compiler();
        let strategies = offer.values("roots");
        assert!(strategies.contains(&offer.default("roots").expect("there is a default")));
        for strategy in strategies {
            assert_eq!(offer.refusal(&[format!("--roots={strategy}")]), None);
        }
        assert!(offer.passes().contains(&"gvn".to_string()));
        for pass in offer.passes() {
            assert_eq!(offer.refusal(&[format!("--no-{pass}")]), None);
        }
        for step in offer.root_steps() {
            assert_eq!(offer.refusal(&[format!("--{STEP}{step}")]), None);
        }
        assert!(offer.values("no-such-flag").is_empty());
        assert!(offer.refusal(&["--roots=none-of-these".to_string()]).is_some());
    }
}
