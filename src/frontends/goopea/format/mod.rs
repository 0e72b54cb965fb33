//! The formatter: prints the tokens of a program in a standard layout, with its comments and preprocessor lines.
//!
//! It works on words, not on the tree, so that it takes a file alone, without those that it includes. What the
//! preprocessor leaves out must be words, too; where a `#if` holds a part of something in brackets only, the file keeps
//! its lines. What fits on a line stands on one; a `match` whose first case is on a
//! line of its own in the source, and a `let` whose body is, stay broken. Formatting the result again changes nothing.
//!
//! ```text
//! (Int, Int): Int
//! divide(a, b) = match b {
//!     0: 0,
//!     more:
//!         let quotient = a / more in
//!         quotient + 1
//! };
//! ```

mod layout;
mod scan;

use cleave_diag::{FileId, Sink, SourceMap};

/// The text of a file in its form; nothing if it cannot be read, which the sink says.
pub fn format(file: FileId, sources: &SourceMap, sink: &mut Sink) -> Option<String> {
    let bytes = &sources.file(file).bytes;
    let words = scan::scan(file, bytes, sink)?;
    if !scan::are_regions_whole(&words) && layout::Groups::find(file, &words, &mut Sink::default()).is_none() {
        return Some(scan::without_blanks(bytes));
    }
    let groups = layout::Groups::find(file, &words, sink)?;
    let text = layout::write(&words, &groups);
    let kept = scan::scan(file, text.as_bytes(), sink).is_some_and(|new| scan::same(&words, &new));
    assert!(kept, "the formatter changed the words of a program:\n{text}");
    Some(text)
}
