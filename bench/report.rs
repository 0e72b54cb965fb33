//! Results as tables for people and as JSON for programs.
//!
//! A table is made once and printed twice: aligned for the terminal, with the bars of Markdown for a file.

use crate::args::OutputArgs;
use crate::baseline::Column;
use crate::child::Measured;
use crate::json::Json;
use crate::runner::{Results, Row};
use crate::stats::{Summary, geometric_mean, worst};
use anyhow::{Context, Result};
use std::fmt::Write;
use std::fs;

/// A table of texts; the first column is aligned left, all others right.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub title: String,
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
    pub notes: Vec<String>,
}

impl Table {
    pub fn new(title: impl Into<String>, head: &[&str]) -> Table {
        let head = head.iter().map(|text| (*text).to_string()).collect();
        Table { title: title.into(), head, ..Table::default() }
    }

    fn widths(&self) -> Vec<usize> {
        let lines = || std::iter::once(&self.head).chain(&self.rows);
        let width = |column: usize| lines().filter_map(|line| line.get(column)).map(|text| text.chars().count()).max();
        (0..self.head.len()).map(|column| width(column).unwrap_or(0)).collect()
    }

    pub fn plain(&self) -> String {
        let widths = self.widths();
        let mut out = format!("{}\n", self.title);
        for line in std::iter::once(&self.head).chain(&self.rows) {
            for (column, (text, width)) in line.iter().zip(&widths).enumerate() {
                let _ = match column {
                    0 => write!(out, "  {text:<width$}"),
                    _ => write!(out, "  {text:>width$}"),
                };
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        }
        self.notes.iter().for_each(|note| out.push_str(&format!("{note}\n")));
        out
    }

    pub fn markdown(&self) -> String {
        let mut out = format!("## {}\n\n| {} |\n|", self.title, self.head.join(" | "));
        for column in 0..self.head.len() {
            out.push_str(if column == 0 { " --- |" } else { " ---: |" });
        }
        for row in &self.rows {
            let _ = write!(out, "\n| {} |", row.join(" | "));
        }
        out.push('\n');
        self.notes.iter().for_each(|note| out.push_str(&format!("\n{note}\n")));
        out
    }
}

/// Prints tables and writes the files that are wanted.
pub fn publish(heading: &str, machine: &str, tables: &[Table], json: &Json, output: &OutputArgs) -> Result<()> {
    println!("{machine}\n");
    for table in tables {
        println!("{}", table.plain());
    }
    if let Some(path) = &output.json {
        fs::write(path, format!("{json}\n")).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if let Some(path) = &output.markdown {
        let mut text = format!("# {heading}\n\n{machine}\n\n");
        let tables: Vec<String> = tables.iter().map(Table::markdown).collect();
        text.push_str(&tables.join("\n"));
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Publishes the results of running programs.
pub fn runs(results: &Results, output: &OutputArgs) -> Result<()> {
    let tables = [ratios(results), phases(results)];
    publish("Run time", &results.machine.line(), &tables, &json(results), output)
}

/// The times that ratios compare, in milliseconds.
fn times(row: &Row, column: usize, results: &Results) -> Vec<f64> {
    row.samples[column].iter().map(|sample| 1e3 * results.columns[column].time(sample)).collect()
}

/// Ratios of the minima, against the baseline.
fn ratio(row: &Row, column: usize, results: &Results) -> f64 {
    let min = |column| Summary::of(&times(row, column, results)).min;
    min(column) / min(results.baseline)
}

fn ratios(results: &Results) -> Table {
    let baseline = &results.columns[results.baseline];
    let runs = results.rows.first().map_or(0, |row| Summary::of(&times(row, results.baseline, results)).count);
    let mut table = Table::new(format!("Time of the programs in ms, {runs} runs"), &["program"]);
    for (index, column) in results.columns.iter().enumerate() {
        table.head.extend([format!("{} min … max", column.name()), "mean ± σ".to_string()]);
        if index != results.baseline {
            table.head.push(format!("/ {}", baseline.name()));
        }
    }
    for row in &results.rows {
        let mut cells = vec![row.program.name.clone()];
        for column in 0..results.columns.len() {
            let summary = Summary::of(&times(row, column, results));
            cells.push(format!("{:.1} … {:.1}", summary.min, summary.max));
            cells.push(format!("{:.1} ± {:.1}", summary.mean, summary.sigma));
            if column != results.baseline {
                cells.push(format!("{:.2}", ratio(row, column, results)));
            }
        }
        table.rows.push(cells);
    }
    for column in (0..results.columns.len()).filter(|&column| column != results.baseline) {
        let all: Vec<f64> = results.rows.iter().map(|row| ratio(row, column, results)).collect();
        let Some(place) = worst(&all) else { continue };
        table.notes.push(format!(
            "{} / {}: geometric mean {:.2}, worst {:.2} ({})",
            results.columns[column].name(),
            baseline.name(),
            geometric_mean(&all),
            all[place],
            results.rows[place].program.name,
        ));
    }
    table.notes.push(
        "Time: the run phase with its collections, under an engine; the whole process, for native code. \
         Ratios are those of the minima."
            .to_string(),
    );
    if results.columns.iter().any(|column| matches!(column, Column::Clean(_))) {
        table.notes.push("Native programs run with the best of several sizes of heap.".to_string());
    }
    table
}

/// Means of the phases of each program and column.
fn phases(results: &Results) -> Table {
    let head =
        ["program", "column", "compile", "engine", "instantiate", "run", "gc", "process", "cpu", "heap MiB", "wasm B"];
    let mut table = Table::new("Phases, means in ms", &head);
    for row in &results.rows {
        for (column, samples) in results.columns.iter().zip(&row.samples) {
            let ours = column.level().is_some();
            let mean = |samples: &[Measured], name: &str, factor: f64| {
                let found: Vec<f64> = samples.iter().filter_map(|sample| sample.find(name)).collect();
                if found.is_empty() { "-".into() } else { format!("{:.1}", factor * Summary::of(&found).mean) }
            };
            let default = column.level() == Some(Default::default());
            let mut cells = vec![row.program.name.clone(), column.name().to_string()];
            cells.push(if default { mean(&row.compile, "compile_s", 1e3) } else { "-".into() });
            for name in ["engine_s", "instantiate_s", "run_s", "gc_s", "total_s", "cpu_s"] {
                cells.push(mean(samples, name, 1e3));
            }
            cells.push(mean(samples, "heap_bytes", 1.0 / 1_048_576.0));
            cells.push(if ours && default { row.wasm_bytes.to_string() } else { "-".into() });
            table.rows.push(cells);
        }
    }
    table
}

/// Samples as one list for each thing that was measured.
pub fn samples(samples: &[Measured]) -> Json {
    let Some(first) = samples.first() else { return Json::Null };
    let list = |name: &str| Json::numbers(&samples.iter().map(|sample| sample.get(name)).collect::<Vec<f64>>());
    Json::Object(first.values.iter().map(|(name, _)| (name.clone(), list(name))).collect())
}

fn json(results: &Results) -> Json {
    let program = |row: &Row| {
        let mut columns = Vec::new();
        for (index, column) in results.columns.iter().enumerate() {
            columns.push(Json::object([
                ("column", Json::text(column.name())),
                ("ratio", Json::Number(ratio(row, index, results))),
                ("samples", samples(&row.samples[index])),
            ]));
        }
        Json::object([
            ("program", Json::text(&row.program.name)),
            ("lines", Json::Integer(row.program.lines as u64)),
            ("wasm_bytes", Json::Integer(row.wasm_bytes as u64)),
            ("compile", samples(&row.compile)),
            ("columns", Json::List(columns)),
        ])
    };
    Json::object([
        ("version", Json::Integer(1)),
        ("kind", Json::text("run")),
        ("machine", results.machine.json()),
        ("baseline", Json::text(results.columns[results.baseline].name())),
        ("programs", Json::List(results.rows.iter().map(program).collect())),
    ])
}
