//! What comments and documents refer to exists: files, folders, headings of documents. Nothing refers to a text that is
//! not in the tree.

use super::{files, root};
use std::collections::BTreeMap;

/// Folders that hold the project: a path in backticks that begins with one of them is a citation.
const ROOMS: &[&str] = &["src", "targets", "rt", "tests", "bench", "docs", "examples"];

/// Ways to cite texts that readers do not have.
const ELSEWHERE: &[&str] = &["design notes", "shadow-stack notes", "(reference, "];

/// Paths and citations of a line that are in backticks.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).filter(|word| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-#".contains(&byte))
    })
}

/// True for a name of a source file, such as `place.rs` or `src/ir/layout.rs`, and for all paths that begin with a
/// folder of the project.
fn is_citation(word: &str) -> bool {
    let in_room = word.split_once('/').is_some_and(|(first, rest)| ROOMS.contains(&first) && !rest.is_empty());
    in_room || word.ends_with(".rs")
}

/// A section of a text by letter and number in parentheses, as (g.14): no document here has such sections.
fn cites_a_section(comment: &str) -> bool {
    comment.split('(').skip(1).any(|rest| {
        let inside = rest.split(')').next().unwrap_or_default();
        let number = inside.split_once('.').filter(|(letter, _)| ["a", "b", "c", "d", "e", "f", "g"].contains(letter));
        number.is_some_and(|(_, digits)| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// All files, and for documents their headings as anchors.
struct Tree {
    anchors: BTreeMap<String, Vec<String>>,
    sources: Vec<String>,
}

impl Tree {
    fn read() -> Tree {
        let anchors = files(&["md"]).into_iter().map(|(file, text)| (file, anchors_of(&text))).collect();
        Tree { anchors, sources: files(&["rs"]).into_keys().collect() }
    }

    /// Says what is wrong with a path that stands in a file; `#heading` may stand after it.
    fn problem_in(&self, file: &str, path: &str) -> Option<String> {
        if path.starts_with("../") { self.problem(&beside(file, path)) } else { self.problem(path) }
    }

    fn problem(&self, path: &str) -> Option<String> {
        let (file, anchor) = path.split_once('#').map_or((path, None), |(file, anchor)| (file, Some(anchor)));
        let name = file.trim_end_matches('/');
        // `place.rs` stands for the file of that name, `ir/layout.rs` for the one whose path ends so.
        let is_end = |source: &String| source.strip_suffix(name).is_some_and(|rest| rest.ends_with('/'));
        let exists = root().join(name).exists() || name.ends_with(".rs") && self.sources.iter().any(is_end);
        if !exists {
            return Some(format!("there is no {name}"));
        }
        let anchor = anchor?;
        let known = self.anchors.get(name)?.iter().any(|known| known == anchor);
        (!known).then(|| format!("{name} has no heading #{anchor}"))
    }
}

/// A path relative to the folder of a file, as one relative to the root.
fn beside(file: &str, path: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The anchors of a document's headings, as code hosts make them.
fn anchors_of(text: &str) -> Vec<String> {
    let mut in_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        in_code ^= line.starts_with("```");
        if !in_code && line.starts_with('#') {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            found.push(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
    }
    found
}

/// The targets of links in a line, `[text](target)`, without those to other places.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    targets.filter(|target| !target.contains("://"))
}

#[test]
fn comments_refer_to_what_exists() {
    let tree = Tree::read();
    let mut wrong = Vec::new();
    for (file, text) in files(&["rs", "mjs", "sh", "py", "toml", "abc"]) {
        if file == "tests/citations.rs" {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let marks = ["//", "#", "|"];
            let Some(comment) = marks.iter().find_map(|mark| line.find(mark).map(|at| &line[at..])) else { continue };
            let place = format!("{file}:{}", number + 1);
            for word in quoted(comment).filter(|word| is_citation(word)) {
                wrong.extend(tree.problem_in(&file, word).map(|problem| format!("{place}: {problem}")));
            }
            for phrase in ELSEWHERE.iter().filter(|phrase| comment.contains(**phrase)) {
                wrong.push(format!("{place}: `{phrase}` is no text of this tree"));
            }
            if cites_a_section(comment) {
                wrong.push(format!("{place}: a section of a text that is not in this tree"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn documents_refer_to_what_exists() {
    let tree = Tree::read();
    let mut wrong = Vec::new();
    for (file, text) in files(&["md"]) {
        if file.starts_with("bench/") {
            continue;
        }
        let mut in_code = false;
        for (number, line) in text.lines().enumerate() {
            in_code ^= line.starts_with("```");
            if in_code {
                continue;
            }
            let place = format!("{file}:{}", number + 1);
            for link in links(line) {
                let path = if link.starts_with('#') { format!("{file}{link}") } else { beside(&file, link) };
                wrong.extend(tree.problem(&path).map(|problem| format!("{place}: {problem}")));
            }
            for word in quoted(line).filter(|word| is_citation(word)) {
                wrong.extend(tree.problem_in(&file, word).map(|problem| format!("{place}: {problem}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_wrong_citation_is_found() {
    let tree = Tree::read();
    assert_eq!(tree.problem("src/ir/layout.rs"), None);
    assert_eq!(tree.problem("ir/layout.rs"), None);
    assert_eq!(tree.problem("docs/roots.md#the-rule"), None);
    assert_eq!(tree.problem("layoutx.rs").as_deref(), Some("there is no layoutx.rs"));
    assert_eq!(tree.problem("docs/roots.md#rule").as_deref(), Some("docs/roots.md has no heading #rule"));
    assert_eq!(quoted("see `a b`, `x.rs` and `docs/y.md#z`").collect::<Vec<_>>(), ["x.rs", "docs/y.md#z"]);
    assert!(cites_a_section("below (g.14).") && !cites_a_section("f(a.b) (e.g.)"));
    assert_eq!(beside("docs/a.md", "../bench/b.svg"), "bench/b.svg");
    assert_eq!(links("[a](b.md#c) [d](https://e)").collect::<Vec<_>>(), ["b.md#c"]);
}
