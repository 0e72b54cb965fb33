//! How large programs are, how long compiling them takes, and how often they keep references for the collector: for
//! each level of optimisation and each strategy, on both targets.

use crate::baseline::Column;
use crate::child::Measured;
use crate::input::{Program, line_count};
use crate::json::Json;
use crate::report::{Table, samples};
use crate::runner::progress;
use crate::size::HELLO;
use crate::stats::{Summary, geometric_mean};
use crate::study::Study;
use crate::study::build::Problem;
use crate::study::codesize;
use crate::study::grid::Setting;
use crate::study::pilot::target;
use crate::study::plan::Budget;
use crate::study::strategies;
use crate::study::svg::Chart;
use crate::study::tables::number;
use crate::study::write::Report;
use std::fs;
use std::time::Instant;

/// Compilations of each program with each setting, at most.
const MOST_ROUNDS: usize = 5;

/// Samples of one setting for one target, by program.
struct Line {
    setting: Setting,
    column: Column,
    samples: Vec<Vec<Measured>>,
    problem: Option<Problem>,
}

pub fn run(study: &mut Study, budget: Budget) -> Report {
    let mut lines = lines(study);
    let mut rounds = 0;
    let mut notes = Vec::new();
    let mut longest = 0.0;
    while rounds < MOST_ROUNDS && (rounds == 0 || !budget.is_over(longest)) {
        let begin = Instant::now();
        rounds += 1;
        for p in 0..study.programs.len() {
            progress(&format!("size: round {rounds} of {MOST_ROUNDS}: {}", study.programs[p].name));
            for line in &mut lines {
                sample(study, line, p);
            }
        }
        longest = begin.elapsed().as_secs_f64().max(longest);
    }
    progress("");
    for line in &lines {
        if let Some(Problem::ErrorReported(message)) = &line.problem {
            let text = format!("{} for {}: {message}", line.setting.line(), line.column.name());
            notes.push(format!("Failed: {text}"));
            study.failures.push(format!("size: {text}"));
        }
    }
    let mut all = settings_table(study, &lines, rounds);
    all.notes.extend(notes);
    let (programs, chart) = programs_table(study, &lines);
    let json = Json::List(lines.iter().map(|line| json(study, line)).collect());
    Report { tables: vec![all, programs], charts: vec![("size".to_string(), chart)], json }
}

/// Defaults first, then levels and strategies, for each target that there is.
fn lines(study: &Study) -> Vec<Line> {
    let mut settings = vec![Setting::new("default", &[])];
    settings.extend([0, 1, 2].map(|level| Setting::new(format!("-O{level}"), &[&format!("-O{level}")])));
    settings.extend(strategies::settings(study));
    let mut lines = Vec::new();
    for column in study.columns.iter().filter(|column| !matches!(column, Column::Node { .. })) {
        for setting in &settings {
            let samples = vec![Vec::new(); study.programs.len()];
            lines.push(Line { setting: setting.clone(), column: column.clone(), samples, problem: None });
        }
    }
    lines
}

fn sample(study: &mut Study, line: &mut Line, program: usize) {
    if line.problem.is_some() {
        return;
    }
    let words: Vec<String> = target(&line.column).into_iter().chain(line.setting.words.clone()).collect();
    match study.builds.again(&study.programs[program], &words) {
        Ok(built) => line.samples[program].push(built.measured),
        Err(problem) => line.problem = Some(problem),
    }
}

impl Line {
    /// The least of the samples of one program.
    fn least(&self, program: usize, name: &str) -> Option<f64> {
        let values: Vec<f64> = self.samples[program].iter().filter_map(|sample| sample.find(name)).collect();
        (!values.is_empty() && self.problem.is_none()).then(|| Summary::of(&values).min)
    }

    fn sum(&self, name: &str) -> Option<f64> {
        (0..self.samples.len()).map(|program| self.least(program, name)).sum()
    }

    fn largest(&self, name: &str) -> Option<f64> {
        (0..self.samples.len()).filter_map(|program| self.least(program, name)).max_by(f64::total_cmp)
    }

    /// Standard deviation of the time of compiling everything.
    fn spread(&self) -> Option<f64> {
        let rounds = self.samples.iter().map(Vec::len).min().unwrap_or(0);
        let total = |round: usize| self.samples.iter().map(|samples| 1e3 * samples[round].get("all_s")).sum::<f64>();
        (rounds > 1).then(|| Summary::of(&(0..rounds).map(total).collect::<Vec<f64>>()).sigma)
    }
}

fn settings_table(study: &Study, lines: &[Line], rounds: usize) -> Table {
    let head = [
        "setting",
        "target",
        "file bytes",
        "code bytes",
        "compile ms",
        "± σ",
        "compiler MB",
        "safepoints",
        "spills",
        "restores",
        "functions with a frame",
    ];
    let count = study.programs.len();
    let mut table = Table::new(format!("Size and compile time, sums over {count} programs"), &head);
    for line in lines {
        let target = if matches!(line.column, Column::Native) { "native" } else { "wasm" };
        let mut row = vec![line.setting.name.clone(), target.to_string()];
        if let Some(problem) = &line.problem {
            let text = if matches!(problem, Problem::ErrorReported(_)) { "failed" } else { "not available" };
            row.extend((2..head.len()).map(|_| text.to_string()));
            table.rows.push(row);
            continue;
        }
        row.push(number(line.sum("bytes"), 0));
        row.push(number(line.sum("code_bytes"), 0));
        row.push(number(line.sum("all_s").map(|seconds| 1e3 * seconds), 1));
        row.push(number(line.spread(), 1));
        row.push(number(line.largest("compiler_bytes").map(|bytes| bytes / 1e6), 1));
        let names = ["safepoints", "rooted_spills", "rooted_restores", "rooted_frames"];
        row.extend(names.map(|name| number(line.sum(name), 0)));
        table.rows.push(row);
    }
    table.notes.push(format!(
        "Sums of the fastest of {rounds} compilations, from the first byte read to the last written, for executables \
         with the linker; compiler: the largest resident memory. Spills, restores and frames are counted in the \
         text of the program, once."
    ));
    table
}

