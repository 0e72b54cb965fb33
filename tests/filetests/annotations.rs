//! Annotations in the comments of an IR file test.
//!
//! ```text
//! ; test: roundtrip | verify | translation | pass=a,b        what to do; `, verify` may follow
//! ; check: text                                              the output contains the text, after the last one found
//! ; not: text                                                the output does not contain the text
//! ; count: @f 1 spill 2 restore 0 clear 1 slots              numbers of instructions of a function, and its deepest frame
//! ; run[interp,gc-stress,stack-stress]: @f(1, 2.5) == 3      the result in the interpreter, before and after the passes
//!   v1 = iadd v0, v2        ; error: text                    an error on this line
//! ; --- expected                                             the whole output, as comments; `BLESS=1` rewrites it
//! ; …
//! ; --- end
//! ```

/// A parsed file test.
#[derive(Debug, Default)]
pub struct Annotations {
    /// Words of the `test:` line.
    pub modes: Vec<String>,
    pub passes: Vec<String>,
    pub checks: Vec<String>,
    pub nots: Vec<String>,
    pub counts: Vec<String>,
    /// Line (0 if there is none) and text.
    pub errors: Vec<(u32, String)>,
    pub runs: Vec<String>,
    pub expected: Option<String>,
    /// The text without comments and blank lines.
    pub bare: String,
    /// The text before the expected block.
    pub source: String,
}

const OPEN: &str = "; --- expected";
const CLOSE: &str = "; --- end";

/// Splits a line at the `;` that starts its comment, if any.
fn split_comment(line: &str) -> (&str, Option<&str>) {
    let mut quoted = false;
    let mut escaped = false;
    for (i, byte) in line.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b';' if !quoted => return (&line[..i], Some(line[i + 1..].trim())),
            _ => {}
        }
    }
    (line, None)
}

/// Text without comments, blank lines and blanks at the ends of lines.
pub fn strip(text: &str) -> String {
    let lines = text.lines().map(|line| split_comment(line).0.trim_end()).filter(|line| !line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}

impl Annotations {
    pub fn parse(text: &str) -> Result<Annotations, String> {
        let mut out = Annotations::default();
        let mut block: Option<String> = None;
        for (n, line) in text.lines().enumerate() {
            if let Some(expected) = &mut block {
                if line == CLOSE {
                    out.expected = block.take();
                } else {
                    expected.push_str(line.strip_prefix("; ").or(line.strip_prefix(';')).unwrap_or(line));
                    expected.push('\n');
                }
                continue;
            }
            if line == OPEN {
                block = Some(String::new());
                continue;
            }
            out.source.push_str(line);
            out.source.push('\n');
            let (_, Some(comment)) = split_comment(line) else { continue };
            let Some((key, value)) = comment.split_once(": ") else { continue };
            let value = value.trim();
            match key {
                "test" => {
                    // `pass=a,b, verify`: names behind `pass=` belong to it until one follows a blank.
                    for word in value.split(", ") {
                        match word.strip_prefix("pass=") {
                            Some(passes) => out.passes.extend(passes.split(',').map(str::to_string)),
                            None => out.modes.push(word.to_string()),
                        }
                    }
                }
                "check" => out.checks.push(value.to_string()),
                "not" => out.nots.push(value.to_string()),
                "count" => out.counts.push(value.to_string()),
                "error" => out.errors.push((n as u32 + 1, value.to_string())),
                _ if key.starts_with("run[") => out.runs.push(comment.to_string()),
                _ => {}
            }
        }
        if block.is_some() {
            return Err(format!("`{OPEN}` without `{CLOSE}`"));
        }
        if out.modes.is_empty() && out.passes.is_empty() {
            return Err("no `; test: …` line".into());
        }
        out.bare = strip(&out.source);
        Ok(out)
    }

    /// True if only the whole output tells whether the passes are right.
    pub fn has_no_checks(&self) -> bool {
        self.checks.is_empty() && self.nots.is_empty() && self.counts.is_empty()
    }

    /// The file with a new expected block.
    pub fn blessed(&self, output: &str) -> String {
        let mut text = self.source.trim_end().to_string();
        text.push_str(&format!("\n\n{OPEN}\n"));
        for line in output.lines() {
            text.push_str(format!("; {line}").trim_end());
            text.push('\n');
        }
        text.push_str(CLOSE);
        text.push('\n');
        text
    }

    /// The first difference between found and wanted errors: each wanted one must be found on its line with its text,
    /// and nothing else.
    pub fn compare_errors(&self, found: &[(u32, String)]) -> Result<(), String> {
        let matches = |want: &(u32, String), have: &(u32, String)| have.0 == want.0 && have.1.contains(&want.1);
        if let Some(want) = self.errors.iter().find(|want| !found.iter().any(|have| matches(want, have))) {
            return Err(format!("line {}: missing error `{}`; found: {found:#?}", want.0, want.1));
        }
        match found.iter().find(|have| !self.errors.iter().any(|want| matches(want, have))) {
            Some(have) => Err(format!("line {}: unexpected error `{}`", have.0, have.1)),
            None => Ok(()),
        }
    }
}

/// The first line in which two texts differ, for messages.
pub fn first_difference(wanted: &str, found: &str) -> Option<String> {
    if wanted == found {
        return None;
    }
    let mut lines = found.lines();
    for (n, want) in wanted.lines().enumerate() {
        match lines.next() {
            Some(have) if have == want => {}
            have => return Some(format!("line {}: wanted `{want}`, found `{}`", n + 1, have.unwrap_or("nothing"))),
        }
    }
    Some(format!("more output than wanted: `{}`", lines.next().unwrap_or("(line ends)")))
}
