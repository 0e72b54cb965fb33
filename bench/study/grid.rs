//! Programs × engines × settings, measured in rounds: every round takes one sample of each, in changing order, and one
//! of the baseline, so that a slow minute of the machine hits all of them alike. Settings for which the compiler makes
//! the same file are measured once.

use crate::baseline::{Column, Ready};
use crate::child::Measured;
use crate::input::Program;
use crate::json::Json;
use crate::report::samples;
use crate::runner::progress;
use crate::stats::{Summary, geometric_mean, median, worst};
use crate::study::Study;
use crate::study::build::{Problem, first_line};
use crate::study::pilot::ready_with_counts;
use crate::study::plan::{Budget, Costs, Plan};
use std::collections::BTreeMap;
use std::time::Instant;

/// One choice of options.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    pub name: String,
    /// Of the compiler.
    pub words: Vec<String>,
    /// Of the runtime.
    pub rts: Vec<String>,
    /// The setting that shows what this one changes.
    pub against: usize,
}

impl Setting {
    pub fn new(name: impl Into<String>, words: &[&str]) -> Setting {
        let words = words.iter().map(|word| (*word).to_string()).collect();
        Setting { name: name.into(), words, ..Setting::default() }
    }

    pub fn with_rts(self, words: &[String]) -> Setting {
        Setting { rts: words.to_vec(), ..self }
    }

    pub fn compared_to(self, against: usize) -> Setting {
        Setting { against, ..self }
    }

    /// As on a command line.
    pub fn line(&self) -> String {
        let line = self.words.iter().chain(&self.rts).cloned().collect::<Vec<String>>().join(" ");
        if line.is_empty() { "(defaults)".into() } else { line }
    }
}

/// What is wanted of a section.
pub struct Wanted {
    pub section: &'static str,
    pub settings: Vec<Setting>,
    /// The setting of the baseline, where Clean is none.
    pub default: usize,
    pub columns: Vec<Column>,
    /// Columns that are left out last.
    pub important: usize,
    /// Only these programs, if it names any.
    pub programs: &'static [&'static str],
}

/// One program in one column with one setting.
#[derive(Default)]
pub struct Cell {
    /// The setting that was measured instead, because the compiler makes the same file.
    pub same_as: Option<usize>,
    pub samples: Vec<Measured>,
    pub problem: Option<Problem>,
    /// What the compiler counted.
    pub built: Option<Measured>,
    /// Resident memory of one run.
    pub resident: Option<f64>,
}

/// Everything that a section has measured.
pub struct Grid {
    pub programs: Vec<Program>,
    pub columns: Vec<Column>,
    pub settings: Vec<Setting>,
    default: usize,
    /// By program, column, setting.
    cells: Vec<Cell>,
    /// Clean's samples by program, and its resident memory.
    clean: Vec<Vec<Measured>>,
    clean_resident: Vec<Option<f64>>,
    pub rounds: usize,
    pub notes: Vec<String>,
}

