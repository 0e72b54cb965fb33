//! What was measured of the wide set, as tables and as JSON.

use crate::json::Json;
use crate::machine::Machine;
use crate::report::{Table, samples};
use crate::stats::{geometric_mean, median, worst};
use crate::wide::WideArgs;
use crate::wide::rows::{Cell, Column, Row, Set};
use crate::wide::way::Way;

pub fn all(set: &Set, args: &WideArgs) -> Vec<Table> {
    let mut tables = vec![times(set, args.runs), sizes(set), elapsed(set)];
    if !args.without.is_empty() {
        tables.push(without(set));
    }
    tables
}

/// Indices of the columns of whole programs.
fn whole(set: &Set) -> Vec<usize> {
    (0..set.columns.len()).filter(|&column| set.columns[column].without.is_none()).collect()
}

fn ratio(name: &str, cell: &Cell, base: &Cell) -> Option<f64> {
    Some(cell.least(name)? / base.least(name)?)
}

fn shown(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.digits$}"))
}

/// Ratios of one column with the rows they belong to.
type Ratios = Vec<(usize, f64)>;

/// Rows under the programs: the mean, the worst, how many are above 1. Columns without ratios get nothing.
fn summary(set: &Set, columns: &[Option<Ratios>]) -> Vec<Vec<String>> {
    let row = |title: &str, of: &dyn Fn(&Ratios) -> String| {
        let cells = columns.iter().map(|ratios| ratios.as_ref().map_or(String::new(), of));
        std::iter::once(title.to_string()).chain(cells).collect::<Vec<String>>()
    };
    let values = |ratios: &Ratios| ratios.iter().map(|ratio| ratio.1).collect::<Vec<f64>>();
    let place = |ratios: &Ratios| worst(&values(ratios)).map(|place| ratios[place]);
    vec![
        row("geometric mean", &|ratios| format!("{:.2}", geometric_mean(&values(ratios)))),
        row("worst", &|ratios| match place(ratios) {
            Some((row, value)) => format!("{value:.2} {}", set.rows[row].program.name),
            None => String::new(),
        }),
        row("above 1.00", &|ratios| {
            let above = ratios.iter().filter(|ratio| ratio.1 > 1.0).count();
            format!("{above} of {}", ratios.len())
        }),
    ]
}

fn collect(set: &Set, of: impl Fn(&Row) -> Option<f64>) -> Ratios {
    set.rows.iter().enumerate().filter_map(|(place, row)| Some((place, of(row)?))).collect()
}

/// Processor times, and their ratios to Clean's.
fn times(set: &Set, runs: u32) -> Table {
    let title = format!("Processor time ÷ Clean's native code with its best heap, minima of {runs} rounds");
    let mut table = Table::new(title, &["program", "Clean s", "heap MiB"]);
    let columns = whole(set);
    table.head.extend(columns.iter().map(|&column| set.columns[column].name.clone()));
    for row in &set.rows {
        let heap = row.heap.map_or("-".to_string(), |heap| (heap >> 20).to_string());
        let mut cells = vec![row.program.name.clone(), shown(row.clean.least("cpu_s"), 3), heap];
        cells.extend(columns.iter().map(|&column| shown(ratio("cpu_s", &row.cells[column], &row.clean), 2)));
        table.rows.push(cells);
    }
    let of = |&column: &usize| Some(collect(set, |row| ratio("cpu_s", &row.cells[column], &row.clean)));
    let ratios: Vec<Option<Ratios>> = [None, None].into_iter().chain(columns.iter().map(of)).collect();
    table.rows.extend(summary(set, &ratios));
    for &column in &columns {
        if matches!(set.columns[column].way, Way::Native { .. }) {
            continue;
        }
        let all = collect(set, |row| Some(row.cells[column].least("process_cpu_s")? / row.clean.least("cpu_s")?));
        let mean = geometric_mean(&all.iter().map(|ratio| ratio.1).collect::<Vec<f64>>());
        let name = &set.columns[column].name;
        table.notes.push(format!("{name} with its start and its compilation: geometric mean {mean:.2}."));
    }
    table.notes.push(
        "Machine code: the whole process. In wasmtime: from the start of the program on, collections included. In node: \
         a `.mjs` from the start of its loader on, with what node compiles."
            .to_string(),
    );
    table
}

