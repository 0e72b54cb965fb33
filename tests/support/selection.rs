//! Which trials an ordinary run leaves out.

use cleave_tests::selection::*;
use libtest_mimic::{Arguments, Trial};

#[test]
fn each_way_gets_another_program() {
    let names = |trials: &[Trial]| trials.iter().map(|trial| trial.name().to_string()).collect::<Vec<_>>();
    let trials = || {
        let name = |kind: &str, program: &str| Trial::test(format!("{kind}/{program}"), || Ok(()));
        let kinds = ["wasm", "jit", "other"].into_iter();
        kinds.flat_map(|kind| ["a", "b", "c", "d"].map(|program| name(kind, program))).collect::<Vec<_>>()
    };
    if thorough_share().is_some() {
        return;
    }
    let share = |kind: &str| if kind == "other" { 1 } else { 2 };
    let kept = names(&thinned(&Arguments::default(), trials(), share));
    let expected = ["wasm/a", "wasm/c", "jit/b", "jit/d", "other/a", "other/b", "other/c", "other/d"];
    assert_eq!(kept, expected);
    let asked = Arguments { filter: Some("jit".into()), ..Arguments::default() };
    assert_eq!(thinned(&asked, trials(), share).len(), 12);
}
