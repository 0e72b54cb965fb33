//! Compiles the programs of the wide set for each column, and takes samples in rounds.

use crate::child::{self, LIMIT, Measured, Task};
use crate::clean::Clean;
use crate::process;
use crate::runner::progress;
use crate::study::codesize;
use crate::wide::list::Program;
use crate::wide::way::{HEAPS, STACK, Way};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// One way to run all programs.
pub struct Column {
    pub name: String,
    /// The pass that is left out.
    pub without: Option<String>,
    pub way: Way,
}

/// A program made ready for a column, and its samples.
#[derive(Default)]
pub struct Cell {
    file: PathBuf,
    /// Of the file, with the runtime.
    pub code_bytes: Option<u64>,
    pub samples: Vec<Measured>,
    /// Why it has no samples, or too few.
    pub failure: Option<String>,
}

impl Cell {
    fn of(built: Result<PathBuf>) -> Cell {
        match built {
            Ok(file) => {
                let code_bytes = fs::read(&file).ok().and_then(|bytes| codesize::of(&bytes));
                Cell { file, code_bytes, ..Cell::default() }
            }
            Err(error) => Cell { failure: Some(format!("{error:#}")), ..Cell::default() },
        }
    }

    /// The least of a measurement; nothing if the program has failed.
    pub fn least(&self, name: &str) -> Option<f64> {
        let values = self.samples.iter().filter_map(|sample| sample.find(name));
        values.min_by(f64::total_cmp).filter(|_| self.failure.is_none())
    }

    /// Greatest ÷ least processor time.
    pub fn spread(&self) -> Option<f64> {
        let values = self.samples.iter().filter_map(|sample| sample.find("cpu_s"));
        Some(values.max_by(f64::total_cmp)? / self.least("cpu_s")?)
    }

    fn sample(&mut self, way: &Way, program: &Program, scratch: &Path) {
        if self.failure.is_some() {
            return;
        }
        match way.sample(program, &self.file, scratch) {
            Ok(sample) => self.samples.push(sample),
            Err(error) => self.failure = Some(format!("{error:#}")),
        }
    }
}

/// A program with everything that was measured of it.
pub struct Row {
    pub program: Program,
    /// Clean's code with the heap with which it was fastest in the first round.
    pub clean: Cell,
    pub heap: Option<u64>,
    /// Clean's code with each of the heaps.
    by_heap: Vec<PathBuf>,
    /// By column.
    pub cells: Vec<Cell>,
}

/// All programs.
pub struct Set {
    clean: Clean,
    pub columns: Vec<Column>,
    libraries: Vec<PathBuf>,
    scratch: PathBuf,
    pub rows: Vec<Row>,
}

impl Set {
    pub fn new(clean: Clean, columns: Vec<Column>, libraries: &[PathBuf], scratch: &Path) -> Set {
        Set { clean, columns, libraries: libraries.to_vec(), scratch: scratch.to_path_buf(), rows: Vec::new() }
    }

    /// Compiles a program for every column; the same words twice give one file.
    pub fn add(&mut self, program: Program) -> Result<()> {
        let folder = self.scratch.join(self.rows.len().to_string());
        fs::create_dir_all(&folder)?;
        let build = |heap: &u64| self.clean.with_memory(*heap, STACK).build(&program.abc, &folder, &heap.to_string());
        let built: Result<Vec<PathBuf>> = HEAPS.iter().map(build).collect();
        let by_heap = built.as_ref().map_or(Vec::new(), Clone::clone);
        let clean = Cell::of(built.map(|files| files[0].clone()));
        let mut cells: Vec<Cell> = Vec::new();
        for column in &self.columns {
            let Some(words) = column.way.words() else { bail!("{} compiles nothing", column.name) };
            let file = folder.join(column.way.file(&words));
            let built = if file.exists() { Ok(file) } else { self.compile(&program, &words, file) };
            cells.push(Cell::of(built));
        }
        self.rows.push(Row { program, clean, heap: None, by_heap, cells });
        Ok(())
    }

    fn compile(&self, program: &Program, words: &[String], file: PathBuf) -> Result<PathBuf> {
        let mut command = child::command(Task::Command, &program.abc, &self.libraries)?;
        command.arg("-o").arg(&file).arg("--").args(words);
        let ended = process::run(&mut command, LIMIT)?;
        if !ended.is_success() {
            let line = ended.stderr.lines().next().unwrap_or("no message").to_string();
            bail!("the compiler ended with {}: {line}", ended.end());
        }
        Ok(file)
    }

    /// Runs every program once in each column; Clean's in the first round with every heap.
    pub fn round(&mut self, round: u32, rounds: u32) {
        for row in &mut self.rows {
            progress(&format!("round {} of {rounds}: {}", round + 1, row.program.name));
            match row.heap {
                Some(_) => row.clean.sample(&Way::Clean, &row.program, &self.scratch),
                None if row.clean.failure.is_none() => row.try_heaps(&self.scratch),
                None => {}
            }
            for (cell, column) in row.cells.iter_mut().zip(&self.columns) {
                cell.sample(&column.way, &row.program, &self.scratch);
            }
        }
    }

    /// A line for each program and column that failed.
    pub fn failures(&self) -> impl Iterator<Item = String> {
        self.rows.iter().flat_map(|row| {
            let clean = row.clean.failure.iter().map(|why| format!("{}, clean: {why}", row.program.name));
            let pairs = row.cells.iter().zip(&self.columns);
            clean.chain(pairs.filter_map(|(cell, column)| {
                cell.failure.as_ref().map(|why| format!("{}, {}: {why}", row.program.name, column.title()))
            }))
        })
    }
}

impl Row {
    /// A heap that is too small ends the program with a message, which is no failure while another one is enough.
    fn try_heaps(&mut self, scratch: &Path) {
        let mut last = None;
        for (heap, file) in HEAPS.into_iter().zip(&self.by_heap) {
            match Way::Clean.sample(&self.program, file, scratch) {
                Ok(sample) => {
                    let least = self.clean.least("cpu_s");
                    if least.is_none_or(|least| sample.get("cpu_s") < least) {
                        self.heap = Some(heap);
                        self.clean.file.clone_from(file);
                        self.clean.samples = vec![sample];
                    }
                }
                Err(error) => last = Some(error),
            }
        }
        if self.heap.is_none() {
            let why = last.context("no heap was tried").unwrap_or_else(|error| error);
            self.clean.failure = Some(format!("{why:#}"));
        }
    }
}

impl Column {
    pub fn title(&self) -> String {
        match &self.without {
            Some(pass) => format!("{} without {pass}", self.name),
            None => self.name.clone(),
        }
    }
}
