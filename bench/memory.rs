//! Peak of resident memory of executables: ours with the heap that they choose themselves, Clean's with several sizes.

use crate::args::MemoryArgs;
use crate::child::{Measured, build_executable, measure};
use crate::input::{Program, Scratch, programs};
use crate::json::Json;
use crate::machine::Machine;
use crate::peak;
use crate::report::{Table, publish, samples};
use crate::runner::progress;
use crate::stats::geometric_mean;
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

/// Sizes of Clean's heap in MiB. The smallest with which a program runs shows what it needs, the fastest what one uses.
const HEAPS: [u64; 8] = [2, 4, 8, 16, 40, 128, 512, 1024];

/// A program with the options that it had, and its samples.
struct Runs {
    heap: Option<u64>,
    samples: Vec<Measured>,
}

impl Runs {
    fn of(program: &Program, file: &Path, heap: Option<u64>, runs: u32) -> Result<Runs> {
        let mut samples = Vec::new();
        for _ in 0..runs {
            let mut command = Command::new(std::env::current_exe()?);
            command.arg(peak::NAME).arg("--").arg(file);
            if let Some(heap) = heap {
                command.arg("-h").arg(format!("{}", heap << 20));
            }
            let (output, sample) = measure(&mut command)?;
            if output != program.expected {
                bail!("{} printed something else than expected", program.name);
            }
            samples.push(sample);
        }
        Ok(Runs { heap, samples })
    }

    fn least(&self, name: &str) -> f64 {
        self.samples.iter().map(|sample| sample.get(name)).fold(f64::INFINITY, f64::min)
    }

    fn json(&self) -> Json {
        let heap = self.heap.map_or(Json::Null, |heap| Json::Integer(heap << 20));
        Json::object([("heap_bytes", heap), ("samples", samples(&self.samples))])
    }
}

pub fn main(args: &MemoryArgs) -> Result<()> {
    let machine = Machine::new(false);
    let scratch = Scratch::new()?;
    let mut table =
        Table::new(format!("Peak of resident memory in MiB, least of {} runs", args.runs), &["program", "ours", "ms"]);
    let clean = args.clean.clean();
    if clean.is_some() {
        let head = ["clean, fastest", "ms", "-h MiB", "ratio", "clean, least", "ms", "-h MiB", "ratio"];
        table.head.extend(head.map(str::to_string));
    }
    let (mut list, mut to_fastest, mut to_least) = (Vec::new(), Vec::new(), Vec::new());
    for program in programs(&args.programs)? {
        progress(&program.name);
        let file = scratch.path.join(format!("{}.own", program.name));
        build_executable(&program.abc, &file)?;
        let ours = Runs::of(&program, &file, None, args.runs)?;
        let mut row = vec![program.name.clone()];
        let cells = |runs: &Runs| {
            [
                format!("{:.1}", runs.least("resident_bytes") / 1_048_576.0),
                format!("{:.0}", 1e3 * runs.least("total_s")),
            ]
        };
        row.extend(cells(&ours));
        let mut theirs = Vec::new();
        if let Some(clean) = &clean {
            let file = clean.build(&program.abc, &scratch.path, &program.name)?;
            // A heap that is too small ends the program with a message.
            theirs.extend(HEAPS.iter().filter_map(|&heap| Runs::of(&program, &file, Some(heap), args.runs).ok()));
            let by = |name: &'static str| theirs.iter().min_by(|a, b| a.least(name).total_cmp(&b.least(name)));
            let (Some(fastest), Some(least)) = (by("total_s"), by("resident_bytes")) else {
                bail!("the native {} fails with every size of heap", program.name)
            };
            for (runs, ratios) in [(fastest, &mut to_fastest), (least, &mut to_least)] {
                let ratio = ours.least("resident_bytes") / runs.least("resident_bytes");
                row.extend(cells(runs));
                row.push(runs.heap.unwrap_or_default().to_string());
                row.push(format!("{ratio:.2}"));
                ratios.push(ratio);
            }
        }
        table.rows.push(row);
        list.push(Json::object([
            ("program", Json::text(&program.name)),
            ("ours", ours.json()),
            ("clean", Json::List(theirs.iter().map(Runs::json).collect())),
        ]));
    }
    progress("");
    if clean.is_some() {
        table.notes.push(format!(
            "Geometric mean of the ratios: {:.2} to Clean with its fastest heap, {:.2} with its least.",
            geometric_mean(&to_fastest),
            geometric_mean(&to_least)
        ));
    }
    let json = Json::object([
        ("version", Json::Integer(1)),
        ("kind", Json::text("memory")),
        ("machine", machine.json()),
        ("programs", Json::List(list)),
    ]);
    publish("Memory", &machine.line(), &[table], &json, &args.output)
}
