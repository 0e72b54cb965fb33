//! Messages for wrong programs: `goopea/messages.txt`, `samlang/messages.txt` and `files/messages.txt` (IR) say of each
//! program which messages there must be, where, and what they have to say. They were written before the messages were.
//! `lints.txt` beside them has programs that are accepted, with the lints that find something in them.

use cleave::driver::interpret;
use cleave::driver::session::{Options, Session};
use cleave_diag::{Code, Diagnostic, FileId, LINTS, Severity, Sink, SourceMap, code, lint, lint_name};
use std::path::Path;

/// No other files.
struct Alone;

impl cleave_goopea::Files for Alone {
    fn read(&mut self, _: &Path) -> Result<Vec<u8>, String> {
        Err("there are none".into())
    }
}

impl cleave_samlang::Files for Alone {
    fn read(&mut self, _: &Path) -> Result<Option<(String, Vec<u8>)>, String> {
        Ok(None)
    }
}

/// Reads a program of GOOPEA, and says if it is one.
fn read_goopea(main: FileId, sources: &mut SourceMap, sink: &mut Sink) -> bool {
    cleave_goopea::read("x", main, Path::new("x.goo"), &mut Alone, sources, sink).is_some()
}

/// The same for samlang.
fn read_samlang(main: FileId, sources: &mut SourceMap, sink: &mut Sink) -> bool {
    cleave_samlang::check("x", main, &mut Alone, sources, sink).is_some()
}

/// The same for IR.
fn read_ir(main: FileId, sources: &mut SourceMap, sink: &mut Sink) -> bool {
    let mut session = Session::new(Options::default());
    let file = session.sources.add("x.ir", sources.file(main).bytes.clone());
    let is_read = interpret::ir_of(&mut session, file, Path::new("x.ir")).is_ok();
    // Both have one file, of the same number.
    sink.merge(session.sink);
    is_read
}

type Read = fn(FileId, &mut SourceMap, &mut Sink) -> bool;

/// Everything that a message says.
fn said(diagnostic: &Diagnostic) -> String {
    let labels = diagnostic.primary.iter().chain(&diagnostic.secondary).map(|label| label.text.as_str());
    let parts: Vec<&str> = labels.chain(diagnostic.help.iter().map(String::as_str)).collect();
    format!("{} {}", diagnostic.message, parts.join(" "))
}

