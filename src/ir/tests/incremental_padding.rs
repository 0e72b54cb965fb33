//! Tests of `incremental_padding`.

use cleave_ir::incremental_padding::*;
use cleave_ir::layout::THUNK_INFO_SIZE;
use cleave_ir::text::parse_module;

#[test]
fn rooms_have_an_eighth_to_spare() {
    assert_eq!([1, 64, 65, 200, 1000, 5000].map(room), [64, 64, 128, 256, 1024, 6144]);
}

fn places(first: usize, second: usize) -> (Vec<u32>, u32) {
    let mut text = String::from("module \"m\"\n");
    let names = |owner: &'static str, count| (0..count).map(move |n| format!("{owner}.n{n}"));
    for name in names("one", first).chain(names("two", second)).chain(names("one.late", 1)) {
        text.push_str(&format!("thunk_info &{name} = plain ptrs 0 nptrs 0 code @code\n"));
    }
    text.push_str("func @code(v0: ref) -> ref {\nblock0(v0: ref):\n  ret v0\n}\n");
    entry_offsets(&parse_module(&text).expect("the module is correct"))
}

#[test]
fn a_longer_module_moves_no_other() {
    let ((few, end), (more, same)) = (places(9, 5), places(10, 5));
    assert_eq!(few[9..14], more[10..15]);
    assert_eq!(end, same);
    // What a pass has added is with the rest of its module.
    assert_eq!(few[14], 9 * THUNK_INFO_SIZE);
}
