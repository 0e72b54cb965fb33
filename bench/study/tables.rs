//! Tables that several sections show of their grid.

use crate::report::Table;
use crate::study::grid::{Grid, Mean};

/// A ratio, or why there is none.
pub fn ratio(grid: &Grid, column: usize, setting: usize, mean: Option<Mean>) -> String {
    match mean {
        None => grid.absence(column, setting).to_string(),
        Some(mean) if mean.missing > 0 => format!("{:.2} (without {})", mean.value, mean.missing),
        Some(mean) => format!("{:.2}", mean.value),
    }
}

/// The same with the worst program.
pub fn worst(mean: Option<&Mean>) -> String {
    mean.map_or("-".into(), |mean| format!("{:.2} {}", mean.worst.1, mean.worst.0))
}

/// A number, where there is one.
pub fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".into(), |value| format!("{value:.decimals$}"))
}

/// What all tables of a grid say below them.
pub fn notes(grid: &Grid) -> Vec<String> {
    let mut notes = grid.notes.clone();
    if let Some(spread) = grid.spread() {
        notes.push(format!(
            "{} counted runs of each in interleaved rounds; the median of the standard deviations is {spread:.1} % of the mean. \
             Ratios are those of the fastest runs, means are geometric over {} programs.",
            grid.rounds,
            grid.programs.len()
        ));
    } else if !grid.programs.is_empty() {
        notes.push(format!("{} counted run(s) of each: the spread is unknown.", grid.rounds));
    }
    notes
}

/// Settings by rows: the mean ratio to the baseline in each column, and the worst program.
pub fn to_baseline(grid: &Grid, title: &str) -> Table {
    let mut table = Table::new(format!("{title}: time ÷ {}", grid.baseline_name()), &["setting"]);
    for column in &grid.columns {
        table.head.extend([column.name().to_string(), "worst program".to_string()]);
    }
    for (s, setting) in grid.settings.iter().enumerate() {
        let mut row = vec![setting.name.clone()];
        for c in 0..grid.columns.len() {
            let mean = grid.mean(|p| grid.ratio(p, c, s));
            let worst = worst(mean.as_ref());
            row.extend([ratio(grid, c, s, mean), worst]);
        }
        table.rows.push(row);
    }
    table
}

/// Settings by rows: the mean ratio to the setting that each is compared with. Settings that are compared with
/// themselves have no row.
pub fn changes(grid: &Grid, title: &str) -> Table {
    let mut table = Table::new(title, &["setting"]);
    for column in &grid.columns {
        table.head.extend([column.name().to_string(), "median".to_string(), "worst program".to_string()]);
    }
    for (s, setting) in grid.settings.iter().enumerate().filter(|(s, setting)| *s != setting.against) {
        let mut row = vec![setting.name.clone()];
        for c in 0..grid.columns.len() {
            let mean = grid.mean(|p| grid.change(p, c, s));
            let median = number(mean.as_ref().map(|mean| mean.median), 2);
            let worst = worst(mean.as_ref());
            row.extend([ratio(grid, c, s, mean), median, worst]);
        }
        table.rows.push(row);
    }
    table
}

/// Programs by rows, settings by columns: ratios to the baseline in one engine.
pub fn by_program(grid: &Grid, column: usize) -> Table {
    let title = format!("{}: time ÷ {}, by program", grid.columns[column].name(), grid.baseline_name());
    let mut table = Table::new(title, &["program"]);
    table.head.extend(grid.settings.iter().map(|setting| setting.name.clone()));
    for (p, program) in grid.programs.iter().enumerate() {
        let mut row = vec![program.name.clone()];
        for s in 0..grid.settings.len() {
            row.push(number(grid.ratio(p, column, s), 2));
        }
        table.rows.push(row);
    }
    table
}

/// Programs by rows, settings by columns: milliseconds with their spread in one engine.
pub fn milliseconds(grid: &Grid, column: usize) -> Table {
    let title = format!("{}: ms, mean ± σ (fastest)", grid.columns[column].name());
    let mut table = Table::new(title, &["program"]);
    table.head.extend(grid.settings.iter().map(|setting| setting.name.clone()));
    for (p, program) in grid.programs.iter().enumerate() {
        let mut row = vec![program.name.clone()];
        for s in 0..grid.settings.len() {
            let text =
                |times: crate::stats::Summary| format!("{:.1} ± {:.1} ({:.1})", times.mean, times.sigma, times.min);
            row.push(grid.times(p, column, s).map_or("-".into(), text));
        }
        table.rows.push(row);
    }
    table
}
