//! What editors get: the language server, and the form of samlang.
//!
//! A script in this folder is a conversation with `cleave lsp`; beside it lies what the server says (`BLESS=1` writes
//! it). Its commands, with lines and columns as the protocol counts them:
//!
//! ```text
//! file NAME            the lines up to `---` are a file that is not open
//! open NAME            the lines up to `---` are what the editor has of it
//! change NAME L:C-L:C TEXT      `\n` is the end of a line
//! errors NAME          waits for what is said of the file
//! hover NAME L:C, definition NAME L:C, completion NAME L:C, format NAME, symbols NAME, close NAME, ask METHOD
//! open NAME LANGUAGE   as the editor calls it
//! references NAME L:C, or with `uses` after it without the definition; rename NAME L:C NEW; find QUERY; colours NAME
//! codeAction NAME L:C KIND      only those of a kind
//! incoming NAME L:C, outgoing, supertypes, subtypes: of the item that is there; renameFile OLD NEW
//! other methods of text documents by their names
//! completion NAME L:C BEGIN     of what is suggested, what begins so
//! ```
//!
//! `protocol` are editors that do not behave; `kept` changes files at random, and compares with a server that has just
//! been started. Neovim, where it is installed, opens a program and asks for everything
//! (`neovim.lua`).
//!
//! Every program of samlang is brought into its form, which it then keeps. Mutants of programs are checked, formatted
//! and looked at, without a panic: `EDITOR_MUTANTS=100000` makes a campaign, `EDITOR_SEED` begins elsewhere. Of mutants
//! of IR and ABC everything is asked.

mod client;
mod kept;
mod protocol;

use cleave_diag::{FileId, Sink, SourceMap};
use cleave_strict::ide::{Query, TYPED};
use cleave_tests::mutate::surfaces::Alone;
use cleave_tests::mutate::text;
use cleave_tests::process::{AS_COMPILER, run};
use cleave_tests::random_goopea::Random;
use cleave_tests::selection::size;
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let mut trials = Vec::new();
    // What takes longest comes first, in two tests beside each other.
    for kind in [0, 1] {
        let storm = move || protocol::storm(kind).map_err(Failed::from);
        trials.push(Trial::test(format!("protocol/storm-{kind}"), storm));
    }
    for path in files("tests/lsp", "txt") {
        let name = format!("talk/{}", path.file_stem().unwrap_or_default().display());
        trials.push(Trial::test(name, move || client::converse(&path).map_err(Failed::from)));
    }
    let has_neovim = Command::new("nvim").arg("--version").output().is_ok();
    trials.push(Trial::test("neovim", || neovim().map_err(Failed::from)).with_ignored_flag(!has_neovim));
    let tests: [(&str, fn() -> Result<(), String>); 6] = [
        ("malformed", protocol::malformed),
        ("order", protocol::order),
        ("cancelled", protocol::cancelled),
        ("changes", protocol::changes),
        ("crlf", protocol::crlf),
        ("kept", kept::kept),
    ];
    for (name, run) in tests {
        trials.push(Trial::test(format!("protocol/{name}"), move || run().map_err(Failed::from)));
    }
    trials.push(Trial::test("forms", || forms().map_err(Failed::from)));
    trials.push(Trial::test("mutants", || mutants().map_err(Failed::from)));
    trials.push(Trial::test("listings", || listings().map_err(Failed::from)));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// What `neovim.lua` opens, with an error that it takes out, and what it says.
const OPENED: &str = "import { List } from std.list
class Main {
  function main(): unit = {
    val numbers = List.range(1, 4);
    Builtins.println(Builtins.intToString(List.sum(numbers)));
    wrong
  }
}
";
const TOLD: &str = "error 5:4 there is no variable `wrong`
hover ```sam numbers: List<int> ```
definition std.list.sam inside
completion many
|import { List } from std.list
|
|class Main {
|  function main(): unit = {
|    val numbers = List.range(1, 4);
|    Builtins.println(Builtins.intToString(List.sum(numbers)));
|  }
|}
";

/// A real editor, if it is there.
fn neovim() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("neovim");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    fs::write(folder.join("Main.sam"), OPENED).map_err(|error| error.to_string())?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("lsp/neovim.lua");
    let mut editor = Command::new("nvim");
    editor.args(["--headless", "-u", "NONE", "-c", &format!("luafile {}", script.display())]);
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    editor.current_dir(&folder).env("CLEAVE", program).env(AS_COMPILER, "1").env("CLEAVE_CACHE", folder.join("cache"));
    run(&mut editor, Vec::new(), Duration::from_secs(120))?.expect(0, TOLD.as_bytes())
}

