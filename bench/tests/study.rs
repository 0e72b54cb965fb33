//! `cleave-bench study` on one small program with a few seconds: every section runs, nothing fails, and what it writes
//! is JSON, Markdown and SVG.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("cleave-study-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the results");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn study(out: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cleave-bench"));
    command.arg("study").arg("--out").arg(out).args(words).output().expect("the bench starts")
}

fn text(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn succeeds(output: &Output) -> String {
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{error}");
    out.into_owned()
}

/// That of conventions is there with its feature.
fn sections() -> Vec<&'static str> {
    let mut sections = vec!["strategies", "passes", "nursery", "conventions", "thesis", "size"];
    sections.retain(|section| cfg!(feature = "conventions") || *section != "conventions");
    sections
}

#[test]
fn a_short_study() {
    let folder = Folder::new("short");
    let out = succeeds(&study(&folder.0, &["--programs", "astack", "--minutes", "0.05", "--no-node"]));
    assert!(out.contains("Left out for lack of time: "), "so little time is not enough for everything:\n{out}");
    let summary = text(&folder, "study.md");
    for section in sections() {
        let json = text(&folder, &format!("{section}.json"));
        let json: Value = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{section}.json: {error}"));
        assert_eq!(json["kind"], format!("study {section}"));
        assert!(json["machine"]["cores"].is_string() && !json["results"].is_null());
        is_markdown(&text(&folder, &format!("{section}.md")), section);
        assert!(summary.to_lowercase().contains(&format!("\n## {section}\n")), "{section} is missing:\n{summary}");
    }
    is_markdown(&summary, "study.md");
    let mut charts = 0;
    for entry in fs::read_dir(&folder.0).expect("the folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".svg") {
            is_svg(&text(&folder, &name), &name);
            assert!(summary.contains(&format!("({name})")), "{name} is not shown");
            charts += 1;
        }
    }
    assert_eq!(charts, sections().len() + 1, "a chart for each section, and one of the programs");
    measured_something(&folder);
    kept_sections(&folder);
}

/// The strategy section has samples, and its numbers are those of the program.
fn measured_something(folder: &Folder) {
    let json: Value = serde_json::from_str(&text(folder, "strategies.json")).expect("JSON");
    let cells = json["results"]["cells"].as_array().expect("cells");
    let measured: Vec<&Value> = cells.iter().filter(|cell| cell["state"] == "measured").collect();
    assert!(!measured.is_empty(), "{json}");
    // What makes the same file as another setting refers to one that was measured.
    for cell in cells.iter().filter(|cell| cell["state"] == "same file") {
        let first = |other: &&&Value| other["setting"] == cell["same_file_as"] && other["engine"] == cell["engine"];
        assert!(cell["samples"].is_null() && measured.iter().any(|other| first(&other)), "{cell}");
    }
    for cell in measured {
        let compiler = &cell["compiler"];
        assert_eq!(cell["program"], "astack");
        assert!(compiler["code_bytes"][0].as_f64().is_some_and(|bytes| bytes > 1000.0), "{cell}");
        // Of stack maps the rooted IR shows nothing.
        let counted = compiler["rooted_instructions"][0].as_f64().is_some_and(|count| count > 10.0);
        assert_eq!(counted, cell["setting"] != "stackmap", "{cell}");
        assert!(cell["samples"]["total_s"][0].as_f64().is_some_and(|seconds| seconds > 0.0), "{cell}");
    }
}

/// `--resume` leaves finished sections as they are, and the summary is made without measuring.
fn kept_sections(folder: &Folder) {
    let before = text(folder, "thesis.md");
    let out = succeeds(&study(&folder.0, &["--resume", "--programs", "astack", "--no-node"]));
    assert!(out.contains("thesis: kept as it is"), "{out}");
    assert_eq!(text(folder, "thesis.md"), before);
    fs::remove_file(folder.0.join("study.md")).expect("it was there");
    succeeds(&study(&folder.0, &["--summary-only"]));
    is_markdown(&text(folder, "study.md"), "study.md");
}

/// What the compiler offers for an engine is measured there: stack maps in machine code, not in WebAssembly.
#[test]
fn strategies_of_each_engine() {
    let folder = Folder::new("strategies");
    let words = ["--sections", "strategies", "--programs", "astack", "--minutes", "1", "--no-node"];
    succeeds(&study(&folder.0, &words));
    let json: Value = serde_json::from_str(&text(&folder, "strategies.json")).expect("JSON");
    let cells = json["results"]["cells"].as_array().expect("cells");
    assert!(cells.iter().any(|cell| cell["engine"] == "native"), "{json}");
    for cell in cells {
        let exists = cell["setting"] != "stackmap" || cell["engine"] == "native";
        assert_eq!(cell["state"] != "not available", exists, "{cell}");
    }
}

#[test]
fn wrong_usage() {
    let folder = Folder::new("wrong");
    for words in [
        &["--programs", "no-such-program"][..],
        &["--node", "/no/such/node", "--programs", "astack"],
        &["--sections", "everything"],
        &["--minutes", "-1"],
    ] {
        assert!(!study(&folder.0, words).status.success(), "{words:?}");
    }
}

/// Every table has as many cells in each line as in its head.
fn is_markdown(text: &str, name: &str) {
    let mut columns = None;
    let mut tables = 0;
    for line in text.lines() {
        let cells = line.starts_with('|').then(|| line.matches('|').count());
        if let (Some(before), Some(now)) = (columns, cells) {
            assert_eq!(before, now, "{name}: {line}");
        }
        tables += usize::from(columns.is_none() && cells.is_some());
        columns = cells;
    }
    assert!(tables > 0, "{name} has no table:\n{text}");
}

/// Elements are closed in the order in which they were opened, and texts hold no bare signs of markup.
fn is_svg(text: &str, name: &str) {
    assert!(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{name}");
    let mut open = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, after) = part.split_once('>').unwrap_or_else(|| panic!("{name}: <{part}"));
        assert!(!after.contains('>'), "{name}: {after}");
        for entity in after.split('&').skip(1) {
            assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|known| entity.starts_with(known)), "{name}: {after}");
        }
        assert!(tag.matches('"').count() % 2 == 0 && !tag.contains("NaN") && !tag.contains("inf"), "{name}: {tag}");
        let word = tag.split([' ', '/']).find(|word| !word.is_empty()).unwrap_or_default();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(word), "{name}: </{word}>");
        } else if !tag.ends_with('/') {
            open.push(word);
        }
    }
    assert!(open.is_empty(), "{name}: {open:?} not closed");
}
