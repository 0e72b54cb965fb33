//! Speed and memory of the compiler on large inputs: three sizes, each phase apart, on one thread.
//!
//! Every sample is a process of its own, so that its peak of memory is that of one compilation. Clean's code generator,
//! if it is given, takes the same modules in each round.

use crate::args::CompileArgs;
use crate::child::{self, Measured, NATIVE_PHASES, PHASES, Task, measure};
use crate::clean::Generator;
use crate::generated::{self, Language};
use crate::input::{Large, Scratch, abc_files, make_large};
use crate::json::Json;
use crate::machine::Machine;
use crate::report::{Table, publish, samples};
use crate::runner::progress;
use crate::stats::Summary;
use anyhow::{Result, bail};
use clap::ValueEnum;
use cleave::driver::session::Target;
use std::path::Path;

/// Parts of the largest input.
const PARTS: [usize; 3] = [4, 2, 1];

/// An input with samples at each level, and those of Clean's code generator.
struct Input {
    large: Large,
    levels: Vec<Vec<Measured>>,
    /// Builds after a change in one module, if they were asked for.
    again: Vec<Vec<Measured>>,
    cg: Vec<Measured>,
}

impl Input {
    fn at(&self, level: usize) -> AtLevel<'_> {
        AtLevel { large: &self.large, first: &self.levels[level], again: &self.again[level], cg: &self.cg }
    }
}

pub fn main(args: &CompileArgs) -> Result<()> {
    if args.again && args.target != Target::Native {
        bail!("--again needs --target native: only builds for this machine keep compiled functions");
    }
    if args.language != Language::Clean && (args.again || args.cg.is_some()) {
        bail!("--again and --cg are for inputs in Clean");
    }
    let machine = Machine::new(false);
    let scratch = Scratch::new()?;
    let levels = match (&args.levels[..], args.target) {
        ([], Target::Wasm) => vec![2],
        ([], Target::Native) => vec![0, 1, 2],
        (levels, _) => levels.to_vec(),
    };
    let cg = args.cg.as_ref().map(|path| Generator::find(path, &scratch.path)).transpose()?;
    let mut inputs: Vec<Input> = Vec::new();
    for part in PARTS {
        progress(&format!("making an input of {} lines", args.lines / part));
        let folder = scratch.path.join(format!("part{part}"));
        let lines = args.lines.div_ceil(part);
        let large = match args.language {
            Language::Clean => make_large(&folder, lines)?,
            Language::Goopea => generated::make_goopea(&folder, lines)?,
            Language::Samlang => generated::make_samlang(&folder, lines)?,
        };
        let none = vec![Vec::new(); levels.len()];
        inputs.push(Input { large, levels: none.clone(), again: none, cg: Vec::new() });
    }
    for round in 0..=args.runs {
        for Input { large, levels: measured, again, cg: theirs } in &mut inputs {
            if let Some(cg) = &cg {
                progress(&format!("round {round} of {}: {} lines, cg", args.runs, large.lines));
                let sample = cg.compile(&abc_files(large.main.parent().expect("it is in a folder"))?)?;
                if round > 0 {
                    theirs.push(sample);
                }
            }
            for ((level, samples), again) in levels.iter().zip(measured).zip(again) {
                progress(&format!("round {round} of {}: {} lines, -O{level}", args.runs, large.lines));
                let sample = compile(args, large, *level, None)?;
                // The first round warms up.
                if round > 0 {
                    samples.push(sample);
                }
                if args.again {
                    let cache = scratch.path.join(format!("{}-O{level}.cache", large.lines));
                    if round == 0 {
                        compile(args, large, *level, Some(&cache))?;
                    }
                    large.change()?;
                    let sample = compile(args, large, *level, Some(&cache))?;
                    if round > 0 {
                        again.push(sample);
                    }
                }
            }
        }
    }
    progress("");
    let tables: Vec<Table> =
        levels.iter().enumerate().map(|(at, level)| table(&of_level(&inputs, at), *level, args)).collect();
    let all: Vec<Json> =
        levels.iter().enumerate().map(|(at, level)| level_json(&of_level(&inputs, at), *level)).collect();
    publish("Compile time", &machine.line(), &tables, &json(all, &inputs, args, &machine), &args.output)
}

/// Compiles an input once, in a process of its own.
fn compile(args: &CompileArgs, input: &Large, level: u8, cache: Option<&Path>) -> Result<Measured> {
    let mut command = child::command(Task::Compile, &input.main, &[])?;
    let target = args.target.to_possible_value().expect("a target has a name");
    command.arg("--target").arg(target.get_name()).arg(format!("-O{level}"));
    if let Some(cache) = cache {
        command.arg("--cache").arg(cache);
    }
    let threads = args.threads.unwrap_or(1);
    Ok(measure(command.env("RAYON_NUM_THREADS", threads.to_string()))?.1)
}

/// What was measured of an input at one level.
struct AtLevel<'a> {
    large: &'a Large,
    first: &'a [Measured],
    again: &'a [Measured],
    cg: &'a [Measured],
}

fn of_level(inputs: &[Input], at: usize) -> Vec<AtLevel<'_>> {
    inputs.iter().map(|input| input.at(at)).collect()
}

