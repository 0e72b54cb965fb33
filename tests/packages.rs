//! What `cargo package` asks of the library crates: a description, versions of what they use, and no file from outside
//! of their folders. That `cargo package` itself accepts them is a step of `.ci/run`; it does not see missing files.

use super::{ARROWS, files, root};
use std::fs;

/// Folders of the crates that others may use.
fn libraries() -> impl Iterator<Item = &'static str> {
    ARROWS.iter().map(|row| row.0).filter(|folder| ![".", "bench", "tests"].contains(folder))
}

#[test]
fn libraries_can_be_packaged() {
    for folder in libraries() {
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("a manifest");
        for line in ["\ndescription = \"", "\nlicense.workspace = true", "\nversion.workspace = true"] {
            assert!(manifest.contains(line), "{folder}/Cargo.toml has no line `{}…`", line.trim_start());
        }
    }
    let workspace = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest of the workspace");
    let version = workspace.lines().find(|line| line.starts_with("version = ")).expect("the version of the workspace");
    for line in workspace.lines().filter(|line| line.contains("{ path = \"")) {
        assert!(line.contains(version), "Cargo.toml: `{line}` needs `{version}`: packages name versions, not folders");
    }
}

/// The relative paths in `include_bytes!("…")` and its like, and in `#[path = "…"]`.
fn included(text: &str) -> impl Iterator<Item = &str> {
    let starts = ["include_bytes!(\"", "include_str!(\"", "include!(\"", "#[path = \""];
    starts.into_iter().flat_map(move |start| {
        text.match_indices(start).map(move |(at, _)| text[at + start.len()..].split('"').next().unwrap_or_default())
    })
}

/// A path from the root, without `.` and `..`.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The innermost crate in whose folder a file lies.
fn home(file: &str) -> &'static str {
    let inside = |folder: &&str| file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    ARROWS.iter().map(|row| row.0).filter(inside).max_by_key(|folder| folder.len()).unwrap_or(".")
}

#[test]
fn libraries_hold_the_files_that_they_include() {
    let mut seen = 0;
    for (file, text) in files(&["rs"]) {
        let crate_folder = home(&file);
        if !libraries().any(|folder| folder == crate_folder) {
            continue;
        }
        let folder = file.rsplit_once('/').map_or("", |parts| parts.0);
        for path in included(&text) {
            let target = plain(&format!("{folder}/{path}"));
            assert_eq!(home(&target), crate_folder, "{file}: `{path}` is not in the package of this crate");
            seen += 1;
        }
    }
    assert!(seen > 0, "the search finds nothing: have the macros other names now?");
}