/// Peak memory of machine code, and bytes of code.
fn sizes(set: &Set) -> Table {
    let head = ["program", "Clean MiB", "ours MiB", "ratio", "Clean kB", "ours kB", "ratio", "wasm kB", "ratio"];
    let mut table = Table::new("Peak of resident memory, and code with the runtime", &head);
    let find = |wanted: fn(&Column) -> bool| whole(set).into_iter().find(|&column| wanted(&set.columns[column]));
    let native = find(|column| matches!(column.way, Way::Native { .. }));
    let wasm = find(|column| !matches!(column.way, Way::Native { .. }));
    let cell = |row: &'_ Row, column: Option<usize>| column.map(|column| row.cells[column].code_bytes);
    let code = |row: &Row, column: Option<usize>| Some(cell(row, column)?? as f64);
    let clean_code = |row: &Row| Some(row.clean.code_bytes? as f64);
    let peak = |cell: &Cell| cell.least("resident_bytes").map(|bytes| bytes / 1_048_576.0);
    let own_peak = |row: &Row| peak(&row.cells[native?]);
    let of_peak = |row: &Row| Some(own_peak(row)? / peak(&row.clean)?);
    let of_native = |row: &Row| Some(code(row, native)? / clean_code(row)?);
    let of_wasm = |row: &Row| Some(code(row, wasm)? / clean_code(row)?);
    let kilo = |bytes: Option<f64>| bytes.map(|bytes| bytes / 1e3);
    for row in &set.rows {
        let mut cells = vec![row.program.name.clone(), shown(peak(&row.clean), 1), shown(own_peak(row), 1)];
        cells.push(shown(of_peak(row), 2));
        cells.extend([shown(kilo(clean_code(row)), 1), shown(kilo(code(row, native)), 1), shown(of_native(row), 2)]);
        cells.extend([shown(kilo(code(row, wasm)), 1), shown(of_wasm(row), 2)]);
        table.rows.push(cells);
    }
    let columns = [
        None,
        None,
        Some(collect(set, of_peak)),
        None,
        None,
        Some(collect(set, of_native)),
        None,
        Some(collect(set, of_wasm)),
    ];
    table.rows.extend(summary(set, &columns));
    table.notes.push("Memory of Clean's code: with the heap with which it is fastest.".to_string());
    table.notes.push("Clean links the modules that a program imports as a whole.".to_string());
    table
}

/// Elapsed times and how far the samples are apart.
fn elapsed(set: &Set) -> Table {
    let mut table = Table::new("Elapsed time ÷ Clean's, and greatest ÷ least processor time", &["program", "Clean s"]);
    table.head.push("spread".into());
    let columns = whole(set);
    for &column in &columns {
        table.head.extend([set.columns[column].name.clone(), "spread".into()]);
    }
    for row in &set.rows {
        let mut cells = vec![row.program.name.clone(), shown(row.clean.least("total_s"), 3)];
        cells.push(shown(row.clean.spread(), 2));
        for &column in &columns {
            let cell = &row.cells[column];
            cells.extend([shown(ratio("total_s", cell, &row.clean), 2), shown(cell.spread(), 2)]);
        }
        table.rows.push(cells);
    }
    let middle = |of: &dyn Fn(&Row) -> Option<f64>| {
        let values: Vec<f64> = set.rows.iter().filter_map(of).collect();
        format!("{:.2}", median(&values))
    };
    let mut last = vec!["median".to_string(), String::new(), middle(&|row| row.clean.spread())];
    for &column in &columns {
        last.push(middle(&|row| ratio("total_s", &row.cells[column], &row.clean)));
        last.push(middle(&|row| row.cells[column].spread()));
    }
    table.rows.push(last);
    table
}

/// What single passes are worth: times without them ÷ times with all.
fn without(set: &Set) -> Table {
    let mut table = Table::new("Processor time without a pass ÷ with all passes", &["pass", "in", "geometric mean"]);
    table.head.extend(["worst without it", "better without it", "code"].map(str::to_string));
    for (index, column) in set.columns.iter().enumerate() {
        let Some(pass) = &column.without else { continue };
        let all = whole(set).into_iter().find(|&other| set.columns[other].name == column.name);
        let Some(all) = all else { continue };
        let ratios = collect(set, |row| ratio("cpu_s", &row.cells[index], &row.cells[all]));
        let code = collect(set, |row| {
            Some(row.cells[index].code_bytes? as f64 / row.cells[all].code_bytes.map(|bytes| bytes as f64)?)
        });
        let values = |ratios: &Ratios| ratios.iter().map(|ratio| ratio.1).collect::<Vec<f64>>();
        let named = |found: Option<&(usize, f64)>| match found {
            Some((row, value)) => format!("{value:.2} {}", set.rows[*row].program.name),
            None => "-".to_string(),
        };
        table.rows.push(vec![
            pass.clone(),
            column.name.clone(),
            format!("{:.3}", geometric_mean(&values(&ratios))),
            named(ratios.iter().max_by(|a, b| a.1.total_cmp(&b.1))),
            named(ratios.iter().min_by(|a, b| a.1.total_cmp(&b.1))),
            format!("{:.3}", geometric_mean(&values(&code))),
        ]);
    }
    table
}

pub fn json(set: &Set, machine: &Machine) -> Json {
    let cell = |name: &str, cell: &Cell| {
        Json::object([
            ("column", Json::text(name)),
            ("code_bytes", cell.code_bytes.map_or(Json::Null, Json::Integer)),
            ("failure", cell.failure.as_ref().map_or(Json::Null, Json::text)),
            ("samples", samples(&cell.samples)),
        ])
    };
    let row = |row: &Row| {
        let ours = row.cells.iter().zip(&set.columns).map(|(own, column)| cell(&column.title(), own));
        Json::object([
            ("program", Json::text(&row.program.name)),
            ("heap_bytes", row.heap.map_or(Json::Null, Json::Integer)),
            ("columns", Json::List(std::iter::once(cell("clean", &row.clean)).chain(ours).collect())),
        ])
    };
    Json::object([
        ("version", Json::Integer(1)),
        ("kind", Json::text("wide")),
        ("machine", machine.json()),
        ("programs", Json::List(set.rows.iter().map(row).collect())),
    ])
}
