//! Messages: diagnostics in the format that was asked for, and what `-v`, `--stats` and `--time` say.

use crate::cli::args::{Colour, CompileArgs, Global, MessageFormat, TimeFormat};
use crate::driver::ffi::{Call, CallPlace};
use crate::driver::output::write_stderr;
use crate::driver::session::Session;
use cleave_diag::{Severity, human, human_remark, json, json_remark, short, short_remark};
use cleave_interp::RcStats;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::io::IsTerminal;

/// Writes everything that the session has to say about its input. Warnings are left out with `-q`.
pub fn diagnostics(session: &Session, global: &Global) {
    let map = &session.sources;
    let colour = is_coloured(global.color);
    let mut out = String::new();
    // Programs get all warnings, people the first ones.
    let (shown, left_out) = match global.message_format {
        MessageFormat::Json => (session.sink.diagnostics().iter().collect(), session.sink.hidden().collect()),
        MessageFormat::Human | MessageFormat::Short => session.sink.shown(),
    };
    let is_wanted = |severity| !(global.quiet && severity == Severity::Warning);
    for diagnostic in shown.into_iter().filter(|one| is_wanted(one.severity)) {
        let text = match global.message_format {
            MessageFormat::Human => human(diagnostic, map, colour) + "\n",
            MessageFormat::Short => short(diagnostic, map),
            MessageFormat::Json => json(diagnostic, map),
        };
        let _ = writeln!(out, "{text}");
    }
    for hidden in left_out.into_iter().filter(|one| is_wanted(one.severity)) {
        match global.message_format {
            MessageFormat::Human => _ = writeln!(out, "{}", human_remark(hidden, map)),
            MessageFormat::Short => _ = writeln!(out, "{}", short_remark(hidden, map)),
            MessageFormat::Json => _ = writeln!(out, "{}", json_remark(hidden, map)),
        }
    }
    write_stderr(&out);
}

/// The table of `--list-ccalls`; nothing for a program that calls no C function.
/// `c_files` has the files of those that are in objects merged with the program.
pub fn foreign_calls(calls: &[Call], c_files: &FxHashMap<String, String>) -> String {
    let rows = calls.iter().map(|call| {
        let covered = match call.place {
            CallPlace::Runtime => "yes".to_string(),
            CallPlace::Symbol => c_files.get(&call.name).cloned().unwrap_or("symbol".to_string()),
            CallPlace::Nowhere => "no".to_string(),
        };
        let libraries = call.libraries.join(", ");
        [call.name.clone(), format!("\"{}\"", call.signature), call.module.clone(), covered, libraries]
    });
    let rows: Vec<[String; 5]> = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    let header = ["function", "types", "module", "exists", "library"].map(String::from);
    let width =
        |column: usize| rows.iter().chain([&header]).map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths = [width(0), width(1), width(2), width(3)];
    let mut out = String::new();
    for row in [&header].into_iter().chain(&rows) {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            let _ = write!(line, "{cell:width$}  ");
        }
        line += &row[4];
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

fn is_coloured(colour: Colour) -> bool {
    is_coloured_on(colour, std::io::stderr().is_terminal())
}

/// The same of what is written to stdout.
pub fn is_coloured_stdout(colour: Colour) -> bool {
    is_coloured_on(colour, std::io::stdout().is_terminal())
}

fn is_coloured_on(colour: Colour, is_terminal: bool) -> bool {
    match colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
            let forced = set("CLICOLOR_FORCE").is_some_and(|value| value != "0");
            let able = || is_terminal && set("TERM").is_none_or(|terminal| terminal != "dumb");
            let wanted = || set("CLICOLOR").is_none_or(|value| value != "0");
            set("NO_COLOR").is_none() && (forced || able() && wanted())
        }
    }
}

/// The line of `-v` after a compilation; with `-vv` also the files that were read.
pub fn summary(session: &Session, verbose: u8) {
    if verbose > 1 {
        for (_, file) in session.sources.files() {
            write_stderr(&format!("cleave: {} ({} bytes)\n", file.name, file.bytes.len()));
        }
    }
    for note in &session.notes {
        write_stderr(&format!("cleave: {note}\n"));
    }
    let count = |name| session.counts.get(name).unwrap_or(0);
    write_stderr(&format!(
        "cleave: {} modules, {} functions, {} bytes of WebAssembly, {:.3} s\n",
        count("modules"),
        count("functions"),
        count("wasm bytes"),
        session.timing.compile_seconds(),
    ));
}

/// The tables of `--stats`.
pub fn statistics(session: &Session) {
    let mut out = String::from("     value  what\n");
    for (name, value) in &session.counts.rows {
        let _ = writeln!(out, "{value:>10}  {name}");
    }
    out.push_str("   changed  by pass (functions, or times for passes over the whole program)\n");
    for (name, value) in &session.counts.changed {
        let _ = writeln!(out, "{value:>10}  {name}");
    }
    write_stderr(&out);
}

/// What a program did on the reference-counted heap.
pub fn cells(rc_stats: &RcStats) {
    let rows = rc_stats.rows();
    let lines: String = rows.iter().map(|(count, what)| format!("{count:>10}  {what}\n")).collect();
    write_stderr(&lines);
}

/// What `--time` writes. `numbers` and `seconds` are what a run adds.
pub fn times(session: &Session, format: TimeFormat, numbers: &[(&str, u64)], seconds: &[(&str, f64)]) {
    let text = match format {
        TimeFormat::Table => {
            let names: Vec<(&str, f64)> = seconds.iter().map(|row| (row.0.trim_end_matches("_s"), row.1)).collect();
            let mut text = session.timing.table(&names);
            for (name, value) in numbers {
                let _ = writeln!(text, "{value:>11}          {name}");
            }
            text
        }
        TimeFormat::Json => session.timing.json(numbers, seconds) + "\n",
    };
    write_stderr(&text);
}

/// What `--stats` and `-v` ask for.
pub fn after_compilation(session: &Session, args: &CompileArgs, global: &Global) {
    if args.debug.stats {
        statistics(session);
    }
    if global.verbose > 0 {
        summary(session, global.verbose);
    }
}