impl Grid {
    pub fn measure(study: &mut Study, budget: Budget, wanted: Wanted) -> Grid {
        let is_wanted = |name: &str| wanted.programs.is_empty() || wanted.programs.contains(&name);
        let all: Vec<usize> = (0..study.programs.len()).filter(|&p| is_wanted(&study.programs[p].name)).collect();
        let mut grid = Grid {
            programs: Vec::new(),
            columns: Vec::new(),
            settings: wanted.settings,
            default: wanted.default,
            cells: Vec::new(),
            clean: Vec::new(),
            clean_resident: Vec::new(),
            rounds: 0,
            notes: Vec::new(),
        };
        if all.is_empty() || grid.settings.is_empty() {
            grid.notes.push("Nothing was measured: none of the programs was asked for.".to_string());
            return grid;
        }
        grid.programs = all.iter().map(|&p| study.programs[p].clone()).collect();
        grid.columns = wanted.columns;
        let ready = grid.prepare(study, wanted.section);
        let plan = grid.costs(study, &all).plan(budget.left(), wanted.important);
        let left_out = |what: &str, names: Vec<&str>| {
            (!names.is_empty()).then(|| format!("Left out for lack of time: {what} {}.", names.join(", ")))
        };
        let outside = |kept: &[usize], index: usize| !kept.contains(&index);
        let programs = (0..all.len()).filter(|&p| outside(&plan.programs, p));
        let programs = left_out("programs", programs.map(|p| grid.programs[p].name.as_str()).collect());
        let columns = (0..grid.columns.len()).filter(|&c| outside(&plan.columns, c));
        let columns = left_out("engines", columns.map(|c| grid.columns[c].name()).collect());
        let settings = grid.settings[plan.settings..].iter().map(|s| s.name.as_str()).collect();
        let settings = left_out("settings", settings);
        grid.notes.extend([programs, columns, settings].into_iter().flatten());
        grid.notes.iter().for_each(|note| println!("{}: {note}", wanted.section));
        let ready = grid.keep(&plan, ready);
        let chosen: Vec<usize> = plan.programs.iter().map(|&p| all[p]).collect();
        grid.clean = vec![Vec::new(); chosen.len()];
        grid.clean_resident = vec![None; chosen.len()];
        let (mut done, mut longest) = (0, 0.0);
        for round in 0..plan.rounds {
            if done > 0 && budget.is_over(longest) {
                break;
            }
            let doing = format!("{}: round {} of {}", wanted.section, round + 1, plan.rounds);
            let begin = Instant::now();
            let sample = if round < plan.warmup { Ready::sample_with_memory } else { Ready::sample };
            grid.round(study, &chosen, &ready, round as usize, sample, &doing);
            longest = begin.elapsed().as_secs_f64().max(longest);
            done += 1;
        }
        let warmup = if done > plan.warmup { plan.warmup as usize } else { 0 };
        grid.rounds = done as usize - warmup;
        grid.forget(warmup);
        progress("");
        grid.report_failures(study, wanted.section);
        grid
    }

    /// Compiles everything, and finds what need not be measured twice.
    fn prepare(&mut self, study: &mut Study, section: &str) -> Vec<Option<Ready>> {
        let refusals: Vec<Option<String>> = self
            .settings
            .iter()
            .map(|setting| study.offer.refusal(&[setting.words.clone(), setting.rts.clone()].concat()))
            .collect();
        let mut all = Vec::new();
        for program in &self.programs {
            progress(&format!("{section}: preparing {}", program.name));
            for column in &self.columns {
                let mut files = BTreeMap::new();
                for (s, (setting, refusal)) in self.settings.iter().zip(&refusals).enumerate() {
                    let result = match refusal {
                        Some(message) => Err(Problem::Unavailable(message.clone())),
                        None => ready_with_counts(study, program, column, &setting.words),
                    };
                    let mut cell = Cell::default();
                    let mut ready = None;
                    match result {
                        Ok((made, built)) => {
                            if let Ok(bytes) = std::fs::read(made.file()) {
                                let first = *files.entry((bytes, &setting.rts)).or_insert(s);
                                cell.same_as = (first != s).then_some(first);
                            }
                            (ready, cell.built) = (Some(made), Some(built));
                        }
                        Err(problem) => cell.problem = Some(problem),
                    }
                    self.cells.push(cell);
                    all.push(ready);
                }
            }
        }
        all
    }

    /// What one round of all this takes.
    fn costs(&self, study: &Study, programs: &[usize]) -> Costs {
        let place = |column: &Column| {
            study.columns.iter().position(|other| other.name() == column.name()).expect("columns of the study")
        };
        let is_measured = |cell: &Cell| cell.problem.is_none() && cell.same_as.is_none();
        let seconds = |p: usize, c: usize| {
            let one = study.pilot.sample[programs[p]][place(&self.columns[c])];
            (0..self.settings.len()).map(|s| if is_measured(self.own(p, c, s)) { one } else { 0.0 }).collect()
        };
        let of_program = |p: usize| (0..self.columns.len()).map(|c| seconds(p, c)).collect();
        Costs {
            sample: (0..programs.len()).map(of_program).collect(),
            baseline: programs.iter().map(|&p| study.pilot.clean[p].as_ref().map_or(0.0, |clean| clean.1)).collect(),
            settings: self.settings.len(),
        }
    }

