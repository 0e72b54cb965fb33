//! Names in object files.

use cleave_native::symbols::escape;

#[test]
fn labels_of_assemblers_stay_as_they_are() {
    assert_eq!(escape("e__StdList__smap"), "e__StdList__smap");
    assert_eq!(escape("s12.3"), "s12.3");
    assert_eq!(escape("a;b\u{e9}"), "a_3bb_c3_a9");
}
