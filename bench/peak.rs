//! The peak of resident memory of one process.
//!
//! The system counts for a process also what its parent had in memory when it was started. So a program is started by a
//! process that is small: this binary, started again with a hidden command, which does nothing else.

use crate::process;
use anyhow::{Result, bail};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// The hidden command.
pub const NAME: &str = "peak-of-process";

#[derive(Args, Clone, Debug)]
pub struct PeakArgs {
    pub file: PathBuf,
    #[arg(allow_hyphen_values = true, trailing_var_arg = true)]
    pub words: Vec<String>,
}

/// Runs a program and reports its peak and its times.
pub fn peak(args: &PeakArgs) -> Result<()> {
    let begin = Instant::now();
    let mut child = Command::new(&args.file).args(&args.words).spawn()?;
    let usage = process::wait(&mut child)?;
    if usage.status != Some(0) {
        bail!("the program has failed");
    }
    let total_s = begin.elapsed().as_secs_f64();
    if let (Some(bytes), Some(cpu_s)) = (usage.resident_bytes, usage.cpu_s) {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "cleave-bench: resident_bytes={bytes} program_cpu_s={cpu_s} program_s={total_s}")?;
    }
    Ok(())
}
