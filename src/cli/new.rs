//! The command `new`: a folder with a program that runs, and what it prints.

use crate::driver::output::{reason, write_stdout};
use crate::driver::session::{Outcome, Session};
use clap::{Args, ValueEnum, ValueHint};
use cleave_diag::{Diagnostic, code};
use std::path::{Path, PathBuf};

/// The folder gets a program, what it prints as `main.expected`, and README.md, which says how to run, check and build
/// it.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The language of the program
    #[arg(value_name = "LANGUAGE")]
    pub language: NewLanguage,
    /// The folder, which must not be there yet
    #[arg(value_name = "NAME", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
}

/// Languages in which a program can begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum NewLanguage {
    /// Strict, functional, in place
    #[value(alias = "goo")]
    Goopea,
    /// Classes, functions, patterns
    #[value(alias = "sam")]
    Samlang,
    /// The intermediate representation itself
    Ir,
}

const GOOPEA: &str = "// A list of numbers, and their sum.
enum List = Nil, Cons(Int, List);

(Int, Int): List
range(from, to) = match from > to {
    True: Nil,
    False: Cons(from, range(from + 1, to))
};

List: Int
sum list = match list {
    Nil: 0,
    Cons(first, rest): first + sum rest
};

(): Bool
testSum = sum(range(1, 3)) == 6;

(): Int
main = sum(range(1, 10));
";

const SAMLANG: &str = "class Main {
  function sum(first: int, last: int): int = if first > last {
    0
  } else {
    first + Main.sum(first + 1, last)
  }

  function testSum(): bool = Main.sum(1, 3) == 6

  function main(): unit = Process.println(Str.fromInt(Main.sum(1, 10)))
}
";

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
    let (file, text) = match args.language {
        NewLanguage::Goopea => ("main.goo", GOOPEA),
        NewLanguage::Samlang => ("Main.sam", SAMLANG),
        NewLanguage::Ir => ("main.ir", IR),
    };
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let readme = format!(
        "# {name}\n\n```sh\ncleave run {file}                            # it prints what stands in main.expected\n\
         cleave test                                    # its tests: main.expected, and functions `test…`\ncleave check {file}                          # what is wrong with it\n\
         cleave build {file}                          # WebAssembly; with --target native an executable\n```\n"
    );
    let expected = Path::new(file).with_extension("expected").display().to_string();
    let readme = readme.replace("main.expected", &expected);
    let files = [(file, text), (&expected[..], "55\n"), ("README.md", &readme)];
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| files.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text)));
    let named = folder.join(file);
    let told = written.and_then(|()| write_stdout(format!("{shown}: cleave run {}\n", named.display()).as_bytes()));
    told.map(|()| 0).map_err(|error| {
        let message = format!("`{shown}` cannot be written: {}", reason(&error));
        session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message))
    })
}
