//! What registries ask of the crates: descriptions and addresses, versions of what they use, licences, and no file from
//! outside of their folders. That `cargo publish` itself accepts them is a step of `.ci/packages`; it does not see
//! missing files.

use super::{ARROWS, files, root};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The categories of the registry that our crates are in.
const CATEGORIES: &[&str] = &[
    "command-line-utilities",
    "compilers",
    "development-tools",
    "emulators",
    "memory-management",
    "no-std",
    "parser-implementations",
    "wasm",
];

/// Folders of the crates that nobody else wants.
const INTERNAL: [&str; 7] =
    ["bench", "examples/actors", "examples/command", "examples/ml", "examples/scheme", "tests", "tests/filetests"];

/// Folders of the crates that others may use.
fn libraries() -> impl Iterator<Item = &'static str> {
    ARROWS.iter().map(|row| row.0).filter(|folder| *folder != "." && !INTERNAL.contains(folder))
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The value behind `KEY = `, as it stands in a manifest.
fn value<'a>(manifest: &'a str, key: &str) -> &'a str {
    let mut values = manifest.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
    values.next().unwrap_or_default()
}

/// The words of a list of strings.
fn words(list: &str) -> Vec<&str> {
    list.split('"').skip(1).step_by(2).collect()
}

#[test]
fn crates_can_be_packaged() {
    for folder in libraries().chain(["."]) {
        let manifest = read(&format!("{folder}/Cargo.toml"));
        let package = manifest.split("[package]\n").nth(1).expect("a package");
        for key in ["version", "edition", "rust-version", "license", "repository"] {
            let line = format!("\n{key}.workspace = true\n");
            assert!(package.contains(&line), "{folder}/Cargo.toml has no line `{}`", line.trim());
        }
        let name = value(package, "name").trim_matches('"');
        assert_eq!(value(package, "documentation"), format!("\"https://docs.rs/{name}\""), "{folder}/Cargo.toml");
        assert!(value(package, "description").len() > 20, "{folder}/Cargo.toml has no description");
        let keywords = words(value(package, "keywords"));
        assert!((1..=5).contains(&keywords.len()), "{folder}/Cargo.toml: one to five keywords");
        assert!(keywords.iter().all(|word| word.len() <= 20), "{folder}/Cargo.toml: short keywords");
        let categories = words(value(package, "categories"));
        let known = categories.iter().all(|name| CATEGORIES.contains(name));
        assert!((1..=5).contains(&categories.len()) && known, "{folder}/Cargo.toml: {categories:?}");
        assert!(!package.contains("publish"), "{folder}/Cargo.toml: it is published");
        let stays = package.contains("\nexclude.workspace = true\n") || package.contains("\ninclude = [");
        assert!(stays, "{folder}/Cargo.toml: tests would travel with the package");
        let readme = read(&format!("{folder}/README.md"));
        assert!(folder == "." || readme.starts_with(&format!("# {name}\n")), "{folder}/README.md: `# {name}`");
    }
    for folder in INTERNAL {
        assert_eq!(value(&read(&format!("{folder}/Cargo.toml")), "publish"), "false", "{folder}/Cargo.toml");
    }
    let workspace = read("Cargo.toml");
    // Else cargo takes the crates in `examples` for examples of the main crate, without what they depend on.
    assert!(workspace.contains("\nautoexamples = false\n"), "Cargo.toml lists its examples itself");
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

/// The examples of the crates' pages are those of their documentation, which are compiled and run.
#[test]
fn examples_of_readmes_are_tested() {
    let mut seen = 0;
    for folder in libraries() {
        let lib = read(&format!("{folder}/lib.rs"));
        let documented: Vec<&str> = lib
            .lines()
            .filter_map(|line| line.strip_prefix("//!"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect();
        let shown: Vec<&str> = documented.into_iter().filter(|line| !line.starts_with("# ")).collect();
        let shown = shown.join("\n");
        let readme = read(&format!("{folder}/README.md"));
        for code in readme.split("```rust\n").skip(1) {
            let code = code.split("```").next().unwrap_or_default();
            assert!(shown.contains(code), "{folder}/README.md: this is not in the documentation of the crate:\n{code}");
            seen += 1;
        }
    }
    assert!(seen >= 8, "the pages have examples");
}

/// Where the project lives is said in one place.
#[test]
fn the_address_stands_in_one_place() {
    let workspace = read("Cargo.toml");
    let address = value(&workspace, "repository").trim_matches('"').to_string();
    assert!(address.starts_with("https://"), "Cargo.toml: repository");
    let kinds = ["toml", "md", "rs", "sh", "yml", "json", "mjs", "ts", "html", "lock"];
    let places: Vec<String> = files(&kinds)
        .into_iter()
        .flat_map(|(file, text)| std::iter::repeat_n(file, text.matches(&address).count()))
        .collect();
    assert_eq!(places, ["Cargo.toml"], "{address}");
    let compiler = read("playground/compiler/package.json");
    assert!(!compiler.contains("repository"), "`playground/build.mjs` takes it from Cargo.toml");
    let version = value(&workspace, "version");
    assert!(compiler.contains(&format!("\"version\": {version},")), "playground/compiler/package.json: {version}");
}

fn set_address(folder: &Path, address: &str) -> Output {
    let script = folder.join("release/set-address.sh");
    Command::new("sh").arg(script).arg(address).output().expect("a shell")
}

#[test]
fn the_address_can_be_set() {
    let folder = &Path::new(env!("CARGO_TARGET_TMPDIR")).join("set-address");
    fs::create_dir_all(folder.join("release")).expect("a folder");
    for file in ["release/set-address.sh", "Cargo.toml"] {
        fs::copy(root().join(file), folder.join(file)).expect("a copy");
    }
    let before = read("Cargo.toml");
    for wrong in
        ["", "http://host/owner/name", "https://host", "https://a.invalid/b", "https://host/a b/c", "https://h/\"/#"]
    {
        assert_eq!(set_address(folder, wrong).status.code(), Some(2), "{wrong:?}");
    }
    let now = || fs::read_to_string(folder.join("Cargo.toml")).expect("Cargo.toml");
    assert_eq!(now(), before);
    for address in ["https://host.example/owner/cleave", "https://host.example/other/name.git"] {
        assert!(set_address(folder, address).status.success(), "{address}");
        let text = now();
        let changed: Vec<_> = before.lines().zip(text.lines()).filter(|(old, new)| old != new).collect();
        let [(_, line)] = changed[..] else { panic!("{changed:?}") };
        assert_eq!((line, text.lines().count()), (&*format!("repository = \"{address}\""), before.lines().count()));
    }
    assert!(set_address(folder, "https://host.example/other/name.git").status.success(), "once more the same");
    fs::write(folder.join("Cargo.toml"), "[package]\n").expect("a manifest");
    assert_eq!(set_address(folder, "https://host.example/owner/cleave").status.code(), Some(1));
}

/// Whether an expression of licences can be met by those that are allowed.
fn allowed(expression: &str, list: &[&str]) -> bool {
    /// The parts between a word, where no bracket is open.
    fn parts<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
        let (mut depth, mut begin, mut parts) = (0, 0, Vec::new());
        for (at, c) in text.char_indices() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            if depth == 0 && at >= begin && text[at..].starts_with(word) {
                parts.push(&text[begin..at]);
                begin = at + word.len();
            }
        }
        parts.push(&text[begin..]);
        parts
    }
    let expression = expression.trim();
    for (word, any) in [(" OR ", true), ("/", true), (" AND ", false)] {
        let parts = parts(expression, word);
        if parts.len() > 1 {
            let mut met = parts.iter().map(|part| allowed(part, list));
            return if any { met.any(|met| met) } else { met.all(|met| met) };
        }
    }
    match expression.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => allowed(inner, list),
        None => list.contains(&expression),
    }
}

