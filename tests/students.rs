//! The students' programs of the public repository havenousername/clean: what Clean's native code prints for each, as
//! length and hash (`students/expected.txt`, written by `students/expect.py`).

use crate::process::Output;
use std::fs;
use std::path::{Path, PathBuf};

/// A program whose .icl has changed since: its .abc file prints the whole numbers from 1, without end.
pub const ENDLESS: &str = "workflow/recursion/hw02";

/// A program that ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Student {
    /// Its path without `Clean System Files` and ending.
    pub name: String,
    pub status: i32,
    pub length: usize,
    pub hash: u64,
}

/// All programs that end, in the order of the file.
pub fn all() -> Vec<Student> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("students/expected.txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.starts_with('#')).map(|line| parse(line).expect("four words")).collect()
}

fn parse(line: &str) -> Option<Student> {
    let mut words = line.split(' ');
    Some(Student {
        name: words.next()?.to_string(),
        status: words.next()?.parse().ok()?,
        length: words.next()?.parse().ok()?,
        hash: u64::from_str_radix(words.next()?, 16).ok()?,
    })
}

/// The main module of a program in a checkout.
pub fn main(root: &Path, name: &str) -> PathBuf {
    let (folder, module) = name.rsplit_once('/').unwrap_or(("", name));
    root.join(folder).join("Clean System Files").join(format!("{module}.abc"))
}

impl Student {
    /// Compares with what the program left.
    pub fn expect(&self, output: &Output) -> Result<(), String> {
        let shown = String::from_utf8_lossy(&output.stdout[..output.stdout.len().min(400)]).into_owned();
        if output.status != Some(self.status) {
            let stderr = String::from_utf8_lossy(&output.stderr);
            return Err(format!("status {:?}, not {}\n{shown}\n{stderr}", output.status, self.status));
        }
        if (output.stdout.len(), fnv(&output.stdout)) != (self.length, self.hash) {
            let length = output.stdout.len();
            return Err(format!("{length} bytes on stdout with another hash than {} of Clean's: {shown}", self.length));
        }
        Ok(())
    }
}

/// The hash FNV-1a of 64 bits.
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
