//! Files that need each other: which files of a crate name items of which others, and the circles among them.
//!
//! A circle is a room without a door: none of its files can be read, tested or moved without all the others. Three may
//! stand together; more must find a direction. What counts is where an item is defined, not through which re-export
//! it is reached, so a `mod.rs` that gathers its parts is not a part of them. Methods are not followed.

use super::files;
use std::collections::{BTreeMap, BTreeSet};

/// More files than this in one circle are an error.
const MOST: usize = 3;

type Path = Vec<String>;

/// What a file says about names.
#[derive(Default)]
struct Source {
    file: String,
    /// Names that the file defines, at any depth.
    defines: BTreeSet<String>,
    /// `use` declarations: the module in which they stand, the name they make (`*` for all), and the path.
    imports: Vec<(Path, String, Path)>,
    /// Other paths, with the module in which they stand.
    paths: Vec<(Path, Path)>,
}

/// Identifiers and punctuation, without comments, texts and characters.
fn tokens(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let word = rest.bytes().take_while(|byte| is_word(byte)).count();
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if word > 0 {
            let hashes = rest[word..].bytes().take_while(|byte| *byte == b'#').count();
            let raw = ["r", "br", "cr"].contains(&&rest[..word]) && rest[word + hashes..].starts_with('"');
            if raw {
                let end = format!("\"{}", "#".repeat(hashes));
                let start = word + hashes + 1;
                at += rest[start..].find(&end).map_or(rest.len(), |length| start + length + end.len());
            } else {
                found.push(&rest[..word]);
                at += word;
            }
        } else if rest.starts_with('"') {
            at += 1;
            while at < bytes.len() && bytes[at] != b'"' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at += 1;
        } else if let Some(quoted) = rest.strip_prefix('\'') {
            // A character, unless it is a lifetime.
            let character = quoted.chars().next().map_or(0, |first| match first {
                '\\' => quoted[2..].find('\'').map_or(0, |end| end + 4),
                first if quoted[first.len_utf8()..].starts_with('\'') => first.len_utf8() + 2,
                _ => 0,
            });
            at += character.max(1);
        } else if rest.starts_with("::") {
            found.push(&rest[..2]);
            at += 2;
        } else {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            if !rest.starts_with(char::is_whitespace) {
                found.push(&rest[..length]);
            }
            at += length;
        }
    }
    found
}

/// Adds the paths of a `use` declaration, with the names that they make.
fn add_uses(tree: &[&str], before: &Path, add: &mut impl FnMut(String, Path)) {
    let mut start = 0;
    let mut depth = 0;
    for at in 0..=tree.len() {
        match tree.get(at) {
            Some(&"{") => depth += 1,
            Some(&"}") => depth -= 1,
            None => {}
            Some(&",") if depth == 0 => {}
            Some(_) => continue,
        }
        if tree.get(at).is_some_and(|token| *token != ",") {
            continue;
        }
        let part = &tree[start..at];
        start = at + 1;
        let mut path = before.clone();
        let group = part.iter().position(|token| *token == "{");
        let head = &part[..group.unwrap_or(part.len())];
        let renamed = head.iter().position(|token| *token == "as");
        path.extend(head[..renamed.unwrap_or(head.len())].iter().filter(|t| **t != "::").map(|t| (*t).to_string()));
        if let Some(group) = group {
            add_uses(&part[group + 1..part.len() - 1], &path, add);
        } else if !path.is_empty() && !part.is_empty() {
            if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
                path.pop();
            }
            let name = match renamed {
                Some(at) => head[at + 1].to_string(),
                None => path.last().cloned().unwrap_or_default(),
            };
            if name == "*" {
                path.pop();
            }
            add(name, path);
        }
    }
}

