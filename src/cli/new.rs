//! The command `new`: a folder with a program that runs, and what it prints.

use crate::driver::output::{reason, write_stdout};
use crate::driver::session::{Outcome, Session};
use crate::languages;
use crate::languages::frontend::{Frontend, Template};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueHint};
use cleave_diag::{Diagnostic, code};
use std::path::{Path, PathBuf};

/// The folder gets a program, what it prints as `main.expected`, and README.md, which says how to run, check and build
/// it.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The language of the program
    #[arg(value_name = "LANGUAGE", value_parser = PossibleValuesParser::new(values()))]
    pub language: String,
    /// The folder, which must not be there yet
    #[arg(value_name = "NAME", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
}

/// What `cleave new` calls IR.
const IR_WORD: &str = "ir";

/// Templates of all languages.
fn templates() -> impl Iterator<Item = (&'static dyn Frontend, Template)> {
    languages::ALL.iter().filter_map(|&language| Some((language, language.template()?)))
}

/// Languages in which a program can begin, each also by the ending of its files.
fn values() -> Vec<PossibleValue> {
    let of = |(language, template): (&dyn Frontend, Template)| {
        PossibleValue::new(template.word).aliases(language.extensions()).help(template.about)
    };
    let ir = PossibleValue::new(IR_WORD).help("The intermediate representation itself");
    templates().map(of).chain([ir]).collect()
}

const IR: &str = "; The sum of the numbers from 1 to 10, as text.
module \"main\"
start @main

func @sum(v0: i64, v1: i64) -> i64 {
block0(v0: i64, v1: i64):
  v2 = sgt v0, v1
  br_if v2, block1, block2
block1:
  v3 = iconst.i64 0
  ret v3
block2:
  v4 = iconst.i64 1
  v5 = iadd v0, v4
  v6 = call @sum(v5, v1)
  v7 = iadd v0, v6
  ret v7
}

func @main() {
block0:
  v0 = iconst.i64 1
  v1 = iconst.i64 10
  v2 = call @sum(v0, v1)
  call_rt print_int(v2)
  v3 = iconst.i64 10
  call_rt print_char(v3)
  ret
}
";

/// Makes the folder.
pub fn run(session: &mut Session, args: &NewArgs) -> Outcome<i32> {
    let folder = &args.folder;
    let shown = folder.display();
    if folder.exists() {
        let message = format!("`{shown}` is there already");
        let help = "a new program gets a folder of its own: give it another name";
        return Err(session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message).help(help)));
    }
    let ir = Template { word: IR_WORD, about: "", file: "main.ir", text: IR, expected: "55\n" };
    let is_meant = |(language, template): &(&dyn Frontend, Template)| {
        template.word == args.language || language.extensions().contains(&args.language.as_str())
    };
    let Template { file, text, expected: output, .. } = templates().find(is_meant).map_or(ir, |found| found.1);
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let readme = format!(
        "# {name}\n\n```sh\ncleave run {file}                            # it prints what stands in main.expected\n\
         cleave test                                    # its tests: main.expected, and functions `test…`\ncleave check {file}                          # what is wrong with it\n\
         cleave build {file}                          # WebAssembly; with --target native an executable\n```\n"
    );
    let expected = Path::new(file).with_extension("expected").display().to_string();
    let readme = readme.replace("main.expected", &expected);
    let files = [(file, text), (&expected[..], output), ("README.md", &readme)];
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| files.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text)));
    let named = folder.join(file);
    let told = written.and_then(|()| write_stdout(format!("{shown}: cleave run {}\n", named.display()).as_bytes()));
    told.map(|()| 0).map_err(|error| {
        let message = format!("`{shown}` cannot be written: {}", reason(&error));
        session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message))
    })
}