/// The files with an ending, below a folder of the project.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder)];
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(&folder).expect("the folder exists").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The form of a program; nothing if it has errors of syntax.
fn form(text: &[u8]) -> Option<String> {
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let file = sources.add("x.sam", text.to_vec());
    cleave_samlang::format(file, &sources, &mut sink)
}

/// The words of a program, and what the parser makes of them, without places.
fn syntax(text: &[u8]) -> String {
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let file = sources.add("x.sam", text.to_vec());
    let mut names = cleave_samlang::lex::Names::default();
    let tokens = cleave_samlang::lex::lex(file, text, &mut names, None, &mut sink);
    let tree = format!("{:?}", cleave_samlang::parse::parse("x", text, file, &tokens, &names, &mut sink));
    let mut plain = String::with_capacity(tree.len());
    for (number, part) in tree.split("Span { ").enumerate() {
        plain += if number == 0 { part } else { part.split_once('}').map_or(part, |split| split.1) };
    }
    plain
}

fn forms() -> Result<(), String> {
    let mut count = 0;
    for path in files("tests/samlang", "sam").into_iter().chain(files("library/samlang", "sam")) {
        let text = fs::read(&path).map_err(|error| error.to_string())?;
        let Some(once) = form(&text) else { continue };
        count += 1;
        let shown = path.display();
        if form(once.as_bytes()).as_deref() != Some(&once) {
            return Err(format!("{shown}: formatting again changes it"));
        }
        if syntax(&text) != syntax(once.as_bytes()) {
            return Err(format!("{shown}: the form is another program"));
        }
        // Only a comment or a word can be too long to stand on a line with others.
        let is_long = |line: &&str| line.chars().count() > 120 && line.split_whitespace().count() > 4;
        if let Some(long) = once.lines().filter(|line| !line.contains("//") && !line.contains('"')).find(is_long) {
            return Err(format!("{shown}: a long line: {long}"));
        }
    }
    if count > 200 { Ok(()) } else { Err(format!("{count} programs are too few")) }
}

/// A number that a variable names.
fn wanted(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Mutants of IR and ABC: there is an answer to every question at every place.
fn listings() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("listings");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (first, count) = (wanted("EDITOR_SEED", 1), wanted("EDITOR_MUTANTS", size(2_000, 4_000)) / 10);
    for (ending, place, words) in [("ir", "tests/files", &IR_WORDS[..]), ("abc", "tests/corpus", &ABC_WORDS)] {
        // Large ones only take longer.
        let seeds = files(place, ending).into_iter().filter_map(|path| fs::read(path).ok());
        let seeds: Vec<Vec<u8>> = seeds.filter(|text| text.len() < 20_000).collect();
        let path = folder.join(format!("x.{ending}"));
        let mut answers = 0;
        for seed in first..first + count {
            let mut random = Random::new(seed);
            let mut text = seeds[random.below(seeds.len())].clone();
            for _ in 0..1 + random.below(3) {
                text::change(&mut text, &seeds, words, &mut random);
            }
            fs::write(&path, &text).map_err(|error| error.to_string())?;
            let text = String::from_utf8_lossy(&text).into_owned();
            let line = random.below(text.lines().count() + 1);
            let column = random.below(text.lines().nth(line).unwrap_or_default().len() + 1);
            for method in ["hover", "definition", "completion", "documentSymbol", "prepareCallHierarchy"] {
                let question = format!(
                    "{{\"method\":\"textDocument/{method}\",\"params\":{{\"textDocument\":{{\"uri\":\"file://{}\"}},\
                     \"position\":{{\"line\":{line},\"character\":{column}}}}}}}",
                    path.display()
                );
                let answer = std::panic::catch_unwind(|| cleave::cli::lsp::answer(&question));
                let answer = answer.map_err(|_| format!("panic at {line}:{column}, seed {seed}:\n{text}"))?;
                answers += u64::from(answer.len() > "null".len());
            }
        }
        if answers < count {
            return Err(format!("there are only {answers} answers to {count} mutants of .{ending}"));
        }
    }
    Ok(())
}

