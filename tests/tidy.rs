//! Order in the source tree: which crate may use which, headers and sizes of files, no paths of one machine, a test for
//! every error code. `circles` looks for files that need each other, `citations` checks what comments and documents
//! refer to, `documents` what is generated in `docs`, `matches` that a new instruction is asked for, `packages` what
//! `cargo package` needs, `words` that no language leaves its folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

mod circles;
mod citations;
mod documents;
mod matches;
mod packages;
mod words;

/// Crates of ours that each crate may use: the arrows of the architecture.
///
/// ```text
/// diag ← ir ← {passes, interp, clean, strict, wasm, native, c}; {passes, wasm, native} ← compile; {native, rt} ← run;
/// strict ← {goopea, samlang ← samlang-library}; rt ← interp; prebuilt ← {wasm, native}; all ← driver and command line
/// ```
const ARROWS: &[(&str, &[&str])] = &[
    ("src/diag", &[]),
    ("src/ir", &["abi", "diag"]),
    ("src/interface", &["ir"]),
    ("src/passes", &["ir"]),
    ("src/interp", &["ir", "rt"]),
    ("src/compile", &["interface", "ir", "passes", "wasm", "native"]),
    ("src/run", &["abi", "native", "rt"]),
    ("src/frontends/clean", &["diag", "ir"]),
    ("src/frontends/strict", &["diag", "ir"]),
    ("src/frontends/goopea", &["diag", "ir", "strict"]),
    ("src/frontends/samlang", &["diag", "ir", "samlang-library", "strict"]),
    ("library/samlang", &[]),
    ("targets/wasm", &["ir", "prebuilt"]),
    ("targets/native", &["ir", "prebuilt"]),
    ("targets/c", &["ir"]),
    ("rt/abi", &[]),
    ("rt/prebuilt", &[]),
    ("rt", &["abi"]),
    (
        ".",
        &[
            "diag",
            "interface",
            "ir",
            "passes",
            "interp",
            "compile",
            "run",
            "clean",
            "strict",
            "goopea",
            "samlang",
            "samlang-library",
            "wasm",
            "native",
            "c",
        ],
    ),
    (
        "bench",
        &[
            "diag", "ir", "passes", "interp", "compile", "run", "clean", "strict", "goopea", "samlang", "wasm",
            "native", "rt", "",
        ],
    ),
    (
        "tests",
        &[
            "diag",
            "ir",
            "passes",
            "interp",
            "compile",
            "run",
            "clean",
            "strict",
            "goopea",
            "samlang",
            "wasm",
            "native",
            "rt",
            "filetests",
            "",
        ],
    ),
    ("tests/filetests", &["ir", "passes", "interp"]),
    // As a stranger would write them: with what an embedder of the compiler uses.
    ("examples/actors", &["compile", "diag", "example-command", "interp"]),
    ("examples/command", &["compile", "diag", "interp", "run"]),
    ("examples/ml", &["compile", "diag", "example-command", "interp"]),
    ("examples/scheme", &["compile", "diag", "example-command", "interp"]),
];

/// Files of more than 500 lines, with the reason. More than 800 only with a reason that says `table`.
const LARGE: &[(&str, &str)] = &[
    ("src/frontends/clean/instr.rs", "table: a row per instruction"),
    (
        "src/frontends/clean/translate/nodes.rs",
        "one `match` over the instructions about nodes; building, filling and taking apart share it",
    ),
    ("src/ir/verify/counts.rs", "one walk over a function; a rule for each instruction shares its state"),
    ("src/cli/args.rs", "a table: every command and flag"),
    ("src/frontends/clean/tests/parser.rs", "a table of wrong lines and their messages"),
    ("rt/tests/collector.rs", "tests of one object graph after the other"),
];
const LARGE_LINES: usize = 500;
const TABLE_LINES: usize = 800;

