//! Asks for the commit that is built, which `cleave --version` shows: the one of a package, else git. It depends on the
//! source alone, so builds stay reproducible; without either nothing is shown. Nor is it in builds for development,
//! whose tests would all be linked again after each commit. Also makes a hash of all sources, by
//! which the cache of compiled functions knows its own.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Digits that are shown.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let is_release = std::env::var_os("PROFILE").is_some_and(|profile| profile == "release");
    let commit = is_release.then(|| of_package(&folder).or_else(|| of_git(&folder))).flatten();
    let shown = commit.map(|commit| format!(" (commit {})", &commit[..DIGITS])).unwrap_or_default();
    println!("cargo::rustc-env=CLEAVE_COMMIT={shown}");
    let mut hash = OFFSET;
    for name in SOURCES {
        println!("cargo::rerun-if-changed={name}");
        add(&mut hash, &folder.join(name));
    }
    println!("cargo::rustc-env=CLEAVE_SOURCES={hash:032x}");
    if std::env::var_os("CARGO_FEATURE_PLAYGROUND").is_some() {
        embed_page(&folder);
    }
}

/// Finds the page of the playground, which a script has packed in the target folder.
fn embed_page(folder: &Path) {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| folder.join("target"), PathBuf::from);
    let pack = target.join("playground/page.pack");
    println!("cargo::rerun-if-env-changed=CARGO_TARGET_DIR");
    println!("cargo::rerun-if-changed={}", pack.display());
    match pack.is_file() {
        true => println!("cargo::rustc-env=CLEAVE_PLAYGROUND_PACK={}", pack.display()),
        false => {
            println!("cargo::error=the feature `playground` embeds the page that `sh playground/build.sh` makes first")
        }
    }
}

/// What the compiler is made of, by path from here.
const SOURCES: [&str; 6] = ["Cargo.lock", "Cargo.toml", "build.rs", "rt", "src", "targets"];
/// FNV-1a with 128 bits.
const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// Adds a file, or all files of a folder in the order of their names, with their names.
fn add(hash: &mut u128, path: &Path) {
    let mut bytes =
        |bytes: &[u8]| bytes.iter().for_each(|&byte| *hash = (*hash ^ u128::from(byte)).wrapping_mul(PRIME));
    bytes(path.file_name().unwrap_or_default().as_encoded_bytes());
    if let Ok(content) = std::fs::read(path) {
        return bytes(&content);
    }
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut inner: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    inner.sort();
    inner.iter().for_each(|path| add(hash, path));
}

/// As `cargo package` notes it.
fn of_package(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join(".cargo_vcs_info.json")).ok()?;
    checked(text.split("\"sha1\":").nth(1)?.split('"').nth(1)?)
}

/// As git knows it, if the repository is ours and not one that holds a copy of us.
fn of_git(folder: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim_end().to_string())
    };
    if !git(&["rev-parse", "--show-prefix"])?.is_empty() {
        return None;
    }
    // The second one grows with each commit.
    for name in ["HEAD", "logs/HEAD"] {
        let file = folder.join(git(&["rev-parse", "--git-path", name])?);
        if file.is_file() {
            println!("cargo::rerun-if-changed={}", file.display());
        }
    }
    checked(&git(&["rev-parse", "HEAD"])?)
}

fn checked(commit: &str) -> Option<String> {
    let is_hash = commit.len() >= DIGITS && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| commit.to_string())
}
