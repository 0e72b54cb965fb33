//! Every root strategy × engine on all programs; what each strategy writes into the programs, and their memory.

use crate::baseline::Column;
use crate::report::Table;
use crate::study::Study;
use crate::study::chart;
use crate::study::grid::{Grid, Setting, Wanted};
use crate::study::plan::Budget;
use crate::study::tables::{self, number};
use crate::study::write::Report;

pub fn run(study: &mut Study, budget: Budget) -> Report {
    let wanted = Wanted {
        section: "strategies",
        settings: settings(study),
        default: 0,
        columns: study.columns.clone(),
        important: study.columns.len(),
        programs: &[],
    };
    let grid = Grid::measure(study, budget, wanted);
    let mut summary = tables::to_baseline(&grid, "Root strategies");
    summary.notes = tables::notes(&grid);
    let mut all = vec![summary, counts(&grid), memory(&grid)];
    for column in 0..grid.columns.len() {
        all.push(tables::by_program(&grid, column));
        all.push(tables::milliseconds(&grid, column));
    }
    let charts =
        vec![("strategies".to_string(), chart::strategies(&grid)), ("programs".to_string(), chart::programs(&grid))];
    Report { tables: all, charts, json: grid.json() }
}

/// All strategies of the compiler, the default first.
pub fn settings(study: &Study) -> Vec<Setting> {
    let default = study.offer.default("roots").unwrap_or_default();
    let mut strategies = study.offer.values("roots");
    strategies.sort_by_key(|strategy| *strategy != default);
    strategies.iter().map(|strategy| Setting::new(strategy, &[&format!("--roots={strategy}")])).collect()
}

/// What the compiler wrote: sums over all programs.
fn counts(grid: &Grid) -> Table {
    let head =
        ["setting", "engine", "safepoints", "spills", "restores", "functions with a frame", "code bytes", "compile ms"];
    let mut table = Table::new("What the strategies write into the programs, sums over all programs", &head);
    for (s, setting) in grid.settings.iter().enumerate() {
        for (c, column) in grid.columns.iter().enumerate() {
            if matches!(column, Column::Node { .. }) {
                continue;
            }
            let count = |name| number(grid.counted(name, c, s), 0);
            let ms = number(grid.counted("compile_cpu_s", c, s).map(|seconds| 1e3 * seconds), 1);
            let mut row = vec![setting.name.clone(), column.name().to_string()];
            row.extend(["safepoints", "rooted_spills", "rooted_restores", "rooted_frames", "code_bytes"].map(count));
            row.push(ms);
            table.rows.push(row);
        }
    }
    table.notes.push("Code has that of the runtime in it. Compile time: processor time of one compilation of each; for executables, without the linker where that is another process.".to_string());
    table
}

/// What runs reported.
fn memory(grid: &Grid) -> Table {
    let head = ["setting", "engine", "collections", "allocated MB", "collecting ms", "resident MB", "÷ clean"];
    let mut table = Table::new("Collections and memory, sums over all programs", &head);
    for (s, setting) in grid.settings.iter().enumerate() {
        for (c, column) in grid.columns.iter().enumerate() {
            let value =
                |name, factor: f64, decimals| number(grid.reported(name, c, s).map(|value| factor * value), decimals);
            let to_clean = grid
                .mean(|p| Some(grid.cell(p, c, s).samples.first()?.find("resident_bytes")? / grid.clean_memory(p)?));
            let own = matches!(column, Column::Native);
            table.rows.push(vec![
                setting.name.clone(),
                column.name().to_string(),
                value("collections", 1.0, 0),
                value("allocated_bytes", 1e-6, 0),
                value("gc_s", 1e3, 0),
                number(grid.resident(c, s).map(|bytes| bytes / 1e6), 0),
                if own { number(to_clean.map(|mean| mean.value), 2) } else { "-".into() },
            ]);
        }
    }
    table.notes.push(
        "Resident: the largest memory of the process; under an engine, with the engine and its compiler. ÷ clean: \
         geometric mean; Clean's programs run with the heap that makes them fastest. No process shows less than the one that \
         starts it, some MB."
            .to_string(),
    );
    table
}
