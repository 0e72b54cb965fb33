//! A copy of the sources with all bugs, and its test programs.

use super::bugs::{Bug, patched};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A test program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The test's name in its package; of unit tests the crate's.
    pub name: String,
    pub path: PathBuf,
    /// Where `cargo test` runs it.
    pub folder: PathBuf,
    /// It was built already.
    pub is_fresh: bool,
}

/// These look at sources or at what was made of them, which the copy changes: not at what the compiler does.
const OF_SOURCES: [&str; 2] = ["seeded", "tidy"];

/// Makes the copy and builds its test programs.
pub fn build(root: &Path, bugs: &[Bug]) -> Result<Vec<Program>, String> {
    let scratch = root.join("target/seeded");
    let (source, target) = (scratch.join("source"), scratch.join("target"));
    copy_sources(root, &source, "", &patched(root, bugs)?);
    if !target.exists() {
        copy_built(&root.join("target/debug"), &target.join("debug"));
    }
    println!("building …");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    // Names of what cargo tells us about this program would make build scripts run again.
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_")) {
        if name != "CARGO_HOME" {
            command.env_remove(name);
        }
    }
    command.args(["test", "--workspace", "--no-run", "--quiet", "--message-format=json"]);
    command.current_dir(&source).env("CARGO_TARGET_DIR", &target).stdin(Stdio::null()).stderr(Stdio::piped());
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stdout);
        let errors = messages.lines().filter(|line| line.contains("\"level\":\"error\""));
        let errors = errors.filter_map(|line| string(line, "rendered")).collect::<Vec<_>>().join("\n");
        return Err(format!("the copy does not build:\n{errors}\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    let programs = String::from_utf8_lossy(&output.stdout).lines().filter_map(program).collect::<Vec<_>>();
    Ok(programs.into_iter().filter(|program| !OF_SOURCES.contains(&&*program.name)).collect())
}

/// The test program that a message of cargo is about.
fn program(line: &str) -> Option<Program> {
    let profile = &line[line.find("\"profile\":{")?..];
    if !profile[..profile.find('}')?].contains("\"test\":true") {
        return None;
    }
    let path = PathBuf::from(string(line, "executable")?);
    let folder = PathBuf::from(string(line, "manifest_path")?).parent()?.to_path_buf();
    let target = &line[line.find("\"target\":")?..];
    let name = string(target, "name")?;
    // A library and a program of one package may have one name.
    let name = if target.contains("\"kind\":[\"bin\"]") { format!("{name}-bin") } else { name };
    Some(Program { name, path, folder, is_fresh: line.contains("\"fresh\":true") })
}

/// The text that a message has under a name.
fn string(line: &str, name: &str) -> Option<String> {
    let key = format!("\"{name}\":\"");
    let mut rest = line[line.find(&key)? + key.len()..].chars();
    let mut text = String::new();
    loop {
        match rest.next()? {
            '"' => return Some(text),
            '\\' => match rest.next()? {
                'n' => text.push('\n'),
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
}

/// Copies what belongs to the project, some of it changed. A file that is equal keeps its time, so that it is not built
/// again.
fn copy_sources(from: &Path, to: &Path, inside: &str, changed: &BTreeMap<String, String>) {
    fs::create_dir_all(to).expect("the folder can be made");
    for entry in fs::read_dir(from).expect("sources can be read").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if name == "target" || name == ".git" {
            continue;
        }
        let copy = to.join(&name);
        let inside = format!("{inside}{}", name.to_string_lossy());
        if path.is_dir() {
            copy_sources(&path, &copy, &(inside + "/"), changed);
            continue;
        }
        let Some(text) = changed.get(&inside).map(|text| text.clone().into_bytes()).or_else(|| fs::read(&path).ok())
        else {
            continue;
        };
        if fs::read(&copy).ok().as_deref() != Some(&text) {
            fs::write(&copy, text).expect("the copy can be written");
            // Some are programs.
            let _ = fs::metadata(&path).map(|data| fs::set_permissions(&copy, data.permissions()));
        }
    }
    for entry in fs::read_dir(to).expect("the copy can be read").flatten() {
        let gone = entry.file_name() != "target" && !from.join(entry.file_name()).exists();
        if gone && entry.path().is_dir() {
            let _ = fs::remove_dir_all(entry.path());
        } else if gone {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Copies what was built of other people's crates.
fn copy_built(from: &Path, to: &Path) {
    println!("copying what is built already …");
    for folder in ["deps", ".fingerprint", "build"] {
        let to = to.join(folder);
        fs::create_dir_all(&to).expect("the folder can be made");
        let entries = fs::read_dir(from.join(folder)).into_iter().flatten().flatten();
        let is_wanted = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_ours = name.trim_start_matches("lib").starts_with("cleave");
            !is_ours && (folder != "deps" || path.extension().is_some())
        };
        let paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_wanted).collect();
        for some in paths.chunks(200) {
            let _ = Command::new("cp").arg("-a").args(some).arg(&to).status();
        }
    }
}
