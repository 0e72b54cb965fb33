//! Inputs that nobody writes by accident: constructs nested as deep as the text is long, names and numbers of many
//! thousand characters, lists of everything in all lengths, types that grow by themselves, counts that no machine has,
//! files without an end. Each command answers: with a result, or with a message and status 1, never by a crash; within
//! 2 seconds of processor time and 500 MB for 10 kB of input.
//!
//! ```text
//! cargo test -p cleave-tests --test hostile                             each kind once, by commands in turn
//! CLEAVE_THOROUGH=1 cargo test -p cleave-tests --test hostile           each kind by all commands
//! cargo test -p cleave-tests --test hostile -- --campaign 30000 [--first N]    kinds, sizes and commands by number
//! ```
//! Unoptimised builds get twice the time. A campaign goes on with `--first` where it has ended, and leaves what it
//! finds in `target/tmp/hostile`.

mod child;
mod commands;
mod inputs;
mod languages;
mod modules;

use child::{Limits, Used};
use cleave_tests::process::AS_COMPILER;
use cleave_tests::selection::thorough_share;
use commands::Command;
use inputs::{Input, KINDS};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

/// Of 10 kB of input, in seconds.
const SECONDS: f64 = if cfg!(debug_assertions) { 4.0 } else { 2.0 };
const MEGABYTES: u64 = 500;
/// Parts of the input of an ordinary run, and of a thorough one.
const USUAL: usize = 600;
const THOROUGH: usize = 3_000;
/// Sizes of a campaign.
const SIZES: [usize; 8] = [1, 2, 30, 127, 500, 3_000, 8_192, 20_000];

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        args.get(at + 1).and_then(|text| text.parse::<u64>().ok())
    };
    if let Some(count) = number("--campaign") {
        std::process::exit(i32::from(campaign(number("--first").unwrap_or(0), count) > 0));
    }
    let mut trials = Vec::new();
    // Two minutes, which CI does not have.
    let is_thorough = thorough_share() == Some(1);
    for (number, kind) in KINDS.iter().enumerate() {
        let name = format!("{}/{}", kind.ending, kind.name);
        trials.push(Trial::test(name, move || {
            let commands = Command::of(kind.ending);
            // The check, and one of the others.
            let others = &commands[1..];
            let chosen: Vec<Command> = match is_thorough {
                true => commands.clone(),
                false => vec![commands[0], others[number % others.len()]],
            };
            let input = kind.input(if is_thorough { THOROUGH } else { USUAL });
            for command in chosen {
                judge(&folder(&format!("{number}")), &input, command).map_err(Failed::from)?;
            }
            Ok(())
        }));
    }
    for (name, how) in commands::ENDLESS {
        trials.push(Trial::test(format!("endless/{name}"), move || {
            let folder = folder(name);
            commands::endless(&folder, how).map_err(Failed::from)
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder of our own");
    folder
}

/// Number `n` is always the same: a kind, a size, a command.
fn campaign(first: u64, count: u64) -> u64 {
    let (mut findings, mut worst) = (0, (0.0, String::new()));
    for number in first..first + count {
        let kind = &KINDS[(number % KINDS.len() as u64) as usize];
        let rest = number / KINDS.len() as u64;
        let commands = Command::of(kind.ending);
        let command = commands[(rest % commands.len() as u64) as usize];
        let mut random = cleave_tests::random_goopea::Random::new(number);
        let size = match rest / commands.len() as u64 {
            round if round < SIZES.len() as u64 => SIZES[round as usize],
            _ => 1 + random.below(20_000),
        };
        let mut input = kind.input(size);
        // Of later rounds some are torn.
        if number % 5 == 4 {
            input.text.truncate(random.below(input.text.len() + 1));
        }
        let name = format!("{}/{} of {size} by {command:?}", kind.ending, kind.name);
        let folder = folder("campaign");
        match judge(&folder, &input, command) {
            Ok(share) if share > worst.0 => worst = (share, format!("{number}: {name}")),
            Ok(_) => {}
            Err(message) => {
                findings += 1;
                println!("input {number}: {name}: {message}");
                let kept = folder.with_file_name(format!("found-{number}.{}", kind.ending));
                let _ = std::fs::write(kept, &input.text);
            }
        }
        if (number + 1) % 500 == 0 {
            println!(
                "up to {}: {findings} findings; nearest to a limit, {:.2} of it: {}",
                number + 1,
                worst.0,
                worst.1
            );
        }
    }
    findings
}

/// Runs a command on an input; the share of its limits that it has used.
fn judge(folder: &Path, input: &Input, command: Command) -> Result<f64, String> {
    let tens = (input.text.len() as f64 / 10_000.0).max(1.0);
    let limits = Limits { seconds: SECONDS * tens, megabytes: (MEGABYTES as f64 * tens) as u64 };
    let Used { seconds, megabytes, status, stderr } = command.run(folder, input, &limits)?;
    let said = String::from_utf8_lossy(&stderr);
    let begin: String = said.chars().take(600).collect();
    if seconds > limits.seconds || megabytes > limits.megabytes {
        return Err(format!(
            "{command:?} of {} bytes took {seconds:.1} s and {megabytes} MB, status {status:?}: {begin}",
            input.text.len()
        ));
    }
    match status {
        Some(0) => {}
        // Programs end themselves by the runtime's messages.
        Some(255) if command.runs() => {}
        Some(1) if !said.trim().is_empty() => {}
        status => return Err(format!("{command:?} ended with {status:?}: {begin}")),
    }
    Ok((seconds / limits.seconds).max(megabytes as f64 / limits.megabytes as f64))
}
