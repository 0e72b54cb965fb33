//! Conventions of the code that we emit, compared in small programs that are written by hand: where the heap pointer
//! and the pointer to the shadow stack live, how the code of a thunk is found.

use crate::baseline::{Column, Ready};
use crate::child::Measured;
use crate::input::Program;
use crate::json::Json;
use crate::report::{Table, samples};
use crate::runner::progress;
use crate::stats::Summary;
use crate::study::Study;
use crate::study::build::first_line;
use crate::study::plan::Budget;
use crate::study::svg::Chart;
use crate::study::tables::number;
use crate::study::wat::{self, SOURCES, Variant};
use crate::study::write::Report;
use anyhow::Result;
use std::fs;
use std::time::Instant;

const MOST_ROUNDS: usize = 12;
/// With fewer rounds there is no warm-up.
const ROUNDS_FOR_WARMUP: usize = 3;

/// A variant of a program in every engine.
struct Line {
    source: &'static str,
    variant: Variant,
    program: Program,
    ready: Vec<Ready>,
    /// By engine.
    samples: Vec<Vec<Measured>>,
    failure: Option<String>,
}

pub fn run(study: &mut Study, budget: Budget) -> Result<Report> {
    let columns: Vec<Column> =
        study.columns.iter().filter(|column| !matches!(column, Column::Native)).cloned().collect();
    let mut lines = lines(study, &columns)?;
    let mut rounds = 0;
    let mut longest = 0.0;
    while rounds < MOST_ROUNDS && (rounds == 0 || !budget.is_over(longest)) {
        let begin = Instant::now();
        rounds += 1;
        progress(&format!("conventions: round {rounds} of {MOST_ROUNDS}"));
        for line in &mut lines {
            sample(line);
        }
        longest = begin.elapsed().as_secs_f64().max(longest);
    }
    progress("");
    let warmup = usize::from(rounds >= ROUNDS_FOR_WARMUP);
    for line in &mut lines {
        line.samples.iter_mut().for_each(|samples| drop(samples.drain(..warmup.min(samples.len()))));
    }
    let mut tables: Vec<Table> = SOURCES.iter().map(|source| table(&lines, source.name, &columns)).collect();
    if let Some(last) = tables.last_mut() {
        last.notes.push(format!(
            "{} counted runs of each in interleaved rounds: ms of the fastest run, mean ± σ of all, ratio of the fastest \
             to that of the first line with the same input.",
            rounds - warmup
        ));
        for line in &lines {
            if let Some(message) = &line.failure {
                let text = format!("{} {}: {message}", line.source, wat::name(&line.variant));
                last.notes.push(format!("Failed: {text}"));
                study.failures.push(format!("conventions: {text}"));
            }
        }
    }
    let chart = chart(&lines, &columns);
    let json = Json::List(lines.iter().map(|line| json(line, &columns)).collect());
    Ok(Report { tables, charts: vec![("conventions".to_string(), chart)], json })
}

fn lines(study: &Study, columns: &[Column]) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for source in SOURCES {
        for variant in source.variants() {
            let name = format!("{}-{}", source.name, wat::name(&variant).replace(' ', "-"));
            let file = study.scratch.path.join(format!("{name}.wasm"));
            fs::write(&file, source.assemble(&variant)?)?;
            let mut ready = Vec::new();
            for column in columns {
                ready.push(match column {
                    Column::Node { program, .. } => Ready::node(file.clone(), program, &study.scratch.path)?,
                    _ => Ready::wasmtime(file.clone()),
                });
            }
            let program = Program { name, abc: file, expected: source.expected(&variant).into(), lines: 0 };
            let samples = vec![Vec::new(); columns.len()];
            lines.push(Line { source: source.name, variant, program, ready, samples, failure: None });
        }
    }
    Ok(lines)
}

fn sample(line: &mut Line) {
    for (ready, samples) in line.ready.iter().zip(&mut line.samples) {
        if line.failure.is_none() {
            match ready.sample(&line.program, None) {
                Ok(sample) => samples.push(sample),
                Err(error) => line.failure = Some(first_line(&format!("{error:#}"))),
            }
        }
    }
}

impl Line {
    fn times(&self, column: usize) -> Option<Summary> {
        let times: Vec<f64> = self.samples[column].iter().map(|sample| 1e3 * sample.get("run_s")).collect();
        (self.failure.is_none() && !times.is_empty()).then(|| Summary::of(&times))
    }

    /// What changes the work, and not how it is done.
    fn input(&self) -> Option<&(&'static str, &'static str)> {
        self.variant.iter().find(|choice| choice.0 == "entries")
    }

    /// Ratio to the first variant with the same input.
    fn ratio(&self, column: usize, lines: &[Line]) -> Option<f64> {
        let first = lines.iter().find(|line| line.source == self.source && line.input() == self.input())?;
        Some(self.times(column)?.min / first.times(column)?.min)
    }
}

fn table(lines: &[Line], source: &str, columns: &[Column]) -> Table {
    let mut table = Table::new(format!("Conventions: `{source}.wat`"), &["variant"]);
    for column in columns {
        table.head.extend([format!("{} ms", column.name()), "mean ± σ".to_string(), "ratio".to_string()]);
    }
    for line in lines.iter().filter(|line| line.source == source) {
        let mut row = vec![wat::name(&line.variant)];
        for column in 0..columns.len() {
            let times = line.times(column);
            row.push(number(times.map(|times| times.min), 1));
            row.push(times.map_or("-".into(), |times| format!("{:.1} ± {:.1}", times.mean, times.sigma)));
            row.push(number(line.ratio(column, lines), 2));
        }
        table.rows.push(row);
    }
    table
}

fn chart(lines: &[Line], columns: &[Column]) -> String {
    let places = lines.iter().map(|line| wat::name(&line.variant)).collect();
    let series = columns
        .iter()
        .enumerate()
        .map(|(c, column)| (column.name().to_string(), lines.iter().map(|line| line.ratio(c, lines)).collect()));
    Chart {
        title: "Conventions, in WebAssembly written by hand".into(),
        unit: "time ÷ first variant".into(),
        places,
        series: series.collect(),
        most: Some(4.0),
    }
    .bars()
}

fn json(line: &Line, columns: &[Column]) -> Json {
    let choices = line.variant.iter().map(|(name, value)| ((*name).to_string(), Json::text(*value))).collect();
    let engines = columns
        .iter()
        .zip(&line.samples)
        .map(|(column, list)| Json::object([("engine", Json::text(column.name())), ("samples", samples(list))]));
    Json::object([
        ("program", Json::text(line.source)),
        ("variant", Json::Object(choices)),
        ("failure", line.failure.as_ref().map_or(Json::Null, Json::text)),
        ("engines", Json::List(engines.collect())),
    ])
}
