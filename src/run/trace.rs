//! The innermost functions of a program, as text under the message of a run-time error.

/// What tells a name of a program from those of the runtime: traces show what has it.
pub const MARK: &str = " [module: ";

/// Lines at most.
const LINES: usize = 20;

/// The text for the active functions of the engine, innermost first; empty if none is of the program.
pub fn text<'n>(active: impl Iterator<Item = &'n str>) -> String {
    let mut lines: Vec<(&str, usize)> = Vec::new();
    for name in active.filter(|name| name.contains(MARK)) {
        match lines.last_mut() {
            Some((last, count)) if *last == name => *count += 1,
            _ => lines.push((name, 1)),
        }
    }
    let mut text = String::new();
    for (name, count) in lines.into_iter().take(LINES) {
        text += &match count {
            1 => format!("  {name}\n"),
            _ => format!("  {name}, {count} times\n"),
        };
    }
    if text.is_empty() { text } else { format!("Stack trace:\n{text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let active = ["rt_halt", "f [module: m]", "f [module: m]", "cleave.enter", "f [module: m]", "g [module: m]"];
        assert_eq!(text(active.into_iter()), "Stack trace:\n  f [module: m], 3 times\n  g [module: m]\n");
        assert_eq!(text(["_start"].into_iter()), "");
    }
}