pub fn minimum(samples: &[Measured], name: &str) -> f64 {
    Summary::of(&samples.iter().map(|sample| sample.get(name)).collect::<Vec<f64>>()).min
}

fn table(inputs: &[AtLevel], level: u8, args: &CompileArgs) -> Table {
    let (what, bytes) = match args.target {
        Target::Wasm | Target::Component => ("WebAssembly", "wasm"),
        Target::Native => ("an executable", "native"),
    };
    let threads = args.threads.unwrap_or(1);
    let title =
        format!("{} to {what}, -O{level}, {threads} thread(s), best of {} runs", args.language.text(), args.runs);
    let mut table = Table::new(title, &["lines"]);
    table.head.extend(inputs.iter().map(|input| input.large.lines.to_string()));
    let mut row = |name: &str, value: &dyn Fn(&Large, &[Measured]) -> String| {
        let mut cells = vec![name.to_string()];
        cells.extend(inputs.iter().map(|input| value(input.large, input.first)));
        table.rows.push(cells);
    };
    row("modules", &|input, _| input.modules.to_string());
    row("functions", &|_, samples| format!("{}", minimum(samples, "functions")));
    for phase in PHASES.iter().chain(if args.target == Target::Native { NATIVE_PHASES } else { &[] }) {
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
    row(&format!("{bytes} bytes"), &|_, samples| format!("{}", minimum(samples, &format!("{bytes}_bytes"))));
    compare_again(&mut table, inputs);
    compare(&mut table, inputs);
    if let (Some(first), Some(last)) = (inputs.first(), inputs.last()) {
        // Processor time, if it is known: other work on the machine does not change it.
        let known = minimum(first.first, "compile_cpu_s") > 0.0;
        let clock = if known { "compile_cpu_s" } else { "compile_s" };
        let speed = |input: &AtLevel| input.large.lines as f64 / minimum(input.first, clock);
        let factor = last.large.lines as f64 / first.large.lines as f64;
        let percent = 100.0 * (speed(first) / speed(last) - 1.0);
        table.notes.push(format!(
            "Time per line grows by {percent:.1} % from the first to the last input ({factor:.1} times the lines)."
        ));
    }
    table
}

/// Adds builds after a change in one module, if they were measured.
fn compare_again(table: &mut Table, inputs: &[AtLevel]) {
    if inputs.iter().all(|input| input.again.is_empty()) {
        return;
    }
    let clock = "compile_cpu_s";
    let mut row = |name: &str, value: &dyn Fn(&AtLevel) -> String| {
        table.rows.push(std::iter::once(name.to_string()).chain(inputs.iter().map(value)).collect());
    };
    row("processor ms after a change", &|input| format!("{:.1}", 1e3 * minimum(input.again, clock)));
    row("after a change ÷ first", &|input| {
        format!("{:.2}", minimum(input.again, clock) / minimum(input.first, clock))
    });
    table.notes.push(
        "After a change: one number in one module is another one, and the build before has left its cache.".into(),
    );
}

/// Adds Clean's code generator, if it was measured.
fn compare(table: &mut Table, inputs: &[AtLevel]) {
    if inputs.iter().all(|input| input.cg.is_empty()) {
        return;
    }
    for (title, own, theirs) in [("processor", "compile_cpu_s", "cpu_s"), ("elapsed", "compile_s", "total_s")] {
        let row = |name: String, value: &dyn Fn(&AtLevel) -> String| {
            std::iter::once(name).chain(inputs.iter().map(value)).collect()
        };
        table.rows.push(row(format!("cg {title} ms"), &|input| format!("{:.1}", 1e3 * minimum(input.cg, theirs))));
        table.rows.push(row(format!("ours ÷ cg, {title}"), &|input| {
            format!("{:.2}", minimum(input.first, own) / minimum(input.cg, theirs))
        }));
    }
    table.notes.push(
        "cg: Clean's code generator, a process for each module, one after the other; it neither links nor looks beyond \
         a module."
            .into(),
    );
}

fn level_json(inputs: &[AtLevel], level: u8) -> Json {
    let input = |input: &AtLevel| {
        Json::object([
            ("lines", Json::Integer(input.large.lines as u64)),
            ("modules", Json::Integer(input.large.modules as u64)),
            ("samples", samples(input.first)),
            ("again", samples(input.again)),
        ])
    };
    Json::object([("level", Json::Integer(level.into())), ("inputs", Json::List(inputs.iter().map(input).collect()))])
}

fn json(levels: Vec<Json>, inputs: &[Input], args: &CompileArgs, machine: &Machine) -> Json {
    let target = if args.target == Target::Wasm { "wasm" } else { "native" };
    Json::object([
        ("version", Json::Integer(2)),
        ("kind", Json::text("compile")),
        ("machine", machine.json()),
        ("target", Json::text(target)),
        ("threads", Json::Integer(args.threads.unwrap_or(1) as u64)),
        ("levels", Json::List(levels)),
        ("cg", Json::List(inputs.iter().map(|input| samples(&input.cg)).collect())),
    ])
}
