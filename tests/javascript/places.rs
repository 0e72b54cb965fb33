//! Where things are that the tests of `javascript.rs` share, and how long a command may take.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub const LIMIT: Duration = Duration::from_secs(240);

pub fn folder(name: &str) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("javascript").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

pub fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("javascript").join(name)
}

pub fn python() -> String {
    std::env::var("CLEAVE_PYTHON").unwrap_or_else(|_| "python3".into())
}

pub fn tsc() -> String {
    std::env::var("CLEAVE_TSC").unwrap_or_else(|_| "tsc".into())
}

pub fn jco() -> String {
    std::env::var("CLEAVE_JCO").unwrap_or_else(|_| "jco".into())
}
