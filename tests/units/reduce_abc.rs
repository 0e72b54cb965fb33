//! ABC becomes small.

use cleave::reduce::abc::*;

#[test]
fn lines_and_numbers() {
    let text = b".comp 920 11011101001\n.start __x_Start\n.endinfo\n.module m.m \"m\"\n\
        .o 0 0\na\n\tpushI 5\n\tpop_b 1\n.d 0 0\n\trtn\n.o 0 0\nb\n\tpushI 77\n\tpop_b 1\n.d 0 0\n\trtn\n";
    let wanted = |text: &[u8]| lines(text).any(|line| line.strip_prefix(b"\tpushI ").is_some_and(|n| n.len() == 2));
    let small = reduce(text, wanted);
    assert!(wanted(&small) && small.len() < text.len() / 2, "{}", small.escape_ascii());
    assert!(is_accepted(&small));
}
