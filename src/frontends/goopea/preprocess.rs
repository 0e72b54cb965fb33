//! The preprocessor: includes and conditions, which say of which parts of which files a program is made.
//!
//! A line whose first word begins with `#` is one: `#include FILE` (relative to the file that it is in), `#def NAME`,
//! `#undef NAME`, `#if NAME`, `#ifnot NAME`, `#endif NAME`. What is skipped ends at the `#endif` of the same name. The
//! result is a list of pieces of files in their order, so that every word keeps its true place.

use crate::lex::beginning;
use cleave_diag::{Diagnostic, FileId, Sink, SourceMap, Span, code};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Where the text of files comes from.
pub trait Files {
    /// The bytes of a file, or why there are none.
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String>;
}

/// Bytes of a file.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub file: FileId,
    pub start: usize,
    pub end: usize,
}

/// Files in files in files: more is taken for a circle.
const DEPTH: usize = 64;
/// So often a program may include files.
const INCLUDES: usize = 10_000;

/// A file that is being read.
struct Reader {
    file: FileId,
    path: PathBuf,
    /// The lines that are left begin here.
    at: usize,
}

/// What stands between two parts of which one is read, in other languages.
fn is_else(directive: &[u8]) -> bool {
    matches!(directive, b"#else" | b"#elif" | b"#elseif" | b"#elsif")
}

fn no_else(directive: &[u8], name: &[u8]) -> Diagnostic {
    let (directive, name) = (String::from_utf8_lossy(directive), String::from_utf8_lossy(name));
    let help = format!("`#if {name}` begins one part, `#ifnot {name}` the other, and `#endif {name}` ends each");
    Diagnostic::error(code::PREPROCESSOR, format!("there is no `{directive}`")).help(help)
}

/// The pieces of the program in `main`.
pub fn expand(
    main: FileId,
    path: &Path,
    files: &mut dyn Files,
    sources: &mut SourceMap,
    sink: &mut Sink,
) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut defined: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut known: BTreeMap<PathBuf, FileId> = BTreeMap::from([(path.to_path_buf(), main)]);
    // What is skipped now, and where that begins.
    let mut skipped: Option<(Vec<u8>, Span)> = None;
    // The parts that are not skipped and still open.
    let mut open: Vec<Vec<u8>> = Vec::new();
    let mut readers = vec![Reader { file: main, path: path.to_path_buf(), at: beginning(&sources.file(main).bytes) }];
    let mut includes = 0;
    while let Some(reader) = readers.last_mut() {
        let bytes = &sources.file(reader.file).bytes;
        let file = reader.file;
        let start = reader.at;
        if start >= bytes.len() {
            readers.pop();
            continue;
        }
        let length = bytes[start..].iter().position(|&byte| byte == b'\n').map_or(bytes.len() - start, |at| at + 1);
        let line = &bytes[start..start + length];
        reader.at += length;
        let Some(hash) = line.iter().position(|byte| !byte.is_ascii_whitespace()).filter(|&at| line[at] == b'#') else {
            if skipped.is_none() {
                match pieces.last_mut() {
                    Some(piece) if piece.file == file && piece.end == start => piece.end += length,
                    _ => pieces.push(Piece { file, start, end: start + length }),
                }
            }
            continue;
        };
        let text = line.trim_ascii();
        let span = Span::new(file, (start + hash) as u32, (start + hash + text.len()) as u32);
        let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let (directive, argument, more) = (words.next().unwrap_or(b"#"), words.next(), words.next());
        if let Some((name, _)) = &skipped {
            if directive == b"#endif" && argument == Some(name) {
                skipped = None;
            } else if is_else(directive) {
                sink.report(no_else(directive, name).at(span, ""));
            }
            continue;
        }
        if is_else(directive) {
            let name = open.last().map_or(&b"NAME"[..], |name| name);
            sink.report(no_else(directive, name).at(span, ""));
            continue;
        }
        let known_word = [&b"#include"[..], b"#def", b"#undef", b"#if", b"#ifnot", b"#endif"].contains(&directive);
        let (Some(argument), true, None) = (argument, known_word, more) else {
            let message = match known_word {
                true => "a line for the preprocessor is a word and a name",
                false => "unknown word for the preprocessor",
            };
            let help = "the words are #include FILE, #def NAME, #undef NAME, #if NAME, #ifnot NAME, #endif NAME";
            let diagnostic = Diagnostic::error(code::PREPROCESSOR, message).at(span, "").help(help);
            sink.report(if known_word { diagnostic } else { diagnostic.help("a comment begins with `//`") });
            continue;
        };
        let argument = argument.to_vec();
        match directive {
            b"#def" => _ = defined.insert(argument),
            b"#undef" => _ = defined.remove(&argument),
            b"#if" if !defined.contains(&argument) => skipped = Some((argument, span)),
            b"#ifnot" if defined.contains(&argument) => skipped = Some((argument, span)),
            b"#if" | b"#ifnot" => open.push(argument),
            b"#endif" => match open.iter().rposition(|name| *name == argument) {
                Some(at) => _ = open.remove(at),
                None => {
                    let message =
                        format!("nothing is open that `#endif {}` would end", String::from_utf8_lossy(&argument));
                    let help = "it stands behind an `#if` or `#ifnot` of the same name";
                    sink.report(Diagnostic::error(code::PREPROCESSOR, message).at(span, "").help(help));
                }
            },
            b"#include" => {
                let name = String::from_utf8_lossy(&argument).into_owned();
                let folder = reader.path.parent().unwrap_or(Path::new("")).to_path_buf();
                let path = folder.join(&name);
                includes += 1;
                let problem = if readers.len() >= DEPTH || includes > INCLUDES {
                    let help = "does it include itself? `#ifnot NAME`, `#def NAME` … `#endif NAME` around a file help";
                    Some(Diagnostic::error(code::PREPROCESSOR, "too many files include each other").help(help))
                } else if let Some(&file) = known.get(&path) {
                    readers.push(Reader { file, path, at: beginning(&sources.file(file).bytes) });
                    None
                } else {
                    match files.read(&path) {
                        Ok(bytes) => {
                            let at = beginning(&bytes);
                            let file = sources.add(path.display().to_string(), bytes);
                            known.insert(path.clone(), file);
                            readers.push(Reader { file, path, at });
                            None
                        }
                        Err(why) => {
                            let message = format!("`{}` cannot be included: {why}", path.display());
                            let bare = name.trim_matches(['"', '\'', '<', '>']);
                            let diagnostic = Diagnostic::error(code::INCLUDE_UNREADABLE, message);
                            if bare == name {
                                Some(diagnostic.help("names are relative to the file that includes"))
                            } else {
                                let line = format!("#include {bare}");
                                let diagnostic = diagnostic.help(format!("names stand without quotes: `{line}`"));
                                let there = folder.join(bare);
                                let is_there = files.read(&there).is_ok();
                                let edit = is_there.then(|| vec![(span, line.clone())]);
                                Some(
                                    edit.into_iter()
                                        .fold(diagnostic, |it, edit| it.fix(format!("write `{line}`"), edit)),
                                )
                            }
                        }
                    }
                };
                if let Some(problem) = problem {
                    sink.report(problem.at(span, ""));
                    if includes > INCLUDES {
                        return pieces;
                    }
                }
            }
            _ => {}
        }
    }
    if let Some((name, span)) = skipped {
        let name = String::from_utf8_lossy(&name).into_owned();
        let message = format!("there is no `#endif {name}`");
        sink.report(Diagnostic::error(code::PREPROCESSOR, message).at(span, "nothing behind this line is read"));
    }
    pieces
}
