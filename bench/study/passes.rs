//! Each pass of the optimiser, and each step of the root strategy `late`, left out alone.

use crate::baseline::Column;
use crate::report::Table;
use crate::study::Study;
use crate::study::chart;
use crate::study::grid::{Grid, Setting, Wanted};
use crate::study::plan::Budget;
use crate::study::tables::{self, number};
use crate::study::write::Report;

/// The strategy whose steps can be left out.
const LATE: &str = "late";

pub fn run(study: &mut Study, budget: Budget) -> Report {
    let wanted = Wanted {
        section: "passes",
        settings: settings(study),
        default: 0,
        columns: study.columns.clone(),
        important: study.columns.len().min(2),
        programs: &[],
    };
    let grid = Grid::measure(study, budget, wanted);
    let mut summary = tables::changes(&grid, "Time without a pass ÷ time with all; without a step ÷ all of `late`");
    summary.notes = tables::notes(&grid);
    let mut all = vec![summary, counts(&grid)];
    all.extend((0..grid.columns.len()).map(|column| by_program(&grid, column)));
    let chart = chart::changes(&grid, "What leaving out one thing costs: time without it ÷ time with everything");
    Report { tables: all, charts: vec![("passes".to_string(), chart)], json: grid.json() }
}

fn settings(study: &Study) -> Vec<Setting> {
    let mut settings = vec![Setting::new("everything", &[])];
    for pass in study.offer.passes() {
        settings.push(Setting::new(format!("without {pass}"), &[&format!("--no-{pass}")]));
    }
    let steps = study.offer.root_steps();
    if steps.is_empty() {
        return settings;
    }
    let late = settings.len();
    let strategy = format!("--roots={LATE}");
    settings.push(Setting::new(LATE, &[&strategy]).compared_to(late));
    for step in steps {
        let name = format!("{LATE} without {step}");
        settings.push(Setting::new(name, &[&strategy, &format!("--no-root-{step}")]).compared_to(late));
    }
    settings
}

/// Changes of what the compiler counts.
fn counts(grid: &Grid) -> Table {
    let head =
        ["setting", "engine", "code", "processor time of the compiler", "instructions", "spills", "restores", "frames"];
    let mut table = Table::new("What leaving it out changes in the programs: sums, as ratios", &head);
    for (s, setting) in grid.settings.iter().enumerate().filter(|(s, setting)| *s != setting.against) {
        for (c, column) in grid.columns.iter().enumerate() {
            if matches!(column, Column::Node { .. }) {
                continue;
            }
            let mut row = vec![setting.name.clone(), column.name().to_string()];
            let names = [
                "code_bytes",
                "compile_cpu_s",
                "rooted_instructions",
                "rooted_spills",
                "rooted_restores",
                "rooted_frames",
            ];
            row.extend(names.map(|name| number(grid.rc_change(name, c, s), 2)));
            table.rows.push(row);
        }
    }
    table
}

/// Programs by columns, since there are many settings.
fn by_program(grid: &Grid, column: usize) -> Table {
    let mut table = Table::new(format!("{}: the same by program", grid.columns[column].name()), &["setting"]);
    table.head.extend(grid.programs.iter().map(|program| program.name.clone()));
    for (s, setting) in grid.settings.iter().enumerate().filter(|(s, setting)| *s != setting.against) {
        let mut row = vec![setting.name.clone()];
        let change = |p: usize| match grid.is_same(p, column, s) {
            true => "=".into(),
            false => number(grid.change(p, column, s), 2),
        };
        row.extend((0..grid.programs.len()).map(change));
        table.rows.push(row);
    }
    table.notes.push("=: the compiler makes the same file with and without it.".to_string());
    table
}
