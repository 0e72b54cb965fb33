//! Asks for the commit that is built, which `cleave --version` shows: the one of a package, else git. It depends on the
//! source alone, so builds stay reproducible; without either nothing is shown.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Digits that are shown.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let commit = of_package(&folder).or_else(|| of_git(&folder));
    let shown = commit.map(|commit| format!(" (commit {})", &commit[..DIGITS])).unwrap_or_default();
    println!("cargo::rustc-env=CLEAVE_COMMIT={shown}");
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