/// Says what a program lacks in its messages.
fn problem(read: Read, program: &str, wanted: &[&str]) -> Option<String> {
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let main = sources.add("x", program.as_bytes().to_vec());
    if read(main, &mut sources, &mut sink) {
        return Some("it is accepted".into());
    }
    sink.sort();
    let found: Vec<&Diagnostic> = sink.diagnostics().iter().filter(|one| one.severity == Severity::Error).collect();
    let shown = || {
        let place = |diagnostic: &Diagnostic| {
            let label = diagnostic.primary.as_ref()?;
            let position = sources.file(label.span.file).position(label.span.start);
            Some(format!("{}:{}", position.line, position.column))
        };
        let line = |one: &&Diagnostic| format!("    {} {}", place(one).unwrap_or_default(), said(one));
        found.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    if found.len() != wanted.len() {
        return Some(format!("{} messages instead of {}:\n{}", found.len(), wanted.len(), shown()));
    }
    for (diagnostic, wanted) in found.iter().zip(wanted) {
        let (place, words) = wanted.split_once(' ').unwrap_or((wanted, ""));
        let marks = diagnostic.primary.iter().chain(&diagnostic.secondary).any(|label| {
            let position = sources.file(label.span.file).position(label.span.start);
            format!("{}:{}", position.line, position.column) == place
        });
        let text = said(diagnostic);
        if !marks || words.split('|').any(|word| !text.contains(word)) {
            return Some(format!("wanted {wanted}, found\n{}", shown()));
        }
    }
    None
}

#[test]
fn goopea() {
    programs("goopea/messages.txt", read_goopea);
}

#[test]
fn samlang() {
    programs("samlang/messages.txt", read_samlang);
}

#[test]
fn ir() {
    programs("files/messages.txt", read_ir);
}

#[test]
fn goopea_lints() {
    let never = [code::UNUSED_IMPORT, code::DUPLICATE_IMPORT, code::UNREACHABLE_CODE];
    lints("goopea/lints.txt", read_goopea, &never);
    let rest = [
        code::UNUSED_VARIABLE,
        code::UNUSED_PARAMETER,
        code::UNUSED_FUNCTION,
        code::MISLEADING_SHADOWING,
        code::DIVISION_BY_ZERO,
        code::CONSTANT_COMPARISON,
    ];
    assert_eq!(never.len() + rest.len(), LINTS.len());
}

#[test]
fn samlang_lints() {
    lints("samlang/lints.txt", read_samlang, &[code::MISLEADING_SHADOWING]);
}

/// Says what a program lacks in its lints.
fn lint_problem(read: Read, program: &str, wanted: &[&str]) -> Option<String> {
    let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
    let main = sources.add("x", program.as_bytes().to_vec());
    let is_accepted = read(main, &mut sources, &mut sink);
    sink.sort();
    let line = |one: &Diagnostic| {
        let place = one.primary.as_ref().map(|label| sources.file(label.span.file).position(label.span.start));
        let name = lint_name(one.code).map_or(one.message.clone(), str::to_string);
        place.map(|place| format!("{}:{} {name}", place.line, place.column)).unwrap_or(name)
    };
    let found: Vec<String> = sink.diagnostics().iter().map(line).collect();
    (found != wanted || !is_accepted).then(|| format!("wanted {wanted:?}, found {found:?}"))
}

fn lints(file: &str, read: Read, never: &[Code]) {
    let mut found = Vec::new();
    all(file, &mut |program, wanted| {
        found.extend(wanted.iter().filter_map(|wanted| lint(wanted.split_once(' ')?.1)));
        lint_problem(read, program, wanted)
    });
    for (name, code) in LINTS {
        assert_eq!(found.contains(code), !never.contains(code), "{file}: {name}");
    }
}

fn programs(file: &str, read: Read) {
    all(file, &mut |program, wanted| {
        assert!(!wanted.is_empty(), "nothing is wanted of {program}");
        problem(read, program, wanted)
    });
}

/// Asks of each program of a file what is wrong with what is said of it.
fn all(file: &str, problem: &mut dyn FnMut(&str, &[&str]) -> Option<String>) {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
    let text = text.expect("the programs can be read");
    let mut problems = Vec::new();
    let mut count = 0;
    for part in text.split("\n== ").skip(1) {
        let (name, rest) = part.split_once('\n').expect("a name has a line of its own");
        let is_wanted = |line: &&str| line.starts_with("-- ") && line[3..].starts_with(|c: char| c.is_ascii_digit());
        let program: String = rest.lines().filter(|line| !is_wanted(line)).flat_map(|line| [line, "\n"]).collect();
        let wanted: Vec<&str> = rest.lines().filter(is_wanted).map(|line| &line[3..]).collect();
        count += 1;
        problems.extend(problem(&program, &wanted).map(|problem| format!("{name}: {problem}")));
    }
    assert!(problems.is_empty(), "{} of {count} programs:\n{}", problems.len(), problems.join("\n"));
}

/// The definitions of a program, as ranges of bytes: each ends with its semicolon.
fn definition_of(text: &[u8], at: usize) -> std::ops::Range<usize> {
    let start = text[..at].iter().rposition(|&byte| byte == b';').map_or(0, |end| end + 1);
    let end = text[at..].iter().position(|&byte| byte == b';').map_or(text.len(), |end| at + end + 1);
    start..end
}

/// Good programs of which one word is missing: nearly all have one message, and nearly all one in the definition where
/// the word is missing. (A constructor that has lost a field is told of at every use.)
#[test]
fn a_missing_word() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("goopea");
    let (mut count, mut single, mut near, mut accepted) = (0, 0, 0, 0);
    let mut examples = Vec::new();
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "goo")) {
        let text = std::fs::read(path).expect("a program");
        if text.starts_with(b"\xef") || text.contains(&b'#') {
            continue;
        }
        for (range, lexeme) in cleave_goopea::lexemes(&text) {
            if lexeme == cleave_strict::lexemes::Lexeme::Comment {
                continue;
            }
            let mut mutant = text.clone();
            mutant.splice(range.clone(), [b' ']);
            let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
            let main = sources.add("x.goo", mutant.clone());
            if cleave_goopea::read("x", main, Path::new("x.goo"), &mut Alone, &mut sources, &mut sink).is_some() {
                accepted += 1;
                continue;
            }
            count += 1;
            single += u32::from(sink.diagnostics().len() == 1);
            let here = definition_of(&mutant, range.start);
            let is_near = |one: &Diagnostic| {
                one.primary.iter().any(|label| (here.start..=here.end).contains(&(label.span.start as usize)))
            };
            near += u32::from(sink.diagnostics().iter().any(is_near));
            if sink.diagnostics().len() > 1 {
                let line = |one: &Diagnostic| {
                    let place = one.primary.as_ref().map(|label| sources.file(main).position(label.span.start));
                    format!("    {:?} {}", place, one.message)
                };
                let lines: Vec<String> = sink.diagnostics().iter().take(4).map(line).collect();
                let missing = String::from_utf8_lossy(&text[range.clone()]).into_owned();
                let line = 1 + text[..range.start].iter().filter(|&&byte| byte == b'\n').count();
                examples.push(format!("{}:{line} without `{missing}`:\n{}", path.display(), lines.join("\n")));
            }
        }
    }
    println!("{count} programs, {accepted} more are accepted: {single} have one message, {near} one in its definition");
    let step = (examples.len() / 20).max(1);
    let shown = || examples.iter().step_by(step).cloned().collect::<Vec<_>>().join("\n");
    assert!(count > 4000 && single * 100 >= count * 96 && near * 100 >= count * 98, "{}", shown());
}
