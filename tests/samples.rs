//! The programs of `tests/corpus`: where they are, what they print, what they read.

use std::fs;
use std::path::{Path, PathBuf};

/// A program with its expected output.
#[derive(Clone, Debug)]
pub struct Sample {
    /// A path below the corpus: `adts`, `variants/ou/sorts`.
    pub name: String,
    /// The main module.
    pub path: PathBuf,
}

/// Programs whose expected output is no requirement, with the reason.
pub const LEFT_OUT: &[(&str, &str)] =
    &[("realnan", "its output is what one machine does with signs of NaN; it is there for information")];

impl Sample {
    /// The exact bytes of stdout.
    pub fn expected(&self) -> Vec<u8> {
        let path = self.path.with_extension("expected");
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// What the program finds on stdin.
    pub fn stdin(&self) -> Vec<u8> {
        fs::read(self.path.with_extension("stdin")).unwrap_or_default()
    }
}

/// The folder of the corpus.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// The 75 programs of the flat folder.
pub fn flat() -> Vec<Sample> {
    with("", "expected")
}

/// The 26 programs that were compiled with other options.
pub fn variants() -> Vec<Sample> {
    ["desc-exl", "ou", "sa"].iter().flat_map(|option| with(&format!("variants/{option}"), "expected")).collect()
}

/// The 13 heavier programs.
pub fn bench() -> Vec<Sample> {
    with("bench", "expected")
}

/// The 24 programs that end in an error, most of them.
pub fn errors() -> Vec<Sample> {
    with("errors", "expected-error")
}

/// The 22 programs that import Platform, by their plain names.
pub fn platform() -> Vec<Sample> {
    with("../corpus-platform", "expected").into_iter().map(plain).collect()
}

/// The 23 programs of many styles that read a number, by their plain names.
pub fn wide() -> Vec<Sample> {
    with("../corpus-wide", "expected").into_iter().map(plain).collect()
}

/// The 30 programs after nofib, which read a number, by their plain names.
pub fn nofib() -> Vec<Sample> {
    with("../corpus-nofib", "expected").into_iter().map(plain).collect()
}

/// The 23 programs that import StdEnv, by their plain names.
pub fn stdenv() -> Vec<Sample> {
    with("../corpus-stdenv", "expected").into_iter().map(plain).collect()
}

/// Named without its folder.
fn plain(sample: Sample) -> Sample {
    Sample { name: sample.name.rsplit('/').next().unwrap_or_default().to_string(), ..sample }
}

/// Everything that has a start.
pub fn all() -> Vec<Sample> {
    [flat(), variants(), bench(), errors()].concat()
}

/// Modules in a folder beside which there is a file with this extension, by name.
fn with(sub: &str, extension: &str) -> Vec<Sample> {
    let folder = folder().join(sub);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut samples = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_main = path.extension().is_some_and(|e| e == "abc") && path.with_extension(extension).exists();
        if is_main && !LEFT_OUT.iter().any(|left| left.0 == stem) {
            let name = if sub.is_empty() { stem } else { format!("{sub}/{stem}") };
            samples.push(Sample { name, path });
        }
    }
    samples.sort_by(|a, b| a.name.cmp(&b.name));
    samples
}