    /// Drops what the plan has no time for.
    fn keep(&mut self, plan: &Plan, mut ready: Vec<Option<Ready>>) -> Vec<Option<Ready>> {
        let (columns, settings) = (self.columns.len(), self.settings.len());
        let mut cells = std::mem::take(&mut self.cells);
        let mut kept = Vec::new();
        for &p in &plan.programs {
            for &c in &plan.columns {
                for s in 0..plan.settings {
                    let at = (p * columns + c) * settings + s;
                    self.cells.push(std::mem::take(&mut cells[at]));
                    kept.push(ready[at].take());
                }
            }
        }
        self.programs = plan.programs.iter().map(|&p| self.programs[p].clone()).collect();
        self.columns = plan.columns.iter().map(|&c| self.columns[c].clone()).collect();
        self.settings.truncate(plan.settings);
        self.default = self.default.min(plan.settings - 1);
        kept
    }

    fn round(
        &mut self,
        study: &mut Study,
        chosen: &[usize],
        ready: &[Option<Ready>],
        round: usize,
        sample: impl Fn(&Ready, &Program, Option<&str>) -> anyhow::Result<Measured>,
        doing: &str,
    ) {
        let per_program = self.columns.len() * self.settings.len();
        for (index, program) in self.programs.iter().enumerate() {
            progress(&format!("{doing}: {}", program.name));
            if let Some((clean, _)) = &study.pilot.clean[chosen[index]]
                && let Ok(sample) = sample(clean, program, None)
            {
                let resident = &mut self.clean_resident[index];
                *resident = resident.or(sample.find("resident_bytes"));
                self.clean[index].push(sample);
            }
            for step in 0..per_program {
                let at = index * per_program + (step + round * 7) % per_program;
                let cell = &mut self.cells[at];
                let (Some(ready), None, None) = (&ready[at], &cell.problem, cell.same_as) else { continue };
                let rts = self.settings[at % self.settings.len()].rts.join(" ");
                match sample(ready, program, Some(rts.as_str()).filter(|rts| !rts.is_empty())) {
                    Ok(sample) => {
                        cell.resident = cell.resident.or(sample.find("resident_bytes"));
                        cell.samples.push(sample);
                    }
                    Err(error) => cell.problem = Some(Problem::ErrorReported(first_line(&format!("{error:#}")))),
                }
            }
        }
    }

    /// Drops the samples of warm-up.
    fn forget(&mut self, warmup: usize) {
        let cells = self.cells.iter_mut().map(|cell| &mut cell.samples);
        for samples in cells.chain(&mut self.clean) {
            samples.drain(..warmup.min(samples.len()));
        }
    }

    fn report_failures(&mut self, study: &mut Study, section: &str) {
        for p in 0..self.programs.len() {
            for c in 0..self.columns.len() {
                for s in 0..self.settings.len() {
                    if let Some(Problem::ErrorReported(message)) = &self.own(p, c, s).problem {
                        let (program, column) = (&self.programs[p].name, self.columns[c].name());
                        let text = format!("{program} with {} in {column}: {message}", self.settings[s].line());
                        self.notes.push(format!("Failed: {text}"));
                        study.failures.push(format!("{section}: {text}"));
                    }
                }
            }
        }
    }

    fn own(&self, program: usize, column: usize, setting: usize) -> &Cell {
        &self.cells[(program * self.columns.len() + column) * self.settings.len() + setting]
    }

    /// What was measured: where two settings make the same file, that of the first.
    pub fn cell(&self, program: usize, column: usize, setting: usize) -> &Cell {
        let own = self.own(program, column, setting);
        own.same_as.map_or(own, |first| self.own(program, column, first))
    }

