//! "Did you mean …?": the name nearest to a misspelt one.

/// Longer names are not compared: the work grows with the product of the lengths.
const MAX_LENGTH: usize = 48;

/// The candidate with the fewest insertions, deletions, replacements and swaps of neighbours, if it is near enough to
/// be what was meant; one that is written otherwise, as `push_a` for `pushA`, is nearer than all others. Among equals
/// wins one that has only more or fewer letters, `least` for `last` rather than `list`, and then the first one.
pub fn nearest<'c>(name: &[u8], candidates: impl IntoIterator<Item = &'c [u8]>) -> Option<&'c [u8]> {
    if name.is_empty() || name.len() > MAX_LENGTH {
        return None;
    }
    // The distance, and whether letters are replaced alone.
    let mut least = ((name.len() / 3).clamp(1, 4) + 1, false);
    let mut best = None;
    for candidate in candidates {
        let is_same = is_same_word(name, candidate);
        if candidate.len() > MAX_LENGTH || candidate.len().abs_diff(name.len()) > least.0 && !is_same {
            continue;
        }
        let distance = if is_same { 0 } else { edit_distance(name, candidate) };
        let rank = (distance, candidate.len() == name.len());
        // Names of which no letter stays have nothing in common.
        if rank < least && distance < name.len().max(candidate.len()) {
            least = rank;
            best = Some(candidate);
        }
    }
    best
}

/// Only capital letters, underlines and hyphens differ.
fn is_same_word(a: &[u8], b: &[u8]) -> bool {
    fn letters(name: &[u8]) -> impl Iterator<Item = u8> {
        name.iter().filter(|byte| !matches!(byte, b'_' | b'-')).map(u8::to_ascii_lowercase)
    }
    a.len().abs_diff(b.len()) < 4 && letters(a).eq(letters(b))
}

/// Edit distance with swaps of neighbours; both names have at most `MAX_LENGTH` bytes.
pub fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    // Three rows of the usual table: before the last, last, current.
    let mut older = [0u8; MAX_LENGTH + 1];
    let mut last = [0u8; MAX_LENGTH + 1];
    let mut row = [0u8; MAX_LENGTH + 1];
    for (j, cell) in last.iter_mut().enumerate() {
        *cell = j as u8;
    }
    for i in 1..=a.len() {
        row[0] = i as u8;
        for j in 1..=b.len() {
            let cost = u8::from(a[i - 1] != b[j - 1]);
            let mut best = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(older[j - 2] + 1);
            }
            row[j] = best;
        }
        older = last;
        last = row;
    }
    last[b.len()] as usize
}
