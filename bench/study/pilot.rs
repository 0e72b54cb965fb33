//! One run of everything with default settings before the study: how long things take, and whether they work at all.

use crate::baseline::{Column, Ready};
use crate::child::Measured;
use crate::input::Program;
use crate::runner::progress;
use crate::study::Study;
use crate::study::build::{Problem, first_line};
use anyhow::Result;
use std::path::Path;

/// Assumed where the pilot failed: the failure is reported by the sections.
const UNKNOWN: f64 = 1.0;

/// By program, in the order of the study.
#[derive(Default)]
pub struct Pilot {
    /// Seconds of a sample, by column.
    pub sample: Vec<Vec<f64>>,
    /// Clean's executable, and seconds of a sample.
    pub clean: Vec<Option<(Ready, f64)>>,
}

pub fn run(study: &mut Study) {
    for index in 0..study.programs.len() {
        let program = study.programs[index].clone();
        let mut samples = Vec::new();
        for column in study.columns.clone() {
            progress(&format!("pilot: {} in {}", program.name, column.name()));
            let ready = ready(study, &program, &column, &[]);
            let sample = ready.ok().and_then(|ready| ready.sample(&program, None).ok());
            samples.push(sample.map_or(UNKNOWN, |sample| sample.get("total_s")));
        }
        study.pilot.sample.push(samples);
        let clean = study.clean.clone().and_then(|column| {
            progress(&format!("pilot: {} in {}", program.name, column.name()));
            clean(study, &column, &program)
        });
        study.pilot.clean.push(clean);
    }
    progress("");
}

fn clean(study: &mut Study, column: &Column, program: &Program) -> Option<(Ready, f64)> {
    let made = column.prepare(program, Path::new(""), &study.scratch.path);
    let sampled = made.and_then(|ready| ready.sample(program, None).map(|sample| (ready, sample.get("total_s"))));
    match sampled {
        Ok(clean) => Some(clean),
        Err(error) => {
            let message = first_line(&format!("{error:#}"));
            println!("No baseline for {}: {message}", program.name);
            study.failures.push(format!("{} in {}: {message}", program.name, column.name()));
            None
        }
    }
}

/// Words that choose the target of a column.
pub fn target(column: &Column) -> Option<String> {
    match column {
        Column::Native => Some("--target=native".to_string()),
        Column::Node { .. } => Some("--emit=js".to_string()),
        _ => None,
    }
}

/// The program, compiled with these words for an engine.
pub fn ready(study: &mut Study, program: &Program, column: &Column, words: &[String]) -> Result<Ready, Problem> {
    ready_with_counts(study, program, column, words).map(|ready| ready.0)
}

/// The same, with what the compiler counted.
pub fn ready_with_counts(
    study: &mut Study,
    program: &Program,
    column: &Column,
    words: &[String],
) -> Result<(Ready, Measured), Problem> {
    let words: Vec<String> = target(column).into_iter().chain(words.iter().cloned()).collect();
    let built = study.builds.get(program, &words)?;
    let ready = match column {
        Column::Native => Ready::executable(built.file),
        Column::Node { program, .. } => Ready::node(built.file, program, &study.scratch.path)
            .map_err(|error| Problem::ErrorReported(first_line(&format!("{error:#}"))))?,
        _ => Ready::wasmtime(built.file),
    };
    Ok((ready, built.measured))
}
