//! The limit of time that `--timeout` sets for a program that is run.

use crate::driver::output::write_stderr;
use std::time::Duration;

/// A duration: a number with `ms`, `s`, `m` or `h`; seconds without.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err("a duration is a number with ms, s, m or h".into()),
    };
    let number: f64 = digits.parse().map_err(|_| "a duration is a number with ms, s, m or h")?;
    match Duration::try_from_secs_f64(number * unit) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ => Err("a duration is more than nothing, and less than the age of the universe".into()),
    }
}

/// Ends this process when the limit has passed. The embedded engine ends a program by itself, between two instructions;
/// machine code and the interpreter are not interrupted in another way, and neither is a program that waits for the
/// system, so that output that is still in a buffer is lost.
pub fn end_after(limit: Duration, has_engine: bool) {
    // The engine comes first.
    let patience = if has_engine { Duration::from_secs(1) } else { Duration::ZERO };
    std::thread::spawn(move || {
        std::thread::sleep(limit.saturating_add(patience));
        write_stderr(&format!("{}\n", cleave_run::time_limit(limit)));
        std::process::exit(cleave_run::STOPPED);
    });
}
