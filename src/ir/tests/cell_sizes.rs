//! Sizes of cells that are widened.

use cleave_ir::CellSizes;

#[test]
fn widens_what_was_widened_to_a_class() {
    let mut sizes = CellSizes::default();
    sizes.widen(5, 6);
    sizes.widen(6, 8);
    sizes.widen(7, 5);
    sizes.widen(8, 3);
    assert_eq!(sizes.bytes().collect::<Vec<_>>(), [(20, 32), (24, 32), (28, 32)]);
    assert_eq!(sizes.class(1, 1), 8);
    assert_eq!(sizes.padding(1, 1), 3);
    assert_eq!(sizes.padding(0, 3), 0);
}

#[test]
fn at_most_twice_the_size_of_all_that_are_widened() {
    let mut sizes = CellSizes::default();
    assert!(sizes.can_take(5, 10) && !sizes.can_take(5, 11) && !sizes.can_take(10, 5) && !sizes.can_take(5, 5));
    sizes.widen(5, 8);
    assert!(sizes.can_take(8, 10) && !sizes.can_take(8, 11));
}
