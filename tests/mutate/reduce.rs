//! Makes a finding small: modules and lines are left out as long as it stays the same finding.

use crate::mutate::Seed;
use cleave::reduce::abc::leave_out_lines;

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
        let whole = best.clone();
        best.modules[module].text = leave_out_lines(&whole.modules[module].text, |text| {
            let mut candidate = whole.clone();
            candidate.modules[module].text = text.to_vec();
            is_same(&candidate)
        });
    }
    best
}
