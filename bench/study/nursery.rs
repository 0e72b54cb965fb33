//! Collectors and the size of what they fill before they collect: the nursery of the generational one, the first
//! semispace of the copying one.

use crate::report::Table;
use crate::study::Study;
use crate::study::chart;
use crate::study::grid::{Grid, Setting, Wanted};
use crate::study::plan::Budget;
use crate::study::tables::{self, number};
use crate::study::write::Report;

/// From 64 KiB to 64 MiB.
const NURSERIES: std::ops::RangeInclusive<u32> = 16..=26;
/// The collector without a nursery.
const COPYING: &str = "copying";

pub fn run(study: &mut Study, budget: Budget) -> Report {
    let wanted = Wanted {
        section: "nursery",
        settings: settings(study),
        default: 0,
        columns: study.columns.clone(),
        important: 1,
        programs: &[],
    };
    let grid = Grid::measure(study, budget, wanted);
    let mut summary = tables::to_baseline(&grid, "Collectors and sizes");
    summary.notes = tables::notes(&grid);
    let mut all = vec![summary, collections(&grid)];
    all.extend((0..grid.columns.len()).map(|column| tables::by_program(&grid, column)));
    Report { tables: all, charts: vec![("nursery".to_string(), chart::nursery(&grid))], json: grid.json() }
}

/// As `64k` or `4m`.
fn size(power: u32) -> String {
    if power < 20 { format!("{}k", 1u64 << (power - 10)) } else { format!("{}m", 1u64 << (power - 20)) }
}

fn settings(study: &Study) -> Vec<Setting> {
    let mut settings = vec![Setting::new("default", &[])];
    let collectors = study.offer.values("gc");
    for collector in &collectors {
        settings.push(Setting::new(collector, &[]).with_rts(&[format!("--gc={collector}")]));
    }
    let copying = if collectors.is_empty() { Vec::new() } else { vec![format!("--gc={COPYING}")] };
    for power in NURSERIES.step_by(2) {
        let words = [copying.clone(), vec!["-gci".to_string(), size(power)]].concat();
        settings.push(Setting::new(format!("{COPYING} {}", size(power)), &[]).with_rts(&words));
    }
    // What there is, or, before there is a nursery, what the tables miss.
    let mut with_nursery: Vec<&str> = collectors.iter().map(String::as_str).filter(|name| *name != COPYING).collect();
    if with_nursery.is_empty() {
        with_nursery.push("generational");
    }
    for collector in with_nursery {
        for power in NURSERIES {
            let words = [format!("--gc={collector}"), format!("--nursery={}", size(power))];
            settings.push(Setting::new(format!("{collector} {}", size(power)), &[]).with_rts(&words));
        }
    }
    settings
}

fn collections(grid: &Grid) -> Table {
    let head = [
        "setting",
        "engine",
        "collections",
        "of them minor",
        "copied MB",
        "collecting ms",
        "of all time",
        "heap MB",
        "resident MB",
    ];
    let mut table = Table::new("Collections, sums over all programs", &head);
    for (s, setting) in grid.settings.iter().enumerate() {
        for (c, column) in grid.columns.iter().enumerate() {
            let value = |name, factor: f64| number(grid.reported(name, c, s).map(|value| factor * value), 0);
            let share = grid.reported("gc_s", c, s).zip(grid.reported("run_s", c, s)).map(|(gc, run)| 100.0 * gc / run);
            table.rows.push(vec![
                setting.name.clone(),
                column.name().to_string(),
                value("collections", 1.0),
                value("minor_collections", 1.0),
                value("copied_bytes", 1e-6),
                value("gc_s", 1e3),
                share.map_or("-".into(), |share| format!("{share:.0} %")),
                value("heap_bytes", 1e-6),
                number(grid.resident(c, s).map(|bytes| bytes / 1e6), 0),
            ]);
        }
    }
    table
}
