//! Speed and memory of the compiler on large inputs: three sizes, each phase apart, on one thread.
//!
//! Every sample is a process of its own, so that its peak of memory is that of one compilation.

use crate::CompileArgs;
use crate::child::{self, Measured, PHASES, Task, measure};
use crate::input::{Large, Scratch, make_large};
use crate::json::Json;
use crate::machine::Machine;
use crate::report::{Table, publish, samples};
use crate::runner::progress;
use crate::stats::Summary;
use anyhow::Result;

/// Parts of the largest input.
const PARTS: [usize; 3] = [4, 2, 1];

pub fn main(args: &CompileArgs) -> Result<()> {
    let threads = args.threads.unwrap_or(1);
    let machine = Machine::new(false);
    let scratch = Scratch::new()?;
    let mut inputs: Vec<(Large, Vec<Measured>)> = Vec::new();
    for part in PARTS {
        progress(&format!("making an input of {} lines", args.lines / part));
        let folder = scratch.path.join(format!("part{part}"));
        inputs.push((make_large(&folder, args.lines.div_ceil(part))?, Vec::new()));
    }
    for round in 0..=args.runs {
        for (input, measured) in &mut inputs {
            progress(&format!("round {round} of {}: {} lines", args.runs, input.lines));
            let mut command = child::command(Task::Compile, &input.main, &[])?;
            let (_, sample) = measure(command.env("RAYON_NUM_THREADS", threads.to_string()))?;
            // The first round warms up.
            if round > 0 {
                measured.push(sample);
            }
        }
    }
    progress("");
    publish("Compile time", &machine.line(), &[table(&inputs, args)], &json(&inputs, args, &machine), &args.output)
}

pub fn minimum(samples: &[Measured], name: &str) -> f64 {
    Summary::of(&samples.iter().map(|sample| sample.get(name)).collect::<Vec<f64>>()).min
}

fn table(inputs: &[(Large, Vec<Measured>)], args: &CompileArgs) -> Table {
    let title = format!("ABC text to WebAssembly, {} thread(s), best of {} runs", args.threads.unwrap_or(1), args.runs);
    let mut table = Table::new(title, &["lines"]);
    table.head.extend(inputs.iter().map(|(input, _)| input.lines.to_string()));
    let mut row = |name: &str, value: &dyn Fn(&Large, &[Measured]) -> String| {
        let mut cells = vec![name.to_string()];
        cells.extend(inputs.iter().map(|(input, samples)| value(input, samples)));
        table.rows.push(cells);
    };
    row("modules", &|input, _| input.modules.to_string());
    row("functions", &|_, samples| format!("{}", minimum(samples, "functions")));
    for phase in PHASES {
        row(&format!("{phase} ms"), &|_, samples| format!("{:.1}", 1e3 * minimum(samples, &format!("{phase}_s"))));
    }
    row("all ms", &|_, samples| format!("{:.1}", 1e3 * minimum(samples, "compile_s")));
    row("mean ± σ ms", &|_, samples| {
        let all = Summary::of(&samples.iter().map(|sample| 1e3 * sample.get("compile_s")).collect::<Vec<f64>>());
        format!("{:.1} ± {:.1}", all.mean, all.sigma)
    });
    row("lines/s", &|input, samples| format!("{:.0}", input.lines as f64 / minimum(samples, "compile_s")));
    row("processor ms", &|_, samples| format!("{:.1}", 1e3 * minimum(samples, "compile_cpu_s")));
    row("lines per processor second", &|input, samples| {
        format!("{:.0}", input.lines as f64 / minimum(samples, "compile_cpu_s"))
    });
    row("peak MiB", &|_, samples| format!("{:.1}", minimum(samples, "peak_bytes") / 1_048_576.0));
    row("peak bytes/line", &|input, samples| format!("{:.0}", minimum(samples, "peak_bytes") / input.lines as f64));
    row("wasm bytes", &|_, samples| format!("{}", minimum(samples, "wasm_bytes")));
    if let (Some(first), Some(last)) = (inputs.first(), inputs.last()) {
        // Processor time, if it is known: other work on the machine does not change it.
        let known = minimum(&first.1, "compile_cpu_s") > 0.0;
        let clock = if known { "compile_cpu_s" } else { "compile_s" };
        let speed = |(input, samples): &(Large, Vec<Measured>)| input.lines as f64 / minimum(samples, clock);
        let factor = last.0.lines as f64 / first.0.lines as f64;
        let percent = 100.0 * (speed(first) / speed(last) - 1.0);
        table.notes.push(format!(
            "Time per line grows by {percent:.1} % from the first to the last input ({factor:.1} times the lines)."
        ));
    }
    table
}

fn json(inputs: &[(Large, Vec<Measured>)], args: &CompileArgs, machine: &Machine) -> Json {
    let input = |(large, measured): &(Large, Vec<Measured>)| {
        Json::object([
            ("lines", Json::Integer(large.lines as u64)),
            ("modules", Json::Integer(large.modules as u64)),
            ("samples", samples(measured)),
        ])
    };
    Json::object([
        ("version", Json::Integer(1)),
        ("kind", Json::text("compile")),
        ("machine", machine.json()),
        ("threads", Json::Integer(args.threads.unwrap_or(1) as u64)),
        ("inputs", Json::List(inputs.iter().map(input).collect())),
    ])
}