impl Source {
    fn read(file: &str, module: &Path, text: &str) -> Source {
        let tokens = tokens(text);
        let mut source = Source { file: file.to_string(), ..Source::default() };
        let mut scope = module.clone();
        // Depths of braces at which inline modules end.
        let mut inline = Vec::new();
        let mut depth = 0;
        let mut at = 0;
        while at < tokens.len() {
            let (token, next) = (tokens[at], tokens.get(at + 1).copied().unwrap_or_default());
            match token {
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    if inline.last() == Some(&depth) {
                        inline.pop();
                        scope.pop();
                    }
                }
                "use" => {
                    let end = tokens[at..].iter().position(|token| *token == ";").map_or(tokens.len(), |end| at + end);
                    let here = scope.clone();
                    add_uses(&tokens[at + 1..end], &Path::new(), &mut |name, path| {
                        source.imports.push((here.clone(), name, path));
                    });
                    at = end;
                }
                "mod" if tokens.get(at + 2) == Some(&"{") => {
                    inline.push(depth);
                    scope.push(next.to_string());
                    depth += 1;
                    at += 2;
                }
                "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "mod" | "union" => {
                    let name = if next == "mut" { tokens.get(at + 2).copied().unwrap_or_default() } else { next };
                    source.defines.insert(name.to_string());
                }
                "macro_rules" => {
                    source.defines.insert(tokens.get(at + 2).copied().unwrap_or_default().to_string());
                }
                _ if next == "::" && (at == 0 || !["::", "."].contains(&tokens[at - 1])) => {
                    let mut path = vec![token.to_string()];
                    let is_name = |token: &&&str| token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
                    while tokens.get(at + 1) == Some(&"::")
                        && let Some(name) = tokens.get(at + 2).filter(is_name)
                    {
                        path.push((*name).to_string());
                        at += 2;
                    }
                    source.paths.push((scope.clone(), path));
                }
                _ => {}
            }
            at += 1;
        }
        source
    }
}

/// The files of a crate by their modules.
struct Crate(BTreeMap<Path, Source>);

/// No chain of re-exports is longer.
const CHAIN: usize = 8;

impl Crate {
    /// A path from the root of the crate; nothing for paths into other crates.
    fn absolute(&self, scope: &Path, path: &[String], chain: usize) -> Option<Path> {
        let mut from = scope.clone();
        match path.first()?.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "self" => return Some([&scope[..], &path[1..]].concat()),
            "super" => {
                let up = path.iter().take_while(|name| *name == "super").count();
                from.truncate(scope.len().checked_sub(up)?);
                return Some([&from[..], &path[up..]].concat());
            }
            first => from.push(first.to_string()),
        }
        if self.0.contains_key(&from) {
            return Some([&from[..], &path[1..]].concat());
        }
        let import = self.import(scope, &path[0]).filter(|import| chain < CHAIN && import[0] != path[0])?;
        let before = self.absolute(scope, import, chain + 1)?;
        Some([&before[..], &path[1..]].concat())
    }

    fn import(&self, scope: &Path, name: &str) -> Option<&Path> {
        let source = (0..=scope.len()).rev().find_map(|length| self.0.get(&scope[..length]))?;
        source.imports.iter().find(|import| import.0 == *scope && import.1 == name).map(|import| &import.2)
    }

    /// The module whose file defines what a path from the root leads to.
    fn definition(&self, path: &[String], chain: usize) -> Option<Path> {
        let length = (0..=path.len()).rev().find(|length| self.0.contains_key(&path[..*length]))?;
        let module = path[..length].to_vec();
        let (Some(name), true) = (path.get(length), chain < CHAIN) else { return Some(module) };
        if let Some(import) = self.import(&module, name) {
            let target = self.absolute(&module, import, 0)?;
            return self.definition(&[&target[..], &path[length + 1..]].concat(), chain + 1);
        }
        let source = &self.0[&module];
        if !source.defines.contains(name) {
            for (_, _, import) in source.imports.iter().filter(|import| import.0 == module && import.1 == "*") {
                let target = self.absolute(&module, import, 0);
                if let Some(target) =
                    target.filter(|target| self.0.get(target).is_some_and(|s| s.defines.contains(name)))
                {
                    return Some(target);
                }
            }
        }
        Some(module)
    }

    /// For each file those that it names, with a path that does.
    fn edges(&self) -> BTreeMap<&Path, BTreeMap<Path, String>> {
        let mut edges = BTreeMap::new();
        for (module, source) in &self.0 {
            let imports = source.imports.iter().map(|(scope, _, path)| (scope, path));
            let mut named = BTreeMap::new();
            for (scope, path) in imports.chain(source.paths.iter().map(|(scope, path)| (scope, path))) {
                let target = self.absolute(scope, path, 0).and_then(|path| self.definition(&path, 0));
                if let Some(target) = target.filter(|target| target != module) {
                    named.entry(target).or_insert_with(|| path.join("::"));
                }
            }
            edges.insert(module, named);
        }
        edges
    }

    /// Circles that are too large, each told by its files and what they name of each other.
    fn circles(&self) -> Vec<(usize, String)> {
        let edges = self.edges();
        let reachable = |from| {
            let mut reached = BTreeSet::new();
            let mut waiting: Vec<&Path> = vec![from];
            while let Some(module) = waiting.pop() {
                waiting.extend(edges[module].keys().filter(|next| reached.insert(*next)));
            }
            reached
        };
        let reached: BTreeMap<&Path, BTreeSet<&Path>> =
            edges.keys().map(|module| (*module, reachable(*module))).collect();
        let mut found = Vec::new();
        for (module, others) in &reached {
            let circle: Vec<&Path> = others.iter().copied().filter(|other| reached[other].contains(module)).collect();
            // Each circle once.
            if circle.len() <= MOST || circle.first() != Some(module) {
                continue;
            }
            let mut text = String::new();
            for module in &circle {
                text.push_str(&format!("\n  {} names", self.0[*module].file));
                for (_, path) in edges[module].iter().filter(|(target, _)| circle.contains(target)) {
                    text.push_str(&format!(" {path}"));
                }
            }
            found.push((circle.len(), text));
        }
        found
    }
}