fn mutants() -> Result<(), String> {
    let read = |ending: &str, folders: &[&str]| -> Vec<Vec<u8>> {
        let files = folders.iter().flat_map(|folder| files(folder, ending));
        files.map(|path| fs::read(path).expect("programs can be read")).collect()
    };
    let languages =
        [read("sam", &["tests/samlang", "library/samlang"]), read("goo", &["tests/goopea", "examples/goopea"])];
    let (first, count) = (wanted("EDITOR_SEED", 1), wanted("EDITOR_MUTANTS", size(2_000, 4_000)));
    let (mut correct, mut formatted, mut exact) = (0, 0, 0);
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let is_samlang = random.below(4) > 0;
        let seeds = &languages[usize::from(!is_samlang)];
        let mut text = seeds[random.below(seeds.len())].clone();
        for _ in 0..1 + random.below(3) {
            text::change(&mut text, seeds, &WORDS, &mut random);
        }
        let at = random.below(text.len() + 1);
        let result = std::panic::catch_unwind(|| match is_samlang {
            true => samlang(&text, at),
            false => goopea(&text, at),
        });
        let shown = || format!("seed {seed}:\n{}", String::from_utf8_lossy(&text));
        match result {
            Ok(Ok(found)) => {
                correct += u64::from(found[0]);
                formatted += u64::from(found[1]);
                exact += u64::from(found[2]);
            }
            Ok(Err(error)) => return Err(format!("{error}, {}", shown())),
            Err(_) => return Err(format!("panic, {}", shown())),
        }
    }
    println!("{count} mutants: {correct} are programs, {formatted} have a form, {exact} say what may be typed");
    let is_mixed = |number: u64| number > 0 && number < count;
    if is_mixed(correct) && is_mixed(formatted) && is_mixed(exact) { Ok(()) } else { Err("all are the same".into()) }
}

/// The question of an editor, in a file where somebody types.
fn typed(text: &[u8], at: usize) -> (Vec<u8>, Query) {
    let mut text = text.to_vec();
    let typed = TYPED[at % 2];
    text.splice(at..at, typed.bytes());
    (text, Query { file: FileId(0), typed: Some(typed), near: None })
}

/// Whether a text is a program, has a form, and knows what may be typed at a place.
fn samlang(text: &[u8], at: usize) -> Result<[bool; 3], String> {
    let formatted = form(text);
    if let Some(once) = &formatted
        && form(once.as_bytes()).as_ref() != Some(once)
    {
        return Err("formatting again changes it".into());
    }
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let main = sources.add("x.sam", text.to_vec());
    let checked = cleave_samlang::check("x", main, &mut Alone, &mut sources, &mut sink);
    let program = checked.and_then(|checked| cleave_samlang::instantiate("x", &checked, &mut sink));
    if program.is_none() && !sink.has_errors() {
        return Err("neither a program nor an error".into());
    }
    let (text, question) = typed(text, at);
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let main = sources.add("x.sam", text);
    let places = cleave_samlang::analyze("x", main, &mut Alone, &mut sources, &mut sink, question);
    Ok([program.is_some(), formatted.is_some(), places.is_exact])
}

fn goopea(text: &[u8], at: usize) -> Result<[bool; 3], String> {
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let main = sources.add("x.goo", text.to_vec());
    let formatted = cleave_goopea::format(main, &sources, &mut sink);
    let mut sink = Sink::new();
    let path = Path::new("x.goo");
    let program = cleave_goopea::read("x", main, path, &mut Alone, &mut sources, &mut sink);
    let (text, question) = typed(text, at);
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let main = sources.add("x.goo", text);
    let places = cleave_goopea::analyze(main, path, &mut Alone, &mut sources, &mut sink, question);
    Ok([program.is_some(), formatted.is_some(), places.is_exact])
}

/// Words that mutants get.
#[rustfmt::skip]
const WORDS: [&str; 30] = [
    "class ", "function ", "method ", "val ", "match ", "if ", " then ", " else ", "->", "=", "{", "}", "(", ")",
    "[", "]", "<", ">", ".", ",", ";", ":", "::", "|", "-", " 2147483648 ", "\"", "// x\n", "/* y */", "_",
];
#[rustfmt::skip]
const IR_WORDS: [&str; 20] = [
    "func ", "block0", "block1(", "v0", "v1 = ", "@", "$", "&", "%", "^", "\"", "\\", ";", "{", "}", "(", ")", ":", "\n", "é",
];
#[rustfmt::skip]
const ABC_WORDS: [&str; 14] = [
    ".o 1 0", ".desc ", ".implab", "jmp ", "build ", "\"", "\\", "|", "\t", "\n", "_", "\r\n", " ", "é",
];
