//! Names of functions in traces (`--trace`) of strict languages, with lines: those of the code,
//! or else those where they begin.

use crate::languages::frontend;
use cleave_diag::{FileId, SourceMap};
use cleave_ir::Location;
use cleave_run::trace::MARK;
use cleave_strict::core_ir::Program;
use rustc_hash::FxHashMap;

/// The names that traces show.
#[derive(Debug)]
pub struct Names {
    /// By function names.
    functions: FxHashMap<String, String>,
    /// By their files and first lines; what is inside of another stands behind it.
    extents: Vec<Extent>,
    /// Names of files, by their numbers.
    files: Vec<String>,
}

/// Functions that may end between the beginning of another one and a line in it: lambdas, in the main.
const NESTED: usize = 1000;

/// The lines of a function.
#[derive(Debug)]
struct Extent {
    file: FileId,
    first: u32,
    last: u32,
    name: String,
}

impl Names {
    pub fn of(program: &Program, sources: &SourceMap) -> Names {
        let mut extents = Vec::with_capacity(program.functions.len());
        let mut functions = FxHashMap::default();
        // Traces speak of who called the library.
        for function in program.functions.values().filter(|function| !function.is_library) {
            let file = function.span.file;
            let line_of = |byte: u32| sources.file(file).line_of(byte).0 + 1;
            let line = line_of(function.span.start);
            let name = format!("{}{MARK}{}:{line}]", function.name, sources.file(file).name);
            functions.insert(function.name.clone(), name);
            let ends =
                function.exprs.values().map(|node| node.span).filter(|span| span.file == file).map(|span| span.end);
            let last = ends.max().map_or(line, line_of).max(line);
            extents.push(Extent { file, first: line, last, name: function.name.clone() });
        }
        extents.sort_by_key(|extent: &Extent| (extent.file, extent.first, std::cmp::Reverse(extent.last)));
        let files = sources.files().map(|(_, file)| file.name.clone()).collect();
        Names { functions, extents, files }
    }
}

impl frontend::Names for Names {
    fn find(&self, name: &str) -> Option<String> {
        frontend::of_part(&self.functions, name).cloned()
    }

    fn at(&self, Location { file, line, .. }: Location) -> Option<String> {
        let file_id = FileId(file.into());
        let after = self.extents.partition_point(|extent| (extent.file, extent.first) <= (file_id, line));
        // Lambdas are functions inside of others.
        let before = self.extents[..after].iter().rev().take_while(|extent| extent.file == file_id);
        let inner = before.take(NESTED).find(|extent| extent.last >= line)?;
        Some(format!("{}{MARK}{}:{line}]", inner.name, self.files.get(usize::from(file))?))
    }
}
