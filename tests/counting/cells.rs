//! Cells that the GOOPEA programs of `tests/goopea` allocate, and the most at one time: never more than in the code of
//! the published tool (`cells.tsv`).

use crate::optimise;
use cleave_diag::{Sink, SourceMap};
use cleave_goopea::{Files, Print};
use cleave_interp::{Options, Program, RcStats, Session, data_section_options};
use cleave_ir::Module;
use cleave_ir::verify::verify_module;
use cleave_passes::rc_insertion::Reuse;
use cleave_passes::{memory, table};
use std::path::Path;

const CELLS: &str = include_str!("cells.tsv");

pub fn programs() -> Result<(), String> {
    let mut wrong = Vec::new();
    let rows = CELLS.lines().filter(|line| !line.starts_with('#'));
    for row in rows {
        let (name, numbers) = row.split_once('\t').ok_or("a row has a name and numbers")?;
        let limits: Vec<u64> = numbers.split('\t').map(|number| number.parse().unwrap_or(0)).collect();
        for (way, limit) in [(Reuse::Fip, [limits[0], limits[2]]), (Reuse::None, [limits[1], limits[3]])] {
            let found = run(name, way, table::FULL).map_err(|error| format!("{name}: {error}"))?;
            if found.allocations > limit[0] || found.peak_objects > limit[1] || found.alive() != 0 {
                let RcStats { allocations, peak_objects, .. } = found;
                let alive = found.alive();
                let way = way.word();
                wrong.push(format!(
                    "{name}, --reuse={way}: {allocations} cells, at most {peak_objects}, {alive} at the end; the tool: \
                     {limit:?}"
                ));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

struct NoFiles;

impl Files for NoFiles {
    fn read(&mut self, _: &Path) -> Result<Vec<u8>, String> {
        Err("there are no files".into())
    }
}

fn translate(name: &str) -> Result<Module, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("goopea").join(format!("{name}.goo"));
    let text = std::fs::read(&path).map_err(|error| error.to_string())?;
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let main = sources.add(format!("{name}.goo"), text);
    let program = cleave_goopea::read(name, main, &path, &mut NoFiles, &mut sources, &mut sink);
    Ok(cleave_goopea::translate(&program.ok_or("it has errors")?, Print::Values, None))
}

fn run(name: &str, reuse: Reuse, level: &[&'static str]) -> Result<RcStats, String> {
    let mut module = translate(name)?;
    let suits = |name: &&'static str| memory::of(module.heap).suits(name);
    let passes: Vec<&'static str> = level.iter().copied().filter(suits).chain([table::RC_INSERTION]).collect();
    optimise(&mut module, &passes, reuse);
    verify_module(&module).map_err(|errors| errors[0].to_string())?;
    let options = Options { heap_limit: 64 << 20, ..Options::default() };
    let program = Program::new(&module, data_section_options(&options));
    let session = Session::new(&program, options).map_err(|trap| trap.to_string())?;
    let outcome = session.run_program();
    outcome.trap.map_or(Ok(outcome.counters), |trap| Err(trap.to_string()))
}
