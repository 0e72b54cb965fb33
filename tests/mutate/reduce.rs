//! Makes a finding small: lines are left out as long as it stays the same finding.

use crate::mutate::Seed;
use crate::mutate::seeds::lines;

/// The smallest program found for which `is_same` holds, as it does for `program`.
pub fn reduce(program: &Seed, mut is_same: impl FnMut(&Seed) -> bool) -> Seed {
    let mut best = program.clone();
    for module in (0..program.modules.len()).rev() {
        if module > 0 {
            let mut without = best.clone();
            without.modules.remove(module);
            if is_same(&without) {
                best = without;
                continue;
            }
        }
        reduce_module(&mut best, module, &mut is_same);
    }
    best
}

/// Leaves out ranges of lines, first long ones.
fn reduce_module(best: &mut Seed, module: usize, is_same: &mut impl FnMut(&Seed) -> bool) {
    let mut kept: Vec<Vec<u8>> = lines(&best.modules[module].text).map(<[u8]>::to_vec).collect();
    let mut size = kept.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < kept.len() {
            let end = (at + size).min(kept.len());
            let mut fewer = kept.clone();
            fewer.drain(at..end);
            let mut candidate = best.clone();
            candidate.modules[module].text = fewer.join(&b'\n');
            candidate.modules[module].text.push(b'\n');
            if is_same(&candidate) {
                kept = fewer;
                *best = candidate;
            } else {
                at = end;
            }
        }
        size /= 2;
    }
}
