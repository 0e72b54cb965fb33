//! Makes a program small that shows something: parts are left out or simplified as long as a test still finds it
//! interesting. (A. Zeller and R. Hildebrandt, *Simplifying and isolating failure-inducing input*, 2002, without the
//! tests of complements: keeping a small part is rarely enough for programs.)
//!
//! `ir` and `abc` know what parts a program has; `command` is the test that users give. Everything ends: a change is
//! kept only if the program is smaller by a measure, and the whole may be bounded in time by the test itself, which
//! then says no. Known weakness: local minima; things that only go together in two places are found only by chance.

pub mod abc;
pub mod command;
pub mod ir;

/// Leaves out stretches of a list, first long ones, as long as `keeps` holds of the rest. True if something is gone.
pub fn leave_out<T: Clone>(items: &mut Vec<T>, mut keeps: impl FnMut(&[T]) -> bool) -> bool {
    let before = items.len();
    let mut size = items.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < items.len() {
            let end = (at + size).min(items.len());
            let mut fewer = items.clone();
            fewer.drain(at..end);
            if keeps(&fewer) {
                *items = fewer;
            } else {
                at = end;
            }
        }
        size /= 2;
    }
    items.len() < before
}
