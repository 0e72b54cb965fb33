//! The three programs of the thesis from which this project started, in its own form: one improvement added to the
//! other. Each of its variants is expressed by settings of ours.
//!
//! | variant of the thesis | here |
//! | --- | --- |
//! | naive: everything on the stack around each call | no optimisation, roots `each-call` |
//! | lazy: loaded when it is needed | no optimisation, roots `lazy` |
//! | inlined: helpers of the runtime at the place of use | passes within functions, and inlining |
//! | static nodes: constants are never built | also nodes built where their cells are, evaluation left out where the value is known |
//! | alias classes: loads are kept over stores of another kind | also value numbering with alias classes: all passes |
//! | fixed heap: one size, chosen for the program | also a heap that starts with 64 MiB |
//!
//! Static nodes are part of our layout, and cannot be left out; what is added in that row is what makes use of them.

use crate::study::Study;
use crate::study::chart;
use crate::study::grid::{Grid, Setting, Wanted};
use crate::study::plan::Budget;
use crate::study::tables;
use crate::study::write::Report;

const PROGRAMS: &[&str] = &["list", "astack", "binarytrees"];
/// Passes that come with a later variant.
const FOR_STATIC_NODES: &[&str] = &["sink-allocation", "evalelim", "blackhole"];
const FOR_ALIAS_CLASSES: &[&str] = &["gvn"];
const FIXED_HEAP: &[&str] = &["-gci", "64m"];

pub fn run(study: &mut Study, budget: Budget) -> Report {
    let wanted = Wanted {
        section: "thesis",
        settings: settings(study),
        default: 0,
        columns: study.columns.clone(),
        important: study.columns.len(),
        programs: PROGRAMS,
    };
    let grid = Grid::measure(study, budget, wanted);
    let mut all: Vec<_> = (0..grid.columns.len()).map(|column| tables::by_program(&grid, column)).collect();
    all.extend((0..grid.columns.len()).map(|column| tables::milliseconds(&grid, column)));
    let mut summary = tables::to_baseline(&grid, "Variants of the thesis");
    summary.notes = tables::notes(&grid);
    summary.notes.extend(grid.settings.iter().map(|setting| format!("{}: `{}`", setting.name, setting.line())));
    all.insert(0, summary);
    Report { tables: all, charts: vec![("thesis".to_string(), chart::thesis(&grid))], json: grid.json() }
}

fn settings(study: &Study) -> Vec<Setting> {
    let passes = study.offer.passes();
    // Only passes that the compiler has.
    let without = |names: &[&[&str]]| -> Vec<String> {
        let names = names.concat().into_iter().filter(|name| passes.iter().any(|pass| pass == name));
        names.map(|name| format!("--no-{name}")).collect()
    };
    let lazy = "--roots=lazy";
    let with = |name: &str, words: Vec<String>| {
        let words: Vec<&str> = std::iter::once(lazy).chain(words.iter().map(String::as_str)).collect();
        Setting::new(name, &words)
    };
    let fixed = FIXED_HEAP.iter().map(|word| (*word).to_string()).collect::<Vec<String>>();
    vec![
        Setting::new("our default", &[]),
        Setting::new("naive", &["-O0", "--roots=each-call"]),
        Setting::new("lazy", &["-O0", lazy]),
        with("+ inlined", without(&[FOR_STATIC_NODES, FOR_ALIAS_CLASSES])),
        with("+ static nodes", without(&[FOR_ALIAS_CLASSES])),
        with("+ alias classes", Vec::new()),
        with("+ fixed heap", Vec::new()).with_rts(&fixed),
        Setting::new("late, fixed heap", &["--roots=late"]).with_rts(&fixed),
    ]
}
