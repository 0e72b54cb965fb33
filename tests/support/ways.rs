//! The ways in which random programs are compiled and run: all of them, as often as each other.

use cleave::driver::session::Roots;
use cleave_passes::roots::LATE_OPTIONS;
use cleave_passes::table;
use cleave_tests::differential::ways::*;
use std::collections::BTreeSet;

/// What turns tell apart.
fn key(turn: &Turn) -> (usize, usize, bool, bool) {
    (turn.place.0, turn.place.1, turn.interprets_low, turn.verifies_each)
}

#[test]
fn ways_differ() {
    let ways = all();
    let names: BTreeSet<String> = ways.iter().map(ToString::to_string).collect();
    assert_eq!(names.len(), ways.len());
    for roots in strategies() {
        let of = ways.iter().filter(|way| way.roots == roots).count();
        let optional = table::optional().count() - if roots == Roots::Stackmap { 2 } else { 0 };
        let steps = if roots == Roots::Late { LATE_OPTIONS.len() } else { 1 };
        let far = usize::from(matches!(roots, Roots::Late | Roots::Lazy));
        let parts = usize::from(roots != Roots::Stackmap);
        assert_eq!(of, 3 + optional + steps + far + parts, "{roots:?}");
    }
}

/// Wherever one begins, so many counters in a row have every way with every setting once.
#[test]
fn every_pair_comes() {
    let ways = all();
    let period = (ways.len() * SETTINGS.len()) as u64;
    for first in [0, 1, 7_000_000, 123_456_789] {
        let pairs: BTreeSet<(usize, usize)> = (first..first + period).map(|n| Turn::of(&ways, n).place).collect();
        assert_eq!(pairs.len() as u64, period, "from {first}");
    }
}

/// As often as every other one, with any number of ways for each program; and what is done more rarely is done in
/// each combination.
#[test]
fn all_come_evenly() {
    let ways = all();
    for count in [1, 2, 3, 6] {
        let period = ways.len() as u64 * SETTINGS.len() as u64 * LOW * VERIFIED;
        let mut tally = Tally::new(&ways);
        let mut keys = BTreeSet::new();
        for number in 0..period.div_ceil(count) {
            for turn in Turn::of_program(&ways, number, count) {
                tally.add(turn);
                keys.insert(key(&turn));
            }
        }
        assert_eq!(keys.len(), ways.len() * SETTINGS.len() * 4, "{count} ways");
        let (least, most) = tally.bounds();
        assert!(least >= LOW * VERIFIED && most <= LOW * VERIFIED + 1, "{count} ways: {least} to {most}");
    }
}

/// Every collector under every pressure with every strategy without each removal.
#[test]
fn both_collectors_under_stress() {
    let ways = all();
    for counter in 0..1000 {
        let settings = Turn::of(&ways, counter).settings();
        let stressed: Vec<Setting> = settings.into_iter().filter(|s| s.pressure == Pressure::Stress).collect();
        assert!(stressed.len() == 2 && stressed[0].collector != stressed[1].collector);
        assert!(stressed[0].is_captured != stressed[1].is_captured);
    }
}
