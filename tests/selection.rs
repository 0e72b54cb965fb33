//! Which of the tests run that try the same program again in another way.
//!
//! Each program runs in some of the ways, each way with some of the programs, so that an ordinary run takes minutes.
//! With the variable `CLEAVE_THOROUGH=1` everything runs, and so does everything whose name was asked for; with
//! `CLEAVE_THOROUGH=48`, as in CI, one in 48 of what an ordinary run would thin out.

use libtest_mimic::{Arguments, Trial};
use std::collections::BTreeMap;

/// True if everything is wanted.
pub fn is_thorough() -> bool {
    thorough_share() == Some(1)
}

/// Of the tests that an ordinary run thins out, one in so many runs; all of them with 1. None in an ordinary run.
pub fn thorough_share() -> Option<usize> {
    let value = std::env::var("CLEAVE_THOROUGH").ok()?;
    (value != "0").then(|| value.parse().unwrap_or(1).max(1))
}

/// The size of a campaign: small in an ordinary run, larger where a part of what that leaves out is wanted, as in CI.
pub fn size(ordinary: u64, larger: u64) -> u64 {
    if thorough_share().is_some() { larger } else { ordinary }
}

/// One of so many, or all.
pub fn fewer(count: u64, one_of: u64) -> u64 {
    if is_thorough() { count } else { count / one_of }
}

/// The tests of an ordinary run. The kind of a test is its name up to the first `/`; of a kind with the share `n` one
/// in `n` runs, each kind beginning with another one, so that every program runs somewhere.
pub fn thinned(arguments: &Arguments, mut trials: Vec<Trial>, share: impl Fn(&str) -> usize) -> Vec<Trial> {
    let thorough = thorough_share();
    if thorough == Some(1) || arguments.filter.is_some() || arguments.list {
        return trials;
    }
    let all = trials.len();
    let mut next: BTreeMap<String, usize> = BTreeMap::new();
    let mut left_out = 0_usize;
    trials.retain(|trial| {
        let kind = trial.name().split('/').next().unwrap_or_default();
        let first = next.len();
        let at = next.entry(kind.to_string()).or_insert(first);
        *at += 1;
        if (*at - 1).is_multiple_of(share(kind)) {
            return true;
        }
        left_out += 1;
        thorough.is_some_and(|thorough| (left_out - 1).is_multiple_of(thorough))
    });
    println!("{} of {all} tests; all of them with CLEAVE_THOROUGH=1", trials.len());
    trials
}
