//! The loader in JavaScript.

use cleave_wasm::js::*;

const LOADER: Loader = Loader { name: "life", wasm: "life.wasm", trace: None, frames: false, captures: true };

#[test]
fn the_module_is_small() {
    for (trace, frames, most) in [(None, false, 10 << 10), (Some("life"), false, 11_360), (Some("life"), true, 11_760)]
    {
        for captures in [true, false] {
            let size = Loader { trace, frames, captures, ..LOADER }.module().len();
            assert!(size < most, "{size} bytes");
        }
    }
}

/// Engines say `index out of bounds`, whatever our variables are called.
#[test]
fn words_of_engines_stay_as_they_are() {
    assert!(LOADER.module().contains("|^index o/i"), "{}", LOADER.module());
}

/// A Worker costs more than a small program; those that nobody can capture need its stack. The others get one of V8.
#[test]
fn scripts_run_in_a_worker_only_for_its_stack() {
    let count = |captures, text| Loader { captures, ..LOADER }.module().matches(text).count();
    assert_eq!([count(true, ",512)"), count(false, ",512)")], [0, 1]);
    assert_eq!([true, false].map(|captures| count(captures, "wasm-stack-switching-")), [1, 0]);
}

#[test]
fn every_private_name_is_used() {
    let words: Vec<&str> = MODULE.split(|c| !is_name(c)).collect();
    for name in PRIVATE {
        assert!(words.contains(name), "{name}");
    }
}

#[test]
fn no_private_name_is_a_property_of_a_global_object() {
    for name in PRIVATE {
        for (at, _) in MODULE.match_indices(&format!(".{name}")) {
            let word = MODULE[..at].rsplit(|c| !is_name(c)).next().unwrap_or_default();
            let whole = MODULE[at + 1 + name.len()..].chars().next().is_none_or(|c| !is_name(c));
            assert!(!whole || !word.starts_with(char::is_uppercase), "{word}.{name}");
        }
    }
}

#[test]
fn names_of_files_are_quoted() {
    let module = Loader { name: "a\"b\\c\nd", wasm: "ü #?.wasm", ..LOADER }.module();
    assert!(module.contains(r#""a\"b\\c\u000ad""#), "{module}");
    assert!(module.contains(r#""./%C3%BC%20%23%3F.wasm""#), "{module}");
}
