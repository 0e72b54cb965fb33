//! How each program of the corpus must end: status, stdout and stderr.
//!
//! A program with the file `.expected` ends with status 0 and writes that. One that ends in an error has a file
//! `.expected-error`: as natively where that is defined; what the system kills natively ends here with status 255, one
//! line on stderr, and what the program had printed before.

use crate::samples::Sample;

/// The heap of programs that end in an error: small, so that they do soon.
pub const HEAP: &str = "--heap=64m";

/// An end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Programs that the system kills natively: what they print before, and our message.
const KILLED: &[(&str, &str, &str)] = &[
    ("cycle_caf", "(1,", "Stack overflow.\n"),
    ("div_overflow", "[-9223372036854775808,-4611686018427387904,", "Integer overflow in division.\n"),
    ("div_zero", "[100,50,", "Integer division by zero.\n"),
    ("rem_zero", "[2,2,", "Integer division by zero.\n"),
    ("stack_a", "", "Stack overflow.\n"),
    ("stack_b", "", "Stack overflow.\n"),
    ("stack_eval", "", "Stack overflow.\n"),
];

impl Expected {
    /// What the files beside a program say.
    pub fn of(sample: &Sample) -> Result<Expected, String> {
        let path = sample.path.with_extension("expected-error");
        if !path.exists() {
            return Ok(Expected { status: 0, stdout: sample.expected(), stderr: Vec::new() });
        }
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let item = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        if let Some(status) = item("exit") {
            let status = status.parse().map_err(|_| "bad exit status")?;
            let bytes = |name| item(name).and_then(unquote).ok_or(format!("no {name}"));
            return Ok(Expected { status, stdout: bytes("stdout")?, stderr: bytes("stderr")? });
        }
        let name = sample.name.rsplit('/').next().unwrap_or_default();
        let row = KILLED.iter().find(|row| row.0 == name).ok_or("an entry in KILLED is missing")?;
        Ok(Expected { status: 255, stdout: row.1.into(), stderr: row.2.into() })
    }
}

/// A JSON string as these files use it.
fn unquote(text: &str) -> Option<Vec<u8>> {
    let inner = text.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut out = Vec::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        let c = match c {
            '\\' => match chars.next()? {
                'n' => '\n',
                't' => '\t',
                other @ ('"' | '\\' | '/') => other,
                _ => return None,
            },
            other => other,
        };
        out.extend(c.to_string().bytes());
    }
    Some(out)
}
