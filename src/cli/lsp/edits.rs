//! From a text to its form by few edits, so that the cursor and marks of an editor stay where they are.

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::ops::Range;
use std::time::{Duration, Instant};

/// Looking for the fewest edits takes the square of their number. After this time more of them do.
const PATIENCE: Duration = Duration::from_millis(200);

/// Whole lines that become others.
#[derive(PartialEq, Eq, Debug)]
pub struct Edit<'t> {
    /// Bytes of the text as it was.
    pub old: Range<usize>,
    pub new: &'t str,
}

/// The edits that make `new` of `old`, those of them alone that touch a part of `old`.
///
/// Each stands for itself: it changes blanks and line breaks, and where the form changes more, as by a comma, it takes
/// in what follows until both sides have the same letters again. So a part can be formatted without the rest.
pub fn edits<'t>(old: &str, new: &'t str, part: Option<Range<usize>>) -> Vec<Edit<'t>> {
    let (old_lines, new_lines): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let (old_starts, new_starts) = (starts(&old_lines), starts(&new_lines));
    let bytes = |starts: &[usize], lines: Range<usize>| starts[lines.start]..starts[lines.end];
    let mut found: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let mut is_open = false;
    let deadline = Instant::now() + PATIENCE;
    for op in capture_diff_slices_deadline(Algorithm::Myers, &old_lines, &new_lines, Some(deadline)) {
        let (old_bytes, new_bytes) = (bytes(&old_starts, op.old_range()), bytes(&new_starts, op.new_range()));
        let is_equal = matches!(op, DiffOp::Equal { .. });
        match found.last_mut() {
            Some((last_old, last_new)) if is_open || !is_equal && last_old.end == old_bytes.start => {
                (last_old.end, last_new.end) = (old_bytes.end, new_bytes.end);
            }
            _ if is_equal => continue,
            _ => found.push((old_bytes, new_bytes)),
        }
        is_open = found.last().is_some_and(|(before, after)| {
            let letters =
                [&old[before.clone()], &new[after.clone()]].map(|text| text.split_whitespace().flat_map(str::chars));
            let [before, after] = letters;
            !before.eq(after)
        });
    }
    let touches =
        |range: &Range<usize>| part.as_ref().is_none_or(|part| range.start <= part.end && part.start <= range.end);
    let wanted = found.into_iter().filter(|(range, _)| touches(range));
    wanted.map(|(range, text)| Edit { old: range, new: &new[text] }).collect()
}

/// Where lines begin, and where the last one ends.
fn starts(lines: &[&str]) -> Vec<usize> {
    let ends = lines.iter().scan(0, |at, line| {
        *at += line.len();
        Some(*at)
    });
    std::iter::once(0).chain(ends).collect()
}
