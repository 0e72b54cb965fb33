//! The list of a folder of programs, the file `programs.txt` in it.
//!
//! Each line names a program: its name, its main module as a path from the folder of the list, the number of bytes that
//! it prints and their hash, what it finds on stdin, and its arguments. What is on stdin is `-` for nothing, `=TEXT`
//! for a line with this text, or a file. Lines that begin with `#` are comments. Neither the outputs nor the programs
//! need to stand where the list is kept: it says how to recognise them.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the file.
pub const FILE: &str = "programs.txt";

/// What a program reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    Nothing,
    Line(String),
    File(PathBuf),
}

/// A program as its list describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub name: String,
    /// The main module.
    pub abc: PathBuf,
    pub output: Digest,
    pub input: Input,
    pub arguments: Vec<String>,
}

impl Program {
    /// The folder of its modules and files, in which it runs.
    pub fn folder(&self) -> &Path {
        self.abc.parent().unwrap_or(Path::new("."))
    }
}

/// By what an output is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    pub bytes: usize,
    /// FNV-1a, 64 bits.
    pub hash: u64,
}

impl Digest {
    pub fn of(output: &[u8]) -> Digest {
        let next = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Digest { bytes: output.len(), hash: output.iter().fold(0xcbf2_9ce4_8422_2325, next) }
    }
}

/// The programs of a folder, in the order of their list.
pub fn read(folder: &Path) -> Result<Vec<Program>> {
    let folder = fs::canonicalize(folder).with_context(|| format!("no folder {}", folder.display()))?;
    let file = folder.join(FILE);
    let text = fs::read_to_string(&file).with_context(|| format!("no list {}", file.display()))?;
    let mut programs = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some(program) = parse(line, &folder) else {
            bail!("{}, line {}: NAME MAIN.abc BYTES HASH STDIN ARGUMENT… are expected", file.display(), number + 1);
        };
        programs.push(program);
    }
    Ok(programs)
}

fn parse(line: &str, folder: &Path) -> Option<Program> {
    let mut words = line.split_whitespace();
    let name = words.next()?.to_string();
    let abc = folder.join(words.next()?);
    let output = Digest { bytes: words.next()?.parse().ok()?, hash: u64::from_str_radix(words.next()?, 16).ok()? };
    let input = match words.next()? {
        "-" => Input::Nothing,
        word => word.strip_prefix('=').map_or_else(|| Input::File(folder.join(word)), |text| Input::Line(text.into())),
    };
    Some(Program { name, abc, output, input, arguments: words.map(str::to_string).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let at = Path::new("/at");
        let program = parse("fibo fibo/fibo.abc 2 c0ffee fibo/stdin 38 x", at).expect("a line");
        assert_eq!(program.abc, Path::new("/at/fibo/fibo.abc"));
        assert_eq!(program.folder(), Path::new("/at/fibo"));
        assert_eq!(program.output, Digest { bytes: 2, hash: 0xc0ffee });
        assert_eq!(program.input, Input::File("/at/fibo/stdin".into()));
        assert_eq!(program.arguments, ["38", "x"]);
        assert_eq!(parse("a a.abc 2 ff =30", at).map(|program| program.input), Some(Input::Line("30".into())));
        assert_eq!(parse("a a.abc 2 ff -", at).map(|program| program.input), Some(Input::Nothing));
        assert_eq!(parse("a a.abc two ff -", at), None);
        assert_eq!(parse("a a.abc 2 ff", at), None);
    }

    #[test]
    fn hashes() {
        assert_eq!(Digest::of(b"a"), Digest { bytes: 1, hash: 0xaf63_dc4c_8601_ec8c });
    }
}