/// The module that a file is, below the folder of its crate's root.
fn module_of(file: &str) -> Path {
    let name = file.strip_suffix(".rs").unwrap_or(file);
    let mut path: Path = name.split('/').map(str::to_string).collect();
    if path.last().is_some_and(|last| last == "mod") {
        path.pop();
    }
    path
}

#[test]
fn no_large_circles_of_files() {
    let all = files(&["rs"]);
    let folders: Vec<&str> = super::ARROWS.iter().map(|row| row.0).collect();
    let mut wrong = Vec::new();
    for folder in &folders {
        let main = if *folder == "." { "src/".to_string() } else { format!("{folder}/") };
        let root =
            ["lib.rs", "main.rs"].map(|name| format!("{main}{name}")).into_iter().find(|file| all.contains_key(file));
        let root = root.unwrap_or_else(|| panic!("{folder}: neither lib.rs nor main.rs"));
        let is_other = |file: &str| {
            let inner = folders.iter().filter(|other| format!("{other}/").len() > main.len());
            file.starts_with(&format!("{main}examples/"))
                || inner.into_iter().any(|other| file.starts_with(&format!("{other}/")))
        };
        let mut modules = BTreeMap::new();
        for (file, text) in all.iter().filter(|(file, _)| file.starts_with(&main) && !is_other(file)) {
            let module = if *file == root { Path::new() } else { module_of(&file[main.len()..]) };
            modules.insert(module.clone(), Source::read(file, &module, text));
        }
        let circles = Crate(modules).circles();
        wrong.extend(circles.iter().map(|(size, text)| format!("{folder}: a circle of {size} files:{text}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn circles_are_seen_through_exports_and_inline_modules() {
    let sources = [
        ("lib.rs", "mod a; mod b; mod c; pub use a::{A, self as alias};"),
        ("a.rs", "use crate::b::B; pub struct A; /* use crate::c::C; */ mod tests { use super::*; }"),
        ("b.rs", "pub struct B; fn f() { let text = \"crate::a\"; super::c::g::<'x'>(); }"),
        ("c.rs", "mod d; pub fn g() { d::h('\\'') }"),
        ("c/d.rs", "pub fn h() { crate::A; }"),
    ];
    let read = |changed: &str| {
        let sources = sources.map(|(file, text)| {
            let text = if file == "c/d.rs" { changed } else { text };
            let module = if file == "lib.rs" { Path::new() } else { module_of(file) };
            (module.clone(), Source::read(file, &module, text))
        });
        Crate(sources.into_iter().collect()).circles()
    };
    let circle = read("pub fn h() { crate::A; }");
    assert_eq!(circle.len(), 1);
    assert_eq!(circle[0].0, 4, "{}", circle[0].1);
    assert!(!circle[0].1.contains("lib.rs"), "{}", circle[0].1);
    assert!(read("pub fn h() { let crate_A = 1; }").is_empty());
}
