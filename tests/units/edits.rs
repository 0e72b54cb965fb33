//! Formatting by few edits, of a whole text and of a part.

use cleave::cli::lsp::edits::{Edit, edits};

fn applied(old: &str, edits: &[Edit<'_>]) -> String {
    let mut text = old.to_string();
    for edit in edits.iter().rev() {
        text.replace_range(edit.old.clone(), edit.new);
    }
    text
}

const OLD: &str = "a  = 1\nb = 2\nc =3\nd = 4\ne=\n5\n";
const NEW: &str = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n";

#[test]
fn lines_that_stay_are_not_touched() {
    let all = edits(OLD, NEW, None);
    assert_eq!(
        all.iter().map(|edit| (edit.old.clone(), edit.new)).collect::<Vec<_>>(),
        [(0..7, "a = 1\n"), (13..18, "c = 3\n"), (24..29, "e = 5\n"),]
    );
    assert_eq!(applied(OLD, &all), NEW);
    assert_eq!(edits(NEW, NEW, None), []);
}

#[test]
fn a_part_alone() {
    assert_eq!(applied(OLD, &edits(OLD, NEW, Some(14..15))), "a  = 1\nb = 2\nc = 3\nd = 4\ne=\n5\n");
    assert_eq!(edits(OLD, NEW, Some(8..10)), []);
}

/// A brace that goes to another line must not be lost or doubled by half of the edits.
#[test]
fn letters_move_with_their_edit() {
    let old = "f {\n}\ng {}\nh {\n}\n";
    let new = "f {}\ng {\n}\nh {}\n";
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    for at in 0..old.len() {
        assert_eq!(letters(&applied(old, &edits(old, new, Some(at..at)))), letters(old), "at {at}");
    }
    // A comma that comes to it takes in what is around.
    let (old, new) = ("x {\n  a\n}\ny\n", "x {\n  a,\n}\ny\n");
    assert_eq!(applied(old, &edits(old, new, None)), new);
}
