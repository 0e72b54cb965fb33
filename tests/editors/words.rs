//! The words of every program of the tree, as a grammar finds them and as the server tells them to editors.
//!
//! For each character a letter says what word it belongs to, and the texts of these letters are compared.

use super::languages::{ABC, CLEAN, GOOPEA, IR, Language, SAMLANG};
use super::root;
use cleave::driver::json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs for their mistakes: what is no word has no colour that anybody promises.
const WRONG: [&str; 3] = ["/errors/", "/cli/messages-", "/cli/ir-errors"];

/// The files of a language, without those whose words are wrong on purpose.
fn programs(language: &Language) -> Vec<PathBuf> {
    let mut folders = vec![root()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if !["target", ".git", "node_modules"].contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|found| language.endings.iter().any(|ending| found == *ending)) {
                let text = path.to_string_lossy().replace('\\', "/");
                if !WRONG.iter().any(|part| text.contains(part)) && fs::read_to_string(&path).is_ok() {
                    found.push(path);
                }
            }
        }
    }
    found.sort();
    found
}

/// The letter of a kind, as both sides name it.
fn letter(kind: &str, language: &Language) -> char {
    // By its letters alone nobody knows what a name stands for.
    let is_names = [GOOPEA.id, SAMLANG.id].contains(&language.id);
    match kind {
        "comment" => 'c',
        "string" => 's',
        "number" => 'n',
        "keyword" => 'k',
        "operator" => 'o',
        "type" | "class" | "interface" | "enumMember" | "typeParameter" => 't',
        "function" | "method" if !is_names => 'f',
        "variable" | "function" | "method" | "property" | "name" => 'v',
        "label" => 'l',
        "macro" | "directive" => 'd',
        other => panic!("nobody knows the kind `{other}`"),
    }
}

/// A line of blanks for each line of a text, as long as the line in UTF-16.
fn blank(text: &str) -> Vec<Vec<char>> {
    text.split('\n').map(|line| vec![' '; line.trim_end_matches('\r').encode_utf16().count()]).collect()
}

/// The names of kinds, in the order in which the server numbers them.
fn legend() -> Vec<String> {
    const NAMES: &str = "comment string number keyword operator type class interface enumMember typeParameter function \
                         method property variable label macro";
    NAMES.split(' ').map(String::from).collect()
}

/// What the server says of a file.
fn told(path: &Path, text: &str, language: &Language) -> Result<Vec<Vec<char>>, String> {
    let uri = format!("file://{}", fs::canonicalize(path).map_err(|error| error.to_string())?.display());
    let question = format!(
        "{{\"method\":\"textDocument/semanticTokens/full\",\"params\":{{\"textDocument\":{{\"uri\":\"{uri}\"}}}}}}"
    );
    let answer = Value::parse(&cleave::cli::lsp::answer(&question)).ok_or("the answer is no JSON")?;
    let data = answer.get(&["data"]).ok_or_else(|| format!("{}: nothing is told", path.display()))?;
    let numbers: Vec<usize> = data.as_list().iter().filter_map(Value::as_index).collect();
    let mut letters = blank(text);
    let legend = legend();
    let (mut line, mut column) = (0, 0);
    for word in numbers.chunks(5) {
        let &[lines, columns, length, kind, _] = word else { return Err("half a word".into()) };
        column = if lines == 0 { column + columns } else { columns };
        line += lines;
        let part = letters.get_mut(line).and_then(|line| line.get_mut(column..column + length));
        part.ok_or_else(|| format!("{}:{line}: a word behind the line", path.display()))?
            .fill(letter(&legend[kind], language));
    }
    Ok(letters)
}

/// Says where two readings of a file differ.
fn compare(path: &Path, text: &str, grammar: &[Vec<char>], server: &[Vec<char>]) -> Result<(), String> {
    for (number, (line, (a, b))) in text.split('\n').zip(grammar.iter().zip(server)).enumerate() {
        // Blanks in comments and after instructions are of no colour that one sees.
        let is_same = line.encode_utf16().zip(a.iter().zip(b)).all(|(unit, (a, b))| a == b || unit == 32 || unit == 9);
        if !is_same {
            let (a, b): (String, String) = (a.iter().collect(), b.iter().collect());
            return Err(format!("{}:{}:\n  {line}\ngrammar:\n  {a}\nserver:\n  {b}", path.display(), number + 1));
        }
    }
    Ok(())
}

/// Where a test works.
fn folder(name: &str) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editors").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    Ok(folder)
}

