//! Reading and writing a large text: by character, by line, and as one string.
//!
//! The three programs copy `io.txt` to `io.out` in the current folder, which is that of this invocation. After each
//! sample the two files are compared.

use crate::args::RunArgs;
use crate::input::{Program, Scratch, line_count};
use crate::runner;
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{BufWriter, Read, Write};
use std::path::Path;

const PROGRAMS: [(&str, &str); 3] = [
    ("char", include_str!("io/char.abc")),
    ("line", include_str!("io/line.abc")),
    ("string", include_str!("io/string.abc")),
];

/// Bytes of the text. The program that reads all of it at once asks for at most 110,000,000.
const SIZE: usize = 100_000_000;
const INPUT: &str = "io.txt";
const OUTPUT: &str = "io.out";

pub fn main(args: &RunArgs) -> Result<()> {
    let scratch = Scratch::new()?;
    let mut args = args.clone();
    // Their paths are relative to the folder that we leave.
    let paths = [&mut args.clean.clean, &mut args.clean.clean_native, &mut args.output.json, &mut args.output.markdown];
    for path in paths.into_iter().flatten() {
        *path = std::path::absolute(&path)?;
    }
    std::env::set_current_dir(&scratch.path)?;
    write_text(Path::new(INPUT)).context("the text cannot be written")?;
    let mut programs = Vec::new();
    for (name, text) in PROGRAMS {
        if args.programs.is_empty() || args.programs.iter().any(|wanted| wanted == name) {
            let abc = scratch.path.join(format!("{name}.abc"));
            fs::write(&abc, text)?;
            let lines = line_count(text.as_bytes());
            programs.push(Program { name: name.into(), abc, expected: b"0\n".to_vec(), lines });
        }
    }
    if programs.is_empty() {
        bail!("the programs are char, line and string");
    }
    runner::run(&args, programs, &same_files)
}

/// Lines of 19 to 78 letters and blanks.
fn write_text(path: &Path) -> Result<()> {
    let mut out = BufWriter::new(fs::File::create(path)?);
    let mut written = 0;
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    while written < SIZE {
        let length = 19 + random() % 60;
        let mut line: Vec<u8> =
            (0..length).map(|_| b"abcdefghijklmnopqrstuvwxyz      "[random() as usize % 32]).collect();
        line.push(b'\n');
        out.write_all(&line)?;
        written += line.len();
    }
    out.flush()?;
    Ok(())
}

/// The output must be the input; it is removed, so that the next sample begins as this one did.
fn same_files(program: &Program) -> Result<()> {
    let (mut input, mut output) = (fs::File::open(INPUT)?, fs::File::open(OUTPUT)?);
    let (mut a, mut b) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    if input.metadata()?.len() != output.metadata()?.len() {
        bail!("{} has not copied everything", program.name);
    }
    loop {
        let count = input.read(&mut a)?;
        if count == 0 {
            break;
        }
        output.read_exact(&mut b[..count])?;
        if a[..count] != b[..count] {
            bail!("{} has copied something else", program.name);
        }
    }
    fs::remove_file(OUTPUT)?;
    Ok(())
}
