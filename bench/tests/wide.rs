//! `cleave-bench wide` on a folder with two programs and a stand-in for Clean's code generator: the list is read,
//! outputs are compared by their hash, and what fails is named.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Prints what `nfib` of the corpus prints, whatever program it is asked for.
const STAND_IN: &str = r#"#!/bin/sh
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\ncat %s\n' "$EXPECTED" > "$2"
chmod +x "$2"
"#;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("cleave-wide-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/bench")
}

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

fn wide(folder: &Folder, list: &str, words: &[&str]) -> Output {
    fs::copy(corpus().join("nfib.abc"), folder.0.join("nfib.abc")).expect("a program");
    fs::write(folder.0.join("programs.txt"), list).expect("a list");
    let tool = folder.0.join("stand-in");
    fs::write(&tool, STAND_IN).expect("a program");
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).expect("it can be started");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cleave-bench"));
    command.arg("wide").arg(&folder.0).args(["--runs", "1", "--no-node", "--clean"]).arg(&folder.0);
    command.arg("--clean-native").arg(tool).arg("--json").arg(folder.0.join("wide.json")).args(words);
    command.env("EXPECTED", corpus().join("nfib.expected")).output().expect("the bench starts")
}

fn list() -> String {
    let expected = fs::read(corpus().join("nfib.expected")).expect("an output");
    format!("# a comment\n\nnfib nfib.abc {} {:x} -\n", expected.len(), hash(&expected))
}

#[test]
fn a_table() {
    let folder = Folder::new("table");
    let output =
        wide(&folder, &list(), &["--without", "inline", "--markdown", &format!("{}/x.md", folder.0.display())]);
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{error}");
    for part in ["nfib", "geometric mean", "worst", "above 1.00", "executable", "wasmtime", "load at the end", "inline"]
    {
        assert!(out.contains(part), "`{part}` is missing:\n{out}");
    }
    let json = fs::read_to_string(folder.0.join("wide.json")).expect("JSON");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let columns = json["programs"][0]["columns"].as_array().expect("columns");
    let names: Vec<&str> = columns.iter().filter_map(|column| column["column"].as_str()).collect();
    assert_eq!(names, ["clean", "executable", "wasmtime", "executable without inline", "wasmtime without inline"]);
    for column in columns {
        assert!(column["samples"]["cpu_s"][0].as_f64().is_some_and(|seconds| seconds >= 0.0), "{column}");
    }
    assert!(fs::read_to_string(folder.0.join("x.md")).expect("Markdown").starts_with("# Wide set\n"));
}

#[test]
fn what_fails_is_named() {
    let folder = Folder::new("fails");
    let wrong = format!("{}other nfib.abc 3 123 -\nnone none.abc 3 123 -\n", list());
    let output = wide(&folder, &wrong, &["--no-wasmtime"]);
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{out}\n{error}");
    assert!(error.contains("other, clean: other printed something else than expected"), "{error}");
    assert!(error.contains("none, executable: the compiler ended with status 1"), "{error}");
    assert!(!error.contains("nfib,"), "{error}");
    assert!(out.contains("of 1"), "the means are those of the program that works:\n{out}");
}

#[test]
fn wrong_usage() {
    let folder = Folder::new("usage");
    let output = wide(&folder, "nfib nfib.abc many\n", &[]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.contains("programs.txt, line 1: NAME MAIN.abc BYTES HASH"), "{error}");
    let output = wide(&folder, &list(), &["--only", "fibonacci"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.contains("there are no programs with these names"), "{error}");
}
