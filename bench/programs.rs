//! Speed of the compiler on given programs: every sample is a new process that reads and parses all modules.

use crate::args::CompileArgs;
use crate::child::{self, Measured, PHASES, Task, measure};
use crate::compile::minimum;
use crate::json::Json;
use crate::machine::Machine;
use crate::report::{Table, publish, samples};
use crate::runner::progress;
use crate::stats::Summary;
use anyhow::Result;

pub fn main(args: &CompileArgs) -> Result<()> {
    let machine = Machine::new(false);
    let available = std::thread::available_parallelism().map_or(1, |count| count.get());
    let threads = args.threads.unwrap_or(available);
    let mut measured: Vec<(String, Vec<Measured>)> = Vec::new();
    for program in &args.programs {
        measured.push((program.file_stem().unwrap_or_default().to_string_lossy().into_owned(), Vec::new()));
    }
    for round in 0..=args.runs {
        for (program, (name, samples)) in args.programs.iter().zip(&mut measured) {
            progress(&format!("round {round} of {}: {name}", args.runs));
            let mut command = child::command(Task::Compile, program, &args.folders)?;
            let (_, sample) = measure(command.env("RAYON_NUM_THREADS", threads.to_string()))?;
            // The first round warms up.
            if round > 0 {
                samples.push(sample);
            }
        }
    }
    progress("");
    let json = Json::object([
        ("version", Json::Integer(1)),
        ("kind", Json::text("compile programs")),
        ("machine", machine.json()),
        ("threads", Json::Integer(threads as u64)),
        ("programs", Json::List(measured.iter().map(|(name, list)| program_json(name, list)).collect())),
    ]);
    publish("Compile time of programs", &machine.line(), &[table(&measured, threads, args.runs)], &json, &args.output)
}

fn program_json(name: &str, list: &[Measured]) -> Json {
    Json::object([("program", Json::text(name)), ("samples", samples(list))])
}

fn table(measured: &[(String, Vec<Measured>)], threads: usize, runs: u32) -> Table {
    let title = format!("Programs and all modules that they import, {threads} thread(s), best of {runs} runs");
    let mut table = Table::new(title, &["program", "modules", "kB read", "functions", "kB wasm"]);
    table.head.extend(PHASES.iter().map(|phase| format!("{phase} ms")));
    table.head.extend(["all ms", "mean ± σ ms", "process ms"].map(str::to_string));
    for (name, samples) in measured {
        let value = |name: &str| minimum(samples, name);
        let mut row = vec![name.clone(), format!("{}", value("modules"))];
        row.push(format!("{:.0}", value("source_bytes") / 1e3));
        row.push(format!("{}", value("functions")));
        row.push(format!("{:.1}", value("wasm_bytes") / 1e3));
        row.extend(PHASES.iter().map(|phase| format!("{:.1}", 1e3 * value(&format!("{phase}_s")))));
        let all = Summary::of(&samples.iter().map(|sample| 1e3 * sample.get("compile_s")).collect::<Vec<f64>>());
        row.push(format!("{:.1}", all.min));
        row.push(format!("{:.1} ± {:.1}", all.mean, all.sigma));
        row.push(format!("{:.1}", 1e3 * value("total_s")));
        table.rows.push(row);
    }
    table
        .notes
        .push("All: from the first byte read to the last byte of WebAssembly; process: with start and end.".into());
    table
}
