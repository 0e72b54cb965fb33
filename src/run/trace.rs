//! The innermost functions of a program, as text under the message of a run-time error.

use std::borrow::Cow;

/// What tells a name of a program from those of the runtime: traces show what has it.
pub const MARK: &str = " [module: ";

/// What goes on with captured functions: those that wait follow its frame.
pub const TRAMPOLINE: &str = "stackless.trampoline";

/// Lines at most.
const LINES: usize = 20;

/// Functions that are looked at: of an endless recursion there are hundreds of millions.
const LOOKED_AT: usize = 10_000_000;

/// The text for the active functions of the engine, innermost first; empty if none is of the program. `is_cut`: the
/// engine knows of more functions than it has told.
pub fn text<'n>(active: impl Iterator<Item = Cow<'n, str>>, is_cut: bool) -> String {
    let mut lines: Vec<(Cow<str>, usize)> = Vec::new();
    let (mut more, mut looked_at) = (0, 0);
    let names = active.take(LOOKED_AT).inspect(|_| looked_at += 1);
    for name in names.filter(|name| name.contains(MARK)) {
        let is_full = lines.len() == LINES;
        match lines.last_mut() {
            Some((last, count)) if *last == name && more == 0 => *count += 1,
            _ if is_full => more += 1,
            _ => lines.push((name, 1)),
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let mut text = String::from("Stack trace:\n");
    for (name, count) in lines {
        text += &match count {
            1 => format!("  {name}\n"),
            _ => format!("  {name}, {count} times\n"),
        };
    }
    match (is_cut || looked_at == LOOKED_AT, more) {
        (true, _) => text += "  … more\n",
        (false, 0) => {}
        (false, more) => text += &format!("  … {more} more\n"),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let active = ["rt_halt", "f [module: m]", "f [module: m]", "cleave.enter", "f [module: m]", "g [module: m]"];
        let lines = "Stack trace:\n  f [module: m], 3 times\n  g [module: m]\n";
        let active = || active.into_iter().map(Cow::Borrowed);
        assert_eq!(text(active(), false), lines);
        assert_eq!(text(active(), true), format!("{lines}  … more\n"));
        let endless = format!("Stack trace:\n  f [module: m], {LOOKED_AT} times\n  … more\n");
        assert_eq!(text(std::iter::repeat("f [module: m]".into()), false), endless);
        assert_eq!(text(["_start".into()].into_iter(), false), "");
        let many = ["f [module: m]", "g [module: m]"].into_iter().cycle().take(2 * LINES).map(Cow::Borrowed);
        assert!(text(many, false).ends_with("  g [module: m]\n  … 20 more\n"));
    }
}