fn output(mut command: Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// What the libraries of VS Code make of files: for each its lines, as letters.
fn by_textmate(language: &Language, files: &[PathBuf]) -> Result<Vec<Vec<Vec<char>>>, String> {
    let list = folder(&format!("textmate-{}", language.id))?.join("files.txt");
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    fs::write(&list, names.join("\n")).map_err(|error| error.to_string())?;
    let mut node = Command::new("node");
    node.arg(root().join("tests/editors/textmate.cjs"));
    node.arg(root().join(format!("editors/vscode/syntaxes/{}.tmLanguage.json", language.id))).arg(list);
    let said = output(node)?;
    let files: Vec<&str> = said.split("\u{c}\n").skip(1).collect();
    Ok(files.iter().map(|file| file.lines().map(|line| line.chars().collect()).collect()).collect())
}

pub fn textmate() -> Result<(), String> {
    let mut problems = Vec::new();
    for language in [&GOOPEA, &SAMLANG, &IR, &ABC] {
        let files = programs(language);
        let read = by_textmate(language, &files)?;
        if read.len() != files.len() || files.len() < 20 {
            return Err(format!("{}: {} of {} files were read", language.id, read.len(), files.len()));
        }
        for (path, grammar) in files.iter().zip(&read) {
            let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
            problems.extend(compare(path, &text, grammar, &told(path, &text, language)?).err());
        }
    }
    told_of(&problems)
}

fn told_of(problems: &[String]) -> Result<(), String> {
    const SHOWN: usize = 12;
    match problems {
        [] => Ok(()),
        some => Err(format!("{} files differ:\n{}", some.len(), some[..some.len().min(SHOWN)].join("\n"))),
    }
}

/// There is no lexer of Clean here: its grammar must find the end of every comment and string, and the first word.
pub fn clean() -> Result<(), String> {
    let files = programs(&CLEAN);
    let read = by_textmate(&CLEAN, &files)?;
    let mut problems = Vec::new();
    for (path, letters) in files.iter().zip(&read) {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        for (number, (line, letters)) in text.lines().zip(letters).enumerate() {
            let first = line.split_whitespace().next().unwrap_or_default();
            // What begins a line in column 0 is no part of a comment, unless it says so.
            let wanted = match first {
                "module" | "implementation" | "definition" | "import" | "where" => 'k',
                "Start" => 't',
                _ => continue,
            };
            if line.starts_with(first) && letters.first() != Some(&wanted) {
                problems.push(format!("{}:{}: {line}", path.display(), number + 1));
            }
        }
    }
    if files.len() < 100 { Err(format!("{} files are too few", files.len())) } else { told_of(&problems) }
}

/// The parsers that `tree-sitter` makes of the grammars, with the queries that colour.
pub fn tree_sitter() -> Result<(), String> {
    let mut problems = Vec::new();
    for language in [&GOOPEA, &SAMLANG, &IR, &ABC] {
        let here = folder(&format!("tree-sitter-{}", language.id))?;
        fs::copy(root().join(format!("editors/tree-sitter/{}/grammar.js", language.id)), here.join("grammar.js"))
            .map_err(|error| error.to_string())?;
        let run = |arguments: &[&str]| {
            let mut command = Command::new("tree-sitter");
            command.args(arguments).current_dir(&here).env("HOME", &here).env("XDG_CACHE_HOME", &here);
            output(command)
        };
        run(&["generate"])?;
        let files = programs(language);
        let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
        let list = here.join("files.txt");
        fs::write(&list, names.join("\n")).map_err(|error| error.to_string())?;
        let query = root().join(format!("editors/tree-sitter/{}/queries/highlights.scm", language.id));
        let (query, list) = (query.display().to_string(), list.display().to_string());
        let said = run(&["query", "--captures", "--paths", &list, &query])?;
        let mut lines = said.lines().peekable();
        for (number, path) in files.iter().enumerate() {
            let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
            let name = path.display().to_string();
            let mut letters = blank(&text);
            if lines.next() != Some(name.as_str()) {
                return Err(format!("nothing is said of {name}"));
            }
            // What is captured may have several lines, and is shown.
            let next = names.get(number + 1).map(String::as_str);
            while let Some(line) = lines.next_if(|line| Some(*line) != next) {
                if line.starts_with("    pattern:") {
                    capture(line, &text, &mut letters, language);
                }
            }
            problems.extend(compare(path, &text, &letters, &told(path, &text, language)?).err());
        }
    }
    told_of(&problems)
}

/// A line as `pattern: 3, capture: 3 - number, start: (0, 4), end: (0, 6), text: …`.
fn capture(line: &str, text: &str, letters: &mut [Vec<char>], language: &Language) -> Option<()> {
    let name = line.split(" - ").nth(1)?.split(',').next()?.trim();
    let kind = match name {
        "punctuation.bracket" => return None,
        "keyword.directive" => "directive",
        other => other,
    };
    let place = |word: &str| {
        let (row, column) = line.split_once(word)?.1.split_once(')')?.0.split_once(", ")?;
        Some((row.parse::<usize>().ok()?, column.parse::<usize>().ok()?))
    };
    let (start, end) = (place("start: (")?, place("end: (")?);
    for (number, line) in text.split('\n').enumerate().skip(start.0).take(end.0 - start.0 + 1) {
        let units = |bytes: usize| line.get(..bytes).map_or(usize::MAX, |part| part.encode_utf16().count());
        let from = if number == start.0 { units(start.1) } else { 0 };
        let length = letters[number].len();
        let to = if number == end.0 { units(end.1).min(length) } else { length };
        letters[number].get_mut(from..to)?.fill(letter(kind, language));
    }
    Some(())
}
