//! Programs without jumps on constants.
//!
//! Clean's code generator takes the wrong register for a real here and there where a jump on a constant decides between
//! two reals: the same program prints another number when the jump is replaced by what it does.

/// The program with `pushB TRUE` or `FALSE` and a conditional jump after it replaced by a jump, or by nothing. What
/// then cannot be reached, up to the next label, is left out.
pub fn without_constant_jumps(text: &str) -> String {
    let mut left = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    let mut is_dead = false;
    while let Some(line) = lines.next() {
        is_dead &= line.is_empty() || line.starts_with(['\t', '.']);
        if is_dead {
            continue;
        }
        let constant = match line {
            "\tpushB TRUE" => Some("\tjmp_true "),
            "\tpushB FALSE" => Some("\tjmp_false "),
            _ => None,
        };
        let jump = lines.peek().filter(|next| next.starts_with("\tjmp_true ") || next.starts_with("\tjmp_false "));
        let (line, skips) = match (constant, jump) {
            (Some(taken), Some(jump)) => (jump.strip_prefix(taken).map(|label| format!("\tjmp {label}")), true),
            _ => (Some(line.to_string()), false),
        };
        is_dead = skips && line.is_some();
        if let Some(line) = line {
            left += &line;
            left.push('\n');
        }
        if skips {
            lines.next();
        }
    }
    left
}

#[test]
fn a_jump_on_a_constant_is_taken_or_gone() {
    let text = "a\n\tpushB FALSE\n\tjmp_false b\n\tpushI 1\n.o 0 1 i\nb\n\tpushB TRUE\n\tjmp_false c\n\teqI\n\tjmp_true c\nc\n";
    assert_eq!(without_constant_jumps(text), "a\n\tjmp b\nb\n\teqI\n\tjmp_true c\nc\n");
}