/// Every package, those of tests included, may be passed on as we do. That all come from the registry is a test of the
/// lock file.
#[test]
fn licences_are_allowed() {
    let deny = read("deny.toml");
    let list = words(value(&deny, "allow"));
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("MIT/GPL-3.0", true),
        ("MIT AND GPL-3.0", false),
        ("(GPL-3.0 OR MIT) AND BSD-3-Clause", true),
        ("(GPL-3.0 OR MIT) AND GPL-2.0", false),
        ("Apache-2.0 WITH LLVM-exception OR GPL-3.0", true),
    ] {
        assert_eq!(allowed(expression, &list), expected, "{expression}");
    }
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(root())
        .output()
        .expect("cargo");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    let text = String::from_utf8(cargo.stdout).expect("UTF-8");
    let mut seen = 0;
    for (at, key) in text.match_indices("\"license\":") {
        let rest = &text[at + key.len()..];
        let licence = rest.strip_prefix('"').and_then(|rest| rest.split('"').next());
        let package = text[..at].rsplit("{\"name\":\"").next().and_then(|rest| rest.split('"').next());
        assert!(licence.is_some_and(|licence| allowed(licence, &list)), "{package:?}: {licence:?} is not in deny.toml");
        seen += 1;
    }
    assert!(seen > 100, "the packages of the workspace: {seen}");
}