/// Code that was made of each program: in WebAssembly its functions, in executables what the smallest program does not
/// have, whose code is the runtime.
fn programs_table(study: &mut Study, lines: &[Line]) -> (Table, String) {
    let mut own: Vec<&Line> = Vec::new();
    for line in lines.iter().filter(|line| line.setting.name == "default") {
        own.push(line);
    }
    let hello = hello(study);
    let mut smallest: Vec<Option<f64>> = Vec::new();
    for line in &own {
        let words: Vec<String> = target(&line.column).into_iter().collect();
        let built = hello.as_ref().and_then(|hello| study.builds.get(hello, &words).ok());
        smallest.push(built.map(|built| built.measured.get("code_bytes")));
    }
    let clean_hello = study.clean.as_ref().zip(hello).and_then(|(column, hello)| {
        let Column::Clean(clean) = column else { return None };
        let file = clean.build(&hello.abc, &study.scratch.path, "hello").ok()?;
        codesize::of(&fs::read(file).ok()?).map(|size| size as f64)
    });
    let mut table = Table::new("Code of each program without the runtime", &["program", "ABC lines"]);
    let mut series: Vec<(String, Vec<Option<f64>>)> = Vec::new();
    for line in &own {
        let name = if matches!(line.column, Column::Native) { "native" } else { "wasm" };
        table.head.push(format!("{name} bytes"));
        series.push((name.to_string(), Vec::new()));
    }
    let has_clean = clean_hello.is_some();
    if has_clean {
        table.head.push("clean bytes".into());
        table.head.extend(series.iter().map(|series| format!("{} ÷ clean", series.0)));
    }
    let mut ratios = vec![Vec::new(); own.len()];
    for (p, program) in study.programs.iter().enumerate() {
        let sizes: Vec<Option<f64>> = own
            .iter()
            .zip(&smallest)
            .map(|(line, smallest)| match line.least(p, "program_code_bytes") {
                Some(own) => Some(own),
                None => Some(line.least(p, "code_bytes")? - (*smallest)?),
            })
            .collect();
        let mut row = vec![program.name.clone(), program.lines.to_string()];
        row.extend(sizes.iter().map(|size| number(*size, 0)));
        if let Some(hello) = clean_hello {
            let file = study.pilot.clean[p].as_ref().map(|clean| clean.0.file().to_path_buf());
            let size = file.and_then(|file| codesize::of(&fs::read(file).ok()?)).map(|size| size as f64 - hello);
            row.push(number(size, 0));
            for (index, own) in sizes.iter().enumerate() {
                let ratio = own.zip(size).map(|(own, clean)| own / clean);
                row.push(number(ratio, 2));
                series[index].1.push(ratio);
                ratios[index].extend(ratio);
            }
        } else {
            sizes.iter().zip(&mut series).for_each(|(size, series)| series.1.push(size.map(|size| size / 1e3)));
        }
        table.rows.push(row);
    }
    for (ratios, series) in ratios.iter().zip(&series).filter(|(ratios, _)| !ratios.is_empty()) {
        table.notes.push(format!("{} ÷ clean: geometric mean {:.2}", series.0, geometric_mean(ratios)));
    }
    let places = study.programs.iter().map(|program| program.name.clone()).collect();
    let unit = if has_clean { "bytes ÷ clean" } else { "kB" };
    let title = "Code of the programs without the runtime".to_string();
    let chart = Chart { title, unit: unit.into(), places, series, most: None }.bars();
    (table, chart)
}

/// A program that prints one word.
fn hello(study: &Study) -> Option<Program> {
    let abc = study.scratch.path.join("hello.abc");
    fs::write(&abc, HELLO).ok()?;
    Some(Program { name: "hello".into(), abc, expected: b"Hello\n".to_vec(), lines: line_count(HELLO.as_bytes()) })
}

fn json(study: &Study, line: &Line) -> Json {
    let programs = study
        .programs
        .iter()
        .zip(&line.samples)
        .map(|(program, list)| Json::object([("program", Json::text(&program.name)), ("samples", samples(list))]));
    let state = match &line.problem {
        None => "measured",
        Some(Problem::Unavailable(_)) => "not available",
        Some(Problem::ErrorReported(_)) => "failed",
    };
    Json::object([
        ("setting", Json::text(&line.setting.name)),
        ("compiler", Json::List(line.setting.words.iter().map(Json::text).collect())),
        ("engine", Json::text(line.column.name())),
        ("state", Json::text(state)),
        ("programs", Json::List(programs.collect())),
    ])
}
