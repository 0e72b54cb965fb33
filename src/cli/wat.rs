//! `--emit wat`: WebAssembly as text. With `--locations` comments say where code came from, as in the text of the IR.

use crate::driver::pipeline::Compiled;
use cleave_diag::SourceMap;
use cleave_ir::Location;
use wasmprinter::Config;

/// Comments stand in this column, unless code is there.
const COLUMN: usize = 40;

/// The text of the program.
pub fn print(compiled: &Compiled, sources: &SourceMap) -> String {
    let fault = |error| -> ! { panic!("{error:#}") };
    let mut text = String::new();
    let lines = Config::new().offsets_and_lines(&compiled.wasm, &mut text).unwrap_or_else(|error| fault(error));
    let files: Vec<&str> = sources.files().map(|(_, file)| file.name.as_str()).collect();
    let mut places = compiled.wasm_places.iter().copied().peekable();
    let (mut here, mut shown) = (Location::NONE, Location::NONE);
    let mut out = String::new();
    for (offset, line) in lines {
        while let Some((_, place)) = offset.and_then(|offset| places.next_if(|&(at, _)| at <= offset)) {
            here = place;
        }
        match files.get(usize::from(here.file)).filter(|_| offset.is_some() && here.is_known() && here != shown) {
            Some(file) => {
                let (line, Location { line: number, column, .. }) = (line.trim_end(), here);
                out.push_str(&format!("{line:COLUMN$} ;; {file}:{number}:{column}\n"));
                shown = here;
            }
            None => out.push_str(line),
        }
        if !here.is_known() {
            shown = Location::NONE;
        }
    }
    out
}
