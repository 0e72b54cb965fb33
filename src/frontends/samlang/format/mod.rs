//! The formatter: words in a form of their own, comments kept.
//!
//! The syntax tree says what belongs together (`groups`), the words are written one after the other (`write`). What
//! fits on a line stands on one, unless the source breaks it: a block, match or list whose first thing is on a line of
//! its own stays broken, and so does what stands behind `=`, an arrow, `then` or `else`, an operator, or the dot of a
//! chain. Formatting the result again changes nothing.
//!
//! ```text
//! class Shape(Dot, Circle(Point, int)) {
//!   method area(): int = match this { Dot -> 0, Circle(_, radius) -> 3 * radius * radius }
//!   method grow(by: int): Shape = match this {
//!     Dot -> Dot,
//!     Circle(center, radius) -> {
//!       val sum = radius + by;
//!       Circle(center, sum)
//!     }
//!   }
//! }
//! ```

mod groups;
mod scan;
mod write;

use crate::parse::parse;
use cleave_diag::{FileId, Sink, SourceMap};

/// Where a line ends for the first time may move the ends of others. Ends that are kept only grow in number, so this
/// comes to an end; it needs two rounds, rarely three.
const ROUNDS: u32 = 20;

/// The text of a file in its form; nothing if it cannot be read, which the sink says.
pub fn format(file: FileId, sources: &SourceMap, sink: &mut Sink) -> Option<String> {
    let (words, mut text) = round(file, sources, sink)?;
    for _ in 0..ROUNDS {
        let mut again = SourceMap::new();
        let new = again.add("", text.clone().into_bytes());
        let next = round(new, &again, sink).filter(|(kept, _)| scan::same(&words, kept));
        let Some((_, next)) = next else { panic!("the formatter changed the words of a program:\n{text}") };
        if next == text {
            return Some(text);
        }
        text = next;
    }
    Some(text)
}

/// The words of a file, and its text with lines that end where they should.
fn round(file: FileId, sources: &SourceMap, sink: &mut Sink) -> Option<(Vec<scan::TokenWithTrivia>, String)> {
    let (tokens, names, words) = scan::scan(file, sources, sink)?;
    let before = sink.error_count();
    let module = parse("", &sources.file(file).bytes, file, &tokens, &names, sink);
    if sink.error_count() > before {
        return None;
    }
    let mut groups = groups::Groups::find(&words, &module);
    let text = write::write(&words, &mut groups);
    Some((words, text))
}
