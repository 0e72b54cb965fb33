//! The main module that is meant where a folder is named, and arguments that nobody would read.

use crate::cli::args::{HERE, RunArgs};
use crate::cli::below::ends;
use crate::driver::compiled::Compiled;
use crate::driver::input::STDIN;
use crate::driver::session::{Outcome, Session};
use crate::languages;
use cleave_diag::{Diagnostic, code};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

/// So many programs of a folder are named in a message.
const SHOWN: usize = 6;

/// Endings of what is run and is no source.
const OTHERS: [&str; 3] = ["ir", "wasm", "mjs"];

/// What is meant by the name of a folder: its file `main`, the one with the name of the folder, or the only one.
pub fn of(session: &mut Session, main: &Path) -> Outcome<PathBuf> {
    let endings: Vec<&str> = languages::formatted().collect();
    if let Some(diagnostic) = other_ending(main, &endings) {
        return Err(session.fail(diagnostic));
    }
    if !main.is_dir() || languages::is_there(session, main) {
        return Ok(main.to_path_buf());
    }
    let entries = std::fs::read_dir(main).into_iter().flatten().flatten().map(|entry| entry.path());
    let files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    let has_others = files.iter().any(|path| ends(path, &["abc", "icl", "wasm"]));
    // IR may be what was made of the others.
    let [mut found, ir] = [&endings[..], &["ir"][..]]
        .map(|endings| files.iter().filter(|path| ends(path, endings)).cloned().collect::<Vec<PathBuf>>());
    if found.is_empty() {
        found = ir;
    }
    found.sort();
    // `.` has no name, and what it stands for has one.
    let absolute = std::path::absolute(main).unwrap_or_default();
    let own = absolute.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let named = |path: &&PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        name == "main" || name == own
    };
    match (found.as_slice(), found.iter().filter(named).collect::<Vec<_>>().as_slice()) {
        ([], _) if has_others => Ok(main.to_path_buf()),
        ([], _) => {
            let message = format!("`{}` is a folder, and there is no program in it", main.display());
            let endings: Vec<String> = endings.iter().map(|ending| format!("`.{ending}`")).collect();
            let help = format!("programs end with {}, or with `.abc` and `.icl`", endings.join(", "));
            let new = "`cleave new LANGUAGE NAME` makes a folder with a program";
            Err(session.fail(Diagnostic::error(code::FILE_IS_DIRECTORY, message).help(help).help(new)))
        }
        ([one], _) => Ok(shortened(one)),
        (_, [one]) => Ok(shortened(one)),
        (several, _) => {
            let message = format!("`{}` is a folder with several programs", main.display());
            let shown: Vec<String> =
                several.iter().take(SHOWN).map(|path| format!("`{}`", shortened(path).display())).collect();
            let more = if several.len() > SHOWN { ", …" } else { "" };
            let help = format!("name one of them: {}{more}", shown.join(", "));
            Err(session.fail(Diagnostic::error(code::FILE_IS_DIRECTORY, message).help(help)))
        }
    }
}

/// The name of a file in the folder at hand without that folder.
fn shortened(path: &Path) -> PathBuf {
    path.strip_prefix(HERE).unwrap_or(path).to_path_buf()
}

/// What to say of a name with no ending, or one that no language has: there is another file, or it does not tell its
/// language.
fn other_ending(main: &Path, endings: &[&str]) -> Option<Diagnostic> {
    let ending = main.extension().unwrap_or_default().to_str()?;
    let is_known = |known: &&str| OTHERS.contains(known) || languages::by_extension(known).is_some();
    if is_known(&ending) || main.is_dir() {
        return None;
    }
    let name = main.display();
    // Without an ending it may be a module, which has another file.
    if ending.is_empty() && !main.is_file() {
        return None;
    }
    if !main.exists() {
        let other = endings.iter().map(|ending| main.with_extension(ending)).find(|path| path.is_file())?;
        let message = format!("there is no file `{name}`");
        let help = format!("did you mean `{}`?", other.display());
        return Some(Diagnostic::error(code::FILE_NOT_FOUND, message).help(help));
    }
    let mut head = Vec::new();
    std::fs::File::open(main).and_then(|file| file.take(5).read_to_end(&mut head)).ok()?;
    // Text that is no ABC, whatever it is called.
    if !main.is_file()
        || head == b".comp"
        || head.iter().any(|byte| !(byte.is_ascii_graphic() || b" \t\r\n".contains(byte)))
    {
        return None;
    }
    let message = match ending {
        "" => format!("`{name}` has no ending that tells its language"),
        _ => format!("the ending of `{name}` is that of no language"),
    };
    let help = format!("programs end with {}, `.ir`", languages::endings(|_| true));
    let formatted = languages::ALL.iter().find(|language| language.formatter().is_some());
    let (one, language) = formatted.map_or(("ir", "IR"), |language| (language.extensions()[0], language.name()));
    let pipe = format!("`cleave run - --language {one} <{name}` reads it as {language}");
    Some(Diagnostic::error(code::FILE_NOT_ABC, message).help(help).help(pipe))
}

/// Something runs, and what is given to it is read.
pub fn check_run(session: &mut Session, args: &RunArgs, compiled: &Compiled) -> Outcome {
    let main = &args.main;
    if !compiled.has_start && !compiled.interface.exports.is_empty() {
        let message = format!("`{}` has no start function: it only exports functions", main.display());
        let help = "`cleave build` makes a library of it, which others call";
        return Err(session.fail(Diagnostic::error(code::NO_START, message).help(help)));
    }
    if !compiled.reads_arguments {
        unread_arguments(session, main, &args.arguments);
    }
    if compiled.heap.counts() {
        no_collector(session, args);
    }
    Ok(())
}

/// Says so if flags speak of a collector, where references are counted.
fn no_collector(session: &mut Session, args: &RunArgs) {
    let gc = args.gc.map(|collector| format!("--gc {}", collector.word()));
    let nursery = args.nursery.map(|_| "--nursery".to_string());
    for flag in gc.into_iter().chain(nursery) {
        let message = format!("`{flag}` does nothing: the references of this program are counted");
        let help = "`--memory gc` compiles it for the garbage collector";
        session.sink.report(Diagnostic::warning(code::COLLECTOR_UNUSED, message).help(help));
    }
}

/// Says so if arguments are given to a program that does not ask the runtime for them, unless its language has other
/// ways.
fn unread_arguments(session: &mut Session, main: &Path, arguments: &[OsString]) {
    if arguments.is_empty() || main.extension().is_some_and(|ending| ending == "wasm" || ending == "ir") {
        return;
    }
    if languages::of(session, main).takes_arguments() {
        return;
    }
    let shown: Vec<String> = arguments.iter().map(|word| format!("`{}`", word.to_string_lossy())).collect();
    let name = if main == Path::new(STDIN) { "the program".into() } else { format!("`{}`", main.display()) };
    let message = format!("{name} does not read its arguments: {}", shown.join(" "));
    let help = "what stands behind the name of a program is for it; options of Cleave stand before the name";
    session.sink.report(Diagnostic::warning(code::ARGUMENTS_UNREAD, message).help(help));
}
