//! Which chart shows what of a grid.

use crate::study::grid::Grid;
use crate::study::svg::Chart;

/// Bars above it are cut off: a program that one engine ruins should not hide the others.
const MOST: f64 = 3.0;

/// Geometric means: engines by strategies.
pub fn strategies(grid: &Grid) -> String {
    let places = grid.columns.iter().map(|column| column.name().to_string()).collect();
    let series = grid.settings.iter().enumerate().map(|(s, setting)| {
        let mean = |c| grid.mean(|p| grid.ratio(p, c, s)).map(|mean| mean.value);
        (setting.name.clone(), (0..grid.columns.len()).map(mean).collect())
    });
    Chart {
        title: format!("Root strategies: geometric mean of {} programs", grid.programs.len()),
        unit: unit(grid),
        places,
        series: series.collect(),
        most: Some(MOST),
    }
    .bars()
}

/// Programs by engines, with the default strategy.
pub fn programs(grid: &Grid) -> String {
    let mut places: Vec<String> = grid.programs.iter().map(|program| program.name.clone()).collect();
    places.push("mean".into());
    let series = grid.columns.iter().enumerate().map(|(c, column)| {
        let mut values: Vec<Option<f64>> = (0..grid.programs.len()).map(|p| grid.ratio(p, c, 0)).collect();
        values.push(grid.mean(|p| grid.ratio(p, c, 0)).map(|mean| mean.value));
        (column.name().to_string(), values)
    });
    let title = format!("Time of the programs ÷ {}, geometric mean at the end", grid.baseline_name());
    Chart { title, unit: unit(grid), places, series: series.collect(), most: Some(MOST) }.bars()
}

/// What each setting costs against the one that it is compared with: settings by engines.
pub fn changes(grid: &Grid, title: &str) -> String {
    let settings: Vec<usize> = (0..grid.settings.len()).filter(|&s| grid.settings[s].against != s).collect();
    let places = settings.iter().map(|&s| grid.settings[s].name.trim_start_matches("without ").to_string());
    let series = grid.columns.iter().enumerate().map(|(c, column)| {
        let mean = |&s: &usize| grid.mean(|p| grid.change(p, c, s)).map(|mean| mean.value);
        (column.name().to_string(), settings.iter().map(mean).collect())
    });
    let unit = "time ÷ time with everything".to_string();
    Chart { title: title.into(), unit, places: places.collect(), series: series.collect(), most: Some(MOST) }.bars()
}

/// Means over sizes: a line for each engine and collector.
pub fn nursery(grid: &Grid) -> String {
    // Settings are named `COLLECTOR SIZE`.
    let parts = |s: usize| grid.settings[s].name.split_once(' ');
    let (mut sizes, mut collectors) = (Vec::new(), Vec::new());
    for (collector, size) in (0..grid.settings.len()).filter_map(parts) {
        for (list, word) in [(&mut collectors, collector), (&mut sizes, size)] {
            if !list.contains(&word) {
                list.push(word);
            }
        }
    }
    // In order of their size: the unit, then the number.
    sizes.sort_by_key(|size| (size.ends_with('m'), size.trim_end_matches(['k', 'm']).parse::<u32>().unwrap_or(0)));
    let mut series = Vec::new();
    for (c, column) in grid.columns.iter().enumerate() {
        for collector in &collectors {
            let mean = |size: &&str| {
                let s = (0..grid.settings.len()).find(|&s| parts(s) == Some((collector, size)))?;
                grid.mean(|p| grid.ratio(p, c, s)).map(|mean| mean.value)
            };
            let values: Vec<Option<f64>> = sizes.iter().map(mean).collect();
            if values.iter().any(Option::is_some) {
                series.push((format!("{collector}, {}", column.name()), values));
            }
        }
    }
    let places = sizes.iter().map(|size| (*size).to_string()).collect();
    let title = format!("Nursery, or first semispace: geometric mean of {} programs", grid.programs.len());
    Chart { title, unit: unit(grid), places, series, most: Some(MOST) }.lines()
}

/// Programs and engines by variants.
pub fn thesis(grid: &Grid) -> String {
    let pairs: Vec<(usize, usize)> =
        (0..grid.programs.len()).flat_map(|p| (0..grid.columns.len()).map(move |c| (p, c))).collect();
    let name = |&(p, c): &(usize, usize)| format!("{}, {}", grid.programs[p].name, grid.columns[c].name());
    let series = grid
        .settings
        .iter()
        .enumerate()
        .map(|(s, setting)| (setting.name.clone(), pairs.iter().map(|&(p, c)| grid.ratio(p, c, s)).collect()));
    Chart {
        title: "The programs of the thesis".into(),
        unit: unit(grid),
        places: pairs.iter().map(name).collect(),
        series: series.collect(),
        most: Some(2.0 * MOST),
    }
    .bars()
}

fn unit(grid: &Grid) -> String {
    format!("time ÷ {}", grid.baseline_name())
}