/// Error codes that no test provokes, with the reason.
const UNTESTED: &[(&str, &str)] = &[
    ("FILE_TOO_LARGE", "it takes a file of 4 GiB"),
    ("UNSUPPORTED_DIRECTIVE", "every directive is known at present; the number stays reserved"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests is a folder of the workspace").to_path_buf()
}

/// All files of the project below a folder, with paths relative to the root, sorted.
fn files(extensions: &[&str]) -> BTreeMap<String, String> {
    let root = root();
    let mut folders = vec![root.clone()];
    let mut found = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())).flatten() {
            let path = entry.path();
            let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            let ours = !["target", ".git", "tests/corpus"].contains(&name.as_str())
                && !["/target", "/node_modules"].iter().any(|built| name.ends_with(built));
            if path.is_dir() && ours {
                folders.push(path);
            } else if path.extension().is_some_and(|e| extensions.iter().any(|extension| e == *extension)) {
                found.insert(name, fs::read_to_string(&path).unwrap_or_default());
            }
        }
    }
    found
}

/// Names in the sections of a manifest whose header ends with this word, with their section.
fn dependencies(manifest: &str) -> Vec<(String, String)> {
    let mut section = String::new();
    let mut found = Vec::new();
    for line in manifest.lines() {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']').to_string();
        } else if section.ends_with("dependencies")
            && section != "workspace.dependencies"
            && let Some(name) =
                line.split(['.', ' ', '=']).next().filter(|name| !name.is_empty() && !name.starts_with('#'))
        {
            found.push((section.clone(), name.to_string()));
        }
    }
    found
}

#[test]
fn crates_use_only_what_they_may() {
    let mut seen = Vec::new();
    let manifests = files(&["toml"]);
    for (file, manifest) in manifests.iter().filter(|(file, _)| file.ends_with("Cargo.toml")) {
        let folder = file.strip_suffix("/Cargo.toml").unwrap_or(".");
        // Projects of their own.
        if folder.starts_with("tests/fuzz") || folder.starts_with("examples/embedding") {
            continue;
        }
        let Some((_, allowed)) = ARROWS.iter().find(|row| row.0 == folder) else {
            panic!("{file}: the crate is not in the table of arrows");
        };
        seen.push(folder);
        for (section, name) in dependencies(manifest) {
            if let Some(ours) = name.strip_prefix("cleave") {
                let ours = ours.trim_start_matches('-');
                // With more features, for its tests.
                let is_own = section == "dev-dependencies" && folder.rsplit('/').next() == Some(ours);
                assert!(is_own || allowed.contains(&ours), "{file}: {section}: `{name}` may not be used here");
            } else if section == "dependencies" {
                let engine = name.starts_with("wasmtime");
                assert!(!engine || folder == "src/run", "{file}: the engine belongs to `run` and to tests");
                let generator = name.starts_with("cranelift") && name != "cranelift-entity";
                assert!(!generator || folder == "targets/native", "{file}: Cranelift belongs to the native target");
                assert!(folder != "rt" || name == "libm", "{file}: the runtime uses `libm` and nothing else");
            }
        }
    }
    for (folder, _) in ARROWS {
        assert!(seen.contains(folder), "there is no {folder}/Cargo.toml");
    }
}

#[test]
fn every_file_says_what_it_is() {
    let without: Vec<String> =
        files(&["rs"]).into_iter().filter(|(_, text)| !text.starts_with("//!")).map(|(file, _)| file).collect();
    assert!(without.is_empty(), "these files do not begin with `//!`: {without:?}");
}

/// Comments are read beside code: they end where code does. Drawings and tables may be wider.
#[test]
fn comments_are_no_wider_than_code() {
    const WIDTH: usize = 120;
    let mut wide = Vec::new();
    for (file, text) in files(&["rs", "mjs"]) {
        let mut in_drawing = false;
        for (number, line) in (1..).zip(text.lines()) {
            let Some(comment) = line.trim_start().strip_prefix("//") else {
                in_drawing = false;
                continue;
            };
            let comment = comment.trim_start_matches(['/', '!']).trim_start();
            in_drawing ^= comment.starts_with("```");
            let is_table = in_drawing || comment.starts_with('|');
            if !is_table && line.chars().count() > WIDTH {
                wide.push(format!("{file}:{number}"));
            }
        }
    }
    assert!(wide.is_empty(), "comments beyond column {WIDTH}: {wide:#?}");
}