    /// The times that are compared, in milliseconds.
    pub fn times(&self, program: usize, column: usize, setting: usize) -> Option<Summary> {
        let cell = self.cell(program, column, setting);
        let times: Vec<f64> = cell.samples.iter().map(|sample| 1e3 * self.columns[column].time(sample)).collect();
        (cell.problem.is_none() && !times.is_empty()).then(|| Summary::of(&times))
    }

    pub fn has_clean(&self) -> bool {
        self.clean.iter().any(|samples| !samples.is_empty())
    }

    /// What ratios refer to.
    pub fn baseline_name(&self) -> String {
        match (self.has_clean(), self.columns.first()) {
            (true, _) => "clean".into(),
            (false, Some(column)) => format!("{} with default settings", column.name()),
            (false, None) => "-".into(),
        }
    }

    /// The fastest run of the baseline, in milliseconds.
    pub fn baseline(&self, program: usize) -> Option<f64> {
        if self.has_clean() {
            let times: Vec<f64> = self.clean[program].iter().map(|sample| 1e3 * sample.get("total_s")).collect();
            (!times.is_empty()).then(|| Summary::of(&times).min)
        } else {
            self.times(program, 0, self.default).map(|times| times.min)
        }
    }

    /// The largest resident memory of Clean's program.
    pub fn clean_memory(&self, program: usize) -> Option<f64> {
        *self.clean_resident.get(program)?
    }

    /// Ratio of the fastest runs to the baseline.
    pub fn ratio(&self, program: usize, column: usize, setting: usize) -> Option<f64> {
        Some(self.times(program, column, setting)?.min / self.baseline(program)?)
    }

    /// Ratio of the fastest runs to the setting with which this one is compared, in the same column.
    pub fn change(&self, program: usize, column: usize, setting: usize) -> Option<f64> {
        let other = self.times(program, column, self.settings[setting].against)?;
        Some(self.times(program, column, setting)?.min / other.min)
    }

    /// True if the compiler makes the same file with the setting that this one is compared with.
    pub fn is_same(&self, program: usize, column: usize, setting: usize) -> bool {
        let first = |setting: usize| self.own(program, column, setting).same_as.unwrap_or(setting);
        first(setting) == first(self.settings[setting].against)
    }

    /// Ratio of what the compiler counted to the setting with which this one is compared.
    pub fn rc_change(&self, name: &str, column: usize, setting: usize) -> Option<f64> {
        let own = self.counted(name, column, setting)?;
        let other = self.counted(name, column, self.settings[setting].against)?;
        (other > 0.0).then(|| own / other)
    }

    /// The sum over all programs of what the compiler counted.
    pub fn counted(&self, name: &str, column: usize, setting: usize) -> Option<f64> {
        let counts = (0..self.programs.len()).map(|p| self.own(p, column, setting).built.as_ref()?.find(name));
        counts.sum()
    }

    /// The sum over all programs of the mean of what the runs reported.
    pub fn reported(&self, name: &str, column: usize, setting: usize) -> Option<f64> {
        let mean = |p: usize| {
            let samples = &self.cell(p, column, setting).samples;
            let values: Vec<f64> = samples.iter().filter_map(|sample| sample.find(name)).collect();
            (!values.is_empty()).then(|| Summary::of(&values).mean)
        };
        (0..self.programs.len()).map(mean).sum()
    }

    /// The sum over all programs of resident memory in bytes.
    pub fn resident(&self, column: usize, setting: usize) -> Option<f64> {
        (0..self.programs.len()).map(|p| self.cell(p, column, setting).resident).sum()
    }

    /// The geometric mean over all programs, and the worst of them; how many there are, where some are missing.
    pub fn mean(&self, ratio: impl Fn(usize) -> Option<f64>) -> Option<Mean> {
        let found: Vec<(usize, f64)> = (0..self.programs.len()).filter_map(|p| Some((p, ratio(p)?))).collect();
        let ratios: Vec<f64> = found.iter().map(|found| found.1).collect();
        let (program, value) = found[worst(&ratios)?];
        let worst = (self.programs[program].name.clone(), value);
        let missing = self.programs.len() - found.len();
        Some(Mean { value: geometric_mean(&ratios), median: median(&ratios), worst, missing })
    }

