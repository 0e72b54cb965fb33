//! The lines of the source that machine code came from, for traces: what an instruction of CLIF says of itself, and the
//! ranges of a function's bytes.

use cleave_ir::{Func, Location};
use cranelift_codegen::MachSrcLoc;
use cranelift_codegen::ir::SourceLoc;

/// A line of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Line {
    /// Number in the source of the module.
    pub file: u16,
    /// From 1.
    pub line: u32,
}

/// Bits of a line; the number of the file is above them.
const LINE_BITS: u32 = 24;
/// Files that have numbers; the word of all ones means that nothing is known.
const FILES: u32 = u32::MAX >> LINE_BITS;

/// A line of a file as Cranelift passes it on; nothing if it is not known, or beyond what the word holds.
pub fn code(place: Location) -> Option<SourceLoc> {
    let file = u32::from(place.file);
    let fits = place.is_known() && file < FILES && place.line < 1 << LINE_BITS;
    fits.then(|| SourceLoc::new(file << LINE_BITS | place.line))
}

/// From these offsets on the bytes of a function came from a line of a file, or from none that is known, in ascending
/// order.
pub fn ranges(found: &[MachSrcLoc<cranelift_codegen::Final>]) -> Vec<(u32, Option<Line>)> {
    let mut ranges: Vec<(u32, Option<Line>)> = Vec::new();
    let mut end = 0;
    let mut add = |start: u32, line: Option<Line>| {
        if ranges.last().map_or(line.is_some(), |last| last.1 != line) {
            ranges.push((start, line));
        }
    };
    for range in found {
        if range.start > end {
            add(end, None);
        }
        let bits = range.loc.bits();
        let line = (!range.loc.is_default())
            .then_some(Line { file: (bits >> LINE_BITS) as u16, line: bits & ((1 << LINE_BITS) - 1) });
        add(range.start, line);
        end = range.end;
    }
    add(end, None);
    ranges
}

/// The same for code that was changed: of its places, in their order, where each of them was before.
pub fn moved(ranges: &[(u32, Option<Line>)], places: &[(u32, u32)]) -> Vec<(u32, Option<Line>)> {
    let mut moved: Vec<(u32, Option<Line>)> = Vec::new();
    if ranges.is_empty() {
        return moved;
    }
    for &(place, before) in places {
        let after = ranges.partition_point(|range| range.0 <= before);
        let line = after.checked_sub(1).and_then(|at| ranges[at].1);
        if moved.last().map_or(line.is_some(), |last| last.1 != line) {
            moved.push((place, line));
        }
    }
    moved
}

/// Adds the first line of a function to these lines of its code, or subtracts it.
pub fn from_start(
    mut lines: Vec<(u32, Option<Line>)>,
    func: &Func,
    with: impl Fn(u32, u32) -> u32,
) -> Vec<(u32, Option<Line>)> {
    let start = func.source.as_ref().map_or(0, |source| source.start.line);
    lines.iter_mut().filter_map(|line| line.1.as_mut()).for_each(|line| line.line = with(line.line, start));
    lines
}