#[test]
fn files_stay_small() {
    let files = files(&["rs", "mjs", "sh"]);
    let mut wrong = Vec::new();
    for (file, text) in &files {
        let lines = text.lines().count();
        let reason = LARGE.iter().find(|row| row.0 == file).map(|row| row.1);
        match reason {
            None if lines > LARGE_LINES => wrong.push(format!("{file}: {lines} lines, and no reason")),
            Some(_) if lines <= LARGE_LINES => wrong.push(format!("{file}: {lines} lines, no reason needed any more")),
            Some(reason) if lines > TABLE_LINES && !reason.contains("table") => {
                wrong.push(format!("{file}: {lines} lines, and no table"));
            }
            _ => {}
        }
    }
    for (file, _) in LARGE {
        if !files.contains_key(*file) {
            wrong.push(format!("{file} does not exist"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_paths_of_one_machine() {
    let patterns = ["work/", "root/", "home/", "Users/"].map(|name| format!("/{name}"));
    let hosts = ["index.crates", "static.crates", "artifactory", "proxy.golang"];
    // The runtime looks for such paths in its own binary.
    let searching = ["rt/tests/prebuilt.rs", "tests/tidy.rs"];
    for (file, text) in files(&["rs", "toml", "sh", "mjs", "md", "yml", "lock", "abc", "ir", "txt", "stdout", "stderr"])
    {
        if searching.contains(&file.as_str()) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let path = patterns.iter().any(|pattern| {
                // Not as a part of a longer path, such as `framework/`.
                line.match_indices(pattern.as_str())
                    .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || ".-_~*".contains(c)))
            });
            let host = hosts.iter().any(|host| line.contains(host));
            assert!(!path && !host, "{file}:{}: a place that others do not have: {line}", number + 1);
        }
    }
}

/// Documents name them as commands.
#[cfg(unix)]
#[test]
fn scripts_can_be_executed() {
    use std::os::unix::fs::PermissionsExt;
    for (file, text) in files(&["sh", "py", "mjs"]).iter().filter(|(_, text)| text.starts_with("#!")) {
        let mode = fs::metadata(root().join(file)).expect("it was read").permissions().mode();
        let program = text.lines().next().unwrap_or_default();
        assert!(mode & 0o111 != 0, "{file} begins with `{program}` and cannot be executed: chmod +x");
    }
}

#[test]
fn packages_come_from_the_public_registry() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).expect("Cargo.lock is checked in");
    for line in lock.lines().filter(|line| line.starts_with("source = ")) {
        assert_eq!(line, "source = \"registry+https://github.com/rust-lang/crates.io-index\"");
    }
}

/// Names and numbers of all codes, from the source of the table.
fn codes() -> Vec<(String, String)> {
    let source = fs::read_to_string(root().join("src/diag/code.rs")).expect("the table of codes");
    let mut found = Vec::new();
    for line in source.lines() {
        let mut words = line.split(' ');
        let (Some(name), Some(number)) = (words.next(), words.next()) else { continue };
        let is_name = !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
        if is_name && number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit()) {
            found.push((name.to_string(), format!("E0{number}")));
        }
    }
    assert_eq!(found.len(), cleave_diag::code::TABLE.len(), "the source of the table looks different than expected");
    found
}

#[test]
fn every_error_code_has_a_test() {
    let mut files = files(&["rs", "stderr", "stdout", "abc", "ir", "expected"]);
    let is_test = |file: &str| file.ends_with("tests.rs") || file.contains("/tests/") || file.starts_with("tests/");
    // Few of them speak of codes at all.
    let is_about_codes = |text: &str| text.contains("E0") || text.contains("code::");
    files.retain(|file, text| is_test(file) && file != "tests/tidy.rs" && is_about_codes(text));
    let mut wrong = Vec::new();
    for (name, number) in codes() {
        let tested = files.iter().any(|(file, text)| {
            // Messages in golden files, expectations elsewhere; lists of all codes prove nothing.
            let golden = text.contains(&format!("[{number}]"))
                || text.contains(&format!("\"code\":\"{number}\""))
                || text.contains(&format!("error: {number}"));
            let expected = file.contains("/errors/") && file.ends_with(".expected") && text.contains(&number);
            golden
                || expected
                || file.ends_with(".rs") && (text.contains(&format!("code::{name}")) || text.contains(&number))
        });
        match UNTESTED.iter().find(|row| row.0 == name) {
            None if !tested => wrong.push(format!("no test for {number} {name}")),
            Some(_) if tested => wrong.push(format!("{number} {name} has a test now")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