    /// Why there is no time: for tables.
    pub fn absence(&self, column: usize, setting: usize) -> &'static str {
        let problems = (0..self.programs.len()).filter_map(|p| self.cell(p, column, setting).problem.as_ref());
        let mut text = "-";
        for problem in problems {
            match problem {
                Problem::ErrorReported(_) => return "failed",
                Problem::Unavailable(_) => text = "not available",
            }
        }
        text
    }

    /// Half of all cells vary less: standard deviation in percent of the mean.
    pub fn spread(&self) -> Option<f64> {
        let mut all = Vec::new();
        for p in 0..self.programs.len() {
            for c in 0..self.columns.len() {
                all.extend((0..self.settings.len()).filter_map(|s| self.times(p, c, s)));
            }
        }
        all.retain(|times| times.count > 1 && times.mean > 0.0);
        let spreads: Vec<f64> = all.iter().map(|times| 100.0 * times.sigma / times.mean).collect();
        (!spreads.is_empty()).then(|| median(&spreads))
    }

    /// Every sample.
    pub fn json(&self) -> Json {
        let texts = |texts: &[String]| Json::List(texts.iter().map(Json::text).collect());
        let setting = |setting: &Setting| {
            Json::object([
                ("name", Json::text(&setting.name)),
                ("compiler", texts(&setting.words)),
                ("runtime", texts(&setting.rts)),
                ("against", Json::text(&self.settings[setting.against.min(self.settings.len() - 1)].name)),
            ])
        };
        let mut cells = Vec::new();
        for (p, program) in self.programs.iter().enumerate() {
            for (c, column) in self.columns.iter().enumerate() {
                for (s, setting) in self.settings.iter().enumerate() {
                    let cell = self.own(p, c, s);
                    let ratio = |ratio: Option<f64>| ratio.map_or(Json::Null, Json::Number);
                    let (state, message) = match &cell.problem {
                        None if cell.same_as.is_some() => ("same file", Json::Null),
                        None => ("measured", Json::Null),
                        Some(Problem::Unavailable(message)) => ("not available", Json::text(message)),
                        Some(Problem::ErrorReported(message)) => ("failed", Json::text(message)),
                    };
                    let same = cell.same_as.map_or(Json::Null, |first| Json::text(&self.settings[first].name));
                    let built = cell.built.as_ref().map(|built| samples(std::slice::from_ref(built)));
                    cells.push(Json::object([
                        ("program", Json::text(&program.name)),
                        ("engine", Json::text(column.name())),
                        ("setting", Json::text(&setting.name)),
                        ("state", Json::text(state)),
                        ("message", message),
                        ("same_file_as", same),
                        ("ratio", ratio(self.ratio(p, c, s))),
                        ("change", ratio(self.change(p, c, s))),
                        ("resident_bytes", ratio(cell.resident)),
                        ("compiler", built.unwrap_or(Json::Null)),
                        ("samples", samples(&cell.samples)),
                    ]));
                }
            }
        }
        let clean =
            self.programs.iter().zip(&self.clean).map(|(program, list)| {
                Json::object([("program", Json::text(&program.name)), ("samples", samples(list))])
            });
        Json::object([
            ("baseline", Json::text(self.baseline_name())),
            ("rounds", Json::Integer(self.rounds as u64)),
            ("notes", texts(&self.notes)),
            ("settings", Json::List(self.settings.iter().map(setting).collect())),
            ("clean", Json::List(clean.collect())),
            ("cells", Json::List(cells)),
        ])
    }
}

/// A geometric mean of ratios.
pub struct Mean {
    pub value: f64,
    pub median: f64,
    /// A program and its ratio.
    pub worst: (String, f64),
    /// Programs that it does not cover.
    pub missing: usize,
}
